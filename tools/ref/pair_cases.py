# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Pairs of convex sets with their barriers, by pair_reference.py, which never loads the library; for tests in Python.

Boxes, hulls, capsules, spheres and triangles, in space and in the plane, at gaps from 1e-4 m to 10 m, far from the
origin, small beside large, with vertices far from their centre, and with other A, kappa and length. Inputs are exactly
float32's; the rotation is used as it is given, rounded.
"""
import math
import random
from decimal import Decimal, localcontext

from pair_reference import DIGITS, Model, Set, between, reference
from cone_families import single

SHAPES = ("box", "hull", "capsule", "sphere", "triangle")
GAPS = (1e-4, 1e-3, 1e-2, 0.1, 1.0, 10.0)


def shape(kind, dimension, size, rng):
    """(vertices in body axes, radius)."""
    half = [single(size * rng.uniform(0.3, 1)) for _ in range(dimension)]
    if kind == "box":
        signs = [[1 if k >> i & 1 else -1 for i in range(dimension)] for k in range(1 << dimension)]
        return [tuple(s * h for s, h in zip(sign, half)) for sign in signs], 0.0
    if kind == "capsule":
        return [(h,) + (0.0,) * (dimension - 1) for h in (-half[0], half[0])], single(size * 0.3)
    if kind == "sphere":
        return [(0.0,) * dimension], single(size)
    count = 3 if kind == "triangle" else rng.randint(4, 9)
    points = [tuple(single(size * rng.gauss(0, 0.6)) for _ in range(dimension)) for _ in range(count)]
    return points, single(size * 0.05 * rng.randint(0, 1)) if kind == "hull" else 0.0


def rotation(dimension, rng):
    """[9] by rows, or cosine and sine, rounded to float32."""
    if dimension == 2:
        angle = rng.uniform(-3, 3)
        return [single(f(angle)) for f in (math.cos, math.sin)]
    q = [rng.gauss(0, 1) for _ in range(4)]
    w, x, y, z = (c / sum(c * c for c in q) ** 0.5 for c in q)
    rows = [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y), 2 * (x * y + w * z),
            1 - 2 * (x * x + z * z), 2 * (y * z - w * x), 2 * (x * z - w * y), 2 * (y * z + w * x),
            1 - 2 * (x * x + y * y)]
    return [single(r) for r in rows]


def posed(body, turn, position):
    """A Set in the world; exact, the turn's rounding errors too."""
    vertices, radius = body
    D = len(position)
    R = turn if D == 3 else [turn[0], -turn[1], turn[1], turn[0]]
    R = [Decimal(r) for r in R]
    points = [tuple(Decimal(position[i]) + sum(R[D * i + j] * Decimal(p[j]) for j in range(D)) for i in range(D))
              for p in vertices]
    return Set(tuple(points), radius, tuple(position))


def apart(bodies, turns, centre, direction, gap):
    """Positions of both: b is moved along `direction` until its distance from a is `gap`, then rounded."""
    D, at = len(centre), [single(c) for c in centre]
    low, high = 0.0, 100.0
    for _ in range(60):
        middle = (low + high) / 2
        w = between(posed(bodies[0], turns[0], [0.0] * D), posed(bodies[1], turns[1], [middle * x for x in direction]))
        apart_by = sum(x * x for x in w) ** 0.5 - bodies[0][1] - bodies[1][1]
        low, high = (middle, high) if apart_by < gap else (low, middle)
    return at, [single(c + high * x) for c, x in zip(at, direction)]


def case(name, dimension, kinds, sizes, gap, far=1.0, arm=0.0, model=Model()):
    rng = random.Random(name)
    bodies = [shape(kind, dimension, size, rng) for kind, size in zip(kinds, sizes)]
    if arm:
        bodies[0] = [tuple(single(x + arm) for x in p) for p in bodies[0][0]], bodies[0][1]
    turns = [rotation(dimension, rng) for _ in range(2)]
    direction = [rng.gauss(0, 1) for _ in range(dimension)]
    direction = [x / sum(y * y for y in direction) ** 0.5 for x in direction]
    positions = apart(bodies, turns, [rng.uniform(-far, far) for _ in range(dimension)], direction, gap)
    with localcontext() as context:
        context.prec = DIGITS
        a, b = (posed(*it) for it in zip(bodies, turns, positions))
    return dict(name=name, dimension=dimension, bodies=bodies, turns=turns, positions=positions, model=model,
                **reference(a, b, model))


def cases():
    """42 cases: 28 in space, 14 in the plane."""
    pairs = [("box", "box"), ("box", "hull"), ("hull", "hull"), ("capsule", "box"), ("sphere", "box"),
             ("triangle", "triangle"), ("sphere", "sphere"), ("capsule", "capsule"), ("sphere", "hull"),
             ("triangle", "hull")]
    for dimension, count in ((3, 20), (2, 10)):
        for k in range(count):
            kinds = pairs[k % 10]
            gap = GAPS[(k + 3 * (k // 10) + k // 5) % 6]
            yield case(f"{kinds[0]}_{kinds[1]}_{dimension}_{k}", dimension, kinds, (1.0, 0.6), gap)
        yield case(f"far_{dimension}", dimension, ("box", "hull"), (0.5, 0.5), 0.01, far=100.0)
        yield case(f"farther_{dimension}", dimension, ("capsule", "box"), (0.5, 0.5), 1.0, far=2000.0)
        yield case(f"arm_{dimension}", dimension, ("hull", "box"), (0.3, 0.2), 0.02, arm=2.0)
        yield case(f"bounded_{dimension}", dimension, ("sphere", "box"), (0.02, 0.1), 0.3, model=Model(12.0, 1000.0, 0.125))
        if dimension == 3:
            yield case("small_3", 3, ("hull", "box"), (0.01, 2.0), 0.001)
            yield case("thin_3", 3, ("triangle", "box"), (1.0, 0.002), 0.1)
            yield case("other_3", 3, ("hull", "hull"), (0.2, 0.2), 0.05, model=Model(3.0, 0.25, 2.0))
            yield case("touch_3", 3, ("capsule", "hull"), (0.1, 0.1), 1e-4, model=Model(12.0, 64.0, 0.03125))
