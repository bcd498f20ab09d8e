# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The point nets of a spatial body, fitted to labelled states of points.

The classifier as for planar bodies. The regressor learns the ratio rho = p_t/p_n, two numbers in the contact's own
frame, from what slides. What sticks is censored: it tells that friction could do at least f_s/n_s along axis 1, and no
more; it pulls rho_1 up to that. So |rho| n_s >= f_s, which is what the decode asks, separates sticking from
sliding too, and sweeps that do not ask the classifier can do without it.
"""
from dataclasses import replace

import numpy as np

from ..errors import TinycontactError
from ..learn import export, fit
from ..sim.query import DYNAMIC, STATIC
from .features import Query, features
from .law import model

CHECK_SHARE = 10   # one in ten states is not fitted to
LEAST = 50         # sliding states


def query(states):
    """The single-contact Query of Labelled points."""
    return Query(states.patches.own(0), states.patches.at(0, states.patches.velocity))


def targets(states, asked):
    """(rows, rho [n, 2] in the contacts' frames, whether it is a least value of rho_1 alone [n])"""
    slides = (states.label == DYNAMIC) & (states.force[:, 2] > 0)
    sticks = (states.label == STATIC) & (states.force[:, 2] > 0)
    rows = np.flatnonzero(slides | sticks)
    rho = asked[rows].local(states.force[rows, :2] / states.force[rows, 2:])
    return rows, rho, sticks[rows]


def fit_ratio(x, rho, least, recipe, tell):
    """[(W, b)] of two outputs from normalised inputs."""
    _, jnp, _ = fit.frameworks()

    def loss(output, wanted, least):
        miss = output - wanted
        censored = jnp.square(jnp.minimum(miss[:, 0], 0.0))
        return jnp.where(least > 0, censored, jnp.square(miss).sum(axis=1))
    return fit.minimise([x, rho, least.astype(float)], 2, recipe, loss, tell)


def fit_point(states, recipe, classes=None, tell=lambda share: None):
    """The export.Fitted of points; classes: hidden layers of the classifier, where they are not the recipe's."""
    if np.sum(states.label == DYNAMIC) < LEAST or len(np.unique(states.label)) < 3:
        raise TinycontactError(f"of {len(states)} states {np.sum(states.label == DYNAMIC)} slide, and"
                               f" {len(np.unique(states.label))} of 3 classes occur: not enough to learn from")
    order = np.random.default_rng([int(recipe.seed), 5]).permutation(len(states))
    cut = len(states) // CHECK_SHARE
    check, states = states[order[:cut]], states[order[cut:]]
    asked = query(states)
    x = features(asked)
    rows, rho, least = targets(states, asked)
    mean, scale = fit.normaliser(x)
    z = (x - mean) * scale
    unit = float(np.sqrt(np.mean(rho[~least]**2)))
    classifier = fit.fit_classifier(z, states.label, replace(recipe, hidden=classes or recipe.hidden),
                                    lambda share, _: tell(0.5 * share))
    regressor = fit_ratio(z[rows], rho / unit, least, recipe, lambda share, _: tell(0.5 + 0.5 * share))
    temperature = export.temperature_of(classifier, (features(query(check)) - mean) * scale, check.label)
    return export.Fitted(classifier, regressor, mean, scale, unit, x, x[rows], temperature)


def train(states, recipe, classes=None, weights="f32", metadata=None, tell=lambda share: None):
    """The Model of the box from Labelled points."""
    return model(fit_point(states, recipe, classes, tell), "dart", weights, metadata)
