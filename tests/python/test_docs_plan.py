# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The page about files of plans, done as a reader would."""
import json
import unittest

import docs_case

from tinycontact_case import tc   # noqa: F401
from tinycontact.plan import scenefile, taskfile


class PlanFiles(docs_case.Reader):
    PAGE = "docs/reference/plan-files.md"

    def test_every_field_is_on_the_page(self):
        plain = self.text.replace("`, `", "` `")
        for name in (*scenefile.TOP, *scenefile.BODY, *scenefile.PIECES, *taskfile.TOP, *taskfile.GOAL):
            self.assertTrue(f"`{name}`" in plain or f'"{name}"' in plain, name)

    def test_results(self):
        answers = json.loads(self.written("answers.json"))
        self.assertEqual([answer["status"] for answer in answers], ["ok", "ok"])
        for field in (*answers[0], *json.loads(self.written("out.json"))):
            self.assertIn(f"`{field}`", self.text)
        self.assert_files("shelf.png", "shelf.gif")

    def test_python(self):
        for _, _, language, body in docs_case.blocks(self.text):
            if language == "python":
                exec(compile(body, self.PAGE, "exec"), {})


if __name__ == "__main__":
    unittest.main()
