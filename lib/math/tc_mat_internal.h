/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The border checks of the small matrices, shared by tc_mat.c, tc_mat_solve.c and tc_mat_psd.c. Not
 * for users. What every call passes is inlined, what only a failing call needs is not.
 */
#ifndef TC_MAT_INTERNAL_H
#define TC_MAT_INTERNAL_H

#include "tc_mat.h"
#include "tc_mat_fixed.h"

#include <float.h>

/* Functions that only failing calls reach: kept out of the others' code and registers */
#if defined(__GNUC__)
#define MAT_COLD __attribute__((noinline, cold))
#else
#define MAT_COLD
#endif

/* Pivots must be normal numbers, or the roundings below would not be relative ones. */
#ifdef TC_DOUBLE
#define MAT_TINY DBL_MIN
#else
#define MAT_TINY FLT_MIN
#endif

TC_MAT_INLINE int mat_bad_size(uint32_t n)
{
    return n - 1u >= TC_MAT_MAX; /* 0 wraps round */
}

TC_MAT_INLINE int mat_bad_alignment(const void *p)
{
    return ((uintptr_t)p & (_Alignof(tc_real) - 1u)) != 0;
}

TC_MAT_INLINE tc_status mat_check_pointers(const tc_real *a, const tc_real *b, const tc_real *c)
{
    if (a == NULL || b == NULL || c == NULL) {
        return TC_ERR_NULL;
    }
    return mat_bad_alignment(a) || mat_bad_alignment(b) || mat_bad_alignment(c) ? TC_ERR_ALIGN
                                                                                : TC_OK;
}

/* 1 if all n numbers, `step` apart, are finite: 0 * x is NaN iff x is not finite. */
TC_MAT_INLINE int mat_finite(const tc_real *x, uint32_t step, uint32_t n)
{
    tc_real zero = TC_C(0.0);
    for (uint32_t i = 0; i < n; ++i) {
        zero *= x[i * step];
    }
    return zero == TC_C(0.0);
}

/* Zeroes the output if it can be written at all and hands the status on: every error after the
 * sizes are known leaves through here. */
MAT_COLD tc_status tci_mat_fail(tc_status status, tc_real *output, uint32_t count);

/* 1 if the lower triangle of A is finite */
MAT_COLD int tci_mat_lower_finite(const tc_real *A, uint32_t n);

/* Element (i, j) of the symmetric matrix whose lower triangle is stored. */
TC_MAT_INLINE tc_real mat_symmetric(const tc_real *A, uint32_t n, uint32_t i, uint32_t j)
{
    return i >= j ? A[i * n + j] : A[j * n + i];
}

#endif
