/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * What the methods behind tc_lcp_solve share: the working set with its triangular factor, and the judge.
 * Not for users.
 *
 * Working set A: contacts assumed to carry, z_A > 0 and w_A = 0, so M_AA z_A = -q_A. With M_AA = L L^T
 *
 *     L c = -q_A,   L^T z_A = c
 *
 * so c is one more row of the factor: appending a contact appends one number to c, and cutting the factor
 * off behind its first t rows leaves c right, too. From M the row of L is Cholesky's; from J it is
 * Gram-Schmidt's, J_A = L Q with orthonormal rows of Q, and M is never formed. All else is the same.
 */
#ifndef TC_LCP_CORE_H
#define TC_LCP_CORE_H

#include "tc_lcp.h"
#include "tc_mat_fixed.h"

#include <math.h>
#include <string.h>

/* w = M z + q cannot be better than this part of the terms that cancel in it. */
#define LCP_NOISE (TC_C(4.0) * TC_EPSILON)

/* Terms of w this many times as large as q are no solution but a step along a null vector. */
#define LCP_GROWTH TC_C(1e5)

/* Functions that only doubtful (COLD) or larger (APART) problems reach, kept out of the others' registers */
#if defined(__GNUC__)
#define LCP_COLD __attribute__((noinline, cold))
#define LCP_APART __attribute__((noinline))
#else
#define LCP_COLD
#define LCP_APART
#endif

/* One problem on its way. */
typedef struct tc_lcp_state {
    const tc_real *M;      /* [n x n], or null: */
    const tc_real *J;      /* [n x d] */
    const tc_real *q;      /* [n] the proximal method lets the active set see another q than the judge */
    tc_real *z;            /* [n] the caller's, by contact */
    tc_real *w;            /* [n] the caller's */
    tc_real *L;            /* row k at L + k (k + 1) / 2, ends with 1 / L_kk */
    tc_real *c;            /* [n] by position in the working set, as x and Q */
    tc_real *x;            /* [n] z_A of the working set, or its null direction */
    tc_real *Q;            /* [min(n, d) x d] only with J */
    tc_real *ray;          /* [n] by contact: a null vector y >= 0 with q^T y < 0, perhaps */
    tc_real *spare;        /* [2 n] */
    uint32_t n;
    uint32_t d;
    uint32_t count;        /* contacts in the working set */
    uint32_t changes;      /* rows appended, or tried */
    uint32_t limit;        /* on changes */
    uint32_t ignored;      /* contacts whose w < 0 has turned out to be rounding */
    uint32_t active;       /* the working set when it was judged last, a bit per contact */
    uint32_t violated;     /* contacts that approach, found by the judge */
    uint32_t worst;        /* that with the largest w^2 / M_ii */
    uint32_t doubt;        /* 1: a pivot was so small that growth has to be looked at */
    tc_real shift;         /* factor on the diagonal: 1, proximal 1 + phi */
    tc_real largest_q;     /* max |q_i| of the problem */
    tc_real scale;         /* from below: max |q_i|; or as defined */
    tc_real merit;         /* of `worst` */
    tc_real carrying;      /* of the last judgement: max |w_i| over the working set */
    tc_real violation;     /* of the last judgement: residual * scale; NaN if anything read was not finite */
    uint8_t order[TC_LCP_MAX]; /* position in the working set -> contact */
} tc_lcp_state;

typedef enum lcp_outcome {
    LCP_SOLVED, /* no contact approaches beyond rounding; judged */
    LCP_RAY,    /* `ray` holds what may prove that there is no solution */
    LCP_STUCK,  /* rounding decides: another method has to */
    LCP_LIMIT   /* more changes than the bound */
} lcp_outcome;

/* Changes that the active set may take, and the proximal method once more in all its steps */
#define LCP_LIMIT_OF(n) (5u * (n) + 20u)

/* ---- Working set and judge (tc_lcp_factor.c) ------------------------------------------------------ */

/* 1 if contact p is independent of the working set and was appended. Otherwise position `count` of L
 * holds the row without its diagonal, and x the null direction: M (x, 1) = 0 over (A, p). */
int tc_lcp_append(tc_lcp_state *s, uint32_t p);

/* The same with all contacts of `mask`, in ascending order; gate: those that still approach then */
void tc_lcp_append_all(tc_lcp_state *s, uint32_t mask, int gate);

/* L^T x = c over the first `count` positions; c may be any row */
void tc_lcp_back(const tc_lcp_state *s, const tc_real *c, tc_real *x);

/* product = M y */
void tc_lcp_multiply(const tc_lcp_state *s, const tc_real *y, tc_real *product);

/* values_A -= the solution of M_AA x = error_A, both by contact; none below `least`. Uses x. */
void tc_lcp_correct(tc_lcp_state *s, const tc_real *error, tc_real *values, tc_real least);

/* w = M z + q over the carrying contacts of the working set, and what is wrong with it */
void tc_lcp_judge(tc_lcp_state *s, const tc_real *q);

/* The scale as defined, not from below */
void tc_lcp_exact_scale(tc_lcp_state *s, const tc_real *q);

/* ---- From J instead of M (tc_lcp_velocity.c) ------------------------------------------------------ */

int tc_lcp_velocity_append(tc_lcp_state *s, uint32_t p);
tc_real tc_lcp_velocity_rows(tc_lcp_state *s, const tc_real *q, uint32_t active); /* for the judge */

/* ---- Methods -------------------------------------------------------------------------------------- */

/* All take the arguments of tc_lcp_solve as they are, so that calls from one to the next are jumps. */
typedef tc_status tc_lcp_method(const tc_lcp *problem, tc_real *z, tc_real *w, tc_real *work, size_t work_len,
                                tc_lcp_info *info);

/* tc_lcp_small.c: n = 1..4 from M, z, w and work not null; what they cannot certify goes to tc_lcp_other */
tc_lcp_method tc_lcp_one, tc_lcp_two, tc_lcp_three, tc_lcp_four;

/* tc_lcp.c: everything but the closed forms, with all border checks */
tc_lcp_method tc_lcp_other;

/* tc_lcp_active.c: dual active set on s->q, from z = 0, starting with the contacts of `mask`; gate: of those,
 * the ones that still approach when the ones before them carry */
lcp_outcome tc_lcp_active(tc_lcp_state *s, uint32_t mask, int gate);

/* tc_lcp_proximal.c: for what the active set could not settle from M. `q` is the problem's. Leaves z, w and
 * a judgement (LCP_SOLVED: to be certified), or a ray. */
lcp_outcome tc_lcp_proximal(tc_lcp_state *s, const tc_real *q);

/* tc_lcp_lemke.c: any M */
tc_status tc_lcp_lemke(const tc_lcp *problem, tc_real *z, tc_real *w, tc_real *work, tc_lcp_info *info);

/* ---- Small things --------------------------------------------------------------------------------- */

TC_MAT_INLINE tc_real lcp_magnitude(tc_real x)
{
#ifdef TC_DOUBLE
    return fabs(x);
#else
    return fabsf(x);
#endif
}

/* 0 <= x < infinity; as integers, negative numbers and NaN are larger than infinity */
TC_MAT_INLINE int lcp_positive(tc_real x)
{
#ifdef TC_DOUBLE
    return x >= 0 && x - x == 0;
#else
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits < 0x7f800000u;
#endif
}

TC_MAT_INLINE tc_real lcp_max(tc_real a, tc_real b)
{
    return a > b ? a : b;
}

/* Row k of the packed factor */
TC_MAT_INLINE tc_real *lcp_row(const tc_lcp_state *s, uint32_t k)
{
    return s->L + k * (k + 1u) / 2u;
}

/* A row w of the judge whose contact is outside A and approaches: whether by more than rounding. */
void tc_lcp_approach(tc_lcp_state *s, uint32_t i, tc_real w, tc_real q);

TC_MAT_INLINE void tc_lcp_row(tc_lcp_state *s, tc_real q, uint32_t i, tc_real w, uint32_t active)
{
    s->w[i] = w;
    if (w < TC_C(0.0) && (active >> i & 1u) == 0) {
        tc_lcp_approach(s, i, w, q);
    }
}

/* M_ij, by whatever is given */
TC_MAT_INLINE tc_real lcp_element(const tc_lcp_state *s, uint32_t i, uint32_t j)
{
    tc_real sum = TC_C(0.0);
    if (s->J == NULL) {
        return s->M[i * s->n + j];
    }
    for (uint32_t k = 0; k < s->d; ++k) {
        sum = TC_MLA(sum, s->J[i * s->d + k], s->J[j * s->d + k]);
    }
    return sum;
}

#endif
