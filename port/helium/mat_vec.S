/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Matrix times vector for Helium, any size: y[m] = A[m x n] x, and y += A x.
 *
 * Specification (port/tc_kernel_mat.h):
 *
 *     for (i = 0; i < m; i++) {
 *         float acc = A[i * n] * x[0];                     mat_vec_add: acc = y[i] + A[i * n] * x[0]
 *         for (k = 1; k < n; k++) acc = acc + A[i * n + k] * x[k];
 *         y[i] = acc;
 *     }
 *
 * The order of summation is fixed, so lanes are rows: a vector of row addresses gathers one element
 * of each of four rows and moves on by itself. Eight rows at a time, then four or fewer. Addresses
 * of rows beyond m stay on the last row; what they compute is not stored.
 * Sums of mat_vec start at -0, which added to any first product p gives p, for p = -0 and +0 too.
 *
 * Cost per eight rows: 6.5 n (fused 4.5 n) + 22 instructions. Stack 84 bytes. A gather takes the load
 * unit longer than a contiguous load; with two roundings the float unit is the bottleneck all the same.
 * Subnormal elements, products and sums count as zero.
 */
#include "tc_helium_asm.h"

#define at r0      /* A - 4: gathers address their element with an offset of 4 and move on by it */
#define x r1
#define y r2
#define left r3    /* rows not done yet */
#define row r4     /* next row; even, for VIDUP */
#define row_a r5   /* bytes per row */
#define quads r6   /* n / 4 */
#define rest r12   /* n % 4 */
#define adding r7  /* 1 for mat_vec_add; comes in r12 */

/* q4 (and q5): the addresses of the next rows, q7 the last row's number in all lanes */
    .macro addresses q
    vidup.u32 \q, row, #1
    vmin.u32 \q, \q, q7
    vmul.i32 \q, \q, row_a
    vadd.i32 \q, \q, at
    .endm

    .macro term8 s, o
    vldrw.u32 q2, [q4, #\o]
    vldrw.u32 q3, [q5, #\o]
    mac     q0, q2, \s
    mac     q1, q3, \s
    .endm

/* the same, and the addresses move on by `o` */
    .macro term8_on s, o
    vldrw.u32 q2, [q4, #\o]!
    vldrw.u32 q3, [q5, #\o]!
    mac     q0, q2, \s
    mac     q1, q3, \s
    .endm

    .macro term4 s, o
    vldrw.u32 q2, [q4, #\o]
    mac     q0, q2, \s
    .endm

    .macro term4_on s, o
    vldrw.u32 q2, [q4, #\o]!
    mac     q0, q2, \s
    .endm

/* All of x; then x is where it was. */
    .macro terms term
    wls     lr, quads, 2f
1:  ldm     x!, {r8-r11}
    \term   r8, 4
    \term   r9, 8
    \term   r10, 12
    \term\()_on r11, 16
    le      lr, 1b
2:  wls     lr, rest, 4f
3:  ldr     r8, [x], #4
    \term\()_on r8, 4
    le      lr, 3b
4:  sub     x, x, row_a
    .endm

    kernel tc_kernel_mat_vec_add
    mov     r12, #1
    b.w     tc_helium_mat_vec
    kernel_end tc_kernel_mat_vec_add

    kernel tc_kernel_mat_vec
    mov     r12, #0
    .type   tc_helium_mat_vec, %function
    .thumb_func
tc_helium_mat_vec:
    push    {r4-r11, lr}
    vpush   {d8-d11}
    vpush   {d14-d15}
    ldr     r8, [sp, #84]               /* n, behind 36 + 48 bytes */
    mov     adding, r12
    sub     r9, left, #1
    movs    row, #0
    vdup.32 q7, r9
    lsl     row_a, r8, #2
    lsr     quads, r8, #2
    and     rest, r8, #3
    sub     at, at, #4
    cmp     left, #4
    bls     .Lquad
.Leight:
    addresses q4
    addresses q5
    sub     left, left, #4
    vmov.i32 q0, #0x80000000
    vmov.i32 q1, #0x80000000
    cbz     adding, .Lterms8
    vldrw.u32 q0, [y]
    vctp.32 left
    vpst
    vldrwt.u32 q1, [y, #16]
.Lterms8:
    terms   term8
    vctp.32 left
    vstrw.32 q0, [y], #16
    vpst
    vstrwt.32 q1, [y], #16
    subs    left, left, #4
    bls     .Ldone
    cmp     left, #4
    bhi     .Leight
.Lquad:
    addresses q4
    vctp.32 left
    vmov.i32 q0, #0x80000000
    cbz     adding, .Lterms4
    vpst
    vldrwt.u32 q0, [y]
.Lterms4:
    terms   term4
    vctp.32 left
    vpst
    vstrwt.32 q0, [y]
.Ldone:
    vpop    {d14-d15}
    vpop    {d8-d11}
    pop     {r4-r11, pc}
    kernel_end tc_kernel_mat_vec
