# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Estimators of robots' feet: the bank in the contact's space, the baselines, and the command that judges them."""
import copy
import unittest
from dataclasses import replace
from unittest import mock

import numpy as np

from tinycontact_case import Temporary

from tinycontact.errors import TinycontactError
from tinycontact.hil import truth
from tinycontact.robots import bank, bank_next, evaluate, fused, judge, tuning
from tinycontact.robots.episodes import episode
from tinycontact.robots.evaluate import Condition
from tinycontact.robots.sensors import Sensors

try:
    import mujoco
except ImportError:
    mujoco = None

SECONDS = 1.6


def read(e, t):
    return {name: values[t][None].astype(float) for name, values in e.sensors.items()}


@unittest.skipUnless(mujoco, "mujoco is not installed: make setup GROUPS=sim")
class Bank(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.episode = episode("go1", "trot", seed=7, seconds=SECONDS, cached=False)
        cls.told = judge.estimates_of(bank.Bank(), cls.episode)

    def test_feet_and_base(self):
        n = judge.table([(self.episode, self.told)])
        self.assertGreater(n["right"], n["right_oracle"] - 0.015)
        self.assertGreater(n["kinds"], n["kinds_oracle"] - 0.03)
        self.assertEqual((n["missed"], n["false"]), (0, 0))
        self.assertLess(n["delay_above"], 0.3e-3)
        self.assertLess(n["impulse"], 0.07)
        self.assertLess(n["base_median"], 0.02)

    def test_probabilities_add_up(self):
        np.testing.assert_allclose(self.told["p"].sum(-1), 1.0, atol=1e-9)
        self.assertEqual(self.told["contact"].shape, (len(self.episode), 4))

    def test_many_at_once_are_each_alone(self):
        """Another robot with the same joints runs beside it."""
        pair = [episode(name, "trot", seed=1, seconds=0.12, cached=False) for name in ("go1", "hound")]
        many = bank.Bank().run_many(pair)
        for one, told in zip(pair, many):
            alone = bank.Bank().run_many([one])[0]
            for name, values in told.items():
                np.testing.assert_allclose(values, alone[name], atol=1e-6, err_msg=name)

    def test_other_joints_are_refused_at_once(self):
        pair = [episode(name, "tap", seed=1, seconds=0.01, cached=False) for name in ("humanoid-leg", "finger")]
        with self.assertRaises(TinycontactError):
            bank.Bank().run_many(pair)
        for one in pair:
            told = bank.Bank().run_many([one])[0]
            self.assertTrue(np.isfinite(told["p"]).all())
        self.assertEqual(np.abs(told["velocity"]).max(), 0.0)   # the finger's base is fixed

    def test_a_base_that_is_wrong_is_doubted(self):
        """Told another velocity in the middle of a stance, feet seem to slip alike, and it comes back. Without the
        doubt it stays."""
        left = {}
        usual = bank.Settings().alike
        for fastest in (0.0, usual[-1]):
            filters = bank.Filters(bank.Robots([self.episode.robot]), bank.Settings(alike=(*usual[:-1], fastest)), 1e-3)
            for t in range(1000):
                filters.tick(read(self.episode, t))
                if t == 500:
                    filters.v[:, 0, 0] += 0.5
                    filters.vP[:, 0, 0] = 1e-6
            left[fastest] = np.hypot(*(filters.v[0, :, 0] - self.episode.velocity[999, :2]))
        self.assertGreater(left[0.0], 0.3)
        self.assertLess(left[usual[-1]], 0.05)

    def test_feet_that_slip_apart_are_believed(self):
        """Two loaded feet that slide with different velocities do not make the base doubted; with one they do."""
        for apart, doubted in ((0.5, False), (0.0, True)):
            filters = bank.Filters(bank.Robots([self.episode.robot]), bank.Settings(begin=0), 1e-3)
            for t in range(3):
                filters.tick(read(self.episode, t))
            filters.pi[:] = [[1, 0, 0, 0], [0, 0, 1, 0], [0, 0, 1, 0], [1, 0, 0, 0]]
            filters.load[:] = [0.0, 0.0, 60.0]
            slides = np.zeros((1, 4, 3))
            slides[0, :, 0], slides[0, 1, 0] = 0.3, 0.3 + apart
            filters.v[:], filters._relative = 0.0, lambda slides=slides: slides
            for _ in range(10):
                filters._doubt()
            self.assertAlmostEqual(filters.v[0, 0, 0], -0.3 * doubted, delta=0.02)

    def test_friction_decides_where_one_foot_stands(self):
        """On a slope, in the floor's axes: a foot whose force along the floor is against its sliding slides."""
        normal = np.array([0.3, 0.0, 1.0]) / np.hypot(0.3, 1.0)
        downhill = np.array([1.0, 0.0, -0.3]) / np.hypot(1.0, 0.3)
        for friction, doubted in ((0.2, False), (0.0, True)):
            filters = bank.Filters(bank.Robots([self.episode.robot]), bank.Settings(begin=0), 1e-3)
            filters.tick(read(self.episode, 0))
            filters.slope[:] = [-0.3, 0.0]
            filters.pi[:], filters.pi[0, 1] = [1, 0, 0, 0], [0, 0, 1, 0]
            filters.load[:] = 0.0
            filters.load[0, 1] = 80.0 * (normal - friction * downhill)
            filters.v[:], filters._relative = 0.0, lambda: 0.4 * downhill + np.zeros((1, 4, 3))
            filters.opposed[:], before = friction, filters.vP[0, 0, 0]
            for _ in range(60):
                filters._doubt()
            self.assertEqual(filters.vP[0, 0, 0] > before + 0.01, doubted)

    def test_scales_of_torques_are_found(self):
        """Each torque read with a scale of its own, known after two seconds to 5 %."""
        e = episode("go1", "trot", seed=7, seconds=2.0, cached=False)
        scale = 1 + 0.15 * np.random.default_rng(3).uniform(-1, 1, 12)
        read_wrong = {**e.sensors, "torque": e.sensors["torque"] * scale}
        filters = bank.Filters(bank.Robots([e.robot]), bank.Settings(), 1e-3)
        for t in range(2000):
            filters.tick({name: values[t][None].astype(float) for name, values in read_wrong.items()})
        whole = scale * Sensors(e.robot, 7).gain
        self.assertGreater(np.abs(whole - 1).max(), 0.12)
        np.testing.assert_allclose(filters.gains.k.ravel() * whole, 1.0, atol=0.05)

    def test_a_joint_near_its_stop_is_not_believed(self):
        """Noise of that joint's torque alone; a joint without stops has none to come near."""
        robot = copy.deepcopy(self.episode.robot)
        links = robot.limbs[0].links
        at = float(self.episode.sensors["encoder"][0][1])
        links[1] = replace(links[1], range=(at - 1.0, at + 0.01))
        links[2] = replace(links[2], range=None)
        filters = bank.Filters(bank.Robots([robot]), bank.Settings(), 1e-3)
        filters.tick(read(self.episode, 0))
        spread = np.sqrt(filters.s2[0]) / 1e-3
        self.assertGreater(spread[0, 1], 10.0)
        self.assertLess(np.delete(spread.ravel(), 1).max(), 3.0)

    def test_a_lost_frame_is_not_read(self):
        e = episode("go1", "trot", seed=7, seconds=0.3, cached=False)
        lost = {name: np.array(values) for name, values in e.sensors.items()}
        lost["lost"][150] = True
        nonsense = {name: np.array(values) for name, values in lost.items()}
        for name in ("encoder", "torque", "gyro", "accel", "attitude"):
            nonsense[name][150] = 1e3
        one, other = (judge.estimates_of(bank.Bank(), replace(e, sensors=values)) for values in (lost, nonsense))
        for name, values in one.items():
            np.testing.assert_array_equal(values, other[name], err_msg=name)

    def test_the_mean_deviation_returns_into_the_joints(self):
        filters = bank.Filters(bank.Robots([self.episode.robot]), bank.Settings(), 1e-3)
        for t in range(30):
            filters.tick(read(self.episode, t))
        mean = (filters.pi[..., None] * filters.x).sum(-2)
        self.assertLess(np.abs(mean[..., :3]).max(), 2e-5)
        self.assertLess(np.abs(mean[..., 3:]).max(), 2e-2)

    def test_lost_frames(self):
        e = episode("go1", "trot", seed=7, seconds=0.8, cached=False, lost=0.1)
        told = judge.estimates_of(bank.Bank(), e)
        self.assertTrue(all(np.isfinite(values).all() for name, values in told.items() if name != "next"))
        n = judge.table([(e, told)])
        self.assertGreater(n["right"], 0.95)

    def test_coarse_encoders_widen_what_sticks(self):
        """By their noise over that of 16 bits, as a variance."""
        left = []
        for noise in (1e-5, 4e-5, 16e-5):
            filters = bank.Filters(bank.Robots([self.episode.robot]), bank.Settings(tangent=0.1), 1e-3)
            filters.tick(read(self.episode, 0))
            filters.sigma[:], filters.vP[:] = noise, 0.0
            filters.P[:] = 1e6 * np.eye(6)
            filters._constrain()
            left.append(filters.P[0, 0, bank.STICK, 3, 3])
        np.testing.assert_allclose(left, [0.01, 0.01, 0.04], rtol=1e-3)

    def test_direction_of_slip(self):
        """Known, the second moment is that of one direction; not known, of all; always a covariance."""
        filters = bank.Filters(bank.Robots([self.episode.robot]), bank.Settings(friction=0.5), 1e-3)
        filters.tick(read(self.episode, 0))
        filters.vP[:] = 0.0
        filters.P[..., bank.SLIP, :, :] = 0.0
        filters.x[..., bank.SLIP, 3:] = [30.0, 40.0, 0.0]
        want = np.array([-0.5 * 0.6, -0.5 * 0.8, 1.0])
        np.testing.assert_allclose(filters._direction()[0, 0], np.outer(want, want), atol=0.03)
        filters.P[..., bank.SLIP, :, :] = 1e6 * np.eye(6)
        np.testing.assert_allclose(filters._direction()[0, 0], np.diag([0.125, 0.125, 1.0]), atol=0.02)


class Next(unittest.TestCase):
    """When a foot touches down next, against the motion that is assumed, in small steps."""

    def test_times(self):
        rng = np.random.default_rng(5)
        for _ in range(300):
            h, v, a, lasts = rng.uniform(0, 0.05), rng.normal(-0.8, 0.6), rng.normal(0, 60), rng.uniform(0.001, 0.02)
            t = np.arange(0, bank_next.HORIZON, 2e-5)
            z = h + v * t + np.where(t <= lasts, 0.5 * a * t * t, 0.5 * a * lasts**2 + a * lasts * (t - lasts))
            under = np.flatnonzero(z <= 0)
            got = float(bank_next.touch_down(np.array(h), np.array(v), np.array(a), lasts))
            if len(under):
                self.assertAlmostEqual(got, t[under[0]], delta=5e-5)
            else:
                self.assertFalse(got < bank_next.HORIZON - 1e-4)

    def test_lasts(self):
        """An acceleration that falls off ends soon; one that goes on lasts until the speed of the last swings."""
        v, a = np.array(-0.5), np.array(-50.0)
        for b, u, expected in ((-100.0, -1.5, bank_next.ENDS), (-50.0, -1.5, 0.02), (-50.0, -9.0, bank_next.MOST),
                               (-50.0, 0.0, bank_next.STEADY), (-50.0, -0.7, bank_next.STEADY)):
            self.assertAlmostEqual(float(bank_next.lasts(v, a, np.array(b), np.array(u))), expected)
        self.assertEqual(float(bank_next.lasts(v, -a, -a, np.array(-1.0))), bank_next.ENDS)

    def test_follows(self):
        """Swings of 30 ms that end at 1, 2 and 2 m/s: what was fastest is kept, and no acceleration in contact."""
        tell = bank_next.Next((1, 1), 1e-3, 1.0)
        for fastest, habit in ((-1.0, -1.0), (-2.0, -1.25), (-2.0, -1.4375)):
            for k in range(31):
                tell.follow(np.full((1, 1), fastest * k / 30), np.zeros((1, 1), bool))
            self.assertAlmostEqual(float(tell.a[0, 0]), fastest / 0.03, places=3)
            tell.follow(np.zeros((1, 1)), np.ones((1, 1), bool))
            self.assertAlmostEqual(float(tell.u[0, 0]), habit)
            self.assertEqual((tell.a, tell.b), (0.0, 0.0))

    def test_judged(self):
        """A constant error of 2 ms is found as such; feet of which nothing is said count as not foreseen."""
        contact = np.zeros(400, bool)
        contact[360:] = True
        facts = truth.Truth(**{**{name: None for name in truth.Truth.__dataclass_fields__},
                               "mode": np.where(contact, truth.STATIC, truth.AIR), "touch_down": np.array([0.3604])})
        following = 0.3604 - 1e-3 * (np.arange(400) + 1) + 2e-3
        np.testing.assert_allclose(judge._foreseen(facts, following, 1e-3), [2e-3], atol=1e-9)
        self.assertTrue(np.isnan(judge._foreseen(facts, np.full(400, np.nan), 1e-3)).all())
        contact[345] = True
        touched = replace(facts, mode=np.where(contact, truth.STATIC, truth.AIR))
        self.assertEqual(len(judge._foreseen(touched, following, 1e-3)), 0)

    @unittest.skipUnless(mujoco, "mujoco is not installed: make setup GROUPS=sim")
    def test_on_a_flat_floor(self):
        e = episode("go1", "trot", seed=7, seconds=1.8, rough=0.0, cached=False)
        n = judge.table([(e, judge.estimates_of(bank.Bank(), e))])
        self.assertLess(n["ahead"], 4e-3)
        self.assertLess(n["ahead_p90"], 9e-3)
        self.assertGreater(n["ahead_told"], 0.9)


@unittest.skipUnless(mujoco, "mujoco is not installed: make setup GROUPS=sim")
class Baselines(unittest.TestCase):
    def test_fused(self):
        e = episode("go1", "walk", seed=7, seconds=1.5, cached=False)
        n = judge.table([(e, judge.estimates_of(fused.Fused(), e))])
        self.assertGreater(n["right"], 0.93)
        clock = judge.table([(e, judge.estimates_of(fused.Fused(force_weight=1e-6, height_weight=1e-6), e))])
        self.assertTrue(0.7 < clock["right"] < n["right"])

    def test_net_learns(self):
        """Trained on a second of trot, it knows another second."""
        made = [episode("go1", "trot", seed=seed, seconds=1.0, cached=False) for seed in (8, 9)]
        net = fused.Net(seed=77)
        self.addCleanup(lambda: net.path.unlink(missing_ok=True))
        with mock.patch.object(tuning, "episodes", lambda: made[:1]):
            n = judge.table([(made[1], judge.estimates_of(net, made[1]))])
        self.assertGreater(n["right"], 0.93)

    def test_gradient_of_the_net(self):
        rng = np.random.default_rng(0)
        layers = [rng.normal(size=shape) for shape in ((5, 4), (4,), (4, 3), (3,), (3, 1), (1,))]
        x, y = rng.normal(size=(7, 5)), (rng.random(7) < 0.5).astype(float)

        def loss():
            h = np.tanh(np.tanh(x @ layers[0] + layers[1]) @ layers[2] + layers[3]) @ layers[4] + layers[5]
            return np.mean(np.log1p(np.exp(h[:, 0])) - y * h[:, 0])
        for layer, gradient in zip(layers, fused._gradient(layers, x, y)):
            for at in np.ndindex(layer.shape):
                before, layer[at] = layer[at], layer[at] + 1e-5
                up = loss()
                layer[at] = before - 1e-5
                down = loss()
                layer[at] = before
                self.assertAlmostEqual((up - down) / 2e-5, gradient[at], places=6)


class Work(Temporary):
    def test_seeds_of_tuning_and_judging_are_apart(self):
        judged = {item[-1] for item in evaluate.work(evaluate.CONDITIONS, 3.0)}
        self.assertGreaterEqual(min(judged), 1000)
        self.assertLess(max(seed for _, seed, _ in tuning.CASES), 100)
        for condition in evaluate.CONDITIONS:
            self.assertEqual(condition.name.startswith("unseen"),
                             all(case[0] in evaluate.fleet.UNSEEN for case in condition.cases))

    def test_groups_hold_every_item_once(self):
        items = evaluate.work(evaluate.CONDITIONS, 0.5)
        groups = evaluate.groups(items, 7)
        self.assertEqual(sorted(item for group in groups for item in group), sorted(items))
        self.assertLessEqual(max(map(len, groups)), 7)

    def test_refusals(self):
        for words, told in ((("--condition", "trott"), "did you mean 'trot'?"), (("--estimator", "bonk"), "bonk")):
            _, err = self.command("leg hil evaluate-robots", *words, status=2)
            self.assertIn(told, err)

    @unittest.skipUnless(mujoco, "mujoco is not installed: make setup GROUPS=sim")
    def test_command(self):
        short = Condition("trot", (("go1", "trot", 1),), seconds=0.7)
        with mock.patch.dict(evaluate.BY_NAME, {"trot": short}):
            out, _ = self.command("leg hil evaluate-robots", "--condition", "trot", "--estimator", "oracle", "momentum",
                                  "--jobs", "1", "--seed", "3", "-o", "out.csv", "--plot", "out.png")
        self.assertGreater((self.folder / "out.png").stat().st_size, 10000)
        self.assertIn("momentum: momentum observer", out)
        self.assertIn("the truth a tick late has right_oracle", out)
        rows = (self.folder / "out.csv").read_text().splitlines()
        self.assertEqual([row.split(",")[:2] for row in rows],
                         [["estimator", "condition"], ["momentum", "all"], ["momentum", "trot"], ["oracle", "all"],
                          ["oracle", "trot"]])


if __name__ == "__main__":
    unittest.main()
