# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The guide to a push, done as a reader would; and that board and host plan the same."""
import json
import sys
import unittest

import docs_case

sys.path.insert(0, str(docs_case.ROOT / "tools"))

import demo_push   # noqa: E402  (the path comes first)


class Push(docs_case.Reader):
    PAGE = "docs/guides/plan-a-push.md"

    def test_results(self):
        for name in ("push.json", "out.json", "turned.json"):
            self.assertTrue(json.loads(self.written(name))["reached"], name)
        self.assert_files("push.png", "mine.json", "mine.png", "mine.gif", "turn.png")

    def test_on_the_board(self):
        """Every push arrives, nothing passes through, and the board's lines are the host's."""
        pushes, differing = demo_push.run("make -s run BOARD=mps2-an386 APP=push", "make -s run BOARD=host APP=push")
        self.assertEqual(differing, 0)
        self.assertEqual(len(pushes), 3)
        for push in pushes.values():
            self.assertLessEqual(push.distance, demo_push.NEAR)
            self.assertGreater(push.nearest, 0)
        demo_push.draw(pushes, "mps2-an386", self.path("board.png"))
        self.assertIn("never through", "".join(demo_push.told(pushes)))
        self.assertTrue(any(set(line) - {chr(0x2800)} for line in demo_push.sketch(pushes[1])))
        self.assert_files("board.png")


if __name__ == "__main__":
    unittest.main()
