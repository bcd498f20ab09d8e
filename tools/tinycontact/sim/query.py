# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""What a contact law is asked: one patch per row, in the frame of the contact, masses divided out.

    slip      u_t = v_t + omega y        the same for all contacts, which lie at one height
    approach  u_i = v_n + omega x_i (+ e u_i with restitution e, if e |u_i| > 0.1 m/s; else + gap_i / h in
              scheme gap)
    u+ = u + A p,  A_tt = 1 + y^2/k^2,  A_ij = 1 + x_i x_j/k^2,  A_it = x_i y/k^2

Rows with one contact use index 0; the second lever and approach are 0 and mean nothing. In rows with two,
lever[0] < lever[1].
"""
from dataclasses import dataclass, fields

import numpy as np

STATIC, DYNAMIC, DETACH, NONE = range(4)
BOUNCE_LEAST = 0.1   # [m/s] a contact that would leave slower does not bounce, as in DART


@dataclass
class Query:
    count: np.ndarray      # [N] 1 or 2
    gyration: np.ndarray   # [N] k [m]
    lever: np.ndarray      # [N, 2] x_i [m]
    height: np.ndarray     # [N] y of the centre of mass above the floor [m]
    velocity: np.ndarray   # [N, 3] v_t, v_n [m/s], omega [rad/s], applied force included
    slip: np.ndarray       # [N] [m/s]
    approach: np.ndarray   # [N, 2] [m/s]

    def __len__(self):
        return len(self.count)

    def __getitem__(self, rows):
        return Query(*(getattr(self, field.name)[rows] for field in fields(self)))

    def delassus(self):
        """A [N, 3, 3] in the order t, contact 1, contact 2."""
        row = np.zeros((len(self), 3, 3))   # Jacobian rows of t, 1, 2 in (v_t, v_n, k omega)
        row[:, 0, 0] = row[:, 1, 1] = row[:, 2, 1] = 1
        row[:, 0, 2] = self.height / self.gyration
        row[:, 1:, 2] = self.lever / self.gyration[:, None]
        return row @ row.transpose(0, 2, 1)

    def after(self, friction, normal):
        """Velocities [N, 3] (v_t, v_n, omega) after the impulses [N], [N, 2]."""
        turn = (self.height * friction + np.sum(self.lever * normal, axis=1)) / self.gyration**2
        return self.velocity + np.stack([friction, normal.sum(axis=1), turn], axis=1)

    def contact_after(self, friction, normal):
        """(slip [N], approach [N, 2]) after the impulses; the approach of a missing contact is 0."""
        change = np.einsum("nij,nj->ni", self.delassus(), np.column_stack([friction, normal]))
        return self.slip + change[:, 0], np.where(self.present(), self.approach + change[:, 1:], 0.0)

    def present(self):
        """[N, 2] which contacts there are."""
        return np.arange(2) < self.count[:, None]


@dataclass
class Impulse:
    """What a law answers, per unit mass [m/s]."""
    label: np.ndarray      # [N] static, dynamic, detach
    friction: np.ndarray   # [N] along +t
    normal: np.ndarray     # [N, 2] >= 0
    note: np.ndarray       # [N] what the law has to say; see the law


def make(gyration, lever, height, velocity, bias=None, restitution=0.0):
    """A Query of rows with levers [N, 1 or 2] (any order), `bias` [N, 1 or 2] being gap / h or None."""
    lever, velocity = np.asarray(lever, float), np.asarray(velocity, float)
    n, count = lever.shape
    bias = np.zeros((n, count)) if bias is None else np.asarray(bias, float)
    order = np.argsort(lever, axis=1, kind="stable")
    lever, bias = np.take_along_axis(lever, order, 1), np.take_along_axis(bias, order, 1)
    approach = velocity[:, 1:2] + velocity[:, 2:] * lever
    bounce = restitution * np.minimum(approach, 0)
    approach = approach + np.where(bounce < -BOUNCE_LEAST, bounce, bias)
    height = np.broadcast_to(np.asarray(height, float), (n,)).copy()
    pad = np.zeros((n, 2 - count))
    return Query(np.full(n, count), np.broadcast_to(np.asarray(gyration, float), (n,)).copy(),
                 np.hstack([lever, pad]), height, velocity, velocity[:, 0] + velocity[:, 2] * height,
                 np.hstack([approach, pad]))


def merge(n, parts):
    """One object (Query or Impulse) of n rows from [(rows, object), ...] that cover all rows."""
    first = parts[0][1]
    merged = []
    for field in fields(first):
        like = getattr(first, field.name)
        whole = np.zeros((n,) + like.shape[1:], like.dtype)
        for rows, part in parts:
            whole[rows] = getattr(part, field.name)
        merged.append(whole)
    return type(first)(*merged)
