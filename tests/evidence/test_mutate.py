# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Tests of mutate.py: what it changes in a line and what it leaves alone, and what it remembers."""

import unittest

from support import Folder

import mutate


def tokens(line):
    return {line[:at] + other + line[at + length:] for at, length, other, _ in mutate.token_changes(line)}


class Changes(unittest.TestCase):
    def test_tokens(self):
        self.assertEqual(tokens("    if (a < b && c == d) {"),
                         {"    if (a <= b && c == d) {", "    if (a < b || c == d) {", "    if (a < b && c != d) {"})
        self.assertEqual(tokens("    x = a - b * c;"), {"    x = a + b * c;", "    x = a - b + c;"})
        self.assertEqual(tokens("    x += y[2u];"), {"    x -= y[2u];", "    x += y[3u];"})
        self.assertEqual(tokens("    x = TC_C(0.5);"), {"    x = TC_C(2.0 * 0.5);"})

    def test_what_is_no_operator(self):
        for line in ("    p->x = *q;", "    return -x;", "    const tc_real *const v = w;", "    memset(x, c, sizeof *x);",
                     "    x = 0x1.5p-3f;", "    y = 3e-4f;", "    f(a, -b);", "    tc_real row[3], sum[4];"):
            self.assertEqual(tokens(line), set(), line)

    def test_lines(self):
        self.assertEqual([other for other, _ in mutate.line_changes("    if (a) {")], ["    if (!(a)) {"])
        self.assertEqual([other for other, _ in mutate.line_changes("    memset(x, c, n);")], ["    ;"])
        self.assertEqual([other for other, _ in mutate.line_changes("    v[k] = a;")], ["    ;"])
        self.assertEqual([other for other, _ in mutate.line_changes("    return a ? b : c;")], ["    return a ? c : b;"])
        for line in ("    tc_real x = f(y);", "    const int a = 1;", "    return f(x);"):
            self.assertEqual(list(mutate.line_changes(line)), [], line)

    def test_draws_outlive_other_changes(self):
        changes = [(f"lib/{k}.c", k, "sign", "a + b", "a - b") for k in range(50)]
        drawn = mutate.draw(changes, 1, 10)
        self.assertEqual(drawn, mutate.draw(changes, 1, 10))
        self.assertNotEqual(drawn, mutate.draw(changes, 2, 10))
        self.assertEqual(drawn[:5], mutate.draw([c for c in changes if c not in drawn[5:]], 1, 5))

    def test_comments_and_directives_stay(self):
        text = "#define A(x) \\\n    (x + 1)\n/* a + b\n * c < d */\nint f(void)\n    y = a + b; /* x < y */\n"
        self.assertEqual([index for index, _ in mutate.code_lines(text)], [4, 5])
        self.assertNotIn("<", dict(mutate.code_lines(text))[5])


class Judge(unittest.TestCase):
    """What runs on a change is what `make test` runs, in the order of cost, until something notices."""

    def judged(self, **answers):
        asked = []

        class Copy(mutate.Copy):
            def __init__(self):
                pass

            def make(self, *words, seconds=0):
                asked.append(" ".join(words))
                return answers.get(words[0].replace("-", "_") if words else "", 0), ""

            def code(self, objects):
                return "other"

            def run_unit(self, program, words):
                asked.append(program.split("/")[1] + " " + ",".join(words))
                return answers.get(program.split("/")[1].replace("-", "_"))

            def run_python(self, file):
                asked.append("python")
                return "survived", ""
        return Copy().judge("lib/solve/tc_lcp.c", [], "before"), asked

    def test_what_survives_meets_all(self):
        verdict, asked = self.judged()
        self.assertEqual(verdict, ("survived", ""))
        self.assertEqual([a for a in asked if a.startswith("host")], ["host-exact lcp", "host-exact ", "host-exact-clang-san lcp"])
        self.assertEqual(asked[-4:], ["fuzz-trajectories COUNT=8000 PROCESSES=1", "lcp-campaign COUNT=1000 PROCESSES=1",
                                      "cone-campaign COUNT=1000 PROCESSES=1", "python"])

    def test_whoever_notices_ends_it(self):
        verdict, asked = self.judged(host_exact_clang_san=("killed", "test_x"))
        self.assertEqual((verdict, asked[-1]), (("killed", "sanitizers: test_x"), "host-exact-clang-san lcp"))
        verdict, asked = self.judged(lcp_campaign=2)
        self.assertEqual((verdict, asked[-1]), (("killed", "lcp-campaign"), "lcp-campaign COUNT=1000 PROCESSES=1"))

    def test_samples_and_sanitizers_are_those_of_the_tests(self):
        text = (mutate.ROOT / "tools/make/tests.mk").read_text(encoding="utf-8")
        for target, count in mutate.SAMPLES:
            self.assertIn(f"-s {target} {count}'", text)
        self.assertIn("BOARD=host,HOSTCC=clang,SANITIZE=address+undefined", text)


class Verdicts(Folder):
    def test_survivors_are_tried_again_after_a_change_of_the_tests(self):
        folder = mutate.Path(self.write("x", "")).parent / "kept"
        kept = mutate.Kept(folder, False)
        kept.add("a", "killed", "test_x")
        kept.tests = "others"
        kept.add("b", "survived", "")
        self.assertEqual(mutate.Kept(folder, False).known, {"a": ["killed", "test_x"]})
        self.assertEqual(mutate.Kept(folder, True).known, {})

    def test_an_equivalent_change_needs_a_reason(self):
        path = self.write("e.csv", "file,original,changed,reason\nlib/x.c,a < b,a <= b,equal bytes\n")
        self.assertEqual(mutate.read_equivalent(mutate.Path(path)), {("lib/x.c", "a < b", "a <= b")})
        path = self.write("e.csv", "file,original,changed,reason\nlib/x.c,a < b,a <= b, \n")
        with self.assertRaises(SystemExit):
            mutate.read_equivalent(mutate.Path(path))


if __name__ == "__main__":
    unittest.main()
