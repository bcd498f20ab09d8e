# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
#
# Processors: the compiler's flags and the column of kernels.mk, by CPU and float ABI.
# `make lib CPU=cortex-m4 FLOAT=hard` looks here; a board's board.mk names its CPU and FLOAT.

CPUS := host-hard cortex-m0plus-soft cortex-m3-soft cortex-m4-hard cortex-m4-soft cortex-m7-hard cortex-m33-hard cortex-m33-soft cortex-m55-hard generic-hard generic-soft

CPU_FLAGS.host-hard :=
CPU_PORT.host-hard := portable

CPU_FLAGS.cortex-m0plus-soft := -mcpu=cortex-m0plus -mthumb -mfloat-abi=soft
CPU_PORT.cortex-m0plus-soft := portable

CPU_FLAGS.cortex-m3-soft := -mcpu=cortex-m3 -mthumb -mfloat-abi=soft
CPU_PORT.cortex-m3-soft := portable

CPU_FLAGS.cortex-m4-soft := -mcpu=cortex-m4 -mthumb -mfloat-abi=soft
CPU_PORT.cortex-m4-soft := portable

CPU_FLAGS.cortex-m4-hard := -mcpu=cortex-m4 -mthumb -mfloat-abi=hard -mfpu=fpv4-sp-d16
CPU_PORT.cortex-m4-hard := cortex-m4

CPU_FLAGS.cortex-m7-hard := -mcpu=cortex-m7 -mthumb -mfloat-abi=hard -mfpu=fpv5-d16
CPU_PORT.cortex-m7-hard := cortex-m7

CPU_FLAGS.cortex-m33-hard := -mcpu=cortex-m33 -mthumb -mfloat-abi=hard -mfpu=fpv5-sp-d16
CPU_PORT.cortex-m33-hard := cortex-m33

CPU_FLAGS.cortex-m33-soft := -mcpu=cortex-m33+nodsp -mthumb -mfloat-abi=soft
CPU_PORT.cortex-m33-soft := portable

CPU_FLAGS.cortex-m55-hard := -mcpu=cortex-m55 -mthumb -mfloat-abi=hard
CPU_PORT.cortex-m55-hard := cortex-m55

# Your core, in portable C: CROSS= begins the names of its compiler's commands, CPU_FLAGS= has what they need.
CPU_FLAGS.generic-hard := $(CPU_FLAGS)
CPU_FLAGS.generic-soft := $(CPU_FLAGS)
CPU_PORT.generic-hard := portable
CPU_PORT.generic-soft := portable
