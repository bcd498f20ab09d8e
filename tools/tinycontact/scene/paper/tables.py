# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Results of the experiments as CSV, as tables beside the paper's, and as pictures.

    python -m tinycontact.scene.paper.tables tests/scene/evaluation.csv docs/explanation/identify-shapes.md
"""
import csv
import re
import sys

import numpy as np

from ...csvfile import write_columns
from . import MODULES, module
from .common import Result

PLACE = re.compile(r"(<!-- table: ([^\n]+) -->\n).*?(<!-- end -->)", re.S)
HEADER = ("variant", "quantity", "scenes", "paper: mean", "max", "start: mean", "median", "mean", "max", "floor", "met")


def write(path, results):
    columns = [[getattr(r, name) for r in results] for name in Result.__dataclass_fields__]
    columns = [[value if isinstance(value, str) else f"{value:.3g}" if isinstance(value, float) else f"{value}"
                for value in column] for column in columns]
    write_columns(path, list(Result.__dataclass_fields__), columns)


def read(path):
    with open(path, newline="", encoding="utf-8") as file:
        return [Result(r["experiment"], r["variant"], int(r["scene"]), r["quantity"], float(r["start"]),
                       float(r["error"]), int(r["iterations"]), int(r["starts"])) for r in csv.DictReader(file)]


def _short(x):
    return "" if x is None else f"{x:.2g}"


def _floor(row, errors, means):
    """(the floor in words, whether it is met)."""
    most, share = row.floor
    if most is None:
        return "", ""
    if means:
        return f"mean {most:g}", "yes" if errors.mean() <= most else "no"
    inside = np.mean(errors <= most)
    words = f"{most:g}, " + ("every scene" if share == 1 else f"{100 * share:.0f} %")
    return words, "yes" if inside >= share else f"no: {100 * inside:.0f} %"


def rows(name, results):
    """Rows of an experiment's table, as texts in HEADER's order."""
    made = module(name)
    for row in made.ROWS:
        mine = [r for r in results if (r.experiment, r.variant, r.quantity) == (name, row.variant, row.quantity)]
        if mine:
            errors = np.nan_to_num(np.array([r.error for r in mine]), nan=np.inf)
            yield (row.variant, row.quantity, str(len(mine)), *map(_short, row.paper),
                   _short(np.mean([r.start for r in mine])), _short(np.median(errors)), _short(errors.mean()),
                   _short(errors.max()), *_floor(row, errors, getattr(made, "MEANS", False)))


def missed(name, results):
    return [row for row in rows(name, results) if row[-1].startswith("no")]


def markdown(name, results):
    lines = ["| " + " | ".join(HEADER) + " |", "|" + "---|" * len(HEADER)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows(name, results)]) + "\n"


def draw(results):
    """A Figure: errors of each quantity, from start (grey) to answer, with the paper's mean and the floor."""
    from ...report.plots import LAWS, TRUTH, new_figure, plain
    names = [name for name in MODULES if any(r.experiment == name for r in results)]
    across, down = min(len(names), 3), -(-len(names) // 3)
    figure = new_figure(5.2 * across, 3.8 * down)
    for axes, name in zip(np.ravel(figure.subplots(down, across)), names):
        kept = list({(row.variant, row.quantity): row for row in module(name).ROWS if any(
            (r.experiment, r.variant, r.quantity) == (name, row.variant, row.quantity) for r in results)}.values())
        for k, row in enumerate(kept):
            mine = [r for r in results if (r.experiment, r.variant, r.quantity) == (name, row.variant, row.quantity)]
            place = np.linspace(-0.3, 0.3, len(mine))
            axes.plot(k + place, [max(r.start, 1e-26) for r in mine], ".", color="#b8c0cc", markersize=3)
            axes.plot(k + place, [max(r.error, 1e-26) for r in mine], ".", color=LAWS[1], markersize=3)
            for value, colour in ((row.paper[0], LAWS[0]), (row.floor[0], TRUTH)):
                if value:
                    axes.plot([k - 0.4, k + 0.4], [value, value], color=colour, linewidth=1.2)
        axes.set_yscale("log")
        axes.set_xticks(range(len(kept)), [f"{row.variant}\n{row.quantity}" for row in kept], fontsize=6, rotation=60)
        plain(axes, module(name).TITLE, "", "error: start (grey), answer (blue)")
    for axes in figure.axes[len(names):]:
        axes.set_axis_off()
    figure.suptitle("orange: the paper's mean; dark: the floor", fontsize=9)
    return figure


def render(text, results):
    """A page with its tables made again."""
    return PLACE.sub(lambda found: found.group(1) + "\n" + markdown(found.group(2), results) + "\n" + found.group(3),
                     text)


def main(source, page):
    with open(page, encoding="utf-8") as file:
        text = render(file.read(), read(source))
    with open(page, "w", encoding="utf-8") as file:
        file.write(text)


if __name__ == "__main__":
    main(*sys.argv[1:])
