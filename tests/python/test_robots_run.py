# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The firmware of all feet in the loop (tinycontact/robots/run.py): the same on an emulated board and here, bit for bit,
and as the library computes whole episodes; what is silent, lost or dead is flagged, and the others go on."""
import contextlib
import io
import json
import re
import tempfile
import unittest
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np

from tinycontact import cli
from tinycontact.errors import TinycontactError
from tinycontact.hil import wire
from tinycontact.hil.log import read_log
from tinycontact.hil.replay import replay
from tinycontact.hil.view import FeetView
from tinycontact.robot import whole_export
from tinycontact.robots import fleet, judge, run
from tinycontact.robots.cli_run import instant, window
from tinycontact.robots.firmware import Firmware
from tinycontact.robots.log import joint_names
from tinycontact.robots.plant import robot_of
from tinycontact.robots.session import message_of

ROOT = Path(__file__).resolve().parents[2]
LOST = 2   # TC_FEET_LOST
OPTIONS = run.Options(board="host", seconds=0.8, seed=3)


def ran(folder, **options):
    with contextlib.redirect_stderr(io.StringIO()):
        return run.run(replace(OPTIONS, **options), folder)


class Loop(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def test_board_and_host_are_alike(self):
        """Catches: numbers that differ between a Cortex-M4F and this machine; a robot whose tables are not the file's."""
        ran(self.folder / "here")
        outcome = ran(self.folder / "there", board="mps2-an386")
        here, there = ((self.folder / name / "ticks.csv").read_bytes() for name in ("here", "there"))
        self.assertEqual(here, there)
        self.assertEqual(len(here.splitlines()), 1 + 4 * 800)
        found = replay(self.folder / "there/log.bin")
        self.assertIsNone(found.difference)
        self.assertEqual((found.ticks, found.cut), (800, ""))
        whole = Firmware().run(outcome.episode)
        np.testing.assert_array_equal(outcome.told["p"], np.float32(whole["p"]))
        np.testing.assert_array_equal(outcome.told["impulse"], np.float32(whole["impulse"]))
        summary = json.loads((self.folder / "there/summary.json").read_text())
        self.assertGreater(summary["right"], 0.97)
        self.assertEqual((summary["complete"], summary["refused"], summary["missed_ticks"]), (True, 0, 0))
        self.assertEqual(summary["strayed"], [])
        self.assertGreater(summary["stack"], 500)
        self.assertGreater((self.folder / "there/report.png").stat().st_size, 5000)

    def test_a_silent_limb(self):
        outcome = ran(self.folder, silent=(("FR", 0.4, 0.5), ("RL", 0.45, 0.46)))
        lost = (outcome.told["flags"] & LOST) != 0
        self.assertEqual(lost.sum(axis=0).tolist(), [0, 100, 10, 0])
        self.assertTrue(lost[400:500, 1].all() and lost[450:460, 2].all())
        self.assertGreater(outcome.summary["right"], 0.9)

    def test_lost_frames(self):
        """The estimate before, flagged; the board makes up for the ticks that it never saw."""
        outcome = ran(self.folder, lost=0.05)
        stale = outcome.told["stale"].all(axis=1)
        self.assertTrue(10 < stale.sum() < 80)
        self.assertEqual(outcome.summary["missed_ticks"], stale.sum() - np.flatnonzero(~stale)[0]
                         - (len(stale) - 1 - np.flatnonzero(~stale)[-1]))
        judged = judge.summary(judge.judge(outcome.episode, outcome.told))
        self.assertEqual(outcome.summary["missed"], judged["missed"])   # touch-downs, not the board's ticks
        k = np.flatnonzero(stale)[5]
        np.testing.assert_array_equal(outcome.told["p"][k], outcome.told["p"][k - 1])
        self.assertGreater(outcome.summary["right"], 0.93)

    def test_a_board_per_limb(self):
        """One dies: its foot is flagged from there on, the others say what they would say anyway until they miss the
        velocity that it carried."""
        alone = ran(self.folder / "alone", each=True, share=False)
        shared = ran(self.folder / "shared", each=True, dead=(("RL", 0.6),))
        self.assertEqual(sorted(path.name for path in (self.folder / "shared").glob("log-*.bin")),
                         [f"log-{name}.bin" for name in ("FL", "FR", "RL", "RR")])
        self.assertFalse(alone.told["stale"].any())
        self.assertTrue(shared.told["stale"][600:, 2].all())
        self.assertFalse(shared.told["stale"][:, [0, 1, 3]].any() or shared.told["stale"][:600, 2].any())
        for name in ("FL", "RR"):
            self.assertIsNone(replay(self.folder / f"shared/log-{name}.bin").difference)
        frames = [wire.Codec() for _ in range(2)]
        given = [[frame.message().given for record in read_log(self.folder / f"{name}/log-FL.bin").records
                  if record.direction == 0 for frame in codec.decode(record.data) if frame.type == wire.Robot.TYPE]
                 for codec, name in zip(frames, ("alone", "shared"))]
        self.assertEqual(set(given[0]), {wire.ROBOT_ATTITUDE})
        self.assertIn(wire.ROBOT_ATTITUDE | wire.ROBOT_VELOCITY, given[1])


class Strayed(unittest.TestCase):
    def test_joints_that_the_simulation_lost(self):
        """A stop may give a little; a joint without a range may turn by half a turn."""
        robot = robot_of("go1")
        home = np.concatenate([limb.home for limb in robot.limbs])
        links = robot.limbs[0].links
        links[0].range, links[1].range = None, (home[1] - 0.5, home[1] + 0.5)

        def found(joint, change):
            q = np.tile(home, (20, 1))
            q[7, joint] += change
            return run.strayed(SimpleNamespace(robot=robot, reading=SimpleNamespace(q=q)))

        self.assertEqual((found(0, 3.0), found(1, 0.7), found(1, -0.7)), ([], [], []))
        names = joint_names(robot)
        self.assertEqual((found(0, 3.6), found(0, -3.6), found(1, 0.9)), ([names[0]], [names[0]], [names[1]]))
        facts = {"right": 0.6, "kinds": 0.6, "right_oracle": 1, "kinds_oracle": 1, "touch_downs": 1, "missed": 0, "false": 40}
        self.assertNotIn("the simulation lost", run.told({**facts, "strayed": []}))
        self.assertIn(f"lost joints ({names[0]})", run.told({**facts, "strayed": names[:1]}))


class Messages(unittest.TestCase):
    def test_joints_of_limbs(self):
        robot = fleet.robot("go1")
        sample = {"encoder": np.arange(12.0), "torque": -np.arange(12.0), "gyro": np.ones(3), "accel": np.full(3, 2.0),
                  "attitude": np.array([1.0, 0, 0, 0]), "base_velocity": np.arange(6.0)}
        message = message_of(7, sample, robot, 5)
        self.assertEqual((message.tick, message.limbs, message.silent, tuple(message.joints)), (7, 4, 5, (3, 3, 3, 3)))
        self.assertEqual([tuple(row)[:4] for row in message.encoder], [(0, 1, 2, 0), (3, 4, 5, 0), (6, 7, 8, 0), (9, 10, 11, 0)])
        self.assertEqual(tuple(message.torque[3])[:3], (-9, -10, -11))
        self.assertEqual((tuple(message.base_velocity), tuple(message.base_velocity_variance)), ((0, 1, 2), (3, 4, 5)))
        self.assertEqual(message.given, wire.ROBOT_ATTITUDE | wire.ROBOT_VELOCITY)


class Live(unittest.TestCase):
    def test_rows_of_feet(self):
        """True over estimated, of each foot the last ticks that there is room for."""
        view = FeetView(2000, 1e-3, ["left", "right"], io.StringIO())
        view.begin()
        for k in range(1600):
            view.add([1, 0], [2 * (k >= 1592), 1])
        rows = view._rows()
        self.assertEqual([row[:10] for row in rows[:4]], ["left true ", "     board", "righ true ", "     board"])
        self.assertEqual([row[11:] for row in rows[:4]], [63 * "#", 62 * "." + "~", 63 * ".", 63 * "#"])
        self.assertIn("the last 0.50 s", rows[4])


class Tables(unittest.TestCase):
    def test_the_applications_own(self):
        """boards/apps/robot has what `leg export` writes of the quadruped, but for its form and what made it."""
        def plain(path):
            return re.sub(r"\s+|\*", "", re.sub(r"^/\*.*?\*/", "", path.read_text(encoding="ascii"), flags=re.S))
        with tempfile.TemporaryDirectory() as folder:
            whole_export.write(fleet.robot("go1"), folder, tables_only=True)
            for name in ("robot_tables.h", "robot_tables.c"):
                self.assertEqual(plain(Path(folder, name)), plain(ROOT / "boards/apps/robot" / name))


class Options(unittest.TestCase):
    def test_words(self):
        self.assertEqual(window("FR@0.5-1.25"), ("FR", 0.5, 1.25))
        self.assertEqual(instant("a@b@2"), ("a@b", 2.0))
        for word in ("FR", "FR@", "@1-2", "FR@1", "FR@2-1", "FR@1-1", "FR@x-2", "FR@-1-2"):
            with self.assertRaises(Exception, msg=word):
                window(word)
        for word in ("FR", "FR@", "@1", "FR@x", "FR@-1", "FR@nan"):
            with self.assertRaises(Exception, msg=word):
                instant(word)

    def test_refusals_name_what_is_wrong(self):
        cases = ((["--silent", "XX@0.1-0.2"], "limb 'XX' is none of the robot's: FL, FR, RL, RR"),
                 (["--dead", "FL@0.1"], "--boards each"), (["--alone"], "--boards each"),
                 (["nobody.json"], "nobody.json"), (["--board", "mps2"], "mps2"), (["--silent", "FR@2-1"], "T1 before T2"))
        for words, told in cases:
            with self.subTest(words=words), tempfile.TemporaryDirectory() as folder, \
                    contextlib.redirect_stderr(io.StringIO()) as out:
                try:
                    status = cli.main(["leg", "hil", "run-robot", *words, "--seconds", "0.4", "-o", folder])
                except SystemExit as end:
                    status = end.code
                except TinycontactError as error:
                    print(error, file=out)
                    status = 2
                self.assertEqual(status, 2)
                self.assertIn(told, out.getvalue())


if __name__ == "__main__":
    unittest.main()
