/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Cholesky factorisation and triangular solves of size 2, 3, 4, 6 and 12, on Cortex-M4F and M7, all
 * straight code. Same bits as portable's.
 *
 *     for (j = 0; j < n; j++) {                                   tc_kernel_cholesky_n(A, L)
 *         L[j][j] = sqrt(A[j][j] - sum of L[j][k]^2);             k < j ascending, product and
 *         r = 1 / L[j][j];                                        difference rounded
 *         for (i = j + 1; i < n; i++)
 *             L[i][j] = (A[i][j] - sum of L[i][k] * L[j][k]) * r;
 *     }
 *     for (i = 0; i < n; i++)                                     tc_kernel_solve_lower_n(L, b, x)
 *         x[i] = (b[i] - sum of L[i][k] * x[k]) / L[i][i];        k < i ascending
 *     for (i = n - 1; i >= 0; i--)                                tc_kernel_solve_lower_t_n(L, b, x)
 *         x[i] = (b[i] - sum of L[k][i] * x[k]) / L[i][i];        k > i ascending
 *
 * Cholesky of up to 6 x 6 happens in registers: a column, once divided, is subtracted from all that
 * is to the right of it, which leaves each element's order of subtractions as above and lets the
 * products of a column follow each other without waiting. 12 x 12 is 3 x 3 blocks of 4 x 4, from left
 * to right: a diagonal block is factored in registers, four rows below it are solved at a time.
 *
 * Stack: up to 64 bytes. r0 and r1 A and L, or L and b; r2 x. Instructions and estimated cycles on
 * Cortex-M4, call included, for n = 2, 3, 4, 6, 12:
 *     Cholesky, VMUL and VSUB   17, 31, 52, 125, 798    69, 118, 176, 354, 1406
 *     Cholesky, VMLS            16, 27, 42,  90, 512    69, 120, 183, 384, 1683
 *     solve_lower               12, 17, 30,  54, 176    52,  79, 109, 178,  475
 *     solve_lower_t             14, 22, 33,  64, 229    52,  80, 112, 188,  512
 */
#include "macros.inc"

/* ---- Cholesky in registers: element (i, j) of the triangle in s[i (i + 1) / 2 + j] ---------------- */

/* s[i, l] -= s[i, j] * s[l, j] for j < l <= i < n. Products in s[t..]. */
    .macro subtract_column j, n, t
    .set l, \j + 1
    .rept \n - 1 - \j
    .set i, l
    .rept \n - l
#if TC_PORT_VMLA
    vmls_ %(i * (i + 1) / 2 + l), %(i * (i + 1) / 2 + \j), %(l * (l + 1) / 2 + \j)
#else
    vmul_ %(\t + i - l), %(i * (i + 1) / 2 + \j), %(l * (l + 1) / 2 + \j)
#endif
    .set i, i + 1
    .endr
#if !TC_PORT_VMLA
    .set i, l
    .rept \n - l
    vsub_ %(i * (i + 1) / 2 + l), %(i * (i + 1) / 2 + l), %(\t + i - l)
    .set i, i + 1
    .endr
#endif
    .set l, l + 1
    .endr
    .endm

/* The triangle of order n; 1 / L[j][j] in s[r + j * keep], 1 in s[one]. The last is not computed if
 * `last` is 0. */
    .macro factor n, r, keep, one, t, last
    vmov_one \one
    .set j, 0
    .rept \n
    vsqrt_ %(j * (j + 1) / 2 + j), %(j * (j + 1) / 2 + j)
    .if j < \n - 1 + \last
    vdiv_ %(\r + j * \keep), \one, %(j * (j + 1) / 2 + j)
    .endif
    .set m, j + 1
    .rept \n - 1 - j
    vmul_ %(m * (m + 1) / 2 + j), %(m * (m + 1) / 2 + j), %(\r + j * \keep)
    .set m, m + 1
    .endr
    subtract_column %(j), \n, \t
    .set j, j + 1
    .endr
    .endm
    .macro vmov_one reg
    vmov.f32 s\reg, #1.0
    .endm

/* The triangle of order 4 at [base, #offset], rows `stride` bytes apart. Uses r3. */
    .macro load_4 base, offset, stride
    vldr s0, [\base, #\offset]
    vldr s1, [\base, #\offset + \stride]
    vldr s2, [\base, #\offset + \stride + 4]
    add r3, \base, #\offset + 2 * \stride
    vldmia r3, {s3-s5}
    add r3, \base, #\offset + 3 * \stride
    vldmia r3, {s6-s9}
    .endm
    .macro store_4 base, offset, stride
    vstr s0, [\base, #\offset]
    vstr s1, [\base, #\offset + \stride]
    vstr s2, [\base, #\offset + \stride + 4]
    add r3, \base, #\offset + 2 * \stride
    vstmia r3, {s3-s5}
    add r3, \base, #\offset + 3 * \stride
    vstmia r3, {s6-s9}
    .endm

    function tc_kernel_cholesky_2
    vldr s0, [r0]
    vldr s1, [r0, #8]
    vldr s2, [r0, #12]
    factor 2, 3, 0, 4, 5, 0
    vstr s0, [r1]
    vstr s1, [r1, #8]
    vstr s2, [r1, #12]
    bx lr
    endfunction tc_kernel_cholesky_2

    function tc_kernel_cholesky_3
    vldr s0, [r0]
    vldr s1, [r0, #12]
    vldr s2, [r0, #16]
    add r0, r0, #24
    vldmia r0, {s3-s5}
    factor 3, 6, 0, 7, 8, 0
    vstr s0, [r1]
    vstr s1, [r1, #12]
    vstr s2, [r1, #16]
    add r1, r1, #24
    vstmia r1, {s3-s5}
    bx lr
    endfunction tc_kernel_cholesky_3

    function tc_kernel_cholesky_4
    load_4 r0, 0, 16
    factor 4, 10, 0, 11, 12, 0
    store_4 r1, 0, 16
    bx lr
    endfunction tc_kernel_cholesky_4

    function tc_kernel_cholesky_6
    vpush {s16-s27}
    .cfi_adjust_cfa_offset 48
    load_4 r0, 0, 24
    add r0, r0, #96
    vldmia r0!, {s10-s14}
    adds r0, r0, #4
    vldmia r0, {s15-s20}
    factor 6, 21, 0, 22, 23, 0
    store_4 r1, 0, 24
    add r1, r1, #96
    vstmia r1!, {s10-s14}
    adds r1, r1, #4
    vstmia r1, {s15-s20}
    vpop {s16-s27}
    .cfi_adjust_cfa_offset -48
    bx lr
    endfunction tc_kernel_cholesky_6

/* ---- Cholesky by blocks ---------------------------------------------------------------------------- */

#define ROW 48                  /* bytes */
#define AT(i, j) ROW * (i) + 4 * (j)

/* Four rows in s16-s31 become rows of L: X T^T = the rows, T the triangle in s0-s9, the inverses of
 * its diagonal in s10-s13. */
    .macro solve_rows
    .set j, 0
    .rept 4
    .set m, 0
    .rept 4
    vmul_ %(16 + 4 * m + j), %(16 + 4 * m + j), %(10 + j)
    .set m, m + 1
    .endr
    .set l, j + 1
    .rept 3 - j
    solve_column %(16 + l), %(16 + j), %(l * (l + 1) / 2 + j)
    .set l, l + 1
    .endr
    .set j, j + 1
    .endr
    .endm
/* In all four rows, s[to] -= s[from] * s[t]. s14, s15: products. */
    .macro solve_column to, from, t
#if TC_PORT_VMLA
    vmls_ \to, \from, \t
    vmls_ %(\to + 4), %(\from + 4), \t
    vmls_ %(\to + 8), %(\from + 8), \t
    vmls_ %(\to + 12), %(\from + 12), \t
#else
    vmul_ 14, \from, \t
    vmul_ 15, %(\from + 4), \t
    vsub_ \to, \to, 14
    vmul_ 14, %(\from + 8), \t
    vsub_ %(\to + 4), %(\to + 4), 15
    vmul_ 15, %(\from + 12), \t
    vsub_ %(\to + 8), %(\to + 8), 14
    vsub_ %(\to + 12), %(\to + 12), 15
#endif
    .endm

/* The triangle in s0-s9 -= R R^T, R the four rows in s16-s31. */
    .macro subtract_square
    .set k, 0
    .rept 4
#if TC_PORT_VMLA
    .set i, 0
    .rept 4
    .set l, 0
    .rept i + 1
    vmls_ %(i * (i + 1) / 2 + l), %(16 + 4 * i + k), %(16 + 4 * l + k)
    .set l, l + 1
    .endr
    .set i, i + 1
    .endr
#else
    vmul_ 10, %(16 + k), %(16 + k)
    vmul_ 11, %(20 + k), %(16 + k)
    vmul_ 12, %(20 + k), %(20 + k)
    vmul_ 13, %(24 + k), %(16 + k)
    vmul_ 14, %(24 + k), %(20 + k)
    vmul_ 15, %(24 + k), %(24 + k)
    each_3 vsub_, 0, 0, 10, 6
    vmul_ 10, %(28 + k), %(16 + k)
    vmul_ 11, %(28 + k), %(20 + k)
    vmul_ 12, %(28 + k), %(24 + k)
    vmul_ 13, %(28 + k), %(28 + k)
    each_3 vsub_, 6, 6, 10, 4
#endif
    .set k, k + 1
    .endr
    .endm

/* s4-s7 -= H (s0-s3)^T, H the four rows in s16-s31. */
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

/* Four rows of four elements. */
    .macro load_rows base
    vldmia \base, {s16-s19}
    add \base, \base, #ROW
    vldmia \base, {s20-s23}
    add \base, \base, #ROW
    vldmia \base, {s24-s27}
    add \base, \base, #ROW
    vldmia \base, {s28-s31}
    .endm
    .macro store_rows base
    vstmia \base, {s16-s19}
    add \base, \base, #ROW
    vstmia \base, {s20-s23}
    add \base, \base, #ROW
    vstmia \base, {s24-s27}
    add \base, \base, #ROW
    vstmia \base, {s28-s31}
    .endm

    function tc_kernel_cholesky_12
    enter_fp
    load_4 r0, 0, ROW
    factor 4, 10, 1, 14, 16, 1
    store_4 r1, 0, ROW
    add r2, r0, #AT(8, 0)
    load_rows r2
    solve_rows
    add r2, r1, #AT(8, 0)
    store_rows r2
    add r2, r0, #AT(4, 0)
    load_rows r2
    solve_rows
    add r2, r1, #AT(4, 0)
    store_rows r2

    /* columns 4 to 7: rows 8 to 11 less what the first four columns contribute, then the diagonal
     * block, then rows 8 to 11 solved */
    add r2, r0, #AT(8, 4)
    add r3, r1, #AT(8, 0)
    .rept 4
    vldmia r3!, {s0-s3}
    vldmia r2, {s4-s7}
    subtract_row
    vstmia r3, {s4-s7}
    add r2, r2, #ROW
    add r3, r3, #ROW - 16
    .endr
    load_4 r0, AT(4, 4), ROW
    subtract_square
    factor 4, 10, 1, 14, 16, 1
    store_4 r1, AT(4, 4), ROW
    add r2, r1, #AT(8, 4)
    load_rows r2
    solve_rows
    add r2, r1, #AT(8, 4)
    store_rows r2

    /* columns 8 to 11 */
    load_4 r0, AT(8, 8), ROW
    add r2, r1, #AT(8, 0)
    load_rows r2
    subtract_square
    add r2, r1, #AT(8, 4)
    load_rows r2
    subtract_square
    factor 4, 10, 0, 14, 16, 0
    store_4 r1, AT(8, 8), ROW
    leave_fp
    bx lr
    endfunction tc_kernel_cholesky_12

/* ---- Triangular solves: x in s0.. ------------------------------------------------------------------- */

/* s[x] -= s[a + k] * s[k] for k < n; the products replace s[a..], differences trail by one. */
    .macro dot_sub x, a, n
    .set k, 0
    .rept \n
#if TC_PORT_VMLA
    vmls_ \x, %(\a + k), %(k)
#else
    vmul_ %(\a + k), %(\a + k), %(k)
    .if k > 0
    vsub_ \x, \x, %(\a + k - 1)
    .endif
#endif
    .set k, k + 1
    .endr
#if !TC_PORT_VMLA
    .if \n > 0
    vsub_ \x, \x, %(\a + \n - 1)
    .endif
#endif
    .endm

/* Row i: `row` is the list of registers from s[a], its last element the diagonal. */
    .macro forward i, n, a, row
    vldmia r0, \row
    .if \i < \n - 1
    adds r0, r0, #4 * \n
    .endif
    dot_sub \i, \a, \i
    vdiv_ \i, \i, %(\a + \i)
    .endm

/* Row i of the transpose: element k of it is at 4 (n k + i). Four temporaries from s[a], in turn;
 * loads lead and differences trail by one. */
    .macro backward i, n, a
    .set k, \i + 1
    .if k < \n
    vldr_ %(\a + k - k / 4 * 4), r0, %(4 * (\n * k + \i))
    .endif
    .rept \n - 1 - \i
    .set next, k + 1
    .if next < \n
    vldr_ %(\a + next - next / 4 * 4), r0, %(4 * (\n * next + \i))
    .else
    vldr_ %(\a + next - next / 4 * 4), r0, %(4 * (\n * \i + \i))
    .endif
#if TC_PORT_VMLA
    vmls_ \i, %(\a + k - k / 4 * 4), %(k)
#else
    vmul_ %(\a + k - k / 4 * 4), %(\a + k - k / 4 * 4), %(k)
    .if k > \i + 1
    vsub_ \i, \i, %(\a + (k - 1) - (k - 1) / 4 * 4)
    .endif
#endif
    .set k, next
    .endr
#if !TC_PORT_VMLA
    .if \i < \n - 1
    vsub_ \i, \i, %(\a + (k - 1) - (k - 1) / 4 * 4)
    .endif
#endif
    .if \i == \n - 1
    vldr_ %(\a + k - k / 4 * 4), r0, %(4 * (\n * \i + \i))
    .endif
    vdiv_ \i, \i, %(\a + k - k / 4 * 4)
    .endm

    .macro backward_all n, a
    .set row, \n - 1
    .rept \n
    backward %(row), \n, \a
    .set row, row - 1
    .endr
    .endm

    function tc_kernel_solve_lower_2
    vldmia r1, {s0-s1}
    vldmia r0, {s2-s5}
    vdiv.f32 s0, s0, s2
    dot_sub 1, 4, 1
    vdiv.f32 s1, s1, s5
    vstmia r2, {s0-s1}
    bx lr
    endfunction tc_kernel_solve_lower_2

    function tc_kernel_solve_lower_t_2
    vldmia r1, {s0-s1}
    backward_all 2, 4
    vstmia r2, {s0-s1}
    bx lr
    endfunction tc_kernel_solve_lower_t_2

    function tc_kernel_solve_lower_3
    vldmia r1, {s0-s2}
    vldmia r0, {s4-s12}
    vdiv.f32 s0, s0, s4
    dot_sub 1, 7, 1
    vdiv.f32 s1, s1, s8
    dot_sub 2, 10, 2
    vdiv.f32 s2, s2, s12
    vstmia r2, {s0-s2}
    bx lr
    endfunction tc_kernel_solve_lower_3

    function tc_kernel_solve_lower_t_3
    vldmia r1, {s0-s2}
    backward_all 3, 4
    vstmia r2, {s0-s2}
    bx lr
    endfunction tc_kernel_solve_lower_t_3

    function tc_kernel_solve_lower_4
    vldmia r1, {s0-s3}
    forward 0, 4, 4, {s4}
    forward 1, 4, 4, {s4-s5}
    forward 2, 4, 4, {s4-s6}
    forward 3, 4, 4, {s4-s7}
    vstmia r2, {s0-s3}
    bx lr
    endfunction tc_kernel_solve_lower_4

    function tc_kernel_solve_lower_t_4
    vldmia r1, {s0-s3}
    backward_all 4, 4
    vstmia r2, {s0-s3}
    bx lr
    endfunction tc_kernel_solve_lower_t_4

    function tc_kernel_solve_lower_6
    vldmia r1, {s0-s5}
    forward 0, 6, 6, {s6}
    forward 1, 6, 6, {s6-s7}
    forward 2, 6, 6, {s6-s8}
    forward 3, 6, 6, {s6-s9}
    forward 4, 6, 6, {s6-s10}
    forward 5, 6, 6, {s6-s11}
    vstmia r2, {s0-s5}
    bx lr
    endfunction tc_kernel_solve_lower_6

    function tc_kernel_solve_lower_t_6
    vldmia r1, {s0-s5}
    backward_all 6, 6
    vstmia r2, {s0-s5}
    bx lr
    endfunction tc_kernel_solve_lower_t_6

    function tc_kernel_solve_lower_12
    vpush {s16-s23}
    .cfi_adjust_cfa_offset 32
    vldmia r1, {s0-s11}
    forward 0, 12, 12, {s12}
    forward 1, 12, 12, {s12-s13}
    forward 2, 12, 12, {s12-s14}
    forward 3, 12, 12, {s12-s15}
    forward 4, 12, 12, {s12-s16}
    forward 5, 12, 12, {s12-s17}
    forward 6, 12, 12, {s12-s18}
    forward 7, 12, 12, {s12-s19}
    forward 8, 12, 12, {s12-s20}
    forward 9, 12, 12, {s12-s21}
    forward 10, 12, 12, {s12-s22}
    forward 11, 12, 12, {s12-s23}
    vstmia r2, {s0-s11}
    vpop {s16-s23}
    .cfi_adjust_cfa_offset -32
    bx lr
    endfunction tc_kernel_solve_lower_12

    function tc_kernel_solve_lower_t_12
    vldmia r1, {s0-s11}
    backward_all 12, 12
    vstmia r2, {s0-s11}
    bx lr
    endfunction tc_kernel_solve_lower_t_12
