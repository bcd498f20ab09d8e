/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * y = A^T x and y += A^T x, any size, on Cortex-M4F and M7. Same bits as portable's.
 *
 *     for (j = 0; j < n; j++) {
 *         acc = add ? y[j] : -0.0f;                               see mat_vec.S
 *         for (i = 0; i < m; i++) acc += A[i][j] * x[i];          product and sum rounded
 *         y[j] = acc;
 *     }
 *
 * Eight columns go side by side, down all rows, then four, two, one: a row's elements lie together,
 * and x[i] is common to them.
 *
 * Registers: r0 A, the first column of the block, r1 x, r2 y, r3 m, r4 columns left - 8, r5
 * the bits of -0, or 0 for `add`, r6 running x, r7 rows left, r8 bytes of a row, r9 running A.
 * Stack: 36 bytes. Instructions for n = 8 b with VMUL and VADD: 22 + b (17 + 21 m).
 */
#include "macros.inc"

/* A block of `width` columns: sums in s0.., elements of A in s8.., of x in s16. */
    .macro vmov_bits reg
    vmov s\reg, r5
    .endm

    .macro columns width, sums, row
    vldmia r2, \sums
    cbz r5, 1f
    each_1 vmov_bits, 0, \width
1:  mov r6, r1
    mov r7, r3
    mov r9, r0
2:  vldmia r6!, {s16}
    vldmia r9, \row
    add r9, r9, r8
    mac_rows 0, 8, 16, \width
    subs r7, r7, #1
    bne 2b
    vstmia r2!, \sums
    add r0, r0, #4 * \width
    .endm

    function tc_kernel_mat_vec_t_add
    mov r12, #0
    b .Lstart
    .global tc_kernel_mat_vec_t
    .type tc_kernel_mat_vec_t, %function
    .thumb_func
tc_kernel_mat_vec_t:
    mov r12, #0x80000000
.Lstart:
    enter r4, r5, r6, r7, r8, r9
    vpush {s16-s17}
    .cfi_adjust_cfa_offset 8
    ldr r4, [sp, #36]
    mov r5, r12
    lsl r8, r4, #2
    subs r4, r4, #8
    blt .Lupto_7
.Lcolumns_8:
    columns 8, {s0-s7}, {s8-s15}
    subs r4, r4, #8
    bge .Lcolumns_8
.Lupto_7:                           /* the lower three bits of r4 are those of n */
    tst r4, #4
    beq 4f
    columns 4, {s0-s3}, {s8-s11}
4:  tst r4, #2
    beq 4f
    columns 2, {s0-s1}, {s8-s9}
4:  tst r4, #1
    beq .Ldone
    columns 1, {s0}, {s8}
.Ldone:
    vpop {s16-s17}
    .cfi_adjust_cfa_offset -8
    pop {r4, r5, r6, r7, r8, r9, pc}
    .size tc_kernel_mat_vec_t, . - tc_kernel_mat_vec_t
    endfunction tc_kernel_mat_vec_t_add
