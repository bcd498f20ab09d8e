# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Estimators of robots' feet: the bank in the contact's space, the baselines, and the command that judges them."""
import unittest
from unittest import mock

import numpy as np

from tinycontact_case import Temporary

from tinycontact.errors import TinycontactError
from tinycontact.robots import bank, evaluate, fused, judge, tuning
from tinycontact.robots.episodes import episode
from tinycontact.robots.evaluate import Condition

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
        """Told another velocity in the middle of a stance, feet seem to slip; friction does not oppose it, and it comes
        back. Without the doubt it stays."""
        left = {}
        for doubt in (0.0, 0.3):
            filters = bank._Filters(bank._Robots([self.episode.robot]), bank.Settings(doubt=doubt), 1e-3)
            for t in range(1000):
                filters.tick(read(self.episode, t))
                if t == 500:
                    filters.v[:, 0, 0] += 0.5
                    filters.vP[:, 0, 0] = 1e-6
            left[doubt] = np.hypot(*(filters.v[0, :, 0] - self.episode.velocity[999, :2]))
        self.assertGreater(left[0.0], 0.3)
        self.assertLess(left[0.3], 0.05)

    def test_the_mean_deviation_returns_into_the_joints(self):
        filters = bank._Filters(bank._Robots([self.episode.robot]), bank.Settings(), 1e-3)
        for t in range(30):
            filters.tick(read(self.episode, t))
        mean = (filters.pi[..., None] * filters.x).sum(-2)
        self.assertLess(np.abs(mean[..., :3]).max(), 2e-5)
        self.assertLess(np.abs(mean[..., 3:]).max(), 2e-2)

    def test_lost_frames(self):
        e = episode("go1", "trot", seed=7, seconds=0.8, cached=False, lost=0.1)
        told = judge.estimates_of(bank.Bank(), e)
        self.assertTrue(all(np.isfinite(values).all() for values in told.values()))
        n = judge.table([(e, told)])
        self.assertGreater(n["right"], 0.95)

    def test_direction_of_slip(self):
        """Known, the second moment is that of one direction; not known, of all; always a covariance."""
        filters = bank._Filters(bank._Robots([self.episode.robot]), bank.Settings(friction=0.5), 1e-3)
        filters.tick(read(self.episode, 0))
        filters.vP[:] = 0.0
        filters.P[..., bank.SLIP, :, :] = 0.0
        filters.x[..., bank.SLIP, 3:] = [30.0, 40.0, 0.0]
        want = np.array([-0.5 * 0.6, -0.5 * 0.8, 1.0])
        np.testing.assert_allclose(filters._direction()[0, 0], np.outer(want, want), atol=0.03)
        filters.P[..., bank.SLIP, :, :] = 1e6 * np.eye(6)
        np.testing.assert_allclose(filters._direction()[0, 0], np.diag([0.125, 0.125, 1.0]), atol=0.02)


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
