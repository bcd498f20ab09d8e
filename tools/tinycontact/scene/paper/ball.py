# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Table 1: the radius of a ball that bounces from a wall and the floor, from positions."""
import numpy as np

from . import truth
from .common import Result, Row, instants, rows_of, seen, solve

SECONDS, FRICTION, RESTITUTION, RADII = 1.5, 0.25, 0.5, (0.4, 2.0)
WALL, PULL = 4.5, 10.0    # [m] place of the wall, [m/s2]
ROWS = (Row("gravity", "radius [m]", (0.007, 0.046), (1e-5, 1.0)),
        Row("no gravity", "radius [m]", (0.002, 0.006), (1e-5, 1.0)))
TITLE = "Table 1: radius of a bouncing ball"
COUNT = 150   # the paper's 50, and 100 more
TURNED = np.sqrt(0.5)


def scene(r, gravity):
    """The paper's scene; y is up."""
    floor = {"name": "floor", "shape": {"kind": "halfspace"}, "moving": False, "position": [0.0, 0.0, 0.0],
             "quat_wxyz": [TURNED, -TURNED, 0.0, 0.0]}
    wall = {"name": "wall", "shape": {"kind": "halfspace"}, "moving": False, "position": [WALL, 0.0, 0.0],
            "quat_wxyz": [TURNED, 0.0, -TURNED, 0.0]}
    ball = {"name": "ball", "shape": {"kind": "sphere", "r": float(r)}, "mass": 1.0, "position": [0.0, 5.0, 0.0],
            "velocity": [5.0, 0.0, 0.0]}
    return {"gravity": [0.0, -gravity, 0.0], "bodies": [ball, floor, wall], "friction": FRICTION,
            "restitution": RESTITUTION}


def motion(r, gravity, times):
    """(positions, velocities, rates), event by event."""
    return truth.bounce(truth.Ball(r, 1.0, np.array([0, 5.0, 0]), np.array([5.0, 0, 0]), np.zeros(3),
                                   np.array([0, -gravity, 0]), [((0, 1, 0), 0.0), ((-1, 0, 0), -WALL)], FRICTION,
                                   RESTITUTION), times)


def draws(count, seed):
    """[(variant, gravity, scene's number, true radius, radius at the start)]"""
    for variant, gravity in (("gravity", PULL), ("no gravity", 0.0)):
        rng = np.random.default_rng([seed, 1])
        for k in range(count):
            yield variant, gravity, k, *rng.uniform(*RADII, 2)


def problems(count, seed):
    """The same as a list for `tinycontact scene identify`."""
    times = instants(SECONDS)
    return [{"name": f"{variant} {k}", "scene": scene(start, gravity), "parameters": ["ball.shape.r"],
             "observations": rows_of("ball", times, position=motion(r, gravity, times)[0])}
            for variant, gravity, k, r, start in draws(count, seed)]


def run(count, seed, pick):
    times, found = instants(SECONDS), []
    for variant, gravity, k, r, start in pick(list(draws(count, seed))):
        observed = seen(times, position=motion(r, gravity, times)[0])
        values, iterations, starts = solve(scene(start, gravity), observed, ["ball.shape.r"])
        error = abs(values["ball.shape.r"] - r)
        found.append(Result("ball", variant, k, "radius [m]", abs(start - r), error, iterations, starts))
    return found
