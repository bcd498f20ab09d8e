/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The filter's lower triangular matrices, stored with TC_IDENTIFY_MAX columns: roots of covariances
 * S S^T, and of N = C^T C.
 */
#include "tc_exact.h"
#include "tc_identify_internal.h"

#define STRIDE TC_IDENTIFY_MAX

/* N = C^T C, C lower, in place; reads and writes the lower triangle. */
void tci_identify_root_factor(tc_real *N, uint32_t n)
{
    for (uint32_t up = 0; up < n; ++up) {
        const uint32_t k = n - 1u - up;
        const tc_real pivot = tc_sqrt(N[k * STRIDE + k]), inverse = TC_C(1.0) / pivot;
        N[k * STRIDE + k] = pivot;
        for (uint32_t j = 0; j < k; ++j) {
            N[k * STRIDE + j] *= inverse;
        }
        for (uint32_t i = 0; i < k; ++i) {
            for (uint32_t j = 0; j <= i; ++j) {
                N[i * STRIDE + j] = TC_MLS(N[i * STRIDE + j], N[k * STRIDE + i], N[k * STRIDE + j]);
            }
        }
    }
}

/* z = (C^T C)^-1 z */
void tci_identify_root_solve(const tc_real *C, tc_real *z, uint32_t n)
{
    for (uint32_t up = 0; up < n; ++up) {
        const uint32_t i = n - 1u - up;
        for (uint32_t k = i + 1u; k < n; ++k) {
            z[i] = TC_MLS(z[i], C[k * STRIDE + i], z[k]);
        }
        z[i] /= C[i * STRIDE + i];
    }
    for (uint32_t i = 0; i < n; ++i) {
        for (uint32_t k = 0; k < i; ++k) {
            z[i] = TC_MLS(z[i], C[i * STRIDE + k], z[k]);
        }
        z[i] /= C[i * STRIDE + i];
    }
}

/* S = S C^-1 */
void tci_identify_root_divide(tc_real *S, const tc_real *C, uint32_t n)
{
    for (uint32_t i = 0; i < n; ++i) {
        tc_real *const row = S + i * STRIDE;
        for (uint32_t up = 0; up <= i; ++up) {
            const uint32_t j = i - up;
            for (uint32_t k = j + 1u; k <= i; ++k) {
                row[j] = TC_MLS(row[j], row[k], C[k * STRIDE + j]);
            }
            row[j] /= C[j * STRIDE + j];
        }
    }
}

/* S S^T + diag(0, .. x at i, .. 0)^2 by rotations. */
void tci_identify_root_widen(tc_real *S, uint32_t i, tc_real x, uint32_t n)
{
    tc_real column[STRIDE] = {TC_C(0.0)};
    column[i] = x;
    for (uint32_t k = i; k < n && x > TC_C(0.0); ++k) {
        const tc_real old = S[k * STRIDE + k];
        const tc_real length = tc_sqrt(TC_MLA(old * old, column[k], column[k]));
        if (!(length > TC_C(0.0))) {
            continue;
        }
        const tc_real c = old / length, s = column[k] / length;
        S[k * STRIDE + k] = length;
        for (uint32_t j = k + 1u; j < n; ++j) {
            const tc_real below = S[j * STRIDE + k];
            S[j * STRIDE + k] = TC_MLA(c * below, s, column[j]);
            column[j] = TC_MLS(c * column[j], s, below);
        }
    }
}
