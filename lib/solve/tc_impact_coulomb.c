/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Coulomb's law by De Saxce's shift: the cone problem with s_i added to the velocity of each
 * normal, s_i = mu_i |u_i,t| of its own answer. Where that holds, a slipping contact has
 * u_n + s = mu |u_t|, so u_n = 0, and an open one u_n >= 0. The shift is a column of G (tc_impact_bias.c).
 *
 * Fixed point. s -> mu |u_t(s)| contracts where friction is small; with mu near 1 and levers it may
 * swing. Anderson's acceleration combines the last steps: with r = g(s) - s, and differences of
 * the last IMPACT_MEMORY steps in the columns of R and X,
 *
 *     gamma = argmin |r - R gamma|,   s <- g(s) - X gamma,   X: differences of g
 *
 * Solves start from the last impulses. The judge is the natural map of the nonlinear problem,
 * max_i |f_i - P_i(f_i - (u_i + mu_i |u_i,t| n) / a_i)| a_i / scale.
 */
#define TC_MAT_LOOP /* loops stay loops */
#include "tc_exact.h"
#include "tc_cone_internal.h"
#include "tc_impact_internal.h"

/* Steps after which a fixed point that has not come is looked for without memory, by half a step */
#define IMPACT_RESTART 10u

/* The iteration ends a little below the limit: impulses of least norm use up the rest. */
static const tc_real near_enough = TC_C(0.6) * TC_IMPACT_TOLERANCE;

/* Weight of the normal equations' diagonal against directions that repeat */
static const tc_real repeated = TC_C(1e-6);

/* One phase on its way */
typedef struct shift_steps {
    tc_real *R;    /* [IMPACT_MEMORY x n] differences of the residual */
    tc_real *X;    /* [IMPACT_MEMORY x n] differences of g */
    tc_real *r;    /* [n] last residual */
    tc_real *g;    /* [n] last g */
    tc_real *next; /* [n] */
    uint32_t count;
} shift_steps;

/* gamma[k] of the normal equations R R^T + a little, by elimination */
static void solve_small(tc_real A[IMPACT_MEMORY][IMPACT_MEMORY + 1u], uint32_t k)
{
    for (uint32_t p = 0; p < k; ++p) {
        for (uint32_t q = p + 1u; q < k; ++q) {
            const tc_real l = A[q][p] / A[p][p];
            for (uint32_t j = p; j < k; ++j) A[q][j] = TC_MLS(A[q][j], l, A[p][j]);
            A[q][IMPACT_MEMORY] = TC_MLS(A[q][IMPACT_MEMORY], l, A[p][IMPACT_MEMORY]);
        }
    }
    for (uint32_t up = 0; up < k; ++up) {
        const uint32_t p = k - 1u - up;
        for (uint32_t j = p + 1u; j < k; ++j) {
            A[p][IMPACT_MEMORY] = TC_MLS(A[p][IMPACT_MEMORY], A[p][j], A[j][IMPACT_MEMORY]);
        }
        A[p][IMPACT_MEMORY] /= A[p][p];
    }
}

/* The differences of this step join the last ones; r and g become this step's. */
static void remember_step(shift_steps *k, const tc_real *shift, uint32_t n)
{
    const uint32_t at = (k->count + IMPACT_MEMORY - 1u) % IMPACT_MEMORY;
    for (uint32_t i = 0; i < n; ++i) {
        const tc_real r = k->next[i] - shift[i];
        if (k->count > 0u) {
            k->R[at * n + i] = r - k->r[i];
            k->X[at * n + i] = k->next[i] - k->g[i];
        }
        k->r[i] = r;
        k->g[i] = k->next[i];
    }
    ++k->count;
}

/* A = (R R^T, R r), its diagonal regularised; returns the largest element of that diagonal. */
static tc_real multiply_steps(const shift_steps *k, uint32_t depth, uint32_t n,
                              tc_real A[IMPACT_MEMORY][IMPACT_MEMORY + 1u])
{
    tc_real size = TC_C(0.0);
    for (uint32_t p = 0; p < depth; ++p) {
        for (uint32_t q = 0; q < depth; ++q) {
            A[p][q] = tc_mat_body_dot(TC_C(0.0), k->R + p * n, 1, k->R + q * n, 1, 0, n);
        }
        size = tc_vec_max(A[p][p], size);
        A[p][IMPACT_MEMORY] = tc_mat_body_dot(TC_C(0.0), k->R + p * n, 1, k->r, 1, 0, n);
    }
    for (uint32_t p = 0; p < depth; ++p) A[p][p] = TC_MLA(A[p][p], repeated, size);
    return size;
}

/* s->shift = g - X gamma, not negative */
static void move_shift(tci_impact_state *s, shift_steps *k, uint32_t n)
{
    tc_real A[IMPACT_MEMORY][IMPACT_MEMORY + 1u] = {{TC_C(0.0)}};
    remember_step(k, s->shift, n);
    if (k->count == IMPACT_RESTART) {
        k->count = 0;
        for (uint32_t i = 0; i < n; ++i) s->shift[i] = TC_MLA(s->shift[i], TC_C(0.5), k->r[i]);
        return;
    }
    const uint32_t depth = k->count - 1u < IMPACT_MEMORY ? k->count - 1u : IMPACT_MEMORY;
    const tc_real size = multiply_steps(k, depth, n, A);
    if (size > TC_C(0.0)) solve_small(A, depth);
    for (uint32_t i = 0; i < n; ++i) {
        tc_real next = k->g[i];
        for (uint32_t p = 0; p < depth && size > TC_C(0.0); ++p) {
            next = TC_MLS(next, A[p][IMPACT_MEMORY], k->X[p * n + i]);
        }
        s->shift[i] = tc_vec_not_negative(next);
    }
}

static void start_shift(tci_impact_state *s, const tc_cone *cone, shift_steps *k)
{
    const uint32_t n = cone->n;
    tc_real *const pairs = s->history + 2u * IMPACT_MEMORY * n;
    *k = (shift_steps){.R = s->history,
                       .X = s->history + IMPACT_MEMORY * n,
                       .r = pairs,
                       .g = pairs + n,
                       .next = pairs + 2u * n,
                       .count = 0};
    if (cone->w0 != s->start) {
        for (uint32_t j = 0; j < cone->d; ++j) s->start[j] = cone->w0[j];
    }
}

/* The problem with the column of the shift: the first has none, and is solved as it is. */
static void take_shift(tci_impact_state *s, const tci_impact_output *last, tc_cone *shifted)
{
    if (shifted->G != s->G) tci_impact_widen(s);
    shifted->G = s->G;
    shifted->w0 = s->start;
    shifted->d = s->problem->contact.d + 1u;
    shifted->warm = last->f;
    tci_impact_bias(s, last);
}

tc_status tci_impact_coulomb(tci_impact_state *s, const tc_cone *cone, const tci_impact_output *to)
{
    tc_cone shifted = *cone;
    shift_steps k;
    tc_real residual = TC_C(0.0);
    tc_status status = TC_OK;
    start_shift(s, cone, &k);
    for (uint32_t i = 0; i < cone->n; ++i) s->shift[i] = TC_C(0.0);
    for (uint32_t tries = 0; tries < TC_IMPACT_SOLVES_MAX; ++tries) {
        if (tries > 0u) take_shift(s, to, &shifted);
        status = tci_impact_cone(s, &shifted, to);
        if (status < TC_OK) return status;
        residual = tci_impact_judge(cone, to, 1, k.next);
        if (residual <= near_enough) break;
        if (tries + 1u < TC_IMPACT_SOLVES_MAX) move_shift(s, &k, cone->n);
    }
    s->coulomb = tc_vec_max(residual, s->coulomb);
    if (residual > TC_IMPACT_TOLERANCE) return TC_NOTE_LIMIT;
    if (status == TC_NOTE_LIMIT) status = TC_OK; /* the law's own limit is obeyed */
    return to->info->error <= TC_CONE_ERROR ? status : TC_NOTE_PRECISION;
}
