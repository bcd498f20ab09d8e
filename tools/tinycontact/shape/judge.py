# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""How far a field is from the shape that it stands for: distances, normals, volume, topology.

Two ways: the field's values at points of the true surface, and the true distance of points of the
field's zero level. The second finds a piece that the first cannot see, where there should be none.
"""
from dataclasses import dataclass

import numpy as np

from ..progress import announced
from .field import euler, zero_level
from .grid import surface_points
from .mass import signed_volume
from .meshcheck import Edges

POINTS = 20000   # of the true surface
FINE = 3         # cells of the zero level per cell of a grid
FINEST = 96      # cells of the zero level along its longest side, at most
ROWS = (("surface rms", "surface_rms", 100, "% of the extent"),
        ("surface p95", "surface_p95", 100, "% of the extent"),
        ("surface max", "surface_max", 100, "% of the extent"),
        ("zero level rms", "level_rms", 100, "% of the extent"),
        ("zero level max", "level_max", 100, "% of the extent"),
        ("normals median", "normal_median_deg", 1, "deg"),
        ("normals p95", "normal_p95_deg", 1, "deg"),
        ("volume", "volume_error", 100, "% of the mesh's"))


@dataclass(frozen=True)
class Truth:
    """A shape as it should be: a Mesh of its surface, points -> signed distances, a Mass, and the
    SHA-256 of the mesh's file."""
    mesh: object
    distance: object
    mass: object
    digest: str = ""

    @property
    def name(self):
        return self.mesh.path


def compare(field, truth, box, cell, seed=2):
    """({name: number} of an error report, the field's zero level). `box`: (low, high) in which the
    zero level is searched; `cell` [m]: the field's resolution."""
    mesh = truth.mesh
    with announced(f"{mesh.path}: errors"):
        found = _at_surface(field, truth, cell, seed)
        size = max(np.asarray(box[1]) - box[0])
        level = zero_level(field, *box, int(np.clip(np.ceil(FINE * size / cell), 24, FINEST)))
        found |= _of_level(level, truth)
    found["bound"] = max(found["near_max"], found["surface_max"] * mesh.extent)
    return found, level


def _at_surface(field, truth, cell, seed):
    mesh, rng = truth.mesh, np.random.default_rng(seed)
    points, normal = surface_points(mesh, POINTS, rng)
    d, gradient = field(points)
    miss = np.abs(d - truth.distance(points)) / mesh.extent
    length = np.maximum(np.linalg.norm(gradient, axis=1), 1e-12)
    cosine = np.einsum("ni,ni->n", gradient, normal) / length
    angle = np.degrees(np.arccos(np.clip(cosine, -1, 1)))
    near = points + normal * rng.uniform(-0.5, 0.5, (POINTS, 1)) * cell
    off = np.abs(field(near)[0] - truth.distance(near))
    return {"extent": mesh.extent, "surface_rms": float(np.sqrt(np.mean(miss**2))),
            "surface_p95": float(np.quantile(miss, 0.95)), "surface_max": float(miss.max()),
            "near_max": float(off.max()), "normal_median_deg": float(np.median(angle)),
            "normal_p95_deg": float(np.quantile(angle, 0.95))}


def _of_level(level, truth):
    mesh = truth.mesh
    edges = Edges(mesh)
    pieces = edges.components
    holes = pieces - euler(len(np.unique(mesh.triangles)), mesh.triangles) // 2
    found = {"pieces": level.pieces, "mesh_pieces": pieces, "mesh_holes": holes}
    if not level.pieces:
        return found | {"holes": 0, "level_rms": 1.0, "level_max": 1.0, "volume_error": -1.0}
    away = np.abs(truth.distance(level.vertices)) / mesh.extent
    volume = signed_volume(level.corners) / signed_volume(mesh.corners)
    return found | {"holes": level.holes, "level_rms": float(np.sqrt(np.mean(away**2))),
                    "level_max": float(away.max()), "volume_error": volume - 1}


def table(error):
    """The lines of an error report."""
    lines = [f"  {name:15} {factor * error[key]:8.3g} {unit}" for name, key, factor, unit in ROWS
             if key in error]
    same = (error["pieces"], error["holes"]) == (error["mesh_pieces"], error["mesh_holes"])
    note = "" if same else "   <- differs: more nodes are needed where the shape is thin"
    lines.append(f"  {'topology':15} {error['pieces']} piece(s) with {error['holes']} hole(s)"
                 f" through them; the mesh: {error['mesh_pieces']} with {error['mesh_holes']}{note}")
    return lines
