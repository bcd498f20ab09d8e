# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""A shape as a pair of C files: constants for flash, as tc_sdf.h has them."""
from pathlib import Path

import numpy as np

from .. import cexport
from ..cexport import c_name
from ..errors import TinycontactError
from ..model import write_whole
from . import gridfile

WIDTH = 100
HEAD = "/* SPDX-License-Identifier: MIT\n * {what}\n * Made by tinycontact {version}: do not edit.\n */\n"


def c_float(value):
    """A literal of the float32 nearest to the value."""
    return cexport.c_float(np.float32(value))


def _table(kind, name, values):
    """The definition of a constant array of whole numbers."""
    lines, line = [], "   "
    for word in (f" {value}," for value in values):
        if len(line) + len(word) > WIDTH:
            lines.append(line)
            line = "   "
        line += word
    body = "\n".join([*lines, line])
    return f"static const {kind} {name}[{len(values)}] = {{\n{body}\n}};\n\n"


def _three(values):
    return "{" + ", ".join(c_float(value) for value in values) + "}"


def _points(name, points):
    """The definition of an array of points, one per line."""
    rows = "".join("    " + ", ".join(c_float(x) for x in row) + ",\n" for row in points)
    return f"static const tc_real {name}_points[{3 * len(points)}] = {{\n{rows}}};\n\n"


def _stored(name, error, inertia, points=()):
    """(definitions of mass properties and points, initialiser of a tc_sdf_stored)."""
    seen = f"{name}_points, {len(points)}u" if len(points) else "NULL, 0"
    before = _points(name, points) if len(points) else ""
    if inertia is None:
        return before, f"{{{c_float(error)}, NULL, {seen}}}"
    numbers = [", ".join(c_float(value) for value in three) for three in (inertia[4:7], inertia[7:])]
    text = (f"{before}static const tc_sdf_inertia {name}_inertia = {{\n    {c_float(inertia[0])},\n"
            f"    {_three(inertia[1:4])},\n    {{{numbers[0]},\n     {numbers[1]}}},\n}};\n\n")
    return text, f"{{{c_float(error)}, &{name}_inertia, {seen}}}"


def of_grid(grid, name):
    """C of a tc_sdf called `name`."""
    mass = grid.mass.get("per_density")
    before, stored = _stored(name, grid.error.get("bound", 0.0), mass, gridfile.points_of(grid))
    counts = ", ".join(f"{n}u" for n in grid.counts)
    return (_table("int8_t", f"{name}_values", grid.values.ravel().tolist()) + before
            + f"static const tc_sdf_values {name}_grid = {{\n    .stored = {stored},\n"
            f"    .values = {name}_values,\n    .count = {{{counts}}},\n"
            f"    .scale = {c_float(grid.scale)},\n    .spacing = {c_float(grid.spacing)},\n"
            f"    .origin = {_three(grid.origin)},\n}};\n\n"
            f"const tc_sdf {name} = TC_SDF_DATA(tc_sdf_grid, &{name}_grid);\n")


def of_terrain(terrain, name):
    rows, columns = terrain.steps.shape
    _, stored = _stored(name, terrain.error.get("bound", 0.0), None)
    return (_table("int16_t", f"{name}_steps", terrain.steps.ravel().tolist())
            + f"static const tc_sdf_heights {name}_heights = {{\n    .stored = {stored},\n"
            f"    .heights = {name}_steps,\n    .count_x = {columns}u,\n    .count_y = {rows}u,\n"
            f"    .scale = {c_float(terrain.scale)},\n    .spacing = {c_float(terrain.spacing)},\n"
            f"    .origin = {_three(terrain.origin)},\n}};\n\n"
            f"const tc_sdf {name} = TC_SDF_DATA(tc_sdf_terrain, &{name}_heights);\n")


def of_primitive(shape, name):
    numbers = ", ".join(c_float(value) for value in shape.size)
    return f"const tc_sdf {name} = TC_SDF_{shape.kind.upper()}" + (f"({numbers});\n" if shape.size else ";\n")


def of_shape(shape, name):
    """C of a Shape of shapefile.py, called `name`."""
    if shape.kind == "grid":
        return of_grid(shape.made, name)
    if shape.kind == "terrain":
        return of_terrain(shape.made, name)
    if shape.kind == "union":
        return of_union(shape, name)
    if shape.kind == "net":
        raise TinycontactError(f"{shape.where}, field kind: {shape.kind!r} cannot be made C; grids, terrains,"
                               " unions and primitives can")
    return of_primitive(shape, name)


def of_union(shape, name):
    parts = [of_shape(part, f"{name}_{k}") for k, part in enumerate(shape.parts)]
    own = "".join(part.replace("const tc_sdf ", "static const tc_sdf ") for part in parts)
    rows = "".join(f"    {{&{name}_{k}, {_three(offset)}, NULL}},\n" for k, offset in enumerate(shape.offsets))
    return (f"{own}\nstatic const tc_sdf_part {name}_part[{len(parts)}] = {{\n{rows}}};\n"
            f"static const tc_sdf_parts {name}_parts = {{{name}_part, {len(parts)}u}};\n\n"
            f"const tc_sdf {name} = TC_SDF_DATA(tc_sdf_union, &{name}_parts);\n")


def write(prefix, make, what):
    """Writes PREFIX.c and PREFIX.h of make(name) -> C; their paths."""
    from .. import __version__
    prefix = Path(prefix)
    name = c_name(prefix.name)
    header, source = (prefix.with_name(prefix.name + end) for end in (".h", ".c"))
    head = HEAD.format(what=what.replace("*/", ""), version=__version__)
    guard = f"{name.upper()}_H"
    text = (f"{head}#ifndef {guard}\n#define {guard}\n\n#include \"tc_sdf.h\"\n\nTC_BEGIN\n\n"
            f"extern const tc_sdf {name};\n\nTC_END\n\n#endif\n")
    body = f"{head}#include \"{header.name}\"\n\n{make(name)}"
    write_whole(header, text.encode("ascii", "replace"))
    write_whole(source, body.encode("ascii", "replace"))
    return source, header
