# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The committed models are worth what tests/models/recorded.csv says, keep the floors, and throw as they did
for tests/models/evaluation.csv; training from scratch at small scale still learns."""
import csv
import sys
import unittest

from tinycontact_case import ROOT, Temporary

sys.path.insert(0, str(ROOT / "tests" / "models"))

import evaluate as evaluation   # noqa: E402  tests/models/evaluate.py
import make                     # noqa: E402  tests/models/make.py

from tinycontact import load                            # noqa: E402
from tinycontact.learn import evaluate, law, sample     # noqa: E402
from tinycontact.sim import coulomb, shapes             # noqa: E402

# accuracy, friction RMS per patch: what 16-16 and 32-32-16 nets have to reach, and those of the box
FLOOR = {"small": (0.995, {"point": 0.008, "edge": 0.014}), "large": (0.997, {"point": 0.003, "edge": 0.007}),
         "box": (0.997, {"point": 0.01})}
ONE_STATE = 1.01 / make.STATES


class Committed(unittest.TestCase):
    def test_recorded_numbers(self):
        """A change of feature map, decode, format or nets that makes the models worth something else."""
        with open(ROOT / "tests" / "models" / "recorded.csv", encoding="utf-8") as file:
            rows = {(row["model"], row["patch"]): row for row in csv.DictReader(file)}
        for name in make.MODELS:
            for patch, scores in make.judged(name).items():
                with self.subTest(name, patch=patch):
                    row = rows[name, patch]
                    self.assertAlmostEqual(scores["accuracy"], float(row["accuracy"]), delta=ONE_STATE)
                    for column in ("friction_rms", "friction_small", "ece"):
                        if row[column]:
                            self.assertAlmostEqual(scores[column], float(row[column]), delta=1e-5)
                    accuracy, rms = FLOOR[{"box": "box"}.get(name, "large" if name.endswith("large") else "small")]
                    if patch not in rms:
                        continue
                    self.assertGreaterEqual(scores["accuracy"], accuracy)
                    self.assertLessEqual(scores["friction_rms"], rms[patch])
                    self.assertLessEqual(scores["friction_small"], 0.01)
                    self.assertGreaterEqual(min(scores["recall"].values()), 0.985)

    def test_closed_loop(self):
        """Forty throws end where exact Coulomb friction lets them end."""
        for name in ("rectangle", "pentagon_i8"):
            body = shapes.builtin(name.split("_")[0])
            own, truth = law.NetLaw(load(make.HERE / f"{name}.tcm")), coulomb.law(coulomb.constant(body.mu))
            found = evaluate.evaluate_throws(own, truth, body, "dart", 40, make.SEED)
            self.assertEqual(found["rest"], 100, name)
            self.assertGreaterEqual(found["angle"], 97, name)
            self.assertLess(found["median"], 1e-3, name)


class Evaluation(unittest.TestCase):
    def test_ten_throws(self):
        """The throws of Fig. 5 and 6, the library's step beside DART, come to what evaluation.csv says."""
        recorded = {tuple(row[name] for name in evaluation.KEY): row for row in evaluation.table()}
        for row in (row for rows in evaluation.section_fig() for row in rows):
            with self.subTest(row["what"], model=row["model"], metric=row["metric"]):
                told = recorded[tuple(row[name] for name in evaluation.KEY)]
                self.assertAlmostEqual(float(row["value"]), float(told["value"]), delta=0.02)
                self.assertIn(row["met"], ("", "yes"))

    def test_nothing_is_missing(self):
        """Every section was measured, and with the numbers of states and throws that are asked for."""
        rows = evaluation.table()
        measured = {row["what"].split()[0] for row in rows}
        self.assertEqual(measured, set(evaluation.SECTIONS) - {"schemes"})   # whose rows are called throws
        schemes = {(row["shape"], row["scheme"]) for row in rows if row["what"] == "throws" and row["truth"] == "fine"}
        self.assertEqual(schemes, {(shape, scheme) for shape in evaluation.SHAPES for scheme in ("toc", "gap")})
        for row in rows:
            if row["what"] == "throws" and row["truth"] == "DART":
                self.assertGreaterEqual(int(row["count"]), 334)
            if row["what"].startswith("steps"):
                self.assertGreaterEqual(int(row["count"]), 0.99 * evaluation.STATES)


class FromScratch(Temporary):
    def test_small_training_learns(self):
        """2,000 exact labels and a tenth of the updates: far better than chance, and the file says how it was
        made."""
        out, err = self.command("body train", "--shape", "rectangle", "--truth", "coulomb", "--samples", "2000",
                                "--updates", "2000", "--out", "small.tcm")
        self.assertIn("accuracy", out)
        self.assertIn("small.tcm", err)
        model = load("small.tcm")
        self.assertIn("--samples 2000", model.metadata["command"])
        body = shapes.builtin("rectangle")
        for dimension in (0, 1):
            truth = sample.Coulomb(coulomb.constant(0.75))
            states = truth.label(body, *sample.fresh(body, dimension, 2000, 1))
            scores = evaluate.evaluate_states(law.NetLaw(model), states)
            self.assertGreater(scores["accuracy"], 0.97)
            self.assertLess(scores["friction_rms"], 0.05)

    def test_bad_options(self):
        self.refused("body train", "--shape", "rectangle", "--out", "nowhere/m.tcm", told=["nowhere"])
        (self.folder / "bad.json").write_text('{"vertices": [[0, 0]], "mass": -1}')
        self.refused("body train", "--shape", "bad.json", "--out", "m.tcm", told=["bad.json", "mass"])
        self.refused("body train", "--shape", "rectangle", "--samples", "0", "--out", "m.tcm", told=["--samples"])


if __name__ == "__main__":
    unittest.main()
