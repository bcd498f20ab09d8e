# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Logs of throws as a camera or a motion capture would write them: CSV with the columns throw, t, x, y, theta
and, if asked, vx, vy, omega.

Samples are taken at the steps of the simulation (every 1 / (rate h) of them), so a rate must divide 1 / h.
Noise is normal, independent in each sample and column. A throw is logged from its start until it has been at
rest for 50 steps.
"""
from dataclasses import dataclass

import numpy as np

from ..csvfile import write_columns
from ..errors import TinycontactError
from . import dart, throws


@dataclass(frozen=True)
class Noise:
    """Standard deviations."""
    length: float = 0.0005      # of x and y [m]
    angle: float = 0.002        # of theta [rad]
    speed: float = 0.02         # of vx and vy [m/s], where velocities are logged
    spin: float = 0.1           # of omega [rad/s]


def paths(body, count, seed, player=None):
    """[(T + 1, 6) ...]: states of each step of `count` random throws, from DART or from `player(body,
    position, velocity, record)`, which calls record(k, path)."""
    found = {}
    position, velocity = throws.starts(throws.random_rows(count, seed))
    if player is None:
        dart.throw(body, position, velocity, record=found.__setitem__)
    else:
        player(body, position, velocity, found.__setitem__)
    return [found[k] for k in range(count)]


def exact_player(law, scheme="dart"):
    """A player without DART: the closed loop of a contact law."""
    def play(body, position, velocity, record):
        steps = [[np.concatenate([q, v])] for q, v in zip(position, velocity)]

        def watch(rows, _, step):
            for k, state in zip(rows, np.hstack([step.position, step.velocity])):
                steps[k].append(state)

        throws.run(body, scheme, law, position, velocity, watch)
        for k, path in enumerate(steps):
            record(k, np.array(path))
    return play


def write(path, body, states, rate, noise=Noise(), velocities=False, seed=0):
    """Writes the log of `states` (from `paths`), whole or not at all."""
    every = 1.0 / (rate * body.h)
    if abs(every - round(every)) > 1e-6 or round(every) < 1:
        raise TinycontactError(f"{path}: a rate of {rate:g} Hz is no divisor of the simulation's"
                               f" {1 / body.h:g} Hz")
    every, rng = int(round(every)), np.random.default_rng(seed)
    sigma = np.array([noise.length, noise.length, noise.angle, noise.speed, noise.speed, noise.spin])
    rows = [np.column_stack([np.full(len(s), k), np.arange(len(s)) * every * body.h,
                             s + sigma * rng.standard_normal(s.shape)])
            for k, s in enumerate(s[::every] for s in states)]
    names = ["throw", "t", "x", "y", "theta"] + (["vx", "vy", "omega"] if velocities else [])
    table = np.concatenate(rows)[:, :len(names)]
    write_columns(path, names, table.T)
