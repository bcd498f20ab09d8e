/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Passes over the contacts of a cone problem, one text for all sizes: tc_cone_space.c and
 * tc_cone_plane.c have them for the sizes of a free body, as constants, tc_cone_any.c for all
 * others. Not for users.
 *
 * Newton matrix. With w = w0 + G^T f, linearised impulses f_i = b_i - B_i (u_i - ...) of all
 * contacts, B_i = T_i D_i^-1 T_i^T, and dw the change of w,
 *
 *     (I + sum_i G_i^T B_i G_i) dw = right
 *
 * is d x d, symmetric, and its pivots are at least 1. The columns of T_i are the directions in
 * which f_i is free: all three where it sticks, the tangents where it sticks at its floor, the ray
 * (1, mu tau) and the direction across tau where it slips, across alone where it slips at its
 * floor.
 *
 * CONE_FIXED: 1 where rows and d are constants; CONE_LOOP then unrolls.
 */
#ifndef TC_CONE_PASSES_INTERNAL_H
#define TC_CONE_PASSES_INTERNAL_H

#include "tc_cone_internal.h"

#include <string.h>

#if CONE_FIXED
#define CONE_LOOP TC_MAT_UNROLLED
#define CONE_PASS CONE_APART
#define CONE_INLINE TC_MAT_INLINE
#define CONE_PROJECT tci_cone_project
#else
#define CONE_LOOP
#if CONE_SPARSE
#define CONE_PASS CONE_APART
#define CONE_INLINE TC_MAT_INLINE
#else
#define CONE_PASS CONE_COLD
#define CONE_INLINE static CONE_APART
#endif
#define CONE_PROJECT tci_cone_nearest
#endif
#define CONE_LOCAL (CONE_FIXED ? 6u : 1u) /* a column, where it is of constant size */

/* Columns of contact i's rows: all d, or its runs. CONE_EACH goes through them. */
#if CONE_SPARSE && !CONE_FIXED
typedef const tci_cone_runs *cone_columns;
#define CONE_COLUMNS_OF(s, i, d) ((s)->runs + (i))
#define CONE_EACH(k, columns)                                                                      \
    for (uint32_t k##_run = 0; k##_run < (columns)->count; ++k##_run)                              \
        for (uint32_t k = (columns)->from[k##_run]; k < (columns)->end[k##_run]; ++k)

TC_MAT_INLINE tc_real dot_column(const tc_real *a, const tc_real *b, cone_columns columns)
{
    return tci_cone_dot_runs(a, b, columns);
}
#else
typedef uint32_t cone_columns;
#define CONE_COLUMNS_OF(s, i, d) (d)
#define CONE_EACH(k, columns) CONE_LOOP for (uint32_t k = 0; k < (columns); ++k)

CONE_INLINE tc_real dot_column(const tc_real *a, const tc_real *b, cone_columns d)
{
    tc_real sum = a[0] * b[0];
    CONE_LOOP
    for (uint32_t k = 1; k < d; ++k) sum = TC_MLA(sum, a[k], b[k]);
    return sum;
}
#endif

/* y += x a */
CONE_INLINE void add_column(tc_real *y, tc_real x, const tc_real *a, cone_columns columns)
{
    CONE_EACH(k, columns) y[k] = TC_MLA(y[k], x, a[k]);
}

/* ---- What the rows say ------------------------------------------------------------------------ */

/* Whether the square of a row is at least `least` and not too large; NaN is not */
TC_MAT_INLINE int is_between(tc_real square, tc_real least)
{
    return square >= least && square <= TC_CONE_LARGEST * TC_CONE_LARGEST;
}

/* A contact's own matrix A (nn, n1, n2, 11, 12, 22) and its velocity before; returns 0 where a row
 * is 0 or too long. */
TC_MAT_INLINE int read_rows(const tc_real *g, const tc_real *w0, tc_real mu, tc_real A[6],
                            tc_real u[3], uint32_t rows, uint32_t d, cone_columns columns)
{
    const tc_real zero = TC_CONE_SMALLEST * TC_CONE_SMALLEST;
    const tc_real *const g1 = g + d, *const g2 = g1 + d;
    A[0] = dot_column(g, g, columns);
    u[0] = dot_column(g, w0, columns);
    if (rows > 1u) {
        A[1] = dot_column(g, g1, columns);
        A[3] = dot_column(g1, g1, columns);
        u[1] = dot_column(g1, w0, columns);
    }
    if (rows > 2u) {
        A[2] = dot_column(g, g2, columns);
        A[4] = dot_column(g1, g2, columns);
        A[5] = dot_column(g2, g2, columns);
        u[2] = dot_column(g2, w0, columns);
    }
    const tc_real least = mu > TC_C(0.0) ? zero : TC_C(0.0);
    return is_between(A[0], zero) && (rows < 2u || is_between(A[3], least))
           && (rows < 3u || is_between(A[5], least));
}

#if CONE_SPARSE && !CONE_FIXED
#define CONE_READ_RUNS(s, i, g, rows, d) tci_cone_find_runs(g, rows, d, (s)->runs + (i))
#else
#define CONE_READ_RUNS(s, i, g, rows, d) ((void)0)
#endif

TC_MAT_INLINE int read_contacts(tci_cone_state *s, uint32_t rows, uint32_t d)
{
    const tc_real share = rows == 3u ? TC_C(1.0) / TC_C(3.0) : rows == 2u ? TC_C(0.5) : TC_C(1.0);
    tci_cone_contact *c = s->contact, *const end = c + s->n;
    const tc_real *g = s->G;
    tc_real *u = s->u, approach = TC_C(0.0);
    int valid = 1;
    for (; c != end; ++c, g += rows * d, u += rows) {
        tc_real v[3], A[6] = {TC_C(0.0)};
        CONE_READ_RUNS(s, c - s->contact, g, rows, d);
        valid &= read_rows(g, s->w0, c->mu, A, v, rows, d, CONE_COLUMNS_OF(s, c - s->contact, d));
        c->a = TC_MLA(c->soft, A[0] + A[3] + A[5], share);
        A[0] += c->soft;
        A[3] += c->soft;
        A[5] += c->soft;
        const tc_real x = tc_vec_magnitude(A[1]), y = tc_vec_magnitude(A[2]);
        const tc_real z = tc_vec_magnitude(A[4]);
        const tc_real most = tc_vec_max(tc_vec_max(A[0] + x + y, A[3] + x + z), A[5] + y + z);
        c->inverse = TC_C(1.0) / c->a;
        c->length = TC_C(1.0) / TC_MLA(TC_C(1.0), c->mu, c->mu);
        c->step = TC_C(1.0) / most;
        CONE_LOOP
        for (uint32_t r = 0; r < rows; ++r) {
            u[r] = v[r];
            approach = tc_vec_max(approach, tc_vec_magnitude(v[r]));
        }
        if (rows == 3u) memcpy(s->own, A, sizeof A);
    }
    s->approach = approach;
    return valid;
}

/* ---- Projected Gauss-Seidel on whole contacts; w = w0 + G^T f before and after --------------- */

TC_MAT_INLINE void relax_contact(const tci_cone_contact *c, const tc_real *g, tc_real *f,
                                 tc_real *w, uint32_t rows, uint32_t d, cone_columns columns)
{
    tc_real y[3], before[3], length;
    CONE_LOOP
    for (uint32_t r = 0; r < rows; ++r) {
        before[r] = f[r];
        y[r] = TC_MLS(f[r], c->step, TC_MLA(dot_column(g + r * d, w, columns), c->soft, f[r]));
    }
    (void)CONE_PROJECT(c, y, &length, rows);
    CONE_LOOP
    for (uint32_t r = 0; r < rows; ++r) add_column(w, y[r] - before[r], g + r * d, columns);
    CONE_LOOP
    for (uint32_t r = 0; r < rows; ++r) f[r] = y[r];
}

TC_MAT_INLINE void sweep_contacts(tci_cone_state *s, uint32_t sweeps, uint32_t rows, uint32_t d)
{
    tc_real local[CONE_LOCAL], *const w = CONE_FIXED ? local : s->w;
    CONE_LOOP
    for (uint32_t k = 0; k < d && CONE_FIXED; ++k) w[k] = s->w[k];
    for (uint32_t left = sweeps; left != 0; --left) {
        const tci_cone_contact *c = s->contact, *const end = c + s->n;
        const tc_real *g = s->G;
        tc_real *f = s->f;
        for (; c != end; ++c, f += rows, g += rows * d) {
            relax_contact(c, g, f, w, rows, d, CONE_COLUMNS_OF(s, c - s->contact, d));
        }
    }
    CONE_LOOP
    for (uint32_t k = 0; k < d && CONE_FIXED; ++k) s->w[k] = w[k];
}

/* ---- w = from + G^T f ------------------------------------------------------------------------ */

/* w += G^T f */
TC_MAT_INLINE void push_columns(const tci_cone_state *s, const tc_real *f, tc_real *w,
                                uint32_t rows, uint32_t d)
{
    const tc_real *g = s->G, *const end = f + s->n * rows;
#if CONE_SPARSE && !CONE_FIXED
    for (const tci_cone_runs *runs = s->runs; f != end; ++runs) {
        for (uint32_t r = 0; r < rows; ++r, ++f, g += d) add_column(w, *f, g, runs);
    }
#else
    for (; f != end; ++f, g += d) add_column(w, *f, g, d);
#endif
}

TC_MAT_INLINE void gather_impulses(const tci_cone_state *s, const tc_real *f, const tc_real *from,
                                   tc_real *result, uint32_t rows, uint32_t d)
{
    tc_real local[CONE_LOCAL], *const w = CONE_FIXED ? local : result;
    CONE_LOOP
    for (uint32_t k = 0; k < d; ++k) w[k] = from != NULL ? from[k] : TC_C(0.0);
    push_columns(s, f, w, rows, d);
    CONE_LOOP
    for (uint32_t k = 0; k < d && CONE_FIXED; ++k) result[k] = w[k];
}

/* ---- u and the violation of f; w is that of f ------------------------------------------------- */

TC_MAT_INLINE void judge_contacts(tci_cone_state *s, uint32_t rows, uint32_t d)
{
    tc_real most = TC_C(0.0), load = TC_C(0.0), total = TC_C(0.0);
    const tci_cone_contact *c = s->contact, *const end = c + s->n;
    const tc_real *g = s->G, *f = s->f;
    tc_real *u = s->u;
    for (; c != end; ++c, f += rows, u += rows) {
        tc_real y[3], length, sum = TC_C(0.0);
        CONE_LOOP
        for (uint32_t r = 0; r < rows; ++r, g += d) {
            u[r] =
                TC_MLA(dot_column(g, s->w, CONE_COLUMNS_OF(s, c - s->contact, d)), c->soft, f[r]);
            y[r] = TC_MLS(f[r], c->inverse, u[r]);
        }
        (void)CONE_PROJECT(c, y, &length, rows);
        CONE_LOOP
        for (uint32_t r = 0; r < rows; ++r) {
            const tc_real part = f[r] - y[r];
            sum = TC_MLA(sum, part, part);
        }
        total += sum;
        most = tc_vec_max(most, sum * c->a * c->a);
        load = tc_vec_max(load, c->a * f[0]);
    }
    s->violation = tc_sqrt(most);
    s->total = total;
    s->load = load;
}

/* ---- The scale: the largest sum of magnitudes that cancel in a row of u ----------------------- */

TC_MAT_INLINE void measure_rows(tci_cone_state *s, uint32_t rows, uint32_t d)
{
    tc_real local[CONE_LOCAL], *const sum = CONE_FIXED ? local : s->next;
    const tc_real *g = s->G, *f = s->f;
    tc_real most = TC_C(0.0);
    CONE_LOOP
    for (uint32_t k = 0; k < d; ++k) sum[k] = tc_vec_magnitude(s->w0[k]);
    for (uint32_t i = 0; i < s->n; ++i) {
        for (uint32_t r = 0; r < rows; ++r, ++f, g += d) {
            CONE_EACH(k, CONE_COLUMNS_OF(s, i, d)) sum[k] += tc_vec_magnitude(g[k] * *f);
        }
    }
    g = s->G;
    f = s->f;
    for (uint32_t i = 0; i < s->n; ++i) {
        CONE_LOOP
        for (uint32_t r = 0; r < rows; ++r, ++f, g += d) {
            tc_real row = s->contact[i].soft * tc_vec_magnitude(*f);
            CONE_EACH(k, CONE_COLUMNS_OF(s, i, d))
            row = TC_MLA(row, tc_vec_magnitude(g[k]), sum[k]);
            most = tc_vec_max(most, row);
        }
    }
    s->scale = most;
    s->measured = s->load;
}

/* ---- The Newton matrix ------------------------------------------------------------------------ */

/* lower(H) += sum_j weight_j a_j a_j^T over `count` rows a_j */
#if CONE_SPARSE && !CONE_FIXED
static CONE_PASS void add_squares(tc_real *H, const tc_real *a, const tc_real *weight,
                                  uint32_t count, uint32_t d, cone_columns columns)
{
    for (; count != 0; --count, a += d) {
        const tc_real x = *weight++;
        CONE_EACH(i, columns)
        {
            const tc_real y = x * a[i];
            CONE_EACH(j, columns)
            {
                if (j > i) break;
                H[i * d + j] = TC_MLA(H[i * d + j], y, a[j]);
            }
        }
    }
}
#define ADD_SQUARES(s, i, a, weight, count, d)                                                     \
    add_squares((s)->H, a, weight, count, d, CONE_COLUMNS_OF(s, i, d))
#else
static CONE_PASS void add_squares(tc_real *H, const tc_real *a, const tc_real *weight,
                                  uint32_t count, uint32_t size)
{
    const uint32_t d = CONE_FIXED ? CONE_COLUMNS : size;
    for (; count != 0; --count, a += d) {
        const tc_real x = *weight++;
        CONE_LOOP
        for (uint32_t i = 0; i < d; ++i) {
            const tc_real y = x * a[i];
            CONE_LOOP
            for (uint32_t j = 0; j <= i; ++j) H[i * d + j] = TC_MLA(H[i * d + j], y, a[j]);
        }
    }
}
#define ADD_SQUARES(s, i, a, weight, count, d) add_squares((s)->H, a, weight, count, d)
#endif

/* Rows along the ray and across it, from `first` on; returns how many */
TC_MAT_INLINE void add_slip(tci_cone_state *s, uint32_t i, const tc_real *g, uint32_t along,
                            uint32_t rows, uint32_t d)
{
    const tci_cone_contact *const c = s->contact + i;
    tc_real local[2u * CONE_LOCAL], *const row = CONE_FIXED ? local : s->row;
    const tc_real weight[2] = {c->ray, c->across};
    const tc_real x = c->mu * c->tau[0], y = c->mu * c->tau[1];
    CONE_EACH(k, CONE_COLUMNS_OF(s, i, d))
    {
        tc_real sum = g[k];
        if (rows > 1u) sum = TC_MLA(sum, x, g[d + k]);
        if (rows > 2u) {
            sum = TC_MLA(sum, y, g[2u * d + k]);
            row[d + k] = TC_MLS(c->tau[0] * g[2u * d + k], c->tau[1], g[d + k]);
        }
        row[k] = sum;
    }
    const uint32_t first = 1u - along, last = rows > 2u && c->across > TC_C(0.0) ? 2u : 1u;
    ADD_SQUARES(s, i, row + first * d, weight + first, last - first, d);
}

TC_MAT_INLINE void add_contact(tci_cone_state *s, uint32_t i, uint32_t rows, uint32_t d)
{
    const tci_cone_contact *const c = s->contact + i;
    const tc_real *const g = s->G + i * rows * d;
    const tc_real weight[3] = {c->ray, c->ray, c->ray};
    const uint8_t kind = s->kind[i];
    if (kind == TC_CONE_OPEN) return;
    if (kind == TC_CONE_SLIP || kind == TC_CONE_FLOOR_SLIP) {
        add_slip(s, i, g, kind == TC_CONE_SLIP, rows, d);
        return;
    }
    const uint32_t first = kind == TC_CONE_STICK ? 0u : 1u;
    ADD_SQUARES(s, i, g + first * d, weight, rows - first, d);
}

/* H = L L^T, the diagonal of L as reciprocals. A pivot is at least 1, which rounding may miss. */
TC_MAT_INLINE void factor_matrix(tc_real *H, uint32_t d)
{
    CONE_LOOP
    for (uint32_t j = 0; j < d; ++j) {
        tc_real pivot = H[j * d + j];
        CONE_LOOP
        for (uint32_t k = 0; k < j; ++k) pivot = TC_MLS(pivot, H[j * d + k], H[j * d + k]);
        const tc_real reciprocal = TC_C(1.0) / tc_sqrt(tc_vec_max(pivot, TC_C(1.0)));
        H[j * d + j] = reciprocal;
        CONE_LOOP
        for (uint32_t i = j + 1u; i < d; ++i) {
            tc_real sum = H[i * d + j];
            CONE_LOOP
            for (uint32_t k = 0; k < j; ++k) sum = TC_MLS(sum, H[i * d + k], H[j * d + k]);
            H[i * d + j] = sum * reciprocal;
        }
    }
}

TC_MAT_INLINE void solve_factor(const tc_real *L, const tc_real *b, tc_real *x, uint32_t d)
{
    CONE_LOOP
    for (uint32_t i = 0; i < d; ++i) {
        tc_real sum = b[i];
        CONE_LOOP
        for (uint32_t k = 0; k < i; ++k) sum = TC_MLS(sum, L[i * d + k], x[k]);
        x[i] = sum * L[i * d + i];
    }
    CONE_LOOP
    for (uint32_t up = 0; up < d; ++up) {
        const uint32_t i = d - 1u - up;
        tc_real sum = x[i];
        CONE_LOOP
        for (uint32_t k = i + 1u; k < d; ++k) sum = TC_MLS(sum, L[k * d + i], x[k]);
        x[i] = sum * L[i * d + i];
    }
}

/* dw = (I + sum_i G_i^T B_i G_i)^-1 next */
TC_MAT_INLINE void solve_newton(tci_cone_state *s, uint32_t rows, uint32_t d)
{
    tc_real *const H = s->H;
    ++s->iterations;
    for (uint32_t i = 0; i < d * d; ++i) H[i] = TC_C(0.0);
    for (uint32_t i = 0; i < d; ++i) H[i * d + i] = TC_C(1.0);
    for (uint32_t i = 0; i < s->n; ++i) add_contact(s, i, rows, d);
    factor_matrix(H, d);
    solve_factor(H, s->next, s->dw, d);
}

/* ---- Pattern Newton step ---------------------------------------------------------------------- */

/* After Newton's step: trial from dw */
TC_MAT_INLINE void step_pattern(tci_cone_state *s, uint32_t rows, uint32_t d)
{
    const tc_real *g = s->G;
    s->ratio = TC_C(1.0);
    s->first = 0;
    for (uint32_t i = 0; i < s->n; ++i) {
        tc_real v[3] = {TC_C(0.0)};
        if (s->kind[i] == TC_CONE_OPEN) {
            g += rows * d;
            continue;
        }
        CONE_LOOP
        for (uint32_t r = 0; r < rows; ++r, g += d) {
            v[r] = dot_column(g, s->dw, CONE_COLUMNS_OF(s, i, d));
        }
        tci_cone_move(s, i, v);
    }
}

/* The passes under the names of this size */
#define CONE_DEFINE(name, ROWS, D)                                                                 \
    CONE_PASS int tci_cone_##name##_read(tci_cone_state *s)                                        \
    {                                                                                              \
        return read_contacts(s, ROWS, D);                                                          \
    }                                                                                              \
    CONE_PASS void tci_cone_##name##_sweep(tci_cone_state *s, uint32_t sweeps)                     \
    {                                                                                              \
        sweep_contacts(s, sweeps, ROWS, D);                                                        \
    }                                                                                              \
    CONE_PASS void tci_cone_##name##_gather(const tci_cone_state *s, const tc_real *f,             \
                                            const tc_real *from, tc_real *w)                       \
    {                                                                                              \
        gather_impulses(s, f, from, w, ROWS, D);                                                   \
    }                                                                                              \
    CONE_PASS void tci_cone_##name##_judge(tci_cone_state *s)                                      \
    {                                                                                              \
        judge_contacts(s, ROWS, D);                                                                \
    }                                                                                              \
    CONE_PASS void tci_cone_##name##_measure(tci_cone_state *s)                                    \
    {                                                                                              \
        measure_rows(s, ROWS, D);                                                                  \
    }                                                                                              \
    CONE_PASS void tci_cone_##name##_newton(tci_cone_state *s)                                     \
    {                                                                                              \
        solve_newton(s, ROWS, D);                                                                  \
    }                                                                                              \
    CONE_PASS void tci_cone_##name##_step(tci_cone_state *s)                                       \
    {                                                                                              \
        step_pattern(s, ROWS, D);                                                                  \
    }

#endif
