# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The pages that reference.py renders show what the headers state, and it sees a page that does not."""

import unittest

from support import Folder

import common
import reference


class Pages(unittest.TestCase):
    def test_pages_are_the_headers(self):
        for path, rendered in reference.pages().items():
            text = path.read_text(encoding="utf-8")
            self.assertEqual(text, reference.replaced(text, rendered, path.name), f"{path.name}: run make reference")


class Rendered(Folder):
    def test_statuses(self):
        header = '    X(TC_OK, 0, "ok") \\\n    X(TC_ERR_A, -2, "a | b")\n'
        self.assertEqual(["| 0 | `TC_OK` | ok |", "| -2 | `TC_ERR_A` | a \\| b |"], reference.status_lines(header)[2:])
        with self.assertRaises(common.Fault):
            reference.status_lines("")

    def test_switches(self):
        header = ("/* 1: fast.\n * 0: small. */\n#ifndef TC_A\n#define TC_A 1\n#endif\n#ifndef TC_B\n#define TC_B 8u /* own */\n"
                  "#endif\n#ifndef TC_C\n#define TC_C 0\n#endif\n")
        self.assertEqual([("TC_A", "1", "1: fast. 0: small."), ("TC_B", "8u", "own"), ("TC_C", "0", "1: fast. 0: small.")],
                         reference.switches(header))

    def test_fields(self):
        header = ("typedef struct tc_a {\n    /* sensors */\n    tc_real b[2], c; /* first [m],\n                      * second */\n"
                  "    uint32_t d;\n} tc_a;\n")
        self.assertEqual(["| **sensors** | |", "| `tc_real b[2], c` | first [m], second |", "| `uint32_t d` |  |"],
                         reference.struct_lines(header, "tc_a")[2:])

    def test_a_page_without_markers(self):
        with self.assertRaises(common.Fault):
            reference.replaced("text", "rendered", "page.md")


if __name__ == "__main__":
    unittest.main()
