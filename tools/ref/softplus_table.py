#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Generates lib/math/tc_softplus_table.c: the cubic segments of log(1 + e^-y).

Run:   python3 tools/ref/softplus_table.py > lib/math/tc_softplus_table.c      (needs mpmath; a minute)

Segment i = 0..127 covers y = (i + t) / 8, t in [0, 1), with
    log(1 + e^-y) = ((c3 t + c2) t + c1) t + c0,   every product and sum rounded to float.
c is the minimax cubic of the relative error. Its c3 and c2 are rounded to float; for c0 and c1 the floats around
are tried, and those taken whose *evaluated* values err least, in units of their last place.
"""
import sys

sys.path.insert(0, __file__.rsplit("/", 1)[0])
from math_fit import hex_float, mpf, mpmath, to_float
from math_table import cubic, evaluate, single

SEGMENTS = 128
STEPS_PER_UNIT = 8
LAST_T = 1.0 - 2.0 ** -24
POINTS, TRIALS = 1000, 16


def tail(y):
    return mpmath.log1p(mpmath.exp(-y))


def spacing(x):
    return 2.0 ** (mpmath.frexp(mpf(x))[1] - 24)


def round_segment(segment, c):
    """Coefficients as floats; c0 and c1 by trial, so that rounding errors of one repair the other's."""
    rounded = [float(to_float(x)) for x in c]
    samples = [single(i / POINTS) for i in range(POINTS)] + [LAST_T]
    exact = [float(tail((segment + mpf(t)) / STEPS_PER_UNIT)) for t in samples]
    unit = [spacing(e) for e in exact]
    best = None
    for slope in range(-TRIALS, TRIALS + 1):
        for start in (0, -1, 1):
            trial = [rounded[0] + start * spacing(rounded[0]), rounded[1] + slope * spacing(rounded[1])] + rounded[2:]
            worst = 0.0
            for t, e, u in zip(samples, exact, unit):
                worst = max(worst, abs(evaluate(trial, t) - e) / u)
                if best is not None and worst >= best[0]:
                    break
            else:
                best = (worst, trial)
    return best[1]


def segment_coefficients(segment):
    def f(t):
        return tail((segment + t) / STEPS_PER_UNIT)

    return round_segment(segment, cubic(f, f))


HEADER = """/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The cubic segments of log(1 + e^-y), see tc_softplus_table.h.
 * Generated: python3 tools/ref/softplus_table.py > lib/math/tc_softplus_table.c
 */
#include "tc_softplus_table.h"

_Alignas(16) const float tc_softplus_table[TC_SOFTPLUS_SEGMENTS * 4] = {"""


def main():
    print(HEADER)
    for segment in range(SEGMENTS):
        print("    " + " ".join(hex_float(x) + "f," for x in segment_coefficients(segment)))
    print("};")


if __name__ == "__main__":
    main()
