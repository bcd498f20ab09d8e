# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Implicit steps of discs in the plane that do not turn, in NumPy: a twin of the library's for this scene, written from
the paper, and the baseline whose barrier ends at a distance.

The next places minimise sum m |x - xhat|^2 / (2 h^2) + mu sum phi(gap), xhat where the discs would coast. phi is the
closed form of the library's barrier for two points, (sqrt(A) + 2 / sqrt(gap))^2, or of this what exceeds its value at
`local`: twice differentiable, and 0 beyond.
"""
import numpy as np

A = 12.0
STEPS = 100


def barrier(gap):
    """phi and its first two derivatives."""
    r = 2 / np.sqrt(gap)
    first = -r / (2 * gap)
    second = 0.75 * r / gap**2
    s = np.sqrt(A) + r
    return s * s, 2 * s * first, 2 * first**2 + 2 * s * second


def cut_off(gap, local):
    """x^3 / (x + c)^2 with x = Q(gap) - Q(local) and c = Q(local), Q = 4 / gap: about Q near contact."""
    c = 4 / local
    x = np.maximum(4 / gap - c, 0)
    q1, q2 = -4 / gap**2, 8 / gap**3
    w = x + c
    f, f1, f2 = x**3 / w**2, (3 * x**2 * w - 2 * x**3) / w**3, 6 * x * c**2 / w**4
    return f, f1 * q1, f2 * q1**2 + f1 * q2


class Discs:
    """A scene of discs (a value of scenes.py's form)."""

    def __init__(self, value, local=None):
        self.h, self.mu, self.steps = value["h"], value["mu"], value["steps"]
        self.mass = np.array([body["mass"] for body in value["bodies"]])
        self.radius = np.array([body["pieces"][0]["r"] for body in value["bodies"]])
        self.start = np.array([body["position"] for body in value["bodies"]])
        self.i, self.j = np.triu_indices(len(self.mass), 1)
        self.phi = barrier if local is None else lambda gap: cut_off(gap, local)

    def gaps(self, x):
        d = x[self.i] - x[self.j]
        far = np.linalg.norm(d, axis=1)
        return far - self.radius[self.i] - self.radius[self.j], d / far[:, None], far

    def energy(self, x, coast):
        gap = self.gaps(x)[0]
        if gap.min() <= 0:
            return np.inf
        return (self.mass[:, None] * (x - coast) ** 2).sum() / (2 * self.h**2) + self.mu * self.phi(gap)[0].sum()

    def derivatives(self, x, coast):
        n = len(x)
        gap, u, far = self.gaps(x)
        _, first, second = self.phi(gap)
        g = self.mass[:, None] * (x - coast) / self.h**2
        np.add.at(g, self.i, self.mu * first[:, None] * u)
        np.add.at(g, self.j, -self.mu * first[:, None] * u)
        outer = u[:, :, None] * u[:, None]
        block = self.mu * (second[:, None, None] * outer + (first / far)[:, None, None] * (np.eye(2) - outer))
        H = np.zeros((n, n, 2, 2))
        H[range(n), range(n)] = self.mass[:, None, None] / self.h**2 * np.eye(2)
        np.add.at(H, (self.i, self.i), block)
        np.add.at(H, (self.j, self.j), block)
        H[self.i, self.j] -= block
        H[self.j, self.i] -= block
        return g.ravel(), H.transpose(0, 2, 1, 3).reshape(2 * n, 2 * n)

    def step(self, now, before):
        """(next places, the Hessian there)"""
        coast = 2 * now - before
        x = now
        value = self.energy(x, coast)
        for _ in range(STEPS):
            g, H = self.derivatives(x, coast)
            shift = 0.0
            try:
                np.linalg.cholesky(H)
            except np.linalg.LinAlgError:
                shift = 1e-6 * np.trace(H) / len(H) - np.linalg.eigvalsh(H)[0]
            move = -np.linalg.solve(H + shift * np.eye(len(H)), g).reshape(x.shape)
            if np.abs(move).max() < 1e-11:
                break
            share = 1.0
            wanted = 1e-4 * (g @ move.ravel())
            while share > 1e-12 and not self.energy(x + share * move, coast) <= value + share * wanted + 1e-14 * abs(value):
                share *= 0.5
            x = x + share * move
            value = self.energy(x, coast)
        return x, self.derivatives(x, coast)[1]

    def roll(self, now, before, steps=None):
        """(places [steps + 1, n, 2], Hessians)"""
        places, Hs = [now], []
        for _ in range(self.steps if steps is None else steps):
            after, H = self.step(now, before)
            before, now = now, after
            places.append(after)
            Hs.append(H)
        return np.array(places), Hs

    def pulled(self, p, red, green, seeds_of):
        """As billiards.Table.pulled."""
        now, before = self.start.copy(), self.start.copy()
        now[red], before[red] = p[:2], p[:2] - self.h * p[2:]
        if self.gaps(now)[0].min() <= 0 or self.gaps(before)[0].min() <= 0:
            return None
        places, Hs = self.roll(now, before)
        ends = np.concatenate([places[-1][k] for k in green])
        rows, m = [], np.repeat(self.mass, 2) / self.h**2
        for seed in seeds_of(ends):
            by_next, by_now = np.zeros(len(m)), np.zeros(len(m))
            for k, part in zip(green, np.reshape(seed, (2, 2))):
                by_next[2 * k:2 * k + 2] = part
            for H in reversed(Hs):     # by_next of x+, by_now of x, which carry over to x and x-
                pull = np.linalg.solve(H, by_next)
                by_next, by_now = by_now + 2 * m * pull, -m * pull
            a, b = by_next[2 * red:2 * red + 2], by_now[2 * red:2 * red + 2]
            rows.append(np.concatenate([a + b, -self.h * b]))
        return ends, np.array(rows)
