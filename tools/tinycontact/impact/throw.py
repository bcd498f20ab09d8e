# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Throwing (the paper's section 5): a disk that bounces once, with friction, on the system "throw".

hit       which velocity brings its centre to a mark at the end of the run?
vertical  which spin makes it bounce vertically upward? Position and velocity of the throw are given.
"""
import numpy as np

from . import systems
from .downstream import Carrier
from .downstream_solve import gradient_error, newton

MARK = (1.2, 0.6)          # of "hit", at the end [m]
THROW = (0.6, 1.0)         # velocity of "vertical", and the first try of "hit" [m/s]
SPREAD = {"hit": (0.6, 0.6), "vertical": (8.0,)}
CLOSE = 1e-12              # of the residual


class Throw:
    """One of the two tasks. The residual is what is to become 0; the loss its square."""
    paper = None
    goal = CLOSE ** 2

    def __init__(self, library, name, target=MARK):
        self.name, self.scene = name, systems.named("throw")
        self.carrier = Carrier(self.scene, library)
        self.target = np.array(target, float)
        one = np.eye(3)
        if name == "hit":
            self.unknowns, self.start, self.loss_name = ("vx", "vy"), np.array(THROW), "squared distance [m²]"
            self._along = [{"v": one[0]}, {"v": one[1]}]
        else:
            self.unknowns, self.start, self.loss_name = ("omega",), np.zeros(1), "squared speed along [m²/s²]"
            self._along = [{"v": one[2]}]

    def _state(self, x):
        v = np.array([*x, 0.0]) if self.name == "hit" else np.array([*THROW, *x])
        return self.scene.q, v

    def _end(self, x, gradient, path=False):
        return self.carrier.carry(*self._state(x), self.scene.steps, self._along if gradient else (), path)

    def residual(self, x):
        """(residual, its Jacobian)."""
        end = self._end(x, True)
        if self.name == "hit":
            return end.q[:2] - self.target, end.dq[:, :2].T
        return end.v[:1], end.dv[:, :1].T

    def value(self, x, gradient=True):
        """(loss, its gradient or None)."""
        r, J = self.residual(x)
        return float(r @ r), 2 * J.T @ r if gradient else None

    def bounces(self, x):
        return self._end(x, False).impacts

    def accepts(self, x):
        """Whether the disk bounces exactly once."""
        return self.bounces(x) == 1

    def paths(self, x):
        """Positions [steps + 1, 1, 2]."""
        return self._end(x, False, path=True).path[:, None, :2]

    def check(self, x):
        return gradient_error(self.value, x)

    def solve(self, start, most, seed=0, each=None):
        return newton(self.residual, start, CLOSE, most)

    def other_starts(self, count, seed):
        rng = np.random.default_rng(seed)
        return [self.start + rng.uniform(-1, 1, len(self.start)) * SPREAD[self.name] for _ in range(count)]
