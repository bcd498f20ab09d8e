# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Logs of a scene's motion, read with checks that name file, line and column.

    log = read("log.csv", scene)
    log.runs        # [rows, state] each
    log.windows(1)  # [windows, 2, state] pairs of neighbouring rows

Columns: run (optional: one run), t, and per body those of simulate.columns: ball.x, ball.vx, ...
"""
from dataclasses import dataclass

import numpy as np

from ..csvfile import groups_in_time, read_columns
from ..errors import TinycontactError
from .simulate import columns

JITTER = 0.02      # a step may differ from the median by this share
UNIT = 1.3         # factor between rates and what positions change by that no sampling explains
SPAN = 20          # steps over which both are compared
ALIKE, LEAST_ALIKE = 0.8, 0.3   # correlation at which the factor is judged, and below which nothing fits
UNIT_LENGTH = 1e-2 # of a quaternion
DEPTH = 0.5        # share of a shape's size that it may be inside another
APART = 0.01       # error of a joint [m]


@dataclass
class Log:
    path: str
    step: float          # [s]
    runs: list           # [rows, state] each
    lines: list          # of each run, its lines in the file
    names: list          # of the columns of a state

    def windows(self, length):
        """[windows, length + 1, state], side by side within each run."""
        cut = [run[k:k + length + 1] for run in self.runs for k in range(0, len(run) - length, length)]
        return np.array(cut).reshape(-1, length + 1, len(self.names))

    def at(self, run, row, column=None):
        """'log.csv, line 7, column ball.vx'."""
        return f"{self.path}, line {self.lines[run][row]}" + (f", column {self.names[column]}" if column is not None
                                                               else "")


def read(path, scene):
    """A Log, or an error that says where and why."""
    q, v = columns(scene)
    table = read_columns(path, ("t", *q, *v), ("run",))
    if len(table) == 0:
        raise TinycontactError(f"{path}: has a header and no rows")
    if "run" not in table:
        table._values["run"] = np.zeros(len(table))
    groups = groups_in_time(table, "run", "t")
    state = table.stacked((*q, *v))
    runs = [state[rows] for rows in groups if len(rows) >= 2]
    if not runs:
        raise TinycontactError(f"{path}: no run has two rows")
    lines = [[table.lines[row] for row in rows] for rows in groups if len(rows) >= 2]
    log = Log(str(path), _step(table, groups), runs, lines, [*q, *v])
    _unwrap(log, scene)
    _check_quaternions(log, scene)
    _check_rates(log, scene)
    return log


def _step(table, groups):
    """The interval of all rows; one that differs is refused."""
    t = table["t"]
    steps = np.concatenate([np.diff(t[rows]) for rows in groups])
    median = float(np.median(steps)) if len(steps) else 0.0
    for rows in groups:
        off = np.flatnonzero(np.abs(np.diff(t[rows]) - median) > JITTER * median)
        if len(off):
            row = rows[int(off[0]) + 1]
            raise TinycontactError(f"{table.where(row, 't')}: {t[row] - t[row - 1]:g} s after the row before, the others"
                                   f" are {median:g} s apart; sample evenly, or begin a new run after a gap")
    if median > 1.0:
        raise TinycontactError(f"{table.where(0, 't')}: rows are {median:g} s apart, at most 1 s is allowed; is t in"
                               f" seconds?")
    return median


def _angles(scene):
    """Columns that are angles of a body in the plane, or of a revolute joint."""
    found = []
    for body, (at, _) in zip(scene.bodies, scene.spans):
        if body.kind == "body" and scene.dimension == 2:
            found.append(at.start + 2)
        if body.kind == "chain" and all(link.joint != "free" for link in body.links):
            found += [at.start + k for k, link in enumerate(body.links) if link.joint == "revolute"]
    return found


def _unwrap(log, scene):
    for run in log.runs:
        for k in _angles(scene):
            run[:, k] = np.unwrap(run[:, k])


def _quaternions(scene):
    for body, (at, rate) in zip(scene.bodies, scene.spans):
        n, d = body.sizes(scene.dimension)
        if scene.dimension == 3 and n == d + 1:
            yield at.start + 3, rate.start + 3


def _check_quaternions(log, scene):
    for k, _ in _quaternions(scene):
        for r, run in enumerate(log.runs):
            length = np.linalg.norm(run[:, k:k + 4], axis=1)
            bad = np.flatnonzero(~(np.abs(length - 1.0) < UNIT_LENGTH))
            if len(bad):
                raise TinycontactError(f"{log.at(r, bad[0], k)}: the quaternion has length {length[bad[0]]:.4g}, must"
                                       f" be 1; its order is w, x, y, z")
            run[:, k:k + 4] /= length[:, None]


def _flat_columns(scene):
    """(coordinate, rate) of all that moves by its rate alone."""
    turned = {q + k for q, _ in _quaternions(scene) for k in range(4)}
    width = scene.spans[-1][0].stop
    for (at, rate), body in zip(scene.spans, scene.bodies):
        places = [q for q in range(at.start, at.stop) if q not in turned]
        rates = list(range(rate.start, rate.stop))
        if scene.dimension == 3 and len(places) != len(rates):
            rates = [v for v in rates if not rate.start + 3 <= v < rate.start + 6]
        yield from zip(places, (width + v for v in rates))


def _spans(run, step, q, v):
    """(changes of q over spans, integrals of v over them, their first rows): long spans outweigh noise."""
    length = min(SPAN, len(run) - 1)
    sums = np.concatenate([[0.0], np.cumsum(0.5 * (run[1:, v] + run[:-1, v]) * step)])
    first = np.arange(0, len(run) - length, max(length // 2, 1))
    return run[first + length, q] - run[first, q], sums[first + length] - sums[first], first


def _check_rates(log, scene):
    """Rates must be what coordinates change by: a factor between them is a unit, 57.3 the degree's."""
    for q, v in _flat_columns(scene):
        spans = [_spans(run, log.step, q, v) for run in log.runs]
        change, integral = (np.concatenate([span[k] for span in spans]) for k in range(2))
        sizes = np.sum(change * change), np.sum(integral * integral)
        noise = np.concatenate([np.diff(run[:, q], 2) for run in log.runs if len(run) > 2] or [np.zeros(1)])
        if min(sizes) <= len(change) * (9.0 * np.median(np.abs(noise)) ** 2 + 1e-18):
            continue
        alike = np.sum(change * integral) / np.sqrt(sizes[0] * sizes[1])
        factor = np.sqrt(sizes[0] / sizes[1]) * np.sign(alike)
        if alike > ALIKE and 1 / UNIT < factor < UNIT or LEAST_ALIKE < alike <= ALIKE:
            continue
        run = int(np.argmax([np.abs(c - i).max() for c, i, _ in spans]))
        row = int(spans[run][2][np.argmax(np.abs(spans[run][0] - spans[run][1]))])
        degrees = any(40 < x < 70 for x in (abs(factor), 1 / max(abs(factor), 1e-9)))
        raise TinycontactError(f"{log.at(run, row, v)}: from here on {log.names[v]} and what {log.names[q]} changes by"
                               f" differ by a factor of {factor:.3g}{' (a radian is 57.3 degrees)' if degrees else ''};"
                               f" check units and order")


def check_places(log, scene, native):
    """Refuses states at which bodies are deep inside each other or joints are apart: a wrong unit, plane or size."""
    n = scene.spans[-1][0].stop
    for r, run in enumerate(log.runs):
        for row in sorted({0, len(run) // 2, len(run) - 1}):
            status, _, gaps, errors = native.look(run[row, :n], run[row, n:])
            if status < 0:
                raise TinycontactError(f"{log.at(r, row)}: no state of this scene (status {status})")
            _check_gaps(log, scene, r, row, gaps)
            if len(errors) and not np.abs(errors).max() <= APART:
                raise TinycontactError(f"{log.at(r, row)}: a joint of the scene is {np.abs(errors).max():.3g} m apart")


def _check_gaps(log, scene, run, row, gaps):
    for k, (a, _, _) in enumerate(scene.pairs):
        shape = scene.bodies[a[0]].links[a[1]].shape
        size = shape.radius + np.linalg.norm(shape.vertices, axis=1).max()
        if gaps[k] < -max(DEPTH * size, 1e-6):
            names = " and ".join(scene.sources[k])
            raise TinycontactError(f"{log.at(run, row)}: {names} overlap by {-gaps[k]:.3g} m, more than half a size"
                                   f" ({size:.3g} m); are positions in metres, and is the scene that of the log?")
