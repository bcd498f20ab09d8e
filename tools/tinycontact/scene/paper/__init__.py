# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The experiments of the paper on contact between shapes (Strecke and Stueckler), with truths of their own.

A module has TITLE, ROWS (common.Row) and run(count, seed, each) -> [common.Result].
"""
import importlib

MODULES = {"ball": "Table 1: the radius of a ball that bounces", "inertia": "Table A.2: sizes from inertia",
           "push": "Table A.3: mass, force, friction", "learned": "Tables A.1, A.2: codes of learned shapes",
           "depth": "Table 2: place and size from depth images"}


def module(name):
    return importlib.import_module(f".{name}", __name__)
