# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Shapes of shapefile.py in float64, written from their definitions: values and gradients.

    shape = shapefile.load("ball.json")
    field, low, high = field_of(shape)
    d, gradient = field(points)
"""
import numpy as np

from ..errors import TinycontactError

STEP = 1e-6   # of the size, for gradients by differences


def _sphere(r):
    return (lambda p: np.linalg.norm(p, axis=1) - r), np.full(3, r)


def _capsule(r, half):
    def distance(p):
        z = p[:, 2] - np.clip(p[:, 2], -half, half)
        return np.sqrt(p[:, 0]**2 + p[:, 1]**2 + z**2) - r
    return distance, np.array([r, r, half + r])


def _rounded(q, r):
    return np.linalg.norm(np.maximum(q, 0), axis=1) + np.minimum(q.max(axis=1), 0) - r


def _box(hx, hy, hz, r):
    h = np.array([hx, hy, hz])
    return (lambda p: _rounded(np.abs(p) - (h - r), r)), h


def _cylinder(r, half, rounding):
    def distance(p):
        q = np.stack([np.hypot(p[:, 0], p[:, 1]) - (r - rounding), np.abs(p[:, 2]) - (half - rounding)], axis=1)
        return _rounded(q, rounding)
    return distance, np.array([r, r, half])


KINDS = {"sphere": _sphere, "capsule": _capsule, "box": _box, "cylinder": _cylinder}


def distance_of(shape):
    """(points -> signed distances, low, high corner of the bounding box) of a bounded Shape of shapefile.py."""
    if shape.kind == "union":
        return _union(shape)
    if shape.kind == "grid":
        grid = shape.made
        return (lambda p: grid(p)[0]), grid.low, grid.high
    if shape.kind == "net" and shape.made.box is not None:
        field = shape.made.at(shape.code)
        return (lambda p: field(p)[0]), *shape.made.box
    if shape.kind not in KINDS:
        raise TinycontactError(f"{shape.where}, field kind: is {shape.kind!r}, wanted a shape with an end: one of"
                               f" {', '.join(KINDS)}, union, grid, net (with a training range)")
    distance, half = KINDS[shape.kind](*shape.size)
    return distance, -half, half


def _union(shape):
    found = [(*distance_of(part), offset) for part, offset in zip(shape.parts, shape.offsets)]

    def distance(p):
        return np.min([one(p - offset) for one, _, _, offset in found], axis=0)
    low = np.min([low + offset for _, low, _, offset in found], axis=0)
    high = np.max([high + offset for _, _, high, offset in found], axis=0)
    return distance, low, high


def with_gradient(distance, size):
    """points -> (values, gradients by central differences)."""
    step = STEP * size

    def field(p):
        p = np.asarray(p, float).reshape(-1, 3)
        slope = [(distance(p + step * e) - distance(p - step * e)) / (2 * step) for e in np.eye(3)]
        return distance(p), np.stack(slope, axis=1)
    return field


def field_of(shape):
    """(field, low, high) of a bounded shape."""
    distance, low, high = distance_of(shape)
    return with_gradient(distance, float((high - low).max())), low, high
