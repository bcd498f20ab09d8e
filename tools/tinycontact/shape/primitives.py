# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Shapes of a shape's JSON in float64, written from their definitions: values and gradients.

    field, low, high = field_of({"kind": "sphere", "r": 0.1}, "ball.json")
    d, gradient = field(points)
"""
import os

import numpy as np

from ..errors import TinycontactError
from ..jsonfile import number

STEP = 1e-6   # of the size, for gradients by differences


def _size(shape, name, where, least=0.0):
    if name not in shape:
        raise TinycontactError(f"{where}, field {name}: missing [m]")
    value = number(shape[name], f"{where}, field {name}")
    if not value > least:
        raise TinycontactError(f"{where}, field {name}: is {value:g} m, wanted above {least:g}")
    return value


def _rounding(shape, name, most, where):
    value = number(shape.get(name, 0), f"{where}, field {name}")
    if not 0 <= value <= most:
        raise TinycontactError(f"{where}, field {name}: is {value:g} m, wanted 0 to {most:g}")
    return value


def _vector(values, where):
    if not isinstance(values, list) or len(values) != 3:
        raise TinycontactError(f"{where}: wanted three numbers")
    return np.array([number(value, where) for value in values])


def _sphere(shape, where):
    r = _size(shape, "r", where)
    return (lambda p: np.linalg.norm(p, axis=1) - r), np.full(3, r)


def _capsule(shape, where):
    r, half = _size(shape, "r", where), _size(shape, "half", where)

    def distance(p):
        z = p[:, 2] - np.clip(p[:, 2], -half, half)
        return np.sqrt(p[:, 0]**2 + p[:, 1]**2 + z**2) - r
    return distance, np.array([r, r, half + r])


def _box(shape, where):
    if "h" not in shape:
        raise TinycontactError(f"{where}, field h: missing, the half edges [hx, hy, hz] [m]")
    h = _vector(shape["h"], f"{where}, field h")
    if h.min() <= 0:
        raise TinycontactError(f"{where}, field h: is {h.min():g} m, wanted above 0")
    r = _rounding(shape, "r", h.min(), where)

    def distance(p):
        q = np.abs(p) - (h - r)
        return np.linalg.norm(np.maximum(q, 0), axis=1) + np.minimum(q.max(axis=1), 0) - r
    return distance, h


def _cylinder(shape, where):
    r, half = _size(shape, "r", where), _size(shape, "half", where)
    e = _rounding(shape, "rounding", min(r, half), where)

    def distance(p):
        q = np.stack([np.hypot(p[:, 0], p[:, 1]) - (r - e), np.abs(p[:, 2]) - (half - e)], axis=1)
        return np.linalg.norm(np.maximum(q, 0), axis=1) + np.minimum(q.max(axis=1), 0) - e
    return distance, np.array([r, r, half])


KINDS = {"sphere": _sphere, "capsule": _capsule, "box": _box, "cylinder": _cylinder}


def distance_of(shape, where):
    """(points -> signed distances, low, high corner of the bounding box) of a bounded shape."""
    kind = shape.get("kind") if isinstance(shape, dict) else None
    if kind == "union":
        return _union(shape, where)
    if kind == "grid":
        from . import gridfile
        path = os.path.join(os.path.dirname(str(where)), str(shape.get("file", "")))
        grid = gridfile.read(path)
        return (lambda p: grid(p)[0]), grid.low, grid.high
    if kind not in KINDS:
        raise TinycontactError(f"{where}, field kind: is {kind!r}, wanted one of"
                               f" {', '.join(KINDS)}, union, grid")
    distance, half = KINDS[kind](shape, where)
    return distance, -half, half


def _union(shape, where):
    parts = shape.get("parts")
    if not isinstance(parts, list) or not 1 <= len(parts) <= 8:
        raise TinycontactError(f"{where}, field parts: wanted a list of 1 to 8 shapes")
    offsets = shape.get("offsets", [[0, 0, 0]] * len(parts))
    if not isinstance(offsets, list) or len(offsets) != len(parts):
        raise TinycontactError(f"{where}, field offsets: wanted one [x, y, z] for each part")
    found = []
    for k, (part, offset) in enumerate(zip(parts, offsets)):
        if isinstance(part, dict) and part.get("kind") == "union":
            raise TinycontactError(f"{where}, part {k}: a union has no union as its part")
        found.append((*distance_of(part, f"{where}, part {k}"),
                      _vector(offset, f"{where}, field offsets, entry {k}")))

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


def field_of(shape, where):
    """(field, low, high) of a bounded shape."""
    distance, low, high = distance_of(shape, where)
    return with_gradient(distance, float((high - low).max())), low, high
