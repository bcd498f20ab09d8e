/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The factor that a banded solve leaves in its workspace, and what the solver and its derivatives
 * share.
 *
 * Row i of the factor of the active contacts, L D L^T = A_aa + shift diag(A_aa), is width + 1
 * numbers: 1 / D_i, then L_i,i-1, ..., L_i,i-width. An inactive contact has a row of zeros, so that
 * no loop asks which contacts are active: their columns vanish by themselves.
 */
#ifndef TC_BAND_INTERNAL_H
#define TC_BAND_INTERNAL_H

#include "tc_band.h"
#include "tc_vec.h"

/* One problem on its way; the arrays are parts of the workspace, except w and z. */
typedef struct tci_band_state {
    const tc_real *A;
    tc_real *L;     /* [n x (width + 1)] */
    tc_real *start; /* [n] q + A floor */
    tc_real *q;     /* [n] start, less the proximal term */
    tc_real *past;  /* [n] z of the proximal step before */
    tc_real *held;  /* [n] feasible z of the method that descends */
    tc_real *shift; /* [1] relative addition to the diagonal; 0: none */
    tc_real *z;     /* [n] f - floor: the caller's f */
    tc_real *w;     /* [n] the caller's */
    uint32_t n, width;
    uint32_t iterations, limit;
    uint32_t active;
} tci_band_state;

/* Marks in the first number of a row, between two factorisations */
#define BAND_ENTERS TC_C(-1.0)
#define BAND_LEAVES TC_C(-2.0)

/* Columns left of row i, and right of it */
TC_MAT_INLINE uint32_t tci_band_left(uint32_t i, uint32_t width)
{
    return i < width ? i : width;
}

TC_MAT_INLINE uint32_t tci_band_right(uint32_t i, uint32_t n, uint32_t width)
{
    return n - 1u - i < width ? n - 1u - i : width;
}

/* Row i of q + A x; `row` and x are at i */
TC_MAT_INLINE tc_real tci_band_row(const tc_real *row, const tc_real *x, uint32_t width,
                                   uint32_t left, uint32_t right, tc_real q)
{
    tc_real sum = TC_MLA(q, row[0], x[0]);
    for (uint32_t c = 1; c <= left; ++c) sum = TC_MLA(sum, row[c], *(x - c));
    for (uint32_t c = 1; c <= right; ++c) sum = TC_MLA(sum, row[c * (width + 1u) + c], x[c]);
    return sum;
}

/* The same inside a band of half-width 4, that of a rope, with the same bits */
TC_MAT_INLINE tc_real tci_band_row_four(const tc_real *row, const tc_real *x, tc_real q)
{
    tc_real sum = TC_MLA(TC_MLA(q, row[0], x[0]), row[1], *(x - 1));
    sum = TC_MLA(TC_MLA(TC_MLA(sum, row[2], *(x - 2)), row[3], *(x - 3)), row[4], *(x - 4));
    sum = TC_MLA(TC_MLA(sum, row[6], x[1]), row[12], x[2]);
    return TC_MLA(TC_MLA(sum, row[18], x[3]), row[24], x[4]);
}

TC_MAT_INLINE tc_real tci_band_velocity(const tc_real *A, const tc_real *x, uint32_t i, uint32_t n,
                                        uint32_t width, tc_real q)
{
    const uint32_t left = tci_band_left(i, width), right = tci_band_right(i, n, width);
    const tc_real *const row = A + i * (width + 1u);
    if (width == 4u && left == 4u && right == 4u) return tci_band_row_four(row, x + i, q);
    return tci_band_row(row, x + i, width, left, right, q);
}

/* x_a <- L^-1 x_a, 0 elsewhere; then x_a <- L^-T D^-1 x_a, where the rest must be 0 */
void tci_band_forward(const tc_real *L, tc_real *x, uint32_t n, uint32_t width);
void tci_band_back(const tc_real *L, tc_real *x, uint32_t n, uint32_t width);

/* z and w of the minimum for s->q, from the marks in L. 1: found; 0: a pivot vanishes; -1: the
 * bound on iterations was reached, or only rounding is left: z is feasible. */
int tci_band_active(tci_band_state *s);

#endif
