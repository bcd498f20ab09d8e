# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Impacts as a linear complementarity problem, in float64: the other model of tables S.4 and S.5 of the paper.

    cn >= 0    _|_  Jn v+ >= max(-e Jn v-, target)      Newton's restitution; `target` takes penetration out
    beta >= 0  _|_  D v+ + E lambda >= 0                friction along a pyramid's edges: +-t, in space +-t1, +-t2
    lambda >= 0 _|_ mu cn - E'beta >= 0
    M v+ = M v- + Jn'cn + D'beta

Solved by Lemke's method with a lexicographic rule. Independent of the library's solvers: mechanics of the three
systems of the tables stand here as well. Smooth motion is the library's own, so that data differ in impacts alone.
"""
import dataclasses

import numpy as np

from .learn_native import Roller

TINY = 1e-12


def lemke(M, q):
    """z >= 0 with w = M z + q >= 0 and z'w = 0, or None where the path ends on a ray."""
    n = len(q)
    if (q >= 0).all():
        return np.zeros(n)
    T = np.hstack([np.eye(n), -M, -np.ones((n, 1)), q[:, None]])     # w, z, z0 | q
    basis = list(range(n))
    row, enters = int(np.argmin(q)), 2 * n
    for _ in range(50 * (n + 1)):
        T[row] /= T[row, enters]
        for k in range(n):
            if k != row:
                T[k] -= T[k, enters] * T[row]
        left, basis[row] = basis[row], enters
        if left == 2 * n:
            z = np.zeros(2 * n + 1)
            z[basis] = T[:, -1]
            return np.maximum(z[n:2 * n], 0.0)
        enters = left + n if left < n else left - n
        rows = np.flatnonzero(T[:, enters] > TINY)
        if len(rows) == 0:
            return None
        ratios = np.hstack([T[rows, -1:], T[rows, :n]]) / T[rows, enters][:, None]
        best = min(range(len(rows)), key=lambda k: (round(ratios[k, 0], 14), basis[rows[k]] != 2 * n, tuple(ratios[k, 1:])))
        row = int(rows[best])
    return None


def impact(M, v, normals, tangents, mu, e, target):
    """v+ of contacts with rows normals [n, d] and tangents [n, d or 2 d as (k, d)]."""
    n, k = len(normals), tangents.shape[1]
    D = np.concatenate([tangents, -tangents], axis=1).reshape(2 * k * n, -1)
    E = np.kron(np.eye(n), np.ones((2 * k, 1)))
    J = np.vstack([normals, D])
    A = J @ np.linalg.solve(M, J.T)
    size = n + 2 * k * n
    big = np.zeros((size + n, size + n))
    big[:size, :size] = A
    big[n:size, size:] = E
    big[size:, :n] = np.diag(mu)
    big[size:, n:size] = -E.T
    wanted = np.maximum(-e * (normals @ v), target)
    q = np.concatenate([normals @ v - wanted, D @ v, np.zeros(n)])
    z = lemke(big, q)
    if z is None:
        return None
    return v + np.linalg.solve(M, J.T @ z[:size])


# ---- The systems: (M, v, how to write v back, rows of a contact)

def _turned(x):
    return np.array([x[1], -x[0]])


class _Points:
    """Particles in the plane; impulses act at their centres."""

    def __init__(self, scene):
        self.mass = np.repeat([body.links[0].mass for body in scene.bodies], 2)

    def reduce(self, q, v):
        return np.diag(self.mass), v

    def expand(self, q, v):
        return v

    def rows(self, q, surface, point, direction):
        row = np.zeros(len(self.mass))
        row[2 * surface[0]:2 * surface[0] + 2] = direction[:2]
        return row

    def centre(self, q, surface):
        return np.append(q[2 * surface[0]:2 * surface[0] + 2], 0.0)


class _Chain:
    """Point masses on rods in the plane; coordinates are the angles between rods."""

    def __init__(self, scene):
        self.links = scene.bodies[0].links

    def _ends(self, q):
        """(positions [n, 2], Jacobians [n, 2, n])"""
        at, J = np.zeros(2), np.zeros((2, len(q)))
        ends, by = [], []
        for k, link in enumerate(self.links):
            a = np.sum(q[:k + 1])
            arm = np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]]) @ link.arm[:2]
            at, J = at + arm, J.copy()
            J[:, :k + 1] += np.array([-arm[1], arm[0]])[:, None]
            ends.append(at)
            by.append(J)
        return ends, by

    def reduce(self, q, v):
        _, by = self._ends(q)
        M = sum(link.mass * J.T @ J for link, J in zip(self.links, by))
        for k, link in enumerate(self.links):
            M[:k + 1, :k + 1] += link.inertia[0]
        return M, v

    def expand(self, q, v):
        return v

    def rows(self, q, surface, point, direction):
        return direction[:2] @ self._ends(q)[1][surface[1]]

    def centre(self, q, surface):
        return np.append(self._ends(q)[0][surface[1]], 0.0)


class _Top:
    """A rigid body on a ball joint at the world's origin; rates are its angular velocity, world axes."""

    def __init__(self, scene):
        self.link = scene.bodies[0].links[0]
        self.vertices = self.link.shape.vertices

    def _frame(self, q):
        w, x, y, z = q[3:]
        return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                         [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                         [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])

    def reduce(self, q, v):
        R, c = self._frame(q), q[:3]
        I = R @ np.diag(self.link.inertia) @ R.T + self.link.mass * (c @ c * np.eye(3) - np.outer(c, c))
        return I, v[3:]

    def expand(self, q, v):
        return np.concatenate([np.cross(v, q[:3]), v])

    def rows(self, q, surface, point, direction):
        return np.cross(point, direction)

    def points(self, q):
        return q[:3] + self.vertices @ self._frame(q).T


def _mechanics(scene):
    kind = scene.bodies[0].kind
    return _Top(scene) if scene.dimension == 3 else _Chain(scene) if kind == "chain" else _Points(scene)


def _contacts(scene, system, q):
    """(normal, point, surface a, surface b or None, gap, mu, e) of all that overlaps."""
    for a, b, m in scene.pairs:
        _, mu, e = scene.materials[m]
        if isinstance(system, _Top):
            normal, offset = scene.planes[b]
            points = system.points(q)
            gaps = points @ normal - offset
            k = int(np.argmin(gaps))
            found = normal, points[k], None, gaps[k]
        elif isinstance(b, str):
            normal, offset = scene.planes[b]
            x = system.centre(q, a)
            found = normal, x, None, x @ normal - offset - scene.bodies[a[0]].links[a[1]].shape.radius
        else:
            d = system.centre(q, a) - system.centre(q, b)
            length = np.linalg.norm(d)
            radii = sum(scene.bodies[s[0]].links[s[1]].shape.radius for s in (a, b))
            found = d / length, system.centre(q, a), b, length - radii
        if found[3] < 0:
            yield (found[0], found[1], a, found[2], found[3], mu, e)


def _tangents(normal, dimension):
    if dimension == 2:
        return [np.append(_turned(normal), 0.0)]
    across = np.cross(normal, np.eye(3)[np.argmin(np.abs(normal))])
    across /= np.linalg.norm(across)
    return [across, np.cross(normal, across)]


def strike(scene, system, state, n):
    """(state after the impact of what overlaps, whether there was one)."""
    q, v = state[:n], state[n:]
    contacts = list(_contacts(scene, system, q))
    if not contacts:
        return state, False
    M, reduced = system.reduce(q, v)

    def row(contact, direction):
        normal, point, a, b, *_ = contact
        found = system.rows(q, a, point, direction)
        return found - system.rows(q, b, point, direction) if b is not None else found
    normals = np.array([row(c, c[0]) for c in contacts])
    tangents = np.array([[row(c, t) for t in _tangents(c[0], scene.dimension)] for c in contacts])
    target = np.array([-c[4] for c in contacts]) * scene.compensation / scene.h
    after = impact(M, reduced, normals, tangents, np.array([c[5] for c in contacts]),
                   np.array([c[6] for c in contacts]), target)
    if after is None:
        return state, True
    return np.concatenate([q, system.expand(q, after)]), True


class Rolled:
    def __init__(self, states, hits):
        self.states, self.hits, self.status = states, hits, np.zeros(len(states), int)


def roller(scene):
    """roll(starts, steps) as learn_data.trajectories wants it, by this model."""
    smooth = Roller(dataclasses.replace(scene, pairs=[], materials=[], sources=[]))
    system, n = _mechanics(scene), scene.spans[-1][0].stop

    def roll(starts, steps):
        states, hits, now = [], [], np.array(starts, float)
        for _ in range(steps):
            now = smooth.roll(now, 1, [], []).states[:, 0].copy()
            struck = np.zeros(len(now), bool)
            for k in range(len(now)):
                now[k], struck[k] = strike(scene, system, now[k], n)
            states.append(now.copy())
            hits.append(struck)
        return Rolled(np.stack(states, axis=1), np.stack(hits, axis=1))
    return roll
