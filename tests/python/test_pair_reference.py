# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""tools/ref/pair_reference.py, which barrier pairs are compared with: closed forms, its own derivatives against
differences at 90 digits, and what no plane separates."""
import random
import sys
import unittest
from decimal import Decimal, localcontext

from tinycontact_case import ROOT

sys.path.insert(0, str(ROOT / "tools" / "ref"))

import pair_reference as barrier   # noqa: E402
from pair_reference import Model, Set   # noqa: E402


def drawn(rng, dimension, count, at):
    points = tuple(tuple(c + rng.uniform(-0.3, 0.3) for c in at) for _ in range(count))
    return Set(points, rng.choice([0.0, 0.05]), tuple(c + rng.uniform(-0.1, 0.1) for c in at))


class Reference(unittest.TestCase):

    def test_two_clusters_have_a_closed_form(self):
        for a, b in ((1, 1), (3, 3), (2, 5)):
            one = Set(((0.0, 0.0, 0.0),) * a, 0.5, (0.0, 0.0, 1.0))
            two = Set(((1.5, 2.0, 0.0),) * b, 0.25, (1.0, 1.0, 1.0))
            with localcontext() as context:
                context.prec = barrier.DIGITS
                root = Decimal(12).sqrt() + (Decimal(a).sqrt() + Decimal(b).sqrt()) / Decimal("1.75").sqrt()
                found = barrier.reference(one, two)
                self.assertLess(abs(found["value"] - root * root), Decimal("1e-50"))
                self.assertLess(abs(found["gap"] - Decimal("1.75")), Decimal("1e-50"))

    def test_derivatives_are_those_of_differences(self):
        rng = random.Random(5)
        for dimension, model in ((3, Model()), (3, Model(4.0, 30.0, 0.5)), (2, Model()), (2, Model(12.0, 100.0, 0.125))):
            a, b = (drawn(rng, dimension, rng.randint(2, 5), at[:dimension]) for at in ((0, 0, 0), (0.7, 0.4, 0.3)))
            found = barrier.reference(a, b, model)
            gradient, hessian = barrier.differences(a, b, model)
            size = max(map(abs, found["hessian_lower"]))
            self.assertLess(max(abs(x - y) for x, y in zip(gradient, found["gradient"])), size * Decimal("1e-30"))
            lower = [x for row in hessian for x in row]
            self.assertLess(max(abs(x - y) for x, y in zip(lower, found["hessian_lower"])), size * Decimal("1e-28"))

    def test_forces_and_torques_sum_to_zero(self):
        rng = random.Random(7)
        a, b = drawn(rng, 3, 6, (0, 0, 0)), drawn(rng, 3, 4, (1.0, 0.2, 0.1))
        g = barrier.reference(a, b)["gradient"]
        self.assertLess(max(abs(x + y) for x, y in zip(g[:3], g[6:9])), Decimal("1e-50"))

    def test_a_pair_that_overlaps_is_refused(self):
        a = Set(((0.0, 0.0), (1.0, 0.0)), 0.3, (0.0, 0.0))
        with self.assertRaises(barrier.Touching):
            barrier.reference(a, Set(((0.5, 0.2),), 0.0, (0.5, 0.2)))


if __name__ == "__main__":
    unittest.main()
