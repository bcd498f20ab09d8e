# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The barrier potential of bodies of many convex pieces, by trees of bounding spheres, on as many threads as wanted.

    ball = triangles(vertices, faces)                       # or a list of [n, 3] arrays: convex pieces
    scene = Hierarchy([ball], [0] * 16, threads=2)          # 16 bodies that share a mesh
    found = scene.potential(rotations, positions)           # [16, 3, 3], [16, 3]
    found.value, found.gradient, found.hessian              # by t and theta of each body in turn, world axes

The sum has no constant A per pair of pieces. Its bits do not depend on the number of threads. Planes between pieces are
kept from call to call. The structs are those of tools/native/hierarchy.h.
"""
import ctypes
import os
from concurrent.futures import ThreadPoolExecutor
from ctypes import POINTER, c_double, c_int32, c_uint32, c_void_p
from dataclasses import dataclass

import numpy as np

from .errors import StatusError, TinycontactError
from .library import Library

SLOTS = 8192   # kept planes of a pair of bodies


class _Scene(ctypes.Structure):
    _fields_ = [("bodies", c_uint32), ("meshes", c_uint32)] + [
        (name, c_void_p) for name in ("mesh", "pieces", "counts", "radii", "points")] + [
        (name, c_double) for name in ("A", "kappa", "length", "epsilon")] + [("slots", c_uint32)]


@dataclass
class Potential:
    value: float             # [1/m]
    gradient: np.ndarray     # [6 bodies], or None
    hessian: np.ndarray      # [6 bodies, 6 bodies], or None
    exact: int               # pairs of pieces that were solved
    centred: int             # pairs of spheres taken as points
    newton: int              # Newton steps of the exact pairs
    status: int              # 0, or a note: the worst of the pairs


class Touching(TinycontactError):
    """Two bodies touch or overlap: `bodies` their numbers."""

    def __init__(self, bodies, error):
        self.bodies = bodies
        super().__init__(f"bodies {bodies[0]} and {bodies[1]}: {error}")


def triangles(vertices, faces):
    """The pieces of a mesh: [faces, 3, 3]."""
    return np.asarray(vertices, np.float64)[np.asarray(faces, np.int64)]


class Hierarchy:
    """Bodies behind one handle. meshes: for each a list of convex pieces, [n, 3] arrays [m] in body's axes about the
    point that the body's position names; radii: for each mesh the roundings of its pieces, None: sharp. bodies: the
    mesh of each. A, kappa, length: tc_barrier_config; epsilon: tc_hierarchy_config."""

    def __init__(self, meshes, bodies, radii=None, epsilon=0.5, A=12.0, kappa=1.0, length=0.0, slots=SLOTS, threads=1,
                 library=None):
        library = library or Library(real="double")
        self._handle = None
        self._free = library.function("native_hierarchy_free", None, [c_void_p])
        self._begin = library.function("native_hierarchy_begin", None, [c_void_p, c_void_p, c_int32])
        self._take = library.function("native_hierarchy_take", None, [c_void_p])
        self._sum = library.function("native_hierarchy_sum", c_int32, [c_void_p] * 6)
        opened = library.function("native_hierarchy_open", c_void_p,
                                  [POINTER(_Scene), POINTER(c_int32), POINTER(c_uint32)])
        pieces = [[np.ascontiguousarray(piece, np.float64).reshape(-1, 3) for piece in mesh] for mesh in meshes]
        counts = [len(piece) for mesh in pieces for piece in mesh]
        rounding = [r for k, mesh in enumerate(pieces)
                    for r in np.broadcast_to(0.0 if radii is None or radii[k] is None else radii[k], len(mesh))]
        kept = [np.array(bodies, np.uint32), np.array([len(mesh) for mesh in pieces], np.uint32),
                np.array(counts, np.uint32), np.array(rounding, np.float64),
                np.concatenate([piece for mesh in pieces for piece in mesh] or [np.zeros((0, 3))])]
        scene = _Scene(len(bodies), len(pieces), *[array.ctypes.data for array in kept], A, kappa, length, epsilon, slots)
        status, mesh = c_int32(), c_uint32()
        self._handle = opened(scene, status, mesh)
        if not self._handle:
            error = StatusError("tc_hierarchy_build", status.value)
            error.args = (f"mesh {mesh.value}: {error}",)
            raise error
        self.bodies, self.threads = len(bodies), threads or os.cpu_count()
        self._pool = ThreadPoolExecutor(self.threads - 1) if self.threads > 1 else None

    def __del__(self):
        if self._handle:
            if self._pool:
                self._pool.shutdown()
            self._free(self._handle)

    def potential(self, rotations, positions, derive=True):
        """Raises Touching where no plane lies between two pieces."""
        n = self.bodies
        poses = np.ascontiguousarray(np.concatenate([np.asarray(rotations, np.float64).reshape(n, 9),
                                                     np.asarray(positions, np.float64).reshape(n, 3)], axis=1))
        self._begin(self._handle, poses.ctypes.data, int(derive))
        others = [self._pool.submit(self._take, self._handle) for _ in range(self.threads - 1)]
        self._take(self._handle)
        for other in others:
            other.result()
        value, counts, bad = c_double(), (c_double * 3)(), (c_uint32 * 2)()
        gradient = np.empty(6 * n) if derive else None
        hessian = np.empty((6 * n, 6 * n)) if derive else None
        status = self._sum(self._handle, ctypes.byref(value), gradient.ctypes.data if derive else None,
                           hessian.ctypes.data if derive else None, counts, bad)
        if status < 0:
            error = StatusError("tc_hierarchy_derive", status)
            if error.status == "TC_ERR_TOUCHING":
                raise Touching(tuple(bad), error)
            error.args = (f"bodies {bad[0]} and {bad[1]}: {error}",)
            raise error
        return Potential(value.value, gradient, hessian, *[int(count) for count in counts], status)
