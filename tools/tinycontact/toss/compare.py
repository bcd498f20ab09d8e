# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Real tosses of the cube of ContactNets: this library beside simulators, as a table.

    python -m tinycontact.toss.compare --tosses FOLDER --out build/real-tosses

FOLDER has train.csv and val.csv. Bodies are identified from train.csv alone and judged on val.csv. The folder
named by --out receives table.csv and the bodies. `make real-tosses TOSSES=FOLDER` runs this.

Published figures are of all 570 tosses, from the first row, as quoted by the OmniSim benchmark from Acosta, Yang, Posa
(RA-L 2022); nothing here repeats them. Published constants: half width 52.4 mm, centre of mass in the middle, inertia
0.00081 kg m^2, friction 0.18, restitution 0.125.
"""
import argparse
import csv
import itertools
import sys
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from ..errors import TinycontactError
from ..model import write_whole
from ..progress import Teller, announced, progress
from . import bodyfile, identify, mujoco, poses, refine, roll, score
from .solid import solid

HALF, MASS = 0.0524, 0.37
INERTIA, FRICTION, RESTITUTION, EARTH = 0.00081, 0.18, 0.125, 9.81
PUBLISHED = (("Drake", 13.5, 16.5), ("Bullet", 14.9, 16.5), ("MuJoCo", 25.1, 21.7))
FEW, DRAWS = (50, 20), (1, 2, 3)
NUMBERS = (("first", "position_percent"), ("first", "rotation_deg"), ("first", "face_percent"),
           ("flight", "position_percent"), ("flight", "rotation_deg"), ("flight", "after_mm"), ("flight", "after_deg"))
HEAD = ("who", "body", "tosses", *("_".join(pair) for pair in NUMBERS))
BEGIN, END = "<!-- real-tosses -->", "<!-- end -->"
TITLES = ("who", "body", "tosses", "first row: %", "deg", "right face %", "flight: %", "deg", "88 ms on: mm", "deg")


@dataclass
class Row:
    who: str
    body: str
    tosses: int
    numbers: list   # as NUMBERS; None: not known


def cube():
    """[8, 3] m, nominal."""
    return HALF * np.array(list(itertools.product((-1.0, 1.0), repeat=3)))


def published():
    """The Body of the published constants."""
    return bodyfile.Body(cube(), MASS, "published", inertia=np.full(3, INERTIA), gravity=EARTH, restitution=RESTITUTION,
                         friction={patch: FRICTION for patch in bodyfile.PATCHES})


def scored(who, name, log, body, rolls=roll.roll_out):
    """The Row of a body on a log, by the library or by MuJoCo."""
    means = {start: score.judge(log, body, rolls(log, body, roll.starts(log, body, start)), start)["mean"]
             for start in roll.STARTS}
    return Row(who, name, len(log), [means[start][number] for start, number in NUMBERS])


def floor_row(log, body):
    """The Row of what the noise of the starts alone costs."""
    found = {start: score.noise_floor(log, body, roll.starts(log, body, start), start) for start in roll.STARTS}
    return Row("two predictions, starts apart by their noise", "identified, closed loop", len(log),
               [found[start].get(number) for start, number in NUMBERS])


def bodies(log):
    """{name: Body} identified from a log."""
    with announced("least squares"):
        quick, _ = identify.identify(log, solid(cube()), MASS, "cube")
    found = {"identified --quick": quick, "identified, closed loop": refine.refine(log, quick, Teller("refining"))}
    found["identified, with residual"] = refine.with_residual(log, found["identified, closed loop"], Teller("residual"))
    return {name: body for name, body in found.items() if body is not None}


def table(train, val, found):
    """[Row]"""
    whole = replace(val, tosses=train.tosses + val.tosses)
    rows = [Row(f"{who}, as published", "published", 570, [position, turn, *[None] * 5])
            for who, position, turn in PUBLISHED]
    best = found["identified, closed loop"]
    with announced("MuJoCo"):
        rows += [scored("MuJoCo here, elliptic", "published", log, published(), mujoco.roll_out) for log in (whole, val)]
        rows.append(scored("MuJoCo here, elliptic", "identified, closed loop", val, best, mujoco.roll_out))
    rows += [scored("tinycontact, rigid", "published", log, published()) for log in (whole, val)]
    rows += [scored("tinycontact, compliant", name, val, body) for name, body in found.items()]
    return [*rows, floor_row(val, best)]


def from_few(train, val):
    """[Row]: bodies identified from few tosses of training, drawn three times each."""
    rows = []
    for _, (count, draw) in progress([(count, draw) for count in FEW for draw in DRAWS], "bodies from few tosses"):
        some = np.sort(np.random.default_rng(draw).choice(len(train), count, replace=False))
        quick, _ = identify.identify(train.some(some), solid(cube()), MASS, "cube")
        body = refine.refine(train.some(some), quick)
        rows.append(scored("tinycontact, compliant", f"identified from {count} tosses, draw {draw}", val, body))
    return rows


def as_csv(rows):
    lines = [",".join(HEAD)]
    for row in rows:
        numbers = ["" if value is None else f"{value:.3f}" for value in row.numbers]
        lines.append(",".join([f'"{row.who}"', f'"{row.body}"', str(row.tosses), *numbers]))
    return "\n".join(lines) + "\n"


def as_markdown(rows):
    lines = ["| " + " | ".join(TITLES) + " |", "|" + "---|" * len(TITLES)]
    for row in rows:
        numbers = ["–" if value is None else f"{value:.1f}" for value in row.numbers]
        lines.append("| " + " | ".join([row.who, row.body, str(row.tosses), *numbers]) + " |")
    return "\n".join(lines) + "\n"


def read_csv(path):
    """[Row] of a table.csv."""
    with open(path, newline="", encoding="utf-8") as file:
        _, *lines = csv.reader(file)
    return [Row(who, body, int(tosses), [float(cell) if cell else None for cell in cells])
            for who, body, tosses, *cells in lines]


def with_table(page, rows):
    """A page's text with the table between the marks."""
    if page.count(BEGIN) != 1 or page.count(END) != 1:
        raise TinycontactError(f"the page has no {BEGIN} ... {END}")
    before, rest = page.split(BEGIN)
    return f"{before}{BEGIN}\n{as_markdown(rows)}{END}{rest.split(END)[1]}"


def main():
    p = argparse.ArgumentParser(prog="python -m tinycontact.toss.compare", description="Print the table of real tosses.")
    p.add_argument("--tosses", metavar="FOLDER", required=True, help="has train.csv and val.csv")
    p.add_argument("--out", metavar="DIR", default="build/real-tosses", help="default build/real-tosses")
    p.add_argument("--few", action="store_true", help="only bodies from 50 and 20 tosses, three draws each: few.csv")
    p.add_argument("--page", metavar="P.md", help=f"a page that shows the table between {BEGIN} and {END}")
    options = p.parse_args()
    folder, out = Path(options.tosses), Path(options.out)
    train, val = (poses.read(folder / f"{name}.csv") for name in ("train", "val"))
    out.mkdir(parents=True, exist_ok=True)
    if options.few:
        rows = from_few(train, val)
        write_whole(out / "few.csv", as_csv(rows).encode())
        print(as_markdown(rows), end="")
        return
    found = bodies(train)
    rows = table(train, val, found)
    for name, body in found.items():
        bodyfile.write(out / (name.replace(",", "").replace(" --", " ").replace(" ", "-") + ".json"), body)
    write_whole(out / "table.csv", as_csv(rows).encode())
    rows = read_csv(out / "table.csv")   # as rounded there: pages are made from the file
    if options.page:
        text = with_table(Path(options.page).read_text(encoding="utf-8"), rows)
        write_whole(options.page, text.encode())
    print(as_markdown(rows), end="")


if __name__ == "__main__":
    try:
        main()
    except TinycontactError as error:
        sys.exit(f"tinycontact.toss.compare: {error}")
