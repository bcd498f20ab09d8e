#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Reference vectors for the small matrices, on standard output.

Everything is computed in exact rational arithmetic (square roots to 40 digits) straight from the
definitions: elimination for A = L diag(d) L^T, substitution, A^-1 column by column. Nothing is taken
from lib/. Inputs are integers over 1024, exact in float and double, from a fixed generator.

    python3 tools/ref/mat_vectors.py products > tests/vectors/mat_products.h
    python3 tools/ref/mat_vectors.py definite > tests/vectors/mat_definite.h
"""
import sys
from decimal import Decimal, getcontext
from fractions import Fraction

getcontext().prec = 40
SCALE = 1024
PRODUCTS = [(1, 1, 1), (2, 2, 2), (3, 3, 3), (4, 4, 4), (6, 6, 6), (1, 5, 1), (2, 3, 4), (5, 1, 7), (4, 8, 3),
            (3, 12, 2)]
SIZES = [1, 2, 3, 4, 5, 6, 7, 12]


class Generator:
    """Numerical Recipes' 32-bit linear congruence, high bits only."""

    def __init__(self, seed):
        self.state = seed

    def integer(self, low, high):
        self.state = (1664525 * self.state + 1013904223) % 2**32
        return low + (self.state >> 8) % (high - low + 1)

    def matrix(self, rows, columns, low, high):
        return [[Fraction(self.integer(low, high), SCALE) for _ in range(columns)] for _ in range(rows)]


def transpose(A):
    return [list(column) for column in zip(*A)]


def multiply(A, B):
    return [[sum(a * b for a, b in zip(row, column)) for column in transpose(B)] for row in A]


def diagonal(d):
    return [[value if i == j else Fraction(0) for j in range(len(d))] for i, value in enumerate(d)]


def ldlt(A):
    """Unit lower L and d with A = L diag(d) L^T, by eliminating column after column."""
    n = len(A)
    rest = [row[:] for row in A]
    L = diagonal([Fraction(1)] * n)
    d = []
    for j in range(n):
        d.append(rest[j][j])
        for i in range(j + 1, n):
            L[i][j] = rest[i][j] / rest[j][j]
        for i in range(j + 1, n):
            for k in range(j + 1, n):
                rest[i][k] -= L[i][j] * d[j] * L[k][j]
    return L, d


def solve(A, b):
    """A x = b by Gauss-Jordan elimination; A is positive definite, so no pivoting is needed."""
    n = len(A)
    rows = [A[i][:] + [b[i]] for i in range(n)]
    for j in range(n):
        rows[j] = [value / rows[j][j] for value in rows[j]]
        for i in range(n):
            if i != j:
                rows[i] = [x - rows[i][j] * y for x, y in zip(rows[i], rows[j])]
    return [row[n] for row in rows]


def inverse(A):
    identity = diagonal([Fraction(1)] * len(A))
    return transpose([solve(A, column) for column in identity])


def norm(A):
    return max(sum(abs(x) for x in row) for row in A)


def root(value):
    return (Decimal(value.numerator) / Decimal(value.denominator)).sqrt()


def times_root(factor, value):
    return Decimal(factor.numerator) / Decimal(factor.denominator) * root(value)


def flat(A):
    return [x for row in A for x in row]


def emit(kind, name, texts):
    head = f"static const {kind} {name}[] = {{"
    if len(head) + sum(len(text) + 2 for text in texts) < 108:
        print(head + ", ".join(texts) + "};")
        return
    print(head)
    line = "   "
    for text in texts:
        if len(line) + len(text) + 2 > 110:
            print(line)
            line = "   "
        line += f" {text},"
    print(line + "\n};")


def emit_inputs(name, values):
    assert all(value * SCALE == int(value * SCALE) and abs(value * SCALE) < 2**23 for value in values)
    emit("int32_t", name, [str(int(value * SCALE)) for value in values])


def emit_reals(name, values):
    emit("tc_real", name, [f"R({float(value)!r})" for value in values])


def products():
    generator = Generator(1)
    rows = []
    for index, (m, k, n) in enumerate(PRODUCTS):
        A = generator.matrix(m, k, -2048, 2047)
        B = generator.matrix(k, n, -2048, 2047)
        half = generator.matrix(k, k, -1024, 1023)
        D = [[half[max(i, j)][min(i, j)] for j in range(k)] for i in range(k)]
        d = [D[i][i] for i in range(k)]
        prefix = f"product{index}"
        emit_inputs(f"{prefix}_A", flat(A))
        emit_inputs(f"{prefix}_B", flat(B))
        emit_inputs(f"{prefix}_D", flat(D))
        emit_reals(f"{prefix}_C", flat(multiply(A, B)))
        emit_reals(f"{prefix}_ADA", flat(multiply(multiply(A, D), transpose(A))))
        emit_reals(f"{prefix}_AdA", flat(multiply(multiply(A, diagonal(d)), transpose(A))))
        fields = ", ".join(f"{prefix}_{part}" for part in ("A", "B", "D", "C", "ADA", "AdA"))
        rows.append(f"    {{{m}, {k}, {n}, {fields}}},")
    print("\n/* C = A B; ADA = A D A^T; AdA = A diag(D) A^T. A, B, D in units of 1/1024. */")
    print("static const struct {\n    uint32_t m, k, n;\n    const int32_t *A, *B, *D;\n"
          "    const tc_real *C, *ADA, *AdA;\n} mat_products[] = {")
    print("\n".join(rows) + "\n};\n")


def definite():
    generator = Generator(2)
    rows = []
    for n in SIZES:
        G = [[Fraction(generator.integer(-40, 40)) for _ in range(n)] for _ in range(n)]
        A = [[(x + (200 if i == j else 0)) / SCALE for j, x in enumerate(row)]
             for i, row in enumerate(multiply(G, transpose(G)))]
        b = generator.matrix(n, 1, -2048, 2047)
        unit, d = ldlt(A)
        L = [[times_root(unit[i][j], d[j]) for j in range(n)] for i in range(n)]
        inverted = inverse(A)
        x = solve(A, flat(b))
        prefix = f"definite{n}"
        emit_inputs(f"{prefix}_A", flat(A))
        emit_inputs(f"{prefix}_b", flat(b))
        emit_reals(f"{prefix}_L", flat(L))
        emit_reals(f"{prefix}_unit", flat(unit))
        emit_reals(f"{prefix}_d", d)
        emit_reals(f"{prefix}_x", x)
        emit_reals(f"{prefix}_inverse", flat(inverted))
        fields = ", ".join(f"{prefix}_{part}" for part in ("A", "b", "L", "unit", "d", "x"))
        condition = float(norm(A) * norm(inverted))
        rows.append(f"    {{{n}, R({condition:.4}), {fields},\n     {prefix}_inverse}},")
    print("\n/* A = L L^T = unit diag(d) unit^T, A x = b; condition in the infinity norm. A, b in units\n"
          " * of 1/1024. */")
    print("static const struct {\n    uint32_t n;\n    tc_real condition;\n    const int32_t *A, *b;\n"
          "    const tc_real *L, *unit, *d, *x, *inverse;\n} mat_definite[] = {")
    print("\n".join(rows) + "\n};\n")


def main():
    parts = {"products": products, "definite": definite}
    if len(sys.argv) != 2 or sys.argv[1] not in parts:
        sys.exit(__doc__)
    part = sys.argv[1]
    guard = f"VECTORS_MAT_{part.upper()}_H"
    print("/* SPDX-License-Identifier: MIT\n * Copyright (c) 2026 The tinycontact authors\n *\n"
          f" * Reference vectors for the small matrices: {part}. Exact rational arithmetic. Made by\n"
          f" * `tools/ref/mat_vectors.py {part}`: edit that and run it again.\n */\n"
          f"#ifndef {guard}\n#define {guard}\n\n#define R(literal) TC_C(literal)\n")
    parts[part]()
    print("#undef R\n\n#endif")


if __name__ == "__main__":
    main()
