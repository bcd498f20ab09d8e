# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The experiments of the paper on contact between shapes (Strecke and Stueckler), with truths of their own.

A module has TITLE, ROWS (common.Row), draws(count, seed) and run(count, seed, pick) -> [common.Result], in which `pick` takes
the scenes to judge from the sequence of all. A scene's results do not depend on the others that are judged.
"""
import importlib

MODULES = {"ball": "Table 1: the radius of a ball that bounces", "inertia": "Table A.2: sizes from inertia",
           "push": "Table A.3: mass, force, friction", "learned": "Tables A.1, A.2: codes of learned shapes",
           "depth": "Table 2: place and size from depth images"}
GROUP = 5   # scenes of a task


def module(name):
    return importlib.import_module(f".{name}", __name__)


def groups(name, count, seed):
    """The tasks of `judged` that are an experiment together, in the order of its scenes."""
    scenes = sum(1 for _ in module(name).draws(count, seed))
    return [(name, count, seed, first) for first in range(0, scenes, GROUP)]


def judged(task):
    """[common.Result] of a group of scenes."""
    name, count, seed, first = task
    return module(name).run(count, seed, lambda scenes: scenes[first:first + GROUP])
