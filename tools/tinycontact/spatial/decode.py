# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The impulse of one spatial contact for a class and a friction ratio rho = p_t/p_n (a vector).

    legality  detach that approaches -> dynamic; static that pulls -> detach if it separates, else dynamic
    static    the impulse that stops the contact;  detach  none
    dynamic   none if the contact separates by itself. The stop impulse, if so much friction could end the sliding
              (|rho| n_s >= f_s). Else the normal n that goes with p_t = rho n: u_3 + (W_33 + W_3t.rho) n = 0.

Friction must not feed the slip it works against: rho.u_t+ <= 0 after the step. Along lambda rho, with a = W_3t.rho and
b = rho.W_tt.rho, n = -u_3 / (W_33 + a lambda) and

    (W_33 + a lambda) rho.u_t+ = g_0 + lambda (rho.u_t a - u_3 b),   g_0 = rho.u_t W_33 - u_3 a,

which is linear: where it is positive at lambda = 1, rho is cut to its root, and to 0 where g_0 >= 0. As also u_3+ = 0,
the energy changes by p.u+ - p.Wp/2 <= 0. The pivot W_33 + a lambda is kept above PIVOT W_33, at the price of a smaller
rho; there a contact would jam.
"""
import numpy as np

from ..sim.query import DETACH, DYNAMIC, STATIC

PIVOT = 0.05


def legal(query, said):
    """The class, or what it must be instead."""
    label, separates = np.array(said), query.u[:, 2] >= 0
    label[(label == DETACH) & ~separates] = DYNAMIC
    pulls = (label == STATIC) & (query.stop[:, 2] < 0)
    label[pulls] = np.where(separates[pulls], DETACH, DYNAMIC)
    return label


def _cut(query, rho):
    """[N] lambda in 0..1 by which rho must be shortened."""
    W, u = query.W, query.u
    a, b = (W[:, 2, :2] * rho).sum(axis=1), np.einsum("ni,nij,nj->n", rho, W[:, :2, :2], rho)
    s = (rho * u[:, :2]).sum(axis=1)
    least = (PIVOT - 1) * W[:, 2, 2]
    share = np.where(a < least, least / np.where(a < least, a, 1.0), 1.0)
    start, slope = s * W[:, 2, 2] - u[:, 2] * a, s * a - u[:, 2] * b
    feeds = start + share * slope > 0
    return np.where(start >= 0, 0.0, np.where(feeds, -start / np.where(feeds, slope, 1.0), share))


def slide(query, rho):
    """[N, 3] impulses of sliding contacts that approach; rho [N, 2] along the patch's tangents."""
    rho = np.where(np.isfinite(rho).all(axis=1, keepdims=True), rho, 0.0)
    stop = query.stop
    ends = (stop[:, 2] > 0) & (np.linalg.norm(rho, axis=1) * stop[:, 2] >= np.linalg.norm(stop[:, :2], axis=1))
    rho = rho * _cut(query, rho)[:, None]
    normal = -query.u[:, 2] / (query.W[:, 2, 2] + (query.W[:, 2, :2] * rho).sum(axis=1))
    sliding = np.column_stack([rho * normal[:, None], normal])
    return np.where(ends[:, None], stop, np.where(query.u[:, 2:] < 0, sliding, 0.0))


def impulse(query, label, rho):
    """[N, 3] of legal classes."""
    label = np.asarray(label)[:, None]
    return np.where(label == STATIC, query.stop, np.where(label == DYNAMIC, slide(query, rho), 0.0))
