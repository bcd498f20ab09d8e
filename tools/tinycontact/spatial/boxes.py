# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Two boxes: how far apart they are, and the contacts of those that touch, in float64.

Separating axes: the six face normals and the nine cross products of edges. The axis of the largest separation is the
normal of the contact; faces win over edges within TIE. On a face's axis the other box's nearest face is clipped by the
sides of that face, and the contacts are the corners of what is left. On an edge's axis the contact is the middle of the
two edges' closest points.
"""
from dataclasses import dataclass

import numpy as np

from ..sim.spatial_truth import rotation

TIE = 1e-7        # [m]
PARALLEL = 1e-6   # length of the cross product of two edges' directions, below which it is no axis
MOST = 8          # contacts of a pair


@dataclass
class Touch:
    """Contacts of one pair. The plane is that of body `face` (0 or 1); the normal points out of it, into the other."""
    face: int
    frame: np.ndarray    # [3, 3] rows: tangents 1 and 2, normal, world axes
    points: np.ndarray   # [n, 3] on the plane, world axes [m]
    gap: np.ndarray      # [n] [m]


def _axes(Ra, Rb):
    """([N, 15, 3] unit axes, [N, 15] whether each is one)"""
    cross = np.cross(Ra.transpose(0, 2, 1)[:, :, None], Rb.transpose(0, 2, 1)[:, None]).reshape(-1, 9, 3)
    length = np.linalg.norm(cross, axis=2)
    there = length > PARALLEL
    cross = cross / np.where(there, length, 1.0)[:, :, None]
    axes = np.concatenate([Ra.transpose(0, 2, 1), Rb.transpose(0, 2, 1), cross], axis=1)
    return axes, np.concatenate([np.ones((len(Ra), 6), bool), there], axis=1)


def separations(position, q, half):
    """([N, 15] separation along each axis [m], axes [N, 15, 3] from b to a): position [N, 2, 3], q [N, 2, 4],
    half [2, 3]."""
    Ra, Rb = rotation(q[:, 0]), rotation(q[:, 1])
    axes, there = _axes(Ra, Rb)
    apart = np.einsum("nki,ni->nk", axes, position[:, 0] - position[:, 1])
    axes = axes * np.where(apart < 0, -1.0, 1.0)[:, :, None]
    reach = sum(np.abs(np.einsum("nki,nij->nkj", axes, R)) @ h for R, h in ((Ra, half[0]), (Rb, half[1])))
    return np.where(there, np.abs(apart) - reach, -np.inf), axes


def distance(position, q, half):
    """[N] the largest separation [m]: above 0 only if the boxes are apart, below 0 minus the depth."""
    return separations(position, q, half)[0].max(axis=1)


def frame_of(normal):
    """Rows tangent 1, tangent 2, normal; right-handed."""
    least = np.eye(3)[np.argmin(np.abs(normal))]
    first = np.cross(least, normal)
    first /= np.linalg.norm(first)
    return np.array([first, np.cross(normal, first), normal])


def _clip(polygon, direction, limit):
    """What is left of a polygon [n, 3] where direction . x <= limit."""
    kept = []
    level = polygon @ direction - limit
    for k, (here, at) in enumerate(zip(polygon, level)):
        before, was = polygon[k - 1], level[k - 1]
        if (at > 0) != (was > 0):
            kept.append(before + (here - before) * (was / (was - at)))
        if at <= 0:
            kept.append(here)
    return np.array(kept).reshape(-1, 3)


def _incident(x, R, half, normal):
    """[4, 3] corners of the face that looks against the normal."""
    along = R.T @ normal
    k = int(np.argmax(np.abs(along)))
    i, j = (k + 1) % 3, (k + 2) % 3
    middle = x - np.sign(along[k]) * half[k] * R[:, k]
    side, up = half[i] * R[:, i], half[j] * R[:, j]
    return np.array([middle + a * side + b * up for a, b in ((1, 1), (-1, 1), (-1, -1), (1, -1))])


def _face_contacts(x, R, half, face, axis, normal):
    """(points [n, 3] on the plane, gaps [n]) of the face `axis` of body `face`; normal out of it."""
    other = 1 - face
    polygon = _incident(x[other], R[other], half[other], normal)
    for k in range(3):
        if k != axis:
            for sign in (1, -1):
                direction = sign * R[face][:, k]
                polygon = _clip(polygon, direction, direction @ x[face] + half[face][k])
    gap = (polygon - x[face]) @ normal - half[face][axis]
    return polygon - gap[:, None] * normal, gap


def _edge_contact(x, R, half, i, j, normal, gap):
    """The contact of a's edges along axis i with b's along axis j; normal from b to a."""
    ends = []
    for side, k, sign in ((0, i, -1), (1, j, 1)):
        local = np.sign(R[side].T @ normal) * sign * half[side]
        local[k] = 0
        ends.append(x[side] + R[side] @ local)
    u, v, between = R[0][:, i], R[1][:, j], ends[0] - ends[1]
    c = u @ v
    s, t = np.linalg.solve([[1, -c], [c, -1]], [-u @ between, -v @ between])
    on_b = ends[1] + t * v
    return on_b[None], np.array([gap])


def touch(position, q, half, margin):
    """The Touch of one pair, position [2, 3], q [2, 4], half [2, 3]; None if no gap is below the margin [m]."""
    apart, axes = (a[0] for a in separations(position[None], q[None], half))
    face = int(np.argmax(apart[:6]))
    edge = 6 + int(np.argmax(apart[6:]))
    R = rotation(q)
    if apart[edge] > apart[face] + TIE:
        normal, side = axes[edge], 1
        points, gap = _edge_contact(position, R, half, (edge - 6) // 3, (edge - 6) % 3, normal, apart[edge])
    else:
        side = face // 3
        normal = axes[face] if side == 1 else -axes[face]
        points, gap = _face_contacts(position, R, half, side, face % 3, normal)
    near = np.flatnonzero(gap < margin)
    if not len(near):
        return None
    near = near[np.argsort(gap[near], kind="stable")][:MOST]
    return Touch(side, frame_of(normal), points[near], gap[near])
