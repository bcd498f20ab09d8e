# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The fixtures for users' tests: the example runs as it stands, and a failing test fails; tests in a folder of a user's
own run under pytest, on an emulated board and, unchanged, on one at a serial port."""
import importlib.util
import os
import pty
import subprocess
import sys
import tty
import unittest
from pathlib import Path
from unittest import mock

from tinycontact_case import ROOT, Temporary
from tinycontact.errors import TinycontactError
from tinycontact.hil import link
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
        self.assertEqual(sum(name.startswith("test_") for name in vars(Example)), 4)

    def test_environment(self):
        """Whoever runs a test has the last word on the board."""
        @hil(board="host")
        def test_it():
            pass
        with mock.patch.dict(os.environ, TINYCONTACT_PORT="/dev/x", TINYCONTACT_BAUD="921600", TINYCONTACT_BOARD=""):
            self.assertEqual(chosen(test_it, BOARD), {**BOARD, "board": "host", "port": "/dev/x", "baud": 921600})
        with mock.patch.dict(os.environ, TINYCONTACT_BAUD="fast"):
            with self.assertRaisesRegex(TinycontactError, "TINYCONTACT_BAUD: 'fast' is no number"):
                chosen(test_it, BOARD)


MINE = """
from tinycontact.hil import wire
from tinycontact.hil.choices import hil

pytest_plugins = ["tinycontact.hil.fixtures"]


@hil(plant="leg", chain="mine.json", seed=3)
def test_mine(board, plant):
    board.begin(plant.chain)
    assert [board.tick(plant.step()).status for _ in range(50)] == [0] * 50


@hil(plant="leg", seed=3)
def test_reset(board, plant):
    board.begin(plant.chain)
    first = [tuple(board.tick(plant.step()).p) for _ in range(5)]
    board.reset()
    plant.restart()
    assert [tuple(board.tick(plant.step()).p) for _ in range(5)] == first
    assert board.session.resets == 1


@hil(board="nowhere")
def test_no_board(board):
    pass


@hil(plant="leg", chain="none.json")
def test_no_chain(plant):
    pass
"""

OWN = """
from tinycontact.hil.choices import hil

pytest_plugins = ["tinycontact.hil.fixtures"]


def ticks(board, plant):
    board.begin(plant.chain)
    assert [board.tick(plant.step()).status for _ in range(5)] == [0] * 5


@hil(command=["./run_mine"], plant="leg", seed=3)
def test_list(board, plant):
    ticks(board, plant)


@hil(command="./run_mine", plant="leg", seed=3)
def test_text(board, plant):
    ticks(board, plant)


@hil(board="host", app="app", plant="leg", seed=3)
def test_folder(board, plant):
    ticks(board, plant)


@hil(command=["./run_other"])
def test_no_command(board):
    pass


@hil(board="host", app="other")
def test_no_folder(board):
    pass
"""


class Pytest(Temporary):
    def pytest(self, *words, **environment):
        """What pytest says of the tests in this folder."""
        Path("test_mine.py").write_text(MINE)
        Path("mine.json").write_bytes((ROOT / "tests" / "hil" / "chains" / "leg.json").read_bytes())
        done = subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *words], text=True,
                              env={**os.environ, "PYTHONPATH": str(ROOT / "tools"), **environment}, capture_output=True)
        return done.stdout + done.stderr

    def test_emulated(self):
        said = self.pytest()
        self.assertRegex(said, "2 passed.* 2 errors")
        self.assertIn("no board 'nowhere': boards/ holds host", said)
        self.assertIn("none.json: No such file or directory", said)
        self.assertNotIn("fixtures.py", said.replace("tinycontact.hil.fixtures", ""))

    def test_firmware_of_ones_own(self):
        """A command and a folder are looked for where pytest runs, not in the checkout."""
        words = link.command_of("host", "exact", link.APP)
        Path("run_mine").write_text(f"#!/bin/sh\nexec {ROOT / words[0]}\n")
        Path("run_mine").chmod(0o755)
        Path("app").mkdir()
        for path in (ROOT / "boards" / "apps" / "foot").glob("*.[ch]"):
            (Path("app") / path.name).write_bytes(path.read_bytes())
        Path("test_own.py").write_text(OWN)
        said = self.pytest("test_own.py")
        self.assertRegex(said, "3 passed, 2 errors|2 errors.* 3 passed|3 passed.* 2 errors")
        self.assertIn(f"./run_other: cannot be started from {Path.cwd()} (there is no such program)", said)
        self.assertIn("no application 'other'", said)

    def test_options(self):
        """The plugin, which an installed package brings by itself, has the last word; beside a file that names fixtures.py."""
        self.assertRegex(self.plugged("--board", "host"), "3 passed.* 1 error")   # test_no_board has one now
        said = self.plugged("--board-port", "/dev/nowhere", "--board-baud", "57600", "-k", "mine", TINYCONTACT_BOARD="host")
        self.assertIn("/dev/nowhere: cannot be opened (there is no such port", said)
        self.assertIn("--board-port=PORT", self.plugged("--help"))

    def plugged(self, *words, **environment):
        """With the plugin, and with no plugins of entry points, of which it is one where the package is installed."""
        return self.pytest("-p", "tinycontact.hil.pytest_plugin", *words, PYTEST_DISABLE_PLUGIN_AUTOLOAD="1", **environment)

    def test_serial_port(self):
        """The same tests and the example, on a board that has been running for long."""
        board, port = pty.openpty()
        tty.setraw(board)
        command = link.command_of("mps2-an386", "exact", link.APP)
        firmware = subprocess.Popen(command, cwd=ROOT, stdin=board, stdout=board)
        self.addCleanup(firmware.wait)
        self.addCleanup(firmware.kill)
        said = self.pytest(".", str(ROOT / "tests" / "hil" / "test_example.py"), TINYCONTACT_PORT=os.ttyname(port))
        self.assertRegex(said, "7 passed.* 1 error")   # test_no_board has one now
        os.close(board)
        os.close(port)


if __name__ == "__main__":
    sys.exit(unittest.main())
