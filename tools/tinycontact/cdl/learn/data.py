# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Systems to learn and data to learn from.

The protocol of the three systems of Hochlehnert et al. 2021 is that of their public code: ONE noisy run, cut into
pieces. Truth: ball and cradle by the exact scheme (45-50), pendulum by RK4 with 20 substeps. Noise is added to
positions and velocities, contact flags are exact. A seed is the noise and the initial weights.

    pendulum   200 points, h 0.02 s, noise 0.2,  q0 = 1 rad
    ball       520 points, h 0.02 s, noise 0.2,  q0 = 10 m, e = 1;  ball7: e = 0.7
    cradle     540 points, h 0.01 s, noise 0.02, Q0 = (0, 0), V0 = (2, 0) rad/s, e = 1
    cradle_public: the cradle with the contact rule of the public environment, which tests the gap
               at Q_n (margin 1e-4 rad) before the step that reaches Q_{n+1}

Score: the learned model is rolled out from the exact start and compared with the noise-free run,
RMSE = sqrt(mean over steps, start included, of the SUM over all columns of q and qdot of the squared error),
over 200, 500 and 540 steps.
"""
from dataclasses import dataclass

import numpy as np

from ...csvfile import groups_in_time, read_columns
from ...errors import TinycontactError
from ...jsonfile import number, read_json
from ..systems import check_names

GRAVITY = 9.81      # m/s^2; also 1/s^2 of the pendulum and the cradle, whose length is 1 m
SUBSTEPS = 20       # of RK4 per step, pendulum
PUBLIC_MARGIN = 1e-4
UNEVEN = 1e-3       # relative: a log's steps may differ from their median by this much


@dataclass(frozen=True)
class System:
    """What is known beforehand: everything but the potential and where contact is.

    The gap grows along `normal` [D] (L of Eq. 26): floor (1,), pair (1, -1), none (). Masses are per column of Q.
    """

    name: str
    h: float                 # s
    mass: tuple              # [D]
    normal: tuple = ()       # [D], or empty without contact
    e: float = 1.0           # restitution
    project: bool = False    # both bodies of a pair to their mean at an impact

    @property
    def columns(self):
        return len(self.mass)

    @property
    def touches(self):
        return bool(self.normal)


@dataclass(frozen=True)
class Protocol:
    """A system with the data the study trains it on and the start it is judged from."""

    system: System
    noise: float
    points: int              # of training
    steps: int               # of the roll-out that is judged
    q0: tuple
    v0: tuple
    public: bool = False     # contact rule of the public environment


@dataclass
class Data:
    """Logged runs for S seeds at once. q, v [S, N, D]; contact [S, N], 1 where an impulse acted on the way to the row;
    runs: (first row, rows) of each."""

    system: System
    q: np.ndarray
    v: np.ndarray
    contact: np.ndarray
    runs: tuple

    @property
    def states(self):
        return np.concatenate([self.q, self.v], axis=2)

    @property
    def follows(self):
        """[N - 1] whether a row's successor is of the same run."""
        kept = np.ones(self.q.shape[1] - 1, bool)
        kept[[first - 1 for first, _ in self.runs if first > 0]] = False
        return kept

    def part(self, rows):
        """The first so many rows, for data of one run."""
        return Data(self.system, self.q[:, :rows], self.v[:, :rows], self.contact[:, :rows], ((0, rows),))


FLOOR, PAIR = (1.0,), (1.0, -1.0)
PROTOCOLS = {
    "pendulum": Protocol(System("pendulum", 0.02, (1.0,)), 0.2, 200, 200, (1.0,), (0.0,)),
    "ball": Protocol(System("ball", 0.02, (1.0,), FLOOR, 1.0), 0.2, 520, 500, (10.0,), (0.0,)),
    "ball7": Protocol(System("ball7", 0.02, (1.0,), FLOOR, 0.7), 0.2, 520, 500, (10.0,), (0.0,)),
    "cradle": Protocol(System("cradle", 0.01, (1.0, 1.0), PAIR, 1.0, True), 0.02, 540, 540, (0.0, 0.0), (2.0, 0.0)),
    "cradle_public": Protocol(System("cradle_public", 0.01, (1.0, 1.0), PAIR, 1.0, True), 0.02, 540, 540,
                              (0.0, 0.0), (2.0, 0.0), True),
}


def _force(protocol, q):
    if protocol.system.normal == FLOOR:
        return -GRAVITY * np.ones_like(q)
    return -GRAVITY * np.sin(q)


def _pendulum(protocol, q0, v0, steps):
    def slope(y):
        return np.concatenate([y[1:], _force(protocol, y[:1])])
    y, k = np.array([*q0, *v0]), protocol.system.h / SUBSTEPS
    rows = [y]
    for step in range(steps * SUBSTEPS):
        a = slope(y)
        b = slope(y + k / 2 * a)
        c = slope(y + k / 2 * b)
        y = y + k / 6 * (a + 2 * b + 2 * c + slope(y + k * c))
        if (step + 1) % SUBSTEPS == 0:
            rows.append(y)
    return np.array(rows), np.zeros(steps + 1)


def truth(protocol, steps, q0=None, v0=None):
    """(states [steps + 1, 2D], contact [steps + 1]) without noise."""
    q0, v0 = q0 or protocol.q0, v0 or protocol.v0
    system = protocol.system
    if not system.touches:
        return _pendulum(protocol, q0, v0, steps)
    q, v, h = np.array(q0), np.array(v0), system.h
    normal, mass = np.array(system.normal), np.array(system.mass)
    rows, flags = [np.concatenate([q, v])], [0.0]
    for _ in range(steps):
        before, q = q, q + h * v
        gap = normal @ before - PUBLIC_MARGIN if protocol.public else normal @ q
        free = v + h * _force(protocol, q) / mass
        touched = gap <= 0 and normal @ v < 0
        if touched:
            impulse = (-system.e * (normal @ v) - normal @ free) / (normal @ (normal / mass))
            free = free + normal * impulse / mass
            if system.project:
                q = np.full_like(q, mass @ q / mass.sum())
        v = free
        rows.append(np.concatenate([q, v]))
        flags.append(float(touched))
    return np.array(rows), np.array(flags)


def protocol_data(protocol, seeds):
    """The noisy run of each seed."""
    return noisy(protocol, [[(protocol.q0, protocol.v0, protocol.points)]] * len(seeds), seeds)


def noisy(protocol, plans, seeds):
    """Data of one plan per seed; a plan is a list of runs (q0, v0, points), of the same lengths in every plan."""
    d = protocol.system.columns
    states, flags = [], []
    for plan, seed in zip(plans, seeds):
        made = [truth(protocol, points - 1, q0, v0) for q0, v0, points in plan]
        clean = np.concatenate([y for y, _ in made])
        states.append(clean + protocol.noise * np.random.default_rng(seed).standard_normal(clean.shape))
        flags.append(np.concatenate([c for _, c in made]))
    lengths = [points for _, _, points in plans[0]]
    firsts = np.cumsum([0, *lengths[:-1]])
    states = np.array(states)
    return Data(protocol.system, states[..., :d], states[..., d:], np.array(flags),
                tuple(zip(firsts.tolist(), lengths)))


def rmse(states, clean):
    """The score of the protocol; states [..., steps + 1, 2D]."""
    return np.sqrt(((states - clean)**2).sum(axis=-1).mean(axis=-1))


def noise_of(values):
    """Standard deviation of the noise of columns [..., N, D]: the median second difference, which neither a smooth
    motion nor a few impacts move much. Never below 1e-4 of the column's own spread."""
    second = np.abs(np.diff(values, n=2, axis=-2))
    return np.maximum(np.median(second, axis=-2) / (0.6745 * np.sqrt(6)), 1e-4 * values.std(axis=-2) + 1e-12)


# ---- a user's own system and log

def read_system(path, name="system"):
    """The System of a JSON file: {"m": [..], "h": s, "contact": "none" | "floor" | "pair", "e": 1, "proj": "none" |
    "mean"}, as `tinycontact cdl simulate` takes it; what is learned (potential, g, l) is not looked at."""
    fields = read_json(path)
    if not isinstance(fields, dict):
        raise TinycontactError(f"{path}: wanted one system, {{\"m\": [..], \"h\": .., \"contact\": ..}}")
    check_names(fields, path)
    for field in ("m", "h", "contact"):
        if field not in fields:
            raise TinycontactError(f"{path}: no field {field}")
    masses = fields["m"] if isinstance(fields["m"], list) else [fields["m"]]
    mass = tuple(number(m, f"{path}, field m") for m in masses)
    h, e = number(fields["h"], f"{path}, field h"), number(fields.get("e", 1.0), f"{path}, field e")
    normals = {"none": (), "floor": (1.0, *[0.0] * (len(mass) - 1)), "pair": (1.0, -1.0, *[0.0] * (len(mass) - 2))}
    contact, project = fields["contact"], fields.get("proj", "none")
    rules = (("m", bool(mass) and min(mass) > 0, "is not a list of positive numbers"), ("h", h > 0, "is not positive"),
             ("e", 0 <= e <= 1, "lies outside 0 to 1"),
             ("contact", contact in normals, "is none of none, floor, pair"),
             ("contact", contact != "pair" or len(mass) == 2, "is pair, which needs two masses"),
             ("proj", project in ("none", "mean"), "is none of none, mean"),
             ("proj", project == "none" or contact == "pair", "is mean, which needs contact pair"))
    for field, kept, text in rules:
        if not kept:
            raise TinycontactError(f"{path}, field {field}: {text}")
    return System(str(fields.get("name", name)), h, mass, normals[contact], e, project == "mean")


def read_log(path, system):
    """(Data of one seed, whether contact was logged) of a CSV: run, t, q1.., v1.. and maybe contact (0 or 1)."""
    d = system.columns
    qs, vs = [f"q{k + 1}" for k in range(d)], [f"v{k + 1}" for k in range(d)]
    log = read_columns(path, ("run", "t", *qs, *vs), ("contact",), {"contact": {"0": 0.0, "1": 1.0}})
    runs = []
    for rows in groups_in_time(log, "run", "t"):
        steps = np.diff(log["t"][rows])
        if len(rows) < 3:
            raise TinycontactError(f"{log.where(rows[0], 'run')}: has {len(rows)} rows, 3 are needed")
        off = np.flatnonzero(np.abs(steps - system.h) > UNEVEN * system.h)
        if len(off):
            raise TinycontactError(f"{log.where(rows[off[0] + 1], 't')}: a step of {steps[off[0]]:g} s,"
                                   f" the system's h is {system.h:g} s")
        runs.append((int(rows[0]), len(rows)))
    touched = "contact" in log
    flags = log["contact"] if touched else np.zeros(len(log))
    return Data(system, log.stacked(qs)[None], log.stacked(vs)[None], flags[None], tuple(runs)), touched
