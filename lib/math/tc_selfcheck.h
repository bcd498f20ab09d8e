/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * A self-check of this build on this processor, to be called once at boot.
 *
 *     if (tc_selfcheck() != 0) halt(tc_selfcheck_text(tc_selfcheck()));
 *
 * The guarantees of the library and the bits of profile `exact` need IEEE 754 arithmetic. The
 * processor's mode and the compiler's flags must provide it. The header tc_config.h refuses
 * -ffast-math, and tc_exact.h keeps the compiler from fusing. Neither detects a mode register set
 * at run time, a compiler that ignores them, or kernels of another profile.
 */
#ifndef TC_SELFCHECK_H
#define TC_SELFCHECK_H

#include "tc_config.h"

TC_BEGIN

/* Findings of tc_selfcheck, one bit each. */
/* an operation is not rounded to nearest even, or sums are reordered */
#define TC_SELFCHECK_ROUNDING 1u
#define TC_SELFCHECK_FUSED 2u   /* a product and a sum are rounded once for both */
#define TC_SELFCHECK_SPECIAL 4u /* NaN, infinity or the sign of zero is lost: -ffast-math */
/* numbers below 2^-126 are flushed to zero outside of Helium's kernels */
#define TC_SELFCHECK_SUBNORMAL 8u
#define TC_SELFCHECK_FUNCTIONS 16u /* elementary functions have other bits than the reference */
/* matrix kernels have other bits, or a solution errs beyond rounding */
#define TC_SELFCHECK_KERNELS 32u

/* Computes probes and compares them with IEEE 754 and with the reference's bits.
 * The check skips the kernels' bits in profile `fast`, with CMSIS-DSP and in the double build, and
 * the functions' bits in the double build.
 * Returns: 0 if nothing differs, else the sum of the TC_SELFCHECK_ bits found.
 * Cost: 3,000 instructions on Cortex-M4F and 550 bytes of stack. 1.7 KB of flash, texts included,
 * beside the functions of tc_math and tc_mat that it calls. */
uint32_t tc_selfcheck(void);

/* Returns the text of the lowest bit set in `found`: "ok" for 0, "unknown finding" for an unknown
 * bit; never NULL. The text is constant and stays valid. */
const char *tc_selfcheck_text(uint32_t found);

TC_END

#endif
