/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * y = A x for square A of size 2, 3, 4, 6 and 12, on Cortex-M4F and M7. Same bits as portable's.
 *
 *     for (i = 0; i < n; i++) {
 *         acc = A[i][0] * x[0];
 *         for (k = 1; k < n; k++) acc += A[i][k] * x[k];          product and sum rounded
 *         y[i] = acc;
 *     }
 *
 * x stays in registers; A is loaded a row or several at a time, one instruction each, and its
 * registers take the products. Two rows go side by side where the registers suffice, so that sums
 * are not waited for. r0 A, r1 x, r2 y.
 *
 * Stack: 0, 0, 0, 8, 64 bytes. Instructions, call included: 14, 23, 37, 80, 306 with VMUL and VADD, 12, 17,
 * 25, 50, 199 with VMLA.
 */
#include "macros.inc"

    function tc_kernel_mat_vec_2
    vldmia r1, {s0-s1}
    vldmia r0, {s2-s5}
    dot_2 2, 3, 2, 4, 0, 2
    vstmia r2, {s2-s3}
    bx lr
    endfunction tc_kernel_mat_vec_2

    function tc_kernel_mat_vec_3
    vldmia r1, {s0-s2}
    vldmia r0, {s3-s11}
    dot_2 12, 13, 3, 6, 0, 3
    dot 14, 9, 0, 3
    vstmia r2, {s12-s14}
    bx lr
    endfunction tc_kernel_mat_vec_3

    function tc_kernel_mat_vec_4
    vldmia r1, {s0-s3}
    vldmia r0!, {s4-s11}
    dot_2 12, 13, 4, 8, 0, 4
    vldmia r0, {s4-s11}
    dot_2 14, 15, 4, 8, 0, 4
    vstmia r2, {s12-s15}
    bx lr
    endfunction tc_kernel_mat_vec_4

    function tc_kernel_mat_vec_6
    vpush {s16-s17}
    .cfi_adjust_cfa_offset 8
    vldmia r1, {s0-s5}
    .rept 3
    vldmia r0!, {s6-s17}
    dot_2 6, 7, 6, 12, 0, 6
    vstmia r2!, {s6-s7}
    .endr
    vpop {s16-s17}
    .cfi_adjust_cfa_offset -8
    bx lr
    endfunction tc_kernel_mat_vec_6

/* Four rows at a time. With VMLA two rows go side by side, half a row of each (r3 points to the
 * second): a chain of VMLA in one sum would wait for itself. */
    function tc_kernel_mat_vec_12
    enter_fp
    mov r12, #3
    vldmia r1, {s0-s11}
#if TC_PORT_VMLA
    add r3, r0, #48
1:  .irp pair, 0, 1
    vldmia r0!, {s12-s17}
    vldmia r3!, {s18-s23}
    dot_2 %(24 + 2 * \pair), %(25 + 2 * \pair), 12, 18, 0, 6
    vldmia r0!, {s12-s17}
    vldmia r3!, {s18-s23}
    .set k, 0
    .rept 6
    vmla_ %(24 + 2 * \pair), %(12 + k), %(6 + k)
    vmla_ %(25 + 2 * \pair), %(18 + k), %(6 + k)
    .set k, k + 1
    .endr
    mov r0, r3
    add r3, r3, #48
    .endr
#else
1:  .irp row, 24, 25, 26, 27
    vldmia r0!, {s12-s23}
    dot \row, 12, 0, 12
    .endr
#endif
    vstmia r2!, {s24-s27}
    subs r12, r12, #1
    bne 1b
    leave_fp
    bx lr
    endfunction tc_kernel_mat_vec_12
