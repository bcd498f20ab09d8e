# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Roll-outs of an identified body by the library, in float32 as on a board: spatial.toss, whose steps they are.

    states = starts(log, body, "flight")          # flight.State of each toss
    found = roll_out(log, body, states)           # a Path of each toss, from its state's row to its last

The library has the centre of mass as its origin and the principal axes as its axes; a log has the tag's. A Path is the
log's: positions of the tag's origin, quaternions of the tag's axes.
"""
from dataclasses import dataclass, replace

import numpy as np

from ..errors import TinycontactError
from ..spatial import toss as native
from . import flight, rotation
from .hull import inset

STEP = 1e-3       # [s] longest step
UNKNOWN_MU = 0.5  # where a body file has no friction at all
STARTS = ("first", "flight")
MOST_VERTICES = 64


@dataclass
class Path:
    row: int                  # of the toss: the start, which is the first of the path
    position: np.ndarray      # [rows, 3] m
    orientation: np.ndarray   # [rows, 4]


def friction_of(body):
    """(point, edge, face): a patch without a number has its neighbour's."""
    known = [body.friction.get(patch) for patch in ("point", "edge", "face")]
    point, edge, face = known
    first = next((mu for mu in known if mu is not None), UNKNOWN_MU)
    point = first if point is None else point
    edge = point if edge is None else edge
    return point, edge, edge if face is None else face


def settings(body, step=STEP):
    """The spatial.toss.Toss of a bodyfile.Body."""
    radius = body.rounding or 0.0
    sharp = body.vertices + radius * inset(body.nominal) if radius > 0 else body.vertices
    corners = rotation.turned(rotation.conjugate(body.axes), sharp - body.centre)
    if len(corners) > MOST_VERTICES:
        raise TinycontactError(f"the shape has {len(corners)} corners; the library takes {MOST_VERTICES}: leave out those"
                               " inside the hull")
    normal = np.array([-body.floor[1], -body.floor[2], 1.0])
    size = np.linalg.norm(normal)
    units = np.reshape(body.residual if body.residual is not None else np.zeros(8), (2, 4))
    return native.Toss(vertices=corners, mass=body.mass, inertia=tuple(body.inertia), step=step,
                       normal=tuple(normal / size), offset=body.floor[0] / size, gravity=(0.0, 0.0, -body.gravity),
                       restitution=body.restitution or 0.0, radius=radius, stiffness=body.stiffness or 0.0,
                       damping=body.damping or 0.0, slope=body.damping_slope or 0.0, mu=friction_of(body),
                       gain=tuple(units[:, 0]), slip_weight=tuple(units[:, 1]), load_weight=tuple(units[:, 2]),
                       bias=tuple(units[:, 3]))


def starts(log, body, start):
    """The flight.State of each toss, from its first row alone or from its flight. A toss whose first row touches
    already is rolled out from this row in both."""
    if start not in STARTS:
        raise TinycontactError(f"start {start!r} is none of {', '.join(STARTS)}")
    found = []
    for toss in log.tosses:
        state = flight.at_touch_down(toss, body) if start == "flight" else None
        if state is not None and state.rows < 3:   # too few to filter: the recorded velocity serves better
            state = _at_row(toss, body, log, state.row)
        found.append(state if state is not None else flight.at_first(toss, body, log))
    return found


def _at_row(toss, body, log, row):
    """The State at a row from that row alone."""
    if row + 1 >= len(toss):
        return flight.at_touch_down(toss, body)
    part = replace(toss, t=toss.t[row:], position=toss.position[row:], orientation=toss.orientation[row:],
                   velocity=None if toss.velocity is None else toss.velocity[row:],
                   omega=None if toss.omega is None else toss.omega[row:])
    return replace(flight.at_first(part, body, log), row=row)


def to_library(body, states):
    """[n, 13] of the library from flight.States."""
    position, q, velocity, omega = (np.stack([getattr(s, name) for s in states])
                                    for name in ("position", "orientation", "velocity", "omega"))
    spin, arm = rotation.turned(q, omega), rotation.turned(q, body.centre)
    return np.hstack([position + arm, rotation.product(q, body.axes), velocity + np.cross(spin, arm), spin])


def to_log(body, rows):
    """(positions, quaternions) in the log's terms of the library's states [rows, 13]."""
    q = rotation.product(rows[:, 3:7], rotation.conjugate(body.axes))
    return rows[:, :3] - rotation.turned(q, body.centre), q


def roll_out(log, body, states, real="float", rows=None):
    """The Path of each toss from its State on, over at most `rows` rows after it. A row that a failed step leads to is
    an error: the body file asks for what the library cannot do."""
    last = [len(toss) if rows is None else min(state.row + 1 + rows, len(toss))
            for toss, state in zip(log.tosses, states)]
    times = [toss.t[s.row:end] - toss.t[s.row] for toss, s, end in zip(log.tosses, states, last)]
    (found,), statuses = native.roll([settings(body)], to_library(body, states), times, real)
    failed = np.flatnonzero(statuses[0] < 0)
    if len(failed):
        from ..errors import StatusError
        toss = log.tosses[failed[0]]
        raise TinycontactError(f"throw {toss.label:g}: {StatusError('tc_foot3_step', int(statuses[0][failed[0]]))}")
    return [Path(state.row, *to_log(body, path)) for state, path in zip(states, found)]


def whole(toss, state, path, body):
    """(positions, quaternions) of every row of a toss: those of the path, before them those of the fit that the state
    comes from, and in front of the fit's rows the recorded ones."""
    first = max(state.row - state.rows + 1, 0)
    rows = slice(first, state.row)
    position, q = toss.position[:state.row].copy(), toss.orientation[:state.row].copy()
    if first < state.row:
        t = np.append(toss.t[rows], state.t) - state.t
        place = to_library(body, [state])[0]
        q[rows] = flight.spun(state.orientation, state.omega[None], body.inertia_matrix, t)[:-1, 0]
        t = t[:-1, None]
        centre = place[:3] + t * place[7:10] - 0.5 * body.gravity * t * t * np.array([0.0, 0.0, 1.0])
        position[rows] = centre - rotation.turned(q[rows], body.centre)
    return np.concatenate([position, path.position]), np.concatenate([q, path.orientation])
