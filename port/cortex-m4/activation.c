/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * tanh, sigmoid and softplus by table over a vector, in place, for Cortex-M4F and M7; when there is
 * no table (TC_TANH_TABLE = 0), the portable code. Same bits as portable's.
 *
 * The algorithm is that of lib/math/tc_tanh_table.h and tc_softplus_table.h; per element, with its
 * instructions:
 *
 *     r = saturate(x * 2^28)                              VCVT.S32.F32 #28 (sigmoid: #27)
 *     c = table + 4 * ((r >> 24) + 128)                   ASR, ADD
 *     t = (r & 0xffffff) * 2^-24                          UBFX, VCVT.F32.S32 #24
 *     y = ((c[3] * t + c[2]) * t + c[1]) * t + c[0]       VLDM, three times VMUL and VADD
 *
 * Four elements are worked on side by side, which spreads loads, stores and moves between the
 * register files over four, and leaves no result waited for. Softplus takes |x| for x and adds
 * max(x, 0), for which x is read once more; where one of four |x| is 16 or more, the four are
 * computed one by one. A vector is processed up to its length rounded up to 4, which the contract
 * allows. NaN counts as 0 here (in portable as -8).
 *
 * Cost: 14 instructions per tanh, 16 per sigmoid, 19 per softplus, with VMUL and VADD; two less
 * with VMLA. Softplus of four of which one is beyond +-16: at most 55 each. Stack 80 bytes.
 */
#include "tc_exact.h"
#include "tc_kernel_net.h"
#include "tc_net.h"
#include "tc_math_core.h"
#include "tc_port_core.h"

#if TC_TANH_TABLE

/* A Horner step for each of the four: s4.., s8.., s12.., s16.. hold their coefficients, s0-s3 their
 * t. */
#define MULTIPLY(k0, k1, k2, k3)                                                                   \
    "vmul.f32 s" #k0 ", s" #k0 ", s0 \n\t"                                                         \
    "vmul.f32 s" #k1 ", s" #k1 ", s1 \n\t"                                                         \
    "vmul.f32 s" #k2 ", s" #k2 ", s2 \n\t"                                                         \
    "vmul.f32 s" #k3 ", s" #k3 ", s3 \n\t"
#if TC_PORT_VMLA
#define ACCUMULATE(c0, c1, c2, c3, k0, k1, k2, k3)                                                 \
    "vmla.f32 s" #c0 ", s" #k0 ", s0 \n\t"                                                         \
    "vmla.f32 s" #c1 ", s" #k1 ", s1 \n\t"                                                         \
    "vmla.f32 s" #c2 ", s" #k2 ", s2 \n\t"                                                         \
    "vmla.f32 s" #c3 ", s" #k3 ", s3 \n\t"
#else
#define ACCUMULATE(c0, c1, c2, c3, k0, k1, k2, k3)                                                 \
    MULTIPLY(k0, k1, k2, k3)                                                                       \
    "vadd.f32 s" #c0 ", s" #c0 ", s" #k0 " \n\t"                                                   \
    "vadd.f32 s" #c1 ", s" #c1 ", s" #k1 " \n\t"                                                   \
    "vadd.f32 s" #c2 ", s" #c2 ", s" #k2 " \n\t"                                                   \
    "vadd.f32 s" #c3 ", s" #c3 ", s" #k3 " \n\t"
#endif

/* r becomes its fraction, c the address of its segment's coefficients. */
#define SPLIT(c, r)                                                                                \
    "asr %[" c "], %[" r "], #24 \n\t"                                                             \
    "ubfx %[" r "], %[" r "], #0, #24 \n\t"                                                        \
    "add %[" c "], %[middle], %[" c "], lsl #4 \n\t"

/* Four arguments from p as r, with `bits` fraction bits; `begin` is what is done to them before, in
 * s0-s3. */
#define CONVERT(p, r, begin, type, bits)                                                           \
    __asm__ volatile("vldmia %[at], {s0-s3} \n\t" begin "vcvt." type ".f32 s0, s0, #" bits " \n\t" \
                     "vcvt." type ".f32 s1, s1, #" bits " \n\t"                                    \
                     "vcvt." type ".f32 s2, s2, #" bits " \n\t"                                    \
                     "vcvt." type ".f32 s3, s3, #" bits " \n\t"                                    \
                     "vmov %[r0], %[r1], s0, s1 \n\t"                                              \
                     "vmov %[r2], %[r3], s2, s3 \n\t"                                              \
                     : [r0] "=r"((r)[0]), [r1] "=r"((r)[1]), [r2] "=r"((r)[2]), [r3] "=r"((r)[3])  \
                     : [at] "r"(p)                                                                 \
                     : "s0", "s1", "s2", "s3", "memory")

/* Their values to p, which is moved on; `middle_of` is the segment of r = 0, `finish` what is done
 * to the values in s0-s3, for which it may read `beside` them; any address if it does not. */
#define INTERPOLATE(p, r, middle_of, finish, beside)                                               \
    do {                                                                                           \
        const float *c0, *c1, *c2, *c3;                                                            \
        __asm__ volatile(                                                                          \
            SPLIT("c0", "r0") SPLIT("c1", "r1") SPLIT("c2", "r2")                                  \
                SPLIT("c3", "r3") "vmov s0, s1, %[r0], %[r1] \n\t"                                 \
                                  "vmov s2, s3, %[r2], %[r3] \n\t"                                 \
                                  "vcvt.f32.s32 s0, s0, #24 \n\t"                                  \
                                  "vcvt.f32.s32 s1, s1, #24 \n\t"                                  \
                                  "vcvt.f32.s32 s2, s2, #24 \n\t"                                  \
                                  "vcvt.f32.s32 s3, s3, #24 \n\t"                                  \
                                  "vldmia %[c0], {s4-s7} \n\t"                                     \
                                  "vldmia %[c1], {s8-s11} \n\t"                                    \
                                  "vldmia %[c2], {s12-s15} \n\t"                                   \
                                  "vldmia %[c3], {s16-s19} \n\t" ACCUMULATE(6, 10, 14, 18, 7, 11,  \
                                                                            15, 19)                \
                                      ACCUMULATE(5, 9, 13, 17, 6, 10, 14, 18) MULTIPLY(            \
                                          5, 9, 13, 17) "vadd.f32 s0, s4, s5 \n\t"                 \
                                                        "vadd.f32 s1, s8, s9 \n\t"                 \
                                                        "vadd.f32 s2, s12, s13 \n\t"               \
                                                        "vadd.f32 s3, s16, s17 \n\t" finish        \
                                                        "vstmia %[at]!, {s0-s3} \n\t"              \
            : [at] "+r"(p), [r0] "+r"((r)[0]), [r1] "+r"((r)[1]), [r2] "+r"((r)[2]),               \
              [r3] "+r"((r)[3]), [c0] "=&r"(c0), [c1] "=&r"(c1), [c2] "=&r"(c2), [c3] "=&r"(c3)    \
            : [middle] "r"(middle_of), [row] "r"(beside)                                           \
            : "s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7", "s8", "s9", "s10", "s11", "s12",     \
              "s13", "s14", "s15", "s16", "s17", "s18", "s19", "memory");                          \
    } while (0)

/* 0.5 + 0.5 * value; s19 has been used up */
#define HALVE_AND_SHIFT                                                                            \
    "vmov.f32 s19, #0.5 \n\t"                                                                      \
    "vmul.f32 s0, s0, s19 \n\t"                                                                    \
    "vmul.f32 s1, s1, s19 \n\t"                                                                    \
    "vmul.f32 s2, s2, s19 \n\t"                                                                    \
    "vmul.f32 s3, s3, s19 \n\t"                                                                    \
    "vadd.f32 s0, s0, s19 \n\t"                                                                    \
    "vadd.f32 s1, s1, s19 \n\t"                                                                    \
    "vadd.f32 s2, s2, s19 \n\t"                                                                    \
    "vadd.f32 s3, s3, s19 \n\t"

#define TANH_MIDDLE (tc_tanh_table + 2 * TC_TANH_SEGMENTS)

void tc_kernel_tanh(tc_real *x, uint32_t n)
{
    uint32_t r[4];
    for (const tc_real *const end = x + n; x < end;) {
        CONVERT(x, r, "", "s32", "28");
        INTERPOLATE(x, r, TANH_MIDDLE, "", TANH_MIDDLE);
    }
}

void tc_kernel_sigmoid(tc_real *x, uint32_t n)
{
    uint32_t r[4];
    for (const tc_real *const end = x + n; x < end;) {
        CONVERT(x, r, "", "s32", "27");
        INTERPOLATE(x, r, TANH_MIDDLE, HALVE_AND_SHIFT, TANH_MIDDLE);
    }
}

#define TIMES_ROW                                                                                  \
    "vldmia %[row], {s4-s7} \n\t"                                                                  \
    "vmul.f32 s0, s0, s4 \n\t"                                                                     \
    "vmul.f32 s1, s1, s5 \n\t"                                                                     \
    "vmul.f32 s2, s2, s6 \n\t"                                                                     \
    "vmul.f32 s3, s3, s7 \n\t"

void tc_kernel_row_sigmoid(const float *a, tc_real *t, uint32_t n)
{
    uint32_t r[4];
    const tc_real *const end = t + n, *const end4 = t + (n & ~3u);
    for (; t != end4; a += 4) {
        CONVERT(t, r, "", "s32", "27");
        INTERPOLATE(t, r, TANH_MIDDLE, HALVE_AND_SHIFT TIMES_ROW, a);
    }
    for (; t != end; t++, a++) *t = *a * tc_sigmoid_core(*t);
}

#define MAGNITUDE                                                                                  \
    "vabs.f32 s0, s0 \n\t"                                                                         \
    "vabs.f32 s1, s1 \n\t"                                                                         \
    "vabs.f32 s2, s2 \n\t"                                                                         \
    "vabs.f32 s3, s3 \n\t"

/* + max(x, 0): the bits of x where its sign is clear */
#define ADD_POSITIVE_PART                                                                          \
    "ldrd %[r0], %[r1], [%[at]] \n\t"                                                              \
    "ldrd %[r2], %[r3], [%[at], #8] \n\t"                                                          \
    "bic %[r0], %[r0], %[r0], asr #31 \n\t"                                                        \
    "bic %[r1], %[r1], %[r1], asr #31 \n\t"                                                        \
    "bic %[r2], %[r2], %[r2], asr #31 \n\t"                                                        \
    "bic %[r3], %[r3], %[r3], asr #31 \n\t"                                                        \
    "vmov s4, s5, %[r0], %[r1] \n\t"                                                               \
    "vmov s6, s7, %[r2], %[r3] \n\t"                                                               \
    "vadd.f32 s0, s0, s4 \n\t"                                                                     \
    "vadd.f32 s1, s1, s5 \n\t"                                                                     \
    "vadd.f32 s2, s2, s6 \n\t"                                                                     \
    "vadd.f32 s3, s3, s7 \n\t"

/* Unsigned, |x| of 16 and more has the highest bit; from there on softplus is x to the bit. */
void tc_kernel_softplus(tc_real *x, uint32_t n)
{
    uint32_t r[4];
    for (const tc_real *const end = x + n; x < end;) {
        CONVERT(x, r, MAGNITUDE, "u32", "27");
        if (((r[0] | r[1] | r[2] | r[3]) & TC_SIGN_BIT) == 0u) {
            INTERPOLATE(x, r, tc_softplus_table, ADD_POSITIVE_PART, tc_softplus_table);
            continue;
        }
        for (const tc_real *const next = x + 4; x != next; x++) {
            if (*x < -TC_SOFTPLUS_LAST) *x = tc_softplus_core(*x);
        }
    }
}

#else

void tc_kernel_tanh(tc_real *x, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) x[i] = tc_tanh_core(x[i]);
}

void tc_kernel_sigmoid(tc_real *x, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) x[i] = tc_sigmoid_core(x[i]);
}

void tc_kernel_softplus(tc_real *x, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) x[i] = tc_softplus_core(x[i]);
}

void tc_kernel_row_sigmoid(const float *a, tc_real *t, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) t[i] = a[i] * tc_sigmoid_core(t[i]);
}

#endif
