# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
#
# The machine that builds: the byte stream is standard input and output.

BOARD_CPU := host
BOARD_FLOAT := hard
BOARD_EXACT_PORTS := portable
BOARD_DIR := $(dir $(lastword $(MAKEFILE_LIST)))
BOARD_SOURCES := $(BOARD_DIR)board.c $(dir $(BOARD_DIR:%/=%))common/print.c
BOARD_LINK :=
BOARD_LINK_FILES :=
BOARD_QEMU :=
