# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""What a test asks of its fixtures `board` and `plant` (fixtures.py)."""

BOARD = {"board": "mps2-an386", "port": "", "baud": 115200, "profile": "exact", "app": "foot", "command": None,
         "timeout": 10.0}
PLANT = {"plant": "hopper", "chain": None, "law": "stiff", "seed": 0}


def hil(**choices):
    """A decorator: what differs from BOARD and PLANT for a test function."""
    unknown = set(choices) - set(BOARD) - set(PLANT)
    if unknown:
        raise TypeError(f"hil: there is no choice {min(unknown)!r}; there are {', '.join((*BOARD, *PLANT))}")

    def mark(function):
        function.hil = choices
        return function
    return mark


def chosen(function, defaults):
    """Those of `defaults`, with what the function's decorator says in their place."""
    said = getattr(function, "hil", {})
    return {name: said.get(name, value) for name, value in defaults.items()}
