# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""From a log to a CD-Lagrange network: noise, flags, potential, contact, in that order.

How smooth the potential is is chosen by the data. The prior of the net's weights has three widths (SMOOTHNESS), from
forces that are constant (to 0.2 % over the data) to forces that turn twice within the data; all are fitted, and taken
is the smoothest whose misfit is at most SLACK (in units of chi^2) above the best. A constant force then stays constant
where there is little data: with forces only nearly constant, of slopes 10 times as wide, the learned g of the ball
from varied starts was off by 0.06 m/s^2 at the floor and at 10 m, instead of 0.02 everywhere.

Training and roll-outs are vectorised over seeds.
"""
from dataclasses import dataclass, field

import numpy as np

from ...learn.fit import frameworks
from . import contact, fit, touch
from .data import Data, noise_of
from .model import cdl_step, potential_start, scales, verlet_step

# (deviation of slopes W at the start, prior deviation of W and b, of a), smoothest first.
SMOOTHNESS = ((0.001, 0.0001, 300.0), (0.1, 0.01, 10.0), (0.5, 0.2, 1.0))
SLACK = 10.0


@dataclass
class Settings:
    """How a network is trained; the defaults are what tests/cdl/evaluation.csv comes from."""

    hidden: int = 32                 # units of both nets
    activation: str = "softplus"
    touch: bool = True               # recorded flags are used; without, they are found from velocities
    verlet: bool = False             # the variational integrator net instead
    smoothness: tuple = SMOOTHNESS
    recipe: fit.Recipe = field(default_factory=fit.Recipe)


@dataclass
class Trained:
    """S trained networks of one system."""

    system: object
    settings: Settings
    params: dict           # of the potential, {name: [S, ..]}
    scale: object          # model.Scale
    contact: dict          # of the contact net, or empty
    inputs: object         # contact.Inputs, or None
    states: np.ndarray     # [S, N, 2D] fitted trajectory
    flags: np.ndarray      # [S, N] it was fitted with
    floor: np.ndarray      # [S]

    def step(self):
        return (verlet_step if self.settings.verlet else cdl_step)(self.system, self.settings.activation)

    def rollout(self, starts, steps):
        """(states [S, R, steps + 1, 2D], contact [S, R, steps + 1]) from starts [R, 2D], nothing but the nets."""
        jax, jnp, _ = frameworks()
        step, system, activation = self.step(), self.system, self.settings.activation
        d, normal = system.columns, np.array(system.normal)
        touches = bool(self.contact)

        def flag(params, scale, nets, inputs, y):
            row = jnp.concatenate([y[:d] + system.h * y[d:], y[d:]])
            free = step(params, scale, y, 0.0)[d:]
            pushes = normal @ free < -system.e * (normal @ y[d:])   # impulses do not pull (49)
            closed = (contact.margin(nets, inputs, row, activation) >= 0) & (y[d:] @ normal < 0)
            return (closed & pushes).astype(float)

        def roll(params, scale, nets, inputs, start):
            def go(y, _):
                hit = flag(params, scale, nets, inputs, y) if touches else jnp.zeros(())
                following = step(params, scale, y, hit)
                return following, (following, hit)
            _, (states, hits) = jax.lax.scan(go, start, None, length=steps)
            return jnp.concatenate([start[None], states]), jnp.concatenate([jnp.zeros(1), hits])

        with jax.enable_x64(True):
            nets = (self.contact, self.inputs) if touches else ({}, None)
            many = jax.vmap(jax.vmap(roll, (None,) * 4 + (0,)), (0, 0, 0, 0, None))
            states, hits = jax.jit(many)(self.params, self.scale, *nets, np.asarray(starts, float))
        return np.asarray(states), np.asarray(hits)


def _touched(data, noise, settings):
    """The data to train on: as logged, or with flags found and rows cut that may hold what was not found."""
    if settings.touch or not data.system.touches:
        return data
    found = touch.flags(data, noise)
    data = Data(data.system, data.q, data.v, found, data.runs)
    if len(data.runs) > 1 or data.system.e == 1:
        return data
    return data.part(int(touch.usable(data, found, noise).min()))


def _starts(seeds, columns, settings):
    """Initial parameters and prior deviations [S * levels, ..], levels fastest."""
    starts, widths = [], []
    for seed in seeds:
        for spread, slope, size in settings.smoothness:
            first = potential_start(seed, columns, settings.hidden, spread)
            starts.append(first)
            # The force of many units adds up: their prior shrinks with their number.
            size = size * np.sqrt(32 / settings.hidden)
            widths.append({name: np.full_like(value, size if name == "a" else slope) for name, value in first.items()})
    return ({name: np.array([p[name] for p in many]) for name in many[0]} for many in (starts, widths))


def _chosen(fitted, seeds, levels):
    """Per seed the index of the smoothest potential that the data do not contradict."""
    misfit = (fitted.cost * fitted.states[0].size).reshape(seeds, levels)
    good = misfit <= misfit.min(axis=1, keepdims=True) + SLACK
    return np.arange(seeds) * levels + np.argmax(good, axis=1)


def train(data, seeds, settings=None, tell=lambda share: None):
    """A Trained of the data, one network per seed."""
    settings = settings or Settings()
    noise = noise_of(data.states)
    data = _touched(data, noise, settings)
    levels, system = len(settings.smoothness), data.system
    scale = scales(data, noise)
    wide = Data(system, *(np.repeat(a, levels, axis=0) for a in (data.q, data.v, data.contact)), data.runs)
    start, tau = _starts(seeds, system.columns, settings)
    step = (verlet_step if settings.verlet else cdl_step)(system, settings.activation)
    fitted = fit.fit(step, wide, type(scale)(*(np.repeat(a, levels, axis=0) for a in scale)), start, tau,
                     settings.recipe, tell)
    best = _chosen(fitted, len(seeds), levels)
    states, params = fitted.states[best], {name: value[best] for name, value in fitted.params.items()}
    nets, inputs = {}, None
    if system.touches and data.contact.any():
        nets, inputs = contact.fit(data, states, seeds, settings.hidden, settings.activation)
    return Trained(system, settings, params, scale, nets, inputs, states, data.contact, fitted.floor[best])
