# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Flight: where it ends, and the state before touch-down that all its rows together tell.

The flight ends at the row before the first row in which a vertex of the true-size body is nearer to the floor than
NEAR. Until then the centre of mass runs on a parabola, x(t) + R(t) c = x0 + v0 t - g t^2/2, and R follows
Euler's equations without torque. Both are linear fits over the last rows; what the fit leaves is tracking noise.

    state = at_touch_down(log.tosses[3], body)     # position, orientation, velocity, omega at state.row
    state = at_first(log.tosses[3], body, log)

A state is that of the tag's origin, as logged: velocity in the log's axes, omega in tag axes. `body` is a
bodyfile.Body.
"""
from dataclasses import dataclass

import numpy as np

from . import rotation

NEAR = 1.5e-3     # [m]
ROWS = 14         # of a fit at most
SUBSTEPS = 4      # of Euler's equations per row
ROUNDS = 6        # of Gauss-Newton
CONVERGED = 1e-5  # [rad/s]
DIFFERENCE = 1e-4 # [rad/s] of derivatives
ISOTROPIC = 1e-3  # relative spread of the moments below which a body turns evenly


@dataclass
class State:
    row: int                  # of the toss
    t: float                  # [s]
    position: np.ndarray      # [3] m, the tag's origin
    orientation: np.ndarray   # [4]
    velocity: np.ndarray      # [3] m/s, of the tag's origin, the log's axes
    omega: np.ndarray         # [3] rad/s, tag axes
    residual: tuple = (np.nan, np.nan)   # [m], [rad]: root mean square of what the fit leaves
    rows: int = 1             # that it was made from


def heights(position, orientation, vertices, floor=(0.0, 0.0, 0.0)):
    """[rows, vertices]: heights [m] above the floor z = floor[0] + floor[1] x + floor[2] y."""
    corner = position[:, None] + np.einsum("nij,kj->nki", rotation.matrix(orientation), vertices)
    return corner[..., 2] - floor[0] - corner[..., 0] * floor[1] - corner[..., 1] * floor[2]


def end_of_flight(toss, vertices, floor=(0.0, 0.0, 0.0), near=NEAR):
    """The row before the first in which a vertex is below `near`; the last row if none is, -1 if the first is."""
    low = np.flatnonzero(heights(toss.position, toss.orientation, vertices, floor).min(axis=1) < near)
    return int(low[0]) - 1 if len(low) else len(toss) - 1


def at_touch_down(toss, body, rows=ROWS):
    """The State at the last row of the flight, by a fit over up to `rows` rows before it; None without any."""
    end = end_of_flight(toss, body.vertices, body.floor)
    return fitted(toss, end, body.gravity, body.centre, body.inertia_matrix, rows) if end >= 0 else None


def at_first(toss, body, log):
    """The State at the first row, from this row alone: the recorded velocity where there is one, brought from when it
    held to the row; else from the first two rows."""
    back = log.lag
    h = float(toss.t[1] - toss.t[0])
    velocity, omega, rows = toss.velocity, toss.omega, 1
    fall = np.array([0.0, 0.0, -body.gravity])
    arm = rotation.turned(toss.orientation[0], body.centre)
    if omega is None:
        omega, rows = rotation.rate(toss.orientation[:2], h)[0], 2
    else:
        omega = omega[0]
    spin = rotation.turned(toss.orientation[0], omega)
    if velocity is None:
        velocity, rows = (toss.position[1] - toss.position[0]) / h, 2
        back = -0.5 * h
    else:
        velocity = velocity[0]
    # the origin accelerates by g - omega x (omega x R c)
    velocity = velocity + back * (fall - rotation.cross(spin, rotation.cross(spin, arm)))
    return State(0, float(toss.t[0]), toss.position[0].copy(), toss.orientation[0].copy(), velocity,
                 np.array(omega, dtype=float), rows=rows)


def spun(orientation, omega, inertia, times):
    """Orientations [times, bodies, 4] of free bodies at increasing `times` that end at 0, where they have `orientation`
    [4] and `omega` [bodies, 3]."""
    if _is_even(inertia):
        return rotation.product(orientation, rotation.exp(times[:, None, None] * omega))
    inverse = np.linalg.inv(inertia)
    q, w = np.broadcast_to(orientation, (len(omega), 4)), omega
    out = [q]
    for k in range(len(times) - 1, 0, -1):
        q, w = _moved(q, w, (inertia, inverse), times[k - 1] - times[k])
        out.append(q)
    return np.stack(out[::-1])


def _is_even(inertia):
    """Whether all moments are one, so that a free body turns evenly."""
    return np.abs(inertia - np.eye(3) * inertia[0, 0]).max() <= ISOTROPIC * inertia[0, 0]


def _rates(w, inertia):
    return rotation.cross(w @ inertia[0], w) @ inertia[1]


def _moved(q, w, inertia, time):
    """Steps of a free body: the rate by Euler's equations, fourth order, the turn by the rate in the middle."""
    h = time / SUBSTEPS
    for _ in range(SUBSTEPS):
        k1 = _rates(w, inertia)
        k2 = _rates(w + 0.5 * h * k1, inertia)
        k3 = _rates(w + 0.5 * h * k2, inertia)
        k4 = _rates(w + h * k3, inertia)
        q = rotation.product(q, rotation.exp(h * (w + 0.5 * h * k2)))
        w = w + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    return q, w


def fitted(toss, end, gravity, centre, inertia, rows=ROWS):
    """The State at row `end` from the up to `rows` rows that lead to it; `inertia` [3, 3] about the centre of mass,
    tag axes, in any unit."""
    first = max(end - rows + 1, 0)
    t = toss.t[first:end + 1] - toss.t[end]
    x, q = toss.position[first:end + 1], toss.orientation[first:end + 1]
    turn, spin, left_turn = _fit_turn(t, q, np.asarray(inertia))
    arm = rotation.turned(q, centre)
    path = x + arm
    path[:, 2] += 0.5 * gravity * t * t
    if len(t) > 1:
        design = np.stack([np.ones(len(t)), t], axis=1)
        (place, speed), *_ = np.linalg.lstsq(design, path, rcond=None)
        left = np.sqrt(np.mean((path - design @ np.stack([place, speed])) ** 2))
    else:
        place, speed, left = path[0], np.zeros(3), np.nan
    offset = rotation.turned(turn, centre)
    velocity = speed - rotation.cross(rotation.turned(turn, spin), offset)
    return State(end, float(toss.t[end]), place - offset, turn, velocity, spin, (float(left), left_turn), len(t))


def _fit_turn(t, q, inertia):
    """(orientation at 0, omega there in tag axes, root mean square of the rest) of rows at times t <= 0."""
    turn = q[-1]
    if len(t) == 1:
        return turn, np.zeros(3), np.nan
    omega = rotation.rate(q[-2:], t[-1] - t[-2])[0]
    steps = np.concatenate([np.zeros((1, 3)), DIFFERENCE * np.eye(3)])
    for _ in range(ROUNDS):
        there = rotation.conjugate(spun(turn, omega + steps, inertia, t))
        rest = rotation.log(rotation.product(there, q[:, None]))   # [rows, 4, 3]
        by_omega = -np.swapaxes(rest[:, 1:] - rest[:, :1], 1, 2) / DIFFERENCE
        by_turn = rotation.matrix(rotation.product(there[:, 0], turn))
        design = np.concatenate([by_turn, by_omega], axis=2).reshape(-1, 6)
        change, *_ = np.linalg.lstsq(design, rest[:, 0].ravel(), rcond=None)
        turn = rotation.normal(rotation.product(turn, rotation.exp(change[:3])))
        omega = omega + change[3:]
        if np.abs(change[3:]).max() < CONVERGED:
            break
    return turn, omega, float(np.sqrt(np.mean((rest[:, 0].ravel() - design @ change) ** 2)))
