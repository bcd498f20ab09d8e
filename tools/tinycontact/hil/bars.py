# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Contact modes over time as characters: one for so many ticks, which shows the most eventful of their modes, so that a
touch of one tick is to be seen. In colour on a terminal; in ASCII where the stream knows no more.

    true       ····██████▒▒▒······
    estimated  ·····██████▒▒▒·····
"""
import os

import numpy as np

from .world import TICK

MARKS, PLAIN = "·█▒", ".#~"              # air, static, dynamic
WORDS = ("air", "sticks", "slips")
COLOURS = ("2", "34", "33")              # of a terminal: faint, blue, yellow
HEIGHTS, PLAIN_HEIGHTS = " ▁▂▃▄▅▆▇█", " .:-=+*#@"
COLUMNS, ROWS = 80, 5                    # of a whole run, at most
SPANS = (5, 10, 25, 50, 100, 250, 500)   # ticks in a character that a reader can multiply


class Pen:
    """What a stream shows: colours on a terminal that wants them, more than ASCII where its encoding has it."""

    def __init__(self, out):
        self.colours = out.isatty() and "NO_COLOR" not in os.environ
        rich = (getattr(out, "encoding", None) or "").lower().replace("-", "") == "utf8"
        self.marks, self.heights = (MARKS, HEIGHTS) if rich else (PLAIN, PLAIN_HEIGHTS)

    def paint(self, code, text):
        return f"\x1b[{code}m{text}\x1b[0m" if self.colours and text else text

    def modes(self, cells):
        """The text of cells, as `folded` makes them: colours change where the mode does."""
        edges = np.flatnonzero(np.diff(cells)) + 1
        return "".join(self.paint(COLOURS[part[0]], self.marks[part[0]] * len(part))
                       for part in np.split(cells, edges) if len(part))

    def curve(self, values, most):
        """The text of numbers from 0 to `most` as heights."""
        top = len(self.heights) - 1
        steps = np.ceil(np.clip(np.asarray(values) / most, 0, 1) * top).astype(int)
        return self.paint("36", "".join(self.heights[step] for step in steps))

    def legend(self):
        return "   ".join(f"{self.paint(code, mark)} {word}" for code, mark, word in zip(COLOURS, self.marks, WORDS))


def folded(values, span):
    """The greatest of each `span` of values, the last of which may be fewer."""
    return np.array([values[at:at + span].max() for at in range(0, len(values), span)], values.dtype)


def span_of(ticks):
    """Ticks in a character, so that a run takes ROWS at most."""
    return next((span for span in SPANS if span * COLUMNS * ROWS >= ticks), -(-ticks // (COLUMNS * ROWS)))


def whole(true, said, pen, tick=TICK):
    """Lines of a run, true over estimated [T]."""
    span = span_of(len(true))
    lines = [f"       {pen.legend()}   ({1e3 * tick * span:g} ms per character)"]
    for at in range(0, len(true), span * COLUMNS):
        for label, modes in ((f"{at * tick:5.4g} s  true ", true), ("         board", said)):
            lines.append(f"{label} {pen.modes(folded(modes[at:at + span * COLUMNS], span))}")
    return lines
