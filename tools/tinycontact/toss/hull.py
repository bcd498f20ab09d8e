# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The hull of a body's corners as roll-outs and pictures need it: normals, edges, and where rounded corners have their
centres."""
from functools import lru_cache

import numpy as np

from .solid import solid


@lru_cache(maxsize=8)
def _solid(vertices):
    return solid(np.array(vertices))


def _of(vertices):
    return _solid(tuple(map(tuple, np.asarray(vertices, dtype=float).tolist())))


def faces(vertices):
    """[faces, 3]: outward unit normals."""
    return _of(vertices).normals


def edges(vertices):
    """Pairs of corners that edges join."""
    return sorted({tuple(sorted((int(a), int(b)))) for loop in _of(vertices).faces
                   for a, b in zip(loop, np.roll(loop, -1))})


def inset(vertices):
    """[corners, 3]: how far each corner moves per metre by which all faces move in. A ball of that radius about each
    moved corner touches the faces where they were. 0 for corners inside the hull."""
    found = _of(vertices)
    out = np.zeros((len(found.vertices), 3))
    for k in range(len(out)):
        own = np.array([n for n, loop in zip(found.normals, found.faces) if k in loop])
        if len(own) > 2:
            out[k] = np.linalg.lstsq(own, -np.ones(len(own)), rcond=None)[0]
    return out
