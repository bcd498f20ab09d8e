# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""tinycontact lcp solve: linear complementarity problems of a JSON file, in float32."""
from .answers import add_files, read_list, solve_list
from .lcp import STATUSES, Solver

DESCRIPTION = """Solve linear complementarity problems in float32, with the library's own
solver: find z >= 0 with w = M z + q >= 0 and z w = 0. The input is a list of problems; the
output lists the answers in the same order."""
EPILOG = """PROBLEMS.json: [{"name": ..., "M": ..., "q": ...}, ...]
  M  n rows of n numbers, or n n numbers in row-major order; n up to 16
  q  n numbers; M and q are rounded to float32 first
ANSWERS.json: [{"name", "status", "ok", "z", "w", "iterations", "residual", "error", "kind"}, ...]
  status         one of
    solved         z solves the problem
    no_solution    no z exists; "farkas" is a proof: y >= 0 with q'y < 0 and,
                   to rounding, M'y <= 0
    imprecise      z is the solution, but its rounding to float32 leaves an error above 1e-3
    limit          the iteration limit was reached; z is the best iterate
    ray            Lemke's path for a general M has no end, which proves nothing
    not_certified  float32 cannot decide
    bad_input      the entry is faulty; "message" names the fault
  ok             true if and only if the status is solved
  z, w           n numbers each, z >= 0; w >= 0 to within the residual. no_solution, ray,
                 not_certified: zeros. bad_input: empty
  residual       largest |min(z_i, w_i)| over the largest sum_j |M_ij| z_j + |q_i|. solved: at
                 most 4e-6. Without an answer: null
  error          largest |min(z_i, w_i)| over the largest |q_i|. solved: at most 1e-3. Without
                 an answer: null
  kind           semidefinite: M is symmetric and positive semi-definite to rounding; the
                 contact solver was used. general: any other M; Lemke's method was used
A faulty entry (not square, not finite, a field missing) becomes bad_input; the other entries
are solved. If the file is no list of problems, the command ends with exit status 2 and writes
nothing.

example:
  echo '[{"name": "two feet", "M": [[2, 1], [1, 2]], "q": [-5, -6]}]' > problems.json
  tinycontact lcp solve problems.json -o answers.json"""


def add(p):
    p.description, p.epilog = DESCRIPTION, EPILOG
    add_files(p)
    p.set_defaults(run=run_lcp)


def answer(solver, entry):
    """The answer to one entry of the list, as plain values, its name first."""
    if not isinstance(entry, dict):
        return {"name": None, **solver.bad("is not an object with name, M and q").as_json()}
    name = entry.get("name")
    missing = [field for field in ("M", "q") if field not in entry]
    if not isinstance(name, (str, int, type(None))):
        return {"name": None, **solver.bad("name: is neither text nor a whole number").as_json()}
    answer = solver.bad(f"{missing[0]}: is missing") if missing else solver.solve(entry["M"], entry["q"])
    return {"name": name, **answer.as_json()}


def run_lcp(options):
    solver = Solver()
    solve_list(options, read_list(options.file), lambda entry: answer(solver, entry), STATUSES)
