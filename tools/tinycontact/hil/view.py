# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""A run as it goes on: on a terminal three lines that are drawn anew, elsewhere a line now and then.

      12.30/20 s  [##################............]  0.84 x real time, 9 s left
    true       .....~~######......
    estimated  .....~~######......
"""
import sys
import time

import numpy as np

from ..progress import bar, say

MARKS = ".#~"           # air, static, dynamic
COLUMN, COLUMNS = 8, 64   # ticks in a character, characters
REFRESH, LINES = 0.1, 5.0   # [s] between two pictures on a terminal, two lines elsewhere


class View:
    def __init__(self, ticks, step, out=sys.stderr):
        self.ticks, self.step, self.out = ticks, step, out
        self.modes = np.zeros((ticks, 2), np.int8)   # true, estimated
        self.done, self.start = 0, time.monotonic()
        self.shown, self.drawn = self.start, False

    def add(self, true, estimated):
        self.modes[self.done] = true, estimated
        self.done += 1
        now = time.monotonic()
        if now - self.shown > (REFRESH if self.out.isatty() else LINES):
            self.shown = now
            self._show(now)

    def speed(self):
        """Simulated seconds per second."""
        return self.done * self.step / max(time.monotonic() - self.start, 1e-9)

    def _bar(self, column):
        """The most eventful mode in each COLUMN of ticks: a touch of one tick is to be seen."""
        first = max(0, (self.done // COLUMN - COLUMNS + 1) * COLUMN)
        part = self.modes[first:self.done, column]
        return "".join(MARKS[part[at:at + COLUMN].max()] for at in range(0, len(part), COLUMN))

    def _show(self, now):
        told = f"{self.done * self.step:6.2f}/{self.ticks * self.step:g} s, {self.speed():.2f} x real time"
        if not self.out.isatty():
            say(told)
            return
        back = "\x1b[3A" if self.drawn else ""
        self.drawn = True
        lines = (f"{told}  {bar(self.done, self.ticks, now - self.start)}", f"true       {self._bar(0)}",
                 f"estimated  {self._bar(1)}")
        self.out.write(back + "".join(f"\r\x1b[K{line}\n" for line in lines))
        self.out.flush()

    def close(self):
        if self.drawn:
            self._show(time.monotonic())
