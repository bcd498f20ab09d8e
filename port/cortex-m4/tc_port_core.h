/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Which multiply-accumulate the core is faster with. Read by assembler and C alike.
 *
 * The kernels' multiply-accumulate rounds the product and the sum, like acc + a * b in C compiled
 * without contraction. Two instruction sequences do that, with the same bits:
 *   TC_PORT_VMLA = 0   VMUL.F32 + VADD.F32   2 instructions, 1 + 1 cycles on Cortex-M4
 *   TC_PORT_VMLA = 1   VMLA.F32              1 instruction, 3 cycles on Cortex-M4, 1 on Cortex-M7
 * (cycles: Arm's technical reference manual for Cortex-M4, an assumption for M7). The fused VFMA
 * rounds once and must not appear.
 *
 * A double-precision FPU tells Cortex-M7 from M4. A Cortex-M7 with a single-precision FPU is taken
 * for an M4 unless -DTC_PORT_VMLA=1 says otherwise; the bits are the same.
 */
#ifndef TC_PORT_CORE_H
#define TC_PORT_CORE_H

#ifndef TC_PORT_VMLA
#if defined(__ARM_FP) && (__ARM_FP & 8)
#define TC_PORT_VMLA 1
#else
#define TC_PORT_VMLA 0
#endif
#endif

#endif
