# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Logs of poses in space: CSV in, tosses out; whatever is wrong is told by file, line and column.

    log = read("tosses.csv", Convention(length="mm", order="xyzw"))
    for toss in log.tosses:
        toss.t, toss.position, toss.orientation        # [rows], [rows, 3], [rows, 4]

Inside the package: metres, seconds, radians, z up, quaternions w, x, y, z that turn tag axes into the
log's, velocities of the tag's origin in the log's axes, angular velocities in tag axes. A Convention says
how the file differs. Here is checked what needs no body; `plausible` has what flight and touch can tell.
"""
from dataclasses import dataclass, field, replace

import numpy as np

from ..csvfile import GAP, read_columns
from ..errors import TinycontactError
from . import rotation

TIME, POSITION, TURN = ("throw", "t"), ("x", "y", "z"), ("qw", "qx", "qy", "qz")
VELOCITY, OMEGA = ("vx", "vy", "vz"), ("wx", "wy", "wz")
KNOWN = (*TIME, *POSITION, *TURN, *VELOCITY, *OMEGA)
LENGTHS, TIMES = {"m": 1.0, "cm": 1e-2, "mm": 1e-3}, {"s": 1.0, "ms": 1e-3, "us": 1e-6}
ANGLES = {"rad": 1.0, "deg": np.pi / 180}
UPS = {"z": np.eye(3), "minus-z": np.diag([1.0, -1.0, -1.0]),
       "y": np.array([[1.0, 0, 0], [0, 0, -1.0], [0, 1.0, 0]])}   # rows: the package's axes in the file's
ORDERS = {"wxyz": (0, 1, 2, 3), "xyzw": (3, 0, 1, 2)}
LEAST_ROWS = 8        # of a toss
UNIT = 1e-2           # how far a quaternion's length may be from 1: four decimals leave 1e-4
SLOW, FAST = 20.0, 1e5   # [Hz] rates of rows that a toss can be told from
TURN_MOST = 2.0       # [rad] between two rows: more is not told from a turn the other way
FEW = 0.2             # share of quaternions that are none which --skip lets pass
ROUGH = 8.0           # times what a throw's rows are off their neighbours' line: free of units
ALIKE = 4.0           # a jump is so many times what its neighbours differ from going on
OUT = (0.004, 0.04)   # [m, rad]


@dataclass(frozen=True)
class Convention:
    """How a file says what the package has in metres, seconds, radians, z up and w, x, y, z.

    columns    {name here: name in the file}
    time       s, ms, us
    length     m, cm, mm, of positions and velocities
    angle      rad, deg, of angular velocities
    order      of the quaternion's columns qw, qx, qy, qz as they stand: wxyz; xyzw: the scalar is last
    conjugate  the quaternion turns the log's axes into the tag's
    up         the axis that points up: z, minus-z, y
    frame      of angular velocities: tag, world
    floor      height of the floor in the file [of its length]
    """

    columns: dict = field(default_factory=dict)
    time: str = "s"
    length: str = "m"
    angle: str = "rad"
    order: str = "wxyz"
    conjugate: bool = False
    up: str = "z"
    frame: str = "tag"
    floor: float = 0.0


@dataclass
class Toss:
    label: float
    t: np.ndarray             # [rows] s
    position: np.ndarray      # [rows, 3] m, the tag's origin
    orientation: np.ndarray   # [rows, 4], tag axes to the log's, signs continuous
    velocity: np.ndarray      # [rows, 3] m/s as recorded, or None
    omega: np.ndarray         # [rows, 3] rad/s in tag axes as recorded, or None
    lines: list               # of the file

    def __len__(self):
        return len(self.t)


@dataclass
class Log:
    path: str
    tosses: list
    step: float               # [s] median
    convention: Convention = Convention()
    lag: float = 0.0          # [s] recorded velocities are those of so long before their row

    def __len__(self):
        return len(self.tosses)

    def some(self, indices):
        """The Log of some tosses."""
        return replace(self, tosses=[self.tosses[k] for k in indices])

    def where(self, toss, row, column=None):
        """'tosses.csv, line 7 (throw 3), column z', as every message begins."""
        name = self.convention.columns.get(column, column)
        return (f"{self.path}, line {toss.lines[row]} (throw {toss.label:g})"
                + (f", column {name}" if column else ""))


def _renamed(path, convention):
    """The Columns of a file under the package's names."""
    for name in convention.columns:
        if name not in KNOWN:
            raise TinycontactError(f"columns: {name!r} is none of {', '.join(KNOWN)}")
    file_name = {name: convention.columns.get(name, name) for name in KNOWN}
    needed = [file_name[name] for name in (*TIME, *POSITION, *TURN)]
    extra = [file_name[name] for name in (*VELOCITY, *OMEGA)]
    table = read_columns(path, needed, extra)
    if len(table) == 0:
        raise TinycontactError(f"{path}: has a header and no rows")
    given = [name for name in extra if name in table]
    for names in (VELOCITY, OMEGA):
        own = [file_name[name] in given for name in names]
        if any(own) != all(own):
            lacks = [file_name[name] for name, there in zip(names, own) if not there]
            raise TinycontactError(f"{path}: has no column {', '.join(lacks)}; give all three of"
                                   f" {', '.join(file_name[name] for name in names)} or none")
    return table, file_name


def _groups(table, file_name):
    """Row numbers of each toss; refuses interrupted tosses and times that do not increase."""
    label, t = table[file_name["throw"]], table[file_name["t"]]
    cuts = np.flatnonzero(np.diff(label)) + 1
    groups, seen = np.split(np.arange(len(label)), cuts), set()
    for rows in groups:
        if label[rows[0]] in seen:
            raise TinycontactError(f"{table.where(rows[0], file_name['throw'])}: throw"
                                   f" {label[rows[0]]:g}"
                                   " goes on here after another began; sort the file by throw and"
                                   " t")
        seen.add(label[rows[0]])
        _increasing(table, file_name, rows, np.diff(t[rows]))
    return groups


def _increasing(table, file_name, rows, step):
    t = table[file_name["t"]]
    wrong = np.flatnonzero(step <= 0)
    if len(wrong):
        row = rows[int(wrong[0]) + 1]
        why = ("is the row before's time stamp again; the tracker wrote the row twice: leave one"
               " out"
               if t[row] == t[row - 1] else f"is before the row above, {t[row - 1]:.9g}; sort the rows by t, or"
               " begin a new throw there")
        raise TinycontactError(f"{table.where(row, file_name['t'])}: {t[row]:.9g} {why}")


def _step_of(path, groups, t, convention):
    """Median step in seconds, refused where its unit can only be another."""
    steps = [np.diff(t[rows]) for rows in groups if len(rows) > 1]
    step = float(np.median(np.concatenate(steps))) if steps else 0.0
    if step <= 0:
        raise TinycontactError(f"{path}: no throw has two rows; is the column of throws another"
                               " one?")
    if not 1 / FAST <= step <= 1 / SLOW:
        known = [word for word, factor in TIMES.items()
                 if 1 / FAST <= step / TIMES[convention.time] * factor <= 1 / SLOW]
        hint = f"; are times in {known[-1]}? (--time {known[-1]})" if known else ""
        raise TinycontactError(f"{path}, column {convention.columns.get('t', 't')}: rows are"
                               f" {step:g} s apart;"
                               f" a toss is told from {SLOW:g} rows a second at least{hint}")
    return step


def _lengths(table, file_name, raw, few):
    """Refuses quaternions that are none; where `few` are let pass, these become NaN."""
    size = np.linalg.norm(raw, axis=1)
    wrong = np.flatnonzero(np.abs(size - 1) > UNIT)
    if not len(wrong):
        return
    if few and len(wrong) < FEW * len(size):
        raw[wrong] = np.nan
        return
    row = int(wrong[0])
    names = ", ".join(file_name[name] for name in TURN)
    share = len(wrong) / len(size)
    if size[row] == 0:
        why = "the tracker had lost the body: leave this throw out (--skip)"
    elif np.median(size[wrong]) > 2.5 and np.max(np.abs(raw)) > 2 * np.pi:
        why = "these are probably angles in degrees; a quaternion is wanted"
    elif share > 0.5 and np.ptp(size) < UNIT * np.median(size):
        why = f"all are: divide the four columns by {np.median(size):.6g}"
    else:
        why = "is it a quaternion, and are the columns named right? Divide each by its length"
    raise TinycontactError(f"{table.where(row, names)}: not normalised: the length is"
                           f" {size[row]:.4g},"
                           f" wanted 1 ({len(wrong)} of {len(size)} rows); {why}")


def _oriented(raw, convention):
    """Quaternions as the package has them."""
    q = rotation.normal(raw[:, ORDERS[convention.order]])
    if convention.conjugate:
        q = rotation.conjugate(q)
    axes = UPS[convention.up]
    half = np.sqrt(max(1 + np.trace(axes), 0.0)) / 2
    turn = (np.array([0.0, 1.0, 0.0, 0.0]) if half < 1e-6 else
            np.array([half, (axes[2, 1] - axes[1, 2]) / (4 * half), 0.0, 0.0]))
    return rotation.product(turn, q)


def _gap(log, toss):
    """Refuses missing rows: a velocity estimated across them is wrong."""
    step = np.diff(toss.t)
    wide = np.flatnonzero(step > GAP * np.median(step))
    if len(wide):
        k = int(wide[0])
        lost = max(int(round(step[k] / np.median(step))) - 1, 1)
        words = "1 row is" if lost == 1 else f"{lost} rows are"
        raise TinycontactError(f"{log.where(toss, k + 1, 't')}: about {words} missing"
                               " before this one (a gap of"
                               f" {step[k]:.4g} s, the others are {np.median(step):.4g} s); the"
                               " tracker lost the body:"
                               " leave this throw out (--skip), or end it before the gap")


def _jumps(log, toss):
    """Refuses a row that lies off the line between its neighbours, where the rows before and after do not:
    a contact bends a path over several rows and by no more than its speed allows."""
    lost = np.flatnonzero(~np.isfinite(toss.orientation[:, 0]))
    if len(lost):
        raise TinycontactError(f"{log.where(toss, int(lost[0]), 'qw')}: is no quaternion; the"
                               " tracker had lost the body")
    turn = rotation.log(rotation.product(rotation.conjugate(toss.orientation[:-1]), toss.orientation[1:]))
    large = np.flatnonzero(np.linalg.norm(turn, axis=1) > TURN_MOST)
    if len(large):
        raise TinycontactError(f"{log.where(toss, int(large[0]) + 1, 'qw')}: turned by"
                               f" {np.degrees(np.linalg.norm(turn[large[0]])):.0f} degrees since"
                               " the row before: a"
                               " jump of the tracker (a marker or face mistaken for another): leave"
                               " this throw"
                               " out (--skip), or log faster")
    for column, path, least in (("x", np.diff(toss.position, axis=0), OUT[0]), ("qw", turn, OUT[1])):
        row = _single(path, least)
        if row is not None:
            unit = "mm" if column == "x" else "mrad"
            off = 500 * np.linalg.norm(path[row] - path[row - 1])
            raise TinycontactError(f"{log.where(toss, row, column)}: {off:.0f} {unit} off the line"
                                   " of its"
                                   " neighbours: a jump of the tracker: leave this throw out"
                                   " (--skip)")


def _single(change, least):
    """The row whose two steps cancel: there and back again, while the steps before and behind go on as if it were not
    there; or None. Two impacts in one row also turn a body back, but then before and behind differ."""
    there, back = change[:-1], change[1:]
    bend = np.linalg.norm(back - there, axis=1) / 2
    through = (there + back) / 2
    for k in np.flatnonzero(bend > max(least, ROUGH * np.median(bend))):
        beside = [change[j] for j in (k - 1, k + 2) if 0 <= j < len(change)]
        if all(np.linalg.norm(one - through[k]) < bend[k] / ALIKE for one in beside):
            return int(k) + 1
    return None


def _lag(log):
    """How long before its row a recorded velocity holds: half a step for backward differences. The recorded one is
    compared with differences on either side, where they are alike (flight)."""
    shares = []
    for toss in log.tosses:
        if toss.velocity is None or len(toss) < 4:
            continue
        h = np.diff(toss.t)[:, None]
        difference = np.diff(toss.position, axis=0) / h
        before, after, own = difference[:-1], difference[1:], toss.velocity[1:-1]
        bend = np.einsum("ij,ij->i", after - before, after - before)
        share = np.einsum("ij,ij->i", own - before, after - before) / np.maximum(bend, 1e-12)
        shares.append(share[:LEAST_ROWS])
    if not shares:
        return 0.0
    return 0.5 * log.step if np.median(np.concatenate(shares)) < 0.25 else 0.0


def read(path, convention=None, skipped=None):
    """The Log of a file. `skipped`, a list, takes the messages about throws that are too short, have gaps or jumps, and
    they are left out; without it the first is raised."""
    convention = convention or Convention()
    table, file_name = _renamed(path, convention)
    groups = _groups(table, file_name)
    t = table[file_name["t"]] * TIMES[convention.time]
    step = _step_of(path, groups, t, convention)
    raw = table.stacked([file_name[name] for name in TURN])
    _lengths(table, file_name, raw, skipped is not None)
    axes, unit = UPS[convention.up], LENGTHS[convention.length]
    position = table.stacked([file_name[name] for name in POSITION]) @ axes.T
    position[:, 2] -= convention.floor
    turn = _oriented(raw, convention)
    rates = [None, None]
    if file_name["vx"] in table:
        rates[0] = table.stacked([file_name[name] for name in VELOCITY]) @ axes.T * unit
    if file_name["wx"] in table:
        omega = table.stacked([file_name[name] for name in OMEGA]) * ANGLES[convention.angle]
        if convention.frame == "world":
            omega = np.einsum("nji,nj->ni", rotation.matrix(turn), omega @ axes.T)
        rates[1] = omega
    tosses = [Toss(float(table[file_name["throw"]][rows[0]]), t[rows], position[rows] * unit,
                   rotation.continuous(turn[rows]), *(None if one is None else one[rows] for one in rates),
                   [table.lines[row] for row in rows]) for rows in groups]
    log = _without_faults(Log(str(path), tosses, step, convention), skipped)
    return replace(log, lag=_lag(log))


def _without_faults(log, skipped):
    """The log's tosses that pass each check alone."""
    kept = []
    for toss in log.tosses:
        try:
            for check in (_long_enough, _gap, _jumps):
                check(log, toss)
            kept.append(toss)
        except TinycontactError as error:
            if skipped is None:
                raise
            skipped.append(str(error))
    if not kept:
        raise TinycontactError(f"{log.path}: no throw is without fault; the first: {skipped[0]}")
    return replace(log, tosses=kept)


def _long_enough(log, toss):
    if len(toss) < LEAST_ROWS:
        raise TinycontactError(f"{log.where(toss, 0, 'throw')}: a throw of {len(toss)} rows; at"
                               " least"
                               f" {LEAST_ROWS} are needed")
