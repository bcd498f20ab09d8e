# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""How well a law does on the box: states of one patch dimension, and throws beside DART's.

Friction is judged as two forces, along the floor, relative to the RMS of the truth's over the truly dynamic states;
of edges and faces the torque about the normal through the patch's middle (torsion) as well. Four corners on a plane do
not determine friction: two exact solvers differ by 1.4 to 4 % on faces (torsion 5 to 15 %), and so do a perfect law and
these labels.
"""
import numpy as np

from ..report.measure import CLASSES, SMALL, calibration_error, confusion
from ..sim.query import DYNAMIC
from . import decode, sweeps
from .train import query

NEAR, SOON = 0.1, 0.1   # [m], [s]


def _torsion(states, force, torque):
    middle = states.patches.arm.sum(axis=1) / states.patches.count[:, None]
    return (torque - np.cross(middle, force))[:, 2]


def _relative(said, real):
    """RMS of the difference of rows over the RMS of `real`; None where that is 0 or there are no rows."""
    scale = np.sqrt(np.mean(np.square(real).sum(axis=-1))) if len(real) else 0.0
    return float(np.sqrt(np.mean(np.square(said - real).sum(axis=-1))) / scale) if scale > 0 else None


def _answers(states, law, **options):
    """(class, force, torque, evaluations [n, 2]); a point's friction is judged on every sliding state, whatever class
    it was given: the regressor alone."""
    said = sweeps.solve(states.patches, law, **options)
    if states.patches.dimension().max() > 0:
        return said.label, said.force, said.torque, said.asked
    asked = query(states)
    force = decode.slide(asked, asked.world(law(asked, False)[1]))
    return said.label, force, np.cross(states.patches.arm[:, 0], force), said.asked


def scores(states, law, **options):
    """The numbers of sample.Labelled states of one dimension by a PointLaw, ready for JSON; options of sweeps.solve. None: no
    state has what the number is about."""
    label, force, torque, asked = _answers(states, law, **options)
    table = confusion(states.label, label)
    total = table.sum(axis=1)
    rows = np.flatnonzero(states.label == DYNAMIC)
    real, found = states.force[rows, :2], force[rows, :2]
    size, miss = np.linalg.norm(real, axis=1), np.linalg.norm(found - real, axis=1)
    little = (size > 0) & (size < SMALL)
    out = {"states": len(states), "accuracy": float(np.trace(table) / len(states)),
           "recall": {name: float(table[k, k] / total[k]) if total[k] else None for k, name in enumerate(CLASSES)},
           "friction_rms": _relative(found, real),
           "friction_median": float(np.median(miss / np.maximum(size, 1e-12))) if len(rows) else None,
           "friction_small": float(np.median(miss[little] / size[little])) if little.any() else None,
           "asked_mean": asked.mean(axis=0).tolist(), "asked_most": asked.max(axis=0).tolist()}
    if states.patches.dimension().max() == 0:
        out["ece"] = calibration_error(states.label, law.answer(query(states))[0])
    else:
        turn = [_torsion(states, *pair)[rows, None] for pair in ((force, torque), (states.force, states.torque))]
        out["torsion_rms"] = _relative(*turn)
    return out


def ends(throws):
    """(faces, final positions [n, 2], rest times) of truth.Throws with paths."""
    return (np.array([t.face for t in throws]), np.array([t.path[-1, :2] for t in throws]),
            np.array([t.rest_time for t in throws]))


def compare(found, real):
    """Two sets of `ends`, of the same throws."""
    away = np.linalg.norm(found[1] - real[1], axis=1)
    both = np.isfinite(found[2]) & np.isfinite(real[2])
    late = np.where(both, np.abs(np.where(both, found[2], 0) - np.where(both, real[2], 0)), np.inf)
    return {"same_face": float(np.mean(found[0] == real[0])), "distance_median": float(np.median(away)),
            "distance_p90": float(np.quantile(away, 0.9)), "distance_p95": float(np.quantile(away, 0.95)),
            "distance_most": float(away.max()), "near": float(np.mean(away < NEAR)),
            "rest_soon": float(np.mean(late < SOON)), "rest": float(np.mean(np.isfinite(found[2])))}

