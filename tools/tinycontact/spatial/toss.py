# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Roll-outs of a convex body in space by the library's own step in float32, the bits of the board: tools/native/toss.h.

    toss = Toss(vertices=corners, mass=0.37, inertia=(8.1e-4,) * 3, stiffness=54500, damping=70, mu=(.17, .165, .216))
    states, statuses = roll([toss], starts, times)

starts [n, 13]: position of the centre of mass, quaternion (w, x, y, z) of the principal axes, v, omega, world axes, SI.
times: for each start an array of times after it [s], not descending; the start itself is a row if its time 0 is listed.
states: for each set of parameters a list with an array [rows, 13] per start; NaN from the row on that a failed step
led to. statuses [sets, starts]: of the last step, below 0 for an error. Between two rows the step is their interval over
a whole number, at most `step`: no row is interpolated. The call does not hold Python's lock; threads may share the sets.
"""
import ctypes
from ctypes import POINTER, c_double, c_int32, c_uint32, c_void_p
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from ..errors import TinycontactError
from ..library import Library

STATE = 13
CLASSES = ("static", "dynamic", "detach", "none")   # tc_learned_class
RIGID = {"dart": 0, "toc": 1, "gap": 2}   # tc_scheme


@dataclass
class Toss:
    """One set of parameters. vertices [n, 3]: from the centre of mass along the principal axes [m]."""
    vertices: np.ndarray
    mass: float
    inertia: tuple                    # principal moments [kg m^2]
    step: float = 1e-3                # the longest [s]
    normal: tuple = (0.0, 0.0, 1.0)   # of the plane
    offset: float = 0.0               # the plane is normal . x = offset [m]
    gravity: tuple = (0.0, 0.0, -9.81)
    restitution: float = 0.0          # of rigid contacts
    radius: float = 0.0               # of the shape's rounding [m]
    stiffness: float = 0.0            # of one contact [N/m]; 0: rigid
    damping: float = 0.0              # of one contact [N s/m]
    slope: float = 0.0                # Hunt and Crossley's [s/m]
    mu: tuple = (0.5, 0.5, 0.5)       # at points, edges, faces
    gain: tuple = (0.0, 0.0)          # the residual: sum gain tanh(slip_weight s + load_weight l + bias), tc_friction3.h
    slip_weight: tuple = (0.0, 0.0)
    load_weight: tuple = (0.0, 0.0)
    bias: tuple = (0.0, 0.0)
    positions: str = "toc"            # scheme of rigid contacts
    rounds: int = 0                   # of the sweeps; 0: the library's default
    frozen: int = 4
    warm: bool = True


class _Set(ctypes.Structure):
    _fields_ = [("mass", c_double), ("inertia", c_double * 3), ("step", c_double), ("normal", c_double * 3),
                ("offset", c_double), ("gravity", c_double * 3), ("restitution", c_double), ("radius", c_double),
                ("stiffness", c_double), ("damping", c_double), ("slope", c_double), ("mu", c_double * 3),
                ("gain", c_double * 2), ("slip_weight", c_double * 2), ("load_weight", c_double * 2),
                ("bias", c_double * 2), ("vertices", c_void_p), ("count", c_uint32), ("positions", c_int32),
                ("rounds", c_uint32), ("frozen", c_uint32), ("warm", c_int32), ("unused", c_int32)]


NUMBERS = ("mass", "step", "offset", "restitution", "radius", "stiffness", "damping", "slope", "rounds", "frozen", "warm")
ARRAYS = ("inertia", "normal", "gravity", "mu", "gain", "slip_weight", "load_weight", "bias")


def _sets(tosses):
    """The structs, and the arrays that they point into."""
    sets, kept = (_Set * len(tosses))(), []
    for to, toss in zip(sets, tosses):
        kept.append(np.ascontiguousarray(toss.vertices, np.float64))
        if kept[-1].ndim != 2 or kept[-1].shape[1] != 3:
            raise TinycontactError(f"vertices are {kept[-1].shape}: rows of x, y, z are wanted")
        for name in NUMBERS:
            setattr(to, name, getattr(toss, name))
        for name in ARRAYS:
            getattr(to, name)[:] = [float(x) for x in getattr(toss, name)]
        to.vertices, to.count, to.positions = kept[-1].ctypes.data, len(kept[-1]), RIGID[toss.positions]
    return sets, kept


@lru_cache(maxsize=2)
def _library(real):
    """The library's functions; looked for once, as a search calls `roll` hundreds of times."""
    return Library(real=real)._c


def roll(tosses, starts, times, real="float"):
    """(states, statuses) of each set of parameters in `tosses` with each start: see above."""
    c = _library(real)
    c.native_toss_roll.argtypes = [POINTER(_Set), c_uint32, c_void_p, c_uint32, c_void_p, c_void_p, c_void_p, c_void_p]
    starts = np.ascontiguousarray(starts, np.float64).reshape(-1, STATE)
    if len(times) != len(starts):
        raise TinycontactError(f"{len(starts)} starts and times of {len(times)}")
    first = np.concatenate([[0], np.cumsum([len(t) for t in times])]).astype(np.uint32)
    at = np.ascontiguousarray(np.concatenate([np.asarray(t, np.float64) for t in times] or [np.zeros(0)]))
    states = np.zeros((len(tosses), int(first[-1]), STATE))
    statuses = np.zeros((len(tosses), len(starts)), np.int32)
    sets, kept = _sets(tosses)
    c.native_toss_roll(sets, len(tosses), starts.ctypes.data, len(starts), first.ctypes.data, at.ctypes.data,
                       states.ctypes.data, statuses.ctypes.data)
    del kept
    return [np.split(rows, first[1:-1]) for rows in states], statuses


@dataclass
class Steps:
    """One step from each of n states."""
    after: np.ndarray      # [n, 13]; NaN where a step failed
    impulse: np.ndarray    # [n, 6] about the centre of mass, world axes [N s], [N m s]
    branch: np.ndarray     # [n] int: of CLASSES
    contacts: np.ndarray   # [n] int
    statuses: np.ndarray   # [n] int


def step(toss, states, real="float"):
    """The Steps of states [n, 13], each of the set's own length and without the impulses of a step before."""
    c = _library(real)
    c.native_toss_step.argtypes = [POINTER(_Set), c_void_p, c_uint32, *[c_void_p] * 4]
    states = np.ascontiguousarray(states, np.float64).reshape(-1, STATE)
    n = len(states)
    after, impulse = np.zeros((n, STATE)), np.zeros((n, 6))
    contact, statuses = np.zeros((n, 2), np.int32), np.zeros(n, np.int32)
    sets, kept = _sets([toss])
    c.native_toss_step(sets, states.ctypes.data, n, after.ctypes.data, impulse.ctypes.data, contact.ctypes.data,
                       statuses.ctypes.data)
    del kept
    return Steps(after, impulse, contact[:, 0], contact[:, 1], statuses)
