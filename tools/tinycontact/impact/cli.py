# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""tinycontact impact solve: contact problems with friction of a JSON file."""
from ..answers import add_files, read_list, solve_list
from .cone import STATUSES, solver

DESCRIPTION = """Solve contact problems with Coulomb friction with the library's own solver:
minimise |w|^2 over w = w0 + G'f, with every contact's impulse in its friction cone. The input is a
list of problems, or one; the output lists the answers in the same order."""
EPILOG = """PROBLEMS.json: [{"name", "dim", "n", "G", "w0", "mu", "floor"}, ...]
  dim    2 in the plane, 3 in space: rows per contact
  n      number of contacts, up to 16 in the plane and 8 in space
  G      n dim rows of d numbers, or all in row-major order; of each contact the normal first
  w0     d numbers, up to 32: velocity before, whitened
  mu     n coefficients of friction
  floor  n lower bounds of the normal impulses, or null
  compliance  optional: n numbers, velocity per impulse of the contact itself
with --restitution instead of floor:
  e      n coefficients of restitution, 0 to 1, or null: 0
  w_star d numbers: the velocity that takes penetration out, or null: 0
ANSWERS.json: [{"name", "status", "u", "w", "f", "kinds", "residual", "margin", "error"}, ...]
  status    one of
    solved         certified
    limit          float32 gets no nearer: the best impulses and their residual; or error > 1/16
    not_certified  no answer is precise enough; u, w, f are 0
    bad_input      the entry is faulty; "message" names the field; u, w, f are 0
  u, f      n dim velocities and impulses at the contacts
  w         d numbers: velocity after
  kinds     per contact open, stick, slip, floor_stick or floor_slip
  residual  of the certificate; solved: at most 3.8e-6, with --double 1e-11
  margin    smallest distance of a contact to another kind
  error     the residual relative to the velocities that come in
  u_c, f_c  with --restitution: after compression; u, w are then after both phases, f restitution's
The exit status is 0 when the list was processed, unsolved problems included. If the file cannot be
read or holds no problems, it is 2 and nothing is written.

example:
  echo '{"name": "ball", "dim": 2, "n": 1, "G": [[1, 0], [0, 1]], "w0": [-1, 0.2],
         "mu": [0.5], "floor": null}' > problems.json
  tinycontact impact solve problems.json -o answers.json"""


def add_solve(p):
    p.description, p.epilog = DESCRIPTION, EPILOG
    add_files(p)
    p.add_argument("--restitution", action="store_true",
                   help="solve compression and restitution, with the fields e and w_star")
    p.add_argument("--double", action="store_true", help="compute in float64 instead of float32")
    p.set_defaults(run=run_solve)


def answer(by, entry, restitution):
    """The answer to one entry of the list, as plain values, its name first."""
    name = entry.get("name") if isinstance(entry, dict) else None
    if not isinstance(name, (str, int, type(None))):
        return {"name": None, **by.bad("name: is neither text nor a whole number", entry, restitution).as_json()}
    return {"name": name, **by.solve(entry, restitution).as_json()}


def run_solve(options):
    by = solver(options.double)
    solve_list(options, read_list(options.file, one=True), lambda entry: answer(by, entry, options.restitution),
               STATUSES)
