# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The sensors of a leg, one sample per tick, in the library's axes and signs.

    encoder        joint coordinates at the tick's end, rounded to one turn / 2^bits (prismatic: 1 m / 2^bits), jitter
                   0.3 LSB before rounding, offset uniform +-0.3 mrad (mm)
    torque         mean over the tick, gain uniform +-5 % per joint, sigma 0.05 N m (N) of a leg of size 1 (size.py)
    gyro           at the tick's end, sigma 0.003 rad/s, bias uniform +-0.005
    accel          specific force at the base's origin, base axes, averaged over the tick, sigma 0.06 m/s^2, bias +-0.1
    pitch          error uniform +-0.01 rad; on a rail exactly 0
    base_velocity  along the floor, bias uniform +-0.02 m/s, sigma 0.005
    place          on a terrain only: of the base along it, bias uniform +-5 mm, sigma 1 mm

Gains, biases and offsets are drawn once per episode. `noise` multiplies the sigmas and the jitter, not the biases. All
samples arrive a tick late (see plant.Plant.step); a lost frame never does.
"""
from dataclasses import dataclass

import numpy as np

from .size import size_of

NAMES = ("encoder", "torque", "gyro", "accel", "pitch", "base_velocity")
JITTER, OFFSET = 0.3, 3e-4
TORQUE_SIGMA, GYRO_SIGMA, ACCEL_SIGMA, SPEED_SIGMA = 0.05, 0.003, 0.06, 0.005
GYRO_BIAS, ACCEL_BIAS, PITCH_ERROR, SPEED_BIAS = 0.005, 0.1, 0.01, 0.02


BASE_VELOCITY_NOISE = 0.02   # of tc_leg_sensing_default [m/s]
LIMITS = {"torque_limit": 1e3, "gyro_limit": 35.0, "accel_limit": 160.0}   # likewise


PLACE_BIAS, PLACE_SIGMA = 5e-3, 1e-3   # [m]


class PlaceSensor:
    """Where a base is on its terrain, by whatever localises it. Its own stream: the others' samples stay the same."""

    def __init__(self, seed):
        self.random = np.random.default_rng([seed, 2])
        self.bias = self.random.uniform(-PLACE_BIAS, PLACE_BIAS)

    def measure(self, place):
        return np.float32(place + self.bias + PLACE_SIGMA * self.random.standard_normal())


@dataclass(frozen=True)
class SensorOptions:
    noise: float = 1.0          # times all sigmas and the jitter
    encoder_bits: int = 16
    torque_gain: float = 0.05   # uniform +- this
    lost: float = 0.0           # share of frames that never arrive
    faults: tuple = ()          # of Fault

    def sensing(self, chain, tick):
        """{field of tc_leg_sensing: number} that whoever knows these sensors tells an estimator. Jitter of encoders that is
        the nominal one needs no telling (lib/mechanics/tc_leg.h). Torques' noise is that of a leg of this size."""
        del tick   # each sample is a mean over the tick, and as noisy at any tick
        lsb = 2 * np.pi / 2.0**self.encoder_bits
        return {**LIMITS, "encoder_counts": 2.0**self.encoder_bits,
                "encoder_noise": JITTER * lsb * np.sqrt(max(self.noise**2 - 1, 0.0)),
                "torque_noise": self.noise * TORQUE_SIGMA * size_of(chain).torque, "gyro_noise": self.noise * GYRO_SIGMA,
                "accel_noise": self.noise * ACCEL_SIGMA, "base_velocity_noise": BASE_VELOCITY_NOISE}


@dataclass(frozen=True)
class Fault:
    """From tick `start` to before `stop` a sensor does not do its duty."""
    sensor: str         # of NAMES
    start: int
    stop: int
    kind: str           # "freeze": as it was before; else the word of a number: "nan", "inf", "1e9"
    index: int = -1     # joint or axis; -1: all


class Sensors:
    """Of one episode: measure() tick by tick. What a tick draws does not depend on what it measures.

    All sensors stand in one vector: encoders, torques, gyro, accel, pitch, base velocity. `torque`: the leg's
    size.Size.torque."""

    def __init__(self, leg, seed, options, torque=1.0):
        self.options, self.random, n = options, np.random.default_rng([seed, 1]), leg.joints
        self.lsb = np.where(leg.slides, 1.0, 2 * np.pi) / 2.0**options.encoder_bits
        self.sign, self.joints = leg.sign, n
        draw = self.random.uniform
        offset, torque_gain = draw(-OFFSET, OFFSET, n), draw(-options.torque_gain, options.torque_gain, n)
        rest = draw(-1, 1, 5) * [GYRO_BIAS, ACCEL_BIAS, ACCEL_BIAS, PITCH_ERROR if leg.root == "floating" else 0.0,
                                 SPEED_BIAS]
        self.gain = np.concatenate([np.ones(n), 1 + torque_gain, np.ones(5)])
        self.bias = np.concatenate([offset, np.zeros(n), rest])
        self.sigma = options.noise * np.concatenate(
            [JITTER * self.lsb, np.full(n, TORQUE_SIGMA * torque), [GYRO_SIGMA, ACCEL_SIGMA, ACCEL_SIGMA, 0.0, SPEED_SIGMA]])
        self.tick, self.last = 0, None

    def measure(self, state, torque, accel):
        """{name: float32 array} of NAMES, and `lost`, from a State, the torques (file's signs) and the mean specific
        force of the tick that it ends."""
        n = self.joints
        true = np.concatenate([self.sign * state.q, self.sign * torque, state.base_rate[2:], accel, state.base[2:],
                               state.base_rate[:1]])
        value = self.gain * true + self.bias + self.sigma * self.random.standard_normal(len(true))
        value[:n] = np.round(value[:n] / self.lsb) * self.lsb
        value = value.astype(np.float32)
        sample = {"encoder": value[:n], "torque": value[n:2 * n], "gyro": value[2 * n],
                  "accel": value[2 * n + 1:2 * n + 3], "pitch": value[2 * n + 3], "base_velocity": value[2 * n + 4],
                  "lost": np.float32(self.random.random() < self.options.lost)}
        for fault in self.options.faults:
            self._break(fault, sample)
        self.tick, self.last = self.tick + 1, sample
        return sample

    def _break(self, fault, sample):
        if not fault.start <= self.tick < fault.stop:
            return
        value = np.array(sample[fault.sensor])
        where = ... if fault.index < 0 else fault.index
        if fault.kind != "freeze":
            value[where] = float(fault.kind)
        elif self.last is not None:
            value[where] = self.last[fault.sensor][where]
        sample[fault.sensor] = value
