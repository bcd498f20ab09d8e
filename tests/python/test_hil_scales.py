# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Estimators on other legs, ticks and sensors: tests/hil/scales.csv, which `make hil-scales` writes, and a sample of it."""
import csv
import unittest

import numpy as np

from tinycontact_case import ROOT, Temporary
from tinycontact.hil import observer, scales
from tinycontact.hil.chain_file import planar_leg
from tinycontact.hil.metrics import summary
from tinycontact.hil.size import reach

LEAST = {"12 bits": 0.985, "13 bits": 0.99, "noise x 10": 0.985, "2 ms": 0.994}   # the others 0.995: tests/hil/README.md


def recorded():
    """{(estimator, scale, plant): {metric: number}}"""
    with open(ROOT / "tests" / "hil" / "scales.csv", newline="", encoding="ascii") as file:
        return {(row["estimator"], row["scale"], row["plant"]): {name: float(row[name]) for name in scales.COLUMNS}
                for row in csv.DictReader(file)}


class Recorded(unittest.TestCase):
    def test_floors(self):
        """Contact is right in 99.5 % of ticks wherever sensors allow it, none is missed, none false."""
        rows = recorded()
        self.assertEqual({key[1] for key in rows}, set(scales.BY_NAME))
        for (estimator, scale, plant), row in rows.items():
            if estimator == "imm":
                self.assertGreaterEqual(row["contact_right"], LEAST.get(scale, 0.995), (scale, plant))
                self.assertEqual((row["missed"], row["false"]), (0, 0), (scale, plant))

    def test_the_observer_is_a_fair_peer(self):
        """No storm of false touch-downs on a heavy leg: 1,700 in a minute before it was scaled."""
        for (estimator, scale, plant), row in recorded().items():
            if estimator == "observer":
                self.assertLessEqual(row["false"], 10, (scale, plant))


class Legs(unittest.TestCase):
    def test_ratios_are_those_of_the_leg(self):
        for plant in ("hopper", "leg"):
            tuned = planar_leg(scales.chain_of(scales.SCALES[0], plant))
            for scale in scales.SCALES:
                chain, r = scales.chain_of(scale, plant), scale.ratios
                leg = planar_leg(chain)
                self.assertAlmostEqual(leg.mass.sum(), 0.85 * r.mass, places=9)
                self.assertAlmostEqual(reach(chain), 0.4 * r.length, places=9)
                np.testing.assert_allclose(leg.rotor, 0.005 * r.mass * r.length**2 * r.rotor)
                self.assertAlmostEqual(leg.mass[0] / leg.mass[1], r.upper * tuned.mass[0] / tuned.mass[1])
                self.assertAlmostEqual(chain.base_mass / chain.base_inertia * r.length**2,
                                       (2.5 / 0.05) if plant == "hopper" else (5.0 / 0.1))

    def test_the_tuned_legs_get_the_tuned_numbers(self):
        for plant in ("hopper", "leg"):
            chain = scales.chain_of(scales.SCALES[0], plant)
            self.assertEqual(observer.settings_for(chain), observer.Settings(*map(np.float32, (800, 700, 12, 8.4))))

    def test_coarser_encoders_ask_for_more(self):
        chain = scales.chain_of(scales.SCALES[0], "leg")
        settings = [observer.settings_for(chain, sensors=scales.SensorOptions(encoder_bits=bits)) for bits in (12, 14, 16, 20)]
        self.assertEqual(settings[2], settings[3])
        self.assertTrue(settings[0].on > settings[1].on > settings[2].on)
        self.assertTrue(settings[0].gain < settings[1].gain < settings[2].gain)


class Sample(Temporary):
    def test_a_leg_of_30_kg(self):
        """Both plants, 4 s each: as right as the leg of the tuning, where its configuration is right in 97 % of ticks."""
        found = scales.judged(scales.work([scales.BY_NAME["30 kg"]], 0.01, first=0), seconds=4.0)
        for plant in ("hopper", "leg"):
            got = summary(found["imm", "30 kg", plant])
            self.assertGreater(got["touch_downs"], 2)
            self.assertGreater(got["contact_right"], 0.993, plant)
            self.assertEqual((got["missed"], got["false"]), (0, 0), plant)
            self.assertLess(summary(found["observer", "30 kg", plant])["false"], 3, plant)

    def test_the_command(self):
        out, _ = self.command("leg hil evaluate-scales", "--name", "as tuned", "--scale", 0.01, "--seed", 3, "-o", "out.csv")
        self.assertIn("as tuned", out)
        for name in scales.COLUMNS:
            self.assertEqual(out.count(f"\n  {name}: "), 2, f"{name} is explained once per estimator")
        with open("out.csv", newline="", encoding="ascii") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual([row["estimator"] for row in rows], ["imm", "observer"] * 2)
        self.assertEqual({(row["mass"], row["reach"]) for row in rows}, {("0.85", "0.4")})
        self.refused("leg hil evaluate-scales", "--name", "40 kg", told=["'40 kg'", "30 kg"])


if __name__ == "__main__":
    unittest.main()
