# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Roll-outs of systems by the library, on the host or on a board: in float32 with the same bits.

    run = simulate(systems.load("ball.json")[0][0])
    run = simulate_model("ball.tcm", Q0=[10], V0=[0], steps=500)     # by the nets of a model file
    run.Q, run.V, run.contact, run.energy                            # steps + 1 rows
    run = simulate(system, Board("mps2-an386"))
"""
from dataclasses import dataclass

import numpy as np

from ..errors import BY_VALUE, StatusError, TinycontactError
from ..library import Library
from ..model import load_with_info, read_bytes
from ..record_system import SystemRecord
from .machines import machine

NOTES = {"TC_NOTE_RANGE": "asked beyond what it saw", "TC_NOTE_LIMIT": "contacts were not resolved to the end",
         "TC_NOTE_FALLBACK": "a row had no room: it was stopped, or not projected"}


@dataclass
class Run:
    """Row n: Q at t_n, V at t_n+1/2, how many contacts acted at Q[n], and 1/2 V[n]^T M V[n] + U(Q[n]); row 0: start.
    `note` is what the library said of steps that it did, in words."""
    name: str
    Q: np.ndarray         # [steps + 1, K]
    V: np.ndarray
    contact: np.ndarray   # [steps + 1]
    energy: np.ndarray
    note: str = ""

    def as_json(self):
        return {"name": self.name, "Q": self.Q.tolist(), "V": self.V.tolist(),
                "contact": (self.contact > 0).astype(int).tolist(), "energy": self.energy.tolist()}


def _note(rolled):
    if not rolled.notes:
        return ""
    status = BY_VALUE[rolled.note][0]
    more = f" and {rolled.notes - 1} more" if rolled.notes > 1 else ""
    return f"{NOTES.get(status, BY_VALUE[rolled.note][1])} at step {rolled.noted}{more} ({status})"


def simulate(system, computer=None, where=None):
    """A Run of a systems.System by a Library (default: the float32 build) or a Board. `where` begins errors."""
    rolled = machine(computer or Library()).given(system)
    if rolled.status < 0:
        error = StatusError("tc_cdl_step", rolled.status, f"step {rolled.done + 1}, body {rolled.body + 1}")
        raise TinycontactError(f"{where or system.name}: {error}")
    return Run(system.name, rolled.Q, rolled.V, rolled.contact, system.energy(rolled.Q, rolled.V), _note(rolled))


def _check_net(path, model, name, n_in, n_out, lasts):
    """The rules of lib/cdl/tc_cdl_nets.h, which knows one status for all of them."""
    net = next((net for net in model.nets if net.name == name), None)
    if net is None:
        raise TinycontactError(f"{path}: holds no net {name!r}, which its system record names")
    activations = [layer.activation for layer in net.layers]
    for kept, text in ((net.n_in == n_in, f"has {net.n_in} inputs, the system wants {n_in}"),
                       (net.n_out == n_out, f"has {net.n_out} outputs, the system wants {n_out}"),
                       (len(activations) == 2, f"has {len(activations) - 1} hidden layers, wanted 1"),
                       (activations[0] in ("tanh", "softplus"),
                        f"has hidden {activations[0]}, wanted tanh or softplus"),
                       (activations[-1] in lasts, f"ends in {activations[-1]}, wanted {' or '.join(lasts)}"),
                       (net.weights == "f32" and net.head == "linear", "is not a float net with a linear head")):
        if not kept:
            raise TinycontactError(f"{path}, net {name!r}: {text}")


def system_model(path):
    """(Model, number of coordinates) of a model file that holds a system, whose nets fit it."""
    model, _ = load_with_info(path)
    record = model.contact
    if not isinstance(record, SystemRecord):
        raise TinycontactError(f"{path}: holds no CD-Lagrange system; `tinycontact cdl train` makes one")
    n = len(record.mass) * record.dimension
    wanted = {"potential": (n, 1, ("identity",)), "contact": (2 * n, len(record.pairs), ("identity", "sigmoid"))}
    for name in record.nets:
        _check_net(path, model, name, *wanted[name])
    return model, n


def simulate_model(path, Q0, V0, steps, computer=None, name=None, where=None):
    """A Run of the system in a model file by its own nets, step and contacts; Q0, V0 [K d]. The energy is 1/2 V^T M V
    and what the potential net says, whose zero is arbitrary. `where` begins errors of the roll-out."""
    model, n = system_model(path)
    for field, start in (("Q0", Q0), ("V0", V0)):
        if np.shape(start) != (n,):
            raise TinycontactError(f"{path}: {field} has {np.size(start)} numbers, but the system has {n} coordinates")
    rolled = machine(computer or Library()).learned(read_bytes(path), float(model.step_size), Q0, V0, steps)
    if rolled.status < 0:
        error = StatusError("tc_cdl_step", rolled.status, f"step {rolled.done + 1}")
        raise TinycontactError(f"{where or path}: {error}")
    return Run(name or str(path), rolled.Q, rolled.V, rolled.contact, rolled.energy, _note(rolled))
