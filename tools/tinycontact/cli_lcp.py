# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""tinycontact lcp: linear complementarity problems from a JSON file, solved by the library in float32."""
import argparse
import collections
import json

from .errors import TinycontactError
from .jsonfile import read_json, write_json
from .lcp import STATUSES, Solver
from .progress import progress, say

TOLD = 5   # bad entries that are told one by one
DESCRIPTION = """Solve linear complementarity problems with the library itself, in float32: find z >= 0 with
w = M z + q >= 0 and z w = 0. A list of problems goes in, the list of answers comes out in the same order."""
EPILOG = """problems.json: [{"name": ..., "M": ..., "q": ...}, ...]
  M  n rows of n numbers, or n n numbers in row-major order; n up to 16
  q  n numbers; M and q are rounded to float32 first
answers.json: [{"name", "status", "ok", "z", "w", "iterations", "residual", "error", "kind"}, ...]
  status    solved; no_solution (then "farkas" proves it: y >= 0 with q'y < 0 and, within rounding, M'y <= 0);
            imprecise (the solution, but z rounded to float32 leaves an error above 1e-3); limit (z is the
            best iterate); ray (general M: Lemke's paths have no end, which proves nothing); not_certified
            (float32 does not settle it); bad_input (then "message")
  ok        true if and only if the status is solved
  z, w      n numbers, z >= 0, w >= 0 but for the residual; zeros for no_solution, ray and not_certified, empty
            for bad_input
  residual  largest |min(z_i, w_i)| over the largest sum_j |M_ij| z_j + |q_i|; at most 4e-6 when solved, null
            where there is no answer
  error     largest |min(z_i, w_i)| over the largest |q_i|; at most 1e-3 when solved, null likewise
  kind      semidefinite: M is symmetric and positive semi-definite within rounding, the solver for contacts
            took it; general: any other M, Lemke's method took it
A problem at fault (not square, not finite, a field missing) becomes bad_input and the others are solved;
a file that is no list of problems ends the command with status 2, and nothing is written.

example:
  echo '[{"name": "two feet", "M": [[2, 1], [1, 2]], "q": [-5, -6]}]' > problems.json
  tinycontact lcp problems.json -o answers.json"""


def add(commands):
    p = commands.add_parser("lcp", help="solve linear complementarity problems", description=DESCRIPTION,
                            epilog=EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("file", metavar="PROBLEMS.json")
    p.add_argument("-o", "--output", metavar="ANSWERS.json", help="default: standard output")
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
