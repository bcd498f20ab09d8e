# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Patches of a spatial body on the floor z = 0, many states at a time, padded to the same number of contacts.

The patch's frame is the world's: tangents x and y, normal z. Impulses are per unit mass [m/s]; K is the inertia
over the mass [m^2], in world axes. Contact i, at arm r_i from the centre of mass, moves with v + omega x r_i, and
an impulse p_j at contact j changes that by

    W_ij p_j,   W_ij = 1 - [r_i]x K^-1 [r_j]x        ([r]x a = r x a)
"""
from dataclasses import dataclass

import numpy as np

from ..sim import spatial_truth as truth
from ..sim.spatial_truth import skew

MOST = 4   # contacts of a box on a plane


@dataclass
class Patches:
    """N patches; contact i of patch k is there if i < count[k], else its arm is zero."""

    count: np.ndarray      # [N]
    vertex: np.ndarray     # [N, MOST] indices in the shape, counter-clockwise from the smallest; -1
    arm: np.ndarray        # [N, MOST, 3]
    velocity: np.ndarray   # [N, 6] v, omega after the applied force
    mobility: np.ndarray   # [N, 3, 3] K^-1

    def __len__(self):
        return len(self.count)

    def __getitem__(self, rows):
        return Patches(self.count[rows], self.vertex[rows], self.arm[rows], self.velocity[rows], self.mobility[rows])

    def present(self):
        return np.arange(MOST) < self.count[:, None]

    def dimension(self):
        return np.minimum(self.count, 3) - 1

    def own(self, i):
        """[N, 3, 3] W_ii."""
        r = skew(self.arm[:, i])
        return np.eye(3) - r @ self.mobility @ r

    def turned(self, i, impulse):
        """[N, 6] change of velocity by impulses [N, 3] at contact i."""
        turn = np.einsum("nij,nj->ni", self.mobility, np.cross(self.arm[:, i], impulse))
        return np.hstack([impulse, turn])

    def at(self, i, velocity):
        """[N, 3] velocity of contact i."""
        return velocity[:, :3] + np.cross(velocity[:, 3:], self.arm[:, i])


def _order(arms, vertices):
    """Positions of contacts counter-clockwise about their middle, beginning with the smallest index."""
    middle = arms[:, :2].mean(axis=0)
    around = np.argsort(np.arctan2(*(arms[:, :2] - middle).T[::-1]), kind="stable")
    return np.roll(around, -int(np.argmin(vertices[around])))


def patches(position, q, velocity, touching=None):
    """Patches of states whose velocities have the applied force in them already; touching [N, 8] or by the gaps."""
    arms, gap = truth.arms(position, q)
    touching = gap <= 0 if touching is None else touching
    n = len(position)
    vertex, arm = np.full((n, MOST), -1), np.zeros((n, MOST, 3))
    count = touching.sum(axis=1)
    for k in np.flatnonzero(count):
        there = np.flatnonzero(touching[k])
        if len(there) > 2:
            there = there[_order(arms[k, there], there)]
        vertex[k, :len(there)], arm[k, :len(there)] = there, arms[k, there]
    R = truth.rotation(q)
    mobility = np.einsum("nij,j,nkj->nik", R, truth.MASS / truth.inertia(), R)
    return Patches(count, vertex, arm, np.array(velocity, float), mobility)
