# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""A ball felt on a board by a simulated finger: the truth lies in the interval; the same seed makes the same log, and the
host's replay has the board's bits; spoilt frames change nothing; a fit of the very touches in float64 agrees; files of touches
that are none are named."""
import os
import unittest
from pathlib import Path
from unittest import mock

import numpy as np

from tinycontact_case import Temporary, tc
from tinycontact.csvfile import read_columns
from tinycontact.errors import TinycontactError
from tinycontact.hil import finger, finger_run, link, wire
from tinycontact.hil.log import read_log
from tinycontact.jsonfile import read_json

BOARD = "mps2-an386"
ASKED = ("number", "x", "y", "z", "outcome", "found", "radius", "radius_low", "radius_high", "radius_sd", "cx", "cy", "cz")


def setUpModule():
    path = mock.patch.dict(os.environ, TINYCONTACT_LIBRARY=str(tc.Library().path))   # do not ask make each time
    path.start()
    unittest.addModuleCleanup(path.stop)


def geometric(points, guess, rounds=30):
    """Centre and radius with the least sum of squared distances, by Gauss and Newton."""
    x = np.array(guess, float)
    for _ in range(rounds):
        away = points - x[:3]
        distance = np.linalg.norm(away, axis=1)
        J = np.column_stack([-away / distance[:, None], -np.ones(len(points))])
        x -= np.linalg.lstsq(J, distance - x[3], rcond=None)[0]
    return x


class Runs(Temporary):
    def touch(self, folder, *words, board="host", status=0):
        """`tinycontact shape touch`: (folder, what it printed, what it said)."""
        out, said = self.command("shape touch", "--board", board, *words, "-o", folder, status=status)
        return Path(folder), out, said

    def test_files(self):
        folder, out, _ = self.touch("out", "--seed", 3)
        self.assertEqual({path.name for path in folder.iterdir()}, {"log.bin", "touches.csv", "summary.json", "report.png"})
        self.assertEqual((folder / "report.png").read_bytes()[:4], b"\x89PNG")
        rows, summary = read_columns(folder / "touches.csv", ASKED), read_json(folder / "summary.json")
        np.testing.assert_array_equal(rows["number"], np.arange(1, 101))
        self.assertEqual((summary["complete"], summary["refused"], summary["naks"], summary["resets"]), (True, 0, 0, 0))
        self.assertTrue(summary["holds"])
        self.assertLess(summary["radius_error"], 0.3e-3)
        self.assertLess(summary["centre_error"], 0.5e-3)
        self.assertLess(summary["found_after"], 12)
        for words in ("true: 30 at 400, 100, 200", "not yet", "after 100 touches", "95 % interval", "report.png"):
            self.assertIn(words, out)
        header = read_log(folder / "log.bin").header
        self.assertEqual((header["app"], header["plant"], header["seed"]), ("finger", "finger", 3))

    def test_floors_and_intervals(self):
        """Forty fingers: 0.06 mm in the median, which the interval knows; each near the geometric fit of its touches."""
        errors, held = [], 0
        with link.open_board("host", app="finger") as board:
            for seed in range(40):
                thing = finger.Object()
                session = finger.FingerSession(board, finger.feel_of(0.06), 1 + seed)
                session.begin()
                touches = list(finger.Finger(thing, 100, seed))
                for touch in touches:
                    felt = session.touch(finger.message_of(touch))
                errors.append(abs(felt.radius - thing.radius))
                held += felt.low <= thing.radius <= felt.high
                best = geometric(np.array([touch.point for touch in touches]), (*thing.centre, thing.radius))
                np.testing.assert_allclose([*felt.centre, felt.radius], best, atol=0.6 * felt.sd[3])
        self.assertLess(np.median(errors), 0.09e-3)   # strokes are fewer places than touches: floor for even ones in C
        self.assertGreaterEqual(held, 34)

    def test_same_seed_same_log(self):
        first, second = (self.touch(name, "--touches", 25, "--tilt", 3)[0] / "log.bin" for name in ("one", "two"))
        self.assertEqual(first.read_bytes(), second.read_bytes())

    def test_emulated_board_has_the_hosts_bits(self):
        folder, out, _ = self.touch("out", "--touches", 40, "--cap", 40, "--tilt", 3, "--tip", 0.004, board=BOARD)
        replayed = self.command("leg hil replay", folder / "log.bin")[0]
        self.assertIn("40 ticks, profile exact: alike, bit for bit", replayed)
        self.assertTrue(read_json(folder / "summary.json")["found"])

    def test_log_of_an_unknown_firmware(self):
        folder, *_ = self.touch("out", "--touches", 3, status=1)
        log = read_log(folder / "log.bin")
        with mock.patch("tinycontact.hil.replay.read_log",
                        return_value=mock.Mock(header={**log.header, "app": "toe"}, records=log.records, cut="")):
            _, said = self.command("leg hil replay", folder / "log.bin", status=2)
        self.assertIn("the header's app is 'toe', none of foot, finger", said)

    def test_spoilt_frames_and_a_reset(self):
        """What is spoilt is sent again and counts once; after a reset the board feels from the beginning."""
        thing, sent = finger.Object(), 0
        with link.open_board("host", app="finger") as board:
            def session_of(number):
                session = finger.FingerSession(board, finger.feel_of(0.06), number)
                session.begin()
                return session
            session = session_of(1)
            plain = [session.touch(finger.message_of(touch)) for touch in finger.Finger(thing, 30, 1)]

            def spoil(frame):
                nonlocal sent
                sent += 1
                return [frame[:5] + bytes([frame[5] ^ 0x55 or 1]) + frame[6:]] if sent % 4 == 0 else [frame]
            session = session_of(2)
            board.line = spoil
            again = [session.touch(finger.message_of(touch)) for touch in finger.Finger(thing, 30, 1)]
            board.line = None
            self.assertGreater(session.repeats, 5)
            for a, b in zip(plain, again):
                self.assertEqual(a.values(), b.values())
            board.restart()
            felt = [session.touch(finger.message_of(touch)) for touch in finger.Finger(thing, 30, 1)][-1]
            self.assertEqual(session.resets, 1)
            self.assertEqual(felt.touches, plain[-1].touches)

    def test_refused(self):
        with link.open_board("host", app="finger") as board:
            with self.assertRaisesRegex(link.Refused, "refused FEEL: its content"):
                finger.FingerSession(board, finger.feel_of(-1.0)).begin()
            session = finger.FingerSession(board, finger.feel_of(0.06))
            session.begin()
            with self.assertRaisesRegex(link.Refused, "no message for a board"):
                session.ask(wire.Predict(0.1, 0), wire.Prediction)


class OwnTouches(Temporary):
    def touch(self, text, *words, status=0):
        Path("own.csv").write_text(text, encoding="utf-8")
        return self.command("shape touch", "--board", "host", "--csv", "own.csv", *words, "-o", "out", status=status)

    @staticmethod
    def lines(touches, normals=False):
        names = "x,y,z,nx,ny,nz" if normals else "x,y,z"
        return "\n".join([names, *(",".join(f"{v:.9g}" for v in (*t.point, *(t.normal if normals else ()))) for t in touches)]) + "\n"

    def test_own_touches(self):
        thing = finger.Object(radius=0.05, centre=(0.0, 0.0, 1.0), noise=0.0002, tilt=0.05)
        touches = list(finger.Finger(thing, 60, 5))
        for normals in (False, True):
            out, _ = self.touch(self.lines(touches, normals), "--known-noise", 0.0002)
            summary = read_json("out/summary.json")
            self.assertAlmostEqual(summary["radius"], 0.05, delta=4 * summary["radius_sd"])
            self.assertLess(summary["radius_sd"], 0.3e-3)
            self.assertNotIn("true", out)
            self.assertNotIn("true_radius", summary)

    def test_no_ball(self):
        flat = "x,y,z\n" + "".join(f"{np.cos(k):.6f},{np.sin(2 * k):.6f},0.5\n" for k in range(40))
        out, said = self.touch(flat, status=1)
        self.assertIn("no ball", out)
        self.assertIn("do not determine a ball", said)
        self.assertFalse(read_json("out/summary.json")["found"])

    def test_files_that_are_none(self):
        for text, told in (("x,y\n1,2\n", "z"), ("x,y,z\n1,2,nan\n", "line 2, column z"),
                           ("x,y,z\n0,0,0\n0,0,0\n", "all in one place"), ("x,y,z,nx\n0,0,0,1\n", "nx but not all"),
                           ("x,y,z,nx,ny,nz\n0,0,0,1,1,0\n0,0,1,0,0,1\n", "line 2: the normal is of length 1.414")):
            _, said = self.touch(text, status=2)
            self.assertIn(told, said)


class Fingers(unittest.TestCase):
    def test_places(self):
        thing = finger.Object(noise=0.0, cap=35.0, tip=0.01, tilt=1e-6)
        touches = list(finger.Finger(thing, 300, 2))
        away = np.array([touch.point for touch in touches]) - thing.centre
        np.testing.assert_allclose(np.linalg.norm(away, axis=1), 0.04, rtol=1e-9)
        self.assertGreaterEqual((away[:, 2] / 0.04).min(), np.cos(np.radians(35.0)) - 1e-9)
        np.testing.assert_allclose(np.array([touch.normal for touch in touches]), away / 0.04, atol=1e-5)
        self.assertTrue(any(touch.stroke for touch in touches) and not all(touch.stroke for touch in touches))

    def test_reach(self):
        with self.assertRaises(TinycontactError):
            finger.reach_of([finger.Touch(1, False, np.zeros(3))])


if __name__ == "__main__":
    unittest.main()
