# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""From fitted parameters to a model file: nets with normalisation, ranges and self-test samples, the
classifier calibrated, weights int8 if wanted, and the contact record.

Calibration: logits are divided by a temperature T, which changes no class but makes the probabilities mean
what they say; it is the one that gives validation states the greatest likelihood, and is divided into the
last layer.

Normalisation is folded into the nets: the regressor's unit into its last layer, of float nets the inputs' into the
first, which spares a target 5 instructions per input and step. Ranges stay those of the inputs as they come.
"""
from dataclasses import dataclass

import numpy as np

from ..model import Model
from ..net import Net
from ..quantisation import quantise
from ..record import ContactRecord
from ..strip import folded
from .features import MASK
from .fit import logits

SAMPLES = 4
MARGIN = 0.02   # of an input's span beyond what was drawn: the ends of a range are hardly ever drawn themselves
TEMPERATURES = np.exp(np.linspace(np.log(0.2), np.log(5.0), 97))


@dataclass
class Fitted:
    """What fitting one patch dimension gives; parameters [(W [n_in, n_out], b)] on normalised inputs."""

    classifier: list
    regressor: list
    mean: np.ndarray       # of the inputs, float32
    scale: np.ndarray      # 1/deviation, float32
    ratio_scale: float     # the regressor's outputs are in units of it
    features: np.ndarray   # inputs of training, for ranges and quantisation
    sliding: np.ndarray    # those the regressor was fitted to
    temperature: float     # of the classifier


def temperature_of(params, x, label):
    """The T of greatest likelihood for normalised inputs and their labels."""
    z = logits(params, x)

    def cost(t):
        scaled = z / t - (z / t).max(axis=1, keepdims=True)
        return np.mean(np.log(np.exp(scaled).sum(axis=1)) - scaled[np.arange(len(label)), label])
    return float(TEMPERATURES[int(np.argmin([cost(t) for t in TEMPERATURES]))])


def _net(name, params, fitted, rows, head):
    low, high = reach(rows)
    layers = [(w.T, b, "tanh") for w, b in params[:-1]] + [(params[-1][0].T, params[-1][1], "identity")]
    return Net(name, layers, head, fitted.mean, fitted.scale, input_low=low, input_high=high, samples=_spread(rows))


def reach(rows):
    """(low, high) float32 [m] of inputs [n, m] seen in training, MARGIN beyond."""
    low, high = rows.min(axis=0), rows.max(axis=0)
    margin = MARGIN * (high - low)
    return _single(low - margin, -np.inf), _single(high + margin, np.inf)


def _single(values, towards):
    """float32 that lies beyond, so that no input of training counts as outside."""
    return np.nextafter(values.astype(np.float32), np.float32(towards))


def _spread(rows):
    """A few inputs of training for the self-test."""
    return rows[np.linspace(0, len(rows) - 1, SAMPLES).astype(int)]


def _times(params, factor):
    """Parameters whose outputs are this many times as large."""
    *hidden, (w, b) = params
    return [*hidden, (w * factor, b * factor)]


def nets(dimension, fitted, weights="f32"):
    """[classifier, regressor] of a dimension; weights f32, i8 or i8-act."""
    made = [(_net(f"class{dimension}", _times(fitted.classifier, 1 / fitted.temperature), fitted,
                  fitted.features, "softmax"), fitted.features),
            (_net(f"ratio{dimension}", _times(fitted.regressor, fitted.ratio_scale), fitted, fitted.features,
                  "linear"), fitted.sliding)]
    if weights == "f32":
        return folded([net for net, _ in made], fitted.features)
    return [quantise(net, rows, weights)[0] for net, rows in made]


def model(body, fitted, positions="dart", weights="f32", metadata=None, friction=None):
    """The Model of {dimension: Fitted} for a body; friction: the coefficient to fall back on."""
    made = [net for d, f in sorted(fitted.items()) for net in nets(d, f, weights)]
    record = ContactRecord("planar", body.mass, body.inertia,
                           tuple(MASK[d + 1] if d in fitted else 0 for d in (0, 1)), positions,
                           body.restitution, body.g,
                           temperature=tuple(fitted[d].temperature if d in fitted else 0.0 for d in (0, 1)),
                           friction=friction)
    return Model(made, body.h, metadata, record)
