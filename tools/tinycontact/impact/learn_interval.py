# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""How well a log determines what was fitted.

Two intervals, of which the union is reported:

    curvature  theta +- 1.96 sqrt(diag H^-1 S H^-1), H the weighted normal equations, S the sum over windows of
               the squares of their scores: honest when windows differ in noise, or residuals within one are alike
    flat       all values of one coefficient that explain the log as well. A restitution near 0 is such a set: the
               velocity that takes penetration out exceeds e times the impulse of compression, so any e from 0 to
               about 0.02 gives the same motion. mu of a contact that only sticks is another: any larger mu does.

What the log does not determine has no value: a column of derivatives that is 0 and flat from bound to bound, or
a combination along which H is 0.
"""
from dataclasses import dataclass

import numpy as np

from . import lm
from .learn_fit import HUBER, LEAST

LEVEL = 1.96
FLAT = 4.0          # mean magnitude over the best's that still explains a log without noise ...
ROUNDING = 1e-11    # ... and the residual that is rounding in any case
CHI = 3.84 / 2      # fall of a log likelihood at 95 %
NULL = 1e-11        # eigenvalue of the scaled normal equations that is 0
SHARE = 0.3         # of a null direction that makes an unknown part of it
HALVINGS = 40
STEEP = 10.0        # deviations beyond this many flat widths come from a curvature of almost 0


@dataclass
class Determined:
    """One unknown in natural numbers: value, low, high (infinite where nothing bounds it), determined, and why not."""
    name: str
    kind: str
    value: float
    low: float
    high: float
    determined: bool
    note: str = ""
    windows: int = 0


def _losses(learned):
    """The loss that compares values of one unknown, and how much of it is as good as the best."""
    if learned.exact:
        return lambda r: np.abs(r).sum(), None
    return lambda r: lm.huber(HUBER)(r)[0].sum(), CHI


class _Flat:
    """Scans along one coefficient with all else fixed, in the windows that touch its material."""

    def __init__(self, learned, k, rows):
        self.learned, self.k, self.rows = learned, k, rows
        self.problem = learned.problem.select(rows)
        self.starts = None if learned.fit.starts is None else learned.fit.starts[rows]
        self.measure, slack = _losses(learned)
        best = self.at(learned.theta[k])
        size = len(rows) * learned.fit.linear.r.shape[1]
        self.most = best + slack if slack else max(FLAT * best, ROUNDING * size, LEAST)

    def at(self, value):
        theta = self.learned.theta.copy()
        theta[self.k] = value
        return self.measure(self.problem.residuals(theta, self.starts))

    def reach(self, towards):
        """The farthest value in this direction that still explains the windows."""
        begin = self.learned.theta[self.k]
        if towards == begin or self.at(towards) <= self.most:
            return towards
        share, width = 0.0, 1.0
        for _ in range(HALVINGS):
            width *= 0.5
            if self.at(begin + (share + width) * (towards - begin)) <= self.most:
                share += width
        return begin + share * (towards - begin)


def _scores(learned):
    """(H, S) of the shared unknowns; starts that were fitted are eliminated from both."""
    linear, weights = learned.fit.linear, learned.fit.weights
    H, _, back = lm.normal(linear, weights)
    A = linear.A
    if back is not None:
        A = A - np.einsum("cmn,cni->cmi", linear.B, back[0])
    g = np.einsum("cmi,cm->ci", A * weights[..., None], linear.r)
    return H, g.T @ g


def _null_directions(H, names):
    """[(indices)] of unknowns that only a combination of is determined; those never felt are left out."""
    size = np.sqrt(np.diag(H))
    felt = np.flatnonzero(size > 0)
    if len(felt) == 0:
        return []
    scaled = H[np.ix_(felt, felt)] / np.outer(size[felt], size[felt])
    values, vectors = np.linalg.eigh(scaled)
    return [felt[np.abs(vectors[:, j]) > SHARE] for j in np.flatnonzero(values < NULL)]


def _deviations(H, S, H_null):
    """Standard deviations; infinite along what is not determined."""
    found = np.full(len(H), np.inf)
    size = np.sqrt(np.maximum(np.diag(H), 0.0))
    felt = np.flatnonzero(size > 0)
    if len(felt):
        scaled = np.linalg.pinv(H[np.ix_(felt, felt)] / np.outer(size[felt], size[felt]), rcond=NULL, hermitian=True)
        inverse = scaled / np.outer(size[felt], size[felt])
        found[felt] = np.sqrt(np.maximum(np.diag(inverse @ S[np.ix_(felt, felt)] @ inverse), 0.0))
    for group in H_null:
        found[group] = np.inf
    return found


def _rows_of(unknown, learned, materials):
    """Windows in which a coefficient's material was touched; entries know it."""
    entry = learned.problem.model.entries[unknown.entries[0]]
    return np.flatnonzero(materials[:, entry.index])


def _coefficient(u, k, learned, rows, deviation):
    """The Determined of mu or e."""
    model, theta = learned.problem.model, learned.theta
    if len(rows) == 0:
        return Determined(u.name, u.kind, None, model.low[k], np.inf if u.kind == "mu" else 1.0, False,
                          "nothing in the log touches it")
    flat = _Flat(learned, k, rows)
    low, high = flat.reach(model.low[k]), flat.reach(model.high[k])
    if deviation < STEEP * max(high - low, LEAST):
        low, high = min(low, theta[k] - LEVEL * deviation), max(high, theta[k] + LEVEL * deviation)
    low, high = max(low, model.low[k]), min(high, model.high[k])
    open_above = u.kind == "mu" and high >= model.high[k]
    note = ""
    if low <= model.low[k] and high >= model.high[k]:
        return Determined(u.name, u.kind, None, low, np.inf if open_above else high, False,
                          "every value explains the log", len(rows))
    if open_above:
        return Determined(u.name, u.kind, None, float(low), np.inf, False, f"its contacts stick: at least {low:.4g}",
                          len(rows))
    if high - low > 1e-3 and not np.isfinite(deviation):
        note = "every value in the interval explains the log alike"
    return Determined(u.name, u.kind, float(theta[k]), float(low), float(high), True, note, len(rows))


def _other(u, k, learned, deviation, felt):
    """The Determined of a ratio or of gravity."""
    theta = learned.theta[k]
    if not felt or not np.isfinite(deviation):
        why = "the log feels it in combination with others only" if felt else "no motion in the log feels it"
        return Determined(u.name, u.kind, None, 0.0, np.inf, False, why)
    low, high = (float(u.natural(theta + sign * LEVEL * deviation)) for sign in (-1, 1))
    return Determined(u.name, u.kind, float(u.natural(theta)), low, high, True)


def determine(learned):
    """[Determined] of all unknowns, in their order."""
    model = learned.problem.model
    H, S = _scores(learned)
    null = _null_directions(H, model.names)
    deviations = _deviations(H, S, null)
    materials = learned.problem.materials.astype(bool)
    found = []
    for k, u in enumerate(model.unknowns):
        if u.kind in ("mu", "e"):
            found.append(_coefficient(u, k, learned, _rows_of(u, learned, materials), deviations[k]))
        else:
            found.append(_other(u, k, learned, deviations[k], H[k, k] > 0))
    for group in null:
        names = ", ".join(model.names[k] for k in group)
        for k in group:
            if not found[k].determined and len(group) > 1:
                found[k].note = f"only a combination of these is determined: {names}"
    return found
