# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""What rolls systems out: the library on the host (tools/native/cdl.h, whose structs these are), or on a board.

    rolled = machine(Library()).given(system)                        # a systems.System
    rolled = machine(Board()).learned(blob, step, Q0, V0, steps)     # the system of a model file
"""
import ctypes
import struct
from ctypes import POINTER, byref, c_double, c_int32, c_size_t, c_uint32, c_void_p
from dataclasses import dataclass

import numpy as np

from ..board import Board
from ..errors import STATUS


@dataclass
class Rolled:
    """What came of a roll-out: rows 0 to `done` of the arrays are filled; `body` is at fault if status < 0. The first
    positive status of a step is `note`, at step `noted`; `notes` steps had one."""
    Q: np.ndarray         # [steps + 1, n]
    V: np.ndarray
    contact: np.ndarray   # [steps + 1]
    energy: np.ndarray
    status: int = 0
    done: int = 0
    body: int = 0
    note: int = 0
    noted: int = 0
    notes: int = 0


def _begun(Q0, V0, steps):
    """A Rolled with its start in row 0."""
    Q, V = np.zeros((2, steps + 1, len(Q0)))
    Q[0], V[0] = Q0, V0
    return Rolled(Q, V, np.zeros(steps + 1, np.int32), np.zeros(steps + 1))


class _System(ctypes.Structure):
    _fields_ = [("bodies", c_uint32), ("contacts", c_uint32), ("step", c_double), ("restitution", c_double),
                ("rest_speed", c_double), ("mass", c_void_p), ("damping", c_void_p), ("weight", c_void_p),
                ("torque", c_void_p), ("pairs", c_void_p), ("project", c_int32), ("simultaneous", c_int32)]


class _Result(ctypes.Structure):
    _fields_ = [("status", c_int32), ("done", c_uint32), ("body", c_uint32), ("note", c_int32), ("noted", c_uint32),
                ("notes", c_uint32)]


class _Native:
    """By a Library."""

    def __init__(self, library):
        self.library = library

    def given(self, system):
        run = self.library.function("native_cdl_run", c_int32,
                                    [POINTER(_System), c_uint32] + [c_void_p] * 3 + [POINTER(_Result)])
        rolled, result = _begun(system.Q0, system.V0, system.steps), _Result()
        pairs = np.array(system.pairs(), np.int32).reshape(-1, 2)
        held = [np.ascontiguousarray(x, np.float64) for x in (system.M, system.C, system.weight, system.torque)]
        mass, damping, weight, torque = (x.ctypes.data for x in held)   # alive until the call is done
        swings = system.potential == "pendulum"
        given = _System(len(system.m), len(pairs), system.h, system.e, system.rest_speed, mass, damping, weight,
                        torque if swings else None, pairs.ctypes.data, system.proj == "mean",
                        system.order == "simultaneous")
        run(byref(given), system.steps, rolled.Q.ctypes.data, rolled.V.ctypes.data, rolled.contact.ctypes.data,
            byref(result))
        return self._told(rolled, result)

    def learned(self, blob, step, Q0, V0, steps):
        run = self.library.function("native_cdl_learned", c_int32, [c_void_p, c_size_t, c_double, c_uint32, c_uint32]
                                    + [c_void_p] * 4 + [POINTER(_Result)])
        rolled, result = _begun(Q0, V0, steps), _Result()
        run(blob, len(blob), step, len(Q0), steps, rolled.Q.ctypes.data, rolled.V.ctypes.data,
            rolled.contact.ctypes.data, rolled.energy.ctypes.data, byref(result))
        return self._told(rolled, result)

    @staticmethod
    def _told(rolled, result):
        for name, _ in _Result._fields_:
            setattr(rolled, name, getattr(result, name))
        return rolled


class _OnBoard:
    """By a Board."""

    def __init__(self, board):
        self.board = board

    def given(self, system):
        pairs = [body | (other & 0xFFFF) << 16 for body, other in system.pairs()]
        head = struct.pack("<3f5I", system.h, system.e, system.rest_speed, len(system.m), len(pairs),
                           system.proj == "mean", system.order == "simultaneous", system.potential == "pendulum")
        with np.errstate(over="ignore"):   # the board refuses what float cannot hold
            numbers = np.concatenate([system.M, system.C, system.weight, system.torque]).astype("<f4").tobytes()
        status, body = self.board.take_system(head + numbers + np.array(pairs, "<u4").tobytes())
        return self._rolled(status, body, system.Q0, system.V0, system.steps)

    def learned(self, blob, step, Q0, V0, steps):
        status, coordinates = self.board.take_learned(blob, step)
        if status >= 0 and coordinates != len(Q0):
            status = STATUS["TC_ERR_SIZE"][0]
        return self._rolled(status, 0, Q0, V0, steps)

    def _rolled(self, status, body, Q0, V0, steps):
        """As many requests as it takes; `status`, `body` of taking the system."""
        rolled = _begun(np.float32(Q0), np.float32(V0), steps)
        rolled.status, rolled.body = status, body
        while rolled.status >= 0:
            at = rolled.done
            rolled.status, rolled.body, energy, rows = self.board.roll(rolled.Q[at], rolled.V[at], steps - at)
            if at == 0:
                rolled.energy[0] = energy
            self._take(rolled, rows)
            if rolled.done == steps:
                break
        return rolled

    @staticmethod
    def _take(rolled, rows):
        new = slice(rolled.done + 1, rolled.done + 1 + len(rows))
        for array, field in ((rolled.Q, "Q"), (rolled.V, "V"), (rolled.contact, "acting"), (rolled.energy, "energy")):
            array[new] = rows[field]
        noted = np.flatnonzero(rows["status"] > 0)
        if len(noted) and not rolled.notes:
            rolled.note, rolled.noted = int(rows["status"][noted[0]]), rolled.done + 1 + int(noted[0])
        rolled.notes += len(noted)
        rolled.done += len(rows)


def machine(computer):
    """What has `given` and `learned`, by a Library or a Board."""
    return _OnBoard(computer) if isinstance(computer, Board) else _Native(computer)
