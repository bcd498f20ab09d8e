# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""How a swinging chain compares with DART, run by run.

Angles are those of the links to the horizontal; the error of a run is the root mean square over its ticks and links. The
truth is sim.chain_truth: DART's NsgsFrictionSolver at the same step, in joint coordinates. Beside the model stand exact
Coulomb friction in its place, DART against itself with every angle of the start moved by 1e-4 rad, and, of joint
violations, DART with the last joint as a constraint, which is what a histogram such as Fig. 9 can compare with.
"""
from dataclasses import dataclass

import numpy as np

from ..progress import progress
from ..sim import chain_truth as truth
from . import roll

MOVED = 1e-4   # [rad]


@dataclass
class Outcome:
    """Runs of one law and solver, in the order of truth.starts."""
    name: str
    runs: list       # of arrays of roll.TICK

    def contact(self, field):
        """A field over all ticks with contact."""
        return np.concatenate([run[field][1:][run["contacts"][1:] > 0] for run in self.runs])

    def angles(self):
        return np.array([run["q"][:, :truth.LINKS] for run in self.runs])

    def energy_gain(self):
        """The largest in one tick with contact [J]."""
        return max(float(np.max(np.diff(run["energy"]), where=run["contacts"][1:] > 0, initial=-np.inf))
                   for run in self.runs)

    def violation(self):
        """Velocity at the last joint that is not shared by both its sides [m/s], over all ticks."""
        return np.concatenate([run["violation"][1:] for run in self.runs])


def outcome(name, foot, starts, options, ticks=truth.TICKS):
    return Outcome(name, [roll.roll(foot, pin, q, ticks, options) for pin, q in starts])


def dart_angles(starts, ticks=truth.TICKS, moved=0.0):
    """[runs, ticks + 1, links] of DART."""
    return np.array([truth.run(pin, q + moved, ticks).angles for _, (pin, q) in progress(starts, "DART chain")])


def dart_violation(starts, ticks=truth.TICKS):
    """[runs * ticks] velocity violation of DART with the last joint as a constraint [m/s]."""
    return np.concatenate([truth.run(pin, q, ticks, constraint=True).violation[1:, 1]
                           for _, (pin, q) in progress(starts, "DART chain, joint as constraint")])


def angle_errors(angles, right):
    """Root mean square of each run [deg]."""
    difference = np.cumsum(angles - right, axis=2)
    return np.degrees(np.sqrt(np.mean(difference**2, axis=(1, 2))))


def summary(one, right=None):
    """Numbers of an Outcome; with `right`, DART's angles, those of the angles too."""
    evaluations = one.contact("evaluations")
    numbers = {"law": one.name, "runs": len(one.runs), "contact_ticks": len(evaluations),
               "evaluations_mean": float(np.mean(evaluations)),
               "evaluations_p99": float(np.percentile(evaluations, 99)), "evaluations_max": int(np.max(evaluations)),
               "consistent": float(np.mean(one.contact("consistent"))),
               "joint_violation_max": float(np.max(one.violation())), "energy_gain_max": one.energy_gain(),
               "penetration_max": float(max(run["penetration"].max() for run in one.runs))}
    if right is not None:
        numbers.update(spread(angle_errors(one.angles(), right)))
    return numbers


def spread(errors):
    return {"angle_median_deg": float(np.median(errors)), "angle_p90_deg": float(np.percentile(errors, 90)),
            "angle_worst_deg": float(np.max(errors))}
