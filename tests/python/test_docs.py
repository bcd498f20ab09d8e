# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""README.md and all pages below docs/: sizes, links, snippets, named targets and commands, measured numbers.

test_docs_*.py run the pages' commands (docs_case.py)."""
import csv
import re
import subprocess
import unittest
import unicodedata

from docs_case import PAGES, blocks, commands, name_of
from tinycontact_case import ROOT
from tree import INCLUDES

from tinycontact.grammar import NOUNS

README = (ROOT / "README.md").read_text(encoding="utf-8")
HOW_GOOD = (ROOT / "docs/explanation/how-good.md").read_text(encoding="utf-8")


def anchors(text):
    """Those that GitHub makes of the headings."""
    for title in re.findall(r"^#+ (.+)$", re.sub(r"^```.*?^```", "", text, flags=re.M | re.S), re.M):
        kept = "".join(c for c in title.lower() if c in " -_" or unicodedata.category(c)[0] in "LN")
        yield kept.replace(" ", "-")


class FrontPage(unittest.TestCase):
    def test_size(self):
        self.assertLessEqual(len(README.encode()), 10_000)
        self.assertLessEqual(len(README.splitlines()), 250)

    def test_the_main_picture(self):
        """One, small, above the first heading."""
        pictures = re.findall(r"!\[.+\]\((\S+)\)", README)
        self.assertEqual(pictures, ["tests/hil/demo.png"])
        self.assertLess(README.index(pictures[0]), README.index("\n## "))
        data = (ROOT / pictures[0]).read_bytes()
        self.assertEqual(data[:8], b"\x89PNG\r\n\x1a\n")
        self.assertLessEqual(len(data), 150_000)

    def test_fifteen_lines_of_c(self):
        code, = [body for _, _, language, body in blocks(README) if language == "c"]
        self.assertLessEqual(len([line for line in code.splitlines() if line.strip()]), 15)


class Headlines(unittest.TestCase):
    """The five numbers of the front page are those of the measured files."""

    def test_costs(self):
        with open(ROOT / "tests/measured.csv", encoding="ascii", newline="") as file:
            measured = {(row["kind"], row["item"]): row["value"] for row in csv.DictReader(file)
                        if (row["board"], row["profile"]) == ("mps2-an386", "exact")}
        shown = re.findall(r"\| (\d+) instructions \|", README) + list(
            re.search(r"\| (\d+) bytes of flash, (\d+) of RAM \|", README).groups())
        self.assertEqual(shown, [measured[key] for key in (
            ("instructions", "estimator_update/2/public-seen"), ("instructions", "foot2_step_point/16-16/public-seen"),
            ("footprint", "estimator_two_Os"), ("bss", "footprint estimator_two_Os"))])

    def test_accuracies(self):
        """As on the page of evaluations, which is compared with the measured files."""
        hopper, leg = re.search(r"^\| contact right.*?\| ([\d.]+) / ([\d.]+) \|", HOW_GOOD, re.M).groups()
        self.assertIn(f"| contact right, share of ticks | {hopper} % hopper, {leg} % stepping leg | 5,759 touch-downs", README)
        with open(ROOT / "tests/hil/evaluation.csv", encoding="ascii", newline="") as file:
            judged, = [row["touch_downs"] for row in csv.DictReader(file)
                       if (row["estimator"], row["condition"], row["plant"]) == ("imm", "stiff", "both")]
        self.assertEqual(float(judged), 5759)
        angle = re.search(r"^\| 16-16 \| [\d.]+ % \| ([\d.]+) % \|", HOW_GOOD, re.M).group(1)
        self.assertIn(f"| {angle} % of 1,000 throws |", README)


class EveryPage(unittest.TestCase):
    @staticmethod
    def each():
        return [(page, page.read_text(encoding="utf-8")) for page in PAGES]

    def test_width(self):
        """100 columns, outside of tables."""
        for page, text in self.each():
            wide = [line for line in text.splitlines() if len(line) > 100 and not line.startswith("|")]
            self.assertEqual(wide, [], name_of(page))

    def test_links_lead_somewhere(self):
        for page in [*PAGES, ROOT / "CONTRIBUTING.md", *(ROOT / "tests").glob("*/README.md")]:
            text = page.read_text(encoding="utf-8")
            for link, anchor in re.findall(r"\]\(([^)#:]*)(?:#([^)]+))?\)", re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)):
                target = (page.parent / link).resolve() if link else page
                self.assertTrue(target.exists(), f"{name_of(page)}: {link}")
                if anchor:
                    self.assertIn(anchor, [*anchors(target.read_text(encoding="utf-8"))], f"{name_of(page)}: {link}")

    def test_no_page_is_an_orphan(self):
        """Every page is linked from the front page or from docs/README.md."""
        linked = set()
        for page in (ROOT / "README.md", ROOT / "docs/README.md"):
            linked |= {(page.parent / link).resolve() for link in re.findall(r"\]\(([^)#:]+)", page.read_text(encoding="utf-8"))}
        self.assertEqual([name_of(page) for page in PAGES[1:] if page not in linked], [])

    def test_commands_are_run(self):
        """Each page with commands has a reader in test_docs_*.py; the page of usages follows from the parsers."""
        tests = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "tests/python").glob("test_docs_*.py"))
        read = set(re.findall(r'PAGE = "(\S+)"', tests))
        self.assertEqual(sorted(read), sorted(name_of(page) for page, text in self.each()
                                              if [*commands(text)] and page.name != "command-line.md"))

    def test_c_compiles(self):
        """As the body of a function, where the block is not a file."""
        count = 0
        for _, text in self.each():
            for kind, _, language, code in blocks(text):
                if language == "c" and not kind:
                    self.compiles(code)
                    count += 1
        self.assertGreaterEqual(count, 4)

    def compiles(self, code):
        models = "".join(f"extern const uint8_t {name}_tcm[];\nextern const uint32_t {name}_tcm_size;\n" for name in ("foot", "ball"))
        text = (f'#include "tinycontact.h"\n{models}tc_status tick(void);\n'
                f"tc_status tick(void)\n{{\ntc_status status;\n{code}return status;\n}}\n")
        done = subprocess.run(["gcc", "-std=c11", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", *INCLUDES, "-xc", "-"],
                              cwd=ROOT, input=text, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_named_targets_exist(self):
        """Every `make x` is a target."""
        rules = "".join(path.read_text(encoding="utf-8") for path in [ROOT / "Makefile", *ROOT.glob("tools/make/*.mk")])
        targets = set(re.findall(r"^([a-z][\w-]*):.*## ", rules, re.M)) | {"run-unit"}
        for page, text in self.each():
            named = re.findall(r"`make ([a-z][a-z -]*)", text) + re.findall(r"^make ([a-z][a-z-]*)", text, re.M)
            for target in {word for words in named for word in words.split() if not word.startswith("-")}:
                self.assertIn(target, targets, name_of(page))

    def test_named_commands_exist(self):
        """Each `tinycontact x y` that a page names is a noun, or a noun and its verb, by their present names."""
        for page, text in self.each():
            for words in sorted(set(re.findall(r"\btinycontact ((?:[a-z][a-z-]*\b(?![./=_]) ?){1,3})(?=[\s`-])", text))):
                if re.search(rf"[`/]tinycontact {re.escape(words)}", text):
                    self.assertTrue(knows(words.split()), f"{name_of(page)}: {words}")


def knows(words):
    noun = tuple(words[:2]) if tuple(words[:2]) in NOUNS else tuple(words[:1])
    return noun in NOUNS and (words == [*noun] or words[len(noun)] in NOUNS[noun].verbs)


class HowGood(unittest.TestCase):
    """The table of throws has the numbers of tests/models/evaluation.csv, of several models the worst."""

    MODELS = {"exact Coulomb friction in their place": ("throws", ["exact Coulomb"]), "16-16": ("throws", ["16-16"]),
              "16-16, int8": ("throws", ["i8"]),
              "16-16 from 500 states instead of 50,000, of three": ("small", ["500_1", "500_2", "500_3"]),
              "16-16 from a log of 50 throws with noise, poses only, of two": ("log", ["log_1", "log_2"]),
              "purely data-driven, the paper's baseline, 300 throws": ("pdd", ["purely data-driven"])}

    def test_numbers(self):
        with open(ROOT / "tests/models/evaluation.csv", encoding="utf-8", newline="") as file:
            rows = [row for row in csv.DictReader(file) if row["shape"] == "rectangle" and row["truth"] == "DART"
                    and row["h"] == "0.002"]
        table = re.findall(r"^\| (.+) \| ([\d.]+) % \| ([\d.]+) % \| ([\d.]+) % \| ([\d.]+) mm \|$", HOW_GOOD, re.M)
        self.assertEqual([row[0] for row in table], list(self.MODELS))
        for name, *shown in table:
            what, models = self.MODELS[name]
            for metric, text in zip(("bounces", "angle", "rest", "median"), shown):
                found = [float(row["value"]) for row in rows
                         if (row["what"], row["metric"]) == (what, metric) and row["model"] in models]
                self.assertEqual(len(found), len(models), name)
                worst = min(found) if metric != "median" else 1000 * max(found)
                _, _, digits = text.partition(".")
                self.assertEqual(text, f"{worst:.{len(digits)}f}", f"{name}, {metric}")


class Glossary(unittest.TestCase):
    def test_forty_words(self):
        words = re.findall(r"^\| ([^|]+) \|", (ROOT / "docs/GLOSSARY.md").read_text(encoding="utf-8"), re.M)[1:]
        self.assertLessEqual(len(words), 40)
        self.assertEqual(words, sorted(words, key=str.lower))


if __name__ == "__main__":
    unittest.main()
