# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The limits on length and complexity hold for lib/ and port/, and complexity.py counts what it says."""

import unittest
from pathlib import Path

from support import ROOT

import complexity

SOURCE = """
/* if (not) { counted } */
static const char text[] = "if {";
typedef struct pair { int a, b; } pair;
static int plain(int a)
{
    return a; /* a && b */
}

TC_INLINE int many(int a, int b)
{
    for (int i = 0; i < a; ++i) {
        if (a && b) {
            switch (b) {
            case 1: return a ? b : 'c';
            default: break;
            }
        }
    }
#ifdef TWO
    while (a || b) {
        --a;
    }
#else
    if (a) {
        b = a;
    }
#endif
    return 0;
}
#define NOT_THIS(a) \\
    { if (a) {} }
int declared(int a);
int (*const table[2])(int) = {plain, plain};
"""


class Counter(unittest.TestCase):
    def test_functions(self):
        found = {one.name: (one.complexity, one.lines) for one in complexity.functions(SOURCE, "a.c")}
        self.assertEqual({"plain": (1, 3), "many": (1 + 7, 20)}, found)

    def test_limits(self):
        def of(above, lines):
            return [*(complexity.Function(11, 12, "f", "a.c") for _ in range(above)), *(complexity.Function(1, n, "g", "a.c") for n in lines)]
        self.assertEqual([], [*complexity.faults(of(25, [12] * 300))])
        self.assertEqual(["26 functions have a complexity above 10, at most 25 may"], [*complexity.faults(of(26, [12] * 300))])
        self.assertEqual(["median of the functions' lengths is 13 lines, at most 12"], [*complexity.faults(of(1, [13] * 9))])
        self.assertEqual(["90th percentile of the functions' lengths is 26 lines, at most 25"], [*complexity.faults(of(0, [1] * 8 + [26] * 2))])
        self.assertEqual(["maximum of the functions' lengths is 53 lines, at most 52"], [*complexity.faults(of(0, [1] * 99 + [53]))])


class Library(unittest.TestCase):
    FOUND = complexity.library(Path(ROOT))

    def test_each_file_is_read(self):
        named = {one.name for one in self.FOUND}
        for name in ("tc_lcp_solve", "bank_prepare", "enter_active", "tc_vec_magnitude"):
            self.assertIn(name, named)
        self.assertGreater(len(self.FOUND), 1300)

    def test_limits(self):
        self.assertEqual([], [*complexity.faults(self.FOUND)])

    def test_lines_of_tests(self):
        lines = complexity.c_lines(Path(ROOT))
        self.assertGreaterEqual(lines["tests"] + lines["tests/vectors"], lines["lib/ and port/"])


if __name__ == "__main__":
    unittest.main()
