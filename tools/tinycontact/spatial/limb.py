# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The box as the last link of the limb of sim.limb_truth, by the library: tools/native/limb.h, whose structs these are.

    foot = Foot.of_model("box.tcm")           # or Foot.of_coulomb(): the ceiling
    ticks = roll(foot, pin=0.4, q=[0, 0, 0])  # an array of TICK
"""
import ctypes
from ctypes import POINTER, byref, c_double, c_int32, c_uint32, c_void_p

import numpy as np

from ..errors import StatusError, TinycontactError
from ..library import Library
from ..model import read_bytes
from ..progress import progress
from ..sim import limb_truth as truth
from ..sim import spatial_truth as box

DOF = 13   # TC_CHAIN3_DOF
DART = 0   # TC_SCHEME_DART
TICK = np.dtype([("q", np.float64, DOF + 1), ("qd", np.float64, DOF), ("energy", np.float64), ("penetration", np.float64),
                 ("status", np.int32), ("contacts", np.int32), ("branch", np.int32), ("ratios", np.int32),
                 ("classes", np.int32), ("consistent", np.int32)], align=True)


class _Body(ctypes.Structure):
    _fields_ = [("mass", c_double), ("inertia", c_double * 3), ("step", c_double), ("gravity", c_double),
                ("restitution", c_double), ("radius", c_double), ("vertices", c_void_p), ("count", c_uint32),
                ("positions", c_int32), ("rounds", c_uint32), ("frozen", c_uint32), ("warm", c_int32)]


class _Link(ctypes.Structure):
    _fields_ = [("mass", c_double), ("inertia", c_double * 3), ("anchor", c_double * 3), ("axis", c_double * 3),
                ("rest", c_double * 4), ("arm", c_double * 3), ("joint", c_int32), ("unused", c_int32)]


def _body(vertices, rounds):
    body = _Body(box.MASS, tuple(box.inertia()), box.H, box.G, 0.0, 0.0, vertices.ctypes.data, len(vertices), DART, rounds, 4)
    body.warm = 1
    return body


class Foot:
    """The box and its law behind a native handle. Made by of_model or of_coulomb."""

    def __init__(self, real, open_it, rounds):
        self._c = Library(real=real)._c
        self._c.native_limb_run.argtypes = [c_void_p, POINTER(_Link), c_uint32, c_void_p, c_void_p, c_uint32, c_void_p]
        self._c.native_spatial_free.argtypes = [c_void_p]
        vertices, status = np.ascontiguousarray(box.vertices(), np.float64), c_int32()
        self.handle = open_it(self._c, _body(vertices, rounds), status)
        if not self.handle:
            raise StatusError("native_spatial_open", status.value)

    @classmethod
    def of_model(cls, path, real="float", rounds=0):
        """A trained model, which must be of this box."""
        blob = read_bytes(path)

        def open_it(c, body, status):
            c.native_spatial_open.restype = c_void_p
            c.native_spatial_open.argtypes = [POINTER(_Body), ctypes.c_char_p, ctypes.c_size_t, POINTER(c_int32), c_void_p]
            return c.native_spatial_open(byref(body), blob, len(blob), byref(status), None)
        return cls(real, open_it, rounds)

    @classmethod
    def of_coulomb(cls, mu=box.MU, real="float", rounds=0):
        """Exact Coulomb friction in place of a learned law."""
        def open_it(c, body, status):
            c.native_spatial_open_coulomb.restype = c_void_p
            c.native_spatial_open_coulomb.argtypes = [POINTER(_Body), c_double, POINTER(c_int32)]
            return c.native_spatial_open_coulomb(byref(body), mu, byref(status))
        return cls(real, open_it, rounds)

    def __del__(self):
        if getattr(self, "handle", None):
            self._c.native_spatial_free(self.handle)


def _links(pin):
    links = (_Link * truth.JOINTS)()
    for link, (mass, inertia, anchor, axis, arm) in zip(links, truth.links(pin)):
        link.mass, link.inertia[:] = mass, inertia
        link.anchor[:], link.axis[:], link.arm[:] = anchor, axis, arm
        link.rest[:] = (1.0, 0.0, 0.0, 0.0)
    return links


def roll(foot, pin, q, ticks=truth.TICKS):
    """An array [ticks + 1] of TICK from rest, the first the start."""
    q, qd = np.ascontiguousarray(q, np.float64), np.zeros(truth.JOINTS)
    rows = np.zeros(ticks + 1, TICK)
    status = foot._c.native_limb_run(foot.handle, _links(pin), truth.JOINTS, q.ctypes.data, qd.ctypes.data, ticks,
                                     rows.ctypes.data)
    if status < 0:
        raise TinycontactError(f"limb from {np.round(q, 4).tolist()}: {StatusError('tc_limb3_step', status)}")
    return rows


def dart_runs(starts, ticks=truth.TICKS, moved=0.0):
    """[runs, ticks + 1, joints]: angles in DART, each start moved by that much [rad]."""
    return np.array([truth.run(pin, q + moved, ticks).angles for _, (pin, q) in progress(starts, "DART limb")])


def errors(angles, right):
    """Root mean square of each run over ticks and joints [deg]."""
    return np.degrees(np.sqrt(np.mean((angles - right)**2, axis=(1, 2))))


def summary(runs, right=None):
    """Numbers of arrays of TICK; with `right`, DART's angles, those of the angles too."""
    touch = np.concatenate([run[1:][run["contacts"][1:] > 0] for run in runs])
    gain = [np.max(np.diff(run["energy"]), where=run["contacts"][1:] > 0, initial=-np.inf) for run in runs]
    numbers = {"runs": len(runs), "contact_ticks": len(touch),
               "contacts": [int(np.sum(touch["contacts"] == k)) for k in (1, 2, 4)],
               "asked_mean": float(np.mean(touch["ratios"] + touch["classes"])),
               "asked_max": int(np.max(touch["ratios"] + touch["classes"])),
               "consistent": float(np.mean(touch["consistent"][touch["contacts"] == 1])),
               "energy_gain_max": float(max(gain)), "penetration_max": float(max(run["penetration"].max() for run in runs))}
    if right is not None:
        numbers.update(spread(errors(np.array([run["q"][:, :truth.JOINTS] for run in runs]), right)))
    return numbers


def spread(off):
    return {"angle_median_deg": float(np.median(off)), "angle_p90_deg": float(np.percentile(off, 90)),
            "angle_worst_deg": float(np.max(off))}
