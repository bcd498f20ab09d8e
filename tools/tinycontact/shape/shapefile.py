# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Shapes from JSON, SI, in their own axes:

    {"kind": "sphere", "r": 0.03}
    {"kind": "box", "h": [0.1, 0.04, 0.01], "r": 0.005}          outer half edges; without r sharp
    {"kind": "cylinder", "r": 0.05, "half": 0.1, "rounding": 0.01}   axis z; without rounding sharp
    {"kind": "capsule", "r": 0.02, "half": 0.1}                  axis z; half of the segment
    {"kind": "halfspace"}                                        z <= 0 is solid
    {"kind": "terrain", "heights": [[...], ...], "spacing": 0.05, "origin": [0, 0]}   a row per y
    {"kind": "grid", "file": "cow.tcs"}
    {"kind": "net", "file": "cow.tcm", "code": [0.3]}            without code: zeros
    {"kind": "union", "parts": [...], "offsets": [[x, y, z], ...]}

load(path) reads a file, from_dict(value, where) one object; both give a Shape for sdf.Sdf. Errors name file and field.
A terrain's surface meets the heights at its nodes; with "smooth": true they are the control values of its spline.
Names of files are relative to `folder`, which load() takes from the path.
"""
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from ..errors import TinycontactError
from ..impact.fields import Fields
from ..jsonfile import number, read_json
from . import gridfile, terrain

FIELDS = {"sphere": ("r",), "box": ("h", "r"), "cylinder": ("r", "half", "rounding"), "capsule": ("r", "half"),
          "halfspace": (), "terrain": ("heights", "spacing", "origin", "smooth"), "grid": ("file",),
          "net": ("file", "code"), "union": ("parts", "offsets")}
MOST = 1e6              # [m] tc_sdf.h
MOST_PARTS = 8          # TC_SDF_PARTS
MOST_NODES = 4096       # TC_SDF_NODES
LEAST, LEAST_SPACING = 1e-9, 1e-5   # [m] tc_sdf.h
MOST_CODES = 8          # TC_SDF_NET_CODES


@dataclass
class Shape:
    kind: str
    where: str                       # file and path to the object, for errors
    size: tuple = ()                 # in the library's order
    data: np.ndarray = None          # terrain: int16 [y, x]; grid: int8 [z, y, x]
    count: tuple = ()                # nodes along x, y, z; net: numbers of the code
    scale: float = 0.0
    spacing: float = 0.0
    error: float = 0.0               # [m] terrain: half a unit of its heights
    origin: tuple = (0.0, 0.0, 0.0)
    made: object = None              # terrain.Terrain, grid.Grid or netshape.NetShape
    code: np.ndarray = None          # of a net
    mass: list = None                # per density, the ten numbers of a tc_sdf_inertia; None: not known
    points: np.ndarray = None        # [n, 3] of the surface of a grid or net
    parts: list = field(default_factory=list)
    offsets: np.ndarray = field(default_factory=lambda: np.zeros((0, 3)))


def load(path):
    if Path(path).suffix.lower() == ".tcs":
        return of_grid(gridfile.read(path), str(path))
    return from_dict(read_json(path), str(path), Path(path).parent)


def from_dict(value, where="shape", folder="."):
    if not isinstance(value, dict) or "kind" not in value:
        raise TinycontactError(f"{where}: wanted an object with a field kind, one of {', '.join(FIELDS)}")
    kind = value["kind"]
    if not isinstance(kind, str) or kind not in FIELDS:
        raise TinycontactError(f"{where}, field kind: is {str(kind)[:40]!r}, must be one of {', '.join(FIELDS)}")
    fields = Fields(value, where, ("kind",) + FIELDS[kind])
    return _READERS[kind](fields, folder)


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


def _round(*names):
    return lambda fields, _: _round_of(fields, names)


def _round_of(fields, names):
    return Shape(fields.value["kind"], fields.where, tuple(_length(fields, name) for name in names))


def _box(fields, _):
    half = _numbers(fields.get("h"), fields.at("h"), 3)
    for i, h in enumerate(half):
        if not LEAST <= h <= MOST:
            raise TinycontactError(f"{fields.at('h')}[{i}]: is {h:g}, must be {LEAST:g} to {MOST:g}")
    return Shape("box", fields.where, (*half, _rounding(fields, "r", half)))


def _cylinder(fields, _):
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


def _terrain(fields, _):
    """Control values become int16 about the middle of their range, in steps of a 65,534th of it."""
    heights = _heights(fields)
    spacing = fields.number("spacing", least=LEAST_SPACING, most=MOST)
    origin = _numbers(fields.get("origin", [0.0, 0.0]), fields.at("origin"), 2)
    smooth = fields.get("smooth", False)
    if not isinstance(smooth, bool):
        fields.refuse("smooth", "must be true or false")
    most = float(np.abs(heights).max())
    if most > MOST:
        fields.refuse("heights", f"reach {most:g} m, at most {MOST:g} may be")
    return of_terrain(terrain.fit(fields.where, heights, spacing, origin, smooth), fields.where)


def of_terrain(made, where="terrain"):
    """The Shape of a terrain.Terrain."""
    if made.scale > made.spacing:
        raise TinycontactError(f"{where}, field heights: differ by {2 * terrain.STEPS * made.scale:g} m, too much for a"
                               f" spacing of {made.spacing:g} m")
    return Shape("terrain", where, data=made.steps, count=made.steps.shape[::-1], scale=made.scale,
                 spacing=made.spacing, error=0.5 * made.scale, origin=tuple(made.origin), made=made)


def _file(fields, folder):
    name = fields.text("file")
    if len(name) > 4096 or "\0" in name:
        fields.refuse("file", "is no name of a file")
    return Path(folder) / name


def _grid(fields, folder):
    return of_grid(gridfile.read(_file(fields, folder)), fields.where)


def of_grid(made, where="grid"):
    """The Shape of a grid.Grid."""
    return Shape("grid", where, data=made.values, count=made.counts, scale=made.scale, spacing=made.spacing,
                 error=_bound(made.error, where), origin=tuple(made.origin), made=made,
                 mass=_per_density(made.mass, where), points=gridfile.points_of(made))


def _bound(error, where):
    bound = number(error.get("bound", 0.0), f"{where}, field error, bound")
    if not 0 <= bound <= MOST:
        raise TinycontactError(f"{where}, field error, bound: is {bound:g} m, must be 0 to {MOST:g}")
    return bound


def _per_density(mass, where):
    if "per_density" not in mass:
        return None
    return _numbers(mass["per_density"], f"{where}, field mass, per_density", 10)


def _net(fields, folder):
    from . import netshape
    made = netshape.read(_file(fields, folder))
    code = fields.get("code", [0.0] * made.codes)
    code = np.array(_numbers(code, fields.at("code"), made.codes))
    return Shape("net", fields.where, count=(made.codes,), error=_bound(made.error, fields.where), made=made, code=code,
                 mass=_per_density(made.mass, fields.where), points=made.points_of(code))


def _union(fields, folder):
    parts = fields.get("parts")
    if not isinstance(parts, list) or not 1 <= len(parts) <= MOST_PARTS:
        fields.refuse("parts", f"wanted a list of 1 to {MOST_PARTS} shapes")
    offsets = fields.get("offsets")
    if not isinstance(offsets, list) or len(offsets) != len(parts):
        fields.refuse("offsets", f"wanted a list of {len(parts)} positions, one per part")
    shapes = [from_dict(part, f"{fields.at('parts')}[{i}]", folder) for i, part in enumerate(parts)]
    for i, shape in enumerate(shapes):
        if shape.kind == "union":
            raise TinycontactError(f"{fields.at('parts')}[{i}], field kind: a union cannot be part of a union")
    places = [_numbers(offset, f"{fields.at('offsets')}[{i}]", 3) for i, offset in enumerate(offsets)]
    return Shape("union", fields.where, parts=shapes, offsets=np.array(places))


_READERS = {"sphere": _round("r"), "capsule": _round("r", "half"), "box": _box, "cylinder": _cylinder,
            "halfspace": lambda fields, _: Shape("halfspace", fields.where), "terrain": _terrain, "grid": _grid,
            "net": _net, "union": _union}
