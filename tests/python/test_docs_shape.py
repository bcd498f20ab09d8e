# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""docs/reference/shape-file.md, done as a reader would."""
import unittest

import docs_case


class ShapeFile(docs_case.Reader):
    PAGE = "docs/reference/shape-file.md"

    def test_files(self):
        self.assert_files("block.json", "block.tcs", "block.c", "block.h", "yard.json", "times.json")

    def test_outputs(self):
        self.assertIn("a closed surface of 12 triangles", self.printed_by("check build/docs"))
        self.assertIn("mass            0.3 kg", self.printed_by("inspect"))
        self.assertIn("right within", self.printed_by("--tolerance 3"))
        self.assertIn("1 problems: 1 contact", self.printed_by("toc"))
        self.assertIn("4 x 3 int16 heights", self.printed_by("yard"))


if __name__ == "__main__":
    unittest.main()
