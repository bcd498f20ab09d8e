/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Whether this build on this processor computes what the library promises: called once, at boot.
 *
 *     if (tc_selfcheck() != 0) halt(tc_selfcheck_text(tc_selfcheck()));
 *
 * The answers' guarantees, and the bits of profile `exact`, need arithmetic after IEEE 754 in the processor's mode
 * and in the compiler's flags. tc_config.h refuses -ffast-math and tc_exact.h keeps products and sums apart, but
 * neither sees a register that was set at run time, a compiler that ignores them, or kernels of another profile.
 */
#ifndef TC_SELFCHECK_H
#define TC_SELFCHECK_H

#include "tc_config.h"

TC_BEGIN

#define TC_SELFCHECK_ROUNDING 1u   /* an operation is not rounded to nearest even, or sums are reordered */
#define TC_SELFCHECK_FUSED 2u      /* a product and a sum are rounded once for both */
#define TC_SELFCHECK_SPECIAL 4u    /* NaN, infinity or the sign of zero is lost: -ffast-math */
#define TC_SELFCHECK_SUBNORMAL 8u  /* numbers below 2^-126 are flushed to zero outside of Helium's kernels */
#define TC_SELFCHECK_FUNCTIONS 16u /* elementary functions have other bits than tc_math.h has everywhere */
#define TC_SELFCHECK_KERNELS 32u   /* so have products and factorisations, or, beyond rounding, a solution */

/* Computes probes and compares them with what IEEE 754 or the reference makes of them.
 * Returns: 0, or the sum of the TC_SELFCHECK_ that differ. In profile `fast` and over CMSIS-DSP, which may fuse, and in
 * the double build the kernels' bits are not compared, in the double build those of functions neither.
 * Cost: 3,000 instructions on Cortex-M4F, once; 550 bytes of stack; 1.7 KB of flash, texts included, and what it calls
 * of tc_math and tc_mat. */
uint32_t tc_selfcheck(void);

/* What the first of these bits means, "ok" for 0; never null. */
const char *tc_selfcheck_text(uint32_t found);

TC_END

#endif
