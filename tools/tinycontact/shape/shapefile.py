# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Shapes from JSON, SI, in their own axes:

    {"kind": "sphere", "r": 0.03}
    {"kind": "box", "h": [0.1, 0.04, 0.01], "r": 0.005}          outer half edges; without r sharp
    {"kind": "cylinder", "r": 0.05, "half": 0.1, "rounding": 0.01}   axis z; without rounding sharp
    {"kind": "capsule", "r": 0.02, "half": 0.1}                  axis z; half of the segment
    {"kind": "halfspace"}                                        z <= 0 is solid
    {"kind": "terrain", "heights": [[...], ...], "spacing": 0.05, "origin": [0, 0]}   a row per y
    {"kind": "union", "parts": [...], "offsets": [[x, y, z], ...]}

load(path) reads a file, from_dict(value, where) one object; both give a Shape for sdf.Sdf. Errors name file and field.
"""
from dataclasses import dataclass, field

import numpy as np

from ..errors import TinycontactError
from ..impact.fields import Fields
from ..jsonfile import number, read_json

FIELDS = {"sphere": ("r",), "box": ("h", "r"), "cylinder": ("r", "half", "rounding"), "capsule": ("r", "half"),
          "halfspace": (), "terrain": ("heights", "spacing", "origin"), "union": ("parts", "offsets")}
MOST = 1e6              # [m] tc_sdf.h
MOST_PARTS = 8          # TC_SDF_PARTS
MOST_NODES = 4096       # TC_SDF_NODES
LEAST, LEAST_SPACING = 1e-9, 1e-5   # [m] tc_sdf.h


@dataclass
class Shape:
    kind: str
    where: str                       # file and path to the object, for errors
    size: tuple = ()                 # in the library's order
    data: np.ndarray = None          # terrain: int16 [y, x]
    count: tuple = ()                # terrain: nodes along x, y
    scale: float = 0.0
    spacing: float = 0.0
    error: float = 0.0               # terrain: half a unit of its heights
    origin: tuple = (0.0, 0.0, 0.0)
    parts: list = field(default_factory=list)
    offsets: np.ndarray = field(default_factory=lambda: np.zeros((0, 3)))


def load(path):
    return from_dict(read_json(path), str(path))


def from_dict(value, where="shape"):
    if not isinstance(value, dict) or "kind" not in value:
        raise TinycontactError(f"{where}: wanted an object with a field kind, one of {', '.join(FIELDS)}")
    kind = value["kind"]
    if not isinstance(kind, str) or kind not in FIELDS:
        raise TinycontactError(f"{where}, field kind: is {str(kind)[:40]!r}, must be one of {', '.join(FIELDS)}")
    fields = Fields(value, where, ("kind",) + FIELDS[kind])
    return _READERS[kind](fields)


def _numbers(value, where, length):
    if not isinstance(value, list) or len(value) != length:
        raise TinycontactError(f"{where}: wanted a list of {length} numbers")
    return [number(entry, f"{where}[{i}]") for i, entry in enumerate(value)]


def _length(fields, name):
    return fields.number(name, least=LEAST, most=MOST)


def _rounding(fields, name, sizes):
    rounding = fields.number(name, 0.0, least=0.0, most=MOST)
    if rounding > min(sizes):
        fields.refuse(name, f"is {rounding:g}, larger than the half edge or radius {min(sizes):g}")
    return rounding


def _round(fields, names):
    return Shape(fields.value["kind"], fields.where, tuple(_length(fields, name) for name in names))


def _box(fields):
    half = _numbers(fields.get("h"), fields.at("h"), 3)
    for i, h in enumerate(half):
        if not LEAST <= h <= MOST:
            raise TinycontactError(f"{fields.at('h')}[{i}]: is {h:g}, must be {LEAST:g} to {MOST:g}")
    return Shape("box", fields.where, (*half, _rounding(fields, "r", half)))


def _cylinder(fields):
    sizes = (_length(fields, "r"), _length(fields, "half"))
    return Shape("cylinder", fields.where, (*sizes, _rounding(fields, "rounding", sizes)))


def _heights(fields):
    """float64 [y, x], and every gap named."""
    rows, where = fields.get("heights"), fields.at("heights")
    if not isinstance(rows, list) or not rows or not all(isinstance(row, list) for row in rows):
        raise TinycontactError(f"{where}: wanted a list of rows, [[...], ...]")
    for k, row in enumerate(rows):
        if len(row) != len(rows[0]):
            raise TinycontactError(f"{where}, row {k}: has {len(row)} heights, row 0 has {len(rows[0])}")
    for length, axis in ((len(rows), "rows"), (len(rows[0]), "heights in a row")):
        if not 3 <= length <= MOST_NODES:
            raise TinycontactError(f"{where}: has {length} {axis}, must be 3 to {MOST_NODES}")
    return np.array([[number(height, f"{where}, row {k}, column {i}") for i, height in enumerate(row)]
                     for k, row in enumerate(rows)])


def _terrain(fields):
    """Heights become int16 about the middle of their range, in steps of a 65,534th of it."""
    heights = _heights(fields)
    spacing = fields.number("spacing", least=LEAST_SPACING, most=MOST)
    origin = _numbers(fields.get("origin", [0.0, 0.0]), fields.at("origin"), 2)
    low, high = heights.min(), heights.max()
    if max(-low, high) > MOST:
        fields.refuse("heights", f"reach {max(-low, high):g} m, at most {MOST:g} may be")
    middle, scale = 0.5 * (low + high), max((high - low) / 65534.0, LEAST)
    if scale > spacing:
        fields.refuse("heights", f"differ by {high - low:g} m, too much for a spacing of {spacing:g} m")
    whole = np.clip(np.rint((heights - middle) / scale), -32767, 32767).astype(np.int16)
    return Shape("terrain", fields.where, data=whole, count=heights.shape[::-1], scale=scale, spacing=spacing,
                 error=0.5 * scale, origin=(*origin, middle))


def _union(fields):
    parts = fields.get("parts")
    if not isinstance(parts, list) or not 1 <= len(parts) <= MOST_PARTS:
        fields.refuse("parts", f"wanted a list of 1 to {MOST_PARTS} shapes")
    offsets = fields.get("offsets")
    if not isinstance(offsets, list) or len(offsets) != len(parts):
        fields.refuse("offsets", f"wanted a list of {len(parts)} positions, one per part")
    shapes = [from_dict(part, f"{fields.at('parts')}[{i}]") for i, part in enumerate(parts)]
    for i, shape in enumerate(shapes):
        if shape.kind == "union":
            raise TinycontactError(f"{fields.at('parts')}[{i}], field kind: a union cannot be part of a union")
    places = [_numbers(offset, f"{fields.at('offsets')}[{i}]", 3) for i, offset in enumerate(offsets)]
    return Shape("union", fields.where, parts=shapes, offsets=np.array(places))


_READERS = {"sphere": lambda f: _round(f, ("r",)), "capsule": lambda f: _round(f, ("r", "half")), "box": _box,
            "cylinder": _cylinder, "halfspace": lambda f: Shape("halfspace", f.where), "terrain": _terrain,
            "union": _union}
