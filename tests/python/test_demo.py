# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""What `make demo` shows and when it fails: each of its sections, on the host where a board is not the point."""
import contextlib
import io
import re
import sys
import types
import unittest
from pathlib import Path
from unittest import mock

from hil_case import dying_at
from tinycontact_case import ROOT, Temporary
from tree import makefiles
from tinycontact.hil import replay
from tinycontact.jsonfile import read_json

sys.path.insert(0, str(ROOT / "tools"))
import demo         # noqa: E402
import demo_impact  # noqa: E402
import demo_leg     # noqa: E402
import demo_robot   # noqa: E402

PLAIN = demo.Paint(False)


def said(function, *words):
    """(what it returns, what it prints)"""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        result = function(*words, PLAIN)
    return result, out.getvalue()


class Leg(Temporary):
    def leg(self, board="host"):
        arguments = types.SimpleNamespace(board=board, hil="run", leg_picture="demo.png")
        with mock.patch.object(demo_leg, "SECONDS", 0.3):
            return said(demo.leg, arguments)

    def test_what_a_person_sees(self):
        failed, out = self.leg()
        self.assertEqual(failed, 0)
        for words in ("emulated host", "sticks", "  true  ", "board ", "true touch-downs", "x real time", "demo.png",
                      "replay on this host: 304 frames of host, 300 ticks, profile exact: alike, bit for bit"):
            self.assertIn(words, out)
        self.assertEqual(Path("demo.png").read_bytes()[:4], b"\x89PNG")
        self.assertTrue(Path("run/log.bin").is_file())

    def test_no_such_board(self):
        failed, out = self.leg("abacus")
        self.assertEqual(failed, 1)
        self.assertIn("no board 'abacus'", out)

    def test_board_that_ends_half_way(self):
        with dying_at(120):
            failed, out = self.leg()
        self.assertEqual(failed, 1)
        self.assertIn("board host: ended by signal 9", out)
        self.assertNotIn("alike", out)

    def test_replay_that_differs(self):
        difference = replay.Difference(7, "Estimate.p[1]", 0.25, 0.5)
        with mock.patch.object(replay, "replay", lambda path: replay.Replay({}, 6, 6, difference, "")):
            failed, out = self.leg()
        self.assertEqual(failed, 1)
        self.assertIn("replay on this host: tick 7, Estimate.p[1]: the board 0.25", out)
        self.assertNotIn("alike", out)


class Robot(Temporary):
    def robot(self, board="host"):
        arguments = types.SimpleNamespace(board=board, robot="run", robot_picture="robot.png")
        with mock.patch.object(demo_robot, "SECONDS", 0.6):
            return said(demo.robot, arguments)

    def test_what_a_person_sees(self):
        """Four feet, true over estimated."""
        failed, out = self.robot()
        self.assertEqual(failed, 0)
        for words in ("a robot's firmware on host", "FL         true", "RR         true", "board ", "touch-downs", "robot.png",
                      "600 ticks, profile exact: alike, bit for bit"):
            self.assertIn(words, out)
        self.assertEqual(Path("robot.png").read_bytes()[:4], b"\x89PNG")
        self.assertGreater(read_json("run/summary.json")["right"], 0.97)

    def test_no_such_board(self):
        failed, out = self.robot("abacus")
        self.assertEqual(failed, 1)
        self.assertIn("no board 'abacus'", out)


class Floor(Temporary):
    def floor(self, board="host"):
        arguments = types.SimpleNamespace(board=board, floor="run", floor_picture="floor.png")
        return said(demo.floor, arguments)

    def test_what_a_person_sees(self):
        """The floor changes, the board is reset, and what it says at the end is the truth."""
        failed, out = self.floor()
        self.assertEqual(failed, 0)
        for words in ("true: mu 0.5", "true: mu 0.2", "power is cut", "slips", "sticks", "90 % interval", "friction mu", "floor.png",
                      "80 ticks, profile exact: alike, bit for bit"):
            self.assertIn(words, out)
        self.assertEqual(Path("floor.png").read_bytes()[:4], b"\x89PNG")
        summary = read_json("run/summary.json")
        self.assertEqual(summary["resets"], 1)
        for name, value in (("mu", demo_impact.CHANGE), ("e", 0.6), ("ratio", 1.3)):
            self.assertAlmostEqual(summary[f"{name}_value"] / value, 1, delta=0.02)
            self.assertTrue(summary[f"{name}_holds"], name)

    def test_no_such_board(self):
        failed, out = self.floor("abacus")
        self.assertEqual(failed, 1)
        self.assertIn("no board 'abacus'", out)

    def test_replay_that_differs(self):
        difference = replay.Difference(7, "Identified.value[1]", 0.25, 0.5)
        with mock.patch.object(replay, "replay", lambda path: replay.Replay({}, 6, 6, difference, "")):
            failed, out = self.floor()
        self.assertEqual(failed, 1)
        self.assertIn("replay on this host: tick 7, Identified.value[1]: the board 0.25", out)
        self.assertNotIn("alike", out)


class Touch(Temporary):
    def touch(self, board="host"):
        arguments = types.SimpleNamespace(board=board, touch="run", touch_picture="touch.png")
        return said(demo.touch, arguments)

    def test_what_a_person_sees(self):
        """The radius comes near the truth as touches come, and its interval holds it."""
        failed, out = self.touch()
        self.assertEqual(failed, 0)
        for words in ("a finger's firmware on host", "true: 30 at 400, 100, 200", "not yet", "stroke",
                      "after 100 touches", "95 % interval of the radius", "touch.png", "100 ticks, profile exact: alike, bit for bit"):
            self.assertIn(words, out)
        self.assertEqual(Path("touch.png").read_bytes()[:4], b"\x89PNG")
        summary = read_json("run/summary.json")
        self.assertLess(summary["radius_error"], 1e-4)
        self.assertLess(summary["centre_error"], 3e-4)
        self.assertTrue(summary["holds"])

    def test_no_such_board(self):
        failed, out = self.touch("abacus")
        self.assertEqual(failed, 1)
        self.assertIn("no board 'abacus'", out)

    def test_replay_that_differs(self):
        difference = replay.Difference(7, "Felt.radius", 0.03, 0.04)
        with mock.patch.object(replay, "replay", lambda path: replay.Replay({}, 6, 6, difference, "")):
            failed, out = self.touch()
        self.assertEqual(failed, 1)
        self.assertIn("replay on this host: tick 7, Felt.radius: the board 0.03", out)
        self.assertNotIn("alike", out)


class OnBoard(unittest.TestCase):
    def test_self_test_counts_failures(self):
        good, bad = "test_mat.c:10:add:PASS", "test_lcp.c:3:cycling:FAIL: Expected 1 Was 2"
        failed, out = said(demo.self_test, f"echo tinycontact 0; echo {good}; echo '{bad}'; exit 1")
        self.assertEqual(failed, 1)
        self.assertIn("cycling: Expected 1 Was 2", out)
        self.assertIn("2 tests on the board, 1 failed", out)
        self.assertEqual(said(demo.self_test, f"echo tinycontact 0; echo {good}")[0], 0)

    def test_self_test_that_ends_before_its_tests(self):
        """Silence, and a board that dies after tests which all passed."""
        self.assertEqual(said(demo.self_test, "true")[0], 1)
        self.assertEqual(said(demo.self_test, "echo test_mat.c:10:add:PASS; exit 3")[0], 1)

    def test_throws_that_fail(self):
        failed, out = said(demo.throws, types.SimpleNamespace(throws="echo FAULT; exit 2"))
        self.assertEqual(failed, 1)
        self.assertIn("FAULT", out)


class Costs(unittest.TestCase):
    def test_all_of_it_is_measured(self):
        """Every row that the demo names is in the committed measurements, which it names, with how to renew them."""
        arguments = types.SimpleNamespace(measured=ROOT / "tests" / "measured.csv", board=demo_board(), profile="exact")
        _, out = said(demo.price, arguments)
        for text, *_ in (*demo.ROWS, *demo.CONTACT, *demo.LINKED):
            self.assertRegex(out, rf"(?m)^  {text.replace('(', '.').replace(')', '.')} .*\d")
        for words in ("tests/measured.csv", "`make bench`"):
            self.assertIn(words, out)


def demo_board():
    """The board of the Makefile's demo."""
    return re.search(r"^DEMO_BOARD := (\S+)", makefiles(), re.M).group(1)


if __name__ == "__main__":
    unittest.main()
