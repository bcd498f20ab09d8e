# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The states of practice that an estimator of robots in space is measured against, over whole episodes:

    momentum   generalized-momentum observer in the frame of the IMU's base, threshold on the force along the normal
    static     the same threshold on the force that holds the limb's weight and torques, without its motion

    estimator = Observer(on=20.0, off=6.0)
    estimates = judge.estimates_of(estimator, episode)

They know masses, lengths and the attitude, take the floor as level against gravity, and know nothing of slip: all
contact sticks. `on` and `off` are of a robot of the Go1's mass, in proportion to others.
"""
import itertools
from dataclasses import dataclass, replace

import numpy as np

from ..errors import TinycontactError
from ..hil.observer import _rates, decide
from . import tuning
from .judge import judge, summary
from .motion import apply, move, specific_force
from .sensors import matrix

MASS = 12.04   # [kg] of the robot that thresholds are given for
GRID = {
    "rate_filter": (400.0, 900.0, 2000.0), "gain": (150.0, 300.0, 600.0, 1000.0),
    "on": (8.0, 14.0, 20.0, 30.0, 45.0, 70.0), "off_part": (0.3, 0.6), "debounce_on": (1, 2), "debounce_off": (1, )
}


@dataclass(frozen=True)
class Settings:
    rate_filter: float = 2000.0  # [1/s] of joint rates
    gain: float = 300.0          # [1/s] of the observer
    on: float = 20.0             # [N]
    off: float = 6.0             # [N]
    debounce_on: int = 1         # ticks
    debounce_off: int = 1


@dataclass
class Seen:
    """What a robot's sensors say of its motion, per limb, of the ticks that arrived."""
    here: np.ndarray      # [t] ticks
    time: np.ndarray      # [t] since the one before [s]
    attitude: np.ndarray  # [t, 3, 3] base to world
    z: list               # [L] of [t, n]
    w: list               # [L] of [t, n]
    motions: list         # [L] of motion.Motion
    torque: list          # [L] of [t, n]


def look(episode, rate_filter):
    """The Seen of an Episode."""
    robot, sensors = episode.robot, episode.sensors
    here = np.flatnonzero(sensors["lost"] == 0)
    time = np.diff(here, prepend=here[0] - 1) * episode.tick
    cut = {name: np.asarray(values[here], float) for name, values in sensors.items()}
    turning = np.diff(cut["gyro"], axis=0, prepend=cut["gyro"][:1]) / time[:, None]   # over the tick, as accel is
    force, omega, alpha = specific_force(robot, cut["accel"], cut["gyro"], turning)
    attitude = matrix(cut["attitude"]) @ robot.imu_axes.T
    normal = attitude[:, 2, :]   # the world's z in the base's axes
    seen = Seen(here, time, attitude, [], [], [], [])
    for limb, part in zip(robot.limbs, robot.columns()):
        z = cut["encoder"][:, part]
        w = _rates(z, time, rate_filter)
        seen.z.append(z), seen.w.append(w), seen.torque.append(cut["torque"][:, part])
        seen.motions.append(move(limb, z, w, omega, force, normal, alpha))
    return seen


def to_force(m):
    """[t, 3, n] joint torques to the force at the contact point that explains them best, weighed by the mass matrix."""
    X = np.linalg.solve(m.M, np.swapaxes(m.J, -1, -2))
    W = m.J @ X
    ridge = 1e-4 * np.trace(W, axis1=-2, axis2=-1)[..., None, None] * np.eye(3)
    return np.linalg.solve(W + ridge, np.swapaxes(X, -1, -2))


def _filtered(values, time, gains):
    """[gains, t, ...] of first-order filters."""
    part = 1 - np.exp(-np.asarray(gains)[:, None] * time)
    out = np.zeros((len(gains), *values.shape))
    for k in range(1, len(values)):
        out[:, k] = out[:, k - 1] + part[:, k, None] * (values[k] - out[:, k - 1])
    return out


def forces(seen, gains, motion=True):
    """[gains, t, L, 3] of the floor on the feet, world axes."""
    found = []
    for m, w, torque in zip(seen.motions, seen.w, seen.torque):
        moved = apply(m.M, np.diff(w, axis=0, prepend=w[:1]) / seen.time[:, None]) if motion else 0.0
        missing = moved + m.bias - torque
        missing[:2] = 0.0
        filtered = _filtered(missing, seen.time, gains)
        found.append(apply(seen.attitude @ to_force(m), filtered))
    return np.stack(found, 2)


def spread(episode, here, contact, force):
    """Estimates of all ticks; one that was lost repeats the one before."""
    last = np.maximum(np.searchsorted(here, np.arange(len(episode)), side="right") - 1, 0)
    contact, force = contact[last], force[last]
    p = np.stack([~contact, contact, np.zeros_like(contact)], -1).astype(float)
    return {"contact": contact, "p": p, "impulse": episode.tick * force * contact[..., None]}


def decided(force, settings, mass):
    """[t, L] bool, of forces [t, L, 3]."""
    scaled = replace(settings, on=settings.on * mass / MASS, off=settings.off * mass / MASS)
    return np.stack([decide(force[:, k, 2], scaled) for k in range(force.shape[1])], 1)


class Observer:
    """`motion` False: the static threshold. `settings`: fields of Settings."""

    def __init__(self, motion=True, **settings):
        unknown = set(settings) - set(Settings.__dataclass_fields__)
        if unknown:
            raise TinycontactError(f"{unknown.pop()!r} is no setting of the observer")
        self.motion, self.settings = motion, Settings(**settings)

    def reset(self, robot):
        self.robot = robot

    def run(self, episode):
        s, seen = self.settings, look(episode, self.settings.rate_filter)
        force = forces(seen, [s.gain], self.motion)[0]
        return spread(episode, seen.here, decided(force, s, self.robot.mass), force)


def tune(episodes, motion=True, tell=enumerate):
    """[(Settings, summary)] of the whole GRID, the least tuning.cost first."""
    decisions = list(itertools.product(GRID["on"], GRID["off_part"], GRID["debounce_on"], GRID["debounce_off"]))
    found = []
    for _, rate_filter in tell(GRID["rate_filter"]):
        totals = {}
        for episode in episodes:
            seen = look(episode, rate_filter)
            each = forces(seen, GRID["gain"], motion)
            for (g, gain), (on, part, *debounce) in itertools.product(enumerate(GRID["gain"]), decisions):
                settings = Settings(rate_filter, gain, on, part * on, *debounce)
                contact = decided(each[g], settings, episode.robot.mass)
                one = judge(episode, spread(episode, seen.here, contact, each[g]))
                totals[settings] = totals[settings] + one if settings in totals else one
        found += [(settings, summary(one)) for settings, one in totals.items()]
    return sorted(found, key=lambda one: tuning.cost(one[1]))
