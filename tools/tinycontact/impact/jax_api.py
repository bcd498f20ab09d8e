# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Contact problems and impacts inside JAX: reverse-mode derivatives by the library's adjoint.

    from tinycontact.impact import jax_api
    w = jax_api.impact(G, w0, mu, e, target)
    jax.grad(lambda mu: jax_api.impact(G, w0, mu, e, target) @ wanted)(mu)

jit, vmap (one call after another) and grad work; jvp and forward mode do not. float64 wants jax_enable_x64.
"""
import jax
import jax.numpy as jnp
import numpy as np

from . import api


def _solved(function):
    def run(*arrays):
        return function(*map(np.asarray, arrays))[0]
    return run


def _like(x):
    return jax.ShapeDtypeStruct(x.shape, x.dtype)


def _call(run, shapes, *arrays):
    return jax.pure_callback(run, shapes, *arrays, vmap_method="sequential")


def _together(*arrays):
    """All of one kind of number."""
    kind = jnp.result_type(*arrays, jnp.float32)
    return tuple(jnp.asarray(x, kind) for x in arrays)


@jax.custom_vjp
def _cone(G, w0, mu, floor):
    return _call(_solved(api.cone), _like(w0), G, w0, mu, floor)


def _cone_forward(G, w0, mu, floor):
    return _cone(G, w0, mu, floor), (G, w0, mu, floor)


def _cone_back(inputs, by_w):
    def run(*arrays):
        by = api.cone_vjp(*map(np.asarray, arrays))
        return tuple(by[name] for name in ("G", "w0", "mu", "floor"))
    return _call(run, tuple(map(_like, inputs)), *inputs, by_w)


_cone.defvjp(_cone_forward, _cone_back)


@jax.custom_vjp
def _impact(G, w0, mu, e, target):
    return _call(_solved(api.impact), _like(w0), G, w0, mu, e, target)


def _impact_forward(G, w0, mu, e, target):
    return _impact(G, w0, mu, e, target), (G, w0, mu, e, target)


def _impact_back(inputs, by_w):
    def run(*arrays):
        by = api.impact_vjp(*map(np.asarray, arrays))
        return tuple(by[name] for name in ("G", "w0", "mu", "e", "target"))
    return _call(run, tuple(map(_like, inputs)), *inputs, by_w)


_impact.defvjp(_impact_forward, _impact_back)


def cone(G, w0, mu, floor=None):
    """w [d] of api.cone."""
    return _cone(*_together(G, w0, mu, jnp.zeros_like(jnp.asarray(mu)) if floor is None else floor))


def impact(G, w0, mu, e=None, target=None):
    """w [d] of api.impact."""
    mu, w0 = jnp.asarray(mu), jnp.asarray(w0)
    return _impact(*_together(G, w0, mu, jnp.zeros_like(mu) if e is None else e,
                              jnp.zeros_like(w0) if target is None else target))
