# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""A shape from a mesh, a height map or a primitive."""
import hashlib
from dataclasses import replace
from pathlib import Path

import numpy as np

from ..errors import TinycontactError
from ..jsonfile import write_json
from ..model import read_bytes
from ..progress import announced
from . import field, grid, gridfile, heightmap, judge, mass, meshcheck, meshdistance
from . import points, shapefile, terrain
from . import mesh as meshes
from .primitives import distance_of, with_gradient

CELLS = 16        # of a grid along its longest side
SMOOTH = 80       # cells of the mesh that stands for a primitive
MESHES, MAPS = (".obj", ".stl"), (".png", ".csv")


def is_mesh(path):
    return Path(path).suffix.lower() in MESHES


def is_map(path):
    return Path(path).suffix.lower() in MAPS


def truth_of_mesh(path, units="m", flip=False, tell=None):
    """The Truth of a mesh's file; a mesh that is no closed surface is refused."""
    mesh = meshes.read(path, units)
    if flip:
        mesh = mesh.flipped()
    mesh = meshcheck.accepted(mesh, tell=tell)
    with announced(f"{path}: tree of {len(mesh.triangles)} triangles"):
        digest = hashlib.sha256(read_bytes(path)).hexdigest()
        return judge.Truth(mesh, meshdistance.Distance(mesh), mass.of_mesh(mesh), digest)


def truth_of_shape(path, shape):
    """The Truth of a bounded Shape: its distance, a fine mesh for points and mass."""
    distance, low, high = distance_of(shape)
    size = float((high - low).max())
    with announced(f"{path}: surface"):
        level = field.zero_level(with_gradient(distance, size), low, high, SMOOTH)
    if not level.pieces:
        raise TinycontactError(f"{path}: encloses no volume")
    mesh = meshes.from_arrays(level.vertices, level.triangles, path)
    mesh = meshcheck.without_slivers(mesh)[0]
    return judge.Truth(mesh, distance, mass.of_mesh(mesh))


def truth_of(path, units="m", flip=False, tell=None):
    """The Truth of a mesh, or of a shape's JSON."""
    if is_mesh(path):
        return truth_of_mesh(path, units, flip, tell)
    if Path(path).suffix.lower() != ".json":
        raise TinycontactError(f"{path}: wanted a mesh (.obj, .stl), a height map (.png, .csv) or a"
                               " shape (.json)")
    return truth_of_shape(path, shapefile.load(path))


def grid_of(truth, counts=None, cells=CELLS, seed=1):
    """(Grid with error report and mass properties, its zero level)."""
    mesh = truth.mesh
    lattice = grid.layout(mesh.low, mesh.high, counts, None if counts is not None else cells)
    _check_sides(truth, lattice)
    made = grid.make(mesh, truth.distance, *lattice, seed=seed)
    error, level = judge.compare(made, truth, (made.low, made.high), made.spacing)
    told = truth.mass.as_json() | {"per_density": [float(x) for x in truth.mass.per_density()]}
    about = {"source": Path(truth.name).name, "triangles": len(mesh.triangles)}
    about |= {"sha256": truth.digest} if truth.digest else {}
    seen = points.of_field(made, made.low, made.high, level=level)
    return replace(made, error=error, mass=told, about=about, points=seen), level


def _check_sides(truth, lattice):
    """Refuses a mesh that cuts itself near the nodes."""
    if not is_mesh(truth.name):
        return
    wrong, asked = meshcheck.cuts(truth.mesh, truth.distance, grid.nodes_of(*lattice))
    if wrong:
        raise TinycontactError(f"{truth.name}: its faces cut each other: at {wrong} of {asked} nodes"
                               " the winding number and the nearest face disagree about the side;"
                               " unite its bodies in the program that made the mesh")


def terrain_of(path, spacing, height=None, origin=(0.0, 0.0), smooth=False, units="m"):
    heights = heightmap.read(path, height)
    if Path(path).suffix.lower() == ".csv":
        heights = meshes.UNITS[units] * heights
    return terrain.fit(path, heights, spacing, origin, smooth)


def write_grid(path, made):
    """Writes a grid: OUT.tcs alone, or OUT.json that names OUT.tcs beside it; the paths."""
    path = Path(path)
    file = path.with_suffix(".tcs")
    gridfile.write(file, made)
    if path.suffix.lower() != ".json":
        return [file]
    write_json(path, {"kind": "grid", "file": file.name})
    return [path, file]


def write_mesh(path, corners):
    """Writes triangles as .obj or binary .stl."""
    from ..model import write_whole
    corners = np.asarray(corners, float)
    if Path(path).suffix.lower() == ".stl":
        records = np.zeros(len(corners), meshes.RECORD)
        records["normal"], records["corner"] = meshdistance.normals_of(corners)[0], corners
        head = b"tinycontact".ljust(80) + len(corners).to_bytes(4, "little")
        write_whole(path, head + records.tobytes())
        return
    points, index = np.unique(corners.reshape(-1, 3), axis=0, return_inverse=True)
    lines = [f"v {x:.9g} {y:.9g} {z:.9g}" for x, y, z in points]
    lines += [f"f {a} {b} {c}" for a, b, c in index.reshape(-1, 3) + 1]
    write_whole(path, ("\n".join(lines) + "\n").encode("ascii"))
