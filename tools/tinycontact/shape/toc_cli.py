# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""tinycontact shape toc: times of contact of moving shapes from a JSON file."""
from pathlib import Path

from ..answers import add_files, read_list, solve_list

EPILOG = """PROBLEMS.json is a list of {"name", "shape", "ground", "quat_wxyz", "x", "v", "w", "g", "step"}.
The shape moves with x(h) = x + v h - g h^2/2 e_z and R(h) = exp(h [w]) R, world axes; w and g are 0
by default. The ground stands still at the world's origin. docs/reference/shape-file.md has the
shapes. The answers are a list of {"name", "status", "h", "dh_dr", "dh_dx", "dh_dv", "dh_dw", ...}.

h is the first time in (0, step] at which the shapes touch [s]. dh_dr is its derivative by the
rounding, core fixed; dh_dx, dh_dv and dh_dw are those by x, v and w. Points that touch at once
share one derivative, the mean by least squares.

status is contact, grazing (they touch at less than 1.2 degrees: derivatives are not reliable), none
(they stay apart), inside (they are sunk at h = 0), limit (12 detections did not resolve the time)
or bad_input (with a message).

example:
  tinycontact shape toc cases.json -o answers.json"""


def add(p):
    p.description = "Compute when moving shapes first touch within a step."
    p.epilog = EPILOG
    add_files(p)
    p.set_defaults(run=run)


def run(options):
    from .toc import STATUSES, Solver
    solver = Solver(Path(options.file).parent)
    solve_list(options, read_list(options.file), lambda entry: solver.answer(entry).as_json(), STATUSES)
