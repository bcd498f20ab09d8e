# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""What a log of tosses has for the identification: rests, flights, clean impacts, slides.

An impact is clean if one patch alone, a corner or an edge, touches from the flight's end to the end of the window
behind it. The window begins when the patch no longer pushes and is as free as the flight: the two lines of the centre
of mass, before and behind, cut at the time of the impulse's centroid. There its lever is taken: half a row to either
side changes the moments of inertia by 15 %. While it pushes, the impulse turns its own lever. A force that runs as a
half sine of duration T gains the angle w T / 4 pi (pi t/T - sin pi t/T) at t, w the rate it gives in all; weighed by
the force that is w T/8, a quarter of the time from touch to centroid.
"""
from dataclasses import dataclass

import numpy as np

from . import flight, rotation

REST_ROWS, REST_TIME = 8, 0.054      # at least; [s]
STILL = (4e-3, 6e-3)                 # of the half width; [rad]: how far a body at rest moves in REST_TIME
UPRIGHT = 0.98                       # cosine between a face's normal and the vertical
FLIGHT_ROWS, LEAST_FLIGHT = 20, 7
KINK = (4.0, 3e-5)                   # times the lower quartile, [m]: what a flight's fit leaves if it has an impact
CLEAR = 0.15                         # of the half width: next corner's height above the touching patch
FREE = 0.06                          # of the half width: height of a corner that does not touch
TOUCHED = 0.03                       # of the half width: both corners of an edge get so near the floor
BEHIND = (0.017, 0.036)              # [s] after the flight's last row: the window behind the impact
LEAST_BEHIND = 3                     # rows
STRIKES = 0.3                        # [m/s] closing, and gained: less only grazes
EARLY, LATE = -0.002, 0.012          # [s] from touch to the impulse's centroid
GAINED = 0.25                        # of a half sine: see the head
SLIDE_ROWS, SLIDE_HEIGHT, SLIDE_TURN = 8, 0.05, 1.5   # rows, of the half width, [rad/s]
SLIDE_SPEED, SLIDE_SPAN = 0.08, 0.013   # [m/s] from which a slide counts, over so many [s]
HOP = 0.04                           # of the half width: what the lowest corner may rise and sink in a slide


@dataclass
class Rest:
    toss: int
    face: int              # of the solid
    height: float          # [m] of the tag's origin
    place: np.ndarray      # [2] m
    up: np.ndarray         # [3] the face's inward normal in the log's axes


@dataclass
class Arc:
    """A flight's normal equations for g and the offset o of the tag's origin: x = x0 + v0 t + g t^2/2 + R o."""

    toss: int
    matrix: np.ndarray     # [6, 6]
    right: np.ndarray      # [6]
    square: float          # of what is to be explained [m^2]
    count: int             # equations less those projected out
    own: float             # [m] root mean square that a fit of this flight alone leaves


@dataclass
class Impact:
    """One clean impact. Velocities are the origin's; at = before, behind."""

    toss: int
    patch: tuple           # corners that touch: one or two
    velocity: np.ndarray   # [2, 3] m/s, gravity between taken out of the second
    omega: np.ndarray      # [2, 3] rad/s, tag axes
    turn: np.ndarray       # [2, 3, 3]
    arm_rate: np.ndarray   # [2, 3, 3] d/dt of the turn, so that arm_rate @ c is what c adds to a velocity
    hit_turn: np.ndarray   # [3, 3] at the impulse's centroid
    hit_time: float        # [s] from the flight's last row to the centroid
    touch_time: float      # [s] from the flight's last row to when the patch reaches the floor
    depth: tuple           # ([times since touch], [depths of the patch]) of the rows between


@dataclass
class Slide:
    toss: int
    ratio: float           # deceleration over gravity
    speed: float           # [m/s] mean
    rows: int


def _creep(values, t):
    """(what a line through `values` [rows, n] moves over all rows, what is left of noise), largest column."""
    line = np.stack([np.ones(len(t)), t - t.mean()], axis=1)
    fit = np.linalg.lstsq(line, values, rcond=None)[0]
    left = np.sqrt(np.mean((values - line @ fit) ** 2, axis=0)).max()
    return float(np.abs(fit[1]).max() * (t[-1] - t[0])), float(left)


def rests(log, solid, half):
    """[Rest] of the tosses that end lying on a face."""
    found = []
    for k, toss in enumerate(log.tosses):
        rows = max(int(round(REST_TIME / log.step)), REST_ROWS)
        if len(toss) <= rows:
            continue
        x, q, t = toss.position[-rows:], toss.orientation[-rows:], toss.t[-rows:]
        turn = rotation.log(rotation.product(rotation.conjugate(q[rows // 2]), q))
        (move, rough), (turned, shaky) = _creep(x, t), _creep(turn, t)
        up = -(solid.normals @ rotation.matrix(q[rows // 2]).T)
        face = int(np.argmax(up[:, 2]))
        if (move < STILL[0] * half + 4 * rough / np.sqrt(rows) and turned < STILL[1] + 4 * shaky / np.sqrt(rows)
                and up[face, 2] > UPRIGHT and max(rough / half, shaky) < 0.02):
            found.append(Rest(k, face, float(np.median(x[:, 2])), np.median(x[:, :2], axis=0), up[face]))
    return found


def arcs(log, ends):
    """[Arc] of the tosses whose flight is long enough."""
    found = []
    for k, (toss, end) in enumerate(zip(log.tosses, ends)):
        first = max(end - FLIGHT_ROWS + 1, 0)
        if end - first + 1 < LEAST_FLIGHT:
            continue
        rows = slice(first, end + 1)
        t = toss.t[rows] - toss.t[end]
        line = np.stack([np.ones(len(t)), t], axis=1)
        basis = np.linalg.qr(line)[0]
        design = np.zeros((len(t), 3, 6))
        design[:, [0, 1, 2], [0, 1, 2]] = (0.5 * t * t)[:, None]
        design[:, :, 3:] = rotation.matrix(toss.orientation[rows])
        flat, x = design.reshape(len(t), -1), toss.position[rows]
        flat = (flat - basis @ (basis.T @ flat)).reshape(-1, 6)
        x = (x - basis @ (basis.T @ x)).ravel()
        alone = x - flat @ np.linalg.lstsq(flat, x, rcond=1e-9)[0]
        found.append(Arc(k, flat.T @ flat, flat.T @ x, float(x @ x), 3 * (len(t) - 2),
                         float(np.sqrt(np.mean(alone ** 2)))))
    return found


def kinked(arcs):
    """Tosses whose flight has an impact between two rows, which no row shows."""
    if not arcs:
        return set()
    own = np.array([one.own for one in arcs])
    return {one.toss for one in arcs if one.own > max(KINK[0] * np.percentile(own, 25), KINK[1])}


def _cross_matrix(v):
    return np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0.0]])


def _window(toss, end):
    """Rows behind an impact, or None."""
    since = toss.t - toss.t[end]
    rows = np.flatnonzero((since >= BEHIND[0]) & (since <= BEHIND[1]))
    if len(rows) < LEAST_BEHIND:
        first = max(end + 2, int(np.searchsorted(since, BEHIND[0])))
        rows = np.arange(first, first + LEAST_BEHIND)
    return rows if rows[-1] < len(toss) else None


def _patch(height, half, edges):
    """The corners that alone touch in rows of heights [rows, corners]: one, an edge's two, or (). While they touch, all
    others are clear of them; in all rows, of the floor."""
    order = np.argsort(height.min(axis=0))
    for count in (1, 2):
        own, rest = height[:, order[:count]], np.delete(height, order[:count], axis=1).min(axis=1)
        touching = own.min(axis=1) < TOUCHED * half
        clear = (rest - own.max(axis=1))[touching].min(initial=np.inf) > CLEAR * half
        if not clear or rest.min() < FREE * half:
            continue
        patch = tuple(int(one) for one in order[:count])
        both = own.min(axis=0).max() < TOUCHED * half
        if count == 1 or both and tuple(sorted(patch)) in edges:
            return patch
    return ()


def edges_of(solid):
    """{(corner, corner)} of all edges, smaller first."""
    return {tuple(sorted((int(a), int(b)))) for loop in solid.faces for a, b in zip(loop, np.roll(loop, -1))}


def impacts(log, body, solid, ends):
    """[Impact] of the tosses whose first touch is clean."""
    vertices, half, edges, found = body.vertices, body.half_width, edges_of(solid), []
    for k, (toss, end) in enumerate(zip(log.tosses, ends)):
        if end < LEAST_FLIGHT - 1 or end + LEAST_BEHIND >= len(toss):
            continue
        rows = _window(toss, end)
        if rows is None:
            continue
        span = slice(end + 1, rows[-1] + 1)
        height = flight.heights(toss.position[span], toss.orientation[span], vertices, body.floor)
        patch = _patch(height, half, edges)
        one = _impact(k, toss, body, (end, rows), patch) if patch else None
        if one:
            found.append(one)
    return found


def _behind(toss, rows, gravity):
    """(position, velocity, omega in tag axes, d/dt turn, middle row) of free rows, at their mean time."""
    t = toss.t[rows] - toss.t[rows].mean()
    line = np.stack([np.ones(len(t)), t], axis=1)
    x = toss.position[rows].copy()
    x[:, 2] += 0.5 * gravity * t * t
    (place, velocity), *_ = np.linalg.lstsq(line, x, rcond=None)
    q, middle = toss.orientation[rows], rows[len(rows) // 2]
    turn = rotation.log(rotation.product(rotation.conjugate(toss.orientation[middle]), q))
    omega = np.linalg.lstsq(line, turn, rcond=None)[0][1]
    arm_rate = np.einsum("a,aij->ij", np.linalg.pinv(line)[1], rotation.matrix(q))
    return place, velocity, omega, arm_rate, middle


def _impact(k, toss, body, window, patch):
    """The Impact, or None: the patch grazes the floor, or something else struck at another time."""
    end, rows = window
    state = flight.fitted(toss, end, body.gravity, body.centre, body.inertia_matrix)
    turn = rotation.matrix(state.orientation)
    arm_rate = turn @ _cross_matrix(state.omega)
    time = float(toss.t[rows].mean() - toss.t[end])
    fall = np.array([0.0, 0.0, body.gravity])
    place, velocity, omega, rate, middle = _behind(toss, rows, body.gravity)
    velocity = velocity + fall * time
    c = body.centre
    # lines of the centre of mass, gravity taken out: they cut where the impulse has its centroid
    mean_arm = rotation.matrix(toss.orientation[rows]).mean(axis=0) @ c
    behind = place + mean_arm + 0.5 * fall * time * time
    v0, v1 = state.velocity + arm_rate @ c, velocity + rate @ c
    change = v1 - v0
    hit = time - float((behind - state.position - turn @ c - v0 * time) @ change / (change @ change))
    corners = body.vertices[list(patch)]
    reach = (corners @ turn.T + state.position) @ np.array([-body.floor[1], -body.floor[2], 1.0]) - body.floor[0]
    closing = -(state.velocity + rotation.cross(turn @ state.omega, corners @ turn.T))[:, 2]
    touch = float(np.min(reach / np.maximum(closing, 1e-3)))
    if closing.max() < STRIKES or change[2] < STRIKES or not EARLY < hit - touch < LATE:
        return None
    between = np.arange(end + 1, rows[-1] + 1)
    depth = -flight.heights(toss.position[between], toss.orientation[between], corners, body.floor).min(axis=1)
    behind_turn = rotation.matrix(toss.orientation[middle])
    gained = behind_turn @ omega - turn @ state.omega
    hit_turn = (rotation.matrix(rotation.exp(GAINED * max(hit - touch, 0.0) * gained))
                @ rotation.matrix(rotation.product(state.orientation, rotation.exp(state.omega * hit))))
    return Impact(k, patch, np.stack([state.velocity, velocity]), np.stack([state.omega, omega]),
                  np.stack([turn, behind_turn]), np.stack([arm_rate, rate]), hit_turn, hit,
                  touch, (toss.t[between] - toss.t[end] - touch, depth))


def slides(log, body, solid, ends):
    """[Slide] on faces, by parabolas of the centre of mass along the floor."""
    found, half = [], body.half_width
    stride = max(int(np.ceil(SLIDE_SPAN / log.step)), 1)
    for k, (toss, end) in enumerate(zip(log.tosses, ends)):
        turn = rotation.matrix(toss.orientation)
        height = flight.heights(toss.position, toss.orientation, body.vertices, body.floor)
        flat = _lies_flat(height, turn, solid, half)
        centre = toss.position + turn @ body.centre
        h = toss.t[stride:] - toss.t[:-stride]
        omega = rotation.log(rotation.product(rotation.conjugate(toss.orientation[:-stride]),
                                              toss.orientation[stride:]))
        speed = np.linalg.norm(centre[stride:, :2] - centre[:-stride, :2], axis=1) / h
        good = (flat[stride:] & flat[:-stride] & (np.linalg.norm(omega, axis=1) / h < SLIDE_TURN)
                & (speed > SLIDE_SPEED))
        good[:end + 2] = False
        for rows in np.split(np.arange(len(good)), np.flatnonzero(np.diff(good)) + 1):
            if good[rows[0]] and len(rows) >= SLIDE_ROWS:
                one = _slide(k, toss.t[rows], centre[rows], height[rows].min(axis=1), body)
                found += [one] if one else []
    return found


def _lies_flat(height, turn, solid, half):
    """[rows]: whether all corners of a face are near the floor."""
    face = np.argmin(turn[:, 2] @ solid.normals.T, axis=1)
    inside = np.zeros((len(solid.faces), height.shape[1]), dtype=bool)
    for k, loop in enumerate(solid.faces):
        inside[k, loop] = True
    low = height.min(axis=1)
    top = np.where(inside[face], height, -np.inf).max(axis=1)
    return (top - low < SLIDE_HEIGHT * half) & (low < SLIDE_HEIGHT * half)


def _slide(k, t, centre, low, body):
    """A Slide, or None: a body that hops presses in part of the time."""
    since = t - t.mean()
    design = np.stack([np.ones(len(t)), since, 0.5 * since ** 2], axis=1)
    fit = np.linalg.lstsq(design, centre[:, :2], rcond=None)[0]
    speed = np.linalg.norm(fit[1])
    if speed < SLIDE_SPEED or np.ptp(low) > HOP * body.half_width:
        return None
    return Slide(k, float(-fit[2] @ fit[1] / speed / body.gravity), float(speed), len(t))
