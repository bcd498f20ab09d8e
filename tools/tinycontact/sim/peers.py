# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The optional simulators, imported when they are needed."""
import importlib

from ..build import missing
from ..errors import TinycontactError

EXTRA = {"mujoco": "hil", "dartpy": "train"}   # of pyproject.toml


def need(name, what):
    """The module, or an error that says how to get it."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise TinycontactError(f"{what} needs the Python package {name}: {missing(name, EXTRA[name], 'sim')}"
                               f" ({error})") from None


def dart(what="DART"):
    return need("dartpy", what)


def mujoco(what="MuJoCo"):
    return need("mujoco", what)
