# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""docs/reference/scene-file.md, done as a reader would."""
import json
import unittest

import docs_case


class SceneFile(docs_case.Reader):
    PAGE = "docs/reference/scene-file.md"

    def test_what_was_wrong_at_the_start_is_found(self):
        told = json.loads(self.written("found.json"))
        for path, true in (("friction", 0.4), ("ball.shape.r", 0.08)):
            self.assertAlmostEqual(told["parameters"][path]["value"], true, delta=1e-6)
        part = self.text[self.text.index("## Scenes identified from motion"):]
        for field in (*told, "value", "deviation", "interval"):
            self.assertIn(f"`{field}`", part)


if __name__ == "__main__":
    unittest.main()
