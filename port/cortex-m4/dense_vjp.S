/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Backward pass of a dense layer, float weights: dx = W^T dy, for Cortex-M4F and M7. Same bits as
 * portable's.
 *
 *     for (i = 0; i < n_in; i++) {
 *         acc = -0.0f;                                            see mat_vec.S
 *         for (o = 0; o < n_out; o++) acc += W[o][i] * dy[o];     product and sum rounded
 *         dx[i] = acc;
 *     }
 *
 * Tile (8, 1): the eight weights of a column in a group of rows lie side by side. A group's eight dy
 * stay in registers while its columns pass, two side by side so that sums are not waited for, each
 * taking its partial sum from dx and putting it back. dy is read up to n_out only: the rows of a
 * partial group go one by one, their weights eight apart.
 *
 * Any other tile takes a plain loop, one column after the other (element addresses: tc_net.h).
 *
 * Registers: r0 weights, r1 dy, r2 dx, r3 n_in, r4 rows left - 8, r5 running dx, r6 columns left, r7
 * running weight of a single row; s0-s7 dy, s8-s23 weights, s24, s25 sums.
 * Stack: 76 bytes. Instructions for n_in = 2 a, n_out = 8 b with VMUL and VADD: 27 + 3 a + b (8 + 37 a).
 */
#include "macros.inc"

#define N_IN 12         /* offsets in tc_net_dense; n_out follows n_in */
#define TILE 18
#define TILE_8_1 0x0108 /* tile_rows | tile_columns << 8 */

/* s[acc] += s[a + k] * s[k] over k < 8; the products replace s[a..]. */
    .macro column acc, a
    .set k, 0
    .rept 8
#if TC_PORT_VMLA
    vmla_ \acc, %(\a + k), %(k)
#else
    vmul_ %(\a + k), %(\a + k), %(k)
    .if k > 0
    vadd_ \acc, \acc, %(\a + k - 1)
    .endif
#endif
    .set k, k + 1
    .endr
#if !TC_PORT_VMLA
    vadd_ \acc, \acc, %(\a + 7)
#endif
    .endm

/* The same for two columns, sums s24 and s25. */
    .macro two_columns
    .set k, 0
    .rept 8
#if TC_PORT_VMLA
    vmla_ 24, %(8 + k), %(k)
    vmla_ 25, %(16 + k), %(k)
#else
    vmul_ %(8 + k), %(8 + k), %(k)
    vmul_ %(16 + k), %(16 + k), %(k)
#endif
    .set k, k + 1
    .endr
#if !TC_PORT_VMLA
    .set k, 0
    .rept 8
    vadd_ 24, 24, %(8 + k)
    vadd_ 25, 25, %(16 + k)
    .set k, k + 1
    .endr
#endif
    .endm

    function tc_kernel_dense_vjp
    enter r4, r5, r6, r7, r8, r9, r10, r11
    ldr r3, [r0, #N_IN]
    ldrh r5, [r0, #TILE]
    ldr r0, [r0]
    lsr r4, r3, #16
    uxth r3, r3
    cmp r5, #TILE_8_1
    bne .Lany_tile
    mov r7, #0x80000000             /* all sums start at -0 */
    mov r12, r7
    mov r5, r2
    lsrs r6, r3, #1
    beq 2f
1:  stm r5!, {r7, r12}
    subs r6, r6, #1
    bne 1b
2:  tst r3, #1
    it ne
    strne r7, [r5]
    vpush {s16-s25}
    .cfi_adjust_cfa_offset 40
    subs r4, r4, #8
    blt .Lrows

.Lrows_8:
    vldmia r1!, {s0-s7}
    mov r5, r2
    lsrs r6, r3, #1
    beq 2f
1:  vldmia r0!, {s8-s23}
    vldmia r5, {s24-s25}
    two_columns
    vstmia r5!, {s24-s25}
    subs r6, r6, #1
    bne 1b
2:  tst r3, #1
    beq 3f
    vldmia r0!, {s8-s15}
    vldr s24, [r5]
    column 24, 8
    vstr s24, [r5]
3:  subs r4, r4, #8
    bge .Lrows_8

.Lrows:
    adds r4, r4, #8
    beq .Ldone
1:  vldmia r1!, {s0}
    mov r5, r2
    mov r6, r3
    mov r7, r0
2:  vldr s8, [r7]
    add r7, r7, #32
    vldr s24, [r5]
    mac_rows 24, 8, 0, 1
    vstmia r5!, {s24}
    subs r6, r6, #1
    bne 2b
    adds r0, r0, #4
    subs r4, r4, #1
    bne 1b
.Ldone:
    .cfi_remember_state
    vpop {s16-s25}
    .cfi_adjust_cfa_offset -40
    leave r4, r5, r6, r7, r8, r9, r10, r11
    .cfi_restore_state

/* Any tile R x C, one column after the other. r0 first weight of the column, r1 dy, r2 dx, r3 columns
 * left, r4 n_out, r5 R, r6 C, r7 bytes from the last row of a group to the next group, r8 running dy,
 * r9 bytes from the end of a tile's row to the next tile, r10 columns left in the tile, r11 weight,
 * r12 rows left in the group, lr rows left. */
.Lany_tile:
    lsr r6, r5, #8
    uxtb r5, r5
    sub r9, r5, #1
    mul r9, r9, r6
    add r7, r3, r6                  /* n_in rounded up to a multiple of C, a power of 2 */
    sub r7, r7, #1
    rsb r8, r6, #0
    and r7, r7, r8
    mul r7, r7, r5
    sub r7, r7, r9
    lsl r7, r7, #2
    lsl r9, r9, #2
    mov r10, r6
1:  mov r12, #0x80000000
    vmov s0, r12
    mov r11, r0
    mov r12, r5
    mov lr, r4
    mov r8, r1
2:  vldr s8, [r11]
    vldmia r8!, {s9}
    mac_rows 0, 8, 9, 1
    subs r12, r12, #1
    itte eq
    addeq r11, r11, r7
    moveq r12, r5
    addne r11, r11, r6, lsl #2
    subs lr, lr, #1
    bne 2b
    vstmia r2!, {s0}
    adds r0, r0, #4
    subs r10, r10, #1
    itt eq
    addeq r0, r0, r9
    moveq r10, r6
    subs r3, r3, #1
    bne 1b
    leave r4, r5, r6, r7, r8, r9, r10, r11
    endfunction tc_kernel_dense_vjp
