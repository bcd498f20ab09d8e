# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Faults on purpose: a bad line between desktop and board, broken sensors, and how long recovery takes.

    link.line = Line()
    link.line.next(drop)                 # the next frame never leaves
    link.line.next(flip(13), delay(2))   # the one after has bit 13 wrong, the third comes two frames late
"""
import time

import numpy as np

# ---- The line: an action turns a frame into what leaves now and what leaves after later frames ---------

def drop(frame):
    return [], []


def repeat(frame):
    return [frame, frame], []


def delay(frames):
    """After so many frames more."""
    return lambda frame: ([], [(frames, frame)])


reorder = delay(1)   # after the one that follows


def flip(bit):
    """One bit wrong; counted from the frame's first, modulo its length."""
    def action(frame):
        damaged = bytearray(frame)
        damaged[bit // 8 % len(frame)] ^= 1 << bit % 8
        return [bytes(damaged)], []
    return action


def cut(length):
    """Only the first bytes."""
    return lambda frame: ([frame[:length]], [])


def noise(data):
    """Bytes before the frame."""
    return lambda frame: ([data, frame], [])


class Line:
    """Link.line."""

    def __init__(self):
        self._actions, self._held = [], []

    def next(self, *actions):
        """What happens to the next frames, one action each; the others leave as they are."""
        self._actions.extend(actions)

    def __call__(self, frame):
        leave, later = self._actions.pop(0)(frame) if self._actions else ([frame], [])
        due = [held for left, held in self._held if left <= 1]
        self._held = [(left - 1, held) for left, held in self._held if left > 1] + later
        return leave + due


# ---- Sensors: an action changes a sample as plants hand it out -------------------------------------------

def set_to(name, value, index=...):
    """A sensor, or one number of it, says `value`: nan, inf, 1e30, ..."""
    def action(sample):
        changed = np.array(sample[name], np.float32)
        changed[index] = value
        return {**sample, name: changed}
    return action


def frozen(name, index=...):
    """A sensor, or one number of it, says what it said when this was first asked."""
    held = {}

    def action(sample):
        changed = np.array(sample[name], np.float32)
        changed[index] = held.setdefault(name, changed[index].copy())
        return {**sample, name: changed}
    return action


# ---- Recovery ---------------------------------------------------------------------------------------------

class Recovery:
    """`with Recovery() as recovery: ... recovery.ticks += 1`: then `recovery.seconds` is how long it took."""

    def __init__(self):
        self.ticks, self.seconds = 0, 0.0

    def __enter__(self):
        self._start = time.monotonic()
        return self

    def __exit__(self, *_):
        self.seconds = time.monotonic() - self._start
