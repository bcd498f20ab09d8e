# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""How good contact solves of two boxes are (collide.py), one by one.

Each is judged against exact Coulomb friction at the same contacts in float64, and some of each kind against DART with
the same contacts (sim/pair_truth.py). The class of a patch is that of its motion: static if all of its contacts rest,
detach if none presses, else dynamic. An impulse's error is the size of the wrong change of velocities, in the metric of
the pair's kinetic energy, relative to the right one.
"""
from dataclasses import dataclass, fields

import numpy as np

from ..sim import pair_truth as truth
from ..sim.query import DETACH
from ..sim.spatial_truth import rotation
from .boxes import MOST
from .collide import rates

MU = 0.6
KINDS = ("point", "edge", "face")
FAILED, RANGE = 0, 8   # statuses below it; bit of tc_learned_flags


def pairs_of(solves):
    """The truth.Pairs of the solves: the contacts that the library kept."""
    cases, rows = solves.cases, solves.rows
    vertex = np.minimum(rows["vertex"], MOST - 1).astype(int)
    point = np.take_along_axis(cases["point"], vertex[:, :, None], axis=1)
    depth = np.broadcast_to(-cases["height"][:, None], point.shape[:2])
    flat = np.stack([point[:, :, 0], point[:, :, 1], depth], axis=2)
    from_a = np.einsum("nki,nij->nkj", flat, cases["frame"])
    between = cases["state"][:, 0, :3] - cases["state"][:, 1, :3]
    arm = np.stack([from_a, from_a + between[:, None]], axis=1)
    R = rotation(cases["state"][:, :, 3:7])
    inertia = np.einsum("nkij,nkj,nklj->nkil", R, cases["inertia"], R)
    before = cases["state"][:, :, 7:].reshape(-1, 12)
    return truth.Pairs(cases["mass"], inertia, arm, cases["frame"], before, rows["count"])


def _moments(pairs, position, change):
    """(sums of the changes of momentum and of angular momentum about the origin [N, 6], sizes of their terms [N, 2])"""
    total, size = 0.0, 0.0
    for k in range(2):
        p = pairs.mass[:, k, None] * change[:, 6 * k:6 * k + 3]
        orbit = np.cross(position[:, k], p)
        own = np.einsum("nij,nj->ni", pairs.inertia[:, k], change[:, 6 * k + 3:6 * k + 6])
        total = total + np.hstack([p, orbit + own])
        size = size + np.stack([np.abs(p).sum(axis=1), np.abs(orbit).sum(axis=1) + np.abs(own).sum(axis=1)], axis=1)
    return total, size


def _norm(pairs, change):
    return np.sqrt(2 * pairs.energy(change))


def _lost(pairs, position, solved):
    """Shares of momentum and of angular momentum that the solve lost, of the sizes of all terms."""
    lost, _ = _moments(pairs, position, solved - pairs.rates)
    size = sum(_moments(pairs, position, r)[1] for r in (pairs.rates, solved))
    return np.abs(lost[:, :3]).max(axis=1) / size[:, 0], np.abs(lost[:, 3:]).max(axis=1) / size[:, 1]


@dataclass
class Verdict:
    """Solve by solve; a solve that failed has no row."""
    kind: np.ndarray       # [n] number of contacts - 1, at most 2
    label: np.ndarray      # [n] the true class
    same: np.ndarray       # [n] whether the library's class is that
    error: np.ndarray      # [n] of the impulse
    momentum: np.ndarray   # [n] share of the momentum that was lost
    angular: np.ndarray    # [n] the same of the angular momentum about the world's origin
    gain: np.ndarray       # [n] of kinetic energy, relative
    range: np.ndarray      # [n] whether the contact model was asked outside its training range

    def __len__(self):
        return len(self.kind)

    def __getitem__(self, rows):
        return Verdict(*(getattr(self, f.name)[rows] for f in fields(self)))


def _error(pairs, found, right):
    """[n] of the rates found."""
    scale = _norm(pairs, right - pairs.rates)
    return np.where(scale > 0, _norm(pairs, found - right) / np.where(scale > 0, scale, 1.0), 0.0)


def judge(solves, mu=MU):
    """The Verdict."""
    solves = solves[solves.rows["status"] >= FAILED]
    pairs, found = pairs_of(solves), solves.rows["rates"]
    right = truth.coulomb(pairs, mu)
    before, after = pairs.energy(pairs.rates), pairs.energy(found)
    return Verdict(np.minimum(solves.rows["count"], 3).astype(int) - 1, right.label,
                   solves.rows["branch"] == right.label, _error(pairs, found, right.rates),
                   *_lost(pairs, solves.cases["state"][:, :, :3], found), (after - before) / before,
                   (solves.rows["flags"] & RANGE) > 0)


def dart_errors(solves, mu=MU, tell=lambda done: None):
    """[n] errors of the impulses against DART with the solves' contacts."""
    pairs, right = pairs_of(solves), np.zeros((len(solves), 12))
    for k, row in enumerate(solves.cases):
        points = pairs.arm[k, 0, :pairs.count[k]] + row["state"][0, :3]
        right[k] = truth.dart_rates(row["mass"], row["inertia"], row["state"], row["frame"], points, mu)
        tell((k + 1) / len(solves))
    return _error(pairs, solves.rows["rates"], right)


def pressing(solves, verdict, kind, most):
    """Indices of up to `most` solves with a true impulse."""
    solved = np.flatnonzero(solves.rows["status"] >= FAILED)
    return solved[(verdict.kind == kind) & (verdict.label != DETACH)][:most]


def summary(verdict):
    """Numbers of a Verdict, ready for JSON. Errors are those of solves with a true impulse; None if there is none."""
    press = verdict[verdict.label != DETACH]

    def at(share):
        return float(np.quantile(press.error, share)) if len(press) else None

    def most(values):
        return float(values.max()) if len(values) else None
    return {"solves": len(verdict), "pressing": len(press),
            "same_class": float(verdict.same.mean()) if len(verdict) else None,
            "same_class_pressing": float(press.same.mean()) if len(press) else None,
            "impulse_median": at(0.5), "impulse_p95": at(0.95), "impulse_most": at(1.0),
            "momentum": most(verdict.momentum), "angular_momentum": most(verdict.angular),
            "energy_gain": most(verdict.gain), "outside_range": int(verdict.range.sum())}


def kept(run, boxes):
    """What whole throws that met have lost of momentum and angular momentum about the origin at most, relative to the
    sizes of the terms, and gained of energy."""
    first, last = (state[run.touched] for state in run.ends)

    def of(state):
        orbit = np.cross(state.position, state.momentum)
        r = rates(state, boxes).reshape(-1, 2, 6)
        energy = 0.5 * (state.momentum * r[:, :, :3] + state.spin * r[:, :, 3:]).sum(axis=(1, 2))
        whole, size = orbit + state.spin, np.abs(orbit) + np.abs(state.spin)
        return (state.momentum, np.abs(state.momentum)), (whole, size), energy

    (p, p_size), (L, L_size), before = of(first)
    (p_end, _), (L_end, L_end_size), after = of(last)
    lost = [np.abs((b - a).sum(axis=1)).max(axis=1) / size.sum(axis=(1, 2))
            for a, b, size in ((p, p_end, p_size), (L, L_end, np.maximum(L_size, L_end_size)))]
    return {"momentum": float(lost[0].max()), "angular_momentum": float(lost[1].max()),
            "energy_gain": float((after / before - 1).max())}
