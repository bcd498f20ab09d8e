# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The pages of who plans through contact."""
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


class PlanAPush(docs_case.Reader):
    PAGE = "docs/guides/plan-a-push.md"

    def test_what_the_page_promises(self):
        for name in ("push", "first", "nearer-out"):
            self.assertTrue(json.loads(self.written(f"{name}.json"))["reached"], name)
        self.assert_files("push.png", "push.gif", "nearer.png")

    def test_python(self):
        for _, _, language, body in docs_case.blocks(self.text):
            if language == "python":
                exec(compile(body, self.PAGE, "exec"), {})


if __name__ == "__main__":
    unittest.main()
