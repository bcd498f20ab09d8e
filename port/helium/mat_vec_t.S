/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Transposed matrix times vector for Helium, any size: y[n] = A[m x n]^T x, and y += A^T x.
 *
 * Specification (port/tc_kernel_mat.h):
 *
 *     for (j = 0; j < n; j++) {
 *         float acc = A[j] * x[0];                         mat_vec_t_add: acc = y[j] + A[j] * x[0]
 *         for (i = 1; i < m; i++) acc = acc + A[i * n + j] * x[i];
 *         y[j] = acc;
 *     }
 *
 * Lanes are columns, whose elements lie side by side: each row is added, scaled by x_i, to up to
 * sixteen sums, in ascending order of rows as specified. The last strip's last vector is predicated.
 * Sums of mat_vec_t start at -0, which added to any first product p gives p, for p = -0 and +0 too.
 *
 * Cost per strip of v vectors: m (3 v + 4) (fused m (2 v + 4)) + 6 v + 8 instructions. Stack 88 bytes.
 * Subnormal elements, products and sums count as zero.
 */
#include "tc_helium_asm.h"

#define A r0       /* first row, at the strip's columns */
#define x r1
#define y r2
#define rows r3
#define columns r4 /* not done yet */
#define row_a r5   /* bytes per row */
#define a r6       /* next row, at the strip's columns */
#define x_i r7     /* next x */
#define adding r12 /* 1 for mat_vec_t_add */

    .macro vector q, t, s, o
    vldrw.u32 \t, [a, #\o]
    mac     \q, \t, \s
    .endm

    .macro vector_last q, t, s, o
    vpst
    vldrwt.u32 \t, [a, #\o]
    mac     \q, \t, \s
    .endm

/* A strip of `v` vectors in q0.., the last one predicated if `last` says so. */
    .macro strip v, last
    .if \v > 1
    vector  q0, q4, r8, 0
    .else
    vector\last q0, q4, r8, 0
    .endif
    .if \v > 2
    vector  q1, q5, r8, 16
    .elseif \v > 1
    vector\last q1, q5, r8, 16
    .endif
    .if \v > 3
    vector  q2, q6, r8, 32
    vector\last q3, q7, r8, 48
    .elseif \v > 2
    vector\last q2, q6, r8, 32
    .endif
    .endm

    .macro sums v, last
    mov     a, A
    mov     x_i, x
    dls     lr, rows
1:  ldr     r8, [x_i], #4
    strip   \v, \last
    add     a, a, row_a
    le      lr, 1b
    .endm

/* v vectors of y, the last one only in part. */
    .macro partly op, v
    .if \v > 1
    \op     q0, [y]
    .endif
    .if \v > 2
    \op     q1, [y, #16]
    .endif
    .if \v > 3
    \op     q2, [y, #32]
    .endif
    .endm

    .macro last_strip v
    sub     columns, columns, #4 * (\v - 1)
    vctp.32 columns
    cmp     adding, #0
    beq     2f
    partly  vldrw.u32, \v
    vpst
    last_of vldrwt.u32, \v
2:  sums    \v, _last
    partly  vstrw.32, \v
    vpst
    last_of vstrwt.32, \v
    b       .Ldone
    .endm

    .macro last_of op, v
    .if \v == 1
    \op     q0, [y]
    .elseif \v == 2
    \op     q1, [y, #16]
    .elseif \v == 3
    \op     q2, [y, #32]
    .else
    \op     q3, [y, #48]
    .endif
    .endm

    kernel tc_kernel_mat_vec_t_add
    mov     r12, #1
    b.w     tc_helium_mat_vec_t
    kernel_end tc_kernel_mat_vec_t_add

    kernel tc_kernel_mat_vec_t
    mov     r12, #0
    .type   tc_helium_mat_vec_t, %function
    .thumb_func
tc_helium_mat_vec_t:
    push    {r4-r8, lr}
    vpush   {d8-d15}
    ldr     columns, [sp, #88]          /* behind 24 + 64 bytes */
    lsl     row_a, columns, #2
.Lstrip:
    vmov.i32 q0, #0x80000000
    vmov.i32 q1, #0x80000000
    vmov.i32 q2, #0x80000000
    vmov.i32 q3, #0x80000000
    subs    columns, columns, #16
    blo     .Llast
    cmp     adding, #0
    beq     2f
    vldm    y, {d0-d7}
2:  sums    4
    vstm    y!, {d0-d7}
    cmp     columns, #0
    beq     .Ldone
    add     A, A, #64
    b       .Lstrip

.Llast:                                 /* 1 to 15 columns: columns = -15..-1 */
    add     columns, columns, #16
    cmp     columns, #8
    bhi     .Lwide
    cmp     columns, #4
    bhi     .Ltwo
    last_strip 1
.Ltwo:
    last_strip 2
.Lwide:
    cmp     columns, #12
    bhi     .Lfour
    last_strip 3
.Lfour:
    last_strip 4
.Ldone:
    vpop    {d8-d15}
    pop     {r4-r8, pc}
    kernel_end tc_kernel_mat_vec_t
