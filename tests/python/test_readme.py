# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The README's example, extracted and done as a reader would: its files, its commands, in its order."""
import re
import shutil
import subprocess
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
FOLDER = "build/readme/my_foot"  # where the reader has my_foot


def section(title):
    """The text below a heading, up to the next one of its level."""
    return re.search(rf"^## {re.escape(title)}$(.*?)(?=^## |\Z)", README, re.M | re.S).group(1)


def numbers(text):
    return [float(word) for word in re.findall(r"-?\d+\.\d+(?:e[+-]?\d+)?", text)]


class FirstFirmware(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        shutil.rmtree(ROOT / FOLDER, ignore_errors=True)
        (ROOT / FOLDER).mkdir(parents=True)
        cls.text = section("Your first firmware: a net on a board").replace("my_foot/", FOLDER + "/").replace(
            "=my_foot", "=" + FOLDER).replace("mkdir -p my_foot", "mkdir -p " + FOLDER)
        for name, body in re.findall(r"<!-- file: (\S+) -->\n```\w+\n(.*?)```", cls.text, re.S):
            (ROOT / name).write_text(body, encoding="utf-8")
        cls.output = {}
        for block in re.findall(r"```sh\n(.*?)```", cls.text, re.S):
            for line in block.splitlines():
                command = line.split("#")[0].strip()
                if command:
                    done = subprocess.run(command, shell=True, cwd=ROOT, text=True, stdin=subprocess.DEVNULL,
                                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
                    if done.returncode:
                        raise AssertionError(f"README: `{command}` exits {done.returncode}\n{done.stdout[-3000:]}")
                    cls.output[command] = done.stdout

    def printed_by(self, part):
        return next(text for command, text in self.output.items() if part in command)

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


class Promises(unittest.TestCase):
    def test_named_targets_exist(self):
        """Every `make x` that the README names is in `make help`."""
        helped = set(re.findall(r"^  make (\S+)", subprocess.run(["make", "-s", "help"], cwd=ROOT, text=True,
                                                                 stdout=subprocess.PIPE).stdout, re.M))
        named = set(re.findall(r"`make ([a-z][a-z -]*)", README)) | set(re.findall(r"^make ([a-z]+)", README, re.M))
        for target in {word for words in named for word in words.split()}:
            self.assertIn(target, helped)

    def test_links_lead_somewhere(self):
        for page in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "lib").glob("*.md")]:
            for link in re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8")):
                self.assertTrue((page.parent / link).exists(), f"{page.name}: {link}")


if __name__ == "__main__":
    unittest.main()
