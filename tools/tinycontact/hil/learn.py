# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""A contact model of a leg's foot, learned from episodes whose truth is known, for tc_estimator_foot.h.

What the nets see is what they will be asked: the features of each tick in which the estimator, run without them, would
ask a law, with the errors that its sensors and its base's velocity have. What they learn is what the floor then did:
the true class of the tick that the sample ends, and where the foot slid, friction over normal impulse. The floor's
friction is drawn anew for each step and told to nobody: the nets can know no more than how it is spread.

    states = gathered([("leg", 50, "stiff"), ...])
    model = foot_model(plant_chain("leg"), states, Recipe())

Fitting weighs rare classes up, which an estimator must not hear as a prior: their weights are taken out of the logits.
"""
from dataclasses import dataclass

import numpy as np

from ..errors import TinycontactError
from ..learn import export, fit, train
from . import episodes, metrics, truth
from .estimate import Estimator, LastLink, last_link
from .plant import plant_chain

LABEL = np.array([2, 0, 1])   # of truth.AIR, STATIC, DYNAMIC: the order of tc_learned_class
LEAST_IMPULSE = 1e-5          # [N s] a tick with less has no ratio to learn


@dataclass
class Asked:
    """Ticks in which a law is asked."""
    features: np.ndarray   # [n, 13]
    label: np.ndarray      # [n] static, dynamic, detach
    ratio: np.ndarray      # [n] friction over normal impulse; NaN where the foot did not slide

    def __len__(self):
        return len(self.label)


def asked(episode, estimator):
    """The Asked of an Episode. The estimate of tick k is of the sample that ends tick k - 1."""
    features = estimator.asked(episode)
    rows = np.flatnonzero(np.isfinite(features[:, 0]))
    rows = rows[rows > 0]
    mode, impulse = episode.truth.mode[rows - 1], episode.truth.impulse[rows - 1].astype(float)
    slid = (mode == truth.DYNAMIC) & (impulse[:, 1] > LEAST_IMPULSE)
    ratio = np.where(slid, impulse[:, 0] / np.where(slid, impulse[:, 1], 1.0), np.nan)
    return Asked(features[rows].astype(float), LABEL[mode], ratio)


def gathered(items, chain=None, tell=enumerate):
    """The Asked of all [(plant, seed, law)]; `chain`: not the plants' own."""
    parts = []
    for _, (plant, seed, law) in tell(items):
        episode = episodes.episode(plant, seed, law=law, chain=chain)
        parts.append(asked(episode, Estimator(plant_chain(plant, chain))))
    names = ("features", "label", "ratio")
    return Asked(*(np.concatenate([getattr(part, name) for part in parts]) for name in names))


def unweighted(params, label):
    """Logits without the weights that fit.fit_classifier gives the classes."""
    weight = np.ones(3)
    weight[label] = fit.class_weights(label)
    *hidden, (w, b) = params
    return [*hidden, (w, b - np.log(weight))]


def fit_foot(states, recipe, tell=lambda share: None):
    """The export.Fitted of an Asked; a random tenth of it sets the temperature alone."""
    x, slid = states.features, np.flatnonzero(np.isfinite(states.ratio))
    if len(np.unique(states.label)) < 3 or len(slid) < train.LEAST:
        raise TinycontactError(f"{len(states)} ticks, {len(slid)} of which slide: not enough to learn from")
    order = np.random.default_rng([int(recipe.seed), 5]).permutation(len(states))
    check, own = np.split(order, [len(states) // train.CHECK_SHARE])
    mean, scale = fit.normaliser(x)
    z, ratio = (x - mean) * scale, states.ratio[slid]
    unit = float(np.sqrt(np.mean(ratio**2)))
    weighted = fit.fit_classifier(z[own], states.label[own], recipe, lambda share, _: tell(0.5 * share))
    classifier = unweighted(weighted, states.label[own])
    regressor = fit.fit_regressor(z[slid], ratio / unit, np.zeros(len(slid)), recipe,
                                  lambda share, _: tell(0.5 + 0.5 * share))
    temperature = export.temperature_of(classifier, z[check], states.label[check])
    return export.Fitted(classifier, regressor, mean, scale, unit, x, x[slid], temperature)


@dataclass(frozen=True)
class Body(LastLink):
    """A last link as learn.export wants it."""
    g: float = 9.81
    restitution: float = 0.0


def foot_model(chain, states, recipe, weights="f32", metadata=None, tell=lambda share: None):
    """The Model of the last link of a Chain."""
    link = last_link(chain)
    body = Body(link.name, link.mass, link.inertia, link.h, chain.g)
    return export.model(body, {0: fit_foot(states, recipe, tell)}, "dart", weights, metadata)


def scores(model, states):
    """{name: number} of a Model on an Asked: see cli_train.py."""
    probability, ratio = model["class0"].eval(states.features), model["ratio0"].eval(states.features)[:, 0]
    held = states.label < 2
    stick = probability[held, 0] / probability[held, :2].sum(1)
    bins = metrics.calibration_bins(stick, states.label[held] == 0, np.ones(len(stick), bool))
    slid = np.isfinite(states.ratio)
    miss = np.abs(ratio[slid]) - np.abs(states.ratio[slid])
    return {"ticks": len(states), "accuracy": float(np.mean(probability.argmax(1) == states.label)),
            "ece": metrics.expected_calibration_error(bins), "ratio_rms": float(np.sqrt(np.mean(miss**2))),
            "ratio_spread": float(np.std(np.abs(states.ratio[slid])))}
