# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The file of a grid (.tcs), which is JSON; docs/reference/shape-file.md has its fields.

    grid = read("cow.tcs")
    write("cow.tcs", grid)
"""
import base64
import binascii
import zlib

import numpy as np

from ..errors import TinycontactError
from ..jsonfile import number, read_json, write_json
from . import points
from .grid import MOST, NODES, Grid

FORMAT, VERSION = "tinycontact shape", 1
LIMIT = 1e6   # [m]


def as_json(grid):
    data = grid.values.tobytes()
    return {"format": FORMAT, "version": VERSION, "kind": "grid", "counts": list(grid.counts),
            "spacing": grid.spacing, "origin": [float(x) for x in grid.origin],
            "scale": grid.scale, "clip": grid.clip, "error": grid.error, "mass": grid.mass,
            "about": grid.about, "points": points_of(grid).tolist(), "crc32": zlib.crc32(data),
            "values": base64.b64encode(data).decode("ascii")}


def points_of(grid):
    """[n, 3] points of its surface: those that it brings, or new ones."""
    return points.of_field(grid, grid.low, grid.high) if grid.points is None else grid.points


def write(path, grid):
    write_json(path, as_json(grid))


def _field(document, name, path):
    if name not in document:
        raise TinycontactError(f"{path}, field {name}: missing")
    return document[name]


def _length(document, name, path):
    value = number(_field(document, name, path), f"{path}, field {name}")
    if not 0 < value <= LIMIT:
        raise TinycontactError(f"{path}, field {name}: is {value:g} m, wanted above 0")
    return value


def _counts(document, path):
    counts = _field(document, "counts", path)
    if not isinstance(counts, list) or len(counts) != 3:
        raise TinycontactError(f"{path}, field counts: wanted three numbers of nodes, [x, y, z]")
    for name, n in zip("xyz", counts):
        if isinstance(n, bool) or not isinstance(n, int) or not 2 <= n <= NODES:
            raise TinycontactError(f"{path}, field counts: {n!r} nodes along {name}, wanted 2 to"
                                   f" {NODES}")
    if np.prod(counts) > MOST:
        raise TinycontactError(f"{path}, field counts: {np.prod(counts)} nodes, at most {MOST}")
    return counts


def _origin(document, path):
    origin = _field(document, "origin", path)
    if not isinstance(origin, list) or len(origin) != 3:
        raise TinycontactError(f"{path}, field origin: wanted [x, y, z]")
    return np.array([number(x, f"{path}, field origin") for x in origin])


def read_points(document, path):
    """[n, 3] of the field points; None where there is none, as in files of older versions."""
    rows = document.get("points")
    if rows is None:
        return None
    if not isinstance(rows, list) or not all(isinstance(row, list) and len(row) == 3 for row in rows):
        raise TinycontactError(f"{path}, field points: wanted rows of three numbers")
    if len(rows) > points.MOST:
        raise TinycontactError(f"{path}, field points: {len(rows)} points, at most {points.MOST}")
    found = np.array([[number(x, f"{path}, field points, row {k}") for x in row]
                      for k, row in enumerate(rows)]).reshape(-1, 3)
    if np.abs(found).max(initial=0.0) > LIMIT:
        raise TinycontactError(f"{path}, field points: one is further than {LIMIT:g} m from the origin")
    return found


def _values(document, path, counts):
    text = _field(document, "values", path)
    try:
        data = base64.b64decode(text, validate=True)
    except (TypeError, ValueError, binascii.Error):
        raise TinycontactError(f"{path}, field values: is no base64") from None
    if len(data) != np.prod(counts):
        raise TinycontactError(f"{path}, field values: {len(data)} bytes, counts want"
                               f" {np.prod(counts)}")
    if zlib.crc32(data) != _field(document, "crc32", path):
        raise TinycontactError(f"{path}, field crc32: does not belong to the values; is the file"
                               " damaged?")
    return np.frombuffer(data, np.int8).reshape(counts[::-1])


def read(path, document=None):
    """The Grid in a file."""
    document = read_json(path) if document is None else document
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise TinycontactError(f'{path}, field format: wanted "{FORMAT}"')
    if document.get("version") != VERSION:
        raise TinycontactError(f"{path}, field version: is {document.get('version')!r}, this version"
                               f" reads {VERSION}")
    if document.get("kind") != "grid":
        raise TinycontactError(f'{path}, field kind: is {document.get("kind")!r}, wanted "grid"')
    counts = _counts(document, path)
    values = _values(document, path, counts)
    _check_sign(values, path)
    told = {name: document.get(name) or {} for name in ("error", "mass", "about")}
    for name, value in told.items():
        if not isinstance(value, dict):
            raise TinycontactError(f"{path}, field {name}: wanted an object")
    return Grid(values, _length(document, "scale", path), _length(document, "spacing", path),
                _origin(document, path), points=read_points(document, path), **told)


def _check_sign(values, path):
    """What tc_sdf_check refuses."""
    if values.min() == -128:
        raise TinycontactError(f"{path}, field values: one is -128, wanted -127 to 127")
    border = values.copy()
    border[1:-1, 1:-1, 1:-1] = 0
    if border.min() < 0:
        z, y, x = np.unravel_index(int(border.argmin()), border.shape)
        raise TinycontactError(f"{path}, field values: node ({x}, {y}, {z}) on the border is"
                               " negative; outside is positive: is the sign wrong?")
    if values.min() >= 0:
        raise TinycontactError(f"{path}, field values: none is negative: nothing is inside")
