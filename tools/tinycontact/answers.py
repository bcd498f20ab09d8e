# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""A JSON file of problems becomes one of answers: what the commands that solve lists share."""
import collections
import json

import numpy as np

from .errors import TinycontactError
from .jsonfile import read_json, write_json
from .progress import progress, say

TOLD = 5   # bad entries that are told one by one


class Fields(dict):
    """A dict whose keys are attributes, too."""

    def __getattr__(self, name):
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None

    def as_json(self):
        """The same as plain lists and numbers."""
        return {key: value.tolist() if isinstance(value, np.ndarray) else value for key, value in self.items()}


def add_files(p):
    """The options of a command that solves a list."""
    p.add_argument("file", metavar="PROBLEMS.json")
    p.add_argument("-o", "--output", metavar="ANSWERS.json",
                   help="the file to write (default: standard output)")


def read_list(path, one=False):
    """The problems of a file; with `one` a file may hold one problem instead of a list. NaN is told at the problem
    that has it."""
    problems = read_json(path, constants=True)
    if one and isinstance(problems, dict):
        return [problems]
    if not isinstance(problems, list):
        raise TinycontactError(f"{path}: wanted a list of problems, [{{...}}, ...]")
    return problems


def solve_list(options, problems, answer_of, statuses):
    """Writes answer_of(entry), plain values with name and status, of each problem, and counts the statuses."""
    answers, told = [], collections.Counter()
    for k, entry in progress(problems, "solving problem"):
        answer = answer_of(entry)
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
    counted = ", ".join(f"{told[status]} {status}" for status in statuses if told[status]) or "none"
    print(f"{options.output}: {len(problems)} problems: {counted}")
