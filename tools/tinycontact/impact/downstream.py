# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Roll-outs of scenes with directions (tools/native/scene_grad.h): where a scene ends, and how that moves with its start
and its parameters.

    with Carrier(systems.named("billiards")) as carrier:
        end = carrier.carry(q, v, 1024, directions(carrier, v={0: 1.0}))
"""
import ctypes
from ctypes import POINTER, byref, c_double, c_int32, c_uint32, c_void_p
from dataclasses import dataclass

import numpy as np

from ..errors import StatusError, TinycontactError
from .native import NativeScene, Config
from .scene import LAWS

PARAMETERS = ("gravity", "mass", "inertia", "surface", "mu", "e")


class _Direction(ctypes.Structure):
    _fields_ = [(name, c_void_p) for name in ("q", "v", *PARAMETERS)]


class _Carried(ctypes.Structure):
    _fields_ = ([(name, c_void_p) for name in ("q", "v", "path")]
                + [(name, c_uint32) for name in ("leap", "done", "taken", "impacts")]
                + [("status", c_int32), ("note", c_int32)])


@dataclass
class End:
    """Where a roll-out ends: q, v; dq and dv [directions, rates]; path [steps + 1, coordinates] if it was asked for."""
    q: np.ndarray
    v: np.ndarray
    dq: np.ndarray
    dv: np.ndarray
    path: np.ndarray
    impacts: int
    taken: int
    note: int


class Carrier(NativeScene):
    """A scene in a Library (double unless told otherwise), with directions."""

    def __init__(self, scene, library, where=None):
        super().__init__(scene, library, where)
        self._carry = self.library.function("native_scene_carry", c_int32,
                                            [c_void_p, POINTER(Config), c_uint32, POINTER(_Direction), c_uint32,
                                             POINTER(_Carried)])
        self.where = where or scene.name

    def lengths(self):
        s = self.scene
        return {"gravity": 3, "mass": len(s.bodies), "inertia": len(s.bodies), "surface": len(self._surfaces()[0]),
                "mu": len(s.materials), "e": len(s.materials)}

    def carry(self, q, v, steps, along=(), path=False, leap=True):
        """An End. `along`: a dict per direction, of arrays by the names q, v and PARAMETERS; what is missing is 0."""
        s = self.scene
        q, v = (np.array(x, np.float64) for x in (q, v))
        starts = np.zeros((len(along), 2, self.told.rates))
        held, given = [], (_Direction * max(1, len(along)))()
        for k, direction in enumerate(along):
            starts[k, 0], starts[k, 1] = direction.get("q", 0.0), direction.get("v", 0.0)
            given[k].q, given[k].v = starts[k, 0].ctypes.data, starts[k, 1].ctypes.data
            for name in PARAMETERS:
                if name in direction:
                    held.append(np.ascontiguousarray(direction[name], np.float64))
                    setattr(given[k], name, held[-1].ctypes.data)
        rows = np.zeros((steps + 1, self.told.coordinates)) if path else None
        config = Config(s.h, s.compensation, s.touch, LAWS.index(s.law), s.impacts)
        roll = _Carried(q.ctypes.data, v.ctypes.data, rows.ctypes.data if path else None, leap)
        status = self._carry(self._handle, byref(config), steps, given, len(along), byref(roll))
        if status < 0:
            raise TinycontactError(f"{self.where}: "
                                   f"{StatusError('tc_scene_grad_step', status, f'step {roll.done + 1}')}")
        return End(q, v, starts[:, 0], starts[:, 1], rows, roll.impacts, roll.taken, roll.note)
