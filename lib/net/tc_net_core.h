/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * What evaluation (tc_net.c) and gradient (tc_net_grad.c) share. Not for users: nothing is checked.
 */
#ifndef TC_NET_CORE_H
#define TC_NET_CORE_H

#include "tc_net.h"

TC_BEGIN

/* 1 if the Euclidean norm of x[n] is at most TC_NET_NORM_MAX. One comparison says it all: a NaN or
 * an infinity anywhere makes the sum NaN or infinite, and both fail it. Rounding of the sum
 * (relative 2^-24 per term) is covered by the margin of tc_net_check. */
static inline int tc_net_within_norm(const tc_real *x, uint32_t n)
{
    const tc_real *const end = x + n;
    const tc_real *const end4 = x + (n & ~3u);
    tc_real sum = TC_C(0.0);
    for (; x != end4; x += 4) {
        sum = TC_MLA(sum, x[0], x[0]);
        sum = TC_MLA(sum, x[1], x[1]);
        sum = TC_MLA(sum, x[2], x[2]);
        sum = TC_MLA(sum, x[3], x[3]);
    }
    for (; x != end; x++) {
        sum = TC_MLA(sum, x[0], x[0]);
    }
    return sum <= TC_NET_NORM_MAX * TC_NET_NORM_MAX;
}

/* What was wrong with numbers that are not within the norm: TC_ERR_NOT_FINITE, or TC_ERR_RANGE if
 * what the caller gave, x[n], is finite. */
tc_status tc_net_norm_fault(const tc_real *x, uint32_t n);

/* The activations that a dense kernel leaves to its caller (not identity, not ReLU), in place. */
void tc_net_activate(uint32_t activation, tc_real *y, uint32_t n);

/* The head: from the last layer's values to the output. */
void tc_net_finish(const tc_net *net, const tc_real *last, tc_real *output);

/* From the normalised input x, which may be what tc_net_normalised made of `work` or lie elsewhere,
 * to the output. */
void tc_net_run(const tc_net *net, const tc_real *x, tc_real *output, tc_real *work);

/* Zeroes x[n] and hands `status` on: how every function here fails. Null or misaligned x is
 * left. */
tc_status tc_net_fail(tc_real *x, uint32_t n, tc_status status);

/* 1 if `pointer` has the alignment that kernels rely on: 4 bytes. */
static inline int tc_net_aligned(const void *pointer)
{
    return ((uintptr_t)pointer & (sizeof(float) - 1u)) == 0u;
}

TC_END

#endif
