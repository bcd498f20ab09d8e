# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The page of who has a robot with several feet."""
import re
import unittest

import docs_case
from tinycontact_case import tc   # noqa: F401  finds the package
from tinycontact import jsonfile


class MyRobot(docs_case.Reader):
    PAGE = "docs/guides/my-robot.md"

    def test_from_urdf_to_firmware(self):
        """The board finds the contacts in the log of main.c."""
        self.assert_files("robot.json", "robot.png", "firmware/robot_tables.c", "firmware/main.c")
        self.assertIn("9.6 kg, 4 limbs on trunk", self.printed_by("leg import"))
        right, ticks = map(int, re.search(r"contact right in (\d+) of (\d+) ticks", self.printed_by("make run")).groups())
        self.assertGreater(right / ticks, 0.96)

    def test_the_robot_trots(self):
        summary = jsonfile.read_json(self.path("trot/summary.json"))
        self.assertGreater(summary["right"], 0.97)
        self.assertEqual((summary["missed"], summary["naks"]), (0, 0))
        self.assertIn("1000 ticks, profile exact: alike, bit for bit", self.printed_by("leg hil replay"))
        self.assert_files("trot/report.png", "trot/ticks.csv", "silent/report.png")

    def test_a_log_of_ones_own(self):
        self.assert_files("feet.csv", "feet.png")
        told = self.printed_by("leg estimate")
        self.assertEqual([line.split(":")[0] for line in told.splitlines() if "touch-downs" in line], ["FL", "FR", "RL", "RR"])
        self.assertNotIn("likely mistake", told)

    def test_a_leg_is_silent(self):
        rows = [line.split(",") for line in self.written("silent/ticks.csv").splitlines()[1:]]
        lost = {limb: sum(int(row[-1]) >> 1 & 1 for row in rows if row[1] == limb) for limb in ("FL", "FR", "RL", "RR")}
        self.assertEqual(lost, {"FL": 0, "FR": 100, "RL": 0, "RR": 0})


if __name__ == "__main__":
    unittest.main()
