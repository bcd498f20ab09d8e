# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""tinycontact plan pair: barriers between pairs of convex sets of a JSON file."""
from ..answers import add_files, read_list, solve_list

DESCRIPTION = """Compute the barrier between pairs of convex sets with the library. An answer has the value, the
plane between the sets, and first and second derivatives by both bodies' motions. The input is a
list of pairs, or one; the output lists the answers in the same order."""
EPILOG = """PAIRS.json: [{"name", "A", "B", "radius_A", "radius_B", "centre_A", "centre_B"}, ...]
  A, B       points of each set [m], world axes: 1 to 64 of 3 numbers, or of 2 in the plane
  radius_A, radius_B   rounding of each set [m]; default 0
  centre_A, centre_B   points about which the bodies turn; default: the mean of the points
  name       optional, handed on
ANSWERS.json: [{"name", "status", "value", "plane", "gap", "gradient", "hessian_lower",
                "newton"}, ...]
  status     one of
    ok         done
    limit      Newton's steps ended first; the best plane found
    rounding   the gap is below 1e-4 of the size: the largest |point - centre| + radius
    touching   no plane separates the sets; the numbers are null
    bad_input  the entry is faulty; "message" names the field; the numbers are null
  value      A + Q + kappa 2 sqrt(A Q) / sqrt(1 + length Q) [1/m]; Q goes to infinity at touch
  plane      n and d of <x, n> + d, which is 0 on the plane and positive at A; n is shorter than 1
  gap        separation of the sets along n [m], a lower bound of their distance
  gradient   by t_A, theta_A, t_B, theta_B: 12 numbers, in the plane 6;
             a vertex x moves as c + t + exp([theta]) (x - c) about its centre c
  hessian_lower  the lower triangle by rows: 78 numbers, in the plane 21
  newton     steps of Newton's method
The exit status is 0 when the list was processed, touching pairs included. If the file cannot be
read or holds no pairs, it is 2 and nothing is written.

example:
  echo '[{"A": [[0, 0], [1, 0], [1, 1], [0, 1]], "B": [[3, 0.5]], "radius_B": 0.5}]' > pairs.json
  tinycontact plan pair pairs.json -o answers.json"""


def add_pair(p):
    p.description, p.epilog = DESCRIPTION, EPILOG
    add_files(p)
    p.add_argument("--double", action="store_true", help="compute in float64 instead of float32")
    p.add_argument("--A", type=float, default=12.0, metavar="A", help="weight of the plane's length; default 12")
    p.add_argument("--kappa", type=float, default=1.0, metavar="K", help="factor of the far part; default 1")
    p.add_argument("--length", type=float, default=0.0, metavar="L",
                   help="bound of the far part [m], larger is weaker near touch; default 0: none")
    p.set_defaults(run=run_pair)


def answer(by, entry, model):
    """The answer to one entry of the list, as plain values, its name first."""
    name = entry.get("name") if isinstance(entry, dict) else None
    if not isinstance(name, (str, int, type(None))):
        from .pair import bad
        return {"name": None, **bad("name: is neither text nor a whole number").as_json()}
    return {"name": name, **by.solve(entry, model).as_json()}


def run_pair(options):
    from .pair import STATUSES, Model, check, solver
    model = check(Model(options.A, options.kappa, options.length))
    pairs = read_list(options.file, one=True)
    by = solver(options.double)
    solve_list(options, pairs, lambda entry: answer(by, entry, model), STATUSES)
