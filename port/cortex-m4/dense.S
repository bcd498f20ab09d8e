/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Dense layer, float weights: y = W x + b and ReLU, for Cortex-M4F and M7. Same bits as portable's.
 *
 *     for (o = 0; o < n_out; o += 8, w += 8 * n_in)               tile (8, 1), w the weights
 *         for (r = 0; r < (n_out - o < 8 ? n_out - o : 8); r++) { rows side by side in registers
 *             acc = bias[o + r];
 *             for (i = 0; i < n_in; i++)
 *                 acc += w[8 * i + r] * x[i];                     product and sum rounded
 *             y[o + r] = activation == TC_NET_RELU ? bits(acc) & ~(bits(acc) >> 31) : acc;
 *         }
 *
 * Eight rows keep eight sums in s0-s7; two columns of weights (s8-s23) and eight inputs (s24-s31)
 * fill the register file, so a load instruction fetches 16 weights or 8 inputs. Columns beyond a multiple of
 * eight come first, for pairs can enter the loop half way. A last group of one, up to three, or four rows
 * leaves the rest of each column in memory.
 *
 * ReLU is done on the integer bits: BIC with the sign spread over the word clears negative numbers
 * and -0, one instruction each; FPv4 has no maximum. A NaN with its sign set becomes +0, too.
 *
 * Any other tile takes a plain loop, one row after the other (element addresses: tc_net.h).
 *
 * Registers: r0 weights, r1 x, r2 y, r3 bias, r12 = n_in << 16 | (activation ^ TC_NET_RELU),
 * lr = rows left - 4; r4 running input, r5 loop count, r4-r7 the outputs of a group at its end.
 * Stack: 84 bytes. Cost with ReLU, n_in = 8 a, n_out = 8 b, call included: 19 + b (23 + 135 a)
 * instructions with VMUL and VADD, 19 + b (23 + 71 a) with VMLA.
 */
#include "macros.inc"

#define TILE_8_1 0x0108 /* tile_rows | tile_columns << 8: the last halfword of tc_net_dense */

    .macro columns_8x2 x0, x1
    vldmia r0!, {s8-s23}
    mac_rows 0, 8, \x0, 8
    mac_rows 0, 16, \x1, 8
    .endm

/* Two columns of the first n rows, n = 3 or 4; what lies between them is loaded too, what follows skipped. */
    .macro columns_nx2 n, x0, x1
    vldm_ r0, 8, %(15 + \n)
    add r0, r0, #(32 - 4 * \n)
    mac_rows 0, 8, \x0, \n
    mac_rows 0, 16, \x1, \n
    .endm

/* All columns of the first n rows, an odd one first. */
    .macro few_rows n
    lsrs r5, r12, #17               /* pairs; carry: the odd one. Loads and sums leave the flags alone */
    bcc 1f
    vldmia r1!, {s24}
    vldm_ r0, 8, %(7 + \n)
    add r0, r0, #(32 - 4 * \n)
    mac_rows 0, 8, 24, \n
1:  beq .Lstore_4
2:  vldmia r1!, {s24-s25}
    columns_nx2 \n, 24, 25
    subs r5, r5, #1
    bne 2b
    .endm

    function tc_kernel_dense
    enter r4, r5, r6, r7
    enter_fp
    ldm r0, {r0, r3, r4, r5, r6}
    lsrs r7, r6, #16
    cmp r7, #TILE_8_1
    bne .Lany_tile
    eor r6, r6, #1                  /* TC_NET_RELU becomes 0; the byte above, TC_NET_WEIGHT_F32, is 0 */
    pkhbt r12, r6, r5, lsl #16
    lsr lr, r5, #16
    subs lr, lr, #4
    ble .Lrows_last

.Lrows_8:
    vldmia r3!, {s0-s7}
    mov r4, r1
    ands r5, r12, #0x70000          /* n_in modulo 8 */
    bne .Lremainder_8
    lsrs r5, r12, #19
1:  vldmia r4!, {s24-s31}
    columns_8x2 24, 25
.Lcolumns_6:
    columns_8x2 26, 27
.Lcolumns_4:
    columns_8x2 28, 29
.Lcolumns_2:
    columns_8x2 30, 31
    subs r5, r5, #1
    bne 1b
2:  lsls r5, r12, #16
    bne .Lplain_8
    relu_store_4 r2, s0, s1, s2, s3
    relu_store_4 r2, s4, s5, s6, s7
    subs lr, lr, #8
    bgt .Lrows_8
.Lafter_8:
    cmn lr, #4
    bgt .Lrows_last
.Ldone:
    .cfi_remember_state
    leave_fp
    leave r4, r5, r6, r7
    .cfi_restore_state

.Lplain_8:
    vstmia r2!, {s0-s7}
    subs lr, lr, #8
    bgt .Lrows_8
    b .Lafter_8

/* The columns beyond a multiple of 8 come first: the odd one here, pairs by entering the loop half way. */
.Lremainder_8:
    lsls r5, r12, #16               /* carry: the odd one */
    bcc 3f
    vldmia r0!, {s8-s15}
    vldmia r4!, {s24}
    mac_rows 0, 8, 24, 8
3:  lsr r5, r12, #19
    lsls r7, r12, #14               /* carry: 4 columns; negative: 2 */
    add r5, r5, #1                  /* the part of a round counts as one */
    bcs 4f
    bmi 5f
    subs r5, r5, #1
    bne 1b
    b 2b
4:  bmi 6f
    vldmia r4!, {s28-s31}
    b .Lcolumns_4
6:  vldmia r4!, {s26-s31}
    b .Lcolumns_6
5:  vldmia r4!, {s30-s31}
    b .Lcolumns_2

/* A last group of one to four rows; lr = rows - 4. */
.Lrows_last:
    vldmia r3, {s0-s3}
    cmn lr, #3
    beq .Lrow
    cmp lr, #0
    beq .Lrows_4
    few_rows 3
    b .Lstore_4
.Lrows_4:
    few_rows 4
.Lstore_4:
    lsls r5, r12, #16
    bne 1f
    relu_store_4 r2, s0, s1, s2, s3
    b .Ldone
1:  vstmia r2, {s0-s3}
    b .Ldone

.Lrow:
    lsrs r5, r12, #18
    beq 2f
1:  vldmia r1!, {s24-s27}           /* each weight at the head of its eight */
    vldr s8, [r0]
    vldr s9, [r0, #32]
    vldr s10, [r0, #64]
    vldr s11, [r0, #96]
    add r0, r0, #128
    mac_row 0, 8, 24, 4
    subs r5, r5, #1
    bne 1b
2:  ands r5, r12, #0x30000
    beq .Lstore_4
3:  vldmia r1!, {s24}
    vldmia r0, {s8}
    add r0, r0, #32
    mac_row 0, 8, 24, 1
    subs r5, r5, #0x10000
    bne 3b
    b .Lstore_4

/* Any tile R x C, one row after the other. r0 first weight of the row group, r1 x, r2 y, r3 bias,
 * r4 rows left, r5 weight, r6 input, r7 inputs left, r12 columns left in the tile; lr row in the group.
 * Constants in s16-s20: R, C, n_in, bytes from the end of a tile's row to the next tile, activation. */
.Lany_tile:
    and r4, r7, #0xff
    lsr r12, r7, #8
    uxth r7, r5
    vmov s16, r4
    vmov s17, r12
    vmov s18, r7
    sub r4, r4, #1
    mul r4, r4, r12
    lsl r4, r4, #2
    vmov s19, r4
    uxtb r6, r6
    vmov s20, r6
    lsr r4, r5, #16
1:  mov lr, #0
2:  vmov r12, s17
    mul r5, lr, r12
    add r5, r0, r5, lsl #2
    mov r6, r1
    vmov r7, s18
    vldmia r3!, {s0}
3:  vldmia r5!, {s8}
    vldmia r6!, {s24}
    mac_rows 0, 8, 24, 1
    subs r12, r12, #1
    bne 4f
    vmov r12, s19
    add r5, r5, r12
    vmov r12, s17
4:  subs r7, r7, #1
    bne 3b
    vmov r6, s0
    vmov r7, s20
    cmp r7, #1
    it eq
    biceq r6, r6, r6, asr #31
    str r6, [r2], #4
    subs r4, r4, #1
    beq .Ldone
    add lr, lr, #1
    vmov r7, s16
    cmp lr, r7
    bne 2b
    vmov r7, s17                    /* next group: from the end of the last row of the last tile */
    cmp r12, r7
    itee eq
    vmoveq r12, s19
    addne r5, r5, r12, lsl #2
    movne r12, #0
    sub r0, r5, r12
    b 1b
    endfunction tc_kernel_dense
