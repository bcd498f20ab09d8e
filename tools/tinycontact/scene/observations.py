# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Poses and rates of bodies that were seen, and how far a simulation is from them.

A row has a time t [s], a body, and any of these, in world axes:

    x, y, z          position of the centre of mass [m]
    qw, qx, qy, qz   orientation, all four or none
    wx, wy, wz       angular velocity [rad/s]
    vx, vy, vz       velocity [m/s]

Cells may be missing. A difference of orientations is a rotation vector, the same for q and -q.

    seen = read("obs.csv", ["ball", "box"])
    r = seen.residuals(poses, velocities)   # [m]; seen.group says of each which quantity it is
"""
from dataclasses import dataclass, field

import numpy as np

from ..csvfile import read_columns
from ..errors import TinycontactError
from ..jsonfile import number

GROUPS = {"position": ("x", "y", "z"), "orientation": ("qw", "qx", "qy", "qz"), "rate": ("wx", "wy", "wz"),
          "velocity": ("vx", "vy", "vz")}
UNITS = {"position": "m", "orientation": "rad", "rate": "rad/s", "velocity": "m/s"}
COLUMNS = sum(GROUPS.values(), ())
UNIT = 0.02     # error of a quaternion's length that is taken for rounding of a log
LEAST = 1e-3    # share of a quantity's size below which its spread is no scale


def quaternion_multiply(a, b):
    """[..., 4] w first."""
    w, x, y, z = np.moveaxis(a, -1, 0)
    W, X, Y, Z = np.moveaxis(b, -1, 0)
    return np.stack([w * W - x * X - y * Y - z * Z, w * X + x * W + y * Z - z * Y,
                     w * Y - x * Z + y * W + z * X, w * Z + x * Y - y * X + z * W], axis=-1)


def rotation_between(a, b):
    """[..., 3] the world rotation vector [rad] that turns orientation b into a; |.| <= pi, the signs of a, b free."""
    turn = quaternion_multiply(a, b * np.array([1.0, -1.0, -1.0, -1.0]))
    turn = turn * np.where(turn[..., :1] < 0, -1.0, 1.0)
    sine = np.linalg.norm(turn[..., 1:], axis=-1, keepdims=True)
    angle = 2 * np.arctan2(sine, turn[..., :1])
    return turn[..., 1:] * np.where(sine > 1e-9, angle / np.maximum(sine, 1e-300), 2.0)


def turned_vector(vectors, turns):
    """[p, n, 3] by how much rotation_between's vectors [n, 3] change if the first orientation turns by the small world
    rotation vectors `turns` [p, n, 3]: t - v x t / 2 + c v x (v x t), c = (1 - (|v| / 2) cot(|v| / 2)) / |v|^2."""
    half = 0.5 * np.linalg.norm(vectors, axis=-1, keepdims=True)
    small = half < 1e-3
    safe = np.where(small, 1.0, half)
    share = np.where(small, 1 / 12 + half**2 / 180, (1 - safe / np.tan(safe)) / (4 * safe**2))
    once = np.cross(vectors, turns)
    return turns - 0.5 * once + share * np.cross(vectors, once)


@dataclass
class Observations:
    """values[group] has [rows, 3 or 4] with NaN where nothing was seen."""
    where: str
    times: np.ndarray        # [n] increasing, each once
    at: np.ndarray           # [rows] index of the time
    body: np.ndarray         # [rows] index of the body
    values: dict
    _seen: dict = field(init=False)

    def __post_init__(self):
        self._seen = {name: ~np.isnan(values) for name, values in self.values.items()}
        self.scale = {name: self._scale(name) for name in GROUPS if self._seen[name].any()}
        counts = {name: int(self._seen[name].sum()) if name != "orientation"
                  else 3 * int(self._seen[name].all(axis=1).sum()) for name in self.scale}
        self.group = np.repeat(list(counts), list(counts.values()))
        self.when = self.times[self.at[np.concatenate([self._rows(name) for name in counts])]]   # of each difference

    def __len__(self):
        return len(self.group)

    def _rows(self, name):
        """The row of each difference of a quantity."""
        if name == "orientation":
            return np.repeat(np.flatnonzero(self._seen[name].all(axis=1)), 3)
        return np.nonzero(self._seen[name])[0]

    def _scale(self, name):
        """What a difference of this quantity is divided by: 1 rad; root mean square of a rate; of positions that of
        the way from the body's mean."""
        if name == "orientation":
            return 1.0
        values = self.values[name]
        size = np.sqrt(np.nanmean(values ** 2))
        if name == "position":
            columns = [values[self.body == k, axis] for k in np.unique(self.body) for axis in range(3)]
            way = [column - np.nanmean(column) for column in columns if not np.isnan(column).all()]
            spread = np.sqrt(np.nanmean(np.concatenate(way) ** 2))
            size = max(spread, LEAST * size)
        return float(size) if size > 0 else 1.0

    def residuals(self, poses, velocities):
        """[m] differences in SI, simulated less observed. poses [n, bodies, 7] at `times`: position and quaternion
        (w first); velocities [n, bodies, 6]: linear and angular, world."""
        pose, rate = poses[self.at, self.body], velocities[self.at, self.body]
        found = []
        for name in self.scale:
            values, seen = self.values[name], self._seen[name]
            if name == "orientation":
                whole = seen.all(axis=1)
                found.append(rotation_between(pose[whole, 3:], values[whole]).ravel())
            else:
                simulated = {"position": pose[:, :3], "velocity": rate[:, :3], "rate": rate[:, 3:]}[name]
                found.append((simulated - values)[seen])
        return np.concatenate(found)

    def derivative(self, poses, by_poses, by_velocities):
        """[m, p] derivatives of residuals(poses, velocities). by_poses, by_velocities [p, n, bodies, 6]: those of position
        and of orientation (the small turn), linear and angular velocity."""
        pose = poses[self.at, self.body]
        by_pose, by_rate = by_poses[:, self.at, self.body], by_velocities[:, self.at, self.body]
        found = []
        for name in self.scale:
            values, seen = self.values[name], self._seen[name]
            if name == "orientation":
                whole = seen.all(axis=1)
                vector = rotation_between(pose[whole, 3:], values[whole])
                found.append(turned_vector(vector, by_pose[:, whole, 3:]).reshape(len(by_poses), -1))
            else:
                moved = {"position": by_pose[..., :3], "velocity": by_rate[..., :3], "rate": by_rate[..., 3:]}[name]
                found.append(moved[:, seen])
        return np.concatenate(found, axis=1).T

    def weights(self, scale=None):
        """[m] 1 over the scale of each difference."""
        scale = scale or self.scale
        return np.array([1.0 / scale[name] for name in self.group])

    def spread(self, r):
        """{group: root mean square of its differences} in SI."""
        return {name: float(np.sqrt(np.mean(r[self.group == name] ** 2))) for name in self.scale}


def _unit(values, told):
    """Quaternions made unit; `told(row)` says where a bad one is."""
    size = np.linalg.norm(values, axis=1)
    whole = ~np.isnan(values)
    for row in np.flatnonzero(whole.any(axis=1) & ~whole.all(axis=1)):
        raise TinycontactError(f"{told(row)}: has some of qw, qx, qy, qz; wanted all four or none")
    for row in np.flatnonzero(np.abs(size - 1) > UNIT):
        raise TinycontactError(f"{told(row)}: qw, qx, qy, qz have length {size[row]:.4g}, wanted 1")
    return values / size[:, None]


def _make(where, t, body, cells, told):
    """Observations from columns; `cells` has those that there are."""
    if len(t) == 0:
        raise TinycontactError(f"{where}: has no row")
    for row in np.flatnonzero(t < 0):
        raise TinycontactError(f"{told(row)}, column t: is {t[row]:g} s, the scene begins at 0")
    values = {name: np.stack([cells.get(column, np.full(len(t), np.nan)) for column in columns], axis=1)
              for name, columns in GROUPS.items()}
    values["orientation"] = _unit(values["orientation"], told)
    if not any((~np.isnan(v)).any() for v in values.values()):
        raise TinycontactError(f"{where}: observes nothing; wanted any of {', '.join(COLUMNS)}")
    times, at = np.unique(t, return_inverse=True)
    return Observations(where, times, at, np.asarray(body, int), values)


def _check_partial(names, where):
    some = [name for name in GROUPS["orientation"] if name in names]
    if some and len(some) < 4:
        raise TinycontactError(f"{where}: has {', '.join(some)} only; wanted all of qw, qx, qy, qz or none")


def read(path, bodies, single=None):
    """Observations of a CSV file. `bodies` are the scene's names in order; `single` the index of the one that rows
    without a column body are of."""
    needed = single is None
    words = {"body": {name: float(k) for k, name in enumerate(bodies)}}
    log = read_columns(path, ("t", "body") if needed else ("t",), COLUMNS if needed else ("body", *COLUMNS), words,
                       COLUMNS)
    _check_partial(log.names, str(path))
    body = log["body"] if "body" in log else np.full(len(log), float(single or 0))
    return _make(str(path), log["t"], body, {name: log[name] for name in COLUMNS if name in log}, log.where)


def from_rows(rows, bodies, where, single=None):
    """Observations of a list of objects {t, body, x, ...}; null is a missing cell."""
    if not isinstance(rows, list):
        raise TinycontactError(f"{where}: wanted a list of rows {{t, body, x, ...}} or a CSV's path")
    told = lambda k: f"{where}[{k}]"   # noqa: E731
    t, body = [], []
    cells = {name: np.full(len(rows), np.nan) for name in COLUMNS}
    for k, row in enumerate(rows):
        if not isinstance(row, dict):
            raise TinycontactError(f"{told(k)}: is no object {{t, body, x, ...}}")
        for name in row:
            if name not in ("t", "body", *COLUMNS):
                raise TinycontactError(f"{told(k)}: unknown field {str(name)[:40]!r}; it may have t, body,"
                                       f" {', '.join(COLUMNS)}")
        if "t" not in row:
            raise TinycontactError(f"{told(k)}: no field t")
        t.append(number(row["t"], f"{told(k)}, field t"))
        body.append(_body_of(row, bodies, single, told(k)))
        for name in COLUMNS:
            if row.get(name) is not None and row[name] == row[name]:
                cells[name][k] = number(row[name], f"{told(k)}, field {name}")
    return _make(where, np.array(t), body, cells, told)


def _body_of(row, bodies, single, where):
    if "body" not in row:
        if single is None:
            raise TinycontactError(f"{where}: no field body; the scene has {', '.join(bodies)}")
        return single
    if row["body"] not in bodies:
        raise TinycontactError(f"{where}, field body: is {str(row['body'])[:40]!r}, none of {', '.join(bodies)}")
    return bodies.index(row["body"])
