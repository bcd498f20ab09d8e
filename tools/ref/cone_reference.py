#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Reference for contacts with friction, to 30 digits; it never loads the library and needs Python alone.

    minimise  |w|^2 / 2 + sum_i c_i |f_i|^2 / 2   over   w = w0 + G' f
    subject to  f_i,n >= floor_i,   |f_i,t| <= mu_i f_i,n   for each contact i

Method. With a compliance D_i = c_i + eps a_i the optimum is f_i(w) = P_i(-G_i w / D_i), P_i the projection on
contact i's set, and w is the root of

    F(w) = w - w0 - sum_i G_i' P_i(-G_i w / D_i),

the gradient of a strongly convex function. Newton's method with F' = I + sum_i G_i' P_i' G_i / D_i and a line
search on the derivative finds it. eps goes from 1 to 1e-40, the early part in float64, the rest in decimal
arithmetic of 120 digits; each eps starts from the line through the last two roots. For eps -> 0, f goes to the
impulses of least norm, sum_i a_i |f_i|^2, which restitution needs (equations 5, 7 of Zhong, Dey, Chakraborty
2021: the paper leaves open which f of compression gives the floors).

Certificate. `residual` recomputes, from the problem and f alone, the natural map of the problem without eps.
Refused is an answer whose residual is above 1e-30, or whose w still moves with eps (by more than 1e-18: the least
energy is then no impulse's, but a limit of ever larger ones), and floors from impulses that still move.
"""
import operator
from dataclasses import dataclass
from decimal import Decimal, localcontext

DIGITS = 120
CERTIFIED = Decimal("1e-30")
STILL = Decimal("1e-18")       # what w may still move by in the last stage, relative to what is given
SETTLED = Decimal("1e-10")     # what impulses of least norm may still move by, relative to the largest
FLOAT_STAGES = [10.0**-k for k in range(7)]
DECIMAL_STAGES = [Decimal(10)**-k for k in (6, 7, 8, 9, 10, 11, 12, 14, 16, 18, 21, 24, 28, 32, 36, 40)]
STEPS, TRIALS = 200, 200   # of Newton; along one of its directions
KINDS = ("open", "stick", "slip", "floor_stick", "floor_slip")


class NotCertified(Exception):
    """The reference has no answer that it can prove."""


@dataclass
class Problem:
    """n contacts with `rows` rows each; floats or whole numbers, taken as they are, exactly."""
    rows: int
    G: list                      # n rows of d numbers, of each contact the normal's first
    w0: list                     # d
    mu: list                     # n
    floor: list = None           # n
    compliance: list = None      # n

    @property
    def n(self):
        return len(self.mu)

    def cast(self, number):
        """The same in another kind of number."""
        def row(values):
            return [number(value) for value in values]
        zeros = [0] * self.n
        return Problem(self.rows, [row(values) for values in self.G], row(self.w0), row(self.mu),
                       row(self.floor or zeros), row(self.compliance or zeros))


@dataclass
class Answer:
    """Decimal numbers. `moved` and `settled` tell how many digits are right."""
    f: list                # n rows; of least norm
    u: list                # n rows
    w: list                # d
    residual: Decimal      # of the natural map, relative to the terms that cancel
    kinds: list            # n of KINDS
    margin: Decimal        # of the nearest contact to another kind, relative to the terms that cancel
    moved: Decimal         # what w moved by in the last stage, relative to what is given
    settled: Decimal       # what f moved by, relative to its largest


def dot(a, b):
    return sum(map(operator.mul, a, b))


def length(y):
    if len(y) == 1:
        return abs(y[0])
    square = dot(y, y)
    return square.sqrt() if isinstance(square, Decimal) else square**0.5


def project(y, mu, floor):
    """(point of {f_n >= floor, |f_t| <= mu f_n} nearest to y, kind)."""
    y_n, y_t = y[0], y[1:]
    r = length(y_t) if y_t else 0 * y_n
    if y_n > 0 and (not y_t or (mu > 0 and r <= mu * y_n)):
        f, kind = list(y), "stick"
    elif mu * r <= -y_n:
        f, kind = [0 * y_n] * len(y), "open"
    else:
        f_n = (y_n + mu * r) / (1 + mu * mu)
        f, kind = [f_n, *(mu * f_n * t / r if r else t for t in y_t)], "slip"
    if f[0] >= floor:
        return f, kind
    if r <= mu * floor:
        return [floor, *y_t], "floor_stick"
    return [floor, *(mu * floor * t / r for t in y_t)], "floor_slip"


def slopes(y, f, mu, kind):
    """The derivative of `project` as rank-one terms: (factor, vector) for factor vector vector'."""
    m = len(y)
    one, zero = 1 + 0 * y[0], 0 * y[0]
    axes = [[one if i == j else zero for j in range(m)] for i in range(m)]
    if kind == "open":
        return []
    if kind == "stick":
        return [(one, axis) for axis in axes]
    if kind == "floor_stick":
        return [(one, axis) for axis in axes[1:]]
    r = length(y[1:])
    tau = [t / r if r else t for t in y[1:]]
    terms = [(1 / (1 + mu * mu), [one, *(mu * t for t in tau)])] if kind == "slip" else []
    if m == 3 and r:
        terms.append((mu * f[0] / r, [zero, -tau[1], tau[0]]))
    return terms


def factor_solve(H, b):
    """x of H x = b by Cholesky's L L', H positive definite."""
    n = len(b)
    L, x = [], []
    for i in range(n):
        row = []
        for j in range(i):
            row.append((H[i][j] - dot(row, L[j][:j])) / L[j][j])
        square = H[i][i] - dot(row, row)
        row.append(square.sqrt() if isinstance(square, Decimal) else max(square, 1e-300)**0.5)
        L.append(row)
        x.append((b[i] - dot(row[:i], x)) / row[i])
    for i in reversed(range(n)):
        x[i] = (x[i] - sum(L[k][i] * x[k] for k in range(i + 1, n))) / L[i][i]
    return x


class _Stage:
    """The problem with the compliance D."""

    def __init__(self, p, D):
        self.p, self.D = p, D
        self.columns = list(zip(*p.G))

    def impulses(self, w):
        """(y, f, kind) of each contact."""
        p, m, found = self.p, self.p.rows, []
        for i in range(p.n):
            y = [-dot(row, w) / self.D[i] for row in p.G[i * m:(i + 1) * m]]
            found.append((y, *project(y, p.mu[i], p.floor[i])))
        return found

    def gradient(self, w, found):
        f = [number for _, part, _ in found for number in part]
        return [a - b - dot(column, f) for a, b, column in zip(w, self.p.w0, self.columns)]

    def hessian(self, found):
        p, m, d = self.p, self.p.rows, len(self.p.w0)
        one = 1 + 0 * p.w0[0]
        H = [[0 * one] * i + [one] for i in range(d)]
        for i, (y, f, kind) in enumerate(found):
            rows = p.G[i * m:(i + 1) * m]
            for factor, vector in slopes(y, f, p.mu[i], kind):
                ray = [dot(vector, column) for column in zip(*rows)]
                scale = factor / self.D[i]
                for a in range(d):
                    if ray[a]:
                        part = scale * ray[a]
                        H[a] = [h + part * r for h, r in zip(H[a], ray)]
        return H

    def root(self, w, tolerance):
        """Newton's method from w; the best w found."""
        found = self.impulses(w)
        F = self.gradient(w, found)
        size = given(self.p)
        for _ in range(STEPS):
            if max(map(abs, F)) <= tolerance * size:
                break
            step = [-x for x in factor_solve(self.hessian(found), F)]
            if not max(map(abs, step)):
                break
            w, found, F, moved = self.search(w, F, step)
            if not moved:
                break
        return w

    def search(self, w, F, step):
        """Along step to where the derivative has fallen; it rises with t, since the function is convex."""
        start = dot(F, step)
        low, high, slope_low, slope_high = 0 * start, None, start, None
        t = 1 + 0 * start
        for trial in range(TRIALS):
            there = [a + t * s for a, s in zip(w, step)]
            found = self.impulses(there)
            gradient = self.gradient(there, found)
            slope = dot(gradient, step)
            if abs(slope) <= abs(start) * 9 / 10 or (slope < 0 and high is None and t >= 1 and trial == 0):
                return there, found, gradient, start < 0
            if slope > 0:
                high, slope_high = t, slope
            else:
                low, slope_low = t, slope
            if high is None:
                t = 2 * t
            elif trial % 3 == 2:
                t = (low + high) / 2 if 4 * low > high else high / 1000 if not low else low * 2
            else:
                t = low + (high - low) * slope_low / (slope_low - slope_high)
        return w, self.impulses(w), F, False


def mean_squares(p):
    """a_i: mean square of contact i's rows, and its compliance."""
    m = p.rows
    return [sum(dot(row, row) for row in p.G[i * m:(i + 1) * m]) / m + p.compliance[i] for i in range(p.n)]


def velocities(p, f):
    """(w, u) of impulses f."""
    w = [start + dot(column, f) for start, column in zip(p.w0, zip(*p.G))]
    return w, [dot(row, w) + p.compliance[r // p.rows] * f[r] for r, row in enumerate(p.G)]


def given(p):
    """The size of what is given, as a velocity: of w0 and of the floors' impulses; 1 if both are 0."""
    low = [p.floor[r // p.rows] * (r % p.rows == 0) for r in range(len(p.G))]
    return max(abs(start) + sum(abs(g * x) for g, x in zip(column, low)) for start, column in zip(p.w0, zip(*p.G))) or 1


def terms_scale(p, f):
    """The largest sum of what cancels in u."""
    columns = [abs(start) + sum(abs(g * x) for g, x in zip(column, f)) for start, column in zip(p.w0, zip(*p.G))]
    return max(dot(map(abs, row), columns) + p.compliance[r // p.rows] * abs(f[r]) for r, row in enumerate(p.G))


def residual(p, f):
    """(largest |f_i - P_i(f_i - u_i / a_i)| a_i, the largest sum of terms, the largest |G w0|)."""
    m, a = p.rows, mean_squares(p)
    u = velocities(p, f)[1]
    worst = 0 * u[0]
    for i in range(p.n):
        part = slice(i * m, (i + 1) * m)
        y = [x - v / a[i] for x, v in zip(f[part], u[part])]
        nearest = project(y, p.mu[i], p.floor[i])[0]
        worst = max(worst, a[i] * length([x - z for x, z in zip(f[part], nearest)]))
    return worst, terms_scale(p, f), max(abs(dot(row, p.w0)) for row in p.G)


def border(y, mu, floor, kind):
    """How far y is from where its kind changes."""
    r = length(y[1:]) if len(y) > 1 else 0 * y[0]
    root = (1 + mu * mu).sqrt()
    if kind == "open":
        return (-y[0] - mu * r) / root
    if kind == "stick":
        edge = (mu * y[0] - r) / root
        return min(edge, y[0] - floor) if len(y) > 1 and mu > 0 else y[0] - floor
    if kind == "slip":
        return min((r - mu * y[0]) / root if len(y) > 1 and mu > 0 else y[0], (y[0] + mu * r) / root - floor * root)
    if kind == "floor_stick":
        return min(floor - y[0], mu * floor - r) if len(y) > 1 and mu > 0 else floor - y[0]
    return min(r - mu * floor, floor * root - (y[0] + mu * r) / root)


def _kinds(p, f, u, scale):
    m, a = p.rows, mean_squares(p)
    kinds, margin = [], None
    for i in range(p.n):
        part = slice(i * m, (i + 1) * m)
        y = [x - v / a[i] for x, v in zip(f[part], u[part])]
        kind = project(y, p.mu[i], p.floor[i])[1]
        if kind == "stick" and (m == 1 or p.mu[i] == 0):
            kind = "slip"
        if kind == "floor_stick" and (m == 1 or p.mu[i] == 0):
            kind = "floor_slip"
        near = abs(border(y, p.mu[i], p.floor[i], kind)) * a[i] / scale
        kinds.append(kind)
        margin = near if margin is None else min(margin, near)
    return kinds, margin


def _follow(p, stages, w, tolerance):
    """Roots for falling eps from w on: the last two."""
    a = mean_squares(p)
    before, last = None, (None, w)
    for eps in stages:
        start = last[1]
        if before is not None and before[0] is not None:
            share = (eps - last[0]) / (last[0] - before[0])
            start = [x + share * (x - y) for x, y in zip(last[1], before[1])]
        stage = _Stage(p, [c + eps * size for c, size in zip(p.compliance, a)])
        before, last = last, (eps, stage.root(start, tolerance))
    return before, last


def _impulses(p, eps, w):
    a = mean_squares(p)
    stage = _Stage(p, [c + eps * size for c, size in zip(p.compliance, a)])
    return [x for _, f, _ in stage.impulses(w) for x in f]


def solve(problem):
    """The Answer; NotCertified if there is none."""
    plain = problem.cast(float)
    w = _follow(plain, FLOAT_STAGES, list(plain.w0), 1e-9)[1][1]
    with localcontext() as context:
        context.prec = DIGITS
        p = problem.cast(Decimal)
        before, last = _follow(p, DECIMAL_STAGES, [Decimal(x) for x in w], Decimal("1e-60"))
        f, earlier = _impulses(p, *last), _impulses(p, *before)
        w, u = velocities(p, f)
        worst, scale, _ = residual(p, f)
        told = worst / scale if scale else worst
        if not told <= CERTIFIED:
            raise NotCertified(f"residual {told:.1e}")
        moved = max(abs(x - y) for x, y in zip(w, velocities(p, earlier)[0])) / given(p)
        if not moved <= STILL:
            raise NotCertified(f"w still moves by {moved:.1e}")
        settled = max(abs(x - y) for x, y in zip(f, earlier)) / (max(map(abs, f)) or 1)
        kinds, margin = _kinds(p, f, u, scale or Decimal(1))
        return Answer(f, u, w, told, kinds, margin, moved, settled)


def impact(problem, e, target=None):
    """(compression, restitution, w, u) after both phases; floors are e f_n of the least-norm compression."""
    with localcontext() as context:
        context.prec = DIGITS
        first = solve(Problem(problem.rows, problem.G, problem.w0, problem.mu, None, problem.compliance))
        if not first.settled <= SETTLED:
            raise NotCertified(f"impulses of least norm still move by {first.settled:.1e}")
        target = [Decimal(x) for x in target or [0] * len(problem.w0)]
        floor = [Decimal(x) * f for x, f in zip(e, first.f[::problem.rows])]
        second = solve(Problem(problem.rows, problem.G, [w - t for w, t in zip(first.w, target)], problem.mu,
                               floor, problem.compliance))
        p = problem.cast(Decimal)
        w = [a + dot(column, second.f) for a, column in zip(first.w, zip(*p.G))]
        return first, second, w, [dot(row, w) for row in p.G]
