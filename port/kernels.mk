# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
#
# Which backend's file is linked for which kernel: TAKE.<profile>.<core> lists kernel:backend.
# A kernel that is not listed comes from port/portable. In `exact` only files whose results equal
# portable's to the bit may be listed; why each was taken is measured in tests/measured.csv.

TAKE.exact.portable :=
TAKE.fast.portable :=

TAKE.exact.cortex-m4 := $(foreach k,mat_mul mat_mul_fixed mat_vec mat_vec_fixed mat_vec_t mat_factor mat_factor_fixed input dense dense_vjp dense_i8_act activation,$k:cortex-m4)
TAKE.fast.cortex-m4 := $(TAKE.exact.cortex-m4)
TAKE.exact.cortex-m7 := $(TAKE.exact.cortex-m4)
TAKE.fast.cortex-m7 := $(TAKE.exact.cortex-m4)
TAKE.exact.cortex-m33 := $(TAKE.exact.cortex-m4)
TAKE.fast.cortex-m33 := $(TAKE.exact.cortex-m4)
TAKE.exact.cortex-m55 := $(foreach k,mat_mul mat_mul_fixed mat_vec mat_vec_fixed mat_vec_t mat_factor input dense dense_vjp dense_i8 dense_i8_act dense_i8_vjp activation row,$k:helium)
TAKE.fast.cortex-m55 := $(TAKE.exact.cortex-m55)
PORT_DEFINES.exact := -DTC_PORT_FUSED=0
PORT_DEFINES.fast := -DTC_PORT_FUSED=1
# Whose tc_port_inline.h gives TC_MLA its instruction (VMLA.F32 rounds the product: same bits).
PORT_INLINE.cortex-m4 := cortex-m4
PORT_INLINE.cortex-m7 := cortex-m4
PORT_INLINE.cortex-m33 := cortex-m4
PORT_INLINE.cortex-m55 := cortex-m4
