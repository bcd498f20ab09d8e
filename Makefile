# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
#
# tinycontact: the one entrance. `make help` lists the targets and the choices.
#
# One run of make builds ONE configuration, named by the variables below; everything of it lies in
# build/$(CONFIG)/. Targets that need several configurations (test, bench, size) call make again.

## Choices, each as VARIABLE=value on the command line:
BOARD   ?= host#            a folder in boards/
CPU     ?=#                 for `make lib` without a board: see port/cpus.mk, with FLOAT
FLOAT   ?= hard#            hard or soft
PROFILE ?= exact#           exact (the reference's bits) or fast
PORT    ?=#                 take ALL kernels of one backend in port/ (tests); empty: as the profile says
TANH    ?= table#           table (4 KB, quicker) or small
UNROLL  ?= 1#               1: unrolled kernels for sizes 2, 3, 4, 6, 12; 0: loops only, smaller
OPT     ?= -O2
APP     ?= hello#           firmware application, a folder in boards/apps/
TC_CONFIG ?=#               a header of yours that replaces defaults of lib/tc_config.h
REAL    ?= float#           double: the host's reference build
SANITIZE ?=#                address,undefined (host)
HOSTCC  ?= gcc
PYTHON  ?= python3
CROSS   ?= arm-none-eabi-
WERROR  ?=
GATHER  ?=#                 set by `make golden`: print the hashes instead of comparing them

strip_all = $(eval $(1) := $(strip $($(1))))
$(foreach v,BOARD CPU FLOAT PROFILE PORT TANH UNROLL OPT APP TC_CONFIG REAL SANITIZE,$(call strip_all,$v))

THIRD := build/third_party

# ---- The configuration ---------------------------------------------------------------------------

include port/cpus.mk
include port/kernels.mk

ifeq ($(CPU),)
  ifeq ($(wildcard boards/$(BOARD)/board.mk),)
    $(error no board '$(BOARD)': boards/ holds $(notdir $(patsubst %/board.mk,%,$(wildcard boards/*/board.mk))))
  endif
  include boards/$(BOARD)/board.mk
  TARGET := $(BOARD)
else
  BOARD_CPU := $(CPU)
  BOARD_FLOAT := $(FLOAT)
  TARGET := $(CPU)-$(FLOAT)
endif
CPU_KEY := $(BOARD_CPU)-$(BOARD_FLOAT)
ifeq ($(filter $(CPU_KEY),$(CPUS)),)
  $(error no CPU '$(BOARD_CPU)' with FLOAT=$(BOARD_FLOAT): port/cpus.mk knows $(CPUS))
endif
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
VARIANT := $(or $(PORT),$(PROFILE))$(if $(filter small,$(TANH)),-small)$(if $(filter 0,$(UNROLL)),-rolled)$(if \
  $(filter double,$(REAL)),-double)$(TOOLCHAIN)$(if $(filter-out -O2,$(OPT)),$(OPT))$(if $(SANITIZE),-san)$(if \
  $(TC_CONFIG),-$(notdir $(basename $(TC_CONFIG))))$(if $(GATHER),-gather)
CONFIG := $(TARGET)-$(VARIANT)
B := build/$(CONFIG)

# ---- Flags ---------------------------------------------------------------------------------------

WARN := -Wall -Wextra -Wpedantic -Wdouble-promotion -Wshadow -Wundef -Wvla -Wmissing-prototypes \
        -Wstrict-prototypes $(if $(WERROR),-Werror)
# What changes the bits or the ABI: an application that includes tc_mat_fixed.h needs these too.
ABI_FLAGS := $(CPU_FLAGS.$(CPU_KEY)) -ffp-contract=off
DEFINES := $(if $(filter small,$(TANH)),-DTC_TANH_TABLE=0) $(if $(filter 0,$(UNROLL)),-DTC_MAT_UNROLL=0) \
           $(if $(GATHER),-DTEST_GATHER) $(if $(filter double,$(REAL)),-DTC_DOUBLE) $(if $(TC_CONFIG),-DTC_CONFIG='"$(TC_CONFIG)"')
BACKEND := $(or $(PORT),$(CPU_PORT.$(CPU_KEY)))
ifneq ($(wildcard port/$(or $(PORT_FOLDER.$(BACKEND)),$(BACKEND))/tc_port_inline.h),)
  PORT_INLINE := port/$(or $(PORT_FOLDER.$(BACKEND)),$(BACKEND))/tc_port_inline.h
  DEFINES += -DTC_PORT_INLINE='"tc_port_inline.h"'
endif
INCLUDES := -Ilib -Iport $(if $(PORT_INLINE),-I$(dir $(PORT_INLINE)))
CFLAGS := -std=c11 $(OPT) -g $(ABI_FLAGS) -fno-math-errno -ffunction-sections -fdata-sections $(WARN) \
          $(DEFINES) $(INCLUDES) $(if $(SANITIZE),-fsanitize=$(SANITIZE) -fno-sanitize-recover=all) -MMD -MP
ifneq ($(HOSTCC)$(BOARD_CPU),clanghost)
  CFLAGS += -fcallgraph-info=su
endif
CMSIS_INCLUDES := -isystem $(THIRD)/CMSIS-DSP/Include -isystem $(THIRD)/CMSIS-DSP/PrivateInclude \
                  -isystem $(THIRD)/CMSIS-Core/Include

# ---- The library ---------------------------------------------------------------------------------

KERNELS := $(sort $(basename $(notdir $(wildcard port/portable/*.c))))
TAKEN := $(if $(PORT),$(foreach f,$(wildcard port/$(PORT)/*.c port/$(PORT)/*.S),$(basename $(notdir $f)):$(PORT)), \
  $(TAKE.$(PROFILE).$(CPU_PORT.$(CPU_KEY))))
ifeq ($(TANH),small)
  TAKEN := $(filter-out $(TABLE_ONLY),$(TAKEN))
endif
backend_of = $(or $(patsubst $(1):%,%,$(filter $(1):%,$(TAKEN))),portable)
KERNEL_SOURCES := $(foreach k,$(KERNELS),$(firstword $(wildcard port/$(call backend_of,$k)/$k.c port/$(call backend_of,$k)/$k.S)))
LIB_SOURCES := $(wildcard lib/*.c) $(KERNEL_SOURCES)
ifeq ($(REAL),double)
  LIB_SOURCES := $(filter-out $(DOUBLE_REPLACED),$(LIB_SOURCES)) $(DOUBLE_SOURCES)
endif
LIB_OBJECTS := $(addprefix $(B)/obj/,$(addsuffix .o,$(basename $(LIB_SOURCES))))
LIBRARY := $(B)/libtinycontact.a
USES_CMSIS := $(filter port/cmsis-dsp/%,$(KERNEL_SOURCES))

$(B)/obj/%.o: %.c
	@mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS) $(if $(filter lib/% port/%,$<),-Wconversion) $(EXTRA_FLAGS) -c $< -o $@
$(B)/obj/%.o: %.S
	@mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS) $(EXTRA_FLAGS) -c $< -o $@
$(B)/obj/port/cmsis-dsp/%.o: EXTRA_FLAGS = $(CMSIS_INCLUDES) $(CMSIS_DEFINES)
$(foreach p,helium cortex-m4,$(eval $(B)/obj/port/$p/%.o: EXTRA_FLAGS = -Iport/$p $(PORT_DEFINES.$(PROFILE))))
$(B)/obj/lib/tc_version.o: EXTRA_FLAGS = -DTC_BUILD_PROFILE='"$(or $(PORT),$(PROFILE))"' \
  -DTC_BUILD_PORT='"$(CPU_PORT.$(CPU_KEY))"'

$(LIBRARY): $(LIB_OBJECTS)
	@rm -f $@
	$(Q)$(AR) rcs $@ $^

# CMSIS-DSP's files as an archive of their own, for the backend that calls it and for the peers in
# the bench.
CMSIS_SOURCES := $(wildcard $(THIRD)/CMSIS-DSP/Source/*/*_f32.c)
CMSIS_LIBRARY := $(B)/libcmsisdsp.a
$(CMSIS_LIBRARY): $(addprefix $(B)/obj/,$(CMSIS_SOURCES:.c=.o))
	@rm -f $@
	$(Q)$(AR) rcs $@ $^
$(B)/obj/$(THIRD)/%.o: $(THIRD)/%.c
	@mkdir -p $(@D)
	$(Q)$(CC) $(filter-out $(WARN) -fcallgraph-info=su,$(CFLAGS)) -w $(CMSIS_INCLUDES) $(CMSIS_DEFINES) -I$(THIRD)/Unity \
	  -Itests/unit -DUNITY_INCLUDE_CONFIG_H -c $< -o $@



# ---- Firmware: an application on a board ---------------------------------------------------------

BOARD_OBJECTS = $(addprefix $(B)/obj/,$(addsuffix .o,$(basename $(BOARD_SOURCES))))
APP_FOLDER := $(patsubst %/,%,$(or $(patsubst %/,%,$(wildcard boards/apps/$(APP)/)),$(wildcard $(APP)/)))
APP_NAME := $(notdir $(APP_FOLDER))
APP_OBJECTS = $(patsubst %,$(B)/obj/%.o,$(basename $(wildcard $(APP_FOLDER)/*.c))) \
  $(patsubst %,$(B)/obj/%.o,$(wildcard $(APP_FOLDER)/*.tcm))
LINK = $(CC) $(ABI_FLAGS) $(OPT) $(if $(SANITIZE),-fsanitize=$(SANITIZE)) -Wl,--gc-sections $(BOARD_LINK)
IMAGE := $(if $(filter host,$(BOARD_CPU)),,.elf)
# How an image is run: under QEMU with the board's UART on standard input and output, or at once.
RUN = $(if $(BOARD_QEMU),$(BOARD_QEMU) -kernel ,./)
$(B)/obj/$(APP_FOLDER)/%.o $(B)/obj/boards/%.o $(B)/obj/tests/%.o: EXTRA_FLAGS = -Iboards -Itests/unit -I$(THIRD)/Unity \
  -DUNITY_INCLUDE_CONFIG_H -DTEST_EXACT=$(TEST_EXACT)

$(B)/app/$(APP_NAME)$(IMAGE): $(APP_OBJECTS) $(BOARD_OBJECTS) $(LIBRARY) $(if $(USES_CMSIS),$(CMSIS_LIBRARY)) $(BOARD_LINK_FILES)
	@mkdir -p $(@D)
	$(Q)$(LINK) $(filter %.o %.a,$^) -lm -o $@

# A model file beside the sources is linked as it is: friction.tcm gives friction_tcm[] and friction_tcm_size.
$(B)/obj/%.tcm.o: %.tcm
	@mkdir -p $(@D)
	@printf '.section .rodata.$(notdir $*)_tcm,"a"\n.balign 16\n.global $(notdir $*)_tcm\n$(notdir $*)_tcm: .incbin "$<"\n.balign 4\n.global $(notdir $*)_tcm_size\n$(notdir $*)_tcm_size: .word $(notdir $*)_tcm_size - $(notdir $*)_tcm\n' > $(B)/tcm.S
	$(Q)$(CC) $(ABI_FLAGS) -c $(B)/tcm.S -o $@

.PHONY: firmware run flash
firmware: $(B)/app/$(APP_NAME)$(IMAGE) ## APP= (a folder in boards/apps/, or any folder of yours) as an image for BOARD=
ifneq ($(BOARD_CPU),host)
	@$(OBJCOPY) -O ihex $< $(<:.elf=.hex)
	@$(OBJCOPY) -O binary $< $(<:.elf=.bin)
	@$(CROSS)size $< $(<:.elf=.hex) | sed -n '1p;2p'
	@echo "$< (and .hex, .bin)"
else
	@echo "$<"
endif

run: $(B)/app/$(APP_NAME)$(IMAGE) ## build APP= and run it on BOARD= (emulated; host: at once)
	@$(RUN)$<

flash: firmware ## write APP= to a real part with OpenOCD (BOARD_PROBE=stlink, cmsis-dap or jlink)
	@$(if $(BOARD_FLASH_COMMAND),,echo "flash: $(BOARD) is only emulated; boards with a real part: $(FLASHABLE)"; exit 1)
	@command -v openocd >/dev/null || { echo "flash: openocd is missing: run 'make setup GROUPS=flash'"; exit 1; }
	@$(subst {image},$(B)/app/$(APP_NAME)$(IMAGE),$(BOARD_FLASH_COMMAND)) > $(B)/flash.log 2>&1 \
	  && echo "flash: $(APP_NAME) written to $(BOARD) and verified" \
	  || { if grep -Eq '$(BOARD_NO_PROBE)' $(B)/flash.log; then \
	         echo "flash: no debug probe found (BOARD_PROBE=$(BOARD_PROBE)); is it plugged in, and may you use it?"; \
	       else tail -n 5 $(B)/flash.log; fi; exit 1; }
FLASHABLE = $(patsubst boards/%/board.mk,%,$(shell grep -l '^BOARD_FLASH :=' boards/*/board.mk))

# ---- Unit tests of this configuration ------------------------------------------------------------

# Backends that fuse or reorder claim no bits: `fast`, and what is not proved exact on this core.
TEST_EXACT = $(if $(filter fast,$(VARIANT) $(PROFILE)),0,$(if $(filter $(INEXACT.$(CPU_PORT.$(CPU_KEY))),$(PORT)),0,1))
UNIT_OBJECTS := $(patsubst %.c,$(B)/obj/%.o,$(wildcard tests/unit/*.c)) $(B)/obj/$(THIRD)/Unity/unity.o
UNIT := $(B)/unit$(IMAGE)

# The reference kernels stand beside the linked ones under the prefix ref_.
REFERENCE_OBJECTS := $(KERNELS:%=$(B)/obj/port/portable/%.o)
$(B)/reference.o: $(REFERENCE_OBJECTS)
	$(Q)$(NM) -g --defined-only $^ | awk '$$3 ~ /^tc_kernel_/ {n=$$3; sub(/^tc_/,"ref_",n); print $$3, n}' > $(B)/reference.syms
	$(Q)$(CC) $(ABI_FLAGS) -r -nostdlib -o $@.tmp $^
	$(Q)$(OBJCOPY) --redefine-syms=$(B)/reference.syms $@.tmp $@

$(UNIT): $(UNIT_OBJECTS) $(B)/reference.o $(BOARD_OBJECTS) $(LIBRARY) $(if $(USES_CMSIS),$(CMSIS_LIBRARY)) $(BOARD_LINK_FILES)
	$(Q)$(LINK) $(filter %.o %.a,$^) -lm -o $@

.PHONY: golden
golden: ## rewrite tests/vectors/golden.h from the host build, after a deliberate change of the bits
	@for t in table small; do $(MAKE) -s run-unit BOARD=host TANH=$$t GATHER=1 | grep '^golden ' > build/golden.$$t; done
	@paste -d' ' build/golden.table build/golden.small \
	  | awk '!seen[$$2]++ {printf "    {\"%s\", %s, %s},\n", $$2, $$3, $$6}' > build/golden.rows
	@sed -i -e '/^    {"/d' -e '/golden_hashes\[\] = {/r build/golden.rows' tests/vectors/golden.h
	@git diff --stat -- tests/vectors/golden.h

.PHONY: run-unit
run-unit: $(UNIT)
	@$(RUN)$(UNIT)

# ---- What a firmware engineer takes away ---------------------------------------------------------

TAKE_AWAY := build/take/$(if $(CPU),$(CPU)-$(FLOAT),$(BOARD))-$(VARIANT)
# The headers carry the configuration they were built with, so that no -D has to be repeated.
CONFIG_LINES = $(patsubst -D%,\#define %\n,$(subst =, ,$(subst ',,$(filter-out -DTC_CONFIG%,$(DEFINES)))))

.PHONY: lib
lib: $(LIBRARY) ## libtinycontact.a, headers, pkg-config file and flags, by BOARD= or by CPU= FLOAT=, PROFILE=
	@rm -rf $(TAKE_AWAY) && mkdir -p $(TAKE_AWAY)/include $(TAKE_AWAY)/lib/pkgconfig
	@cp lib/*.h $(PORT_INLINE) $(TC_CONFIG) $(TAKE_AWAY)/include/
	@printf '%b' '$(CONFIG_LINES)$(if $(TC_CONFIG),#define TC_CONFIG "$(notdir $(TC_CONFIG))"\n)' > $(B)/config.lines
	@sed -i -e '/^#define TC_CONFIG_H$$/r $(B)/config.lines' $(TAKE_AWAY)/include/tc_config.h
	@cp $(LIBRARY) LICENSE $(TAKE_AWAY)/lib/
	@printf '%s\n' '$(strip $(ABI_FLAGS))' > $(TAKE_AWAY)/flags.txt
	@printf '%s\n' 'prefix=$${pcfiledir}/../..' '' 'Name: tinycontact' \
	  'Description: contact models for microcontrollers ($(VARIANT), $(TARGET))' \
	  'Version: $(VERSION)' 'Cflags: -I$${prefix}/include $(strip $(ABI_FLAGS))' \
	  'Libs: -L$${prefix}/lib -ltinycontact -lm' > $(TAKE_AWAY)/lib/pkgconfig/tinycontact.pc
	@echo "$(TAKE_AWAY): $$(cd $(TAKE_AWAY) && ls lib/*.a include/tinycontact.h lib/pkgconfig/*.pc flags.txt | tr '\n' ' ')"
VERSION := $(shell sed -n 's/^.define TC_VERSION_TEXT "\(.*\)"/\1/p' lib/tinycontact.h)

# The host build as a shared object, for the Python package.
SHARED := build/shared-$(VARIANT)/libtinycontact.so
$(SHARED): $(LIB_SOURCES) $(wildcard lib/*.h port/*.h port/portable/*.h) $(if $(USES_CMSIS),$(CMSIS_SOURCES))
	@mkdir -p $(@D)
	$(Q)$(CC) $(filter-out -MMD -MP -g -fcallgraph-info=su,$(CFLAGS)) -fPIC -shared $(LIB_SOURCES) \
	  $(if $(USES_CMSIS),-w $(CMSIS_INCLUDES) $(CMSIS_DEFINES) $(CMSIS_SOURCES)) -lm -o $@
.PHONY: shared
shared: $(SHARED)
	@echo $(SHARED)

-include $(shell find $(B)/obj -name '*.d' 2>/dev/null)
