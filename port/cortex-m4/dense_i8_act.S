/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Dense layer, int8 weights and int8 activations, for Cortex-M4F and M7. Same bits as portable's.
 *
 *     for (o = 0; o < n_out; o++) {
 *         acc = sum of W[o][i] * x[i];                            int32, exact
 *         pre = (float)acc * scale[o] + bias[o];                  two roundings
 *         y[o] = pre, or max(pre, 0) for TC_NET_RELU                  tc_kernel_dense_i8_act
 *         q[o] = trunc(pre) clamped to 0..127                     tc_kernel_dense_i8_act_relu
 *     }
 *
 * Tile (4, 4): a unit is four rows by four inputs, four words of weights. SXTB16 makes int16 pairs
 * of bytes 0 and 2, or 1 and 3 (with a rotation) of a word; SMLAD multiplies and adds a pair: 16
 * products in 18 instructions, two of which load. The inputs are spread into such pairs once per
 * call, on the stack; a layer with more than BUFFER_INPUTS spreads all but the first four anew for
 * every four rows. The sum's order is free, since it is exact.
 *
 * The first unit of a row group starts the sums (SMUAD); the others are eight units of straight code
 * entered where exactly the right number is left, and run again as a whole for every 32 inputs more.
 * Two row groups are summed before they are scaled and stored together.
 *
 * Clamping: VCVT.S16.F32 truncates and saturates to int16, USAT16 clamps two of them to 0..127.
 * In rows of padding (scale and bias zero) the results are zero.
 *
 * Any other tile takes a plain loop, one row after the other (element addresses: tc_net.h).
 *
 * Stack: 236 bytes. Cost for n_in up to 36, n_out = 8 b, values 0..127 stored, call included:
 * 33 + 12 (n_in / 16, rounded up) + b (64 + 9 n_in) instructions, 7.7 b fewer with VMLA.
 */
#include "macros.inc"

#define ACTIVATION 16        /* offset in tc_net_dense */
#define TILE_4_4 0x0404      /* tile_rows | tile_columns << 8: the last halfword of tc_net_dense */
#define BUFFER_INPUTS 80     /* inputs spread on the stack at once, two bytes each: a multiple of 16 */
#define UNIT_BYTES 72        /* code of a unit: 18 instructions of four bytes */

/* The frame. The first five words are loaded together, in the order of their registers: r2 output,
 * r3 bias, r10 scale, r12 = rows left - 4, lr where the pre-activations go (a label). */
#define FRAME_ENTRY 20       /* where a row group goes on after its first unit */
#define FRAME_RETURN 24      /* wider layers: where it returns to, */
#define FRAME_UNITS 28       /* where among the eight units it starts, */
#define FRAME_FIRST 32       /* r1 at the start: the pairs of the unit at .Lunits, or the fifth input */
#define FRAME_END 36         /* and the same after the last round, or the number of units */
#define FRAME_PAIRS 40
#define FRAME_SIZE (FRAME_PAIRS + 2 * BUFFER_INPUTS)

/* One row of a unit: acc (+)= its four products. t and w are overwritten. */
    .macro row_start acc, w, t
    sxtb16 \t, \w
    sxtb16 \w, \w, ror #8
    smuad \acc, \t, r2
    smlad \acc, \w, r3, \acc
    .endm
    .macro row acc, w, t
    sxtb16 \t, \w
    sxtb16 \w, \w, ror #8
    smlad \acc, \t, r2, \acc
    smlad \acc, \w, r3, \acc
    .endm
    .macro rows
    row r4, r8, r12
    row r5, r9, r8
    row r6, r10, r9
    row r7, r11, r10
    .endm

/* A word of four inputs as two pairs. */
    .macro spread even, word
    sxtb16 \even, \word
    sxtb16 \word, \word, ror #8
    .endm

/* Four int16, clamped to 0..127 and packed into the bytes of a. */
    .macro pack a, b, c, d
    pkhbt \a, \a, \c, lsl #16
    pkhbt \b, \b, \d, lsl #16
    usat16 \a, #7, \a
    usat16 \b, #7, \b
    orr \a, \a, \b, lsl #8
    .endm

    .macro from_int reg
    vcvt.f32.s32 s\reg, s\reg
    .endm
    .macro to_int16 reg
    vcvt.s16.f32 s\reg, s\reg, #0
    .endm

    function tc_kernel_dense_i8_act
    enter r4, r5, r6, r7, r8, r9, r10, r11
    adr lr, .Lstore_float + 1
    ldrb r3, [r0, #ACTIVATION]
    cmp r3, #1                      /* TC_NET_RELU */
    bne .Lenter
    adr lr, .Lstore_relu + 1
    b .Lenter
    endfunction tc_kernel_dense_i8_act

    .global tc_kernel_dense_i8_act_relu
    .type tc_kernel_dense_i8_act_relu, %function
    .thumb_func
tc_kernel_dense_i8_act_relu:
    .cfi_startproc
    enter r4, r5, r6, r7, r8, r9, r10, r11
    adr lr, .Lstore_u7 + 1
.Lenter:
    sub sp, sp, #FRAME_SIZE
    .cfi_adjust_cfa_offset FRAME_SIZE
    ldm r0, {r0, r3, r10, r11, r12} /* weights, bias, scale, n_in and n_out, the four bytes */
    lsrs r4, r12, #16
    movw r5, #TILE_4_4
    lsr r12, r11, #16
    sub r12, r12, #4
    stm sp, {r2, r3, r10, r12, lr}
    cmp r4, r5
    bne .Lany_tile
    uxth lr, r11
    sub r3, lr, #1
    lsr r3, r3, #2                  /* units after the first */
    cmp r3, #8
    bhi .Lplan_more
    adr r7, .Lunits_end + 1
    sub r7, r7, r3, lsl #6
    sub r7, r7, r3, lsl #3
    str r7, [sp, #FRAME_ENTRY]
.Lspread:
    add r2, sp, #FRAME_PAIRS
1:  ldm r1!, {r5, r7, r9, r11}
    spread r4, r5
    spread r6, r7
    spread r8, r9
    spread r10, r11
    stm r2!, {r4-r11}
    subs lr, lr, #16
    bhi 1b
    sub r1, sp, #56 - FRAME_PAIRS   /* the last unit's pairs are the last of eight */
    add r1, r1, r3, lsl #3
    cmp r12, #0
    ble .Llast_4

.Lrows_8:
    bl .Lgroup
    vmov s0, s1, r4, r5
    vmov s2, s3, r6, r7
    bl .Lgroup
/* s0-s3 and r4-r7 to pre-activations in s8-s15. */
.Lscale:
    ldm sp, {r2, r3, r10, r12, lr}
#if TC_PORT_VMLA
    vldmia r10!, {s4-s7}
    vldmia r3!, {s8-s15}
    each_1 from_int, 0, 4
    each_3 vmla_, 8, 0, 4, 4
    vldmia r10!, {s4-s7}
    vmov s0, s1, r4, r5
    vmov s2, s3, r6, r7
    each_1 from_int, 0, 4
    each_3 vmla_, 12, 0, 4, 4
#else
    vmov s4, s5, r4, r5
    vmov s6, s7, r6, r7
    vldmia r10!, {s8-s15}
    each_1 from_int, 0, 8
    each_3 vmul_, 0, 0, 8, 8
    vldmia r3!, {s8-s15}
    each_3 vadd_, 8, 8, 0, 8
#endif
    bx lr

.Lstore_relu:
    relu_store_4 r2, s8, s9, s10, s11
    relu_store_4 r2, s12, s13, s14, s15
    b .Lstored
.Lstore_float:
    vstmia r2!, {s8-s15}
.Lstored:
    subs r12, r12, #8
    stm sp, {r2, r3, r10, r12}
    bgt .Lrows_8
    b .Lmore
.Lstore_u7:
    each_1 to_int16, 8, 8
    vmov r4, r5, s8, s9
    vmov r6, r7, s10, s11
    pack r4, r5, r6, r7
    vmov r6, r7, s12, s13
    vmov r8, r9, s14, s15
    pack r6, r7, r8, r9
    strd r4, r6, [r2], #8
    subs r12, r12, #8
    stm sp, {r2, r3, r10, r12}
    bgt .Lrows_8
.Lmore:
    cmn r12, #4
    ble .Ldone
.Llast_4:
    bl .Lgroup
    vmov s0, s1, r4, r5             /* r4-r7 stand in for rows of padding: scale and bias are 0 there */
    vmov s2, s3, r6, r7
    b .Lscale
.Ldone:
    .cfi_remember_state
    add sp, sp, #FRAME_SIZE
    .cfi_adjust_cfa_offset -FRAME_SIZE
    leave r4, r5, r6, r7, r8, r9, r10, r11
    .cfi_restore_state

/* r4-r7 = the sums of the row group at r0, which moves on to the next one. r1: see FRAME_FIRST. */
.Lgroup:
    ldmia.w r0!, {r8-r11}
    ldrd r2, r3, [sp, #FRAME_PAIRS]
    row_start r4, r8, r12
    row_start r5, r9, r8
    row_start r6, r10, r9
    row_start r7, r11, r10
    ldr pc, [sp, #FRAME_ENTRY]
.Lunits:
    .irp unit, 0, 1, 2, 3, 4, 5, 6, 7
    ldrd r2, r3, [r1, #8 * \unit]
    ldmia.w r0!, {r8-r11}
    rows
    .endr
.Lunits_end:
    bx lr
    .if .Lunits_end - .Lunits - 8 * UNIT_BYTES
    .error "a unit is not UNIT_BYTES long"
    .endif

/* r3 > 8 units after the first: a part of the eight, then all of them, as often as needed. */
.Lplan_more:
    cmp lr, #BUFFER_INPUTS
    bhi .Lplan_wide
    add r9, sp, #FRAME_PAIRS + 8
    add r9, r9, r3, lsl #3          /* the pairs after the last + 64 - 56 */
    sub r6, r3, #1
    and r6, r6, #7
    add r6, r6, #1                  /* the part: 1 to 8 */
    adr r7, .Lunits_end + 1
    sub r7, r7, r6, lsl #6
    sub r7, r7, r6, lsl #3
    sub r8, sp, #56 - FRAME_PAIRS
    add r8, r8, r6, lsl #3
    adr r6, .Llong + 1
    strd r7, r8, [sp, #FRAME_UNITS]
    str r9, [sp, #FRAME_END]
    str r6, [sp, #FRAME_ENTRY]
    b .Lspread

.Llong:
    str lr, [sp, #FRAME_RETURN]
    ldrd r12, r1, [sp, #FRAME_UNITS]
    adr lr, 1f + 1
    bx r12
    .p2align 2
1:  add r1, r1, #64
    ldr r12, [sp, #FRAME_END]
    cmp r1, r12
    bne .Lunits
    ldr pc, [sp, #FRAME_RETURN]

/* More inputs than the buffer takes: only the first unit's are spread in advance. */
.Lplan_wide:
    add r6, r1, #4
    adr r7, .Lwide + 1
    strd r6, r3, [sp, #FRAME_FIRST]
    str r7, [sp, #FRAME_ENTRY]
    mov lr, #4
    b .Lspread

.Lwide:
    str lr, [sp, #FRAME_RETURN]
    ldrd r1, lr, [sp, #FRAME_FIRST]
1:  ldr r3, [r1], #4
    ldmia.w r0!, {r8-r11}
    spread r2, r3
    rows
    subs lr, lr, #1
    bne 1b
    ldr pc, [sp, #FRAME_RETURN]

/* Any tile R x C, one row after the other. r0 first weight of the row group, r1 x, r2 output, r3 bias,
 * r4 scale, r5 weight, r6 input, r7 inputs left, r8 sum, r9 and r10 a product, r11 C, r12 rows left,
 * lr n_in; s0 R, s1 row in the group, s2 bytes from the end of a tile's row to the next tile, s3 columns
 * left in the tile, s4 the label that tells what to store. */
.Lany_tile:
    vmov s4, lr
    uxth lr, r11
    uxtb r6, r4
    lsr r11, r4, #8
    mov r4, r10
    vmov s0, r6
    sub r6, r6, #1
    mul r6, r6, r11
    vmov s2, r6
    add r12, r12, #4
1:  mov r10, #0
2:  vmov s1, r10
    mla r5, r10, r11, r0
    mov r6, r1
    mov r7, lr
    mov r8, #0
    vmov s3, r11
3:  ldrsb r9, [r5], #1
    ldrsb r10, [r6], #1
    mla r8, r9, r10, r8
    vmov r9, s3
    subs r9, r9, #1
    bne 4f
    vmov r9, s2
    add r5, r5, r9
    mov r9, r11
4:  vmov s3, r9
    subs r7, r7, #1
    bne 3b
    vmov s8, r8
    vcvt.f32.s32 s8, s8
    vldmia r4!, {s9}
    vmul.f32 s8, s8, s9
    vldmia r3!, {s9}
    vadd.f32 s8, s8, s9
    vmov r8, s4
    adr r10, .Lstore_u7 + 1
    cmp r8, r10
    beq 5f
    vmov r7, s8
    adr r10, .Lstore_relu + 1
    cmp r8, r10
    it eq
    biceq r7, r7, r7, asr #31
    str r7, [r2], #4
    b 6f
5:  vcvt.s32.f32 s8, s8
    vmov r7, s8
    usat r7, #7, r7
    strb r7, [r2], #1
6:  subs r12, r12, #1
    beq .Ldone
    vmov r10, s1
    vmov r7, s0
    add r10, r10, #1
    cmp r10, r7
    bne 2b
    vmov r10, s2                    /* next group: from the end of the last row of the last tile */
    cmp r9, r11
    ite eq
    subeq r0, r5, r10
    addne r0, r5, r9
    b 1b
    endfunction tc_kernel_dense_i8_act_relu
