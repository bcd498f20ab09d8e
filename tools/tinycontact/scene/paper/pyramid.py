# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The paper's friction, as a reference in float64 that never loads the library: a pyramid of 8 directions (A.6) and its
linear complementarity problem (A.7), for a box that is pushed along a floor.

    positions = push(force, mass, friction, gravity, half, times)
    along = hidden(force, mass, friction, gravity)   # a change of the force that leaves the motion as it is, or None

Between two of its directions the pyramid has an edge. A box that slides across that edge, half-way between two
directions, has any friction of the edge, so the force's part along the edge cannot be seen. The library's cone is
round: there each force has its own motion.
"""
import numpy as np

DIRECTIONS, SLIP = 8, 1e-9   # [m/s] below it a box stands
PIVOTS = 2000


def directions(normal):
    """(A.6): unit vectors [8, 3] across the normal, at equal angles."""
    n = np.asarray(normal, float)
    first = np.cross(n, np.eye(3)[np.argmin(np.abs(n))])
    d1 = first / np.linalg.norm(first)
    d2 = np.cross(d1, n)
    d3 = (d1 + d2) / np.linalg.norm(d1 + d2)
    d4 = np.cross(d3, n)
    half = np.stack([d1, d2, d3, d4])
    return np.concatenate([half, -half])


def lemke(A, q):
    """z >= 0 with w = A z + q >= 0 and z w = 0, by Lemke's pivots; None where they end without one."""
    A, q = np.asarray(A, float), np.asarray(q, float)
    n = len(q)
    if (q >= 0).all():
        return np.zeros(n)
    # columns: w, z, the artificial variable, the right side; the numbers of the basic variables
    table = np.hstack([np.eye(n), -A, -np.ones((n, 1)), q[:, None]])
    basis = np.arange(n)
    row, enters = int(np.argmin(q)), 2 * n
    for _ in range(PIVOTS):
        leaves, basis[row] = basis[row], enters
        table[row] /= table[row, enters]
        others = np.arange(n) != row
        table[others] -= np.outer(table[others, enters], table[row])
        if leaves == 2 * n:
            z = np.zeros(2 * n + 1)
            z[basis] = table[:, -1]
            return np.maximum(z[n:2 * n], 0)
        enters = leaves + n if leaves < n else leaves - n
        column = table[:, enters]
        able = column > 1e-11 * np.abs(column).max(initial=1e-300)
        if not able.any():
            return None
        ratio = np.where(able, table[:, -1] / np.where(able, column, 1), np.inf)
        ties = np.flatnonzero(ratio <= ratio.min() + 1e-12 * max(1.0, abs(ratio.min())))
        artificial = [k for k in ties if basis[k] == 2 * n]
        row = artificial[0] if artificial else int(ties[np.argmax(column[ties])])
    return None


def velocity_after(mass, inertia, points, velocity, force, friction, step):
    """(A.7) without joints and restitution: velocity and spin [6] after a step of a body whose points [n, 3], about its
    centre, touch a floor z = 0. friction: the coefficient; force [3] at the centre, weight included."""
    n = len(points)
    inverse = 1 / np.concatenate([np.full(3, mass), inertia])
    def rows(ways):
        return np.array([np.concatenate([d, np.cross(p, d)]) for p in points for d in ways])
    normal, tangent = rows([[0.0, 0.0, 1.0]]), rows(directions([0.0, 0.0, 1.0]))
    ties = np.kron(np.eye(n), np.ones((DIRECTIONS, 1)))
    free = np.asarray(velocity, float) + step * inverse * np.concatenate([force, np.zeros(3)])
    J = np.vstack([normal, tangent])
    m = len(J)
    A = np.zeros((m + n, m + n))
    A[:m, :m] = J * inverse @ J.T
    A[n:m, m:] = ties
    A[m:, :n] = friction * np.eye(n)
    A[m:, n:m] = -ties.T
    z = lemke(A, np.concatenate([J @ free, np.zeros(n)]))
    return None if z is None else free + inverse * (J.T @ z[:m])


def push(force, mass, friction, gravity, half, times, step=1 / 30):
    """Positions [n, 3] of the centre of a box with half edges `half`, at rest at 0, that lies on a floor and is pushed by
    force [2] along it. Velocities are the paper's, positions follow their mean."""
    corners = np.array([[x, y, -half[2]] for x in (-half[0], half[0]) for y in (-half[1], half[1])])
    squares = np.square(half)
    inertia = mass / 3 * (squares.sum() - squares)
    load = np.array([force[0], force[1], -mass * gravity])
    at, now, velocity, found = np.zeros(3), 0.0, np.zeros(6), []
    for time in times:
        while now < time - 1e-12:
            h = min(step, time - now)
            after = velocity_after(mass, inertia, corners, velocity, load, friction, h)
            at, now, velocity = at + h / 2 * (velocity + after)[:3], now + h, after
        found.append(at.copy())
    return np.array(found)


def hidden(force, mass, friction, gravity):
    """The unit vector [2] along which a small change of the pushing force changes nothing; None: there is none."""
    force, limit = np.asarray(force, float), friction * mass * gravity
    across = np.pi / DIRECTIONS   # from a direction to the next edge's middle
    angle = np.arctan2(force[1], force[0])
    middle = (np.floor(angle / (2 * across)) + 0.5) * 2 * across
    along, beside = np.array([np.cos(middle), np.sin(middle)]), np.array([-np.sin(middle), np.cos(middle)])
    slides = force @ along > limit * np.cos(across) + SLIP
    return beside if slides and abs(force @ beside) < limit * np.sin(across) else None
