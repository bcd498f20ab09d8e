# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The library's estimator of all feet, against the reference in float64 (robots/bank.py) tick by tick, and its faults
against what is true."""
import unittest

import numpy as np

from tinycontact_case import Temporary   # noqa: F401 (puts tools/ in the path)

from tinycontact.errors import StatusError, TinycontactError
from tinycontact.robots import bank, judge
from tinycontact.robots.episodes import episode
from tinycontact.robots.firmware import FLAGS, Firmware, fields

try:
    import mujoco
except ImportError:
    mujoco = None

CASES = [("go1", "trot", 3), ("hound", "walk", 4), ("humanoid-leg", "tap", 3), ("seven", "tap", 3), ("finger", "tap", 3)]


@unittest.skipUnless(mujoco, "mujoco is not installed: make setup GROUPS=sim")
class Reference(unittest.TestCase):
    def test_equal_tick_by_tick(self):
        """In double the same numbers, but for constants that are rounded; in float what float leaves of encoders of 1
        rad: 1e-7. Where two hypotheses are level for long, as in the walk, that much of an encoder is seen."""
        for robot, gait, seed in CASES:
            e = episode(robot, gait, seed=seed, seconds=0.5, cached=False)
            truth = judge.estimates_of(bank.Bank(), e)
            for real, step, share, impulse in (("double", 1e-3, 0.03, 2e-3), ("float", 1e-2, 0.01, 4e-3)):
                with self.subTest(robot=robot, real=real):
                    told = judge.estimates_of(Firmware(real=real), e)
                    self.assertEqual(set(told["status"]), {0})
                    p = np.abs(told["p"] - truth["p"]).max(-1)
                    self.assertLess(np.mean(p > step), share if gait != "walk" else 0.1)
                    self.assertLess(p.max(), 0.2)
                    self.assertLessEqual((told["contact"] != truth["contact"]).sum(), 2 * (gait == "walk"))
                    size = np.abs(truth["impulse"]).max()
                    self.assertLess(np.abs(told["impulse"] - truth["impulse"]).max(), (10 if gait == "walk" else 1) * impulse * size)
                    self.assertLess(np.abs(told["velocity"] - truth["velocity"]).max(), 2e-3)
                    self.next_equal(told["next"], truth["next"])

    def next_equal(self, told, truth):
        """Times of the next touch-downs; where one is just within the horizon, only one may be foreseen."""
        both = np.isfinite(told) & np.isfinite(truth)
        self.assertGreater(both.sum(), 20)
        self.assertLess(np.mean(np.isfinite(told) != np.isfinite(truth)), 0.01)
        error = np.abs(told - truth)[both]
        self.assertLess(np.median(error), 1e-5)
        self.assertLess(np.percentile(error, 95), 1e-3)


@unittest.skipUnless(mujoco, "mujoco is not installed: make setup GROUPS=sim")
class Faults(unittest.TestCase):
    def right(self, told, e):
        n = judge.table([(e, told)])
        self.assertGreater(n["right"], n["right_oracle"] - 0.025)
        self.assertEqual(n["missed"], 0)
        return n

    def test_lost_frames_gains_and_no_attitude(self):
        """A lost frame is not read; gains of 15 % are identified; without attitude gyro and accelerometer make one."""
        e = episode("go1", "trot", seed=7, seconds=1.6, lost=0.05, torque_gain=0.15, cached=False)
        rows = Firmware().rows(e)
        flagged = (rows["foot"]["flags"][:, :4] & FLAGS["lost"]) != 0
        np.testing.assert_array_equal(flagged, (e.sensors["lost"] > 0)[:, None].repeat(4, 1))
        n = self.right(judge.estimates_of(Firmware(), e), e)
        self.assertLess(n["impulse"], 0.06)
        self.right(judge.estimates_of(Firmware(given=()), e), e)
        gain = judge.estimates_of(Firmware(), e)["scale"][-1]
        self.assertGreater(np.abs(gain - 1).max(), 0.03)


class Settings(unittest.TestCase):
    def test_unknown_names(self):
        e = still()
        with self.assertRaisesRegex(TinycontactError, "the nearest is lift_off"):
            Firmware(lift_of=0.1).rows(e)
        with self.assertRaisesRegex(TinycontactError, "torque_gain"):
            Firmware(sensing={"gain": 1.0})
        with self.assertRaises(StatusError):
            Firmware(lift_off=2.0).rows(e)
        self.assertIn("stance", fields())


class Still:
    """What Firmware reads of an Episode: a robot at rest in the air, held by its torques."""
    tick = 1e-3

    def __init__(self, robot, ticks):
        from tinycontact.robots.motion import move
        self.robot, self.length = robot, ticks
        q = np.concatenate([limb.home if limb.home is not None else np.full(limb.joints, 0.3) for limb in robot.limbs])
        torque = [move(limb, q[at], 0 * q[at], force=np.array([0, 0, robot.g])).bias
                  for limb, at in zip(robot.limbs, robot.columns())]
        random = np.random.default_rng(3)

        def noisy(values, sigma):
            values = np.asarray(values, float)
            return (values + sigma * random.standard_normal((ticks, len(values)))).astype(np.float32)

        self.sensors = {
            "encoder": noisy(q, 3e-5), "torque": noisy(np.concatenate(torque), 0.05), "gyro": noisy(np.zeros(3), 3e-3),
            "accel": noisy(robot.imu_axes.T @ [0, 0, robot.g], 0.06), "attitude": noisy([1.0, 0, 0, 0], 0.0),
            "lost": np.zeros(ticks, np.float32)
        }

    def __len__(self):
        return self.length


def still(name="go1", ticks=60):
    from tinycontact.robots import fleet
    return Still(fleet.robot(name), ticks)


if __name__ == "__main__":
    unittest.main()
