# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The barrier of a pair of convex sets by the library itself: value, plane, gradient and Hessian.

    found = pair.solve({"A": [[0, 0, 0], [1, 0, 0]], "B": [[0, 2, 0]], "radius_B": 0.5})
    found.status, found.value, found.gradient     # "ok", ...

Points are in the world; two numbers each are planar. Both bodies are moved to the middle between their centres before
anything is rounded, so that a pair far from the origin loses nothing by that.
"""
import ctypes
import functools
from ctypes import POINTER, byref, c_int, c_uint32, c_void_p
from difflib import get_close_matches

import numpy as np

from ..answers import Fields
from ..arrays import BadInput, flat, floats
from ..errors import BY_VALUE, TinycontactError
from ..library import Library

STATUSES = ("ok", "limit", "rounding", "touching", "bad_input")
STATUS = {"TC_OK": "ok", "TC_NOTE_LIMIT": "limit", "TC_NOTE_PRECISION": "rounding", "TC_ERR_TOUCHING": "touching"}
FIELDS = ("name", "A", "B", "radius_A", "radius_B", "centre_A", "centre_B")
LOWER = [name.lower() for name in FIELDS]
VERTICES_MAX = 64    # tc_barrier.h
FAR = 1e6            # [m] largest coordinate
COORDINATES = {2: 3, 3: 6}   # of a body


class Model(Fields):
    """A, kappa and length of a barrier."""

    def __init__(self, A=12.0, kappa=1.0, length=0.0):
        super().__init__(A=A, kappa=kappa, length=length)


class Answer(Fields):
    """What a pair came to; fields are keys and attributes.

    status         ok, limit, rounding, touching or bad_input
    value          of the barrier
    plane          [n, d] of <x, n> + d, 0 on the plane, positive at A; n is shorter than 1
    gap            separation of both sets along n [m], a lower bound of their distance
    gradient       [12], planar [6], by t_A, theta_A, t_B, theta_B
    hessian_lower  [78], planar [21]: lower triangle by rows
    newton         steps of Newton's method
    message        with bad_input: the field at fault and why
    """


class Pair:
    """Two sets whose fields are checked. vertices [2] of [count, D] about their centres, radii [2], centres [2, D]."""

    def __init__(self, entry, real):
        if not isinstance(entry, dict):
            raise BadInput("is not an object with A, B, radius_A, radius_B, centre_A, centre_B")
        for name in entry:
            near = get_close_matches(str(name).lower(), LOWER, 1, 0.8) if name not in FIELDS else ()
            if near:   # other fields are the user's own
                raise BadInput(f"{str(name)[:40]}: is no field of a pair; did you mean {FIELDS[LOWER.index(near[0])]}?")
        points = [_points(entry, name) for name in "AB"]
        self.dimension = points[0].shape[1]
        if points[1].shape[1] != self.dimension:
            raise BadInput(f"B: has {points[1].shape[1]} numbers per point, A has {self.dimension}")
        self.radii = [_radius(entry, f"radius_{name}") for name in "AB"]
        self.centres = np.array([_centre(entry, f"centre_{name}", x) for name, x in zip("AB", points)])
        self.middle = self.centres.mean(0)
        self.vertices = [np.ascontiguousarray(x - c, real) for x, c in zip(points, self.centres)]
        self.size = max(np.linalg.norm(x, axis=1).max() + r for x, r in zip(self.vertices, self.radii))


def _points(entry, name):
    """float64 [count, D]"""
    if name not in entry:
        raise BadInput(f"{name}: is missing")
    numbers, lengths = flat(entry[name], name)
    if not lengths:
        raise BadInput(f"{name}: has no point")
    if set(lengths) not in ({2}, {3}):
        raise BadInput(f"{name}: is not a list of points of 2 or of 3 numbers each")
    if len(lengths) > VERTICES_MAX:
        raise BadInput(f"{name}: has {len(lengths)} points, at most {VERTICES_MAX} are allowed")
    return _near(floats(numbers, name, np.float64), name).reshape(len(lengths), lengths[0])


def _near(numbers, name):
    far = np.flatnonzero(np.abs(numbers) > FAR)
    if len(far):
        raise BadInput(f"{name}: number {far[0]} in row-major order is {numbers[far[0]]:g}, beyond {FAR:g} m")
    return numbers


def _radius(entry, name):
    numbers, lengths = flat([entry.get(name, 0.0)], name)
    if lengths != [None]:
        raise BadInput(f"{name}: is a list, wanted a number")
    radius = float(floats(numbers, name, np.float64)[0])
    if not 0 <= radius <= FAR:
        raise BadInput(f"{name}: is {radius:g}, wanted 0 to {FAR:g}")
    return radius


def _centre(entry, name, points):
    if entry.get(name) is None:
        return points.mean(0)
    numbers, lengths = flat(entry[name], name)
    if lengths != [None] * points.shape[1]:
        raise BadInput(f"{name}: has {len(numbers)} numbers, wanted {points.shape[1]}, as the points")
    return _near(floats(numbers, name, np.float64), name)


# ---- lib/barrier/tc_barrier.h, tc_barrier2.h, tc_barrier3.h

class Types:
    """The structs of a build, by its number."""

    def __init__(self, real):
        number = ctypes.c_float if real is np.float32 else ctypes.c_double
        self.number, self.real = number, real
        self.Set = _struct(vertices=c_void_p, count=c_uint32, radius=number)
        self.Config = _struct(A=number, kappa=number, length=number)
        self.pose = {2: _struct(cosine=number, sine=number, position=number * 2),
                     3: _struct(rotation=number * 9, position=number * 3)}
        self.plane = {D: _struct(normal=number * D, offset=number) for D in (2, 3)}


def _struct(**fields):
    return type("Struct", (ctypes.Structure,), {"_fields_": list(fields.items())})


class Solver:
    """tc_barrier2_solve and tc_barrier3_solve of a Library, and their derivatives."""

    def __init__(self, library=None):
        library = library or Library()
        self.types = t = Types(library.real)
        n = t.number
        self._pair = {D: _struct(value=n, gap=n, point_a=n * D, point_b=n * D, newton=c_uint32) for D in (2, 3)}
        self._by = {D: _struct(gradient=n * (2 * C), hessian=n * (C * (2 * C + 1)), plane_rate=n * ((D + 1) * 2 * C))
                    for D, C in COORDINATES.items()}
        self._solve, self._derive = {}, {}
        for D in (2, 3):
            given = [POINTER(t.Config), *[POINTER(t.Set), POINTER(t.pose[D])] * 2, POINTER(t.plane[D])]
            self._solve[D] = library.function(f"tc_barrier{D}_solve", c_int, [*given, POINTER(self._pair[D])])
            self._derive[D] = library.function(f"tc_barrier{D}_derive", c_int, [*given, POINTER(self._by[D])])

    def solve(self, entry, model=Model()):
        """The Answer of one entry. It never raises for what the entry holds: that is status "bad_input"."""
        try:
            pair = Pair(entry, self.types.real)
        except BadInput as error:
            return bad(str(error))
        return self._answer(pair, model)

    def _pose(self, D, position):
        pose = self.types.pose[D]()
        if D == 2:
            pose.cosine = 1
        else:
            pose.rotation[:] = np.eye(3).ravel()
        pose.position[:] = position
        return pose

    def _answer(self, pair, model):
        D, t = pair.dimension, self.types
        config, plane = t.Config(model.A, model.kappa, model.length), t.plane[D]()
        given = [byref(config)]
        for vertices, radius, centre in zip(pair.vertices, pair.radii, pair.centres):
            given += [byref(t.Set(vertices.ctypes.data, len(vertices), radius)),
                      byref(self._pose(D, centre - pair.middle))]
        found, by = self._pair[D](), self._by[D]()
        status = self._solve[D](*given, byref(plane), byref(found))
        then = self._derive[D](*given, byref(plane), byref(by)) if status >= 0 else status
        name, text = BY_VALUE.get(min(status, then) if then < 0 else status, (f"status {status}", "unknown status"))
        if name not in STATUS:
            return bad(f"A or B: {text} ({name})")
        if then < 0:
            return Answer(status="touching", **_nothing(found.newton))
        n = np.array(plane.normal[:], float)
        return Answer(status=STATUS[name], value=float(found.value),
                      plane=np.append(n, float(plane.offset) - n @ pair.middle), gap=float(found.gap),
                      gradient=np.array(by.gradient[:], float), hessian_lower=np.array(by.hessian[:], float),
                      newton=int(found.newton))


def _nothing(newton=0):
    return dict(value=None, plane=None, gap=None, gradient=None, hessian_lower=None, newton=newton)


def bad(message):
    """The Answer to bad input."""
    return Answer(status="bad_input", **_nothing(), message=message)


@functools.lru_cache(maxsize=2)
def solver(double=False):
    """The Solver of the float32 or the double build, loaded once."""
    return Solver(Library(real="double") if double else None)


def solve(entry, model=Model(), double=False):
    """The Answer of a pair (see above) by the library."""
    return solver(bool(double)).solve(entry, model)


def check(model):
    """Refuses weights that the library would."""
    for name, value in model.items():
        least = "above 0" if name == "A" else "0 or more"
        if not (0 <= value <= FAR) or (name == "A" and value == 0):
            raise TinycontactError(f"--{name}: is {value:g}, must be {least} and at most {FAR:g}")
    return model
