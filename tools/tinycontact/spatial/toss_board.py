# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Roll-outs of a convex body in space on a board: what `toss.roll` computes here, bit for bit.

    with Board("mps2-an386") as board:
        (states,), statuses = roll(board, toss, starts, times)

boards/apps/remote/remote.c has the request. Lengths of steps are made here, as tools/native/toss.c makes them: boards
have no double.
"""
import math
import struct

import numpy as np

from ..errors import StatusError
from .toss import RIGID, STATE

ROWS = 40        # of a request: an answer comes within seconds on an emulated board
WHOLE = 1e-6     # of a step; as in tools/native/toss.c
ROW = np.dtype([("steps", "<u4"), ("step", "<f4"), ("weight", "<f4")])


def packed(toss):
    """The body of a request."""
    numbers = [*toss.mu, *toss.gain, *toss.slip_weight, *toss.load_weight, *toss.bias, toss.mass, *toss.inertia, toss.step,
               *(toss.mass * g for g in toss.gravity), toss.restitution, *toss.normal, toss.offset, toss.radius,
               toss.stiffness, toss.damping, toss.slope, *np.ravel(toss.vertices)]
    head = struct.pack("<5I", len(toss.vertices), RIGID[toss.positions], toss.rounds, toss.frozen, bool(toss.warm))
    return head + np.array(numbers, np.float64).astype("<f4").tobytes()


def row_of(toss, time):
    """(steps, step, weight) that bring the body over a time [s]."""
    if time <= 0:
        return 0, toss.step, 1.0
    gx, gy, gz = toss.gravity
    steps = max(1.0, math.ceil(time / toss.step - WHOLE))
    return steps, time / steps, math.sqrt(gx * gx + gy * gy + gz * gz) * time / steps


def _rows(toss, times):
    before = np.concatenate([[0.0], np.maximum.accumulate(times)])[:len(times)]
    return np.array([row_of(toss, float(t - b)) for t, b in zip(times, before)], ROW)


def _toss(board, toss, start, times):
    """(states [rows, 13], status) of one start."""
    states, status = np.full((len(times), STATE), np.nan), 0
    board.start_body(start)
    rows = _rows(toss, np.asarray(times, float))
    for at in range(0, len(rows), ROWS):
        done = board.move_body(rows[at:at + ROWS])
        good = done[done["status"] >= 0]
        states[at:at + len(good)] = good["state"]
        status = int(done["status"][-1]) if len(done) else status
        if status < 0:
            break
    return states, status


def roll(board, toss, starts, times, told=None):
    """([states of each start], statuses) as toss.roll([toss], starts, times) gives them. `told(k)` is called before the
    start k."""
    taken = board.take_body(packed(toss))
    if taken < 0:
        raise StatusError(f"the body on board {board.name}", taken)
    found, statuses = [], []
    for k, (start, rows) in enumerate(zip(np.reshape(starts, (-1, STATE)), times)):
        if told:
            told(k)
        states, status = _toss(board, toss, start, rows)
        found.append(states)
        statuses.append(status)
    return [found], np.array([statuses])
