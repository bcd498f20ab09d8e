#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Renders the tables of docs/reference/costs.md from tests/measured.csv.

The tables stand between the lines  <!-- costs:begin -->  and  <!-- costs:end -->  of the page. Without an
option they are printed; --write replaces them, --check fails if the page shows others.
"""

import argparse
import difflib

import common

BEGIN, END = "<!-- costs:begin -->", "<!-- costs:end -->"
BOARDS = (("mps2-an386", "M4F"), ("mps2-an500", "M7"), ("mps3-an547", "M55"))
NET = "8-32-32-16-3"

# (what it is called, item without its size and variant, sizes, calls in one measurement)
ROWS = (
    ("A B", "mat_mul", ("3", "6", "12", "32"), 1),
    ("A x", "mat_vec", ("3", "6", "12", "32"), 1),
    ("Cholesky", "cholesky", ("3", "6", "12", "32"), 1),
    ("L x = b", "solve_lower", ("3", "6", "12", "32"), 1),
    ("A⁻¹, symmetric", "inverse_spd", ("3", "6", "12"), 1),
    ("net, ReLU, float", "mlp_relu_f32", (NET,), 1),
    ("net, tanh, float", "mlp_tanh_f32", (NET,), 1),
    ("net, ReLU, int8 weights", "mlp_relu_i8", (NET,), 1),
    ("net, ReLU, int8", "mlp_relu_i8act", (NET,), 1),
    ("net, tanh, int8", "mlp_tanh_i8act", (NET,), 1),
    ("net, tanh, float, with input gradient", "mlp_tanh_f32_grad", (NET,), 1),
    ("softmax", "softmax", ("3", "8", "32"), 1),
    ("tanh", "tanh", ("64",), 64),
    ("sigmoid", "sigmoid", ("64",), 64),
    ("softplus", "softplus", ("64",), 64),
    ("exp", "exp", ("64",), 64),
    ("log", "log", ("64",), 64),
    ("sin", "sin", ("64",), 64),
    ("atan2", "atan2", ("64",), 64),
    ("normal distribution", "distribution", ("64",), 64),
    ("normal density", "density", ("64",), 64),
    ("their ratio", "ratio", ("64",), 64),
    ("patch of a polyhedron, all vertices touch", "detect3_face", ("8", "16", "64"), 1),
    ("step of a ball that bounces, CD-Lagrange", "cdl_ball_bounce", ("1",), 1),
    ("step of two pendulums that strike", "cdl_cradle_strike", ("2",), 1),
    ("step of a row of bodies, all pairs strike", "cdl_row", ("8", "64"), 1),
    ("the same, all at once", "cdl_heap", ("8",), 1),
    ("step by nets of potential and contact, units", "cdl_nets_softplus", ("32", "500"), 1),
    ("next contact of a leg, 20 steps ahead, joints", "estimator_predict", ("2",), 1),
    ("momentum observer of a leg, joints", "momentum_update", ("2", "6"), 1),
)
# Functions whose cost depends on the numbers: (what it is called, item, sizes)
DRAWN = (
    ("step of a planar body, point patch, nets", "foot2_step_point", ("16-16", "32-32-16")),
    ("step of a planar body, edge patch, nets", "foot2_step_edge", ("16-16", "32-32-16")),
    ("step of a planar body, point patch, scheme toc, nets", "foot2_step_point_toc", ("16-16",)),
    ("step of a planar body, point patch, scheme gap, nets", "foot2_step_point_gap", ("16-16",)),
    ("step of a box, point patch, nets", "foot3_step_point", ("4+8-8",)),
    ("step of a box, edge patch, nets", "foot3_step_edge", ("4+8-8",)),
    ("step of a box, face patch, nets", "foot3_step_face", ("4+8-8",)),
    ("step of a box, face patch, scheme gap, nets", "foot3_step_gap", ("16-16",)),
    ("step of a box, nearly flat, scheme toc, nets", "foot3_step_toc", ("16-16",)),
    ("step of a chain, its last link on a point, links", "limb2_step_point", ("3",)),
    ("step of a chain, its last link on an edge, links", "limb2_step_edge", ("3",)),
    ("step of a chain, first touch, links", "limb2_step_first", ("3",)),
    ("step of a chain, the longest way through, links", "limb2_step_bound", ("3",)),
    ("contact of a leg estimated, joints", "estimator_update", ("2", "6")),
    ("the same after a lost frame", "estimator_update_lost", ("2",)),
    ("the same after too many, from the beginning", "estimator_update_restart", ("2",)),
    ("patch of a polygon, vertices", "detect2", ("4", "16", "64")),
    ("LCP, M regular", "lcp_spd", ("2", "3", "4", "6", "8", "12")),
    ("LCP, M rank-deficient", "lcp_psd", ("2", "3", "4", "6", "8", "12")),
    ("the same, warm start", "lcp_psd_warm", ("2", "3", "4", "6", "8", "12")),
    ("LCP from J, planar body", "lcp_body2", ("6", "8", "12")),
    ("LCP from J, spatial body", "lcp_body3", ("6", "8", "12")),
    ("LCP, any M (Lemke)", "lcp_general", ("2", "4", "6", "12")),
    ("friction in the plane, contacts", "cone2", ("1", "2", "4", "8")),
    ("the same with floors, for restitution", "cone2_restitution", ("1", "2", "4", "8")),
    ("friction in space, contacts", "cone3", ("1", "2", "4", "8")),
    ("the same with floors, for restitution", "cone3_restitution", ("1", "4", "8")),
    ("friction at a box's corners, contacts", "cone3_box", ("4", "8")),
    ("the same, warm start", "cone3_box_warm", ("4", "8")),
    ("the same with floors, for restitution", "cone3_box_restitution", ("4", "8")),
    ("derivatives of friction in the plane, contacts", "cone2_adjoint", ("1", "2", "4", "8")),
    ("derivatives of friction in space, contacts", "cone3_adjoint", ("1", "2", "4", "8")),
    ("impact of a box, both phases, contacts", "impact3_box", ("1", "4", "8")),
    ("the same, Coulomb's friction", "impact3_box_coulomb", ("1", "4")),
    ("derivatives of an impact of a box, contacts", "impact3_box_adjoint", ("4", "8")),
    ("floor identified, one impact", "identify_update", ("body2", "body3", "mover")),
    ("A x = b, semi-definite", "psd_solve", ("3", "6", "12")),
)
SEEN = f"{BOARDS[0][1]} worst seen"
VARIANTS = (("unchecked", ("forward", "fixed", "kernel")), ("checked", ("public",)), ("peer", ("cmsis", "newlib")))


def cell(measured, item, variants, board, profile, calls):
    """'instructions (cycles)' of the first variant that was measured; '-' if none was."""
    found = [
        (value, measured.get(("cycles", *key[1:]), 0))
        for variant in variants
        if (value := measured.get(key := ("instructions", f"{item}/{variant}", board, profile))) is not None
    ]
    if not found:
        return "–"
    instructions, cycles = found[0]
    return f"{per_call(instructions, calls)} ({per_call(cycles, calls)})"


def per_call(value, calls):
    return str((value + calls // 2) // calls)


def seen(measured, item, profile):
    """The worst that was hunted down (tests/hunt), or that the bench drew if that is more; '–' if nobody hunted."""
    hunted, drawn = (
        measured.get(("instructions", f"{item}/public-{variant}", BOARDS[0][0], profile)) for variant in ("seen", "worst")
    )
    return "–" if hunted is None else str(max(hunted, drawn or 0))


def cost_lines(measured, profile):
    boards = [(board, core) for board, core in BOARDS if any(key[2:] == (board, profile) for key in measured)]
    if not boards:
        raise common.Fault(
            f"nothing was measured in the profile '{profile}' on {', '.join(b for b, _ in BOARDS)}"
        )
    titles = [f"{core} {title}" for _, core in boards for title, _ in VARIANTS] + [SEEN]
    lines = ["| | n | " + " | ".join(titles) + " |", "|---|---|" + "---:|" * len(titles)]
    for title, item, sizes, calls in ROWS:
        for size in sizes:
            cells = [
                cell(measured, f"{item}/{size}", variants, board, profile, calls)
                for board, _ in boards
                for _, variants in VARIANTS
            ]
            cells.append(seen(measured, f"{item}/{size if calls == 1 else 1}", profile))
            if any(c != "–" for c in cells):
                lines.append(f"| {title} | {'' if calls > 1 else size} | " + " | ".join(cells) + " |")
    return lines


def drawn_lines(measured, profile):
    """Median and worst of the bench's draws, and the worst of all that was seen."""

    def value(item, variant, board):
        return str(measured.get(("instructions", f"{item}/public-{variant}", board, profile), "–"))

    titles = [*(core for _, core in BOARDS), SEEN]
    lines = ["| | n | " + " | ".join(titles) + " |", "|---|---|" + "---:|" * len(titles)]
    for title, stem, sizes in DRAWN:
        for size in sizes:
            item = f"{stem}/{size}"
            pairs = [(value(item, "median", board), value(item, "worst", board)) for board, _ in BOARDS]
            cells = ["–" if pair == ("–", "–") else " / ".join(pair) for pair in pairs]
            cells.append(seen(measured, item, profile))
            if any(c != "–" for c in cells):
                lines.append(f"| {title} | {size} | " + " | ".join(cells) + " |")
    return lines if len(lines) > 2 else []


def memory_lines(measured, profile):
    """Largest stack of a public function, flash of the whole library, and footprints."""
    lines = ["| | " + " | ".join(core for _, core in BOARDS) + " |", "|---|" + "---:|" * len(BOARDS)]
    items = sorted({key[1] for key in measured if key[0] == "footprint"})
    rows = [
        ("deepest stack of any function [bytes]", "stack", None),
        ("whole library, flash [bytes]", "flash", "total"),
    ]
    rows += [(f"linked for {item.replace('_', ' ')} [bytes]", "footprint", item) for item in items]
    for title, kind, item in rows:
        cells = []
        for board, _ in BOARDS:
            values = [
                (value, key[1])
                for key, value in measured.items()
                if key[0] == kind and key[2:] == (board, profile) and item in (None, key[1])
            ]
            largest = max(values, default=None)
            cells.append(
                "–" if not largest else f"{largest[0]}" + (f" (`{largest[1]}`)" if kind == "stack" else "")
            )
        if any(c != "–" for c in cells):
            lines.append(f"| {title} | " + " | ".join(cells) + " |")
    return lines if len(lines) > 2 else []


def render(measured, profile):
    note = (
        f"Executed instructions (estimated cycles) per call, profile `{profile}`, warm, under QEMU. *worst\n"
        "seen*: the largest count that a search over inputs of the public function (`tests/hunt`) or the\n"
        "draws have found. The first table has functions whose count depends on the values, as median / worst\n"
        "of 20 or 40 draws:"
    )
    fixed = (
        "*unchecked*: without border checks; *checked*: the public function; *peer*: CMSIS-DSP for matrices\n"
        "and nets (with newlib's tanhf), newlib for elementary functions. Elementary functions run in a loop\n"
        "of 64; the loop is counted:"
    )
    parts = (
        [note],
        drawn_lines(measured, profile),
        [fixed],
        cost_lines(measured, profile),
        memory_lines(measured, profile),
    )
    return "\n".join([BEGIN, "\n\n".join("\n".join(part) for part in parts if part), END])


def options():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--measured", required=True, metavar="CSV", help="tests/measured.csv")
    parser.add_argument("--page", metavar="FILE")
    parser.add_argument("--profile", default="exact")
    mode = parser.add_mutually_exclusive_group()
    mode.add_argument("--check", action="store_true")
    mode.add_argument("--write", action="store_true")
    args = parser.parse_args()
    if (args.check or args.write) and not args.page:
        parser.error("--check and --write need --page")
    return args


def main():
    args = options()
    table = render(common.read_measured(args.measured), args.profile)
    if not (args.check or args.write):
        print(table)
        return 0
    text = common.read_text(args.page)
    start, end = common.between(text, BEGIN, END, args.page)
    if args.write:
        common.write_text(args.page, text[:start] + table + text[end:])
        return 0
    if text[start:end] != table:
        diff = difflib.unified_diff(
            text[start:end].splitlines(), table.splitlines(), args.page, args.measured, lineterm=""
        )
        print("\n".join(list(diff)[:20]))
        raise common.Fault(
            f"{args.page}: its cost table is not what {args.measured} says; table.py --write renews it"
        )
    print(f"{args.page}: the cost table agrees with {args.measured}")
    return 0


if __name__ == "__main__":
    common.main(main)
