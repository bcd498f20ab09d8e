# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The feature map: what it must not see (scale, place, friction), what it must keep apart, its guards; and
that targets, decode and nets fit together."""
import unittest

import numpy as np

from tinycontact_case import tc
from tinycontact.learn import evaluate, export, features as fmap, law, sample, train
from tinycontact.record import ALL_GROUPS
from tinycontact.sim import coulomb, impulse, query, shapes

SEED = 4


def patches(count, n=200, seed=SEED, k=0.07):
    """A Query of random patches."""
    rng = np.random.default_rng(seed)
    lever = np.sort(rng.uniform(-0.1, 0.1, (n, count)), axis=1)
    return query.make(k, lever, rng.uniform(0.02, 0.12, n), rng.normal(size=(n, 3)) * [1, 1, 10])


class Map(unittest.TestCase):
    def test_widths_and_masks(self):
        """A group that is missing, or stands at another place than the mask says."""
        for count, wanted in ((1, 13), (2, 19)):
            asked = patches(count)
            whole = fmap.features(asked)
            self.assertEqual((whole.shape[1], fmap.width(count)), (wanted, wanted))
            for mask in range(1, ALL_GROUPS + 1):
                if not mask & fmap.MASK[count]:
                    continue
                part = fmap.features(asked, mask)
                self.assertEqual(part.shape[1], fmap.width(count, mask))
                self.assertTrue(all(any(np.array_equal(c, w) for w in whole.T) for c in part.T))

    def test_free_of_scale(self):
        """Twice as large, twice as fast: only the size of the velocity tells."""
        for count in (1, 2):
            small = patches(count)
            large = query.make(2 * small.gyration, 2 * small.lever[:, :count], 2 * small.height,
                               small.velocity * [2, 2, 1])
            difference = fmap.features(large) - fmap.features(small)
            size = {1: 6, 2: 6}[count]
            np.testing.assert_allclose(difference[:, size], np.log(2), atol=1e-12)
            np.testing.assert_allclose(np.delete(difference, size, axis=1), 0, atol=1e-9)

    def test_mirror(self):
        """Seen from behind, an edge has its corners and all tangential signs swapped: errors of sign or
        order."""
        there = patches(2)
        back = query.make(there.gyration, -there.lever, there.height, there.velocity * [-1, 1, -1])
        x, y = fmap.features(there), fmap.features(back)
        order = [1, 0, 2, 3, 5, 4, 6, 7, 9, 8, 10, 13, 14, 11, 12, 15, 16, 17, 18]
        sign = np.array([-1, -1, 1, -1, 1, 1, 1, -1, 1, 1, 1, -1, 1, -1, 1, -1, 1, -1, -1])
        touched = impulse.frictionless(there).sum(axis=1) > 0
        y[:, 10] = np.where(touched, 1 - y[:, 10], 0)   # the share of corner 1
        np.testing.assert_allclose(x, y[:, order] * sign, atol=1e-9)

    def test_by_hand(self):
        """A point below the centre of mass: friction and normal do not mix."""
        asked = query.make(0.1, [[0.0]], [0.1], [[3.0, -4.0, 0.0]])   # A_tt 2, A_nn 1, u = (3, -4)
        f = -1.5
        np.testing.assert_allclose(
            fmap.features(asked)[0],
            [0, 1, 0, 0, 0.6, -0.8, np.log(5), f / np.hypot(f, 4), 4 / np.hypot(f, 4), f / np.hypot(f, 4),
             4 / np.hypot(f, 4), f / 4, f / 4], atol=1e-12)

    def test_what_has_a_direction(self):
        """From SMALL on, that length included; below, none, however short. As lib/learned/tc_learned2_features.c."""
        short = np.array([[0.0, 0.0], [-0.999 * fmap.SMALL, 0.0], [0.0, -fmap.SMALL], [0.6 * fmap.SMALL, 0.81 * fmap.SMALL],
                          [-3.0, 4.0]])
        got = fmap.direction(short)
        np.testing.assert_allclose(got[:3], [[0, 0], [0, 0], [0, -1]])
        np.testing.assert_allclose(np.hypot(*got[3:].T), 1.0)
        np.testing.assert_allclose(got[4], [-0.6, 0.8])

    def test_guards(self):
        """A body at rest in mid-touch, and one far too fast: finite, zero, clipped."""
        still = fmap.features(query.make(0.1, [[-0.1, 0.1]], [0.05], [[0.0, 0.0, 0.0]]))[0]
        self.assertEqual(still[6], np.log(1e-6))
        self.assertFalse(np.delete(still[3:], 3).any())
        fast = fmap.features(query.make(0.1, [[0.0]], [0.1], [[1e6, -1e-3, 0.0]]))[0]
        np.testing.assert_array_equal(fast[-2:], [-2, -2])


class Targets(unittest.TestCase):
    """With the true class and the target of the regressor the decode gives the true impulse, on any floor."""

    def test_target_reproduces_the_truth(self):
        floors = {"constant": coulomb.constant(0.75), "falling": coulomb.falling(),
                  "anisotropic": coulomb.anisotropic()}
        for name, friction in floors.items():
            for dimension in (0, 1):
                with self.subTest(name, dimension=dimension):
                    body = shapes.builtin("rectangle")
                    states = sample.Coulomb(friction).label(body, *sample.fresh(body, dimension, 2000, SEED))
                    rows, ratio, bound = train.ratio_targets(states)
                    some = states[rows]
                    more = ratio * np.where(bound != 0, 1.5, 1 + 1e-9)   # where sliding ended: as good
                    friction_out = impulse.slide(some.query, more, impulse.arrest(some.query))[0]
                    np.testing.assert_allclose(friction_out, some.friction, rtol=1e-6, atol=1e-9)

    def test_labels_keep_states_apart(self):
        """Training, validation and test draw other states, whatever the seed."""
        body = shapes.builtin("rectangle")
        first = [sample.fresh(body, 0, 10, SEED, purpose)[1] for purpose in ("test", "validate")]
        first.append(sample.training(body, 0, 30, SEED, coulomb.law(coulomb.constant(0.75)))[1])
        for a in range(3):
            for b in range(a):
                self.assertFalse(set(first[a].ravel()) & set(first[b].ravel()))


class Export(unittest.TestCase):
    def fitted(self, count):
        rng = np.random.default_rng(SEED)
        x = fmap.features(patches(count))
        mean, scale = x.mean(axis=0).astype(np.float32), (1 / (x.std(axis=0) + 0.1)).astype(np.float32)
        params = [[(rng.normal(size=(x.shape[1], 4)), rng.normal(size=4)),
                   (rng.normal(size=(4, n)), np.zeros(n))] for n in (3, 1)]
        return export.Fitted(params[0], params[1], mean, scale, 0.5, x, x[:50], 2.0), x

    def test_nets_compute_what_was_fitted(self):
        """A transposed layer, a forgotten temperature or output scale."""
        body = shapes.builtin("rectangle")
        fitted = {d: self.fitted(d + 1)[0] for d in (0, 1)}
        model = export.model(body, fitted, "toc", "f32", {})
        self.assertEqual((model.contact.positions, model.contact.temperature[:2]), ("toc", (2.0, 2.0)))
        for d in (0, 1):
            probability, ratio, outside = law.NetLaw(model).answer(patches(d + 1))
            z = (self.fitted(d + 1)[1] - fitted[d].mean) * fitted[d].scale
            (w0, b0), (w1, b1) = fitted[d].classifier
            logits = (np.tanh(z @ w0 + b0) @ w1 + b1) / 2
            np.testing.assert_allclose(np.log(probability[:, 1] / probability[:, 0]),
                                       logits[:, 1] - logits[:, 0], rtol=1e-3, atol=1e-4)
            (w0, b0), (w1, b1) = fitted[d].regressor
            np.testing.assert_allclose(ratio, 0.5 * (np.tanh(z @ w0 + b0) @ w1 + b1)[:, 0], rtol=1e-3,
                                       atol=1e-4)
            self.assertFalse(outside.any())
            self.assertTrue(law.NetLaw(model).answer(patches(d + 1, seed=9, k=0.02))[2].any())

    def test_range_has_a_margin(self):
        """Nobody is told of states at the ends of a range, where a flat side always lies: those that differ from all
        of training by rounding or by a hundredth of the span."""
        fitted, x = self.fitted(2)
        for net in export.nets(1, fitted):
            span = np.ptp(x, axis=0)
            np.testing.assert_allclose(net.input_high, x.max(axis=0) + 0.02 * span, rtol=1e-6, atol=1e-6)
            np.testing.assert_allclose(net.input_low, x.min(axis=0) - 0.02 * span, rtol=1e-6, atol=1e-6)

    def test_temperature(self):
        """Logits three times too sure are found out."""
        rng = np.random.default_rng(SEED)
        x = rng.normal(size=(4000, 3))
        powers = np.exp(x)
        below = np.cumsum(powers / powers.sum(axis=1, keepdims=True), axis=1)
        label = (rng.random((4000, 1)) > below).sum(axis=1)
        self.assertAlmostEqual(export.temperature_of([(3 * np.eye(3), np.zeros(3))], x, label), 3, delta=0.3)

    def test_other_models_are_refused(self):
        plain = tc.Model([tc.Net("class0", [(np.ones((3, 13)), np.zeros(3), "identity")], "softmax")])
        with self.assertRaisesRegex(tc.TinycontactError, "no planar contact record"):
            law.NetLaw(plain)


class Judge(unittest.TestCase):
    def test_scores_of_the_truth(self):
        """A law that says what the truth did has no error; one that always sticks has the share of static
        states."""
        body = shapes.builtin("rectangle")
        states = sample.Coulomb(coulomb.constant(0.75)).label(body, *sample.fresh(body, 1, 500, SEED))

        class Known:
            def __init__(self, label, ratio):
                self.label, self.ratio = label, ratio

            def answer(self, asked):
                return np.eye(3)[self.label], self.ratio, np.zeros(len(asked), bool)
        ratio = states.friction / np.where(states.normal > 0, states.normal, np.inf) * (1 + 1e-9)
        right = evaluate.evaluate_states(Known(states.label, ratio), states)
        self.assertEqual((right["accuracy"], right["overruled"], right["ece"]), (1.0, 0, 0.0))
        self.assertLess(right["friction_rms"], 1e-7)
        stuck = evaluate.evaluate_states(Known(np.zeros(500, int), 0 * ratio), states)
        self.assertEqual(stuck["recall"]["static"], 1.0)
        self.assertAlmostEqual(stuck["friction_rms"], 1.0)


if __name__ == "__main__":
    unittest.main()
