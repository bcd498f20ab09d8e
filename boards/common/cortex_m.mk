# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
#
# What all Cortex-M boards share. A board.mk begins with
#     BOARD_DIR := $(dir $(lastword $(MAKEFILE_LIST)))
#     include $(dir $(BOARD_DIR:%/=%))common/cortex_m.mk
# and then sets or extends:
#     BOARD_CPU, BOARD_FLOAT  a pair known to port/cpus.mk
#     BOARD_EXACT_PORTS       the folders of port/ whose kernels this processor can execute
#     BOARD_SOURCES           += drivers it takes from common/; its own board.c is in already
#     BOARD_QEMU              = $(call board_qemu,machine): the command that runs `-kernel image` with the
#                             UART on standard input and output; empty for a part QEMU does not know
#     BOARD_FLASH             OpenOCD's target file; empty where there is nothing to flash
#     BOARD_TEST_GROUPS       1 2 3 where RAM is too short for all unit tests in one image
# The stack's size is the user's: make BOARD_STACK=bytes, a multiple of 8.

BOARD_COMMON := $(dir $(BOARD_DIR:%/=%))common/
BOARD_STACK ?= $(if $(filter measure,$(APP)),8192,32768)

BOARD_SOURCES := $(addprefix $(BOARD_COMMON),startup.c fault.c exit.c print.c wait.c) $(BOARD_DIR)board.c
BOARD_LINK_FILES := $(BOARD_DIR)link.ld $(BOARD_COMMON)sections.ld
BOARD_LINK := -nostartfiles -T $(BOARD_DIR)link.ld -L $(BOARD_COMMON) \
              -Wl,--gc-sections -Wl,--defsym=board_stack_bytes=$(BOARD_STACK)

# Semihosting serves for the exit status alone; there is no window and no monitor. The UART's stream is a multiplexed
# one for its buffer of 32 bytes, without which the emulator's two threads wait for each other at every byte (ten
# times slower); 256, which no byte is, in place of the multiplexer's escape character.
board_qemu = qemu-system-arm -M $(1) -display none -monitor none -chardev stdio,mux=on,id=uart \
             -serial chardev:uart -echr 256 -semihosting-config enable=on,target=native

# {image} is the .elf. BOARD_PROBE is OpenOCD's interface: stlink, cmsis-dap or jlink. With no such
# probe on the USB, openocd fails and prints one of BOARD_NO_PROBE (an extended regular expression).
BOARD_PROBE ?= stlink
BOARD_FLASH :=
BOARD_FLASH_COMMAND = $(if $(BOARD_FLASH),openocd -f interface/$(BOARD_PROBE).cfg \
  -c "transport select $(if $(filter stlink,$(BOARD_PROBE)),hla_swd,swd)" \
  -f $(BOARD_FLASH) -c "program {image} verify reset exit")
BOARD_NO_PROBE := Error: open failed|No J-Link device found|unable to find a matching CMSIS-DAP device
