# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The sensors of a leg, one sample per tick of 1 ms, in the library's axes and signs.

    encoder        joint coordinates at the tick's end, rounded to one turn / 2^bits (prismatic: 1 m / 2^bits), jitter
                   0.3 LSB before rounding, offset uniform +-0.3 mrad (mm)
    torque         mean over the tick, gain uniform +-5 % per joint, sigma 0.05 N m (N)
    gyro           at the tick's end, sigma 0.003 rad/s, bias uniform +-0.005
    accel          specific force at the base's origin, base axes, averaged over the tick, sigma 0.06 m/s^2, bias +-0.1
    pitch          error uniform +-0.01 rad; on a rail exactly 0
    base_velocity  along the floor, bias uniform +-0.02 m/s, sigma 0.005

Gains, biases and offsets are drawn once per episode. `noise` multiplies the sigmas and the jitter, not the biases. All
samples arrive 1 ms late (see plant.Plant.step); a lost frame never does.
"""
from dataclasses import dataclass

import numpy as np

NAMES = ("encoder", "torque", "gyro", "accel", "pitch", "base_velocity")
JITTER, OFFSET = 0.3, 3e-4
TORQUE_SIGMA, GYRO_SIGMA, ACCEL_SIGMA, SPEED_SIGMA = 0.05, 0.003, 0.06, 0.005
GYRO_BIAS, ACCEL_BIAS, PITCH_ERROR, SPEED_BIAS = 0.005, 0.1, 0.01, 0.02


@dataclass(frozen=True)
class SensorOptions:
    noise: float = 1.0          # times all sigmas and the jitter
    encoder_bits: int = 16
    torque_gain: float = 0.05   # uniform +- this
    lost: float = 0.0           # share of frames that never arrive
    faults: tuple = ()          # of Fault


@dataclass(frozen=True)
class Fault:
    """From tick `start` to before `stop` a sensor does not do its duty."""
    sensor: str         # of NAMES
    start: int
    stop: int
    kind: str           # "freeze": as it was before; else the word of a number: "nan", "inf", "1e9"
    index: int = -1     # joint or axis; -1: all


class Sensors:
    """Of one episode: measure() tick by tick. What a tick draws does not depend on what it measures."""

    def __init__(self, leg, seed, options):
        self.options, self.random = options, np.random.default_rng([seed, 1])
        r, n = self.random, leg.joints
        turn = np.where(leg.slides, 1.0, 2 * np.pi)
        self.lsb = turn / 2.0**options.encoder_bits
        self.sign, self.rail = leg.sign, leg.root != "floating"
        self.offset = r.uniform(-OFFSET, OFFSET, n)
        self.gain = 1 + r.uniform(-options.torque_gain, options.torque_gain, n)
        self.gyro_bias = r.uniform(-GYRO_BIAS, GYRO_BIAS)
        self.accel_bias = r.uniform(-ACCEL_BIAS, ACCEL_BIAS, 2)
        self.pitch_error = 0.0 if self.rail else r.uniform(-PITCH_ERROR, PITCH_ERROR)
        self.speed_bias = r.uniform(-SPEED_BIAS, SPEED_BIAS)
        self.tick, self.last = 0, None

    def measure(self, state, torque, accel):
        """{name: float32 array} of NAMES, and `lost`, from a State, the torques (file's signs) and the mean specific
        force of the tick that it ends."""
        n, noise = len(self.lsb), self.options.noise
        w = self.random.standard_normal(2 * n + 4) * noise
        angle = self.sign * state.q + self.offset + JITTER * self.lsb * w[:n]
        sample = {"encoder": np.round(angle / self.lsb) * self.lsb,
                  "torque": self.gain * self.sign * torque + TORQUE_SIGMA * w[n:2 * n],
                  "gyro": state.base_rate[2] + self.gyro_bias + GYRO_SIGMA * w[2 * n],
                  "accel": accel + self.accel_bias + ACCEL_SIGMA * w[2 * n + 1:2 * n + 3],
                  "pitch": state.base[2] + self.pitch_error,
                  "base_velocity": state.base_rate[0] + self.speed_bias + SPEED_SIGMA * w[2 * n + 3],
                  "lost": self.random.random() < self.options.lost}
        sample = {name: np.asarray(value, np.float32) for name, value in sample.items()}
        for fault in self.options.faults:
            self._break(fault, sample)
        self.tick, self.last = self.tick + 1, sample
        return sample

    def _break(self, fault, sample):
        if not fault.start <= self.tick < fault.stop:
            return
        value = sample[fault.sensor] = sample[fault.sensor].copy()
        where = ... if fault.index < 0 else fault.index
        if fault.kind != "freeze":
            value[where] = float(fault.kind)
        elif self.last is not None:
            value[where] = self.last[fault.sensor][where]
