# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Families of contact problems with friction, drawn from a seed; every number is a float32's.

    problem = draw("box", rows=3, n=4, seed=7)        # a cone_reference.Problem

    spd        as many freedoms as rows, all random
    box        the corners of a box on the floor; more contacts than corners stand at walls
    massratio  a chain of bodies that touch each other, neighbours' masses up to 2^13 apart
    mu0        no friction
    mutiny     friction up to 1e-4
    muhuge     friction 10 to 100
    dup        every contact of the second half lies where one of the first half does, with another friction
    grasp      one body held between fingers: normals in opposed pairs
    lowrank    1 to 6 freedoms (1 to 3 in the plane), random rows
"""
import math
import random
import struct

from cone_reference import Problem

FAMILIES = ("spd", "box", "massratio", "mu0", "mutiny", "muhuge", "dup", "grasp", "lowrank")


def single(value):
    """Nearest float32."""
    return struct.unpack("<f", struct.pack("<f", value))[0]


def _uniform_rows(draw, count, d):
    return [[draw.uniform(-1, 1) for _ in range(d)] for _ in range(count)]


def _cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def _frame(draw, normal, rows):
    """The normal and rows - 1 tangents, at random round it."""
    if rows == 1:
        return [normal]
    if len(normal) == 2:
        return [normal, [-normal[1], normal[0]]]
    least = min(range(3), key=lambda k: abs(normal[k]))
    one = _cross(normal, [float(k == least) for k in range(3)])
    size = math.sqrt(sum(x * x for x in one))
    one = [x / size for x in one]
    two = _cross(normal, one)
    angle = draw.uniform(0, 2 * math.pi)
    c, s = math.cos(angle), math.sin(angle)
    return [normal, [c * a + s * b for a, b in zip(one, two)], [c * b - s * a for a, b in zip(one, two)]]


def _body_rows(draw, points, normals, rows):
    """Rows of contacts at points of one rigid body of mass 1, whitened."""
    G = []
    space = len(points[0]) == 3
    radius = [draw.uniform(0.3, 0.8) for _ in range(3)]    # of gyration
    for point, normal in zip(points, normals):
        for axis in _frame(draw, normal, rows):
            if space:
                G.append(axis + [x / r for x, r in zip(_cross(point, axis), radius)])
            else:
                G.append(axis + [(point[0] * axis[1] - point[1] * axis[0]) / radius[0]])
    return G


def _box(draw, rows, n):
    space = rows == 3 or (rows == 1 and draw.random() < 0.5)
    half = [draw.uniform(0.3, 1) for _ in range(3)]
    if space:
        corners = [[sx * half[0], sy * half[1], -half[2]] for sx in (-1, 1) for sy in (-1, 1)]
        up, walls = [0.0, 0.0, 1.0], ([1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0])
    else:
        corners = [[sx * half[0], -half[1]] for sx in (-1, 1)]
        up, walls = [0.0, 1.0], ([1.0, 0.0], [-1.0, 0.0])
    points, normals = [], []
    for i in range(n):
        k = i // len(corners)
        points.append(corners[i % len(corners)])
        normals.append(up if k == 0 else walls[(k - 1) % len(walls)])
    return _body_rows(draw, points, normals, rows)


def _grasp(draw, rows, n):
    space = rows == 3
    points, normals = [], []
    for i in range(n):
        if i % 2:
            normal = [-x for x in normals[-1]]
        else:
            normal = [draw.gauss(0, 1) for _ in range(3 if space else 2)]
            size = math.sqrt(sum(x * x for x in normal))
            normal = [x / size for x in normal]
        normals.append(normal)
        points.append([-x + 0.2 * draw.uniform(-1, 1) for x in normal])
    return _body_rows(draw, points, normals, rows)


def _massratio(draw, rows, n):
    """Body 0 is the ground; contact i is between the bodies i and i + 1."""
    ratio = 2.0**draw.uniform(0, 13)
    inverse_root = [0.0] + [ratio**0.5 if i % 2 else 1.0 for i in range(n)]
    G = []
    for i in range(n):
        normal = [draw.gauss(0, 0.2) for _ in range(rows)]
        normal[0] = 1.0
        size = math.sqrt(sum(x * x for x in normal))
        for axis in _frame(draw, [x / size for x in normal], rows):
            row = [0.0] * (rows * n)
            for k, x in enumerate(axis):
                if i > 0:
                    row[rows * (i - 1) + k] = -x * inverse_root[i]
                row[rows * i + k] = x * inverse_root[i + 1]
            G.append(row)
    return G


def _rows(draw, family, rows, n):
    if family == "spd":
        return _uniform_rows(draw, n * rows, n * rows)
    if family == "massratio":
        return _massratio(draw, rows, n)
    if family == "grasp":
        return _grasp(draw, rows, n)
    if family == "lowrank":
        return _uniform_rows(draw, n * rows, draw.randint(1, 6 if rows == 3 else 3))
    if family == "dup":
        G = _uniform_rows(draw, (n + 1) // 2 * rows, 6 if rows == 3 else 3)
        for i in range((n + 1) // 2, n):
            k = draw.randrange((n + 1) // 2) * rows
            G += [list(row) for row in G[k:k + rows]]
        return G
    if family == "box" or draw.random() < 0.5:
        return _box(draw, rows, n)
    return _uniform_rows(draw, n * rows, 6 if rows == 3 else 3)


FRICTION = {"mu0": lambda draw: 0.0, "mutiny": lambda draw: draw.uniform(0, 1e-4),
            "muhuge": lambda draw: 10**draw.uniform(1, 2)}


def draw(family, rows, n, seed, compliant=False):
    """A Problem without floors; one contact at least approaches."""
    source = random.Random(f"{family} {rows} {n} {seed}")
    while True:
        G = [[single(x) for x in row] for row in _rows(source, family, rows, n)]
        w0 = [single(source.uniform(-1, 1)) for _ in G[0]]
        mu = [single(FRICTION.get(family, lambda one: one.uniform(0.05, 1.2))(source)) for _ in range(n)]
        compliance = [single(10**source.uniform(-3, -1)) for _ in range(n)] if compliant else None
        if any(sum(g * w for g, w in zip(row, w0)) < -0.01 for row in G[::rows]):
            return Problem(rows, G, w0, mu, None, compliance)


def restitution(problem, family, seed):
    """(e, target) to go with a problem; a third of the targets is 0."""
    source = random.Random(f"restitution {family} {problem.rows} {problem.n} {seed}")
    e = [single(source.choice((0.0, 1.0, source.random(), source.random()))) for _ in range(problem.n)]
    size = source.choice((0.0, 0.1, 0.1))
    return e, [single(size * source.uniform(-1, 1)) for _ in problem.w0]
