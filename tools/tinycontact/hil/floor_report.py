# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""What a board identified of its floor, impact by impact: as lines for a terminal, and as a picture.

    impact  true: mu 0.45                     e 0.6                       inertia x 1.3
      12 slips    0.448 +-0.013 ....==|=....  0.612 +-0.021 ...
"""
import numpy as np

from ..model import write_whole
from ..report.page import png_bytes, text_table
from ..report.plots import LAWS, TRUTH, new_figure, plain
from .bars import Pen
from .floor import OUTLIER, REOPENED

LABELS = {"mu": "friction mu", "e": "restitution e", "ratio": "inertia, to the nominal"}
SPANS = {"mu": (0.0, 1.0), "e": (0.0, 1.0), "ratio": (0.5, 2.0)}   # of a gauge
WIDTH = 13                                                        # of a gauge, characters
FIRST, EVERY = 5, 5                                               # impacts that are told
LEAST = 1e-4                                                      # smaller errors are drawn there
EVENTS = {OUTLIER: "outlier", REOPENED: "reopened"}


class Teller:
    """A line for each of the first impacts, for every fifth, and where something happens; the truth above them."""

    def __init__(self, out, every=EVERY):
        self.out, self.every, self.pen = out, every, Pen(out)
        self.rich = self.pen.marks[0] == "·"
        self.truth = None

    def __call__(self, row):
        truth = [row[f"{name}_true"] for name in LABELS]
        if truth != self.truth:
            words = (f"{name} {value:g}" for name, value in zip(("mu", "e", "inertia x"), truth))
            print(f"  impact {'true: ':>8}" + "  ".join(f"{word:{WIDTH + 13}}" for word in words).rstrip(), file=self.out)
        if truth != self.truth or row["number"] <= FIRST or row["number"] % self.every == 0 or row["outcome"] in EVENTS:
            print(self.line(row), file=self.out, flush=True)
        self.truth = truth

    def note(self, text):
        print(f"  {text}", file=self.out, flush=True)

    def line(self, row):
        what = EVENTS.get(row["outcome"]) or ("sticks" if row["sticks"] else "slips")
        sign = "±" if self.rich else "+-"
        parts = [f"{row[f'{name}_value']:.3f} {sign}{half(row, name):.3f} {self.gauge(row, name)}" for name in LABELS]
        return f"  {row['number']:4} {what:9} " + "  ".join(parts)

    def gauge(self, row, name):
        """The interval on a scale, and where the truth is in it: ····━━┃━━·····"""
        low, high = SPANS[name]
        def cell(value):
            return int(np.clip((value - low) / (high - low) * WIDTH, 0, WIDTH - 1))
        empty, full, true = "·━┃" if self.rich else ".=|"
        cells = [empty] * WIDTH
        for k in range(cell(row[f"{name}_low"]), cell(row[f"{name}_high"]) + 1):
            cells[k] = full
        cells[cell(row[f"{name}_true"])] = true
        inside = row[f"{name}_low"] <= row[f"{name}_true"] <= row[f"{name}_high"]
        return self.pen.paint("32" if inside else "33", "".join(cells))


def half(row, name):
    """Half of the 90 % interval."""
    return 0.5 * (row[f"{name}_high"] - row[f"{name}_low"])


def told(summary):
    """The last word of a run, as a table."""
    rows = [(LABELS[name], f"{summary[f'{name}_true']:.3f}", f"{summary[f'{name}_value']:.3f}",
             f"{summary[f'{name}_low']:.3f} .. {summary[f'{name}_high']:.3f}",
             "-" if f"{name}_close_after" not in summary else f"{summary[f'{name}_close_after']}",
             "-" if f"{name}_held" not in summary else f"{100 * summary[f'{name}_held']:.0f} %") for name in LABELS]
    header = (f"after {summary['impacts']} impacts", "true", "board", "90 % interval", "within 1 % from impact",
              "intervals that hold the truth")
    return text_table(header, rows)


def write(path, options, outcome):
    write_whole(path, png_bytes(picture(options, outcome), dpi=110))


def picture(options, outcome):
    """True and identified values with their intervals over the impacts."""
    rows = outcome.rows
    figure = new_figure(10.5, 7.0)
    figure.suptitle(f"a bouncing box on {options.port or options.board}, seed {options.seed}: its floor, true and"
                    " identified from its impacts", fontsize=11)
    several = figure.subplots(len(LABELS), 2, sharex=True, width_ratios=(2, 1))
    for (left, right), colour, (name, label) in zip(several, LAWS, LABELS.items()):
        panel(left, rows, name, label, colour)
        errors(right, rows, name, colour)
    marks(several[0, 0], rows)
    several[0, 0].legend(frameon=False, fontsize=8, ncols=3, loc="upper right")
    several[0, 1].legend(frameon=False, fontsize=8, loc="upper right")
    for axes in several[-1]:
        axes.set_xlabel("impact")
    return figure


def panel(axes, rows, name, label, colour):
    number, true = rows["number"], rows[f"{name}_true"]
    value, low, high = (rows[f"{name}_{part}"] for part in ("value", "low", "high"))
    axes.fill_between(number, low, high, color=colour, alpha=0.25, linewidth=0, label="90 % interval")
    axes.plot(number, value, color=colour, linewidth=1.6, label="identified on the board")
    axes.step(number, true, where="mid", color=TRUTH, linewidth=1.0, label="true")
    later = slice(min(3, len(value) - 1), None)   # the first intervals are wide
    bottom, top = min(low[later].min(), true.min()), max(high[later].max(), true.max())
    margin = 0.15 * (top - bottom) + 1e-3
    plain(axes, "", "", label)
    axes.set_ylim(bottom - margin, top + margin)


def errors(axes, rows, name, colour):
    """How far the value is from the truth, and half of the interval, on one scale."""
    width = 0.5 * (rows[f"{name}_high"] - rows[f"{name}_low"])
    error = np.abs(rows[f"{name}_value"] - rows[f"{name}_true"])
    axes.fill_between(rows["number"], LEAST, np.maximum(width, LEAST), color=colour, alpha=0.25, linewidth=0,
                      label="half of the interval")
    axes.plot(rows["number"], np.maximum(error, LEAST), ".", color=TRUTH, markersize=4, label="error")
    plain(axes)
    axes.set_yscale("log")
    axes.set_ylim(LEAST, 2.0)


def marks(axes, rows):
    """Impacts that stuck say only that mu is at least so much; outliers are left out by the board."""
    low, _ = axes.get_ylim()
    for chosen, mark, label in ((rows["sticks"] == 1, "|", "stuck"), (rows["outcome"] == OUTLIER, "x", "rejected")):
        if chosen.any():
            axes.plot(rows["number"][chosen], np.full(chosen.sum(), low), mark, color=TRUTH, markersize=5, clip_on=False,
                      linestyle="none", label=label)
