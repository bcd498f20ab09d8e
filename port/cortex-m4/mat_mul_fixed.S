/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * C = A B for square matrices of size 2, 3, 4, 6 and 12, on Cortex-M4F and M7. Same bits as portable's.
 *
 *     for (i = 0; i < n; i++)
 *         for (j = 0; j < n; j++) {
 *             acc = A[i][0] * B[0][j];
 *             for (k = 1; k < n; k++) acc += A[i][k] * B[k][j];   product and sum rounded
 *             C[i][j] = acc;
 *         }
 *
 * Sums of one or two rows of C advance together, a row of B at a time: one load serves as many
 * products as there are columns, or twice as many. Size 12 takes 2 x 6 elements of C at a time. Up
 * to size 4, all of B stays in registers. r0 A, r1 B, r2 C.
 *
 * Stack: 0, 0, 64, 64, 76 bytes. Instructions, call included: 20, 57, 128, 453, 3801 with VMUL and VADD,
 * 16, 39, 80, 273, 2217 with VMLA.
 */
#include "macros.inc"

/* s[acc + j] = (first) or += (more) s[a] * s[b + j], j < n. Products in s[t..], which may be s[b..] if
 * these are not needed again. */
    .macro first acc, a, b, n
    .set first_j, 0
    .rept \n
    vmul_ %(\acc + first_j), %(\b + first_j), \a
    .set first_j, first_j + 1
    .endr
    .endm
    .macro more acc, a, b, t, n
    .set more_j, 0
    .rept \n
#if TC_PORT_VMLA
    vmla_ %(\acc + more_j), %(\b + more_j), \a
#else
    vmul_ %(\t + more_j), %(\b + more_j), \a
#endif
    .set more_j, more_j + 1
    .endr
#if !TC_PORT_VMLA
    each_3 vadd_, \acc, \acc, \t, \n
#endif
    .endm

    function tc_kernel_mat_mul_2
    vldmia r0, {s0-s3}
    vldmia r1, {s4-s7}
    first 8, 0, 4, 2
    first 10, 2, 4, 2
    more 8, 1, 6, 12, 2
    more 10, 3, 6, 14, 2
    vstmia r2, {s8-s11}
    bx lr
    endfunction tc_kernel_mat_mul_2

/* Sums in s12-s14. The products find room in s15 and in elements of A that are done with. */
    function tc_kernel_mat_mul_3
    vldmia r1, {s0-s8}
    .rept 3
    vldmia r0!, {s9-s11}
    first 12, 9, 0, 3
#if TC_PORT_VMLA
    more 12, 10, 3, 0, 3
    more 12, 11, 6, 0, 3
#else
    vmul.f32 s9, s10, s3
    vmul.f32 s15, s10, s4
    vmul.f32 s10, s10, s5
    vadd.f32 s12, s12, s9
    vadd.f32 s13, s13, s15
    vadd.f32 s14, s14, s10
    vmul.f32 s9, s11, s6
    vmul.f32 s15, s11, s7
    vmul.f32 s11, s11, s8
    vadd.f32 s12, s12, s9
    vadd.f32 s13, s13, s15
    vadd.f32 s14, s14, s11
#endif
    vstmia r2!, {s12-s14}
    .endr
    bx lr
    endfunction tc_kernel_mat_mul_3

    function tc_kernel_mat_mul_4
    enter_fp
    vldmia r1, {s16-s31}
    .rept 4
    vldmia r0!, {s4-s7}
    first 0, 4, 16, 4
    more 0, 5, 20, 8, 4
    more 0, 6, 24, 8, 4
    more 0, 7, 28, 8, 4
    vstmia r2!, {s0-s3}
    .endr
    leave_fp
    bx lr
    endfunction tc_kernel_mat_mul_4

/* Two rows of C in s0-s11, a row of B in s12-s17, products in s18-s23, half of two rows of A in
 * s24-s29. r3 the second row of A. */
    function tc_kernel_mat_mul_6
    enter_fp
    mov r12, #3
    add r3, r0, #24
1:  vldmia r0!, {s24-s26}
    vldmia r3!, {s27-s29}
    vldmia r1!, {s12-s17}
    first 0, 24, 12, 6
    first 6, 27, 12, 6
    .irp k, 25, 26
    vldmia r1!, {s12-s17}
    more 0, \k, 12, 18, 6
    more 6, %(\k + 3), 12, 12, 6
    .endr
    vldmia r0!, {s24-s26}
    vldmia r3!, {s27-s29}
    .irp k, 24, 25, 26
    vldmia r1!, {s12-s17}
    more 0, \k, 12, 18, 6
    more 6, %(\k + 3), 12, 12, 6
    .endr
    vstmia r2!, {s0-s11}
    sub r1, r1, #144
    mov r0, r3
    add r3, r3, #24
    subs r12, r12, #1
    bne 1b
    leave_fp
    bx lr
    endfunction tc_kernel_mat_mul_6

/* The same for six columns; a third of two rows of A in s24-s31. r4 the second row of C; the left
 * half of all rows first. */
    function tc_kernel_mat_mul_12
    enter r4, r5
    enter_fp
    mov r5, #2
2:  mov r12, #6
1:  add r3, r0, #48
    add r4, r2, #48
    .irp third, 0, 1, 2
    vldmia r0!, {s24-s27}
    vldmia r3!, {s28-s31}
    .irp k, 0, 1, 2, 3
    vldmia r1, {s12-s17}
    add r1, r1, #48
    .if \third + \k == 0
    first 0, 24, 12, 6
    first 6, 28, 12, 6
    .else
    more 0, %(24 + \k), 12, 18, 6
    more 6, %(28 + \k), 12, 12, 6
    .endif
    .endr
    .endr
    vstmia r2, {s0-s5}
    vstmia r4, {s6-s11}
    sub r1, r1, #576
    add r0, r0, #48
    add r2, r2, #96
    subs r12, r12, #1
    bne 1b
    sub r0, r0, #576
    sub r2, r2, #576 - 24
    add r1, r1, #24
    subs r5, r5, #1
    bne 2b
    leave_fp
    leave r4, r5
    endfunction tc_kernel_mat_mul_12
