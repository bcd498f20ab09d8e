/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Square matrix products of constant size for Helium: C = A B, n x n, n = 2, 3, 4, 6, 12.
 *
 * Specification (port/tc_kernel_mat.h):
 *
 *     for (i = 0; i < n; i++)
 *         for (j = 0; j < n; j++) {
 *             float acc = A[i * n] * B[j];
 *             for (k = 1; k < n; k++) acc = acc + A[i * n + k] * B[k * n + j];
 *             C[i * n + j] = acc;
 *         }
 *
 * n = 2 is scalar: VMLA.F32 rounds the product, so it is one instruction per term with the bits of two.
 * The others have columns in the lanes. 3: lane 3 computes nothing of use; its store is overwritten
 * by the next row and left out for the last. 6: columns 0..3 and 2..5, the middle twice.
 *
 * Instructions without call (fused): 2: 12, 3: 29 (21), 4: 42 (30), 6: 198 (138), 12: 1182 (786).
 * Stack up to 100 bytes. For n > 2 subnormal elements, products and sums count as zero.
 */
#include "tc_helium_asm.h"

#define A r0
#define B r1
#define C r2

    kernel tc_kernel_mat_mul_2
    vldm    A, {s0-s3}
    vldm    B, {s4-s7}
    vmul.f32 s8, s0, s4
    vmul.f32 s9, s0, s5
    vmul.f32 s10, s2, s4
    vmul.f32 s11, s2, s5
    mac_scalar s8, s1, s6
    mac_scalar s9, s1, s7
    mac_scalar s10, s3, s6
    mac_scalar s11, s3, s7
    vstm    C, {s8-s11}
    bx      lr
    kernel_end tc_kernel_mat_mul_2

/* q3 = next row of C; B in q0..q2 */
    .macro row3
    ldm     A!, {r1, r3, r12}
    vmul.f32 q3, q0, r1
    mac_keep q3, q1, r3, q4
    mac_keep q3, q2, r12, q4
    .endm

    kernel tc_kernel_mat_mul_3
#if !TC_PORT_FUSED
    vpush   {d8, d9}
#endif
    vldrw.u32 q0, [B]
    vldrw.u32 q1, [B, #12]
    vldr    d4, [B, #24]
    vldr    s10, [B, #32]
    row3
    vstrw.32 q3, [C]
    row3
    vstrw.32 q3, [C, #12]
    row3
    vstr    d6, [C, #24]
    vstr    s14, [C, #32]
#if !TC_PORT_FUSED
    vpop    {d8, d9}
#endif
    bx      lr
    kernel_end tc_kernel_mat_mul_3

    kernel tc_kernel_mat_mul_4
    push    {r4}
    vpush   {d8-d11}
    vldm    B, {d0-d7}
    .rept   4
    ldm     A!, {r1, r3, r4, r12}
    vmul.f32 q4, q0, r1
    mac_keep q4, q1, r3, q5
    mac_keep q4, q2, r4, q5
    mac_keep q4, q3, r12, q5
    vstrw.32 q4, [C], #16
    .endr
    vpop    {d8-d11}
    pop     {r4}
    bx      lr
    kernel_end tc_kernel_mat_mul_4

/* Three rows of A against one row of B, whose elements are s0, s1, s2; q0, q2, q4 columns 0..3 and
 * q1, q3, q5 columns 2..5 of the rows of C. With `next` the next two elements of each row of A follow
 * the last use of these, one LDRD behind each of the float unit's instructions, which hide them. */
    .macro term6 s0, s1, s2, next=0
    vldrw.u32 q6, [B], #24
    mac_keep q0, q6, \s0, q7
    mac_keep q2, q6, \s1, q7
    mac_keep q4, q6, \s2, q7
    vldrw.u32 q6, [B, #-16]
    mac_keep q1, q6, \s0, q7
    .if \next
    ldrd    r3, r4, [A], #8
    .endif
    mac_keep q3, q6, \s1, q7
    .if \next
    ldrd    r5, r6, [A, #16]
    .endif
    mac_keep q5, q6, \s2, q7
    .if \next
    ldrd    r7, r8, [A, #40]
    .endif
    .endm

    kernel tc_kernel_mat_mul_6
    push    {r4-r8, lr}
    vpush   {d8-d15}
    mov     r12, #2
    dls     lr, r12
1:  ldrd    r3, r4, [A], #8             /* two elements each of rows 0, 1, 2 */
    vldrw.u32 q6, [B], #24
    ldrd    r5, r6, [A, #16]
    vmul.f32 q0, q6, r3
    ldrd    r7, r8, [A, #40]
    vmul.f32 q2, q6, r5
    vldrw.u32 q7, [B, #-16]
    vmul.f32 q4, q6, r7
    vmul.f32 q1, q7, r3
    vmul.f32 q3, q7, r5
    vmul.f32 q5, q7, r7
    term6   r4, r6, r8, 1
    term6   r3, r5, r7
    term6   r4, r6, r8, 1
    term6   r3, r5, r7
    term6   r4, r6, r8
    vstrw.32 q0, [C], #72
    vstrw.32 q1, [C, #-64]
    vstrw.32 q2, [C, #-48]
    vstrw.32 q3, [C, #-40]
    vstrw.32 q4, [C, #-24]
    vstrw.32 q5, [C, #-16]
    add     A, A, #48
    sub     B, B, #144
    le      lr, 1b
    vpop    {d8-d15}
    pop     {r4-r8, pc}
    kernel_end tc_kernel_mat_mul_6

/* Two rows of A against one row of B, whose elements are s0, s1; q0, q1, q2 and q3, q4, q5 the rows of
 * C. Meanwhile, hidden by the float unit, the next two elements of one row of A come from `row`. */
    .macro term12 s0, s1, lo, hi, row
    vldrw.u32 q6, [B], #48
    mac_keep q0, q6, \s0, q7
    .ifnb   \lo
    ldrd    \lo, \hi, [\row], #8
    .endif
    mac_keep q3, q6, \s1, q7
    vldrw.u32 q6, [B, #-32]
    mac_keep q1, q6, \s0, q7
    mac_keep q4, q6, \s1, q7
    vldrw.u32 q6, [B, #-16]
    mac_keep q2, q6, \s0, q7
    mac_keep q5, q6, \s1, q7
    .endm

    kernel tc_kernel_mat_mul_12
    push    {r4-r11, lr}
    vpush   {d8-d15}
    mov     r12, #6
    dls     lr, r12
1:  add     r3, A, #48
    ldrd    r4, r5, [A], #8
    vldrw.u32 q6, [B], #48
    ldrd    r8, r9, [r3], #8
    vmul.f32 q0, q6, r4
    vldrw.u32 q7, [B, #-32]
    vmul.f32 q3, q6, r8
    ldrd    r6, r7, [A], #8
    vmul.f32 q1, q7, r4
    vldrw.u32 q6, [B, #-16]
    vmul.f32 q4, q7, r8
    vmul.f32 q2, q6, r4
    vmul.f32 q5, q6, r8
    term12  r5, r9, r10, r11, r3
    .rept   2
    term12  r6, r10, r4, r5, A
    term12  r7, r11, r8, r9, r3
    term12  r4, r8, r6, r7, A
    term12  r5, r9, r10, r11, r3
    .endr
    term12  r6, r10
    term12  r7, r11
    vstrw.32 q0, [C], #96
    vstrw.32 q1, [C, #-80]
    vstrw.32 q2, [C, #-64]
    vstrw.32 q3, [C, #-48]
    vstrw.32 q4, [C, #-32]
    vstrw.32 q5, [C, #-16]
    mov     A, r3
    sub     B, B, #576
    le      lr, 1b
    vpop    {d8-d15}
    pop     {r4-r11, pc}
    kernel_end tc_kernel_mat_mul_12
