# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Points of a surface, spread evenly: where the library starts when a grid or net touches another shape."""
import numpy as np

from .field import zero_level

COUNT = 128      # of a shape; TC_SDF_POINTS is the library's limit
MOST = 256       # TC_SDF_POINTS
CELLS = 40       # of the zero level along the longest side
OFF = 1e-3       # of the size: further from the level than that no point is taken


def thinned(points, count=COUNT):
    """[count, 3] of [n, 3] points: each is the one furthest from those before. Tips come first."""
    points = np.asarray(points, float).reshape(-1, 3)
    if len(points) <= count:
        return points
    away = np.linalg.norm(points - points.mean(axis=0), axis=1)
    chosen = [int(away.argmax())]
    away = np.linalg.norm(points - points[chosen[0]], axis=1)
    while len(chosen) < count:
        chosen.append(int(away.argmax()))
        away = np.minimum(away, np.linalg.norm(points - points[chosen[-1]], axis=1))
    return points[chosen]


def of_field(field, low, high, count=COUNT, level=None):
    """[at most count, 3] of float32 numbers on the zero level of points -> (values, gradients) in a box."""
    level = level or zero_level(field, low, high, CELLS)
    found = level.vertices.astype(np.float32).astype(float)
    if not len(found):
        return found
    size = float(np.max(np.asarray(high, float) - low))
    return thinned(found[np.abs(field(found)[0]) <= OFF * size], count)
