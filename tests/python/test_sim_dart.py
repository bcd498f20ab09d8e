# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""DART and MuJoCo as truths: DART step by step against the exact law, labels, throws, logs, the chain, the
box.

The bounds on agreement are what DART leaves: 1e-5 of its diagonal in the contact matrix (4e-5 of
velocities)."""
import unittest
from unittest import mock

import numpy as np

from tinycontact_case import Temporary
from tinycontact.csvfile import groups_in_time, read_columns
from tinycontact.errors import TinycontactError
from tinycontact.sim import (chain_truth, coulomb, dart, impulse, logs, mujoco, sampling, schemes, shapes,
                             spatial_truth, throws)
from tinycontact.sim.query import DETACH, DYNAMIC, STATIC


def law(body):
    return coulomb.law(coulomb.constant(body.mu))


class Planar(unittest.TestCase):
    def test_step_by_step_with_the_true_class_and_friction(self):
        """Along DART's own throws, at 2 ms and 1 ms: Algorithm 1, given the class and ratio of the exact law,
        then DART's position scheme, is DART's next state."""
        for name, h in (("rectangle", 0.002), ("pentagon", 0.001)):
            body = shapes.builtin(name, h=h)
            paths = []
            start = throws.starts(throws.random_rows(3, 21))
            dart.throw(body, *start, record=lambda k, path: paths.append(path))
            rows = np.concatenate([np.hstack([path[:-1], path[1:]]) for path in paths])
            position, velocity, after_q, after_v = np.split(rows, 4, axis=1)

            def told(q):
                p = coulomb.solve(q, coulomb.constant(body.mu))
                total = p.normal.sum(axis=1)
                return p.label, np.where(total > 0, p.friction / np.where(total > 0, total, 1), 0)

            step = schemes.step(body, "dart", impulse.law(told), position, velocity)
            self.assertGreater(np.sum(step.contacts == 1), 20)
            self.assertGreater(np.sum(step.contacts == 2), 100)
            scale = body.h * body.g + np.abs(velocity).max(axis=1)
            off = np.abs(step.velocity - after_v) * [1, 1, body.gyration]
            self.assertLess(np.max(off.max(axis=1) / scale), 1e-4)
            off = np.abs(step.position - after_q) * [1, 1, body.gyration] / h
            self.assertLess(np.max(off.max(axis=1) / scale), 1e-4)

    def test_throws_are_those_of_the_exact_law(self):
        for name in ("rectangle", "pentagon"):
            body = shapes.builtin(name)
            start = throws.starts(throws.random_rows(6, 22))
            same = throws.compare(throws.run(body, "dart", law(body), *start), dart.throw(body, *start))
            self.assertEqual((same["bounces"], same["angle"], same["rest"], same["within_10cm"]),
                             (100, 100, 100, 100))
            self.assertLess(same["median"], 1e-4)

    def test_labels_are_clean(self):
        """Classes and frictions of sampled states equal the exact law's; each class occurs."""
        for contacts in (1, 2):
            body = shapes.builtin("pentagon")
            seen = sampling.labelled(body, contacts, 300, 5, sampling.KINDS[:2])
            true = sampling.labelled(body, contacts, 300, 5, sampling.KINDS[:2], truth="exact")
            self.assertTrue(true.keep.all())
            np.testing.assert_array_equal(seen.query.velocity, true.query.velocity)
            np.testing.assert_array_equal(seen.label, true.label)
            self.assertEqual(set(seen.label), {STATIC, DYNAMIC, DETACH})
            scale = np.abs(true.query.velocity).max(axis=1) * 1e-4
            self.assertTrue(np.all(np.abs(seen.friction - true.friction) <= scale))
            self.assertTrue(np.all(np.abs(seen.normal - true.normal) <= scale))
            sliding = true.label == DYNAMIC
            np.testing.assert_allclose(seen.ratio()[sliding], true.ratio()[sliding], atol=2e-2)

    def test_default_solver_needs_the_step_in_between(self):
        """The trap: without a contact-free step, PGS starts from another state's impulses, and some
        approaching edges get none. With it, never."""
        body = shapes.builtin("rectangle")
        position, velocity = sampling.draw(body, 2, 2000, 1)
        query = dart.in_contact(body, position, velocity)
        approaching = np.any(query.approach < -0.05, axis=1)
        world, trapped = dart.World(body, "default"), 0
        for q, v, must, free in zip(position, velocity, approaching, query.velocity):
            world.set(q, v)
            trapped += must and np.abs(world.advance()[1] - free).max() < 1e-9
        self.assertGreater(trapped, 0)
        after = dart.World(body, "default").step(position[approaching], velocity[approaching])[1]
        self.assertGreater(np.abs(after - query.velocity[approaching]).max(axis=1).min(), 1e-6)

    def test_capsule(self):
        body = shapes.builtin("capsule")
        start = throws.starts([(0.3, 40, 1.0, 2.0), (0.25, -75, 0.0, 0.0)])
        same = throws.compare(throws.run(body, "dart", law(body), *start), dart.throw(body, *start))
        self.assertEqual((same["bounces"], same["angle"]), (100, 100))

    def test_missing_package_is_told(self):
        with mock.patch("importlib.import_module", side_effect=ImportError("No module named 'dartpy'")):
            with self.assertRaisesRegex(TinycontactError, "dartpy: run `make setup GROUPS=sim`"):
                dart.World(shapes.builtin("rectangle"))


class Sampling(unittest.TestCase):
    def test_states_are_what_they_are_called(self):
        for name in ("rectangle", "pentagon", "capsule"):
            body = shapes.builtin(name)
            for contacts in (1, 2):
                for kind, speed, spin in (("broad", 5, 30), ("slow", 1, 4)):
                    position, velocity = sampling.states(body, contacts, kind, 2000, np.random.default_rng(1))
                    gap = shapes.gaps(body, position[:, 1], position[:, 2])
                    self.assertTrue(np.all(np.sum(gap <= 0, axis=1) == contacts))
                    self.assertGreater(gap.min(), -sampling.DEEPEST - 1e-9)
                    self.assertTrue(np.all(np.hypot(velocity[:, 0], velocity[:, 1]) < speed))
                    self.assertTrue(np.all(np.abs(velocity[:, 2]) < spin))
                    self.assertGreater(np.hypot(*velocity[:, :2].T).max(), 0.98 * speed)
                    touched = np.argmin(gap, axis=1)
                    self.assertEqual(len(np.unique(touched)), len(body.vertices))

    def test_throw_states_touch_and_seldom_rest(self):
        body = shapes.builtin("rectangle")
        for contacts in (1, 2):
            position, velocity = sampling.draw(body, contacts, 100, 4, ("throws",))
            gap = shapes.gaps(body, position[:, 1], position[:, 2])
            self.assertTrue(np.all(np.sum(gap < 0, axis=1) == contacts))
            self.assertLess(np.mean(np.abs(velocity).max(axis=1) < 1e-3), 0.2)

    def test_seeds(self):
        body = shapes.builtin("rectangle")
        one, two = (sampling.draw(body, 1, 50, 7) for _ in range(2))
        np.testing.assert_array_equal(one[0], two[0])
        self.assertGreater(np.abs(sampling.draw(body, 1, 50, 8)[0] - one[0]).max(), 0.1)

    def test_several_answers_are_not_kept(self):
        body = shapes.builtin("rectangle")
        seen = sampling.labelled(body, 2, 4000, 1, ("broad",), "exact", coulomb.anisotropic())
        self.assertTrue(0 < np.sum(~seen.keep) < 40)


class Logs(Temporary):
    def test_log(self):
        body = shapes.builtin("rectangle")
        player = logs.exact_player(law(body))
        paths = logs.paths(body, 4, 3, player)
        reference = throws.run(body, "dart", law(body), *throws.starts(throws.random_rows(4, 3)))
        self.assertEqual([len(path) - 1 for path in paths], list(reference.steps))
        quiet = logs.Noise(0, 0, 0, 0)
        logs.write("poses.csv", body, paths, 250, quiet)
        table = read_columns("poses.csv", ("throw", "t", "x", "y", "theta"), ("vx",))
        self.assertNotIn("vx", table)
        groups = groups_in_time(table, "throw", "t")
        self.assertEqual(len(groups), 4)
        np.testing.assert_allclose(table["y"][groups[2]], paths[2][::2, 1])
        np.testing.assert_allclose(np.diff(table["t"][groups[1]]), 0.004)
        logs.write("noisy.csv", body, paths, 500, logs.Noise(), velocities=True, seed=9)
        table = read_columns("noisy.csv", ("throw", "t", "x", "y", "theta", "vx", "vy", "omega"))
        clean = np.concatenate(paths)
        sigmas = {"x": 5e-4, "y": 5e-4, "theta": 2e-3, "vx": 0.02, "vy": 0.02, "omega": 0.1}
        for k, (name, sigma) in enumerate(sigmas.items()):
            self.assertAlmostEqual(np.std(table[name] - clean[:, k]) / sigma, 1, delta=0.15)

    def test_dart_paths_and_rates(self):
        body = shapes.builtin("rectangle")
        ours, theirs = logs.paths(body, 2, 3, logs.exact_player(law(body))), logs.paths(body, 2, 3)
        np.testing.assert_allclose(theirs[0][:60], ours[0][:60], atol=1e-3)
        with self.assertRaisesRegex(TinycontactError, "out.csv: a rate of 300 Hz"):
            logs.write("out.csv", body, ours, 300)
        self.assertFalse((self.folder / "out.csv").exists())


class Chain(unittest.TestCase):
    def test_run(self):
        """Pinned links keep together and lose energy only in contact, but for the integrator's own error; the
        same start is the same run, and a start moved by 1e-6 rad nearly is."""
        one = chain_truth.run(0.6, np.zeros(3), 250)
        self.assertEqual(one.angles.shape, (251, 3))
        self.assertTrue(np.any(one.touched == 1) and np.any(one.touched == 2))
        gain = np.diff(chain_truth.energy(one))
        self.assertLess(gain.max(), 0.01)
        self.assertLess(gain.sum(), -3)
        two = chain_truth.run(0.6, np.full(3, 1e-6), 250)
        self.assertLess(np.abs(two.angles - one.angles).max(), 1e-3)
        self.assertEqual(one.violation.max(), 0)

    def test_free_fall_of_the_first_tick(self):
        """Horizontal, at rest: M qdd = -g sum_k dy_k/dq, M and the lever arms by hand."""
        run = chain_truth.run(0.7, np.zeros(3), 1)
        L, m = chain_truth.LENGTH, chain_truth.MASS
        J = np.array([[k * L + L / 2 - j * L if j <= k else 0 for j in range(3)] for k in range(3)])
        S = np.tril(np.ones((3, 3)))
        M = m * J.T @ J + chain_truth.INERTIA * S.T @ S
        wanted = -0.002 * 9.81 * m * np.linalg.solve(M, J.sum(axis=0))
        np.testing.assert_allclose(run.rates[1], wanted, rtol=1e-9)

    def test_constraint_violates(self):
        run = chain_truth.run(0.6, np.zeros(3), 200, constraint=True)
        free = chain_truth.run(0.6, np.zeros(3), 200)
        self.assertTrue(1e-6 < run.violation[:, 1].max() < 0.5)
        self.assertLess(np.abs(run.angles - free.angles)[:60].max(), 0.02)

    def test_starts(self):
        rows = chain_truth.starts()
        self.assertEqual(len(rows), 40)
        self.assertTrue(all(np.all(q == 0) for _, q in rows[:3]))
        self.assertTrue(all(0.45 <= pin <= 0.8 and np.abs(q).max() <= 0.3 for pin, q in rows))


class Spatial(unittest.TestCase):
    def test_quaternions(self):
        q = np.random.default_rng(1).standard_normal((200, 4))
        q /= np.linalg.norm(q, axis=1, keepdims=True)
        R = spatial_truth.rotation(q)
        np.testing.assert_allclose(R @ R.transpose(0, 2, 1), np.broadcast_to(np.eye(3), R.shape), atol=1e-14)
        back = np.array([spatial_truth.quaternion(matrix) for matrix in R])
        np.testing.assert_allclose(spatial_truth.rotation(back), R, atol=1e-14)
        np.testing.assert_allclose(spatial_truth.rotation([np.sqrt(0.5), 0, 0, np.sqrt(0.5)]) @ [1, 0, 0],
                                   [0, 1, 0], atol=1e-15)

    def test_labels(self):
        """The patch has the vertices its dimension says; friction is in the cone, on it when a point slides
        and against its slip; static patches are."""
        for dimension, count in ((0, 60), (1, 40), (2, 5)):
            state = spatial_truth.states(dimension, count, 1)
            seen = spatial_truth.label_states(*state)
            counts = seen.touching.sum(axis=1)
            self.assertGreater(np.mean(counts == (1, 2, 4)[dimension]), 0.9)
            friction = np.hypot(*seen.force[:, :2].T)
            self.assertTrue(np.all(friction <= 0.6 * seen.force[:, 2] * (1 + 1e-4) + 1e-9))
            self.assertGreater(len(set(seen.label)), 1)
            self.assertTrue(np.all(seen.force[seen.label == DETACH] == 0)
                            or np.abs(seen.force[seen.label == DETACH]).max() < 1e-7)
            if dimension == 0:
                sliding = seen.label == DYNAMIC
                np.testing.assert_allclose(friction[sliding], 0.6 * seen.force[sliding, 2], rtol=1e-3)

    def test_throw_rests_on_a_face(self):
        start = tuple(part[0] for part in spatial_truth.starts(1, 3))
        done = spatial_truth.throw(*start)
        self.assertTrue(done.at_rest)
        low = spatial_truth.arms(done.path[-1:, :3], done.path[-1:, 3:7])[1][0]
        self.assertEqual(np.sum(low < 1e-4), 4)
        self.assertEqual(spatial_truth.face_up(np.array([1.0, 0, 0, 0])), 4)
        self.assertEqual(spatial_truth.face_up(np.array([0.0, 1, 0, 0])), 5)


class SecondOpinion(unittest.TestCase):
    def test_elliptic_cone_agrees_and_the_friction_box_does_not(self):
        theirs, box = mujoco.opinion("mujoco elliptic"), mujoco.opinion("dart default")
        self.assertAlmostEqual(theirs.distance, 1, delta=0.02)
        self.assertAlmostEqual(theirs.ratio, 0.6, delta=1e-3)
        self.assertLess(abs(theirs.turned), 1)
        self.assertGreater(abs(box.turned), 5)
        ours = mujoco.opinion("dart nsgs")
        self.assertAlmostEqual(ours.distance, 1, delta=0.01)
        self.assertLess(abs(ours.turned), 0.01)


if __name__ == "__main__":
    unittest.main()
