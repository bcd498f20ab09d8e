# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The int16 terrain of a height map, as the library's tc_sdf_terrain reads it.

The surface is a biquadratic B-spline. At a node it is the mean of control values with weights 1/8,
3/4, 1/8 along each axis. fit() chooses them so that the surface meets the heights there. With
`smooth` the heights themselves are the control values.
"""
from dataclasses import dataclass, field, replace

import numpy as np

from ..errors import TinycontactError
from .grid import NODES

STEPS = 32767


@dataclass(frozen=True)
class Terrain:
    """steps [rows, columns] of int16, rows along y; scale [m] of one step; origin [m] of node (0, 0)
    and of step 0; smooth: the heights it was made of are the control values."""
    steps: np.ndarray
    scale: float
    spacing: float
    origin: np.ndarray
    error: dict = field(default_factory=dict)
    smooth: bool = False

    @property
    def heights(self):
        """[rows, columns] control values [m]."""
        return self.origin[2] + self.scale * self.steps.astype(float)

    def at_nodes(self):
        return smoothed(smoothed(self.heights).T).T

    def as_json(self):
        heights = self.heights if self.smooth else self.at_nodes()
        return {"kind": "terrain", "spacing": self.spacing, "origin": self.origin[:2].tolist(),
                "heights": heights.tolist()} | ({"smooth": True} if self.smooth else {})


def smoothed(rows):
    """Means of neighbouring rows with weights 1/8, 3/4, 1/8; beyond the border it goes on flat."""
    padded = np.concatenate([rows[:1], rows, rows[-1:]])
    return padded[:-2] / 8 + 0.75 * padded[1:-1] + padded[2:] / 8


def sharpened(rows):
    """What smoothed() makes `rows` of: its inverse, by elimination of a tridiagonal matrix."""
    n = len(rows)
    middle = np.full(n, 0.75)
    middle[[0, -1]] = 0.875
    right = np.array(rows, float)
    for k in range(1, n):
        share = 0.125 / middle[k - 1]
        middle[k] -= share * 0.125
        right[k] -= share * right[k - 1]
    right[-1] /= middle[-1]
    for k in range(n - 2, -1, -1):
        right[k] = (right[k] - 0.125 * right[k + 1]) / middle[k]
    return right


def fit(path, heights, spacing, origin=(0.0, 0.0), smooth=False):
    """The Terrain of a map [rows, columns] of heights [m]."""
    rows, columns = heights.shape
    if not (3 <= rows <= NODES and 3 <= columns <= NODES):
        raise TinycontactError(f"{path}: {columns} x {rows} heights, wanted 3 x 3 to {NODES} x"
                               f" {NODES}")
    control = heights if smooth else sharpened(sharpened(heights).T).T
    low, high = float(control.min()), float(control.max())
    scale = max((high - low) / (2 * STEPS), 1e-9)
    steps = np.rint((control - (low + high) / 2) / scale).astype(np.int16)
    made = Terrain(steps, scale, float(spacing), np.array([*origin, (low + high) / 2]), smooth=smooth)
    return replace(made, error=judge(made, heights))


def judge(terrain, heights):
    """How far the surface is from the map: at its nodes, and between them from the bilinear one."""
    at = np.abs(terrain.at_nodes() - heights)
    c = terrain.heights
    middle = (c[1:, 1:] + c[1:, :-1] + c[:-1, 1:] + c[:-1, :-1]) / 4
    flat = (heights[1:, 1:] + heights[1:, :-1] + heights[:-1, 1:] + heights[:-1, :-1]) / 4
    slope = max(np.abs(np.diff(heights, axis=k)).max() for k in (0, 1)) / terrain.spacing
    between = float(np.abs(middle - flat).max())
    return {"node_rms": float(np.sqrt(np.mean(at**2))), "node_max": float(at.max()),
            "between_max": between, "bound": max(float(at.max()), between),
            "slope_max": float(slope)}
