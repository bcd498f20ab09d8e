# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The pages of who has a body, a log of throws or contact matrices."""
import csv
import json
import unittest

import docs_case


class MyBody(docs_case.Reader):
    PAGE = "docs/guides/my-body-from-a-log.md"

    def test_replay_returns_a_class_for_each_state(self):
        rows = list(csv.DictReader(self.written("impulses.csv").splitlines()))
        self.assertEqual(["dynamic", "none"], [rows[0]["class"], rows[2]["class"]])

    def test_throws_come_to_rest(self):
        self.assertEqual([True, True], [throw["at_rest"] for throw in json.loads(self.written("rests.json"))])

    def test_the_report_is_there(self):
        self.assertIn("<html", self.written("report/index.html"))
        self.assert_files("fig5.png", "chain.png")

    def test_limb_and_box_print_what_the_page_names(self):
        chain, box = self.printed_by("tinycontact leg swing"), self.printed_by("box.tcm")
        for word in ("evaluations_mean", "joint_violation_max", "energy_gain_max", "penetration_max", "exact Coulomb"):
            self.assertIn(word, chain)
        for patch in ("point: 200 states", "edge: 200 states", "face: 20 states"):
            self.assertIn(patch, box)


class MySolver(docs_case.Reader):
    PAGE = "docs/guides/my-contact-solver.md"

    def test_complementarity_problems_are_answered(self):
        self.assertEqual(["solved", "no_solution"], [answer["status"] for answer in json.loads(self.written("answers.json"))])


class StartPython(docs_case.Reader):
    PAGE = "docs/start/python.md"

    def test_the_throw_comes_to_rest(self):
        self.assertIn("at_rest=array([ True])", self.printed_by("rest.py"))


if __name__ == "__main__":
    unittest.main()
