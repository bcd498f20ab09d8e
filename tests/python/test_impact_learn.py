# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Learning of scenes: the fit's engine on problems with known answers, derivatives, data, intervals, the other model."""
import dataclasses
import unittest

import tinycontact_case   # noqa: F401: sys.path

import numpy as np

from tinycontact.impact import learn, learn_data, learn_fit, lm, pyramid, systems, tasks
from tinycontact.impact.learn_interval import determine

EXACT = 1e-6   # the bound on what is learned without noise


class Line(lm.Problem):
    """r_c = A_c theta + B_c s_c - b_c."""

    def __init__(self, rng, chunks=6, m=5, p=3, n=2, with_starts=True):
        self.A, self.B, self.b = (rng.standard_normal(shape) for shape in ((chunks, m, p), (chunks, m, n), (chunks, m)))
        self.with_starts, self.n_start = with_starts, n if with_starts else 0
        self.low, self.high, self.most = np.full(p, -10.0), np.full(p, 10.0), np.full(p, 100.0)

    def residuals(self, theta, starts=None):
        r = self.A @ theta - self.b
        return r + np.einsum("cmn,cn->cm", self.B, starts) if self.with_starts and starts is not None else r

    def linear(self, theta, starts=None):
        return lm.Linear(self.residuals(theta, starts), self.A, self.B if self.with_starts else None)


class Engine(unittest.TestCase):
    def test_starts_eliminated_is_the_whole_problem(self):
        for seed in range(5):
            line = Line(np.random.default_rng(seed))
            chunks, m, p = line.A.shape
            whole = np.zeros((chunks * m, p + 2 * chunks))
            whole[:, :p] = line.A.reshape(-1, p)
            for c in range(chunks):
                whole[c * m:(c + 1) * m, p + 2 * c:p + 2 * c + 2] = line.B[c]
            wanted = np.linalg.lstsq(whole, line.b.ravel(), rcond=None)[0]
            found = lm.fit(line, np.zeros(p), starts=np.zeros((chunks, 2)), iterations=40)
            np.testing.assert_allclose(found.theta, wanted[:p], atol=1e-6)
            np.testing.assert_allclose(found.starts.ravel(), wanted[p:], atol=1e-5)

    def test_a_bound_holds_and_the_others_are_best_there(self):
        line = Line(np.random.default_rng(1), with_starts=False)
        free = np.linalg.lstsq(line.A.reshape(-1, 3), line.b.ravel(), rcond=None)[0]
        line.high = np.array([free[0] - 0.1, 10.0, 10.0])
        found = lm.fit(line, line.high - 1.0)
        rest = line.b.ravel() - line.A.reshape(-1, 3)[:, 0] * line.high[0]
        self.assertAlmostEqual(found.theta[0], line.high[0])
        np.testing.assert_allclose(found.theta[1:], np.linalg.lstsq(line.A.reshape(-1, 3)[:, 1:], rest, rcond=None)[0], atol=1e-6)

    def test_magnitudes_withstand_what_squares_do_not(self):
        rng = np.random.default_rng(2)
        line, truth = Line(rng, chunks=20, with_starts=False), np.array([0.5, -1.0, 2.0])
        line.b = line.A @ truth
        line.b[:4] += 50.0
        squares = lm.fit(line, np.zeros(3)).theta
        magnitudes = lm.fit(line, squares, loss=lm.l1(1e-6), iterations=100).theta
        self.assertGreater(np.abs(squares - truth).max(), 0.1)
        np.testing.assert_allclose(magnitudes, truth, atol=1e-5)


class Derivatives(unittest.TestCase):
    def test_slopes_by_unknowns_and_starts_are_those_of_the_roll_outs(self):
        for name in ("CP3", "Gyro", "BP5"):
            model = tasks.task(name)
            data = tasks.chunks(model, 12, np.random.default_rng(4))
            problem = learn.Windows(model, learn.windows_of(data, 1), fitted=True)
            theta = model.truth() + 0.003
            theta = np.minimum(theta, model.high - 1e-3)
            zero = np.zeros((len(problem.states), problem.n_start))
            linear = problem.linear(theta, zero)
            step, worst = 1e-5, []
            for k in range(len(theta)):
                moved = theta.copy()
                moved[k] += step
                slope = (problem.residuals(moved, zero) - linear.r) / step
                worst.append(np.median(np.abs(slope - linear.A[:, :, k]).max(axis=1)))
            for k in range(0, problem.n_start, 3):
                moved = zero.copy()
                moved[:, k] = step
                slope = (problem.residuals(theta, moved) - linear.r) / step
                worst.append(np.median(np.abs(slope - linear.B[:, :, k]).max(axis=1)))
            # One-sided differences of 1e-5: a curvature of 100 leaves 1e-3. Medians, since patterns change.
            self.assertLess(max(worst), 2e-3, name)

    def test_only_what_was_touched_has_slopes(self):
        model = tasks.task("BP5")
        problem = learn.Windows(model, learn.windows_of(tasks.chunks(model, 20, np.random.default_rng(1)), 1))
        linear = problem.linear(model.start)
        for k, u in enumerate(model.unknowns):
            if u.kind in ("mu", "e"):
                material = model.entries[u.entries[0]].index
                self.assertFalse(np.abs(linear.A[problem.materials[:, material] == 0][:, :, k]).any(), u.name)


class Data(unittest.TestCase):
    def test_half_of_the_chunks_have_an_impact_and_none_begins_with_its_end(self):
        rng = np.random.default_rng(3)
        hits = rng.random((400, 100)) < 0.1
        hits[:, 0] = False
        states = np.stack([np.broadcast_to(np.arange(100.0), hits.shape), hits], axis=2)
        chunks, struck = learn_data.chunks_of(states, hits, rng)
        self.assertEqual(chunks.shape[1:], (5, 2))
        self.assertFalse(chunks[:, 0, 1].any())
        np.testing.assert_array_equal(chunks[:, :, 1].any(axis=1), struck)
        np.testing.assert_array_equal(np.diff(chunks[:, :, 0], axis=1), 1.0)
        self.assertLess(abs(struck.mean() - 0.5), 0.1)


class Tasks(unittest.TestCase):
    def test_coefficients_ratios_and_gravity_are_exact_without_noise(self):
        for name, chunks in (("BP5-e", 50), ("CP3-e", 25), ("CP3", 25), ("Gyro", 60), ("Gyro-e", 60)):
            with self.subTest(name):
                model = tasks.task(name)
                data = tasks.chunks(model, chunks, np.random.default_rng(7))
                learned = learn_fit.fit_exact(model, learn.windows_of(data, 1))
                for u, of, value in zip(determine(learned), model.unknowns, model.natural(learned.theta)):
                    if name == "CP3" and u.kind == "e":
                        self.assertLessEqual(u.low, 0.0)
                        self.assertLess(u.high, 0.05)
                        continue
                    self.assertTrue(u.determined, u.name)
                    self.assertLess(abs(value - of.truth), EXACT * max(1.0, of.truth), u.name)

    def test_one_truth_for_training_and_simulation(self):
        for name in tasks.NAMES:
            trained, simulated = tasks.scene_of(name), systems.named(name)
            np.testing.assert_array_equal(trained.gravity, simulated.gravity, name)
            for (a, b, k), (c, d, m) in zip(trained.pairs, simulated.pairs):
                self.assertEqual((a, b, trained.materials[k][1:]), (c, d, simulated.materials[m][1:]))
        self.assertFalse(np.any(systems.named("BP5").gravity))

    def test_a_coefficient_beside_its_valley_is_mended(self):
        """BD5's pair of balls 3 and 4 is touched six times in 800 chunks, and a fit stops where they stick."""
        model = tasks.task("BP5")
        problem = learn.Windows(model, learn.windows_of(tasks.chunks(model, 80, np.random.default_rng(3)), 1))
        theta = model.truth()
        problem.linear(theta)
        seen = problem.materials.sum(axis=0)
        material = int(np.argmin(np.where(seen > 2, seen, seen.max() + 1)))
        for u, k in zip(model.unknowns, range(len(theta))):
            if u.kind in ("mu", "e") and model.entries[u.entries[0]].index == material:
                theta[k] = {"mu": 5.0, "e": 0.0}[u.kind]
        stuck = lm.Fit(theta, None, 1.0, problem.linear(theta), None, 0)
        found = learn_fit._mended(problem, stuck, None)
        felt = [k for k, u in enumerate(model.unknowns) if u.kind not in ("mu", "e")
                or seen[model.entries[u.entries[0]].index] > 2]
        np.testing.assert_allclose(found.theta[felt], model.truth()[felt], atol=1e-6)

    def test_what_no_chunk_touches_is_named(self):
        model = tasks.task("BP5")
        data = tasks.chunks(model, 6, np.random.default_rng(2))
        learned = learn_fit.fit_exact(model, learn.windows_of(data, 1), tries=1)
        found = {u.name: u for u in determine(learned)}
        seen = learned.problem.materials.any(axis=0)
        self.assertFalse(seen.all())
        for k, (name, _, _) in enumerate(model.roller.scene.materials):
            if not seen[k]:
                self.assertFalse(found[f"mu {name}"].determined)
                self.assertIn("nothing in the log", found[f"e {name}"].note)

    def test_sticking_bounds_friction_from_below(self):
        scene = dataclasses.replace(systems.named("throw"), impacts=0)
        scene.q[1], scene.v[:] = 0.11, (0.05, -2.0, 0.0)
        model = tasks.model(scene, ("mu", "e"))
        rolled = model.roll(model.truth(), np.concatenate([scene.q, scene.v])[None], 3).states
        states = np.concatenate([np.concatenate([scene.q, scene.v])[None, None], rolled], axis=1)
        mu, e = determine(learn_fit.fit_exact(model, learn.windows_of(states, 1)))
        self.assertFalse(mu.determined)
        self.assertEqual(mu.high, np.inf)
        self.assertGreater(mu.low, 1e-3)
        self.assertLess(mu.low, 0.5)
        self.assertAlmostEqual(e.value, 0.8, delta=EXACT)

    def test_noise_is_told_and_withstood(self):
        model = tasks.task("CP3")
        rng = np.random.default_rng(5)
        data = tasks.chunks(model, 150, rng)
        noisy = model.roller.move(data, rng.normal(0, 0.01, (*data.shape[:2], 6)))
        learned = learn_fit.fit_noise_too(model, learn.windows_of(noisy, 4), np.full(6, 0.02))
        # Six columns, 150 windows of 5 states: the median's standard deviation is 5 %; a fifth has room.
        np.testing.assert_allclose(learned.noise, 0.01, rtol=0.2)
        found = dict(zip(model.names, model.natural(learned.theta)))
        self.assertAlmostEqual(found["mu"], 0.5, delta=0.02)
        self.assertAlmostEqual(found["gravity"], 9.81, delta=0.2)


class Pyramid(unittest.TestCase):
    def test_lemke_solves_random_problems(self):
        rng = np.random.default_rng(6)
        for _ in range(50):
            n = int(rng.integers(1, 8))
            A = rng.standard_normal((n, n))
            M, q = A @ A.T + 0.01 * np.eye(n), rng.standard_normal(n)
            z = pyramid.lemke(M, q)
            w = M @ z + q
            self.assertGreater(min(z.min(), w.min()), -1e-9)
            self.assertLess(np.abs(z * w).max(), 1e-8)

    def test_a_body_against_a_wall_by_hand(self):
        M, v = np.diag([2.0, 2.0]), np.array([1.0, -3.0])
        after = pyramid.impact(M, v, np.array([[0.0, 1.0]]), np.array([[[1.0, 0.0]]]), np.array([0.2]), np.array([0.5]),
                               np.zeros(1))
        np.testing.assert_allclose(after, [1.0 - 0.2 * 4.5, 1.5], atol=1e-12)   # slips: mu (1 + e) |v_n|

    def test_without_friction_and_elastic_both_models_agree(self):
        for name in ("BP5-e", "CP3-e"):
            model = tasks.task(name)
            begun = tasks.starts(model, 15, np.random.default_rng(8))
            theirs = pyramid.roller(model.roller.scene)(begun, 40)
            ours = model.roll(model.truth(), begun, 40)
            first = [int(np.flatnonzero(h)[0]) for h in theirs.hits if h.any()]
            self.assertTrue(first, name)
            for k, h in enumerate(theirs.hits):
                if h.any():
                    at = int(np.flatnonzero(h)[0])
                    np.testing.assert_allclose(theirs.states[k, at], ours.states[k, at], atol=1e-9)


if __name__ == "__main__":
    unittest.main()
