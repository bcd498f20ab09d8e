/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * C = A B, any size: A m x l, B l x n. For Cortex-M4F and M7. Same bits as portable's.
 *
 *     for (i = 0; i < m; i++)
 *         for (j = 0; j < n; j++) {
 *             acc = -0.0f;                                        see mat_vec.S
 *             for (k = 0; k < l; k++) acc += A[i][k] * B[k][j];   product and sum rounded
 *             C[i][j] = acc;
 *         }
 *
 * Blocks of 2 x 4 sums: each load of B serves two rows, each load of A four columns, four k at a
 * time. Columns left over take blocks of 2 x 2 and 2 x 1. With an odd number of rows the last pair
 * is moved back by one, so that a row is computed twice, with the same result; with one row only,
 * both rows of the pair are that row.
 *
 * Registers: r0 A, r1 B, r2 C, r3 rows left, r4 l, r5 n; r6, r7 running rows of A, r8 running B, r9
 * bytes of a row of B, r10 blocks left, r11 and lr bytes from the first row of a pair to the second, in
 * C and A; r12 loop count; s0-s7 sums, s8-s11 row of B, s12-s15 products, s16-s23 elements of A.
 * Stack: 68 bytes. Instructions for m = 2 a, n = 4 b, l = 4 c, VMUL and VADD: 10 + a (15 + b (18 + 76 c)).
 */
#include "macros.inc"

/* Two rows, some columns, one k: elements of A in s[a0] and s[a1]. */
    .macro columns width, a0, a1, row
    vldmia r8, \row
    add r8, r8, r9
#if TC_PORT_VMLA
    mac_rows 0, 8, \a0, \width
#else
    .set k, 0
    .rept \width
    vmul_ %(12 + k), %(8 + k), \a0
    .set k, k + 1
    .endr
    each_3 vadd_, 0, 0, 12, \width
#endif
    mac_rows 4, 8, \a1, \width
    .endm

    .macro start_block
    mov r12, #0x80000000            /* -0 */
    vmov s0, s1, r12, r12
    vmov s2, s3, r12, r12
    vmov s4, s5, r12, r12
    vmov s6, s7, r12, r12
    mov r6, r0
    add r7, r0, lr
    mov r8, r1
    .endm

    .macro end_block width, upper, lower
    add r6, r2, r11
    vstmia r2!, \upper
    vstmia r6, \lower
    add r1, r1, #4 * \width
    .endm

    .macro narrow_block width, row, upper, lower
    start_block
    mov r12, r4
1:  vldmia r6!, {s16}
    vldmia r7!, {s20}
    columns \width, 16, 20, \row
    subs r12, r12, #1
    bne 1b
    end_block \width, \upper, \lower
    .endm

    function tc_kernel_mat_mul
    enter r4, r5, r6, r7, r8, r9, r10, r11
    ldrd r4, r5, [sp, #36]
    vpush {s16-s23}
    .cfi_adjust_cfa_offset 32
    lsl r9, r5, #2
    lsl lr, r4, #2
    mov r11, r9
    cmp r3, #1
    bne .Lpair
    mov lr, #0
    mov r11, #0
.Lpair:
    lsrs r10, r5, #2
    beq .Lcolumns_2
.Lcolumns_4:
    start_block
    lsrs r12, r4, #2
    beq 2f
1:  vldmia r6!, {s16-s19}
    vldmia r7!, {s20-s23}
    columns 4, 16, 20, {s8-s11}
    columns 4, 17, 21, {s8-s11}
    columns 4, 18, 22, {s8-s11}
    columns 4, 19, 23, {s8-s11}
    subs r12, r12, #1
    bne 1b
2:  ands r12, r4, #3
    beq 4f
3:  vldmia r6!, {s16}
    vldmia r7!, {s20}
    columns 4, 16, 20, {s8-s11}
    subs r12, r12, #1
    bne 3b
4:  end_block 4, {s0-s3}, {s4-s7}
    subs r10, r10, #1
    bne .Lcolumns_4
.Lcolumns_2:
    tst r5, #2
    beq .Lcolumn
    narrow_block 2, {s8-s9}, {s0-s1}, {s4-s5}
.Lcolumn:
    tst r5, #1
    beq .Lnext_pair
    narrow_block 1, {s8}, {s0}, {s4}
.Lnext_pair:
    sub r1, r1, r9
    subs r3, r3, #2
    ble .Ldone
    add r0, r0, lr
    cmp r3, #1
    itt ne
    addne r0, r0, lr
    addne r2, r2, r9
    b .Lpair
.Ldone:
    vpop {s16-s23}
    .cfi_adjust_cfa_offset -32
    leave r4, r5, r6, r7, r8, r9, r10, r11
    endfunction tc_kernel_mat_mul
