# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The generalized-momentum observer with a threshold over whole episodes, and its tuning: the state of practice that the
estimator is measured against. The float64 twin of lib/estimator/tc_momentum.c; the leg's M, bias and J come from leg.py.

    observer = Observer(load_chain("leg.json"), on=15.0)
    estimates = observer.run(episode)      # {"contact": [T], "p": [T, 3], "impulse": [T, 2], ...}

It knows nothing of slip: all contact is static.
"""
import itertools
from ctypes import POINTER, c_double, c_int32
from dataclasses import dataclass, fields, replace

import numpy as np

from ..errors import StatusError, TinycontactError
from ..library import Library
from . import leg as legs
from .chain_file import planar_leg
from .estimate import _Leg, _leg, _Sensing, sensing
from .metrics import judge, pool, summary
from .sensors import SensorOptions
from .world import TICK

GRID = {"rate_filter": (200.0, 400.0, 800.0, 1500.0, 3000.0), "gain": (100.0, 200.0, 450.0, 700.0, 1000.0),
        "on": (8.0, 12.0, 18.0, 27.0, 40.0, 60.0), "off_part": (0.3, 0.7), "debounce_on": (1, 2),
        "debounce_off": (1, 4)}


def settings_for(chain, tick=TICK, sensors=SensorOptions()):
    """The Settings of tc_momentum_default_for a Chain, its tick and sensors."""
    call = Library().function("native_momentum_settings", c_int32, [
        POINTER(_Leg), POINTER(_Sensing), POINTER(c_double)])
    leg, _links = _leg(chain)
    numbers = (c_double * 4)()
    status = call(leg, sensing(chain, tick, sensors), numbers)
    if status < 0:
        raise StatusError("native_momentum_settings", status)
    return Settings(*numbers)


@dataclass(frozen=True)
class Settings:
    """tc_momentum_config; what tune() found for fewest wrong ticks."""
    rate_filter: float = 800.0   # [1/s]
    gain: float = 700.0          # [1/s]
    on: float = 12.0             # [N]
    off: float = 8.4             # [N]
    debounce_on: int = 1         # ticks
    debounce_off: int = 1


def _rates(z, time, bandwidth):
    """[T, n] filtered differences of z, `time` [T] after the sample before."""
    w = np.zeros_like(z)
    part = 1 - np.exp(-bandwidth * time)
    part[1] = 1.0
    steps = np.diff(z, axis=0) / time[1:, None]
    for k in range(1, len(z)):
        w[k] = w[k - 1] + part[k] * (steps[k - 1] - w[k - 1])
    return w


def forces(leg, episode, rate_filter, gains):
    """(ticks that arrived, [gains, arrived, 2] force of the floor on the foot [N])."""
    here = np.flatnonzero(np.asarray(episode.lost) == 0)
    time = np.diff(here, prepend=here[0] - 1) * episode.tick
    z, tau = episode.encoder[here].astype(float), episode.torque[here].astype(float)
    w = _rates(z, time, rate_filter)
    pitch, a = episode.pitch[here].astype(float), episode.accel[here].astype(float)
    c, s = np.cos(pitch), np.sin(pitch)
    m = legs.move(np, leg, list(z.T), list(w.T), pitch, episode.gyro[here].astype(float),
                  [c * a[:, 0] - s * a[:, 1], s * a[:, 0] + c * a[:, 1]])
    M = np.stack([np.stack(row, -1) for row in m.M], -2)
    J = np.stack([np.stack(row, -1) for row in m.J], -2)
    missing = np.einsum("tij,tj->ti", M, np.diff(w, axis=0, prepend=w[:1]) / time[:, None]) + np.stack(m.bias, -1) - tau
    missing[:2] = 0.0
    X = np.linalg.solve(M, np.swapaxes(J, -1, -2))
    to_force = np.linalg.pinv(J @ X, rcond=1e-6, hermitian=True) @ np.swapaxes(X, -1, -2)
    part = 1 - np.exp(-np.asarray(gains)[:, None] * time)
    r, found = np.zeros((len(gains), z.shape[1])), np.zeros((len(gains), len(z), 2))
    for k in range(len(z)):
        r = r + part[:, k, None] * (missing[k] - r)
        found[:, k] = r @ to_force[k].T
    return here, found


def decide(force, s):
    """[T] bool: threshold with hysteresis, and as many ticks in a row as the debounce wants."""
    contact, count, now = np.zeros(len(force), bool), 0, False
    above, below = force > s.on, force < s.off
    for k in range(len(force)):
        count = count + 1 if (below if now else above)[k] else 0
        if count >= (s.debounce_off if now else s.debounce_on):
            now, count = not now, 0
        contact[k] = now
    return contact


def _estimates(episode, here, force, contact):
    """As estimate.Estimator.run has them; a tick that was lost repeats the one before."""
    last = np.maximum(np.searchsorted(here, np.arange(len(episode.gyro)), side="right") - 1, 0)
    contact, force = contact[last], force[last]
    p = np.stack([~contact, contact, np.zeros_like(contact)], -1).astype(float)
    return {"contact": contact, "p": p, "impulse": episode.tick * force * contact[:, None]}


class Observer:
    """The observer for a Chain, its tick [s] and the sensors that it is told of; `settings` are fields of Settings."""

    def __init__(self, chain, tick=TICK, sensors=SensorOptions(), **settings):
        unknown = set(settings) - {one.name for one in fields(Settings)}
        if unknown:
            raise TinycontactError(f"{unknown.pop()!r} is no setting of the observer")
        self.leg, self.settings = planar_leg(chain), replace(settings_for(chain, tick, sensors), **settings)

    def run(self, episode):
        """{name: array of T rows}: contact, p, impulse"""
        s = self.settings
        here, (force,) = forces(self.leg, episode, s.rate_filter, [s.gain])
        contact = decide(force[:, 1], s)
        return _estimates(episode, here, force, contact)


def tune(cases, tell=enumerate):
    """[(Settings, metrics.summary)] of the whole GRID over `cases`, pairs of a PlanarLeg and an Episode; fewest wrong
    ticks first. `tell` enumerates the rate filters, to show progress."""
    decisions = list(itertools.product(GRID["on"], GRID["off_part"], GRID["debounce_on"], GRID["debounce_off"]))
    found = []
    for _, rate_filter in tell(GRID["rate_filter"]):
        seen = [forces(leg, episode, rate_filter, GRID["gain"]) for leg, episode in cases]
        for (k, gain), (on, part, *debounce) in itertools.product(enumerate(GRID["gain"]), decisions):
            settings = Settings(rate_filter, gain, on, part * on, *debounce)
            judged = [judge(episode, _estimates(episode, here, force[k], decide(force[k, :, 1], settings)))
                      for (_, episode), (here, force) in zip(cases, seen)]
            found.append((settings, summary(pool(judged))))
    return sorted(found, key=lambda one: -one[1]["contact_right"])
