#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The swinging chain: the library beside DART, and the command. Exact Coulomb friction stands in for a model."""
import contextlib
import io
import json
import tempfile
import unittest
from pathlib import Path

import numpy as np
from tinycontact_case import ROOT  # noqa: F401  finds the package

from tinycontact import cli
from tinycontact.chain import evaluate, roll
from tinycontact.sim import chain_truth as truth

RUNS, TICKS = 3, 250


class Swing(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.starts = truth.starts(RUNS)
        cls.foot = roll.Foot.of_coulomb()
        cls.right = evaluate.dart_angles(cls.starts, TICKS)

    def outcome(self, **options):
        return evaluate.outcome("exact Coulomb", self.foot, self.starts, roll.Options(**options), TICKS)

    def test_follows_dart(self):
        numbers = evaluate.summary(self.outcome(), self.right)
        self.assertGreater(numbers["contact_ticks"], 100)
        self.assertLess(numbers["angle_worst_deg"], 0.02)
        self.assertLess(numbers["evaluations_mean"], 1.5)
        self.assertLess(numbers["joint_violation_max"], 1e-5)
        self.assertLess(numbers["energy_gain_max"], 0.01)

    def test_cold_and_warm_agree(self):
        cold = self.outcome(warm=False)
        self.assertLess(evaluate.angle_errors(cold.angles(), self.outcome().angles()).max(), 0.01)
        self.assertAlmostEqual(np.mean(cold.contact("evaluations")), 2.0, delta=0.1)

    def test_does_not_penetrate_in_schemes_gap_and_toc(self):
        for positions in ("gap", "toc"):
            numbers = evaluate.summary(self.outcome(positions=positions))
            self.assertLess(numbers["penetration_max"], 1e-4)
            self.assertLess(numbers["energy_gain_max"], 0.01)

    def test_published_solver_costs_more_and_violates(self):
        powell = evaluate.summary(self.outcome(solver="powell"), self.right)
        self.assertGreater(powell["evaluations_mean"], 3.0)
        self.assertGreater(powell["joint_violation_max"], 1e-3)

    def test_runs_repeat_to_the_bit(self):
        first, again = self.outcome(), self.outcome()
        self.assertTrue(all(np.array_equal(a, b) for a, b in zip(first.runs, again.runs)))

    def test_command(self):
        with tempfile.TemporaryDirectory() as folder:
            out, link = Path(folder, "o.json"), Path(folder, "link.json")
            with contextlib.redirect_stdout(io.StringIO()):
                self.assertEqual(0, cli.main(["leg", "swing", "--dimension", "2", "--truth", "none", "--runs", "2",
                                              "--positions", "toc", "-o", str(out)]))
                self.assertEqual(0, cli.main(["leg", "swing", "--link", str(link)]))
            self.assertEqual(2, json.loads(out.read_text())[0]["runs"])
            self.assertEqual(4, len(json.loads(link.read_text())["vertices"]))


if __name__ == "__main__":
    unittest.main()
