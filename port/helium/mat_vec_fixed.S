/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Square matrix times vector of constant size for Helium: y = A x, n x n, n = 2, 3, 4, 6, 12.
 *
 * Specification (port/tc_kernel_mat.h):
 *
 *     for (i = 0; i < n; i++) {
 *         float acc = A[i * n] * x[0];
 *         for (k = 1; k < n; k++) acc = acc + A[i * n + k] * x[k];
 *         y[i] = acc;
 *     }
 *
 * n = 2 and 3 are scalar: VMLA.F32 rounds the product, so it is one instruction per term with the
 * bits of two, and VLDM brings a whole row. Else rows are in the lanes: a column of four rows comes by
 * VLD4 where the stride is four, by a gather otherwise, whose base vector serves all four-row groups by
 * its immediate offset (6: rows 0..3 and 2..5, the middle twice).
 *
 * Instructions without call (fused): 2: 8, 3: 13, 4: 14 (11), 6: 45 (35), 12: 117 (84).
 * Stack up to 52 bytes. For n > 3 subnormal elements, products and sums count as zero.
 */
#include "tc_helium_asm.h"

#define A r0
#define x r1
#define y r2

    kernel tc_kernel_mat_vec_2
    vldm    A, {s0-s3}
    vldm    x, {s4-s5}
    vmul.f32 s6, s0, s4
    vmul.f32 s7, s2, s4
    mac_scalar s6, s1, s5
    mac_scalar s7, s3, s5
    vstm    y, {s6-s7}
    bx      lr
    kernel_end tc_kernel_mat_vec_2

    kernel tc_kernel_mat_vec_3
    vldm    A, {s0-s8}
    vldm    x, {s9-s11}
    vmul.f32 s12, s0, s9
    vmul.f32 s13, s3, s9
    vmul.f32 s14, s6, s9
    mac_scalar s12, s1, s10
    mac_scalar s13, s4, s10
    mac_scalar s14, s7, s10
    mac_scalar s12, s2, s11
    mac_scalar s13, s5, s11
    mac_scalar s14, s8, s11
    vstm    y, {s12-s14}
    bx      lr
    kernel_end tc_kernel_mat_vec_3

    kernel tc_kernel_mat_vec_4
    vld40.32 {q0, q1, q2, q3}, [A]
    vld41.32 {q0, q1, q2, q3}, [A]
    vld42.32 {q0, q1, q2, q3}, [A]
    vld43.32 {q0, q1, q2, q3}, [A]
    ldm     x, {r0, r1, r3, r12}
    vmul.f32 q0, q0, r0
    mac     q0, q1, r1
    mac     q0, q2, r3
    mac     q0, q3, r12
    vstrw.32 q0, [y]
    bx      lr
    kernel_end tc_kernel_mat_vec_4

/* Column k of the groups of four rows, `rows` bytes apart, times s. */
    .macro start6 s, k
    vldrw.u32 q1, [q0, #4 * (\k)]
    vldrw.u32 q2, [q0, #4 * (\k) + 48]
    vmul.f32 q1, q1, \s
    vmul.f32 q2, q2, \s
    .endm

    .macro term6 s, k
    vldrw.u32 q3, [q0, #4 * (\k)]
    vldrw.u32 q4, [q0, #4 * (\k) + 48]
    mac     q1, q3, \s
    mac     q2, q4, \s
    .endm

    kernel tc_kernel_mat_vec_6
    adr     r3, .Lrows6
    push    {r4, r5}
    vpush   {d8, d9}
    vldrw.u32 q0, [r3]
    vadd.i32 q0, q0, A
    ldm     x, {r0, r1, r3, r4, r5, r12}
    start6  r0, 0
    term6   r1, 1
    term6   r3, 2
    term6   r4, 3
    term6   r5, 4
    term6   r12, 5
    vstrw.32 q1, [y]
    vstrw.32 q2, [y, #8]
    vpop    {d8, d9}
    pop     {r4, r5}
    bx      lr
    .balign 4
.Lrows6:
    .word   0, 24, 48, 72
    kernel_end tc_kernel_mat_vec_6

    .macro term12 s, k
    vldrw.u32 q4, [q0, #4 * (\k)]
    vldrw.u32 q5, [q0, #4 * (\k) + 192]
    mac     q1, q4, \s
    vldrw.u32 q6, [q0, #4 * (\k) + 384]
    mac     q2, q5, \s
    mac     q3, q6, \s
    .endm

    kernel tc_kernel_mat_vec_12
    adr     r3, .Lrows12
    vpush   {d8-d13}
    vldrw.u32 q0, [r3]
    push    {r4}
    vadd.i32 q0, q0, A
    ldm     x!, {r0, r3, r4, r12}
    vldrw.u32 q1, [q0]
    vldrw.u32 q2, [q0, #192]
    vmul.f32 q1, q1, r0
    vldrw.u32 q3, [q0, #384]
    vmul.f32 q2, q2, r0
    vmul.f32 q3, q3, r0
    term12  r3, 1
    term12  r4, 2
    term12  r12, 3
    ldm     x!, {r0, r3, r4, r12}
    term12  r0, 4
    term12  r3, 5
    term12  r4, 6
    term12  r12, 7
    ldm     x, {r0, r3, r4, r12}
    term12  r0, 8
    term12  r3, 9
    term12  r4, 10
    term12  r12, 11
    vstm    y, {d2-d7}
    pop     {r4}
    vpop    {d8-d13}
    bx      lr
    .balign 4
.Lrows12:
    .word   0, 48, 96, 144
    kernel_end tc_kernel_mat_vec_12
