# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
#
# nRF51822 (BBC micro:bit, version 1): Cortex-M0, the instruction set of Cortex-M0+. 16 KB of RAM do not hold the unit
# tests, so none of the ports is tested here: the library's self-check and the applications that fit are what runs.
#
# On the part: UART on P0.24 (out) and P0.25 (in), which the micro:bit's interface chip brings to USB, 115200 baud, 8N1.

BOARD_DIR := $(dir $(lastword $(MAKEFILE_LIST)))
BOARD_STACK ?= 6144
include $(dir $(BOARD_DIR:%/=%))common/cortex_m.mk

BOARD_CPU := cortex-m0plus
BOARD_FLOAT := soft
BOARD_EXACT_PORTS :=
BOARD_QEMU := $(call board_qemu,microbit)
BOARD_FLASH := target/nrf51.cfg
