# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Labelled states: what a law is learned from and judged by.

sim.sampling has the law they are drawn by. A law is trained on a third each of broad, slow and thrown states,
and judged on fresh ones, half broad, half slow. What is drawn for one purpose depends on the seed and on the
purpose, so training with a test's seed still draws other states.
"""
from dataclasses import dataclass

import numpy as np

from ..errors import TinycontactError
from ..sim import coulomb, query, sampling, schemes, shapes

PURPOSES = ("train", "validate", "test")


@dataclass
class Labelled:
    """States of one patch dimension and what the truth did with them; impulses per unit mass [m/s]."""

    position: np.ndarray   # [n, 3]
    velocity: np.ndarray   # [n, 3] before the applied force
    query: query.Query
    label: np.ndarray      # [n] 0 static, 1 dynamic, 2 detach
    friction: np.ndarray   # [n] along +x
    normal: np.ndarray     # [n] the sum

    def __len__(self):
        return len(self.label)

    def __getitem__(self, rows):
        return Labelled(self.position[rows], self.velocity[rows], self.query[rows], self.label[rows],
                        self.friction[rows], self.normal[rows])


def dimensions(body):
    """The patches that a body can have: 0 points, 1 edges."""
    return (0, 1) if len(body.vertices) > 1 else (0,)


def _drawn(body, dimension, count, seed, purpose, kinds, law=None):
    if dimension not in dimensions(body):
        raise TinycontactError(f"{body.name}: a body of one vertex has no edge")
    own = np.random.SeedSequence([int(seed), PURPOSES.index(purpose)]).generate_state(1)[0]
    return sampling.draw(body, dimension + 1, count, int(own), kinds, law)


def fresh(body, dimension, count, seed, purpose="test"):
    """(positions, velocities) [count, 3]: half broad, half slow, for judging."""
    return _drawn(body, dimension, count, seed, purpose, ("broad", "slow"))


def training(body, dimension, count, seed, law):
    """(positions, velocities) [count, 3]: a third each broad, slow, and on the way of throws that `law`
    moves."""
    return _drawn(body, dimension, count, seed, "train", sampling.KINDS, law)


class Coulomb:
    """The truth by exact Coulomb friction, with any coefficient that sim.coulomb knows."""

    def __init__(self, friction):
        self.friction, self.law = friction, coulomb.law(friction)

    def label(self, body, position, velocity):
        """The Labelled states, less those whose problem has several answers."""
        free = velocity - [0.0, body.h * body.g, 0.0]
        mask = shapes.gaps(body, position[:, 1], position[:, 2]) <= 0
        rows, asked, _ = schemes.patch_query(body, position, free, mask)
        said = coulomb.solve(asked, self.friction)
        sure = np.flatnonzero(~said.note.astype(bool))
        return Labelled(position[rows], velocity[rows], asked, said.label, said.friction,
                        said.normal.sum(axis=1))[sure]


class Dart:
    """The truth by steps of DART; throws that give states are those of exact Coulomb with the body's mu."""

    def __init__(self, body):
        self.law = coulomb.law(coulomb.constant(body.mu))

    def label(self, body, position, velocity):
        """The Labelled states."""
        from ..sim import dart
        said = dart.label_states(body, position, velocity)
        sure = np.flatnonzero(said.keep)
        return Labelled(position, velocity, said.query, said.label, said.friction, said.normal)[sure]


def joined(parts):
    """One Labelled of several."""
    ends = np.cumsum([len(part) for part in parts])
    rows = [np.arange(end - len(part), end) for end, part in zip(ends, parts)]
    arrays = {name: np.concatenate([getattr(part, name) for part in parts])
              for name in ("position", "velocity", "label", "friction", "normal")}
    asked = query.merge(int(ends[-1]), list(zip(rows, (part.query for part in parts))))
    return Labelled(query=asked, **arrays)
