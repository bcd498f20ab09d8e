# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Exact Coulomb friction, Algorithm 1 and the closed loops in float64, against closed forms and each
other."""
import unittest

import numpy as np

import tinycontact_case   # noqa: F401  puts tools/ on the path
from tinycontact.sim import coulomb, impulse, query, schemes, shapes, throws
from tinycontact.sim.query import DETACH, DYNAMIC, STATIC

FRICTIONS = {"constant": coulomb.constant(0.75), "falling": coulomb.falling(),
             "anisotropic": coulomb.anisotropic(), "none": coulomb.constant(0.0)}


def random_queries(seed, contacts, count=4000):
    """Patches of random polygons, velocities broad and slow, some of them exactly at rest or aligned."""
    rng = np.random.default_rng(seed)
    lever = rng.uniform(-0.2, 0.2, (count, contacts))
    velocity = rng.uniform(-1, 1, (count, 3)) * np.where(rng.random((count, 1)) < 0.5, [5, 5, 30], [1, 1, 4])
    velocity[: count // 20, 2] = 0
    velocity[: count // 40] = [0, -0.02, 0]
    return query.make(rng.uniform(0.05, 0.1, count), lever, rng.uniform(0.02, 0.2, count), velocity)


def energy(q, velocity):
    return 0.5 * (velocity[:, 0]**2 + velocity[:, 1]**2 + (q.gyration * velocity[:, 2])**2)


class Coulomb(unittest.TestCase):
    def test_conditions_hold(self):
        """Complementarity, the cone, opposition to the slip, and no energy out of nothing."""
        for seed, (name, friction) in enumerate(FRICTIONS.items()):
            for contacts in (1, 2):
                q = random_queries(10 * seed + contacts, contacts)
                p = coulomb.solve(q, friction)
                slip, w = q.contact_after(p.friction, p.normal)
                total, scale = p.normal.sum(axis=1), np.abs(q.velocity).max(axis=1)
                right, left = friction(q.slip)
                tiny = 1e-8 * scale
                with self.subTest(name, contacts=contacts):
                    self.assertTrue(np.all(p.normal >= 0) and np.all(w >= -tiny[:, None]))
                    self.assertTrue(np.all(np.abs(p.normal * w).max(axis=1) <= tiny * scale))
                    self.assertTrue(np.all((p.friction >= -right * total - tiny)
                                           & (p.friction <= left * total + tiny)))
                    cone = [-right * total, left * total]
                    opposed = np.select([slip > tiny, slip < -tiny], cone, p.friction)
                    np.testing.assert_allclose(p.friction, opposed, atol=1e-8)
                    gain = energy(q, q.after(p.friction, p.normal)) - energy(q, q.velocity)
                    self.assertLessEqual(gain.max(), 1e-9)

    def test_labels_say_what_the_patch_does(self):
        for contacts in (1, 2):
            q = random_queries(contacts, contacts)
            p = coulomb.solve(q, FRICTIONS["constant"])
            slip, w = q.contact_after(p.friction, p.normal)
            moving = np.maximum(np.abs(slip), np.abs(w).max(axis=1))
            nothing = p.normal.sum(axis=1) == 0
            np.testing.assert_array_equal(p.label == DETACH, nothing)
            np.testing.assert_array_equal(p.label == STATIC, ~nothing & (moving < 1e-8))
            self.assertEqual(set(p.label), {STATIC, DYNAMIC, DETACH})

    def test_one_contact_in_closed_form(self):
        """A point below the centre of mass: normal and friction decouple."""
        for slip, approach, normal, friction, label in (
                (3.0, -1.0, 1, -0.75, DYNAMIC), (-3, -1, 1, 0.75, DYNAMIC), (0.1, -1, 1, -0.1 / 2, STATIC),
                (0.3, 0.2, 0, 0, DETACH)):
            q = query.make([0.1], [[0.0]], 0.1, [[slip, approach, 0.0]])   # A_tt = 2, A_nn = 1
            p = coulomb.solve(q, FRICTIONS["constant"])
            np.testing.assert_allclose([p.normal[0, 0], p.friction[0], p.label[0]], [normal, friction, label],
                                       atol=1e-12)

    def test_direction_of_an_anisotropic_floor(self):
        q = query.make([0.1, 0.1], [[0.0], [0.0]], 0.1, [[9.0, -1, 0], [-9.0, -1, 0]])
        np.testing.assert_allclose(coulomb.solve(q, coulomb.anisotropic()).friction, [-0.75, 1.5])
        np.testing.assert_allclose(coulomb.solve(q, coulomb.falling()).friction,
                                   [-0.4 - 0.5 * np.exp(-18), 0.4 + 0.5 * np.exp(-18)])

    def test_several_answers_are_noted(self):
        """A contact that leaves, under friction large enough to jam it: both no impulse and a jam are
        solutions."""
        q = query.make([0.05], [[-0.1]], 0.2, [[-8.0, 0.1, 0.0]])
        self.assertLess(q.delassus()[0, 1, 1] + 3.0 * q.delassus()[0, 1, 0], 0)
        p = coulomb.solve(q, coulomb.constant(3.0))
        self.assertEqual((p.label[0], bool(p.note[0])), (DETACH, True))
        self.assertFalse(coulomb.solve(q, coulomb.constant(0.3)).note[0])


class AlgorithmOne(unittest.TestCase):
    def test_exact_class_and_ratio_give_the_exact_impulse(self):
        for name in ("constant", "falling", "none"):
            for contacts in (1, 2):
                q = random_queries(20 + contacts, contacts)
                q = q[np.abs(q.lever[:, 0]) < 3 * q.gyration]
                p = coulomb.solve(q, FRICTIONS[name])
                total = p.normal.sum(axis=1)
                ratio = np.where(total > 0, p.friction / np.where(total > 0, total, 1), 0)
                ours = impulse.solve(q, p.label, ratio)
                clear = ~p.note
                with self.subTest(name, contacts=contacts):
                    self.assertGreater(clear.mean(), 0.98)
                    self.assertFalse(np.any(ours.note & clear))
                    error = np.abs(ours.friction - p.friction) + np.abs(ours.normal - p.normal).sum(axis=1)
                    wrong = clear & (error > 1e-7 * (total + 1e-3))
                    self.assertLess(wrong.mean(), 2e-3)   # jams: one ratio, several frictions

    def test_properties_hold_whatever_the_law_says(self):
        """(1) no approach after, (2) no pull, (3) complementarity in the normals; friction never feeds
        energy."""
        rng = np.random.default_rng(3)
        for contacts in (1, 2):
            q = random_queries(30 + contacts, contacts)
            label, ratio = rng.integers(0, 3, len(q)), rng.uniform(-3, 3, len(q))
            p = impulse.solve(q, label, ratio)
            _, w = q.contact_after(p.friction, p.normal)
            scale = 1e-9 * np.abs(q.velocity).max(axis=1)
            self.assertTrue(np.all(p.normal >= 0))
            self.assertTrue(np.all(w >= -scale[:, None]))
            self.assertTrue(np.all(np.abs(p.normal * w) < 1e-7))
            gain = energy(q, q.after(p.friction, p.normal)) - energy(q, q.velocity)
            self.assertLessEqual(gain.max(), 1e-9)
            detach = p.label == DETACH
            self.assertTrue(np.all(p.normal[detach] == 0) and np.all(p.friction[detach] == 0))


def law(body):
    return coulomb.law(coulomb.constant(body.mu))


class Loops(unittest.TestCase):
    def test_free_flight(self):
        body = shapes.builtin("rectangle")
        for scheme in schemes.SCHEMES:
            step = schemes.step(body, scheme, law(body), np.array([[1.0, 2, 3]]), np.array([[4.0, 5, 6]]))
            np.testing.assert_allclose(step.velocity, [[4, 5 - 0.002 * 9.81, 6]])
            np.testing.assert_allclose(step.position, np.array([[1.0, 2, 3]]) + 0.002 * step.velocity)
            self.assertEqual((step.label[0], step.contacts[0], step.normal[0]), (3, 0, 0))

    def test_sliding_stops_where_coulomb_says(self):
        """v^2 / (2 mu g), to within one step of h v."""
        body = shapes.builtin("rectangle")
        for scheme in schemes.SCHEMES:
            done = throws.run(body, scheme, law(body), [[0, 0.06, 0]], [[2.0, 0, 0]])
            self.assertAlmostEqual(done.distance[0], 4 / (2 * 0.75 * 9.81), delta=0.005)
            self.assertTrue(done.at_rest[0] and done.bounces[0] == 0)

    def test_push_out_of_dart(self):
        """A body at rest, 3 mm and 1 um deep: up by h times 1 mm/s, and by 1 % of the depth."""
        body = shapes.builtin("rectangle")
        position = np.array([[0, 0.057, 0], [0, 0.06 - 1e-6, 0]])
        step = schemes.step(body, "dart", law(body), position, np.zeros((2, 3)))
        np.testing.assert_allclose(step.position[:, 1] - position[:, 1], [2e-6, 1e-8], rtol=1e-6)
        np.testing.assert_allclose(step.velocity, 0, atol=1e-14)

    def test_gap_is_used_up_to_the_floor(self):
        """Falling at 1 m/s from 1 mm above: onto the floor, at 0.5 m/s; toc: there, and then stopped."""
        body = shapes.builtin("rectangle")
        for scheme, speed in (("gap", -0.5), ("toc", 0.0)):
            step = schemes.step(body, scheme, law(body), np.array([[0, 0.061, 0]]), np.array([[0, -1.0, 0]]))
            np.testing.assert_allclose([step.position[0, 1], step.velocity[0, 1]], [0.06, speed], atol=1e-12)
            self.assertEqual((step.label[0], step.contacts[0]), (STATIC, 2))

    def test_throws_end_well(self):
        """All rest; toc and gap do not penetrate; no step creates energy but for what positions are pushed
        out by: h 1 mm/s (dart), rotation's second order at 45 rad/s (toc)."""
        for name in ("rectangle", "pentagon", "capsule"):
            body = shapes.builtin(name)
            start = throws.starts(throws.random_rows(6, 5))
            for scheme in schemes.SCHEMES:
                done, deep, gain = throws.run_watched(body, scheme, law(body), *start)
                with self.subTest(name, scheme=scheme):
                    self.assertTrue(done.at_rest.all())
                    turned = (45 * body.h)**2 / 2 * body.reach
                    self.assertLess(gain, body.g * {"dart": 2.1e-6, "toc": turned, "gap": 1e-10}[scheme])
                    if scheme != "dart":
                        self.assertLess(deep, 1e-12)

    def test_momentum_and_place_do_not_matter(self):
        """Moved along the floor by 3 m, a throw is the same throw."""
        body = shapes.builtin("pentagon")
        position, velocity = throws.starts(throws.FIG6[:2])
        one = throws.run(body, "dart", law(body), position, velocity)
        two = throws.run(body, "dart", law(body), position + [3, 0, 0], velocity)
        np.testing.assert_allclose(two.distance - 3, one.distance, atol=1e-6)
        np.testing.assert_array_equal(two.steps, one.steps)

    def test_learned_law_by_classes(self):
        """A law that answers with the exact class and ratio moves the throws as the exact law does."""
        body = shapes.builtin("rectangle")

        def answer(q):
            p = coulomb.solve(q, coulomb.constant(body.mu))
            total = p.normal.sum(axis=1)
            return np.eye(3)[p.label], np.where(total > 0, p.friction / np.where(total > 0, total, 1), 0)

        start = throws.starts(throws.FIG5[:5])
        one = throws.run(body, "dart", law(body), *start)
        two = throws.run(body, "dart", impulse.law(answer), *start)
        np.testing.assert_allclose(two.distance, one.distance, atol=1e-6)
        np.testing.assert_array_equal(two.bounces, one.bounces)

    def test_restitution_bounces(self):
        """A disc of restitution 0.5 dropped 0.5 m rises to a quarter of it."""
        body = shapes.body({"vertices": [[0, 0]], "radius": 0.05, "restitution": 0.5, "h": 1e-3})
        heights = []
        throws.run(body, "toc", law(body), [[0, 0.55, 0]], [[0, 0, 0]],
                   lambda rows, before, step: heights.append(step.position[0, 1] - 0.05))
        heights = np.array(heights)
        first = np.argmax(heights < 1e-3)
        self.assertAlmostEqual(heights[first + 10:first + 600].max(), 0.125, delta=0.003)

    def test_judge(self):
        """A bounce is 10 ms without impulse between two; rest is 50 quiet steps in a row."""
        judge, rows = throws.Judge(1, 0.002), np.array([0])
        touched = [0, 0, 1] + [0] * 4 + [1] + [0] * 5 + [1] + [0] * 9 + [1]
        for t in touched:
            self.assertTrue(judge.see(rows, np.array([bool(t)]), np.array([[1.0, 0, 0]]))[0])
        self.assertEqual(judge.bounces[0], 2)
        for k in range(30):
            self.assertTrue(judge.see(rows, np.array([True]), np.zeros((1, 3)))[0])
        self.assertTrue(judge.see(rows, np.array([True]), np.array([[0, 0, 0.011]]))[0])
        touched += [1] * 31
        for k in range(50):
            goes_on = judge.see(rows, np.array([True]), np.array([[0, 9e-4, 9e-3]]))[0]
            self.assertEqual(goes_on, k < 49)
        done = judge.results(np.zeros((1, 3)))
        self.assertEqual((done.bounces[0], done.at_rest[0], done.steps[0]), (2, True, len(touched) + 50))
        self.assertAlmostEqual(done.rest_time[0], len(touched) * 0.002)

    def test_random_throws_follow_their_law(self):
        rows = throws.random_rows(20000, 1)
        np.testing.assert_array_equal(rows, throws.random_rows(20000, 1))
        self.assertTrue(0.22 <= rows[:, 0].min() and rows[:, 0].max() <= 1)
        self.assertLessEqual(np.abs(rows[:, 2]).max(), 4.5)
        self.assertLessEqual(np.abs(rows[:, 3]).max(), 45)
        beyond = np.mean(np.abs(rows[:, 3]) > 10)          # 40 % of the throws, 35 of 45 of these
        self.assertAlmostEqual(beyond, 0.4 * 35 / 45, delta=0.015)


if __name__ == "__main__":
    unittest.main()
