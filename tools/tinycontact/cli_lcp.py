# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""tinycontact lcp solve: linear complementarity problems of a JSON file, in float32."""
import collections
import json

from .errors import TinycontactError
from .jsonfile import read_json, write_json
from .lcp import STATUSES, Solver
from .progress import progress, say

TOLD = 5   # bad entries that are told one by one
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
    p.add_argument("file", metavar="PROBLEMS.json")
    p.add_argument("-o", "--output", metavar="ANSWERS.json",
                   help="the file to write (default: standard output)")
    p.set_defaults(run=run_lcp)


def _answer(solver, entry):
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
    problems = read_json(options.file, constants=True)   # NaN is told at the problem that has it
    if not isinstance(problems, list):
        raise TinycontactError(f"{options.file}: wanted a list of problems, [{{...}}, ...]")
    solver = Solver()
    answers, told = [], collections.Counter()
    for k, entry in progress(problems, "solving problem"):
        answer = _answer(solver, entry)
        answers.append(answer)
        told[answer["status"]] += 1
        if answer["status"] == "bad_input" and told["bad_input"] <= TOLD:
            named = "" if answer["name"] is None else f" ({str(answer['name'])[:40]})"
            say(f"{options.file}, entry {k}{named}, {answer['message']}")
    if told["bad_input"] > TOLD:
        say(f"{options.file}: {told['bad_input'] - TOLD} more entries with bad input")
    if options.output is None:
        print(json.dumps(answers, indent=1, allow_nan=False))
        return
    write_json(options.output, answers)
    counted = ", ".join(f"{told[status]} {status}" for status in STATUSES if told[status]) or "none"
    print(f"{options.output}: {len(problems)} problems: {counted}")
