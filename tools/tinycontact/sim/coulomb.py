# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Exact planar Coulomb friction for a patch of one or two contacts, many patches at once, in float64.

Find normals n_i >= 0 and friction f with w_i = u_i + A_it f + sum_j A_ij n_j >= 0, n_i w_i = 0, and, N = sum
    n, slip after the impulse > 0:  f = -mu_right N
    slip after the impulse < 0:  f =  mu_left N
    slip after the impulse = 0:  -mu_right N <= f <= mu_left N
The contacts of a flat floor have one slip, so friction enters by its sum f alone. By enumeration: each
contact open or closed, the slip zero, right or left: 3 combinations with one contact, 9 with two, and no
impulse at all. Each is a linear system of at most three unknowns; the first that meets all conditions is the
answer, in this order: no impulse; all closed and stuck; one closed and stuck; sliding on as before the
impulse; sliding the other way; more contacts closed before fewer. Where a coefficient is large there can be
several answers (a contact that leaves without impulse, or jams); `note` says so, and such rows have no unique
label.

The coefficient is a function of the slip BEFORE the impulse (applied force included), which returns
(mu_right, mu_left): what holds if the contact ends up sliding to +t and to -t. So a coefficient that falls
with speed is explicit, and the step stays a linear complementarity problem; an anisotropic one is a skew
cone, decided by the direction the contact really slides in, which is the only reading without a gap at slip
zero.
"""
import numpy as np

from .query import DETACH, DYNAMIC, STATIC, Impulse, merge

TOLERANCE = 1e-9   # of the largest velocity of a row: conditions met to rounding
DISTINCT = 1e-6    # relative difference of impulses above which two answers are two
STICK, RIGHT, LEFT = range(3)
CLOSED = {1: ((True, False),), 2: ((True, True), (True, False), (False, True))}


def constant(mu):
    """The same coefficient always."""
    return lambda slip: (np.full_like(slip, mu), np.full_like(slip, mu))


def falling(base=0.4, extra=0.5, speed=0.5):
    """base + extra exp(-|slip| / speed), of the slip before the impulse."""
    def law(slip):
        mu = base + extra * np.exp(-np.abs(slip) / speed)
        return mu, mu
    return law


def anisotropic(right=0.75, left=1.5):
    """One coefficient to +t, another to -t (Fig. 10)."""
    return lambda slip: (np.full_like(slip, right), np.full_like(slip, left))


def _normals(A, u, closed, ratio):
    """n with w = 0 at the closed contacts if f = ratio sum n; 0 at the open ones. Rows without: nan."""
    M = A[:, 1:, 1:] + ratio[:, None, None] * A[:, 1:, :1]
    n = np.zeros_like(u)
    with np.errstate(divide="ignore", invalid="ignore"):
        if all(closed):
            det = M[:, 0, 0] * M[:, 1, 1] - M[:, 0, 1] * M[:, 1, 0]
            n[:, 0] = (M[:, 0, 1] * u[:, 1] - M[:, 1, 1] * u[:, 0]) / det
            n[:, 1] = (M[:, 1, 0] * u[:, 0] - M[:, 0, 0] * u[:, 1]) / det
        else:
            k = closed.index(True)
            n[:, k] = -u[:, k] / M[:, k, k]
    return n


def _stuck(A, slip, u, closed):
    """(f, n) with no slip and w = 0 at the closed contacts: friction is eliminated, then the normals."""
    S = A - A[:, :, :1] * A[:, :1, :] / A[:, :1, :1]
    n = _normals(S, u - A[:, 1:, 0] * (slip / A[:, 0, 0])[:, None], closed, np.zeros(len(u)))
    return -(slip + np.einsum("nj,nj->n", A[:, 0, 1:], n)) / A[:, 0, 0], n


def _violation(A, slip, u, present, f, n, mode, mu):
    """How far (f, n) is from meeting the conditions that its combination does not meet by construction."""
    total = n.sum(axis=1)
    w = u + A[:, 1:, 0] * f[:, None] + np.einsum("nij,nj->ni", A[:, 1:, 1:], n)
    worst = np.maximum(np.where(present, np.maximum(-n, -w), 0).max(axis=1), 0)
    if mode == STICK:
        return np.maximum(worst, np.maximum(-f - mu[0] * total, f - mu[1] * total))
    after = slip + A[:, 0, 0] * f + np.einsum("nj,nj->n", A[:, 0, 1:], n)
    return np.maximum(worst, -after if mode == RIGHT else after)


def _candidates(A, slip, u, count, mu):
    """(f, n, violation, label) of each combination in the stated order, rows of one count."""
    present = np.broadcast_to(np.arange(2) < count, u.shape)
    n, zero = len(u), np.zeros(len(u))
    rest = np.maximum(np.where(present, -u, 0).max(axis=1), 0)
    yield zero, np.zeros((n, 2)), rest, np.full(n, DETACH)
    patterns = CLOSED[count]
    for closed in patterns:
        f, normal = _stuck(A, slip, u, closed)
        label = STATIC if sum(closed) == count else DYNAMIC
        yield f, normal, _violation(A, slip, u, present, f, normal, STICK, mu), np.full(n, label)
    for turn in (False, True):
        right = (slip >= 0) != turn
        ratio = np.where(right, -mu[0], mu[1])
        for closed in patterns:
            normal = _normals(A, u, closed, ratio)
            f = ratio * normal.sum(axis=1)
            bad = np.where(right, _violation(A, slip, u, present, f, normal, RIGHT, mu),
                           _violation(A, slip, u, present, f, normal, LEFT, mu))
            yield f, normal, bad, np.full(n, DYNAMIC)


def _solve(query, count, friction):
    A, slip, u = query.delassus(), query.slip, query.approach
    scale = np.maximum(np.abs(slip), np.abs(u).max(axis=1)) + 1e-300
    mu = friction(slip)
    size = len(slip)
    chosen, best = np.zeros(size, bool), np.full(size, np.inf)
    f, n, label = np.zeros(size), np.zeros((size, 2)), np.full(size, DETACH)
    several = np.zeros(size, bool)
    for f_k, n_k, bad, label_k in _candidates(A, slip, u, count, mu):
        bad = np.where(np.isfinite(bad), bad, np.inf) / scale
        fits = bad <= TOLERANCE
        apart = np.abs(f_k - f) + np.abs(n_k - n).sum(axis=1) > DISTINCT * scale
        several |= chosen & fits & apart
        take = ~chosen & (fits | (bad < best))
        f, n, label = np.where(take, f_k, f), np.where(take[:, None], n_k, n), np.where(take, label_k, label)
        best = np.where(take, bad, best)
        chosen |= fits
    return Impulse(label, f, np.maximum(n, 0), several | ~chosen)


def solve(query, friction):
    """The Impulse of each row; `note` marks rows with several answers, or (never seen) none to rounding.

    static: the whole patch stops; dynamic: it moves, or a corner of it leaves; detach: no impulse.
    """
    parts = [(rows, _solve(query[rows], count, friction)) for count in (1, 2)
             for rows in [np.flatnonzero(query.count == count)] if len(rows)]
    if not parts:
        return Impulse(np.zeros(0, int), np.zeros(0), np.zeros((0, 2)), np.zeros(0, bool))
    return merge(len(query), parts)


def law(friction):
    """The callable that `schemes` take in place of a learned law."""
    return lambda query: solve(query, friction)
