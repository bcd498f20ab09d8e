# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
#
# Arm MPS3 with FPGA image AN547: Cortex-M55 with Helium.

BOARD_DIR := $(dir $(lastword $(MAKEFILE_LIST)))
include $(dir $(BOARD_DIR:%/=%))common/cortex_m.mk

BOARD_CPU := cortex-m55
BOARD_FLOAT := hard
BOARD_EXACT_PORTS := portable helium cmsis-dsp
BOARD_SOURCES += $(BOARD_COMMON)mps.c
BOARD_QEMU := $(call board_qemu,mps3-an547)
# 512 KB of tightly coupled memory do not hold all unit tests at -O3: images of their own.
BOARD_TEST_GROUPS := 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18
