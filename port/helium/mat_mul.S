/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Matrix product for Helium, any size: C[m x n] = A[m x k] B[k x n].
 *
 * Specification (port/tc_kernel.h):
 *
 *     for (i = 0; i < m; i++)
 *         for (j = 0; j < n; j++) {
 *             float acc = A[i * k] * B[j];
 *             for (l = 1; l < k; l++) acc = acc + A[i * k + l] * B[l * n + j];
 *             C[i * n + j] = acc;
 *         }
 *
 * Lanes are four columns; up to four rows share each vector of B. Sums start at -0, which added to
 * any first product p gives p, for p = -0 and p = +0 too: no first round to peel off.
 * The last columns of a width that is not a multiple of four are done by a block that overlaps the one
 * before (the same sums again); below four columns, loads and stores are predicated.
 * For k <= 4 and n <= 4 all of B stays in registers and C is done row by row.
 *
 * Cost per block of four rows and columns: 12.5 k (fused 8.5 k) + 25 instructions. Stack 132 bytes.
 * Subnormal elements, products and sums count as zero.
 */
#include "tc_helium_asm.h"

/* r0..r3: next element of each row of A; r6..r9: elements of A */
#define at_b r4      /* next row of B, at the block's columns */
#define row_b r5   /* bytes per row of B and C */
#define c r10      /* next row of C, at the block's columns */
#define left r11   /* rows not done yet */
#define pairs r12  /* k / 2 */

/* What does not fit, on the stack. */
#define STEP_A 0   /* bytes per row of A */
#define ODD 4      /* k % 2 */
#define B_AT 8     /* first row of B at the block's columns */
#define C_AT 12
#define A_AT 16    /* A */
#define ROWS 20    /* m */
#define COLUMNS 24 /* columns not begun yet */
#define FRAME 32

    .macro load q, predicated
    .if \predicated
    vpst
    vldrwt.u32 \q, [at_b]
    .else
    vldrw.u32 \q, [at_b]
    .endif
    .endm

    .macro store q, predicated
    .if \predicated
    vpst
    vstrwt.32 \q, [c]
    .else
    vstrw.32 \q, [c]
    .endif
    add     c, c, row_b
    .endm

/* acc += q4 * s0 + q5 * s1, in this order, with the pair (s0, s1) from row `a`. */
    .macro pair acc, a, s0, s1
    ldrd    \s0, \s1, [\a], #8
#if TC_PORT_FUSED
    vfma.f32 \acc, q4, \s0
    vfma.f32 \acc, q5, \s1
#else
    vmul.f32 q6, q4, \s0
    vmul.f32 q7, q5, \s1
    vadd.f32 \acc, \acc, q6
    vadd.f32 \acc, \acc, q7
#endif
    .endm

    .macro single acc, a, s
    ldr     \s, [\a], #4
#if TC_PORT_FUSED
    vfma.f32 \acc, q4, \s
#else
    vmul.f32 q6, q4, \s
    vadd.f32 \acc, \acc, q6
#endif
    .endm

/* The first `rows` of r0..r3 against four columns. */
    .macro block rows, predicated
    ldr     r6, [sp, #STEP_A]
    ldr     at_b, [sp, #B_AT]
    vmov.i32 q0, #0x80000000
    .if \rows > 1
    add     r1, r0, r6
    vmov.i32 q1, #0x80000000
    .endif
    .if \rows > 2
    add     r2, r1, r6
    vmov.i32 q2, #0x80000000
    .endif
    .if \rows > 3
    add     r3, r2, r6
    vmov.i32 q3, #0x80000000
    .endif
    wls     lr, pairs, 2f
1:  load    q4, \predicated
    add     at_b, at_b, row_b
    load    q5, \predicated
    add     at_b, at_b, row_b
    pair    q0, r0, r6, r7
    .if \rows > 1
    pair    q1, r1, r8, r9
    .endif
    .if \rows > 2
    pair    q2, r2, r6, r7
    .endif
    .if \rows > 3
    pair    q3, r3, r8, r9
    .endif
    le      lr, 1b
2:  ldr     r6, [sp, #ODD]
    cbz     r6, 3f
    load    q4, \predicated
    single  q0, r0, r6
    .if \rows > 1
    single  q1, r1, r7
    .endif
    .if \rows > 2
    single  q2, r2, r8
    .endif
    .if \rows > 3
    single  q3, r3, r9
    .endif
3:  store   q0, \predicated
    .if \rows > 1
    store   q1, \predicated
    .endif
    .if \rows > 2
    store   q2, \predicated
    .endif
    .if \rows > 3
    store   q3, \predicated
    .endif
    .endm

/* All rows against four columns. */
    .macro strip predicated
    subs    left, left, #4
    blo     5f
4:  block   4, \predicated
    mov     r0, r3
    subs    left, left, #4
    bhs     4b
5:  adds    left, left, #4
    beq     .Lnext\@
    cmp     left, #2
    blo     6f
    beq     7f
    block   3, \predicated
    b       .Lnext\@
6:  block   1, \predicated
    b       .Lnext\@
7:  block   2, \predicated
.Lnext\@:
    .endm

/* One row of C from B in q0.. and k elements of A, for k <= 4. */
    .macro row_small k
    .if \k == 1
    ldr     r4, [r0], #4
    .elseif \k == 2
    ldrd    r4, r6, [r0], #8
    .elseif \k == 3
    ldm     r0!, {r4, r6, r7}
    .else
    ldm     r0!, {r4, r6, r7, r8}
    .endif
    vmul.f32 q4, q0, r4
    .if \k > 1
    mac_keep q4, q1, r6, q5
    .endif
    .if \k > 2
    mac_keep q4, q2, r7, q5
    .endif
    .if \k > 3
    mac_keep q4, q3, r8, q5
    .endif
    vpst
    vstrwt.32 q4, [r2]
    add     r2, r2, row_b
    .endm

    .macro rows_small k
    dls     lr, r3
1:  row_small \k
    le      lr, 1b
    vpop    {d8-d11}
    pop     {r4-r11, pc}
    .endm

/* The next row of B */
    .macro load_small q
    vpst
    vldrwt.u32 \q, [r1]
    add     r1, r1, row_b
    .endm

    kernel tc_kernel_mat_mul
    push    {r4-r11, lr}
    ldrd    r7, r9, [sp, #36]           /* k, n */
    lsl     row_b, r9, #2
    cmp     r7, #4
    it      ls
    cmpls   r9, #4
    bls     .Lsmall
    vpush   {d8-d15}
    sub     sp, sp, #FRAME
    mov     r8, r3
    lsl     r6, r7, #2
    lsr     pairs, r7, #1
    and     r7, r7, #1
    strd    r6, r7, [sp, #STEP_A]
    strd    r1, r2, [sp, #B_AT]
    strd    r0, r8, [sp, #A_AT]
    mov     left, r8
    mov     c, r2
    subs    r9, r9, #4
    blo     .Lnarrow
.Lstrip:
    str     r9, [sp, #COLUMNS]          /* columns behind this strip */
    strip   0
    ldr     r9, [sp, #COLUMNS]
    cmp     r9, #0
    beq     .Ldone
    ldrd    r6, c, [sp, #B_AT]
    ldrd    r0, left, [sp, #A_AT]
    movs    r7, #4
    cmp     r9, #4
    it      lo
    movlo   r7, r9                      /* a last strip overlaps: on by what is left only */
    sub     r9, r9, r7
    add     r6, r6, r7, lsl #2
    add     c, c, r7, lsl #2
    strd    r6, c, [sp, #B_AT]
    b       .Lstrip
.Lnarrow:
    adds    r9, r9, #4
    vctp.32 r9
    strip   1
.Ldone:
    add     sp, sp, #FRAME
    vpop    {d8-d15}
    pop     {r4-r11, pc}

.Lsmall:                                /* all of B in q0..q3 */
    vpush   {d8-d11}
    vctp.32 r9
    load_small q0
    cmp     r7, #2
    bhs     .Ltwo
    rows_small 1
.Ltwo:
    load_small q1
    bhi     .Lthree
    rows_small 2
.Lthree:
    load_small q2
    cmp     r7, #4
    beq     .Lfour
    rows_small 3
.Lfour:
    load_small q3
    rows_small 4
    kernel_end tc_kernel_mat_mul
