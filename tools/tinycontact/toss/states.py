# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""body replay in space: the contact of an identified body in one step from each state of a CSV file."""
import numpy as np

from ..csvfile import read_columns, write_columns
from ..errors import StatusError, TinycontactError
from ..spatial import toss as native
from . import roll, rotation

STATE = ("x", "y", "z", "qw", "qx", "qy", "qz", "vx", "vy", "vz", "wx", "wy", "wz")
OUT = ("class", "contacts", "px", "py", "pz", "lx", "ly", "lz", "vx2", "vy2", "vz2", "wx2", "wy2", "wz2")
UNIT = 1e-2   # of a quaternion's length; logs have few decimals


def read(path):
    """flight.States of the rows of a file, and its Columns."""
    from .flight import State
    table = read_columns(path, STATE)
    rows = table.stacked(STATE)
    length = np.linalg.norm(rows[:, 3:7], axis=1)
    wrong = np.flatnonzero(np.abs(length - 1) > UNIT)
    if len(wrong):
        raise TinycontactError(f"{table.where(int(wrong[0]), 'qw')}: the quaternion's length is"
                               f" {length[wrong[0]]:.3g}, wanted 1")
    return [State(k, 0.0, row[:3], row[3:7] / size, row[7:10], row[10:13])
            for k, (row, size) in enumerate(zip(rows, length))], table


def to_log(body, rows):
    """([n, 3] velocity of the tag's origin, [n, 3] omega in tag axes) of the library's states [n, 13]."""
    q = rotation.product(rows[:, 3:7], rotation.conjugate(body.axes))
    arm = rotation.turned(q, body.centre)
    return rows[:, 7:10] - np.cross(rows[:, 10:], arm), rotation.turned(rotation.conjugate(q), rows[:, 10:])


def replay(body, path, output, step=roll.STEP):
    """Writes what one step makes of each state; the number of rows."""
    states, table = read(path)
    if not states:
        raise TinycontactError(f"{path}: has no row")
    found = native.step(roll.settings(body, step), roll.to_library(body, states))
    failed = np.flatnonzero(found.statuses < 0)
    if len(failed):
        row = int(failed[0])
        raise TinycontactError(f"{table.where(row)}: {StatusError('tc_foot3_step', int(found.statuses[row]))}")
    velocity, omega = to_log(body, found.after)
    columns = [[native.CLASSES[branch] for branch in found.branch], found.contacts.tolist(), *found.impulse.T, *velocity.T,
               *omega.T]
    write_columns(output, OUT, columns)
    return len(states)
