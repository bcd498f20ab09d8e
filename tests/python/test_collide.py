#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Two moving boxes with the contact model of one: contacts, the exact truth, DART, the library, and the command."""
import csv
import json
import sys
import unittest
from pathlib import Path

import numpy as np
from tinycontact_case import ROOT, Temporary

from tinycontact.sim import pair_truth as truth
from tinycontact.sim.spatial_truth import rotation
from tinycontact.spatial import boxes, collide, pair
from tinycontact.spatial import collide_judge as judge
from tinycontact.spatial.limb import Foot

sys.path.insert(0, str(ROOT / "tests" / "models"))
import collide as table   # noqa: E402  tests/models/collide.py

MODEL = ROOT / "tests" / "models" / "box.tcm"
PAIR = collide.Boxes(np.array([[0.2, 0.15, 0.1], [0.1, 0.3, 0.05]]), np.array([1.0, 2.5]))
THROWS = 60


def outside(point, state, half):
    """By how much a point lies outside a box [m]; 0 on its surface."""
    local = np.abs(rotation(state[3:7]).T @ (point - state[:3])) - half
    return np.linalg.norm(np.maximum(local, 0)) + min(local.max(), 0)


class Contacts(unittest.TestCase):
    def test_stacked_and_crossed(self):
        """A box across another: the four corners of the overlap, whichever is a."""
        half, turn = np.array([[0.2, 0.05, 0.05]] * 2), np.array([np.sqrt(0.5), 0, 0, np.sqrt(0.5)])
        for upper in (0, 1):
            position, q = np.zeros((2, 3)), np.array([[1.0, 0, 0, 0], turn])
            position[upper, 2] = 0.1
            found = boxes.touch(position, q, half, 1e-6)
            self.assertEqual(len(found.gap), 4)
            np.testing.assert_allclose(np.abs(found.points), [[0.05] * 3] * 4, atol=1e-12)
            np.testing.assert_allclose(np.abs(found.frame[2]), [0, 0, 1], atol=1e-12)
            away = position[1 - found.face] - position[found.face]
            self.assertGreater(found.frame[2] @ away, 0)
            position[upper, 2] = 0.101
            self.assertIsNone(boxes.touch(position, q, half, 1e-6))
            self.assertAlmostEqual(boxes.distance(position[None], q[None], half)[0], 0.001)

    def test_contacts_lie_on_both_boxes(self):
        """Where boxes first touch, points of contact are on the surfaces of both, at faces and where edges meet."""
        run = collide.run(Foot.of_coulomb(real="double"), PAIR, collide.starts(PAIR, 2 * THROWS, 3), 0.15)
        _, first = np.unique(run.solves.throw, return_index=True)
        pairs, off, edges = judge.pairs_of(run.solves[first]), [], 0
        for k, row in enumerate(run.solves.cases[first]):
            half = [PAIR.half()[int(abs(mass - PAIR.mass[0]) > 1)] for mass in row["mass"]]
            R = rotation(row["state"][1, 3:7])
            edges += np.abs(R.T @ row["frame"][2]).max() < 1 - 1e-9
            for point in pairs.arm[k, 0, :pairs.count[k]] + row["state"][0, :3]:
                off += [abs(outside(point, state, h)) for state, h in zip(row["state"], half)]
        self.assertGreater(edges, 5)
        self.assertGreater(len(first) - edges, 20)
        self.assertLess(max(off), 2 * collide.MARGIN)


    def test_library_finds_the_same(self):
        """Poses of throws, touching and sunk: the same normal and depth by tc_meet_contacts, contacts on b's face."""
        foot = Foot.of_coulomb()
        run = collide.run(foot, PAIR, collide.starts(PAIR, THROWS, 5), 0.15)
        poses = run.poses.reshape(-1, 2, 7)
        poses = poses[boxes.distance(poses[:, :, :3], poses[:, :, 3:], PAIR.half()) < collide.MARGIN]
        position, q, half = poses[:, :, :3], poses[:, :, 3:], PAIR.half()
        self.assertGreater(len(poses), 100)
        away, turned = [], []
        for x, turn, found in zip(position, q, pair.touches(foot, position, q, half, collide.MARGIN)):
            wanted = boxes.touch(x, turn, half, collide.MARGIN)
            sign = 1 if found.face == wanted.face else -1
            turned.append(np.abs(sign * found.frame[2] - wanted.frame[2]).max())
            self.assertAlmostEqual(found.gap.min(), wanted.gap.min(), delta=2e-6)
            if len(found.gap) == len(wanted.gap) == 1:
                away.append(np.linalg.norm(found.points - wanted.points) - abs(wanted.gap[0]))
        self.assertGreater(len(away), 50)
        self.assertLess(max(away), 2e-5)
        self.assertLess(np.quantile(turned, 0.9), 1e-3)
        self.assertLess(max(turned), 0.1)   # faces that are nearly parallel: either's normal


class Exact(unittest.TestCase):
    def test_point_obeys_coulomb(self):
        rng = np.random.default_rng(5)
        n, mu = 2000, 0.6
        L = rng.standard_normal((n, 3, 3))
        W = L @ L.transpose(0, 2, 1) + 0.05 * np.eye(3)
        u = rng.standard_normal((n, 3))
        p = truth.point(W, u, mu)
        after = u + np.einsum("nij,nj->ni", W, p)
        size, slip = np.linalg.norm(p[:, :2], axis=1), np.linalg.norm(after[:, :2], axis=1)
        self.assertGreaterEqual(p[:, 2].min(), 0)
        self.assertGreaterEqual(after[:, 2].min(), -1e-9)
        self.assertLess(np.abs(p[:, 2] * after[:, 2]).max(), 1e-9)
        self.assertLess((size - mu * p[:, 2]).max(), 1e-9)
        slides = slip > 1e-6
        self.assertGreater(slides[p[:, 2] > 0].sum(), 300)
        self.assertGreater((~slides).sum(), 100)
        on = slides & (p[:, 2] > 0)
        np.testing.assert_allclose(size[on], mu * p[on, 2], rtol=1e-9)
        against = (p[on, :2] * after[on, :2]).sum(axis=1) / (size[on] * slip[on])
        self.assertLess(against.max(), -1 + 1e-6)

    def test_dart_agrees(self):
        run = collide.run(Foot.of_coulomb(), PAIR, collide.starts(PAIR, THROWS, 7), 0.15)
        verdict = judge.judge(run.solves)
        for kind in range(3):
            some = run.solves[judge.pressing(run.solves, verdict, kind, 20)]
            pairs = judge.pairs_of(some)
            some.rows["rates"] = truth.coulomb(pairs, judge.MU).rates
            self.assertGreater(len(some), 3)
            self.assertLess(np.median(judge.dart_errors(some)), 5e-5)


class Model(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.run_ = collide.run(Foot.of_model(MODEL), PAIR, collide.starts(PAIR, THROWS, 11), 0.2)
        cls.verdict = judge.judge(cls.run_.solves)

    def test_solves(self):
        self.assertEqual(len(self.verdict), len(self.run_.solves))   # none failed
        numbers = judge.summary(self.verdict)
        self.assertGreater(numbers["pressing"], 80)
        self.assertGreaterEqual(numbers["same_class"], 0.99)
        self.assertLess(numbers["impulse_median"], 2e-3)
        self.assertLess(max(numbers["momentum"], numbers["angular_momentum"], numbers["energy_gain"]), 1e-6)

    def test_whole_throws(self):
        kept = judge.kept(self.run_, PAIR)
        self.assertLess(max(kept["momentum"], kept["angular_momentum"]), 3e-6)
        self.assertLess(kept["energy_gain"], 1e-6)

    def test_impulses(self):
        """An impulse is what it changes of a's momentum, and normals add up to its share along the normal."""
        cases, rows = self.run_.solves.cases, self.run_.solves.rows
        change = cases["mass"][:, :1] * (rows["rates"][:, :3] - cases["state"][:, 0, 7:10])
        size = np.abs(change).max()
        self.assertLess(np.abs(rows["impulse"][:, :3] - change).max() / size, 1e-5)
        along = np.einsum("ni,ni->n", rows["impulse"][:, :3], cases["frame"][:, 2])
        self.assertLess(np.abs(rows["normal"].sum(axis=1) - along).max() / size, 1e-5)

    def test_a_pairs_mass_is_its_unit(self):
        """A pair of a 65536th of the mass moves by the same bits, since a's body stands in the model's for each pair."""
        foot, cases = Foot.of_model(MODEL), self.run_.solves.cases.copy()
        right = pair.solve(foot, cases)
        cases["mass"] *= 2.0**-16
        cases["inertia"] *= 2.0**-16
        light = pair.solve(foot, cases)
        np.testing.assert_array_equal(light["rates"], right["rates"])
        np.testing.assert_array_equal(light["branch"], right["branch"])
        np.testing.assert_array_equal(light["impulse"], right["impulse"] * 2.0**-16)

    def test_contacts_of_the_library(self):
        run = collide.run(Foot.of_model(MODEL), PAIR, collide.starts(PAIR, THROWS, 11), 0.2, library=True)
        numbers = judge.summary(judge.judge(run.solves))
        self.assertGreater(numbers["pressing"], 80)
        self.assertGreaterEqual(numbers["same_class"], 0.99)
        self.assertLess(max(numbers["momentum"], numbers["angular_momentum"], numbers["energy_gain"]), 1e-6)

    def test_wrong_friction_is_seen(self):
        """The judge is no rubber stamp: against another friction neither classes nor impulses are right."""
        other = judge.summary(judge.judge(self.run_.solves, 0.3))
        self.assertLess(other["same_class_pressing"], 0.95)
        self.assertGreater(other["impulse_p95"], 0.03)

    def test_double_without_a_model_is_exact(self):
        run = collide.run(Foot.of_coulomb(real="double"), PAIR, collide.starts(PAIR, THROWS, 11), 0.2)
        numbers = judge.summary(judge.judge(run.solves))
        self.assertLess(numbers["impulse_median"], 1e-10)
        self.assertLess(max(numbers["momentum"], numbers["angular_momentum"]), 1e-14)


class Command(Temporary):
    def test_numbers_and_picture(self):
        told, _ = self.command("body collide", "-m", MODEL, "--count", "12", "--mass", "1,10", "--dart", "2",
                               "-o", "o.json", "--plot", "p.png")
        self.assertIn("12 throws", told)
        numbers = json.loads(Path("o.json").read_text())
        self.assertEqual(numbers["mass"], [1, 10])
        self.assertEqual(numbers["model"], "box")
        self.assertLess(numbers["all"]["dart_median"], 5e-3)
        self.assertEqual(Path("p.png").read_bytes()[:4], b"\x89PNG")

    def test_refused(self):
        for words, told in ((["--sides-a", "0.1,0.1,0"], "'0' is no length above 0"),
                            (["--sides-b", "0.1,0.1"], "'0.1,0.1' is not 3 numbers"),
                            (["--mass", "1,-1"], "'-1' is no mass above 0"), (["--count", "0"], "0 is less than 1"),
                            (["-m", "gone.tcm"], "gone.tcm"), (["--seconds", "0.002", "--count", "2"], "no throw met")):
            self.refused("body collide", *words, told=[told])

    def test_committed_table(self):
        """The floors hold in tests/models/collide.csv, which `make collide` writes."""
        with open(ROOT / "tests" / "models" / "collide.csv", encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(tuple(rows[0]), table.COLUMNS)
        self.assertEqual(len(rows), 2 * len(table.KINDS) * len(table.PAIRS))
        for row in rows:
            if row["kind"] == "all":
                self.assertGreaterEqual(float(row["same_class"]), table.SAME)
                self.assertEqual(row["failed"], "0")
                for name in ("momentum", "angular_momentum", "energy_gain"):
                    self.assertLessEqual(float(row[name]), table.ROUNDING)


if __name__ == "__main__":
    unittest.main()
