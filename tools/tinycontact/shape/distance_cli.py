# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""tinycontact shape distance: distances of posed pairs of shapes from a JSON file."""
from pathlib import Path

from ..answers import add_files, read_list, solve_list

EPILOG = """PROBLEMS.json is a list of {"name", "a", "b", "Ra", "xa", "Rb", "xb"}: two shapes, and their
rotations (3 x 3, body to world) and positions [m]. docs/reference/shape-file.md has the shapes.
The answers are a list of {"name", "status", "distance", "normal", "point"}, world axes.

distance is b's signed distance at the point of a where that is lowest; it is negative where a is
sunk into b. A union's distance is the lowest of its parts'. normal points out of b. With
--translation, convex pairs have the length of the shortest translation that parts them.

status is solved, limit (the best point found), overlap (a holds the middle of b: the distance is
minus the depth of b) or bad_input (with a message).

example:
  tinycontact shape distance pairs.json -o answers.json"""


def add(p):
    p.description = "Compute the distances of posed pairs of shapes."
    p.epilog = EPILOG
    add_files(p)
    p.add_argument("--translation", action="store_true",
                   help="sunk convex pairs: the shortest translation that parts them")
    p.set_defaults(run=run)


def run(options):
    from .distance import STATUSES, Solver
    solver = Solver("translation" if options.translation else "deepest", Path(options.file).parent)
    solve_list(options, read_list(options.file), lambda entry: solver.answer(entry).as_json(), STATUSES)
