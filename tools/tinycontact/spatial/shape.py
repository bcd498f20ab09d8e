# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Shapes in space: so far the one box that sim.spatial_truth simulates."""
import numpy as np

from ..errors import TinycontactError
from ..jsonfile import number, read_json
from ..sim import spatial_truth as truth

NAME = "box"
NEAR = 1e-6   # [m], relative for the other numbers: what rounding in a file may change
FIELDS = {"mass": truth.MASS, "mu": truth.MU, "h": truth.H, "g": truth.G, "restitution": 0.0}


def check_box(path):
    """Refuses a shape's file of another body than the box; `path` may be its name."""
    if path == NAME:
        return
    data = read_json(path)
    if not isinstance(data, dict) or "vertices" not in data:
        raise TinycontactError(f"{path}, vertices: missing")
    for field in data:
        if field not in ("vertices", *FIELDS):
            raise TinycontactError(f"{path}, {field}: unknown field; known in space are vertices,"
                                   f" {', '.join(FIELDS)}")
    for field, wanted in FIELDS.items():
        given = number(data.get(field, wanted), f"{path}, {field}")
        if abs(given - wanted) > NEAR * max(wanted, 1.0):
            raise TinycontactError(f"{path}, {field}: is {given:g}; in space only {wanted:g} can be"
                                   " learned so far")
    _check_vertices(path, data["vertices"])


def _check_vertices(path, raw):
    """Each corner of the box once, in any order."""
    if not isinstance(raw, list):
        raise TinycontactError(f"{path}, vertices: wanted a list of [x, y, z]")
    points = np.array([_point(vertex, f"{path}, vertices[{k}]") for k, vertex in enumerate(raw)])
    corners = truth.vertices()
    far = len(points) != len(corners) or any(np.abs(points - corner).max(axis=1).min() > NEAR
                                             for corner in corners)
    if far:
        sides = " x ".join(f"{side:g}" for side in truth.SIDES)
        raise TinycontactError(f"{path}, vertices: in space only the eight corners of the box of"
                               f" {sides} m can be learned so far (--shape box)")


def _point(vertex, where):
    if not isinstance(vertex, list) or len(vertex) != 3:
        raise TinycontactError(f"{where}: is {vertex!r}, wanted [x, y, z]")
    return [number(value, where) for value in vertex]
