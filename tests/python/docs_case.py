# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Pages of the documentation, done as a reader would: their files, their commands, in their order.

A page is README.md or a file below docs/. In it,

    <!-- file: my_foot/NAME -->     stands above a block that the reader saves under this name
    <!-- not run: REASON -->        stands above a block of commands that no test runs

Any other block of commands (sh) is run at the repository's root, any other block of C compiles.
"""
import re
import shutil
import subprocess
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"(?:<!-- (file|not run): ([^\n]+) -->\n)?```(\w*)\n(.*?)^```", re.M | re.S)


def name_of(page):
    return page.relative_to(ROOT).as_posix()


def blocks(text):
    """(kind, what, language, body) of each block: kind is "file", "not run" or ""."""
    return [found.groups("") for found in BLOCK.finditer(text)]


def commands(text):
    """Those that a test runs, line by line."""
    for kind, _, language, body in blocks(text):
        if language == "sh" and not kind:
            for line in body.replace("\\\n", " ").splitlines():
                if command := line.split("#")[0].strip():
                    yield command


def execute(command):
    """Its output, both streams; AssertionError if it fails."""
    done = subprocess.run(command, shell=True, cwd=ROOT, text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT)
    if done.returncode:
        raise AssertionError(f"`{command}` exits {done.returncode}\n{done.stdout[-3000:]}")
    return done.stdout


class Reader(unittest.TestCase):
    """A page done by a reader, whose folder my_foot lies below build/docs; PAGE names it. A base class: who imports it by
    name has it run as a test."""

    PAGE = None
    QUICKER = {}   # words of the page's commands, and those with which a test compiles less

    @classmethod
    def setUpClass(cls):
        cls.folder = f"build/docs/{Path(cls.PAGE).stem}/my_foot"
        shutil.rmtree(ROOT / cls.folder, ignore_errors=True)
        (ROOT / cls.folder).mkdir(parents=True)
        cls.text = re.sub(r"\bmy_foot\b", cls.folder, (ROOT / cls.PAGE).read_text(encoding="utf-8"))
        for kind, path, _, body in blocks(cls.text):
            if kind == "file":
                (ROOT / path).parent.mkdir(parents=True, exist_ok=True)
                (ROOT / path).write_text(body, encoding="utf-8")
        for words in cls.QUICKER:
            assert words in cls.text, words
        cls.output = {command: execute(cls.quicker(command)) for command in commands(cls.text)}

    @classmethod
    def quicker(cls, command):
        for words, instead in cls.QUICKER.items():
            command = command.replace(words, instead)
        return command

    def test_every_command_succeeds(self):
        self.assertTrue(self.output, "the page has no command to run")

    def printed_by(self, part):
        return next(text for command, text in self.output.items() if part in command)

    def path(self, name):
        return ROOT / self.folder / name

    def written(self, name):
        return self.path(name).read_text(encoding="utf-8")

    def assert_files(self, *names):
        for name in names:
            self.assertTrue(self.path(name).is_file(), name)
