# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Throws: start states, what a throw comes to, and how two sets of results compare.

A throw starts at x = 0 with vy = 0. It ends after 50 steps in a row at rest (speed below 1e-3 m/s, spin below
1e-2 rad/s), after 10,000 steps at most. A bounce: at least 10 ms without contact impulse between two contact
impulses.
"""
from dataclasses import dataclass, fields

import numpy as np

from . import schemes, shapes

REST_SPEED, REST_SPIN, REST_STEPS, MAX_STEPS = 1e-3, 1e-2, 50, 10_000
QUIET = 0.010   # [s] without impulse that make a bounce

# y0 [m], theta0 [deg], vx0 [m/s], omega0 [rad/s], and what the paper's ground truth came to: bounces,
# distance [m], final orientation [deg] (with sizes, mu and h that are not published).
FIG5 = ((0.25, 131.8, 3.5, 4, 0, 0.838, 180), (0.33, 0.0, 4.2, 45, 0, 1.671, 360),
        (0.7, -114.6, 2, 0, 0, 0.877, -180), (0.35, 57.3, -1, -30, 2, -0.277, -270),
        (0.5, 85.9, -4, -10, 5, -2.250, 540), (1, -40.1, -0.5, 0.5, 0, -0.289, 2),
        (0.3, 160.4, 3, -4, 8, 1.803, -540), (0.25, -171.9, -2.5, 0, 0, -0.534, -180),
        (0.4, 115, 3, 0, 7, 1.685, -360), (0.4, 28.6, 3, 20, 5, 1.310, 0))
FIG6 = ((0.5, -114.650, 3, 0, 1, 0.888, -158), (0.6, -85.987, 2, 3, 1, 0.515, 0),
        (0.6, 171.975, 4, -5, 4, 2.059, -225), (0.38, 103.185, -2.5, 20, 4, -1.139, 562),
        (0.3, 11.465, -3.6, 2, 2, -1.064, 202), (0.9, -166.242, -1, 30, 5, -1.558, 922),
        (0.7, 177.707, 0.5, -40, 4, 0.928, -879), (0.26, 0.000, 3.9, 0, 1, 1.488, -158),
        (0.45, -63.057, 2.7, -10, 5, 1.291, -405), (0.25, -154.777, -4.5, 0, 0, -1.336, -158))


@dataclass
class Results:
    """What throws came to, one entry per throw."""
    bounces: np.ndarray
    distance: np.ndarray    # x at the end [m]
    angle: np.ndarray       # theta at the end [rad], not wrapped
    at_rest: np.ndarray
    steps: np.ndarray
    rest_time: np.ndarray   # when the last 50 steps at rest began [s]; inf if it does not rest

    def __getitem__(self, rows):
        return Results(*(getattr(self, field.name)[rows] for field in fields(self)))


def starts(rows):
    """(position, velocity), each [N, 3], of rows (y0 [m], theta0 [deg], vx0, omega0, ...)."""
    table = np.array([row[:4] for row in rows], float)
    zero = np.zeros(len(table))
    return (np.column_stack([zero, table[:, 0], np.deg2rad(table[:, 1])]),
            np.column_stack([table[:, 2], zero, table[:, 3]]))


def random_rows(count, seed):
    """(y0, theta0 [deg], vx0, omega0) by the stated law: y0 uniform in 0.22..1 m, any angle, |vx| <= 4.5 m/s,
    |omega| <= 10 rad/s in 60 % of the throws and <= 45 in the rest."""
    rng = np.random.default_rng(seed)
    spin = np.where(rng.random(count) < 0.6, 10.0, 45.0)
    return np.column_stack([rng.uniform(0.22, 1.0, count), rng.uniform(-180, 180, count),
                            rng.uniform(-4.5, 4.5, count), spin * rng.uniform(-1, 1, count)])


class Judge:
    """Follows throws step by step: counts bounces, notices rest."""

    def __init__(self, count, h):
        self.h = h
        self.quiet = int(np.ceil(QUIET / h - 1e-9))
        self.since = np.full(count, -1)   # steps since the last impulse; -1 before the first
        self.still = np.zeros(count, int)
        self.bounces = np.zeros(count, int)
        self.steps = np.zeros(count, int)

    def see(self, rows, touched, velocity):
        """One more step of the throws `rows`; returns which of them go on."""
        self.steps[rows] += 1
        since = self.since[rows]
        self.bounces[rows] += touched & (since >= self.quiet)
        self.since[rows] = np.where(touched, 0, np.where(since >= 0, since + 1, -1))
        still = (np.hypot(velocity[:, 0], velocity[:, 1]) < REST_SPEED) & (np.abs(velocity[:, 2]) < REST_SPIN)
        self.still[rows] = np.where(still, self.still[rows] + 1, 0)
        return (self.still[rows] < REST_STEPS) & (self.steps[rows] < MAX_STEPS)

    def results(self, position):
        rest = self.still >= REST_STEPS
        began = np.where(rest, (self.steps - REST_STEPS) * self.h, np.inf)
        return Results(self.bounces, position[:, 0].copy(), position[:, 2].copy(), rest, self.steps, began)


def run(body, scheme, law, position, velocity, watch=None):
    """Results of throws from states [N, 3], [N, 3]. `watch(rows, before, step)` sees each step: before =
    (position, velocity) of the rows still moving, a schemes.Step of what followed."""
    position, velocity = np.array(position, float), np.array(velocity, float)
    judge, rows = Judge(len(position), body.h), np.arange(len(position))
    while len(rows):
        before = position[rows], velocity[rows]
        step = schemes.step(body, scheme, law, *before)
        position[rows], velocity[rows] = step.position, step.velocity
        if watch is not None:
            watch(rows, before, step)
        rows = rows[judge.see(rows, step.touched, step.velocity)]
    return judge.results(position)


def compare(ours, truth):
    """Shares in percent and distances in metres, as the tables give them."""
    off = np.abs(ours.distance - truth.distance)
    both = ours.at_rest & truth.at_rest
    late = np.abs(np.where(both, ours.rest_time, 0) - np.where(both, truth.rest_time, 0))
    return {"throws": len(off),
            "bounces": 100 * float(np.mean(ours.bounces == truth.bounces)),
            "angle": 100 * float(np.mean(np.abs(ours.angle - truth.angle) < np.deg2rad(5))),
            "rest": 100 * float(np.mean(ours.at_rest)),
            "rest_time": 100 * float(np.mean(both & (late <= 0.1))),
            "median": float(np.median(off)), "p95": float(np.quantile(off, 0.95)), "max": float(off.max()),
            "within_10cm": 100 * float(np.mean(off <= 0.1))}


def lowest(body, position):
    """The deepest point below the floor of states [N, 3]: metres, 0 if all are above."""
    return float(max(0.0, -shapes.gaps(body, position[:, 1], position[:, 2]).min()))


def energy(body, position, velocity):
    """Kinetic and potential energy per unit mass [N] [J/kg]."""
    turning = (body.gyration * velocity[:, 2])**2
    return 0.5 * (velocity[:, 0]**2 + velocity[:, 1]**2 + turning) + body.g * position[:, 1]


def run_watched(body, scheme, law, position, velocity):
    """(Results, deepest point below the floor [m], largest gain of energy in a step [J/kg]) of throws."""
    seen = {"deep": 0.0, "gain": -np.inf}

    def watch(_, before, step):
        gain = energy(body, step.position, step.velocity) - energy(body, *before)
        seen["deep"] = max(seen["deep"], lowest(body, step.position))
        seen["gain"] = max(seen["gain"], float(gain.max()))

    return run(body, scheme, law, position, velocity, watch), seen["deep"], seen["gain"]
