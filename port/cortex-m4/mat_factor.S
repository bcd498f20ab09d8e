/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Cholesky factorisation and triangular solves, any size, on Cortex-M4F and M7. Same bits as portable's.
 *
 *     for (j = 0; j < n; j++) {                                   tc_kernel_cholesky(A, L, n)
 *         L[j][j] = sqrt(A[j][j] - sum of L[j][k]^2);             k < j ascending, product and
 *         r = 1 / L[j][j];                                        difference rounded
 *         for (i = j + 1; i < n; i++)
 *             L[i][j] = (A[i][j] - sum of L[i][k] * L[j][k]) * r;
 *     }
 *     for (i = 0; i < n; i++)                                     tc_kernel_solve_lower(L, B, X, n, c)
 *         X[i][] = (B[i][] - sum of L[i][k] * X[k][]) / L[i][i];  k < i ascending
 *     for (i = n - 1; i >= 0; i--)                                tc_kernel_solve_lower_t(L, B, X, n, c)
 *         X[i][] = (B[i][] - sum of L[k][i] * X[k][]) / L[i][i];  k > i ascending
 *
 * Four columns of L, or four rows of x, make a block. What the finished blocks contribute is subtracted
 * in 4 x 4 blocks from left to right, so k ascends in every element; then the triangle on the diagonal
 * is done in registers. No block reaches above the diagonal, nor beyond n: the last n mod 4 rows and
 * columns go element by element. One right-hand side goes down in blocks of four rows; on the way up
 * every sum begins with the newest element of x, so rows go one by one. Several right-hand sides go side
 * by side: six columns at a time, then three (a contact has three), two, one.
 *
 * Stack: up to 100 bytes. Instructions and, in brackets, estimated cycles on Cortex-M4, call included,
 * for n = 4, 8, 16, 32:
 *     Cholesky, VMUL and VSUB       78 (271), 338 (755), 2128 (3537), 15244 (22525)
 *     Cholesky, VMLS                68, 254, 1448, 9788
 *     solve_lower, VMUL and VSUB    54 (188), 127 (359), 390 (884), 1384 (2666)
 *     solve_lower, VMLS             48, 99, 270, 888
 *     solve_lower_t, VMUL and VSUB  176, 404, 1088, 3368
 *     solve_lower_t, VMLS           170, 376, 968, 2872
 */
#include "macros.inc"

/* s[acc + k] -= round(s[w + k] * s[x]), k < n: n sums, one factor in common. Overwrites s[w + k]. */
    .macro mls_rows acc, w, x, n
    .set k, 0
    .rept \n
#if TC_PORT_VMLA
    vmls_ %(\acc + k), %(\w + k), \x
#else
    vmul_ %(\w + k), %(\w + k), \x
#endif
    .set k, k + 1
    .endr
#if !TC_PORT_VMLA
    each_3 vsub_, \acc, \acc, \w, \n
#endif
    .endm

/* s0 -= s4 s8, then s5 s9, s6 s10, s7 s11: one sum; differences trail by one. Overwrites s4-s7. */
    .macro dot_sub_4
#if TC_PORT_VMLA
    .irp k, 0, 1, 2, 3
    vmls_ 0, %(4 + \k), %(8 + \k)
    .endr
#else
    each_3 vmul_, 4, 4, 8, 2
    .irp k, 4, 5
    vsub_ 0, 0, \k
    vmul_ %(\k + 2), %(\k + 2), %(\k + 6)
    .endr
    vsub_ 0, 0, 6
    vsub_ 0, 0, 7
#endif
    .endm

/* s4-s7 -= H (s0-s3)^T, H the four rows in s16-s31. Products in s8-s11. */
    .macro subtract_row
    .irp k, 0, 1, 2, 3
#if TC_PORT_VMLA
    vmls_ 4, \k, %(16 + \k)
    vmls_ 5, \k, %(20 + \k)
    vmls_ 6, \k, %(24 + \k)
    vmls_ 7, \k, %(28 + \k)
#else
    vmul_ 8, \k, %(16 + \k)
    vmul_ 9, \k, %(20 + \k)
    vmul_ 10, \k, %(24 + \k)
    vmul_ 11, \k, %(28 + \k)
    each_3 vsub_, 4, 4, 8, 4
#endif
    .endr
    .endm

/* Forward substitution: x = s[x..x + 3], lower triangle in s[T + i (i + 1) / 2 + j]. `scale` divides x[j]
 * by the diagonal; products in s[p..p + 2]. */
#define DIAGONAL(j) ((j) * ((j) + 3) / 2)
    .macro substitute scale, x, T, p
    .irp j, 0, 1, 2, 3
    \scale \j
    .set i, \j + 1
    .rept 3 - \j
#if TC_PORT_VMLA
    vmls_ %(\x + i), %(\x + \j), %(\T + i * (i + 1) / 2 + \j)
#else
    vmul_ %(\p + i - \j - 1), %(\x + \j), %(\T + i * (i + 1) / 2 + \j)
#endif
    .set i, i + 1
    .endr
#if !TC_PORT_VMLA
    each_3 vsub_, %(\x + \j + 1), %(\x + \j + 1), \p, %(3 - \j)
#endif
    .endr
    .endm

/* ---- Cholesky: element (i, j) of the triangle on the diagonal in s[i (i + 1) / 2 + j] -------------- */

/* op for the t-th element (i, l) with j < l <= i < 4; products in s[p..]. */
    .macro right_of j, op, p
    .set t, 0
    .set i, \j + 1
    .rept 3 - \j
    .set l, \j + 1
    .rept i - \j
    \op \j, \p
    .set t, t + 1
    .set l, l + 1
    .endr
    .set i, i + 1
    .endr
    .endm
    .macro subtract j, p
    vsub_ %(i * (i + 1) / 2 + l), %(i * (i + 1) / 2 + l), %(\p + t)
    .endm

/* The triangle -= c c^T, c the column in s16-s19. Products in s20-s29. */
    .macro subtract_square
#if TC_PORT_VMLA
    right_of -1, subtract_square_of
#else
    right_of -1, multiply_square, 20
    right_of -1, subtract, 20
#endif
    .endm
    .macro subtract_square_of j, p
    vmls_ %(i * (i + 1) / 2 + l), %(16 + i), %(16 + l)
    .endm
    .macro multiply_square j, p
    vmul_ %(\p + t), %(16 + i), %(16 + l)
    .endm

/* Column j of the triangle: divided by its diagonal, whose inverse goes to s[10 + j] (1 is in s14), and
 * subtracted from all to its right. Products in s15-s20. */
    .macro factor_column j
    vsqrt_ %(DIAGONAL(\j)), %(DIAGONAL(\j))
    vdiv_ %(10 + \j), 14, %(DIAGONAL(\j))
    .set i, \j + 1
    .rept 3 - \j
    vmul_ %(i * (i + 1) / 2 + \j), %(i * (i + 1) / 2 + \j), %(10 + \j)
    .set i, i + 1
    .endr
#if TC_PORT_VMLA
    right_of \j, subtract_column
#else
    right_of \j, multiply_column, 15
    right_of \j, subtract, 15
#endif
    .endm
    .macro subtract_column j, p
    vmls_ %(i * (i + 1) / 2 + l), %(i * (i + 1) / 2 + \j), %(l * (l + 1) / 2 + \j)
    .endm
    .macro multiply_column j, p
    vmul_ %(\p + t), %(i * (i + 1) / 2 + \j), %(l * (l + 1) / 2 + \j)
    .endm

/* A row below the triangle, in s16-s19, becomes one of L. Products in s20-s22. */
    .macro solve_row
    substitute times_inverse, 16, 0, 20
    .endm
    .macro times_inverse j
    vmul_ %(16 + \j), %(16 + \j), %(10 + \j)
    .endm

/* r0 A - L, later the distance from a row of L to where the block's columns begin in that row of A;
 * r1 the block's first row of L, r2 rows from there on, r3 bytes of a row, r4 bytes of the finished
 * columns. Stack: 96 bytes. */
/* tc_stack: tc_kernel_cholesky 96 */
    function tc_kernel_cholesky
    enter r4, r5, r6, r7, r8, r9, r10
    subs r0, r0, r1
    lsls r3, r2, #2
    movs r4, #0
    cmp r2, #4
    blo .Llast_columns
    enter_fp

/* Rows below the block: what the finished columns contribute. r5 the first of them, r6 from and r9 to
 * where its elements go, r10 four elements of the block's first row, r8 of a row below. */
.Lblock:
    cmp r4, #0
    beq .Ltriangle
    subs r7, r2, #4
    beq .Ltriangle
    add r5, r1, r3, lsl #2
    adds r6, r5, r0
    mov r10, r1
1:  mov r8, r10
    vldmia r8, {s16-s19}
    add r8, r8, r3
    vldmia r8, {s20-s23}
    add r8, r8, r3
    vldmia r8, {s24-s27}
    add r8, r8, r3
    vldmia r8, {s28-s31}
    add r8, r8, r3
    add r9, r5, r4
    subs r7, r2, #4
2:  vldmia r8, {s0-s3}
    vldmia r6, {s4-s7}
    add r8, r8, r3
    add r6, r6, r3
    subtract_row
    vstmia r9, {s4-s7}
    add r9, r9, r3
    subs r7, r7, #1
    bne 2b
    adds r6, r5, r4                 /* A no longer */
    add r10, r10, #16
    subs r7, r10, r1
    cmp r7, r4
    bne 1b

/* r5, r6, r10, r8 the block's rows, r9 from and r8 to where the rows below go. */
.Ltriangle:
    mov r5, r1
    adds r6, r5, r3
    add r10, r6, r3
    add r8, r10, r3
    adds r1, r1, r0
    vldmia r1, {s0}
    add r1, r1, r3
    vldmia r1, {s1-s2}
    add r1, r1, r3
    vldmia r1, {s3-s5}
    add r1, r1, r3
    vldmia r1, {s6-s9}
    lsrs r7, r4, #2
    beq 2f
1:  vldmia r5!, {s16}
    vldmia r6!, {s17}
    vldmia r10!, {s18}
    vldmia r8!, {s19}
    subtract_square
    subs r7, r7, #1
    bne 1b
2:  vmov.f32 s14, #1.0
    .irp j, 0, 1, 2, 3
    factor_column \j
    .endr
    vstmia r5, {s0}
    vstmia r6, {s1-s2}
    vstmia r10, {s3-s5}
    vstmia r8, {s6-s9}
    add r8, r8, r3
    subs r1, r8, r4                 /* next block's first row */
    mov r9, r8
    cbnz r4, 3f
    add r9, r9, r0                  /* A itself */
3:  adds r0, r0, #16
    adds r4, r4, #16
    subs r2, r2, #4
    beq 5f
    mov r7, r2
4:  vldmia r9, {s16-s19}
    add r9, r9, r3
    solve_row
    vstmia r8, {s16-s19}
    add r8, r8, r3
    subs r7, r7, #1
    bne 4b
    cmp r2, #4
    bhs .Lblock
5:  leave_fp
    cmp r2, #0
    beq .Lfactored

/* The last r2 columns: r1 row and r4 bytes before column j, r5 row i, r6 rows to go. */
.Llast_columns:
    vmov.f32 s2, #1.0
1:  mov r5, r1
    mov r6, r2
2:  mov r10, r1
    mov r8, r5
    adds r7, r5, r0
    vldr s0, [r7]
    lsrs r7, r4, #4
    beq 4f
3:  vldmia r10!, {s4-s7}
    vldmia r8!, {s8-s11}
    dot_sub_4
    subs r7, r7, #1
    bne 3b
4:  ands r7, r4, #12
    beq 6f
5:  vldmia r10!, {s4}
    vldmia r8!, {s8}
    mls_rows 0, 4, 8, 1
    subs r7, r7, #4
    bne 5b
6:  cmp r5, r1
    bne 7f
    vsqrt.f32 s0, s0
    vdiv.f32 s1, s2, s0
    b 8f
7:  vmul.f32 s0, s0, s1
8:  vstr s0, [r8]
    add r5, r5, r3
    subs r6, r6, #1
    bne 2b
    adds r1, r1, r3
    adds r0, r0, #4
    adds r4, r4, #4
    subs r2, r2, #1
    bne 1b
.Lfactored:
    leave r4, r5, r6, r7, r8, r9, r10
    endfunction tc_kernel_cholesky

/* ---- Triangular solves ---------------------------------------------------------------------------- */

/* `width` columns of a row of X: sums in s0.., X in s8.., L in s7.
 * r6 becomes the width. */
    .macro solve_columns width, sums, row
    cbz r6, 2f
1:  vldr s7, [r4]
    add r4, r4, r9
    vldmia r5, \row
    add r5, r5, r8
    mls_rows 0, 8, 7, \width
    subs r6, r6, #1
    bne 1b
2:  vldr s7, [r0]
    .set k, 0
    .rept \width
    vdiv_ %(k), %(k), 7
    .set k, k + 1
    .endr
    vstmia r2, \sums
    movs r6, #\width
    .endm

/* x in s4-s7 becomes the solution of the triangle in s16-s25. Products in s8-s10. */
    .macro solve_triangle
    substitute over_diagonal, 4, 16, 8
    .endm
    .macro over_diagonal j
    vdiv_ %(4 + \j), %(4 + \j), %(16 + DIAGONAL(\j))
    .endm

/* Row by row, a few columns of X: r0 L_ii, r1 row i of B, r2 of X, r3 columns to go, r4 running L, r5
 * running X, r6 terms to go, r7 terms of row i, r8 bytes of a row of X, r9 from one L to the next, r10
 * from one L_ii to the next, r11 row 0 of X, r12 from one row to the next, lr n. Downwards and upwards
 * differ in where they begin and in the steps: r12 is negative on the way up. Stack: 100 and 36 bytes. */
/* tc_stack: tc_kernel_solve_lower 100 */
/* tc_stack: tc_kernel_solve_lower_t 36 */
    function tc_kernel_solve_lower
    enter r4, r5, r6, r7, r8, r9, r10, r11
    mov r11, r2
    mov lr, r3
    lsls r4, r3, #2
    ldr r3, [sp, #36]
    movs r7, #0
    cmp r3, #1
    bne 3f
    cmp lr, #4
    blo 3f

/* One right-hand side, four rows at a time: r0 the first, r5, r10, r8, r9 running, r4 bytes of a row, r7
 * rows done, r2 running x. */
    enter_fp
.Lrows_4:
    vldmia r1!, {s4-s7}
    mov r2, r11
    mov r5, r0
    add r10, r5, r4
    add r8, r10, r4
    add r9, r8, r4
    lsrs r6, r7, #2
    beq 2f
1:  vldmia r2!, {s0-s3}
    vldmia r5!, {s16-s19}
    vldmia r10!, {s20-s23}
    vldmia r8!, {s24-s27}
    vldmia r9!, {s28-s31}
    subtract_row
    subs r6, r6, #1
    bne 1b
2:  vldmia r5, {s16}
    vldmia r10, {s17-s18}
    vldmia r8, {s19-s21}
    vldmia r9, {s22-s25}
    solve_triangle
    vstmia r2!, {s4-s7}
    add r0, r0, r4, lsl #2
    adds r7, r7, #4
    sub r6, lr, r7
    cmp r6, #4
    bhs .Lrows_4
    leave_fp
    cmp r6, #0
    beq .Lsolved
    add r0, r0, r7, lsl #2          /* the last rows: L_ii */

3:  lsl r8, r3, #2
    mov r12, r8
    mov r9, #4
    add r10, r4, #4
    b .Lrow
    endfunction tc_kernel_solve_lower

/* In the same section. r4: bytes of a row and an element; then, of B, from the first row to the last. */
    .global tc_kernel_solve_lower_t
    .type tc_kernel_solve_lower_t, %function
    .thumb_func
tc_kernel_solve_lower_t:
    .cfi_startproc
    enter r4, r5, r6, r7, r8, r9, r10, r11
    mov lr, r3
    lsls r4, r3, #2
    mov r9, r4
    adds r4, r4, #4
    rsb r10, r4, #0
    subs r5, r3, #1
    mla r0, r5, r4, r0
    ldr r3, [sp, #36]
    lsls r4, r3, #2
    mov r8, r4
    rsb r12, r4, #0
    muls r4, r5, r4
    adds r1, r1, r4
    adds r2, r2, r4
    movs r7, #0

.Lrow:
    cmp r12, #0
    ittee gt
    subgt r4, r0, r7, lsl #2
    movgt r5, r11
    addle r4, r0, r9
    addle r5, r2, r8
    mov r6, r7
    cmp r3, #2
    bhs .Ltwo

    vldmia r1, {s0}
    cmp r8, #4
    bne 3f
    lsrs r6, r7, #2                 /* one right-hand side: four terms at a time */
    beq 2f
1:  vldmia r5!, {s8-s11}
    .irp k, 4, 5, 6, 7
    vldr s\k, [r4]
    add r4, r4, r9
    .endr
    dot_sub_4
    subs r6, r6, #1
    bne 1b
2:  and r6, r7, #3
3:  solve_columns 1, {s0}, {s8}

/* r6 columns of row i done. */
.Lnext:
    add r0, r0, r10
    add r1, r1, r12
    add r2, r2, r12
    adds r7, r7, #1
    cmp r7, lr
    bne .Lrow
    subs r3, r3, r6
    beq .Lsolved
    lsls r6, r6, #2
    mls r0, lr, r10, r0             /* back to the first row */
    mls r4, lr, r12, r6
    add r1, r1, r4
    add r2, r2, r4
    add r11, r11, r6
    movs r7, #0
    b .Lrow

.Ltwo:
    bne .Lthree
    vldmia r1, {s0-s1}
    solve_columns 2, {s0-s1}, {s8-s9}
    b .Lnext
.Lthree:
    cmp r3, #6
    bhs .Lsix
    vldmia r1, {s0-s2}
    solve_columns 3, {s0-s2}, {s8-s10}
    b .Lnext
.Lsix:
    vldmia r1, {s0-s5}
    solve_columns 6, {s0-s5}, {s8-s13}
    b .Lnext
.Lsolved:
    leave r4, r5, r6, r7, r8, r9, r10, r11
    endfunction tc_kernel_solve_lower_t
