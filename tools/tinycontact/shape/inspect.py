# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""What a shape's file is, and how far it is from its mesh."""
from pathlib import Path

import numpy as np

from ..errors import TinycontactError
from ..jsonfile import read_json
from . import field, gridfile, judge, make, mass, meshcheck, shapefile
from . import mesh as meshes
from .primitives import distance_of, with_gradient

HEADER = 64   # bytes of the struct of a grid or terrain, with pointers of 4 bytes, at most
NET = 12      # cells of the zero level of a net, less judge.FINE
FIELD = 64    # cells of the zero level of what has no grid


class TooFar(TinycontactError):
    """A shape that is further from its mesh than allowed."""
    exit_status = 1


def document_of(path):
    """The JSON object in a .tcs or .json file."""
    if Path(path).suffix.lower() not in (".tcs", ".json"):
        raise TinycontactError(f"{path}: is no shape by its name; wanted .tcs or .json")
    document = read_json(path)
    if not isinstance(document, dict):
        raise TinycontactError(f'{path}: wanted an object {{"kind": ...}}')
    return document


def shape_in(path):
    """The Shape in a .tcs or .json file."""
    document = document_of(path)
    if "format" in document or Path(path).suffix.lower() == ".tcs":
        return shapefile.of_grid(gridfile.read(path, document), str(path))
    return shapefile.from_dict(document, str(path), Path(path).parent)


def grid_in(path):
    """The Grid of a .tcs file or of a shape's JSON that names one; None for another kind."""
    shape = shape_in(path)
    return shape.made if shape.kind == "grid" else None


def field_in(path):
    """(field, (low, high), cell [m]) of a shape's file."""
    shape = shape_in(path)
    if shape.kind == "grid":
        return shape.made, (shape.made.low, shape.made.high), shape.spacing
    if shape.kind == "net" and shape.made.box is not None:
        low, high = shape.made.box
        return shape.made.at(shape.code), (low, high), float((high - low).max()) / NET
    distance, low, high = distance_of(shape)
    size = float((high - low).max())
    return with_gradient(distance, size), (low, high), size / FIELD


def mass_lines(told, density=None, weight=None):
    """Lines of mass properties {volume, area, centre, gyration}; in kg if a density or mass is
    given."""
    if not told:
        return ["mass properties: none stored"]
    density = density or (weight / told["volume"] if weight else None)
    gyration = np.array(told["gyration"])
    name, factor, unit = ("inertia / mass", 1.0, "m2")
    lines = [f"volume          {told['volume']:.6g} m3",
             f"surface         {told['area']:.6g} m2"]
    if density:
        name, factor, unit = "inertia", density * told["volume"], "kg m2"
        lines.append(f"mass            {factor:.6g} kg at {density:.6g} kg/m3")
    lines.append(f"centre of mass  {_row(told['centre'])} m")
    lines += [f"{name if k == 0 else '':15} {_row(factor * row)} {unit}"
              for k, row in enumerate(gyration)]
    return lines


def _row(values):
    return "[" + ", ".join(f"{value:10.4g}" for value in values) + "]"


def mesh_lines(path, units, flip, density, weight):
    mesh = meshes.read(path, units)
    mesh = mesh.flipped() if flip else mesh
    size = mesh.high - mesh.low
    lines = [f"{path}: a mesh of {len(mesh.triangles)} triangles, {len(mesh.vertices)} vertices",
             f"size            {_row(size)} m, from {_row(mesh.low)}"]
    faults = meshcheck.check(mesh)
    lines += [f"{'fault' if fault.fatal else 'note'}: {fault.text}" for fault in faults]
    if not any(fault.fatal for fault in faults):
        lines += mass_lines(mass.of_mesh(meshcheck.without_slivers(mesh)[0]).as_json(), density,
                            weight)
    return lines


def grid_lines(path, grid, density, weight):
    nodes = " x ".join(map(str, grid.counts))
    lines = [f"{path}: a grid of {nodes} int8 values, {grid.values.size} bytes of flash and at most"
             f" {HEADER} more",
             f"spacing         {grid.spacing:.6g} m, distance clipped at {grid.clip:.6g} m",
             f"box             {_row(grid.low)} to {_row(grid.high)} m"]
    if grid.about.get("source"):
        lines.append(f"made from       {grid.about['source']}")
    if "bound" in grid.error:
        lines += [f"stored error    {grid.error['bound']:.4g} m, the largest found near the surface",
                  *judge.table(grid.error)]
    return lines + mass_lines(grid.mass, density, weight)


def net_lines(path, made, density, weight):
    weights = sum(layer.weights.size + layer.bias.size for layer in made.net.layers)
    plural = "s" * (made.codes != 1)
    lines = [f"{path}: a net of {weights} weights with {made.codes} number{plural} of a latent code"]
    if made.box is not None:
        lines.append(f"training range  {_row(made.box[0])} to {_row(made.box[1])} m")
    if "surface_rms" in made.error:
        lines += [f"stored error    {made.error['bound']:.4g} m, the largest found near the surface",
                  *judge.table(made.error)]
    return lines + mass_lines(made.mass, density, weight)


def terrain_lines(path, made):
    rows, columns = made.steps.shape
    low, high = (round(float(h), 6) + 0.0 for h in (made.at_nodes().min(), made.at_nodes().max()))
    return [f"{path}: a terrain of {columns} x {rows} int16 heights, {2 * made.steps.size} bytes of"
            f" flash and at most {HEADER} more",
            f"spacing         {made.spacing:.6g} m, one step of height is {made.scale:.4g} m",
            f"heights         {low:.4g} to {high:.4g} m",
            *terrain_errors(made.error)]


def terrain_errors(error):
    return [f"  at the nodes    {1e3 * error['node_max']:.4g} mm from the heights, at most",
            f"  between them    {1e3 * error['between_max']:.4g} mm from the bilinear map, at most",
            f"  steepest slope  {error['slope_max']:.3g}"]


def lines_of(path, units="m", flip=False, density=None, weight=None):
    """What `shape inspect` prints."""
    if make.is_mesh(path):
        return mesh_lines(path, units, flip, density, weight)
    shape = shape_in(path)
    if shape.kind == "terrain":
        return terrain_lines(path, shape.made)
    if shape.kind == "grid":
        return grid_lines(path, shape.made, density, weight)
    if shape.kind == "net":
        return net_lines(path, shape.made, density, weight)
    if shape.kind == "halfspace":
        return [f"{path}: a half-space, solid below z = 0"]
    truth = make.truth_of_shape(path, shape)
    note = "mass properties of a fine mesh of it, right to about 0.2 %:"
    return [f"{path}: {_named(shape)}", note, *mass_lines(truth.mass.as_json(), density, weight)]


def _named(shape):
    if shape.kind == "union":
        return f"a union of {len(shape.parts)} parts"
    names = ("hx", "hy", "hz", "r") if shape.kind == "box" else shapefile.FIELDS[shape.kind]
    return f"a {shape.kind}: " + ", ".join(f"{name} = {size:g}" for name, size in zip(names, shape.size))


def compare(path, truth):
    """(error report, zero level) of a shape's file against a Truth."""
    shape, box, cell = field_in(path)
    low = np.minimum(box[0], truth.mesh.low)
    high = np.maximum(box[1], truth.mesh.high)
    return judge.compare(shape, truth, (low, high), cell)


def level_of(path):
    """The zero level of a shape's file."""
    shape, box, cell = field_in(path)
    size = float((np.asarray(box[1]) - box[0]).max())
    return field.zero_level(shape, *box, min(judge.FINEST, int(np.ceil(judge.FINE * size / cell))))
