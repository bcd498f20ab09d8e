# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The pages of who has a leg, or firmware to test."""
import unittest

import docs_case


class MyLeg(docs_case.Reader):
    PAGE = "docs/guides/my-leg.md"

    def test_a_leg_of_ones_own(self):
        self.assertIn("500 ticks, profile exact: alike, bit for bit", self.printed_by("leg hil replay"))
        self.assert_files("hil/ticks.csv", "hil/summary.json", "hil/report.png")


class MyFirmware(docs_case.Reader):
    PAGE = "docs/guides/my-firmware-in-ci.md"

    def test_the_replay_has_the_boards_bits(self):
        self.assertIn("200 ticks, profile exact: alike, bit for bit", self.printed_by("leg hil replay"))

    def test_the_example_passes(self):
        self.assertIn("3 passed", self.printed_by("pytest"))


if __name__ == "__main__":
    unittest.main()
