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
        resting. A vertex that would touch once more ends the step: the body waits where it touches, and the
        force of the time it waits is taken back, unless less than a sixteenth of h has passed. What is below
        the floor in the end (rounding, rotation's second order: at most (h omega)^2 / 2 times the reach) is
        lifted on positions.
gap   The outermost of the vertices whose predicted gap_i + h u_i is below 0 are contacts, levers as at the
        start, gap_i / h in the right-hand side; q += h v2. Where a vertex would go below the floor all the
        same, one touch as with toc, and the same end.

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
LIFT_MOST = 1e-6      # [m] lifted in the end: rounding
PASSED = 1 / 16       # of a step, at least; one that would end sooner lifts, lest a body stand for ever


@dataclass
class Step:
    """The state after a step, and what the contact did. Impulses per unit mass [m/s]."""
    position: np.ndarray   # [N, 3]
    velocity: np.ndarray   # [N, 3]
    label: np.ndarray      # [N]; 3 (none) without a patch; of the last touch in schemes toc and gap
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


def _contact(body, position, velocity, left):
    """(gap, fall, alpha): of each vertex now, at least 0, and within the time `left`; the share of that time after
    which the first one touches, inf if none does."""
    gap = np.maximum(shapes.gaps(body, position[:, 1], position[:, 2]), 0)
    fall = left[:, None] * _rates(body, position, velocity)
    with np.errstate(divide="ignore", invalid="ignore"):
        return gap, fall, np.where(gap + fall < -SINK, gap / -fall, np.inf).min(axis=1)


def _touch(body, law, position, velocity, left):
    """Up to the next touch within the time `left` [N] [s]: (position, velocity, Step fields, time left)."""
    gap, fall, alpha = _contact(body, position, velocity, left)
    hit = alpha < 1
    alpha = np.where(hit, alpha, 1.0)
    position = position + (alpha * left)[:, None] * velocity
    mask = hit[:, None] & (gap + alpha[:, None] * fall <= TOUCH)
    velocity, fields, _ = _answer(body, law, position, velocity, mask)
    return position, velocity, fields, (1 - alpha) * left


def _added(first, again):
    """Step fields of two touches."""
    last = again[1] > 0
    return (np.where(last, again[0], first[0]), np.where(last, again[1], first[1]), first[2] + again[2],
            first[3] + again[3])


def _sinks(body, position, velocity, left):
    """[N] whether a vertex would be below the floor, by more than rounding, after the time `left`."""
    end = position + left[:, None] * velocity
    return shapes.gaps(body, end[:, 1], end[:, 2]).min(axis=1) < -LIFT_MOST


def _end(body, position, velocity, left, fields):
    """The Step after the time `left`, or as much of it as takes no vertex below the floor."""
    first = np.minimum(_contact(body, position, velocity, left)[2], 1.0)
    waits = _sinks(body, position, velocity, left) & (body.h - (1 - first) * left >= PASSED * body.h)
    share = np.where(waits, first, 1.0)
    velocity = velocity.copy()
    position = _lift(body, position + (share * left)[:, None] * velocity)
    velocity[:, 1] += (1 - share) * left * body.g
    return Step(position, velocity, *fields)


def _toc(body, law, position, velocity):
    position, velocity, fields, left = _touch(body, law, position, velocity, np.full(len(position), body.h))
    for _ in range(TOUCHES - 1):
        position, velocity, again, left = _touch(body, law, position, velocity, left)
        fields = _added(fields, again)
    return _end(body, position, velocity, left, fields)


def _gap(body, law, position, velocity):
    gap, left = shapes.gaps(body, position[:, 1], position[:, 2]), np.full(len(position), body.h)
    mask = gap + body.h * _rates(body, position, velocity) < 0
    after, fields, _ = _answer(body, law, position, velocity, mask, gap / body.h)
    done = Step(_lift(body, position + body.h * after), after, *fields)
    rows = np.flatnonzero((fields[1] > 0) & _sinks(body, position, after, left))
    if len(rows):
        at, v, again, rest = _touch(body, law, position[rows], after[rows], left[rows])
        end = _end(body, at, v, rest, _added([field[rows] for field in fields], again))
        for name in ("position", "velocity", "label", "contacts", "friction", "normal"):
            getattr(done, name)[rows] = getattr(end, name)
    return done


def step(body, scheme, law, position, velocity):
    """The Step of states [N, 3], [N, 3]."""
    free = velocity - [0.0, body.h * body.g, 0.0]
    return {"dart": _dart, "toc": _toc, "gap": _gap}[scheme](body, law, position, free)
