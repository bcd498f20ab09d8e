# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""An identified body as a pair of C files: constants, and a function that makes a tc_foot3 of them.

    export("firmware/cube", body, step=1e-3)     # firmware/cube.c, firmware/cube.h

The numbers are those of the roll-outs on this machine (roll.settings), in float32, as hexadecimal literals: firmware that
steps by the same time has their bits.
"""
import platform
from pathlib import Path

import numpy as np

from ..cexport import c_float, c_name
from ..model import write_whole
from . import roll, rotation

PER_LINE = 4


def _number(value):
    return c_float(np.float32(value))


def _numbers(values):
    return ", ".join(_number(value) for value in np.ravel(values))


def _lines(values, indent="    "):
    words = [_number(value) for value in np.ravel(values)]
    return "\n".join(f"{indent}{', '.join(words[k:k + PER_LINE])}," for k in range(0, len(words), PER_LINE))


def _stamp(body, toss, command):
    from .. import __version__
    kind = "with a learned residual of friction" if any(toss.gain) else "constants alone"
    stiff = f"compliant, {toss.stiffness:.6g} N/m" if toss.stiffness else "rigid"
    name = (body.name or "a body").encode("ascii", "replace").decode().replace("*/", "*")
    told = command.encode("ascii", "replace").decode().replace("*/", "*")
    return f"""/*
 * An identified body: {name}, {len(toss.vertices)} vertices, {toss.mass:.6g} kg, contacts {stiff}, {kind}.
 *
 * Identified from {body.tosses} tosses.
 * Made by tinycontact {__version__}, numpy {np.__version__}, Python {platform.python_version()}: do not edit.
 * {told}
 */
"""


def _header(base, body, toss, stamp):
    upper = base.upper()
    return f"""{stamp}#ifndef {upper}_H
#define {upper}_H

#include "tc_foot3.h"
#include "tc_friction3.h"

TC_BEGIN

/* A state of the library is that of the centre of mass and the principal axes. The tag, whose poses
 * the log has, is at the orientation q {base}_axes and at the position x - R(q {base}_axes) {base}_centre. */
#define {upper}_VERTICES {len(toss.vertices)}
#define {upper}_STEP {_number(toss.step)} /* [s] */
#define {upper}_WORK TC_FOOT3_WORK(TC_FRICTION3_WORK) /* tc_real for tc_foot3_step */

extern const tc_body3 {base}_body;                     /* [kg], principal moments [kg m^2] */
extern const tc_real {base}_vertices[3 * {upper}_VERTICES]; /* from the centre of mass, principal axes [m] */
extern const tc_real {base}_centre[3];                 /* centre of mass, tag axes [m] */
extern const tc_real {base}_axes[4];                   /* w, x, y, z: tag axes to principal axes */
extern const tc_plane3 {base}_plane;                   /* the floor */
extern const tc_compliance {base}_compliance;          /* [N/m], [N s/m], [s/m] */
extern const tc_friction3 {base}_friction;             /* of {upper}_STEP */
extern const tc_real {base}_force[6];                  /* weight, for tc_foot3_step [N], [N m] */

/* Makes a foot of these constants; it keeps pointers to them. The caller may change `plane`, and
 * then calls tc_foot3_check.
 * Returns: the statuses of tc_foot3_init and tc_foot3_check.
 * On error: tc_foot3_step refuses the foot. */
tc_status {base}_init(tc_foot3 *foot);

TC_END

#endif
"""


def _source(base, header, body, toss, stamp):
    upper, size = base.upper(), float(np.linalg.norm(toss.gravity))
    weight = [*(toss.mass * g for g in toss.gravity), 0.0, 0.0, 0.0]
    scheme = f"TC_SCHEME_{toss.positions.upper()}"
    return f"""{stamp}#include "{header}"

const tc_body3 {base}_body = {{
    .mass = {_number(toss.mass)},
    .inertia = {{{_numbers(toss.inertia)}}},
}};

const tc_real {base}_vertices[3 * {upper}_VERTICES] = {{
{_lines(toss.vertices)}
}};

const tc_real {base}_centre[3] = {{{_numbers(body.centre)}}};
const tc_real {base}_axes[4] = {{{_numbers(rotation.conjugate(body.axes) + 0.0)}}};

const tc_plane3 {base}_plane = {{
    .normal = {{{_numbers(toss.normal)}}},
    .offset = {_number(toss.offset)},
}};

const tc_compliance {base}_compliance = {{
    .stiffness = {_number(toss.stiffness)},
    .damping = {_number(toss.damping)},
    .slope = {_number(toss.slope)},
}};

const tc_friction3 {base}_friction = {{
    .mu = {{{_numbers(toss.mu)}}},
    .weight = {_number(size * toss.step)},
    .gain = {{{_numbers(toss.gain)}}},
    .slip = {{{_numbers(toss.slip_weight)}}},
    .load = {{{_numbers(toss.load_weight)}}},
    .bias = {{{_numbers(toss.bias)}}},
}};

const tc_real {base}_force[6] = {{
{_lines(weight)}
}};

tc_status {base}_init(tc_foot3 *foot)
{{
    const tc_learned3_model model = tc_friction3_model(&{base}_friction);
    const tc_status status = tc_foot3_init(foot, &{base}_body, {upper}_STEP, &model);
    if (status < TC_OK) {{
        return status;
    }}
    foot->shape.vertices = {base}_vertices;
    foot->shape.count = {upper}_VERTICES;
    foot->shape.radius = {_number(toss.radius)};
    foot->plane = {base}_plane;
    foot->compliance = {base}_compliance;
    foot->restitution = {_number(toss.restitution)};
    foot->positions = {scheme};
    return tc_foot3_check(foot);
}}
"""


def export(prefix, body, step=roll.STEP, command=""):
    """Writes <prefix>.c and <prefix>.h; the paths."""
    prefix, toss = Path(prefix), roll.settings(body, step)
    base, stamp = c_name(prefix.name), _stamp(body, toss, command)
    header, source = (prefix.with_name(prefix.name + end) for end in (".h", ".c"))
    write_whole(header, _header(base, body, toss, stamp).encode("ascii"))
    write_whole(source, _source(base, header.name, body, toss, stamp).encode("ascii"))
    return source, header
