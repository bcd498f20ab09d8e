/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * A contact problem or an impact with its adjoint in one call, for Python
 * (tools/tinycontact/impact/api.py). Host only; linked into the shared library. Numbers cross as
 * tc_real.
 */
#ifndef NATIVE_IMPACT_VJP_H
#define NATIVE_IMPACT_VJP_H

#include "tc_impact_grad.h"

TC_BEGIN

/* Inputs; floor, e and target may be null. e and target are an impact's, floor is a cone's. */
typedef struct native_vjp {
    uint32_t n, rows, d;
    int32_t law; /* tc_impact_law */
    const tc_real *G, *w0, *mu, *floor, *e, *target;
} native_vjp;

/* What a solve came to. */
typedef struct native_vjp_answer {
    tc_real *w, *f, *u; /* [d], [n rows]; of an impact f and u after restitution */
    tc_real *f_c;       /* [n rows] of an impact; else unused */
    int32_t *kind;      /* [n] of the last phase */
    tc_real told[3];    /* residual, error, margin: the worse of both phases */
} native_vjp_answer;

/* Cotangents of the inputs; none may be null. */
typedef struct native_vjp_by {
    tc_real *G, *w0, *mu, *floor, *e, *target;
} native_vjp_by;

/* Solves; and if by_w[d] is not null, the adjoint. Returns a tc_status, an error of the adjoint
 * before a note of the solve. */
int32_t native_vjp_cone(const native_vjp *given, native_vjp_answer *answer, const tc_real *by_w,
                        const native_vjp_by *by);
int32_t native_vjp_impact(const native_vjp *given, native_vjp_answer *answer, const tc_real *by_w,
                          const native_vjp_by *by);

TC_END

#endif
