# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Batches of ropes by the library: tools/native/rope.h, whose structs these are.

    rope = Rope(points=200)                       # paper 000's rope of D = 400 coordinates
    start = starts(rope, batch=200)               # [batch, 4 points]: places, then rates
    batch = Batch(rope, len(start), steps=5)
    path = batch.simulate(start)                  # [batch, steps, 4 points]
    by = batch.gradient(2 * (path - target))      # cotangents of start, mass, stiffness, gravity, restitution

A state has x and y of each point, then their rates. The anchor is the origin, y points upwards.
"""
import ctypes
import functools
from ctypes import POINTER, byref, c_double, c_int32, c_uint32, c_void_p
from dataclasses import dataclass, field

import numpy as np

from ..errors import StatusError, TinycontactError
from ..library import Library

POINTS_MOST = 30000   # NATIVE_ROPE_POINTS_MOST
# The default rope is 1 m and 1 kg, whatever its points, and gives by a fifth where it bears its own weight. A wave takes
# 1.4 steps along a spring.
LENGTH, MASS, STIFFNESS, GRAVITY, STEP = 1.0, 1.0, 50.0, 9.81, 0.05
SETTLE = 0.5          # seconds that `starts` lets ropes fall


class _System(ctypes.Structure):
    _fields_ = [("points", c_uint32), ("unused", c_uint32), ("step", c_double), ("rest", c_double),
                ("shortest", c_double), ("longest", c_double), ("bend", c_double), ("restitution", c_double),
                ("gravity", c_double), ("mass", c_void_p), ("stiffness", c_void_p)]


class _Counts(ctypes.Structure):
    _fields_ = [("steps", c_double), ("listed", c_double), ("active", c_double), ("solves", c_double),
                ("iterations", c_double), ("listed_most", c_uint32), ("active_most", c_uint32),
                ("iterations_most", c_uint32), ("imprecise", c_uint32), ("limited", c_uint32), ("unused", c_uint32)]


class _Gradient(ctypes.Structure):
    _fields_ = [(name, c_void_p) for name in ("start", "mass", "stiffness", "gravity", "restitution")]


@dataclass(frozen=True)
class Rope:
    """A rope: point masses below an anchor, springs between neighbours, limits on stretch and bending [SI].

    mass and stiffness: one number, or one per point; spring k is above point k."""
    points: int = 10
    mass: object = None        # MASS / points
    stiffness: object = None   # STIFFNESS points
    gravity: float = GRAVITY
    step: float = None         # STEP / points
    rest: float = None         # LENGTH / points
    shortest: float = 0.8
    longest: float = 1.2
    bend: float = 0.2
    restitution: float = 0.0

    def __post_init__(self):
        if not 2 <= self.points <= POINTS_MOST:
            raise TinycontactError(f"points = {self.points}: a rope has 2 to {POINTS_MOST}")
        for name, value in (("mass", MASS / self.points), ("stiffness", STIFFNESS * self.points / LENGTH),
                            ("step", STEP / self.points), ("rest", LENGTH / self.points)):
            if getattr(self, name) is None:
                object.__setattr__(self, name, value)
        for name in ("mass", "stiffness"):
            values = np.asarray(getattr(self, name), np.float64)
            if values.shape not in ((), (1,), (self.points,)):
                raise TinycontactError(f"{name} has shape {values.shape}: give one number, or one per point ({self.points})")
            if not np.all(np.isfinite(values)) or not np.all(values > 0 if name == "mass" else values >= 0):
                raise TinycontactError(f"{name}: each must be finite and {'above 0' if name == 'mass' else 'at least 0'}")
            object.__setattr__(self, name, np.ascontiguousarray(np.broadcast_to(values, self.points)))
        for name, low, high in (("step", 0, 1e9), ("rest", 0, 1e9), ("shortest", 0, 1), ("bend", 0, 1.57)):
            if not low < getattr(self, name) < high:
                raise TinycontactError(f"{name} = {getattr(self, name)}: must be above {low:g} and below {high:g}")
        if not 1 < self.longest <= 1e9:
            raise TinycontactError(f"longest = {self.longest}: must be above 1")
        if not 0 <= self.restitution <= 1:
            raise TinycontactError(f"restitution = {self.restitution}: must be 0 to 1")
        if not abs(self.gravity) <= 1e3:
            raise TinycontactError(f"gravity = {self.gravity}: must be within +-1000 m/s^2")


@dataclass(frozen=True)
class Counts:
    """What the solves of a simulation came to; limits and iterations as means per step and per solve."""
    listed: float
    listed_most: int
    active: float
    active_most: int
    iterations: float
    iterations_most: int
    imprecise: int
    limited: int


@dataclass
class Gradient:
    """Cotangents of what a simulation depends on."""
    start: np.ndarray
    mass: np.ndarray
    stiffness: np.ndarray
    gravity: float = field(default=0.0)
    restitution: float = field(default=0.0)


def _declared(c):
    c.native_rope_open.argtypes = [POINTER(_System), c_uint32, c_uint32, c_int32, POINTER(c_int32)]
    c.native_rope_open.restype = c_void_p
    c.native_rope_free.argtypes, c.native_rope_free.restype = [c_void_p], None
    c.native_rope_forward.argtypes = [c_void_p, c_void_p, c_void_p, POINTER(_Counts)]
    c.native_rope_backward.argtypes = [c_void_p, c_void_p, POINTER(_Gradient)]
    c.native_rope_forward.restype = c.native_rope_backward.restype = c_int32
    return c


@functools.lru_cache(maxsize=None)
def _library(real):
    """One library per number type: what makes it sure is made costs more than a simulation."""
    return Library(real=real)


class Batch:
    """Room for `batch` ropes of `steps` steps. keep: `gradient` will be asked for; it costs memory."""

    def __init__(self, rope, batch, steps, real="float", keep=True, library=None):
        for name, value in (("batch", batch), ("steps", steps)):
            if not 1 <= value <= 10**7:
                raise TinycontactError(f"{name} = {value}: must be 1 to 10,000,000")
        self.rope, self.batch, self.steps, self.counts = rope, batch, steps, None
        self._library = library or _library(real)
        self._c = _declared(self._library._c)
        status = c_int32()
        given = _System(rope.points, 0, rope.step, rope.rest, rope.shortest, rope.longest, rope.bend,
                        rope.restitution, rope.gravity, rope.mass.ctypes.data, rope.stiffness.ctypes.data)
        self._handle = self._c.native_rope_open(byref(given), batch, steps, keep, byref(status))
        if not self._handle:
            raise StatusError("native_rope_open", status.value)

    def __del__(self):
        if getattr(self, "_handle", None):
            self._c.native_rope_free(self._handle)

    def _numbers(self, name, x, shape):
        x = np.ascontiguousarray(x, np.float64)
        if x.shape != shape:
            raise TinycontactError(f"{name} has shape {x.shape}: must be {shape}")
        if not np.all(np.isfinite(x)):
            raise TinycontactError(f"{name}: a number is NaN or infinite")
        return x

    def simulate(self, start):
        """The states after each step, [batch, steps, 4 points], from start [batch, 4 points]."""
        start = self._numbers("start", start, (self.batch, 4 * self.rope.points))
        path, found = np.empty((self.batch, self.steps, 4 * self.rope.points)), _Counts()
        status = self._c.native_rope_forward(self._handle, start.ctypes.data, path.ctypes.data, byref(found))
        if status < 0:
            raise TinycontactError(f"rope {found.unused}: {StatusError('native_rope_forward', status)}")
        self.counts = Counts(found.listed / found.steps, found.listed_most, found.active / found.steps, found.active_most,
                             found.iterations / max(found.solves, 1), found.iterations_most, found.imprecise, found.limited)
        return path

    def gradient(self, by_path):
        """The adjoint of the last `simulate`: a Gradient from the cotangents of its path, of the same shape."""
        points = self.rope.points
        by_path = self._numbers("by_path", by_path, (self.batch, self.steps, 4 * points))
        by = Gradient(np.empty((self.batch, 4 * points)), np.empty(points), np.empty(points))
        gravity, restitution = c_double(), c_double()
        given = _Gradient(by.start.ctypes.data, by.mass.ctypes.data, by.stiffness.ctypes.data, ctypes.addressof(gravity),
                          ctypes.addressof(restitution))
        status = self._c.native_rope_backward(self._handle, by_path.ctypes.data, byref(given))
        if status < 0:
            raise StatusError("native_rope_backward", status)
        by.gravity, by.restitution = gravity.value, restitution.value
        return by


def simulate(rope, start, steps, real="float"):
    """The states after each step, [batch, steps, 4 points], from start [batch, 4 points]."""
    return Batch(rope, len(start), steps, real, keep=False).simulate(start)


def gradient(rope, start, by_path, real="float"):
    """(path, Gradient): the simulation from `start`, and its adjoint for the cotangents by_path [batch, steps, 4 points]."""
    batch = Batch(rope, len(start), np.shape(by_path)[1], real)
    path = batch.simulate(start)
    return path, batch.gradient(by_path)


STRETCH = 50   # steps of one call


def laid(rope, batch, seed=0):
    """States of ropes laid out in random curves without stretch, with smooth random rates [batch, 4 points]."""
    rng, n = np.random.default_rng(seed), rope.points
    turns = rng.uniform(-0.9, 0.9, (batch, n)) * rope.bend
    turns[:, 0] = rng.uniform(-np.pi, np.pi, batch)
    angles = np.cumsum(turns, axis=1)
    places = rope.rest * np.cumsum(np.stack([np.cos(angles), np.sin(angles)], -1), axis=1)
    spin = rng.normal(0, 2, (batch, 1, 1))
    rates = spin * np.stack([-places[..., 1], places[..., 0]], -1)
    along = np.arange(1, n + 1) / n
    for mode in (1, 2, 3):
        rates += np.sin(mode * np.pi * along)[None, :, None] * rng.normal(0, 0.2, (batch, 1, 2))
    return np.concatenate([places.reshape(batch, -1), rates.reshape(batch, -1)], axis=1)


def starts(rope, batch, seed=0, settle=SETTLE):
    """States of ropes in the midst of a fall: laid out at random, then moved for `settle` seconds [batch, 4 points]."""
    state, steps = laid(rope, batch, seed), round(settle / rope.step)
    ends = [min(STRETCH, steps - done) for done in range(0, steps, STRETCH)]
    for count in ends:
        state = simulate(rope, state, count)[:, -1]
    return state


def gaps(rope, state):
    """How far each limit is from being exceeded, [..., 2 points - 1] [m]: springs (the nearer bound), then angles times
    the springs' length at rest."""
    places = np.asarray(state)[..., :2 * rope.points].reshape(*np.shape(state)[:-1], rope.points, 2)
    d = np.diff(places, axis=-2, prepend=0.0)
    lengths = np.hypot(d[..., 0], d[..., 1])
    a, b = d[..., :-1, :], d[..., 1:, :]
    turns = np.arctan2(a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0], (a * b).sum(-1))
    stretch = np.minimum(rope.longest * rope.rest - lengths, lengths - rope.shortest * rope.rest)
    return np.concatenate([stretch, rope.rest * (rope.bend - np.abs(turns))], axis=-1)


def energy(rope, state):
    """Kinetic, elastic and potential energy [J] of states [..., 4 points]."""
    state = np.asarray(state)
    parts = state.reshape(*state.shape[:-1], 2, rope.points, 2)
    places, rates = parts[..., 0, :, :], parts[..., 1, :, :]
    d = np.diff(places, axis=-2, prepend=0.0)
    stretch = np.hypot(d[..., 0], d[..., 1]) - rope.rest
    return (0.5 * (rope.mass * (rates ** 2).sum(-1)).sum(-1) + 0.5 * (rope.stiffness * stretch ** 2).sum(-1)
            + rope.gravity * (rope.mass * places[..., 1]).sum(-1))
