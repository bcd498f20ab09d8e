# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Exact signed distance to a closed triangle mesh, for many points at once; negative inside.

    distance = Distance(mesh)
    d = distance(points)                          # [n]
    near, d, triangle = distance.closest(points)  # points of the surface

The closest triangle is found in a binary tree of boxes. The sign is that of the angle-weighted
pseudonormal at the closest point (Baerentzen and Aanaes): exact for closed meshes that do not cut
themselves. winding() is the other way to the sign: the solid angle over 4 pi.
"""
import numpy as np

LEAF = 6         # triangles of a leaf, at most
CHUNK = 8192     # points at a time
PAIRS = 1 << 20  # pairs of point and triangle at a time
FLAT = 1e-14     # of the extent's square: a triangle of less area has no normal


def normals_of(corners):
    """([m, 3] unit normals, [m] areas); zero where a triangle is flat."""
    cross = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    length = np.linalg.norm(cross, axis=1)
    size = np.ptp(corners.reshape(-1, 3), axis=0).max() if len(corners) else 1.0
    flat = length <= 2 * FLAT * size * size
    return np.where(flat[:, None], 0.0, cross / np.where(flat, 1.0, length)[:, None]), length / 2


def winding(corners, points):
    """[n] how often the triangles [m, 3, 3] wind around each point: 1 inside, 0 outside of a closed
    mesh (van Oosterom and Strackee's solid angle of each triangle)."""
    points = np.asarray(points, float).reshape(-1, 3)
    step = max(1, PAIRS // max(len(corners), 1))
    return np.concatenate([_winding(corners, points[k:k + step])
                           for k in range(0, len(points), step)] or [np.zeros(0)])


def _winding(corners, points):
    a, b, c = (corners[None, :, k] - points[:, None] for k in range(3))
    la, lb, lc = (np.sqrt(np.einsum("nmi,nmi->nm", v, v)) for v in (a, b, c))
    top = np.einsum("nmi,nmi->nm", a, np.cross(b, c))
    bottom = (la * lb * lc + np.einsum("nmi,nmi->nm", a, b) * lc
              + np.einsum("nmi,nmi->nm", b, c) * la + np.einsum("nmi,nmi->nm", c, a) * lb)
    return np.arctan2(top, bottom).sum(axis=1) / (2 * np.pi)


class Distance:
    """The signed distance to a Mesh, whose triangles form a closed surface."""

    def __init__(self, mesh):
        self.corners, self.triangles = mesh.corners, mesh.triangles
        self.normals, self.areas = normals_of(self.corners)
        self._grow_tree(np.flatnonzero(np.any(self.normals != 0, axis=1)))
        self._sum_normals(len(mesh.vertices))
        a, b, c = self.corners[:, 0], self.corners[:, 1], self.corners[:, 2]
        self._ab, self._ac = b - a, c - a
        self._dots = np.stack([np.einsum("mi,mi->m", u, v) for u, v in
                               ((self._ab, self._ab), (self._ab, self._ac), (self._ac, self._ac))])

    def _grow_tree(self, solid):
        """A heap of boxes over leaves of equal size; a leaf's free places repeat a triangle."""
        self.depth = max(0, int(np.ceil(np.log2(max(len(solid), 1) / LEAF))))
        middle = self.corners.mean(axis=1)
        groups = [solid]
        for _ in range(self.depth):
            groups = [half for group in groups for half in _halves(group, middle)]
        width = max(len(group) for group in groups)
        self.leaves = np.stack([np.resize(group, width) for group in groups])
        low = self.corners[self.leaves].min(axis=(1, 2))
        high = self.corners[self.leaves].max(axis=(1, 2))
        lows, highs = [low], [high]
        for _ in range(self.depth):
            low = np.minimum(low[::2], low[1::2])
            high = np.maximum(high[::2], high[1::2])
            lows.append(low)
            highs.append(high)
        self._low, self._high = np.concatenate(lows[::-1]), np.concatenate(highs[::-1])

    def _sum_normals(self, vertices):
        """Pseudonormals [m, 7, 3] of each triangle's features: face, edges ab, bc, ca, corners."""
        m = len(self.triangles)
        self._pseudo = np.zeros((m, 7, 3))
        self._pseudo[:, 0] = self.normals
        low = np.stack([np.minimum(self.triangles, np.roll(self.triangles, -1, axis=1)),
                        np.maximum(self.triangles, np.roll(self.triangles, -1, axis=1))], axis=-1)
        _, edge = np.unique(low.reshape(-1, 2), axis=0, return_inverse=True)
        edge = edge.reshape(m, 3)
        total = np.zeros((edge.max() + 1, 3))
        np.add.at(total, edge, self.normals[:, None])
        self._pseudo[:, 1:4] = total[edge]
        corner = np.zeros((vertices, 3))
        np.add.at(corner, self.triangles, _angles(self.corners)[..., None] * self.normals[:, None])
        self._pseudo[:, 4:7] = corner[self.triangles]

    def __call__(self, points):
        """[n] signed distances; positive outside."""
        return self._each(points)[1]

    def closest(self, points):
        """([n, 3] closest points of the surface, [n] signed distances, [n] their triangles)."""
        return self._each(points)

    def _each(self, points):
        points = np.asarray(points, float).reshape(-1, 3)
        parts = [self._some(points[k:k + CHUNK]) for k in range(0, len(points), CHUNK)]
        if not parts:
            return np.zeros((0, 3)), np.zeros(0), np.zeros(0, np.int64)
        return tuple(np.concatenate(column) for column in zip(*parts))

    def _some(self, points):
        best = _Best(points)
        leaf = self._nearest_leaf(points)
        self._try_leaves(points, np.arange(len(points)), leaf, best)
        point, node, gap = self._open_leaves(points, best)
        other = node != leaf[point]
        point, node, gap = point[other], node[other], gap[other]
        order = np.lexsort((gap, point))   # each point's nearest leaf first, to spare the others
        point, node, gap = point[order], node[order], gap[order]
        first = np.r_[True, np.diff(point) > 0] if len(point) else np.zeros(0, bool)
        self._try_leaves(points, point[first], node[first], best)
        rest = ~first & (gap < best.square[point])
        self._try_leaves(points, point[rest], node[rest], best)
        away = points - best.near
        side = np.einsum("ni,ni->n", away, self._pseudo[best.triangle, best.feature])
        return best.near, np.where(side < 0, -1.0, 1.0) * np.sqrt(best.square), best.triangle

    def _box_gap(self, points, node):
        """Squares of the distances from points to boxes."""
        away = np.maximum(np.maximum(self._low[node] - points, points - self._high[node]), 0)
        return np.einsum("ni,ni->n", away, away)

    def _nearest_leaf(self, points):
        """[n] the leaf at which a descent to the nearer box ends."""
        node = np.zeros(len(points), np.int64)
        for _ in range(self.depth):
            left = 2 * node + 1
            further = self._box_gap(points, left) > self._box_gap(points, left + 1)
            node = left + further
        return node - (2**self.depth - 1)

    def _open_leaves(self, points, best):
        """(point, leaf, square of the box's distance) of all leaves that may hold a nearer one."""
        point, node = np.arange(len(points)), np.zeros(len(points), np.int64)
        gap = np.zeros(len(points))
        for _ in range(self.depth):
            point, node = np.repeat(point, 2), np.repeat(2 * node + 1, 2)
            node[1::2] += 1
            gap = self._box_gap(points[point], node)
            kept = gap < best.square[point]
            point, node, gap = point[kept], node[kept], gap[kept]
        return point, node - (2**self.depth - 1), gap

    def _try_leaves(self, points, point, leaf, best):
        width = self.leaves.shape[1]
        step = max(1, PAIRS // width)
        for k in range(0, len(point), step):
            who = np.repeat(point[k:k + step], width)
            triangle = self.leaves[leaf[k:k + step]].ravel()
            best.take(who, triangle, *self._on_triangle(points[who], triangle))

    def _on_triangle(self, points, t):
        """(closest point, its feature: 0 face, 1..3 edges ab, bc, ca, 4..6 corners) per pair, by
        the region of the triangle's plane in which the point lies."""
        aa, ab, bb = self._dots[:, t]
        u, v = self._ab[t], self._ac[t]
        away = points - self.corners[t, 0]
        d1, d2 = np.einsum("ni,ni->n", u, away), np.einsum("ni,ni->n", v, away)
        d3, d4, d5, d6 = d1 - aa, d2 - ab, d1 - ab, d2 - bb
        va, vb, vc = d3 * d6 - d5 * d4, d5 * d2 - d1 * d6, d1 * d4 - d3 * d2
        total = va + vb + vc
        s = np.stack([vb, vc]) / np.where(total > 0, total, 1.0)
        side = aa - 2 * ab + bb
        along = np.clip(np.stack([d1 / aa, (d4 - d3) / side, d2 / bb]), 0, 1)
        zero, one = np.zeros(len(t)), np.ones(len(t))
        region = [(d1 <= 0) & (d2 <= 0), (d3 >= 0) & (d4 <= d3), (d6 >= 0) & (d5 <= d6),
                  (vc <= 0) & (d1 >= 0) & (d3 <= 0), (va <= 0) & (d4 >= d3) & (d5 >= d6),
                  (vb <= 0) & (d2 >= 0) & (d6 <= 0)]
        x = np.select(region, [zero, one, zero, along[0], 1 - along[1], zero], s[0])
        y = np.select(region, [zero, zero, one, zero, along[1], along[2]], s[1])
        feature = np.select(region, [4, 5, 6, 1, 2, 3], 0)
        return self.corners[t, 0] + x[:, None] * u + y[:, None] * v, feature


class _Best:
    """The nearest point of the surface so far, for each point of a chunk."""

    def __init__(self, points):
        n = len(points)
        self.points = points
        self.square, self.near = np.full(n, np.inf), np.zeros((n, 3))
        self.triangle, self.feature = np.zeros(n, np.int64), np.zeros(n, np.int64)

    def take(self, who, triangle, near, feature):
        """Keeps what is nearer; `who` ascends, and may have a point several times."""
        if not len(who):
            return
        away = self.points[who] - near
        square = np.einsum("ni,ni->n", away, away)
        order = np.lexsort((square, who))
        order = order[np.r_[True, np.diff(who[order]) > 0]]
        order = order[square[order] < self.square[who[order]]]
        who = who[order]
        self.square[who], self.near[who] = square[order], near[order]
        self.triangle[who], self.feature[who] = triangle[order], feature[order]


def _halves(group, middle):
    """A group of triangles in two along the axis in which their middles spread most."""
    axis = int(np.argmax(np.ptp(middle[group], axis=0)))
    half = len(group) // 2
    order = np.argpartition(middle[group, axis], half)
    return group[order[:half]], group[order[half:]]


def _angles(corners):
    """[m, 3] the triangles' angles."""
    angle = np.zeros(corners.shape[:2])
    for k in range(3):
        u, v = corners[:, (k + 1) % 3] - corners[:, k], corners[:, (k + 2) % 3] - corners[:, k]
        angle[:, k] = np.arctan2(np.linalg.norm(np.cross(u, v), axis=1),
                                 np.einsum("mi,mi->m", u, v))
    return angle
