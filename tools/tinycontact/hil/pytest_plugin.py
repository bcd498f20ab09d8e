# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The fixtures of fixtures.py and the options --board, --board-port, --board-baud for pytest, which finds this module by
the package's entry point. Where the package is not installed, `pytest -p tinycontact.hil.pytest_plugin` names it. Only
tests that take a fixture import the rest of the package.
"""
import contextlib
import os

import pytest

from ..errors import TinycontactError
from .choices import BOARD, BOUNCE, FROM_OUTSIDE, PLANT, chosen

HELP = {"board": "firmware tests: this emulated board (`tinycontact board list`) in place of each test's own",
        "port": "firmware tests: a real board at this serial port, for example /dev/ttyACM0",
        "baud": "firmware tests: the serial port's speed (default 115200)"}


def _option(name):
    return "board" if name == "board" else f"board-{name}"


def pytest_addoption(parser):
    group = parser.getgroup("tinycontact", "tinycontact: firmware on a board against a simulated leg")
    for name, text in HELP.items():
        group.addoption(f"--{_option(name)}", metavar=name.upper(), help=text)


def pytest_configure(config):
    """An option stands for its environment variable (choices.py) until the run ends."""
    for name, variable in FROM_OUTSIDE.items():
        value = config.getoption(_option(name).replace("-", "_"))
        if value is not None:
            config.add_cleanup(_restored(variable, os.environ.get(variable)))
            os.environ[variable] = value


def _restored(variable, before):
    def restore():
        os.environ.pop(variable, None)
        if before is not None:
            os.environ[variable] = before
    return restore


def _started(start):
    """What there is no board or plant for is told in a line, without the way that led there."""
    try:
        return start()
    except TinycontactError as error:
        told = str(error)
    return pytest.fail(told, pytrace=False)


@pytest.fixture
def board(request):
    """The firmware under test on its board: a BoardBench (tinycontact.hil.fixtures)."""
    from .fixtures import open_bench
    with contextlib.ExitStack() as stack:
        yield _started(lambda: stack.enter_context(open_bench(**chosen(request.function, BOARD))))


@pytest.fixture
def bounce(request):
    """A box that bounces on an unknown floor: a BounceBench (tinycontact.hil.fixtures)."""
    from .fixtures import BounceBench
    return _started(lambda: BounceBench(**chosen(request.function, BOUNCE)))


@pytest.fixture
def plant(request):
    """A simulated leg: a PlantBench (tinycontact.hil.fixtures)."""
    from .fixtures import plant_of
    return _started(lambda: plant_of(request.function))
