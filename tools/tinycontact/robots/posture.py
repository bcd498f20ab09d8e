# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Where a limb stands whose file does not say: bent, the foot straight below its first joint, or below where it is at
coordinates 0 if the limb hangs down there."""
from dataclasses import replace

import numpy as np

from ..errors import TinycontactError
from .motion import move

BENT, HANGS, CLOSE = 0.7, 0.7, 1e-6   # of the reach, of the reach, [m]
GUESSES, TURNS = 30, 60


def _allowed(limb, q):
    return all(link.range is None or link.range[0] <= x <= link.range[1] for link, x in zip(limb.links, q))


def _middle(limb):
    """[n] 0, or the middle of a range that leaves 0 out."""
    return np.array([0.0 if link.range is None or link.range[0] <= 0.0 <= link.range[1] else np.mean(link.range)
                     for link in limb.links])


def bent(limb, path):
    """[n] by Gauss-Newton from seeded guesses; what lies within the ranges, and nearest to their middle, is taken."""
    first, random = limb.links[0].origin, np.random.default_rng(0)
    legs = max(limb.reach, CLOSE)   # a slider's foot may be at its joint
    zero = move(limb, np.zeros(limb.joints), np.zeros(limb.joints)).centre
    below = zero if zero[2] - first[2] < -HANGS * legs else first
    goal, middle, found = np.array([below[0], below[1], first[2] - BENT * legs]), _middle(limb), []
    for _ in range(GUESSES):
        q = middle + random.uniform(-1, 1, limb.joints)
        for _ in range(TURNS):
            m = move(limb, q, np.zeros(limb.joints))
            error = goal - m.centre
            if np.abs(error).max() < CLOSE:
                break
            q = q + np.clip(np.linalg.lstsq(m.J, error, rcond=1e-3)[0], -0.3, 0.3)
        miss = np.linalg.norm(error) / legs
        found.append((not _allowed(limb, q), round(max(miss, 0.02), 2), np.abs(q - middle).sum(), list(q)))
    out, miss, _, q = min(found)
    if out or miss > 0.5:
        raise TinycontactError(f"{path}, limb {limb.name}: no posture found with the foot below its first joint; say"
                               " where it stands (field home)")
    return np.array(q)


def home_of(robot):
    """The Robot with a home for each limb."""
    limbs = [limb if limb.home is not None else replace(limb, home=bent(limb, robot.path)) for limb in robot.limbs]
    return replace(robot, limbs=limbs)
