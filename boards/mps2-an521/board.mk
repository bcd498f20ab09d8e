# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
#
# Arm MPS2 with FPGA image AN521: two Cortex-M33, the first, which runs the image, without a floating-point unit.

BOARD_DIR := $(dir $(lastword $(MAKEFILE_LIST)))
include $(dir $(BOARD_DIR:%/=%))common/cortex_m.mk

BOARD_CPU := cortex-m33
BOARD_FLOAT := soft
BOARD_EXACT_PORTS := portable
BOARD_SOURCES += $(BOARD_COMMON)mps.c
BOARD_QEMU := $(call board_qemu,mps2-an521)
