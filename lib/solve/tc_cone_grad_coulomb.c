/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Equations (1) and (2) of tc_cone_grad.c by Coulomb's law, by the implicit function theorem on the
 * fixed point of De Saxce's shift.
 *
 * The cone problem has s_i = mu_i |u_i,t| at the normal of a contact that slips, and tau against
 * u_t. So the equation of its ray is
 *
 *     u_n + mu tau . u_t + s = u_n = 0,
 *
 * whose derivative has neither mu nor tau. Let T' be T with (1, 0, 0) at rays, and B' = T'^T G. Then
 *
 *     dw = x = v + B^T z,   v = dw0 + dG^T f + G^T p
 *     B' x + D' z + h = 0,  h = T'^T (dG w + c p + dc f),   D' = T'^T c T + C
 *
 * K = B' B^T + D' is not symmetric: K z = -(B' v + h). The adjoint takes K^T z = -(B gw + T^T gf)
 * and x = gw + B'^T z, then (4) with T' for T, and with no drag at rays.
 *
 * Where more feet of a plane slip than their normals have rank, the law leaves open which of them
 * carries, and with it the friction. K is singular then. Complete pivoting ends at its rank: the
 * impulses of feet that are left out stay.
 */
#define TC_MAT_LOOP /* loops stay loops */
#include "tc_exact.h"
#include "tc_cone_grad_internal.h"

#include "tc_vec.h"

/* A pivot below this part of the first is rounding. */
#ifdef TC_DOUBLE
static const tc_real rounded = 1e-11;
#else
static const tc_real rounded = 1e-5f;
#endif

/* K, its right-hand side, and which column of K stands where */
typedef struct coulomb_system {
    tc_real *K;     /* [n x n] */
    tc_real *right; /* [n] */
    uint32_t n;
    uint8_t order[CONE_GRAD_COLUMNS];
} coulomb_system;

/* Rows B and B' of all columns, in the memory of the symmetric factor */
static void write_pairs(tci_cone_grad_pattern *s)
{
    const uint32_t d = s->problem->d, rows = s->problem->rows;
    for (uint32_t k = 0; k < s->columns; ++k) {
        const tc_real *const G = tci_cone_grad_rows(s, s->contact[k]), *const t = s->T + k * rows;
        tc_real *const b = s->b + k * d, *const test = s->along + k * d;
        const int ray = tci_cone_grad_is_ray(s, k);
        for (uint32_t j = 0; j < d; ++j) b[j] = t[0] * G[j];
        for (uint32_t j = 0; j < d; ++j) test[j] = b[j];
        for (uint32_t r = 1; r < rows; ++r) {
            tci_cone_grad_add(b, t[r], G + r * d, d);
            if (!ray) tci_cone_grad_add(test, t[r], G + r * d, d);
        }
    }
}

/* The diagonal D' of column k */
static tc_real test_diagonal(const tci_cone_grad_pattern *s, uint32_t k)
{
    if (!tci_cone_grad_is_ray(s, k)) return s->D[k];
    return s->compliance != NULL ? s->compliance[s->contact[k]] : TC_C(0.0);
}

static void swap_numbers(tc_real *a, tc_real *b, uint32_t step, uint32_t n)
{
    for (uint32_t k = 0; k < n; ++k, a += step, b += step) {
        const tc_real kept = *a;
        *a = *b;
        *b = kept;
    }
}

/* The largest element of the rest comes to (p, p); returns its magnitude. */
static tc_real bring_pivot(coulomb_system *e, uint32_t p)
{
    uint32_t row = p, column = p;
    tc_real most = TC_C(-1.0);
    for (uint32_t i = p; i < e->n; ++i) {
        for (uint32_t j = p; j < e->n; ++j) {
            const tc_real size = tc_vec_magnitude(e->K[i * e->n + j]);
            if (!(size > most)) continue;
            most = size;
            row = i;
            column = j;
        }
    }
    const uint8_t kept = e->order[p];
    e->order[p] = e->order[column];
    e->order[column] = kept;
    swap_numbers(e->K + p * e->n, e->K + row * e->n, 1u, e->n);
    swap_numbers(e->right + p, e->right + row, 1u, 1u);
    swap_numbers(e->K + p, e->K + column, e->n, e->n);
    return most;
}

/* Eliminates; returns the rank. */
static uint32_t eliminate_pairs(coulomb_system *e)
{
    const uint32_t n = e->n;
    tc_real first = TC_C(0.0);
    for (uint32_t p = 0; p < n; ++p) {
        const tc_real pivot = bring_pivot(e, p);
        if (p == 0u) first = pivot;
        if (!(pivot > rounded * first)) return p;
        const tc_real inverse = TC_C(1.0) / e->K[p * n + p];
        for (uint32_t i = p + 1u; i < n; ++i) {
            const tc_real l = e->K[i * n + p] * inverse;
            tci_cone_grad_add(e->K + i * n + p, -l, e->K + p * n + p, n - p);
            e->right[i] = TC_MLS(e->right[i], l, e->right[p]);
        }
    }
    return n;
}

/* z[n] of the eliminated system; beyond its rank 0 */
static void substitute_pairs(const coulomb_system *e, uint32_t rank, tc_real *z)
{
    const uint32_t n = e->n;
    for (uint32_t k = 0; k < n; ++k) z[k] = TC_C(0.0);
    for (uint32_t up = 0; up < rank; ++up) {
        const uint32_t p = rank - 1u - up;
        tc_real sum = e->right[p];
        for (uint32_t j = p + 1u; j < rank; ++j) {
            sum = TC_MLS(sum, e->K[p * n + j], z[e->order[j]]);
        }
        z[e->order[p]] = sum / e->K[p * n + p];
    }
}

void tci_cone_grad_solve_coulomb(tci_cone_grad_pattern *s, int adjoint)
{
    const uint32_t d = s->problem->d;
    coulomb_system e = {.K = s->S, .right = s->h, .n = s->columns};
    write_pairs(s);
    const tc_real *const test = adjoint ? s->b : s->along, *const trial = adjoint ? s->along : s->b;
    for (uint32_t k = 0; k < e.n; ++k) {
        const tc_real *const row = test + k * d;
        for (uint32_t l = 0; l < e.n; ++l) {
            e.K[k * e.n + l] = tci_cone_grad_dot(row, trial + l * d, d);
        }
        e.K[k * (e.n + 1u)] += test_diagonal(s, k);
        e.right[k] = -(s->h[k] + tci_cone_grad_dot(row, s->x, d));
        e.order[k] = (uint8_t)k;
    }
    const uint32_t rank = eliminate_pairs(&e);
    substitute_pairs(&e, rank, s->z);
    s->loose = e.n - rank;
    for (uint32_t k = 0; k < e.n; ++k) tci_cone_grad_add(s->x, s->z[k], trial + k * d, d);
}
