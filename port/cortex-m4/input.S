/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Inputs of a net, normalised, compared with their range, or as steps of int8, for Cortex-M4F and M7. Same bits as
 * portable's.
 *
 *     y[i] = (x[i] - mean[i]) * scale[i]
 *     low[0] <= x[0] <= high[0] && ...            ends at the first that is outside; NaN is
 *     t = saturate(x[i] * steps + 128.5)          VCVT.S32.F32, then USAT to 0..255
 *     q[i] = max(t, 1) - 128                      four bytes at once: UQSUB8 by 1, USUB8 by 127
 *
 * Four inputs per round, three load instructions for all of their numbers; what is left singly. After a
 * comparison with a NaN both LT and HI hold. Clamping to -127..127 after the sum and not before the addition of
 * 128.5 gives the same: both roundings are monotone, and VCVT makes a NaN 0.
 *
 * Cost, call included: 7 + 3.5 n, 7 + 7.25 n and 14 + 6.75 n instructions, 4.5 more per input that is left. Stack:
 * none, and 16 bytes.
 */
#include "macros.inc"

/* r0 x, r1 mean, r2 scale, r3 y; r12 inputs left */
    function tc_kernel_normalise
    ldr r12, [sp]
    subs r12, r12, #4
    blo 2f
1:  vldmia r0!, {s0-s3}
    vldmia r1!, {s4-s7}
    vldmia r2!, {s8-s11}
    each_3 vsub_, 0, 0, 4, 4
    each_3 vmul_, 0, 0, 8, 4
    vstmia r3!, {s0-s3}
    subs r12, r12, #4
    bhs 1b
2:  adds r12, r12, #4
    beq 4f
3:  vldmia r0!, {s0}
    vldmia r1!, {s4}
    vldmia r2!, {s8}
    vsub.f32 s0, s0, s4
    vmul.f32 s0, s0, s8
    vstmia r3!, {s0}
    subs r12, r12, #1
    bne 3b
4:  bx lr
    endfunction tc_kernel_normalise

/* Goes to .Loutside unless s[low] <= s[x] <= s[high]. */
    .macro inside x, low, high
    vcmp.f32 s\x, s\low
    vmrs APSR_nzcv, fpscr
    blt .Loutside
    vcmp.f32 s\x, s\high
    vmrs APSR_nzcv, fpscr
    bhi .Loutside
    .endm

/* r0 x, r1 low, r2 high, r3 inputs left */
    function tc_kernel_within
    subs r3, r3, #4
    blo 2f
1:  vldmia r0!, {s0-s3}
    vldmia r1!, {s4-s7}
    vldmia r2!, {s8-s11}
    inside 0, 4, 8
    inside 1, 5, 9
    inside 2, 6, 10
    inside 3, 7, 11
    subs r3, r3, #4
    bhs 1b
2:  adds r3, r3, #4
    beq 4f
3:  vldmia r0!, {s0}
    vldmia r1!, {s4}
    vldmia r2!, {s8}
    inside 0, 4, 8
    subs r3, r3, #1
    bne 3b
4:  movs r0, #1
    bx lr
.Loutside:
    movs r0, #0
    bx lr
    endfunction tc_kernel_within

    .macro vcvt_ d
    vcvt.s32.f32 s\d, s\d
    .endm
    .macro steps_ d
    vmul.f32 s\d, s\d, s0
    .endm
    .macro half_ d
    vadd.f32 s\d, s\d, s1
    .endm

/* r0 x, s0 steps, r1 q, r2 numbers left; r12 and lr: 1 and 127 in each byte */
    function tc_kernel_quantise
    enter r4, r5, r6
    movw r3, #0x8000
    movt r3, #0x4300
    vmov s1, r3                     /* 128.5 */
    mov r12, #0x01010101
    mov lr, #0x7f7f7f7f
    subs r2, r2, #4
    blo 2f
1:  vldmia r0!, {s4-s7}
    each_1 steps_, 4, 4
    each_1 half_, 4, 4
    each_1 vcvt_, 4, 4
    vmov r3, r4, s4, s5
    vmov r5, r6, s6, s7
    usat r3, #8, r3
    usat r4, #8, r4
    usat r5, #8, r5
    usat r6, #8, r6
    orr r3, r3, r4, lsl #8
    orr r5, r5, r6, lsl #8
    orr r3, r3, r5, lsl #16
    uqsub8 r3, r3, r12
    usub8 r3, r3, lr
    str r3, [r1], #4
    subs r2, r2, #4
    bhs 1b
2:  adds r2, r2, #4
    beq 4f
3:  vldmia r0!, {s4}
    steps_ 4
    half_ 4
    vcvt_ 4
    vmov r3, s4
    usat r3, #8, r3
    uqsub8 r3, r3, r12
    usub8 r3, r3, lr
    strb r3, [r1], #1
    subs r2, r2, #1
    bne 3b
4:  leave r4, r5, r6
    endfunction tc_kernel_quantise
