# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""tests/hil/evaluation.csv, which `make hil-evaluate` writes: which floors it keeps, and that the table of
docs/explanation/how-good.md shows the same numbers."""
import csv
import re
import unittest

from tinycontact_case import ROOT
from tinycontact.hil import evaluate

MISSED = [("false touch-downs in 30 min of air, mass-20", "both")]   # 4 in 10 minutes; tests/hil/README.md
SHARE, MS, COUNT = (100, 2), (1e3, 2), (1, 0)
# The page's rows: condition, metric, factor and digits
ROWS = {"contact right, share of ticks": ("stiff", "contact_right", *SHARE),
        "air, sticks or slips right": ("stiff", "mode_right", *SHARE),
        "touch-down known, mean above what sampling and transport cost": ("stiff", "delay_above", *MS),
        "95 % known after": ("stiff", "delay_p95", *MS),
        "touch-downs missed": ("stiff", "missed", *COUNT),
        "false touch-downs in 30 min of air": ("stiff", "false_rate", 1, 1),
        "slip onsets reported within 5 ms": ("stiff", "onset_prompt", *SHARE),
        "impulse of whole contacts off by": ("stiff", "impulse", *SHARE),
        "next touch-down, 20 ms before, flat floor, at 0.5 m/s and more, median error":
            ("flat", "ahead_fast", *MS),
        "springy floor: contact right": ("spring500", "contact_right", *SHARE),
        "wrong at once: mass +20 %, noise x 3, 5 % lost: contact right": ("all+20", "contact_right", *SHARE),
        "the same: false touch-downs in 30 min of air": ("all+20", "false_rate", 1, 1)}


def recorded():
    """{(estimator, condition, plant): {metric: number}}"""
    with open(ROOT / "tests" / "hil" / "evaluation.csv", newline="", encoding="ascii") as file:
        return {(row["estimator"], row["condition"], row["plant"]): {name: float(value) for name, value in row.items()
                                                                     if name not in ("estimator", "condition", "plant")}
                for row in csv.DictReader(file)}


class Recorded(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.rows = recorded()

    def numbers(self, estimator):
        return {key[1:]: row for key, row in self.rows.items() if key[0] == estimator}

    def test_floors(self):
        """Every floor but the stated ones is kept by what was recorded, and each could be judged."""
        told = evaluate.floor_rows(self.numbers("imm"))
        self.assertEqual(len(told), len(evaluate.FLOORS))
        self.assertEqual([tuple(row[:2]) for row in told if row[-1] != "yes"], MISSED)

    def test_enough_was_judged(self):
        """2,000 touch-downs and half an hour of air."""
        both = self.rows["imm", "stiff", "both"]
        self.assertGreaterEqual(both["touch_downs"], 2000)
        self.assertGreaterEqual(both["air"], 1800)

    def test_page(self):
        text = (ROOT / "docs/explanation/how-good.md").read_text(encoding="utf-8")
        text = text[text.index("| hopper / stepping leg |"):].split("\n\n")[0]
        table = re.findall(r"^\| (.+?)(?: \[(?:%|ms)\])? \| ([\d.]+) / ([\d.]+) \| ([\d.–]+)(?: / ([\d.]+))? \|", text, re.M)
        self.assertEqual([row[0] for row in table], list(ROWS))
        for what, *shown in table:
            condition, metric, factor, digits = ROWS[what]
            for k, cell in enumerate(shown):
                if cell not in ("–", ""):
                    row = self.rows[("imm", "observer")[k // 2], condition, ("hopper", "leg")[k % 2]]
                    self.assertEqual(cell, f"{factor * row[metric]:.{digits}f}", f"{what}, {k}")


if __name__ == "__main__":
    unittest.main()
