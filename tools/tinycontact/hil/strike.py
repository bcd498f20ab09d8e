# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""One impact of one contact in space, in float64: compression, then restitution by Poisson's hypothesis. It is the
truth of the bouncing plant (bounce.py) and shares nothing with the library's solver.

A contact has the axes n, t1, t2. u is the velocity of the contact point, f its impulse, and u_after = u + A f. In each
phase f_n >= floor: 0 in compression, e times the impulse of compression in restitution. Friction:

    sticks   u_t = 0, |f_t| <= mu f_n
    slips    f_t = -mu f_n d, u_t = s d, s > 0, d a unit vector

The normal direction: Coulomb has u_n = 0 where f_n > floor, the convex cone has u_n = mu |u_t|.

Slipping at the floor, (mu floor A_tt + s) d = b with b = u_t + A_tn floor: the norm of d falls with s, so the root of
|d| = 1 is unique. Above it f_n follows from d, and d's angle is a root of u_t x d = 0: found by looking all round.
"""
from dataclasses import dataclass

import numpy as np

COULOMB, CONVEX = "coulomb", "convex"
LAWS = (COULOMB, CONVEX)
ANGLES = 720     # of the look round: half a degree
HALVINGS = 60    # of a bracket: to rounding


@dataclass(frozen=True)
class Struck:
    impulse: np.ndarray      # [3] of both phases [N s]
    after: np.ndarray        # [3] velocity of the contact point [m/s]
    compression: np.ndarray  # [3] impulse of the first phase [N s]
    sticks: bool             # at the end of both phases


def strike(A, u, mu, e, law=COULOMB):
    """The Struck of a contact that approaches (u[0] < 0)."""
    first, _ = _phase(A, u, mu, 0.0, law)
    second, sticks = _phase(A, u + A @ first, mu, e * first[0], law) if e * first[0] > 0 else (np.zeros(3), None)
    if sticks is None:
        sticks = np.hypot(*(u + A @ first)[1:]) < 1e-9
    return Struck(first + second, u + A @ (first + second), first, bool(sticks))


def _phase(A, u, mu, floor, law):
    """(impulse, sticks) of one phase."""
    if floor > 0:
        impulse, sticks = _at_floor(A, u, mu, floor)
        rate = u + A @ impulse
        lifted = mu * np.hypot(*rate[1:]) if law == CONVEX and not sticks else 0.0
        if rate[0] >= lifted - 1e-12:
            return impulse, sticks
    impulse = np.linalg.solve(A, -u)
    if impulse[0] >= floor and np.hypot(*impulse[1:]) <= mu * impulse[0]:
        return impulse, True
    return _slipping(A, u, mu, floor, law), False


def _at_floor(A, u, mu, floor):
    """(impulse, sticks) with the normal impulse `floor`."""
    b, Att = u[1:] + A[1:, 0] * floor, A[1:, 1:]
    tangent = np.linalg.solve(Att, -b)
    if np.hypot(*tangent) <= mu * floor:
        return np.array([floor, *tangent]), True
    values, vectors = np.linalg.eigh(Att)
    along, low, high = vectors.T @ b, 0.0, np.hypot(*b)
    for _ in range(HALVINGS):
        s = 0.5 * (low + high)
        if np.hypot(*(along / (mu * floor * values + s))) > 1:
            low = s
        else:
            high = s
    d = vectors @ (along / (mu * floor * values + high))
    return np.array([floor, *(-mu * floor * d / np.hypot(*d))]), False


def _slipping(A, u, mu, floor, law):
    """The impulse of a contact that slips with f_n > floor: of several directions that of the least energy."""
    def impulse(angle):
        ray = np.array([np.ones_like(angle), -mu * np.cos(angle), -mu * np.sin(angle)])
        if law == COULOMB:
            return -u[0] / (A[0] @ ray) * ray
        return -(u @ ray) / np.sum(ray * (A @ ray), axis=0) * ray

    def turn(angle):
        rate = u[1:, None] + A[1:] @ impulse(angle)
        return rate[0] * np.sin(angle) - rate[1] * np.cos(angle)

    round_ = np.linspace(0, 2 * np.pi, ANGLES + 1)
    values = turn(round_)
    at = np.flatnonzero(np.sign(values[:-1]) != np.sign(values[1:]))
    low, high, sign = round_[at], round_[at + 1], np.sign(values[at])
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        same = np.sign(turn(middle)) == sign
        low, high = np.where(same, middle, low), np.where(same, high, middle)
    found = impulse(low)
    rate = u[:, None] + A @ found
    speed = rate[1] * np.cos(low) + rate[2] * np.sin(low)
    lawful = (speed > 0) & (found[0] >= floor)
    if not lawful.any():
        raise ValueError("an impact without a lawful answer")
    energy = np.sum(found * (u[:, None] + 0.5 * (A @ found)), axis=0)
    return found[:, np.where(lawful, energy, np.inf).argmin()]
