# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The peers: residual nets, trained as the paper does and by multiple shooting as ours. (The variational integrator net
is train.Settings(verlet=True): the same potential in velocity Verlet.)

    ResNet          y' = y + net(y)
    ResNetContact   y' = y + net(y, flag), and a contact net of its own, the same as ours, says the flag in a roll-out

Inputs are normalised, outputs in units of the data's one-step spread, tanh. Each is trained with every one of
TRAININGS, and the best mean is what ours is compared with. Fitted starts are what they gain most from. On seeds 0-9
pieces up to 52 rows suit 500 units best wherever there is contact, whole runs and 64 units the pendulum. Gauss-Newton
fits the pieces better than Adam and rolls out worse: nothing keeps a residual net within bounds where there is no data.
"""
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ...learn.fit import frameworks
from . import contact, fit
from .data import noise_of

EASED = 0.02          # of the rate, at the end of a stage
LOST = 1e3            # RMSE of a roll-out that leaves all bounds


@dataclass(frozen=True)
class Adam:
    """Stages of full-batch Adam on pieces of so many rows, from their noisy first rows or from fitted starts; rate
    falls as a cosine. The loss is the mean whitened square plus decay times the squares of the weights."""

    horizons: tuple
    fitted: bool
    updates: int
    rate: float
    decay: float


class Training(NamedTuple):
    """A way to train a peer: its units and its Adam, or the Recipe of a Gauss-Newton fit as ours."""

    hidden: int
    recipe: object


WHOLE = 10**6         # rows: pieces are no longer than their run
GAUSS_NEWTON = fit.Recipe((10, 26, 52), whole=False, updates=12)
TRAININGS = {
    "noisy starts": Training(500, Adam((10,), False, 1500, 1e-3, 1e-3)),
    "fitted starts": Training(500, Adam((10, 26, 52), True, 300, 1e-3, 1e-3)),
    "whole runs": Training(64, Adam((10, 26, 52, 100, WHOLE), True, 400, 3e-3, 1e-2)),
    "Gauss-Newton": Training(64, GAUSS_NEWTON),
    "Gauss-Newton 16 units": Training(16, GAUSS_NEWTON),
}
PRIOR = 0.3           # deviation of the weights, Gauss-Newton
CONTACT_UNITS = 64


class Scale(NamedTuple):
    """Of one seed's data: normalisation of states, spread of one step, noise."""

    mean: np.ndarray
    deviation: np.ndarray
    spread: np.ndarray
    noise: np.ndarray


@dataclass(frozen=True)
class Peer:
    """A residual net and how it is trained."""

    touch: bool
    training: str


def _step(touch):
    _, jnp, _ = frameworks()

    def step(params, scale, y, flag):
        x = (y - scale.mean) / scale.deviation
        x = jnp.append(x, flag) if touch else x
        return y + scale.spread * (params["a"] @ jnp.tanh(params["W"] @ x + params["b"]) + params["c"])
    return step


def _start(seed, states, touch, hidden):
    rng = np.random.default_rng([seed, 5])
    inputs = states + touch
    return {"W": rng.standard_normal((hidden, inputs)) / np.sqrt(inputs), "b": rng.uniform(-1, 1, hidden),
            "a": np.zeros((states, hidden)), "c": np.zeros(states)}


@dataclass
class TrainedPeer:
    """S trained residual nets. In a roll-out a flag is taken under the condition that holds for ours: the gap closes,
    and what the flag changes pushes the bodies apart (49)."""

    system: object
    peer: Peer
    params: dict
    scale: Scale
    contact: dict
    inputs: object

    def rollout(self, starts, steps):
        """States [S, R, steps + 1, 2D] from starts [R, 2D]."""
        jax, jnp, _ = frameworks()
        step, system, d = _step(self.peer.touch), self.system, self.system.columns
        normal = np.array(system.normal if system.touches else (0.0,) * d)
        touches = bool(self.contact)

        def go(params, scale, nets, inputs, y):
            free = step(params, scale, y, 0.0)
            if not touches:
                return free
            row, pushed = jnp.concatenate([y[:d] + system.h * y[d:], y[d:]]), step(params, scale, y, 1.0)
            closed = (contact.margin(nets, inputs, row, "softplus") >= 0) & (y[d:] @ normal < 0)
            return jnp.where(closed & ((pushed - free)[d:] @ normal > 0), pushed, free)

        def roll(params, scale, nets, inputs, start):
            one = lambda y, _: (go(params, scale, nets, inputs, y),) * 2
            return jnp.concatenate([start[None], jax.lax.scan(one, start, None, length=steps)[1]])

        with jax.enable_x64(True):
            nets = (self.contact, self.inputs) if touches else ({}, None)
            many = jax.jit(jax.vmap(jax.vmap(roll, (None,) * 4 + (0,)), (0, 0, 0, 0, None)))
            return np.asarray(many(self.params, self.scale, *nets, np.asarray(starts, float)))


def train(data, seeds, peer, tell=lambda share: None):
    """A TrainedPeer of the data, one net per seed."""
    states = data.states
    scale = Scale(states.mean(axis=1), np.maximum(states.std(axis=1), 1e-9),
                  np.maximum(np.diff(states, axis=1).std(axis=1), 1e-9), noise_of(states))
    hidden, recipe = TRAININGS[peer.training]
    starts = [_start(seed, states.shape[2], peer.touch, hidden) for seed in seeds]
    start = {name: np.array([p[name] for p in starts]) for name in starts[0]}
    if isinstance(recipe, Adam):
        params, states = _adam(_step(peer.touch), data, scale, start, recipe, tell)
    else:
        tau = {name: np.full_like(value, PRIOR) for name, value in start.items()}
        fitted = fit.fit(_step(peer.touch), data, scale, start, tau, recipe, tell)
        params, states = fitted.params, fitted.states
    nets, inputs = {}, None
    if peer.touch:
        nets, inputs = contact.fit(data, states, seeds, CONTACT_UNITS, "softplus")
    return TrainedPeer(data.system, peer, params, scale, nets, inputs)


def _adam(step, data, scale, start, recipe, tell):
    """(parameters, states [S, N, 2D]) after all stages; without fitted starts the states are the log's."""
    params, states = start, data.states.copy()
    for k, horizon in enumerate(recipe.horizons):
        rows, mask = fit.pieces(data.runs, horizon)
        given = (scale, data.states[:, rows], data.contact[:, rows])
        params, rolled = _adam_stage(step, params, states[:, rows[:, 0]], given, mask, recipe)
        if recipe.fitted:
            kept = mask > 0
            states[:, rows[kept]] = rolled[:, kept]
        tell((k + 1) / len(recipe.horizons))
    return params, states


def _adam_stage(step, params, starts, given, mask, recipe):
    """(parameters, states of the pieces [S, m, H, 2D]) after one stage on pieces from starts [S, m, 2D]."""
    jax, jnp, optax = frameworks()
    optimiser = optax.adam(optax.cosine_decay_schedule(recipe.rate, recipe.updates, EASED))

    def loss(unknown, scale, y, flags):
        params, starts = unknown
        starts = starts if recipe.fitted else y[:, 0]

        def go(states, flag):
            states = jax.vmap(step, (None, None, 0, 0))(params, scale, states, flag)
            return states, states
        _, rolled = jax.lax.scan(go, starts, flags[:, 1:].T)
        rolled = jnp.concatenate([starts[:, None], rolled.swapaxes(0, 1)], axis=1)
        off = (rolled - y) / scale.noise * mask[..., None]
        size = sum((params[name]**2).sum() for name in ("W", "a"))
        return (off**2).sum() / (mask.sum() * y.shape[-1]) + recipe.decay * size, rolled

    def run(unknown, *given):
        def update(_, carry):
            unknown, state = carry
            change, state = optimiser.update(jax.grad(loss, has_aux=True)(unknown, *given)[0], state)
            return optax.apply_updates(unknown, change), state
        unknown, _ = jax.lax.fori_loop(0, recipe.updates, update, (unknown, optimiser.init(unknown)))
        return unknown[0], loss(unknown, *given)[1]

    single = jax.tree.map(lambda a: np.asarray(a, np.float32), ((params, starts), *given))
    params, rolled = jax.jit(jax.vmap(run))(*single)
    return {name: np.asarray(value, np.float64) for name, value in params.items()}, np.asarray(rolled, np.float64)
