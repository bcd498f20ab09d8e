# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The fixtures for users' tests: the example runs as it stands, and a failing test fails."""
import importlib.util
import sys
import unittest

from tinycontact_case import ROOT
from tinycontact.hil.choices import BOARD, chosen, hil
from tinycontact.hil.fixtures import test_case

spec = importlib.util.spec_from_file_location("test_example", ROOT / "tests" / "hil" / "test_example.py")
example = importlib.util.module_from_spec(spec)
spec.loader.exec_module(example)

Example = test_case(vars(example))


class Choices(unittest.TestCase):
    def test_chosen(self):
        @hil(board="host", seed=4)
        def test_it():
            pass
        self.assertEqual(chosen(test_it, BOARD), {**BOARD, "board": "host"})
        with self.assertRaisesRegex(TypeError, "no choice 'colour'; there are board"):
            hil(colour="red")

    def test_a_failing_test_fails(self):
        """And the board it had has ended."""
        boards = []

        @hil(board="host")
        def test_it(board):
            boards.append(board.link.process)
            assert board.ticks == 1, "not yet"
        result = unittest.TestResult()
        test_case({"test_it": test_it})("test_it").run(result)
        self.assertIn("not yet", result.failures[0][1])
        self.assertIsNotNone(boards[0].poll())

    def test_example_has_all(self):
        self.assertEqual(sum(name.startswith("test_") for name in vars(Example)), 3)


if __name__ == "__main__":
    sys.exit(unittest.main())
