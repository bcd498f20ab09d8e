# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The peers: residual nets, trained by the same multiple shooting as ours. (The variational integrator net is
train.Settings(verlet=True): the same potential in velocity Verlet.)

    ResNet          y' = y + net(y)
    ResNetContact   y' = y + net(y, flag), and a contact net of its own, the same as ours, says the flag in a roll-out

Inputs are normalised, outputs in units of the data's one-step spread, tanh. Each is trained with every one of
TRAININGS, and the evaluation shows the one that does best on the seeds for choosing.
"""
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ...learn.fit import frameworks
from . import contact, fit
from .data import noise_of

# Pieces of 10 as in the paper; up to 52; widened to the whole run as ours.
TRAININGS = {
    "pieces of 10": fit.Recipe((10,), whole=False, updates=20),
    "pieces up to 52": fit.Recipe((10, 26, 52), whole=False, updates=12),
    "whole run": fit.Recipe(hinges=()),
}
PRIORS = (0.3, 1.0)   # deviation of all weights; chosen like the training
LOST = 1e3            # RMSE of a roll-out that leaves all bounds


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
    hidden: int = 32
    training: str = "pieces up to 52"
    prior: float = 1.0


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
    """S trained residual nets."""

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
            hit = jnp.zeros(())
            if touches:
                row = jnp.concatenate([y[:d] + system.h * y[d:], y[d:]])
                hit = ((contact.margin(nets, inputs, row, "softplus") > 0) & (y[d:] @ normal < 0)).astype(float)
            return step(params, scale, y, hit)

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
    starts = [_start(seed, states.shape[2], peer.touch, peer.hidden) for seed in seeds]
    start = {name: np.array([p[name] for p in starts]) for name in starts[0]}
    tau = {name: np.full_like(value, peer.prior) for name, value in start.items()}
    fitted = fit.fit(_step(peer.touch), data, scale, start, tau, TRAININGS[peer.training], tell)
    nets, inputs = {}, None
    if peer.touch:
        nets, inputs = contact.fit(data, fitted.states, seeds, peer.hidden, "softplus")
    return TrainedPeer(data.system, peer, fitted.params, scale, nets, inputs)
