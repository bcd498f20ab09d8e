# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
#
# STM32F405 (Netduino Plus 2 and many others): Cortex-M4F. The same image runs emulated and on the part.
#
# On the part: USART1 on PA9 (out) and PA10 (in), 115200 baud, 8N1; probe on the SWD pins.

BOARD_DIR := $(dir $(lastword $(MAKEFILE_LIST)))
include $(dir $(BOARD_DIR:%/=%))common/cortex_m.mk

BOARD_CPU := cortex-m4
BOARD_FLOAT := hard
BOARD_EXACT_PORTS := portable cortex-m4 cmsis-dsp
BOARD_QEMU := $(call board_qemu,netduinoplus2)
BOARD_FLASH := target/stm32f4x.cfg
# 128 KB of RAM do not hold all unit tests at once: images of their own.
BOARD_TEST_GROUPS := 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18
