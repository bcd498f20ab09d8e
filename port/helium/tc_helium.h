/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * What the C kernels for Helium (Cortex-M55, MVE) share.
 *
 * Stores. gcc 12.2 describes the MVE store builtins (vst1q, vstrwq, with or without predicate) as
 * writing the first element only. Whatever reads or writes elements 1..3 nearby as scalars may then
 * be moved across the store: seen at -O3, and at -O2 with -funroll-loops or -fpeel-loops; wrong
 * results, no warning. So memory is written through TC_HELIUM_STORE, a plain assignment to a vector
 * that may alias anything, which the compiler does understand; where a builtin must be used
 * (predicated, narrowing), TC_HELIUM_FENCE follows it. tests/unit/test_helium_store.c watches this.
 * Loads are not affected; TC_HELIUM_LOAD exists for symmetry of alignment and aliasing.
 *
 * Rounding. TC_HELIUM_MLA(acc, q, s) is acc + q * s with a scalar s: rounded twice, as the
 * portable kernels do, or once with TC_PORT_FUSED (profile fast; see tc_helium_asm.h).
 */
#ifndef TC_HELIUM_H
#define TC_HELIUM_H

#include "tc_kernel_mat.h"
#include "tc_kernel_net.h"
#include "tc_net.h"

#include <arm_mve.h>

#ifndef TC_PORT_FUSED
#define TC_PORT_FUSED 0
#endif

/* Four numbers anywhere: aligned as one of them, and allowed to alias any type. */
typedef float32x4_t tc_helium_f32x4 __attribute__((may_alias, aligned(4)));
typedef int32x4_t tc_helium_s32x4 __attribute__((may_alias, aligned(4)));

#define TC_HELIUM_LOAD(p) (*(const tc_helium_f32x4 *)(const void *)(p))
#define TC_HELIUM_STORE(p, v) (*(tc_helium_f32x4 *)(void *)(p) = (v))
#define TC_HELIUM_FENCE() __asm volatile("" ::: "memory")

#if TC_PORT_FUSED
#define TC_HELIUM_MLA(acc, q, s) vfmaq_n_f32(acc, q, s)
#define TC_HELIUM_MLA_V(acc, p, q) vfmaq_f32(acc, p, q)
#else
#define TC_HELIUM_MLA(acc, q, s) vaddq_f32(acc, vmulq_n_f32(q, s))
#define TC_HELIUM_MLA_V(acc, p, q) vaddq_f32(acc, vmulq_f32(p, q))
#endif

#endif
