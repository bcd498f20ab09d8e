# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Roll-outs of systems by the library: tools/native/cdl.h, whose structs these are.

    run = simulate(systems.load("ball.json")[0][0])
    run = simulate_model("ball.tcm", Q0=[10], V0=[0], steps=500)     # by the nets of a model file
    run.Q, run.V, run.contact, run.energy                            # steps + 1 rows
"""
import ctypes
from ctypes import POINTER, byref, c_double, c_int32, c_size_t, c_uint32, c_void_p
from dataclasses import dataclass

import numpy as np

from ..errors import StatusError, TinycontactError
from ..library import Library
from ..model import load_with_info, read_bytes
from ..record_system import SystemRecord


class _System(ctypes.Structure):
    _fields_ = [("bodies", c_uint32), ("contacts", c_uint32), ("step", c_double), ("restitution", c_double),
                ("rest_speed", c_double), ("mass", c_void_p), ("damping", c_void_p), ("weight", c_void_p),
                ("torque", c_void_p), ("pairs", c_void_p), ("project", c_int32), ("simultaneous", c_int32)]


class _Result(ctypes.Structure):
    _fields_ = [("status", c_int32), ("steps", c_uint32), ("body", c_uint32), ("unused", c_uint32)]


@dataclass
class Run:
    """Row n: Q at t_n, V at t_n+1/2, how many contacts acted at Q[n], and 1/2 V[n]^T M V[n] + U(Q[n]); row 0: start."""
    name: str
    Q: np.ndarray         # [steps + 1, K]
    V: np.ndarray
    contact: np.ndarray   # [steps + 1]
    energy: np.ndarray

    def as_json(self):
        return {"name": self.name, "Q": self.Q.tolist(), "V": self.V.tolist(),
                "contact": (self.contact > 0).astype(int).tolist(), "energy": self.energy.tolist()}


def simulate(system, library=None, where=None):
    """A Run of a systems.System by `library` (default: the float32 build). `where` begins errors."""
    library = library or Library()
    run = library.function("native_cdl_run", c_int32,
                           [POINTER(_System), c_uint32] + [c_void_p] * 3 + [POINTER(_Result)])
    K, where = len(system.m), where or system.name
    weight = -system.m * system.g if system.potential == "gravity" else np.zeros(K)
    torque = system.m * system.g * system.l if system.potential == "pendulum" else None
    pairs = np.array(system.pairs(), np.int32).reshape(-1, 2)
    held = [np.ascontiguousarray(x, np.float64) for x in (system.M, system.C, weight)]   # alive until the call is done
    given = _System(K, len(pairs), system.h, system.e, system.rest_speed, *(x.ctypes.data for x in held),
                    None if torque is None else torque.ctypes.data, pairs.ctypes.data, system.proj == "mean",
                    system.order == "simultaneous")
    Q, V = np.zeros((2, system.steps + 1, K))
    contact, result = np.zeros(system.steps + 1, np.int32), _Result()
    Q[0], V[0] = system.Q0, system.V0
    status = run(byref(given), system.steps, Q.ctypes.data, V.ctypes.data, contact.ctypes.data, byref(result))
    if status < 0:
        error = StatusError("tc_cdl_step", status, f"step {result.steps + 1}, body {result.body + 1}")
        raise TinycontactError(f"{where}: {error}")
    return Run(system.name, Q, V, contact, system.energy(Q, V))


def system_model(path):
    """(Model, number of coordinates) of a model file that holds a system."""
    model, _ = load_with_info(path)
    if not isinstance(model.contact, SystemRecord):
        raise TinycontactError(f"{path}: holds no CD-Lagrange system; `tinycontact cdl train` makes one")
    return model, len(model.contact.mass) * model.contact.dimension


def simulate_model(path, Q0, V0, steps, library=None, name=None, where=None):
    """A Run of the system in a model file by its own nets, step and contacts; Q0, V0 [K d]. The energy is 1/2 V^T M V
    and what the potential net says, whose zero is arbitrary. `where` begins errors of the roll-out."""
    library = library or Library()
    model, n = system_model(path)
    Q, V = np.zeros((2, steps + 1, n))
    for field, rows, start in (("Q0", Q, Q0), ("V0", V, V0)):
        if np.shape(start) != (n,):
            raise TinycontactError(f"{path}: {field} has {np.size(start)} numbers, but the system has {n} coordinates")
        rows[0] = start
    run = library.function("native_cdl_learned", c_int32, [c_void_p, c_size_t, c_double, c_uint32, c_uint32]
                           + [c_void_p] * 4 + [POINTER(_Result)])
    blob, contact, energy, result = read_bytes(path), np.zeros(steps + 1, np.int32), np.zeros(steps + 1), _Result()
    status = run(blob, len(blob), float(model.step_size), n, steps, Q.ctypes.data, V.ctypes.data, contact.ctypes.data,
                 energy.ctypes.data, byref(result))
    if status < 0:
        error = StatusError("tc_cdl_step", status, f"step {result.steps + 1}")
        raise TinycontactError(f"{where or path}: {error}")
    return Run(name or str(path), Q, V, contact, energy)
