# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""What the experiments share: results, observations of a motion, and fits of an object's dict."""
from dataclasses import dataclass

import numpy as np

from ...shape import shapefile
from ...shape.primitives import distance_of
from .. import fit as fits
from ..identify import identify
from ..native import Rollout
from ..observations import COLUMNS, GROUPS, Observations
from ..scenefile import Scene

DT = 1 / 30   # [s] between two observations, as in the paper


@dataclass(frozen=True)
class Result:
    """One quantity of one scene."""
    experiment: str
    variant: str
    scene: int
    quantity: str
    start: float      # error at the start
    error: float
    iterations: int
    starts: int


@dataclass(frozen=True)
class Row:
    """A row of a table: what the paper has (mean, max), and the floor: error, share of scenes within it."""
    variant: str
    quantity: str
    paper: tuple
    floor: tuple


def distance(shape):
    """points -> signed distances in float64, of a shape's dict."""
    return distance_of(shapefile.from_dict(shape))[0]


def instants(seconds):
    """Multiples of DT, 0 not among them."""
    return DT * np.arange(1, round(seconds / DT) + 1)


def seen(times, **columns):
    """Observations of one body. columns: position, orientation, rate or velocity [n, 3 or 4]."""
    n = len(times)
    values = {name: np.asarray(columns.get(name, np.full((n, len(of)), np.nan)), float) for name, of in GROUPS.items()}
    return Observations("motion", np.asarray(times, float), np.arange(n), np.zeros(n, int), values)


def rows_of(name, times, **columns):
    """The same as rows of `tinycontact scene identify`."""
    values = {column: np.asarray(columns[group])[:, k] for group, of in GROUPS.items() if group in columns
              for k, column in enumerate(of)}
    return [{"t": float(t), "body": name, **{c: float(values[c][k]) for c in COLUMNS if c in values}}
            for k, t in enumerate(times)]


def rolled(scene):
    """The Rollout of a scene's dict, in the paper's steps: where contacts last its motion is exact in any."""
    return Rollout(Scene(scene), step=DT)


def solve(scene, observed, paths, starts=8):
    """(values by path, iterations, starts) of identify; NaN where no start can be simulated."""
    try:
        answer = identify(rolled(scene), observed, paths, starts=starts)
    except fits.Impossible:
        return {path: np.nan for path in paths}, 0, starts
    return {path: one.value for path, one in answer.parameters.items()}, answer.iterations, answer.starts
