# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""tests/robots/evaluation.csv, which `make robots-evaluate` writes, and the page that shows it."""
import unittest

from tinycontact_case import ROOT

from tinycontact.robots import evaluate, page

FOLDER = ROOT / "tests" / "robots"


class Recorded(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.found = page.read(FOLDER / "evaluation.csv")

    def test_the_page_shows_it(self):
        text = (FOLDER / "README.md").read_text(encoding="utf-8")
        self.assertEqual(page.rendered(text, self.found), text)
        self.assertGreater(text.count("| all |"), 1)

    def test_conditions_are_known_and_judged_alike(self):
        """Each estimator that was recorded has every condition that was."""
        names = {estimator for estimator, _ in self.found}
        conditions = {condition for _, condition in self.found}
        self.assertLessEqual(conditions, {*evaluate.BY_NAME, "all"})
        self.assertLessEqual({"oracle", "bank", "momentum"}, names)
        self.assertEqual(set(self.found), {(name, condition) for name in names for condition in conditions})

    def test_the_oracle_is_not_beaten(self):
        for (name, condition), numbers in self.found.items():
            self.assertLessEqual(numbers["kinds"], numbers["kinds_oracle"] + 1e-9, (name, condition))
            self.assertEqual(numbers["touch_downs"], self.found["oracle", condition]["touch_downs"])


if __name__ == "__main__":
    unittest.main()
