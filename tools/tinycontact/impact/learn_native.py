# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Many short roll-outs of a scene by the library in float64, and their derivatives (tools/native/impact_learn.c)."""
import ctypes
import functools
from ctypes import POINTER, Structure, c_double, c_int32, c_uint32, c_void_p

import numpy as np

from ..errors import StatusError, TinycontactError
from ..library import Library
from .native import NativeScene, Config
from .scene import LAWS

ALL, MATERIAL, MOVER = 0, 1, 2   # native_learn_scope
WHAT = ("mu", "e", "mass", "inertia", "gravity", "force")   # native_learn_what


class _Entry(Structure):
    _fields_ = [("at", c_void_p), ("scope", c_int32), ("index", c_uint32)]


class _Learn(Structure):
    _fields_ = [("scene", c_void_p), ("config", Config), ("entries", c_uint32),
                ("unknowns", c_uint32), ("entry", c_void_p), ("value", c_void_p), ("high", c_void_p),
                ("low", c_void_p), ("span", c_void_p)]


class _Rolls(Structure):
    _fields_ = [("chunks", c_uint32), ("steps", c_uint32)] + [
        (name, c_void_p) for name in ("starts", "states", "by_unknown", "by_start", "hits", "materials", "status")]


@functools.cache
def double():
    """The library in float64."""
    return Library(real="double")


@functools.cache
def _roll():
    return double().function("native_learn_roll", c_int32, [POINTER(_Learn), POINTER(_Rolls)])


@functools.cache
def _place_of():
    return double().function("native_learn_place", c_void_p, [c_void_p, c_int32, c_uint32, c_uint32, c_uint32])


class Rolled:
    """What a batch of roll-outs came to.

    states      [chunks, steps, state] after each step
    by_unknown  [chunks, steps, state, unknowns], or None
    by_start    [chunks, steps, state, 2 rates], or None
    hits        [chunks, steps] number of contacts
    materials   [chunks, materials] whether one was touched
    status      [chunks]
    """


def _place(array):
    return None if array is None else array.ctypes.data_as(c_void_p)


class Entry:
    """A number in a scene's tables: its address, and which roll-outs feel it."""

    def __init__(self, at, scope=ALL, index=0):
        self.at, self.scope, self.index = at, scope, index


class Roller:
    """Roll-outs of a scene.Scene; `quaternions` says where q has one, whose rates are three, in world axes."""

    def __init__(self, scene, where=None, field=False):
        self.scene, self.native, self.field = scene, NativeScene(scene, double(), where), field
        if field:
            self.native.set_field()
        self.config = Config(scene.h, scene.compensation, scene.touch, LAWS.index(scene.law), scene.impacts)
        self.coordinates, self.rates = self.native.told.coordinates, self.native.told.rates
        self.materials = len(scene.materials)
        self.quaternions = tuple(at.start + 3 for body, (at, _) in zip(scene.bodies, scene.spans)
                                 if len(set(body.sizes(scene.dimension))) == 2 and scene.dimension == 3)

    def entry(self, what, index=0, link=0, component=0):
        """The Entry of a number of the scene; see native_learn_what."""
        at = _place_of()(self.native.handle, WHAT.index(what), index, link, component)
        if not at:
            raise TinycontactError(f"{self.scene.name}: has no {what} {index}")
        if what in ("mu", "e"):
            return Entry(at, MATERIAL, index)
        alone = not (self.field or self.scene.joints or self.scene.springs or self.scene.limits)
        if what not in ("gravity", "force") and alone and self.scene.bodies[index].kind != "chain" and self._coasts(index):
            return Entry(at, MOVER, index)
        return Entry(at)

    def _coasts(self, index):
        """Whether a body moves freely in a way that its inertia does not change."""
        return self.scene.dimension == 2 or self.scene.bodies[index].kind == "particle"

    def _columns(self):
        """(coordinate, rate) of all that moves by its rate alone, and (quaternion, its first rate)."""
        flat, turned, q, v = [], [], 0, 0
        while q < self.coordinates:
            if q in self.quaternions:
                turned.append((q, v))
                q, v = q + 4, v + 3
            else:
                flat.append((q, v))
                q, v = q + 1, v + 1
        return flat, turned

    def move_derivative(self, states):
        """[.., state, 2 rates] of states [.., state] by increments of their coordinates and rates."""
        by = np.zeros((*states.shape, 2 * self.rates))
        flat, turned = self._columns()
        for q, v in flat:
            by[..., q, v] = 1.0
        for q, v in turned:
            w, x, y, z = (0.5 * states[..., q + k] for k in range(4))
            for axis, column in enumerate(((-x, w, -z, y), (-y, z, w, -x), (-z, -y, x, w))):
                for k in range(4):
                    by[..., q + k, v + axis] = column[k]
        for v in range(self.rates):
            by[..., self.coordinates + v, self.rates + v] = 1.0
        return by

    def move(self, states, by):
        """States moved by increments [.., 2 rates]."""
        moved = states + np.einsum("...ij,...j->...i", self.move_derivative(states), by)
        for q in self.quaternions:
            moved[..., q:q + 4] /= np.linalg.norm(moved[..., q:q + 4], axis=-1, keepdims=True)
        return moved

    def roll(self, starts, steps, entries, values, beside=None, starts_too=False):
        """A Rolled of starts [chunks, state]. `values` [entries] are written into the scene. `beside`: (high, low)
        [unknowns, entries] and span [unknowns], where derivatives are wanted."""
        starts = np.ascontiguousarray(starts, float)
        chunks, state = starts.shape
        values = np.ascontiguousarray(values, float)
        high, low, span = (np.ascontiguousarray(x, float) for x in beside) if beside else (np.zeros((0, len(values))),) * 3
        table = (_Entry * max(len(entries), 1))(*(_Entry(e.at, e.scope, e.index) for e in entries))
        learn = _Learn(self.native.handle, self.config, len(entries), len(high),
                       ctypes.addressof(table), _place(values), _place(high), _place(low), _place(span))
        out = Rolled()
        out.states = np.zeros((chunks, steps, state))
        out.by_unknown = np.zeros((chunks, steps, state, len(high))) if beside else None
        out.by_start = np.zeros((chunks, steps, state, 2 * self.rates)) if starts_too else None
        out.hits = np.zeros((chunks, steps), np.uint8)
        out.materials = np.zeros((chunks, self.materials), np.uint8)
        out.status = np.zeros(chunks, np.int32)
        rolls = _Rolls(chunks, steps, *map(_place, (starts, out.states, out.by_unknown, out.by_start, out.hits,
                                                    out.materials, out.status)))
        failed = _roll()(learn, rolls)
        if failed < 0:
            raise StatusError("native_learn_roll", failed)
        return out
