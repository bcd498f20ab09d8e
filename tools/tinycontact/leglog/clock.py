# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""A log's rows on an even clock: which tick each row belongs to, where rows are lost, where the clock jumped.

    clock = even(log)            # clock.tick [s], clock.index [T]: the row's tick; clock.part [T]: its part
    clock.notes                  # what was found, in words

A jump of the clock over which the joints go on as in one tick is a fault of the clock alone, and no row is missing.
A gap longer than LONGEST, or a jump over which the joints do not go on, begins a new part: the estimator starts there
anew.
"""
from dataclasses import dataclass, field

import numpy as np

from ..digits import plain
from ..errors import TinycontactError
from .read import UNITS, role_of

LONGEST = 0.25      # [s] of lost rows that the estimator bridges
EVEN = 0.25         # of a tick: rows further from their tick than this make a clock uneven
LEAST_ROWS = 20
FOLLOWS = 0.05      # part of a row's distance from its tick that the clock's phase follows
JUMP = 3.0          # times the median step of the time: candidates for a jump of the clock
SLOWEST = 0.02      # [s] tick
ABSURD = 2e-5       # [s] tick: a log that seems faster has another unit of time
USUAL = 2e-4        # [s] tick: the fastest that another unit is believed to make


@dataclass
class Clock:
    tick: float                 # [s]
    index: np.ndarray           # [T] tick of each row, from 0 in each part
    part: np.ndarray            # [T] part of each row, from 0
    kept: np.ndarray            # [T] bool: false where an earlier row has the same tick
    even: bool                  # else rows are not where their ticks are: they are interpolated
    jitter: float               # root mean square distance of rows from their ticks [s]
    lost: int                   # ticks without a row
    time: np.ndarray = None     # [T] time in the part [s], jumps of the clock taken out
    start: np.ndarray = None    # [parts] first row's time in the log [s]
    notes: list = field(default_factory=list)


def _goes_on(log, k, step):
    """Whether the joints go on from row k - 1 to row k as in one step [s]."""
    if k < 3 or k + 2 >= len(log):
        return False
    moved, before, after = log.q[k] - log.q[k - 1], log.q[k - 1] - log.q[k - 2], log.q[k + 1] - log.q[k]
    usual = np.nanmedian(np.abs(np.diff(log.q[max(0, k - 50):k + 50], axis=0)), axis=0)
    wanted, spread = (before + after) / 2, np.abs(before - after) / 2 + 2 * usual + 1e-6
    return bool(np.all(np.abs(moved - wanted) <= spread))


def _steps(log, usual):
    """(steps of time with jumps of the clock taken out [T - 1], rows that begin a part, notes)."""
    steps, begins, notes = np.diff(log.time), [], []
    for k in np.flatnonzero((steps < 0) | (steps > JUMP * usual)) + 1:
        step, ticks = steps[k - 1], steps[k - 1] / usual
        if (step < 0 or step > LONGEST) and _goes_on(log, k, usual):
            notes.append(f"{log.where(k)}: the clock jumps by {step - usual:+.3f} s, but the joints go on: no row is"
                         " missing, and the jump is taken out")
            steps[k - 1] = usual
        elif step < 0:
            notes.append(f"{log.where(k)}: time goes back by {-step:.3f} s and the joints jump: another log begins; the"
                         " estimator starts anew")
            begins.append(k)
        elif step > LONGEST:
            notes.append(f"{log.where(k)}: a gap of {step:.3f} s ({ticks:.0f} ticks); the estimator starts anew")
            begins.append(k)
    return steps, begins, notes


def _followed(time, tick):
    """[T] the tick of each of rising times: whole numbers of ticks from where the clock's phase, slowly followed, was."""
    phase, index, found = float(time[0]), 0, [0]
    for now in time[1:].tolist():
        passed = max(round((now - phase) / tick), 0)
        index, phase = index + passed, phase + passed * tick
        phase += FOLLOWS * (now - phase)
        found.append(index)
    return np.array(found)


def _fit(time, usual):
    """(tick, index [T]) of rising times, by least squares."""
    steps = np.diff(time)
    single = steps[(steps > 0.5 * usual) & (steps < 1.5 * usual)]
    tick = float(np.median(single)) if len(single) else usual
    for _ in range(3):
        index = _followed(time, tick)
        if index[-1] > 0:
            centred = index - index.mean()
            tick = float(centred @ (time - time.mean()) / (centred @ centred))
    return tick, index


def even(log):
    """The Clock of a Log."""
    raw = np.diff(log.time)
    usual = float(np.median(raw[raw > 0])) if np.any(raw > 0) else 0.0
    if len(log) < LEAST_ROWS or usual <= 0:
        raise TinycontactError(f"{log.path}: {len(log)} rows, of which {int(np.sum(raw > 0))} are later than the one"
                               " before:"
                               " the times have too few digits, or this is no log of a motion")
    steps, begins, notes = _steps(log, usual)
    part = np.zeros(len(log), int)
    part[begins] = 1
    part = np.cumsum(part)
    time = np.concatenate([[0.0], np.cumsum(steps)])
    starts = np.concatenate([[0], begins]).astype(int)
    time = time - time[starts][part]
    fits = [_fit(time[part == k], usual) for k in range(len(starts))]
    longest = int(np.argmax(np.bincount(part)))
    tick = _told_tick(fits[longest][0])
    index, kept = np.zeros(len(log), int), np.ones(len(log), bool)
    for k in range(len(starts)):
        rows = np.flatnonzero(part == k)
        index[rows] = np.round(time[rows] / tick) if k != longest else fits[k][1]
        kept[rows] = np.concatenate([[True], np.diff(np.maximum.accumulate(index[rows])) > 0])
    off = time - index * tick
    off -= np.median(off)
    clock = Clock(tick, index, part, kept, float(np.mean(np.abs(off) > EVEN * tick)) < 0.02,
                  float(np.sqrt(np.mean(off**2))),
                  0, time, log.time[starts], notes)
    clock.lost = int(sum(index[part == k].max() + 1 - kept[part == k].sum() for k in range(len(starts))))
    _tell(log, clock)
    return clock


def _told_tick(tick):
    """A tick that is a round number of microseconds to 1e-4 is that number."""
    rounded = round(tick * 1e6) * 1e-6
    return rounded if rounded > 0 and abs(rounded / tick - 1) < 1e-4 else tick


def _tell(log, clock):
    doubled = int(np.sum(~clock.kept))
    if not clock.even:
        clock.notes.append(f"{log.path}: rows come unevenly, {1e3 * clock.jitter:.2f} ms (root mean square) from"
                           f" ticks of {plain(1e3 * clock.tick)} ms: they are interpolated. Log each control cycle,"
                           " with its own time")
    elif doubled:
        clock.notes.append(f"{log.path}: {doubled} rows share a tick with the row before them and are left out")
    if clock.lost and clock.even:
        clock.notes.append(f"{log.path}: {clock.lost} of {clock.lost + len(log) - doubled} ticks have no row: the"
                           " estimator takes them as lost")
    unit = _unit(log, clock.tick)
    if clock.tick > SLOWEST:
        raise TinycontactError(f"{log.path}: a row each {plain(1e3 * clock.tick)} ms: the estimator wants 50 Hz at"
                               f" least, and is judged at 200 Hz to 4 kHz{unit}")
    if clock.tick < ABSURD and unit:
        raise TinycontactError(f"{log.path}: {plain(1 / clock.tick)} rows per second{unit}")


def _unit(log, tick):
    """Words about the unit of time with which a tick [s] that no leg's log has becomes usual; none where no unit
    does."""
    column, factor, _ = log.columns.get("t", ("t", 1.0, 0.0))
    own = (role_of(column) or ("", 1.0))[1]
    for name, unit in UNITS["t"].items():
        here = tick / factor * unit
        if USUAL <= here <= SLOWEST and abs(unit / factor - 1) > 1e-9:
            role, scale = "t" if name == "s" else f"t_{name}", "" if own == 1.0 else f"*{1 / own:g}"
            return (f". Is {column} in {name}? With --columns {role}={column}{scale} it has a row each"
                    f" {plain(1e3 * here)} ms")
    return ""
