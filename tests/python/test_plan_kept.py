# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""What `make plan-evaluate` keeps: the page's tables are those of tests/plan, they hold what the page claims, and small
samples, computed again, agree."""
import unittest

from tinycontact_case import ROOT

import numpy as np

from tinycontact.plan import billiards, outlines, page, picture, properties, solved, stack

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
        for name in ("gather", "sort", "ant-push", "gather-animals"):
            done, tried = count(name, solved.OTHERS[0])
            self.assertGreaterEqual(done, 0.7 * tried, name)
            self.assertEqual(len({row["seed"] for row in page.read(KEPT, name)}), tried)
        done, tried = count("billiards", "barrier, starts by the tool")
        self.assertGreaterEqual(done, 0.8 * tried)
        self.assertEqual(count("billiards", "local barrier, Adam")[0], 0)
        for name, values in solved.PAPER.items():
            rows = page.read(KEPT, name)
            self.assertEqual(list(dict.fromkeys(float(row["h" if name == "time-step" else "mu"]) for row in rows)), list(values))
            for row in rows:
                self.assertAlmostEqual(float(row["seconds"]), int(row["frames"]) * float(row["h"]), delta=1e-4)
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

    def test_a_push_of_short_steps(self):
        row = solved.timed(("time-step", 0.02, 3))
        self.assertEqual((row["reached"], row["mu"]), (1, 1e-7))
        self.assertLess(row["seconds"], 6)

    def test_outlines_are_hulls_about_the_middle_of_the_area(self):
        for name, shape in outlines.read().items():
            self.assertEqual(len(shape["pieces"]), outlines.PIECES, name)
            for piece in map(np.array, shape["pieces"]):
                self.assertLessEqual(len(piece), outlines.CORNERS)
                self.assertEqual(len(picture.hull(piece)), len(piece))      # convex, and no corner too many
                self.assertLess(np.linalg.norm(piece, axis=1).max(), outlines.SIZE + 1e-4)
            self.assertLess(shape["inertia_per_mass"], outlines.SIZE**2)
        # an L of three squares, as a prism along x
        ring = np.array([[0, 0], [2, 0], [2, 1], [1, 1], [1, 2], [0, 2]], float)
        corners = np.column_stack([np.zeros(6), ring[:, 1], ring[:, 0]])
        found = outlines.outline(corners, [[0, 1, 2], [0, 2, 3], [0, 3, 5], [3, 4, 5]])
        scale = outlines.SIZE / np.linalg.norm(ring - 5 / 6, axis=1).max()
        area = sum(outlines.area(np.array(piece)) for piece in found["pieces"])
        self.assertAlmostEqual(area / scale**2, 3, delta=0.15)
        self.assertAlmostEqual(found["inertia_per_mass"] / scale**2, 11 / 18, delta=0.02)

    def test_one_push_and_one_aim(self):
        row = solved.judged(("push", 3, "bounded far part, knots"))
        self.assertEqual(row["reached"], 1)
        table = billiards.Table()
        found = billiards.gauss_newton(table, billiards.marks_of(table, 1007))
        self.assertTrue(found.reached)


if __name__ == "__main__":
    unittest.main()
