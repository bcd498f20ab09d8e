# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""`tinycontact plan pair` against 24 digits in both precisions; what it says of pairs that touch and of bad entries."""
import json
import sys
import unittest
from pathlib import Path

from tinycontact_case import ROOT, Temporary

import numpy as np

sys.path.insert(0, str(ROOT / "tools" / "ref"))

import pair_cases                           # noqa: E402
from tinycontact.plan import pair, reference     # noqa: E402

NEAR = 1e-4   # share of the size below which a gap is too small for float32


def entry_of(made):
    sets = [pair_cases.posed(*it) for it in zip(made["bodies"], made["turns"], made["positions"])]
    entry = {"name": made["name"]}
    for name, s in zip("AB", sets):
        entry |= {name: [[float(x) for x in p] for p in s.vertices], f"radius_{name}": s.radius,
                  f"centre_{name}": list(s.centre)}
    return entry


def worst(found, wanted):
    wanted = np.array([float(x) for x in np.ravel(wanted)])
    return float(np.abs(np.ravel(found) - wanted).max() / np.abs(wanted).max())


class AgainstReference(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        cls.cases = list(pair_cases.cases())

    def test_both_precisions_meet_the_reference(self):
        for made in self.cases:
            entry, model = entry_of(made), pair.Model(made["model"].A, made["model"].kappa, made["model"].length)
            coordinate = max(np.abs(entry[name]).max() for name in "AB")
            for double in (True, False):
                bound = 1e-10 if double else 1e-5 + 5e-7 * coordinate / float(made["gap"])
                found = pair.solve(entry, model, double)
                with self.subTest(name=made["name"], double=double):
                    self.assertIn(found.status, ("ok", "rounding"))
                    self.assertLess(worst(found.value, made["value"]), bound)
                    self.assertLess(worst(found.gradient, made["gradient"]), bound)
                    self.assertLess(worst(found.hessian_lower, made["hessian_lower"]), 10 * bound)
                    self.assertLess(worst(found.plane[:-1], made["plane"][:-1]), 10 * bound)

    def test_rounding_is_said_only_of_small_gaps(self):
        for made in self.cases:
            entry = entry_of(made)
            size = max(np.linalg.norm(np.array(entry[k]) - entry[f"centre_{k}"], axis=1).max() + entry[f"radius_{k}"]
                       for k in "AB")
            found = pair.solve(entry, pair.Model())
            self.assertEqual(found.status == "rounding", found.gap < NEAR * size, made["name"])

    def test_the_twin_in_numpy_meets_the_reference(self):
        for made in self.cases:
            entry = entry_of(made)
            a, b = (reference.Set(np.array(entry[k]), entry[f"radius_{k}"], np.array(entry[f"centre_{k}"])) for k in "AB")
            found = reference.pair(a, b, made["model"].A, made["model"].kappa, made["model"].length)
            self.assertLess(worst(found.gradient, made["gradient"]), 1e-9, made["name"])
            lower = found.hessian[np.tril_indices(len(found.gradient))]
            self.assertLess(worst(lower, made["hessian_lower"]), 1e-9, made["name"])
            self.assertLess(worst(found.plane_rate, made["plane_rate"]), 1e-6, made["name"])


class BadPairs(unittest.TestCase):
    GOOD = {"A": [[0, 0], [1, 0]], "B": [[3, 0.5]], "radius_B": 0.5}

    def said(self, **changed):
        entry = {**self.GOOD, **changed}
        found = pair.solve({k: v for k, v in entry.items() if v is not ...})
        self.assertEqual(found.status, "bad_input")
        self.assertIsNone(found.value)
        return found.message

    def test_a_message_names_the_field(self):
        self.assertIn("A: is missing", self.said(A=...))
        self.assertIn("did you mean radius_B", self.said(radius_b=1))
        self.assertIn("B: has no point", self.said(B=[]))
        self.assertIn("B: is not a list of points", self.said(B=[[1, 2], [1, 2, 3]]))
        self.assertIn("B: has 3 numbers per point, A has 2", self.said(B=[[1, 2, 3]]))
        self.assertIn("A: number 1 in row-major order is nan", self.said(A=[[0, float("nan")]]))
        self.assertIn("radius_B: is -1", self.said(radius_B=-1))
        self.assertIn("radius_B: number 0", self.said(radius_B="x"))
        self.assertIn("centre_A: has 3 numbers, wanted 2", self.said(centre_A=[1, 2, 3]))
        self.assertIn("A: has 65 points", self.said(A=[[0, k] for k in range(65)]))
        self.assertIn("beyond 1e+06 m", self.said(A=[[0, 1e7]]))

    def test_fields_of_ones_own_are_left_alone(self):
        self.assertEqual(pair.solve({**self.GOOD, "name": "x", "seed": 3}).status, "ok")

    def test_pairs_that_touch_or_overlap_are_touching(self):
        for x in (1.5, 1.0, 0.5):
            self.assertEqual(pair.solve({**self.GOOD, "B": [[x, 0.0]]}).status, "touching", x)


class Command(Temporary):

    def test_a_list_keeps_its_order(self):
        good, touching = BadPairs.GOOD, {"A": [[0, 0, 0]], "B": [[0, 0, 0.5]], "radius_A": 1}
        Path("pairs.json").write_text(json.dumps([good, touching, {"A": 1}, {**good, "name": "last"}]))
        _, err = self.command("plan pair", "pairs.json", "-o", "out.json", "--double")
        answers = json.loads(Path("out.json").read_text())
        self.assertEqual([a["status"] for a in answers], ["ok", "touching", "bad_input", "ok"])
        self.assertEqual([len(answers[0][key]) for key in ("plane", "gradient", "hessian_lower")], [3, 6, 21])
        self.assertIn("pairs.json, entry 2, A: ", err)
        self.assertEqual(answers[3]["name"], "last")
        self.command("plan pair", "pairs.json", "-o", "out.json", "--kappa", "100", "--length", "0.1")
        self.assertNotEqual(json.loads(Path("out.json").read_text())[0]["value"], answers[0]["value"])

    def test_a_faulty_file_writes_nothing(self):
        for text, said in (("[1,", "line 1"), ("3", "wanted a list")):
            Path("pairs.json").write_text(text)
            self.refused("plan pair", "pairs.json", "-o", "out.json", told=(said,))
            self.assertFalse(Path("out.json").exists())
        Path("pairs.json").write_text("[]")
        self.refused("plan pair", "pairs.json", "--length", "nan", told=("--length",))


if __name__ == "__main__":
    unittest.main()
