# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The differentiable functions of tinycontact.impact against central differences, in NumPy, JAX and PyTorch."""
import importlib.util
import unittest

import numpy as np

from tinycontact.errors import TinycontactError
from tinycontact.impact import api, systems

NUDGE = 1e-4
# The certificate leaves 1e-10 in w, so 1e-6 in a difference; its curvature leaves 1e-8. Patterns stay within the margin.
NEAR = 1e-5
MARGIN = 1e-3


def problem(rng, n, rows, d):
    """A random problem whose contacts approach, of full rank."""
    G = rng.standard_normal((n * rows, d))
    w0 = rng.standard_normal(d)
    for i in range(n):
        if G[i * rows] @ w0 > 0:
            G[i * rows] *= -1
    return dict(G=G, w0=w0, mu=rng.uniform(0.1, 0.9, n), e=rng.uniform(0.1, 0.9, n), target=0.1 * rng.standard_normal(d))


def differences(function, inputs, name):
    """dw / d inputs[name] by central differences, [d, ...]."""
    x = inputs[name]
    columns = []
    for k in range(x.size):
        ends = []
        for sign in (1, -1):
            moved = x.copy()
            moved.flat[k] += sign * NUDGE
            ends.append(function(**{**inputs, name: moved})[0])
        columns.append((ends[0] - ends[1]) / (2 * NUDGE))
    return np.stack(columns, axis=1).reshape(-1, *x.shape)


def problems(seed=3, count=12):
    """Problems away from a change of pattern, for both functions."""
    rng = np.random.default_rng(seed)
    found = []
    while len(found) < count:
        n, rows = int(rng.integers(1, 4)), int(rng.choice([2, 3]))
        inputs = problem(rng, n, rows, n * rows + 1)
        _, info = api.impact(**inputs)
        if info.margin > MARGIN:
            found.append(inputs)
    return found


class Numbers(unittest.TestCase):
    def test_impact_jacobian_is_the_slope(self):
        for inputs in problems():
            _, info = api.impact(**inputs)
            J = info.jacobian()
            for name in inputs:
                np.testing.assert_allclose(J[name], differences(api.impact, inputs, name), atol=NEAR, rtol=NEAR)

    def test_cone_jacobian_is_the_slope(self):
        for inputs in problems(seed=5):
            given = {name: inputs[name] for name in ("G", "w0", "mu")} | {"floor": 0.2 * inputs["e"]}
            _, info = api.cone(**given)
            if info.margin < MARGIN:
                continue
            J = info.jacobian()
            for name in given:
                np.testing.assert_allclose(J[name], differences(api.cone, given, name), atol=NEAR, rtol=NEAR)

    def test_impulses_give_the_velocity(self):
        for inputs in problems(seed=7):
            w, info = api.impact(**inputs)
            np.testing.assert_allclose(w, inputs["w0"] + inputs["G"].T @ (info.f + info.f_c), atol=1e-10)
            np.testing.assert_allclose(info.u, inputs["G"] @ w, atol=1e-10)

    def test_float32_stays_float32_and_is_near(self):
        for inputs in problems(seed=9):
            single = {name: x.astype(np.float32) for name, x in inputs.items()}
            w, info = api.impact(**single)
            by = info.vjp(np.ones(len(w), np.float32))
            self.assertEqual({np.dtype(np.float32)}, {w.dtype, *(x.dtype for x in by.values())})
            exact, whole = api.impact(**inputs)
            np.testing.assert_allclose(w, exact, atol=1e-4)
            np.testing.assert_allclose(by["w0"], whole.vjp(np.ones(len(w)))["w0"], atol=1e-2)

    def test_bad_shapes_and_numbers_are_named(self):
        inputs = problems(count=1)[0]
        with self.assertRaisesRegex(TinycontactError, "e: has shape"):
            api.impact(**{**inputs, "e": np.zeros(7)})
        with self.assertRaisesRegex(TinycontactError, "TC_ERR_RANGE"):
            api.impact(**{**inputs, "mu": -inputs["mu"]})
        with self.assertRaisesRegex(TinycontactError, "TC_ERR_NOT_FINITE"):
            api.impact(**{**inputs, "w0": inputs["w0"] * np.nan})
        with self.assertRaisesRegex(TinycontactError, "by_w: has shape"):
            api.impact(**inputs)[1].vjp(np.zeros(1))


class Scenes(unittest.TestCase):
    def test_a_step_with_an_impact_has_the_slopes_of_its_start_and_numbers(self):
        scene = systems.named("throw")
        step = api.SceneStep(scene, ("mu", "e"))
        state = np.array([0.0, 0.105, 0.0, 0.6, -2.0, 40.0])   # slips, and strikes within the step
        after, by_start, by_unknown = step(state)
        self.assertGreater(after[4], 0.0)
        for k in range(2):
            theta = step.theta.copy()
            theta[k] += 1e-4
            np.testing.assert_allclose((step(state, theta)[0] - after) / 1e-4, by_unknown[:, k], atol=1e-2)
        self.assertGreater(np.abs(by_unknown).min(axis=0).max() + np.abs(by_unknown).max(), 0.1)
        moved = state.copy()
        moved[1] += 1e-5
        np.testing.assert_allclose((step(moved)[0] - after) / 1e-5, by_start[:, 1], atol=1e-2)


@unittest.skipUnless(importlib.util.find_spec("jax"), "JAX is not installed: make setup GROUPS=train")
class Jax(unittest.TestCase):
    def test_grad_jit_and_vmap(self):
        import jax
        jax.config.update("jax_enable_x64", True)
        import jax.numpy as jnp
        from tinycontact.impact import jax_api
        for inputs in problems(seed=11, count=4):
            arrays = [jnp.asarray(inputs[name]) for name in ("G", "w0", "mu", "e", "target")]
            wanted = np.linspace(-1, 1, len(inputs["w0"]))
            found = jax.jit(jax.grad(lambda *a: jax_api.impact(*a) @ wanted, argnums=(0, 1, 2, 3, 4)))(*arrays)
            by = api.impact(**inputs)[1].vjp(wanted)
            for name, x in zip(("G", "w0", "mu", "e", "target"), found):
                np.testing.assert_allclose(x, by[name], atol=1e-12)
            many = jax.vmap(lambda mu: jax_api.impact(arrays[0], arrays[1], mu, *arrays[3:]))(
                jnp.stack([arrays[2], 0.5 * arrays[2]]))
            np.testing.assert_allclose(many[1], api.impact(**{**inputs, "mu": 0.5 * inputs["mu"]})[0], atol=1e-12)
            by_cone = jax.grad(lambda mu: jax_api.cone(arrays[0], arrays[1], mu) @ wanted)(arrays[2])
            np.testing.assert_allclose(by_cone, api.cone(inputs["G"], inputs["w0"], inputs["mu"])[1].vjp(wanted)["mu"],
                                       atol=1e-12)


@unittest.skipUnless(importlib.util.find_spec("torch"), "PyTorch is not installed: it is optional")
class Torch(unittest.TestCase):
    def test_gradcheck(self):
        import torch
        from tinycontact.impact import torch_api
        for inputs in problems(seed=13, count=3):
            tensors = [torch.tensor(inputs[name], requires_grad=True) for name in ("G", "w0", "mu", "e", "target")]
            self.assertTrue(torch.autograd.gradcheck(torch_api.impact, tensors, atol=1e-4))

    def test_values_and_gradients_are_numpys(self):
        import torch
        from tinycontact.impact import torch_api
        for inputs in problems(seed=15, count=4):
            wanted = np.linspace(-1, 1, len(inputs["w0"]))
            of_cone = {name: inputs[name] for name in ("G", "w0", "mu")} | {"floor": 0.2 * inputs["e"]}
            for own, numpys, given in ((torch_api.impact, api.impact, inputs), (torch_api.cone, api.cone, of_cone)):
                for kind, near in ((torch.float64, 1e-12), (torch.float32, 1e-5)):
                    tensors = {name: torch.tensor(x, dtype=kind, requires_grad=True) for name, x in given.items()}
                    w = own(**tensors)
                    (w @ torch.tensor(wanted, dtype=kind)).backward()
                    exact, info = numpys(**{name: x.detach().numpy() for name, x in tensors.items()})
                    self.assertEqual(w.dtype, kind)
                    np.testing.assert_array_equal(w.detach(), exact)
                    by = info.vjp(wanted.astype(exact.dtype))
                    for name, x in tensors.items():
                        np.testing.assert_allclose(x.grad, by[name], rtol=near, atol=near, err_msg=name)
            short = [inputs[name] for name in ("G", "w0", "mu")]
            tensors = [torch.tensor(x) for x in short]
            np.testing.assert_array_equal(torch_api.cone(*tensors), api.cone(*short)[0])
            own = api.impact(*short)[0]    # which leaves the second phase out
            np.testing.assert_allclose(torch_api.impact(*tensors), own, atol=1e-10)


if __name__ == "__main__":
    unittest.main()
