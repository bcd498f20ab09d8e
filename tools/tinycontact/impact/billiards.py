# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Billiards (the paper's section 5, after DiffTaichi): where to put the cue ball, and how fast, so that the last ball of
the rack ends at a mark after 1024 steps. The loss is the square of its distance from the mark [m^2].
"""
import numpy as np

from . import systems
from .downstream import Carrier
from .downstream_solve import descend, gradient_error

MARK = (0.9, 0.75)                  # [m]
UNKNOWNS = ("x", "y", "vx", "vy")   # of the cue ball [m], [m/s]
FIRST = 0.01                        # length of the first step
SPREAD = (0.05, 0.05, 0.1, 0.05)    # how far other starts lie from the first
GOAL = 1e-4                         # of the loss [m^2]: 1 cm
PAPER = (200, 1e-3)                 # the paper: its loss after so many iterations
FLOOR = 40                          # iterations


class Billiards:
    """The task on the system "billiards". `ball`: the name of the ball that is to reach the mark."""
    name, unknowns, paper, goal = "billiards", UNKNOWNS, PAPER, GOAL
    loss_name = "squared distance [m²]"

    def __init__(self, library, target=MARK, ball=None):
        self.scene = systems.named("billiards")
        self.carrier = Carrier(self.scene, library)
        names = [body.name for body in self.scene.bodies]
        self.ball = names.index(ball) if ball else len(names) - 1
        self.target = np.array(target, float)
        self.start = np.concatenate([self.scene.q[:2], self.scene.v[:2]])
        one = np.eye(len(self.scene.v))
        self._along = [{"q": one[0]}, {"q": one[1]}, {"v": one[0]}, {"v": one[1]}]

    def _state(self, x):
        q, v = self.scene.q.copy(), self.scene.v.copy()
        q[:2], v[:2] = x[:2], x[2:]
        return q, v

    def value(self, x, gradient=True):
        """(loss, its gradient or None)."""
        at = slice(2 * self.ball, 2 * self.ball + 2)
        end = self.carrier.carry(*self._state(x), self.scene.steps, self._along if gradient else ())
        miss = end.q[at] - self.target
        return float(miss @ miss), 2 * end.dq[:, at] @ miss if gradient else None

    def paths(self, x):
        """Positions [steps + 1, bodies, 2]."""
        end = self.carrier.carry(*self._state(x), self.scene.steps, path=True)
        return end.path.reshape(len(end.path), -1, 2)

    def overlaps(self, x):
        """Whether the cue ball overlaps another at the start."""
        _, _, gaps, _ = self.carrier.look(*self._state(x))
        return bool((gaps < -1e-12).any())

    def accepts(self, x):
        """Whether the cue ball has a place of its own at the start."""
        return not self.overlaps(x)

    def check(self, x):
        return gradient_error(self.value, x)

    def solve(self, start, most, seed=0, each=None):
        return descend(self.value, start, FIRST, np.array(SPREAD), GOAL, most, seed, each)

    def other_starts(self, count, seed):
        """`count` starts around the first at which nothing overlaps."""
        rng, found = np.random.default_rng(seed), []
        while len(found) < count:
            x = self.start + rng.uniform(-1, 1, 4) * SPREAD
            if not self.overlaps(x):
                found.append(x)
        return found
