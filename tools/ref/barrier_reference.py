#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The barrier of two convex bodies to 30 digits and more, in the plane and in space, by Python's decimals alone.

P = min over planes (n, d), |n| < 1, of A / (1 - |n|) + sum 1/u of both bodies' vertices, by damped Newton in all of
(n, d), as the paper states it: nothing is eliminated. Gradients are those of the minimum (the envelope theorem), second
derivatives central differences of gradients, the plane's rate a difference of planes. It never loads the library.
"""
from decimal import Decimal, getcontext

DIGITS = 60
STEP = Decimal("1e-14")      # differences: 1e-28 of truncation, and 60 digits leave 1e-46 of rounding
getcontext().prec = DIGITS
ONE = Decimal(1)


class Touching(Exception):
    """No plane was found that separates."""


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def root_sum(a):
    return dot(a, a).sqrt()


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


class Body:
    """World vertices, radius and the position that it turns about."""

    def __init__(self, vertices, radius, centre):
        self.vertices = [[Decimal(x) for x in v] for v in vertices]
        self.radius, self.centre = Decimal(radius), [Decimal(x) for x in centre]

    def moved(self, q):
        """The body after t and theta: c + t + exp([theta]) (x - c), to the third order in theta."""
        dim = len(self.centre)
        t, turn = q[:dim], q[dim:]
        vertices = []
        for v in self.vertices:
            y = [a - b for a, b in zip(v, self.centre)]
            term, total = y, list(y)
            for order in (1, 2, 3):
                if dim == 3:
                    term = [x / order for x in cross(turn, term)]
                else:
                    term = [-turn[0] * term[1] / order, turn[0] * term[0] / order]
                total = [a + b for a, b in zip(total, term)]
            vertices.append([c + s + x for c, s, x in zip(self.centre, t, total)])
        return vertices, [c + s for c, s in zip(self.centre, t)]


def solve_linear(M, b):
    """x with M x = b, M positive definite."""
    n = len(b)
    M = [row[:] + [value] for row, value in zip(M, b)]
    for i in range(n):
        inverse = ONE / M[i][i]
        for j in range(i + 1, n):
            factor = M[j][i] * inverse
            M[j] = [x - factor * y for x, y in zip(M[j], M[i])]
    x = [Decimal(0)] * n
    for i in reversed(range(n)):
        x[i] = (M[i][n] - dot(M[i][i + 1:n], x[i + 1:])) / M[i][i]
    return x


class Problem:
    """Vertices of both bodies about `origin`, to be separated by (n, d)."""

    def __init__(self, sets, radii, A, origin):
        self.A, self.dim = Decimal(A), len(origin)
        self.rows = []
        for sign, vertices, radius in zip((1, -1), sets, radii):
            for v in vertices:
                self.rows.append((sign, [sign * (x - o) for x, o in zip(v, origin)], Decimal(radius)))

    def gaps(self, p):
        n, d = p[:-1], p[-1]
        length = root_sum(n)
        return [dot(x, n) + sign * d - radius * length for sign, x, radius in self.rows]

    def value(self, p):
        length = root_sum(p[:-1])
        gaps = self.gaps(p)
        if length >= 1 or min(gaps) <= 0:
            return None
        return self.A / (1 - length) + sum(ONE / u for u in gaps)

    def newton(self, p):
        """Gradient and Newton step at p."""
        dim, n = self.dim, p[:-1]
        length = root_sum(n)
        unit = [x / length for x in n]
        slope, bend = self.A / (1 - length) ** 2, 2 * self.A / (1 - length) ** 3
        gradient = [slope * x for x in unit] + [Decimal(0)]
        H = [[Decimal(0)] * (dim + 1) for _ in range(dim + 1)]
        round_part = slope / length
        for (sign, x, radius), u in zip(self.rows, self.gaps(p)):
            w = ONE / (u * u)
            du = [a - radius * b for a, b in zip(x, unit)] + [Decimal(sign)]
            round_part += w * radius / length
            for i in range(dim + 1):
                gradient[i] -= w * du[i]
                factor = 2 * w / u * du[i]
                for j in range(i + 1):
                    H[i][j] += factor * du[j]
        for i in range(dim):
            for j in range(i + 1):
                H[i][j] += (bend - round_part) * unit[i] * unit[j] + (round_part if i == j else 0)
        for i in range(dim + 1):
            for j in range(i):
                H[j][i] = H[i][j]
        return gradient, [-x for x in solve_linear(H, gradient)]

    def minimise(self, p):
        value = self.value(p)
        if value is None:
            raise Touching
        for _ in range(500):
            gradient, step = self.newton(p)
            decrement = -dot(gradient, step)
            if decrement < value * Decimal(10) ** (10 - 2 * DIGITS // 2):
                return [a + b for a, b in zip(p, step)]
            share = ONE
            while True:
                trial = [a + share * b for a, b in zip(p, step)]
                reached = self.value(trial)
                if reached is not None and reached <= value - share * decrement / 10:
                    break
                share /= 2
            p, value = trial, reached
        raise ArithmeticError("no convergence")


class Pair:
    """A pair with its least plane, from a separating normal (any that separates)."""

    def __init__(self, a, b, normal, A=12, kappa=1, length=0):
        self.bodies, self.A, self.kappa, self.length = (a, b), Decimal(A), Decimal(kappa), Decimal(length)
        self.dim = len(a.centre)
        n = [Decimal(x) for x in normal]
        n = [x / root_sum(n) / 2 for x in n]
        m = self.middle(a.centre, b.centre)
        low = min(dot([x - o for x, o in zip(v, m)], n) for v in a.vertices) - a.radius / 2
        high = max(dot([x - o for x, o in zip(v, m)], n) for v in b.vertices) + b.radius / 2
        if low <= high:
            raise Touching
        self.plane = self.least([Decimal(0)] * self.size, n + [-(low + high) / 2])

    @property
    def block(self):
        return 6 if self.dim == 3 else 3

    @property
    def size(self):
        return 2 * self.block

    @staticmethod
    def middle(a, b):
        return [(x + y) / 2 for x, y in zip(a, b)]

    def problem(self, q):
        moved = [body.moved(q[i * self.block:(i + 1) * self.block]) for i, body in enumerate(self.bodies)]
        middle = self.middle(moved[0][1], moved[1][1])
        problem = Problem([m[0] for m in moved], [b.radius for b in self.bodies], self.A, middle)
        return problem, moved

    def least(self, q, start):
        return self.problem(q)[0].minimise(start)

    def far(self, Q):
        """Value and its derivative by Q = sum 1/u at |n| = 1."""
        r, bound = Q.sqrt(), 1 + self.length * Q
        far = self.kappa * self.A.sqrt()
        return self.A + Q + 2 * far * r / bound.sqrt(), 1 + far / (r * bound * bound.sqrt())

    def gradient(self, q, plane):
        """Of the value at q by q, the plane being the least there."""
        problem, moved = self.problem(q)
        n = plane[:-1]
        length = root_sum(n)
        gaps = problem.gaps(plane)
        Q = length * sum(ONE / u for u in gaps)
        result, at = [], 0
        for body, (vertices, centre), sign, i in zip(self.bodies, moved, (1, -1), (0, 1)):
            weights = [-sign * length / u ** 2 for u in gaps[at:at + len(vertices)]]
            at += len(vertices)
            force = [sum(weights) * x for x in n]
            turn = q[i * self.block + self.dim:(i + 1) * self.block]
            torque = [Decimal(0)] * len(turn)
            for w, v in zip(weights, vertices):
                y = [a - b for a, b in zip(v, centre)]
                if self.dim == 3:
                    moment = cross(y, n)
                    bent = cross(moment, turn)      # J_l(theta)' = I - [theta] / 2
                    torque = [t + w * (a + b / 2) for t, a, b in zip(torque, moment, bent)]
                else:
                    torque = [torque[0] + w * (y[0] * n[1] - y[1] * n[0])]
            result += force + torque
        first = self.far(Q)[1]
        return [first * x for x in result]

    def answer(self):
        """{value, gap, gradient, hessian (rows of the lower triangle), plane, plane_rate}."""
        zero = [Decimal(0)] * self.size
        problem, _ = self.problem(zero)
        n = self.plane[:-1]
        length = root_sum(n)
        gaps = problem.gaps(self.plane)
        count = len(self.bodies[0].vertices)
        value = self.far(length * sum(ONE / u for u in gaps))[0]
        columns, rates = [], []
        for j in range(self.size):
            ends = []
            for sign in (1, -1):
                q = zero[:]
                q[j] = sign * STEP
                plane = self.least(q, self.plane)
                ends.append((self.gradient(q, plane), plane))
            columns.append([(a - b) / (2 * STEP) for a, b in zip(ends[0][0], ends[1][0])])
            rates.append([(a - b) / (2 * STEP) for a, b in zip(ends[0][1], ends[1][1])])
        return {"value": value, "gap": (min(gaps[:count]) + min(gaps[count:])) / length,
                "gradient": self.gradient(zero, self.plane),
                "hessian": [columns[j][i] for i in range(self.size) for j in range(i + 1)],
                "plane": self.plane, "plane_rate": [r[i] for i in range(self.dim + 1) for r in rates]}
