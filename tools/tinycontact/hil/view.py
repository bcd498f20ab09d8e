# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""A run as it goes on: on a terminal a few lines that are drawn anew, elsewhere a line now and then.

    [############..................] 4200/10000, 4 s left, 1.31 x real time
    foot       ▄▇████▇▄▁    ▂▅▇██▇▅▂
    true       ·········████▒▒········
    estimated  ·········████▒▒········
               · air   █ sticks   ▒ slips   (the last 0.51 s; foot up to 0.21 m)
"""
import shutil
import sys
import time

import numpy as np

from ..progress import bar, say
from .bars import Pen, folded

COLUMN, COLUMNS = 8, 64   # ticks in a character, characters
WIDE = COLUMNS + 13         # characters that a terminal has for the picture
REFRESH, LINES = 0.1, 5.0   # [s] between two pictures on a terminal, two lines elsewhere
LOW = 0.02                  # [m] a foot that never rose higher is not drawn higher


class View:
    def __init__(self, ticks, step, out=sys.stderr):
        self.ticks, self.step, self.out, self.pen = ticks, step, out, Pen(out)
        self.live = out.isatty() and shutil.get_terminal_size().columns >= WIDE
        self.modes = np.zeros((ticks, 2), np.int8)   # true, estimated
        self.heights = np.zeros(ticks)               # of the foot over the floor [m]
        self.done, self.drawn, self.start, self.shown = 0, 0, None, None

    def begin(self):
        """The clock starts: what is built and uploaded before is no part of the run."""
        self.start = self.shown = time.monotonic()

    def add(self, true, estimated, height):
        self.modes[self.done], self.heights[self.done] = (true, estimated), height
        self._go_on()

    def _go_on(self):
        self.done += 1
        now = time.monotonic()
        if now - self.shown > (REFRESH if self.live else LINES):
            self.shown = now
            self._show(now)

    def speed(self):
        """Simulated seconds per second."""
        return self.done * self.step / max(time.monotonic() - self.start, 1e-9) if self.start else 0.0

    def _rows(self):
        """The foot's height and both modes, of the last ticks that have room."""
        first = max(0, (self.done // COLUMN - COLUMNS + 1) * COLUMN)
        heights, modes = self.heights[first:self.done], self.modes[first:self.done]
        most = max(self.heights[:self.done].max(initial=0.0), LOW)
        true, said = (self.pen.modes(folded(column, COLUMN)) for column in modes.T)
        return (f"foot       {self.pen.curve(folded(heights, COLUMN), most)}", f"true       {true}",
                f"estimated  {said}",
                f"           {self.pen.legend()}   (the last {len(modes) * self.step:.2f} s; foot up to {most:.2f} m)")

    def _show(self, now):
        if not self.live:
            say(f"{self.done * self.step:6.2f}/{self.ticks * self.step:g} s, {self.speed():.2f} x real time")
            return
        told = f"{bar(self.done, self.ticks, now - self.start)}, {self.speed():.2f} x real time"[:WIDE - 1]
        lines = (told,) if self.done == self.ticks else (told, *self._rows())   # a whole run is told elsewhere
        back = f"\x1b[{self.drawn}A\r\x1b[J" if self.drawn else ""
        self.drawn = len(lines)
        self.out.write(back + "".join(f"{line}\n" for line in lines))
        self.out.flush()

    def close(self):
        """The last picture; of a run that ended half-way, where it did."""
        if self.drawn:
            self._show(time.monotonic())


class FeetView(View):
    """The same of several feet, true over estimated each."""

    def __init__(self, ticks, step, names, out=sys.stderr):
        super().__init__(ticks, step, out)
        self.names, self.modes = names, np.zeros((ticks, len(names), 2), np.int8)

    def add(self, true, estimated):
        """Of all feet in a tick."""
        self.modes[self.done, :, 0], self.modes[self.done, :, 1] = true, estimated
        self._go_on()

    def _rows(self):
        first = max(0, (self.done // COLUMN - COLUMNS + 1) * COLUMN)
        modes, lines = self.modes[first:self.done], []
        for k, name in enumerate(self.names):
            true, said = (self.pen.modes(folded(column, COLUMN)) for column in modes[:, k].T)
            lines += [f"{name[:4]:4} true  {true}", f"     board {said}"]
        return (*lines, f"           {self.pen.legend()}   (the last {len(modes) * self.step:.2f} s)")
