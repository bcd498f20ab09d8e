# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Torques that are logged a row early or late, as commands are that act from their row on.

In the air tau(t) = y(t), the modelled torque. A log whose torques come d too late has tau(t) = y(t - d), so what is
left, y - tau, is d tau'(t) in first order: d is a regression of the one on the other. It is measured in rows. Torques
that are means over the row before come half a row late by that, and those that are measured at the row's time do not.
"""
from dataclasses import replace

import numpy as np

from . import physics

NARROW, NARROWEST = 2.0, 2e-3   # [rows], [s] deviation of the Gaussian that signals go through
AROUND = 9              # rows that all have to be in the air
MOST_ROWS = 20_000
LEAST_ROWS = 200
LEAST_LATE, MOST_LATE = 0.0, 1.25   # [rows] beyond which, by SURE deviations, torques are of another row
SURE = 3.0
MEAN = 0.5              # [rows] that a mean over the row before comes late by
MOST_MISS = 3.0         # deviations of a torque that a row in the air leaves unexplained


def rows_late(leg, x, noise):
    """(rows that torques come late by, its standard deviation) of a Smooth of every row; None where too few rows are in
    the air."""
    r, y, air, touch = physics.explained(leg, x, noise)
    s = noise + physics.PART * np.abs(y)
    rest, change = r / s, np.gradient(x.tau, axis=0) / s
    free = np.convolve(air < touch, np.ones(AROUND), "same") > AROUND - 0.5
    rows = np.flatnonzero(free & (np.abs(rest).max(1) < MOST_MISS))
    if len(rows) < LEAST_ROWS or not np.sum(change[rows]**2) > 0:
        return None
    parts = [np.sum(change[part] * rest[part]) / max(np.sum(change[part]**2), 1e-12)
             for part in np.array_split(rows, 10)]
    found = np.sum(change[rows] * rest[rows]) / np.sum(change[rows]**2)
    return float(found), float(np.std(parts, ddof=1) / np.sqrt(len(parts)))


def rows_off(leg, x, noise):
    """Rows, a whole number, by which torques come late (less than 0: early); 0 where they are of their row, or where
    that is not sure."""
    found = rows_late(leg, x, noise)
    if found is None:
        return 0
    late, deviation = found
    sure = late + SURE * deviation < LEAST_LATE or late - SURE * deviation > MOST_LATE
    return round(late - MEAN) if sure else 0


def every_row(part, chain):
    """The Smooth of every row of a Segment, to MOST_ROWS."""
    part = replace(part, **{name: values[:MOST_ROWS] for name, values in vars(part).items()
                            if isinstance(values, np.ndarray)})
    return physics.smooth([part], chain, 0.0, max(NARROW * part.tick, NARROWEST), MOST_ROWS)
