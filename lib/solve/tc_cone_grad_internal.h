/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The pattern of a solved cone problem, factored: what the derivatives of cones and of impacts
 * share. Not for users. tc_cone_grad.c has the derivation.
 */
#ifndef TC_CONE_GRAD_INTERNAL_H
#define TC_CONE_GRAD_INTERNAL_H

#include "tc_cone_grad.h"
#include "tc_mat_fixed.h"

/* Columns of a pattern: at most one per row of G */
#define CONE_GRAD_COLUMNS 32u
#define CONE_ROWS 3u

typedef struct tci_cone_grad_pattern {
    const tc_cone *problem;
    const tc_real *f;          /* [n rows] */
    const tc_cone_kind *kind;  /* [n] */
    const tc_real *compliance; /* [n] c, or null */
    tc_real *w;                /* [d] */
    tc_real *u;                /* [n rows] G w + c f */
    tc_real *tau;     /* [n x 3] direction of friction where it is at its limit, else 0; square of
                                * the tangents' rows there */
    tc_real *T;       /* [columns x rows] */
    tc_real *b;       /* [columns x d] T^T G: hard: Q's row; soft: what Q leaves of it */
    tc_real *along;   /* [columns x d] parts of T^T G along Q; hard: a row of R */
    tc_real *D;       /* [columns] diagonal beside the Gram matrix; hard: 0 */
    tc_real *S;       /* [soft x soft] Cholesky factor, its diagonal inverted */
    tc_real *x;       /* [d] answer of the last solve */
    tc_real *z;       /* [columns] with it */
    tc_real *h;       /* [columns] its right-hand side */
    tc_real *by_row;  /* [n x rows] scratch of those who assemble */
    uint32_t hard;    /* columns kept with D = 0, the first ones */
    uint32_t columns; /* all that are kept */
    uint32_t weak;    /* columns that depend on others, or almost: f is not unique */
    int coulomb;      /* 1: a slipping contact has u_n = 0 (tc_cone_grad_coulomb.c) */
    uint32_t loose;   /* coulomb: equations of the last solve that depend on others */
    uint8_t contact[CONE_GRAD_COLUMNS]; /* of each column */
} tci_cone_grad_pattern;

/* The rows of contact i */
TC_MAT_INLINE const tc_real *tci_cone_grad_rows(const tci_cone_grad_pattern *s, uint32_t i)
{
    return s->problem->G + i * s->problem->rows * s->problem->d;
}

/* a . b, ascending; 3 and 6 numbers, a free body's, without a loop */
TC_MAT_INLINE tc_real tci_cone_grad_dot(const tc_real *a, const tc_real *b, uint32_t n)
{
    tc_real sum = a[0] * b[0];
    if (n == 6u || n == 3u) {
        sum = TC_MLA(TC_MLA(sum, a[1], b[1]), a[2], b[2]);
        return n == 3u ? sum : TC_MLA(TC_MLA(TC_MLA(sum, a[3], b[3]), a[4], b[4]), a[5], b[5]);
    }
    return tc_mat_body_dot(sum, a, 1, b, 1, 1, n);
}

/* y += a x */
TC_MAT_INLINE void tci_cone_grad_add(tc_real *y, tc_real a, const tc_real *x, uint32_t n)
{
    if (n == 6u || n == 3u) {
        for (uint32_t j = 0; j < n; j += 3u) {
            y[j] = TC_MLA(y[j], a, x[j]);
            y[j + 1u] = TC_MLA(y[j + 1u], a, x[j + 1u]);
            y[j + 2u] = TC_MLA(y[j + 2u], a, x[j + 2u]);
        }
        return;
    }
    for (uint32_t j = 0; j < n; ++j) y[j] = TC_MLA(y[j], a, x[j]);
}

/* Whose derivatives: a problem's answer. w: [d] its velocity; null: w0 + G^T f. coulomb: the answer
 * of the problem with De Saxce's shift, `problem` without it. */
typedef struct tci_cone_grad_answer {
    const tc_cone *problem;
    const tc_real *f;
    const tc_real *w;
    const tc_cone_kind *kind;
    const tc_real *compliance;
    int coulomb;
} tci_cone_grad_answer;

/* Lays out and factors. Inputs have been checked, except the kinds. 0: a kind is none. */
int tci_cone_grad_open(tci_cone_grad_pattern *s, const tci_cone_grad_answer *answer, tc_real *work);

/* From v in s->x and h in s->h: x and z. by_row is lost. */
void tci_cone_grad_solve(tci_cone_grad_pattern *s);

/* The same by Coulomb's law. adjoint: with the transposed matrix. */
void tci_cone_grad_solve_coulomb(tci_cone_grad_pattern *s, int adjoint);

/* Whether column k is the ray of a contact that slips */
TC_MAT_INLINE int tci_cone_grad_is_ray(const tci_cone_grad_pattern *s, uint32_t k)
{
    const uint32_t rows = s->problem->rows;
    return s->kind[s->contact[k]] == TC_CONE_SLIP && (rows == 1u || s->T[k * rows] != TC_C(0.0));
}

/* Adds to `by` what the cotangents by_w[d] and, if not null, by_f[n rows] give. f's derivative
 * exists where no column is weak. add: 0: by->G is written, not added to. */
void tci_cone_grad_pull(tci_cone_grad_pattern *s, const tc_real *by_w, const tc_real *by_f,
                        const tc_cone_grad *by, int add);

/* Writes the direction of w to s->x and, if df is not null, that of f[n rows]. */
void tci_cone_grad_push(tci_cone_grad_pattern *s, const tc_cone_grad *along, tc_real *df);

#endif
