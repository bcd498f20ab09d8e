# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""A floor that a board identifies from impacts: what it is told beforehand, and a session with it.

    session = FloorSession(link, prior_of(mass, inertia))
    session.begin()
    identified = session.impact(message_of(impact))      # wire.Identified: value, sd, low, high of mu, e and ratios
    session.save()                                       # a board that is reset later goes on from here
"""
import ctypes
from ctypes import c_float, c_int, c_uint32

from ..library import Library
from . import wire
from .link import Session

UNKNOWNS = ("mu", "e", "ratio")   # in the order of the numbers of an Identified
NONE, ACCEPTED, OUTLIER, REOPENED = range(4)   # tc_identify_outcome
LAW_NUMBERS = {"convex": 0, "coulomb": 1}      # tc_impact_law


class _Config(ctypes.Structure):
    """tc_identify_config."""
    _fields_ = [("ratios", c_uint32), ("law", c_int), *((name, c_float * 6) for name in ("start", "sd", "drift", "reopen")),
                ("gate", c_float), ("patience", c_uint32)]


def prior_of(mass, inertia, ratios=1, law="coulomb", **changes):
    """A wire.Prior: the library's configuration, and what `changes` in it. Of start, sd, drift and reopen the first
    numbers may be given: drift=(0.01,) is that of mu."""
    config = Library().function("tc_identify_default", _Config, [])()
    prior = wire.Prior(mass=mass, ratios=ratios, law=LAW_NUMBERS[law], gate=config.gate, patience=config.patience)
    prior.inertia[:] = list(inertia)
    for name in ("start", "sd", "drift", "reopen"):
        values = list(getattr(config, name))[:2 + ratios]
        given = changes.pop(name, ())
        values[:len(given)] = given
        getattr(prior, name)[:len(values)] = values
    for name, value in changes.items():
        setattr(prior, name, value)
    return prior


def message_of(impact):
    """The IMPACT of a bounce.Impact."""
    message = wire.Impact(number=impact.number, linear_sd=impact.noise, angular_sd=impact.spin_noise)
    for name in ("normal", "arm", "before", "after"):
        getattr(message, name)[:] = getattr(impact, name).tolist()
    return message


class FloorSession(Session):
    """HELLO, PRIOR, impacts. After a reset of the board it begins anew, from what was saved last if anything was."""

    def __init__(self, link, prior, number=1, saved=b"", **limits):
        super().__init__(link, b"", b"", number, **limits)
        self.prior, self.saved = prior, saved

    def upload_all(self):
        self.ask(self.prior, wire.Identified)
        if self.saved:
            self.ask(wire.restore(self.saved), wire.Identified)

    def impact(self, message, timeout=None):
        """The Identified of an impact. A frame that was spoilt or lost on either way is sent again; the board counts the
        impact once."""
        def answers(got):
            return got.type == wire.Identified.TYPE and got.message().number == message.number

        return self._insist(message, f"impact {message.number}", answers, timeout)

    def save(self):
        """The bytes of what the board has identified; it is where a session goes on after a reset."""
        saved = self._insist(wire.Save(), "SAVE", lambda got: got.type == wire.Saved.TYPE)
        self.saved = wire.bytes_of(saved)
        return self.saved
