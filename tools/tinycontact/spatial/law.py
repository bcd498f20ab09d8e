# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The law of a single spatial contact that a model file holds, in float64."""
import numpy as np

from ..errors import TinycontactError
from ..learn import export
from ..model import Model
from ..record import ContactRecord
from ..sim import spatial_truth as truth
from .features import MASK, features, width

OUTPUTS = {"class0": 3, "ratio0": 2}


def model(fitted, positions="dart", weights="f32", metadata=None):
    """The Model of the box from an export.Fitted of points."""
    record = ContactRecord("spatial", truth.MASS, tuple(truth.inertia()), (MASK, 0, 0), positions, 0.0, truth.G,
                           temperature=(fitted.temperature, 0.0, 0.0))
    return Model(export.nets(0, fitted, weights), truth.H, metadata, record)


class PointLaw:
    """What nets say of a features.Query. Refuses a model that is none of a spatial contact."""

    def __init__(self, model):
        record = model.contact
        if record is None or record.kind != "spatial" or not record.mask[0]:
            raise TinycontactError("has no spatial contact record with nets for points")
        self.record, self.nets = record, {name: model[name] for name in OUTPUTS}
        for name, net in self.nets.items():
            if (net.n_in, net.n_out) != (width(record.mask[0]), OUTPUTS[name]):
                raise TinycontactError(f"net {name!r}: {net.n_in} inputs and {net.n_out} outputs, wanted"
                                       f" {width(record.mask[0])} and {OUTPUTS[name]}")

    def answer(self, query, classes=True):
        """(probabilities [n, 3] or None, rho [n, 2] in the contacts' frames)"""
        x = features(query, self.record.mask[0])
        return self.nets["class0"].eval(x) if classes else None, self.nets["ratio0"].eval(x)

    def __call__(self, query, classes=True):
        """(class [n] or None, rho [n, 2])"""
        probability, rho = self.answer(query, classes)
        return np.argmax(probability, axis=1) if classes else None, rho
