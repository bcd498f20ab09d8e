#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Test vectors of contacts with friction, by cone_reference.py, which never loads the library.

    python3 tools/ref/cone_vectors.py > tests/vectors/cone.h      (Python alone; seconds)

Per family (cone_families.py): contacts in space, in the plane, without friction rows, and with compliance.
Inputs are exactly float32's. Each case has three problems: compression; restitution as a cone problem with
its start and floors rounded to float32; both phases in one, exact between them.
"""
import sys
from decimal import Decimal

import cone_reference
from cone_families import FAMILIES, draw, restitution, single

# (rows, numbers of contacts); d of spd and massratio grows with the rows
SPACE = [(3, n) for n in (1, 1, 2, 3, 4, 4, 6, 8)]
PLANE = [(2, n) for n in (1, 2, 2, 3, 5, 8)]
PLAIN = [(1, 4)]
WIDEST = 12     # columns
COMPLIANT = [(3, 4), (2, 4)]
NOTHING = Decimal("1e-20")   # a velocity that is 0 but for the reference's eps
FIELDS = "G w0 mu compliance e target u_c w_c f_c floor w0_r u_r w_r u w".split()


def sized(family, rows, n):
    """n, or fewer where each contact brings columns of its own."""
    return min(n, WIDEST // rows) if family in ("spd", "massratio") else n


def case(family, rows, n, seed, compliant):
    """{field: numbers} of one case, or None if the reference has no proof for it."""
    p = draw(family, rows, n, seed, compliant)
    e, target = restitution(p, family, seed)
    try:
        first, _, w, u = cone_reference.impact(p, e, target)
        start = [single(float(x - Decimal(t))) if abs(x - Decimal(t)) > NOTHING else 0.0 for x, t in zip(first.w, target)]
        floor = [single(float(Decimal(x) * f)) for x, f in zip(e, first.f[::rows])]
        second = cone_reference.solve(cone_reference.Problem(rows, p.G, start, p.mu, floor, p.compliance))
    except cone_reference.NotCertified as error:
        print(f"{family} {rows} {n} {seed}: {error}", file=sys.stderr)
        return None
    return dict(G=[x for row in p.G for x in row], w0=p.w0, mu=p.mu, compliance=p.compliance or [], e=e,
                target=target, u_c=first.u, w_c=first.w, f_c=first.f, floor=floor, w0_r=start, u_r=second.u,
                w_r=second.w, u=u, w=w, n=n, rows=rows, d=len(p.w0),
                scale_c=cone_reference.terms_scale(p.cast(Decimal), first.f),
                scale_r=cone_reference.terms_scale(
                    cone_reference.Problem(rows, p.G, start, p.mu, floor, p.compliance).cast(Decimal), second.f))


def cases():
    """(name, case) of all; one without proof is replaced by the next seed's."""
    for family in FAMILIES:
        sizes = [(*size, False) for size in SPACE + PLANE + PLAIN] + [(*size, True) for size in COMPLIANT]
        for index, (rows, n, compliant) in enumerate(sizes):
            n, seed, made = sized(family, rows, n), index, None
            while made is None:
                made = case(family, rows, n, seed, compliant)
                seed += 100
            yield f"{family}{index}", made


def literal(value):
    """Inputs in hexadecimal: a decimal that float32 rounds back is another number in double."""
    value = float(value) if abs(value) > NOTHING else 0.0
    if value == int(value) and abs(value) < 1000:
        return f"R({value:.1f})"
    if single(value) != value:
        return f"R({value:.17g})"
    mantissa, exponent = value.hex().split("p")
    return f"R({mantissa.rstrip('0').rstrip('.')}p{exponent})"


def main():
    print("""/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Contacts with friction, solved to 40 digits. Made by `tools/ref/cone_vectors.py`: edit that and
 * run it again.
 *
 * numbers: one after the other
 *   G [n rows x d], w0 [d], mu [n], compliance [n] if there is one, e [n], target [d]   the problem
 *   u_c [n rows], w_c [d], f_c [n rows] of least norm                                   compression
 *   floor [n], w0_r [d]; u_r [n rows], w_r [d]       restitution as a problem with rounded inputs
 *   u [n rows], w [d]                                both phases, nothing rounded between them
 * scale_c, scale_r: of compression and restitution, as tc_cone.h defines it
 */
#ifndef VECTORS_CONE_H
#define VECTORS_CONE_H

#define R(literal) TC_C(literal)
""")
    rows = []
    for name, made in cases():
        texts = [literal(x) for field in FIELDS for x in made[field]]
        print(f"static const tc_real cone_{name}[] = {{")
        line = "   "
        for text in texts:
            if len(line) + len(text) + 2 > 110:
                print(line)
                line = "   "
            line += f" {text},"
        print(line + "\n};")
        rows.append(f'    {{"{name}", {made["n"]}, {made["rows"]}, {made["d"]}, {int(bool(made["compliance"]))},'
                    f' {literal(made["scale_c"])}, {literal(made["scale_r"])}, cone_{name}}},')
    print("\nstatic const struct {\n    const char *name;\n    uint32_t n, rows, d, compliant;\n"
          "    tc_real scale_c, scale_r;\n    const tc_real *numbers;\n} cone_vectors[] = {")
    print("\n".join(rows) + "\n};\n\n#undef R\n\n#endif")


if __name__ == "__main__":
    main()
