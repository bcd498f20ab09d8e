# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Torques that are logged a row early, as commands are that act from their row on.

In the air tau(t) = y(t), the modelled torque. A log whose torques come d too late has tau(t) = y(t - d), so what is
left, y - tau, is d tau'(t) in first order: d is a regression of the one on the other. What damping and dry friction
leave, which few chain files have, is taken out of both before, joint by joint. A second regression takes out what wrong
masses, rotors and torque constants leave, and has to agree; it says nothing where a leg moves in one way only. d is
measured in rows. Torques that are means over the row before come half a row late, those measured at the row's time do
not. Torques that are a row late are not named: errors of a slow leg's masses look like that.
"""
from dataclasses import dataclass, replace

import numpy as np

from . import physics

NARROW, NARROWEST = 2.0, 2e-3   # [rows], [s] deviation of the Gaussian that signals go through
AROUND = 9              # rows that all have to be in the air
MOST_ROWS = 20_000
LEAST_ROWS = 200
MOST_MISS = 3.0         # deviations of a torque that a row in the air leaves unexplained
SLOW = 0.05             # [rad/s] or [m/s] below which dry friction is not whole
BLOCKS = 10
USUAL = 0.35            # [rows] that torques of their row come late by; logs of five legs: 0.1 to 0.7
LEAST_LATE, SURE = -0.1, 3.0   # [rows] below which, by SURE deviations, they are of another row
LEAST_PART = 0.18       # of the torques' change, that acceleration, friction and the like do not explain
LEAST = 0.7e-3          # [s] from USUAL: less is of the same size as the physics' errors


def _without(values, others):
    """[rows, n] what is left of each joint's `values` when each joint's `others` [rows, n, k] are fitted."""
    left = np.empty_like(values)
    for j in range(values.shape[1]):
        scale = np.linalg.norm(others[:, j], axis=0) + 1e-12
        fit = np.linalg.lstsq(others[:, j] / scale, values[:, j], rcond=1e-9)[0]
        left[:, j] = values[:, j] - others[:, j] / scale @ fit
    return left


@dataclass
class Late:
    rows: float        # that torques come late by
    deviation: float   # of it
    part: float        # of the torques' change that nothing else explains


def _regressed(change, rest):
    """(the factor of `change` in `rest`, its standard deviation)"""
    parts = [np.sum(a * b) / max(np.sum(a**2), 1e-12) for a, b in zip(np.array_split(change, BLOCKS),
                                                                      np.array_split(rest, BLOCKS))]
    return float(np.sum(change * rest) / max(np.sum(change**2), 1e-12)), float(np.std(parts, ddof=1) / np.sqrt(BLOCKS))


def rows_late(leg, x, noise):
    """(Late with friction and damping taken out, Late with errors of inertias and torques' scale out, too) of a Smooth
    of every row; None where too few rows are in the air."""
    r, y, air, touch = physics.explained(leg, x, noise)
    s = noise + physics.PART * np.abs(y)
    free = np.convolve(air < touch, np.ones(AROUND), "same") > AROUND - 0.5
    rows = np.flatnonzero(free & (np.abs(r / s).max(1) < MOST_MISS))
    if len(rows) < LEAST_ROWS:
        return None
    s, w, found = s[rows], x.w[rows], []
    few = [w, np.tanh(w / SLOW)]
    rest, change = r[rows] / s, np.gradient(x.tau, axis=0)[rows] / s
    for others in (few, [*few, x.a[rows], y[rows], np.ones_like(w)]):
        left = _without(change, np.stack(others, -1) / s[:, :, None])
        part = np.sum(left**2) / max(np.sum(change**2), 1e-12)
        found.append(Late(*_regressed(left, _without(rest, np.stack(others, -1) / s[:, :, None])), float(part)))
    return found


def rows_early(leg, x, noise):
    """Rows, a whole number, by which torques come early; 0 where they are of their row, or where that is not sure."""
    found = rows_late(leg, x, noise)
    if found is None or found[1].part < LEAST_PART:
        return 0
    late, sure, other = found[0].rows, SURE * found[0].deviation, found[1].rows
    early = late + sure < LEAST_LATE and other < LEAST_LATE and (USUAL - late) * x.every > LEAST
    return round(USUAL - late) if early else 0


def every_row(part, chain):
    """The Smooth of every row of a Segment, to MOST_ROWS."""
    part = replace(part, **{name: values[:MOST_ROWS] for name, values in vars(part).items()
                            if isinstance(values, np.ndarray)})
    return physics.smooth([part], chain, 0.0, max(NARROW * part.tick, NARROWEST), MOST_ROWS)
