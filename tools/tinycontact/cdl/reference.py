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
gap(Q', V) = -margin(Q', V), with Q' before projection, is what lib/tc_cdl_nets.h computes.
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


def step(scheme, Q, V, user=0.0):
    """(Q', V', lambda [C]) after one step."""
    after = Q + scheme.h * V
    D = scheme.h * scheme.inverse @ (scheme.force(after) - scheme.C * V + user)
    if scheme.gap is None:
        return after, V + D, np.zeros(0)
    gaps, rows = scheme.gap(after, V), scheme.L(after)
    lambdas = np.zeros(len(gaps))
    for c in np.flatnonzero(gaps <= 0):
        newton, pressed = impulse(scheme, rows[c], V, D)
        V, D = V + scheme.inverse @ rows[c] * newton, D + scheme.inverse @ rows[c] * pressed
        lambdas[c] = newton + pressed
    for c in np.flatnonzero(lambdas > 0):
        after = after if scheme.project is None else scheme.project(after, c)
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
                  system.C, system.rest_speed, mean if system.proj == "mean" else None)


def simulate(system, force=None, margin=None):
    """Q, V [steps + 1, K], contact [steps + 1] (1 where any acted) and energy of a systems.System."""
    Q, V, acted = roll_out(scheme_of(system, force, margin), system.Q0, system.V0, system.steps)
    return Q, V, acted.any(axis=1).astype(int), system.energy(Q, V)
