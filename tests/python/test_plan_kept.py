# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""What `make plan-evaluate` keeps: the page's tables are those of tests/plan, they hold what the page claims, and small
samples, computed again, agree."""
import unittest

from tinycontact_case import ROOT

import numpy as np

from tinycontact.plan import billiards, page, properties, solved, stack

KEPT = ROOT / "tests" / "plan"


class Kept(unittest.TestCase):

    def test_the_page_is_rendered_from_what_is_kept(self):
        text = (ROOT / "docs/explanation/plans.md").read_text(encoding="utf-8")
        self.assertEqual(page.rendered(text, KEPT), text)

    def test_the_barrier_has_all_four_properties_and_no_other_model_has(self):
        for row in page.read(KEPT, "properties"):
            own = [float(row[key]) for key in properties.PROPERTIES]
            wanted = [word == "yes" for word in properties.PAPER[row["model"]].split()]
            self.assertEqual([share == 1 for share in own], wanted, row["model"])

    def test_stack(self):
        rows = {float(row["mu"]): row for row in page.read(KEPT, "book-stack")}
        for mu in (1e-8, 1e-10):
            self.assertLess(float(rows[mu]["margin_max"]), float(rows[mu]["paper_margin"]))
            self.assertLess(abs(float(rows[mu]["force_error"]) / float(rows[mu]["paper_force_error"]) - 1), 0.5)
        self.assertEqual([rows[mu]["stands"] for mu in (1e-9, 1e-10)], ["True", "True"])

    def test_tasks(self):
        def count(name, search):
            own = [row for row in page.read(KEPT, name) if row["search"] == search]
            return sum(row["reached"] == "1" for row in own), len(own)
        for search in ("bounded far part, knots", "the same, float32"):
            done, tried = count("push-searches", search)
            self.assertGreaterEqual((done, tried), (16, 20))
        done, tried = count("billiards", "barrier, starts by the tool")
        self.assertGreaterEqual(done, 0.8 * tried)
        self.assertEqual(count("billiards", "local barrier, Adam")[0], 0)
        for row in page.read(KEPT, "derivatives"):
            self.assertGreater(float(row["library"]), 0)
            self.assertEqual(float(row["differences"]), 0)


class Again(unittest.TestCase):

    def test_the_models_forces_are_slopes_of_their_values(self):
        rng = np.random.default_rng(4)
        for name, model in properties.MODELS.items():
            for _ in range(4):
                a, b = properties.drawn(rng)
                b = properties.apart(a, b, np.array([0.6, 0, 0.8]), 0.03)
                for e in 1e-6 * np.eye(3):
                    slope = (model(properties.shifted(a, e), b)[0] - model(properties.shifted(a, -e), b)[0]) / 2e-6
                    value, force = model(a, b)
                    near = 1e-5 * (np.linalg.norm(force) + 1e-3 * value)
                    self.assertAlmostEqual(force @ e * 1e6, -slope, delta=near, msg=name)

    def test_a_pair_of_each_model(self):
        for name, words in properties.PAPER.items():
            row = properties.judged(name, 3, 1)
            if name in ("barrier", "cut-off barrier"):
                self.assertEqual([row[key] == 1 for key in properties.PROPERTIES], [w == "yes" for w in words.split()], name)

    def test_a_stack_of_five(self):
        row = stack.judged((1e-9, 5, 0.001, 0.5))
        self.assertTrue(row["stands"])
        self.assertLess(row["force_error"], 1e-6)

    def test_one_push_and_one_aim(self):
        row = solved.judged(("push", 3, "bounded far part, knots"))
        self.assertEqual(row["reached"], 1)
        table = billiards.Table()
        found = billiards.gauss_newton(table, billiards.marks_of(table, 1007))
        self.assertTrue(found.reached)


if __name__ == "__main__":
    unittest.main()
