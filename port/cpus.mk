# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
#
# Processors: the compiler's flags and the column of kernels.mk, by CPU and float ABI.
# `make lib CPU=cortex-m4 FLOAT=hard` looks here; a board's board.mk names its CPU and FLOAT.

CPUS := host-hard cortex-m3-soft cortex-m4-hard cortex-m4-soft cortex-m7-hard cortex-m55-hard

CPU_FLAGS.host-hard :=
CPU_PORT.host-hard := portable

CPU_FLAGS.cortex-m3-soft := -mcpu=cortex-m3 -mthumb -mfloat-abi=soft
CPU_PORT.cortex-m3-soft := portable

CPU_FLAGS.cortex-m4-soft := -mcpu=cortex-m4 -mthumb -mfloat-abi=soft
CPU_PORT.cortex-m4-soft := portable

CPU_FLAGS.cortex-m4-hard := -mcpu=cortex-m4 -mthumb -mfloat-abi=hard -mfpu=fpv4-sp-d16
CPU_PORT.cortex-m4-hard := cortex-m4

CPU_FLAGS.cortex-m7-hard := -mcpu=cortex-m7 -mthumb -mfloat-abi=hard -mfpu=fpv5-d16
CPU_PORT.cortex-m7-hard := cortex-m7

CPU_FLAGS.cortex-m55-hard := -mcpu=cortex-m55 -mthumb -mfloat-abi=hard
CPU_PORT.cortex-m55-hard := cortex-m55
