# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The counts of words are not above tests/words.csv, and words.py sees each kind of bad text."""

import unittest
from pathlib import Path

from support import Folder

import words

ROOT = Path(__file__).resolve().parents[2]
LONG = " ".join(["word"] * 26)
SHORT = " ".join(["Word"] * 13)


class Tree(unittest.TestCase):
    def test_counts_only_fall(self):
        table = words.read_table(words.TABLE.read_text(encoding="utf-8"))
        self.assertEqual([], [*words.excesses(words.measured(ROOT), table)])

    def test_pages_have_nothing_to_excuse(self):
        table = words.read_table(words.TABLE.read_text(encoding="utf-8"))
        self.assertEqual([], [name for name in table if not name.startswith("lib/")])


class Counts(unittest.TestCase):
    @staticmethod
    def header(text):
        return words.counts(Path("tc_a.h"), text)

    @staticmethod
    def page(text):
        return words.counts(Path("a.md"), text)

    def test_good_text(self):
        good = "/* Solves A x = b.\n * Returns: TC_OK, TC_ERR_NULL. */\ntc_status tc_a_solve(int n);\n"
        self.assertEqual({"sentence": 4, "long": 0, "banned": 0, "returns": 0, "wide": 0}, self.header(good))

    def test_long_sentences(self):
        self.assertEqual((26, 1), tuple(self.header(f"/* {LONG}. */\n")[kind] for kind in ("sentence", "long")))
        self.assertEqual(1, self.page(f"- {LONG}\n- short\n")["long"])
        self.assertEqual(1, self.header(f"/* {SHORT}\n * {SHORT}. */\n")["long"], "over two lines")
        for between in (". ", ".** ", ": ", ". `code` is run. "):
            self.assertEqual(0, self.page(f"{SHORT}{between}{SHORT}.\n")["long"], between)

    def test_code_tables_and_licences_are_no_sentences(self):
        self.assertEqual(0, self.page(f"```c\n{LONG}\n```\n\n    {LONG}\n\n| {SHORT} | {SHORT}; {SHORT} |\n")["long"])
        self.assertEqual(0, self.page(f"<!-- costs:begin -->\n{LONG}\n<!-- costs:end -->\n")["long"])
        self.assertEqual(0, self.header(f"/* SPDX-License-Identifier: {LONG}\n *\n *     {LONG}\n */\n")["long"])

    def test_banned_words(self):
        for text in ("A lost frame is told.", "The field tells it.", "The iterate is handed back.", "It begins anew.",
                     "It stands in the header.", "What follows is short.", "The room is yours.", "The law is asked.",
                     "It is as near as far as float can.", "All but for one."):
            self.assertEqual(1, self.page(text + "\n")["banned"], text)
        for text in ("Coulomb's law holds.", "At least one.", "None of two.", "A leg stands.", "A `room` is code."):
            self.assertEqual(0, self.page(text + "\n")["banned"], text)

    def test_returns(self):
        for text in ("/* Solves. */\ntc_status tc_a_solve(int n);\n", "/* Returns 0. */\ntc_status tc_a_solve(int n);\n",
                     "/* Adds. */\ntc_real tc_a_add(tc_real a);\n", "/* Returns 1. */\n\nconst char *tc_a_none(void);\n"):
            self.assertEqual(1, self.header(text)["returns"], text)
        for text in ("/* Returns a + 1. */\ntc_real tc_a_add(tc_real a);\n", "/* Resets. */\nvoid tc_a_reset(int *a);\n",
                     "/* Adds. */\nTC_A_INLINE void tc_a_sum(int *a);\n",
                     "/* Returns e^x. */\ntc_real tc_a_exp(tc_real x);\ntc_real tc_a_log(tc_real x);\n",
                     "typedef tc_status (*tc_a_ask)(int n);\n"):
            self.assertEqual(0, self.header(text)["returns"], text)

    def test_width(self):
        wide = "x" * 101
        self.assertEqual(1, self.header(f"/* {wide} */\n")["wide"])
        self.assertEqual(0, self.page(f"| {wide} |\n")["wide"])


class Allowed(Folder):
    FOUND = {"a.h": {"sentence": 30, "long": 2, "banned": 0, "returns": 0, "wide": 1}}

    def test_more_is_an_excess(self):
        table = {"a.h": {"sentence": 30, "long": 1, "banned": 0, "returns": 0, "wide": 1}}
        self.assertEqual(["a.h: long 2, may have 1"], [*words.excesses(self.FOUND, table)])
        self.assertEqual(3, len([*words.excesses(self.FOUND, {})]), "a new file has nothing to excuse")

    def test_numbers_are_lowered_and_never_raised(self):
        table = {"a.h": {"sentence": 40, "long": 1, "banned": 5, "returns": 0, "wide": 1}}
        self.assertEqual(["file,sentence,long,banned,returns,wide", "a.h,30,1,0,0,1"],
                         words.lowered(self.FOUND, table).splitlines())

    def test_a_good_file_needs_no_row(self):
        good = {"a.h": {"sentence": 20, "long": 0, "banned": 0, "returns": 0, "wide": 0}}
        self.assertEqual(1, len(words.lowered(good, {}).splitlines()))


if __name__ == "__main__":
    unittest.main()
