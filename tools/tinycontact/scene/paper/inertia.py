# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Table A.2, primitives: sizes of a body that a torque turns, from its rates. Nothing touches it.

Two truths: the simulator that is fitted, as in the paper, and Runge-Kutta.
"""
import numpy as np

from . import truth
from .common import Result, Row, distance, instants, rolled, seen, solve

SECONDS, UNTIL = 2.0, 0.3      # [s] of the motion, of the torque
SIZES = (0.4, 2.0)             # [m] radii; half edges and half lengths are half of it
POINTS = 400                   # of a surface, for the chamfer distance
KINDS = ("box", "sphere", "cylinder")
PAPER = {"box": (0.026, 0.19), "sphere": (0.040, 0.78), "cylinder": (0.062, 0.37)}
ROWS = (*(Row(f"{kind} own", "chamfer [m2]", PAPER[kind], (1e-6, 1.0)) for kind in KINDS),
        *(Row(f"{kind} Runge-Kutta", "chamfer [m2]", PAPER[kind], (None, None)) for kind in KINDS),
        *(Row(f"{kind} Runge-Kutta", "size [m]", (None, None), (1e-4, 0.95)) for kind in KINDS),
        *(Row(f"{kind} Runge-Kutta", "size [m]", (None, None), (2e-3, 1.0)) for kind in KINDS))
TITLE = "Table A.2: sizes from inertia"


def shape(kind, sizes):
    a, b, c = (float(x) for x in sizes)
    return {"box": {"kind": "box", "h": [0.5 * a, 0.5 * b, 0.5 * c]}, "sphere": {"kind": "sphere", "r": a},
            "cylinder": {"kind": "cylinder", "r": a, "half": 0.5 * b}}[kind]


def numbers(shape):
    """[sizes] of a shape's dict."""
    return np.array(shape["h"] if shape["kind"] == "box" else [shape[key] for key in ("r", "half") if key in shape])


def moments(shape):
    """Principal moments of a homogeneous body of 1 kg."""
    if shape["kind"] == "box":
        x, y, z = (h * h / 3 for h in shape["h"])
        return np.array([y + z, x + z, x + y])
    r = shape["r"]
    if shape["kind"] == "sphere":
        return np.full(3, 0.4 * r * r)
    across = r * r / 4 + shape["half"] ** 2 / 3
    return np.array([across, across, r * r / 2])


def paths(kind):
    return {"box": ["body.shape.h"], "sphere": ["body.shape.r"], "cylinder": ["body.shape.r", "body.shape.half"]}[kind]


def scene(shape, torque):
    body = {"name": "body", "shape": shape, "mass": 1.0, "position": [0.0, 0.0, 0.0],
            "torque": [float(x) for x in torque], "until": UNTIL}
    return {"gravity": [0.0, 0.0, 0.0], "bodies": [body], "friction": 0.0, "restitution": 0.0}


def surface(shape, n=POINTS):
    """[n, 3] points of a surface: rays from the centre in evenly spread directions, by bisection."""
    k = np.arange(n) + 0.5
    z, around = 1 - 2 * k / n, np.pi * (1 + 5 ** 0.5) * k
    across = np.sqrt(1 - z * z)
    ray = np.stack([across * np.cos(around), across * np.sin(around), z], axis=1)
    field = distance(shape)
    low, high = np.zeros(n), np.full(n, 2.0 * np.linalg.norm(np.abs(numbers(shape))) + 1e-12)
    for _ in range(60):
        middle = 0.5 * (low + high)
        inside = field(ray * middle[:, None]) < 0
        low, high = np.where(inside, middle, low), np.where(inside, high, middle)
    return ray * low[:, None]


def chamfer(a, b):
    """Mean squared distance of points of either surface to the other (A.21), by exact distances [m2]."""
    return sum(float(np.mean(distance(one)(surface(other)) ** 2)) for one, other in ((a, b), (b, a)))


def draws(count, seed):
    """[(kind, scene's number, true shape, shape at the start, torque)]"""
    for j, kind in enumerate(KINDS):
        rng = np.random.default_rng([seed, 2, j])
        for k in range(count):
            torque = rng.normal(size=3)
            yield (kind, k, shape(kind, rng.uniform(*SIZES, 3)), shape(kind, rng.uniform(*SIZES, 3)),
                   torque / np.linalg.norm(torque))


def _identified(kind, values):
    h = values.get("body.shape.h")
    if kind == "box":
        return {"kind": "box", "h": list(np.broadcast_to(h, 3))}
    return {"kind": kind, **{path.rsplit(".", 1)[1]: value for path, value in values.items()}}


def run(count, seed, pick):
    times, found = instants(SECONDS), []
    drawn = list(draws(count, seed))
    exact = truth.tumble([moments(one[2]) for one in drawn], [one[4] for one in drawn], UNTIL, times, [1.0, 0, 0, 0])[0]
    for j in pick(range(len(drawn))):
        kind, k, true, start, torque = drawn[j]
        own = rolled(scene(true, torque)).run(times)[1][:, 0, 3:]
        for name, rates in (("own", own), ("Runge-Kutta", exact[:, j])):
            values, iterations, starts = solve(scene(start, torque), seen(times, rate=rates), paths(kind))
            got, variant = _identified(kind, values), f"{kind} {name}"
            off = [np.abs(numbers(one) - numbers(true)).max() for one in (start, got)]
            gap = [chamfer(one, true) if np.isfinite(numbers(one)).all() else np.nan for one in (start, got)]
            found.append(Result("inertia", variant, k, "chamfer [m2]", *gap, iterations, starts))
            if name != "own":
                found.append(Result("inertia", variant, k, "size [m]", *off, iterations, starts))
    return found
