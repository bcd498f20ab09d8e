/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Inputs of a net, normalised or compared with their range, for Cortex-M4F and M7. Same bits as portable's.
 *
 *     y[i] = (x[i] - mean[i]) * scale[i]
 *     low[0] <= x[0] <= high[0] && ...            ends at the first that is outside; NaN is
 *
 * Four inputs per round, three load instructions for all of their numbers; what is left singly. After a
 * comparison with a NaN both LT and HI hold.
 *
 * Cost, call included: 7 + 3.5 n and 7 + 7.25 n instructions, 4.5 more per input that is left. No stack.
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
