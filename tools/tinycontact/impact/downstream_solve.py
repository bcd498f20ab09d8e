# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Minimisers for roll-outs: few numbers, exact gradients, and a loss with valleys and cliffs.

`descend` is BFGS with a line search that keeps to the weak Wolfe conditions. A chain of collisions makes a curved
valley: its walls are steep (the angle of a hit), its floor is not (the speed). Descent with one rate follows the walls;
BFGS learns both. Where the line search fails, or nothing moves the loss, it looks around the start and goes on there.

`newton` solves residual = 0 by Gauss-Newton steps of least norm.
"""
from dataclasses import dataclass

import numpy as np

SEARCH = 12      # roll-outs of one line search
SLOPE = 1e-4     # share of the slope's decrease that a step must bring
CURVE = 0.9      # share of the slope that may be left
PROBES = 32      # roll-outs of one look around
PATIENCE = 5     # iterations that must bring the loss down by a fifth


@dataclass
class Descent:
    """`losses` and `points`: row 0 is the start, one row per iteration. `evaluations`: roll-outs with gradient;
    `probes`: without; `restarts`: looks around the start."""
    losses: list
    points: list
    evaluations: int = 1
    probes: int = 0
    restarts: int = 0
    looked: int = 0   # the iteration of the last look around

    @property
    def best(self):
        return int(np.argmin(self.losses))

    def below(self, limit):
        """The first iteration with a loss below `limit`, or None."""
        return next((k for k, loss in enumerate(self.losses) if loss < limit), None)


def descend(value, start, first, spread, goal, most=40, seed=0, each=None):
    """A Descent from `start` until the loss is below `goal`, at most `most` iterations. value(x, gradient) is (loss,
    gradient or None). first: length of the first step; spread [n]: how far to look around."""
    x, rng = np.array(start, float), np.random.default_rng(seed)
    f, g = value(x, True)
    run, inverse = Descent([f], [x]), None
    for _ in each(range(most)) if each else range(most):
        if f < goal:
            break
        moved = None if _crawls(run) else _search(value, run, x, f, g, _direction(inverse, g, first))
        if moved is None and inverse is not None and not _crawls(run):
            inverse = None
            moved = _search(value, run, x, f, g, _direction(None, g, first))
        if moved is None:
            x, f, g = _look_around(value, run, start, spread, rng)
            inverse = None
        else:
            inverse = _update(inverse, moved[0] - x, moved[2] - g)
            x, f, g = moved
        run.losses.append(f)
        run.points.append(x)
    return run


def _crawls(run):
    last = len(run.losses) - 1
    return last - PATIENCE >= run.looked and run.losses[last] > 0.8 * run.losses[last - PATIENCE]


def _direction(inverse, g, first):
    if inverse is not None and g @ inverse @ g > 0:
        return -inverse @ g
    size = np.linalg.norm(g)
    return -g * first / size if size > 0 else None


def _search(value, run, x, f, g, d):
    """(x, loss, gradient) of a step along d, or None."""
    if d is None:
        return None
    low, high, step, best = 0.0, np.inf, 1.0, None
    for _ in range(SEARCH):
        y = x + step * d
        F, G = value(y, True)
        run.evaluations += 1
        if F > f + SLOPE * step * (g @ d):
            high = step
        elif G @ d < CURVE * (g @ d):
            low, best = step, (y, F, G)
        else:
            return y, F, G
        step = (low + high) / 2 if np.isfinite(high) else 2 * step
    return best


def _update(inverse, s, q):
    """BFGS: the inverse Hessian after a step s that changed the gradient by q."""
    curve = s @ q
    if not curve > 1e-14 * np.linalg.norm(s) * np.linalg.norm(q):
        return inverse
    if inverse is None:
        inverse = curve / (q @ q) * np.eye(len(s))
    turn = np.eye(len(s)) - np.outer(s, q) / curve
    return turn @ inverse @ turn.T + np.outer(s, s) / curve


def _look_around(value, run, start, spread, rng):
    """(x, loss, gradient) of the best of PROBES random points around the start."""
    points = np.asarray(start) + rng.uniform(-1, 1, (PROBES, len(start))) * spread
    losses = [value(x, False)[0] for x in points]
    x = points[int(np.argmin(losses))]
    run.probes += PROBES
    run.looked = len(run.losses)
    run.restarts += 1
    run.evaluations += 1
    return (x, *value(x, True))


def newton(residual, start, goal=1e-12, most=20):
    """A Descent with losses |residual|^2. residual(x) is (r, its Jacobian). A step that makes the residual larger is
    halved."""
    x = np.array(start, float)
    r, J = residual(x)
    run = Descent([float(r @ r)], [x])
    for _ in range(most):
        if np.abs(r).max() < goal:
            break
        step = np.linalg.lstsq(J, r, rcond=None)[0]
        for _ in range(SEARCH):
            y = x - step
            R, K = residual(y)
            run.evaluations += 1
            if R @ R < r @ r:
                break
            step = step / 2
        else:
            break
        x, r, J = y, R, K
        run.losses.append(float(r @ r))
        run.points.append(x)
    return run


def gradient_error(value, x, step=1e-6):
    """(gradient, central differences, largest error relative to the largest component)."""
    _, g = value(np.asarray(x, float), True)
    slope = np.array([(value(x + step * e, False)[0] - value(x - step * e, False)[0]) / (2 * step)
                      for e in np.eye(len(x))])
    size = max(np.abs(slope).max(), np.abs(g).max())
    return g, slope, float(np.abs(g - slope).max() / size) if size > 0 else 0.0
