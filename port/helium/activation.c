/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Activations for Helium, four at a time, by gathering from tables.
 *
 * tanh and sigmoid are specified in lib/math/tc_tanh_table.h; here, d = 28 for tanh and 27 for
 * sigmoid:
 *
 *     r = VCVT.S32.F32 #d (x)                  truncates, saturates: clamps x to the table's range
 *     at = (r >> 20) & ~15                     byte offset of the segment from the table's middle
 *     t = VCVT.F32.S32 #24 (r & 0xffffff)      exact
 *     value = ((c3 t + c2) t + c1) t + c0      rounded twice each; once with TC_PORT_FUSED
 *     sigmoid: 0.5 + 0.5 value                 the product is exact: one rounding either way
 *
 * softplus in lib/math/tc_softplus_table.h: of |x|, with d = 27 and max(x, 0) added; where some x
 * < -16, a second loop takes their exponential.
 *
 * Bits equal the portable ones when not fused: lane by lane it is what the scalar code does. A
 * subnormal x converts to 0 in the table's functions of both, and is lost in the sum of softplus;
 * no other intermediate is subnormal but where it is added to something large. With TC_TANH_TABLE =
 * 0, tanh and sigmoid are the scalar functions: their division has no vector form. Softplus is that
 * of tc_softplus_core in lib/math/tc_math_core.h, whose constants stand here again: max(x, 0) + u
 * L(u), u = e^-|x|.
 *
 * The table's loop is in assembler because the compiler spends 27 instructions on what surrounds
 * it. Its chain of products and sums never waits: a float instruction occupies its unit for as long
 * as its result takes, and the gathers fit between.
 *
 * Cost per four elements: tanh 18 instructions (fused 15), sigmoid 20 (17) and 22 (19) with a row,
 * softplus 23 (20), 42 (37) more when some x is below -16, without the table 70 (56); about 12 per
 * call. No stack worth mentioning.
 */
#include "tc_exact.h"
#include "tc_helium.h"
#include "tc_math_core.h"

/* p * x + c */
static inline float32x4_t horner_step(float32x4_t p, float32x4_t x, float c)
{
#if TC_PORT_FUSED
    return vfmasq_n_f32(p, x, c);
#else
    return vaddq_n_f32(vmulq_f32(p, x), c);
#endif
}

/* e^a for a <= 0: n = a log2(e) rounded by adding 1.5 * 2^23, r = a - n ln 2, 2^n e^r. */
static inline float32x4_t exp_negative(float32x4_t a)
{
    const float32x4_t shifted = horner_step(a, vdupq_n_f32(TC_LOG2E), TC_ROUND_MAGIC);
    const float32x4_t n = vsubq_n_f32(shifted, TC_ROUND_MAGIC);
    const float32x4_t r =
        vsubq_f32(vsubq_f32(a, vmulq_n_f32(n, TC_LN2_HIGH)), vmulq_n_f32(n, TC_LN2_LOW));
    float32x4_t q = horner_step(vdupq_n_f32(0x1.6afe12p-10f), r, 0x1.124492p-7f);
    q = horner_step(q, r, 0x1.555826p-5f);
    q = horner_step(q, r, 0x1.555482p-3f);
    q = horner_step(q, r, 0x1.fffffcp-2f);
    const float32x4_t p = vaddq_n_f32(TC_HELIUM_MLA_V(r, vmulq_f32(r, r), q), 1.0f);
    const int32x4_t exponent = vshlq_n_s32(vreinterpretq_s32_f32(shifted), 23);
    const float32x4_t e = vreinterpretq_f32_s32(vaddq_s32(vreinterpretq_s32_f32(p), exponent));
    return vpselq_f32(e, vdupq_n_f32(0.0f), vcmpgeq_n_f32(a, TC_EXP_MIN));
}

#if TC_TANH_TABLE

/* q2 = q2 * t + the table's next coefficient; t = q0, offsets = q1 */
#if TC_PORT_FUSED
#define HORNER(c)                                                                                  \
    "vldrw.u32 q3, [%[" c "], q1]\n\t"                                                             \
    "vfma.f32 q3, q2, q0\n\t"
#define HORNER_2(c)                                                                                \
    "vldrw.u32 q2, [%[" c "], q1]\n\t"                                                             \
    "vfma.f32 q2, q3, q0\n\t"
#else
#define HORNER(c)                                                                                  \
    "vmul.f32 q2, q2, q0\n\t"                                                                      \
    "vldrw.u32 q3, [%[" c "], q1]\n\t"                                                             \
    "vadd.f32 q3, q2, q3\n\t"
#define HORNER_2(c)                                                                                \
    "vmul.f32 q3, q3, q0\n\t"                                                                      \
    "vldrw.u32 q2, [%[" c "], q1]\n\t"                                                             \
    "vadd.f32 q2, q3, q2\n\t"
#endif

/* The value of q0, in units with `digits` fraction bits, to q3. */
#define LOOK_UP(digits)                                                                            \
    "vcvt.s32.f32 q0, q0, #" digits "\n\t"                                                         \
    "vshr.s32 q1, q0, #20\n\t"                                                                     \
    "vbic.i32 q1, #15\n\t"                                                                         \
    "vbic.i32 q0, #0xff000000\n\t"                                                                 \
    "vldrw.u32 q2, [%[c3], q1]\n\t"                                                                \
    "vcvt.f32.s32 q0, q0, #24\n\t" HORNER("c2") HORNER_2("c1") HORNER("c0")
/* The segment of 0. */
#define TABLE(at) [c0] "r"(at), [c1] "r"((at) + 1), [c2] "r"((at) + 2), [c3] "r"((at) + 3)

/* x[n] -> table(x) then `last` applied to q3, in place, up to n rounded up to 4. No branch on n =
 * 0: layers have outputs. */
#define SQUASH(x, n, digits, last)                                                                 \
    __asm volatile("dls lr, %[quads]\n"                                                            \
                   "1:\n\t"                                                                        \
                   "vldrw.u32 q0, [%[at]]\n\t" LOOK_UP(digits) last                                \
                   "vstrw.32 q3, [%[at]], #16\n\t"                                                 \
                   "le lr, 1b"                                                                     \
                   : [at] "+r"(x)                                                                  \
                   : [quads] "r"((n + 3u) / 4u),                                                   \
                     TABLE(tc_tanh_table + 2 * TC_TANH_SEGMENTS), [half] "r"(0x3f000000)           \
                   : "q0", "q1", "q2", "q3", "lr", "memory")

void tc_kernel_tanh(tc_real *x, uint32_t n)
{
    SQUASH(x, n, "28", "");
}

void tc_kernel_sigmoid(tc_real *x, uint32_t n)
{
    SQUASH(x, n, "27",
           "vmul.f32 q3, q3, %[half]\n\t"
           "vadd.f32 q3, q3, %[half]\n\t");
}

/* The loop is predicated by what is left: nothing behind n is touched. */
void tc_kernel_row_sigmoid(const float *a, tc_real *t, uint32_t n)
{
    __asm volatile("dlstp.32 lr, %[n]\n"
                   "1:\n\t"
                   "vldrw.u32 q0, [%[at]]\n\t" LOOK_UP("27") "vldrw.u32 q0, [%[a]], #16\n\t"
                                                             "vmul.f32 q3, q3, %[half]\n\t"
                                                             "vadd.f32 q3, q3, %[half]\n\t"
                                                             "vmul.f32 q3, q3, q0\n\t"
                                                             "vstrw.32 q3, [%[at]], #16\n\t"
                                                             "letp lr, 1b"
                   : [at] "+r"(t), [a] "+r"(a)
                   : [n] "r"(n), TABLE(tc_tanh_table + 2 * TC_TANH_SEGMENTS), [half] "r"(0x3f000000)
                   : "q0", "q1", "q2", "q3", "lr", "memory");
}

/* Softplus in place but where x < -16, which stays as it is: all else becomes positive. Returns the
 * least x, and 0 if none is negative. */
static inline float softplus_above(tc_real *x, uint32_t n)
{
    float least = 0.0f;
    __asm volatile("vmov.i32 q5, #0\n\t"
                   "dls lr, %[quads]\n"
                   "1:\n\t"
                   "vldrw.u32 q4, [%[at]]\n\t"
                   "vabs.f32 q0, q4\n\t" LOOK_UP("27") "vminnmv.f32 %[least], q4\n\t"
                                                       "vmaxnm.f32 q0, q4, q5\n\t"
                                                       "vadd.f32 q3, q3, q0\n\t"
                                                       "vpt.f32 ge, q4, %[last]\n\t"
                                                       "vstrwt.32 q3, [%[at]], #16\n\t"
                                                       "le lr, 1b"
                   : [at] "+r"(x), [least] "+r"(least)
                   : [quads] "r"((n + 3u) / 4u),
                     TABLE(tc_softplus_table), [last] "r"(TC_SOFTPLUS_LAST)
                   : "q0", "q1", "q2", "q3", "q4", "q5", "lr", "memory");
    return least;
}

void tc_kernel_softplus(tc_real *x, uint32_t n)
{
    if (softplus_above(x, n) >= TC_SOFTPLUS_LAST) {
        return;
    }
    for (const tc_real *const end = x + n; x < end; x += 4) {
        const float32x4_t v = TC_HELIUM_LOAD(x);
        TC_HELIUM_STORE(x, vpselq_f32(exp_negative(v), v, vcmpltq_n_f32(v, 0.0f)));
    }
}

#else

void tc_kernel_tanh(tc_real *x, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        x[i] = tc_tanh_core(x[i]);
    }
}

void tc_kernel_sigmoid(tc_real *x, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        x[i] = tc_sigmoid_core(x[i]);
    }
}

void tc_kernel_row_sigmoid(const float *a, tc_real *t, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        t[i] = a[i] * tc_sigmoid_core(t[i]);
    }
}

void tc_kernel_softplus(tc_real *x, uint32_t n)
{
    for (const tc_real *const end = x + n; x < end; x += 4) {
        const float32x4_t v = TC_HELIUM_LOAD(x);
        const float32x4_t u = exp_negative(vnegq_f32(vabsq_f32(v)));
        float32x4_t p = horner_step(vdupq_n_f32(-0x1.b07782p-9f), u, 0x1.499f8ap-6f);
        p = horner_step(p, u, -0x1.d7103cp-5f);
        p = horner_step(p, u, 0x1.b4cefap-4f);
        p = horner_step(p, u, -0x1.3a48e4p-3f);
        p = horner_step(p, u, 0x1.934c0cp-3f);
        p = horner_step(p, u, -0x1.ff23e6p-3f);
        p = horner_step(p, u, 0x1.554ddp-2f);
        p = horner_step(p, u, -0x1.ffffd2p-2f);
        p = horner_step(p, u, 1.0f);
        TC_HELIUM_STORE(x, TC_HELIUM_MLA_V(vmaxnmq_f32(v, vdupq_n_f32(0.0f)), u, p));
    }
}

#endif
