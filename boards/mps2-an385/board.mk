# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
#
# Arm MPS2 with FPGA image AN385: Cortex-M3, no floating-point unit.

BOARD_DIR := $(dir $(lastword $(MAKEFILE_LIST)))
include $(dir $(BOARD_DIR:%/=%))common/cortex_m.mk

BOARD_CPU := cortex-m3
BOARD_FLOAT := soft
BOARD_EXACT_PORTS := portable cmsis-dsp
BOARD_SOURCES += $(BOARD_COMMON)mps.c
BOARD_QEMU := $(call board_qemu,mps2-an385)
