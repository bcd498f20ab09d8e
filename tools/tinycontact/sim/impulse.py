# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Algorithm 1 in float64: from a class and a friction ratio to an impulse that keeps Properties (1)-(3).

    frictionless  n_i >= 0 with u_i + sum_j A_ij n_j >= 0, complementary; n0 their sum
    stop          (f, n1, n2) that stops the whole patch; the normals may pull
    arrest        (f*, n1, n2) that ends sliding with unilateral normals: both corners, else corner 1, else
                  corner 2, else none, the first that is consistent; none if no one is

`solve` is the whole of it:
    1. legality: detach with a corner that approaches -> dynamic; static that pulls -> detach if no corner
       approaches, else dynamic;
    2. static: the stop impulse; detach: none;
    3. dynamic: the friction p_f that is s times the sum N(p_f) of the normals it goes with, not beyond f*;
       then line 10's frictionless LCP gives the normals that count.

Which p_f. N is piecewise linear in p_f, so one ratio may fit several frictions: a tall body under large
friction slides on both corners, or tips and is stopped on one. What can end the sliding does: if |s| n* >=
|f*|, n* the arrest's normals, p_f = f*. If not, g = |s| N(p_f) - |p_f| is negative at f* and, when a corner
approaches, positive at 0; of its pieces at most three lie in between and that of both corners has slope -1,
so exactly one root lies there, and g falls through it: with one corner the pivot A_ii + s A_it is positive.
Without an approaching corner p_f = 0.
"""
import numpy as np

from .query import DETACH, DYNAMIC, STATIC, Impulse

CONSISTENT = 1e-9   # of the largest velocity of the row: normals and gaps that are negative by rounding alone


def lcp(M, u, count):
    """n >= 0 with w = u + M n >= 0 and n w = 0, [N, 2]; the smallest support in the order: none, 1, 2, both.

    For M with positive pivots and determinant the solution is unique but where contacts are redundant.
    """
    two = count == 2
    with np.errstate(divide="ignore", invalid="ignore"):
        one, other = -u[:, 0] / M[:, 0, 0], -u[:, 1] / M[:, 1, 1]
        det = M[:, 0, 0] * M[:, 1, 1] - M[:, 0, 1] * M[:, 1, 0]
        both = np.stack([M[:, 0, 1] * u[:, 1] - M[:, 1, 1] * u[:, 0],
                         M[:, 1, 0] * u[:, 0] - M[:, 0, 0] * u[:, 1]], axis=1) / det[:, None]
    zero = np.zeros(len(u))
    free = (u[:, 0] >= 0) & (~two | (u[:, 1] >= 0))
    first = (u[:, 0] <= 0) & (~two | (u[:, 1] + M[:, 1, 0] * one >= 0))
    second = two & (u[:, 1] <= 0) & (u[:, 0] + M[:, 0, 1] * other >= 0)
    n = np.where(second[:, None], np.stack([zero, other], 1), np.maximum(np.nan_to_num(both), 0))
    n = np.where(first[:, None], np.stack([one, zero], 1), n)
    return np.where(free[:, None], 0.0, n)


def frictionless(query):
    return lcp(query.delassus()[:, 1:, 1:], query.approach, query.count)


def _stuck(A, slip, u, closed):
    """(f, n1, n2) with slip 0 and w = 0 where closed [N, 2]; other normals 0."""
    K = A.copy()
    for k in (0, 1):
        K[:, 1 + k, :] = np.where(closed[:, k, None], K[:, 1 + k, :], np.eye(3)[1 + k])
    right = -np.column_stack([slip, np.where(closed, u, 0)])
    return np.linalg.solve(K, right[:, :, None])[:, :, 0]


def stop(query):
    """[N, 3] f, n1, n2."""
    return _stuck(query.delassus(), query.slip, query.approach, query.present())


def arrest(query):
    """[N, 3] f*, n1, n2."""
    A, present = query.delassus(), query.present()
    limit = CONSISTENT * np.maximum(np.abs(query.slip), np.abs(query.approach).max(axis=1))
    answer = _stuck(A, query.slip, query.approach, np.zeros_like(present))
    done = np.zeros(len(query), bool)
    for closed in ((True, True), (True, False), (False, True), (False, False)):
        rows = np.broadcast_to(closed, present.shape) & present
        p = _stuck(A, query.slip, query.approach, rows)
        w = query.approach + np.einsum("nij,nj->ni", A[:, 1:, :], p)
        least = np.minimum(p[:, 1:], np.where(rows, 0, w))
        fine = np.all(~present | (least >= -limit[:, None]), axis=1)
        take = ~done & fine
        answer[take] = p[take]
        done |= fine
    answer[:, 1:] = np.maximum(answer[:, 1:], 0)
    return answer


def legal(query, label, stopping):
    """The class after the rules; stopping = stop(query)."""
    present = query.present()
    approaching = np.any(present & (query.approach < 0), axis=1)
    pulls = np.any(present & (stopping[:, 1:] < 0), axis=1)
    label = np.where((label == STATIC) & pulls, np.where(approaching, DYNAMIC, DETACH), label)
    return np.where((label == DETACH) & approaching, DYNAMIC, label)


def _root(query, A, ratio):
    """The friction ratio * sum n of the coupled problem u_i + sum_j (A_ij + s A_it) n_j = 0 on its active
    set: contact 1 alone, contact 2 alone, else both; nan where no set has a positive pivot."""
    M, u, two = A[:, 1:, 1:] + ratio[:, None, None] * A[:, 1:, :1], query.approach, query.count == 2
    with np.errstate(divide="ignore", invalid="ignore"):
        one, other = -u[:, 0] / M[:, 0, 0], -u[:, 1] / M[:, 1, 1]
        det = M[:, 0, 0] * M[:, 1, 1] - M[:, 0, 1] * M[:, 1, 0]
        both = ((M[:, 0, 1] - M[:, 0, 0]) * u[:, 1] + (M[:, 1, 0] - M[:, 1, 1]) * u[:, 0]) / det
    first = (M[:, 0, 0] > 0) & (one >= 0) & (~two | (u[:, 1] + M[:, 1, 0] * one >= 0))
    second = two & (M[:, 1, 1] > 0) & (other >= 0) & (u[:, 0] + M[:, 0, 1] * other >= 0)
    return ratio * np.select([first, second, two & (det > 0)], [one, other, both], np.nan)


def slide(query, ratio, held):
    """(p_f, normals) of the dynamic case; held = arrest(query)."""
    A, limit, n = query.delassus(), held[:, 0], held[:, 1:].sum(axis=1)
    ratio = np.where(ratio * limit > 0, ratio, 0.0)
    root = _root(query, A, ratio)
    ends = np.isnan(root) | (np.abs(ratio) * n >= np.abs(limit))
    friction = np.clip(np.where(ends, limit, root), np.minimum(limit, 0), np.maximum(limit, 0))
    friction[(ratio == 0) | np.all(query.approach >= 0, axis=1)] = 0.0
    return friction, lcp(A[:, 1:, 1:], query.approach + A[:, 1:, 0] * friction[:, None], query.count)


def solve(query, label, ratio):
    """The Impulse of given classes [N] and ratios [N]; `note` marks rows whose class was overruled."""
    stopping = stop(query)
    ruled = legal(query, label, stopping)
    friction, normal = slide(query, ratio, arrest(query))
    friction = np.select([ruled == STATIC, ruled == DYNAMIC], [stopping[:, 0], friction], 0.0)
    normal = np.select([(ruled == STATIC)[:, None], (ruled == DYNAMIC)[:, None]],
                       [np.maximum(stopping[:, 1:], 0), normal], 0.0)
    return Impulse(ruled, friction, normal, ruled != label)


def law(answer):
    """A law for `schemes` of a callable: query -> (label or probabilities [N] or [N, 3], ratio [N])."""
    def ask(query):
        label, ratio = answer(query)
        return solve(query, label if np.ndim(label) == 1 else np.argmax(label, axis=1), ratio)
    return ask
