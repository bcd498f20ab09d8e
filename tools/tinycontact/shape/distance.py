# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Distances of posed shapes by the library built for this machine (lib/shape/tc_meet.h has what they are).

    pair = Meet({"kind": "sphere", "r": 0.03}, shapefile.load("sole.json"))
    found = pair.distance(Ra, xa, Rb, xb)     # rotations [n, 3, 3] or [3, 3] body to world, positions [n, 3] or [3]
    found.distance, found.normal, found.point, found.by_a, found.by_pose_a

    distances([{"name": "step", "a": {...}, "b": {...}, "Ra": ..., "xa": ..., "Rb": ..., "xb": ...}, ...])

`distances` takes the entries of docs/reference/shape-file.md and raises for none: what an entry has against it is
its status "bad_input", with a message.
"""
import functools
import json
from ctypes import c_int32, c_uint32, c_void_p
from dataclasses import dataclass

import numpy as np

from ..answers import Fields
from ..errors import BY_VALUE, TinycontactError
from ..impact import fields
from ..library import Library
from . import shapefile
from .sdf import Sdf

RULES = ("deepest", "translation")   # tc_meet_rule
STATUS = {"TC_OK": "solved", "TC_NOTE_LIMIT": "limit", "TC_NOTE_RANGE": "limit", "TC_NOTE_OVERLAP": "overlap"}
STATUSES = ("solved", "limit", "overlap", "bad_input")
ENTRY = ("name", "a", "b", "Ra", "xa", "Rb", "xb")
UNIT = 1e-4     # by which the product of a rotation's rows may differ from that of a rotation
FAR = 1e6       # [m] tc_meet.h


@dataclass
class Meetings:
    status: list               # [n] "solved", "limit" or "overlap"
    distance: np.ndarray       # [n] [m]; negative: sunk
    normal: np.ndarray         # [n, 3] unit, out of b into a, world axes
    point: np.ndarray          # [n, 3] a's deepest or closest point, world axes [m]
    point_b: np.ndarray        # [n, 3] b's, world axes [m]
    steps: np.ndarray          # [n] searches for a support point, or evaluations of b
    by_a: np.ndarray           # [n, parameters of a] derivatives of the distance by a's sizes or code
    by_b: np.ndarray           # [n, parameters of b] the same by b's
    by_pose_a: np.ndarray      # [n, 6] by a's position, and by a rotation vector about its origin; world axes
    by_pose_b: np.ndarray      # [n, 6] by b's


def _shape(value, where):
    return value if isinstance(value, shapefile.Shape) else shapefile.from_dict(value, where)


class Meet:
    """A pair of shapes: those of shapefile.py, or the dicts that it reads. real "float" has the firmware's numbers."""

    def __init__(self, a, b, library=None):
        library = library or _library()
        self._call = library.function("native_meet", None, [c_void_p] * 3 + [c_uint32, c_int32] + [c_void_p] * 4)
        self.a, self.b = (Sdf(_shape(value, where), library) for value, where in ((a, "a"), (b, "b")))

    def distance(self, Ra, xa, Rb, xb, rule="deepest", derivatives=True):
        """Meetings at n poses; without derivatives these are zero. Raises where the library refuses the pair or a
        pose."""
        n = max([len(values) for values, depth in ((Ra, 3), (Rb, 3), (xa, 2), (xb, 2)) if np.ndim(values) == depth],
                default=1)
        poses = np.concatenate([np.broadcast_to(np.asarray(values, np.float64).reshape(-1, width), (n, width))
                                for values, width in ((Ra, 9), (xa, 3), (Rb, 9), (xb, 3))], axis=1)
        poses = np.ascontiguousarray(poses)
        count_a, count = self.a.parameters, self.a.parameters + self.b.parameters
        status, gap = np.zeros(n, np.int32), np.zeros((n, 11))
        by, by_pose = np.zeros((n, count)), np.zeros((n, 12))
        self._call(self.a.handle, self.b.handle, poses.ctypes.data, n, RULES.index(rule), status.ctypes.data,
                   gap.ctypes.data, *(array.ctypes.data if derivatives else None for array in (by, by_pose)))
        refused = np.flatnonzero(status < 0)
        if len(refused):
            name, text = BY_VALUE[int(status[refused[0]])]
            raise TinycontactError(f"pose {refused[0]}: {REASONS.get(name, text)} ({name})")
        told = [STATUS[BY_VALUE[int(value)][0]] for value in status]
        return Meetings(told, gap[:, 0], gap[:, 1:4], gap[:, 4:7], gap[:, 7:10], gap[:, 10].astype(int),
                        by[:, :count_a], by[:, count_a:], by_pose[:, :6], by_pose[:, 6:])


REASONS = {"TC_ERR_UNSUPPORTED": "a and b are no pair: each is a half-space or terrain, or has no points of its surface",
           "TC_ERR_UNIT": "a rotation is none", "TC_ERR_RANGE": f"a position is beyond {FAR:g} m"}


@functools.lru_cache(maxsize=1)
def _library():
    return Library()


def _rotation(entry, name):
    """float64 [3, 3] of a nested list."""
    rows = entry.get(name)
    if not isinstance(rows, list) or len(rows) != 3:
        entry.refuse(name, "wanted 3 rows of 3 numbers, body axes to world axes")
    R = np.array([fields.vector(row, f"{entry.at(name)}[{i}]", 3) for i, row in enumerate(rows)])
    if np.abs(R @ R.T - np.eye(3)).max() > UNIT:
        entry.refuse(name, "is no rotation: its rows are not of unit length and normal to each other")
    if np.linalg.det(R) < 0:
        entry.refuse(name, "mirrors: its determinant is -1")
    return R


def _position(entry, name):
    x = entry.vector(name, 3)
    if np.abs(x).max() > FAR:
        entry.refuse(name, f"reaches {np.abs(x).max():g} m, at most {FAR:g} may be")
    return x


class Solver:
    """Answers entries one by one; pairs of the same shapes are opened once."""

    def __init__(self, rule="deepest", folder=".", library=None):
        self.rule, self.folder, self.library, self._pairs = rule, folder, library, {}

    def _pair(self, a, b):
        key = json.dumps([a, b], sort_keys=True, default=str)
        if key not in self._pairs:
            if len(self._pairs) > 64:
                self._pairs.clear()
            shapes = [shapefile.from_dict(value, where, self.folder) for value, where in ((a, "field a"), (b, "field b"))]
            self._pairs[key] = Meet(*shapes, self.library)
        return self._pairs[key]

    def answer(self, entry):
        """{name, status, distance, normal, point} of an entry, and a message with bad_input."""
        name = entry.get("name") if isinstance(entry, dict) else None
        try:
            found = self._solve(entry)
        except TinycontactError as error:
            return Fields(name=name, status="bad_input", distance=None, normal=None, point=None,
                          message=str(error).removeprefix("entry, ").removeprefix("entry: "))
        return Fields(name=name, status=found.status[0], distance=float(found.distance[0]),
                      normal=found.normal[0].tolist(), point=found.point[0].tolist())

    def _solve(self, entry):
        given = fields.Fields(entry, "entry", ENTRY)
        a, b = given.get("a"), given.get("b")
        poses = [read(given, name) for read, name in ((_rotation, "Ra"), (_position, "xa"), (_rotation, "Rb"),
                                                      (_position, "xb"))]
        try:
            return self._pair(a, b).distance(*poses, rule=self.rule)
        except TinycontactError as error:
            error.args = (str(error).removeprefix("pose 0: "),)
            raise


def distances(pairs, rule="deepest", folder="."):
    """The answers to a list of entries, in their order. Names of files in shapes are relative to `folder`."""
    solver = Solver(rule, folder)
    return [solver.answer(entry) for entry in pairs]
