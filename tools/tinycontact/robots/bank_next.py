# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""When a foot in the air touches down next.

Its height over the floor that it left is h, its velocity off that floor v, its acceleration a of late. Nobody knows
what the controller will do; a lasts for a time d more, then the velocity stays:

    z(t) = h + v t + a t^2 / 2 for t <= d,   z(d) + (v + a d) (t - d) after it;   z = 0 is the touch-down.

d depends on whether the foot goes on to be driven down. b is a slower filter of the acceleration than a. Where a
falls off against b, the controller is ending the fall's beginning, and d is short, ENDS. Where a is as large as b, d is
STEADY, and longer if the foot is slower than it used to be: u is the greatest speed of its last swings, and a lasts
until v is u, for at most MOST. r from 0 to 1 is between the two:

    r = (a / b - FALLS_OFF) / (1 - FALLS_OFF),   e = ENDS + r (STEADY - ENDS),   d = e + r max((u - v) / a - e, 0)

With d of a swing's whole rest, a foot that is being slowed down before it lands would be thought to stop above the
floor. h is to the place where feet were found standing, which is a little below where they touched.
"""
import numpy as np

ENDS, STEADY, MOST = 0.003, 0.012, 0.03   # [s] that an acceleration goes on
FOLLOW, TREND = 0.7, 0.2                  # of the acceleration per tick: a, b
FALLS_OFF = 0.8                           # a / b of a fall that is no longer driven
LEAST = -10.0                             # [m/s^2] b of a foot that is driven down
HABIT = 0.25                              # of u per swing
SUNK = 1e-3                               # [m] of a limb like the Go1's, when it is found standing
HORIZON = 0.1                             # [s]


def touch_down(h, v, a, lasts):
    """[s] until z = 0; NaN if that is not within HORIZON."""
    with np.errstate(invalid="ignore", divide="ignore"):
        root = np.sqrt(np.maximum(v * v - 2 * a * h, 0.0))
        early = 2 * h / (root - v)   # the first root of h + v t + a t^2 / 2, where there is one
        early = np.where((v * v - 2 * a * h >= 0) & (root > v), early, np.inf)
        w = v + a * lasts
        late = np.where(w < 0, lasts - (h + v * lasts + 0.5 * a * lasts**2) / w, np.inf)
    time = np.where(h <= 0, 0.0, np.where(early <= lasts, early, late))
    return np.where(time <= HORIZON, time, np.nan)


def lasts(v, a, b, u):
    """[s] that a goes on; u 0: not known."""
    with np.errstate(invalid="ignore", divide="ignore"):
        r = np.where(b < LEAST, np.clip((a / b - FALLS_OFF) / (1 - FALLS_OFF), 0.0, 1.0), 0.0)
        e = ENDS + r * (STEADY - ENDS)
        longer = np.where(r > 0, np.maximum((u - v) / a - e, 0.0), 0.0)
    return np.minimum(e + r * longer, MOST)


class Next:
    """Of E robots with L feet; `length` of their limbs over the Go1's."""

    def __init__(self, shape, tick, length):
        self.tick, self.sunk, self.before = tick, SUNK * length, np.full(shape, np.nan)
        self.a, self.b, self.u, self.fastest = np.zeros((4, *shape))

    def follow(self, speed, contact):
        change = np.where(np.isfinite(self.before), (speed - self.before) / self.tick, 0.0)
        self.before = speed
        self.a = np.where(contact, 0.0, self.a + FOLLOW * (change - self.a))
        self.b = np.where(contact, 0.0, self.b + TREND * (change - self.b))
        landed = contact & (self.fastest < 0)
        first = landed & (self.u == 0)
        self.u = np.where(first, self.fastest, self.u + landed * HABIT * (self.fastest - self.u))
        self.fastest = np.where(contact, 0.0, np.minimum(self.fastest, speed))

    def look(self, gap, speed, contact):
        """[E, L] seconds from this tick's end, a tick after its sample was taken; NaN of feet in contact."""
        self.follow(speed, contact)
        time = touch_down(gap - self.sunk, speed, self.a, lasts(speed, self.a, self.b, self.u))
        return np.where(contact, np.nan, np.maximum(time - self.tick, 0.0))
