# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The page of who aims through collisions."""
import json
import unittest

import docs_case


class Aim(docs_case.Reader):
    PAGE = "docs/guides/aim-through-collisions.md"

    def test_numbers_of_the_page(self):
        billiards, hit, vertical = (json.loads(self.written(f"{name}.json")) for name in ("billiards", "hit", "vertical"))
        self.assertIn(f"below 1e-4 m² after {billiards['iterations']} iterations, {billiards['evaluations']} roll-outs", self.text)
        self.assertIn(f"| {hit['iterations']} Gauss-Newton steps to 1e-12 m |", self.text)
        self.assertEqual((vertical["iterations"], round(vertical["found"][0], 9)), (1, 12.0))
        for found in (billiards, hit, vertical):
            self.assertTrue(found["reached"])
            self.assertLess(found["gradient"]["error"], 1e-4)

    def test_what_is_printed(self):
        self.assertIn("from 4 more starts: 4 reached", self.printed_by("aim billiards"))
        self.assert_files("billiards.png", "hit.png", "vertical.png")


if __name__ == "__main__":
    unittest.main()
