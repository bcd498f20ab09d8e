# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
#
# Arm MPS2 with FPGA image AN505: Cortex-M33 with a single-precision unit.

BOARD_DIR := $(dir $(lastword $(MAKEFILE_LIST)))
include $(dir $(BOARD_DIR:%/=%))common/cortex_m.mk

BOARD_CPU := cortex-m33
BOARD_FLOAT := hard
BOARD_EXACT_PORTS := portable cortex-m4
BOARD_SOURCES += $(BOARD_COMMON)mps.c
BOARD_QEMU := $(call board_qemu,mps2-an505)
