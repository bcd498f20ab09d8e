# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The law that a model file holds, in float64: what lib/learned/tc_learned2_nets.c computes in float32.

    law = NetLaw(tinycontact.load("foot.tcm"))
    sim.throws.run(body, "dart", law, *states)     # closed loop
"""
import numpy as np

from ..errors import TinycontactError
from ..sim import impulse
from .features import features, width


class NetLaw:
    """Callable: sim.query.Query -> sim.query.Impulse. Refuses a model that is no planar contact model."""

    def __init__(self, model):
        record = model.contact
        if record is None or record.kind != "planar":
            raise TinycontactError("the model has no planar contact record: it is no model of a planar"
                                   " contact")
        self.record, self.nets = record, {}
        for dimension in (0, 1):
            if record.mask[dimension]:
                self.nets[dimension] = (model[f"class{dimension}"], model[f"ratio{dimension}"])
                self._check(dimension)

    def _check(self, dimension):
        n_in = width(dimension + 1, self.record.mask[dimension])
        for net, n_out in zip(self.nets[dimension], (3, 1)):
            if (net.n_in, net.n_out) != (n_in, n_out):
                raise TinycontactError(f"net {net.name!r}: {net.n_in} inputs and {net.n_out} outputs, wanted"
                                       f" {n_in} and {n_out}")

    def answer(self, query):
        """(probabilities [n, 3], ratio [n], whether the features lie outside the range of training [n])."""
        probability, ratio = np.zeros((len(query), 3)), np.zeros(len(query))
        outside = np.zeros(len(query), bool)
        for count in np.unique(query.count):
            if count - 1 not in self.nets:
                raise TinycontactError(f"the model has no nets for patches of dimension {count - 1}")
            rows = np.flatnonzero(query.count == count)
            classifier, regressor = self.nets[count - 1]
            x = features(query[rows], self.record.mask[count - 1])
            probability[rows], ratio[rows] = classifier.eval(x), regressor.eval(x)[:, 0]
            low, high = classifier.input_low, classifier.input_high
            if low is not None:
                outside[rows] = np.any((x < low) | (x > high), axis=1)
        return probability, ratio, outside

    def __call__(self, query):
        probability, ratio, _ = self.answer(query)
        return impulse.solve(query, np.argmax(probability, axis=1), ratio)
