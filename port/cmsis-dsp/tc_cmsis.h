/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * What the CMSIS-DSP wrappers share. CMSIS-DSP (1.10.3) is a float library: no double build.
 *
 * Bits. On cores without vectors (M3, M4F, M7, and the host's plain C) and with -ffp-contract=off,
 * each wrapper says in its file what differs from the portable kernel; products differ at most in
 * the sign of a zero, because CMSIS-DSP's sums start at +0 and not with their first product. With
 * Helium they are fused and summed in another order. So this backend is for profile `fast` only.
 *
 * Build: CMSIS-DSP's Include as system folder, and CMSIS-Core's too, except on a host, where
 * __GNUC_PYTHON__ (defined here for the wrappers, by -D for the sources) selects the plain C
 * without it. M55: Helium is found by the compiler's __ARM_FEATURE_MVE. ARM_MATH_LOOPUNROLL is not
 * wanted: it makes small sizes slower. Sources:
 * MatrixFunctions/arm_mat_{mult,vec_mult,cholesky,solve_lower_triangular}_f32.c,
 * BasicMathFunctions/arm_add_f32.c.
 */
#ifndef TC_CMSIS_H
#define TC_CMSIS_H

#if !defined(__arm__) && !defined(__GNUC_PYTHON__)
#define __GNUC_PYTHON__
#endif

#include "tc_kernel_mat.h"
#include "tc_kernel_net.h"
#include "tc_net.h"

#include "dsp/basic_math_functions.h"
#include "dsp/matrix_functions.h"

#ifdef TC_DOUBLE
#error "CMSIS-DSP wrappers exist for float only"
#endif

/* A matrix as CMSIS-DSP wants it. Its struct has no const; sources are only read all the same. */
static inline arm_matrix_instance_f32 tc_cmsis_matrix(const tc_real *data, uint32_t rows,
                                                      uint32_t columns)
{
    const arm_matrix_instance_f32 matrix = {(uint16_t)rows, (uint16_t)columns,
                                            (float32_t *)(uintptr_t)data};
    return matrix;
}

#endif
