# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The page of the files of `tinycontact impact`."""
import contextlib
import io
import json
import re
import unittest

import docs_case
from tinycontact_case import ROOT

from tinycontact.impact import cone


class ImpactFiles(docs_case.Reader):
    PAGE = "docs/reference/impact-files.md"

    def near(self, found, wanted, tolerance):
        for a, b in zip(found, wanted, strict=True):
            self.assertAlmostEqual(a, b, delta=tolerance)

    def test_what_the_page_says_of_its_answers(self):
        drop, skid = json.loads(self.written("answers.json"))
        self.assertEqual((drop["kinds"], skid["kinds"]), (["stick"], ["slip"]))
        self.near(drop["w"], [0, 0], 1e-6)
        self.near(skid["w"], [0.6, 1.2], 1e-6)
        bounced = json.loads(self.written("bounced.json"))[0]
        self.near(bounced["u"], [0.5, 0], 1e-6)

    def test_every_field_is_described(self):
        answer = json.loads(self.written("bounced.json"))[0]
        described = set(re.findall(r"`([a-z0-9_]+|G)`", self.text))
        self.assertLessEqual({*answer, *json.loads(self.written("problems.json"))[0], *cone.STATUSES, *cone.KINDS}, described)

    def test_python(self):
        code, = [body for _, _, language, body in docs_case.blocks(self.text) if language == "python"]
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            exec(compile(code, str(ROOT / self.PAGE), "exec"), {})
        self.assertIn("solved ['stick'] [0. 0.]", out.getvalue())


if __name__ == "__main__":
    unittest.main()
