# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""A signed distance on a grid of int8 values, as the library's tc_sdf_grid reads it, and its making.

Between nodes the value is trilinear. Further from the surface than CLIP cells it stays at +-127.
Outside of the grid it is that of the nearest point of the grid, plus the distance to that point.
The nodes' values are fitted: the zero level of the interpolation, not each node, is near the mesh.
"""
from dataclasses import dataclass, field

import numpy as np

from ..errors import TinycontactError
from ..progress import announced

CLIP = 4          # cells: further from the surface the distance is clipped
STEPS = 127       # of the int8 values, on each side
MARGIN = 0.5      # cells between the mesh's bounding box and the grid's border
NODES = 4096      # TC_SDF_NODES: along an axis
MOST = 2**22      # nodes of a grid
SHARE = 12        # samples per node that the fit has
NEAR = 1.0        # cells: how far from the surface half of the samples lie, at most
TURN = 0.2      # weight of a normal's component, times a cell, against a distance
TIE = 0.02        # weight of a node's own distance against one sample
ROUNDS = 60       # of conjugate gradients


@dataclass(frozen=True)
class Grid:
    """values [nz, ny, nx] of int8, x fastest; scale [m] of one step; spacing [m]; origin [m] of node
    (0, 0, 0); `error` and `mass` as a file has them; points [n, 3] of its surface."""
    values: np.ndarray
    scale: float
    spacing: float
    origin: np.ndarray
    error: dict = field(default_factory=dict)
    mass: dict = field(default_factory=dict)
    about: dict = field(default_factory=dict)
    points: np.ndarray = None

    @property
    def counts(self):
        """(nx, ny, nz)"""
        return self.values.shape[::-1]

    @property
    def clip(self):
        return STEPS * self.scale

    @property
    def low(self):
        return self.origin

    @property
    def high(self):
        return self.origin + self.spacing * (np.array(self.counts) - 1)

    def __call__(self, points):
        """([n] values [m], [n, 3] gradients) at points."""
        points = np.asarray(points, float).reshape(-1, 3)
        inside = np.clip(points, self.low, self.high)
        index, weight, slope = stencil(inside, self.origin, self.spacing, self.counts)
        value = self.scale * self.values.ravel()[index].astype(float)
        d = np.einsum("nk,nk->n", weight, value)
        gradient = np.einsum("nki,nk->ni", slope, value)
        away = points - inside
        length = np.linalg.norm(away, axis=1)
        out = length > 0
        gradient[away != 0] = 0
        gradient[out] += away[out] / length[out, None]
        return d + length, gradient


def stencil(points, origin, spacing, counts):
    """Of the eight nodes about each point: ([n, 8] indices, [n, 8] weights, [n, 8, 3] derivatives of
    the weights by the point)."""
    counts = np.asarray(counts)
    place = (points - origin) / spacing
    cell = np.clip(np.floor(place).astype(np.int64), 0, counts - 2)
    part = np.clip(place - cell, 0, 1)
    corner = (np.arange(8)[:, None] >> np.arange(3)) & 1
    node = cell[:, None] + corner
    index = (node[..., 2] * counts[1] + node[..., 1]) * counts[0] + node[..., 0]
    one = np.where(corner, part[:, None], 1 - part[:, None])
    sign = (2 * corner - 1) / spacing
    slope = np.stack([sign[:, 0] * one[..., 1] * one[..., 2],
                      sign[:, 1] * one[..., 0] * one[..., 2],
                      sign[:, 2] * one[..., 0] * one[..., 1]], axis=-1)
    return index, one.prod(axis=-1), slope


def layout(low, high, counts=None, cells=None):
    """(counts, spacing, origin) of a grid about a box: the counts are given, or the cells along its
    longest side."""
    size = np.asarray(high) - low
    if counts is None:
        spacing = size.max() / (cells - 2 * MARGIN)
        counts = np.maximum(np.ceil(size / spacing + 2 * MARGIN - 1e-9), 1).astype(int) + 1
    counts = np.asarray(counts)
    spacing = float(np.float32((size / (counts - 1 - 2 * MARGIN)).max()))   # as in flash
    origin = (np.asarray(low) + high) / 2 - spacing * (counts - 1) / 2
    origin = origin.astype(np.float32).astype(float)
    if counts.max() > NODES or counts.prod() > MOST:
        raise TinycontactError(f"a grid of {' x '.join(map(str, counts))} nodes; at most {NODES}"
                               f" along an axis and {MOST} in all")
    return counts, spacing, origin


def nodes_of(counts, spacing, origin):
    """[n, 3] positions of the nodes, x fastest."""
    z, y, x = np.meshgrid(*(np.arange(n) for n in counts[::-1]), indexing="ij")
    return origin + spacing * np.stack([x, y, z], axis=-1).reshape(-1, 3)


def surface_points(mesh, count, rng):
    """([count, 3] points spread evenly over the surface, [count, 3] their triangles' normals)."""
    from .meshdistance import normals_of
    corners = mesh.corners
    normals, areas = normals_of(corners)
    total = np.cumsum(areas)
    place = (np.arange(count) + rng.uniform(size=count)) / count * total[-1]
    triangle = np.minimum(np.searchsorted(total, place), len(areas) - 1)
    u, v = rng.uniform(size=(2, count, 1))
    fold = u + v > 1
    u, v = np.where(fold, 1 - u, u), np.where(fold, 1 - v, v)
    a, b, c = np.moveaxis(corners[triangle], 1, 0)
    return a + u * (b - a) + v * (c - a), normals[triangle]


def make(mesh, distance, counts, spacing, origin, seed=1, fitted=True):
    """The Grid of a mesh, without error and mass."""
    with announced(f"{mesh.path}: {np.prod(counts)} nodes"):
        return _made(mesh, distance, (counts, spacing, origin), seed, fitted)


def _made(mesh, distance, lattice, seed, fitted):
    counts, spacing, origin = lattice
    exact = distance(nodes_of(*lattice))
    if exact.min() >= 0:
        raise TinycontactError(f"{mesh.path}: no node of the grid lies inside, the shape is thinner"
                               f" than a cell of {1e3 * spacing:.3g} mm; more nodes are needed")
    clip = CLIP * spacing
    value = np.clip(exact, -clip, clip)
    if fitted:
        value = _fit(mesh, distance, value, (origin, spacing, counts), seed)
    step = np.rint(np.clip(value / clip, -1, 1) * STEPS).astype(np.int8)
    step = step.reshape(counts[::-1])
    border = np.ones(step.shape, bool)
    border[1:-1, 1:-1, 1:-1] = False
    step[border] = np.maximum(step[border], 0)
    if step.min() >= 0:
        raise TinycontactError(f"{mesh.path}: nothing is inside after rounding to int8; more nodes"
                               " are needed")
    return Grid(step, float(np.float32(clip / STEPS)), spacing, np.asarray(origin, float))


def _fit(mesh, distance, value, lattice, seed):
    """Nodes' values whose interpolation is least wrong at samples on and near the surface. Nodes
    that no sample reaches keep the exact distance."""
    rng = np.random.default_rng(seed)
    spacing, count = lattice[1], len(value)
    on, out = surface_points(mesh, SHARE * count // 2, rng)
    near, normal = surface_points(mesh, SHARE * count // 2, rng)
    near = near + normal * rng.uniform(-NEAR, NEAR, (len(near), 1)) * spacing
    index, weight, _ = stencil(np.concatenate([on, near]), *lattice)
    places, _, slope = stencil(on, *lattice)
    slope = TURN * spacing * np.moveaxis(slope, 2, 1).reshape(-1, 8)
    index = np.concatenate([index, np.repeat(places, 3, axis=0)])
    weight = np.concatenate([weight, slope])
    wanted = np.concatenate([distance(on), distance(near), TURN * spacing * out.ravel()])
    return value + _least_squares(index, weight, wanted - _rows(index, weight, value), count)


def _rows(index, weight, x):
    return np.einsum("nk,nk->n", weight, x[index])


def _least_squares(index, weight, wanted, count):
    """x [count] with the least |A x - wanted|^2 + TIE |x|^2, by conjugate gradients; row n of A has
    weight[n] at index[n]."""
    def back(rows):
        return np.bincount(index.ravel(), (weight * rows[:, None]).ravel(), count)
    r = back(wanted)
    x, p, square = np.zeros(count), r, r @ r
    for _ in range(ROUNDS):
        if square == 0:
            break
        product = back(_rows(index, weight, p)) + TIE * p
        step = square / (p @ product)
        x, r = x + step * p, r - step * product
        square, before = r @ r, square
        p = r + square / before * p
    return x
