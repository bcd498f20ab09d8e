# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""One step of a planar body above the floor y = 0, many bodies at once, in float64, with any contact law.

Gravity is integrated first (Algorithm 1, line 1): v1 = v - h g. Then, by position scheme:

dart  What DART 6.20 does with split position correction, at any h:
        contacts: vertices with gap < 0; of three or more the two outermost along the floor (those between
        add no condition, since all contacts have the same height and slip);
        v2 from the law, the gap playing no part;
        q += h v2 + h d, where d is the velocity of a second, frictionless LCP that starts from rest and asks
        each contact i for d_i >= min(0.01 / h * depth_i, 0.001 m/s). d moves positions only.
toc   Time of contact. A vertex touches after alpha_i of the time left, alpha_i = gap_i / (-u_i time) for
        u_i < 0, u_i its velocity (linear: rotation's second order is left out). At the earliest, alpha = min
        alpha_i < 1, all vertices within `TOUCH` of the floor (linear again) are the patch: the law is asked
        there, levers turned along, and the motion goes on with the new velocity. At most `TOUCHES` = 2
        times in a step: a body that lands nearly flat strikes with its second corner within the same step; to
        lift that on positions instead gave up to 0.025 J to a body of 1 kg, and kept 2 % of throws from
        resting. What is below the floor in the end (rotation's second order: at most (h omega)^2 / 2 times
        the reach) is lifted on positions.
gap   All vertices whose predicted gap_i + h u_i is below 0 are contacts, levers as at the start, gap_i / h in
        the right-hand side; q += h v2, then the same lift.

A law is a callable: query -> Impulse (`coulomb.law`, `impulse.law`).
"""
from dataclasses import dataclass

import numpy as np

from . import impulse, shapes
from . import query as queries
from .query import NONE

SCHEMES = ("dart", "toc", "gap")
ERP = 0.01            # DART_ERP: the share of the depth that is corrected in a step ...
MAX_ERV = 1e-3        # DART_MAX_ERV: ... as a velocity, at most [m/s]
TOUCH = 2e-5          # [m]
SINK = 1e-9           # [m] a vertex that would end less deep does not touch: u+ = 0 up to rounding
TOUCHES = 2


@dataclass
class Step:
    """The state after a step, and what the contact did. Impulses per unit mass [m/s]."""
    position: np.ndarray   # [N, 3]
    velocity: np.ndarray   # [N, 3]
    label: np.ndarray      # [N]; 3 (none) without a patch; of the last touch in scheme toc
    contacts: np.ndarray   # [N] 0, 1, 2; likewise
    friction: np.ndarray   # [N] summed over touches
    normal: np.ndarray     # [N] summed over contacts and touches

    @property
    def touched(self):
        """[N] whether there was a contact impulse."""
        return self.normal > 0


def outermost(mask, along):
    """Indices [M, 2] of the outermost vertices of each row of mask along the floor, left first; rows with one
    vertex hold it twice. Rows without any are meaningless."""
    return np.stack([np.argmin(np.where(mask, along, np.inf), axis=1),
                     np.argmax(np.where(mask, along, -np.inf), axis=1)], axis=1)


def patch_query(body, position, velocity, mask, bias=None):
    """(rows, Query, vertex indices) of the rows with contacts, ascending; mask [N, n]: which vertices,
    bias [N, n]: gap / h."""
    rows = np.flatnonzero(mask.any(axis=1))
    lever = shapes.turned(body, position[rows, 2])[..., 0]
    vertex = outermost(mask[rows], lever)
    count = np.where(vertex[:, 0] == vertex[:, 1], 1, 2)
    parts = []
    for k in (1, 2):
        of = np.flatnonzero(count == k)
        if len(of) == 0:
            continue
        pick = vertex[of, :k]
        at = rows[of]
        parts.append((of, queries.make(
            body.gyration, np.take_along_axis(lever[of], pick, 1), position[at, 1], velocity[at],
            None if bias is None else np.take_along_axis(bias[at], pick, 1), body.restitution)))
    return rows, queries.merge(len(rows), parts) if parts else None, vertex


def push_out(query, depth, h):
    """The velocity d [N, 3] of DART's position correction; depth [N, 2] > 0."""
    wanted = np.minimum(ERP / h * np.maximum(depth, 0), MAX_ERV)
    at_rest = queries.Query(query.count, query.gyration, query.lever, query.height, np.zeros((len(query), 3)),
                            np.zeros(len(query)), -np.where(query.present(), wanted, 0))
    return at_rest.after(np.zeros(len(query)), impulse.frictionless(at_rest))


def _answer(body, law, position, velocity, mask, bias=None):
    """(velocity after, Step fields, patch) of asking the law about the rows that have contacts."""
    n = len(position)
    label, contacts = np.full(n, NONE), np.zeros(n, int)
    friction, normal, after = np.zeros(n), np.zeros(n), velocity.copy()
    rows, query, vertex = patch_query(body, position, velocity, mask, bias)
    if len(rows):
        said = law(query)
        after[rows] = query.after(said.friction, said.normal)
        label[rows], contacts[rows] = said.label, query.count
        friction[rows], normal[rows] = said.friction, said.normal.sum(axis=1)
    return after, (label, contacts, friction, normal), (rows, query, vertex)


def _lift(body, position):
    low = shapes.gaps(body, position[:, 1], position[:, 2]).min(axis=1)
    position[:, 1] -= np.minimum(low, 0)
    return position


def _dart(body, law, position, velocity):
    gap = shapes.gaps(body, position[:, 1], position[:, 2])
    after, fields, (rows, query, vertex) = _answer(body, law, position, velocity, gap < 0)
    moved = position + body.h * after
    if len(rows):
        moved[rows] += body.h * push_out(query, -np.take_along_axis(gap[rows], vertex, 1), body.h)
    return Step(moved, after, *fields)


def _rates(body, position, velocity):
    """Vertical velocity of each vertex [N, n]."""
    return velocity[:, 1:2] + velocity[:, 2:] * shapes.turned(body, position[:, 2])[..., 0]


def _touch(body, law, position, velocity, left):
    """Up to the next touch within the time `left` [N] [s]: (position, velocity, Step fields, time left)."""
    gap = np.maximum(shapes.gaps(body, position[:, 1], position[:, 2]), 0)
    fall = left[:, None] * _rates(body, position, velocity)
    with np.errstate(divide="ignore", invalid="ignore"):
        alpha = np.where(gap + fall < -SINK, gap / -fall, np.inf).min(axis=1)
    hit = alpha < 1
    alpha = np.where(hit, alpha, 1.0)
    position = position + (alpha * left)[:, None] * velocity
    mask = hit[:, None] & (gap + alpha[:, None] * fall <= TOUCH)
    velocity, fields, _ = _answer(body, law, position, velocity, mask)
    return position, velocity, fields, (1 - alpha) * left


def _toc(body, law, position, velocity):
    left = np.full(len(position), body.h)
    position, velocity, first, left = _touch(body, law, position, velocity, left)
    label, contacts, friction, normal = first
    for _ in range(TOUCHES - 1):
        position, velocity, again, left = _touch(body, law, position, velocity, left)
        label, contacts = np.where(again[1] > 0, again[0], label), np.where(again[1] > 0, again[1], contacts)
        friction, normal = friction + again[2], normal + again[3]
    return Step(_lift(body, position + left[:, None] * velocity), velocity, label, contacts, friction, normal)


def _gap(body, law, position, velocity):
    gap = shapes.gaps(body, position[:, 1], position[:, 2])
    mask = gap + body.h * _rates(body, position, velocity) < 0
    after, fields, _ = _answer(body, law, position, velocity, mask, gap / body.h)
    return Step(_lift(body, position + body.h * after), after, *fields)


def step(body, scheme, law, position, velocity):
    """The Step of states [N, 3], [N, 3]."""
    free = velocity - [0.0, body.h * body.g, 0.0]
    return {"dart": _dart, "toc": _toc, "gap": _gap}[scheme](body, law, position, free)
