# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The peers: residual nets, trained by the same multiple shooting as ours and by the paper's Adam. (The variational
integrator net is train.Settings(verlet=True): the same potential in velocity Verlet.)

    ResNet          y' = y + net(y)
    ResNetContact   y' = y + net(y, flag), and a contact net of its own, the same as ours, says the flag in a roll-out

Inputs are normalised, outputs in units of the data's one-step spread, tanh. Each is trained with every one of
TRAININGS, and the best mean is what ours is compared with. On the cradle Gauss-Newton fits pieces better than Adam
and rolls out worse: nothing keeps a residual net within bounds where there is no data.
"""
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ...learn.fit import frameworks
from . import contact, fit
from .data import noise_of

# By Adam as the paper, on pieces of 10 from noisy starts; or by Gauss-Newton with fitted starts as ours.
TRAININGS = {"Adam": None, "Gauss-Newton": fit.Recipe((10, 26, 52), whole=False, updates=12)}
PIECE, UPDATES, RATE, DECAY = 10, 3000, 3e-3, 1e-5
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
    hidden: int = 64
    training: str = "Adam"
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
    if TRAININGS[peer.training] is None:
        params = _adam(_step(peer.touch), data, scale, start)
    else:
        tau = {name: np.full_like(value, peer.prior) for name, value in start.items()}
        fitted = fit.fit(_step(peer.touch), data, scale, start, tau, TRAININGS[peer.training], tell)
        params, states = fitted.params, fitted.states
    nets, inputs = {}, None
    if peer.touch:
        nets, inputs = contact.fit(data, states, seeds, peer.hidden, "softplus")
    return TrainedPeer(data.system, peer, params, scale, nets, inputs)


def _adam(step, data, scale, start):
    """Parameters after UPDATES of Adam on all pieces of PIECE rows, each from its noisy first row."""
    jax, jnp, optax = frameworks()
    rows, mask = fit.pieces(data.runs, PIECE)
    optimiser = optax.adam(optax.cosine_decay_schedule(RATE, UPDATES))

    def loss(params, scale, y, flags):
        def go(states, flag):
            states = jax.vmap(step, (None, None, 0, 0))(params, scale, states, flag)
            return states, states
        _, rolled = jax.lax.scan(go, y[:, 0], flags[:, 1:].T)
        off = (rolled.swapaxes(0, 1) - y[:, 1:]) / scale.noise * mask[:, 1:, None]
        return (off**2).mean() + DECAY * sum((value**2).sum() for value in params.values())

    def run(params, *given):
        def update(_, carry):
            params, state = carry
            change, state = optimiser.update(jax.grad(loss)(params, *given), state)
            return optax.apply_updates(params, change), state
        return jax.lax.fori_loop(0, UPDATES, update, (params, optimiser.init(params)))[0]

    given = (start, scale, data.states[:, rows], data.contact[:, rows])
    single = jax.tree.map(lambda a: np.asarray(a, np.float32), given)
    return {name: np.asarray(value, np.float64) for name, value in jax.jit(jax.vmap(run))(*single).items()}
