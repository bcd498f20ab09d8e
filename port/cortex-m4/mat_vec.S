/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * y = A x and y += A x, any size, on Cortex-M4F and M7. Same bits as portable's.
 *
 *     for (i = 0; i < m; i++) {
 *         acc = add ? y[i] : -0.0f;
 *         for (k = 0; k < n; k++) acc += A[i][k] * x[k];          product and sum rounded
 *         y[i] = acc;
 *     }
 *
 * A sum that starts with its first product is one that starts with -0: in round-to-nearest,
 * -0 + p is p for every p, zeros included. So one loop serves both functions.
 *
 * Four rows go side by side and share each load of x; eight columns at a time, then four, then one.
 * Rows left over go one by one.
 *
 * Registers: r0 A, r4, r5, r6 the next three rows, r1 x, r7 running x, r2 y, r3 rows left - 4, r8 n,
 * r9 bytes of a row, r10 loop count, r11 the bits of -0, or 0 for `add`; s0-s3 the sums.
 * Stack: 100 bytes. Instructions for m = 4 a, n = 8 b with VMUL and VADD: 18 + a (19 + 71 b).
 */
#include "macros.inc"

/* s[acc + r] += s[a + step r + k] * s[x + k] over k < n, for `rows` rows; the products replace s[a..]. */
    .macro mac_dots acc, rows, a, step, x, n
    .set k, 0
    .rept \n
    .set r, 0
    .rept \rows
#if TC_PORT_VMLA
    vmla_ %(\acc + r), %(\a + \step * r + k), %(\x + k)
#else
    vmul_ %(\a + \step * r + k), %(\a + \step * r + k), %(\x + k)
#endif
    .set r, r + 1
    .endr
    .set k, k + 1
    .endr
#if !TC_PORT_VMLA
    .set k, 0
    .rept \n
    .set r, 0
    .rept \rows
    vadd_ %(\acc + r), %(\acc + r), %(\a + \step * r + k)
    .set r, r + 1
    .endr
    .set k, k + 1
    .endr
#endif
    .endm

    function tc_kernel_mat_vec_add
    mov r12, #0
    b .Lstart
    .global tc_kernel_mat_vec
    .type tc_kernel_mat_vec, %function
    .thumb_func
tc_kernel_mat_vec:
    mov r12, #0x80000000
.Lstart:
    enter r4, r5, r6, r7, r8, r9, r10, r11
    ldr r8, [sp, #36]
    mov r11, r12
    lsl r9, r8, #2
    subs r3, r3, #4
    blt .Lrow
    enter_fp

.Lrows_4:
    vldmia r2, {s0-s3}
    cmp r11, #0
    beq 1f
    vmov s0, s1, r11, r11
    vmov s2, s3, r11, r11
1:  mov r7, r1
    add r4, r0, r9
    add r5, r4, r9
    add r6, r5, r9
    lsrs r10, r8, #3
    beq 3f
2:  vldmia r7!, {s4-s11}
    vldmia r0!, {s12-s19}
    vldmia r4!, {s20-s27}
    mac_dots 0, 2, 12, 8, 4, 8
    vldmia r5!, {s12-s19}
    vldmia r6!, {s20-s27}
    mac_dots 2, 2, 12, 8, 4, 8
    subs r10, r10, #1
    bne 2b
3:  lsls r10, r8, #30               /* carry: bit 2 of n; r10: its lower two */
    bcc 4f
    vldmia r7!, {s4-s7}
    vldmia r0!, {s8-s11}
    vldmia r4!, {s12-s15}
    vldmia r5!, {s16-s19}
    vldmia r6!, {s20-s23}
    mac_dots 0, 4, 8, 4, 4, 4
4:  lsrs r10, r10, #30
    beq 6f
5:  vldmia r7!, {s4}
    vldmia r0!, {s8}
    vldmia r4!, {s9}
    vldmia r5!, {s10}
    vldmia r6!, {s11}
    mac_dots 0, 4, 8, 1, 4, 1
    subs r10, r10, #1
    bne 5b
6:  vstmia r2!, {s0-s3}
    mov r0, r6
    subs r3, r3, #4
    bge .Lrows_4
    leave_fp

/* One row; r3 + 4 of them are left. */
.Lrow:
    adds r3, r3, #4
    beq .Ldone
1:  vldr s0, [r2]
    cmp r11, #0
    it ne
    vmovne s0, r11
    mov r7, r1
    lsrs r10, r8, #2
    beq 3f
2:  vldmia r7!, {s4-s7}
    vldmia r0!, {s8-s11}
    mac_dots 0, 1, 8, 4, 4, 4
    subs r10, r10, #1
    bne 2b
3:  ands r10, r8, #3
    beq 5f
4:  vldmia r7!, {s4}
    vldmia r0!, {s8}
    mac_dots 0, 1, 8, 1, 4, 1
    subs r10, r10, #1
    bne 4b
5:  vstmia r2!, {s0}
    subs r3, r3, #1
    bne 1b
.Ldone:
    leave r4, r5, r6, r7, r8, r9, r10, r11
    .size tc_kernel_mat_vec, . - tc_kernel_mat_vec
    endfunction tc_kernel_mat_vec_add
