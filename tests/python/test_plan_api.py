# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Values and gradients of pairs and roll-outs for NumPy, JAX and PyTorch, against differences."""
import importlib.util
import unittest

import numpy as np

from tinycontact_case import tc   # noqa: F401
from tinycontact.errors import TinycontactError
from tinycontact.plan import api, scenefile, scenes

A = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.1], [0.3, 0.9, 0.0]])
B = np.array([[0.2, 0.4, 1.0], [0.5, 0.1, 1.4]])


def push():
    return scenefile.from_dict(scenes.scene("push", 1), "push")


class NumPy(unittest.TestCase):

    def test_gradients_by_vertices_and_radii_are_those_of_differences(self):
        for options in ({}, {"A": 4.0, "kappa": 50.0, "length": 0.2}):
            inputs = {"a": A, "b": B, "radius_a": 0.1, "radius_b": 0.05}
            value, by = api.barrier(**inputs, **options)
            self.assertGreater(value, 0)
            for name, x in inputs.items():
                for k in np.ndindex(np.shape(x)):
                    pair = []
                    for sign in (1, -1):
                        moved = np.array(x)
                        moved[k] += sign * 1e-6
                        pair.append(api.barrier(**{**inputs, name: moved}, **options)[0])
                    self.assertAlmostEqual(by[name][k], (pair[0] - pair[1]) / 2e-6, delta=1e-6 * value, msg=(name, k))

    def test_float32_stays_float32(self):
        value, by = api.barrier(A.astype(np.float32), B.astype(np.float32))
        self.assertEqual((value.dtype, by["a"].dtype), (np.float32, np.float32))
        self.assertAlmostEqual(value, api.barrier(A, B)[0], delta=1e-5 * value)

    def test_touching_is_infinite_and_bad_input_raises(self):
        self.assertEqual(api.barrier(A, A + 0.1 * (A[1] - A[0]))[0], np.inf)
        with self.assertRaises(TinycontactError):
            api.barrier(A, B[:, :2])

    def test_roll_outs_pull_gradients_back(self):
        roll = api.Rollout(push(), 15)
        rng = np.random.default_rng(1)
        controls = np.tile(roll.native.scene.controls[0], (15, 1)) + rng.normal(0, 0.01, (15, 3)).cumsum(0)
        weights = rng.normal(size=(16, 6))
        roll(controls)
        by = roll.vjp(weights)
        q, v = roll.native.scene.coordinates, roll.native.scene.velocity
        for name, k in (("controls", (3, 0)), ("controls", (14, 2)), ("start", 4), ("velocity", 3)):
            pair = []
            for sign in (1, -1):
                moved = {"controls": controls.copy(), "start": q.copy(), "velocity": v.copy()}
                moved[name][k] += sign * 1e-5
                pair.append((roll(moved["controls"], moved["start"], moved["velocity"]) * weights).sum())
            self.assertAlmostEqual(by[name][k], (pair[0] - pair[1]) / 2e-5, delta=1e-5 * np.abs(by[name]).max(), msg=name)


@unittest.skipUnless(importlib.util.find_spec("jax"), "JAX is not installed: make setup GROUPS=train")
class Jax(unittest.TestCase):

    def test_grad_and_jit(self):
        import jax
        jax.config.update("jax_enable_x64", True)
        import jax.numpy as jnp
        from tinycontact.plan import jax_api
        found = jax.jit(jax.grad(lambda a, b, r: jax_api.barrier(a, b, r, 0.05), argnums=(0, 1, 2)))(A, B, 0.1)
        by = api.barrier(A, B, 0.1, 0.05)[1]
        for one, name in zip(found, ("a", "b", "radius_a")):
            np.testing.assert_allclose(one, by[name], rtol=1e-12, atol=1e-12)
        many = jax.vmap(lambda z: jax_api.barrier(A, jnp.asarray(B) + z))(jnp.array([0.0, 0.5]))
        self.assertAlmostEqual(float(many[0]), api.barrier(A, B)[0], delta=1e-9)
        path = jax_api.rollout(push(), 10)
        controls = np.tile(push().controls[0], (10, 1)) + 0.01
        by = jax.grad(lambda u: path(u)[-1, 3])(jnp.asarray(controls))
        roll = api.Rollout(push(), 10)
        roll(controls)
        weights = np.zeros((11, 6))
        weights[-1, 3] = 1
        np.testing.assert_allclose(by, roll.vjp(weights)["controls"], rtol=1e-9, atol=1e-15)


@unittest.skipUnless(importlib.util.find_spec("torch"), "PyTorch is not installed: it is optional")
class Torch(unittest.TestCase):

    def test_values_and_gradients_of_a_pair_are_numpys(self):
        import torch
        from tinycontact.plan import torch_api
        for kind, near in ((torch.float64, 1e-12), (torch.float32, 1e-6)):
            tensors = [torch.tensor(x, dtype=kind, requires_grad=True) for x in (A, B, 0.1, 0.05)]
            value = torch_api.barrier(*tensors, A=4.0, kappa=50.0, length=0.2)
            (3 * value).backward()
            own, by = api.barrier(*(x.detach().numpy() for x in tensors), A=4.0, kappa=50.0, length=0.2)
            self.assertEqual((value.dtype, float(value.detach())), (kind, float(own)))
            for x, name in zip(tensors, ("a", "b", "radius_a", "radius_b")):
                self.assertEqual(x.grad.dtype, kind)
                np.testing.assert_allclose(x.grad, 3 * by[name], rtol=near, atol=near * float(own), err_msg=name)
        self.assertEqual(float(torch_api.barrier(torch.tensor(A), torch.tensor(B))), float(api.barrier(A, B)[0]))

    def test_gradcheck(self):
        import torch
        from tinycontact.plan import torch_api
        tensors = [torch.tensor(x, dtype=torch.float64, requires_grad=True) for x in (A, B, 0.1, 0.05)]
        self.assertTrue(torch.autograd.gradcheck(torch_api.barrier, tensors, atol=1e-4))

    def test_roll_outs(self):
        import torch
        from tinycontact.plan import torch_api
        rows = np.tile(push().controls[0], (10, 1)) + 0.01
        weights = np.random.default_rng(2).normal(size=(11, 6))
        roll = api.Rollout(push(), 10)
        q = roll(rows)
        wanted = roll.vjp(weights)["controls"]
        controls = torch.tensor(rows, requires_grad=True)
        path = torch_api.rollout(push(), 10)(controls)
        np.testing.assert_array_equal(path.detach(), q)
        (path * torch.tensor(weights)).sum().backward()
        np.testing.assert_allclose(controls.grad, wanted, rtol=1e-12, atol=1e-18)
        single = torch.tensor(rows, dtype=torch.float32, requires_grad=True)
        (torch_api.rollout(push(), 10, double=False)(single) * torch.tensor(weights)).sum().backward()
        self.assertEqual(single.grad.dtype, torch.float32)
        np.testing.assert_allclose(single.grad, wanted, rtol=1e-2, atol=1e-3 * np.abs(wanted).max())
        with self.assertRaisesRegex(ValueError, "wanted"):
            torch_api.rollout(push(), 10)(controls[:3])


if __name__ == "__main__":
    unittest.main()
