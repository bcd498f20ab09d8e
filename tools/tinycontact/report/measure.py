# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""How well a contact model does, step by step on labelled states.

Classes 0 static, 1 dynamic, 2 detach; `probability` [states, 3] is what the classifier says.
    accuracy          share of states with the true class
    recall            per class: of its states, the share that is called so
    friction_rms      over the truly dynamic states that have an answer, rms(p_f - truth) / rms(truth)
    friction_small    of those, median of |p_f - truth| / |truth| where |truth| < 0.05 N s per kg of the body
    ece               expected calibration error: states in 15 equal bins of the largest probability; mean over states
                      of |share right - mean probability| of the bin a state falls in

Closed loop: tinycontact.sim.throws has Results of throws and compares them.
"""
import numpy as np

CLASSES = ("static", "dynamic", "detach")
BINS = 15
SMALL = 0.05            # [N s / kg]
EXPLAINED = {           # what the columns of the tables mean
    "accuracy %": "share of the states whose class is right",
    "static %": "share of the truly static states (the whole patch sticks) that are called static",
    "dynamic %": "the same of dynamic states (the patch slides, or a corner leaves)",
    "detach %": "the same of detaching states (no impulse)",
    "friction RMS %": "root mean square error of the friction impulse on dynamic states called so, relative to its own RMS",
    "small %": f"median relative error of friction impulses below {SMALL:g} N s per kg of the body",
    "ECE %": "expected calibration error, the mean distance between a stated probability and how often it holds",
    "overruled": "states whose class was impossible and was replaced",
    "clamped": "states whose friction was cut to what ends the sliding",
    "out of range": "states with an input outside the training range",
    "bounces right %": "share of throws that bounce as often as the truth's",
    "angle within 5 deg %": "share of throws whose final angle is the truth's, to 5 degrees",
    "rests %": "share of throws that come to rest",
    "rest within 0.1 s %": "share of throws that come to rest when the truth does, to 0.1 s",
    "within 0.1 m %": "share of throws that end where the truth does, to 0.1 m",
    "median [mm]": "error of the final distance: half of the throws are nearer",
    "95 % [mm]": "error of the final distance: 95 % of the throws are nearer",
    "max [mm]": "largest error of the final distance",
}


def legend(header, explained=EXPLAINED):
    """A line for each column of a table that needs one."""
    return [f"  {name}: {explained[name]}" for name in header if name in explained]


def confusion(truth, said):
    """Counts [true class, said class]."""
    return np.bincount(3 * np.asarray(truth) + np.asarray(said), minlength=9).reshape(3, 3)


def calibration(truth, probability):
    """Per bin of the largest probability: states, mean of that probability, share of states where it is right."""
    top = probability.max(axis=1)
    right = probability.argmax(axis=1) == truth
    index = np.minimum((top * BINS).astype(int), BINS - 1)
    count = np.bincount(index, minlength=BINS)
    filled = np.maximum(count, 1)
    return (count, np.bincount(index, top, BINS) / filled, np.bincount(index, right, BINS) / filled)


def calibration_error(truth, probability):
    count, said, right = calibration(truth, probability)
    return float(np.sum(count * np.abs(said - right)) / max(count.sum(), 1))


def friction_errors(truth, said, mass):
    """(relative RMS, median relative error of the small ones); None where no state counts. NaN is no answer."""
    answered = ~np.isnan(said)
    truth, said = truth[answered], said[answered]
    scale = np.sqrt(np.mean(np.square(truth))) if len(truth) else 0.0
    rms = float(np.sqrt(np.mean(np.square(said - truth))) / scale) if scale > 0 else None
    small = (np.abs(truth) < SMALL * mass) & (truth != 0)
    median = float(np.median(np.abs(said[small] / truth[small] - 1))) if small.any() else None
    return rms, median


def step_scores(truth, said, probability, truth_friction, friction, mass):
    """The per-step numbers of one patch dimension, ready for JSON."""
    table = confusion(truth, said)
    rows = np.asarray(truth) == 1
    rms, small = friction_errors(truth_friction[rows], friction[rows], mass)
    total = table.sum(axis=1)
    return {"states": int(table.sum()), "accuracy": float(np.trace(table) / max(table.sum(), 1)),
            "recall": {name: float(table[k, k] / total[k]) if total[k] else None
                       for k, name in enumerate(CLASSES)},
            "friction_rms": rms, "friction_small": small, "ece": calibration_error(truth, probability),
            "confusion": table.tolist()}
