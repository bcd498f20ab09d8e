# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The scale of each torque sensor, told by what torques do while a foot is in the air.

There the limb's momentum changes by torques and by what the model says of gravity and the base alone. Over a window of
ticks, for each joint: sum (M dw + H bias) = k sum H tau + error. The error has the noise of torques, white and twice as
much of one sign through the window (dry friction), and what is wrong with w at the window's two ends. A window that
meets the floor is dropped, and one that no scale explains does not count. Masses that are wrong look like scales.
"""
import numpy as np


class Gains:
    """Scale k of each torque sensor: in the air sum (M dw + H bias) = k sum H tau, over windows of ticks."""
    WINDOW = 16

    def __init__(self, shape, spread):
        self.start = np.broadcast_to(np.asarray(spread, float)**2, shape) + np.zeros(shape)
        self.k, self.variance = np.ones(shape), self.start.copy()
        self.pushed, self.moved, self.ticks = np.zeros(shape), np.zeros(shape), np.zeros(shape[:-1], int)

    def follow(self, flies, pushed, moved, noise, rate, gate):
        self.pushed, self.moved, self.ticks = self.pushed + pushed, self.moved + moved, self.ticks + 1
        full = self.ticks == self.WINDOW
        R = noise**2 * self.WINDOW * (1 + 4 * self.WINDOW) + 2 * rate
        x, error = self.pushed, self.moved - self.k * self.pushed
        S = x * x * self.variance + R
        weighs = (flies & full)[..., None] & (error**2 < gate * S)
        K = np.where(weighs, self.variance * x / S, 0.0)
        self.k = self.k + K * error
        self.variance = np.minimum(self.variance * (1 - K * x) + weighs * 1e-5 * self.start, 4 * self.start)
        again = full | ~flies
        self.pushed, self.moved = (np.where(again[..., None], 0.0, old) for old in (self.pushed, self.moved))
        self.ticks = np.where(again, 0, self.ticks)
