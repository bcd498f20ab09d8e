#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The kept campaign of wild steps: a million of each precision, nothing passed, no state was lost."""
import csv
import unittest
from pathlib import Path

KEPT = Path(__file__).resolve().parents[1] / "barrier" / "implicit.csv"


class Kept(unittest.TestCase):
    def setUp(self):
        with open(KEPT, newline="", encoding="utf-8") as file:
            self.rows = list(csv.DictReader(file))

    def test_all_is_there(self):
        self.assertEqual([(row["real"], row["space"]) for row in self.rows],
                         [("float", "2"), ("float", "3"), ("double", "2"), ("double", "3")])
        for real in ("float", "double"):
            self.assertEqual(sum(int(row["steps"]) for row in self.rows if row["real"] == real), 1000000)

    def test_nothing_passed(self):
        for row in self.rows:
            self.assertEqual((row["through"], row["lost"]), ("0", "0"))
            self.assertGreater(float(row["nearest_m"]), 0)


if __name__ == "__main__":
    unittest.main()
