# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The barrier of a pair of convex sets in float64 with NumPy: a twin of lib/barrier that never loads it.

    found = pair(a, b)             # a, b: Sets of points in the world, planar or spatial
    found.value, found.gradient    # by t_A, theta_A, t_B, theta_B

P = min over (n, d) of A / (1 - |n|) + sum 1 / u + sum 1 / v, by Newton's method in all numbers of (n, d); the library
eliminates |n|. tools/ref/pair_reference.py has the same in Decimal. `distance` has the pair's distance and nearest
points, by Wolfe's search for the shortest vector between the hulls.
"""
from dataclasses import dataclass

import numpy as np

from ..answers import Fields

STEPS = 200


@dataclass(frozen=True)
class Set:
    """vertices [count, D] in the world, rounding radius, and the centre [D] about which the set turns."""
    vertices: np.ndarray
    radius: float
    centre: np.ndarray

    def moved(self, q):
        """The same set after the increment q: t, then theta."""
        D = len(self.centre)
        return Set(self.centre + q[:D] + (self.vertices - self.centre) @ turn(q[D:]).T, self.radius, self.centre + q[:D])

    @property
    def size(self):
        return float(np.linalg.norm(self.vertices - self.centre, axis=1).max() + self.radius)


class Touching(Exception):
    """No plane separates the pair."""


def turn(theta):
    """exp([theta]) of one angle or of three numbers."""
    if len(theta) == 1:
        c, s = np.cos(theta[0]), np.sin(theta[0])
        return np.array([[c, -s], [s, c]])
    angle = np.linalg.norm(theta)
    x, y, z = theta
    K = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0.0]])
    a = np.sinc(angle / np.pi)
    b = 0.5 * np.sinc(angle / (2 * np.pi)) ** 2
    return np.eye(3) + a * K + b * K @ K


# ---- Distance

def shortest(points):
    """Wolfe's algorithm: (the shortest vector of the hull of points [n, D], indices, weights)."""
    scale = max(float((points * points).sum(1).max()), 1e-300)
    active, weights = [int((points * points).sum(1).argmin())], np.ones(1)
    for _ in range(STEPS):
        x = weights @ points[active]
        along = points @ x
        j = int(along.argmin())
        if along[j] >= x @ x - 1e-15 * scale or j in active:
            break
        trial, share = active + [j], np.append(weights, 0.0)
        flat = _affine(points[trial], scale)
        while flat is not None and flat.min() <= 1e-14:
            down = (flat <= 1e-14) & (share > flat)
            if not down.any():
                flat = None
                break
            share = share + np.min(share[down] / (share[down] - flat[down])) * (flat - share)
            lost = int(share.argmin())
            del trial[lost]
            share = np.delete(share, lost)
            flat = _affine(points[trial], scale)
        if flat is None:
            break
        active, weights = trial, flat
    return weights @ points[active], active, weights


def _affine(points, scale):
    """Weights, of sum 1, of the shortest vector in the plane through the points; None if they are dependent."""
    k = len(points)
    G = np.full((k + 1, k + 1), scale)
    G[:k, :k], G[k, k] = points @ points.T, 0
    right = np.zeros(k + 1)
    right[k] = scale
    try:
        return np.linalg.solve(G, right)[:k]
    except np.linalg.LinAlgError:
        return None


def distance(a, b):
    """(distance, normal from b to a, nearest points of both); the distance is at most 0 where the hulls overlap."""
    w, active, weights = shortest((a.vertices[:, None] - b.vertices[None]).reshape(-1, len(a.centre)))
    far = np.linalg.norm(w)
    n = w / far if far > 0 else np.zeros(len(w))
    at_a, at_b = (weights @ s.vertices[k] for s, k in zip((a, b), np.divmod(active, len(b.vertices))))
    return far - a.radius - b.radius, n, at_a - a.radius * n, at_b + b.radius * n


# ---- The plane's problem

class _Plane:
    def __init__(self, a, b, A):
        self.A, self.D = A, len(a.centre)
        self.origin = (a.centre + b.centre) / 2
        self.points = np.concatenate([a.vertices, b.vertices]) - self.origin
        self.sign = np.concatenate([np.ones(len(a.vertices)), -np.ones(len(b.vertices))])
        self.radius = np.concatenate([np.full(len(a.vertices), a.radius), np.full(len(b.vertices), b.radius)])
        gap, n, at_a, at_b = distance(a, b)
        if not gap > 0:
            raise Touching
        self.p = self.newton(np.append(n, -((at_a + at_b) / 2 - self.origin) @ n) / 2)

    def slacks(self, p):
        n = p[:-1]
        return self.sign * (self.points @ n + p[-1]) - self.radius * np.linalg.norm(n)

    def objective(self, p):
        size, u = np.linalg.norm(p[:-1]), self.slacks(p)
        return self.A / (1 - size) + (1 / u).sum() if 0 < size < 1 and u.min() > 0 else np.inf

    def slopes(self, p):
        """du/dp [vertices, D + 1], and the matrix across the normal over |n|."""
        m = p[:-1] / np.linalg.norm(p[:-1])
        J = np.column_stack([self.sign[:, None] * self.points - self.radius[:, None] * m, self.sign])
        return J, m, (np.eye(self.D) - np.outer(m, m)) / np.linalg.norm(p[:-1])

    def derivatives(self, p):
        u, size = self.slacks(p), np.linalg.norm(p[:-1])
        J, m, across = self.slopes(p)
        gradient = -J.T @ (1 / u**2)
        gradient[:-1] += self.A / (1 - size) ** 2 * m
        H = (2 / u**3 * J.T) @ J
        H[:-1, :-1] += (2 * self.A / (1 - size) ** 3 * np.outer(m, m)
                        + (self.A / (1 - size) ** 2 + (self.radius / u**2).sum()) * across)
        return gradient, H

    def newton(self, p):
        """Damped steps, then a whole one: the value no longer tells how far the plane is off, its gradient does."""
        value = self.objective(p)
        for _ in range(STEPS):
            gradient, H = self.derivatives(p)
            step = _solved(H, -gradient)
            decrement, share = -gradient @ step, 1.0
            if decrement < 1e-12 * value:
                break
            while share > 1e-9 and not self.objective(p + share * step) <= value - 0.1 * share * decrement:
                share *= 0.5
            if share <= 1e-9:
                break
            p = p + share * step
            value = self.objective(p)
        for _ in range(2):
            gradient, H = self.derivatives(p)
            step = _solved(H, -gradient)
            p = p + step if self.objective(p + step) < np.inf else p
        return p


def _solved(H, right):
    """H^-1 right, scaled by the diagonal."""
    d = 1 / np.sqrt(np.diag(H))
    return (d * np.linalg.solve(H * np.outer(d, d), (d * right.T).T.T if right.ndim == 1 else d[:, None] * right).T).T


def pair(a, b, A=12.0, kappa=1.0, length=0.0):
    """value, gradient [Q], hessian [Q, Q], plane [n, d], plane_rate [Q, D + 1], gap of two Sets; raises Touching."""
    at = _Plane(a, b, A)
    p, u, n = at.p, at.slacks(at.p), at.p[:-1]
    size = np.linalg.norm(n)
    J, _, _ = at.slopes(p)
    _, H = at.derivatives(p)
    D, half = at.D, 6 if at.D == 3 else 3
    moves, bends = _motions(a, b, n)
    rate = at.sign[:, None] * (moves @ n)                         # du/dq
    gradient = -rate.T @ (1 / u**2)
    second = (2 / u**3 * rate.T) @ rate
    second[D:half, D:half] -= np.einsum("i,ijk", at.sign[:len(a.vertices)] / u[:len(a.vertices)] ** 2, bends[0])
    second[half + D:, half + D:] -= np.einsum("i,ijk", at.sign[len(a.vertices):] / u[len(a.vertices):] ** 2, bends[1])
    mixed = (2 / u**3 * rate.T) @ J
    mixed[:, :D] -= np.einsum("i,iqd->qd", at.sign / u**2, moves)
    follow = -_solved(H, mixed.T).T
    whole = second + mixed @ follow.T
    # Q, of degree -1 in lengths: without A, so that far away nothing cancels
    r = np.sqrt(size * (1 / u).sum())
    value, first, bend = shaped(r, A, kappa, length)
    return Fields(value=float(value), gradient=first * gradient, plane=np.append(n, p[-1] - n @ at.origin),
                  hessian=first * whole + bend * np.outer(gradient, gradient), plane_rate=follow,
                  gap=float((u[at.sign > 0].min() + u[at.sign < 0].min()) / size))


def shaped(r, A, kappa, length):
    """value at r = sqrt(P) - sqrt(A), and its first two derivatives by P."""
    root = np.sqrt(A)
    s, t, far = r + root, 1 + length * r * r, 2 * kappa * root
    first, second = 2 * r + far / t**1.5, 2 - 3 * far * length * r / t**2.5
    return A + r * r + far * r / np.sqrt(t), first / (2 * s), second / (4 * s * s) - first / (4 * s**3)


def _motions(a, b, n):
    """dx/dq [vertices, Q, D] and, of each set, d2<x, n>/dtheta2 [vertices, T, T]."""
    D, half = len(n), 6 if len(n) == 3 else 3
    moves, bends = np.zeros((len(a.vertices) + len(b.vertices), 2 * half, D)), []
    for at, s, row in ((0, a, 0), (half, b, len(a.vertices))):
        arms = s.vertices - s.centre
        own = moves[row:row + len(arms), at:at + half]
        own[:, range(D), range(D)] = 1
        if D == 2:
            own[:, 2] = np.column_stack([-arms[:, 1], arms[:, 0]])
            bends.append(-(arms @ n)[:, None, None])
        else:
            for k in range(3):
                own[:, 3 + k] = np.cross(np.eye(3)[k], arms)
            turned = 0.5 * (arms[:, :, None] * n + (arms[:, :, None] * n).transpose(0, 2, 1))
            bends.append(turned - (arms @ n)[:, None, None] * np.eye(3))
    return moves, bends
