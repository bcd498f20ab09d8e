# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The page of who has poses of a body in space."""
import csv
import unittest

import docs_case


class MyBodyInSpace(docs_case.Reader):
    PAGE = "docs/guides/my-body-in-space.md"

    def test_from_poses_to_a_board(self):
        self.assertIn("profile exact: alike, bit for bit", self.printed_by("--board"))
        self.assertIn("fitted Coulomb", self.printed_by("body train").splitlines()[-2])
        self.assert_files("quick.json", "scores.json", "cube.tcm", "thrown.csv", "one.csv", "main.elf")
        rows = list(csv.DictReader(self.written("impulses.csv").splitlines()))
        self.assertEqual(["none", "dynamic"], [row["class"] for row in rows])


if __name__ == "__main__":
    unittest.main()
