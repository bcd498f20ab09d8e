# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Times of contact: a sample of tests/toc/accuracy.py, closed forms, points that touch together, and the command, whose
bad entries are named."""
import copy
import importlib.util
import json
import tempfile
import unittest
from pathlib import Path

import numpy as np

from tinycontact.cli import main
from tinycontact.errors import TinycontactError
from tinycontact.shape.toc import REST, Toc, motion, times

ROOT = Path(__file__).resolve().parents[2]
BALL = {"name": "ball", "shape": {"kind": "sphere", "r": 0.1}, "ground": {"kind": "halfspace"},
        "quat_wxyz": [1, 0, 0, 0], "x": [0.3, 0, 0.12], "v": [1, 0, -1], "w": [0, 0, 0], "g": 9.81, "step": 1 / 30}


def changed(**values):
    case = copy.deepcopy(BALL)
    case.update(values)
    return case


def accuracy():
    spec = importlib.util.spec_from_file_location("accuracy", ROOT / "tests" / "toc" / "accuracy.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Times(unittest.TestCase):
    def test_a_sample_of_the_table(self):
        for row in accuracy().table(25, steps=(1 / 30,)):
            with self.subTest(ground=row["ground"]):
                self.assertGreater(row["contacts"], 8)
                self.assertEqual(0, row["wrong"])
                self.assertLess(float(row["mean_error"]), 1e-5)
                self.assertLess(float(row["max_error"]), 1e-4)
                self.assertLessEqual(row["max_detections"], 12)
                self.assertGreaterEqual(row["within_permille"], 0.8 * row["derivatives"])

    def test_a_ball_is_a_parabola(self):
        answer, = times([BALL])
        h = (np.sqrt(1 + 2 * 9.81 * 0.02) - 1) / 9.81
        rate = 1 + 9.81 * h
        self.assertEqual("contact", answer.status)
        self.assertAlmostEqual(h, answer.h, delta=1e-6 / 30)
        self.assertAlmostEqual(-1 / rate, answer.dh_dr, places=5)
        self.assertAlmostEqual(-h * h / 2 / rate, answer.dh_dg, places=7)
        np.testing.assert_allclose(answer.dh_dx, [0, 0, 1 / rate], atol=1e-5)
        np.testing.assert_allclose(answer.dh_dv, [0, 0, h / rate], atol=1e-6)
        np.testing.assert_allclose(answer.dh_dw, np.zeros(3), atol=1e-7)
        np.testing.assert_allclose(answer.dh_dshape, [-1 / rate], atol=1e-5)
        np.testing.assert_allclose(answer.point, [0.3 + h, 0, 0], atol=1e-5)

    def test_outcomes_have_their_words(self):
        flat = changed(x=[0, 0, 0.1001], v=[3, 0, -0.004], g=0)
        cases = [changed(x=[0, 0, 3]), changed(x=[0, 0, 0.09]), flat, changed(w=[1, 2])]
        answers = times(cases)
        self.assertEqual(["none", "inside", "grazing", "bad_input"], [answer.status for answer in answers])
        self.assertIsNone(answers[0].h)
        self.assertIsNone(answers[0].dh_dx)
        self.assertEqual(0, answers[1].h)
        self.assertAlmostEqual(0.025, answers[2].h, delta=1e-4)
        self.assertIn("field w", answers[3].message)

    def test_corners_that_touch_together_share_a_derivative(self):
        box = changed(shape={"kind": "box", "h": [0.1, 0.05, 0.02], "r": 0.005}, x=[0, 0, 0.03], v=[0.5, 0, -1])
        turned = changed(shape=box["shape"], x=[0, 0, 0.06], v=[0.5, 0, -1], w=[0, 3, 0])
        flat, corner = times([box, turned])
        np.testing.assert_allclose(flat.dh_dw, np.zeros(3), atol=1e-7)
        self.assertEqual("contact", corner.status)
        self.assertGreater(np.abs(corner.dh_dw).max(), 1e-4)
        found = Toc(box["shape"], box["ground"]).find(motion(np.eye(3), box["x"], box["v"], (0, 0, 0), (0, 0, -9.81)))
        self.assertEqual(4, found.points[0])

    def test_both_bodies_may_move(self):
        pair = Toc({"kind": "sphere", "r": 0.1}, {"kind": "sphere", "r": 0.2})
        a = motion(np.eye(3), [0, 0, 0.31], [0, 0, -1])
        b = motion(np.eye(3), np.zeros(3), [0, 0, 1])
        found = pair.find(np.stack([a, motion(np.eye(3), [0, 0, 1.0])]), b)
        self.assertEqual(["contact", "none"], found.outcome)
        self.assertAlmostEqual(0.005, found.time[0], places=7)
        np.testing.assert_allclose(found.by_position[0, :, 2], [0.5, -0.5], atol=1e-5)
        np.testing.assert_allclose([found.by_a[0], found.by_b[0]], [[-0.5], [-0.5]], atol=1e-5)
        with self.assertRaisesRegex(TinycontactError, "no pair"):
            Toc({"kind": "halfspace"}, {"kind": "halfspace"}).find(REST)

    def test_shapes_of_every_kind_fall(self):
        kinds = [{"kind": "capsule", "r": 0.05, "half": 0.1}, {"kind": "cylinder", "r": 0.05, "half": 0.1},
                 {"kind": "union", "parts": [BALL["shape"], BALL["shape"]], "offsets": [[0, 0, 0], [0.3, 0, 0]]}]
        grounds = [{"kind": "halfspace"}, {"kind": "box", "h": [1, 1, 0.5]}, {"kind": "cylinder", "r": 1, "half": 0.5},
                   {"kind": "terrain", "heights": np.zeros((5, 5)).tolist(), "spacing": 0.5, "origin": [-1, -1]}]
        low = [0.15, 0.1, 0.1]
        for ground in grounds:
            top = 0.5 if ground["kind"] in ("box", "cylinder") else 0.0
            for shape, reach in zip(kinds, low):
                answer, = times([changed(shape=shape, ground=ground, x=[0, 0, top + reach + 0.01], g=0)])
                with self.subTest(shape=shape["kind"], ground=ground["kind"]):
                    self.assertEqual("contact", answer.status)
                    self.assertAlmostEqual(0.01, answer.h, delta=1e-5)
                    np.testing.assert_allclose(answer.dh_dx, [0, 0, 1], atol=1e-3)


class Command(unittest.TestCase):
    def run_cases(self, cases):
        with tempfile.TemporaryDirectory() as folder:
            given, out = Path(folder, "cases.json"), Path(folder, "answers.json")
            given.write_text(json.dumps(cases), encoding="utf-8")
            main(["shape", "toc", str(given), "-o", str(out)])
            return json.loads(out.read_text(encoding="utf-8"))

    def test_the_command_answers_each_entry(self):
        answers = self.run_cases([BALL, changed(name="far", x=[0, 0, 3])])
        self.assertEqual([("ball", "contact"), ("far", "none")], [(a["name"], a["status"]) for a in answers])
        self.assertEqual(3, len(answers[0]["dh_dw"]))

    def test_bad_entries_are_named(self):
        wrong = {"quat_wxyz": [1, 1, 0, 0], "x": [0, 0], "v": [0, 0, 2e6], "step": 0, "g": "down",
                 "shape": {"kind": "ball", "r": 1}, "ground": {"kind": "box", "h": [1, 1, -1]}}
        answers = self.run_cases([changed(**{field: value}) for field, value in wrong.items()] + [7])
        for field, answer in zip(wrong, answers):
            with self.subTest(field=field):
                self.assertEqual("bad_input", answer["status"])
                self.assertIsNone(answer["h"])
                self.assertIn(f"field {field}", answer["message"])
        self.assertEqual("bad_input", answers[-1]["status"])
        missing = dict(BALL)
        del missing["x"]
        self.assertIn("no field x", self.run_cases([missing])[0]["message"])


if __name__ == "__main__":
    unittest.main()
