# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The sensors of a robot, one sample per tick: joints one limb after another, the IMU in its own axes.

    encoder    joint coordinates at the tick's end, rounded to one turn / 2^bits (prismatic: 1 m / 2^bits), jitter 0.3
               LSB before rounding, offset uniform +-0.3 mrad (mm)
    torque     held over the tick, gain uniform +-5 % per joint, sigma 0.05 N m of a limb like the Go1's
               (world.torque_size); the joint's dry friction of 0.1 N m is not in it
    gyro       at the tick's end, sigma 0.003 rad/s, bias uniform +-0.005
    accel      averaged over the tick, sigma 0.06 m/s^2, bias uniform +-0.1
    attitude   quaternion w, x, y, z from the IMU's axes to the world's, as a filter has it: leaning by uniform +-0.01
               rad about the world's x and y, which stays the same through an episode
    lost       1: the frame of this tick never arrives

`noise` multiplies the sigmas and the jitter, not the biases. All samples arrive a tick late (plant.Plant.step).
"""
from dataclasses import dataclass

import numpy as np

from ..hil.sensors import ACCEL_BIAS, ACCEL_SIGMA, GYRO_BIAS, GYRO_SIGMA, JITTER, OFFSET, PITCH_ERROR, TORQUE_SIGMA
from ..robot.urdf import roll_pitch_yaw
from .world import torque_size

NAMES = ("encoder", "torque", "gyro", "accel", "attitude", "lost")


@dataclass(frozen=True)
class SensorOptions:
    noise: float = 1.0          # times all sigmas and the jitter
    encoder_bits: int = 16
    torque_gain: float = 0.05   # uniform +- this
    torque_noise: float = 1.0   # times the torque's sigma
    tilt: float = PITCH_ERROR   # uniform +- this [rad]
    lost: float = 0.0           # share of frames


def quaternion(R):
    """[..., 4] w, x, y, z of rotation matrices, w >= 0."""
    R = np.asarray(R, float)
    diagonal = np.moveaxis(np.diagonal(R, axis1=-2, axis2=-1), -1, 0)
    x, y, z = diagonal
    four = 1 + np.array([x + y + z, x - y - z, y - x - z, z - x - y])   # times the squares of w, x, y, z
    squares = np.maximum(four, 0.0)
    size = np.sqrt(squares) / 2
    pick = np.argmax(size, axis=0)
    a, b, c = R[..., 2, 1] - R[..., 1, 2], R[..., 0, 2] - R[..., 2, 0], R[..., 1, 0] - R[..., 0, 1]
    d, e, f = R[..., 0, 1] + R[..., 1, 0], R[..., 0, 2] + R[..., 2, 0], R[..., 1, 2] + R[..., 2, 1]
    big = np.take_along_axis(size, pick[None], 0)[0]
    four = 4 * big * big
    rows = np.array([[four, a, b, c], [a, four, d, e], [b, d, four, f], [c, e, f, four]])   # [pick, component, ...]
    chosen = np.take_along_axis(rows, pick.reshape(1, 1, *pick.shape), 0)[0] / (4 * big)
    return np.moveaxis(np.where(chosen[0] < 0, -chosen, chosen), 0, -1)


def matrix(q):
    """[..., 3, 3] of quaternions [..., 4]."""
    w, x, y, z = np.moveaxis(np.asarray(q, float), -1, 0)
    rows = [[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]]
    return np.stack([np.stack(row, -1) for row in rows], -2)


@dataclass
class Reading:
    """What perfect sensors would show, of one tick or, with leading axes, of many."""
    q: np.ndarray        # [..., sum n] at the tick's end
    torque: np.ndarray   # [..., sum n] held over the tick
    gyro: np.ndarray     # [..., 3] at the tick's end, the IMU's axes
    accel: np.ndarray    # [..., 3] mean over the tick, the IMU's axes
    axes: np.ndarray     # [..., 3, 3] from the IMU's axes to the world's


class Sensors:
    """Of one episode. What a tick draws does not depend on what it measures; ticks may be measured one by one or many
    at once, with the same result."""

    def __init__(self, robot, seed, options=SensorOptions()):
        self.options, draw = options, np.random.default_rng([seed, 11]).uniform
        self.random, self.losing = np.random.default_rng([seed, 12]), np.random.default_rng([seed, 13])
        links = [link for limb in robot.limbs for link in limb.links]
        n = len(links)
        self.lsb = np.array([1.0 if link.joint == "prismatic" else 2 * np.pi
                             for link in links]) / 2.0**options.encoder_bits
        size = np.concatenate([np.full(limb.joints, torque_size(limb)) for limb in robot.limbs])
        self.offset, self.gain = draw(-OFFSET, OFFSET, n), 1 + options.torque_gain * draw(-1, 1, n)
        self.gyro_bias, self.accel_bias = draw(-GYRO_BIAS, GYRO_BIAS, 3), draw(-ACCEL_BIAS, ACCEL_BIAS, 3)
        x, y = options.tilt * draw(-1, 1, 2)
        self.lean = roll_pitch_yaw([x, y, 0.0])
        self.sigma = options.noise * np.concatenate([
            JITTER * self.lsb, options.torque_noise * TORQUE_SIGMA * size,
            np.full(3, GYRO_SIGMA),
            np.full(3, ACCEL_SIGMA)
        ])

    def measure(self, reading):
        """{name: float32 array} of NAMES."""
        shape, n = reading.q.shape[:-1], len(self.lsb)
        noise = self.sigma * self.random.standard_normal((*shape, len(self.sigma)))
        read = {"encoder": np.round((reading.q + self.offset + noise[..., :n]) / self.lsb) * self.lsb,
                "torque": self.gain * reading.torque + noise[..., n:2 * n],
                "gyro": reading.gyro + self.gyro_bias + noise[..., 2 * n:2 * n + 3],
                "accel": reading.accel + self.accel_bias + noise[..., 2 * n + 3:],
                "attitude": quaternion(self.lean @ reading.axes),
                "lost": self.losing.random(shape) < self.options.lost}
        return {name: np.asarray(value, np.float32) for name, value in read.items()}
