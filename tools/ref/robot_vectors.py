#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Test vectors of limbs in space on a base that moves, by positions alone; never loads the library.

    python3 tools/ref/robot_vectors.py > tests/vectors/robot.h      (Python alone; seconds)

Everything is a polynomial of time up to t^2, about an instant at which base and world agree: the base's rotation, whose
rate is omega + alpha t; its origin, whose acceleration is the specific force; each joint, q + w t. Products of
polynomials then give each link's place and rotation R, and with them velocities and accelerations:

    M_jk   = sum of m dp/dq_j . dp/dq_k + turn_j . K turn_k,    K = R I R^T, turn from dR/dq R^T
    bias_k = sum of m p'' . dp/dq_k + (K spin)' . turn_k,       spin from R' R^T

No recursion of velocities is in it. Derivatives with respect to q_k are the coefficients of t where only that joint
moves. Inputs are exactly float32's.
"""
import math
import random
import struct

KINDS = 2      # cases of each number of joints
MOST = 7
CROSS = ((1, 2), (2, 0), (0, 1))


def single(x):
    return struct.unpack("f", struct.pack("f", x))[0]


# ---- Polynomials c0 + c1 t + c2 t^2, and 3 x 3 matrices and 3 x 1 columns of them ------------------------------------


def times(a, b):
    return (a[0] * b[0], a[0] * b[1] + a[1] * b[0], a[0] * b[2] + a[1] * b[1] + a[2] * b[0])


def plus(*terms):
    return tuple(map(sum, zip(*terms)))


def constant(x):
    return (x, 0.0, 0.0)


def product(A, B):
    return [[plus(*(times(row[k], B[k][j]) for k in range(3))) for j in range(len(B[0]))] for row in A]


def added(A, B):
    return [[plus(a, b) for a, b in zip(*rows)] for rows in zip(A, B)]


def column(values):
    return [[constant(x)] for x in values]


def matrix(rows):
    return [[constant(x) for x in row] for row in rows]


def transposed(A):
    return [list(row) for row in zip(*A)]


def coefficient(A, k):
    return [[entry[k] for entry in row] for row in A]


def hat(v):
    x, y, z = v
    return [[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]]


def multiply(A, B):
    return [[sum(row[k] * B[k][j] for k in range(3)) for j in range(3)] for row in A]


def turned(axis, angle):
    """exp(hat(axis) angle) of a polynomial angle."""
    q, w, _ = angle
    s, c = math.sin(q), math.cos(q)
    sine, versine = (s, c * w, -s * w * w / 2), (1 - c, s * w, c * w * w / 2)
    K = hat(axis)
    K2 = multiply(K, K)
    return [[plus(constant(float(i == j)), times(constant(K[i][j]), sine), times(constant(K2[i][j]), versine))
             for j in range(3)] for i in range(3)]


def rotation_of_base(omega, alpha):
    """1 + W t + (hat(alpha) + W W) t^2 / 2, W = hat(omega)"""
    W, A = hat(omega), hat(alpha)
    W2 = multiply(W, W)
    return [[(float(i == j), W[i][j], (A[i][j] + W2[i][j]) / 2) for j in range(3)] for i in range(3)]


def spin_of(R):
    """[3] polynomials up to t, of the vector in R' R^T."""
    derivative = [[(e[1], 2 * e[2], 0.0) for e in row] for row in R]
    S = product(derivative, transposed(R))
    return [S[2][1], S[0][2], S[1][0]]


# ---- A limb ----------------------------------------------------------------------------------------------------------


def frames(limb, base, angles):
    """(R, place) of each link, and the contact point's place, as polynomials."""
    R = rotation_of_base(base["omega"], base["alpha"])
    place = [[(0.0, 0.0, f / 2)] for f in base["force"]]
    found = []
    for link, angle in zip(limb["links"], angles):
        place = added(place, product(R, column(link["origin"])))
        if link["slides"]:
            place = added(place, product(R, [[times(constant(a), angle)] for a in link["axis"]]))
        else:
            R = product(R, turned(link["axis"], angle))
        found.append((R, place))
    centre = added(place, product(R, column(limb["foot"])))
    return found, centre


def tensor(six):
    xx, yy, zz, xy, xz, yz = six
    return [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def part_of(limb, base, angles):
    """Per link (centre of mass, R), and the foot's centre."""
    found, centre = frames(limb, base, angles)
    return [(added(place, product(R, column(link["com"]))), R) for (R, place), link in zip(found, limb["links"])], centre


def equation(limb, base, q, w):
    """(M rows, bias, J rows, contact point) of one limb."""
    n, still = len(q), {name: (0.0, 0.0, 0.0) for name in ("omega", "alpha", "force")}
    moving, centre = part_of(limb, base, [(x, v, 0.0) for x, v in zip(q, w)])
    columns = [part_of(limb, still, [(x, float(j == k), 0.0) for j, x in enumerate(q)]) for k in range(n)]
    M, bias = [[0.0] * n for _ in range(n)], [link["damping"] * v for link, v in zip(limb["links"], w)]
    for i, link in enumerate(limb["links"]):
        M[i][i] += link["rotor"]
        place, R = moving[i]
        K = product(product(R, matrix(tensor(link["inertia"]))), transposed(R))
        spin = spin_of(R)
        L = [row[0] for row in product(K, [[entry] for entry in spin])]
        push, change = [2 * entry[0][2] * link["mass"] for entry in place], [entry[1] for entry in L]
        speeds = [[entry[0][1] for entry in parts[i][0]] for parts, _ in columns]
        turns = [[entry[0] for entry in spin_of(parts[i][1])] for parts, _ in columns]
        K0 = coefficient(K, 0)
        for k in range(i + 1):
            bias[k] += dot(push, speeds[k]) + dot(change, turns[k])
            for j in range(i + 1):
                heavy = [dot(row, turns[j]) for row in K0]
                M[k][j] += link["mass"] * dot(speeds[k], speeds[j]) + dot(heavy, turns[k])
    arm = [-limb["radius"] * x for x in base["normal"]]
    J = []
    for parts, tip in columns:
        turn = [entry[0] for entry in spin_of(parts[-1][1])]
        rolls = [turn[a] * arm[b] - turn[b] * arm[a] for a, b in CROSS]
        J.append([entry[0][1] + r for entry, r in zip(tip, rolls)])
    return M, bias, transposed(J), [entry[0][0] + a for entry, a in zip(centre, arm)]


# ---- Cases -----------------------------------------------------------------------------------------------------------


def vector(rng, size):
    return [single(rng.uniform(-size, size)) for _ in range(3)]


def unit(rng, along):
    """A direction; `along`: one of the coordinates'."""
    if along:
        axis = [0.0] * 3
        axis[rng.randrange(3)] = rng.choice([-1.0, 1.0])
        return axis
    while True:
        v = [rng.gauss(0, 1) for _ in range(3)]
        length = math.sqrt(dot(v, v))
        if length > 0.1:
            return [single(x / length) for x in v]


def body(rng, empty):
    """mass, com, inertia: those of four points."""
    if empty:
        return {"mass": 0.0, "com": [0.0] * 3, "inertia": [0.0] * 6}
    mass = single(rng.uniform(0.1, 2.0))
    points = [[rng.uniform(-0.08, 0.08) for _ in range(3)] for _ in range(4)]
    mean = [sum(p[k] for p in points) / 4 for k in range(3)]
    points = [[p[k] - mean[k] for k in range(3)] for p in points]
    sums = [[sum(p[a] * p[b] for p in points) * mass / 4 for b in range(3)] for a in range(3)]
    trace = sum(sums[k][k] for k in range(3))
    six = [trace - sums[k][k] for k in range(3)] + [-sums[0][1], -sums[0][2], -sums[1][2]]
    return {"mass": mass, "com": vector(rng, 0.15), "inertia": [single(x) for x in six]}


def case(rng, n, kind):
    links = []
    for k in range(n):
        last, along = k + 1 == n, kind == 0
        links.append({"slides": rng.random() < 0.2, "axis": unit(rng, along), "origin": vector(rng, 0.3),
                      **body(rng, not last and kind == 1 and rng.random() < 0.3),
                      "rotor": single(rng.uniform(0, 0.02)), "damping": single(rng.uniform(0, 0.2))})
    limb = {"links": links, "foot": vector(rng, 0.25), "radius": single(rng.uniform(0, 0.05))}
    base = {"omega": vector(rng, 4), "alpha": vector(rng, 30), "force": vector(rng, 15), "normal": unit(rng, False)}
    q, w = ([single(rng.uniform(-size, size)) for _ in range(n)] for size in (2.5, 8))
    return limb, base, q, w


def literal(x):
    digits = f"{single(x) + 0.0:.9g}"
    return f"TC_C({digits})" if "e" in digits or "." in digits else f"TC_C({digits}.0)"


def numbers(values, indent):
    lines, line = [], indent + "{"
    for k, value in enumerate(values):
        word = literal(value) + ("}" if k + 1 == len(values) else ", ")
        if len(line) + len(word) > 112:
            lines.append(line.rstrip())
            line = " " * (len(indent) + 1)
        line += word
    return "\n".join([*lines, line])


def link_text(link):
    kind = "TC_CHAIN_PRISMATIC" if link["slides"] else "TC_CHAIN_REVOLUTE"
    vectors = ",\n".join(numbers(link[name], f"     .{name} = ") for name in ("axis", "origin", "com", "inertia"))
    single_ones = ", ".join(f".{name} = {literal(link[name])}" for name in ("mass", "rotor", "damping"))
    return f"    {{.joint = {kind}, {single_ones},\n{vectors}}},\n"


def main():
    rng, links, cases = random.Random(18), [], []
    for n in range(1, MOST + 1):
        for kind in range(KINDS):
            limb, base, q, w = case(rng, n, kind)
            M, bias, J, place = equation(limb, base, q, w)
            lower = [M[i][j] for i in range(n) for j in range(i + 1)]
            rows = [x for row in J for x in row]
            start = len(links)
            links += limb["links"]
            fields = {"foot": limb["foot"], "omega": base["omega"], "alpha": base["alpha"], "force": base["force"],
                      "normal": base["normal"], "q": q, "w": w, "M": lower, "bias": bias, "J": rows, "place": place}
            text = ",\n".join(numbers(values, f"     .{name} = ") for name, values in fields.items())
            cases.append(f"    {{.joints = {n}u, .first = {start}u, .radius = {literal(limb['radius'])},\n{text}}},\n")
    print(f"""/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Made by tools/ref/robot_vectors.py: do not edit.
 */
#ifndef VECTORS_ROBOT_H
#define VECTORS_ROBOT_H

static const tc_robot_link robot_links[{len(links)}] = {{
{''.join(map(link_text, links))}}};

typedef struct robot_vector {{
    uint32_t joints, first; /* of robot_links */
    tc_real radius, foot[3], omega[3], alpha[3], force[3], normal[3], q[7], w[7];
    tc_real M[28], bias[7], J[21], place[3]; /* to be */
}} robot_vector;

static const robot_vector robot_vectors[{len(cases)}] = {{
{''.join(cases)}}};

#endif""")


if __name__ == "__main__":
    main()
