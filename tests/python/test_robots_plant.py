# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The simulated robot, its sensors and episodes, the judge of estimators, and the baselines."""
import unittest
from types import SimpleNamespace

import numpy as np

from tinycontact_case import ROOT   # noqa: F401  the package's path

from tinycontact.errors import TinycontactError
from tinycontact.hil import truth
from tinycontact.robots import episodes, fleet, judge
from tinycontact.robots.description import parse_robot
from tinycontact.robots.plant import Plant
from tinycontact.robots.sensors import Reading, SensorOptions, Sensors, matrix, quaternion

try:
    import mujoco
except ImportError:
    mujoco = None

SECONDS = 2.0


@unittest.skipUnless(mujoco, "mujoco is not installed: make setup GROUPS=sim")
class Episodes(unittest.TestCase):
    """Of one short trot."""

    @classmethod
    def setUpClass(cls):
        cls.episode = episodes.episode("go1", "trot", seed=4, seconds=SECONDS, cached=False)

    def test_feet_carry_the_robot(self):
        e = self.episode
        impulse = sum(foot.impulse[300:].sum(0) for foot in e.feet)
        weight = e.robot.mass * e.robot.g * (SECONDS - 0.3)
        self.assertLess(abs(impulse[2] / weight - 1), 0.05)
        for foot in e.feet:
            share = np.mean(foot.mode != truth.AIR)
            self.assertTrue(0.35 < share < 0.85, share)
            self.assertGreaterEqual(len(foot.touch_down), 2)
            self.assertTrue((foot.impulse[:, 2] >= 0).all())

    def test_joints_stay_within_their_ranges(self):
        for limb, part in zip(self.episode.robot.limbs, self.episode.robot.columns()):
            q = self.episode.reading.q[:, part]
            for k, link in enumerate(limb.links):
                self.assertTrue(link.range[0] < q[:, k].min() and q[:, k].max() < link.range[1], link.name)

    def test_same_seed_same_numbers(self):
        plant = Plant("go1", "trot")
        made = [episodes.record(plant, seed, 60) for seed in (4, 4, 5)]
        np.testing.assert_array_equal(made[0].reading.q, made[1].reading.q)
        self.assertGreater(np.abs(made[0].reading.q - made[2].reading.q).max(), 1e-3)
        np.testing.assert_array_equal(made[0].reading.q, self.episode.reading.q[:60])

    def test_velocity_is_that_of_the_sample(self):
        """The accelerometer, turned into the world's axes, adds up to the change of the velocity."""
        e = self.episode
        turned = np.einsum("tij,tj->ti", e.reading.axes, e.reading.accel) - [0, 0, e.robot.g]
        change = np.cumsum(turned[301:], axis=0) * e.tick
        np.testing.assert_allclose(change[:200], (e.velocity[301:501] - e.velocity[300]), atol=0.02)

    def test_rows_for_a_filter_in_c(self):
        rows, e = self.episode.rows(), self.episode
        self.assertEqual((rows.shape, rows.dtype), ((len(e), 2 * 12 + 11), np.float32))
        np.testing.assert_array_equal(rows[7, 12:24], e.sensors["torque"][7])
        self.assertEqual(len(list(e.samples())), len(e))

    def test_the_truth_late_is_the_oracle(self):
        numbers = judge.table([(self.episode, judge.truth_late(self.episode))])
        self.assertEqual((numbers["missed"], numbers["false"], numbers["base"]), (0, 0, 0.0))
        self.assertLess(numbers["impulse"], 1e-5)
        self.assertEqual(numbers["right"], numbers["right_oracle"])
        self.assertEqual(numbers["kinds"], numbers["kinds_oracle"])
        self.assertAlmostEqual(numbers["delay_above"], 0.0)

    def test_observer(self):
        from tinycontact.robots.observer import Observer
        numbers = judge.table([(self.episode, judge.estimates_of(Observer(), self.episode))])
        self.assertGreater(numbers["right"], 0.97)
        self.assertLess(numbers["delay_above"], 0.4e-3)
        self.assertLess(numbers["impulse"], 0.08)
        self.assertEqual(numbers["missed"], 0)
        static = judge.table([(self.episode, judge.estimates_of(Observer(motion=False), self.episode))])
        self.assertLess(static["right"], numbers["right"])
        with self.assertRaises(TinycontactError):
            Observer(onn=3.0)

    def test_where_the_imu_is_changes_nothing(self):
        """Another place and other axes of the IMU: the observer's forces are those of before, to the sensors' noise."""
        from tinycontact.robots.observer import forces, look
        value = fleet.description("go1")
        value["base"]["imu"] = {"position": [-0.1, 0.05, -0.04], "rpy": [2.0, -0.6, 1.0]}
        moved = parse_robot(value, "moved")
        perfect = {"noise": 0.0, "torque_gain": 0.0, "tilt": 0.0, "encoder_bits": 28}
        seen = []
        for robot in ("go1", moved):
            e = episodes.episode(robot, "trot", seed=4, seconds=0.6, cached=False, **perfect)
            seen.append(forces(look(e, 2000.0), [1000.0])[0])
        self.assertLess(np.abs(seen[0] - seen[1])[20:].max(), 4.0)
        self.assertGreater(seen[0][..., 2].max(), 60.0)


@unittest.skipUnless(mujoco, "mujoco is not installed: make setup GROUPS=sim")
class Others(unittest.TestCase):
    def test_slopes_springs_gaits_and_limbs(self):
        for robot, gait, options in (("solo", "walk", {"slope": (0.2, 0.3)}), ("hound", "bound", {"law": "spring250"}),
                                     ("humanoid-leg", "tap", {}), ("finger", "tap", {"slope": (0.0, 3.0)}),
                                     ("seven", "tap", {}), ("anymal", "stand", {"rough": 0.05})):
            e = episodes.episode(robot, gait, seed=1, seconds=0.9, cached=False, **options)
            self.assertTrue(np.isfinite(e.rows()).all())
            contact = np.array([foot.mode != truth.AIR for foot in e.feet])
            self.assertTrue(0.1 < contact.mean() < 0.99, (robot, contact.mean()))
            slope = np.arccos(e.normal[2])
            low, high = options.get("slope", (0.0, 0.0))
            self.assertTrue(low - 1e-6 <= slope <= high + 1e-6, slope)

    def test_refusals(self):
        for options, words in (({"gait": "trott"}, "did you mean 'trot'?"), ({"law": "stif"}, "did you mean 'stiff'?"),
                               ({"robot": "go11"}, "go11")):
            with self.assertRaises(TinycontactError) as told:
                Plant(**options)
            self.assertIn(words, str(told.exception))


class Sensed(unittest.TestCase):
    def reading(self, ticks=50):
        rng = np.random.default_rng(0)
        axes = matrix((lambda q: q / np.linalg.norm(q, axis=-1, keepdims=True))(rng.normal(size=(ticks, 4))))
        return Reading(rng.normal(size=(ticks, 12)), rng.normal(size=(ticks, 12)), rng.normal(size=(ticks, 3)),
                       rng.normal(size=(ticks, 3)), axes)

    def test_one_by_one_is_all_at_once(self):
        robot, reading = fleet.robot("go1"), self.reading()
        many = Sensors(robot, 3, SensorOptions(lost=0.3)).measure(reading)
        sensors = Sensors(robot, 3, SensorOptions(lost=0.3))
        for k in range(50):
            one = sensors.measure(Reading(*(value[k] for value in vars(reading).values())))
            for name, value in one.items():
                np.testing.assert_array_equal(value, many[name][k], name)
        self.assertTrue(0.1 < many["lost"].mean() < 0.5)

    def test_noise_is_what_is_stated(self):
        robot, reading = fleet.robot("go1"), self.reading(4000)
        read = Sensors(robot, 1, SensorOptions(encoder_bits=14, tilt=0.0)).measure(reading)
        step = 2 * np.pi / 2**14
        error = read["encoder"] - reading.q
        self.assertTrue(0.3 * step < (error - error.mean(0)).std() < 0.55 * step)
        self.assertLess(np.abs(error).max(), 3e-4 + 2.5 * step)
        noise = read["gyro"] - reading.gyro
        np.testing.assert_allclose((noise - noise.mean(0)).std(0), 0.003, rtol=0.1)
        np.testing.assert_allclose(matrix(read["attitude"]), reading.axes, atol=1e-6)
        leaned = Sensors(robot, 1, SensorOptions(tilt=0.1)).measure(reading)["attitude"]
        self.assertGreater(np.abs(matrix(leaned) - reading.axes).max(), 0.005)

    def test_quaternions(self):
        q = np.random.default_rng(2).normal(size=(500, 4))
        q /= np.linalg.norm(q, axis=1, keepdims=True)
        q *= np.sign(q[:, :1])
        np.testing.assert_allclose(quaternion(matrix(q)), q, atol=1e-9)
        for special in np.eye(4):
            np.testing.assert_allclose(quaternion(matrix(special)), special, atol=1e-12)


def facts(ticks, *spans):
    """truth.Truth of a foot, from (begin, end, mode), 1 kHz; contacts begin half a tick after their first tick does."""
    mode = np.zeros(ticks, np.int8)
    for begin, end, kind in spans:
        mode[begin:end] = kind
    contacts = truth.events(mode != 0)
    down = np.array([begin + 0.5 for begin, _ in contacts]) * 1e-3
    up = np.array([end for _, end in contacts]) * 1e-3
    slid = np.array(truth.onsets(mode), float) * 1e-3
    impulse = np.zeros((ticks, 3), np.float32)
    impulse[mode != 0] = [0.01, 0.0, 0.04]
    return truth.Truth(mode, impulse, np.zeros((ticks, 3)), down, up, slid, np.ones(len(down)))


class Judged(unittest.TestCase):
    """Sequences made by hand, whose numbers are counted by hand."""

    def numbers(self, true, said, **more):
        e = SimpleNamespace(feet=[true], tick=1e-3, velocity=np.zeros((len(true.mode), 3)))
        modes = said[:, None]
        estimates = {"contact": modes != 0, "p": np.eye(3)[modes], "impulse": true.impulse[:, None] * 0, **more}
        return judge.summary(judge.judge(e, estimates))

    def test_delays_misses_and_false_ones(self):
        true = facts(1000, (400, 500, 1), (600, 700, 1), (800, 900, 1))
        said = np.zeros(1000, np.int8)
        said[403:505] = 1     # 3 ticks late: 3.5 ms after
        said[740:745] = 1     # false; the second one is missed
        said[801:900] = 1     # 1.5 ms after, let go at once
        n = self.numbers(true, said)
        self.assertEqual((n["touch_downs"], n["missed"], n["false"]), (3, 1, 1))
        self.assertAlmostEqual(n["delay"], np.mean([3.5e-3, 1.5e-3]))
        self.assertAlmostEqual(n["delay_floor"], 1.5e-3)
        self.assertAlmostEqual(n["right"], 1 - (3 + 5 + 100 + 5 + 1) / 700)
        self.assertAlmostEqual(n["right_oracle"], 1 - 6 / 700)
        self.assertAlmostEqual(n["air"], 0.4)
        self.assertAlmostEqual(n["impulse"], 1.0)

    def test_slip(self):
        true = facts(1000, (350, 400, 1), (400, 440, 2), (440, 500, 1), (500, 512, 2), (512, 600, 1))
        said = true.mode.copy()
        said[400:404] = 1     # known 5 ms after the onset
        said[450:460] = 2     # stick called slip
        said[500:512] = 1     # a short one that is not found
        n = self.numbers(true, said)
        self.assertEqual((n["onsets"], n["onset_found"], n["onset_prompt"]), (1, 1.0, 1.0))
        self.assertEqual((n["onsets10"], n["onset10_found"], n["onset10_prompt"]), (2, 0.5, 0.5))
        self.assertAlmostEqual(n["stick_as_slip"], 10 / 198)
        self.assertAlmostEqual(n["kinds"], 1 - 26 / 700)
        said[404] = 1
        self.assertEqual(self.numbers(true, said)["onset_prompt"], 0.0)

    def test_impulse_and_base(self):
        true = facts(1000, (400, 500, 1))
        late = np.concatenate([true.impulse[:1], true.impulse[:-1]])[:, None] * np.array([1.0, 1.0, 0.9])
        velocity = np.full((1000, 3), [0.03, 0.04, 7.0])
        n = self.numbers(true, true.mode, impulse=late, velocity=velocity)
        self.assertAlmostEqual(n["impulse"], 0.1 * 0.04 / np.hypot(0.01, 0.04), places=5)
        self.assertAlmostEqual(n["base"], 0.05)

    def test_an_estimator_is_asked_tick_by_tick(self):
        """The truth of a tick before, handed out by update(), is the oracle."""
        true = facts(800, (400, 500, 1))
        sensors = {"encoder": np.arange(800.0)[:, None]}
        e = episodes.Episode(None, None, [true], None, None, np.array([0, 0, 1.0]), np.zeros((800, 3)), np.zeros(800),
                             None, 0.5, {}, sensors)

        class Late:
            def reset(self, robot):
                self.mode = 0

            def update(self, sample):
                mode, self.mode = self.mode, int(true.mode[int(sample["encoder"][0])])
                return judge.Estimate(np.array([mode != 0]), np.eye(3)[[mode]], np.zeros((1, 3)))
        n = judge.table([(e, judge.estimates_of(Late(), e))])
        self.assertEqual((n["right"], n["missed"], n["false"]), (n["right_oracle"], 0, 0))
        self.assertTrue(np.isnan(n["base"]))


if __name__ == "__main__":
    unittest.main()
