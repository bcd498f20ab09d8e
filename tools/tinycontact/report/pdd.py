# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The paper's second baseline, purely data-driven (PDD): nets that give the contact impulse itself from the raw state
of the patch, without class, equation or rule.

Inputs: levers and height [m], velocity of the centre of mass (v_t, v_n, omega), applied force integrated. Outputs:
friction and the normal of each contact per unit mass, one 32-32-16 net each (the paper has one net with several
outputs; a net each can only be better), from as many states and labels as a model is trained on. Nothing keeps such
impulses from pulling, from penetration or from creating energy; that is what the baseline is there to show.
"""
import numpy as np

from ..learn import fit, sample
from ..learn.train import simulated
from ..progress import say
from ..sim import coulomb
from ..sim.query import DYNAMIC, Impulse
from .truth import Simulated

STATES = 50_000   # as the paper
SIZE = "32-32-16"


def _inputs(query):
    count = query.count[0]
    return np.column_stack([query.lever[:, :count], query.height, query.velocity])


class Regressors:
    """Impulses of patches of one dimension."""

    def __init__(self, query, impulse, recipe):
        x = _inputs(query)
        self.mean, self.scale = fit.normaliser(x)
        z = (x - self.mean) * self.scale
        targets = np.column_stack([impulse.friction, impulse.normal[:, :query.count[0]]])
        self.unit = np.maximum(np.sqrt(np.mean(targets**2, axis=0)), 1e-9)
        free = np.zeros(len(z))
        self.params = [fit.fit_regressor(z, target / unit, free, recipe)
                       for target, unit in zip(targets.T, self.unit)]

    def __call__(self, query):
        """[n, 1 + contacts] friction, normals."""
        z = (_inputs(query) - self.mean) * self.scale
        return self.unit * np.column_stack([fit.logits(params, z)[:, 0] for params in self.params])


def law(regressors):
    """A law for sim.schemes; all contacts count as dynamic."""
    def ask(query):
        p = np.zeros((len(query), 3))
        for count in np.unique(query.count):
            rows = np.flatnonzero(query.count == count)
            p[rows, :1 + count] = regressors[count - 1](query[rows])
        return Impulse(np.full(len(query), DYNAMIC), p[:, 0], p[:, 1:], np.zeros(len(query), bool))
    return ask


def train(body, positions, seed=1, states=STATES, updates=6000):
    """A player for a body, trained on exact Coulomb with its coefficient."""
    friction = coulomb.constant(body.mu)
    recipe = fit.Recipe(fit.SIZES[SIZE], updates=updates, seed=seed)
    regressors = {}
    for dimension, labelled in simulated(body, sample.Coulomb(friction), states, seed).items():
        say(f"training the purely data-driven baseline, {('points', 'edges')[dimension]}")
        regressors[dimension] = Regressors(labelled.query, coulomb.solve(labelled.query, friction), recipe)
    return Simulated(body, positions, law(regressors), "purely data-driven")
