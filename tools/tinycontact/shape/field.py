# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The zero level of a field as triangles, by tetrahedra: closed where the field is positive on the
border of the box. Its corners are then moved along the gradient, onto the level itself."""
from dataclasses import dataclass
from itertools import permutations

import numpy as np

STEPS = 3    # of Newton along the gradient
FAR = 0.5    # cells: no corner is moved further


@dataclass(frozen=True)
class Level:
    vertices: np.ndarray    # [n, 3]
    triangles: np.ndarray   # [m, 3], normals out of the negative side

    @property
    def corners(self):
        return self.vertices[self.triangles]

    @property
    def pieces(self):
        from .meshcheck import linked
        pairs = np.concatenate([self.triangles[:, :2], self.triangles[:, 1:]])
        return int(linked(len(self.vertices), pairs).max()) + 1 if len(pairs) else 0

    @property
    def holes(self):
        """The genus: handles of all components together, from Euler's number."""
        return self.pieces - euler(len(self.vertices), self.triangles) // 2


def euler(vertices, triangles):
    """Vertices less edges and faces, of a closed surface."""
    return vertices - 3 * len(triangles) // 2 + len(triangles)


def zero_level(field, low, high, cells):
    """The Level of a field (points -> values, gradients) in a box, with so many cells along its
    longest side."""
    size = np.asarray(high, float) - low
    step = size.max() / cells
    counts = np.ceil(size / step - 1e-9).astype(int) + 3   # a cell more on each side
    origin = (np.asarray(low) + high) / 2 - step * (counts - 1) / 2
    index = np.stack(np.meshgrid(*(np.arange(n) for n in counts), indexing="ij"), axis=-1)
    points = origin + step * index.reshape(-1, 3)
    value = field(points)[0]
    value = np.where(value == 0, 1e-12 * step, value)
    ends, triangles = _cut(value, counts)
    if not len(triangles):
        return Level(np.zeros((0, 3)), np.zeros((0, 3), np.int64))
    a, b = value[ends[:, 0]], value[ends[:, 1]]
    share = (a / (a - b))[:, None]
    vertices = (1 - share) * points[ends[:, 0]] + share * points[ends[:, 1]]
    return Level(_settled(field, vertices, step), triangles)


def _settled(field, vertices, step):
    start = vertices
    for _ in range(STEPS):
        d, gradient = field(vertices)
        square = np.maximum(np.einsum("ni,ni->n", gradient, gradient), 1e-3)
        moved = vertices - (d / square)[:, None] * gradient
        near = np.linalg.norm(moved - start, axis=1) < FAR * step
        vertices = np.where(near[:, None], moved, vertices)
    return vertices


def _cut(value, counts):
    """(edges [n, 2] of nodes with different signs, triangles [m, 3] of edges)."""
    stride = np.array([counts[1] * counts[2], counts[2], 1])
    base = np.stack(np.meshgrid(*(np.arange(n - 1) for n in counts), indexing="ij"), axis=-1)
    base = (base.reshape(-1, 3) * stride).sum(axis=1)
    inside = value < 0
    corner = np.array([((k >> np.arange(3)) & 1) @ stride for k in range(8)])
    some = np.add.outer(base, corner)
    mixed = inside[some].any(axis=1) & ~inside[some].all(axis=1)
    base = base[mixed]
    found = []
    for order in permutations(range(3)):   # six tetrahedra along the diagonal of a cell
        offsets = np.concatenate([[0], np.cumsum(stride[list(order)])])
        odd = order in ((0, 2, 1), (1, 0, 2), (2, 1, 0))
        nodes = base[:, None] + (offsets[[0, 2, 1, 3]] if odd else offsets)
        found += _tetrahedra(nodes, inside[nodes])
    edges = np.concatenate(found) if found else np.zeros((0, 3, 2), np.int64)
    edges = np.sort(edges, axis=-1).reshape(-1, 2)
    ends, index = np.unique(edges, axis=0, return_inverse=True)
    return ends, index.reshape(-1, 3)


# What is cut off a tetrahedron of positive volume, by the nodes that lie inside: triangles of edges.
ONE = {0: ((0, 1), (0, 2), (0, 3)), 1: ((1, 0), (1, 3), (1, 2)), 2: ((2, 0), (2, 1), (2, 3)),
       3: ((3, 0), (3, 2), (3, 1))}
TWO = {(0, 1): ((0, 2), (0, 3), (1, 3), (1, 2)), (0, 2): ((0, 3), (0, 1), (2, 1), (2, 3)),
       (0, 3): ((0, 1), (0, 2), (3, 2), (3, 1)), (1, 2): ((1, 0), (1, 3), (2, 3), (2, 0)),
       (1, 3): ((1, 2), (1, 0), (3, 0), (3, 2)), (2, 3): ((2, 0), (2, 1), (3, 1), (3, 0))}


def _tetrahedra(nodes, inside):
    """[arrays [m, 3, 2]]: each triangle as three edges of nodes."""
    code = inside @ (1 << np.arange(4))
    found = []
    for k, edges in ONE.items():
        edges = np.array(edges)
        found.append(nodes[code == 1 << k][:, edges])
        found.append(nodes[code == 15 - (1 << k)][:, edges[::-1]])
    for (i, j), edges in TWO.items():
        four = nodes[code == (1 << i) + (1 << j)][:, np.array(edges)]
        found += [four[:, [0, 1, 2]], four[:, [0, 2, 3]]]
    return [part for part in found if len(part)]
