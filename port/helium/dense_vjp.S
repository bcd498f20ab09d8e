/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Backward pass of a dense layer, float weights, for Helium: dx = W^T dy.
 *
 * Specification (port/tc_kernel_net.h), W in tiles of (8, 1): eight rows of one column lie together.
 *
 *     for (i = 0; i < n_in; i++) {
 *         float acc = W[i * 8] * dy[0];
 *         for (o = 1; o < n_out; o++) acc = acc + W[(o / 8 * n_in + i) * 8 + o % 8] * dy[o];
 *         dx[i] = acc;
 *     }
 *
 * The order of summation is fixed, so lanes are columns. Their weights lie 32 bytes apart and are
 * gathered; one vector of addresses serves sixteen columns and eight rows by immediate offsets. What is
 * left of the columns goes four at a time; addresses of columns beyond n_in stay on the last one, and what
 * they compute is not stored. dy is read up to n_out only: rows behind the last full group go one by
 * one. Sums start at -0, which added to any first product p gives p, for p = -0 and p = +0 too.
 * Other tiles than (8, 1) take a scalar loop at the end.
 *
 * Cost per sixteen columns: 12.4 n_out (fused 8.4 n_out) + 25 instructions; per four: 3.4 (2.4) n_out + 25.
 * Stack 116 bytes. Subnormal weights, dy, products and sums count as zero, but not in the scalar loop.
 */
#include "tc_helium_asm.h"

#define dy r0
#define next_dy r1
#define dx r2
#define stride r3  /* bytes per group of eight rows */
#define groups r12 /* n_out / 8 */

#define WEIGHTS 0  /* on the stack: W */
#define REST 4     /* n_out % 8 */
#define COLUMN 8   /* next column */
#define LEFT 12    /* columns not done yet */
#define FRAME 16


    .macro row16 s, o
    vldrw.u32 q5, [q4, #(\o)]
    vldrw.u32 q6, [q4, #(\o) + 128]
    mac     q0, q5, \s
    vldrw.u32 q7, [q4, #(\o) + 256]
    mac     q1, q6, \s
    vldrw.u32 q5, [q4, #(\o) + 384]
    mac     q2, q7, \s
    mac     q3, q5, \s
    .endm

    .macro row4 s, o
    vldrw.u32 q5, [q4, #(\o)]
    mac     q0, q5, \s
    .endm

/* All rows against the columns at COLUMN, n_in - 1 in r5. */
    .macro rows row
    ldr     r4, [sp, #COLUMN]
    ldr     r6, [sp, #WEIGHTS]
    vdup.32 q5, r5
    vidup.u32 q4, r4, #1
    vmin.u32 q4, q4, q5
    vshl.i32 q4, q4, #5
    vadd.i32 q4, q4, r6
    mov     next_dy, dy
    wls     lr, groups, 2f
1:  ldm     next_dy!, {r4-r11}
    \row    r4, 0
    \row    r5, 4
    \row    r6, 8
    \row    r7, 12
    \row    r8, 16
    \row    r9, 20
    \row    r10, 24
    \row    r11, 28
    vadd.i32 q4, q4, stride
    le      lr, 1b
2:  ldr     r5, [sp, #REST]
    movs    r6, #4
    wls     lr, r5, 4f
3:  ldr     r4, [next_dy], #4
    \row    r4, 0
    vadd.i32 q4, q4, r6
    le      lr, 3b
4:
    .endm

    kernel tc_kernel_dense_vjp
    push    {r4-r11, lr}
    ldm     r0, {r3-r7}                 /* weights, bias, scale, n_in | n_out << 16, kinds */
    movw    r8, #0x0108
    lsr     r12, r6, #16                /* n_out */
    uxth    r6, r6                      /* n_in */
    cmp     r8, r7, lsr #16
    bne     .Lany_tile
    vpush   {d8-d15}
    sub     sp, sp, #FRAME
    and     r7, r12, #7
    movs    r8, #0
    strd    r3, r7, [sp, #WEIGHTS]
    strd    r8, r6, [sp, #COLUMN]
    mov     dy, r1
    lsr     groups, r12, #3
    lsl     stride, r6, #5
    cmp     r6, #16
    blo     .Lfew
.Lsixteen:
    sub     r5, r6, #1
    add     r5, r5, r8                  /* n_in - 1 */
    vmov.i32 q0, #0x80000000
    vmov.i32 q1, #0x80000000
    vmov.i32 q2, #0x80000000
    vmov.i32 q3, #0x80000000
    rows    row16
    vstm    dx!, {d0-d7}
    ldrd    r8, r6, [sp, #COLUMN]
    add     r8, r8, #16
    sub     r6, r6, #16
    strd    r8, r6, [sp, #COLUMN]
    cmp     r6, #16
    bhs     .Lsixteen
    cmp     r6, #0
    beq     .Ldone
.Lfew:
    sub     r5, r6, #1
    add     r5, r5, r8
    vmov.i32 q0, #0x80000000
    rows    row4
    ldrd    r8, r6, [sp, #COLUMN]
    vctp.32 r6
    vpst
    vstrwt.32 q0, [dx], #16
    add     r8, r8, #4
    subs    r6, r6, #4
    strd    r8, r6, [sp, #COLUMN]
    bhi     .Lfew
.Ldone:
    add     sp, sp, #FRAME
    vpop    {d8-d15}
    pop     {r4-r11, pc}

/* Tiles of R x C: column i begins at i / C * R * C + i % C, goes on by C from row to row, and by
 * R * (K - C) more after every R rows, K = n_in rounded up to C. */
.Lany_tile:
    ldrb    r4, [r0, #18]               /* R */
    ldrb    r5, [r0, #19]               /* C */
    sub     r7, r5, #1
    add     r8, r6, r7
    bic     r8, r8, r7                  /* K */
    sub     r8, r8, r5
    mul     r8, r8, r4
    lsl     r8, r8, #2                  /* from group to group [bytes], beside C */
    lsl     r9, r5, #2
    movs    r10, #0                     /* i */
.Lcolumn:
    and     r11, r10, r7                /* i % C */
    sub     lr, r10, r11
    mla     lr, lr, r4, r11
    add     r0, r3, lr, lsl #2
    mov     lr, r1
    vldr    s0, [r0]
    vldmia  lr!, {s1}
    vmul.f32 s0, s0, s1
    push    {r10}
    sub     r11, r12, #1                /* rows left */
    mov     r10, r4                     /* rows left in this tile */
    b       .Lrow_end
.Lrow:
    vldr    s1, [r0]
    vldmia  lr!, {s2}
    vmul.f32 s1, s1, s2
    vadd.f32 s0, s0, s1
    sub     r11, r11, #1
.Lrow_end:
    add     r0, r0, r9
    subs    r10, r10, #1
    itt     eq
    moveq   r10, r4
    addeq   r0, r0, r8
    cmp     r11, #0
    bne     .Lrow
    pop     {r10}
    vstmia  r2!, {s0}
    add     r10, r10, #1
    cmp     r10, r6
    bne     .Lcolumn
    pop     {r4-r11, pc}
    kernel_end tc_kernel_dense_vjp
