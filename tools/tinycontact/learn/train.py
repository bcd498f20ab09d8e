# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""A contact model from labelled states: fit, calibrate, export, judge.

    truth = sample.Coulomb(coulomb.constant(0.75))
    model = train(body, simulated(body, truth, 50000, seed=1), Recipe())
"""
import numpy as np

from ..errors import TinycontactError
from ..sim import impulse
from . import export, fit, sample
from .features import features

CHECK_SHARE = 10   # one in ten states is not fitted to
LEAST = 20         # sliding states
HELD = 1e-3        # of f*: friction this near to it has ended the sliding


def simulated(body, truth, count, seed):
    """{dimension: Labelled} of `count` states each."""
    return {d: truth.label(body, *sample.training(body, d, count, seed, truth.law))
            for d in sample.dimensions(body)}


def split(states, seed):
    """(to fit, to calibrate with): a random tenth is kept for the latter."""
    order = np.random.default_rng([int(seed), 5]).permutation(len(states))
    cut = len(states) // CHECK_SHARE
    return states[order[cut:]], states[order[:cut]]


def ratio_targets(states):
    """(rows, ratio, bound) of the states a regressor learns from: the dynamic ones with a normal impulse.
    bound is the sign of the ratio where friction ended the sliding, so that it could have been more; else
    0."""
    rows = np.flatnonzero((states.label == 1) & (states.normal > 0) & (states.friction != 0))
    some = states[rows]
    ratio = some.friction / some.normal
    limit = impulse.arrest(some.query)[:, 0]
    held = np.abs(some.friction) >= (1 - HELD) * np.abs(limit)
    return rows, ratio, np.where(held, np.sign(ratio), 0.0)


def fit_dimension(states, recipe, tell=lambda share: None, beside=None):
    """The Fitted of one patch dimension. `beside`: states that are fitted to as well; the training range and the
    calibration are those of `states` alone."""
    rows, ratio, bound = ratio_targets(states)
    if len(rows) < LEAST or len(np.unique(states.label)) < 2:
        patch = ("a point", "an edge")[int(states.query.count[0]) - 1]
        raise TinycontactError(f"{len(states)} states touch with {patch}, {len(rows)} of them slide,"
                               f" {len(np.unique(states.label))} of 3 classes occur: not enough to learn from (at"
                               f" least {LEAST} have to slide)")
    states, check = split(states, recipe.seed)
    own = features(states.query)
    if beside is not None:
        states = sample.joined([states, beside])
    rows, ratio, bound = ratio_targets(states)
    x = features(states.query)
    mean, scale = fit.normaliser(x)
    z = (x - mean) * scale
    unit = float(np.sqrt(np.mean(ratio**2)))
    classifier = fit.fit_classifier(z, states.label, recipe, lambda share, _: tell(0.5 * share))
    regressor = fit.fit_regressor(z[rows], ratio / unit, bound, recipe,
                                  lambda share, _: tell(0.5 + 0.5 * share))
    temperature = export.temperature_of(classifier, (features(check.query) - mean) * scale, check.label)
    return export.Fitted(classifier, regressor, mean, scale, unit, own, x[rows], temperature)


def train(body, sets, recipe, positions="dart", weights="f32", metadata=None,
          tell=lambda dimension, share: None, beside=None, friction=None):
    """The Model for a body from {dimension: Labelled}; tell hears which dimension is fitted and the share
    done. beside: as in fit_dimension, by dimension; friction: the coefficient to fall back on outside the range."""
    fitted = {d: fit_dimension(states, recipe, lambda share, d=d: tell(d, share), (beside or {}).get(d))
              for d, states in sorted(sets.items())}
    return export.model(body, fitted, positions, weights, metadata, friction)
