#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Test vectors of the elementary functions, to 50 digits and independent of the library.

Run:   python3 tools/ref/math_vectors.py > tests/vectors/math.h      (needs mpmath; seconds)

Each row is an argument that is exactly a float and the result as high + low, two floats that hold
about 48 bits of it: the test can subtract them from a float result without rounding of its own.
Arguments: those where a formula changes (reduction boundaries, ends of a polynomial, the step from one
branch to the next and its neighbours), then seeded random ones over the useful range.
"""
import random
import struct

from mpmath import mp, mpf
import mpmath

mp.dps = 50
RANDOM_COUNT = 24


def single(value):
    """Nearest float32 as a Python float."""
    return struct.unpack("<f", struct.pack("<f", float(value)))[0]


def neighbours(value):
    """A float and the ones below and above it."""
    bits = struct.unpack("<I", struct.pack("<f", value))[0]
    near = [bits - 1, bits, bits + 1] if bits & 0x7fffffff else [bits]
    return [struct.unpack("<f", struct.pack("<I", b))[0] for b in near]


def literal(value):
    if value == 0.0:
        return "0.0f"
    mantissa, exponent = float(value).hex().split("p")
    return mantissa.rstrip("0").rstrip(".") + "p" + exponent + "f"


def density(x):
    return mpmath.exp(-x * x / 2) / mpmath.sqrt(2 * mpmath.pi)


def distribution(x):
    return mpmath.erfc(-x / mpmath.sqrt(2)) / 2


def hazard(x):
    """phi / Phi; far out by its continued fraction, since erfc underflows even here."""
    if x > -1000:
        return density(x) / distribution(x)
    ratio = -x
    for level in range(40, 0, -1):
        ratio = -x + level / ratio
    return ratio


ANGLES = [0.0, 0.78539816, -0.78539816, 1.5707964, 3.1415927, 6.2831855, 8192.0, -8192.0, 8193.0, 1e6, -1e10,
          3.4028234e38, 1e-20, 16367.172]

FUNCTIONS = [
    ("exp", mpmath.exp, [0.0, 1.0, -1.0, 0.34657359, -0.34657359, 88.0, 88.7228, -87.0, -87.3365, 1e-7,
                         -1e-7, 1e-30], (-87.3, 88.7)),
    ("log", mpmath.log, [1.0, 0.70710678, 1.41421356, 2.0, 0.5, 1.17549435e-38, 3.4028234e38, 10.0,
                         1.0001, 0.9999], (0.0, 100.0)),
    ("tanh", mpmath.tanh, [0.0, 1e-8, -1e-8, 0.0625, -0.0625, 7.9375, -7.9375, 8.0, -8.0, 9.2, -9.2, 30.0,
                           -3e38], (-9.0, 9.0)),
    ("sigmoid", lambda x: 1 / (1 + mpmath.exp(-x)), [0.0, 16.0, -16.0, 0.125, -0.125, 80.0, -80.0, 1e-20],
     (-18.0, 18.0)),
    ("softplus", lambda x: mpmath.log1p(mpmath.exp(x)), [0.0, 1e-6, -1e-6, -87.0, 87.0, 1e30, 16.0, -16.0],
     (-20.0, 20.0)),
    ("sin", mpmath.sin, ANGLES, (-100.0, 100.0)),
    ("cos", mpmath.cos, ANGLES, (-100.0, 100.0)),
    ("normal_density", density, [0.0, 1.0, -1.0, 8.0, -8.0, 13.0, -13.0, 1e-10], (-12.0, 12.0)),
    ("normal_distribution", distribution, [0.0, 1.0, -1.0, 8.0, -8.0, -12.5, 12.5, 1e-10], (-12.0, 12.0)),
    ("normal_ratio", hazard, [0.0, 1.0, -1.0, 8.0, -8.0, -12.5, 12.5, -30.0, -1e4, -1e18, -3e38],
     (-20.0, 10.0)),
]

HEADER = """/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Elementary functions to 48 bits: {argument, result high, result low}; atan2 {y, x, high, low}.
 * Generated: python3 tools/ref/math_vectors.py > tests/vectors/math.h
 */
#ifndef VECTORS_MATH_H
#define VECTORS_MATH_H

typedef struct math_vector {
    float x, high, low;
} math_vector;

typedef struct math_vector2 {
    float y, x, high, low;
} math_vector2;
"""


def parts(value):
    high = single(value)
    return literal(high) + ", " + literal(single(value - mpf(high)))


def arguments(special, span, generator):
    chosen = []
    for value in special:
        chosen += neighbours(single(value)) if 0 < abs(value) < 1e38 else [single(value)]
    chosen = [x for x in chosen if x == 0.0 or abs(x) >= 2.0 ** -126]
    return chosen + [single(generator.uniform(*span)) for _ in range(RANDOM_COUNT)]


def pairs(generator):
    chosen = [(y, x) for y in (1.0, -1.0, 0.41421357, 3e-30)
              for x in (1.0, -1.0, 0.41421357, 1e30, -1e30, 2e-30)]
    chosen += [(3e38, 3e38), (3e38, -2e38), (-1e38, 3e38), (1e-38, -1.0), (2e-38, 2e-38)]
    for _ in range(RANDOM_COUNT):
        chosen.append((generator.uniform(-5, 5), generator.uniform(-5, 5)))
    chosen = [(single(y), single(x)) for y, x in chosen]
    return [(y, x) for y, x in chosen if x < 0 or abs(mpf(y) / mpf(x)) >= mpf(2) ** -126]


def main():
    print(HEADER)
    for index, (name, function, special, span) in enumerate(FUNCTIONS):
        print("static const math_vector vectors_%s[] = {" % name)
        for x in arguments(special, span, random.Random(index + 1)):
            print("    {%s, %s}," % (literal(x), parts(function(mpf(x)))))
        print("};\n")
    print("static const math_vector2 vectors_atan2[] = {")
    for y, x in pairs(random.Random(99)):
        print("    {%s, %s, %s}," % (literal(y), literal(x), parts(mpmath.atan2(mpf(y), mpf(x)))))
    print("};\n\n#endif")


if __name__ == "__main__":
    main()
