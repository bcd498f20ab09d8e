# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The guide of who has a log of bounces."""
import json
import unittest

import docs_case


class MyFloor(docs_case.Reader):
    PAGE = "docs/guides/my-floor-from-a-log.md"

    def test_the_floor_of_the_log_is_found(self):
        for name, near in (("floor.json", 1e-6), ("noisy.json", 5e-3)):
            mu, e = json.loads(self.written(name))["unknown"]
            self.assertAlmostEqual(mu["value"], 0.35, delta=near)
            self.assertAlmostEqual(e["value"], 0.6, delta=near)

    def test_the_picture_is_there(self):
        self.assert_files("floor.png")


if __name__ == "__main__":
    unittest.main()
