# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
#
# tinycontact: the one entrance. `make help` lists the targets and the choices.
#
# One run of make builds ONE configuration, named by the variables below; everything of it lies in
# build/$(CONFIG)/. Targets that need several configurations (test, bench, size) call make again.

# No built-in rules: they would try to make the .d files out of objects.
MAKEFLAGS += --no-builtin-rules

## Choices, each as VARIABLE=value on the command line:
BOARD   ?= host#            a folder in boards/
CPU     ?=#                 for `make lib` without a board: see port/cpus.mk, with FLOAT
FLOAT   ?= hard#            hard or soft
PROFILE ?= exact#           exact (the reference's bits) or fast
PORT    ?=#                 take ALL kernels of one backend in port/ (tests); empty: as the profile says
TANH    ?= table#           table (4 KB, quicker) or small
UNROLL  ?=#                 1: unrolled kernels for sizes 2, 3, 4, 6, 12; 0: loops only, smaller; empty: 1 with an FPU
OPT     ?= -O2
APP     ?= hello#           firmware application, a folder in boards/apps/
TC_CONFIG ?=#               a header of yours that replaces defaults of lib/base/tc_config.h
REAL    ?= float#           double: the host's reference build
SANITIZE ?=#                address,undefined (host)
HOSTCC  ?= gcc
PYTHON  ?= python3
CROSS   ?= arm-none-eabi-
WERROR  ?=
GATHER  ?=#                 set by `make golden`: print the hashes instead of comparing them

V       ?=#                 1: show the commands
Q := $(if $(V),,@)
# A short line per file, unless make -s asked for silence.
SAY = @$(if $(findstring s,$(firstword -$(MAKEFLAGS))),:,echo ' ')

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
  $(TC_CONFIG),-$(notdir $(basename $(TC_CONFIG))))$(if $(GATHER),-gather)
CONFIG := $(TARGET)-$(VARIANT)
B := build/$(CONFIG)

# ---- Flags ---------------------------------------------------------------------------------------

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
CFLAGS := -std=c11 $(OPT) -g $(ABI_FLAGS) -fno-math-errno -ffunction-sections -fdata-sections $(WARN) \
          $(DEFINES) $(INCLUDES) $(if $(SANITIZE),-fsanitize=$(SANITIZE) -fno-sanitize-recover=all) -MMD -MP
ifneq ($(HOSTCC)$(BOARD_CPU),clanghost)
  CFLAGS += -fcallgraph-info=su
endif
CMSIS_DEFINES := $(if $(filter host,$(BOARD_CPU)),-D__GNUC_PYTHON__)
CMSIS_INCLUDES := -isystem $(THIRD)/CMSIS-DSP/Include -isystem $(THIRD)/CMSIS-DSP/PrivateInclude \
                  -isystem $(THIRD)/CMSIS-Core/Include

# ---- The library ---------------------------------------------------------------------------------

# The floors of lib/, and those that each may see: a file is compiled with -I of these and no other, so that an include
# that goes up or across does not compile.
SEES.base := base
SEES.math := $(SEES.base) math
SEES.net := $(SEES.math) net
SEES.model := $(SEES.net) model
SEES.solve := $(SEES.math) solve
SEES.mechanics := $(SEES.math) mechanics
SEES.shape := $(SEES.mechanics) shape
SEES.learned := $(SEES.shape) net model solve learned
SEES.step := $(SEES.learned) step
SEES.cdl := $(SEES.model) solve cdl
SEES.estimator := $(SEES.learned) estimator
SEES.wire := $(SEES.base) wire
flags_of = $(if $(filter lib/%,$1),$(filter-out -Ilib%,$(CFLAGS)) \
  $(addprefix -Ilib/,$(SEES.$(word 2,$(subst /, ,$1)))),$(CFLAGS)) $(if $(filter lib/% port/%,$1),-Wconversion)

KERNELS := $(sort $(basename $(notdir $(wildcard port/portable/*.c))))
TAKEN := $(if $(PORT),$(foreach f,$(wildcard port/$(PORT)/*.c port/$(PORT)/*.S),$(basename $(notdir $f)):$(PORT)), \
  $(TAKE.$(PROFILE).$(CPU_PORT.$(CPU_KEY))))
backend_of = $(or $(patsubst $(1):%,%,$(filter $(1):%,$(TAKEN))),portable)
KERNEL_SOURCES := $(foreach k,$(KERNELS),$(firstword $(wildcard port/$(call backend_of,$k)/$k.c port/$(call backend_of,$k)/$k.S)))
LIB_SOURCES := $(wildcard lib/*/*.c) $(KERNEL_SOURCES)
ifeq ($(REAL),double)
  LIB_SOURCES := $(filter-out $(DOUBLE_REPLACED),$(LIB_SOURCES)) $(DOUBLE_SOURCES)
endif
LIB_OBJECTS := $(addprefix $(B)/obj/,$(addsuffix .o,$(basename $(LIB_SOURCES))))
LIBRARY := $(B)/libtinycontact.a
PUBLIC_HEADERS := lib/tinycontact.h lib/tinycontact_old_names.h $(foreach h,$(shell sed -n 's,^.include "\(tc_.*\)",\1,p' lib/tinycontact.h),$(wildcard lib/*/$h))
USES_CMSIS := $(filter port/cmsis-dsp/%,$(KERNEL_SOURCES))

# Objects depend on the flags they were made with.
FLAG_TEXT = $(subst ",,$(subst ',,$(CC) $(CFLAGS) $(PORT_DEFINES.$(PROFILE))))
$(B)/flags: FORCE
	@mkdir -p $(@D)
	@printf '%s\n' '$(FLAG_TEXT)' | cmp -s - $@ || printf '%s\n' '$(FLAG_TEXT)' > $@
.PHONY: FORCE
FORCE:

$(B)/obj/%.o: %.c $(B)/flags
	@mkdir -p $(@D)
	$(SAY) CC $<
	$(Q)$(CC) $(call flags_of,$<) $(EXTRA_FLAGS) -c $< -o $@
$(B)/obj/%.o: %.S $(B)/flags
	@mkdir -p $(@D)
	$(SAY) AS $<
	$(Q)$(CC) $(CFLAGS) $(EXTRA_FLAGS) -c $< -o $@
$(B)/obj/port/cmsis-dsp/%.o: EXTRA_FLAGS = $(CMSIS_INCLUDES) $(CMSIS_DEFINES)
$(foreach p,helium cortex-m4,$(eval $(B)/obj/port/$p/%.o: EXTRA_FLAGS = -Iport/$p $(PORT_DEFINES.$(PROFILE))))
# `fast` fuses, and CMSIS-DSP sums in an order of its own: they are held to tolerances, not to bits.
EXACT := $(if $(filter fast,$(PROFILE))$(filter cmsis-dsp,$(PORT)),0,1)
BUILD_DEFINES := -DTC_BUILD_PROFILE='"$(or $(PORT)$(if $(PORT),$(if $(filter fast,$(PROFILE)),-fast)),$(PROFILE))"' \
  -DTC_BUILD_PORT='"$(CPU_PORT.$(CPU_KEY))"' -DTC_BUILD_EXACT=$(EXACT)
$(B)/obj/lib/base/tc_version.o $(B)/obj/lib/math/tc_selfcheck.o: EXTRA_FLAGS = $(BUILD_DEFINES)

# Whole or not there: jobs of a test run make the same archive side by side.
$(LIBRARY): $(LIB_OBJECTS)
	$(Q)rm -f $@.$$$$ && $(AR) rcs $@.$$$$ $^ && mv $@.$$$$ $@

# CMSIS-DSP's files as an archive of their own, for the backend that calls it and for the peers in
# the bench.
CMSIS_SOURCES := $(wildcard $(THIRD)/CMSIS-DSP/Source/MatrixFunctions/*_f32.c $(THIRD)/CMSIS-DSP/Source/BasicMathFunctions/*_f32.c)
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
# Two folders of one name are two applications: outside boards/apps the whole path names the image.
ifeq ($(wildcard $(or $(APP_FOLDER),nowhere)/*.c),)
  APP_FOLDER := none
endif
APP_NAME := $(subst /,-,$(patsubst ./%,%,$(patsubst boards/apps/%,%,$(APP_FOLDER))))
APP_OBJECTS = $(patsubst %,$(B)/obj/%.o,$(basename $(wildcard $(APP_FOLDER)/*.c))) \
  $(patsubst %,$(B)/obj/%.o,$(wildcard $(APP_FOLDER)/*.tcm))
LINK = $(CC) $(ABI_FLAGS) $(OPT) $(if $(SANITIZE),-fsanitize=$(SANITIZE)) -Wl,--gc-sections $(BOARD_LINK)
IMAGE := $(if $(filter host,$(BOARD_CPU)),,.elf)
# How an image is run: under QEMU with the board's UART on standard input and output, or at once. The runner ends
# QEMU when nobody reads its output any more; whoever starts QEMU as a process of their own says RUNNER= (nothing).
RUNNER := $(PYTHON) tools/run_board.py
RUN = $(if $(BOARD_QEMU),$(RUNNER) $(BOARD_QEMU) -kernel ,./)
$(B)/obj/$(APP_FOLDER)/%.o $(B)/obj/boards/%.o $(B)/obj/tests/%.o: EXTRA_FLAGS = -Iboards -Itests/unit -I$(THIRD)/Unity \
  -DUNITY_INCLUDE_CONFIG_H -DTEST_EXACT=$(EXACT)

$(B)/app/$(APP_NAME)$(IMAGE): $(APP_OBJECTS) $(BOARD_OBJECTS) $(LIBRARY) $(if $(USES_CMSIS),$(CMSIS_LIBRARY)) $(BOARD_LINK_FILES)
	@$(if $(filter-out none,$(APP_FOLDER)),,echo "no application '$(APP)': neither boards/apps/$(APP) nor $(APP) is a folder with a .c file"; exit 1)
	@mkdir -p $(@D)
	$(SAY) LINK $@
	$(Q)$(LINK) $(filter %.o %.a,$^) -lm -o $@

# A model file beside the sources is linked as it is: friction.tcm gives friction_tcm[] and friction_tcm_size.
tcm_symbol = $(subst -,_,$(subst .,_,$(notdir $(1))))_tcm
$(B)/obj/%.tcm.o: %.tcm $(B)/flags
	@mkdir -p $(@D)
	@n=$(call tcm_symbol,$*); printf '%s\n' '.section .rodata.'$$n',"a"' '.balign 16' ".global $$n" "$$n: .incbin \"$<\"" '.balign 4' \
	  ".global $${n}_size" "$${n}_size: .word $${n}_size - $$n" \
	  $(if $(filter host,$(BOARD_CPU)),'.section .note.GNU-stack$(comma)""$(comma)@progbits') > $@.S
	$(Q)$(CC) $(ABI_FLAGS) -c $@.S -o $@

# A model of tests/ as it is flashed: for this core, without what only a host reads, as a file and as C.
MODEL_CORE.cortex-m4 := cortex-m4
MODEL_CORE.cortex-m7 := cortex-m4
MODEL_CORE.cortex-m55 := helium
.SECONDARY:
$(B)/flash/%.tcm: tests/models/%.tcm $(wildcard tools/tinycontact/*.py)
	@mkdir -p $(@D)
	@PYTHONPATH=tools $(VENV_PYTHON) -m tinycontact model strip $< --core $(or $(MODEL_CORE.$(CPU_PORT.$(CPU_KEY))),portable) -o $@ --c $(basename $@) > /dev/null

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

UNIT_OBJECTS := $(patsubst %.c,$(B)/obj/%.o,$(filter-out %/main.c,$(wildcard tests/unit/*.c))) $(B)/obj/$(THIRD)/Unity/unity.o \
  $(B)/obj/tests/models/ball.tcm.o $(B)/obj/tests/models/cradle.tcm.o
# One image with all suites, or one per group where RAM is short.
UNITS := $(patsubst %,$(B)/unit-%$(IMAGE),$(or $(BOARD_TEST_GROUPS),0))
UNIT := $(firstword $(UNITS))
$(B)/obj/tests/unit/main-%.o: tests/unit/main.c $(B)/flags
	@mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS) $(EXTRA_FLAGS) -DTEST_GROUP=$* -c $< -o $@

# The reference kernels, plain C without the port's TC_MLA, stand beside the linked ones under the prefix ref_.
REFERENCE_OBJECTS := $(KERNELS:%=$(B)/reference/%.o)
$(B)/reference/%.o: port/portable/%.c $(B)/flags
	@mkdir -p $(@D)
	$(Q)$(CC) $(filter-out -DTC_PORT_INLINE%,$(CFLAGS)) -c $< -o $@
$(B)/reference.o: $(REFERENCE_OBJECTS)
	$(Q)$(NM) -g --defined-only $^ | awk '$$3 ~ /^tc_kernel_/ {n=$$3; sub(/^tc_/,"ref_",n); print $$3, n}' > $(B)/reference.syms
	$(Q)$(CC) $(ABI_FLAGS) -r -nostdlib -o $@.tmp $^
	$(Q)$(OBJCOPY) --redefine-syms=$(B)/reference.syms $@.tmp $@

$(B)/unit-%$(IMAGE): $(B)/obj/tests/unit/main-%.o $(UNIT_OBJECTS) $(B)/reference.o $(BOARD_OBJECTS) $(LIBRARY) $(if $(USES_CMSIS),$(CMSIS_LIBRARY)) $(BOARD_LINK_FILES)
	$(Q)$(LINK) $(filter %.o %.a,$^) -lm -o $@

.PHONY: golden
golden: ## rewrite tests/vectors/golden.h from the host build, after a deliberate change of the bits
	@for t in table small; do $(MAKE) -s run-unit BOARD=host TANH=$$t GATHER=1 | grep '^golden ' > build/golden.$$t; done
	@paste -d' ' build/golden.table build/golden.small \
	  | awk '!seen[$$2]++ {printf "    {\"%s\", %s, %s},\n", $$2, $$3, $$6}' > build/golden.rows
	@sed -i -e '/^    {"/d' -e '/golden_hashes\[\] = {/r build/golden.rows' tests/vectors/golden.h
	@git diff --stat -- tests/vectors/golden.h

.PHONY: run-unit
run-unit: $(UNITS)
	@bad=0; for image in $(UNITS); do $(RUN)$$image || bad=1; done; exit $$bad

# ---- What a firmware engineer takes away ---------------------------------------------------------

TAKE_AWAY := build/take/$(if $(CPU),$(CPU)-$(FLOAT),$(BOARD))-$(VARIANT)
# The headers carry the configuration they were built with, so that no -D has to be repeated.

.PHONY: lib
lib: $(LIBRARY) ## libtinycontact.a, headers, pkg-config file and flags, by BOARD= or by CPU= FLOAT=, PROFILE=
	@rm -rf $(TAKE_AWAY) && mkdir -p $(TAKE_AWAY)/include $(TAKE_AWAY)/lib/pkgconfig
	@cp $(PUBLIC_HEADERS) $(addsuffix *.h,$(dir $(PORT_INLINE))) $(TC_CONFIG) $(TAKE_AWAY)/include/
	@printf '%s\n' $(filter-out -DTC_CONFIG%,$(DEFINES)) $(if $(TC_CONFIG),-DTC_CONFIG='"$(notdir $(TC_CONFIG))"') \
	  | sed -n 's/^-D\([^=]*\)=*\(.*\)/#define \1 \2/p' > $(B)/config.lines
	@sed -i -e '/^#define TC_CONFIG_H$$/r $(B)/config.lines' $(TAKE_AWAY)/include/tc_config.h
	@cp $(LIBRARY) LICENSE $(TAKE_AWAY)/lib/
	@printf '%s\n' '$(strip $(ABI_FLAGS))' > $(TAKE_AWAY)/flags.txt
	@printf '%s\n' 'prefix=$${pcfiledir}/../..' '' 'Name: tinycontact' \
	  'Description: contact models for microcontrollers ($(VARIANT), $(TARGET))' \
	  'Version: $(VERSION)' 'Cflags: -I$${prefix}/include $(strip $(ABI_FLAGS))' \
	  'Libs: -L$${prefix}/lib -ltinycontact -lm' > $(TAKE_AWAY)/lib/pkgconfig/tinycontact.pc
	@echo "$(TAKE_AWAY): $$(cd $(TAKE_AWAY) && ls lib/*.a include/tinycontact.h lib/pkgconfig/*.pc flags.txt | tr '\n' ' ')"
VERSION := $(shell sed -n 's/^.define TC_VERSION_TEXT "\(.*\)"/\1/p' lib/base/tc_version.h)

# The host build as a shared object, for the Python package, with whole roll-outs beside the library's own calls.
SHARED := build/shared-$(VARIANT)/libtinycontact.so
NATIVE_SOURCES := $(wildcard tools/native/*.c)
$(SHARED): $(LIB_SOURCES) $(NATIVE_SOURCES) $(wildcard lib/*.h lib/*/*.h port/*.h port/portable/*.h tools/native/*.h) $(if $(USES_CMSIS),$(CMSIS_SOURCES))
	@mkdir -p $(@D)
	$(Q)$(CC) $(filter-out -MMD -MP -g -fcallgraph-info=su,$(CFLAGS)) $(BUILD_DEFINES) -fPIC -shared $(LIB_SOURCES) $(NATIVE_SOURCES) \
	  $(if $(USES_CMSIS),-w $(CMSIS_INCLUDES) $(CMSIS_DEFINES) $(CMSIS_SOURCES)) -lm -o $@.$$$$ && mv $@.$$$$ $@
.PHONY: shared
shared: $(SHARED)
	@echo $(SHARED)

# ---- Setting up ----------------------------------------------------------------------------------

GROUPS ?= demo
.PHONY: setup python
setup: ## install and fetch what is needed (GROUPS=demo, test, prove, python, sim, train, flash; default demo); quiet if all is there
	@$(PYTHON) tools/setup --group $(GROUPS)

python: ## build/venv/bin/tinycontact: export, inspect, quantise and evaluate nets from Python
	@$(PYTHON) tools/setup --group demo python
	@echo "build/venv/bin/tinycontact --help"

# ---- Tests ---------------------------------------------------------------------------------------

# One job per configuration: each board with each profile and each backend it can run, and on the
# host both compilers, no optimisation, double precision, sanitizers and the small-flash choices. `fast`
# runs where it links other code than `exact` (M55), and once where it does not.
ports_of = $(shell sed -n 's/^BOARD_EXACT_PORTS := //p' boards/$(1)/board.mk)
BOARDS := $(filter-out host,$(notdir $(patsubst %/board.mk,%,$(wildcard boards/*/board.mk))))
UNIT_JOBS := BOARD=host BOARD=host,HOSTCC=clang BOARD=host,OPT=-O0 BOARD=host,HOSTCC=clang,OPT=-O0 \
  BOARD=host,OPT=-O3 BOARD=host,PROFILE=fast BOARD=host,PORT=cmsis-dsp BOARD=host,TANH=small BOARD=host,UNROLL=0 \
  BOARD=host,REAL=double BOARD=host,HOSTCC=clang$(comma)SANITIZE=address+undefined \
  BOARD=mps3-an547,PROFILE=fast BOARD=mps2-an386,PROFILE=fast \
  $(foreach b,$(BOARDS),BOARD=$b $(foreach p,$(call ports_of,$b),BOARD=$b,PORT=$p)) \
  BOARD=mps2-an386,TANH=small BOARD=mps2-an386,UNROLL=0 BOARD=mps2-an385,UNROLL=1 BOARD=mps2-an386,OPT=-O0 \
  BOARD=mps3-an547,TANH=small BOARD=mps3-an547,OPT=-O3 BOARD=mps3-an547,PORT=helium,PROFILE=fast
PYTHON_JOBS := $(patsubst tests/python/%.py,%,$(wildcard tests/python/test_*.py)) \
  $(patsubst tests/evidence/%.py,%,$(wildcard tests/evidence/test_*.py))
VENV_PYTHON := build/venv/bin/python
ONLY ?=

# Under another name: a line that holds $(MAKE) itself is run by `make -n`, too.
AGAIN = $(MAKE)
.PHONY: test
test: ## every test there is, on host and boards, with one total (ONLY=text: the jobs whose label has it)
	@$(PYTHON) tools/setup --group test train
	@$(PYTHON) tools/run_tests.py --only '$(ONLY)' \
	  $(foreach j,$(UNIT_JOBS),'unit $(subst $(comma), ,$j) :: $(AGAIN) -s run-unit WERROR=1 $(subst +,$(comma),$(subst $(comma), ,$j))') \
	  $(foreach j,$(PYTHON_JOBS),'python $j :: $(VENV_PYTHON) $(wildcard tests/*/$j.py)') \
	  $(foreach b,$(COUNTED),'budget $b :: $(AGAIN) -s budget-one BOARD=$b') 'table :: $(AGAIN) -s table-check' 'fuzz :: $(AGAIN) -s fuzz SECONDS=20' 'lcp campaign :: $(AGAIN) -s lcp-campaign COUNT=1000' \
	  'trajectories :: $(AGAIN) -s fuzz-trajectories COUNT=8000' 'vectors :: $(AGAIN) -s vectors-check'

# ---- Evidence: instructions, stack, flash, symbols -----------------------------------------------

EVIDENCE := tools/evidence
MEASURED := tests/measured.csv
PLUGIN := build/qemu_count.so
$(PLUGIN): tools/qemu_count.c
	@mkdir -p $(@D)
	$(Q)gcc -O2 -Wall -Wextra -shared -fPIC $< -o $@.$$$$ && mv $@.$$$$ $@ # whole or not there: jobs run side by side

# The peers get what serves them best, by measurement: fused multiply-adds, and each its own -O.
PEER_FLAGS := -std=gnu11 -ffp-contract=fast
PEER_SOURCES := $(foreach f,arm_mat_mult_f32 arm_mat_vec_mult_f32 arm_mat_cholesky_f32 arm_mat_inverse_f32 \
  arm_mat_solve_lower_triangular_f32 arm_mat_init_f32 arm_add_f32 arm_dot_prod_f32 arm_mat_trans_f32,$(wildcard $(THIRD)/CMSIS-DSP/Source/*/$f.c))
BENCH_OBJECTS := $(patsubst %.c,$(B)/obj/%.o,$(wildcard tests/bench/bench*.c) tests/unit/leg_case.c) $(patsubst %.c,$(B)/peer/%.o,$(PEER_SOURCES))
$(B)/obj/tests/bench/bench_cmsis.o: EXTRA_FLAGS += $(CMSIS_INCLUDES) $(PEER_FLAGS) -Ofast
$(B)/obj/tests/bench/bench_plain.o: EXTRA_FLAGS += $(PEER_FLAGS) -O3
$(B)/peer/%.o: %.c
	@mkdir -p $(@D)
	$(Q)$(CC) $(CPU_FLAGS.$(CPU_KEY)) $(PEER_FLAGS) -O2 -ffunction-sections -w $(CMSIS_INCLUDES) -c $< -o $@
$(B)/bench$(IMAGE): $(BENCH_OBJECTS) $(B)/obj/$(B)/flash/rectangle_i8.tcm.o $(BOARD_OBJECTS) $(LIBRARY) $(BOARD_LINK_FILES)
	$(Q)$(LINK) $(filter %.o %.a,$^) -lm -o $@

TIMING.cortex-m3 := timing_m4.csv
TIMING.cortex-m4 := timing_m4.csv
TIMING.cortex-m7 := timing_m7.csv
TIMING.cortex-m55 := timing_m55.csv
OBJDUMP := $(CROSS)objdump
OBJDUMP_FLAGS := $(if $(filter cortex-m55,$(BOARD_CPU)),--objdump-flags=-marmv8.1-m.main)
OUT ?=#                     a CSV to merge measurements into
TO_CSV = $(if $(OUT),--out $(OUT))
LIB_CI = $(LIB_OBJECTS:.o=.ci)
# Bytes of stack that any public function may take, and what the contact rooms may.
STACK_LIMITS := 400 tc_selfcheck=640 tc_estimator=1024 tc_momentum=768 tc_leg=512 tc_cdl=2048 tc_lcp=1024 tc_learned2=1536 tc_learned3=2048 \
  tc_foot2=1536 tc_foot3=2048 tc_limb2=2048 tc_limb3=2048 tc_root=1536 tc_body3=512 tc_detect3=512

.PHONY: bench-one stack-one size-one symbols-one
bench-one: $(B)/bench$(IMAGE) $(PLUGIN)
	@$(PYTHON) $(EVIDENCE)/bench.py --elf $< --qemu '$(BOARD_QEMU)' --plugin $(PLUGIN) --board $(BOARD) \
	  --profile $(VARIANT) --timing $(EVIDENCE)/$(TIMING.$(BOARD_CPU)) --objdump $(OBJDUMP) $(OBJDUMP_FLAGS) $(TO_CSV) $(BENCH_OPTIONS)
stack-one: $(LIBRARY) $(UNIT)
	@$(PYTHON) $(EVIDENCE)/stack.py --ci $(wildcard $(LIB_CI)) --header $(PUBLIC_HEADERS) --source $(LIB_SOURCES) --archive $(LIBRARY) \
	  --elf $(UNIT) $(shell $(CC) $(ABI_FLAGS) -print-file-name=libc.a) $(shell $(CC) $(ABI_FLAGS) -print-libgcc-file-name) --board $(BOARD) --profile $(VARIANT) --limit $(STACK_LIMITS) --objdump $(OBJDUMP) $(OBJDUMP_FLAGS) $(TO_CSV)
# Each footprint is linked from a library of its own: with and without the table, with all kinds of nets and with float only.
FLOAT_ONLY := TC_CONFIG=tests/bench/float_only.h
# A foot with its model: what a configuration leaves out, optimised for speed and (Os) for size, without and with
# the table for tanh, its model a file or (const) compiled in: $(call feet,KIND,MODEL,small or empty,-Os or empty).
foot_built = build/$(TARGET)-$(PROFILE)$(if $(2),-small)$(3)-contact_$(1)
foot_row = contact_$(1)$(5)$(if $(3),,_table)$(subst -,_,$(4))=$(call foot_built,$(1),$(3),$(4))/libtinycontact.a,tests/bench/footprint_contact.c,-DTC_TANH_TABLE=$(if $(3),0,1),-DTC_CONFIG=\"contact_$(1).h\",-Itests/bench
feet = $(call foot_row,$(1),$(2),$(3),$(4)),$(B)/obj/$(B)/flash/$(2).tcm.o,-DFOOTPRINT_MODEL=$(2)_tcm,-DFOOTPRINT_SIZE=$(2)_tcm_size \
  $(call foot_row,$(1),$(2),$(3),$(4),_const),$(B)/flash/$(2).c,-DFOOTPRINT_CONST=$(2)_model
FEET := $(foreach m,float:rectangle int8:rectangle_i8,$(foreach o,small: small:-Os :,$(call feet,$(firstword $(subst :, ,$m)),$(lastword $(subst :, ,$m)),$(filter small,$(subst :, ,$o)),$(filter -O%,$(subst :, ,$o)))))
# A leg's estimator: with and without the bank of hypotheses for any number of joints, for speed and for size.
TWO_JOINTS := TC_CONFIG=tests/bench/two_joints.h
leg_row = estimator_$(1)=build/$(CONFIG)$(2)/libtinycontact.a,tests/bench/footprint_estimator.c
LEGS := $(call leg_row,many) $(call leg_row,two,-two_joints) $(call leg_row,two_Os,-Os-two_joints)
size-one: $(LIBRARY) $(B)/obj/$(B)/flash/rectangle.tcm.o $(B)/obj/$(B)/flash/rectangle_i8.tcm.o
	@set -e; for c in float int8; do for o in small:-O2 small:-Os table:-O2; do \
	  $(MAKE) -s library BOARD=$(BOARD) TANH=$${o%:*} OPT=$${o#*:} TC_CONFIG=tests/bench/contact_$$c.h; done; done
	@set -e; for o in -O2 -Os; do $(MAKE) -s library BOARD=$(BOARD) OPT=$$o $(TWO_JOINTS); done
	@set -e; for t in table small; do $(MAKE) -s library BOARD=$(BOARD) TANH=$$t; $(MAKE) -s library BOARD=$(BOARD) TANH=$$t $(FLOAT_ONLY); done
	@$(PYTHON) $(EVIDENCE)/size.py --archive $(LIBRARY) --board $(BOARD) --profile $(VARIANT) \
	  --footprint net_eval_table=$(LIBRARY) net_eval_small=build/$(CONFIG)-small/libtinycontact.a \
	  float_net_table=build/$(CONFIG)-float_only/libtinycontact.a float_net_small=build/$(CONFIG)-small-float_only/libtinycontact.a $(FEET) $(LEGS) \
	  --footprint-source tests/bench/footprint.c --cc $(CC) --cflags='$(ABI_FLAGS) -Ilib' \
	  --objdump $(OBJDUMP) --nm $(NM) $(TO_CSV)
symbols-one: $(LIBRARY)
	@$(PYTHON) $(EVIDENCE)/symbols.py --archive $(LIBRARY) --nm $(NM) --objdump $(OBJDUMP) $(OBJDUMP_FLAGS) \
	  $(if $(filter soft,$(BOARD_FLOAT)),--soft-float)
.PHONY: library
library: $(LIBRARY)


# Boards whose instructions are counted; the others run the same code as one of these.
COUNTED := mps2-an386 mps2-an500 mps3-an547
each_counted = for b in $(COUNTED); do $(MAKE) -s $(1) BOARD=$$b OUT='$(OUT)' || exit 1; done

.PHONY: bench stack size symbols measure budget
bench: ## instructions and estimated cycles of every function and size, ours beside the peers, against the floors
	@$(PYTHON) tools/setup --group demo python
	@$(call each_counted,bench-one)
	@$(MAKE) -s bench-one BOARD=mps3-an547 PROFILE=fast OUT='$(OUT)'
	@for b in $(COUNTED); do $(MAKE) -s bench-one BOARD=$$b PORT=portable OUT='$(OUT)' || exit 1; done
	@$(PYTHON) $(EVIDENCE)/budget.py --measured $(or $(OUT),$(MEASURED)) --targets tests/targets.csv

stack: ## worst-case stack of every public function, from the call graph
	@$(PYTHON) tools/setup --group demo
	@$(call each_counted,stack-one)
	@$(MAKE) -s stack-one BOARD=mps2-an385 OUT='$(OUT)'

size: ## flash and RAM per object, and of what a small application links
	@$(PYTHON) tools/setup --group demo python
	@$(call each_counted,size-one)

symbols: ## proof from the symbols: no heap, no stdio, no libm but sqrtf, no double, no writable static data
	@$(PYTHON) tools/setup --group demo
	@$(call each_counted,symbols-one)
	@$(MAKE) -s symbols-one BOARD=mps2-an385

# The worst inputs that the hunt has found so far are counted again; the hunt itself runs for minutes.
.PHONY: hunt hunt-record
hunt: ## search for inputs that cost most instructions (random, then hill-climbing): tests/hunt/worst.csv
	@$(PYTHON) tools/setup --group demo python
	@$(VENV_PYTHON) tests/hunt/hunt.py
hunt-record: ## count the worst inputs found again
	@$(PYTHON) tools/setup --group demo
	@$(PYTHON) tests/hunt/record.py $(TO_CSV)

measure: ## bench, stack and size into tests/measured.csv, the budget and the README's table (after an improvement)
	@rm -f $(MEASURED)
	@for t in bench stack size hunt-record; do $(MAKE) -s $$t OUT=$(MEASURED) > build/$$t.log || { tail -n 20 build/$$t.log; exit 1; }; done
	@$(PYTHON) $(EVIDENCE)/budget.py --measured $(MEASURED) --budget tests/budget.csv --targets tests/targets.csv --update
	@$(PYTHON) $(EVIDENCE)/table.py --measured $(MEASURED) --readme README.md --write

# A job per board, so that two cores share the work. The board without an FPU has only a stack to budget.
BUDGET_CSV = build/measured-$(BOARD).csv
BUDGET_PARTS.mps2-an386 := stack-one~BOARD=mps2-an385 symbols-one~BOARD=mps2-an385 hunt-record
BUDGET_PARTS.mps3-an547 := bench-one~BOARD=mps3-an547~PROFILE=fast
.PHONY: budget-one table-check
budget-one:
	@$(PYTHON) tools/setup --group demo python
	@rm -f $(BUDGET_CSV)
	@for t in bench-one bench-one~PORT=portable stack-one size-one symbols-one $(BUDGET_PARTS.$(BOARD)); do \
	  $(MAKE) -s BOARD=$(BOARD) $$(echo $$t | tr '~' ' ') OUT=$(BUDGET_CSV) > $(BUDGET_CSV).log 2>&1 || { tail -n 20 $(BUDGET_CSV).log; exit 1; }; done
	@$(PYTHON) $(EVIDENCE)/budget.py --measured $(BUDGET_CSV) --budget tests/budget.csv
	@echo '1 passed, 0 failed'

budget: ## measure again and compare with tests/budget.csv: a regression fails; the README must show the numbers
	@for b in $(COUNTED); do $(MAKE) -s budget-one BOARD=$$b || exit 1; done
	@$(MAKE) -s table-check

table-check:
	@$(PYTHON) $(EVIDENCE)/budget.py --measured $(MEASURED) --targets tests/targets.csv
	@$(PYTHON) $(EVIDENCE)/table.py --measured $(MEASURED) --readme README.md --check
	@echo '1 passed, 0 failed'

# ---- Hardware in the loop ------------------------------------------------------------------------

PLANT ?= hopper#            hopper or leg
SEED  ?= 1
HIL_SECONDS = $(if $(filter command environment,$(firstword $(origin SECONDS))),$(SECONDS),10)
.PHONY: hil
hil: ## firmware on an emulated board, a simulated leg at its UART: BOARD=, PLANT=, SEED=, SECONDS= (build/hil)
	@$(PYTHON) tools/setup --group demo sim
	@PYTHONPATH=tools $(VENV_PYTHON) -m tinycontact leg hil run --board $(if $(filter file,$(origin BOARD)),$(DEMO_BOARD),$(BOARD)) \
	  --plant $(PLANT) --seed $(SEED) --seconds $(HIL_SECONDS) -o build/hil/$(PLANT)
	@PYTHONPATH=tools $(VENV_PYTHON) -m tinycontact leg hil replay build/hil/$(PLANT)/log.bin

# ---- What a person sees first --------------------------------------------------------------------

DEMO_BOARD := mps2-an386
.PHONY: demo
demo: ## on an emulated Cortex-M4F: a leg hops and slips, contact true beside estimated (build/demo.png); throws, systems that strike, costs
	@$(PYTHON) tools/setup --group demo sim
	@mkdir -p build
	@$(VENV_PYTHON) tools/demo.py --hil build/hil/demo --leg-picture build/demo.png --unit '$(MAKE) -s run-unit BOARD=$(DEMO_BOARD)' \
	  --throws '$(MAKE) -s run BOARD=$(DEMO_BOARD) APP=throw' --shape tests/models/shapes/rectangle.json --picture build/demo_throw.png \
	  --systems tests/models/systems.json --models tests/models --system-picture build/demo_cdl.png --measured $(MEASURED) --board $(DEMO_BOARD)

# ---- Slow evidence: results are committed, these make them again ---------------------------------

SECONDS ?= 60
CLANG_FUZZ := clang -g -O1 -std=c11 -ffp-contract=off -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all -Ilib $(patsubst %/,-I%,$(wildcard lib/*/)) -Iport
.PHONY: fuzz prove math-exhaustive vectors vectors-check lcp-campaign fuzz-trajectories mutate
build/fuzz_%: tests/fuzz/fuzz_%.c $(wildcard lib/*/*.c lib/*.h lib/*/*.h port/portable/*.c)
	@mkdir -p build
	$(Q)$(CLANG_FUZZ) $(filter %.c,$^) -lm -o $@
FUZZ ?= model wire
fuzz: $(FUZZ:%=build/fuzz_%) ## libFuzzer on the model reader and the nets it opens, and on the wire (FUZZ=model or wire), for SECONDS= each
	@mkdir -p $(FUZZ:%=build/corpus/%) && $(PYTHON) tools/ref/net_vectors.py --blobs build/corpus/model
	@bad=0; for f in $(FUZZ); do ./build/fuzz_$$f -max_total_time=$(SECONDS) -max_len=4096 -timeout=5 -print_final_stats=1 build/corpus/$$f > build/fuzz_$$f.log 2>&1 \
	  && sed -n "s/^stat::number_of_executed_units: *\(.*\)/fuzz $$f: \1 inputs, none of them did harm/p" build/fuzz_$$f.log \
	  || { tail -n 40 build/fuzz_$$f.log; bad=$$((bad + 1)); }; done; echo "$$(($(words $(FUZZ)) - bad)) passed, $$bad failed"; test $$bad = 0

COUNT ?= 100000
build/lcp_campaign: tests/lcp/campaign.c tests/unit/lcp_families.c $(LIBRARY)
	$(Q)$(CC) $(CFLAGS) -MF $@.d -Itests/unit $^ -lm -o $@
lcp-campaign: build/lcp_campaign ## COUNT= complementarity problems per family and size, judged in double (100000: two minutes)
	@./build/lcp_campaign $(COUNT) > build/lcp_campaign.log && tail -n 3 build/lcp_campaign.log && echo '1 passed, 0 failed' \
	  || { tail -n 20 build/lcp_campaign.log; echo '0 passed, 1 failed'; exit 1; }

# Whole trajectories, judged step by step; a failure prints what ONE= replays, with a line per step.
TRAJECTORY_OBJECTS := $(patsubst %.c,$(B)/obj/%.o,$(wildcard tests/trajectories/*.c) boards/common/print.c \
  $(addprefix tests/unit/,test.c coulomb_case.c dacm_case.c spatial_case.c limb_case.c)) $(B)/obj/$(THIRD)/Unity/unity.o \
  $(patsubst %,$(B)/obj/tests/models/%.tcm.o,rectangle link box ball cradle)
ONE ?=#                     seed:index
PROCESSES ?= $(shell nproc)
TRAJECTORIES_CSV = $(or $(OUT),build/trajectories.csv)
$(B)/trajectories: $(TRAJECTORY_OBJECTS) $(LIBRARY)
	$(Q)$(LINK) $(filter %.o %.a,$^) -lm -o $@
fuzz-trajectories: $(B)/trajectories ## COUNT= random trajectories of bodies, limbs and systems, every step judged (100000: a minute or two); SEED=, OUT=; ONE=seed:index replays one
	@$(if $(ONE),$< $(ONE),$< $(COUNT) $(SEED) $(PROCESSES) > $(TRAJECTORIES_CSV))

MUTANTS = $(if $(filter file,$(origin COUNT)),200,$(COUNT))
mutate: ## COUNT= random changes of lib/ (200), each tried on the tests: who survives, and the rate (a quarter of an hour; goes on where it was); SEED=, OUT=
	@$(PYTHON) $(EVIDENCE)/mutate.py --count $(MUTANTS) --seed $(SEED) --out $(or $(OUT),build/mutants.csv)

math-exhaustive: ## every elementary function over all 2^32 floats into tests/math_errors.csv (about an hour)
	@for t in 1 0; do $(HOSTCC) -O2 -std=c11 -ffp-contract=off -fno-math-errno -DTC_TANH_TABLE=$$t -Ilib -Itests tests/math_exhaustive.c \
	   lib/math/tc_math.c lib/math/tc_softplus_table.c lib/math/tc_tanh_table.c -lm -o build/math_exhaustive.$$t || exit 1; done
	@build/math_exhaustive.1 > build/math_errors.csv && for f in tanh.small sigmoid.small softplus.small; do build/math_exhaustive.0 $$f; done >> build/math_errors.csv
	@mv build/math_errors.csv tests/math_errors.csv

prove: ## abstract interpretation of the readers of model files and of the wire on arbitrary bytes (Frama-C): no alarm, or explained
	@$(PYTHON) tools/setup --group demo prove
	@$(PYTHON) tests/prove/prove.py

# math.h and the tables come from math_vectors.py, math_table.py and softplus_table.py, which want mpmath; see their heads.
vectors_into = $(PYTHON) tools/ref/mat_vectors.py products > $(1)/mat_products.h && \
  $(PYTHON) tools/ref/mat_vectors.py definite > $(1)/mat_definite.h && $(PYTHON) tools/ref/net_vectors.py $(1)
vectors: ## make tests/vectors again from tools/ref, which never loads the library
	@$(call vectors_into,tests/vectors)
vectors-check: ## whether the committed vectors are what tools/ref makes
	@mkdir -p build/vectors && $(call vectors_into,build/vectors)
	@bad=0; for f in build/vectors/*.h; do cmp $$f tests/vectors/$$(basename $$f) || bad=$$((bad + 1)); done; \
	  echo "$$(($$(ls build/vectors/*.h | wc -l) - bad)) passed, $$bad failed"; test $$bad = 0

.PHONY: models evaluate speed cdl-evaluate cdl-rows hil-evaluate hil-scales hil-faults
models: ## train the committed models again (tests/models, a quarter of an hour)
	@$(PYTHON) tools/setup --group demo train
	@$(VENV_PYTHON) tests/models/make.py
evaluate: ## judge them: fresh states, 1,000 throws, other floors, logs, the paper's baseline (hours; tests/models/evaluation.csv)
	@$(PYTHON) tools/setup --group demo train
	@$(VENV_PYTHON) tests/models/evaluate.py
BOX2D ?= $(wildcard $(THIRD)/box2d)
speed: ## steps per second on the host beside DART's, MuJoCo's and (BOX2D=checkout) Box2D's own, side by side
	@$(PYTHON) tools/setup --group demo sim
	@$(VENV_PYTHON) -m tinycontact.peers.speed --model tests/models/rectangle.tcm $(if $(BOX2D),--box2d $(BOX2D))
cdl-evaluate: ## train and judge the CD-Lagrange networks and their peers, 20 seeds (tests/cdl/evaluation.csv, report in build/cdl)
	@$(PYTHON) tools/setup --group demo train
	@$(VENV_PYTHON) -m tinycontact cdl evaluate --out tests/cdl/evaluation.csv --report build/cdl
hil-evaluate: ## judge the contact estimators on fresh episodes (hours of one core; tests/hil/evaluation.csv, pictures in build/hil)
	@$(PYTHON) tools/setup --group demo train
	@$(VENV_PYTHON) -m tinycontact leg hil evaluate -o tests/hil/evaluation.csv --report build/hil
hil-scales: ## the same on legs of 0.3 to 30 kg, other encoders, noise and ticks (minutes; tests/hil/scales.csv)
	@$(PYTHON) tools/setup --group demo sim
	@$(VENV_PYTHON) -m tinycontact leg hil evaluate-scales -o tests/hil/scales.csv

FAULTY := $(if $(filter file,$(origin BOARD)),$(BOARDS),$(BOARD))
hil-faults: ## every fault of line, board and uploads, with 10,000,000 random bytes, on each emulated board or BOARD= (tests/hil/faults.csv)
	@$(PYTHON) tools/setup --group demo sim
	@for b in $(FAULTY); do rm -f build/faults.csv; \
	  for t in line board upload; do HIL_BOARD=$$b HIL_RANDOM_BYTES=10000000 HIL_FAULTS=build/faults.csv \
	    $(VENV_PYTHON) tests/python/test_hil_faults_$$t.py > build/faults.log 2>&1 || { tail -n 20 build/faults.log; exit 1; }; done; \
	  { head -n 1 tests/hil/faults.csv; { tail -n +2 tests/hil/faults.csv | grep -v "^$$b,"; grep "^$$b," build/faults.csv; } | sort; } \
	    > build/faults.all && mv build/faults.all tests/hil/faults.csv; done

cdl-rows: ## what a step of K = 1 to 64 bodies in a row costs, from tests/measured.csv: a line (build/cdl_rows.png)
	@$(PYTHON) tools/setup --group demo sim
	@$(VENV_PYTHON) $(EVIDENCE)/rows.py --measured $(MEASURED) --picture build/cdl_rows.png

# ---- Small things --------------------------------------------------------------------------------

.PHONY: help clean docs
help: ## this list
	@sed -n 's/^\([a-z][a-z-]*\):[^#]*## \(.*\)/\1|\2/p' Makefile | sort | awk -F'|' '{printf "  make %-16s %s\n", $$1, $$2}'
	@echo
	@sed -n '/^## Choices/,/^$$/p' Makefile | sed -n 's/^\([A-Z_]*\) *?= *\([^#]*\)#* *\(.*\)/  \1=\2|\3/p' | awk -F'|' '{printf "  %-18s %s\n", $$1, $$2}'

clean: ## remove what was built; keeps the fetched sources and the Python environment
	@find build -mindepth 1 -maxdepth 1 ! -name third_party ! -name venv ! -name setup.stamp -exec rm -rf {} + 2>/dev/null || true

.DEFAULT_GOAL := help

-include $(shell find $(B)/obj $(B)/reference -name '*.d' 2>/dev/null)
