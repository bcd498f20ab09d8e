# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""What a body does where it touches, told from its tosses: friction, restitution, the spring and damper of a contact,
and the rounding of its corners."""
import numpy as np

from . import flight, rotation
from .centre import FLOOR_DOUBT, LEAST
from .robust import soft

SLIDES_ON = 0.3           # [m/s] slip behind an impact from which friction has not ended it
OPPOSED = 0.95            # cosine between friction and slip
SPRING_TIME = 0.012       # [s] since touch over which depths tell the spring
SUNK = 2e-4               # [m]: a corner so deep is pushed


# ---- Friction, restitution, spring

def struck_by(body, impacts):
    """Per impact: (friction over normal impulse, slip behind, cosine of friction against it, rebound,
    closing speed). The patch's velocities before and behind are brought to the impulse's centroid."""
    rows = []
    for one in impacts:
        v = one.velocity + one.arm_rate @ body.centre
        lever = one.hit_turn @ (body.vertices[list(one.patch)].mean(axis=0) - body.centre)
        spin = np.einsum("aij,aj->ai", one.turn, one.omega)
        point = v + rotation.cross(spin, lever) - np.array([0.0, 0.0, body.gravity * one.hit_time])
        p = v[1] - v[0]
        slip, across = np.linalg.norm(point[1, :2]), np.linalg.norm(p[:2])
        against = -(p[:2] @ point[1, :2]) / max(slip * across, 1e-12)
        rows.append((across / max(p[2], 1e-9), slip, against, point[1, 2], -point[0, 2]))
    return np.array(rows).reshape(-1, 5)


def ratios_of(struck):
    """Friction over normal impulse where the patch slides on."""
    keep = (struck[:, 1] > SLIDES_ON) & (struck[:, 2] > OPPOSED) if len(struck) else []
    return struck[keep, 0] if len(struck) else np.zeros(0)


def rebounds_of(struck):
    """-u+/u- of the normal speed where it was fast."""
    keep = struck[:, 4] > SLIDES_ON if len(struck) else []
    return np.clip(struck[keep, 3] / struck[keep, 4], 0, 1) if len(struck) else np.zeros(0)


def _depths(body, impacts, mu):
    """(time since touch, depth, closing speed, mass at the corner over the body's) of the rows in which
    corners sink."""
    inverse, rows = np.linalg.inv(body.inertia_matrix / body.mass), []
    for one in impacts:
        corner = body.vertices[one.patch[0]]
        lever = one.hit_turn @ (corner - body.centre)
        slip = one.velocity[0] + one.turn[0] @ rotation.cross(one.omega[0], corner)
        way = np.array([0.0, 0.0, 1.0])
        way[:2] = -mu * slip[:2] / max(np.linalg.norm(slip[:2]), 1e-6)
        spun = one.hit_turn @ inverse @ one.hit_turn.T @ rotation.cross(lever, way)
        mass = 1 / max((way + rotation.cross(spun, lever))[2], 1e-3)
        closing = -slip[2] + body.gravity * max(one.touch_time, 0.0)
        time, depth = one.depth
        keep = (time > 0) & (time < SPRING_TIME)
        rows += [(t, d, closing, mass) for t, d in zip(time[keep], depth[keep])]
    return np.array(rows).reshape(-1, 4)


def spring_of(body, impacts, mu):
    """(stiffness, damping, root mean square of the rest [m]): u/w exp(-z t) sin(w t) met by the depths, then free."""
    rows = _depths(body, impacts, mu)
    if np.sum(rows[:, 1] > SUNK) < 2 * LEAST:
        return None
    t, depth, closing, mass = rows.T
    mass = mass * body.mass

    def miss(logs):
        k, c = np.exp(logs)
        own, damp = np.sqrt(k / mass), c / (2 * mass)
        damp = np.minimum(damp, 0.95 * own)
        w = np.sqrt(own ** 2 - damp ** 2)
        sunk = closing / w * np.exp(-damp * t) * np.sin(np.minimum(w * t, np.pi))
        speed = closing * np.exp(-damp * np.pi / w)
        return sunk - np.maximum(w * t - np.pi, 0) / w * speed - depth
    best, state = np.inf, None
    for k in np.exp(np.linspace(np.log(3e3), np.log(1e6), 25)) * body.mass:
        for c in np.exp(np.linspace(np.log(5), np.log(1e3), 12)) * body.mass:
            loss = np.sum(np.sqrt(1 + (miss(np.log([k, c])) / 5e-4) ** 2))
            if loss < best:
                best, state = loss, np.log([k, c])
    for _ in range(20):
        rest = miss(state)
        slope = np.stack([(miss(state + step) - rest) / 1e-4 for step in 1e-4 * np.eye(2)], axis=1)
        weight = np.sqrt(soft(rest, 5e-4))
        change = np.linalg.lstsq(slope * weight[:, None], -rest * weight, rcond=None)[0]
        state = state + np.clip(change, -0.3, 0.3)
    return (*np.exp(state), float(np.sqrt(np.mean(np.minimum(np.abs(miss(state)), 5e-3) ** 2))))


# ---- Rounded corners: how much lower than its sharp shape a body lies on edges and corners

def lowering_of(log, body, ends):
    """(times the rounding [rows], lowering [m] [rows]) while the body rocks on an edge or a corner and
    weighs about what it does at rest: between right angles an edge lies lower by .41 of the rounding, a
    corner by .73."""
    share, low = [], []
    half = body.half_width
    for toss, end in zip(log.tosses, ends):
        turn = rotation.matrix(toss.orientation)
        height = flight.heights(toss.position, toss.orientation, body.vertices, body.floor)
        h = float(np.median(np.diff(toss.t)))
        centre = toss.position[:, 2] + turn[:, 2] @ body.centre
        rise = np.full(len(toss), np.inf)
        rise[2:-2] = (centre[4:] - 2 * centre[2:-2] + centre[:-4]) / (4 * h * h)
        order = np.sort(height, axis=1)
        count = (order < order[:, :1] + 0.06 * half).sum(axis=1)
        alone = order[np.arange(len(toss)), np.minimum(count, order.shape[1] - 1)] > order[:, 0] + 0.2 * half
        rows = (np.abs(rise) < 0.4 * body.gravity) & alone & (count <= 2) & (np.arange(len(toss)) > end + 3)
        rows &= np.abs(order[:, 0]) < 0.06 * half
        share += np.where(count[rows] == 1, np.sqrt(3) - 1, np.sqrt(2) - 1).tolist()
        low += (-order[rows, 0]).tolist()
    return np.array(share), np.array(low)


def rounding_of(log, body, ends):
    """Radius [m] of edges and corners, or None: too few rows, or none to be seen."""
    share, low = lowering_of(log, body, ends)
    if len(low) < 10 * LEAST:
        return None
    found = float(np.median(low / share))
    return found if found > 3 * FLOOR_DOUBT / np.sqrt(2) / 2 else None


def inward(solid, vertices, radius):
    """[n, 3]: centres of the spheres that round the corners."""
    found = vertices.copy()
    for k in range(len(vertices)):
        normals = np.array([n for n, loop in zip(solid.normals, solid.faces) if k in loop])
        if len(normals) > 2:
            found[k] -= np.linalg.lstsq(normals, np.full(len(normals), radius), rcond=None)[0]
    return found
