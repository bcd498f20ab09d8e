# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Files with lists of problems, checked entry by entry as the command would that answers them."""
import os

from .answers import read_list
from .errors import TinycontactError

NONE = {"status": "ok"}   # of an entry that is not solved to be checked


def _lcp(_):
    from .cli_lcp import answer
    from .lcp import Solver
    solver = Solver()
    return lambda entry: answer(solver, entry)


def _contacts(_):
    from .impact.cli import answer
    from .impact.cone import solver
    return lambda entry: answer(solver(), entry, isinstance(entry, dict) and entry.get("e") is not None)


def _sets(_):
    from .plan.pair import Model, solver
    from .plan.pair_cli import answer
    return lambda entry: answer(solver(), entry, Model())


def _pairs(folder):
    from .shape.distance import Solver
    return Solver(folder=folder).answer


def _cases(folder):
    from .shape.toc import Solver
    return Solver(folder).answer


def _problems(folder):
    from .scene.identify_cli import read_problem

    def answer(entry):
        try:
            read_problem(entry, folder)
        except TinycontactError as error:
            return {"status": "bad_input", "message": str(error)}
        return NONE
    return answer


# kind: (function of the file's folder that makes the function of an entry, whether a file may hold one entry alone)
LISTS = {"cases": (_cases, False), "contacts": (_contacts, True), "lcp": (_lcp, False), "pairs": (_pairs, False),
         "problems": (_problems, False), "sets": (_sets, True)}


def reader(kind):
    """The function of a path that raises what is wrong with an entry of its list."""
    make, one = LISTS[kind]

    def read(path):
        answer = make(os.path.dirname(path) or ".")
        for k, entry in enumerate(read_list(path, one)):
            found = answer(entry)
            if found["status"] == "bad_input":
                raise TinycontactError(f"{path}, entry {k}, {found['message']}")
    return read
