# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""A planar body with its contact model as firmware: constants, an initialisation, and an application that throws it.

    plan = Plan.of(model, "dart", throws)            # model: a contact.ContactModel; throws as rows of THROWS.json
    write(folder, "foot", model, plan)               # foot.h, foot.c, foot_nets.h, foot_nets.c, main.c
    differences(plan, on_board("mps2-an386", model, plan))   # [] : the board's bits are this machine's

The application follows each throw for as many steps as it took here, and prints where it ends and a hash of every
state on the way (FNV-1a over the words of position and velocity).
"""
import hashlib
import re
import shutil
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from .build import make, repository
from .cexport import c_float, c_name, export_c
from .contact import STEP
from .errors import TinycontactError
from .model import load_with_info, write_whole
from .record import POSITIONS
from .sim import throws as sim

MOST_STEPS = 10000
FNV_START, FNV_PRIME = 2166136261, 16777619
END = re.compile(r"^end (\d+) (\d+)((?: \S+){6}) (0x[0-9a-f]{8})\s*$", re.M)
FIELDS = ("x", "y", "theta", "vx", "vy", "omega")


@dataclass(frozen=True)
class Thrown:
    """A throw: its start and end (x, y, theta, vx, vy, omega in float32), its steps, and the hash of its states."""
    start: np.ndarray
    steps: int
    end: np.ndarray
    hash: int


@dataclass(frozen=True)
class Plan:
    positions: str
    throws: list

    @classmethod
    def of(cls, model, positions, rows):
        handle = model.opened_as(positions)
        return cls(positions, [_thrown(handle, row, k) for k, row in enumerate(rows)])


def fnv(words):
    """FNV-1a, a word at a time, as the application has it."""
    value = FNV_START
    for word in words:
        value = (value ^ int(word)) * FNV_PRIME & 0xFFFFFFFF
    return value


def _thrown(handle, row, k):
    position, velocity = sim.starts([row])
    start = np.concatenate([position[0], velocity[0]])
    path = np.zeros(MOST_STEPS + 1, STEP)
    done = handle.throw(start, path)
    if done.status < 0:
        raise TinycontactError(f"throw {k}: tc_foot2_step returned {done.status}")
    states = np.hstack([path["position"], path["velocity"]])[1:done.steps + 1].astype(np.float32)
    end = np.array(list(done.state), np.float32)
    return Thrown(start.astype(np.float32), done.steps, end, fnv(states.view(np.uint32).ravel()))


def _numbers(values):
    return ", ".join(c_float(np.float32(value)) for value in np.ravel(values))


def _stamp(model):
    from . import __version__
    return (f"/*\n * {model.path}: a planar body and its contact model,\n * {model.trained_for()}.\n *\n"
            f" * Made by tinycontact {__version__}: do not edit.\n */\n").replace("*/ ", "")


def _header(base, model):
    upper, body = base.upper(), model.body
    return f"""{_stamp(model)}#ifndef {upper}_H
#define {upper}_H

#include "{base}_nets.h"
#include "tc_foot2.h"

TC_BEGIN

#define {upper}_STEP {c_float(np.float32(model.body.h))} /* [s], the time step of the training */
#define {upper}_VERTICES {len(body.vertices)}u
#define {upper}_WORK {upper}_NETS_STEP_WORK /* tc_real for tc_foot2_step */

extern const tc_real {base}_vertices[2u * {upper}_VERTICES]; /* from the centre of mass [m] */
extern const tc_real {base}_force[3];                        /* weight, for tc_foot2_step [N], [N m] */

/* Makes the foot; it keeps pointers to these constants.
 * Returns: the statuses of tc_foot2_open_const and tc_foot2_check.
 * On error: tc_foot2_step refuses the foot. */
tc_status {base}_init(tc_foot2 *foot);

TC_END

#endif
"""


def _source(base, model, positions):
    body, upper = model.body, base.upper()
    scheme = ("TC_SCHEME_DART", "TC_SCHEME_TOC", "TC_SCHEME_GAP")[POSITIONS.index(positions)]
    weight = [np.float32(body.lean) * np.float32(body.mass), -body.mass * body.g, 0.0]
    return f"""{_stamp(model)}#include "{base}.h"

const tc_real {base}_vertices[2u * {upper}_VERTICES] = {{
    {_numbers(body.vertices)}}};
const tc_real {base}_force[3] = {{{_numbers(weight)}}};

static const tc_body2 {base}_body = {{{_numbers([body.mass, body.inertia])}}}; /* [kg], [kg m^2] */

tc_status {base}_init(tc_foot2 *foot)
{{
    const tc_status status = tc_foot2_open_const(foot, &{base}_nets_model, &{base}_body, {upper}_STEP);
    if (status < TC_OK) {{
        return status;
    }}
    foot->shape = (tc_shape2){{{base}_vertices, {upper}_VERTICES, {c_float(np.float32(body.radius))}}};
    foot->restitution = {c_float(np.float32(body.restitution))};
    foot->positions = {scheme};
    return tc_foot2_check(foot);
}}
"""


def _main(base, plan):
    rows = "".join(f"    {{{{{_numbers(throw.start[:3])}}}, {{{_numbers(throw.start[3:])}}}}},\n" for throw in plan.throws)
    steps = ", ".join(f"{throw.steps}u" for throw in plan.throws)
    return f"""/*
 * Throws the body and prints, for each throw,
 *     end <throw> <steps> <x> <y> <theta> <vx> <vy> <omega> <hash of all states on the way>
 *
 * Build and run:  make run BOARD=mps2-an386 APP=<this folder>
 */
#include "board.h"
#include "{base}.h"

#include <string.h>
#include <tinycontact.h>

/* x, y [m], theta [rad]; their rates */
static const tc_body2_state starts[{len(plan.throws)}] = {{
{rows}}};
static const uint32_t steps[{len(plan.throws)}] = {{{steps}}}; /* until rest */

static uint32_t hashed(uint32_t hash, const tc_real *numbers)
{{
    for (uint32_t i = 0; i < 3u; ++i) {{
        uint32_t word;
        memcpy(&word, &numbers[i], sizeof word);
        hash = (hash ^ word) * {FNV_PRIME}u;
    }}
    return hash;
}}

static void print_numbers(const tc_real *numbers)
{{
    for (uint32_t i = 0; i < 3u; ++i) {{
        board_print(" ");
        board_print_real(numbers[i]);
    }}
}}

int app_main(void)
{{
    static tc_real work[{base.upper()}_WORK];
    static tc_foot2 foot;
    tc_status status = {base}_init(&foot);
    for (uint32_t k = 0; status >= TC_OK && k < TC_COUNT(starts); ++k) {{
        tc_body2_state state = starts[k];
        uint32_t hash = {FNV_START}u;
        for (uint32_t i = 0; status >= TC_OK && i < steps[k]; ++i) {{
            status = tc_foot2_step(&foot, {base}_force, &state, NULL, work, TC_COUNT(work)); /* the 1 kHz call */
            hash = hashed(hashed(hash, state.position), state.velocity);
        }}
        board_print("end ");
        board_print_u32(k);
        board_print(" ");
        board_print_u32(steps[k]);
        print_numbers(state.position);
        print_numbers(state.velocity);
        board_print(" ");
        board_print_hex(hash);
        board_print("\\n");
    }}
    board_print(status < TC_OK ? "failed: " : "done: ");
    board_print(tc_status_text(status));
    board_print("\\n");
    return status < TC_OK;
}}
"""


def write(folder, name, model, plan, core="cortex-m4"):
    """The files' paths. `name` begins the names in them."""
    folder, base = Path(folder), c_name(name)
    folder.mkdir(parents=True, exist_ok=True)
    nets = export_c(load_with_info(model.path)[0], folder / f"{base}_nets", core)
    texts = {f"{base}.h": _header(base, model), f"{base}.c": _source(base, model, plan.positions), "main.c": _main(base, plan)}
    for file, text in texts.items():
        write_whole(folder / file, text.encode("ascii", "replace"))
    return [*nets, *(folder / file for file in texts)]


def _core_of(board):
    """What weights are arranged for on a board."""
    from .cli_board import boards
    found = boards()
    if board not in found:
        raise TinycontactError(f"--board {board}: no such board; boards are {', '.join(found)}")
    return {"cortex-m55": "helium", "cortex-m4": "cortex-m4", "cortex-m7": "cortex-m4", "cortex-m33": "cortex-m4"}.get(
        found[board][0], "portable")


def on_board(board, model, plan):
    """[(steps, end [6] float32, hash)] of each throw, by the exported application on a board."""
    core = _core_of(board)
    key = hashlib.sha256(repr((board, model.hash, plan)).encode()).hexdigest()[:12]
    folder = Path("build") / "throws" / key
    where = repository("firmware for a body") / folder
    shutil.rmtree(where, ignore_errors=True)
    where.mkdir(parents=True)
    try:
        write(where, "thrown", model, plan, core)
        said = "\n".join(make(f"the throws for {board}", "run", f"BOARD={board}", f"APP={folder}"))
    finally:
        shutil.rmtree(where, ignore_errors=True)
    ends = END.findall(said)
    if len(ends) != len(plan.throws):
        raise TinycontactError(f"{board}: {len(ends)} of {len(plan.throws)} throws came back; it said\n{said[-800:]}")
    return [(int(steps), np.array(numbers.split(), np.float32), int(hashed, 16)) for _, steps, numbers, hashed in ends]


def differences(plan, ends):
    """What differs between this machine and a board, in words; [] if every bit agrees."""
    told = []
    for k, (throw, (steps, end, hashed)) in enumerate(zip(plan.throws, ends)):
        field = next((i for i in range(6) if end[i].view(np.uint32) != throw.end[i].view(np.uint32)), None)
        if field is not None:
            told.append(f"throw {k}, {FIELDS[field]} after {steps} steps: the board {end[field]!s}, this machine {throw.end[field]!s}")
        elif hashed != throw.hash:
            told.append(f"throw {k}: ends alike, but a state on the way differs")
    return told
