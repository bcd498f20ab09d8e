# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The guide of who has a finger."""
import json
import unittest

import docs_case


class Finger(docs_case.Reader):
    PAGE = "docs/guides/what-is-my-finger-touching.md"

    def summary(self, folder):
        return json.loads(self.written(f"{folder}/summary.json"))

    def test_the_balls_are_felt(self):
        for folder, radius in (("ball", 0.03), ("cap", 0.03), ("normals", 0.03), ("own", 0.042)):
            felt = self.summary(folder)
            self.assertAlmostEqual(felt["radius"], radius, delta=3 * felt["radius_sd"])
        self.assertLess(self.summary("ball")["radius_sd"], 0.1e-3)
        self.assertLess(self.summary("own")["radius_sd"], 0.2e-3)

    def test_normals_help(self):
        self.assertLess(self.summary("normals")["radius_sd"], 0.6 * self.summary("cap")["radius_sd"])

    def test_the_bits_are_the_hosts(self):
        self.assertIn("100 ticks, profile exact: alike, bit for bit", self.printed_by("leg hil replay"))

    def test_the_pictures_are_there(self):
        self.assert_files(*(f"{folder}/report.png" for folder in ("ball", "cap", "normals", "own")))


if __name__ == "__main__":
    unittest.main()
