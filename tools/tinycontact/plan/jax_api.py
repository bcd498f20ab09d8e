# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Barriers of pairs and roll-outs of scenes inside JAX: reverse-mode derivatives by the library.

    from tinycontact.plan import jax_api
    jax.grad(lambda b: jax_api.barrier(a, b))(b)
    roll = jax_api.rollout(scenefile.load("push.json"))
    jax.grad(lambda controls: roll(controls)[-1, 0])(controls)

jit, vmap (one call after another) and grad work; jvp and forward mode do not. float64 wants jax_enable_x64.
"""
import jax
import jax.numpy as jnp
import numpy as np

from . import api
from .pair import solver


def _like(x):
    return jax.ShapeDtypeStruct(x.shape, x.dtype)


def _call(run, shapes, *arrays):
    return jax.pure_callback(run, shapes, *arrays, vmap_method="sequential")


NAMES = ("a", "b", "radius_a", "radius_b")


@jax.custom_vjp
def _barrier(a, b, radius_a, radius_b, weights):
    return _call(lambda *x: np.asarray(api.barrier(*map(np.asarray, x[:4]), *map(float, x[4]))[0], x[0].dtype),
                 jax.ShapeDtypeStruct((), a.dtype), a, b, radius_a, radius_b, weights)


def _forward(*inputs):
    return _barrier(*inputs), inputs


def _back(inputs, by_value):
    a, b, radius_a, radius_b, weights = inputs

    def run(*x):
        by = api.barrier(*map(np.asarray, x[:4]), *map(float, x[4]))[1]
        return tuple(np.asarray(by[name], x[0].dtype) for name in NAMES)
    found = _call(run, tuple(map(_like, inputs[:4])), *inputs)
    return (*(by_value * x for x in found), jnp.zeros_like(weights))


_barrier.defvjp(_forward, _back)


def barrier(a, b, radius_a=0.0, radius_b=0.0, A=12.0, kappa=1.0, length=0.0):
    """The value of api.barrier; differentiable by vertices and radii."""
    kind = jnp.result_type(a, b, jnp.float32)
    solver(kind == jnp.float64)   # loaded here: threads of JAX flush subnormal numbers, which the library's check refuses
    return _barrier(*(jnp.asarray(x, kind) for x in (a, b, radius_a, radius_b)), jnp.asarray([A, kappa, length], kind))


def rollout(scene, steps=None):
    """A function of controls [steps, controls]: q [steps + 1, coordinates] of api.Rollout."""
    roll = api.Rollout(scene, steps, bool(jax.config.jax_enable_x64))
    shape = (roll.steps + 1, roll.native.sizes.coordinates)

    @jax.custom_vjp
    def path(controls):
        return _call(lambda u: np.asarray(roll(np.asarray(u)), controls.dtype), jax.ShapeDtypeStruct(shape, controls.dtype),
                     controls)

    def back(controls, by_q):
        def run(u, by):
            roll(np.asarray(u))
            return np.asarray(roll.vjp(np.asarray(by))["controls"], controls.dtype)
        return (_call(run, _like(controls), controls, by_q),)
    path.defvjp(lambda controls: (path(controls), controls), back)

    def checked(controls):
        controls = jnp.asarray(controls, jnp.result_type(controls, jnp.float32))
        if controls.shape != (roll.steps, roll.native.sizes.control):
            raise ValueError(f"controls have shape {controls.shape}, wanted {(roll.steps, roll.native.sizes.control)}")
        return path(controls)
    return checked
