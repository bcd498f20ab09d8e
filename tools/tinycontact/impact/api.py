# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Contact problems and impacts as differentiable functions of NumPy arrays, by the library itself.

    w, info = impact(G, w0, mu, e, target)       # both phases; cone(G, w0, mu, floor) is one
    by = info.vjp(by_w)                          # by["mu"] = by_w . dw/dmu, and so for each input
    J = info.jacobian()                          # J["mu"][k] = dw_k / dmu

G [n rows, d] has the normal's row of each contact first, in whitened coordinates (tc_cone.h); w0, w, target [d];
mu, e, floor [n]. float32 arrays are solved by the library's float32 build, all others in float64. Derivatives are
exact for the pattern of the answer; where info.margin is 0 they are those of one side. jax_api.py and torch_api.py
wrap the same two functions.
"""
import ctypes
import functools
from ctypes import POINTER, Structure, byref, c_double, c_float, c_int32, c_uint32, c_void_p

import numpy as np

from ..errors import StatusError, TinycontactError
from ..library import Library
from .scene import LAWS

KINDS = ("open", "stick", "slip", "floor_stick", "floor_slip")   # tc_cone_kind
INPUTS = ("G", "w0", "mu", "floor", "e", "target")


class _Given(Structure):
    _fields_ = [("n", c_uint32), ("rows", c_uint32), ("d", c_uint32), ("law", c_int32)] + [
        (name, c_void_p) for name in INPUTS]


class _By(Structure):
    _fields_ = [(name, c_void_p) for name in INPUTS]


@functools.cache
def _calls(double):
    """(cone, impact, the answer's struct) of one build."""
    number = c_double if double else c_float

    class Answer(Structure):
        _fields_ = [(name, c_void_p) for name in ("w", "f", "u", "f_c", "kind")] + [("told", number * 3)]
    library = Library(real="double" if double else "float")
    types = [POINTER(_Given), POINTER(Answer), c_void_p, POINTER(_By)]
    return (library.function("native_vjp_cone", c_int32, types), library.function("native_vjp_impact", c_int32, types),
            Answer)


class Info:
    """How a problem was solved, and its derivatives.

    f, u      [n rows] impulses and velocities at the contacts; of an impact those of and after restitution
    f_c       [n rows] of an impact: impulses of compression
    kinds     per contact open, stick, slip, floor_stick or floor_slip
    residual, error, margin   as tc_cone.h defines them, the worse of both phases
    note      "" or the name of a positive status
    """

    def __init__(self, problem):
        self._problem = problem

    def vjp(self, by_w):
        """{input: cotangent} of a cotangent by_w [d] of w, for each input that was given."""
        return self._problem.solve(np.asarray(by_w))[2]

    def jacobian(self):
        """{input: dw/dinput [d, ...]}."""
        d = len(self._problem.arrays["w0"])
        rows = [self.vjp(row) for row in np.eye(d)]
        return {name: np.stack([row[name] for row in rows]) for name in rows[0]}


class _Problem:
    """Inputs of one call, as arrays of one kind of number."""

    def __init__(self, phases, rows, law, **arrays):
        given = {name: np.asarray(x) for name, x in arrays.items() if x is not None}
        single = all(x.dtype == np.float32 for x in given.values())
        self.real = np.float32 if single else np.float64
        self.arrays = {name: np.ascontiguousarray(x, self.real) for name, x in given.items()}
        self.phases, self.law = phases, law
        self._shape(rows)

    def _shape(self, rows):
        G, w0, mu = (self.arrays[name] for name in ("G", "w0", "mu"))
        if G.ndim != 2 or w0.ndim != 1 or mu.ndim != 1:
            raise TinycontactError("G must have two dimensions, w0 and mu one")
        self.n, self.rows = len(mu), rows or (len(G) // len(mu) if len(mu) else 1)
        wanted = {"G": (self.n * self.rows, len(w0)), "floor": (self.n,), "e": (self.n,), "target": (len(w0),)}
        for name, shape in wanted.items():
            if name in self.arrays and self.arrays[name].shape != shape:
                raise TinycontactError(f"{name}: has shape {self.arrays[name].shape}, wanted {shape}: {self.n} contacts"
                                       f" (mu) of {self.rows} rows, {len(w0)} freedoms (w0)")

    def solve(self, by_w=None):
        """(w, Info, cotangents or None)."""
        cone, impact, Answer = _calls(self.real is np.float64)
        m, d = self.n * self.rows, len(self.arrays["w0"])
        w, f, u, f_c, kind = np.zeros(d, self.real), *(np.zeros(m, self.real) for _ in range(3)), np.zeros(self.n, np.int32)
        answer = Answer(*(x.ctypes.data for x in (w, f, u, f_c, kind)))
        given = _Given(self.n, self.rows, d, LAWS.index(self.law),
                       *(self.arrays[name].ctypes.data if name in self.arrays else None for name in INPUTS))
        by = {name: np.zeros_like(x) for name, x in self.arrays.items()}
        back = None
        if by_w is not None:
            back = np.ascontiguousarray(by_w, self.real)
            if back.shape != (d,):
                raise TinycontactError(f"by_w: has shape {back.shape}, wanted {(d,)}")
        places = _By(*(by[name].ctypes.data if name in by else None for name in INPUTS))
        status = (impact if self.phases == 2 else cone)(byref(given), byref(answer),
                                                        back.ctypes.data if back is not None else None, byref(places))
        if status < 0:
            raise StatusError("tc_impact_solve" if self.phases == 2 else "tc_cone_solve", status)
        return w, self._info(answer, f, u, f_c, kind, status), by if back is not None else None

    def _info(self, answer, f, u, f_c, kind, status):
        info = Info(self)
        info.f, info.u, info.f_c = f, u, f_c if self.phases == 2 else None
        info.kinds = [KINDS[k] for k in kind]
        info.residual, info.error, info.margin = (float(x) for x in answer.told)
        info.note = "" if status == 0 else StatusError("", status).status
        return info


def cone(G, w0, mu, floor=None, rows=None):
    """(w, Info) of one contact problem: the w = w0 + G'f of least size with f in the cones. `rows` of each contact: 1,
    2 in the plane, 3 in space; default: as many as G has."""
    w, info, _ = _Problem(1, rows, "convex", G=G, w0=w0, mu=mu, floor=floor).solve()
    return w, info


def impact(G, w0, mu, e=None, target=None, law="convex", rows=None):
    """(w, Info) of compression and restitution. law "coulomb" has no derivatives."""
    if law not in LAWS:
        raise TinycontactError(f"law {law!r} is none of {', '.join(LAWS)}")
    w, info, _ = _Problem(2, rows, law, G=G, w0=w0, mu=mu, e=e, target=target).solve()
    return w, info


def cone_vjp(G, w0, mu, floor, by_w, rows=None):
    """{input: cotangent}, solved and differentiated in one call."""
    return _Problem(1, rows, "convex", G=G, w0=w0, mu=mu, floor=floor).solve(by_w)[2]


def impact_vjp(G, w0, mu, e, target, by_w, rows=None):
    return _Problem(2, rows, "convex", G=G, w0=w0, mu=mu, e=e, target=target).solve(by_w)[2]


class SceneStep:
    """Steps of a scene and their derivatives by its start and by its unknown numbers.

        step = SceneStep(scene, ("mu", "e", "mass"))
        after, by_start, by_unknown = step(state, step.theta, steps=5)

    state is q, then v. by_start [state, 2 rates] by increments of coordinates and rates (of a quaternion: turns about
    the world's axes), by_unknown [state, unknowns] by step.theta (a mass as the logarithm of its ratio). By
    differences in float64, accurate to 1e-7 of the largest where no contact changes its kind.
    """

    def __init__(self, scene, unknown=("mu", "e", "mass")):
        from . import tasks
        self.model = tasks.model(scene, unknown)
        self.names, self.theta = self.model.names, self.model.truth()

    def __call__(self, state, theta=None, steps=1):
        state = np.asarray(state, float)
        theta = self.theta if theta is None else np.asarray(theta, float)
        rolled = self.model.roll(theta, state.reshape(-1, state.shape[-1]), steps, True, True)
        if (rolled.status < 0).any():
            raise StatusError("tc_scene_step", int(rolled.status.min()))
        parts = (rolled.states[:, -1], rolled.by_start[:, -1], rolled.by_unknown[:, -1])
        return tuple(part.reshape(*state.shape[:-1], *part.shape[1:]) for part in parts)
