#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The swinging limb: the library beside DART, and the command."""
import contextlib
import io
import json
import tempfile
import unittest
from pathlib import Path

import numpy as np
from tinycontact_case import ROOT

from tinycontact import cli
from tinycontact.sim import limb_truth as truth
from tinycontact.spatial import limb

RUNS, TICKS = 5, 400


class Swing(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.starts = truth.starts(RUNS)
        cls.right = limb.dart_runs(cls.starts, TICKS)

    def numbers(self, foot):
        return limb.summary([limb.roll(foot, pin, q, TICKS) for pin, q in self.starts], self.right)

    def test_exact_friction_follows_dart(self):
        numbers = self.numbers(limb.Foot.of_coulomb())
        self.assertGreater(min(numbers["contacts"][:2]), 200)   # points and edges
        self.assertLess(numbers["angle_worst_deg"], 0.005)
        self.assertLess(numbers["energy_gain_max"], 0.002)
        self.assertEqual(numbers["consistent"], 1.0)

    def test_model_of_the_free_box_follows_dart(self):
        numbers = self.numbers(limb.Foot.of_model(ROOT / "tests" / "models" / "box.tcm"))
        self.assertLess(numbers["angle_worst_deg"], 0.05)
        self.assertLess(numbers["energy_gain_max"], 0.002)
        self.assertLess(numbers["asked_mean"], 4)
        self.assertGreater(numbers["consistent"], 0.99)

    def test_steps_are_darts(self):
        """Single ticks from the same states, DART's solver starting from nothing."""
        pin, q = self.starts[0]
        run, world, worst = limb.roll(limb.Foot.of_coulomb(real="double"), pin, q, TICKS), truth.World(pin), []
        for before, after in zip(run[:-1], run[1:]):
            if after["contacts"] == 0:
                continue
            world.set([-0.5, 0, 0], np.zeros(truth.JOINTS))
            world.advance()
            world.set(before["q"][:truth.JOINTS], before["qd"][:truth.JOINTS])
            world.advance()
            worst.append(np.abs(world.limb.getVelocities() - after["qd"][:truth.JOINTS]).max())
        self.assertGreater(len(worst), 100)
        self.assertLess(max(worst), 1e-3)   # [rad/s], of up to 20
        self.assertLess(np.median(worst), 1e-5)

    def test_runs_repeat_to_the_bit(self):
        foot = limb.Foot.of_coulomb()
        self.assertTrue(np.array_equal(*(limb.roll(foot, *self.starts[0], TICKS) for _ in range(2))))

    def test_command(self):
        with tempfile.TemporaryDirectory() as folder:
            out, plot = Path(folder, "o.json"), Path(folder, "p.png")
            with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
                self.assertEqual(0, cli.main(["leg", "swing", "--dimension", "3", "--truth", "none", "--runs", "2", "-o", str(out), "--plot",
                                              str(plot)]))
            self.assertEqual(2, json.loads(out.read_text())[0]["runs"])
            self.assertGreater(plot.stat().st_size, 10000)
            with contextlib.redirect_stderr(io.StringIO()) as told, self.assertRaises(SystemExit):
                cli.main(["leg", "swing", "--dimension", "3", "--runs", "0"])
            self.assertIn("--runs", told.getvalue())


if __name__ == "__main__":
    unittest.main()
