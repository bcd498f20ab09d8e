# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Table A.3: mass, force or friction of a body that is pushed along the floor, from positions.

The body is a flat box: the paper's duck and cow stand on feet that slide as one. Its way is known in closed form.
"""
import numpy as np

from . import truth
from .common import Result, Row, instants, seen, solve

SECONDS, PULL, HALF = 1.0, 10.0, [0.5, 0.5, 0.1]   # [s], [m/s2], [m]
ROWS = (Row("mass", "mass [kg]", (2.8e-3, 0.13), (1e-6, 1.0)),
        Row("force", "force [N]", (1.5e-2, 0.34), (1e-6, 1.0)),
        Row("friction", "friction", (1.3e-4, 3.0e-4), (1e-6, 1.0)))
TITLE = "Table A.3: mass, force, friction of a pushed body"
PATHS = {"mass": ["box.mass"], "force": ["box.force[0]", "box.force[1]"], "friction": ["friction"]}


def scene(mass, force, friction):
    floor = {"name": "floor", "shape": {"kind": "halfspace"}, "moving": False, "position": [0.0, 0.0, 0.0]}
    box = {"name": "box", "shape": {"kind": "box", "h": HALF}, "mass": float(mass), "position": [0.0, 0.0, HALF[2]],
           "force": [float(force[0]), float(force[1]), 0.0], "until": 10.0}
    return {"gravity": [0.0, 0.0, -PULL], "bodies": [box, floor], "friction": float(friction), "restitution": 0.0}


def _draw(rng):
    return {"mass": rng.uniform(0.9, 1.1), "force": rng.uniform(2.0, 5.0, 2), "friction": rng.uniform(0.01, 0.25)}


def draws(count, seed):
    """[(what is unknown, scene's number, truth, start)]: one of the three is drawn again for the start."""
    for j, unknown in enumerate(PATHS):
        rng = np.random.default_rng([seed, 3, j])
        for k in range(count):
            true = _draw(rng)
            yield unknown, k, true, true | {unknown: _draw(rng)[unknown]}


def run(count, seed, pick):
    times, found = instants(SECONDS), []
    for unknown, k, true, start in pick(list(draws(count, seed))):
        way = truth.push(true["force"], true["mass"], true["friction"], PULL, times) + [0, 0, HALF[2]]
        values, iterations, starts = solve(scene(**start), seen(times, position=way), PATHS[unknown])
        got = np.array(list(values.values()))
        error, begun = (float(np.linalg.norm(x - np.ravel(true[unknown]))) for x in (got, np.ravel(start[unknown])))
        quantity = next(row.quantity for row in ROWS if row.variant == unknown)
        found.append(Result("push", unknown, k, quantity, begun, error, iterations, starts))
    return found
