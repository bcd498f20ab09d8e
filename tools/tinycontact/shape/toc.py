# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Times of contact of two moving shapes by the library built for this machine (lib/shape/tc_toc.h has what they are).

    pair = Toc({"kind": "box", "h": [0.1, 0.05, 0.02]}, {"kind": "halfspace"})
    found = pair.find(motion(R, x, v, w, acceleration), REST, step=1 / 30)     # motions [n, 21] or [21]
    found.outcome, found.time, found.by_position, found.by_velocity, found.by_a

    times([{"name": "sole", "shape": {...}, "ground": {...}, "quat_wxyz": ..., "x": ..., ...}, ...])

`times` takes the entries of docs/reference/shape-file.md and raises for none: what an entry has against it is its
status "bad_input", with a message.
"""
import functools
import json
from ctypes import c_double, c_uint32, c_void_p
from dataclasses import dataclass

import numpy as np

from ..answers import Fields
from ..errors import BY_VALUE, TinycontactError
from ..impact import fields
from ..library import Library
from . import shapefile
from .sdf import Sdf

OUTCOMES = ("none", "contact", "grazing", "inside")   # tc_toc_outcome
STATUSES = ("contact", "grazing", "none", "inside", "limit", "bad_input")
ENTRY = ("name", "shape", "ground", "quat_wxyz", "x", "v", "w", "g", "step")
DETECTIONS = 12         # TC_TOC_DETECTIONS
MOTION, FOUND, ROWS = 21, 9, 31   # tools/native/toc.h
MOST_STEP = 10.0        # [s]
FAR = 1e6               # [m], and per second
UNIT = 1e-3             # by which a quaternion's length may differ from 1


def motion(R, x, v=(0, 0, 0), w=(0, 0, 0), acceleration=(0, 0, 0)):
    """float64 [21] of a rotation (body to world) and four vectors in world axes."""
    return np.concatenate([np.asarray(part, np.float64).ravel() for part in (R, x, v, w, acceleration)])


REST = motion(np.eye(3), np.zeros(3))


@dataclass
class Times:
    outcome: list                    # [n] one of OUTCOMES, or "limit": the detections were used up
    time: np.ndarray                 # [n] h [s]
    speed: np.ndarray                # [n] D_h [m/s]; negative: approaching
    normal: np.ndarray               # [n, 3] out of b into a, world axes
    point: np.ndarray                # [n, 3] a's point, world axes [m]
    detections: np.ndarray           # [n] distances that were computed
    points: np.ndarray               # [n] points that touch at once; 0: there are no derivatives
    by_position: np.ndarray          # [n, 2, 3] derivatives of h by a's and b's position
    by_rotation: np.ndarray          # [n, 2, 3] by a turn of the pose at h = 0 about world axes
    by_velocity: np.ndarray          # [n, 2, 3]
    by_angular_velocity: np.ndarray  # [n, 2, 3]
    by_acceleration: np.ndarray      # [n, 2, 3]
    by_radius: np.ndarray            # [n] by the rounding of either body, cores fixed
    by_a: np.ndarray                 # [n, parameters of a] by a's sizes or code
    by_b: np.ndarray                 # [n, parameters of b] by b's


def _shape(value, where):
    return value if isinstance(value, shapefile.Shape) else shapefile.from_dict(value, where)


class Toc:
    """A pair of shapes: those of shapefile.py, or the dicts that it reads."""

    def __init__(self, a, b, library=None):
        library = library or _library()
        self._call = library.function("native_toc", None, [c_void_p] * 3 + [c_uint32, c_double] + [c_void_p] * 5)
        self.a, self.b = (Sdf(_shape(value, where), library) for value, where in ((a, "a"), (b, "b")))

    def find(self, motion_a, motion_b=REST, step=1 / 30):
        """Times of n cases. Raises where the library refuses the pair or a motion."""
        a, b = np.broadcast_arrays(np.atleast_2d(motion_a), np.atleast_2d(motion_b))
        motions, n = np.ascontiguousarray(np.stack([a, b], axis=1), np.float64), len(a)
        status, counts = np.zeros(n, np.int32), np.zeros((n, 3), np.int32)
        found, rows = np.zeros((n, FOUND)), np.zeros((n, ROWS))
        by = np.zeros((n, self.a.parameters + self.b.parameters))
        self._call(self.a.handle, self.b.handle, motions.ctypes.data, n, step, status.ctypes.data, counts.ctypes.data,
                   found.ctypes.data, rows.ctypes.data, by.ctypes.data)
        refused = np.flatnonzero(status < 0)
        if len(refused):
            name, text = BY_VALUE[int(status[refused[0]])]
            raise TinycontactError(f"case {refused[0]}: {REASONS.get(name, text)} ({name})")
        outcome = ["limit" if state > 0 and count[1] == DETECTIONS else OUTCOMES[count[0]]
                   for state, count in zip(status, counts)]
        vectors = rows[:, :30].reshape(n, 5, 2, 3)
        return Times(outcome, found[:, 0], found[:, 1], found[:, 2:5], found[:, 5:8], counts[:, 1], counts[:, 2],
                     *(vectors[:, i] for i in range(5)), rows[:, 30], by[:, :self.a.parameters],
                     by[:, self.a.parameters:])


REASONS = {"TC_ERR_UNSUPPORTED": "the shapes are no pair: each is a half-space or terrain, or has no points of its"
                                 " surface",
           "TC_ERR_UNIT": "a rotation is none", "TC_ERR_RANGE": f"a position leaves the range of {FAR:g} m"}


@functools.lru_cache(maxsize=1)
def _library():
    return Library()


def _rotation(entry):
    q = entry.vector("quat_wxyz", 4)
    length = np.linalg.norm(q)
    if abs(length - 1.0) > UNIT:
        entry.refuse("quat_wxyz", f"has length {length:.4g}, must be 1")
    w, x, y, z = q / length
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                     [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                     [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])


def _vector(entry, name, default=fields.MISSING):
    x = entry.vector(name, 3, default)
    if np.abs(x).max() > FAR:
        entry.refuse(name, f"reaches {np.abs(x).max():g}, at most {FAR:g} may be")
    return x


class Solver:
    """Answers entries one by one; pairs of the same shapes are opened once."""

    def __init__(self, folder=".", library=None):
        self.folder, self.library, self._pairs = folder, library, {}

    def _pair(self, shape, ground):
        key = json.dumps([shape, ground], sort_keys=True, default=str)
        if key not in self._pairs:
            if len(self._pairs) > 64:
                self._pairs.clear()
            shapes = [shapefile.from_dict(value, where, self.folder)
                      for value, where in ((shape, "field shape"), (ground, "field ground"))]
            self._pairs[key] = Toc(*shapes, self.library)
        return self._pairs[key]

    def answer(self, entry):
        """{name, status, h, dh_dr, dh_dx, dh_dv, dh_dw, ...} of an entry, and a message with bad_input."""
        name = entry.get("name") if isinstance(entry, dict) else None
        try:
            found = self._solve(entry)
        except TinycontactError as error:
            message = str(error).removeprefix("entry, ").removeprefix("entry: ")
            return Fields(name=name, status="bad_input", h=None, **dict.fromkeys(DERIVATIVES), message=message)
        status = found.outcome[0]
        answer = Fields(name=name, status=status, h=None if status == "none" else float(found.time[0]),
                        **dict.fromkeys(DERIVATIVES))
        if status != "none":
            answer.update(speed=float(found.speed[0]), normal=found.normal[0].tolist(), point=found.point[0].tolist())
        if found.points[0]:
            answer.update(dh_dr=float(found.by_radius[0]), dh_dx=found.by_position[0, 0].tolist(),
                          dh_dv=found.by_velocity[0, 0].tolist(), dh_dw=found.by_angular_velocity[0, 0].tolist(),
                          dh_dturn=found.by_rotation[0, 0].tolist(), dh_dg=-float(found.by_acceleration[0, 0, 2]),
                          dh_dshape=found.by_a[0].tolist(), dh_dground=found.by_b[0].tolist())
        return answer

    def _solve(self, entry):
        given = fields.Fields(entry, "entry", ENTRY)
        shape, ground = given.get("shape"), given.get("ground")
        thrown = motion(_rotation(given), _vector(given, "x"), _vector(given, "v"), _vector(given, "w", np.zeros(3)),
                        [0.0, 0.0, -given.number("g", 0.0, least=-FAR, most=FAR)])
        step = given.number("step", above=0.0, most=MOST_STEP)
        try:
            return self._pair(shape, ground).find(thrown, REST, step)
        except TinycontactError as error:
            error.args = (str(error).removeprefix("case 0: "),)
            raise


DERIVATIVES = ("dh_dr", "dh_dx", "dh_dv", "dh_dw", "dh_dturn", "dh_dg", "dh_dshape", "dh_dground")


def times(cases, folder="."):
    """The answers to a list of entries, in their order. Names of files in shapes are relative to `folder`."""
    solver = Solver(folder)
    return [solver.answer(entry) for entry in cases]
