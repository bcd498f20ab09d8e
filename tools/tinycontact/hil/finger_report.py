# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""What a board felt, touch by touch: as lines for a terminal, and as a picture.

    touch         radius [mm]                          centre [mm]              true: 30 at 400, 100, 200
       20 stroke  29.87 +-0.31 .....===|==.......      399.91 100.12 200.25
"""
import numpy as np

from ..model import write_whole
from ..report.page import png_bytes, text_table
from ..report.plots import LAWS, TRUTH, new_figure, plain
from .bars import Pen
from .finger import REPEATED

WIDTH = 21                 # of a gauge, characters
SPAN = 0.1                 # of the gauge, to either side of the truth, relative to it
FIRST, EVERY = 8, 10       # touches that are told
MM = 1e3
LEAST = 1e-6               # [m] smaller errors are drawn there


class Teller:
    """A line for each of the first touches and for every tenth."""

    def __init__(self, out, truth, touches):
        self.out, self.truth, self.touches, self.pen = out, truth, touches, Pen(out)
        self.rich = self.pen.marks[0] == "·"
        self.last = None

    def __call__(self, row):
        if self.last is None:
            known = "" if self.truth is None else "true: " + ball_words(self.truth.radius, self.truth.centre)
            print(f"  touch         radius [mm]{'':{WIDTH + 4}}centre [mm]{'':16}{known}".rstrip(), file=self.out)
        self.last = row["number"]
        if row["number"] <= FIRST or row["number"] % EVERY == 0 or row["number"] == self.touches:
            print(self.line(row), file=self.out, flush=True)

    def line(self, row):
        what = "again" if row["outcome"] == REPEATED else "stroke" if row["stroke"] else "tap"
        head = f"  {row['number']:5} {what:6}"
        if row["found"] < 0:
            return f"{head}  not yet"
        sign, half = "±" if self.rich else "+-", MM * 0.5 * (row["radius_high"] - row["radius_low"])
        wide = f"{half:.2f}" if half < 1000 else "wide"
        size = f"{MM * row['radius']:7.2f} {sign}{wide:6}"
        centre = " ".join(f"{MM * row[name]:8.2f}" for name in ("cx", "cy", "cz"))
        return f"{head}  {size} {self.gauge(row)}  {centre}"

    def gauge(self, row):
        """The 95 % interval on a scale about the truth, and where the truth is in it."""
        middle = row["radius"] if self.truth is None else self.truth.radius
        def cell(value):
            return int(np.clip((min(value, 1e9) / middle - 1.0 + SPAN) / (2 * SPAN) * WIDTH, 0, WIDTH - 1))
        empty, full, true = "·━┃" if self.rich else ".=|"
        cells = [empty] * WIDTH
        for k in range(cell(row["radius_low"]), cell(row["radius_high"]) + 1):
            cells[k] = full
        cells[cell(middle)] = true
        inside = row["radius_low"] <= middle <= row["radius_high"]
        return self.pen.paint("32" if inside else "33", "".join(cells))


def ball_words(radius, centre):
    return f"{MM * radius:g} at {', '.join(f'{MM * x:g}' for x in centre)}"


def told(summary):
    """The last word of a run, as a table."""
    if not summary["found"]:
        return (f"after {summary['touches']} touches: no ball. The touches lie on a plane or a circle, or are as flat as"
                " their noise.")
    truth = "true_radius" in summary
    def row(label, name, true, error):
        value, sd = MM * summary[name], MM * summary[f"{name}_sd"]
        return (label, *([f"{MM * true:.2f}", f"{MM * error:.3f}"] if truth else []), f"{value:.3f}", f"{sd:.3f}")
    centres = summary.get("true_centre", (0.0, 0.0, 0.0))
    rows = [row(f"centre {axis}", f"c{axis}", true, summary[f"c{axis}"] - true) for axis, true in zip("xyz", centres)]
    radius = summary.get("true_radius", 0.0)
    rows.insert(0, row("radius", "radius", radius, summary["radius"] - radius))
    header = (f"after {summary['touches']} touches [mm]", *(("true", "error") if truth else ()), "board", "sd")
    high = f"{MM * summary['radius_high']:.3f}" if "radius_high" in summary else "any"
    last = f"95 % interval of the radius: {MM * summary['radius_low']:.3f} .. {high} mm; a touch is good to" \
           f" {MM * summary['noise']:.3f} mm."
    return text_table(header, rows) + "\n" + last


def write(path, options, outcome):
    write_whole(path, png_bytes(picture(options, outcome), dpi=110))


def picture(options, outcome):
    """The touches with the felt ball, the radius with its interval over the touches, and the errors."""
    rows, truth = outcome.rows, None if options.csv else options.thing
    figure = new_figure(11.5, 4.0)
    figure.suptitle(f"a finger on {options.port or options.board}: {len(rows['number'])} touches of a ball", fontsize=11)
    side, radii, errors = figure.subplots(1, 3)
    _draw_side(side, rows, options.thing.tip)
    found = rows["found"] >= 0
    number, top = rows["number"][found], 2.0 * np.median(rows["radius"][found]) if found.any() else 1.0
    if found.any():
        low, high = (np.clip(rows[name][found], 0.0, top) for name in ("radius_low", "radius_high"))
        radii.fill_between(number, MM * low, MM * high, color=LAWS[1], alpha=0.25, linewidth=0, label="95 % interval")
        radii.plot(number, MM * rows["radius"][found], color=LAWS[1], linewidth=1.6, label="board")
        errors.plot(number, MM * rows["radius_sd"][found], color=LAWS[1], linewidth=1.0, linestyle="--", label="sd, board")
    if truth is not None:
        radii.axhline(MM * truth.radius, color=TRUTH, linewidth=1.0, label="true")
        errors.plot(number, MM * np.maximum(np.abs(rows["radius"][found] - truth.radius), LEAST), color=LAWS[0],
                    linewidth=1.2, label="error of the radius")
        radii.set_ylim(MM * 0.8 * truth.radius, MM * 1.2 * truth.radius)
    plain(radii, "radius", "touch", "[mm]")
    plain(errors, "uncertainty", "touch", "[mm]")
    errors.set_yscale("log")
    for axes in (radii, errors) if found.any() else ():
        axes.legend(frameon=False, fontsize=8)
    return figure


def _draw_side(axes, rows, tip):
    """Touches from the side, and the ball as it was felt last."""
    axes.scatter(MM * rows["x"], MM * rows["z"], s=9, color=LAWS[0], label="touches", zorder=3)
    if rows["found"][-1] >= 0:
        angle = np.linspace(0, 2 * np.pi, 181)
        radius = rows["radius"][-1] + tip
        axes.plot(MM * (rows["cx"][-1] + radius * np.cos(angle)), MM * (rows["cz"][-1] + radius * np.sin(angle)),
                  color=LAWS[1], linewidth=1.4, label="the ball, as felt" + (", and the tip" if tip else ""))
    plain(axes, "from the side", "x [mm]", "z [mm]")
    axes.set_aspect("equal")
    axes.legend(frameon=False, fontsize=8)
