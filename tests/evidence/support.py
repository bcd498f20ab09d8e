# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""What the tests of the evidence tools share: a temporary folder with ways to make files in it."""

import os
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
TOOLS = os.path.join(ROOT, "tools", "evidence")
sys.path.insert(0, TOOLS)

import common  # noqa: E402  (the path comes first)

M4F = ["-mcpu=cortex-m4", "-mthumb", "-mfloat-abi=hard", "-mfpu=fpv4-sp-d16", "-O2", "-std=c11"]


def run(*command):
    return subprocess.run(
        command, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=600, check=False
    )


class Folder(unittest.TestCase):
    """A test with a temporary folder and short ways to make files in it."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)
        return self.path(name)

    def compile(self, name, text, *flags):
        source = self.write(name, text)
        output = self.path(os.path.splitext(name)[0] + ".o")
        done = run("arm-none-eabi-gcc", *M4F, *flags, "-c", source, "-o", output)
        self.assertEqual(done.returncode, 0, done.stderr)
        return output

    def archive(self, *objects):
        done = run("arm-none-eabi-ar", "rcs", self.path("lib.a"), *objects)
        self.assertEqual(done.returncode, 0, done.stderr)
        return self.path("lib.a")

    def tool(self, script, *arguments):
        return run(sys.executable, os.path.join(TOOLS, script), *arguments)

    def assert_fault(self, expected, function, *arguments):
        with self.assertRaises(common.Fault) as caught:
            function(*arguments)
        self.assertIn(expected, str(caught.exception))
