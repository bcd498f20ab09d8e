# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Two boxes thrown at each other, in free flight, with a contact model between them; judged solve by solve.

A throw begins with both boxes within reach of each other, any orientation, and a relative velocity that closes the
distance. Every step of H seconds has three parts. Boxes that touch are solved by the library (pair.py) at their poses.
The changes of its rates are added to both bodies' momenta. Both fly freely: the centre at constant velocity, the
orientation by a Runge-Kutta step at constant angular momentum. A step that would bring boxes from apart to sunk ends
where they touch instead. A throw ends when the boxes are APART of each other, or after `seconds`.

collide_judge.py says how good each solve is.
"""
from dataclasses import dataclass

import numpy as np

from ..sim.spatial_truth import H, rotation
from . import pair
from .boxes import distance, touch

MARGIN = 2e-5           # [m] contacts are points with a smaller gap
TOUCHED = 1e-7          # [m] depth at which a step from apart ends
APART = 0.01            # [m]
HALVINGS = 40
SPEED = (0.3, 5.0)      # [m/s] relative
SPIN = (8.0, 30.0)      # [rad/s] per axis, half of the throws each
CALM = 0.003            # of that spin, where boxes meet flat


@dataclass
class Boxes:
    """Two boxes: full sides [m] and masses [kg]."""
    sides: np.ndarray   # [2, 3]
    mass: np.ndarray    # [2]

    def half(self):
        return np.asarray(self.sides, float) / 2

    def inertia(self):
        """[2, 3] principal moments."""
        square = np.square(np.asarray(self.sides, float))
        return np.asarray(self.mass)[:, None] * (square.sum(axis=1, keepdims=True) - square) / 12


@dataclass
class State:
    """N pairs in flight; momentum [N, 2, 3] and angular momentum [N, 2, 3] about the own centre, world axes."""
    position: np.ndarray
    q: np.ndarray
    momentum: np.ndarray
    spin: np.ndarray

    def __getitem__(self, rows):
        return State(self.position[rows], self.q[rows], self.momentum[rows], self.spin[rows])

    def put(self, rows, other):
        self.position[rows], self.q[rows] = other.position, other.q
        self.momentum[rows], self.spin[rows] = other.momentum, other.spin


def rates(state, boxes):
    """[N, 12] v and omega of both."""
    v = state.momentum / np.asarray(boxes.mass)[:, None]
    R = rotation(state.q)
    w = np.einsum("nkij,nkj->nki", R, np.einsum("nkji,nkj->nki", R, state.spin) / boxes.inertia())
    return np.concatenate([v, w], axis=2).reshape(-1, 12)


def _slope(q, spin, inertia):
    R = rotation(q / np.linalg.norm(q, axis=-1, keepdims=True))
    w = np.einsum("nkij,nkj->nki", R, np.einsum("nkji,nkj->nki", R, spin) / inertia)
    s, v = q[..., :1], q[..., 1:]
    return 0.5 * np.concatenate([-(w * v).sum(axis=-1, keepdims=True), s * w + np.cross(w, v)], axis=-1)


def fly(state, boxes, h):
    """The State after h [N] seconds."""
    h, inertia, q = np.asarray(h)[:, None, None], boxes.inertia(), state.q
    a = _slope(q, state.spin, inertia)
    b = _slope(q + h / 2 * a, state.spin, inertia)
    c = _slope(q + h / 2 * b, state.spin, inertia)
    d = _slope(q + h * c, state.spin, inertia)
    turned = q + h / 6 * (a + 2 * b + 2 * c + d)
    turned /= np.linalg.norm(turned, axis=-1, keepdims=True)
    moved = state.position + h * state.momentum / np.asarray(boxes.mass)[:, None]
    return State(moved, turned, state.momentum.copy(), state.spin.copy())


def gaps(state, boxes):
    return distance(state.position, state.q, boxes.half())


def step(state, boxes):
    """The State a step later; of pairs that are apart and would sink, that at which they touch."""
    n = len(state.position)
    out = fly(state, boxes, np.full(n, H))
    rows = np.flatnonzero((gaps(state, boxes) > MARGIN) & (gaps(out, boxes) < -TOUCHED))
    if len(rows):
        some, low, high = state[rows], np.zeros(len(rows)), np.full(len(rows), H)
        for _ in range(HALVINGS):
            middle = (low + high) / 2
            sunk = gaps(fly(some, boxes, middle), boxes) < -TOUCHED
            low, high = np.where(sunk, low, middle), np.where(sunk, middle, high)
        out.put(rows, fly(some, boxes, high))
    return out


def _unit(rng, *shape):
    x = rng.standard_normal(shape)
    return x / np.linalg.norm(x, axis=-1, keepdims=True)


def _orientations(rng, count):
    """([count, 2, 4], [count] whether flat): any in half of the throws. In the rest a is aligned with the world's axes
    and b with a to 0.02 rad, or turned by 45 degrees about one of them, an edge first."""
    q = _unit(rng, count, 2, 4)
    flat = np.arange(count) % 2 == 1
    edge = np.where(np.arange(count) % 4 == 3, np.pi / 8, 0.0) + 0.02 * rng.standard_normal(count)
    axis = rng.integers(0, 3, count)
    q[flat, 0] = [1.0, 0, 0, 0]
    turned = np.zeros((count, 4))
    turned[:, 0] = np.cos(edge)
    turned[np.arange(count), 1 + axis] = np.sin(edge)
    q[flat, 1] = turned[flat]
    return q, flat


def starts(boxes, count, seed):
    """The State of `count` throws."""
    rng = np.random.default_rng(seed)
    mass, reach = np.asarray(boxes.mass), np.linalg.norm(boxes.half(), axis=1).sum()
    q, flat = _orientations(rng, count)
    way = _unit(rng, count, 3)
    way[flat] = np.eye(3)[rng.integers(0, 3, flat.sum())] + 0.1 * rng.standard_normal((flat.sum(), 3))
    off = np.cross(way, _unit(rng, count, 3)) * np.where(flat, 0.15, 0.5)[:, None] * reach
    speed = np.exp(rng.uniform(*np.log(SPEED), (count, 1)))
    share = mass[::-1] / mass.sum() * [1, -1]   # the common centre rests
    position = (off - way * 1.1 * reach)[:, None] * share[:, None]
    aside = np.where(flat[:, None], 0.5 * speed, 0.0) * np.cross(way, _unit(rng, count, 3))
    velocity = (speed * way + aside)[:, None] * share[:, None] + 0.3 * rng.standard_normal((count, 1, 3))
    w = np.where(rng.random((count, 1, 1)) < 0.5, *SPIN) * rng.uniform(-1, 1, (count, 2, 3))
    w[flat] *= CALM
    R = rotation(q)
    spin = np.einsum("nkij,nkj->nki", R, boxes.inertia() * np.einsum("nkji,nkj->nki", R, w))
    return State(position, q, velocity * mass[:, None], spin)


def case(state, boxes, k, found):
    """(a row of pair.CASE for pair k with its Touch, the order of the bodies)"""
    order = [1 - found.face, found.face]
    row = np.zeros((), pair.CASE)
    row["mass"], row["inertia"] = np.asarray(boxes.mass)[order], boxes.inertia()[order]
    both = rates(state[k:k + 1], boxes).reshape(2, 6)
    row["state"] = np.hstack([state.position[k], state.q[k], both])[order]
    row["frame"], row["margin"], row["count"] = found.frame, MARGIN, len(found.gap)
    away = found.points - state.position[k, order[0]]
    row["point"][:len(found.gap)] = np.column_stack([away @ found.frame[0], away @ found.frame[1], found.gap])
    row["height"] = -np.mean(away @ found.frame[2])
    return row, order


@dataclass
class Solves:
    """All contact solves of some throws."""
    throw: np.ndarray   # [n] which throw
    time: np.ndarray    # [n] [s]
    cases: np.ndarray   # [n] of pair.CASE
    rows: np.ndarray    # [n] of pair.ROW

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, rows):
        return Solves(self.throw[rows], self.time[rows], self.cases[rows], self.rows[rows])


@dataclass
class Run:
    solves: Solves
    touched: np.ndarray   # [N] whether the boxes met
    poses: np.ndarray     # [T, N, 2, 7] at the start of each step and at the end
    ends: tuple           # State at the start and at the end


def _add(state, boxes, k, order, change):
    """Gives pair k the change [12] of its rates, a's first."""
    inertia = boxes.inertia()
    for side, body in enumerate(order):
        v, w = change[6 * side:6 * side + 3], change[6 * side + 3:6 * side + 6]
        R = rotation(state.q[k, body])
        state.momentum[k, body] += boxes.mass[body] * v
        state.spin[k, body] += R @ (inertia[body] * (R.T @ w))


def _touches(foot, boxes, state, library):
    """Of each pair a Touch, or None."""
    if library:
        return pair.touches(foot, state.position, state.q, boxes.half(), MARGIN)
    return (touch(x, q, boxes.half(), MARGIN) for x, q in zip(state.position, state.q))


def _solve(foot, boxes, state, rows, time, library):
    """The Solves of those of the pairs `rows` that touch; moves their momenta."""
    near = rows[gaps(state[rows], boxes) < MARGIN]
    found = [(k, contacts) for k, contacts in zip(near, _touches(foot, boxes, state[near], library)) if contacts]
    cases, order = np.zeros(len(found), pair.CASE), []
    for at, (k, contacts) in enumerate(found):
        cases[at], who = case(state, boxes, k, contacts)
        order.append(who)
    rows = pair.solve(foot, cases)
    for (k, _), who, row, was in zip(found, order, rows, cases["state"][:, :, 7:].reshape(-1, 12)):
        if row["status"] >= 0:
            _add(state, boxes, k, who, row["rates"] - was)
    return Solves(np.array([k for k, _ in found], int), np.full(len(found), time), cases, rows)


def _poses(state):
    return np.concatenate([state.position, state.q], axis=2)


def run(foot, boxes, start, seconds, tell=lambda done: None, library=False):
    """The Run of throws by a limb.Foot; `tell` gets the share that is done; library: its contacts, too."""
    state = start[np.arange(len(start.position))]
    live, touched = np.ones(len(state.position), bool), np.zeros(len(state.position), bool)
    parts, poses, steps = [], [_poses(state)], int(round(seconds / H))
    for t in range(steps):
        rows = np.flatnonzero(live)
        if not len(rows):
            break
        parts.append(_solve(foot, boxes, state, rows, t * H, library))
        touched[parts[-1].throw] = True
        state.put(rows, step(state[rows], boxes))
        poses.append(_poses(state))
        live[rows] = ~touched[rows] | (gaps(state[rows], boxes) < APART)
        tell((t + 1) / steps)
    solves = Solves(*(np.concatenate([getattr(p, name) for p in parts]) for name in ("throw", "time", "cases", "rows")))
    return Run(solves, touched, np.array(poses), (start, state))
