# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Runs of the chain of sim.chain_truth by the library: tools/native/chain.h, whose structs these are.

    foot = Foot.of_model("link.tcm")          # or Foot.of_coulomb(): the ceiling
    run = roll(foot, pin=0.6, q=[0, 0, 0])    # an array of TICK
"""
import ctypes
from ctypes import POINTER, byref, c_double, c_int32, c_uint32, c_void_p
from dataclasses import dataclass

import numpy as np

from ..contact import ContactModel, NativeBody, declared
from ..errors import StatusError, TinycontactError
from ..library import Library
from ..sim import chain_truth as truth
from ..sim.shapes import Body

DOF = 10   # TC_CHAIN2_DOF
SOLVERS = ("branch", "powell")
STARTS = ("free", "rest")
POSITIONS = {"dart": 0, "toc": 1, "gap": 2}
TICK = np.dtype([("q", np.float64, DOF), ("qd", np.float64, DOF), ("energy", np.float64), ("residual", np.float64),
                 ("violation", np.float64), ("speed", np.float64), ("penetration", np.float64),
                 ("status", np.int32), ("contacts", np.int32), ("branch", np.int32), ("evaluations", np.int32),
                 ("solves", np.int32), ("consistent", np.int32)], align=True)


class _Link(ctypes.Structure):
    _fields_ = [("mass", c_double), ("inertia", c_double), ("anchor", c_double * 2), ("arm", c_double * 2),
                ("axis", c_double * 2), ("joint", c_int32), ("unused", c_int32)]


class _Chain(ctypes.Structure):
    _fields_ = [("links", POINTER(_Link)), ("count", c_uint32), ("positions", c_int32), ("solver", c_int32),
                ("start", c_int32), ("warm", c_int32), ("tolerance", c_double), ("floor", c_double)]


@dataclass(frozen=True)
class Options:
    """How a chain is solved. start: of Powell's method; tolerance: of |G|, relative to the joint's speed; None: the
    solver's own."""
    solver: str = "branch"
    start: str = "rest"
    positions: str = "dart"
    tolerance: float | None = None
    warm: bool = True


def last_link():
    """The last link as a body of its own: what a model for it is trained on."""
    return Body("the chain's last link", truth.corners(), truth.MASS, truth.INERTIA, truth.MU, truth.H, truth.G, 0.0, 0.0)


class Foot:
    """The last link and its law behind a native handle. Made by of_model or of_coulomb."""

    def __init__(self, c, handle, keep):
        self._c, self.handle, self._keep = c, handle, keep
        self._owns = keep is None

    @classmethod
    def of_model(cls, path, library=None):
        """A trained model, which must be of this link's mass, inertia and step."""
        model = ContactModel(path, last_link())
        opened = model.opened_as("dart")
        return cls(_chain_declared(model._c), opened._handle, (model, opened))

    @classmethod
    def of_coulomb(cls, mu=truth.MU, real="float"):
        """Exact Coulomb friction in place of a learned law."""
        c = _chain_declared(declared(Library(real=real)._c))
        body, status = last_link(), c_int32()
        vertices = np.ascontiguousarray(body.vertices, np.float64)
        given = NativeBody(body.mass, body.inertia, body.h, body.g, 0.0, 0.0, vertices.ctypes.data, len(vertices), 0)
        c.native_open_coulomb.argtypes = [POINTER(NativeBody), c_double, c_double, POINTER(c_int32)]
        c.native_open_coulomb.restype = c_void_p
        handle = c.native_open_coulomb(byref(given), mu, mu, byref(status))
        if not handle:
            raise StatusError("native_open_coulomb", status.value)
        return cls(c, handle, None)

    def __del__(self):
        if self._owns and self.handle:
            self._c.native_free(self.handle)


def _chain_declared(c):
    c.native_chain_run.argtypes = [c_void_p, POINTER(_Chain), c_void_p, c_void_p, c_uint32, c_void_p]
    c.native_chain_run.restype = c_int32
    return c


def _links(pin):
    links = (_Link * truth.LINKS)()
    for k, link in enumerate(links):
        link.mass, link.inertia = truth.MASS, truth.INERTIA
        link.anchor[:] = (0.0, pin) if k == 0 else (truth.LENGTH / 2, 0.0)
        link.arm[:] = (truth.LENGTH / 2, 0.0)
    return links


def roll(foot, pin, q, ticks=truth.TICKS, options=Options(), qd=(0.0,) * truth.LINKS):
    """An array [ticks + 1] of TICK, the first the start, of a chain pinned at height `pin`."""
    links = _links(pin)
    chain = _Chain(links, truth.LINKS, POSITIONS[options.positions], SOLVERS.index(options.solver),
                   STARTS.index(options.start), options.warm, -1.0 if options.tolerance is None else options.tolerance, 0.0)
    q, qd = (np.ascontiguousarray(x, np.float64) for x in (q, qd))
    rows = np.zeros(ticks + 1, TICK)
    status = foot._c.native_chain_run(foot.handle, byref(chain), q.ctypes.data, qd.ctypes.data, ticks,
                                      rows.ctypes.data)
    if status < 0:
        raise TinycontactError(f"chain from {np.round(q, 4).tolist()}: {StatusError('tc_limb2_step', status)}")
    return rows
