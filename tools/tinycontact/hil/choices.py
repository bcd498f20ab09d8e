# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""What a test asks of its fixtures `board`, `plant` and `bounce` (fixtures.py), and what whoever runs it says instead:
TINYCONTACT_BOARD another emulated board for all tests, TINYCONTACT_PORT a real one at this serial port, TINYCONTACT_BAUD
its speed.
"""
import os

from ..errors import TinycontactError

BOARD = {"board": "mps2-an386", "port": "", "baud": 115200, "profile": "exact", "app": "foot", "command": None,
         "timeout": 10.0}
PLANT = {"plant": "hopper", "chain": None, "law": "stiff", "seed": 0}
BOUNCE = {"mu": 0.45, "e": 0.6, "ratio": 1.3, "change": None, "noise": 0.01, "outliers": 0.0, "impacts": 60, "seed": 0}
FROM_OUTSIDE = {"board": "TINYCONTACT_BOARD", "port": "TINYCONTACT_PORT", "baud": "TINYCONTACT_BAUD"}


def hil(**choices):
    """A decorator: what differs from BOARD, PLANT and BOUNCE for a test function."""
    known = {**BOARD, **PLANT, **BOUNCE}
    unknown = set(choices) - set(known)
    if unknown:
        raise TypeError(f"hil: there is no choice {min(unknown)!r}; there are {', '.join(known)}")

    def mark(function):
        function.hil = choices
        return function
    return mark


def _from_outside():
    said = {name: os.environ[variable] for name, variable in FROM_OUTSIDE.items() if os.environ.get(variable)}
    try:
        return {name: type(BOARD[name])(value) for name, value in said.items()}
    except ValueError:
        raise TinycontactError(f"{FROM_OUTSIDE['baud']}: {said['baud']!r} is no number") from None


def chosen(function, defaults):
    """Those of `defaults`, with what the function's decorator says in their place, and the environment in its place."""
    said = getattr(function, "hil", {}) | _from_outside()
    return {name: said.get(name, value) for name, value in defaults.items()}
