# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Feature map 1 of a single spatial contact, float64: what the nets see of (W, u).

The contact's matrix W (3 x 3, per unit mass) and velocity u are looked at in a frame of their own: axis 1 along the
tangential part of the impulse that would stop the contact, p_s = -W^-1 u, axis 3 the normal, and axis 2 on that side
where W_23 >= 0, which is the side of the centre of mass (for a body whose inertia is the same about all axes; else its
dynamical counterpart). So turned and mirrored contacts are one and the same, which assumes that the floor has no
direction of its own. No input knows the floor's friction, and but for the size of the velocity none has a scale:

    group 2  ratio     W_13/W_33, W_23/W_33, W_11/W_33, W_22/W_33, W_12/W_33
    group 4  velocity  direction of (u_1, u_2, u_3), ln of its length
    group 8  stop      direction of (f_s, n_s), the tangential length and the normal part of p_s
    group 16 arrest    f*/n0, f*/n* clipped to +-2

n0 is the frictionless normal impulse, (f*, n*) = (f_s, n_s) if n_s >= 0, else what ends the sliding without a normal.
lib/learned/tc_learned3_features.c is its twin on board.
"""
from dataclasses import dataclass

import numpy as np

from ..learn.features import ARREST, RATIO, STOP, VELOCITY, direction, log_length, ratio

MASK = RATIO | VELOCITY | STOP | ARREST
SIZES = ((RATIO, 5), (VELOCITY, 4), (STOP, 2), (ARREST, 2))
ROWS = 20000   # of a query at a time


@dataclass
class Query:
    """N single contacts: W [N, 3, 3], u [N, 3] and what follows from them without any law."""

    W: np.ndarray
    u: np.ndarray

    def __post_init__(self):
        self.stop = -np.linalg.solve(self.W, self.u[:, :, None])[:, :, 0]
        self.axes = self._axes()   # [N, 2, 2]: rows e1, e2 in the tangent plane

    def __len__(self):
        return len(self.u)

    def __getitem__(self, rows):
        return Query(self.W[rows], self.u[rows])

    def _axes(self):
        first = direction(self.stop[:, :2])
        none = ~first.any(axis=1)
        first[none] = direction(-self.u[none, :2])
        first[~first.any(axis=1)] = [1.0, 0.0]
        second = np.stack([-first[:, 1], first[:, 0]], axis=1)
        second *= np.where((second * self.W[:, :2, 2]).sum(axis=1) < 0, -1.0, 1.0)[:, None]
        return np.stack([first, second], axis=1)

    def arrest(self):
        """(f*, n*)"""
        tangential = -np.linalg.solve(self.W[:, :2, :2], self.u[:, :2, None])[:, :, 0]
        pulls = self.stop[:, 2] < 0
        friction = np.where(pulls[:, None], tangential, self.stop[:, :2])
        return np.linalg.norm(friction, axis=1), np.where(pulls, 0.0, self.stop[:, 2])

    def frictionless(self):
        return np.maximum(0, -self.u[:, 2]) / self.W[:, 2, 2]

    def world(self, local):
        """[N, 2] tangential vectors from the frame of e1, e2."""
        return np.einsum("nij,ni->nj", self.axes, local)

    def local(self, tangential):
        return np.einsum("nij,nj->ni", self.axes, tangential)


def _groups(query):
    T = np.zeros((len(query), 3, 3))
    T[:, :2, :2], T[:, 2, 2] = query.axes, 1
    W, u = T @ query.W @ T.transpose(0, 2, 1), (T @ query.u[:, :, None])[:, :, 0]
    friction, normal = query.arrest()
    yield RATIO, np.stack([W[:, 0, 2], W[:, 1, 2], W[:, 0, 0], W[:, 1, 1], W[:, 0, 1]], axis=1) / W[:, 2, 2:3]
    yield VELOCITY, np.hstack([direction(u), log_length(u)])
    stop = np.stack([np.linalg.norm(query.stop[:, :2], axis=1), query.stop[:, 2]], axis=1)
    yield STOP, direction(stop)
    yield ARREST, np.hstack([ratio(friction, query.frictionless()), ratio(friction, normal)])


def features(query, mask=MASK):
    """[N, inputs]"""
    return np.hstack([columns for group, columns in _groups(query) if group & mask])


def width(mask=MASK):
    return sum(size for group, size in SIZES if group & mask)
