/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Inputs of a net, normalised or compared with their range, for Helium, four at a time.
 *
 * Specification (port/tc_kernel.h):
 *
 *     y[i] = (x[i] - mean[i]) * scale[i]
 *     low[i] <= x[i] <= high[i] for all i; a NaN is outside
 *
 * Tail predication leaves the lanes behind the last input alone. The inputs inside are counted, each in its
 * lane: both comparisons of a NaN fail.
 *
 * Cost, call included: 5 + 7 per four inputs, and 10 + 8 per four. Stack 8 bytes. Subnormal inputs,
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
