/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * What the assembler kernels for Helium (Cortex-M55, MVE) share: the function frame and the one
 * place where the two profiles differ.
 *
 * TC_PORT_FUSED 0 (profile exact): a multiply-accumulate is VMUL then VADD, two roundings, the bits
 *     of port/portable. There is no vector form of VMLA.F32 that rounds the product.
 * TC_PORT_FUSED 1 (profile fast): it is VFMA, one rounding.
 *
 * MVE arithmetic ignores FPSCR: it rounds to nearest, and it flushes subnormal operands and
 * results to zero (sign kept) where scalar VFP code on the same core does not.
 *
 * Scheduling. The core issues one instruction per cycle; a vector instruction occupies its unit
 * (load, or float) for two cycles and overlaps with one for another unit or for none. So loads and
 * integer instructions are placed between float instructions and cost no time there. The next float
 * instruction may use the result of the last. LDRD brings two elements in one cycle, for use not by
 * the next instruction but the one after. LDM and VLDM bring more, but overlap with nothing.
 */
#ifndef TC_HELIUM_ASM_H
#define TC_HELIUM_ASM_H

#ifndef TC_PORT_FUSED
#define TC_PORT_FUSED 0
#endif

.syntax unified
    .thumb

    .macro kernel name
    .section .text.\name, "ax", %progbits
    .balign 4
    .global \name
    .type   \name, %function
    .thumb_func
\name:
    .endm

    .macro kernel_end name
    .size   \name, . - \name
    .endm

/* acc += q * r with the rounding of the profile; q is overwritten in the exact one. */
    .macro mac acc, q, r
#if TC_PORT_FUSED
    vfma.f32 \acc, \q, \r
#else
    vmul.f32 \q, \q, \r
    vadd.f32 \acc, \acc, \q
#endif
    .endm

/* The same, q kept; t is overwritten in the exact profile. */
    .macro mac_keep acc, q, r, t
#if TC_PORT_FUSED
    vfma.f32 \acc, \q, \r
#else
    vmul.f32 \t, \q, \r
    vadd.f32 \acc, \acc, \t
#endif
    .endm

/* Scalar: acc += a * b. VMLA rounds the product, VFMA does not. */
    .macro mac_scalar acc, a, b
#if TC_PORT_FUSED
    vfma.f32 \acc, \a, \b
#else
    vmla.f32 \acc, \a, \b
#endif
    .endm

#endif
