# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Throws of an identified body, here and on a board, from the flights of a log or from a start in words.

    plan = of_log(log, body, "flight")
    here = rolled(plan, body)                       # on this machine
    difference(plan, here, on_board("mps2-an386", plan, body))     # None: alike, bit for bit
"""
from dataclasses import dataclass

import numpy as np

from ..errors import StatusError, TinycontactError
from ..spatial import toss as native
from . import roll
from .flight import State

NAMES = ("x", "y", "z", "qw", "qx", "qy", "qz", "vx", "vy", "vz", "wx", "wy", "wz")   # of the library's state
COLUMNS = ("throw", "t", "x", "y", "z", "qw", "qx", "qy", "qz")


@dataclass
class Plan:
    labels: list      # of the throws
    states: list      # flight.State of each
    times: list       # per throw [s] after the start
    step: float       # the longest [s]


@dataclass(frozen=True)
class Difference:
    """The first: where, in what, and the two float32."""
    throw: float
    row: int
    field: str
    board: np.float32
    here: np.float32

    def __str__(self):
        def shown(value):
            return f"{value!s} ({value.view(np.uint32):#010x})"
        return (f"throw {self.throw:g}, row {self.row} after its start, {self.field}: the board"
                f" {shown(self.board)}, this machine {shown(self.here)}")


def of_log(log, body, start, throw=None, step=roll.STEP):
    """The Plan of a log's tosses, or of one of them."""
    if throw is not None:
        at = [k for k, toss in enumerate(log.tosses) if toss.label == throw]
        if not at:
            raise TinycontactError(f"--throw: {log.path} has no throw {throw:g}")
        log = log.some(at)
    states = roll.starts(log, body, start)
    return Plan([toss.label for toss in log.tosses], states,
                [toss.t[state.row:] - toss.t[state.row] for toss, state in zip(log.tosses, states)], step)


def of_start(position, orientation, velocity, omega, span, interval, step=roll.STEP):
    """The Plan of one throw: pose of the tag, its origin's velocity in the log's axes, omega in tag axes."""
    size = np.linalg.norm(orientation)
    state = State(0, 0.0, np.array(position), np.array(orientation) / size, np.array(velocity), np.array(omega))
    return Plan([0.0], [state], [interval * np.arange(int(round(span / interval)) + 1)], step)


def _fault(plan, k, status):
    return TinycontactError(f"throw {plan.labels[k]:g}: {StatusError('tc_foot3_step', int(status))}")


def rolled(plan, body):
    """[throws] of states [rows, 13] of the library, on this machine."""
    (found,), (statuses,) = native.roll([roll.settings(body, plan.step)], roll.to_library(body, plan.states), plan.times)
    for k in np.flatnonzero(statuses < 0)[:1]:
        raise _fault(plan, k, statuses[k])
    return found


def on_board(name, plan, body, told=None):
    """The same on a board."""
    from ..board import Board
    from ..spatial import toss_board
    with Board(name) as board:
        (found,), (statuses,) = toss_board.roll(board, roll.settings(body, plan.step), roll.to_library(body, plan.states),
                                                plan.times, told)
    for k in np.flatnonzero(statuses < 0)[:1]:
        raise _fault(plan, k, statuses[k])
    return found


def difference(plan, here, board):
    """The first Difference of two roll-outs; None if they are alike, bit for bit."""
    for label, one, other in zip(plan.labels, here, board):
        one, other = (np.ascontiguousarray(part, np.float32) for part in (one, other))
        rows, columns = np.nonzero(one.view(np.uint32) != other.view(np.uint32))
        if len(rows):
            at = rows[0], columns[0]
            return Difference(label, int(at[0]), NAMES[at[1]], other[at], one[at])
    return None


def write(path, plan, body, found):
    """Poses of the tag, a row for each of the plan."""
    from ..csvfile import write_columns
    columns = [[] for _ in COLUMNS]
    for label, state, times, states in zip(plan.labels, plan.states, plan.times, found):
        for row, time, x, q in zip(states, times, *roll.to_log(body, states)):
            cells = [f"{label:g}", f"{state.t + time:.6f}", *(f"{value:.7f}" for value in (*x, *q))]
            for column, cell in zip(columns, cells):
                column.append(cell)
    write_columns(path, COLUMNS, columns)
