/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * tc_fit_add, inlined, and the same for the three residuals of a point: for residual functions of the
 * library.
 */
#ifndef TC_FIT_CORE_H
#define TC_FIT_CORE_H

#include "tc_fit.h"
#include "tc_vec.h"

static inline void tc_fit_add_core(tc_fit_sums *sums, tc_real residual, const tc_real *row)
{
    const uint32_t n = sums->n;
    tc_real *normal = sums->normal;
    sums->loss = TC_MLA(sums->loss, residual, residual);
    for (uint32_t i = 0; i < n; ++i) {
        sums->gradient[i] = TC_MLA(sums->gradient[i], residual, row[i]);
        for (uint32_t j = 0; j <= i; ++j, ++normal) *normal = TC_MLA(*normal, row[i], row[j]);
    }
    ++sums->rows;
}

/* Adds residual[3] and their rows[3 x n]: each sum is loaded and stored once. */
static inline void tc_fit_add_point(tc_fit_sums *sums, const tc_real residual[3],
                                    const tc_real *rows)
{
    const uint32_t n = sums->n;
    const tc_real *const second = rows + n, *const third = rows + 2u * n;
    tc_real *normal = sums->normal;
    sums->loss += tc_vec_dot3(residual, residual);
    for (uint32_t i = 0; i < n; ++i) {
        const tc_real x = rows[i], y = second[i], z = third[i];
        sums->gradient[i] += TC_MLA(TC_MLA(residual[0] * x, residual[1], y), residual[2], z);
        for (uint32_t j = 0; j <= i; ++j, ++normal) {
            *normal += TC_MLA(TC_MLA(x * rows[j], y, second[j]), z, third[j]);
        }
    }
    sums->rows += 3u;
}

#endif
