# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""When a foot in the air touches down next.

Its height over the floor that it left is h, its velocity off that floor v, its acceleration a of late. Nobody knows
what the controller will do; a lasts for a short time more, then the velocity stays:

    z(t) = h + v t + a t^2 / 2 for t <= d,   z(d) + (v + a d) (t - d) after it;   z = 0 is the touch-down.

With d of a swing's whole rest, a foot that is being slowed down before it lands would be thought to stop above the
floor. h is to the place where feet were found standing, which is a little below where they touched.
"""
import numpy as np

LASTS = 0.006     # [s] that an acceleration goes on
FOLLOW = 0.7      # of the acceleration per tick
SUNK = 0.5e-3     # [m] of a limb like the Go1's, when it is found standing
HORIZON = 0.1     # [s]


def touch_down(h, v, a, lasts=LASTS):
    """[s] until z = 0; NaN if that is not within HORIZON."""
    with np.errstate(invalid="ignore", divide="ignore"):
        root = np.sqrt(np.maximum(v * v - 2 * a * h, 0.0))
        early = 2 * h / (root - v)   # the first root of h + v t + a t^2 / 2, where there is one
        early = np.where((v * v - 2 * a * h >= 0) & (root > v), early, np.inf)
        w = v + a * lasts
        late = np.where(w < 0, lasts - (h + v * lasts + 0.5 * a * lasts**2) / w, np.inf)
    time = np.where(h <= 0, 0.0, np.where(early <= lasts, early, late))
    return np.where(time <= HORIZON, time, np.nan)


class Next:
    """Of E robots with L feet."""

    def __init__(self, shape, tick, length):
        self.tick, self.sunk = tick, SUNK * length
        self.before, self.a = np.full(shape, np.nan), np.zeros(shape)

    def look(self, gap, speed, contact):
        """[E, L] seconds from this tick's end, a tick after its sample was taken; NaN of feet in contact."""
        change = np.where(np.isfinite(self.before), (speed - self.before) / self.tick, 0.0)
        self.a, self.before = np.where(contact, 0.0, self.a + FOLLOW * (change - self.a)), speed
        time = np.maximum(touch_down(gap - self.sunk, speed, self.a) - self.tick, 0.0)
        return np.where(contact, np.nan, time)
