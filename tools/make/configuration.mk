# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
#
# The configuration: what the choices of the Makefile mean for compiler, flags and folders.

include port/cpus.mk
include port/kernels.mk

ifeq ($(CPU),)
  ifeq ($(wildcard boards/$(BOARD)/board.mk),)
    $(error no board '$(BOARD)': boards/ holds $(notdir $(patsubst %/board.mk,%,$(wildcard boards/*/board.mk))))
  endif
  include boards/$(BOARD)/board.mk
  TARGET := $(BOARD)
else
  # A core of port/cpus.mk, where FLOAT may be left out if it has no float unit, or a part's name: stm32f405.
  ifneq ($(filter $(CPU)-%,$(CPUS)),)
    CORE := $(CPU) $(if $(filter file,$(origin FLOAT)),$(if $(filter $(CPU)-$(FLOAT),$(CPUS)),$(FLOAT),soft),$(FLOAT))
  else
    CORE := $(shell $(PYTHON) tools/tinycontact/parts.py '$(CPU)' $(if $(filter file,$(origin FLOAT)),,'$(FLOAT)') 2>&1)
    ifneq ($(words $(CORE)),2)
      $(error CPU=$(CPU): $(CORE))
    endif
  endif
  BOARD_CPU := $(firstword $(CORE))
  BOARD_FLOAT := $(lastword $(CORE))
  TARGET := $(CPU)-$(BOARD_FLOAT)
endif
CPU_KEY := $(BOARD_CPU)-$(BOARD_FLOAT)
ifeq ($(filter $(CPU_KEY),$(CPUS)),)
  $(error no CPU '$(BOARD_CPU)' with FLOAT=$(BOARD_FLOAT): port/cpus.mk knows $(CPUS))
endif
# Without an FPU every operation is a call: unrolling wins nothing and spills a lot.
UNROLL := $(or $(UNROLL),$(if $(filter soft,$(BOARD_FLOAT)),0,1))
ifeq ($(filter $(PROFILE),exact fast),)
  $(error PROFILE=$(PROFILE): exact or fast)
endif
ifeq ($(filter $(TANH),table small),)
  $(error TANH=$(TANH): table or small)
endif

ifeq ($(BOARD_CPU),host)
  CC := $(HOSTCC)
  OBJCOPY := objcopy
  NM := nm
  TOOLCHAIN := $(if $(filter-out gcc,$(HOSTCC)),-$(notdir $(HOSTCC)))
else
  CC := $(CROSS)gcc
  OBJCOPY := $(CROSS)objcopy
  NM := $(CROSS)nm
endif
AR := $(if $(filter host,$(BOARD_CPU)),gcc-ar,$(CROSS)gcc-ar)

comma := ,
VARIANT := $(or $(PORT)$(if $(PORT),$(if $(filter fast,$(PROFILE)),-fast)),$(PROFILE))$(if $(filter small,$(TANH)),-small)$(if $(filter $(UNROLL)$(BOARD_FLOAT),0hard 1soft),-unroll$(UNROLL))$(if \
  $(filter double,$(REAL)),-double)$(TOOLCHAIN)$(if $(filter-out -O2,$(OPT)),$(OPT))$(if $(SANITIZE),-san)$(if \
  $(TC_CONFIG),-$(notdir $(basename $(TC_CONFIG))))$(if $(WHOLE),-whole)$(if $(GATHER),-gather)
CONFIG := $(TARGET)-$(VARIANT)
B := build/$(CONFIG)

# ---- Flags ------------------------------------------------------------------------------------

WARN := -Wall -Wextra -Wpedantic -Wdouble-promotion -Wshadow -Wundef -Wvla -Wmissing-prototypes \
        -Wstrict-prototypes $(if $(WERROR),-Werror)
# What changes the bits or the ABI: an application that includes tc_mat_fixed.h needs these too. The macro says to
# lib/base/tc_exact.h and to that header that the flag is given.
ABI_FLAGS := $(CPU_FLAGS.$(CPU_KEY)) -ffp-contract=off -DTC_CONTRACT_OFF
DEFINES := $(if $(filter small,$(TANH)),-DTC_TANH_TABLE=0) $(if $(filter 0,$(UNROLL)),-DTC_MAT_UNROLL=0) \
           $(if $(GATHER),-DTEST_GATHER) $(if $(filter double,$(REAL)),-DTC_DOUBLE) $(if $(TC_CONFIG),-DTC_CONFIG='"$(abspath $(TC_CONFIG))"')
# The port's instruction for TC_MLA; the portable backend is tested without it.
INLINE_FROM := $(if $(filter portable cmsis-dsp,$(PORT)),,$(PORT_INLINE.$(CPU_PORT.$(CPU_KEY))))
PORT_INLINE := $(if $(INLINE_FROM),port/$(INLINE_FROM)/tc_port_inline.h)
DEFINES += $(if $(PORT_INLINE),-DTC_PORT_INLINE='"tc_port_inline.h"')
INCLUDES := -Ilib $(patsubst %/,-I%,$(wildcard lib/*/)) -Iport $(if $(PORT_INLINE),-I$(dir $(PORT_INLINE)))
CFLAGS := -std=c11 $(OPT) $(or $(DEBUG_INFO),$(if $(SANITIZE),-g)) $(ABI_FLAGS) -fno-math-errno -ffunction-sections -fdata-sections $(WARN) \
          $(DEFINES) $(INCLUDES) $(if $(SANITIZE),-fsanitize=$(SANITIZE) -fno-sanitize-recover=all) -MMD -MP
ifneq ($(HOSTCC)$(BOARD_CPU),clanghost)
  CFLAGS += -fcallgraph-info=su
endif
CMSIS_DEFINES := $(if $(filter host,$(BOARD_CPU)),-D__GNUC_PYTHON__)
CMSIS_INCLUDES := -isystem $(THIRD)/CMSIS-DSP/Include -isystem $(THIRD)/CMSIS-DSP/PrivateInclude \
                  -isystem $(THIRD)/CMSIS-Core/Include
