# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Distances of posed shapes: against dense points of a's surface in float64, Jacobians against differences, and the
command, whose bad entries are named."""
import itertools
import json
import tempfile
import unittest
from pathlib import Path

import numpy as np

from tinycontact.cli import main
from tinycontact.errors import TinycontactError
from tinycontact.shape import primitives, shapefile
from tinycontact.shape.distance import Meet, Solver, distances

KINDS = ({"kind": "sphere", "r": 0.1}, {"kind": "capsule", "r": 0.05, "half": 0.12},
         {"kind": "box", "h": [0.1, 0.06, 0.15]}, {"kind": "box", "h": [0.1, 0.08, 0.12], "r": 0.03},
         {"kind": "cylinder", "r": 0.08, "half": 0.1}, {"kind": "cylinder", "r": 0.1, "half": 0.07, "rounding": 0.02},
         {"kind": "union", "parts": [{"kind": "sphere", "r": 0.06}, {"kind": "box", "h": [0.03, 0.04, 0.1]}],
          "offsets": [[0.05, 0, 0], [-0.05, 0.02, 0]]})
EYE = np.eye(3).tolist()


def rotation(rng):
    w, x, y, z = rng.normal(size=4)
    n = w * w + x * x + y * y + z * z
    return np.array([[1 - 2 * (y * y + z * z) / n, 2 * (x * y - w * z) / n, 2 * (x * z + w * y) / n],
                     [2 * (x * y + w * z) / n, 1 - 2 * (x * x + z * z) / n, 2 * (y * z - w * x) / n],
                     [2 * (x * z - w * y) / n, 2 * (y * z + w * x) / n, 1 - 2 * (x * x + y * y) / n]])


def truth_of(value):
    """points -> signed distances, in float64."""
    return primitives.distance_of(shapefile.from_dict(value))[0]


def inside(value, points):
    return truth_of(value)(points) <= 0


def body_points(value, rng, n=20_000):
    """Points in the body, its surface among them: those outside are pulled towards the middle until they are in."""
    points = rng.uniform(-0.3, 0.3, (n, 3))
    low, high = np.zeros(n), np.ones(n)
    for _ in range(40):
        middle = 0.5 * (low + high)
        held = inside(value, points * middle[:, None])
        low, high = np.where(held, middle, low), np.where(held, high, middle)
    return points * low[:, None]


def least(value_a, value_b, Ra, xa, Rb, xb, rng):
    """The lowest of b's value over points of a, refined about the best ones."""
    value = truth_of(value_b)
    local = body_points(value_a, rng)

    def at(points):
        return value(((points @ Ra.T + xa) - xb) @ Rb)
    found = at(local)
    best = local[np.argsort(found)[:24]]
    for step in 0.02 * 0.55**np.arange(22):
        tried = (best[:, None] + step * rng.uniform(-1, 1, (1, 60, 3))).reshape(-1, 3)
        tried = np.concatenate([best, tried[inside(value_a, tried)]])
        best = tried[np.argsort(at(tried))[:24]]
    return at(best).min()


class Distance(unittest.TestCase):
    def test_every_kind_against_dense_points(self):
        rng = np.random.default_rng(1)
        errors = []
        for a, b in itertools.product(KINDS, KINDS):
            Ra, Rb, xb = rotation(rng), rotation(rng), rng.uniform(-0.1, 0.1, 3)
            xa = xb + rng.choice([0.16, 0.2]) * rotation(rng)[0]
            found = Meet(a, b).distance(Ra, xa, Rb, xb)
            if found.status[0] == "overlap":
                continue
            self.assertAlmostEqual(np.linalg.norm(found.normal[0]), 1, places=5)
            self.assertLess(abs(truth_of(a)((found.point - xa) @ Ra)[0]), 2e-4)
            errors.append(found.distance[0] - least(a, b, Ra, xa, Rb, xb, rng))
        self.assertGreater(len(errors), 40)
        self.assertLess(np.max(np.abs(errors)), 3e-4)
        self.assertLess(np.max(errors), 2e-6)   # nothing is deeper than what was found

    def test_jacobians_are_differences(self):
        rng = np.random.default_rng(2)
        sphere, box = KINDS[0], KINDS[3]
        Ra, Rb, xb = rotation(rng), rotation(rng), np.zeros(3)
        xa = 0.19 * rotation(rng)[0]
        found = Meet(sphere, box).distance(Ra, xa, Rb, xb)
        step = 1e-3
        moved = Meet(sphere, box).distance(Ra, xa + step * np.concatenate([np.eye(3), -np.eye(3)]), Rb, xb).distance
        self.assertTrue(np.allclose(found.by_pose_a[0, :3], (moved[:3] - moved[3:]) / (2 * step), atol=2e-3))
        self.assertTrue(np.allclose(found.by_pose_a[0, 3:],
                                    np.cross(found.point[0] - xa, found.normal[0]), atol=1e-6))
        bigger = Meet({**sphere, "r": 0.101}, box).distance(Ra, xa, Rb, xb).distance
        self.assertAlmostEqual((bigger - found.distance)[0] / 1e-3, found.by_a[0, 0], places=3)
        wider = [Meet(sphere, {**box, "h": [h + (k == i) * step for k, h in enumerate(box["h"])]}).distance(
            Ra, xa, Rb, xb).distance[0] for i in range(3)]
        self.assertTrue(np.allclose((np.array(wider) - found.distance[0]) / step, found.by_b[0, :3], atol=1e-2))
        self.assertEqual(found.by_b.shape, (1, 4))

    def test_far_from_the_origin_nothing_is_lost(self):
        found = Meet(KINDS[0], KINDS[2]).distance(np.eye(3), [1000.0, 0, 0.2503], np.eye(3), [1000.0, 0, 0])
        self.assertAlmostEqual(found.distance[0], 0.0003, places=7)
        self.assertAlmostEqual(found.point[0, 2], 0.1503, places=6)

    def test_both_rules(self):
        turned = [[np.sqrt(0.5), 0, np.sqrt(0.5)], [0, 1, 0], [-np.sqrt(0.5), 0, np.sqrt(0.5)]]
        box = {"kind": "box", "h": [0.1, 0.2, 0.1]}
        entry = {"name": "edge", "a": {"kind": "halfspace"}, "b": box, "Ra": EYE, "xa": [0, 0, 0],
                 "Rb": [list(map(float, row)) for row in turned], "xb": [0, 0, 0.1 * np.sqrt(2) - 0.01]}
        deepest, translation = distances([entry])[0], distances([entry], "translation")[0]
        self.assertAlmostEqual(deepest.distance, -0.01 / np.sqrt(2), places=6)
        self.assertAlmostEqual(translation.distance, -0.01, places=6)
        self.assertAlmostEqual(deepest.normal[2], -1, places=5)

    def test_bad_entries_are_named(self):
        good = {"name": "x", "a": KINDS[0], "b": KINDS[2], "Ra": EYE, "xa": [0, 0, 1], "Rb": EYE, "xb": [0, 0, 0]}
        solver = Solver()
        self.assertEqual(solver.answer(good).status, "solved")
        for change, words in (({"a": {"kind": "sphere", "r": -1}}, ("field a, field r", "-1")),
                              ({"b": {"kind": "torus"}}, ("field b, field kind", "torus")),
                              ({"Ra": [[1, 0, 0], [0, 1, 0], [0, 0, 2]]}, ("field Ra", "rotation")),
                              ({"Ra": [[1, 0, 0], [0, 1, 0], [0, 0, -1]]}, ("field Ra", "mirrors")),
                              ({"Rb": [1, 0, 0]}, ("field Rb[0]",)), ({"xa": [0, 0]}, ("field xa",)),
                              ({"xb": [0, 0, float("nan")]}, ("field xb[2]",)), ({"xa": [0, 0, 3e6]}, ("field xa", "3e+06")),
                              ({"Rc": EYE}, ("Rc",)), ({"a": {"kind": "halfspace"}, "b": {"kind": "halfspace"}}, ("no pair",))):
            answer = solver.answer({**good, **change})
            self.assertEqual(answer.status, "bad_input", change)
            self.assertIsNone(answer.distance)
            for word in words:
                self.assertIn(word, answer.message)
        self.assertEqual(solver.answer([1]).status, "bad_input")
        self.assertEqual(solver.answer({"name": "y"}).status, "bad_input")

    def test_the_pair_refuses_by_raising(self):
        with self.assertRaisesRegex(TinycontactError, "pose 0"):
            Meet({"kind": "halfspace"}, {"kind": "halfspace"}).distance(np.eye(3), np.zeros(3), np.eye(3), np.zeros(3))

    def test_the_command_answers_a_list(self):
        with tempfile.TemporaryDirectory() as folder:
            problems, answers = Path(folder) / "pairs.json", Path(folder) / "answers.json"
            problems.write_text(json.dumps([
                {"name": "a", "a": KINDS[0], "b": KINDS[2], "Ra": EYE, "xa": [0, 0, 0.3], "Rb": EYE, "xb": [0, 0, 0]},
                {"name": "b", "a": KINDS[0]}]))
            self.assertEqual(main(["shape", "distance", str(problems), "-o", str(answers)]), 0)
            first, second = json.loads(answers.read_text())
        self.assertEqual((first["name"], first["status"], second["status"]), ("a", "solved", "bad_input"))
        self.assertAlmostEqual(first["distance"], 0.05, places=6)
        self.assertEqual(len(first["normal"]), 3)
        self.assertEqual(len(first["point"]), 3)


if __name__ == "__main__":
    unittest.main()
