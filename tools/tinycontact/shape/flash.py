# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""A shape as a pair of C files: constants for flash, as tc_sdf.h has them."""
from pathlib import Path

import numpy as np

from .. import cexport
from ..cexport import c_name
from ..errors import TinycontactError
from ..model import write_whole

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


def _stored(name, error, inertia):
    """(definition of the mass properties, initialiser of a tc_sdf_stored)."""
    if inertia is None:
        return "", f"{{{c_float(error)}, NULL}}"
    numbers = [", ".join(c_float(value) for value in three) for three in (inertia[4:7], inertia[7:])]
    text = (f"static const tc_sdf_inertia {name}_inertia = {{\n    {c_float(inertia[0])},\n"
            f"    {_three(inertia[1:4])},\n    {{{numbers[0]},\n     {numbers[1]}}},\n}};\n\n")
    return text, f"{{{c_float(error)}, &{name}_inertia}}"


def of_grid(grid, name):
    """C of a tc_sdf called `name`."""
    mass = grid.mass.get("per_density")
    before, stored = _stored(name, grid.error.get("bound", 0.0), mass)
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


def of_primitive(shape, name, where):
    from .primitives import KINDS
    kind = shape.get("kind")
    if kind not in KINDS:
        raise TinycontactError(f"{where}, field kind: {kind!r} cannot be made C; one of"
                               f" {', '.join(KINDS)}, grid, terrain can")
    KINDS[kind](shape, where)   # checks the sizes
    sizes = {"sphere": ("r",), "capsule": ("r", "half"), "cylinder": ("r", "half", "rounding")}
    values = ([*shape["h"], shape.get("r", 0)] if kind == "box"
              else [shape.get(size, 0) for size in sizes[kind]])
    numbers = ", ".join(c_float(value) for value in values)
    return f"const tc_sdf {name} = TC_SDF_{kind.upper()}({numbers});\n"


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
