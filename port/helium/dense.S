/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Dense layer, float weights, for Helium: y = W x + b, then ReLU if the layer says so.
 *
 * Specification (port/tc_kernel_net.h), W in tiles of (8, 1): eight rows of one column lie together.
 *
 *     for (o = 0; o < n_out; o++) {
 *         float acc = bias[o];
 *         for (i = 0; i < n_in; i++) acc = acc + W[(o / 8 * n_in + i) * 8 + o % 8] * x[i];
 *         y[o] = activation == TC_NET_RELU && !(acc > 0) ? 0 : acc;
 *     }
 *
 * Lanes are rows, so every lane sums in the order above and rounds as above (TC_PORT_FUSED 0). A
 * pass does 16 rows in four accumulators q0..q3; each input feeds four vectors of weights. What is
 * left is done 8 rows or 4 rows at a time. Other tiles than (8, 1) take a scalar loop at the end.
 *
 * ReLU without a branch: VMAXNM with 0, and for other activations with a quiet NaN, which VMAXNM
 * takes for "no number" and hands back the other operand. VMAXNM(-0, +0) is +0.
 *
 * Cost per pass: n_in * 12 (fused 8) vector instructions + 3 per 8 inputs + 10. Stack 100 bytes.
 * Subnormal weights, inputs, products and sums count as zero in the (8, 1) form, not in the loop.
 */
#include "tc_helium_asm.h"

#define left r0    /* rows not done yet */
#define x r1       /* next input */
#define y r2       /* next output */
#define w_a r3     /* next weights of the first 8 rows of the pass */
#define bias r4
#define w_b r5     /* next weights of its second 8 rows */
#define n_in r6
#define n_in_1 r7  /* n_in % 8, done one at a time */
#define n_in_8 r12 /* n_in / 8, done eight at a time */

/* One input, 16, 8 or 4 rows. Its weights lie `o` bytes from the pointers; with `step` these are
 * moved on by the first load. */
    .macro first q, w, o, step
    .if \step
    vldrw.u32 \q, [\w], #(\step)
    .else
    vldrw.u32 \q, [\w, #(\o)]
    .endif
    .endm

    .macro column16 s, o, step=0
#if TC_PORT_FUSED
    first     q4, w_a, \o, \step
    vfma.f32  q0, q4, \s
    vldrw.u32 q5, [w_a, #(\o) + 16]
    vfma.f32  q1, q5, \s
    first     q6, w_b, \o, \step
    vfma.f32  q2, q6, \s
    vldrw.u32 q4, [w_b, #(\o) + 16]
    vfma.f32  q3, q4, \s
#else
    first     q4, w_a, \o, \step
    vmul.f32  q4, q4, \s
    vldrw.u32 q5, [w_a, #(\o) + 16]
    vmul.f32  q5, q5, \s
    first     q6, w_b, \o, \step
    vadd.f32  q0, q0, q4
    vmul.f32  q6, q6, \s
    vldrw.u32 q4, [w_b, #(\o) + 16]
    vadd.f32  q1, q1, q5
    vmul.f32  q4, q4, \s
    vadd.f32  q2, q2, q6
    vadd.f32  q3, q3, q4
#endif
    .endm

    .macro column8 s, o, step=0
    first     q2, w_a, \o, \step
    vldrw.u32 q3, [w_a, #(\o) + 16]
    mac       q0, q2, \s
    mac       q1, q3, \s
    .endm

    .macro column4 s, o, step=0
    first     q2, w_a, \o, \step
    mac       q0, q2, \s
    .endm

/* All inputs: eight per round, whose weights then lie behind the pointers, and the rest singly. */
    .macro inputs column
    wls     lr, n_in_8, 2f
1:  ldm     x!, {r8-r11}
    \column r8, -256, 256
    \column r9, -224
    \column r10, -192
    \column r11, -160
    ldm     x!, {r8-r11}
    \column r8, -128
    \column r9, -96
    \column r10, -64
    \column r11, -32
    le      lr, 1b
2:  wls     lr, n_in_1, 4f
3:  ldr     r8, [x], #4
    \column r8, -32, 32
    le      lr, 3b
4:
    .endm

    kernel tc_kernel_dense
    push    {r4-r11, lr}
    ldm     r0, {r3-r7}                 /* weights, bias, scale, n_in | n_out << 16, kinds */
    sub     r7, r7, #0x01080000         /* tile (8, 1) and float weights: the activation is left */
    lsrs    r7, r7, #1                  /* carry: ReLU */
    bne     .Lother
.Lkind_known:
    sbc     r8, r8, r8                  /* 0 for ReLU, else all ones: a quiet NaN */
    lsr     left, r6, #16
    uxth    n_in, r6
    lsr     n_in_8, n_in, #3
    and     n_in_1, n_in, #7
    cmp     left, #8
    bls     .Llast_rows
    vpush   {d8-d15}
    vdup.32 q7, r8
.Lpass:
    add     w_b, w_a, n_in, lsl #5
    vldm    bias!, {d0-d7}
    inputs  column16
    vmaxnm.f32 q0, q0, q7
    vmaxnm.f32 q1, q1, q7
    vmaxnm.f32 q2, q2, q7
    vmaxnm.f32 q3, q3, q7
    vstm    y!, {d0-d7}
    subs    left, left, #16
    bls     .Ldone                      /* 9 to 15 rows: the layer is padded to 16 there */
    mov     w_a, w_b
    sub     x, x, n_in, lsl #2
    cmp     left, #8
    bhi     .Lpass
    vmov    r8, s28
    vpop    {d8-d15}

.Llast_rows:                            /* without q4..q7 */
    cmp     left, #4
    mov     left, r8
    bls     .Lquad
    vldm    bias, {d0-d3}
    inputs  column8
    vdup.32 q3, left
    vmaxnm.f32 q0, q0, q3
    vmaxnm.f32 q1, q1, q3
    vstm    y, {d0-d3}
    pop     {r4-r11, pc}
.Lquad:
    vldrw.u32 q0, [bias]
    inputs  column4
    vdup.32 q3, left
    vmaxnm.f32 q0, q0, q3
    vstrw.32 q0, [y]
    pop     {r4-r11, pc}
.Ldone:
    vpop    {d8-d15}
    pop     {r4-r11, pc}

.Lother:                                /* r7 = (kinds - (8, 1)) / 2 */
    cmp     r7, #2
    bhi     .Lany_tile
    adds    r7, r7, #0                  /* tanh, sigmoid, softplus: clears the carry, no ReLU */
    b       .Lkind_known

/* Tiles of R x C: row o begins at (o - o % R) * K + o % R * C, K = n_in rounded up to C, and
 * continues (R - 1) * C elements further after every C columns. */
.Lany_tile:
    ldrb    r7, [r0, #18]               /* R */
    ldrb    r8, [r0, #19]               /* C */
    ldrb    r9, [r0, #16]               /* activation */
    lsr     r12, r6, #16
    uxth    r6, r6
    sub     r10, r8, #1
    add     r11, r6, r10
    bic     r11, r11, r10               /* K */
    movs    r5, #0                      /* o */
.Lrow:
    sub     r10, r7, #1
    and     r10, r10, r5                /* o % R */
    sub     lr, r5, r10
    mul     lr, lr, r11
    mla     lr, r10, r8, lr
    add     r0, r3, lr, lsl #2          /* weights of row o */
    vldmia  r4!, {s0}
    mov     r10, x
    sub     lr, r7, #1
    mul     lr, lr, r8
    lsl     lr, lr, #2                  /* step between tiles [bytes] */
    push    {r6, r7}
    mov     r7, r8                      /* columns left in this tile */
.Lelement:
    vldmia  r0!, {s1}
    vldmia  r10!, {s2}
    vmul.f32 s1, s1, s2
    vadd.f32 s0, s0, s1
    subs    r7, r7, #1
    itt     eq
    moveq   r7, r8
    addeq   r0, r0, lr
    subs    r6, r6, #1
    bne     .Lelement
    pop     {r6, r7}
    cmp     r9, #1
    bne     .Lstore
    vcmp.f32 s0, #0.0
    vmrs    APSR_nzcv, fpscr
    it      le
    vsuble.f32 s0, s0, s0
.Lstore:
    vstmia  y!, {s0}
    add     r5, r5, #1
    cmp     r5, r12
    bne     .Lrow
    pop     {r4-r11, pc}
    kernel_end tc_kernel_dense
