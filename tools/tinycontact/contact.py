# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The library's data-augmented contact model of a planar body: one step, or throws until they rest.

    model = ContactModel("foot.tcm", shapes.load("foot.json"))
    model.replay(states, patches)     # Algorithm 1 on states [n, 5] of (y, theta, vx, vy, omega)
    model.player("toc").results(rows) # closed loop of the library's own step

Every number comes from the library built for this machine, whose bits are those of the boards, through the calls of
tools/native/native.h; nothing of the contact model is computed here. The structs are those of that header.
"""
import ctypes
import functools
from ctypes import POINTER, c_double, c_int32, c_size_t, c_uint32, c_void_p

import numpy as np

from .errors import StatusError, TinycontactError
from .library import Library
from .model import load_with_info, read_bytes
from .progress import progress
from .record import POSITIONS
from .sim import throws

CLASSES = ("static", "dynamic", "detach", "none")
FLAGS = ("overruled", "pulled", "clamped", "out_of_range", "fallback")   # bits of tc_learned_flags, in their order
MOST_STEPS = throws.MAX_STEPS
ROUND = 256   # directions of a drawn outline of a rounded body


class NativeBody(ctypes.Structure):
    _fields_ = [(name, c_double) for name in ("mass", "inertia", "step", "gravity", "restitution", "radius")] + [
        ("vertices", c_void_p), ("count", c_uint32), ("positions", c_int32)]


class _Throw(ctypes.Structure):
    _fields_ = [("status", c_int32), ("bounces", c_int32), ("at_rest", c_int32), ("steps", c_int32),
                ("notes", c_uint32 * len(FLAGS)), ("state", c_double * 6), ("deepest", c_double)]


ROW = np.dtype([("status", np.int32), ("branch", np.int32), ("said", np.int32), ("flags", np.uint32),
                ("probability", np.float64, 3), ("ratio", np.float64), ("friction", np.float64),
                ("normal", np.float64), ("torque", np.float64), ("velocity", np.float64, 3)], align=True)
STEP = np.dtype([("position", np.float64, 3), ("velocity", np.float64, 3), ("friction", np.float64),
                 ("normal", np.float64), ("torque", np.float64), ("branch", np.float64)])


def declared(c):
    """The functions of native.h with their argument types."""
    c.native_open.argtypes = [POINTER(NativeBody), c_void_p, c_size_t, POINTER(c_int32), POINTER(c_uint32)]
    c.native_open.restype = c_void_p
    c.native_free.argtypes, c.native_free.restype = [c_void_p], None
    c.native_replay.argtypes = [c_void_p, c_void_p, c_void_p, c_uint32, c_void_p]
    c.native_open_coulomb.argtypes = [POINTER(NativeBody), c_double, c_double, POINTER(c_int32)]
    c.native_open_coulomb.restype = c_void_p
    c.native_lean.argtypes, c.native_lean.restype = [c_void_p, c_double], None
    c.native_paths.argtypes = [c_void_p, c_void_p, c_void_p, c_uint32, c_void_p]
    c.native_throw.argtypes = [c_void_p, c_void_p, POINTER(_Throw), c_void_p, c_uint32]
    return c


def _failed(where, function, status):
    error = StatusError(function, status)
    error.args = (f"{where}: {error}",)
    return error


class _Handle:
    """A native handle and what must live as long; freed with this object. blob: a model file's bytes, or the
    coefficient of exact Coulomb friction."""

    def __init__(self, c, body, positions, path, blob):
        self._c, self._handle = c, None
        vertices = np.ascontiguousarray(body.vertices, np.float64)
        status, fault = c_int32(), c_uint32()
        given = NativeBody(body.mass, body.inertia, body.h, body.g, body.restitution, body.radius, vertices.ctypes.data,
                      len(vertices), POSITIONS.index(positions))
        if isinstance(blob, float):
            self._handle = c.native_open_coulomb(given, blob, blob, status)
        else:
            self._handle = c.native_open(given, blob, len(blob), status, fault)
        if not self._handle:
            raise _failed(path, "native_open", status.value)
        c.native_lean(self._handle, body.lean)

    def __del__(self):
        if self._handle:
            self._c.native_free(self._handle)

    def replay(self, states, patch):
        rows = np.zeros(len(states), ROW)
        self._c.native_replay(self._handle, states.ctypes.data, patch.ctypes.data, len(states), rows.ctypes.data)
        return rows

    def throw(self, state, steps=None):
        """(_Throw, path or None); `steps`: an array of STEP to write the path into."""
        result = _Throw()
        room = 0 if steps is None else len(steps)
        self._c.native_throw(self._handle, state.ctypes.data, result, None if steps is None else steps.ctypes.data,
                             room)
        return result


    def paths(self, states, steps):
        """[poses [steps, 3], ...] after each step from `states` [n, 6]: no end at rest."""
        states, steps = np.ascontiguousarray(states, float), np.ascontiguousarray(steps, np.uint32)
        poses = np.zeros((int(steps.sum()), 3))
        self._c.native_paths(self._handle, states.ctypes.data, steps.ctypes.data, len(steps), poses.ctypes.data)
        return np.split(poses, np.cumsum(steps)[:-1])


@functools.cache
def _library(backend):
    return declared(Library(backend)._c)


def roller(body, positions, law, backend="portable"):
    """What rolls a body's throws: `law` is a Model, or a coefficient of exact Coulomb friction."""
    blob = float(law) if np.isscalar(law) else law.to_bytes()
    return _Handle(_library(backend), body, positions, body.name, blob)


class ContactModel:
    """A trained planar model, opened for one body: its mass, inertia and step must be those of the training.

    `record`, `hash` (32 hexadecimal digits) and `body` say what it is. backend: of the Library.
    """

    def __init__(self, path, body, backend="portable"):
        model, _ = load_with_info(path)
        check_body(path, model, body)
        self.path, self.body, self.record, self.hash = str(path), body, model.contact, model.hash()
        self.step_size = float(model.step_size)
        self._c = declared(Library(backend)._c)
        self._blob, self._handles = read_bytes(path), {}
        self.opened_as(self.record.positions)   # what is wrong is told now

    def opened_as(self, positions):
        """The handle for a position scheme, made when first asked for."""
        if positions not in self._handles:
            self._handles[positions] = _Handle(self._c, self.body, positions, self.path, self._blob)
        return self._handles[positions]

    def trained_for(self):
        r = self.record
        return (f"{r.mass:g} kg, {r.inertia[0]:g} kg m^2, h = {self.step_size:g} s, e = {r.restitution:g},"
                f" positions {r.positions}")

    def outline(self):
        """The body's outline [n, 2] in its frame, for drawing."""
        if self.body.radius == 0:
            return self.body.vertices
        angle = np.arange(ROUND) * (2 * np.pi / ROUND)
        circle = np.stack([np.cos(angle), np.sin(angle)], axis=1)
        return self.body.vertices[np.argmax(self.body.vertices @ circle.T, axis=0)] + self.body.radius * circle

    def replay(self, states, dimension=None, where=None):
        """Algorithm 1 on each state [n, 5] of (y, theta, vx, vy, omega), gravity of the body's file integrated first:
        a structured array with branch (index into CLASSES), flags, probability, friction, normal [N s], torque [N m s]
        and velocity. dimension [n]: 0 the lowest vertex touches, 1 the lowest side, -1 (and None) what is at the floor.
        `where(row)` is what an error calls a row."""
        states = np.ascontiguousarray(states, np.float64).reshape(-1, 5)
        patch = np.full(len(states), -1) if dimension is None else dimension
        rows = self.opened_as(self.record.positions).replay(states, np.ascontiguousarray(patch, np.int32))
        bad = np.flatnonzero(rows["status"] < 0)
        if len(bad):
            raise _failed(where(bad[0]) if where else f"state {bad[0]}", "tc_foot2_respond",
                          int(rows["status"][bad[0]]))
        return rows

    def player(self, positions="dart"):
        """Plays throws in a position scheme; see report.truth."""
        return Player(self, positions)


class Player:
    """Throws by the library's own step. After `results`, `noted` has per throw how many steps had each of FLAGS."""

    name = "model"

    def __init__(self, model, positions):
        self._model, self._handle = model, model.opened_as(positions)
        self.noted = np.zeros((0, len(FLAGS)), int)

    def _throw(self, row, where, steps=None):
        position, velocity = throws.starts([row])
        done = self._handle.throw(np.concatenate([position[0], velocity[0]]), steps)
        if done.status < 0:
            raise _failed(where, "tc_foot2_step", done.status)
        return done

    def results(self, rows, where=lambda index: f"throw {index}"):
        """The sim.throws.Results of rows (y0, theta0 [deg], vx0, omega0)."""
        done = [self._throw(row, where(index)) for index, row in progress(rows, "throw")]
        self.noted = np.array([list(d.notes) for d in done], int).reshape(len(done), len(FLAGS))
        steps, rest = np.array([d.steps for d in done], int), np.array([d.at_rest for d in done], bool)
        began = np.where(rest, (steps - throws.REST_STEPS) * self._model.body.h, np.inf)
        return throws.Results(np.array([d.bounces for d in done], int), np.array([d.state[0] for d in done]),
                              np.array([d.state[2] for d in done]), rest, steps, began)

    def path(self, row):
        """One throw step by step: an array of STEP, the first the start."""
        steps = np.zeros(MOST_STEPS + 1, STEP)
        return steps[:self._throw(row, "throw", steps).steps + 1]

    def paths(self, rows):
        return [self.path(row)["position"] for row in rows]


def check_body(path, model, body):
    """Refuses what was not trained for this body, with the field that differs."""
    record = model.contact
    if record is None:
        raise TinycontactError(f"{path}: is no contact model (it has no contact record);"
                               " `tinycontact body train` makes one")
    if record.kind != "planar":
        raise TinycontactError(f"{path}: kind is {record.kind}, but {body.name} is a planar body")
    why = record.mismatch(body.mass, body.inertia, model.step_size, body.h)
    if why is not None:
        raise TinycontactError(f"{body.name}: {why}; {path} cannot be used for it")
