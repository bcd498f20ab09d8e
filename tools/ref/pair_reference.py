# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The barrier of a pair of convex sets to any number of digits, in Decimal; it never loads the library.

    P = min over (n, d) of  A / (1 - |n|) + sum 1 / u_i + sum 1 / v_j
    u_i = <x_i, n> + d - r_A |n|,   v_j = -<y_j, n> - d - r_B |n|
    r = sqrt(P) - sqrt(A),   value = A + r^2 + kappa 2 sqrt(A) r / sqrt(1 + length r^2)

Newton in all numbers of the plane (4 in space, 3 in the plane) with |n| free: the library eliminates |n|. The start is
found in float64, by Wolfe's search for the shortest vector between the hulls. Derivatives are those of the implicit
function theorem. Coordinates q: t_A, theta_A, t_B, theta_B, where a vertex moves as c + t + exp([theta]) (x - c) about
its body's centre c. `differences` has the derivatives again, by differences of the value.
"""
from dataclasses import dataclass
from decimal import Decimal, getcontext, localcontext

DIGITS = 70
STEPS = 400          # Newton steps; 12 or so are needed


@dataclass(frozen=True)
class Set:
    """Vertices in the world, their rounding radius, and the centre about which they turn."""
    vertices: tuple
    radius: float
    centre: tuple


@dataclass(frozen=True)
class Model:
    A: float = 12.0
    kappa: float = 1.0
    length: float = 0.0


class Touching(Exception):
    """No plane separates the pair."""


def dot(a, b):
    return sum((x * y for x, y in zip(a, b)), type(a[0])(0))


def solve(H, columns):
    """H^-1 applied to each of the columns, by elimination with pivots."""
    n = len(H)
    rows = [list(H[i]) + [c[i] for c in columns] for i in range(n)]
    for k in range(n):
        best = max(range(k, n), key=lambda i: abs(rows[i][k]))
        rows[k], rows[best] = rows[best], rows[k]
        for i in range(n):
            if i != k and rows[i][k]:
                factor = rows[i][k] / rows[k][k]
                rows[i] = [x - factor * y for x, y in zip(rows[i], rows[k])]
    return [[rows[i][n + c] / rows[i][i] for i in range(n)] for c in range(len(columns))]


# ---- The start, in float64

def shortest(points):
    """Wolfe's algorithm: the shortest vector of the hull of the points (lists of floats)."""
    scale = max(max(map(abs, p)) for p in points) ** 2 or 1.0
    active, weights = [min(range(len(points)), key=lambda i: dot(points[i], points[i]))], [1.0]
    while True:
        x = mixed_of(weights, [points[i] for i in active])
        j = min(range(len(points)), key=lambda i: dot(points[i], x))
        if dot(points[j], x) >= dot(x, x) - 1e-14 * scale or j in active:
            return x
        active.append(j)
        weights.append(0.0)
        while True:
            flat = affine([points[i] for i in active], scale)
            if flat is None:      # the new point adds no direction
                return x
            if min(flat) > 1e-13:
                weights = flat
                break
            share = min(w / (w - v) for w, v in zip(weights, flat) if v <= 1e-13 and w > v)
            weights = [w + share * (v - w) for w, v in zip(weights, flat)]
            lost = min(range(len(weights)), key=lambda i: weights[i])
            del active[lost], weights[lost]


def mixed_of(weights, points):
    return [sum(w * p[k] for w, p in zip(weights, points)) for k in range(len(points[0]))]


def affine(points, scale):
    """The weights, of sum 1, of the shortest vector in the plane through the points."""
    G = [[dot(p, q) for q in points] + [scale] for p in points] + [[scale] * len(points) + [0.0]]
    try:
        return solve(G, [[0.0] * len(points) + [scale]])[0][:-1]
    except ZeroDivisionError:
        return None


def between(a, b):
    """The shortest vector from the hull of b's vertices to that of a's, radii left out, in float64."""
    return shortest([[float(x - y) for x, y in zip(p, q)] for p in a.vertices for q in b.vertices])


# ---- The plane's problem: numbers are Decimals, points relative to `origin`

class Pair:
    def __init__(self, a, b, model=Model()):
        cast = lambda points: [[Decimal(x) for x in p] for p in points]   # noqa: E731
        self.dimension = len(a.centre)
        self.centres = cast([a.centre, b.centre])
        self.origin = [(x + y) / 2 for x, y in zip(*self.centres)]
        self.points = [cast(s.vertices) for s in (a, b)]
        self.radii = [Decimal(a.radius), Decimal(b.radius)]
        self.A, self.kappa, self.length = (Decimal(x) for x in (model.A, model.kappa, model.length))
        self.plane = self._newton(self._start(a, b))

    def _terms(self):
        """(sign, centre, radius, point) of every vertex; points relative to the origin."""
        for sign, centre, radius, points in zip((1, -1), self.centres, self.radii, self.points):
            for p in points:
                yield sign, centre, radius, [x - o for x, o in zip(p, self.origin)]

    def _start(self, a, b):
        w = [Decimal(float(x)) for x in between(a, b)]
        long = dot(w, w).sqrt()
        if not long > sum(self.radii):
            raise Touching
        n = [x / long / 2 for x in w]
        low = min(dot(p, n) for s, _, _, p in self._terms() if s > 0) - self.radii[0] / 2
        high = max(dot(p, n) for s, _, _, p in self._terms() if s < 0) + self.radii[1] / 2
        if not low > high:
            raise Touching
        return n + [-(low + high) / 2]

    def _objective(self, plane):
        """The sum, or None where the plane does not separate."""
        n, d = plane[:-1], plane[-1]
        size = dot(n, n).sqrt()
        slacks = [s * (dot(p, n) + d) - r * size for s, _, r, p in self._terms()]
        if not 0 < size < 1 or min(slacks) <= 0:
            return None
        return self.A / (1 - size) + sum(1 / u for u in slacks)

    def _derivatives(self, plane):
        n, d = plane[:-1], plane[-1]
        D = len(n)
        size = dot(n, n).sqrt()
        m = [x / size for x in n]
        across = [[(int(i == j) - m[i] * m[j]) / size for j in range(D)] for i in range(D)]
        first, second = self.A / (1 - size) ** 2, 2 * self.A / (1 - size) ** 3
        gradient = [first * x for x in m] + [Decimal(0)]
        hessian = [[Decimal(0)] * (D + 1) for _ in range(D + 1)]
        for i in range(D):
            for j in range(D):
                hessian[i][j] = second * m[i] * m[j] + first * across[i][j]
        for s, _, r, p in self._terms():
            u = s * (dot(p, n) + d) - r * size
            slope = [s * x - r * y for x, y in zip(p, m)] + [Decimal(s)]
            for i in range(D + 1):
                gradient[i] -= slope[i] / u ** 2
                for j in range(D + 1):
                    hessian[i][j] += 2 * slope[i] * slope[j] / u ** 3
            for i in range(D):
                for j in range(D):
                    hessian[i][j] += r * across[i][j] / u ** 2
        return gradient, hessian

    def _newton(self, plane):
        """Damped Newton: halved until it decreases, then whole steps until they no longer change anything."""
        value, small = self._objective(plane), Decimal(10) ** (-getcontext().prec + 8)
        for _ in range(STEPS):
            gradient, hessian = self._derivatives(plane)
            step = solve(hessian, [[-g for g in gradient]])[0]
            share = Decimal(1)
            decrement = -dot(gradient, step)
            if decrement < small * value:
                return [p + s for p, s in zip(plane, step)]
            while True:
                trial = [p + share * s for p, s in zip(plane, step)]
                new = self._objective(trial)
                if new is not None and new <= value - share * decrement / 10 + small * value:
                    break
                share /= 2
            plane, value = trial, new
        raise ArithmeticError("Newton's method did not converge")

    # ---- Answers

    def _shape(self, P):
        """value and its first two derivatives by P."""
        s, root = P.sqrt(), self.A.sqrt()
        r = s - root
        t = 1 + self.length * r * r
        far = 2 * self.kappa * root
        value = self.A + r * r + far * r / t.sqrt()
        first = 2 * r + far / (t * t.sqrt())
        second = 2 - 3 * far * self.length * r / (t * t * t.sqrt())
        return value, first / (2 * s), second / (4 * s * s) - first / (4 * s ** 3)

    def value(self):
        return self._shape(self._objective(self.plane))[0]

    def world_plane(self):
        """n, d of <x, n> + d in world coordinates."""
        n = self.plane[:-1]
        return n + [self.plane[-1] - dot(n, self.origin)]

    def gap(self):
        """The pair's separation along n: a lower bound of the distance."""
        n = self.plane[:-1]
        size = dot(n, n).sqrt()
        low = min(dot(p, n) for s, _, _, p in self._terms() if s > 0)
        high = max(dot(p, n) for s, _, _, p in self._terms() if s < 0)
        return (low - high) / size - sum(self.radii)

    def derivatives(self):
        """gradient [Q], hessian [Q][Q] of the value, and the plane's [Q][D + 1], Q = 12 or 6."""
        D = self.dimension
        half = D + (3 if D == 3 else 1)
        Q = 2 * half
        plane, n = self.plane, self.plane[:-1]
        size = dot(n, n).sqrt()
        m = [x / size for x in n]
        _, H = self._derivatives(plane)
        gradient = [Decimal(0)] * Q
        second = [[Decimal(0)] * Q for _ in range(Q)]
        mixed = [[Decimal(0)] * (D + 1) for _ in range(Q)]
        for s, centre, r, p in self._terms():
            u = s * (dot(p, n) + plane[-1]) - r * size
            slope = [s * x - r * y for x, y in zip(p, m)] + [Decimal(s)]
            arm = [x + o - c for x, o, c in zip(p, self.origin, centre)]
            moves, bend = motion(arm, n)
            at = 0 if s > 0 else half
            rate = [s * dot(move, n) for move in moves]
            for i in range(half):
                gradient[at + i] -= rate[i] / u ** 2
                for j in range(half):
                    second[at + i][at + j] += 2 * rate[i] * rate[j] / u ** 3 - s * bend[i][j] / u ** 2
                for j in range(D + 1):
                    turn = s * moves[i][j] if j < D else Decimal(0)
                    mixed[at + i][j] += 2 * rate[i] * slope[j] / u ** 3 - turn / u ** 2
        follow = [[-x for x in column] for column in solve(H, mixed)]   # dp/dq, a row per coordinate
        whole = [[second[i][j] + dot(mixed[i], follow[j]) for j in range(Q)] for i in range(Q)]
        _, f1, f2 = self._shape(self._objective(plane))
        return ([f1 * g for g in gradient],
                [[f1 * whole[i][j] + f2 * gradient[i] * gradient[j] for j in range(Q)] for i in range(Q)], follow)


def motion(arm, n):
    """The rates of a vertex by its body's coordinates, and the second derivatives of <x, n> by them."""
    D = len(n)
    one, zero = Decimal(1), Decimal(0)
    moves = [[one if i == j else zero for j in range(D)] for i in range(D)]
    if D == 2:
        moves.append([-arm[1], arm[0]])
        bend = [[zero] * 3 for _ in range(3)]
        bend[2][2] = -dot(arm, n)
        return moves, bend
    x, y, z = arm
    moves += [[zero, -z, y], [z, zero, -x], [-y, x, zero]]
    bend = [[zero] * 6 for _ in range(6)]
    for i in range(3):
        for j in range(3):
            bend[3 + i][3 + j] = (n[i] * arm[j] + arm[i] * n[j]) / 2 - (dot(arm, n) if i == j else 0)
    return moves, bend


def moved(a, b, q):
    """Both sets after the coordinates q (Decimals), by Rodrigues' formula as a series."""
    half, out = len(q) // 2, []
    for s, own in ((a, q[:half]), (b, q[half:])):
        D = len(s.centre)
        centre = [Decimal(c) for c in s.centre]
        points = []
        for vertex in s.vertices:
            arm = [Decimal(x) - c for x, c in zip(vertex, centre)]
            points.append(tuple(c + t + x for c, t, x in zip(centre, own[:D], turned(arm, own[D:]))))
        out.append(Set(tuple(points), s.radius, tuple(centre)))
    return out


def turned(arm, theta):
    """exp([theta]) arm; theta small."""
    total, term = list(arm), list(arm)
    for k in range(1, 60):
        if len(arm) == 2:
            term = [-theta[0] * term[1] / k, theta[0] * term[0] / k]
        else:
            (a, b, c), (x, y, z) = theta, term
            term = [(b * z - c * y) / k, (c * x - a * z) / k, (a * y - b * x) / k]
        total = [x + y for x, y in zip(total, term)]
    return total


def differences(a, b, model, step=Decimal("1e-18"), digits=90):
    """gradient and hessian of the value by central differences: errors near step^2 times the size of the third or
    fourth derivative's share."""
    with localcontext() as context:
        context.prec = digits
        Q = 12 if len(a.centre) == 3 else 6
        known = {}

        def value(*at):
            if at not in known:
                q = [Decimal(0)] * Q
                for i, sign in at:
                    q[i] += sign * step
                known[at] = Pair(*moved(a, b, q), model).value()
            return known[at]

        gradient = [(value((i, 1)) - value((i, -1))) / (2 * step) for i in range(Q)]
        hessian = [[(value((i, 1), (j, 1)) - value((i, 1), (j, -1)) - value((i, -1), (j, 1)) + value((i, -1), (j, -1)))
                    / (4 * step * step) for j in range(i + 1)] for i in range(Q)]
        return gradient, hessian


def reference(a, b, model=Model(), digits=DIGITS):
    """{value, gradient, hessian_lower, plane, plane_rate, gap} of a pair, Decimals; Touching where no plane is."""
    with localcontext() as context:
        context.prec = digits
        pair = Pair(a, b, model)
        gradient, hessian, follow = pair.derivatives()
        lower = [hessian[i][j] for i in range(len(hessian)) for j in range(i + 1)]
        return dict(value=pair.value(), gradient=gradient, hessian_lower=lower, plane=pair.world_plane(),
                    plane_rate=follow, gap=pair.gap())
