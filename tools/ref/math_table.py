#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Generates lib/math/tc_tanh_table.c: the cubic segments of tanh.

Run:   python3 tools/ref/math_table.py > lib/math/tc_tanh_table.c      (needs mpmath; under a minute)

Segment i = 0..255 covers x = (i - 128 + t) / 16, t in [0, 1), with
    tanh(x) = ((c3 t + c2) t + c1) t + c0,   every product and sum rounded to float.
c is the minimax cubic. Its c3, c2, c1 are rounded to float; for c0 the three nearest floats are
tried and the one whose *evaluated* values (float arithmetic, 129 points) err least is taken, so
the rounding of the evaluation is part of the fit. Last, the joints are made monotone. Not free are:
  128  begins with c0 = 0: tanh(0) = 0 exactly;
  0 and 255  also stand for all |x| >= 8, where their outer ends are frozen by saturation. tanh there runs
       from 1 - 2.3e-7 to 1; the end value 1 - 2^-24 keeps both within 1.7e-7. The segment is the
       cubic 1 - 4u + 3u t^3 (u = 2^-24): flat where tanh is, up to the end value at the edge.
"""
import struct
import sys

sys.path.insert(0, __file__.rsplit("/", 1)[0])
from math_fit import hex_float, mpf, mpmath, to_float

SEGMENTS = 256
STEPS_PER_UNIT = 16
POINTS = 40
U = mpf(2) ** -24


def single(x):
    """Round a Python float to float32 (the double it comes from is exact or rounded innocuously)."""
    return struct.unpack("<f", struct.pack("<f", x))[0]


def evaluate(c, t):
    """The kernel's arithmetic. A float product is exact in double and a float sum of floats is
    rounded twice harmlessly (53 >= 2 * 24 + 2), so double plus `single` gives the kernel's bits."""
    s = single(single(single(c[3] * t) + c[2]) * t)
    s = single(single(s + c[1]) * t)
    return single(s + c[0])


def cubic(f, scale=lambda t: mpf(1)):
    """Minimax cubic of f on [0, 1], its error in units of `scale`: one Remez step from the Chebyshev extrema
    suffices at these widths (the error is 1e-8 and all but a Chebyshev polynomial)."""
    reference = [(1 - mpmath.cos(mpmath.pi * i / 4)) / 2 for i in range(5)]
    A = mpmath.matrix(5, 5)
    b = mpmath.matrix(5, 1)
    for row, t in enumerate(reference):
        for power in range(4):
            A[row, power] = t ** power
        A[row, 4] = (-1) ** row * scale(t)
        b[row] = f(t)
    solution = mpmath.lu_solve(A, b)
    return [solution[i] for i in range(4)]


def round_segment(segment, c):
    """Coefficients as floats; c0 by trial."""
    rounded = [float(to_float(x)) for x in c]
    samples = [single(i / 128.0) for i in range(128)] + [1.0 - 2.0 ** -24]
    exact = [float(mpmath.tanh((segment - SEGMENTS // 2 + mpf(t)) / STEPS_PER_UNIT)) for t in samples]
    spacing = 2.0 ** (mpmath.frexp(mpf(rounded[0]))[1] - 24)
    best = None
    for step in (0, -1, 1):
        trial = [rounded[0] + step * spacing] + rounded[1:]
        worst = max(abs(evaluate(trial, t) - e) for t, e in zip(samples, exact))
        if best is None or worst < best[0]:
            best = (worst, trial)
    return best[1]


def join(table):
    """Makes tanh monotone: where a segment ends above the next one's start (by one rounding), its
    slope c1 is lowered by the least multiple of 2^-29 that ends the crossing."""
    for c, following in zip(table, table[1:]):
        slope, step = c[1], 0
        while evaluate(c, 1.0 - 2.0 ** -24) > following[0]:
            step += 1
            c[1] = single(slope - step * 2.0 ** -29)


def segment_coefficients(segment):
    def f(t):
        return mpmath.tanh((segment - SEGMENTS // 2 + t) / STEPS_PER_UNIT)

    if segment == SEGMENTS - 1:
        return [float(1 - 4 * U), 0.0, 0.0, float(3 * U)]
    if segment == 0:
        return [float(U - 1), float(9 * U), float(-9 * U), float(3 * U)]
    if segment == SEGMENTS // 2:
        c = cubic(f)
        return [0.0] + [float(to_float(x)) for x in c[1:]]
    return round_segment(segment, cubic(f))


HEADER = """/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The cubic segments of tanh, see tc_tanh_table.h.
 * Generated: python3 tools/ref/math_table.py > lib/math/tc_tanh_table.c
 */
#include "tc_tanh_table.h"

_Alignas(16) const float tc_tanh_table[TC_TANH_SEGMENTS * 4] = {"""


def main():
    print(HEADER)
    table = [segment_coefficients(segment) for segment in range(SEGMENTS)]
    join(table)
    for c in table:
        print("    " + " ".join(hex_float(x) + "f," for x in c))
    print("};")


if __name__ == "__main__":
    main()
