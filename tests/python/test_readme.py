# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The README's example, extracted and done as a reader would: its files, its commands, in its order."""
import csv
import json
import re
import shutil
import subprocess
import unittest
from pathlib import Path
from tree import INCLUDES, makefiles

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
FOLDER = "build/readme/my_foot"  # where the reader has my_foot


def section(title):
    """The text below a heading, up to the next one of its level."""
    return re.search(rf"^## {re.escape(title)}$(.*?)(?=^## |\Z)", README, re.M | re.S).group(1)


def numbers(text):
    return [float(word) for word in re.findall(r"-?\d+\.\d+(?:e[+-]?\d+)?", text)]


class Reader(unittest.TestCase):
    """A section done by a reader; TITLE names it."""

    TITLE = None

    @classmethod
    def setUpClass(cls):
        if cls.TITLE is None:
            raise unittest.SkipTest("a base class")
        shutil.rmtree(ROOT / FOLDER, ignore_errors=True)
        (ROOT / FOLDER).mkdir(parents=True)
        cls.text = section(cls.TITLE).replace("my_foot/", FOLDER + "/").replace("=my_foot", "=" + FOLDER)
        for name, body in re.findall(r"<!-- file: (\S+) -->\n```\w+\n(.*?)```", cls.text, re.S):
            (ROOT / name).write_text(body, encoding="utf-8")
        cls.output = {}
        for block in re.findall(r"```sh\n(.*?)```", cls.text, re.S):
            for line in block.replace("\\\n", " ").splitlines():
                command = line.split("#")[0].strip()
                if command:
                    done = subprocess.run(command, shell=True, cwd=ROOT, text=True, stdin=subprocess.DEVNULL,
                                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
                    if done.returncode:
                        raise AssertionError(f"README: `{command}` exits {done.returncode}\n{done.stdout[-3000:]}")
                    cls.output[command] = done.stdout

    def printed_by(self, part):
        return next(text for command, text in self.output.items() if part in command)


class FirstFirmware(Reader):
    TITLE = "Your first firmware: a net on a board"

    def test_board_prints_what_the_reference_prints(self):
        reference = numbers(self.printed_by("make_net.py"))
        board = numbers([line for line in self.printed_by("make run").splitlines() if line.startswith("ok ")][0])
        self.assertEqual(3, len(reference))
        self.assertEqual(3, len(board))
        for a, b in zip(reference, board):
            self.assertAlmostEqual(a, b, delta=2e-6)

    def test_stm32_image_is_there(self):
        for kind in ("elf", "hex", "bin"):
            self.assertTrue((ROOT / f"build/netduinoplus2-exact/app/{FOLDER.replace(chr(47), chr(45))}.{kind}").is_file(), kind)


class WithoutC(Reader):
    TITLE = "Without C: from a log or a shape to predictions"

    def written(self, name):
        return (ROOT / FOLDER / name).read_text(encoding="utf-8")

    def test_replay_says_a_class_for_each_state(self):
        rows = list(csv.DictReader(self.written("impulses.csv").splitlines()))
        self.assertEqual(["dynamic", "none"], [rows[0]["class"], rows[2]["class"]])

    def test_throws_come_to_rest(self):
        self.assertEqual([True, True], [throw["at_rest"] for throw in json.loads(self.written("rests.json"))])

    def test_the_report_is_there(self):
        self.assertIn("<html", self.written("report/index.html"))
        for picture in ("fig5.png", "chain.png"):
            self.assertTrue((ROOT / FOLDER / picture).is_file(), picture)

    def test_complementarity_problems_are_answered(self):
        self.assertEqual(["solved", "no_solution"], [answer["status"] for answer in json.loads(self.written("answers.json"))])


    def test_limb_and_box_print_what_is_said(self):
        chain, box = self.printed_by("tinycontact leg swing"), self.printed_by("box.tcm")
        for word in ("evaluations_mean", "joint_violation_max", "energy_gain_max", "penetration_max", "exact Coulomb"):
            self.assertIn(word, chain)
        for patch in ("point: 200 states", "edge: 200 states", "face: 20 states"):
            self.assertIn(patch, box)


class RollForward(Reader):
    TITLE = "Roll contact forward, and learn it from touch data"

    def read(self, name):
        return json.loads((ROOT / FOLDER / name).read_text(encoding="utf-8"))

    def test_what_was_learned_strikes_where_it_did(self):
        """The first impacts at the same steps, to one; positions within a few centimetres until then."""
        law, nets = self.read("rolled.json")[0], self.read("learned.json")
        hits = [[n for n, hit in enumerate(run["contact"][:121]) if hit] for run in (law, nets)]
        self.assertEqual(hits[0], [72])
        self.assertEqual(hits[0], hits[1])
        self.assertLess(max(abs(a[0] - b[0]) for a, b in zip(law["Q"][:72], nets["Q"])), 0.05)

    def test_what_is_said(self):
        self.assertIn("impacts: 1;", self.printed_by("cdl train"))
        self.assertIn("CDL", self.printed_by("cdl evaluate"))
        for picture in ("rolled.png", "fit.png"):
            self.assertTrue((ROOT / FOLDER / picture).is_file(), picture)


class InTheLoop(Reader):
    TITLE = "In the loop: firmware against a simulated leg"

    def test_a_leg_of_ones_own(self):
        self.assertIn("500 ticks, profile exact: alike, bit for bit", self.printed_by("leg hil replay"))
        for name in ("ticks.csv", "summary.json", "report.png"):
            self.assertTrue((ROOT / FOLDER / "hil" / name).is_file(), name)


class InterruptCalls(unittest.TestCase):
    """What a timer interrupt calls, as it stands in the README, compiles."""

    def test_foot(self):
        self.compiles("A foot that knows its floor", "foot")

    def test_estimator(self):
        self.compiles("A leg that knows its contact", "foot")

    def test_integrator(self):
        self.compiles(RollForward.TITLE, "ball")

    def compiles(self, title, model):
        code = re.search(r"```c\n(.*?)```", section(title), re.S).group(1)
        text = (f'#include "tinycontact.h"\nextern const uint8_t {model}_tcm[];\nextern const uint32_t {model}_tcm_size;\n'
                f"tc_status tick(void);\ntc_status tick(void)\n{{\ntc_status status;\n{code}return status;\n}}\n")
        done = subprocess.run(["gcc", "-std=c11", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", *INCLUDES, "-xc", "-"],
                              cwd=ROOT, input=text, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.assertEqual(done.returncode, 0, done.stdout)


class HowGood(unittest.TestCase):
    """The table of throws says what tests/models/evaluation.csv says, of several models the worst."""

    MODELS = {"exact Coulomb friction in their place": ("throws", ["exact Coulomb"]), "16-16": ("throws", ["16-16"]),
              "16-16, int8": ("throws", ["i8"]),
              "16-16 from 500 states instead of 50,000, of three": ("small", ["500_1", "500_2", "500_3"]),
              "16-16 from a log of 50 throws with noise, poses only, of two": ("log", ["log_1", "log_2"]),
              "purely data-driven, the paper's baseline, 300 throws": ("pdd", ["purely data-driven"])}

    def test_numbers(self):
        with open(ROOT / "tests/models/evaluation.csv", encoding="utf-8", newline="") as file:
            rows = [row for row in csv.DictReader(file) if row["shape"] == "rectangle" and row["truth"] == "DART"
                    and row["h"] == "0.002"]
        table = re.findall(r"^\| (.+) \| ([\d.]+) % \| ([\d.]+) % \| ([\d.]+) % \| ([\d.]+) mm \|$", README, re.M)
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


class Promises(unittest.TestCase):
    def test_named_targets_exist(self):
        """Every `make x` that the README names is in `make help`."""
        helped = set(re.findall(r"^  make (\S+)", subprocess.run(["make", "-s", "help"], cwd=ROOT, text=True,
                                                                 stdout=subprocess.PIPE).stdout, re.M))
        named = set(re.findall(r"`make ([a-z][a-z -]*)", README)) | set(re.findall(r"^make ([a-z]+)", README, re.M))
        for target in {word for words in named for word in words.split()}:
            self.assertIn(target, helped)

    def test_the_main_picture(self):
        """The first thing after the two commands; small, and made by the first of them."""
        pictures = re.findall(r"!\[.+\]\((\S+)\)", README)
        self.assertEqual(pictures, ["tests/hil/demo.png"])
        self.assertLess(README.index(pictures[0]), README.index("\n## "))
        data = (ROOT / pictures[0]).read_bytes()
        self.assertEqual(data[:8], b"\x89PNG\r\n\x1a\n")
        self.assertLessEqual(len(data), 150_000)
        recipe = re.search(r"^demo:.*\n((?:\t.*\n)+)", makefiles(), re.M).group(1)
        named = re.findall(r"`(build/demo\w*\.png)`", README)
        self.assertEqual(len(named), 3)
        for file in named:
            self.assertIn(f"picture {file}", recipe)

    def test_links_lead_somewhere(self):
        for page in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "lib").glob("*.md")]:
            for link in re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8")):
                self.assertTrue((page.parent / link).exists(), f"{page.name}: {link}")


if __name__ == "__main__":
    unittest.main()
