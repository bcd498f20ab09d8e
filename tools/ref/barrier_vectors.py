#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Test vectors of barriers, by barrier_reference.py, which never loads the library.

    python3 tools/ref/barrier_vectors.py > tests/vectors/barrier.h      (Python alone; seconds)

Pairs in space and in the plane: boxes, triangles, capsules, balls and clouds of vertices at gaps from 1e-4 to 100 sizes,
half of them with parallel faces, some far from the world's origin, some with a weighed and bounded far part. Inputs are
exactly float32's.
"""
import math
import random
import struct
from decimal import Decimal

from barrier_reference import Body, Pair, Touching

GAPS = [1e-4, 1e-3, 1e-2, 1e-2, 0.1, 0.1, 1.0, 1.0, 10.0, 100.0]
SPACE = [("box", "box"), ("ball", "box"), ("capsule", "box"), ("triangle", "triangle"), ("cloud", "capsule"),
         ("box", "cloud"), ("ball", "ball"), ("triangle", "cloud")]
PLANE = [("box", "box"), ("ball", "box"), ("capsule", "box"), ("triangle", "cloud"), ("ball", "capsule")]
WEIGHTS = [(12.0, 1.0, 0.0), (12.0, 1000.0, 0.1), (12.0, 1.0, 0.0), (3.0, 0.5, 2.0)]


def single(x):
    return struct.unpack("f", struct.pack("f", x))[0]


def unit(numbers):
    length = math.sqrt(sum(x * x for x in numbers))
    return [x / length for x in numbers]


def rotation(dim, rng):
    if dim == 2:
        angle = rng.uniform(0, 6.28)
        return [[single(math.cos(angle)), single(-math.sin(angle))], [single(math.sin(angle)), single(math.cos(angle))]]
    w, x, y, z = unit([rng.gauss(0, 1) for _ in range(4)])
    rows = [[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]]
    return [[single(x) for x in row] for row in rows]


def shape(kind, dim, rng):
    """(vertices, radius) in the body's axes."""
    if kind == "box":
        half = [single(rng.uniform(0.1, 0.5)) for _ in range(dim)]
        return [[h if i >> k & 1 else -h for k, h in enumerate(half)] for i in range(2 ** dim)], 0.0
    if kind == "ball":
        return [[0.0] * dim], single(rng.uniform(0.1, 0.5))
    count, radius = {"capsule": (2, 0.1), "triangle": (3, 0.0), "cloud": (6, 0.03)}[kind]
    return [[single(rng.uniform(-0.5, 0.5)) for _ in range(dim)] for _ in range(count)], single(radius)


def posed(body):
    vertices, radius, turn, position = body
    exact = [[Decimal(p) + sum(Decimal(r) * Decimal(x) for r, x in zip(row, v)) for row, p in zip(turn, position)]
             for v in vertices]
    return Body(exact, radius, position)


def draw(kinds, dim, gap, number, rng):
    """Two bodies whose gap along the normal returned is `gap`, and which may be nearer elsewhere but never touch."""
    turns = [rotation(dim, rng), rotation(dim, rng)]
    normal = unit([rng.gauss(0, 1) for _ in range(dim)])
    if number % 2:
        turns[1] = turns[0]
        normal = unit([row[0] for row in turns[0]])
    shapes = [shape(kind, dim, rng) for kind in kinds]
    centre = [rng.uniform(-1, 1) * (30 if number % 7 == 3 else 1) for _ in range(dim)]
    slide = [0.3 * rng.gauss(0, 1) if number % 3 == 0 else 0.0 for _ in range(dim)]
    along = sum(a * b for a, b in zip(slide, normal))
    ends = []
    for (vertices, radius), turn, sign in zip(shapes, turns, (-1, 1)):
        world = [[sum(r * x for r, x in zip(row, v)) for row in turn] for v in vertices]
        best = max(world, key=lambda v: sign * sum(a * b for a, b in zip(v, normal)))
        ends.append([x + sign * radius * n for x, n in zip(best, normal)])
    second = [single(x) for x in centre]
    first = [single(c + b - a + (gap - along) * n + s)
             for c, a, b, n, s in zip(centre, ends[0], ends[1], normal, slide)]
    return [(*shapes[0], turns[0], first), (*shapes[1], turns[1], second)], normal


def cases():
    for dim, pairs in ((3, SPACE), (2, PLANE)):
        rng, number = random.Random(17 + dim), 0
        for gap in GAPS:
            for kinds in (pairs[number % len(pairs)], pairs[(number + 1) % len(pairs)])[:2 if dim == 3 or gap < 1 else 1]:
                weights = WEIGHTS[number % len(WEIGHTS)]
                bodies, normal = draw(kinds, dim, gap, number, rng)
                try:
                    answer = Pair(*map(posed, bodies), normal, *weights).answer()
                except Touching:
                    raise SystemExit(f"{dim} {kinds} {gap}: the pair touches")
                yield dim, number, bodies, weights, answer
                number += 1


def flat(x):
    return [y for item in x for y in flat(item)] if isinstance(x, (list, tuple)) else [x]


def literal(value):
    """Inputs in hexadecimal: a decimal that float32 rounds back is another number in double."""
    value = float(value)
    if value == int(value) and abs(value) < 10000:
        return f"R({value:.1f})"
    if single(value) != value:
        return f"R({value:.17g})"
    mantissa, exponent = value.hex().split("p")
    return f"R({mantissa.rstrip('0').rstrip('.')}p{exponent})"


def main():
    print("""/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Barriers of pairs, to 30 digits. Made by `tools/ref/barrier_vectors.py`: edit that and run it again.
 *
 * numbers: one after the other
 *   of A, of B: vertices [count x dim], radius, rotation [dim x dim], position [dim]
 *   A, kappa, length
 *   value, gap, gradient [n], hessian [n (n + 1) / 2], plane [dim + 1], plane_rate [(dim + 1) x n]
 */
#ifndef VECTORS_BARRIER_H
#define VECTORS_BARRIER_H

#define R(literal) TC_C(literal)
""")
    rows = []
    for dim, number, bodies, weights, answer in cases():
        given = flat([[*body] for body in bodies]) + list(weights)
        found = flat([answer[k] for k in ("value", "gap", "gradient", "hessian", "plane", "plane_rate")])
        words = [literal(x) for x in given + found]
        name = f"barrier{dim}_{number}"
        rows.append(f"    {{{dim}, {{{len(bodies[0][0])}, {len(bodies[1][0])}}}, {name}}},")
        lines, line = [], "   "
        for word in words:
            if len(line) + len(word) + 2 > 118:
                lines.append(line)
                line = "   "
            line += f" {word},"
        print(f"static const tc_real {name}[] = {{", *lines, line, "};", sep="\n")
    print("""
typedef struct barrier_vector {
    uint32_t dim, count[2];
    const tc_real *numbers;
} barrier_vector;

static const barrier_vector barrier_vectors[] = {""", *rows, "};", "", "#undef R", "#endif", sep="\n")


if __name__ == "__main__":
    main()
