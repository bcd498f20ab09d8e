/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * One row of weights with a hidden layer, for Helium. port/portable/row.c is the specification.
 *
 * Slopes take four elements at a time, and what is left one by one: behind a row lies another's.
 * The sum has one order, hence one lane: it loads four numbers at once and adds them in turn.
 *
 * Cost per four elements: slope 9 instructions, sum 8.
 */
#include "tc_exact.h"
#include "tc_helium.h"

tc_real tc_kernel_row_sum(const float *a, const tc_real *x, tc_real start, uint32_t n)
{
    uint32_t quads = n / 4u;
    if (quads > 0u) {
        __asm volatile("1: vldmia %[a]!, {s16-s19}\n\t"
                       "vldmia %[x]!, {s20-s23}\n\t"
                       "vmla.f32 %[s], s16, s20\n\t"
                       "vmla.f32 %[s], s17, s21\n\t"
                       "vmla.f32 %[s], s18, s22\n\t"
                       "vmla.f32 %[s], s19, s23\n\t"
                       "subs %[quads], #1\n\t"
                       "bne 1b"
                       : [a] "+r"(a), [x] "+r"(x), [s] "+t"(start), [quads] "+r"(quads)
                       :
                       : "s16", "s17", "s18", "s19", "s20", "s21", "s22", "s23", "cc", "memory");
    }
    for (uint32_t i = 0; i < (n & 3u); i++) {
        start = TC_MLA(start, a[i], x[i]);
    }
    return start;
}

void tc_kernel_row_slope(const float *a, tc_real *t, uint32_t n)
{
    const float32x4_t one = vdupq_n_f32(1.0f);
    const tc_real *const end = t + n;
    for (; end - t >= 4; t += 4, a += 4) {
        const float32x4_t v = TC_HELIUM_LOAD(t);
        TC_HELIUM_STORE(t, vmulq_f32(TC_HELIUM_LOAD(a), vsubq_f32(one, vmulq_f32(v, v))));
    }
    for (; t != end; t++, a++) {
        *t = *a * TC_MLS(1.0f, *t, *t);
    }
}
