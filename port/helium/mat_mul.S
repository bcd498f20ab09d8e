/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Matrix product for Helium, any size: C[m x n] = A[m x k] B[k x n].
 *
 * Specification (port/tc_kernel_mat.h):
 *
 *     for (i = 0; i < m; i++)
 *         for (j = 0; j < n; j++) {
 *             float acc = A[i * k] * B[j];
 *             for (l = 1; l < k; l++) acc = acc + A[i * k + l] * B[l * n + j];
 *             C[i * n + j] = acc;
 *         }
 *
 * Lanes are columns. C is done in strips of eight columns and these in blocks of three rows: six sums
 * in q0..q5, a row of B in q6 and q7. The shape is to keep the float unit busy, which takes two cycles
 * per vector instruction and so hides one other instruction beside each. Per column of A, three rows
 * cost six multiply-accumulates and four and a half others: two loads of B, its pointer, 1.5 LDRD of A.
 * (Four rows by four columns: four and four, more per product and none to spare.) In the exact profile
 * products need a register too: B's first half is loaded to q6 while q7 takes the products, then the
 * second to q7 while q6 does; the last product of a half overwrites it. A product is added by the next
 * instruction at no cost: it is ready when the unit is free again.
 *
 * Sums start at -0, which added to any first product p gives p, for p = -0 and p = +0 too: no first
 * round to peel off. For the same reason the loop over k may begin with the last two multiply-
 * accumulates of the round before: at first they add (-0) * 0 to -0. They occupy the float unit while
 * the next row of B arrives, and nothing beyond the end of A or B is read.
 *
 * What is left of the columns is one more strip, of four columns if these are enough, begun so early
 * that it ends with the last column (some sums are done again). Five to seven columns in all are two
 * strips of four, below four loads and stores are predicated. Strips of four have blocks of four rows.
 * For k <= 4 and n <= 4 all of B stays in registers and C is done row by row.
 *
 * Cost per block of three rows and eight columns: 17 k (fused 11 k) + 32 instructions and, by
 * tools/evidence/timing_m55.csv, 24 k (fused 12 k) + 45 cycles, of which 24 k (12 k) are the float
 * unit's. Stack 132 bytes. Subnormal elements, products and sums count as zero.
 */
#include "tc_helium_asm.h"

/* r0..r3: next element of each row of A; r6..r9, r12 (and r3): elements of A */
#define at_b r4    /* next row of B, at the strip's columns */
#define row_b r5   /* bytes per row of B and C */
#define c r10      /* next row of C, at the strip's columns */
#define left r11   /* rows not done yet */

/* What does not fit, on the stack. */
#define STEP_A 0   /* bytes per row of A */
#define PAIRS 4    /* k / 2 */
#define ODD 8      /* k % 2 */
#define B_AT 12    /* first row of B at the strip's columns */
#define C_AT 16
#define A_AT 20    /* A */
#define ROWS 24    /* m */
#define COLUMNS 28 /* columns behind this strip */
#define FRAME 32

    .macro zero q
    vmov.i32 \q, #0x80000000            /* -0 */
    .endm

/* Two vectors to the next row of C */
    .macro store8 qa, qb
    vstrw.32 \qa, [c]
    vstrw.32 \qb, [c, #16]
    add     c, c, row_b
    .endm

/* Three rows: sums q0 q1 q2 of columns 0..3, q3 q4 q5 of columns 4..7; r0, r1, r2 move on to the end
 * of their rows. r6 r8 r12 are elements of the even columns of A, r7 r9 r3 of the odd ones. */
    .macro wide3
    ldrd    r6, lr, [sp, #STEP_A]       /* and PAIRS */
    zero    q0
    ldr     at_b, [sp, #B_AT]
    zero    q1
    add     r1, r0, r6
    zero    q2
    add     r2, r1, r6
    zero    q3
    mov     r9, #0
    zero    q4
    mov     r3, #0
    zero    q5
    zero    q7
    wls     lr, lr, 2f
1:  ldrd    r6, r7, [r0], #8
    mac_keep q4, q7, r9, q6             /* of the round before */
    ldrd    r8, r9, [r1], #8
    mac     q5, q7, r3                  /* of the round before */
    vldrw.u32 q6, [at_b]
    mac_keep q0, q6, r6, q7
    ldrd    r12, r3, [r2], #8
    mac_keep q1, q6, r8, q7
    vldrw.u32 q7, [at_b, #16]
    mac     q2, q6, r12
    add     at_b, at_b, row_b
    mac_keep q3, q7, r6, q6
    mac_keep q4, q7, r8, q6
    vldrw.u32 q6, [at_b]
    mac     q5, q7, r12
    mac_keep q0, q6, r7, q7
    mac_keep q1, q6, r9, q7
    vldrw.u32 q7, [at_b, #16]
    mac     q2, q6, r3
    add     at_b, at_b, row_b
    mac_keep q3, q7, r7, q6
    le      lr, 1b
2:  mac_keep q4, q7, r9, q6
    ldr     r6, [sp, #ODD]
    mac     q5, q7, r3
    cbz     r6, 3f
    ldr     r6, [r0], #4
    vldrw.u32 q6, [at_b]
    ldr     r8, [r1], #4
    mac_keep q0, q6, r6, q7
    ldr     r12, [r2], #4
    mac_keep q1, q6, r8, q7
    vldrw.u32 q7, [at_b, #16]
    mac     q2, q6, r12
    mac_keep q3, q7, r6, q6
    mac_keep q4, q7, r8, q6
    mac     q5, q7, r12
3:  store8  q0, q3
    store8  q1, q4
    store8  q2, q5
    .endm

/* One column of A, its elements in s0, s1, against a row of B */
    .macro column2 s0, s1
    vldrw.u32 q6, [at_b]
    mac_keep q0, q6, \s0, q7
    vldrw.u32 q7, [at_b, #16]
    mac     q1, q6, \s1
    add     at_b, at_b, row_b
    mac_keep q2, q7, \s0, q6
    mac     q3, q7, \s1
    .endm

/* Two rows: sums q0 q1 of columns 0..3, q2 q3 of columns 4..7. */
    .macro wide2
    ldrd    r6, lr, [sp, #STEP_A]
    zero    q0
    ldr     at_b, [sp, #B_AT]
    zero    q1
    add     r1, r0, r6
    zero    q2
    zero    q3
    wls     lr, lr, 2f
1:  ldrd    r6, r7, [r0], #8
    ldrd    r8, r9, [r1], #8
    column2 r6, r8
    column2 r7, r9
    le      lr, 1b
2:  ldr     r6, [sp, #ODD]
    cbz     r6, 3f
    ldr     r6, [r0], #4
    ldr     r8, [r1], #4
    column2 r6, r8
3:  store8  q0, q2
    store8  q1, q3
    .endm

/* The same for one row */
    .macro column1 s
    vldrw.u32 q6, [at_b]
    mac     q0, q6, \s
    vldrw.u32 q7, [at_b, #16]
    mac     q1, q7, \s
    add     at_b, at_b, row_b
    .endm

/* One row: sums q0 of columns 0..3, q1 of columns 4..7. */
    .macro wide1
    ldrd    r6, lr, [sp, #STEP_A]
    zero    q0
    ldr     at_b, [sp, #B_AT]
    zero    q1
    wls     lr, lr, 2f
1:  ldrd    r6, r7, [r0], #8
    column1 r6
    column1 r7
    le      lr, 1b
2:  ldr     r6, [sp, #ODD]
    cbz     r6, 3f
    ldr     r6, [r0], #4
    column1 r6
3:  store8  q0, q1
    .endm

/* To the strip that begins r bytes behind the start of the one before */
    .macro on r
    ldrd    r6, c, [sp, #B_AT]          /* and C_AT */
    ldrd    r0, left, [sp, #A_AT]       /* and ROWS */
    add     r6, r6, \r
    add     c, c, \r
    strd    r6, c, [sp, #B_AT]
    .endm

/* The next row of B, and a row of C, in a strip of four columns or fewer */
    .macro load4 q, predicated
    .if \predicated
    vpst
    vldrwt.u32 \q, [at_b]
    .else
    vldrw.u32 \q, [at_b]
    .endif
    .endm

    .macro store4 q, predicated
    .if \predicated
    vpst
    vstrwt.32 \q, [c]
    .else
    vstrw.32 \q, [c]
    .endif
    add     c, c, row_b
    .endm

/* One to four rows: sums q0..q3. */
    .macro narrow rows, predicated
    ldrd    r6, lr, [sp, #STEP_A]
    zero    q0
    ldr     at_b, [sp, #B_AT]
    .if \rows > 1
    add     r1, r0, r6
    zero    q1
    .endif
    .if \rows > 2
    add     r2, r1, r6
    zero    q2
    .endif
    .if \rows > 3
    add     r3, r2, r6
    zero    q3
    .endif
    wls     lr, lr, 2f
1:  load4   q4, \predicated
    ldrd    r6, r7, [r0], #8
    add     at_b, at_b, row_b
    mac_keep q0, q4, r6, q6
    .if \rows > 1
    ldrd    r8, r9, [r1], #8
    .endif
    load4   q5, \predicated
    mac_keep q0, q5, r7, q6
    add     at_b, at_b, row_b
    .if \rows > 1
    mac_keep q1, q4, r8, q6
    .endif
    .if \rows > 2
    ldrd    r6, r7, [r2], #8
    .endif
    .if \rows > 1
    mac_keep q1, q5, r9, q6
    .endif
    .if \rows > 3
    ldrd    r8, r9, [r3], #8
    .endif
    .if \rows > 2
    mac_keep q2, q4, r6, q6
    mac_keep q2, q5, r7, q6
    .endif
    .if \rows > 3
    mac_keep q3, q4, r8, q6
    mac_keep q3, q5, r9, q6
    .endif
    le      lr, 1b
2:  ldr     r6, [sp, #ODD]
    cbz     r6, 3f
    ldr     r6, [r0], #4
    load4   q4, \predicated
    .if \rows > 1
    ldr     r7, [r1], #4
    .endif
    mac_keep q0, q4, r6, q6
    .if \rows > 2
    ldr     r8, [r2], #4
    .endif
    .if \rows > 1
    mac_keep q1, q4, r7, q6
    .endif
    .if \rows > 3
    ldr     r9, [r3], #4
    .endif
    .if \rows > 2
    mac_keep q2, q4, r8, q6
    .endif
    .if \rows > 3
    mac_keep q3, q4, r9, q6
    .endif
3:  store4  q0, \predicated
    .if \rows > 1
    store4  q1, \predicated
    .endif
    .if \rows > 2
    store4  q2, \predicated
    .endif
    .if \rows > 3
    store4  q3, \predicated
    .endif
    .endm

/* All rows of a strip */
    .macro narrow_strip predicated
    subs    left, left, #4
    blo     5f
4:  narrow  4, \predicated
    mov     r0, r3
    subs    left, left, #4
    bhs     4b
5:  adds    left, left, #4
    beq     .Lend\@
    cmp     left, #2
    blo     6f
    beq     7f
    narrow  3, \predicated
    b       .Lend\@
6:  narrow  1, \predicated
    b       .Lend\@
7:  narrow  2, \predicated
.Lend\@:
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
    lsl     r6, r7, #2
    lsr     r8, r7, #1
    and     r7, r7, #1
    strd    r6, r8, [sp, #STEP_A]       /* and PAIRS */
    strd    r7, r1, [sp, #ODD]          /* and B_AT */
    strd    r2, r0, [sp, #C_AT]         /* and A_AT */
    str     r3, [sp, #ROWS]
    mov     left, r3
    mov     c, r2
    subs    r9, r9, #8
    blo     .Lbelow_eight
.Lwide:                                 /* r9: columns behind this strip */
    str     r9, [sp, #COLUMNS]
    subs    left, left, #3
    blo     .Lwide_rest
.Lwide_rows:
    wide3
    mov     r0, r2
    subs    left, left, #3
    bhs     .Lwide_rows
.Lwide_rest:
    adds    left, left, #3
    beq     .Lwide_done
    cmp     left, #1
    beq     .Lwide_one
    wide2
    b       .Lwide_done
.Lwide_one:
    wide1
.Lwide_done:
    ldr     r9, [sp, #COLUMNS]
    cmp     r9, #0
    beq     .Ldone
    movs    r7, #32
    subs    r9, r9, #8
    bhs     .Lon
    add     r7, r7, r9, lsl #2          /* so as to end with the last column */
    cmp     r9, #-4
    it      le
    addle   r7, r7, #16                 /* a strip of four will do */
.Lon:
    on      r7
    cmp     r9, #-4
    bic     r9, r9, r9, asr #31         /* none left behind a strip that was moved */
    bgt     .Lwide
    b       .Lnarrow

.Lbelow_eight:
    adds    r9, r9, #4
    bmi     .Lpredicated
.Lnarrow:                               /* r9: columns behind this strip, below four */
    str     r9, [sp, #COLUMNS]
    narrow_strip 0
    ldr     r7, [sp, #COLUMNS]
    cbz     r7, .Ldone
    lsls    r7, r7, #2
    movs    r9, #0
    on      r7
    b       .Lnarrow
.Ldone:
    add     sp, sp, #FRAME
    vpop    {d8-d15}
    pop     {r4-r11, pc}

.Lpredicated:
    add     r9, r9, #4
    vctp.32 r9
    narrow_strip 1
    b       .Ldone

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
