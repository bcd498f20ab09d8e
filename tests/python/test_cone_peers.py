# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""tests/cone/peers.py runs, and the committed table says of the solver what it should."""
import csv
import importlib.util
import subprocess
import sys
import unittest

from tinycontact_case import ROOT, Temporary

SCRIPT, TABLE = ROOT / "tests/cone/peers.py", ROOT / "tests/cone/peers.csv"
LACKING = [name for name in ("scs", "clarabel", "mujoco") if not importlib.util.find_spec(name)]


def table(path):
    with open(path, encoding="ascii", newline="") as file:
        return {(row["family"], row["solver"]): row for row in csv.DictReader(file)}


class Run(Temporary):
    @unittest.skipIf(LACKING, f"{', '.join(LACKING)} not installed: make setup GROUPS=peers")
    def test_few_problems(self):
        """Catches: a problem that is put to a peer in another way than to us; all would then disagree."""
        done = subprocess.run([sys.executable, SCRIPT, "--count", "2", "-o", "peers.csv"], text=True, capture_output=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        found = table("peers.csv")
        self.assertEqual(set(found), set(table(TABLE)))
        for (family, solver), row in found.items():
            if solver in ("SCS 1e-09", "Clarabel"):
                self.assertEqual(row["near"], "2", (family, solver))
        self.assertIn("times as long", done.stdout)


class Kept(unittest.TestCase):
    """Of the committed table, whose times are one machine's."""

    def setUp(self):
        self.rows = table(TABLE)
        self.families = sorted({family for family, _ in self.rows})

    def test_ours(self):
        """No answer is wrong, all are certified, and as many are right as SCS's at its usual tolerance; at large mass
        ratios float32 cannot hold impulses that precisely."""
        for family in self.families:
            ours, scs = (self.rows[family, solver] for solver in ("tinycontact float32", "SCS 0.0001"))
            self.assertGreaterEqual(int(ours["problems"]), 100)
            self.assertEqual([ours["solved"], ours["wrong"]], [ours["problems"], "0"], family)
            self.assertGreaterEqual(int(ours["right"]), int(scs["right"]) - 5, family)

    def test_times(self):
        for family in self.families:
            ours = float(self.rows[family, "tinycontact float32"]["median_us"])
            for solver in ("SCS 0.0001", "Clarabel"):
                self.assertGreater(float(self.rows[family, solver]["median_us"]), 10 * ours, family)


if __name__ == "__main__":
    unittest.main()
