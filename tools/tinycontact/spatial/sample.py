# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Labelled states of the box: what the point nets learn from, and what patches of all dimensions are judged by.

Training states of points are a quarter each
    broad    |v| < 5 m/s, |omega| < 30 rad/s
    slow     1 and 4
    thrown   on the way of throws in DART
    tilted   a face or an edge that is off the floor by 1e-4 to 0.2 rad, so that one corner touches; the speeds of
             broad and slow, shrunk by 1 to 1e5: such are the corners of edges and faces that are asked one by one.
             In half of them it is the velocity after gravity that is so small: what a corner that carries little of a
             body at rest is asked about
All labels come from one step of DART with the exact cone. Fresh states to judge by are half broad, half slow.
"""
from dataclasses import dataclass

import numpy as np

from ..sim import spatial_truth as truth
from .patches import Patches, patches

PURPOSES = ("train", "validate", "test", "throws")
LEAST_TILT, MOST_TILT = 1e-4, 0.2   # [rad]
SHRINK = 1e-5


@dataclass
class Labelled:
    """States of one patch dimension and what the truth did with them; impulses per unit mass."""

    patches: Patches
    label: np.ndarray    # [N]
    force: np.ndarray    # [N, 3] [m/s]
    torque: np.ndarray   # [N, 3] about the centre of mass [m^2/s]

    def __len__(self):
        return len(self.label)

    def __getitem__(self, rows):
        return Labelled(self.patches[rows], self.label[rows], self.force[rows], self.torque[rows])


def own_seed(seed, purpose):
    """The seed of what is drawn for one purpose."""
    return np.random.SeedSequence([int(seed), PURPOSES.index(purpose)]).generate_state(1)[0]


def labelled(dimension, position, q, velocity):
    """The Labelled states, less those whose depth makes other vertices touch as well."""
    touching = (truth.arms(position, q)[1] <= 0).sum(axis=1)
    keep = np.minimum(touching, 3) == dimension + 1
    said = truth.label_states(position[keep], q[keep], velocity[keep])
    position, q = position[keep], q[keep]
    return Labelled(patches(position, q, said.velocity, said.touching), said.label, said.force / truth.MASS,
                    said.torque / truth.MASS)


def fresh(dimension, count, seed, purpose="test"):
    """(position, q, velocity), half broad, half slow."""
    own = own_seed(seed, purpose)
    halves = [truth.states(dimension, n, own + k, kind)
              for k, (n, kind) in enumerate(((count - count // 2, "broad"), (count // 2, "slow"))) if n > 0]
    return [np.concatenate(parts) for parts in zip(*halves)]


def _turned(q, axis, angle):
    """q after a further turn about world axes [N, 3] (unit) by angles [N]."""
    half = np.column_stack([np.cos(angle / 2), np.sin(angle / 2)[:, None] * axis])
    w, x, v, y = half[:, :1], half[:, 1:], q[:, 1:], q[:, :1]
    return np.hstack([w * y - (x * v).sum(axis=1, keepdims=True), w * v + y * x + np.cross(x, v)])


def tilted(count, seed):
    """States of a point whose body almost lies on an edge or a face."""
    rng = np.random.default_rng(seed)
    flat = [truth.states(d, count // 2 + 1, seed + d, kind) for d, kind in ((1, "broad"), (2, "slow"))]
    _, q, velocity = (np.concatenate(parts)[:count] for parts in zip(*flat))
    heading = rng.uniform(-np.pi, np.pi, count)
    angle = np.exp(rng.uniform(np.log(LEAST_TILT), np.log(MOST_TILT), count))
    q = _turned(q, np.column_stack([np.cos(heading), np.sin(heading), np.zeros(count)]), angle)
    heights = np.sort(np.einsum("nj,kj->nk", truth.rotation(q)[:, 2, :], truth.vertices()), axis=1)
    depth = np.minimum(truth.DEEPEST * rng.random(count)**4, 0.5 * (heights[:, 1] - heights[:, 0]))
    position = np.column_stack([np.zeros((count, 2)), -heights[:, 0] - depth])
    velocity = velocity * np.exp(rng.uniform(np.log(SHRINK), 0, (count, 1)))
    velocity[::2, 2] += truth.H * truth.G
    return position, q, velocity


def thrown(count, seed, tell=lambda done: None):
    """States of points on the way of throws in DART."""
    parts, found, k = [], 0, 0
    while found < count:
        start = [a[0] for a in truth.starts(1, [seed, k])]
        path = truth.throw(*start).path[:-1]
        _, gap = truth.arms(path[:, :3], path[:, 3:7])
        parts.append(path[(gap <= 0).sum(axis=1) == 1])
        found, k = found + len(parts[-1]), k + 1
        tell(found)
    rows = np.concatenate(parts)[:count]
    return rows[:, :3], rows[:, 3:7], rows[:, 7:]


def training(count, seed):
    """The Labelled states of points that nets are fitted to."""
    own, quarter = own_seed(seed, "train"), count // 4
    parts = [truth.states(0, quarter, own, "broad"), truth.states(0, quarter, own + 1, "slow"),
             thrown(quarter, own + 2), tilted(quarter, own + 3)]
    return labelled(0, *(np.concatenate(columns) for columns in zip(*parts)))
