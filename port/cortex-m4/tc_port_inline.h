/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * TC_MLA and TC_MLS of tc_config.h as one instruction each, for compiled code on Cortex-M4F and M7:
 * build with -DTC_PORT_INLINE='"tc_port_inline.h"' and this folder in the include path.
 *
 * VMLA.F32 and VMLS.F32 round the product before they add it (unlike VFMA and VFMS), so the bits
 * are those of acc + a * b and acc - a * b without contraction; compilers, which know only the
 * fused form as one instruction, have to be told in assembler. It saves an instruction of four
 * bytes per multiply-accumulate; on Cortex-M4 it costs a cycle more than VMUL and VADD, so
 * tc_port_core.h leaves it out there and the macros keep their portable form.
 */
#ifndef TC_PORT_INLINE_H
#define TC_PORT_INLINE_H

#include "tc_port_core.h"

#if TC_PORT_VMLA && defined(__ARM_FP) && (__ARM_FP & 4)

static inline float tc_port_mla(float acc, float a, float b)
{
    __asm__("vmla.f32 %0, %1, %2" : "+t"(acc) : "t"(a), "t"(b));
    return acc;
}

static inline float tc_port_mls(float acc, float a, float b)
{
    __asm__("vmls.f32 %0, %1, %2" : "+t"(acc) : "t"(a), "t"(b));
    return acc;
}

#define TC_MLA(acc, a, b) tc_port_mla((acc), (a), (b))
#define TC_MLS(acc, a, b) tc_port_mls((acc), (a), (b))

#endif

#endif
