# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The nets, and one step of every model that is trained through its own integrator. JAX, one seed; vmap does the rest.

A state is y = (Q_n, V_{n+1/2}) in one vector [2D]; `flag` says whether an impulse acts on the way to the next.

Potential:  V(Q) = s sum_j a_j act(W_j x + b_j),  x = (Q - mean)/deviation,  F = -dV/dQ.  The scale s, the mean
mass times the variance of qdot [J], makes weights of order one whatever the units of the log.

Contact:    margin(Q_{n+1}, V_{n+1/2}) = sum_j a_j act(W_j x + b_j) + c; contact where it is not negative and the
gap closes.

CD-Lagrange step (45-50), F = -dV/dQ and the impulse such that L V_{n+3/2} = -e L V_{n+1/2}:
    Q' = Q + h V,  V' = V + h M^-1 F(Q') + flag M^-1 L p,  p = (-e L V - L (V + h M^-1 F)) / (L M^-1 L^T).
"""
from typing import NamedTuple

import numpy as np

from ...learn.fit import frameworks

ACTIVATIONS = ("softplus", "tanh")


class Scale(NamedTuple):
    """Of one seed's data: normalisation of positions, size of accelerations, noise of states."""

    mean: np.ndarray       # [D]
    deviation: np.ndarray  # [D]
    pull: np.ndarray       # [D] s / (deviation mass): acceleration for a slope of one
    noise: np.ndarray      # [2D]


def scales(data, noise):
    """A Scale of arrays [S, ...]."""
    deviation, mass = np.maximum(data.q.std(axis=1), 1e-9), np.array(data.system.mass)
    energy = mass.mean() * data.v.var(axis=(1, 2))
    return Scale(data.q.mean(axis=1), deviation, energy[:, None] / (deviation * mass), noise)


def act(name):
    """(function, derivative) of an activation."""
    jax, jnp, _ = frameworks()
    if name == "tanh":
        return jnp.tanh, lambda x: 1 - jnp.tanh(x)**2
    return jax.nn.softplus, jax.nn.sigmoid


def force(params, q, scale, activation):
    """M^-1 F(q) [D]: the acceleration the potential gives."""
    _, slope = act(activation)
    x = (q - scale.mean) / scale.deviation
    return -scale.pull * ((params["a"] * slope(params["W"] @ x + params["b"])) @ params["W"])


def cdl_step(system, activation):
    """step(params, scale, y, flag) of the CD-Lagrange integrator with a learned potential."""
    _, jnp, _ = frameworks()
    d, h = system.columns, system.h
    normal = jnp.array(system.normal if system.touches else (0.0,) * d)
    pushed = normal / jnp.array(system.mass)
    weight = jnp.array(system.mass) / sum(system.mass)
    stiffness = jnp.maximum(normal @ pushed, 1e-30)

    def step(params, scale, y, flag):
        q, v = y[:d] + h * y[d:], y[d:]
        free = v + h * force(params, q, scale, activation)
        free = free + flag * pushed * (-system.e * (normal @ v) - normal @ free) / stiffness
        if system.project:
            q = jnp.where(flag > 0, weight @ q, q)
        return jnp.concatenate([q, free])
    return step


def verlet_step(system, activation):
    """step of the variational integrator net (velocity Verlet), which knows no contact."""
    _, jnp, _ = frameworks()
    d, h = system.columns, system.h

    def step(params, scale, y, flag):
        first = force(params, y[:d], scale, activation)
        q = y[:d] + h * y[d:] + h * h / 2 * first
        return jnp.concatenate([q, y[d:] + h / 2 * (first + force(params, q, scale, activation))])
    return step


def potential_start(seed, d, hidden, spread):
    """Initial weights: slopes of `spread`, kinks all over the data, no force."""
    rng = np.random.default_rng([seed, 1])
    return {"W": spread * rng.standard_normal((hidden, d)), "b": rng.uniform(-2, 2, hidden), "a": np.zeros(hidden)}
