# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""A law judged: step by step on labelled states, and thrown in closed loop beside its truth."""
import numpy as np

from ..report.measure import step_scores
from ..sim import impulse, throws


def evaluate_states(law, states, mass=1.0):
    """The numbers of report.measure.step_scores for a NetLaw on a Labelled set, all of one patch dimension,
    and how many of the states lie outside the range of training."""
    probability, ratio, outside = law.answer(states.query)
    said = np.argmax(probability, axis=1)
    done = impulse.solve(states.query, said, ratio)
    # Friction is judged on every dynamic state, whatever class it was given: the regressor alone.
    friction = impulse.slide(states.query, ratio, impulse.arrest(states.query))[0]
    scores = step_scores(states.label, done.label, probability, mass * states.friction, mass * friction, mass)
    return {**scores, "out_of_range": int(outside.sum()), "overruled": int((done.label != said).sum())}


def evaluate_throws(law, truth_law, body, scheme, count, seed):
    """sim.throws.compare of random throws by a law and by the truth's law, in one position scheme."""
    start = throws.starts(throws.random_rows(count, seed))
    return throws.compare(throws.run(body, scheme, law, *start), throws.run(body, scheme, truth_law, *start))
