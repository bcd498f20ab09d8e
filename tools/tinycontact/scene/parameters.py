# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Paths into a scene's file, as unknowns of a fit.

    ball.shape.r   box.shape.h   box.shape.h[0]   box.shape.h.0   box.mass   box.force[1]   friction
    materials[0].restitution   gravity[2]   ball.position   box.quat_wxyz

A path begins with a body's name, or with a field of the scene. A path to a list identifies each entry. An orientation
is identified whole: its three unknowns are a rotation vector from the file's orientation, in world axes.
"""
import math
import re
from dataclasses import dataclass

import numpy as np

from ..errors import TinycontactError
from .fit import Unknown
from .observations import quaternion_multiply

SIZES = ("r", "h", "half", "mass", "inertia", "length")   # above 0
TINY, HUGE = 1e-9, 1e6   # shapefile.py's limits
APART = 4.0              # further starts of what is above 0 lie within this factor
LITTLE = 0.02            # least friction of a further start
TURN = "quat_wxyz"


def extent(shape):
    """The largest size that a shape's JSON gives [m]; 1 where it gives none."""
    sizes = [abs(x) for key in ("r", "h", "half") if isinstance(shape, dict) and key in shape
             for x in np.ravel(shape[key])]
    return max(sizes, default=1.0) or 1.0


def _around(value, reach, low=-math.inf, high=math.inf):
    return low, high, (max(value - reach, low), min(value + reach, high)), False


def _positive(value, low=TINY, high=HUGE):
    return low, high, (max(value / APART, low), min(value * APART, high)), True


def _limits(field, value, size, norm):
    """(low, high, range of starts, whether that is logarithmic) of one number of a field. `size`: of the body [m];
    `norm`: of the list that the number stands in."""
    if field == "stiffness":
        return _positive(value, high=1e12)
    if field in SIZES:
        return _positive(value, high=HUGE if field != "mass" else 1e9)
    if field == "restitution":
        return 0.0, 1.0, (0.0, 1.0), False
    if field == "friction":
        return 0.0, 10.0, (LITTLE, max(1.0, 2 * value)), True
    if field == "rounding":
        return 0.0, size, (0.0, size), False
    if field == "until":
        return _positive(value, low=0.0)
    if field in ("position", "offsets", "origin"):
        return _around(value, 2.0 * size)
    if field in ("force", "torque", "velocity", "angular_velocity", "gravity", "code"):
        return _around(value, max(norm, 1.0))
    return None


@dataclass
class Parameter:
    """A path, its unknowns, and what it is at the start."""
    path: str
    field: str              # the last word of the path
    unknowns: list
    start: np.ndarray       # value in the file; () a number, else a list

    @property
    def is_turn(self):
        return self.field == TURN

    def value(self, numbers):
        """The value that unknowns stand for: a number, a list, or a quaternion."""
        if self.is_turn:
            return turned(self.start, np.asarray(numbers))
        return np.asarray(numbers, float).reshape(self.start.shape)


def turned(quaternion, vector):
    """A unit quaternion turned by a world rotation vector."""
    angle = np.linalg.norm(vector)
    half = 0.5 * angle
    turn = np.concatenate([[math.cos(half)], vector * (math.sin(half) / angle if angle > 1e-12 else 0.5)])
    found = quaternion_multiply(turn, np.asarray(quaternion, float))
    return found / np.linalg.norm(found)


def _turn(scene, path, where):
    unknowns = [Unknown(f"{path} about {axis}", 0.0, -2 * math.pi, 2 * math.pi, (-1.5, 1.5)) for axis in "xyz"]
    values = np.array(scene.get(path), float)
    if values.shape != (4,):
        raise TinycontactError(f"{where}: an orientation is identified whole, by {TURN} without an index")
    return Parameter(path, TURN, unknowns, values)


def parameter(scene, path, bounds=None):
    """The Parameter of a path into a scenefile.Scene."""
    where = f"{scene.where}, parameter {path!r}"
    field = re.findall(r"[^.\[\]]+", re.sub(r"(\[\d+\]|\.\d+)+$", "", path) or path)[-1]
    if field == TURN:
        return _turn(scene, path, where)
    value = scene.get(path)
    if isinstance(value, (dict, str, bool)) or value is None:
        raise TinycontactError(f"{where}: leads to no number and no list of numbers")
    names = scene.expand(path)
    flat = np.array([scene.get(name) for name in names], float)
    try:
        start = np.array(value, float)
    except ValueError:
        raise TinycontactError(f"{where}: leads to lists of different lengths") from None
    body = path.split(".")[0].split("[")[0]
    size = next((extent(b["shape"]) for b in scene.value["bodies"] if b.get("name") == body and "shape" in b), 1.0)
    norm = float(np.linalg.norm(flat))
    return Parameter(path, field, [_unknown(field, name, x, size, norm, bounds, where)
                                   for name, x in zip(names, flat.tolist())], start)


def _unknown(field, name, value, size, norm, bounds, where):
    limits = _limits(field, value, size, norm)
    if limits is None:
        raise TinycontactError(f"{where}: {field} cannot be identified; sizes, mass, inertia, friction, restitution,"
                               " force, torque, until, position, quat_wxyz, velocity, angular_velocity, gravity,"
                               " stiffness, length and a net's code can")
    low, high, reach, logarithmic = limits
    if bounds is not None:
        low, high = max(low, bounds[0]), min(high, bounds[1])
        reach = (max(low, bounds[0]), min(high, bounds[1]))
        logarithmic = logarithmic and reach[0] > 0
    if not low <= value <= high:
        raise TinycontactError(f"{where}: the scene's value {value:g} is outside {low:g} to {high:g}")
    return Unknown(name, value, low, high, reach, logarithmic)


def parameters(scene, paths, bounds=None):
    """The Parameters of paths."""
    bounds = bounds or {}
    for path in bounds:
        if path not in paths:
            raise TinycontactError(f"{scene.where}, bounds: {path!r} is none of the parameters")
    found, taken = [], {}
    for path in paths:
        found.append(parameter(scene, path, bounds.get(path)))
        for unknown in found[-1].unknowns:
            name = re.sub(r"\.(\d+)", r"[\1]", unknown.name)
            if name in taken:
                raise TinycontactError(f"{scene.where}, parameter {path!r}: is identified by {taken[name]!r} already")
            taken[name] = path
    if not found:
        raise TinycontactError(f"{scene.where}: names no parameter")
    return found
