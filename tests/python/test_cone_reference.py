# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""tools/ref/cone_reference.py, which everything about contacts with friction is compared with: worked by hand, against
a method that has nothing in common with it, and its own proof."""
import sys
import unittest
from decimal import Decimal, getcontext

from tinycontact_case import ROOT

import numpy as np

sys.path.insert(0, str(ROOT / "tools" / "ref"))

import cone_families            # noqa: E402
import cone_reference as cone   # noqa: E402

TINY = Decimal("1e-30")
getcontext().prec = cone.DIGITS   # of the tests' own sums, too


def numbers(values):
    return np.array([float(x) for x in values])


def swept(p, floor=None, sweeps=200000):
    """w by projected gradient steps with momentum (FISTA, restarted): slow, and like nothing else here."""
    G, w0, m = np.array(p.G, float), np.array(p.w0, float), p.rows
    c = np.repeat(np.array(p.compliance or [0.0] * p.n), m)
    mu, low = np.array(p.mu, float), np.array(floor or [0.0] * p.n, float)
    step = 1 / (np.linalg.eigvalsh(G @ G.T)[-1] + c.max())

    def nearest(y):
        y = y.reshape(p.n, m)
        r = np.sqrt((y[:, 1:]**2).sum(axis=1))
        along = np.where(r <= mu * y[:, 0], y[:, 0], np.maximum(0, (y[:, 0] + mu * r) / (1 + mu * mu)))
        along = np.maximum(along if m > 1 else y[:, 0], low)
        share = np.minimum(1, mu * along / np.maximum(r, 1e-300))
        return np.column_stack([along, share[:, None] * y[:, 1:]]).ravel()

    f = ahead = nearest(np.zeros(p.n * m))
    k = 1.0
    for sweep in range(sweeps):
        fresh = nearest(ahead - step * (G @ (w0 + G.T @ ahead) + c * ahead))
        if (ahead - fresh) @ (fresh - f) > 0:
            k, ahead = 1.0, f
            continue
        after = (1 + np.sqrt(1 + 4 * k * k)) / 2
        ahead, k = fresh + (k - 1) / after * (fresh - f), after
        if np.abs(fresh - f).max() < 1e-15 and sweep > 100:
            break
        f = fresh
    return w0 + G.T @ f


class ByHand(unittest.TestCase):
    """One contact on a body of mass 1: the cases that a page of a textbook has."""

    I3 = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]

    def one(self, w0, mu, floor=0, rows=None):
        p = cone.Problem(3, rows or self.I3, w0, [mu], [floor])
        return cone.solve(p)

    def same(self, found, wanted):
        for a, b in zip(found, wanted, strict=True):
            self.assertLess(abs(a - Decimal(b)), TINY)

    def test_each_kind(self):
        for w0, mu, floor, f, kind in (
                ([5, 1, 0], 1, 0, [0, 0, 0], "open"),
                ([-2, 1, 0], 1, 0, [2, -1, 0], "stick"),
                ([-1, 3, 0], 1, 0, [2, -2, 0], "slip"),         # (1 + 3) / 2 on the ray (1, -1)
                ([-1, 0, 3], 1, 0, [2, 0, -2], "slip"),
                ([3, 1, 0], 1, 2, [2, -1, 0], "floor_stick"),
                ([3, 5, 0], 1, 2, [2, -2, 0], "floor_slip"),
                ([-1, 3, 0], 0, 0, [1, 0, 0], "slip"),
                ([1, 1, 0], 0, 2, [2, 0, 0], "floor_slip")):
            found = self.one(w0, mu, floor)
            self.same(found.f, f)
            self.same(found.w, [a + b for a, b in zip(w0, f)])
            self.assertEqual(found.kinds, [kind])

    def test_least_norm(self):
        """The same contact twice shares its impulse by the inverse of the friction that it has: here evenly."""
        found = cone.solve(cone.Problem(2, [[1, 0], [0, 1]] * 2, [-2, 1], [1, 1]))
        self.same(found.f, [1, Decimal("-0.5"), 1, Decimal("-0.5")])
        # where the second one cannot rub, the first one pushes as much as rubbing needs
        found = cone.solve(cone.Problem(2, [[1, 0], [0, 1]] * 2, [-2, Decimal("1.5")], [1, 0]))
        self.same(found.f, [Decimal("1.5"), Decimal("-1.5"), Decimal("0.5"), 0])

    def test_both_phases(self):
        first, second, w, u = cone.impact(cone.Problem(3, self.I3, [-2, 1, 0], [1]), [0.5])
        self.same(first.w, [0, 0, 0])
        self.same(second.f, [1, 0, 0])
        self.same(w, [1, 0, 0])
        self.same(u, [1, 0, 0])
        # a target of 3 asks for more than the floor
        self.same(cone.impact(cone.Problem(3, self.I3, [-2, 0, 0], [1]), [0.5], [3, 0, 0])[2], [3, 0, 0])


class Families(unittest.TestCase):
    def test_against_projected_gradients(self):
        """Catches: a wrong projection, derivative or sign, which Newton's method would converge to all the same."""
        compared = 0
        for family in cone_families.FAMILIES:
            for rows, n in ((3, 3), (2, 3), (1, 3)):
                p = cone_families.draw(family, rows, n, 1, compliant=rows == 2)
                if family == "massratio":
                    continue   # gradients do not get there
                e, target = cone_families.restitution(p, family, 1)
                first, second, _, _ = cone.impact(p, e, target)
                for answer, start, floor in (
                        (first, p.w0, None),
                        (second, list(numbers(first.w) - target), list(e * numbers(first.f[::rows])))):
                    problem = cone.Problem(rows, p.G, start, p.mu, floor, p.compliance)
                    np.testing.assert_allclose(numbers(answer.w), swept(problem, floor), rtol=0, atol=2e-6, err_msg=family)
                    compared += 1
        self.assertEqual(compared, 48)

    def test_properties(self):
        """No energy comes in, impulses lie in their cones, power of the contacts is not positive; to 30 digits."""
        for family in cone_families.FAMILIES:
            for seed in range(3):
                p = cone_families.draw(family, 3, 4, seed)
                found = cone.solve(p)
                self.assertLessEqual(cone.dot(found.w, found.w), cone.dot(p.cast(Decimal).w0, p.cast(Decimal).w0))
                for i, mu in enumerate(p.mu):
                    f, u = found.f[3 * i:3 * i + 3], found.u[3 * i:3 * i + 3]
                    self.assertLessEqual(cone.length(f[1:]), Decimal(mu) * f[0] * (1 + TINY) + TINY)
                    self.assertLess(abs(cone.dot(f, u)), TINY * cone.terms_scale(p.cast(Decimal), found.f)**2)
                    self.assertGreaterEqual(u[0] - Decimal(mu) * cone.length(u[1:]), -TINY * 1000)

    def test_never_further_apart(self):
        """|w - w'| <= |w0 - w0'|: w is a projection."""
        for family in cone_families.FAMILIES:
            p, q = (cone_families.draw(family, 3, 3, 5) for _ in range(2))
            q.w0 = [x + 0.125 * (-1)**k for k, x in enumerate(q.w0)]
            a, b = numbers(cone.solve(p).w), numbers(cone.solve(q).w)
            self.assertLessEqual(np.linalg.norm(a - b), np.linalg.norm(np.subtract(p.w0, q.w0)) * (1 + 1e-12))

    def test_float32(self):
        """Every input is exactly a float32's, so that the library solves the same problem."""
        for family in cone_families.FAMILIES:
            p = cone_families.draw(family, 2, 4, 3, compliant=True)
            for number in [*sum(p.G, []), *p.w0, *p.mu, *p.compliance]:
                self.assertEqual(float(np.float32(number)), number)


class Proof(unittest.TestCase):
    def test_residual_sees_errors(self):
        p = cone_families.draw("box", 3, 4, 0).cast(Decimal)
        f = cone.solve(p).f
        self.assertLess(cone.residual(p, f)[0], TINY)
        for r in range(len(f)):
            wrong = [x + Decimal("1e-9") * (k == r) for k, x in enumerate(f)]
            self.assertGreater(cone.residual(p, wrong)[0], Decimal("1e-12"))

    def test_infimum_that_is_not_attained(self):
        """The second contact pushes along an edge of the first one's cone: a sideways push of 1 needs infinitely large
        impulses, and the least energy is no problem's answer."""
        p = cone.Problem(3, [[1, 0, 0], [0, 1, 0], [0, 0, 1], [-1, -1, 0], [0, 0, 0], [0, 0, 0]], [0, 0, -1], [1, 0])
        with self.assertRaises(cone.NotCertified):
            cone.solve(p)


if __name__ == "__main__":
    unittest.main()
