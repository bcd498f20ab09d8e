# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""What a model is judged by: players of throws, and fresh states with their labels.

A player has a `name`, `results(rows)` (a sim.throws.Results of rows (y0, theta0 [deg], vx0, omega0)) and
`paths(rows)` (of each throw its poses [n, 3] step by step, the start first). A truth also has
`fresh(dimension, count, seed)`, a learn.sample.Labelled. The model's own player is ContactModel.player.
"""
from dataclasses import fields

import numpy as np

from ..learn import sample
from ..sim import coulomb, dart, throws
from ..sweep import Sweep

FINE = 8     # steps of the fine truth in one of the body's
GROUP = 10   # throws of DART between two words of progress


class Simulated:
    """A law in a position scheme, float64."""

    def __init__(self, body, positions, law, name):
        self.body, self.positions, self.law, self.name = body, positions, law, name

    def results(self, rows):
        return throws.run(self.body, self.positions, self.law, *throws.starts(rows))

    def paths(self, rows):
        position, velocity = throws.starts(rows)
        paths = [[start] for start in position]

        def watch(moving, before, step):
            for k, pose in zip(moving, step.position):
                paths[k].append(pose)
        throws.run(self.body, self.positions, self.law, position, velocity, watch)
        return [np.array(path) for path in paths]


class Coulomb(Simulated):
    """Exact Coulomb friction; `friction` of sim.coulomb, the body's mu if None."""

    def __init__(self, body, positions, friction=None, name="exact Coulomb"):
        self.friction = coulomb.constant(body.mu) if friction is None else friction
        super().__init__(body, positions, coulomb.law(self.friction), name)

    def fresh(self, dimension, count, seed):
        """States half broad, half slow, that no training has seen."""
        return sample.Coulomb(self.friction).label(self.body, *sample.fresh(self.body, dimension, count, seed))


class Fine(Coulomb):
    """Exact Coulomb at a fraction of the step, time of contact: what the step goes to as h does to 0."""

    def __init__(self, body, positions):
        super().__init__(body.with_step(body.h / FINE), "toc", name=f"exact Coulomb at h/{FINE}")
        self.coarse = Coulomb(body, positions)

    def paths(self, rows):
        return [path[::FINE] for path in super().paths(rows)]

    def fresh(self, dimension, count, seed):
        return self.coarse.fresh(dimension, count, seed)


def thrown(task):
    """The sim.throws.Results of DART: (body, rows)."""
    body, rows = task
    return dart.throw(body, *throws.starts(rows))


class Dart:
    """DART at the body's step, with its own position scheme whatever `positions` says."""

    name = "DART"

    def __init__(self, body, positions, sweep=Sweep(jobs=1)):
        self.body, self.sweep = body, sweep

    def results(self, rows):
        groups = [(self.body, rows[start:start + GROUP]) for start in range(0, len(rows), GROUP)]
        parts = self.sweep.run(thrown, groups, f"groups of {GROUP} throws of DART")
        return throws.Results(*(np.concatenate([getattr(part, field.name) for part in parts])
                                for field in fields(throws.Results)))

    def paths(self, rows):
        paths = []
        dart.throw(self.body, *throws.starts(rows), record=lambda k, path: paths.append(path[:, :3]))
        return paths

    def fresh(self, dimension, count, seed):
        return sample.Dart(self.body).label(self.body, *sample.fresh(self.body, dimension, count, seed))


def falling(body, positions):
    return Coulomb(body, positions, coulomb.falling(), "friction that falls with speed")


def anisotropic(body, positions):
    return Coulomb(body, positions, coulomb.anisotropic(), "friction 1.5 / 0.75")


TRUTHS = {"dart": Dart, "coulomb": Coulomb, "fine": Fine, "falling": falling, "anisotropic": anisotropic}
