# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The contact signal, learned after the dynamics from the fitted trajectory: the simplest that explains the flags.

Samples are the steps whose gap closes (u = L V < 0); others cannot touch. What the step knows before it decides is
(Q_{n+1} before any projection, V_{n+1/2}).

First a plane is tried: contact where gap <= c + r h |u|. Its margin is the least distance of any sample from the
plane on the right side, in units of the step's own travel h |u|, and r is charged (a fixed floor has r = 0). Between
the step before an impact and the impact lies one travel, so a margin of 0.5 is the best there is; a plane with at
least PLANE is taken. One coordinate before a floor can have nothing but a plane: there it is taken with as little as
FLOOR, since fitted trajectories may lie on the wrong side by their error. It is two units of a softplus net, one of a
tanh net.

Otherwise a net of one hidden layer is fitted, its inputs centred at the recorded contacts:

    x = ((Q - mean Q at contacts) / (h fastest approach), (V - mean V at contacts) / (deviation of V)).

Loss: squared hinge max(0, 1 - y margin)^2 with a weak l2, by Adam on all samples: a wide margin, not a likelihood,
is what keeps later roll-outs from missing an impact by one step.
"""
from typing import NamedTuple

import numpy as np

from ...learn.fit import frameworks
from .model import act

UPDATES, RATE, DECAY = 4000, 1e-2, 1e-6
PLANE, FLOOR = 0.05, -0.5     # least margin of a plane, steps of travel; with one coordinate
STEEPEST, CHARGE = 1.0, 0.5   # of r: bound, and margin that a unit of it must be worth
FAR = 6.0   # steps of travel: samples farther from the floor are thinned, all alike
THIN = 6


class Inputs(NamedTuple):
    """Normalisation of the contact net's inputs, [S, 2D] each."""

    mean: np.ndarray
    deviation: np.ndarray


def samples(data, states):
    """(rows [S, n, 2D] the net sees, closing [S, n], flags [S, n], gap [S, n]) of the steps of trajectories."""
    system, kept = data.system, data.follows
    d, normal = system.columns, np.array(system.normal)
    before, flags = states[:, :-1][:, kept], data.contact[:, 1:][:, kept]
    q, v = before[..., :d] + system.h * before[..., d:], before[..., d:]
    return np.concatenate([q, v], axis=2), (v @ normal < 0) | (flags > 0), flags, q @ normal


def inputs_of(system, rows, flags):
    """The Inputs that centre the rows at their contacts."""
    d, normal = system.columns, np.array(system.normal)
    count = np.maximum(flags.sum(axis=1), 1)[:, None]
    mean = np.einsum("sn,snk->sk", flags, rows) / count
    travel = system.h * np.maximum((flags * -(rows[..., d:] @ normal)).max(axis=1), 1e-9)
    spread = np.maximum(rows[..., d:].std(axis=1), 1e-9)
    return Inputs(mean, np.concatenate([np.repeat(travel[:, None], d, axis=1), spread], axis=1))


def margin(params, inputs, row, activation):
    """The signed margin of one row [2D]."""
    function, _ = act(activation)
    x = (row - inputs.mean) / inputs.deviation
    return params["a"] @ function(params["W"] @ x + params["b"]) + params["c"]


def start(seed, width, hidden):
    rng = np.random.default_rng([seed, 2])
    return {"W": rng.standard_normal((hidden, width)), "b": rng.uniform(-2, 2, hidden),
            "a": rng.standard_normal(hidden) / np.sqrt(hidden), "c": np.zeros(())}


def _weights(closing, flags, gap, travel):
    """1 for closing samples near the floor and every THIN-th of the others, which counts for all of them."""
    near = np.abs(gap) < FAR * travel
    turn = np.arange(gap.shape[1]) % THIN == 0
    return closing * (near + ~near * turn * THIN)


def plane(gap, travel, flags):
    """(c, r, margin) for samples [n] of one seed, all closing; margin is negative if none separates them."""
    hit = flags > 0
    if hit.all() or not hit.any():
        return 0.0, 0.0, -np.inf
    r, t, g = np.linspace(-STEEPEST, STEEPEST, 201)[:, None], travel, gap
    low, high = np.full(len(r), -1.0), np.full(len(r), 1.0)
    for _ in range(30):   # bisection for the largest margin m with max(g - (r - m) t) <= c <= min(g - (r + m) t)
        m = ((low + high) / 2)[:, None]
        feasible = (g - (r + m) * t)[:, ~hit].min(axis=1) >= (g - (r - m) * t)[:, hit].max(axis=1)
        low, high = np.where(feasible, m[:, 0], low), np.where(feasible, high, m[:, 0])
    best = int(np.argmax(low - CHARGE * np.abs(r[:, 0])))
    m, r = low[best], r[best, 0]
    c = ((g - (r + m) * t)[~hit].min() + (g - (r - m) * t)[hit].max()) / 2
    return float(c), float(r), float(m)


def _plane_net(system, inputs, c, r, hidden, activation):
    """Parameters of margin = (c - r h L V - L Q) / travel for one seed's Inputs."""
    d, normal, travel = system.columns, np.array(system.normal), inputs.deviation[0]
    slope = -np.concatenate([normal, r * system.h * normal]) / travel
    row, bias = slope * inputs.deviation, c / travel + slope @ inputs.mean
    units = ((1, row, bias),) if activation == "tanh" else ((1, row, bias), (-1, -row, -bias))
    net = {"W": np.zeros((hidden, 2 * d)), "b": np.zeros(hidden), "a": np.zeros(hidden), "c": np.zeros(())}
    for k, (sign, weights, offset) in enumerate(units):
        net["W"][k], net["b"][k], net["a"][k] = weights, offset, sign
    return net


def fit(data, states, seeds, hidden, activation):
    """(parameters {name: [S, ..]}, Inputs) of contact nets for the fitted trajectories [S, N, 2D] of the data."""
    rows, closing, flags, gap = samples(data, states)
    inputs = inputs_of(data.system, rows, flags)
    speed = np.abs(rows[..., data.system.columns:] @ np.array(data.system.normal))
    travel = data.system.h * np.maximum(speed, 1e-9)
    planes = [plane(g[k], t[k], f[k]) for g, t, f, k in zip(gap, travel, flags, closing)]
    least = FLOOR if data.system.columns == 1 else PLANE
    nets = _fit_nets(rows, closing, flags, gap, inputs, seeds, hidden, activation)
    for k, (c, r, m) in enumerate(planes):
        if m >= least:
            simple = _plane_net(data.system, Inputs(*(a[k] for a in inputs)), c, r, hidden, activation)
            for name, value in simple.items():
                nets[name][k] = value
    return nets, inputs


def _fit_nets(rows, closing, flags, gap, inputs, seeds, hidden, activation):
    """Parameters {name: [S, ..]} of nets with random first weights, one per seed."""
    jax, jnp, optax = frameworks()
    weight = _weights(closing, flags, gap, inputs.deviation[:, :1])
    kept = np.flatnonzero(weight.any(axis=0))   # the same rows for all seeds, some of weight 0
    rows, flags, weight = rows[:, kept], flags[:, kept], weight[:, kept]
    params = [start(seed, rows.shape[2], hidden) for seed in seeds]
    params = {name: np.array([p[name] for p in params], np.float32) for name in params[0]}
    optimiser = optax.adam(optax.cosine_decay_schedule(RATE, UPDATES))

    def loss(params, inputs, rows, side, weight):
        said = jax.vmap(lambda row: margin(params, inputs, row, activation))(rows)
        short = jnp.maximum(0, 1 - side * said)
        size = sum((value**2).sum() for value in params.values())
        return (weight * short**2).sum() / weight.sum() + DECAY * size

    def run(params, *data):
        def update(_, carry):
            params, state = carry
            slope = jax.grad(loss)(params, *data)
            step, state = optimiser.update(slope, state, params)
            return optax.apply_updates(params, step), state
        return jax.lax.fori_loop(0, UPDATES, update, (params, optimiser.init(params)))[0]

    # Centred in double: contact inputs differ by 1e-4 of a position.
    centred = (rows - inputs.mean[:, None]) / inputs.deviation[:, None]
    unit = Inputs(np.zeros_like(inputs.mean, np.float32), np.ones_like(inputs.deviation, np.float32))
    fitted = jax.jit(jax.vmap(run))(params, unit, centred.astype(np.float32),
                                    np.where(flags > 0, 1, -1).astype(np.float32), weight.astype(np.float32))
    return {name: np.array(value, np.float64) for name, value in fitted.items()}
