# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Importers: the right matrix, the right way round, from JAX and PyTorch, or from what looks like theirs."""
import importlib.util
import unittest
from unittest import mock

import numpy as np

from tinycontact_case import Temporary, tc

RNG = np.random.default_rng(1)
DIMS = (3, 5, 5, 2)
WEIGHTS = [RNG.normal(size=(o, i)) for i, o in zip(DIMS, DIMS[1:])]
BIASES = [RNG.normal(size=o) for o in DIMS[1:]]
X = np.float32(RNG.normal(size=(4, 3))).astype(float)


def wanted(activation=np.tanh):
    x = X
    for k, (W, b) in enumerate(zip(WEIGHTS, BIASES)):
        x = x @ np.float32(W).astype(float).T + np.float32(b)
        x = activation(x) if k < 2 else x
    return x


class Same(Temporary):
    def same(self, net, activation=np.tanh):
        np.testing.assert_allclose(net.eval(X), wanted(activation), rtol=1e-12)


class FromJax(Same):
    def test_shapes_of_pytrees(self):
        """x @ W: kernels are [n_in, n_out]; the square one in the middle does not say which way round."""
        pairs = [(W.T, b) for W, b in zip(WEIGHTS, BIASES)]
        flax = {f"Dense_{k}": {"kernel": W, "bias": b} for k, (W, b) in enumerate(pairs)}
        for tree in (pairs, tuple(pairs), [list(pair) for pair in pairs],
                     [{"w": W, "b": b} for W, b in pairs],
                     {"params": flax}, dict(reversed(flax.items())), {"trunk": flax}):
            self.same(tc.from_jax(tree))
        with_activation = tc.from_jax(pairs, "relu", name="friction", input_mean=[0] * 3, input_scale=[1] * 3)
        self.same(with_activation, lambda v: np.maximum(v, 0))
        self.assertEqual((with_activation.name, with_activation.layers[2].activation),
                         ("friction", "identity"))
        self.same(tc.from_jax(pairs, ["tanh", "tanh", "identity"]))

    def test_order_of_many_layers(self):
        """Dense_10 comes after Dense_9: in the alphabet it comes after Dense_1."""
        tree = {f"Dense_{k + 5}": {"kernel": W.T, "bias": b} for k, (W, b) in enumerate(zip(WEIGHTS, BIASES))}
        tree["Dense_10"] = tree.pop("Dense_7")
        self.same(tc.from_jax(tree))

    def test_refused(self):
        W, b = WEIGHTS[0], BIASES[0]
        for tree, told in (([(W, np.zeros(4))], "do not fit"),
                           ([(W.T, b), (np.ones((7, 2)), np.zeros(2))], "neither way"),
                           ({"a": {"kernel": W}}, "without a bias"), (W, "by itself"), ([], "no layers"),
                           ({"a": {"kernel": [["x"]], "bias": [0]}}, "not an array of numbers")):
            with self.subTest(told=told), self.assertRaisesRegex(tc.TinycontactError, told):
                tc.from_jax(tree)
        with self.assertRaisesRegex(tc.TinycontactError, "2 activations for 1 layers"):
            tc.from_jax([(W.T, b)], ["tanh", "tanh"])

    def test_jax_missing(self):
        class Node:
            pass
        with mock.patch.dict("sys.modules", jax=None):
            with self.assertRaisesRegex(tc.TinycontactError, "JAX.*not installed"):
                tc.from_jax(Node())
            self.same(tc.from_jax([(W.T, b) for W, b in zip(WEIGHTS, BIASES)]))   # plain arrays need none

    @unittest.skipUnless(importlib.util.find_spec("jax"), "JAX is not installed")
    def test_real_jax(self):
        import collections
        import jax
        import jax.numpy as jnp
        tree = [{"w": jnp.asarray(W.T, jnp.float32), "b": jnp.asarray(b, jnp.float32)} for W,
                b in zip(WEIGHTS, BIASES)]
        self.same(tc.from_jax(tree))
        Layer = collections.namedtuple("Layer", "w b")
        self.same(tc.from_jax([Layer(**layer) for layer in tree]))

        class State:
            pass
        jax.tree_util.register_pytree_node(State, lambda s: (s.tree, None), lambda _, leaves: leaves)
        state = State()
        state.tree = tree
        self.same(tc.from_jax(state))
        with self.assertRaisesRegex(tc.TinycontactError, "no pytree"):
            tc.from_jax(object())


class Tensor:
    """A PyTorch tensor as far as the importer looks at one."""

    def __init__(self, array):
        self.array, self.shape = array, array.shape

    def detach(self):
        return self

    cpu = detach

    def numpy(self):
        return self.array


def module(kind, **fields):
    return type(kind, (), fields)()


class Sequential(list):
    def state_dict(self):
        return {f"{k}.{name}": getattr(m, name) for k, m in enumerate(self) for name in ("weight", "bias")
                if hasattr(m, name)}


def linear(k):
    return module("Linear", weight=Tensor(WEIGHTS[k]), bias=Tensor(BIASES[k]))


class FromTorch(Same):
    def test_sequential(self):
        tanh = module("Tanh")
        self.same(tc.from_torch(Sequential([linear(0), tanh, linear(1), module("Dropout"), tanh, linear(2)])))
        soft = tc.from_torch(Sequential([linear(0), module("ReLU"), linear(1), module("Softplus", beta=1),
                                         linear(2),
                                         module("Softmax")]))
        self.assertEqual((soft.head, [layer.activation for layer in soft.layers]),
                         ("softmax", ["relu", "softplus", "identity"]))
        bare = Sequential([module("Linear", weight=Tensor(WEIGHTS[0]), bias=None)])
        np.testing.assert_array_equal(tc.from_torch(bare).layers[0].bias, np.zeros(5, np.float32))

    def test_state_dict(self):
        state = {f"net.{2 * k + 7}.{name}": Tensor(v[k]) for k in range(3) for name,
                 v in (("weight", WEIGHTS), ("bias", BIASES))}
        self.same(tc.from_torch(state, "tanh"))
        self.same(tc.from_torch(dict(reversed(state.items())), ["tanh", "tanh", "identity"]))

    def test_refused(self):
        relu = module("ReLU")
        for source, told in ((Sequential([linear(0), module("GELU")]), r"Sequential\[1\]: GELU is not known"),
                             (Sequential([relu, linear(0)]), "ReLU does not follow a Linear"),
                             (Sequential([linear(0), relu, relu]), r"Sequential\[2\]: ReLU does not follow"),
                             (Sequential([linear(0), module("Softplus", beta=2)]), "beta = 2"),
                             (Sequential([linear(0), module("Softmax"), linear(1)]), "after the softmax"),
                             (Sequential([]), "no layers"), ({"0.weight": WEIGHTS[0]}, "has no activations"),
                             (module("Conv"), "neither a Sequential")):
            with self.subTest(told=told), self.assertRaisesRegex(tc.TinycontactError, told):
                tc.from_torch(source)
        with self.assertRaisesRegex(tc.TinycontactError, "'1.running_mean'"):
            tc.from_torch({"0.weight": WEIGHTS[0], "0.bias": BIASES[0], "1.running_mean": BIASES[0]}, "relu")

    def test_torch_missing(self):
        with mock.patch.dict("sys.modules", torch=None):
            with self.assertRaisesRegex(tc.TinycontactError, "model.pt.*PyTorch.*not installed"):
                tc.from_torch("model.pt", "relu")

    @unittest.skipUnless(importlib.util.find_spec("torch"), "PyTorch is not installed")
    def test_real_torch(self):
        import torch
        net = torch.nn.Sequential(torch.nn.Linear(3, 5), torch.nn.Tanh(), torch.nn.Linear(5, 5),
                                  torch.nn.ReLU(),
                                  torch.nn.Linear(5, 2), torch.nn.Softmax(dim=-1))
        expected = net.double()(torch.tensor(X)).detach().numpy()
        np.testing.assert_allclose(tc.from_torch(net).eval(X), expected, atol=1e-6)
        torch.save(net.state_dict(), "model.pt")
        again = tc.from_torch(self.folder / "model.pt", ["tanh", "relu", "identity"], head="softmax")
        np.testing.assert_allclose(again.eval(X), expected, atol=1e-6)
        (self.folder / "bad.pt").write_text("nothing")
        with self.assertRaisesRegex(tc.TinycontactError, "bad.pt: no state_dict"):
            tc.from_torch("bad.pt", "relu")


if __name__ == "__main__":
    unittest.main()
