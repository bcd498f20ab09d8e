# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The page of who has touch data."""
import json
import unittest

import docs_case


class Impacts(docs_case.Reader):
    PAGE = "docs/guides/impacts-from-touch-data.md"

    def test_what_was_learned_strikes_where_it_did(self):
        """The first impacts at the same steps, to one; positions within a few centimetres until then."""
        law, nets = json.loads(self.written("rolled.json"))[0], json.loads(self.written("learned.json"))
        hits = [[n for n, hit in enumerate(run["contact"][:121]) if hit] for run in (law, nets)]
        self.assertEqual(hits[0], [72])
        self.assertEqual(hits[0], hits[1])
        self.assertLess(max(abs(a[0] - b[0]) for a, b in zip(law["Q"][:72], nets["Q"])), 0.05)

    def test_what_is_printed(self):
        self.assertIn("impacts: 1;", self.printed_by("cdl train"))
        self.assertIn("CDL", self.printed_by("cdl evaluate"))
        self.assert_files("rolled.png", "fit.png")


if __name__ == "__main__":
    unittest.main()
