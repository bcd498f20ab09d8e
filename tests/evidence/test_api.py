# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""`make docs`: every public name has a comment, every name in a comment exists, and every link leads somewhere."""

import re
import unittest
from html.parser import HTMLParser
from pathlib import Path

from support import Folder

import api
import common

ROOT = Path(__file__).resolve().parents[2]
HEADER = """/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Adds numbers.
 *
 *     tc_a_add(1, 2);
 */
#ifndef TC_A_H
#define TC_A_H

/* ---- Sums ------------- */

/* Two terms. */
typedef struct tc_a {
    int first;  /* left of + [1] */

    int second; /* < 3 */
} tc_a;

/* Returns the sum of a tc_a. */
int tc_a_add(int a, int b);

#endif
"""


class Tags(HTMLParser):
    """Open tags, closed ones that do not match, links and anchors of a page."""

    def __init__(self, text):
        super().__init__()
        self.open, self.wrong, self.links, self.anchors = [], [], [], set()
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        if tag not in ("meta", "input"):
            self.open.append(tag)
        self.links += [value for name, value in attrs if name == "href"]
        self.anchors |= {value for name, value in attrs if name == "id"}

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.wrong.append(tag)


class Library(Folder):
    def test_no_faults(self):
        self.assertEqual([], [*api.faults(api.headers(ROOT), api.every_name(ROOT))])

    def test_pages_are_whole_and_links_lead_somewhere(self):
        found = api.headers(ROOT)
        api.write(Path(self.path("out")), found)
        pages = {path.name: Tags(path.read_text(encoding="utf-8")) for path in Path(self.path("out")).glob("*.html")}
        self.assertEqual({*(f"{name}.html" for name in found), "index.html"}, set(pages))
        for name, tags in pages.items():
            self.assertEqual(([], []), (tags.open, tags.wrong), name)
            for link in tags.links:
                target, _, anchor = link.partition("#")
                self.assertTrue(target in pages and (not anchor or anchor in pages[target].anchors), f"{name}: {link}")

    def test_every_public_name_can_be_searched(self):
        found = api.headers(ROOT)
        listed = {name for name, _, _ in api.search_index(found)}
        for header in found:
            path, = (ROOT / "lib").glob(f"*/{header}")
            self.assertEqual(set(), set(api.names.public_names(common.read_text(path))) - listed, header)


class Made(unittest.TestCase):
    @staticmethod
    def faults(text, known=()):
        return [*api.faults({"tc_a.h": ("base", api.blocks(text))}, {"tc_a", "tc_a_add", *known})]

    def test_good(self):
        self.assertEqual([], self.faults(HEADER))

    def test_a_function_without_a_comment(self):
        self.assertEqual(["tc_a.h: tc_a_add has no comment"], self.faults(HEADER.replace("/* Returns the sum of a tc_a. */", "")))

    def test_a_name_that_is_gone(self):
        self.assertEqual(["tc_a.h: a comment names tc_gone, which no source defines"],
                         self.faults(HEADER.replace("sum of", "tc_gone of")))

    def test_a_page(self):
        blocks = api.blocks(HEADER)
        self.assertEqual([["tc_a"], ["tc_a_add"]], [block.declared for block in blocks if block.declared])
        text = "".join(api.block_html(block, {"tc_a": "tc_a.h.html#tc_a"}) for block in blocks)
        for part in ("<h2>Sums</h2>", "<p>Adds numbers.</p>", "<pre>    tc_a_add(1, 2);</pre>", "<tr><td>int first</td><td>left of + [1]</td></tr>",
                     "<td>&lt; 3</td>", 'of a <a href="tc_a.h.html#tc_a">tc_a</a>.'):
            self.assertIn(part, text)
        self.assertIsNone(re.search("SPDX|Copyright", text))


if __name__ == "__main__":
    unittest.main()
