# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Scenes in the library, by ctypes: tools/native/scene.h, struct by struct."""
import ctypes
from ctypes import POINTER, byref, c_double, c_int32, c_uint32, c_void_p

import numpy as np

from ..errors import StatusError, TinycontactError
from ..library import Library
from .scene import JOINTS, KINDS, LAWS, LIMITS, TIES, WORLD

TABLES = ("scene", "bodies", "shapes and planes", "materials", "contacts", "joints", "limits", "springs")
TOUCH, FRAME = 9, 18   # NATIVE_SCENE_TOUCH, NATIVE_SCENE_FRAME


class _Link(ctypes.Structure):
    _fields_ = [("joint", c_int32), ("mass", c_double), ("inertia", c_double * 3), ("anchor", c_double * 3),
                ("arm", c_double * 3), ("axis", c_double * 3), ("rest", c_double * 4)]


class _Mover(ctypes.Structure):
    _fields_ = [("kind", c_int32), ("links", c_uint32), ("link", POINTER(_Link))]


class _Surface(ctypes.Structure):
    _fields_ = [("mover", c_uint32), ("link", c_uint32), ("centred", c_uint32), ("count", c_uint32),
                ("vertices", POINTER(c_double)), ("radius", c_double), ("normal", c_double * 3), ("offset", c_double)]


class _Point(ctypes.Structure):
    _fields_ = [("mover", c_uint32), ("link", c_uint32), ("at", c_double * 3)]


class _Joint(ctypes.Structure):
    _fields_ = [("kind", c_int32), ("a", _Point), ("b", _Point), ("length", c_double)]


class _Limit(ctypes.Structure):
    _fields_ = [("kind", c_int32), ("mover", c_uint32), ("coordinate", c_uint32), ("point", _Point * 3),
                ("low", c_double), ("high", c_double)]


class _Spring(ctypes.Structure):
    _fields_ = [("a", _Point), ("b", _Point), ("stiffness", c_double), ("length", c_double)]


class _Given(ctypes.Structure):
    _fields_ = ([("dimension", c_uint32), ("gravity", c_double * 3)]
                + [(name, c_uint32) for name in ("movers", "surfaces", "materials", "pairs", "joints", "limits",
                                                 "springs")]
                + [("mover", POINTER(_Mover)), ("surface", POINTER(_Surface)), ("material", c_void_p),
                   ("pair", c_void_p), ("joint", POINTER(_Joint)), ("limit", POINTER(_Limit)),
                   ("spring", POINTER(_Spring))])


class Distance(ctypes.Structure):
    """native_field_distance"""
    _fields_ = [("a", c_uint32), ("b", c_uint32), ("at", c_double * 3)]


class Config(ctypes.Structure):
    _fields_ = [("h", c_double), ("compensation", c_double), ("touch", c_double), ("law", c_int32),
                ("impacts", c_uint32)]


class _Told(ctypes.Structure):
    _fields_ = [("status", c_int32), ("table", c_int32), ("index", c_uint32), ("coordinates", c_uint32),
                ("rates", c_uint32), ("links", c_uint32), ("joint_rows", c_uint32)]


class Roll(ctypes.Structure):
    """What a roll-out came to: native_scene_roll."""
    _fields_ = ([(name, c_void_p) for name in ("q", "v", "energy", "touch")]
                + [("touches_max", c_uint32), ("touches", c_uint32), ("done", c_uint32), ("status", c_int32),
                   ("note", c_int32), ("noted", c_uint32), ("notes", c_uint32), ("impacts", c_uint32),
                   ("dropped", c_uint32), ("stopped", c_uint32), ("residual", c_double)])


def _array(kind, entries):
    return (kind * max(1, len(entries)))(*entries)


def _doubles(x):
    return (c_double * len(x))(*x)


def _point(point):
    body, link, at = point
    return _Point(body, link, _doubles(at))


class NativeScene:
    """A scene.Scene in a Library. Close it, or use it as a context."""

    def __init__(self, scene, library=None, where=None):
        self.library, self.scene = library or Library(), scene
        self._held = []
        take = self.library.function("native_scene_open", c_void_p, [POINTER(_Given), POINTER(_Told)])
        self._free = self.library.function("native_scene_free", None, [c_void_p])
        self._run = self.library.function("native_scene_run", c_int32,
                                          [c_void_p, POINTER(Config), c_uint32, POINTER(Roll)])
        self._look = self.library.function("native_scene_look", c_int32, [c_void_p] * 6)
        self._set_field = self.library.function("native_scene_set_field", c_int32,
                                                [c_void_p, c_void_p, c_uint32, c_void_p, c_void_p])
        told = _Told()
        self._handle = take(byref(self._given()), byref(told))
        if not self._handle:
            detail = "" if told.table == 0 else f"{TABLES[told.table]}, entry {told.index}"
            raise TinycontactError(f"{where or scene.name}: {StatusError('tc_scene_check', told.status, detail)}")
        self.told = told
        if scene.potential is not None:
            self.set_potential(scene.potential)

    @property
    def handle(self):
        """The native_scene."""
        return self._handle

    def close(self):
        if self._handle:
            self._free(self._handle)
        self._handle = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    # ---- The scene as C takes it

    def _given(self):
        s = self.scene
        surfaces, index = self._surfaces()
        pairs = np.array([(index[a], index[b], m) for a, b, m in s.pairs], np.uint32).reshape(-1, 3)
        materials = np.array([m[1:] for m in s.materials], np.float64).reshape(-1, 2)
        joints = [_Joint(TIES.index(kind), _point(a), _point(b), length) for kind, a, b, length in s.joints]
        limits = [_Limit(LIMITS.index(kind), body, coordinate, (_Point * 3)(*[_point(p) for p in points]), low, high)
                  for kind, body, coordinate, points, low, high in s.limits]
        springs = [_Spring(_point(a), _point(b), k, length) for a, b, k, length in s.springs]
        self._held += [pairs, materials]
        return _Given(s.dimension, _doubles(s.gravity), len(s.bodies), len(surfaces), len(materials), len(pairs),
                      len(joints), len(limits), len(springs), _array(_Mover, [self._mover(b) for b in s.bodies]),
                      _array(_Surface, surfaces), materials.ctypes.data, pairs.ctypes.data, _array(_Joint, joints),
                      _array(_Limit, limits), _array(_Spring, springs))

    def _mover(self, body):
        links = _array(_Link, [_Link(JOINTS.index(k.joint), k.mass, _doubles(k.inertia), _doubles(k.anchor),
                                     _doubles(k.arm), _doubles(k.axis), _doubles(k.rest)) for k in body.links])
        self._held.append(links)
        return _Mover(KINDS.index(body.kind), len(body.links), links)

    def _surfaces(self):
        """The surfaces that pairs name, and the index of each."""
        found, index = [], {}
        for a, b, _ in self.scene.pairs:
            for name in (a, b):
                if name not in index:
                    index[name] = len(found)
                    found.append(self._surface(name))
        return found, index

    def _surface(self, name):
        if isinstance(name, str):
            normal, offset = self.scene.planes[name]
            return _Surface(WORLD, 0, 0, 0, None, 0.0, _doubles(normal), offset)
        shape = self.scene.bodies[name[0]].links[name[1]].shape
        vertices = _doubles(shape.vertices.ravel())
        self._held.append(vertices)
        return _Surface(*name, shape.centred, len(shape.vertices), vertices, shape.radius)

    def set_potential(self, potential):
        """Gives the scene a scene.Potential, its net opened by the library as a target opens it."""
        from ..model import Model
        net = potential.net
        opened = None if net is None else self.library.nets_of(Model([net]).to_bytes())
        self.set_field(None if net is None else opened.nets[0], potential.distances if net else (), potential.forces)
        self._opened = opened   # the library keeps the net's place

    def set_field(self, net=None, distances=(), force=None):
        """A net (the library's tc_net, kept by the caller), its distances [(link a, link b or None, point of the world)],
        constant forces [links, 3], None: as they are; see tools/native/field.h."""
        table = _array(Distance, [Distance(a, WORLD if b is None else b, _doubles(at)) for a, b, at in distances])
        force = None if force is None else np.ascontiguousarray(force, np.float64)
        status = self._set_field(self._handle, None if net is None else ctypes.addressof(net), len(distances), table,
                                 None if force is None else force.ctypes.data)
        if status < 0:
            raise StatusError("native_scene_set_field", status)

    # ---- What it does

    def roll(self, q, v, steps, contacts=True):
        """(Roll, q [steps + 1, n], v, energy [steps + 1, 2], touches [?, 9])."""
        s = self.scene
        Q, V = np.zeros((steps + 1, self.told.coordinates)), np.zeros((steps + 1, self.told.rates))
        Q[0], V[0] = q, v
        energy = np.zeros((steps + 1, 2))
        config = Config(s.h, s.compensation, s.touch, LAWS.index(s.law), s.impacts)
        room = 4 * steps + 64 if contacts else 0
        while True:
            touch = np.zeros((max(room, 1), TOUCH))
            roll = Roll(Q.ctypes.data, V.ctypes.data, energy.ctypes.data, touch.ctypes.data if room else None, room)
            self._run(self._handle, byref(config), steps, byref(roll))
            if roll.touches <= room or not contacts:
                return roll, Q, V, energy, touch[:min(roll.touches, room)]
            room = roll.touches

    def look(self, q, v):
        """(status, frames [links, 18], gaps [pairs + limits], errors of the joints [rows]) at q, v."""
        s = self.scene
        q, v = (np.ascontiguousarray(x, np.float64) for x in (q, v))
        frames = np.zeros((self.told.links, FRAME))
        gaps, errors = np.zeros(len(s.pairs) + len(s.limits)), np.zeros(self.told.joint_rows)
        status = self._look(self._handle, *(x.ctypes.data for x in (q, v, frames, gaps, errors)))
        return status, frames, gaps, errors
