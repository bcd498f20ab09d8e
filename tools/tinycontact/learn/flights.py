# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""What a planar log's flights and rests say, by robust linear least squares: gravity as the log sees it, the centre of
mass in the body's frame, the floor's height and tilt.

In flight the centre of mass moves on a parabola, and a tracked origin at o from it on

    x(t) = x0 + v0 t + g t^2 / 2 + R(theta) o,    theta = theta0 + omega t

x0 and v0 of each flight are projected out; what is left is linear in g and o. Weights are Huber's. Deviations are
those of a jackknife over flights (or throws), so errors that flights share among their rows do not shrink them.
"""
from dataclasses import dataclass

import numpy as np

from ..sim import shapes

CLEAR = 0.04        # of the reach: height of the lowest point from where on a row is in flight
WAY = 1.2           # times the way of a row that a touch between rows may hide
LEAST = 8           # rows of a flight
LONGEST = 0.25      # [s] of a flight that one parabola is put through
HUBER = 1.345       # deviations
ROUNDS = 10         # of reweighting
GROUPS = 10         # of the jackknife, at most
REST_ROWS = 10      # at the end of a throw
STILL = 4.0         # deviations of noise that a rest's mean may move from half to half


@dataclass
class Flight:
    """Rows of a throw without contact, the last of them followed by a contact or by the log's end."""
    throw: int
    first: int
    last: int            # included
    lands: bool          # a contact follows


def robust(rows, wanted):
    """(solution, weights) of least squares with Huber's weights."""
    weight = np.ones(len(wanted))
    for _ in range(ROUNDS):
        found = np.linalg.lstsq(rows * weight[:, None], wanted * weight, rcond=None)[0]
        miss = np.abs(wanted - rows @ found)
        scale = max(np.median(miss) / 0.6745, 1e-12)
        weight = np.sqrt(np.minimum(1.0, HUBER * scale / np.maximum(miss, 1e-15)))
    return found, weight


def jackknife(solve, members):
    """(solution, deviations) of solve(members) by leaving out one of at most GROUPS groups at a time."""
    whole = solve(members)
    groups = [members[k::GROUPS] for k in range(min(GROUPS, len(members)))]
    if len(groups) < 2:
        return whole, np.full(len(whole), np.inf)
    parts = np.array([solve([one for other in groups if other is not group for one in other]) for group in groups])
    count = len(groups)
    return whole, np.sqrt((count - 1) / count * ((parts - parts.mean(axis=0))**2).sum(axis=0))


def clearance(body, poses):
    """[T] height of the lowest point less the way it goes from row to row: between rows that are higher than this it
    cannot have touched."""
    gap = shapes.gaps(body, poses[:, 1], poses[:, 2]).min(axis=1)
    way = np.abs(np.diff(gap))
    return gap - WAY * np.maximum(np.concatenate([[0.0], way]), np.concatenate([way, [0.0]]))


def flights(body, seen):
    """[Flight] of poses [[T, 3 or more], ...]."""
    found = []
    for throw, poses in enumerate(seen):
        high = clearance(body, poses) > CLEAR * body.reach
        edges = np.flatnonzero(np.diff(np.concatenate([[0], high.astype(int), [0]])))
        for first, end in zip(edges[::2], edges[1::2]):
            if end - first >= LEAST:
                found.append(Flight(throw, int(first), int(end) - 1, end < len(poses)))
    return found


def pieces(body, seen, some):
    """[poses [n, 3], ...] of flights, long ones cut."""
    most = max(LEAST, int(LONGEST / body.h))
    found = []
    for one in some:
        rows = seen[one.throw][one.first:one.last + 1, :3]
        parts = max(1, -(-len(rows) // most))
        found += [part for part in np.array_split(rows, parts) if len(part) >= LEAST]
    return found


def _projected(step, poses):
    """(rows [2 n, 4] for (g_x, g_y, o_x, o_y), wanted [2 n]) of a flight, x0 and v0 taken out."""
    t = step * (np.arange(len(poses)) - (len(poses) - 1) / 2)
    line = np.column_stack([np.ones(len(t)), t])
    theta = line @ np.linalg.lstsq(line, poses[:, 2], rcond=None)[0]
    c, s, none, half = np.cos(theta), np.sin(theta), np.zeros(len(t)), t * t / 2

    def rest(columns):
        return columns - line @ np.linalg.lstsq(line, columns, rcond=None)[0]
    return (np.vstack([rest(np.column_stack([half, none, c, -s])), rest(np.column_stack([none, half, s, c]))]),
            np.concatenate([rest(poses[:, 0]), rest(poses[:, 1])]))


def fall(body, parts):
    """((g_x, g_y, o_x, o_y), deviations): gravity's acceleration in the log's axes, the origin from the centre of
    mass in the body's."""
    made = [_projected(body.h, poses) for poses in parts]

    def solve(some):
        return robust(np.vstack([rows for rows, _ in some]), np.concatenate([wanted for _, wanted in some]))[0]
    return jackknife(solve, made)


def floor(body, seen, noise):
    """((height at x = 0 [m], tilt [rad]), deviations) from throws that end at rest on two corners; None if fewer than
    three do."""
    points = []
    for poses in seen:
        last = poses[-REST_ROWS:, :3]
        moved = np.abs(last[::2].mean(axis=0)[:2] - poses[-2 * REST_ROWS:-REST_ROWS, :2].mean(axis=0))
        if len(poses) < 2 * REST_ROWS or moved.max() > STILL * noise[:2].max():
            continue
        x, y, theta = np.median(last, axis=0)
        corners = shapes.turned(body, theta)
        lowest = np.argsort(corners[:, 1])[:2]
        points.append((x + corners[lowest, 0].mean(), y + corners[lowest, 1].mean() - body.radius))
    if len(points) < 3:
        return None

    def solve(some):
        at = np.array(some)
        found = robust(np.column_stack([np.ones(len(at)), at[:, 0]]), at[:, 1])[0]
        return np.array([found[0], np.arctan(found[1])])
    return jackknife(solve, points)


def state(step, poses, pull, level):
    """State (pose, velocity) [6] at the last of a flight's poses of the centre of mass: the line through them less
    gravity's part. pull: (a_x, a_y). level: a step's own velocity is the difference of poses, gravity's h g / 2 above
    the rate at its end."""
    t = step * (np.arange(len(poses)) - (len(poses) - 1))
    line = np.column_stack([np.ones(len(t)), t])
    free = poses[:, :3].copy()
    free[:, :2] -= 0.5 * t[:, None]**2 * np.asarray(pull)
    at, rate = np.linalg.lstsq(line, free, rcond=None)[0]
    rate[:2] -= level * 0.5 * step * np.asarray(pull)
    return np.concatenate([at, rate])
