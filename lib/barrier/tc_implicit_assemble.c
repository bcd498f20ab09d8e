/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * From derivatives by the bodies' charts to derivatives by freedoms:
 *
 *     gradient = sum_b J_b^T g_b
 *     hessian  = sum_b (J_b^T H_b J_b + g_b . curvature of b) + sum_pairs (J_a^T H_ab J_b + transposed)
 *
 * A pair (i of a, j of b) of freedoms gives one product to the full matrix's element (i, j) and the
 * same to (j, i). Where i = j, a joint that moves both, the two meet.
 */
#include "tc_exact.h"
#include "tc_implicit_internal.h"

/* Element i, j of the block of a and b: rows of b follow those of a */
static inline tc_real mixed_at(const tci_implicit_local *local, uint32_t F, uint32_t i, uint32_t j)
{
    return local->hessian[TCI_IMPLICIT_PACKED(F + j) + i];
}

/* Both bodies are free: a block of the hessian */
static void add_mixed_free(tci_implicit_run *run, uint32_t a, uint32_t b,
                           const tci_implicit_local *local)
{
    const uint32_t F = run->space->chart;
    const uint32_t first = tci_implicit_first(run, a, 1), second = tci_implicit_first(run, b, 1);
    for (uint32_t i = 0; i < F; ++i) {
        for (uint32_t j = 0; j < F; ++j) {
            *tci_implicit_cell(run->hessian, first + i, second + j) += mixed_at(local, F, i, j);
        }
    }
}

/* The same of two bodies in the plane */
static void add_mixed_plane(tci_implicit_run *run, uint32_t a, uint32_t b,
                            const tci_implicit_local *local)
{
    const uint32_t first = tci_implicit_first(run, a, 1), second = tci_implicit_first(run, b, 1);
    const int later = second > first;
    tc_real *row =
        run->hessian
        + (later ? TCI_IMPLICIT_PACKED(second) + first : TCI_IMPLICIT_PACKED(first) + second);
    const uint32_t width = later ? second : first;
    TC_MAT_UNROLLED
    for (uint32_t i = 0; i < 3u; ++i, row += width + i) {
        TC_MAT_UNROLLED
        for (uint32_t j = 0; j < 3u; ++j) {
            row[j] += later ? mixed_at(local, 3u, j, i) : mixed_at(local, 3u, i, j);
        }
    }
}

static void add_mixed(tci_implicit_run *run, uint32_t a, uint32_t b,
                      const tci_implicit_local *local)
{
    const uint32_t F = run->space->chart, stride = TCI_IMPLICIT_ROW(run->space);
    tc_real *const of_a = run->columns, *const of_b = of_a + run->sizes.freedoms * stride;
    const uint32_t m = tci_implicit_columns_of(run, run->at, run->axes, a, of_a);
    const uint32_t n = tci_implicit_columns_of(run, run->at, run->axes, b, of_b);
    for (uint32_t v = 0; v < n; ++v) {
        const tc_real *const y = of_b + v * stride;
        tc_real product[TCI_IMPLICIT_CHART];
        for (uint32_t i = 0; i < F; ++i) {
            product[i] = TC_C(0.0);
            for (uint32_t j = 0; j < F; ++j) {
                product[i] = TC_MLA(product[i], mixed_at(local, F, i, j), y[j]);
            }
        }
        for (uint32_t u = 0; u < m; ++u) {
            const tc_real *const x = of_a + u * stride;
            const tc_real sum = tci_implicit_dot(TC_C(0.0), x, product, F);
            tc_real *const cell = tci_implicit_cell(run->hessian, (uint32_t)x[F], (uint32_t)y[F]);
            *cell += x[F] == y[F] ? TC_C(2.0) * sum : sum;
        }
    }
}

/* Adds the derivatives by each body's own chart to the body's */
static void add_own_charts(tci_implicit_run *run, uint32_t a, uint32_t b,
                           const tci_implicit_local *local)
{
    const uint32_t F = run->space->chart, packed = TCI_IMPLICIT_PACKED(F);
    tc_real *const g_a = run->body_gradient + a * F, *const g_b = run->body_gradient + b * F;
    tc_real *const H_a = run->body_hessian + a * packed, *const H_b =
                                                             run->body_hessian + b * packed;
    for (uint32_t i = 0; i < F; ++i) {
        g_a[i] += local->gradient[i];
        g_b[i] += local->gradient[F + i];
        for (uint32_t j = 0; j <= i; ++j) {
            H_b[TCI_IMPLICIT_PACKED(i) + j] += local->hessian[TCI_IMPLICIT_PACKED(F + i) + F + j];
        }
    }
    for (uint32_t i = 0; i < packed; ++i) H_a[i] += local->hessian[i];
}

static void add_own_plane_charts(tci_implicit_run *run, uint32_t a, uint32_t b,
                                 const tci_implicit_local *local)
{
    tc_real *const g_a = run->body_gradient + 3u * a, *const g_b = run->body_gradient + 3u * b;
    tc_real *const H_a = run->body_hessian + 6u * a, *const H_b = run->body_hessian + 6u * b;
    TC_MAT_UNROLLED
    for (uint32_t i = 0; i < 3u; ++i) {
        g_a[i] += local->gradient[i];
        g_b[i] += local->gradient[3u + i];
        TC_MAT_UNROLLED
        for (uint32_t j = 0; j <= i; ++j) {
            const uint32_t cell = TCI_IMPLICIT_PACKED(i) + j;
            H_a[cell] += local->hessian[cell];
            H_b[cell] += local->hessian[TCI_IMPLICIT_PACKED(3u + i) + 3u + j];
        }
    }
}

void tci_implicit_add_pair(tci_implicit_run *run, uint32_t a, uint32_t b,
                           const tci_implicit_local *local)
{
    const int plane = run->space->chart == 3u;
    const int free =
        tci_implicit_is_free(&run->scene->body[a]) && tci_implicit_is_free(&run->scene->body[b]);
    if (plane) {
        add_own_plane_charts(run, a, b, local);
    } else {
        add_own_charts(run, a, b, local);
    }
    if (!free) {
        add_mixed(run, a, b, local);
    } else if (plane) {
        add_mixed_plane(run, a, b, local);
    } else {
        add_mixed_free(run, a, b, local);
    }
}

/* The same as below of a body in the plane */
static void add_free_plane(tci_implicit_run *run, uint32_t b)
{
    const uint32_t first = tci_implicit_first(run, b, 1);
    const tc_real *const g = run->body_gradient + 3u * b, *H = run->body_hessian + 6u * b;
    tc_real *const gradient = run->gradient + first;
    tc_real *row = run->hessian + TCI_IMPLICIT_PACKED(first) + first;
    TC_MAT_UNROLLED
    for (uint32_t i = 0; i < 3u; ++i, row += first + i) {
        gradient[i] += g[i];
        TC_MAT_UNROLLED
        for (uint32_t j = 0; j <= i; ++j) row[j] += *H++;
    }
}

static void add_free_body(tci_implicit_run *run, uint32_t b)
{
    const uint32_t F = run->space->chart, first = tci_implicit_first(run, b, 1);
    const tc_real *H = run->body_hessian + b * TCI_IMPLICIT_PACKED(F);
    for (uint32_t i = 0; i < F; ++i) {
        tc_real *const row = run->hessian + TCI_IMPLICIT_PACKED(first + i) + first;
        run->gradient[first + i] += run->body_gradient[b * F + i];
        for (uint32_t j = 0; j <= i; ++j) row[j] += *H++;
    }
}

/* g . curvature of the freedoms of rows x and y; y is not farther from the root than x */
static tc_real curve_of(const tci_implicit_run *run, const tc_real *x, const tc_real *y,
                        uint32_t body)
{
    const tc_implicit_space *const space = run->space;
    const uint32_t F = space->chart;
    const int same = x[F + 2u] == y[F + 2u];
    if (y[F + 1u] == TC_C(0.0)) return TC_C(0.0);
    if (same && x[F + 1u] == TC_C(0.0)) return TC_C(0.0);
    return space->curve(run->axes + 6u * (uint32_t)y[F], run->axes + 6u * (uint32_t)x[F],
                        x[F + 1u] != TC_C(0.0), same, run->at + body * space->pose,
                        run->body_gradient + body * F);
}

/* product = H x of a packed matrix */
static void multiply_packed(const tc_real *H, const tc_real *x, uint32_t n, tc_real *product)
{
    for (uint32_t i = 0; i < n; ++i) product[i] = TC_C(0.0);
    for (uint32_t i = 0; i < n; ++i) {
        for (uint32_t j = 0; j < i; ++j) {
            const tc_real h = *H++;
            product[i] = TC_MLA(product[i], h, x[j]);
            product[j] = TC_MLA(product[j], h, x[i]);
        }
        product[i] = TC_MLA(product[i], *H++, x[i]);
    }
}

static void add_held_body(tci_implicit_run *run, uint32_t b)
{
    const uint32_t F = run->space->chart, stride = TCI_IMPLICIT_ROW(run->space);
    const tc_real *const g = run->body_gradient + b * F;
    const tc_real *const H = run->body_hessian + b * TCI_IMPLICIT_PACKED(F);
    const uint32_t count = tci_implicit_columns_of(run, run->at, run->axes, b, run->columns);
    for (uint32_t u = 0; u < count; ++u) {
        const tc_real *const y = run->columns + u * stride;
        const uint32_t first = (uint32_t)y[F];
        tc_real product[TCI_IMPLICIT_CHART];
        multiply_packed(H, y, F, product);
        run->gradient[first] += tci_implicit_dot(TC_C(0.0), g, y, F);
        for (uint32_t v = 0; v <= u; ++v) {
            const tc_real *const x = run->columns + v * stride;
            const tc_real sum = tci_implicit_dot(TC_C(0.0), x, product, F);
            *tci_implicit_cell(run->hessian, first, (uint32_t)x[F]) += sum + curve_of(run, x, y, b);
        }
    }
}

void tci_implicit_add_bodies(tci_implicit_run *run)
{
    for (uint32_t b = 0; b < run->scene->bodies; ++b) {
        if (!tci_implicit_is_free(&run->scene->body[b])) {
            add_held_body(run, b);
        } else if (run->space->chart == 3u) {
            add_free_plane(run, b);
        } else {
            add_free_body(run, b);
        }
    }
}

/* Where calls through a space's table go, for the check of the stack. */
/* tc_calls: tci_implicit_add_bodies lib/barrier/tc_implicit2.c:curve_plane */
/* tc_calls: tci_implicit_add_bodies lib/barrier/tc_implicit3.c:curve_space */
