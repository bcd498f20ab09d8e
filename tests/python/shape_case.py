# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Meshes whose shape is known, and a distance to triangles that shares nothing with the package's."""
from itertools import product

import numpy as np


def box(half=(0.5, 0.5, 0.5), n=1, centre=(0, 0, 0)):
    """(vertices, triangles) of a box, each side of n x n squares; corners are repeated."""
    vertices, triangles = [], []
    for axis, sign in product(range(3), (-1, 1)):
        u, v = (axis + 1) % 3, (axis + 2) % 3
        if sign < 0:
            u, v = v, u
        first = len(vertices)
        for i, j in product(range(n + 1), repeat=2):
            point = np.zeros(3)
            point[axis], point[u], point[v] = sign, 2 * i / n - 1, 2 * j / n - 1
            vertices.append(point * half + centre)
        for i, j in product(range(n), repeat=2):
            a = first + i * (n + 1) + j
            b, c, d = a + n + 1, a + n + 2, a + 1
            triangles += [(a, b, c), (a, c, d)]
    return np.array(vertices), np.array(triangles)


def round_grid(point, n, m):
    """(vertices, triangles) of a surface point(u, v) that closes along both angles."""
    u, v = np.meshgrid(2 * np.pi * np.arange(n) / n, 2 * np.pi * np.arange(m) / m, indexing="ij")
    vertices = np.stack(point(u.ravel(), v.ravel()), axis=1)
    i, j = (a.ravel() for a in np.meshgrid(np.arange(n), np.arange(m), indexing="ij"))
    a, b = i * m + j, (i + 1) % n * m + j
    c, d = (i + 1) % n * m + (j + 1) % m, i * m + (j + 1) % m
    return vertices, np.concatenate([np.stack([a, b, c], 1), np.stack([a, c, d], 1)])


def torus(big=0.4, small=0.15, n=48, m=24):
    return round_grid(lambda u, v: ((big + small * np.cos(v)) * np.cos(u),
                                    (big + small * np.cos(v)) * np.sin(u), small * np.sin(v)), n, m)


def sphere(r=0.5, levels=3):
    """An octahedron whose triangles are halved `levels` times."""
    vertices = [tuple(p) for p in np.concatenate([np.eye(3), -np.eye(3)])]
    triangles = [(0, 1, 2), (1, 3, 2), (3, 4, 2), (4, 0, 2),
                 (1, 0, 5), (3, 1, 5), (4, 3, 5), (0, 4, 5)]
    for _ in range(levels):
        known, finer = {}, []

        def middle(a, b):
            key = (min(a, b), max(a, b))
            if key not in known:
                point = np.add(vertices[a], vertices[b])
                known[key] = len(vertices)
                vertices.append(tuple(point / np.linalg.norm(point)))
            return known[key]
        for a, b, c in triangles:
            d, e, f = middle(a, b), middle(b, c), middle(c, a)
            finer += [(a, d, f), (d, b, e), (f, e, c), (d, e, f)]
        triangles = finer
    return r * np.array(vertices), np.array(triangles)


def box_distance(p, half):
    """The signed distance to a box, in closed form."""
    q = np.abs(p) - half
    return np.linalg.norm(np.maximum(q, 0), axis=1) + np.minimum(q.max(axis=1), 0)


def distance_to(triangle, p):
    """The distance of one point to one triangle: the nearest of its plane's foot, if that is in
    the triangle by its barycentric coordinates, and of its three sides."""
    found = []
    for k in range(3):
        a, b = triangle[k], triangle[(k + 1) % 3]
        t = min(1.0, max(0.0, (p - a) @ (b - a) / ((b - a) @ (b - a))))
        found.append(np.linalg.norm(p - a - t * (b - a)))
    edges = np.stack([triangle[1] - triangle[0], triangle[2] - triangle[0]], axis=1)
    share = np.linalg.lstsq(edges, p - triangle[0], rcond=None)[0]
    if share.min() >= 0 and share.sum() <= 1:
        found.append(np.linalg.norm(triangle[0] + edges @ share - p))
    return min(found)


def obj_text(vertices, triangles):
    lines = [f"v {x!r} {y!r} {z!r}" for x, y, z in np.asarray(vertices).tolist()]
    return "\n".join(lines + [f"f {a} {b} {c}" for a, b, c in (np.asarray(triangles) + 1).tolist()])
