# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The pages of who has a leg, or firmware to test."""
import re
import unittest

import docs_case
from tinycontact_case import tc   # noqa: F401  finds the package
from tinycontact import jsonfile


class MyLeg(docs_case.Reader):
    PAGE = "docs/guides/my-leg.md"

    def test_a_leg_of_ones_own(self):
        self.assertIn("500 ticks, profile exact: alike, bit for bit", self.printed_by("leg hil replay"))
        self.assert_files("hil/ticks.csv", "hil/summary.json", "hil/report.png")

    def test_rate_and_sensors(self):
        summary = jsonfile.read_json(self.path("hil500/summary.json"))
        self.assertEqual((summary["ticks"], summary["seconds"]), (500, 1.0))
        self.assertGreater(summary["contact_right"], 0.98)
        self.assertIn("500 Hz", self.printed_by("leg configure"))

    def test_a_log_of_ones_own(self):
        self.assert_files("log.png", "log.html", "run.csv")
        self.assertIn("ticks right, 2 ms at edges left out    99.73 %", self.printed_by(f"--plot {self.folder}/log.png"))
        self.assertIn("likely mistake 1: all torques have the wrong sign", self.printed_by("--columns tau1=-tau1"))

    def test_from_urdf_to_firmware(self):
        """The board finds the contact in the log of main.c, and that of the leg that walks."""
        self.assert_files("walker.json", "walker.png", "firmware/leg.c", "firmware/main.c")
        self.assertIn("2 joints from trunk to foot: pitch, knee", self.printed_by("leg import"))
        right, ticks = map(int, re.search(r"contact right in (\d+) of (\d+) ticks", self.printed_by("make run")).groups())
        self.assertGreater(right / ticks, 0.96)
        summary = jsonfile.read_json(self.path("walker_hil/summary.json"))
        self.assertGreater(summary["contact_right"], 0.99)
        self.assertGreaterEqual(summary["touch_downs"], 1)


class MyFloor(docs_case.Reader):
    PAGE = "docs/guides/my-floor.md"

    def test_the_board_finds_the_floor(self):
        self.assertIn("40 ticks, profile exact: alike, bit for bit", self.printed_by("leg hil replay"))
        self.assert_files("hil/impacts.csv", "hil/summary.json", "hil/report.png")
        summary = jsonfile.read_json(self.path("hil/summary.json"))
        self.assertEqual(summary["resets"], 1)
        for name, true in (("mu", 0.3), ("e", 0.7), ("ratio", 1.3)):
            self.assertAlmostEqual(summary[f"{name}_value"] / true, 1, delta=0.02)


class MyFirmware(docs_case.Reader):
    PAGE = "docs/guides/my-firmware-in-ci.md"

    def test_the_replay_has_the_boards_bits(self):
        self.assertIn("200 ticks, profile exact: alike, bit for bit", self.printed_by("leg hil replay"))

    def test_the_example_passes(self):
        self.assertIn("4 passed", self.printed_by("pytest"))


if __name__ == "__main__":
    unittest.main()
