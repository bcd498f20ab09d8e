# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The evaluation, with an estimator that is told the truth one tick late in place of a real one."""
import unittest
from unittest import mock

import numpy as np

from tinycontact_case import Temporary
from tinycontact.csvfile import read_columns
from tinycontact.errors import TinycontactError
from tinycontact.hil import episodes, evaluate, truth

MADE = episodes.episode


def short(plant, seed, seconds, **options):
    return MADE(plant, seed, 1.5, cached=False, **options)


def oracle(seen):
    """An estimator's maker; `seen` collects (root, given) of each call."""
    def make(chain, settings):
        def run(episode, given):
            seen.append((chain.root, given))
            mode = np.concatenate([[0], episode.truth.mode[:-1]])
            impulse = np.concatenate([[[0, 0]], episode.truth.impulse[:-1]]) * settings.get("gain", 1.0)
            return {"p": np.eye(3)[mode], "contact": mode != truth.AIR, "impulse": impulse}
        return run
    return make


class Evaluation(Temporary):
    def run_with(self, seen, *words, status=0):
        evaluate._made.cache_clear()
        self.addCleanup(evaluate._made.cache_clear)
        with mock.patch.object(episodes, "episode", short), mock.patch.dict(
                evaluate.ESTIMATORS, {name: lambda chain, _, settings: oracle(seen)(chain, settings) for name in evaluate.ESTIMATORS}):
            return self.command("leg hil evaluate", *words, "--jobs", "1", status=status)   # another process knows no oracle

    def test_table_and_files_of_an_oracle(self):
        seen = []
        out, _ = self.run_with(seen, "--scale", "0.02", "--condition", "stiff", "velocity", "-o", "e.csv",
                               "--report", "r")
        self.assertIn(("floating", ("pitch", "base_velocity")), seen)
        self.assertIn(("rail", ("pitch",)), seen)
        self.assertEqual(len(seen), 2 * (1 + 2 + 2))
        columns = ("contact_right", "mode_right", "delay_above", "missed", "false", "impulse", "touch_downs")
        table = read_columns("e.csv", columns)
        self.assertEqual(len(table), 2 * 4)   # hopper, leg, both; velocity of the leg
        for name, exact in (("contact_right", 1), ("mode_right", 1), ("missed", 0), ("false", 0), ("impulse", 0)):
            np.testing.assert_allclose(table[name], exact, atol=1e-6, err_msg=name)
        self.assertLess(table["delay_above"].max(), 1e-9)
        self.assertTrue((table["touch_downs"] > 0).all())
        self.assertIn("touch-downs missed", out)
        for name in (*evaluate.CONDITION_COLUMNS, *evaluate.CURVE_COLUMNS):
            self.assertEqual(out.count(f"\n  {name}: "), 2, f"{name} is explained once per estimator")
        self.assertNotIn(" NO\n", out)
        for name in ("reliability_imm.png", "slip_observer.png"):
            self.assertTrue((self.folder / "r" / name).is_file())

    def test_a_worse_estimator_does_not_meet_the_floor(self):
        out, _ = self.run_with([], "--scale", "0.01", "--condition", "stiff", "--estimator", "imm",
                               "--set", "gain=1.05")
        verdicts = [line for line in out.splitlines() if line.startswith("impulse")]
        self.assertEqual(len(verdicts), 2)
        self.assertTrue(all("5.00 %" in line and line.endswith("NO") for line in verdicts), verdicts)

    def test_refusals(self):
        _, err = self.run_with([], "--condition", "wind", status=2)
        self.assertIn("condition 'wind': there are stiff,", err)
        _, err = self.run_with([], "--set", "gain=1", status=2)
        self.assertIn("--set: name the one --estimator", err)

    def test_scale_and_seeds(self):
        items = evaluate.work([evaluate.BY_NAME["stiff"], evaluate.BY_NAME["velocity"]], 0.1)
        self.assertEqual([sum(plant == name for _, plant, _ in items) for name in evaluate.PLANTS], [6, 18])
        self.assertEqual(min(seed for _, _, seed in items), 1000)

    def test_every_floor_names_a_condition_and_a_metric(self):
        for floor in evaluate.FLOORS:
            self.assertIn(floor.condition, evaluate.BY_NAME)
            self.assertIn(floor.plant, (*evaluate.PLANTS, "both"))
        with self.assertRaises(TinycontactError):
            evaluate.chosen(["stif"])


if __name__ == "__main__":
    unittest.main()
