# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Masses, stiffnesses and gravity of a rope from what it was seen to do.

    found = learn(guess, before, after)      # states [pairs, 4 points], one step apart
    found.rope, found.error

Motion tells ratios of masses and of stiffness to mass, not their scale: the first point's mass is the guess's. Least squares
by Levenberg and Marquardt over one-step pairs, in double: first pairs in which no limit is exceeded, then all, whose impulses
tell masses where springs tell little. The Jacobian is by central differences of the library's steps.
"""
from dataclasses import dataclass, replace

import numpy as np

from ..errors import TinycontactError
from . import rope as ropes

DIFFERENCE, DAMPING, PLENTY = 1e-5, 1e-3, 1e12


@dataclass(frozen=True)
class Found:
    """What `learn` came to: the rope, the largest error of a rate it leaves [m/s], steps of the minimisation, pairs."""
    rope: ropes.Rope
    error: float
    iterations: int
    free: int
    pairs: int


def _changed(guess, x):
    """The rope of the parameters x: logarithms of masses but the first, and of stiffnesses, relative to the guess; gravity."""
    n = guess.points
    return replace(guess, mass=guess.mass * np.exp(np.concatenate([[0], x[:n - 1]])),
                   stiffness=guess.stiffness * np.exp(x[n - 1:2 * n - 1]), gravity=float(x[-1]))


def _residuals(guess, x, before, after):
    return (ropes.simulate(_changed(guess, x), before, 1, "double")[:, 0] - after)[:, 2 * guess.points:].ravel()


def _jacobian(guess, x, before, after):
    columns = []
    for k in range(len(x)):
        h = np.zeros(len(x))
        h[k] = DIFFERENCE
        columns.append((_residuals(guess, x + h, before, after) - _residuals(guess, x - h, before, after)) / (2 * DIFFERENCE))
    return np.array(columns).T


def _minimise(guess, x, before, after, iterations):
    """Levenberg and Marquardt with steps of at most 1: (x, steps taken)."""
    damping, r = DAMPING, _residuals(guess, x, before, after)
    for taken in range(iterations):
        J = _jacobian(guess, x, before, after)
        A, g = J.T @ J, J.T @ r
        while damping < PLENTY:
            step = np.linalg.solve(A + damping * np.diag(np.diag(A) + 1e-12 * np.diag(A).max()), -g)
            tried = x + np.clip(step, -1, 1)
            left = _residuals(guess, tried, before, after)
            if left @ left < r @ r:
                break
            damping *= 10
        else:
            return x, taken
        settled = np.abs(tried - x).max() < 1e-12
        x, r, damping = tried, left, max(damping / 10, 1e-15)
        if settled:
            return x, taken + 1
    return x, iterations


def learn(guess, before, after, iterations=30):
    """The rope that takes `before` to `after` [pairs, 4 points] in one step, from a guess of its mass, stiffness, gravity."""
    before, after = (np.ascontiguousarray(x, np.float64) for x in (before, after))
    if before.shape != after.shape or before.ndim != 2 or before.shape[1] != 4 * guess.points:
        raise TinycontactError(f"before has shape {before.shape}, after {after.shape}: both must be [pairs, {4 * guess.points}]")
    free = np.all(ropes.gaps(guess, after) > 0, axis=-1)
    x, taken = np.zeros(2 * guess.points), 0
    x[-1] = guess.gravity
    for chosen in (free, np.ones(len(free), bool)):
        if chosen.any():
            x, more = _minimise(guess, x, before[chosen], after[chosen], iterations)
            taken += more
    error = np.abs(_residuals(guess, x, before, after)).max()
    return Found(_changed(guess, x), float(error), taken, int(free.sum()), len(free))
