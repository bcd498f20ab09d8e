# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Normalisation folded into the first layer: the same function, without the arrays, at a stated loss."""
import unittest

import numpy as np

from tinycontact_case import ROOT, Temporary, random_net, tc
from tinycontact.net import single_eval


class Fold(Temporary):
    def test_same_function(self):
        """A scale or a mean that is left out or taken twice; ranges, head or output normalisation lost."""
        for seed, head in enumerate(("linear", "softmax") * 4):
            net = random_net(100 + seed, [5, 9, 3], ["tanh", "identity"], head=head, normal=True, limits=True)
            folded, loss = tc.fold_normalisation(net)
            self.assertIsNone(folded.input_mean)
            self.assertIsNone(folded.input_scale)
            self.assertLess(loss, 1e-6)
            rows = net._made_inputs(300)
            np.testing.assert_allclose(folded.eval(rows), net.eval(rows), rtol=0, atol=1e-6)
            for name in ("name", "head", "input_low", "input_high", "output_mean", "output_scale"):
                self.assertTrue(np.array_equal(getattr(net, name), getattr(folded, name)), name)
            np.testing.assert_array_equal(folded.samples.inputs, net.samples.inputs)

    def test_one_input(self):
        """A bias with the wrong sign; (x - 3) * 4 * 0.5 + 1 = 2 x - 5, exact in float32."""
        net = tc.Net("n", [([[0.5]], [1.0], "identity")], input_mean=[3.0], input_scale=[4.0])
        folded, loss = tc.fold_normalisation(net)
        self.assertEqual((folded.layers[0].weights[0, 0], folded.layers[0].bias[0], loss), (2.0, -5.0, 0.0))

    def test_without_normalisation(self):
        net = random_net(7, [3, 2], ["tanh"])
        self.assertEqual(tc.fold_normalisation(net), (net, 0.0))

    def test_refused(self):
        """A net that would become inaccurate: inputs of 1000 +- 1 leave three digits less."""
        rng = np.random.default_rng(5)
        net = tc.Net("far", [(rng.normal(size=(4, 6)), np.zeros(4), "tanh"), (np.ones((1, 4)), [0.0])],
                     input_mean=np.full(6, 1000.3), input_scale=np.ones(6))
        with self.assertRaisesRegex(tc.TinycontactError, "net 'far': folding the normalisation would cost"):
            tc.fold_normalisation(net)
        folded, loss = tc.fold_normalisation(net, most=1.0)
        self.assertTrue(1e-6 < loss < 1e-2, loss)
        with self.assertRaisesRegex(tc.TinycontactError, "net 'bare': has no samples"):
            tc.fold_normalisation(random_net(8, [3, 2], ["tanh"], normal=True, samples=0, name="bare"))
        with self.assertRaisesRegex(tc.TinycontactError, "float weights only"):
            tc.fold_normalisation(random_net(8, [3, 2], ["tanh"], weights="i8", normal=True))

    def test_single_is_the_library(self):
        """Sums in another order than the library's: nets without activations agree to the bit."""
        net = random_net(9, [13, 16, 3], ["relu", "identity"], normal=True)
        rows = net._made_inputs(50).astype(np.float32)
        np.testing.assert_array_equal(single_eval(net, rows).astype(np.float32), tc.Library().eval(net, rows))

    def test_trained_models(self):
        """The planar models that are in the repository are folded: a step does not normalise."""
        planar = [model for model in map(tc.load, sorted((ROOT / "tests/models").glob("*.tcm")))
                  if model.contact.kind == "planar" and model.nets[0].weights == "f32"]
        self.assertGreaterEqual(len(planar), 5)
        for net in (net for model in planar for net in model.nets):
            self.assertIsNone(net.input_mean, net.name)
            self.assertIsNone(net.output_mean, net.name)


if __name__ == "__main__":
    unittest.main(verbosity=2)
