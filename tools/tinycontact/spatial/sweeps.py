# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Edges and faces by the law of a point, corner by corner.

Gauss-Seidel: each corner in turn is solved as a single contact, with the impulses of the others held. ROUNDS times the
law is asked for the ratio at every corner that approaches; after each of these asking sweeps, FROZEN sweeps go on with
its last answers, the ratio kept in the corner's own frame, which turns along as the stop impulse turns. A corner that
was never asked takes the ratio of the one asked last. All corners slide or, where the ratio could end their sliding,
stick; the classifier is not needed for that.

It is asked whether the patch sticks. Sweeps come close to that and would never arrive: internal forces fade slowly. So
once they have slowed a patch to STILL of its speed, its stop is tried, all of its degrees of freedom at once: if the
normals need not pull and every corner that carries is called static, the patch is stopped, and the sweeps are over. One
try per solve.

What the sweeps leave is made legal by `finish`: friction as found, the normals from the frictionless LCP for all
corners together. With E the kinetic energy after, E(lambda) for friction scaled by lambda is convex (a minimum over the
normals of a jointly convex function), and without friction E(0) <= E before; so where friction gained energy, scaling
it by (E_before - E(0)) / (E(1) - E(0)) takes the gain away.
"""
from dataclasses import dataclass, fields

import numpy as np

from ..sim.query import DETACH, DYNAMIC, STATIC
from . import decode
from .features import Query
from .patches import MOST

ROUNDS, FROZEN = 3, 4
STILL = 0.1      # of the fastest contact before: slower than that after a sweep, a stop of the patch is tried
STOPPED = 1e-6   # of the velocities before: what a patch that is stopped may move by rounding
REACH = np.array([1.0, 1, 1, 0.1, 0.1, 0.1])   # [m] makes spins comparable with velocities
GAIN = 1e-12     # of the energy before


@dataclass
class Answer:
    """What a patch does; impulses per unit mass."""

    label: np.ndarray      # [N] class of the patch
    force: np.ndarray      # [N, 3]
    torque: np.ndarray     # [N, 3]
    velocity: np.ndarray   # [N, 6] afterwards
    impulse: np.ndarray    # [N, MOST, 3] of corners, as the sweeps left them: where the next tick may start
    asked: np.ndarray      # [N, 2] evaluations of the class net and of the ratio net
    updates: np.ndarray    # [N] corners solved


class _Sweeper:
    def __init__(self, patches, law, start, offset):
        self.patches, self.law = patches, law
        n = len(patches)
        self.present = patches.present()
        self.own = [patches.own(i) for i in range(MOST)]
        self.offset = offset
        self.impulse = np.zeros((n, MOST, 3)) if start is None else np.where(self.present[:, :, None], start, 0.0)
        self.velocity = patches.velocity + sum(patches.turned(i, self.impulse[:, i]) for i in range(MOST))
        self.rho, self.latest = np.zeros((n, MOST, 2)), np.zeros((n, 2))
        self.known = np.zeros((n, MOST), bool)
        self.asked, self.updates = np.zeros((n, 2), int), np.zeros(n, int)

    def sweep(self, live, ask=False):
        """One sweep over the patches of the mask `live`."""
        for i in range(MOST):
            rows = np.flatnonzero(self.present[:, i] & live)
            held = np.einsum("nij,nj->ni", self.own[i][rows], self.impulse[rows, i])
            u = self.patches.at(i, self.velocity)[rows] - held
            u[:, 2] += self.offset[rows, i]
            new, near = np.zeros((len(rows), 3)), u[:, 2] < 0
            if near.any():
                new[near] = self._corner(i, rows[near], Query(self.own[i][rows[near]], u[near]), ask)
            self._add(i, rows, new)

    def _corner(self, i, rows, query, ask):
        if ask:
            rho = self.law(query, False)[1]
            self.rho[rows, i], self.latest[rows], self.known[rows, i] = rho, rho, True
            self.asked[rows, 1] += 1
        rho = np.where(self.known[rows, i, None], self.rho[rows, i], self.latest[rows])
        self.updates[rows] += 1
        return decode.slide(query, query.world(rho))

    def fastest(self, velocity):
        """[N] speed of the fastest contact."""
        speeds = [np.linalg.norm(self.patches.at(i, velocity), axis=1) for i in range(MOST)]
        return np.where(self.present, np.stack(speeds, axis=1), 0).max(axis=1)

    def _add(self, i, rows, new):
        change = np.zeros((len(self.patches), 3))
        change[rows] = new - self.impulse[rows, i]
        self.impulse[rows, i] = new
        self.velocity += self.patches.turned(i, change)


SUPPORTS = sorted(range(1, 1 << MOST), key=lambda bits: (bin(bits).count("1"), bits))


def lcp(M, q, most, tolerance=1e-10):
    """[N, MOST] z >= 0 with w = M z + q >= 0 and z w = 0, of `most` contacts at most: by trying supports, the smallest
    first. Of none that fits to `tolerance` of the largest |q|, the one that fits best."""
    best, left = np.zeros_like(q), np.maximum(0, -q.min(axis=1))
    scale = tolerance * np.abs(q).max(axis=1)
    for bits in SUPPORTS:
        active = [i for i in range(MOST) if bits >> i & 1]
        rows = np.flatnonzero((left > scale) & (active[-1] < most))
        if not len(rows):
            continue
        part = M[rows][:, active][:, :, active]
        z = np.zeros((len(rows), MOST))
        z[:, active] = -np.einsum("nij,nj->ni", np.linalg.pinv(part, 1e-12, hermitian=True), q[rows][:, active])
        w = np.einsum("nij,nj->ni", M[rows], z) + q[rows]
        wrong = np.maximum(np.maximum(-z.min(axis=1), -w.min(axis=1)), np.abs(w[:, active]).max(axis=1))
        better = wrong < left[rows]
        best[rows[better]], left[rows[better]] = np.maximum(z[better], 0), wrong[better]
    return best


def _normals(patches, velocity, offset):
    """[N, MOST] normal impulses >= 0 after which no corner approaches, complementary."""
    arm, there = patches.arm, patches.present()
    lever = np.cross(arm, [0.0, 0, 1])
    M = 1 + np.einsum("nai,nij,nbj->nab", lever, patches.mobility, lever)
    q = velocity[:, None, 2] + np.einsum("nai,ni->na", lever, velocity[:, 3:]) + offset
    M = np.where(there[:, :, None] & there[:, None, :], M, 0.0)
    return lcp(M, np.where(there, q, 0.0), patches.count)


def energy(patches, velocity):
    """[N] kinetic energy per unit mass."""
    spin = velocity[:, 3:]
    turned = np.linalg.solve(patches.mobility, spin[:, :, None])[:, :, 0]
    return 0.5 * ((velocity[:, :3]**2).sum(axis=1) + (spin * turned).sum(axis=1))


def _stop(patches):
    """[N, 6] the velocities of edges and faces that are stopped."""
    out = np.zeros((len(patches), 6))
    rows = np.flatnonzero(patches.count == 2)
    if not len(rows):
        return out
    some = patches[rows]
    first, line = some.arm[:, 0], some.arm[:, 1] - some.arm[:, 0]
    line = line / np.linalg.norm(line, axis=1, keepdims=True)
    off = -first + line * (line * first).sum(axis=1, keepdims=True)   # of the centre of mass from the line
    inertia = np.linalg.inv(some.mobility)
    spin = np.einsum("nij,nj->ni", inertia, some.velocity[:, 3:]) + np.cross(off, some.velocity[:, :3])
    about = np.einsum("ni,nij,nj->n", line, inertia, line) + (off**2).sum(axis=1)
    turn = line * ((line * spin).sum(axis=1) / about)[:, None]
    out[rows] = np.hstack([-np.cross(turn, first), turn])
    return out


def _friction_part(patches, change):
    """[N, 6] the velocity change by the tangential forces and the torque about the normal in a wrench that changes
    velocities by `change`; forces act on the floor, below the centre of mass by the arms' height."""
    inertia = np.linalg.inv(patches.mobility)
    torque = np.einsum("nij,nj->ni", inertia, change[:, 3:])
    force = change[:, :3] * [1.0, 1, 0]
    down = patches.arm[:, 0] * [0.0, 0, 1]
    turning = np.cross(down, force)
    turning[:, 2] = torque[:, 2]
    return np.hstack([force, np.einsum("nij,nj->ni", patches.mobility, turning)])


def carried(patches, friction, offset):
    """(velocities [N, 6] after a change by friction and by the normals that go with it, those normals [N, MOST])"""
    velocity = patches.velocity + friction
    normal = _normals(patches, velocity, offset)
    for i in range(MOST):
        velocity = velocity + patches.turned(i, normal[:, i, None] * [0.0, 0, 1])
    return velocity, normal


def _spread(patches, change, normal):
    """[N, MOST, 3] impulses at the corners that make up a stop: normals as given, friction in proportion to them,
    and turning about their centre."""
    inertia = np.linalg.inv(patches.mobility)
    torque = np.einsum("nij,nj->ni", inertia, change[:, 3:])
    total = normal.sum(axis=1)
    share = normal / np.where(total > 0, total, 1.0)[:, None]
    arm = patches.arm[:, :, :2]
    middle = (share[:, :, None] * arm).sum(axis=1)
    twist = torque[:, 2] - (middle[:, 0] * change[:, 1] - middle[:, 1] * change[:, 0])
    off = arm - middle[:, None]
    spread = (share * (off**2).sum(axis=2)).sum(axis=1)
    rate = twist / np.where(spread > 0, spread, 1.0)
    across = np.stack([-off[:, :, 1], off[:, :, 0]], axis=2) * rate[:, None, None]
    tangential = share[:, :, None] * (change[:, None, :2] + across)
    return np.concatenate([tangential, normal[:, :, None]], axis=2)


def try_stop(patches, law, offset):
    """(whether each patch sticks [N], velocity after [N, 6], impulses of corners, evaluations of the class net [N]):
    it sticks if its normals need not pull, and the law calls every corner that carries static, the others' impulses
    held."""
    wanted = _stop(patches)
    part = _friction_part(patches, wanted - patches.velocity)
    after, normal = carried(patches, part, offset)
    size = np.abs(patches.velocity) * REACH
    sticks = (np.abs(after - wanted) * REACH).max(axis=1) <= STOPPED * size.max(axis=1)
    impulse = _spread(patches, after - patches.velocity, normal)
    asked = np.zeros(len(patches), int)
    for i in range(MOST):
        rows = np.flatnonzero(sticks & (normal[:, i] > 0))
        if len(rows):
            W = patches.own(i)[rows]
            query = Query(W, -np.einsum("nij,nj->ni", W, impulse[rows, i]))
            sticks[rows] = law(query, True)[0] == STATIC
            asked[rows] += 1
    return sticks, after, impulse, asked


def finish(patches, impulse, offset):
    """Velocities [N, 6] after swept impulses made legal."""
    flat = impulse * [1.0, 1, 0]
    friction = sum(patches.turned(i, flat[:, i]) for i in range(MOST))
    after, _ = carried(patches, friction, offset)
    before, gained = energy(patches, patches.velocity), energy(patches, after)
    rows = np.flatnonzero((gained - before > GAIN * before) & ~offset.any(axis=1))
    if len(rows):
        some = patches[rows]
        least = energy(some, carried(some, 0 * friction[rows], offset[rows])[0])
        share = (before[rows] - least) / (gained[rows] - least)
        after[rows], _ = carried(some, friction[rows] * share[:, None], offset[rows])
    return after


def _try(swept, law, slow, stopped):
    """Tries to stop the patches `slow` [rows]; returns which of them stick."""
    sticks, stopped[slow], shared, asked = try_stop(swept.patches[slow], law, swept.offset[slow])
    swept.asked[slow, 0] += asked
    swept.impulse[slow[sticks]] = shared[sticks]
    return slow[sticks]


def _point(patches, law, offset):
    """The Answer for single contacts: class and ratio of the law as they are."""
    u = patches.at(0, patches.velocity)
    u[:, 2] += offset[:, 0]
    query = Query(patches.own(0), u)
    said, rho = law(query, True)
    label = decode.legal(query, said)
    impulse = np.zeros((len(patches), MOST, 3))
    impulse[:, 0] = decode.impulse(query, label, query.world(rho))
    change = patches.turned(0, impulse[:, 0])
    asked = np.stack([np.ones(len(patches), int), (label == DYNAMIC).astype(int)], axis=1)
    return Answer(label, impulse[:, 0], np.cross(patches.arm[:, 0], impulse[:, 0]), patches.velocity + change, impulse,
                  asked, np.ones(len(patches), int))


def solve(patches, law, rounds=ROUNDS, frozen=FROZEN, start=None, offset=None, first=None):
    """The Answer of a law for points: callable (query, whether classes are wanted) -> (classes or None, rho).

    start [N, MOST, 3]: impulses to start from; first [N]: patches whose stop is tried before all sweeps; offset
    [N, MOST]: added to the contacts' normal velocities.
    """
    n = len(patches)
    offset = np.zeros((n, MOST)) if offset is None else offset
    first = np.zeros(n, bool) if first is None else np.array(first)
    points, rest = np.flatnonzero(patches.count == 1), np.flatnonzero(patches.count > 1)
    parts = [_point(patches[points], law, offset[points])] if len(points) else []
    if len(rest):
        start = None if start is None else start[rest]
        parts.append(_swept(patches[rest], law, rounds, frozen, start, offset[rest], first[rest]))
    order = np.argsort(np.concatenate([points, rest]))
    return Answer(*(np.concatenate([getattr(part, f.name) for part in parts])[order] for f in fields(Answer)))


def _swept(patches, law, rounds, frozen, start, offset, first):
    """The Answer for edges and faces."""
    swept = _Sweeper(patches, law, start, offset)
    before, tried = swept.fastest(patches.velocity), first.copy()
    sticks, stopped = np.zeros(len(patches), bool), np.zeros((len(patches), 6))
    if tried.any():
        sticks[_try(swept, law, np.flatnonzero(tried), stopped)] = True
    for r in range(rounds):
        for k in range(1 + frozen):
            swept.sweep(~sticks, ask=k == 0)
        carries = swept.impulse[:, :, 2].max(axis=1) > 0
        slow = ~tried & carries & (swept.fastest(swept.velocity) < STILL * before)
        tried |= slow
        if slow.any():
            sticks[_try(swept, law, np.flatnonzero(slow), stopped)] = True
    velocity = finish(patches, swept.impulse, swept.offset)
    velocity[sticks] = stopped[sticks]
    label = np.where(sticks, STATIC, np.where(swept.impulse[:, :, 2].max(axis=1) > 0, DYNAMIC, DETACH))
    change = velocity - patches.velocity
    torque = np.linalg.solve(patches.mobility, change[:, 3:, None])[:, :, 0]
    return Answer(label, change[:, :3], torque, velocity, swept.impulse, swept.asked, swept.updates)
