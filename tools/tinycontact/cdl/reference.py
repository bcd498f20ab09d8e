# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The scheme in float64, written from the paper (Eqs. 45-52, section 4.3) and from nothing of lib/.

    scheme = Scheme(M, h, force, gap, L, e=0.7)
    Q, V, contact = roll_out(scheme, Q0, V0, steps)

All bodies' coordinates stand in one vector of N numbers, so masses are one matrix M [N, N] and a contact's normal is
one row of L [C, N]: n at its body, -n at the other. With A the row of a pair, [A M^-1 A^T]^-1 (Eq. 43) is then
1 / (L M^-1 L^T). The printed equations are corrected: F = -dV/dQ, and the impulse makes L V' = -e L V:

    Q' = Q + h V                                                                     (45)
    F  = force(Q') - C V + user                                                      (47, 52)
    lambda = -H ((1 + e) L V + L h M^-1 F), for gap(Q') <= 0 and L V < 0, not negative    (48, 49, 44)
    V' = V + M^-1 (h F + L^T lambda)                                                 (50)

Contacts act one after the other, and each sees what those before it did: of lambda, the part for L V' = -e L V acts on
V, the part against the forces on D = h M^-1 F. A learned potential or contact stands where `force` and `gap` do:
gap(Q', V) = -margin(Q', V), with Q' before projection, is what lib/cdl/tc_cdl_nets.h computes.

Where gaps are lengths, what one pass leaves wrong is mended, as lib/cdl/tc_cdl_relief.c derives: a contact that approaches
still, u = L V < 0, and overlaps by more than it would add in one more step (or would then by more than `overlap`) has
all closed contacts resolved together: the impulses of least energy with L V' >= -e L V, 0 where a contact is at rest;
and if one is stuck again, with L V' >= 0. Pairs that acted are then projected together, and no gap becomes less.
"""
from dataclasses import dataclass, field
from typing import Callable

import numpy as np


@dataclass
class Scheme:
    M: np.ndarray                       # [N, N]
    h: float
    force: Callable                     # Q [N] -> F [N], conservative
    gap: Callable = None                # Q', V [N] -> [C], closed where <= 0
    L: Callable = None                  # Q' -> [C, N]
    e: float = 1.0
    C: np.ndarray = 0.0                 # damping [N]
    rest_speed: float = 0.0
    project: Callable = None            # Q', contact index -> Q' of a pair that struck, or None
    overlap: float = None               # [m] the bound on overlaps; None: gaps are no lengths, or there is one contact
    inverse: np.ndarray = field(init=False)

    def __post_init__(self):
        self.inverse = np.linalg.inv(self.M)


def impulse(scheme, L, V, D):
    """The two parts of lambda of one closed contact with row L: for -e L V, and against the increment D = h M^-1 F."""
    u, H = L @ V, 1 / (L @ scheme.inverse @ L)
    rests = abs(u) <= scheme.rest_speed and scheme.rest_speed > 0
    newton, pressed = -H * (1.0 if rests else 1 + scheme.e) * u, -H * L @ D
    acts = (u < 0 or rests) and newton + pressed > 0
    return (newton, pressed) if acts else (0.0, 0.0)


def together(scheme, rows, x, least):
    """(x', z): x' = x + M^-1 rows^T z nearest to x, in the norm of M, with rows x' >= least. Murty's rule: of the rows
    that are wrong the first changes sides; for these matrices that ends."""
    moves = scheme.inverse @ rows.T
    A, q = rows @ moves, rows @ x - least
    active = np.zeros(len(rows), bool)
    while True:
        z = np.zeros(len(rows))
        z[active] = np.linalg.lstsq(A[np.ix_(active, active)], -q[active], rcond=None)[0]
        w = A @ z + q
        wrong = np.flatnonzero(np.where(active, z < -1e-12 * np.abs(z).max(initial=0), w < -1e-12 * np.abs(q).max()))
        if not len(wrong):
            return x + moves @ z, z
        active[wrong[0]] ^= True


def stuck(scheme, gaps, u, before):
    """Whether a closed contact approaches, by more than rounding, and lies too deep for it."""
    faster = (gaps <= 0) & (u < -1e-14 * (np.abs(u) + np.abs(before)))
    return (faster & ((gaps < scheme.h * u) | (gaps + scheme.h * u < -scheme.overlap))).any()


def release(scheme, gaps, rows, V, lambdas, before):
    """(V', lambda) without stuck contacts."""
    closed = np.flatnonzero(gaps <= 0)
    for e in (scheme.e, 0.0):
        u = rows @ V
        if not stuck(scheme, gaps, u, before):
            break
        least = np.where((u < 0) & (u >= -scheme.rest_speed), 0.0, -e * u)[closed]
        V, more = together(scheme, rows[closed], V, least)
        lambdas = lambdas.copy()
        lambdas[closed] += more
    return V, lambdas


def step(scheme, Q, V, user=0.0):
    """(Q', V', lambda [C]) after one step."""
    after = Q + scheme.h * V
    D = scheme.h * scheme.inverse @ (scheme.force(after) - scheme.C * V + user)
    if scheme.gap is None:
        return after, V + D, np.zeros(0)
    gaps, rows, before = scheme.gap(after, V), scheme.L(after), V
    lambdas = np.zeros(len(gaps))
    for c in np.flatnonzero(gaps <= 0):
        newton, pressed = impulse(scheme, rows[c], V, D)
        V = V + scheme.inverse @ rows[c] * newton
        D = D + scheme.inverse @ rows[c] * pressed
        lambdas[c] = newton + pressed
    if scheme.overlap is not None:
        V, lambdas = release(scheme, gaps, rows, V, lambdas, rows @ before)
    if scheme.project is not None and scheme.overlap is not None:
        pairs = (rows != 0).sum(axis=1) == 2
        after, _ = together(scheme, rows, after, np.where(pairs & (lambdas > 0), 0.0, np.minimum(gaps, 0.0)))
    elif scheme.project is not None:
        for c in np.flatnonzero(lambdas > 0):
            after = scheme.project(after, c)
    return after, V + D, lambdas


def roll_out(scheme, Q0, V0, steps):
    """Q, V [steps + 1, N] and which contacts acted [steps + 1, C]; row 0 is the start, V is at n + 1/2."""
    rows = [(np.asarray(Q0, float), np.asarray(V0, float), None)]
    for _ in range(steps):
        rows.append(step(scheme, *rows[-1][:2]))
    count = len(rows[-1][2]) if steps else 0
    acted = np.array([np.zeros(count, bool) if r[2] is None else r[2] > 0 for r in rows]).reshape(steps + 1, count)
    return np.array([r[0] for r in rows]), np.array([r[1] for r in rows]), acted


def row_of(K, body, other):
    """L of a contact on a line."""
    L = np.zeros(K)
    L[body] = 1.0
    if other >= 0:
        L[other] = -1.0
    return L


def scheme_of(system, force=None, margin=None):
    """The Scheme of a systems.System; `force` (Q -> F), `margin` (Q', V -> [C], contact where > 0) replace its own."""
    K = len(system.m)
    pairs = system.pairs()
    L = np.array([row_of(K, *pair) for pair in pairs]).reshape(len(pairs), K)

    def mean(Q, c):
        body, other = pairs[c]
        if other >= 0:
            Q = Q.copy()
            Q[[body, other]] = np.average(Q[[body, other]], weights=system.m[[body, other]])
        return Q

    gap = (lambda Q, V: L @ Q) if margin is None else lambda Q, V: -margin(Q, V)
    return Scheme(np.diag(system.M), system.h, force or system.F, gap if pairs else None, lambda Q: L, system.e,
                  system.C, system.rest_speed, mean if system.proj == "mean" else None,
                  np.inf if margin is None and len(pairs) > 1 else None)


def simulate(system, force=None, margin=None):
    """Q, V [steps + 1, K], contact [steps + 1] (1 where any acted) and energy of a systems.System."""
    Q, V, acted = roll_out(scheme_of(system, force, margin), system.Q0, system.V0, system.steps)
    return Q, V, acted.any(axis=1).astype(int), system.energy(Q, V)
