# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Models for flash: the same answers without what only a host reads.

Metadata and self-test samples go, and what a contact model's regressors know of their range (a step asks the
classifier's). The normalisation of a contact model's float nets is folded into their first layers. What is left
is a model like any other, with a content hash of its own.
"""
import numpy as np

from .errors import TinycontactError
from .model import Model
from .net import Net, fold_normalisation

FOLD_ROWS, FOLD_MOST = 2000, 1e-4   # inputs that are looked at; what a probability or a ratio may lose in float32


def folded(pair, rows):
    """Float nets of one patch dimension without input normalisation; as they are if that would make one inaccurate
    on `rows`, inputs as they occur. The library normalises once for the nets of a dimension, so it is all or none
    of them."""
    some = rows[np.linspace(0, len(rows) - 1, min(len(rows), FOLD_ROWS)).astype(int)]
    try:
        return [fold_normalisation(net, some, FOLD_MOST)[0] for net in pair]
    except TinycontactError:
        return pair


def _pairs(model):
    """The nets of a contact model by patch dimension; others one by one."""
    if model.contact is None or model.contact.kind == "system":
        return [[net] for net in model.nets]
    return [[model[f"class{d}"], model[f"ratio{d}"]] for d, mask in enumerate(model.contact.mask) if mask]


def _bare(net, ranged):
    return Net(net.name, net.layers, net.head, net.input_mean, net.input_scale, net.output_mean, net.output_scale,
               net.input_low if ranged else None, net.input_high if ranged else None, net.weights, net.input_quant,
               samples=0)


def strip(model):
    """The Model to flash."""
    nets = []
    for pair in _pairs(model):
        rows = np.concatenate([net.samples.inputs for net in pair])
        if model.contact is not None and pair[0].weights == "f32" and len(rows):
            pair = folded(pair, rows)
        nets += [_bare(net, k == 0) for k, net in enumerate(pair)]
    return Model(nets, model.step_size, None, model.contact)
