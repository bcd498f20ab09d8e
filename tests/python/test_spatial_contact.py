# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The spatial contact: feature map, decode and sweeps, with any law and with the committed one."""
import json
import sys
import unittest

import numpy as np

from tinycontact_case import ROOT

sys.path.insert(0, str(ROOT / "tools"))

from tinycontact import load                                       # noqa: E402
from tinycontact.errors import TinycontactError                    # noqa: E402
from tinycontact.sim import spatial_truth as truth                 # noqa: E402
from tinycontact.sim.query import DETACH, DYNAMIC, STATIC          # noqa: E402
from tinycontact.spatial import decode, features, law, patches, sample, sweeps, throws   # noqa: E402

SEED = 4711
MODELS = ROOT / "tests" / "models"


def touching(dimension, count, seed=SEED):
    """Patches of fresh states, gravity integrated."""
    position, q, velocity = sample.fresh(dimension, count, seed, "validate")
    found = patches.patches(position, q, truth.free(q, velocity))
    return found[found.dimension() == dimension]


def queries(count, seed=SEED):
    found = touching(0, count, seed)
    return features.Query(found.own(0), found.at(0, found.velocity))


def wild(seed):
    """A law that knows nothing: classes and ratios up to 3, some of them infinite."""
    rng = np.random.default_rng(seed)

    def say(query, classes):
        rho = rng.uniform(-3, 3, (len(query), 2))
        rho[rng.random(len(query)) < 0.02] = np.inf
        return rng.integers(0, 3, len(query)) if classes else None, rho
    return say


def turned(query, angle, mirror):
    """The same contact seen from axes turned about the normal, and mirrored."""
    c, s = np.cos(angle), np.sin(angle)
    T = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]) @ np.diag([1, -1 if mirror else 1, 1])
    return features.Query(T @ query.W @ T.T, query.u @ T.T), T


class Map(unittest.TestCase):
    def test_turned_and_mirrored(self):
        """Inputs do not change, answers turn along."""
        query = queries(300)
        seen = features.features(query)
        self.assertEqual(seen.shape, (len(query), features.width()))
        for angle, mirror in ((0.7, False), (-2.1, True)):
            other, T = turned(query, angle, mirror)
            np.testing.assert_allclose(features.features(other), seen, atol=1e-9)
            local = np.tile([0.6, 0.1], (len(query), 1))
            np.testing.assert_allclose(other.world(local), query.world(local) @ T[:2, :2].T, atol=1e-9)

    def test_scale(self):
        """Nothing but the logarithm knows how fast it is."""
        query = queries(200)
        slow = features.features(features.Query(query.W, 0.01 * query.u))
        change = slow - features.features(query)
        change[:, 8] -= np.log(0.01)
        np.testing.assert_allclose(change, 0, atol=1e-9)

    def test_guards(self):
        """At rest, and straight down, every input is finite."""
        W = np.tile(np.eye(3), (3, 1, 1))
        u = np.array([[0, 0, 0], [0, 0, -1.0], [1e-14, 0, 1e-13]])
        query = features.Query(W, u)
        self.assertTrue(np.isfinite(features.features(query)).all())
        np.testing.assert_allclose(np.linalg.norm(query.axes, axis=2), 1)


class Decode(unittest.TestCase):
    def test_properties(self):
        """No pull, no approach, no gain, and friction never feeds the slip, whatever is said."""
        query, rng = queries(4000), np.random.default_rng(SEED)
        said = rng.integers(0, 3, len(query))
        rho = rng.uniform(-20, 20, (len(query), 2)) * rng.random((len(query), 1))**4
        rho[::50] = np.nan
        label = decode.legal(query, said)
        p = decode.impulse(query, label, rho)
        after = query.u + np.einsum("nij,nj->ni", query.W, p)
        size = np.abs(query.u).max(axis=1)
        self.assertTrue((p[:, 2] >= -1e-12 * size).all())
        self.assertTrue((after[:, 2] >= -1e-9 * size).all())
        self.assertTrue(((p[:, :2] * after[:, :2]).sum(axis=1) <= 1e-9 * size**2).all())
        self.assertTrue(((p * (query.u + after)).sum(axis=1) <= 1e-9 * size**2).all())
        np.testing.assert_allclose(after[label == STATIC], 0, atol=1e-9)
        self.assertFalse(p[label == DETACH].any())

    def test_legality(self):
        W = np.tile(np.eye(3), (4, 1, 1))
        u = np.array([[1.0, 0, -1], [1, 0, 1], [1, 0, 1], [1, 0, -1]])
        query = features.Query(W, u)
        found = decode.legal(query, [DETACH, STATIC, DETACH, STATIC])
        self.assertEqual(found.tolist(), [DYNAMIC, DETACH, DETACH, STATIC])

    def test_ratio(self):
        """Half the friction that stops: the ratio is kept, and the contact slides on."""
        query = features.Query(np.eye(3)[None], np.array([[1.0, 0, -1]]))
        p = decode.slide(query, np.array([[-0.5, 0.0]]))
        np.testing.assert_allclose(p, [[-0.5, 0, 1]])
        np.testing.assert_allclose(decode.slide(query, np.array([[-7.0, 0.0]])), [[-1, 0, 1]])
        np.testing.assert_allclose(decode.slide(query, np.array([[0.5, 0.0]])), [[0, 0, 1]])


class Sweeps(unittest.TestCase):
    def test_properties(self):
        """With a law that knows nothing: no approach, no gain, on all patches."""
        for dimension in (0, 1, 2):
            some = touching(dimension, 300)
            answer = sweeps.solve(some, wild(dimension))
            size = np.abs(some.velocity[:, :3]).max(axis=1) + 0.1 * np.abs(some.velocity[:, 3:]).max(axis=1)
            for i in range(dimension + 1 if dimension < 2 else 4):
                self.assertTrue((some.at(i, answer.velocity)[:, 2] >= -1e-8 * size).all(), dimension)
            gain = sweeps.energy(some, answer.velocity) - sweeps.energy(some, some.velocity)
            self.assertLessEqual(gain.max(), 1e-9, dimension)
            self.assertTrue((answer.force[:, 2] >= -1e-9 * size).all())

    def test_any_friction_is_made_legal(self):
        """Impulses out of thin air: the normals put right, and no energy from friction."""
        for dimension in (1, 2):
            some, rng = touching(dimension, 300), np.random.default_rng(dimension)
            impulse = 5 * rng.standard_normal((len(some), 4, 3)) * some.present()[:, :, None]
            after = sweeps.finish(some, impulse, np.zeros((len(some), 4)))
            before = sweeps.energy(some, some.velocity)
            self.assertLessEqual((sweeps.energy(some, after) / before - 1).max(), 1e-9)
            for i in range(2 if dimension == 1 else 4):
                self.assertGreater(some.at(i, after)[:, 2].min(), -1e-7)

    def test_frictionless_by_two_ways(self):
        """Without friction, what sweeps converge to is the LCP's answer."""
        some = touching(2, 100)
        answer = sweeps.solve(some, lambda query, classes: (None, np.zeros((len(query), 2))), 20, 20)
        held = sweeps.carried(some, np.zeros_like(some.velocity), np.zeros((len(some), 4)))[0]
        np.testing.assert_allclose(answer.velocity, held, atol=1e-9)
        swept = some.velocity + sum(some.turned(i, answer.impulse[:, i]) for i in range(4))
        np.testing.assert_allclose(swept, held, atol=1e-3)

    def test_stop(self):
        """A law that says static stops whatever its normals let it stop, exactly; an edge may still roll."""
        for dimension in (1, 2):
            some = touching(dimension, 300)
            stops = sweeps.try_stop(some, lambda query, classes: (np.full(len(query), STATIC), None),
                                    np.zeros((len(some), 4)))
            sticks, after, impulse = stops[:3]
            self.assertGreater(sticks.sum(), 20)
            for i in range(2 if dimension == 1 else 4):
                np.testing.assert_allclose(some.at(i, after)[sticks], 0, atol=1e-5)
            shared = some.velocity + sum(some.turned(i, impulse[:, i]) for i in range(4))
            np.testing.assert_allclose(shared[sticks], after[sticks], atol=1e-5)
            gain = sweeps.energy(some, after) - sweeps.energy(some, some.velocity)
            self.assertLess(gain[sticks].max(), 1e-9)


class Committed(unittest.TestCase):
    def setUp(self):
        self.law = law.PointLaw(load(MODELS / "box.tcm"))

    def test_shape_file(self):
        with open(MODELS / "shapes" / "box.json", encoding="utf-8") as file:
            shape = json.load(file)
        np.testing.assert_allclose(shape["vertices"], truth.vertices())
        np.testing.assert_allclose(shape["inertia"], truth.inertia(), rtol=1e-6)
        self.assertEqual((shape["mass"], shape["mu"], shape["h"], shape["g"]), (truth.MASS, truth.MU, truth.H, truth.G))

    def test_rests(self):
        """A box at rest stays where it is, to the bit of its velocity, and asks only for classes."""
        position, q = np.array([[0, 0, 0.05 - 1e-5]]), np.array([[1.0, 0, 0, 0]])
        loop, velocity = throws.Loop(self.law), np.zeros((1, 6))
        loop.impulse = loop.stuck = None
        for _ in range(5):
            position, q, velocity = loop.step(position, q, velocity)
        self.assertLess(np.abs(velocity).max(), 1e-9)
        self.assertLess(np.abs(position[0, :2]).max(), 1e-9)
        self.assertEqual(loop.asked[-1][0, 2], 0)

    def test_other_models_are_refused(self):
        with self.assertRaisesRegex(TinycontactError, "spatial"):
            law.PointLaw(load(MODELS / "rectangle.tcm"))


if __name__ == "__main__":
    unittest.main()
