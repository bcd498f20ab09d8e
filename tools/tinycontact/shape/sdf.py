# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Signed distances by the library built for this machine: values, gradients and derivatives of many points at once.

    shape = shapefile.load("sole.json")
    found = Sdf(shape).evaluate(points)   # points [n, 3] in the shape's axes [m]
    found.distance, found.gradient, found.derivative

The struct is that of tools/native/sdf.h; nothing of a distance is computed here.
"""
import ctypes
from ctypes import POINTER, c_double, c_int32, c_uint32, c_void_p
from dataclasses import dataclass

import numpy as np

from ..errors import StatusError
from ..library import Library

KINDS = ("halfspace", "sphere", "capsule", "box", "cylinder", "terrain", "grid", "union", "net")   # sdf.c


class NativeShape(ctypes.Structure):
    _fields_ = [("kind", c_int32), ("count", c_int32 * 3), ("size", c_double * 4)] + [
        (name, c_double) for name in ("scale", "spacing", "error")] + [
        ("origin", c_double * 3), ("data", c_void_p), ("code", c_void_p), ("volume", c_double),
        ("centre", c_double * 3), ("inertia", c_double * 6), ("points", c_void_p), ("n_points", c_int32),
        ("position", c_double * 3), ("rotation", c_double * 9)]


@dataclass
class Distances:
    status: np.ndarray       # [n] tc_status
    distance: np.ndarray     # [n] [m]; negative inside
    gradient: np.ndarray     # [n, 3] by the point
    derivative: np.ndarray   # [n, parameters] by the shape's sizes or code, in the library's order


class Given:
    """A shape of shapefile.py as C takes it: `shape`, and `parts`, a table of a union's. Arrays live as long as this."""

    def __init__(self, shape, library):
        self._kept, self._library = [], library
        parts = [self._native(part) for part in shape.parts]
        self.shape, self.parts = self._native(shape), (NativeShape * max(len(parts), 1))(*parts)
        for entry, position in zip(self.parts, shape.offsets):
            entry.position[:] = position

    def _native(self, shape):
        given = NativeShape(kind=KINDS.index(shape.kind), scale=shape.scale, spacing=shape.spacing, error=shape.error)
        given.size[:len(shape.size)] = shape.size
        given.origin[:] = shape.origin
        given.count[:len(shape.count)] = shape.count
        given.data = self._address(shape.data)
        if shape.mass is not None:
            given.volume, given.centre[:], given.inertia[:] = shape.mass[0], shape.mass[1:4], shape.mass[4:]
        if shape.points is not None:
            given.points, given.n_points = self._address(shape.points, np.float64), len(shape.points)
        if shape.kind == "net":
            opened = self._library.nets_of(shape.made.model.to_bytes())
            self._kept.append(opened)
            given.data, given.code = ctypes.addressof(opened.nets[0]), self._address(shape.code, np.float64)
        return given

    def _address(self, values, kind=None):
        if values is None:
            return None
        array = np.ascontiguousarray(values, kind)
        self._kept.append(array)
        return array.ctypes.data


class Sdf:
    """A shape of shapefile.py behind one handle. An error names the part that the library refuses."""

    def __init__(self, shape, library=None):
        library = library or Library()
        self._handle = None
        self._eval = library.function("native_sdf_eval", None, [c_void_p, c_void_p, c_uint32] + [c_void_p] * 4)
        self._mass = library.function("native_sdf_mass", c_int32, [c_void_p, c_void_p])
        self._free = library.function("native_sdf_free", None, [c_void_p])
        opened = library.function("native_sdf_open", c_void_p,
                                  [POINTER(NativeShape), POINTER(NativeShape), c_uint32, POINTER(c_int32),
                                   POINTER(c_int32)])
        count = library.function("native_sdf_parameters", c_uint32, [c_void_p])
        self._given = Given(shape, library)
        status, part = c_int32(), c_int32()
        self._handle = opened(self._given.shape, self._given.parts, len(shape.parts), status, part)
        if not self._handle:
            error = StatusError("native_sdf_open", status.value)
            where = shape.where + (f", parts[{part.value}]" if part.value >= 0 else "")
            error.args = (f"{where}: {error}",)
            raise error
        self.parameters = count(self._handle)

    @property
    def handle(self):
        """For functions of tools/native that take a native_sdf."""
        return self._handle

    @property
    def handle(self):
        """The native_sdf, as long as this object lives."""
        return self._handle

    def __del__(self):
        if self._handle:
            self._free(self._handle)

    def evaluate(self, points):
        points = np.ascontiguousarray(points, np.float64).reshape(-1, 3)
        n = len(points)
        found = Distances(np.zeros(n, np.int32), np.zeros(n), np.zeros((n, 3)), np.zeros((n, self.parameters)))
        self._eval(self._handle, points.ctypes.data, n, found.status.ctypes.data, found.distance.ctypes.data,
                   found.gradient.ctypes.data, found.derivative.ctypes.data)
        return found

    def mass(self):
        """(volume [m3], centre times volume [m4], inertia [xx, yy, zz, xy, xz, yz] [m5]) per density, and the rows of
        their derivatives by the parameters [parameters, 10]; none where they are stored."""
        rows = np.zeros((1 + self.parameters, 10))
        status = self._mass(self._handle, rows.ctypes.data)
        if status < 0:
            raise StatusError("tc_sdf_mass", status)
        return (rows[0, 0], rows[0, 1:4], rows[0, 4:]), rows[1:]
