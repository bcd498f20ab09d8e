# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Outlines of meshes as a few convex pieces in the plane: what a mesh is seen from the side.

    python -m tinycontact.plan.outlines OUT.json MESH.obj...    # how outlines.json was made (spot.obj, blub.obj)

Cells of a grid that the mesh's triangles cover are split by lines, each time where the hulls of the two parts together are
smallest. A piece is the hull of a part's cells, of at most CORNERS corners. The middle of the area is at the origin, and
the farthest corner SIZE from it.
"""
import json
import sys
from pathlib import Path

import numpy as np

from .picture import hull

HERE = Path(__file__).with_name("outlines.json")
SIZE = 0.14       # [m]
PIECES, CORNERS = 4, 8
CELLS = 90        # along the longer side
LINES = 24        # directions of lines that are tried


def area(points):
    """Of the polygon points [n, 2], counter-clockwise."""
    x, y = points.T
    return 0.5 * float(x @ np.roll(y, -1) - y @ np.roll(x, -1))


def covered(corners, triangles):
    """Centres [n, 2] of the grid's cells that lie in a triangle; corners [k, 2]."""
    low, high = corners.min(0), corners.max(0)
    cell = (high - low).max() / CELLS
    axes = [np.arange(low[k] + cell / 2, high[k], cell) for k in (0, 1)]
    grid = np.stack(np.meshgrid(*axes, indexing="ij"), -1).reshape(-1, 2)
    inside = np.zeros(len(grid), bool)
    for a, b, c in corners[triangles]:
        turn = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
        if abs(turn) < 1e-12:
            continue
        near = np.flatnonzero(~inside & (grid >= np.min([a, b, c], 0)).all(1) & (grid <= np.max([a, b, c], 0)).all(1))
        p = grid[near]
        sides = [((v[0] - u[0]) * (p[:, 1] - u[1]) - (v[1] - u[1]) * (p[:, 0] - u[0])) / turn
                 for u, v in ((a, b), (b, c), (c, a))]
        inside[near[(np.min(sides, 0) >= 0)]] = True
    return grid[inside], cell


def split(points):
    """The two parts of points whose hulls together are smallest."""
    best = (np.inf, None)
    for angle in np.pi * np.arange(LINES) / LINES:
        along = points @ [np.cos(angle), np.sin(angle)]
        for place in np.quantile(along, np.linspace(0.1, 0.9, 17)):
            left = along < place
            if 3 <= left.sum() <= len(points) - 3:
                size = area(hull(points[left])) + area(hull(points[~left]))
                best = min(best, (size, (float(angle), float(place))))
    angle, place = best[1]
    left = points @ [np.cos(angle), np.sin(angle)] < place
    return points[left], points[~left]


def fewer(corners, most):
    """A convex polygon with corners left out, each time the one that costs the least area."""
    corners = list(map(tuple, corners))
    while len(corners) > most:
        n = len(corners)
        lost = [area(np.array([corners[k - 1], corners[k], corners[(k + 1) % n]])) for k in range(n)]
        del corners[int(np.argmin(lost))]
    return np.array(corners)


def outline(corners, triangles):
    """{pieces, inertia_per_mass} of a mesh that is seen along its x axis."""
    points, cell = covered(np.asarray(corners)[:, [2, 1]], triangles)
    middle = points.mean(0)
    parts = [points - middle]
    while len(parts) < PIECES:
        excess = [area(hull(part)) - cell**2 * len(part) for part in parts]
        k = int(np.argmax(excess))
        parts[k:k + 1] = split(parts[k])
    scale = SIZE / np.linalg.norm(points - middle, axis=1).max()
    pieces = [np.round(scale * fewer(hull(part), CORNERS), 4).tolist() for part in parts]
    return {"pieces": pieces, "inertia_per_mass": round(float(scale**2 * ((points - middle)**2).sum(1).mean()), 6)}


def read():
    """{name: outline} of outlines.json."""
    return json.loads(HERE.read_text(encoding="utf-8"))


def main(out, *meshes):
    from ..shape import mesh
    found = {}
    for path in meshes:
        whole = mesh.read(path)
        found[Path(path).stem] = outline(whole.vertices, whole.triangles)
    Path(out).write_text(json.dumps(found) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
