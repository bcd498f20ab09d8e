# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""CD-Lagrange systems on emulated boards: the roll-outs are the host's to the bit, given and learned, and what the host
refuses or notes, the board does, too."""
import dataclasses
import json
import sys
import unittest
from pathlib import Path

import numpy as np

from tinycontact_case import ROOT, Temporary, tc
from tinycontact.cdl import systems
from tinycontact.cdl.simulate import simulate, simulate_model
from test_cdl_simulate import BALL, CRADLE, PENDULUM, random_system

BOARDS = ("mps2-an386", "mps3-an547")
MODELS = ROOT / "tests" / "models"


def system(entry):
    return systems._system(entry, "", 0)


class SameBits(unittest.TestCase):
    """One emulator per board for all of its tests: starting it is what takes the time."""

    @classmethod
    def setUpClass(cls):
        cls.host = tc.Library()
        cls.boards = [tc.Board(name) for name in BOARDS]
        for board in cls.boards:
            cls.addClassCleanup(board.close)

    def compare(self, roll):
        """`roll` on host and boards; the host's Run."""
        here = roll(self.host)
        for board in self.boards:
            there = roll(board)
            for field in ("Q", "V", "contact", "energy"):
                np.testing.assert_array_equal(getattr(there, field), getattr(here, field), f"{field} on {board.name}")
            self.assertEqual((there.name, there.note), (here.name, here.note))
        return here

    def test_the_papers_systems(self):
        """A field of the request and of the firmware differ, an answer's last row is not where the next one begins."""
        for entry in (BALL, {**BALL, "e": 0.7, "m": [3]}, CRADLE, {**CRADLE, "m": [1, 2]}, {**PENDULUM, "steps": 2000}):
            run = self.compare(lambda computer: simulate(system(entry), computer))
            self.assertEqual(run.contact.any(), entry["contact"] != "none")

    def test_a_hundred_thousand_steps(self):
        for entry in (BALL, CRADLE):
            board, few = self.boards[0], {**entry, "steps": 100_000}
            there, here = (simulate(system(few), computer) for computer in (board, self.host))
            for field in ("Q", "V", "contact"):
                np.testing.assert_array_equal(getattr(there, field), getattr(here, field))

    def test_systems_of_all_kinds(self):
        for seed in range(24):
            with self.subTest(seed=seed):
                self.compare(lambda computer: simulate(random_system(seed), computer))

    def test_the_largest(self):
        """64 bodies in a row, all at once; a heap of 20 is a row, which needs no note."""
        row = {**BALL, "contact": "row", "potential": "none", "m": [1] * 64, "e": 0.5, "V0": [-1.0] + [0.0] * 63,
               "Q0": [-0.001 * k for k in range(64)], "order": "simultaneous", "steps": 40}
        self.assertTrue(self.compare(lambda computer: simulate(system(row), computer)).contact.any())
        heap = {**row, "m": [1] * 20, "Q0": [0.0] * 20, "V0": [0.1 * k - 1 for k in range(20)]}
        self.assertEqual("", self.compare(lambda computer: simulate(system(heap), computer)).note)

    def test_learned(self):
        """The trained models, whose impacts are the true ones; and one that is asked beyond its range."""
        for name, entry, steps in (("ball", BALL, 500), ("cradle", CRADLE, 540)):
            path, Q0, V0 = MODELS / f"{name}.tcm", entry["Q0"], entry["V0"]
            run = self.compare(lambda computer: simulate_model(path, Q0, V0, steps, computer))
            np.testing.assert_array_equal(run.contact, simulate(system(entry), self.host).contact)
            self.assertEqual(run.note, "")
            far = self.compare(lambda computer: simulate_model(path, [2 * q + 1 for q in Q0], V0, 30, computer))
            self.assertIn("TC_NOTE_RANGE", far.note)

    def test_refused_alike(self):
        """Overflow ends a run at the same step; a system that the library refuses names the same body."""
        overflow = system({**BALL, "contact": "none", "V0": [1e38], "h": 1.0, "steps": 9})
        driven = dataclasses.replace(system(CRADLE), C=np.array([0.0, -1.0]))   # which no file can say
        for refused_system, told in ((overflow, "step 4, body 1"), (driven, "step 1, body 2")):
            errors = []
            for computer in (self.host, *self.boards):
                with self.assertRaises(tc.TinycontactError) as refused:
                    simulate(refused_system, computer)
                errors.append(str(refused.exception))
            self.assertIn(told, errors[0])
            self.assertEqual(len(set(errors)), 1, errors)

    def test_another_request_ends_the_system(self):
        """Matrices and systems share memory: a roll-out after a call would compute with the call's numbers."""
        board = tc.Board(BOARDS[0])
        self.addCleanup(board.close)
        simulate(system(BALL), board)
        board.mat_mul(np.eye(3), np.eye(3))
        with self.assertRaisesRegex(tc.TinycontactError, "malformed"):
            board.roll(np.array([1.0]), np.array([0.0]), 3)


class Demo(unittest.TestCase):
    def test_another_bit_is_told(self):
        """`make demo` must fail where one number of one row is not the host's."""
        sys.path.insert(0, str(ROOT / "tools"))
        import demo_cdl
        host = tc.Library()
        given, _ = systems.load(MODELS / "systems.json")
        pair = demo_cdl.Pair(given[1], MODELS / "cradle.tcm", host, host)
        self.assertEqual(list(pair.differing()), [])
        pair.learned[0].V[100, 1] = np.nextafter(np.float32(pair.learned[0].V[100, 1]), np.float32(9))
        self.assertEqual(list(pair.differing()), ["cradle, learned: V differs from step 100 on"])


class Command(Temporary):
    def test_board_writes_what_the_host_writes(self):
        Path("s.json").write_text(json.dumps([BALL, CRADLE]))
        for words in ((), ("--board", BOARDS[0])):
            self.command("cdl", "simulate", "s.json", "-o", f"o{len(words)}.json", *words)
        self.assertEqual(Path("o0.json").read_bytes(), Path("o2.json").read_bytes())

    def test_refused(self):
        Path("s.json").write_text(json.dumps(BALL))
        self.refused("cdl", "simulate", "s.json", "-o", "o.json", "--board", "abacus", told=("abacus",))
        self.refused("cdl", "simulate", "s.json", "-o", "o.json", "--board", BOARDS[0], "--double", told=("not allowed",))
        self.assertFalse(Path("o.json").exists())


if __name__ == "__main__":
    unittest.main()
