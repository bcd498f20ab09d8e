# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The bouncing plant: a box that is thrown onto a floor again and again. It flies with gyroscopic terms, strikes with one
corner (strike.py), flies on, and is thrown anew when it hardly bounces any more. Its robot reports each impact.

All in float64 and from the seed alone: the plant does not depend on what a board says. An impact is reported in the
box's axes at that moment: the floor's normal, the arm from the centre of mass to the corner, the velocities before and
after. Noise is on the velocities; that on the spin is SPIN_NOISE times as large, per radian.
"""
from dataclasses import dataclass, field

import numpy as np

from ..errors import TinycontactError
from .strike import COULOMB, LAWS, strike

GRAVITY = 9.81
HALF = (0.09, 0.06, 0.045)   # [m] sides of the box, halved
MASS = 1.0                   # [kg]
SPIN_NOISE = 5.0             # [1/m] of the spin's noise to that of the velocity
STEP = 0.004                 # [s] of the turning box; at 10 rad/s the error of a step is 1e-8
LEAST_SPEED = 0.4            # [m/s] of approach of an impact that is reported; a slower one ends the throw
MOST_BOUNCES = 3             # of a throw
ALONE = 1e-4                 # [m] that the other corners are higher
WRONG = 0.5                  # [m/s] error of an impact that is reported wrong: two corners taken for one


@dataclass(frozen=True)
class Truth:
    """What a board is to find. `change` is the friction of the second half, if it is another."""
    mu: float = 0.45
    e: float = 0.6
    ratio: float = 1.3           # inertia of the box to that which its robot was told
    change: float = None
    noise: float = 0.01          # [m/s]
    outliers: float = 0.0        # share of impacts that are reported wrong
    law: str = COULOMB

    def __post_init__(self):
        for name, least, most in (("mu", 0, 10), ("e", 0, 1), ("ratio", 0.1, 10), ("noise", 1e-5, 1), ("outliers", 0, 1)):
            _check(name, getattr(self, name), least, most)
        if self.change is not None:
            _check("change", self.change, 0, 10)
        if self.law not in LAWS:
            raise TinycontactError(f"law: {self.law!r} is none of {', '.join(LAWS)}")


def _check(name, value, least, most):
    if not least <= value <= most:
        raise TinycontactError(f"{name}: {value} is not between {least} and {most}")


@dataclass(frozen=True)
class Impact:
    """As it is reported, in the box's axes; and the truth beside it."""
    number: int              # 1, 2, ...
    normal: np.ndarray       # [3] out of the floor
    arm: np.ndarray          # [3] from the centre of mass to the corner [m]
    before: np.ndarray       # [6] velocity of the centre of mass [m/s], spin [rad/s]
    after: np.ndarray
    noise: float             # [m/s] standard deviation
    spin_noise: float        # [rad/s]
    mu: float                # the floor's, here
    sticks: bool
    wrong: bool
    throw: int
    exact: tuple = field(repr=False)   # before and after without noise


def box_inertia(mass=MASS, half=HALF):
    """[3] principal moments [kg m^2]."""
    a = np.square(half)
    return mass / 3.0 * (a.sum() - a)


class Bouncer:
    """step() gives the next Impact. `impacts` in all: half of them come before the floor changes."""

    def __init__(self, truth, impacts, seed=0):
        self.truth, self.impacts, self.seed = truth, impacts, seed
        self.mass, self.told = MASS, box_inertia()   # what its robot is told
        self.inertia = truth.ratio * self.told
        self.corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) * HALF
        self.reset()

    def reset(self):
        self._motion, self._sensors = (np.random.default_rng([self.seed, k]) for k in (1, 2))
        self.number = self.throws = 0
        self._throw()

    # ---- Flight: height of the centre of mass, its velocity, attitude, spin in the box's axes. Where on the floor it is
    # does not matter.

    def _throw(self):
        draw = self._motion
        self.throws, self.bounces = self.throws + 1, 0
        turn, _ = np.linalg.qr(draw.normal(size=(3, 3)))
        self.turn = turn * np.sign(np.linalg.det(turn))
        self.spin = draw.normal(0, 3.0, 3)
        angle, speed = draw.uniform(0, 2 * np.pi), draw.uniform(0.2, 2.0)
        self.velocity = np.array([speed * np.cos(angle), speed * np.sin(angle), 0.0])
        self.height = draw.uniform(0.25, 0.6) - self._lowest(self.turn)

    def _lowest(self, turn):
        """Height of the lowest corner over the centre of mass."""
        return (self.corners @ turn[2]).min()

    def _turned(self, duration):
        """(attitude, spin) after so long."""
        def rates(turn, spin):
            return turn @ cross(spin), -np.cross(spin, self.inertia * spin) / self.inertia

        h, (T, w) = duration, (self.turn, self.spin)
        a = rates(T, w)
        b = rates(T + h / 2 * a[0], w + h / 2 * a[1])
        c = rates(T + h / 2 * b[0], w + h / 2 * b[1])
        d = rates(T + h * c[0], w + h * c[1])
        turn = T + h / 6 * (a[0] + 2 * b[0] + 2 * c[0] + d[0])
        turn = turn @ (1.5 * np.eye(3) - 0.5 * turn.T @ turn)   # one step back to orthogonal axes
        return turn, w + h / 6 * (a[1] + 2 * b[1] + 2 * c[1] + d[1])

    def _gap(self, duration):
        """Of the lowest corner after so long [m]."""
        turn, _ = self._turned(duration)
        return self.height + duration * self.velocity[2] - 0.5 * GRAVITY * duration ** 2 + self._lowest(turn)

    def _fly(self, duration):
        self.turn, self.spin = self._turned(duration)
        self.height += duration * self.velocity[2] - 0.5 * GRAVITY * duration ** 2
        self.velocity = self.velocity - [0, 0, GRAVITY * duration]

    def _land(self):
        """Flies until a corner touches."""
        while self._gap(STEP) > 0:
            self._fly(STEP)
        low, high = 0.0, STEP
        for _ in range(50):
            middle = 0.5 * (low + high)
            low, high = (middle, high) if self._gap(middle) > 0 else (low, middle)
        self._fly(high)

    # ---- Impacts

    def mu(self, number):
        """The floor's friction at an impact."""
        second = self.truth.change is not None and number > self.impacts // 2
        return self.truth.change if second else self.truth.mu

    def step(self):
        while True:
            impact = self._strike()
            if impact is not None:
                return impact
            self._throw()

    def _strike(self):
        """The next Impact of this throw; None if there is none."""
        if self.bounces == MOST_BOUNCES:
            return None
        self._land()
        depths = np.sort(self.corners @ self.turn[2])
        arm = self.corners[(self.corners @ self.turn[2]).argmin()]
        normal = self.turn[2].copy()
        axes = frame_of(normal)
        before = np.concatenate([self.turn.T @ self.velocity, self.spin])
        G = np.hstack([axes, axes @ -cross(arm)])     # velocity of the corner along the axes
        if (G @ before)[0] > -LEAST_SPEED or depths[1] - depths[0] < ALONE:
            return None
        mass = np.concatenate([np.full(3, MASS), self.inertia])
        mu = self.mu(self.number + 1)
        struck = strike(G / mass @ G.T, G @ before, mu, self.truth.e, self.truth.law)
        after = before + G.T @ struck.impulse / mass
        self.velocity, self.spin = self.turn @ after[:3], after[3:]
        self.number, self.bounces = self.number + 1, self.bounces + 1
        return self._reported(normal, arm, before, after, mu, struck.sticks)

    def _reported(self, normal, arm, before, after, mu, sticks):
        draw, scale = self._sensors, np.repeat([1.0, SPIN_NOISE], 3) * self.truth.noise
        noise, lot, error = draw.normal(size=(2, 6)), draw.uniform(), draw.normal(size=6)
        wrong = lot < self.truth.outliers
        return Impact(self.number, normal, arm, before + scale * noise[0],
                      after + scale * noise[1] + wrong * WRONG * np.repeat([1.0, SPIN_NOISE], 3) * error,
                      self.truth.noise, SPIN_NOISE * self.truth.noise, mu, sticks, bool(wrong), self.throws,
                      (before, after))


def cross(a):
    """[3, 3] of a x."""
    return np.array([[0.0, -a[2], a[1]], [a[2], 0.0, -a[0]], [-a[1], a[0], 0.0]])


def frame_of(normal):
    """[3, 3] rows n, t1, t2; which tangents they are does not matter."""
    t1 = np.cross(normal, np.eye(3)[np.abs(normal).argmin()])
    t1 /= np.linalg.norm(t1)
    return np.array([normal, t1, np.cross(normal, t1)])
