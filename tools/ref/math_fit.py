#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Coefficients of lib/math/tc_math_core.h: minimax fits whose coefficients are floats.

Run:   python3 tools/ref/math_fit.py            (needs mpmath; about a minute)
Prints one block of hex floats per function, as committed in lib/math/tc_math_core.h, with the error of
the fit itself (exact arithmetic, rounded coefficients).

Method: Remez exchange on a dense grid. A float polynomial is not the rounded real one: the
coefficient that matters most is rounded first and the others are fitted again around it, and so
on down the list, so that each later coefficient repairs what rounding did to the earlier ones.
"""
from mpmath import mp, mpf
import mpmath
import struct

mp.prec = 120
GRID = 1200


def to_float(value):
    """The nearest float32, as an exact mpf."""
    return mpf(struct.unpack("<f", struct.pack("<f", float(value)))[0])


def hex_float(value):
    """A C hex literal without trailing zeros: 0x1.8p+0."""
    text = float(value).hex()
    mantissa, exponent = text.split("p")
    mantissa = mantissa.rstrip("0").rstrip(".") if "." in mantissa else mantissa
    return mantissa + "p" + exponent


def nodes(low, high, count):
    """Chebyshev points, both ends included, ascending."""
    return [(low + high) / 2 - (high - low) / 2 * mpmath.cos(mpmath.pi * i / (count - 1))
            for i in range(count)]


def extrema(error, points, count):
    """Indices of `count` alternating extrema of the error on the grid (the largest such run)."""
    runs = []
    for i, e in enumerate(error):
        if runs and (e >= 0) == (error[runs[-1]] >= 0):
            if abs(e) > abs(error[runs[-1]]):
                runs[-1] = i
        else:
            runs.append(i)
    while len(runs) > count:
        runs.pop(0 if abs(error[runs[0]]) < abs(error[runs[-1]]) else -1)
    return runs


def remez(target, weight, powers, low, high):
    """c minimising max |weight(x) (target(x) - sum c_i x^powers_i)| on [low, high]; and that maximum."""
    points = nodes(mpf(low), mpf(high), GRID)
    values = [mpf(target(x)) for x in points]
    weights = [mpf(weight(x)) for x in points]
    size = len(powers)
    chosen = [round(i * (GRID - 1) / size) for i in range(size + 1)]
    best = None
    for _ in range(30):
        A = mpmath.matrix(size + 1, size + 1)
        b = mpmath.matrix(size + 1, 1)
        for row, i in enumerate(chosen):
            for column, power in enumerate(powers):
                A[row, column] = points[i] ** power if power else mpf(1)
            A[row, size] = (-1) ** row / weights[i]
            b[row] = values[i]
        solution = mpmath.lu_solve(A, b)
        c = [solution[i] for i in range(size)]
        error = [w * (v - sum(ci * x ** p if p else ci for ci, p in zip(c, powers)))
                 for x, v, w in zip(points, values, weights)]
        worst = max(abs(e) for e in error)
        if best is None or worst < best[0]:
            best = (worst, c)
        if worst <= abs(solution[size]) * mpf("1.0001"):
            break
        runs = extrema(error, points, size + 1)
        if len(runs) < size + 1:
            break
        chosen = runs
    return best[1], best[0]


def float_fit(target, weight, powers, low, high, fixed=None):
    """remez, then rounding in order of `powers`, refitting the rest each time. fixed: {power: value}."""
    known = dict(fixed or {})
    remaining = [p for p in powers if p not in known]
    while remaining:
        def rest(x):
            return target(x) - sum(c * x ** p if p else c for p, c in known.items())
        c, _ = remez(rest, weight, remaining, low, high)
        known[remaining[0]] = to_float(c[0])
        remaining = remaining[1:]
    points = nodes(mpf(low), mpf(high), 4 * GRID)
    worst = max(abs(weight(x) * (target(x) - sum(c * x ** p if p else c for p, c in known.items())))
                for x in points)
    return [known[p] for p in powers], worst


def rational(target, weight, top, bottom, low, high, mapping=lambda s: s):
    """Minimax P/Q of degrees top and bottom with Q(0) = 1; reference points placed through `mapping`."""
    size = top + bottom + 2
    points = [mapping(s) for s in nodes(mpf(low), mpf(high), 3 * GRID)]
    values = [mpf(target(x)) for x in points]
    weights = [mpf(weight(x)) for x in points]
    chosen = [round(i * (len(points) - 1) / (size - 1)) for i in range(size)]
    E, best = mpf(0), None
    for _ in range(40):
        for _ in range(12):
            A = mpmath.matrix(size, size)
            b = mpmath.matrix(size, 1)
            for row, i in enumerate(chosen):
                x, s = points[i], (-1) ** row / weights[i]
                for j in range(top + 1):
                    A[row, j] = x ** j
                for j in range(1, bottom + 1):
                    A[row, top + j] = -(values[i] - s * E) * x ** j
                A[row, size - 1] = s
                b[row] = values[i]
            solution = mpmath.lu_solve(A, b)
            E = solution[size - 1]
        P = [solution[i] for i in range(top + 1)]
        Q = [mpf(1)] + [solution[top + i] for i in range(1, bottom + 1)]
        error = [w * (v - mpmath.polyval(P[::-1], x) / mpmath.polyval(Q[::-1], x))
                 for x, v, w in zip(points, values, weights)]
        worst = max(abs(e) for e in error)
        if best is None or worst < best[0]:
            best = (worst, P, Q)
        if worst <= abs(E) * mpf("1.0001"):
            break
        runs = extrema(error, points, size)
        if len(runs) < size:
            break
        chosen = runs
    return best


def show(name, fit):
    coefficients, worst = fit
    print("%s: error of the fit %s" % (name, mpmath.nstr(worst, 3)))
    for power, c in enumerate(coefficients):
        print("    c%d = %sf" % (power, hex_float(c)))


def ratio(f):
    """x -> f(x) / x, continued by 1 to x = 0, and its inverse as a weight: relative error."""
    def value(x):
        return f(x) / x if abs(x) > mpf("1e-25") else mpf(1)
    return value, lambda x: 1 / value(x)


def mills(t):
    """Mills' ratio (1 - Phi(t)) / phi(t)."""
    return mpmath.exp(t * t / 2) * mpmath.erfc(t / mpmath.sqrt(2)) * mpmath.sqrt(mpmath.pi / 2)


def fit_mills():
    """P4/Q5 on [0, 8]: the rational fit gives Q, which is rounded; P is then fitted to mills * Q."""
    _, _, Q = rational(mills, lambda t: 1 / mills(t), 4, 5, 0, 1, mapping=lambda s: 8 * s * s)
    Q = [to_float(q) for q in Q]

    def product(t):
        return mills(t) * mpmath.polyval(Q[::-1], t)
    P = float_fit(product, lambda t: 1 / product(t), [0, 1, 2, 3, 4], 0, 8)
    show("mills Q on [0, 8]", (Q, mpf(0)))
    show("mills P on [0, 8]", P)


def hazard_tail(u):
    """(1 / mills(t) - t) t for u = 1 / t^2: 1 - 2u + 10u^2 - 74u^3 ..."""
    t = 1 / mpmath.sqrt(u)
    return (1 / mills(t) - t) * t


def main():
    half = mpmath.log(2) / 2 * mpf("1.01")
    show("exp on [-ln2/2, ln2/2]", float_fit(mpmath.exp, lambda x: mpmath.exp(-x), list(range(7)),
                                             -half, half, {0: mpf(1), 1: mpf(1)}))
    show("2^x on [-1/2, 1/2]", float_fit(lambda x: mpf(2) ** x, lambda x: mpf(2) ** -x, list(range(7)),
                                         mpf("-0.5001"), mpf("0.5001"), {0: mpf(1)}))
    value, weight = ratio(lambda x: mpmath.log(1 + x))
    show("log(1+f)/f", float_fit(value, weight, list(range(10)), mpmath.sqrt(mpf(1) / 2) - 1,
                                 mpmath.sqrt(2) - 1, {0: mpf(1), 1: mpf(-1) / 2}))
    show("log(1+u)/u on [0, 1]", float_fit(value, weight, list(range(10)), 0, 1, {0: mpf(1)}))
    octant = mpmath.pi / 4 * mpf("1.0005")
    value, weight = ratio(mpmath.sin)
    show("sin(r)/r, powers 0 2 4 6", float_fit(value, weight, [0, 2, 4, 6], 0, octant, {0: mpf(1)}))
    show("cos(r), powers 0 2 4 6 8", float_fit(mpmath.cos, lambda x: mpf(1), [0, 2, 4, 6, 8], 0, octant,
                                               {0: mpf(1), 2: mpf(-1) / 2}))
    value, weight = ratio(mpmath.atan)
    show("atan(a)/a, powers 0 2 .. 8", float_fit(value, weight, [0, 2, 4, 6, 8], 0,
                                                 mpmath.tan(mpmath.pi / 8) * mpf("1.001"), {0: mpf(1)}))
    fit_mills()
    show("hazard tail in u", float_fit(hazard_tail, lambda u: u, [0, 1, 2], mpf("1e-4"), mpf(1) / 64))


if __name__ == "__main__":
    main()
