# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Levenberg-Marquardt with bounds, bounded steps and reweighting, over chunks of residuals.

    residuals r_c(theta, s_c) of chunk c;  theta is shared, s_c (a chunk's start) belongs to c alone
    minimise  sum rho(r_c)   over   low <= theta <= high  and, if wanted, all s_c

With A_c = dr_c/dtheta, B_c = dr_c/ds_c and weights W_c the step solves

    [ sum A'WA + lambda D    A_c'W_c B_c ]  (d theta)      ( A'W r )
    [ B_c'W_c A_c            B_c'W_c B_c ]  (d s_c  )  = - ( B'W r )

The starts are eliminated (Schur complement), a small system per chunk. A parameter at a bound that the
gradient pushes outwards is held there for one iteration: mu and e have one-sided derivatives at their bounds.
Losses: "l2", ("l1", delta), ("huber", delta), all by weights; a step is kept if the loss itself falls.
"""
from dataclasses import dataclass, field

import numpy as np

LAMBDA = (1e-4, 1e-12, 1e12)   # at the start, least, most
SHARES = (1.0, 0.3, 0.0)       # of a start's step that are tried
PATIENCE = 3                   # iterations with little progress, one after another, that end a fit
STALE = 1e-13                  # relative fall of the loss that counts as none


def l2(r):
    return 0.5 * r * r, np.ones_like(r)


def l1(delta):
    """|r|, rounded off below delta, and its weights."""
    def loss(r):
        size = np.abs(r)
        inside = size <= delta
        return np.where(inside, 0.5 * r * r / delta, size - 0.5 * delta), 1.0 / np.maximum(size, delta)
    return loss


def huber(delta):
    def loss(r):
        size = np.abs(r)
        inside = size <= delta
        return np.where(inside, 0.5 * r * r, delta * (size - 0.5 * delta)), np.minimum(1.0, delta / np.maximum(size, delta))
    return loss


@dataclass
class Linear:
    """Residuals at one point and their derivatives; B is None where starts are not fitted."""
    r: np.ndarray           # [C, m]
    A: np.ndarray           # [C, m, p]
    B: np.ndarray = None    # [C, m, n]


@dataclass
class Fit:
    theta: np.ndarray
    starts: np.ndarray      # [C, n] increments of the starts, or None
    loss: float
    linear: Linear          # at theta
    weights: np.ndarray     # [C, m]
    iterations: int
    trace: list = field(default_factory=list)   # loss after each iteration


def _free(theta, gradient, low, high):
    """Parameters that may move: not those at a bound that the gradient pushes outwards."""
    return ~((theta <= low) & (gradient > 0) | (theta >= high) & (gradient < 0))


def _squares(A, r, weights):
    """A'WA and A'Wr as products of two matrices, of the rows that feel an unknown: with 60 coefficients most do not."""
    rows = A.reshape(-1, A.shape[-1])
    felt = np.flatnonzero(rows.any(axis=1))
    rows, weighted = rows[felt], rows[felt] * weights.reshape(-1)[felt, None]
    return weighted.T @ rows, weighted.T @ r.reshape(-1)[felt]


def normal(linear, weights, damping=1e-12):
    """(H, g, back): the normal equations of theta, and what gives the starts' steps from its step. `damping` is that
    of the starts."""
    if linear.B is None:
        return (*_squares(linear.A, linear.r, weights), None)
    WA = linear.A * weights[..., None]
    H, g = np.einsum("cmi,cmj->ij", WA, linear.A, optimize=True), np.einsum("cmi,cm->i", WA, linear.r)
    WB = linear.B * weights[..., None]
    K = np.einsum("cmi,cmj->cij", WB, linear.B, optimize=True)
    diagonal = np.einsum("cii->ci", K)
    diagonal += damping * diagonal + 1e-12 * diagonal.max(axis=1, keepdims=True) + 1e-300
    X = np.einsum("cmi,cmj->cij", WB, linear.A, optimize=True)     # B'WA
    b = np.einsum("cmi,cm->ci", WB, linear.r)
    solved = np.linalg.solve(K, np.concatenate([X, b[..., None]], axis=2))
    Y, z = solved[..., :-1], solved[..., -1]
    H = H - np.einsum("cki,ckj->ij", X, Y, optimize=True)
    g = g - np.einsum("cki,ck->i", X, z)
    return H, g, (Y, z)


def _step(H, g, free, damping, most):
    """The damped step of the free parameters, shortened to `most` of each."""
    step = np.zeros_like(g)
    k = np.flatnonzero(free)
    if len(k) == 0:
        return step
    part = H[np.ix_(k, k)]
    scale = np.diag(part).copy()
    scale[scale <= 0] = max(scale.max(), 1.0) * 1e-12 if len(scale) else 1.0
    try:
        step[k] = -np.linalg.solve(part + damping * np.diag(scale), g[k])
    except np.linalg.LinAlgError:
        step[k] = -g[k] / scale
    dead = np.diag(H) <= 0
    step[dead] = 0.0
    return step / max(1.0, np.max(np.abs(step) / most, initial=0.0))


def _best_starts(problem, theta, starts, steps, loss):
    """Of each chunk the share of its start's step that leaves the least loss. A start near an impact may gain nothing
    from a whole step, which must not hold up all others."""
    tried = [starts + share * steps for share in SHARES]
    losses = [loss(problem.residuals(theta, begun))[0].sum(axis=1) for begun in tried]
    return np.stack(tried)[np.argmin(losses, axis=0), np.arange(len(starts))]


class Problem:
    """What is fitted. A subclass gives

        residuals(theta, starts) -> r [C, m]
        linear(theta, starts)    -> Linear
    """
    low = high = most = None   # [p] bounds, longest step
    n_start = 0                # numbers of a chunk's start that are fitted; 0: none


def fit(problem, theta, *, loss=l2, starts=None, iterations=50, tolerance=1e-14, enough=0.0, damped=LAMBDA[2],
        tell=None):
    """A Fit from theta. `tell(iteration, loss)` is called after each iteration. The loss is a mean; it ends once it falls
    by no more than the share `enough` in each of three, or falls with no step up to the damping `damped`."""
    theta = np.clip(np.asarray(theta, float), problem.low, problem.high)
    linear = problem.linear(theta, starts)
    value, weights = loss(linear.r)
    value, damping, trace, k, slow = value.mean(), LAMBDA[0], [], 0, 0
    for k in range(1, iterations + 1):
        H, g, back = normal(linear, weights, damping)
        free = _free(theta, g, problem.low, problem.high)
        moved = False
        while damping <= damped:
            step = _step(H, g, free, damping, problem.most)
            tried = np.clip(theta + step, problem.low, problem.high)
            begun = None
            if back is not None:
                Y, z = back
                begun = _best_starts(problem, tried, starts, -z - np.einsum("cki,i->ck", Y, tried - theta), loss)
            new = loss(problem.residuals(tried, begun))[0].mean()
            if new < value:
                moved = True
                break
            damping = max(damping * 10.0, 1e-8)
            if back is not None:
                H, g, back = normal(linear, weights, damping)
        if not moved:
            break
        fallen = value - new
        size = np.max(np.abs(tried - theta) / problem.most, initial=0.0)
        theta, starts, damping = tried, begun, max(damping / 10.0, LAMBDA[1])
        linear = problem.linear(theta, starts)
        value, weights = loss(linear.r)
        value = value.mean()
        trace.append(value)
        if tell:
            tell(k, value)
        if value <= tolerance ** 2 or fallen <= STALE * value and size < 1e-10:
            break
        slow = slow + 1 if fallen <= enough * value else 0
        if enough and slow >= PATIENCE:
            break
        damping = min(damping, LAMBDA[2] * 1e-3)
    return Fit(theta, starts, value, linear, weights, k, trace)
