# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Whole logged throws in closed loop: a contact model beside Coulomb friction that was fitted to the same log.

A prediction starts in the flight before the first contact: it may use every row up to the one before the first in
which a vertex is nearer to the floor than NEAR, or could be before the next row; the rows after count. Steps from
recorded rows are not judged: rows beside an impact hold mixed velocities.
"""
from dataclasses import dataclass

import numpy as np

from ..contact import roller
from ..sim import shapes
from . import flights

NEAR = 1.5e-3         # [m]
LONGEST = 0.125       # [s] of the flight that a start is taken from
NO_DIFFERENCE = 1e-3, 0.01   # [m], of the distance
BETTER = "better than fitted Coulomb in both"
WORSE = "worse than fitted Coulomb: log more throws"
LEVEL = "level with fitted Coulomb: log more throws"
UNJUDGED = "not judged: no throw held back begins in flight"
EXPLAINED = ("  final [mm]: distance between predicted and logged centre of mass in the last row, median (mean)",
             "  path [mm]: the same over all rows from the first contact on, mean",
             "  same face %: share of the throws that end on the logged corners",
             "  The verdict asks for the median final distance and the face. Better is only what is so by more",
             "  than its scatter over throws (twice, of the distance); less than 1 mm or 1 % of a distance is no difference.")


@dataclass
class Start:
    state: np.ndarray     # [6] of the centre of mass
    seen: np.ndarray      # [n, 3] the rows after it


def starts(body, seen):
    """[Start] of throws (poses of the centre of mass, floor y = 0) that begin with a flight."""
    found, most = [], int(LONGEST / body.h)
    for poses in seen:
        near = flights.clearance(body, poses) < NEAR
        first = int(np.argmax(near)) if near.any() else 0
        if first >= flights.LEAST and len(poses) > first:
            rows = poses[max(0, first - most):first, :3]
            found.append(Start(flights.state(body.h, rows, (body.lean, -body.g), 1.0), poses[first:, :3]))
    return found


def _face(body, theta):
    """The one or two lowest vertices of each angle, as a set in a number."""
    high = shapes.turned(body, np.asarray(theta))[..., 1]
    return (1 << np.argsort(high, axis=-1)[..., :2]).sum(axis=-1)


def scores(body, positions, law, some):
    """The numbers of a law (see contact.roller) on Starts, ready for JSON."""
    paths = roller(body, positions, law).paths([one.state for one in some], [len(one.seen) for one in some])
    off = [np.hypot(*(path - one.seen).T[:2]) for path, one in zip(paths, some)]
    final = np.array([each[-1] for each in off])
    same = [_face(body, path[-1, 2]) == _face(body, one.seen[-1, 2]) for path, one in zip(paths, some)]
    return {"throws": len(some), "final_median_m": float(np.median(final)), "final_m": float(final.mean()),
            "path_m": float(np.mean([each.mean() for each in off])), "same_face": float(np.mean(same)),
            "each": [[round(float(distance), 5), bool(face)] for distance, face in zip(final, same)]}


def _sure(gain, times):
    """Whether the mean of what was gained, throw by throw, exceeds its own deviation so many times."""
    return len(gain) > 1 and gain.mean() > times * gain.std(ddof=1) / np.sqrt(len(gain))


def verdict(model, coulomb):
    """What the two scores come to, in words that tests and users rely on."""
    if not model["throws"]:
        return UNJUDGED
    less, faces = coulomb["final_median_m"] - model["final_median_m"], model["same_face"] - coulomb["same_face"]
    same = max(NO_DIFFERENCE[0], NO_DIFFERENCE[1] * coulomb["final_median_m"])
    if less < -same or faces < 0:
        return WORSE
    (theirs, theirs_face), (ours, ours_face) = np.array(coulomb["each"], float).T, np.array(model["each"], float).T
    sure = _sure(np.log(theirs + same) - np.log(ours + same), 2) and _sure(ours_face - theirs_face, 1)
    return BETTER if less > same and faces > 0 and sure else LEVEL


def rows(report):
    """(header, cells) of {name: scores}."""
    header = ("contact model", "throws", "final [mm]", "path [mm]", "same face %")
    return header, [(name, s["throws"], f"{1e3 * s['final_median_m']:.1f} ({1e3 * s['final_m']:.1f})",
                     f"{1e3 * s['path_m']:.1f}", f"{100 * s['same_face']:.0f}") for name, s in report.items()]
