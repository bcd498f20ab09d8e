# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""A short log of a leg that taps the floor below it, for firmware that has no drivers yet.

The base hangs in a stand. A controller moves the foot up and down; the floor is half-way. A floor's impulse is that of
Coulomb's friction without bounce, solved for each substep. The readings have the noise and the steps of the sensors.
"""
from dataclasses import dataclass
from types import SimpleNamespace

import numpy as np

from ..errors import TinycontactError
from ..hil.leg import move
from ..hil.size import reach

SUBSTEPS = 4
LEAST_SECONDS, MOST_SECONDS, TICKS = 0.4, 2.0, 700   # of a log, which is a table in flash
FRICTION = 0.6
PERIOD, TICKS_OF_PERIOD = 0.25, 120   # [s] of the foot's way down and up, and its ticks, at least
STROKE = 0.06         # of the reach: half of the way
SHARE = 0.5           # of the base's weight: what the leg presses with once its way leads into the floor
RISE = 0.02           # [s] until it presses with all of it
STIFF = 2 * np.pi * 4   # [rad/s] of the controller
TRIES = 400           # postures that are looked at
WIDE = 1.0            # [rad] of joints without a range, to either side
TRAVEL = 0.1          # [m] the same of joints that slide


@dataclass
class Sample:
    """Readings, a row for each tick, in the chain file's signs and the motors' coordinates."""
    tick: float
    motor: np.ndarray     # [T, n]
    torque: np.ndarray    # [T, n]
    gyro: np.ndarray      # [T] about y
    accel: np.ndarray     # [T, 2] along x and z
    contact: np.ndarray   # [T] bool: the truth

    def episode(self, chain):
        """The same as the library's sensors, for hil.estimate.Estimator.run."""
        to_joint, to_torque = sensor_maps(chain)
        arrays = {"encoder": self.motor @ to_joint.T, "torque": self.torque @ to_torque.T, "gyro": -self.gyro,
                  "accel": self.accel, "lost": np.zeros(len(self.gyro))}
        return SimpleNamespace(**{name: array.astype(np.float32) for name, array in arrays.items()})


def sensor_maps(chain):
    """([n, n], [n, n]): the library's coordinates of motors' coordinates, and its torques of motors' torques."""
    sign = chain.planar().sign
    drives = np.eye(len(sign)) if chain.drives is None else chain.drives
    return sign[:, None] * np.linalg.inv(drives), sign[:, None] * drives.T


def _allowed(chain):
    """[n, 2] what the joints' coordinates may be."""
    wide = [TRAVEL if link.joint == "prismatic" else WIDE for link in chain.links]
    return np.array([(max(-w, link.range[0]), min(w, link.range[1])) if link.range and link.range[0] < w
                     and link.range[1] > -w else link.range or (-w, w) for link, w in zip(chain.links, wide)])


def _still(leg, q):
    return move(np, leg, list(q), [0.0] * leg.joints, 0.0, 0.0, (0.0, leg.g))


def posture(chain):
    """The library's joint coordinates from which the foot moves best, upwards first."""
    leg, low_high = chain.planar(), _allowed(chain)
    draws = np.random.default_rng(0).random((TRIES, leg.joints)) * 0.8 + 0.1
    rows = leg.sign * (low_high[:, 0] + draws * (low_high[:, 1] - low_high[:, 0]))
    motion = move(np, leg, list(rows.T), [0.0 * rows.T[0]] * leg.joints, 0.0 * rows.T[0], 0.0, (0.0, leg.g))
    J = np.moveaxis(np.array([[entry + 0 * rows.T[0] for entry in row] for row in motion.J]), -1, 0)
    drive = np.linalg.svd(J, compute_uv=False)[:, -1] if leg.joints > 1 else np.abs(J[:, 1, 0])
    below = np.clip(-motion.foot[1] / reach(chain), 0.1, 1.0)
    return rows[np.argmax(drive * below)]


def _impulse(J, inverse, velocity, gap, step):
    """[2] of the floor on the foot in a step, along x and y: no velocity into the floor, friction as it can be."""
    aim = np.array([0.0, -gap / step])
    if velocity[1] >= aim[1]:
        return np.zeros(2)
    W = J @ inverse @ J.T
    if np.linalg.cond(W) < 1e6:
        p = np.linalg.solve(W, aim - velocity)
        if p[1] >= 0.0 and abs(p[0]) <= FRICTION * p[1]:
            return p
    side = -np.sign(velocity[0])
    normal = max(0.0, (aim[1] - velocity[1]) / max(W[1, 1] + side * FRICTION * W[1, 0], 0.05 * W[1, 1]))
    return np.array([side * FRICTION * normal, normal])


class _Machine:
    """A leg in a stand, its controller, and the floor."""

    def __init__(self, chain, tick):
        self.leg, self.period = chain.planar(), max(PERIOD, TICKS_OF_PERIOD * tick)
        self.q0 = posture(chain)
        self.q, self.w = self.q0.copy(), np.zeros(self.leg.joints)
        self.start = np.array(_still(self.leg, self.q0).foot)
        self.stroke = STROKE * reach(chain)
        self.floor = self.start[1] - self.stroke
        self.press = SHARE * self.leg.g * max(chain.base_mass, 3 * self.leg.mass.sum())

    def _wanted(self, t):
        """[3, 2] where the foot is wanted, and the two derivatives."""
        rate = 2 * np.pi / self.period
        y = self.stroke * np.array([np.cos(rate * t) - 1.0, -rate * np.sin(rate * t), -rate**2 * np.cos(rate * t)])
        way = np.stack([np.zeros(3), y], -1)
        way[0] += self.start
        return way

    def _torque(self, motion, t):
        """Pulls the foot along its way, presses it into the floor, and pulls the other joints to where they began."""
        M, J = np.array(motion.M), np.array(motion.J)
        place, speed, change = self._wanted(t)
        if place[1] < self.floor:
            speed, change = np.zeros(2), np.zeros(2)   # it stands
        foot = change + 1.4 * STIFF * (speed - J @ self.w) + STIFF**2 * (place - motion.foot)
        back = np.linalg.pinv(J, rcond=0.05)
        rest = np.eye(self.leg.joints) - back @ J
        pull = STIFF**2 * (self.q0 - self.q) - 1.4 * STIFF * self.w
        inside = t % self.period - self.period / 4   # since the way led below the floor, for half of a period
        press = self.press * np.clip(inside / RISE, 0.0, 1.0) * (inside < self.period / 2)
        return M @ (back @ foot + rest @ pull) + np.array(motion.bias) - press * J[1]

    def advance(self, t, step, torque):
        """One substep; (torque, whether the foot touched). A torque that is None is the controller's."""
        leg = self.leg
        motion = move(np, leg, list(self.q), list(self.w), 0.0, 0.0, (0.0, leg.g))
        if torque is None:
            torque = self._torque(motion, t)
        inverse, J = np.linalg.inv(np.array(motion.M)), np.array(motion.J)
        free = self.w + step * inverse @ (torque - np.array(motion.bias))
        p = _impulse(J, inverse, J @ free, motion.foot[1] - self.floor, step)
        self.w = free + inverse @ J.T @ p
        self.q = self.q + step * self.w
        return torque, p[1] > 0.0


def record(chain, tick, sensing):
    """The Sample of a Chain; `sensing`: {field of tc_leg_sensing: number, or one per joint}."""
    machine, random = _Machine(chain, tick), np.random.default_rng(1)
    ticks = int(round(min(MOST_SECONDS, max(LEAST_SECONDS, TICKS * tick)) / tick))
    n, g = machine.leg.joints, machine.leg.g
    q, torque, contact = np.zeros((ticks, n)), np.zeros((ticks, n)), np.zeros(ticks, bool)
    for k in range(ticks):
        held = None
        for part in range(SUBSTEPS):
            held, touched = machine.advance(k * tick, tick / SUBSTEPS, held)
            contact[k] |= touched
        q[k], torque[k] = machine.q, held
    if not np.isfinite(q).all() or np.abs(q).max() > 1e4:
        raise TinycontactError(f"{chain.path}: no log of a tapping leg could be made; tinycontact leg check names"
                               " what is suspicious in the file")
    return _measured(chain, sensing, tick, (q, torque, contact), random, g)


def _measured(chain, sensing, tick, truth, random, g):
    """Truth in the library's coordinates -> what sensors at motors and base show."""
    q, torque, contact = truth
    to_joint, to_torque = sensor_maps(chain)
    turn = np.array([2 * np.pi if link.joint == "revolute" else 1.0 for link in chain.links])
    step = turn / sensing["encoder_counts"]
    q = np.round(q / step + 0.3 * random.standard_normal(q.shape)) * step
    torque = torque + np.array(sensing["torque_noise"]) * 0.5 * random.standard_normal(q.shape)
    ticks = len(contact)
    return Sample(tick, q @ np.linalg.inv(to_joint).T, torque @ np.linalg.inv(to_torque).T,
                  sensing["gyro_noise"] * random.standard_normal(ticks),
                  np.array([0.0, g]) + sensing["accel_noise"] * random.standard_normal((ticks, 2)), contact)
