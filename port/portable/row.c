/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * One row of weights with a hidden layer: the output of a net with one output, and what comes back
 * from it. The reference of tc_kernel_row_*.
 *
 * Four elements a round spread the loop's own instructions; sums stay in one order.
 *
 * Cost on Cortex-M4F per element: sum 4.5 instructions, slope 5.5.
 */
#include "tc_exact.h"
#include "tc_kernel_net.h"
#include "tc_net.h"

tc_real tc_kernel_row_sum(const float *a, const tc_real *x, tc_real start, uint32_t n)
{
    const tc_real *const end = x + n, *const end4 = x + (n & ~3u);
    for (; x != end4; x += 4, a += 4) {
        start = TC_MLA(start, (tc_real)a[0], x[0]);
        start = TC_MLA(start, (tc_real)a[1], x[1]);
        start = TC_MLA(start, (tc_real)a[2], x[2]);
        start = TC_MLA(start, (tc_real)a[3], x[3]);
    }
    for (; x != end; x++, a++) {
        start = TC_MLA(start, (tc_real)a[0], x[0]);
    }
    return start;
}

static inline tc_real activation_slope(float a, tc_real t)
{
    return (tc_real)a * TC_MLS(TC_C(1.0), t, t);
}

void tc_kernel_row_slope(const float *a, tc_real *t, uint32_t n)
{
    const tc_real *const end = t + n, *const end4 = t + (n & ~3u);
    for (; t != end4; t += 4, a += 4) {
        t[0] = activation_slope(a[0], t[0]);
        t[1] = activation_slope(a[1], t[1]);
        t[2] = activation_slope(a[2], t[2]);
        t[3] = activation_slope(a[3], t[3]);
    }
    for (; t != end; t++, a++) {
        t[0] = activation_slope(a[0], t[0]);
    }
}
