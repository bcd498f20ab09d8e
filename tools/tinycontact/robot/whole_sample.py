# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""A short log of a robot whose limbs tap a floor below them in turn, for firmware that has no drivers yet.

The base hangs in a stand, so the limbs move apart from each other. A controller moves each foot up and down; its floor
is half-way, where the foot is at home. A floor's impulse is that of Coulomb's friction without bounce, solved for each
substep. The readings have the noise and the steps of the sensors.
"""
from dataclasses import dataclass

import numpy as np

from ..errors import TinycontactError
from ..robots.posture import home_of
from ..robots.tables import Tables

TICKS = 480
SUBSTEP = 2.5e-4       # [s] at most
FRICTION = 0.6
PERIODS = 2            # of each foot in the log
STROKE = 0.06          # of the reach: half of the way
SHARE = 0.6            # of the weight on each limb: what it presses with once its way leads into the floor
RISE = 0.1             # of a period until it presses with all of it
STIFF = 2 * np.pi * 5  # [rad/s] of the controller
LIFTS = 20             # steps of Newton
SWEEPS = 20            # over the rows of a contact


@dataclass
class Sample:
    """Readings, a row for each tick; joints one limb after another."""
    tick: float
    encoder: np.ndarray   # [T, sum n]
    torque: np.ndarray    # [T, sum n]
    gyro: np.ndarray      # [T, 3] in the IMU's axes
    accel: np.ndarray     # [T, 3]
    contact: np.ndarray   # [T, L] bool: the truth

    def sensors(self):
        """As an Episode has them."""
        T = len(self.gyro)
        values = {"encoder": self.encoder, "torque": self.torque, "gyro": self.gyro, "accel": self.accel}
        return {**{name: np.float32(value) for name, value in values.items()}, "lost": np.zeros((T, 1), np.float32)}


class _Tapping:
    """One limb of a robot in a stand, its controller, and the floor."""

    def __init__(self, robot, tables, k, period):
        limb, phase = robot.limbs[k], k / (2.0 * len(robot.limbs))
        self.tables, self.k, self.period, self.phase = tables, k, period, phase
        self.home, self.up = np.array(limb.home, float), (0.0, 0.0, robot.g)
        self.q, self.w = self.home.copy(), np.zeros(limb.joints)
        self.stroke = STROKE * limb.reach
        self.stance = self._look().place
        self.floor = self.stance[2]
        for _ in range(LIFTS):   # to where the way begins
            m = self._look()
            error = self._wanted(phase * period)[0] - m.place
            self.q = self.q + np.linalg.pinv(m.J, rcond=0.05) @ error
        self.press = SHARE * robot.g * robot.mass / len(robot.limbs)

    def _look(self):
        return self.tables.move(self.k, self.q, self.w, force=self.up)

    def _wanted(self, t):
        """[3, 3] where the contact point is wanted, and the two derivatives."""
        rate, along = 2 * np.pi / self.period, 2 * np.pi * (t / self.period - self.phase)
        way = np.zeros((3, 3))
        way[:, 2] = self.stroke * np.array([np.cos(along), -rate * np.sin(along), -rate**2 * np.cos(along)])
        way[0] += self.stance
        return way

    def torque(self, t):
        """Pulls the foot along its way, presses it into the floor, and pulls the other joints to where they began."""
        m = self._look()
        place, speed, change = self._wanted(t)
        inside = (t / self.period - self.phase) % 1.0 - 0.25   # since the way led below the floor, for half a period
        down = 0.0 < inside < 0.5
        if down:
            speed, change = np.zeros(3), np.zeros(3)   # it stands
        foot = change + 1.4 * STIFF * (speed - m.J @ self.w) + STIFF**2 * (place - m.place)
        back = np.linalg.pinv(m.J, rcond=0.05)
        rest = np.eye(len(self.q)) - back @ m.J
        pull = STIFF**2 * (self.home - self.q) - 1.4 * STIFF * self.w
        press = self.press * down * np.clip(min(inside, 0.5 - inside) / RISE, 0.0, 1.0)
        return m.M @ (back @ foot + rest @ pull) + m.bias - press * m.J[2]

    def advance(self, step, torque):
        """One substep; whether the foot touched."""
        m = self._look()
        inverse = np.linalg.inv(m.M)
        free = self.w + step * inverse @ (torque - m.bias)
        p = _impulse(m.J @ inverse @ m.J.T, m.J @ free, (m.place[2] - self.floor) / step)
        self.w = free + inverse @ m.J.T @ p
        self.q = self.q + step * self.w
        return p[2] > 0.0


def _impulse(W, velocity, room):
    """[3] of the floor: the next gap is not negative, friction is Coulomb's. By sweeps over normal and tangent."""
    p = np.zeros(3)
    if velocity[2] + room >= 0.0:
        return p
    size = max(np.trace(W), 1e-12)
    for _ in range(SWEEPS):
        p[2] = max(0.0, p[2] - (velocity[2] + room + W[2] @ p) / max(W[2, 2], 1e-3 * size))
        slip = velocity[:2] + W[:2] @ p
        p[:2] -= slip / max(np.linalg.norm(W[:2, :2], 2), 1e-3 * size)
        length, most = np.linalg.norm(p[:2]), FRICTION * p[2]
        if length > most:
            p[:2] *= most / length
    return p


def record(robot, tick, sensing):
    """The Sample of a Robot; `sensing`: {field of tc_feet_sensing: number}, torque_noise in N m."""
    robot, random = home_of(robot), np.random.default_rng(1)
    tables, substeps = Tables(robot), int(np.ceil(tick / SUBSTEP))
    machines = [_Tapping(robot, tables, k, TICKS * tick / PERIODS) for k in range(len(robot.limbs))]
    q, torque = np.zeros((2, TICKS, robot.joints))
    contact = np.zeros((TICKS, len(machines)), bool)
    for machine, part, touches in zip(machines, robot.columns(), contact.T):
        for k in range(TICKS):
            torque[k, part] = held = machine.torque(k * tick)
            for _ in range(substeps):
                touches[k] |= machine.advance(tick / substeps, held)
            q[k, part] = machine.q
    if not np.isfinite(q).all() or np.abs(q).max() > 1e4 or not contact.any():
        raise TinycontactError(f"{robot.path or robot.name}: no log of tapping limbs could be made: are its masses,"
                               " inertias and lengths those of one robot?")
    return _measured(robot, sensing, tick, q, torque, contact, random)


def _measured(robot, sensing, tick, q, torque, contact, random):
    turn = np.array([2 * np.pi if link.joint == "revolute" else 1.0 for limb in robot.limbs for link in limb.links])
    step = turn / sensing["encoder_counts"]
    q = np.round(q / step + 0.3 * random.standard_normal(q.shape)) * step
    torque = torque + 0.5 * sensing["torque_noise"] * random.standard_normal(q.shape)
    shake = random.standard_normal((2, len(contact), 3))
    level = robot.imu_axes.T @ [0.0, 0.0, robot.g]
    return Sample(tick, q, torque, 0.003 * shake[0], level + sensing["accel_noise"] * shake[1], contact)
