/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Inputs of a net, normalised, compared with their range, or as steps of int8, for Helium, four at a time.
 *
 * Specification (port/tc_kernel_net.h):
 *
 *     y[i] = (x[i] - mean[i]) * scale[i]
 *     low[i] <= x[i] <= high[i] for all i; a NaN is outside
 *     q[i] = trunc(clamp(x[i] * steps, -127, 127) + 128.5) - 128
 *
 * Tail predication leaves the lanes behind the last input alone. The inputs inside are counted, each in its
 * lane: both comparisons of a NaN fail. Steps are clamped after the conversion, to 1..255 before 128 is taken
 * away: the same, for both roundings are monotone, and a NaN converts to 0.
 *
 * Cost, call included: 5 + 7 per four inputs, 10 + 8 per four, and 11 + 9 per four. Stack 8 bytes. Subnormal inputs,
 * limits and results count as zero.
 */
#include "tc_helium_asm.h"

#define x r0
#define mean r1
#define scale r2
#define y r3
#define left r12

    kernel tc_kernel_normalise
    push    {r4, lr}
    ldr     left, [sp, #8]
    wlstp.32 lr, left, 2f
1:  vldrw.u32 q0, [x], #16
    vldrw.u32 q1, [mean], #16
    vsub.f32 q0, q0, q1
    vldrw.u32 q2, [scale], #16
    vmul.f32 q0, q0, q2
    vstrw.32 q0, [y], #16
    letp    lr, 1b
2:  pop     {r4, pc}
    kernel_end tc_kernel_normalise

#define low r1
#define high r2
#define n r3
#define one r4

    kernel tc_kernel_within
    push    {r4, lr}
    movs    one, #1
    vmov.i32 q3, #0                     /* inputs inside */
    wlstp.32 lr, n, 2f
1:  vldrw.u32 q0, [x], #16
    vldrw.u32 q1, [low], #16
    vldrw.u32 q2, [high], #16
    vpt.f32 ge, q0, q1
    vcmpt.f32 ge, q2, q0
    vpst
    vaddt.i32 q3, q3, one
    letp    lr, 1b
2:  vaddv.u32 r0, q3
    subs    r0, r0, n                   /* 0, or below 0 */
    ite     eq
    moveq   r0, #1
    movne   r0, #0
    pop     {r4, pc}
    kernel_end tc_kernel_within

#undef n
#define q r1
#define n r2
#define steps r3
#define middle r4
#define half r12

    kernel tc_kernel_quantise
    push    {r4, lr}
    vmov    steps, s0
    movw    half, #0x8000
    movt    half, #0x4300               /* 128.5 */
    vmov.i32 q2, #1
    vmov.i32 q3, #255
    movs    middle, #128
    wlstp.32 lr, n, 2f
1:  vldrw.u32 q0, [x], #16
    vmul.f32 q0, q0, steps
    vadd.f32 q0, q0, half
    vcvt.s32.f32 q0, q0
    vmax.s32 q0, q0, q2
    vmin.s32 q0, q0, q3
    vsub.i32 q0, q0, middle
    vstrb.32 q0, [q], #4
    letp    lr, 1b
2:  pop     {r4, pc}
    kernel_end tc_kernel_quantise
