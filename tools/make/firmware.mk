# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
#
# Firmware: an application on a board, emulated or real, and what talks to it.

MEASURED := tests/measured.csv
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
# The application `measure` has the bench's cases in it, which count cycles there, and this core's estimates.
MEASURE ?= estimator momentum predict foot2 limb2 patch sdf convex toc# files of tests/bench; these fit into 128 KB of RAM
MEASURE_OBJECTS = $(patsubst %,$(B)/measure/%.o,$(filter-out bench_main bench_cmsis,$(basename $(notdir $(wildcard tests/bench/bench*.c)))) \
  leg_case feet_case cone_families identify_case estimates chosen) $(B)/obj/$(B)/flash/rectangle_i8.tcm.o
MEASURED_BOARD.cortex-m4 := mps2-an386
MEASURED_BOARD.cortex-m7 := mps2-an500
MEASURED_BOARD.cortex-m55 := mps3-an547
MEASURE_FLAGS := -DBENCH_CYCLES -Iboards -Itests/unit -Itests/bench
ifeq ($(APP_NAME),measure)
  APP_OBJECTS += $(MEASURE_OBJECTS)
  ifneq ($(filter-out $(patsubst tests/bench/bench_%.c,%,$(wildcard tests/bench/bench_*.c)),$(MEASURE)),)
    $(error MEASURE=$(MEASURE): choose of $(filter-out cmsis main plain run,$(patsubst tests/bench/bench_%.c,%,$(wildcard tests/bench/bench_*.c))))
  endif
endif
$(B)/measure/bench_plain.o: MEASURE_FLAGS += $(PEER_FLAGS) -O3
$(B)/measure/%.o: tests/bench/%.c $(B)/flags
	@mkdir -p $(@D)
	$(Q)$(COMPILE) $@ $(CC) $(CFLAGS) $(MEASURE_FLAGS) -c $<
$(B)/measure/%.o: tests/unit/%.c $(B)/flags
	@mkdir -p $(@D)
	$(Q)$(COMPILE) $@ $(CC) $(CFLAGS) $(MEASURE_FLAGS) -c $<
$(B)/measure/estimates.c: $(MEASURED)
	@mkdir -p $(@D)
	@awk -F, -v board=$(or $(MEASURED_BOARD.$(BOARD_CPU)),none) 'BEGIN {print "#include \"measure.h\"\nconst measure_estimate measure_estimates[] = {"} \
	  $$1 == "cycles" && $$3 == board && $$4 == "exact" {printf "    {\"%s\", %su},\n", $$2, $$5; n++} \
	  END {printf "    {\"\", 0u},\n};\nconst uint32_t measure_estimates_count = %du;\n", n}' $< > $@
$(B)/measure/chosen.c: FORCE
	@mkdir -p $(@D)
	@printf '#include "bench.h"\n#include "measure.h"\nvoid measure_chosen(void)\n{\n$(patsubst %,    bench_%();\n,$(MEASURE))}\n' > $@.new
	@cmp -s $@.new $@ && rm $@.new || mv $@.new $@
$(B)/measure/%.o: $(B)/measure/%.c
	$(Q)$(CC) $(CFLAGS) $(MEASURE_FLAGS) -Iboards/apps/measure -c $< -o $@

# How an image is run: under QEMU with the board's UART on standard input and output, or at once. The runner ends
# QEMU when nobody reads its output any more; whoever starts QEMU as a process of their own says RUNNER= (nothing).
RUNNER := $(PYTHON) tools/run_board.py
RUN = $(if $(BOARD_QEMU),$(RUNNER) $(BOARD_QEMU) -kernel ,./)
$(B)/obj/$(APP_FOLDER)/%.o $(B)/obj/boards/%.o: EXTRA_FLAGS = -Iboards $(if $(filter measure,$(APP_NAME)),-DBENCH_CYCLES)
$(B)/obj/tests/%.o: EXTRA_FLAGS = -Iboards -Itests/unit -I$(THIRD)/Unity -DUNITY_INCLUDE_CONFIG_H -DTEST_EXACT=$(EXACT)

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
firmware: $(B)/app/$(APP_NAME)$(IMAGE)
ifneq ($(BOARD_CPU),host)
	@$(OBJCOPY) -O ihex $< $(<:.elf=.hex)
	@$(OBJCOPY) -O binary $< $(<:.elf=.bin)
	@$(CROSS)size $< $(<:.elf=.hex) | sed -n '1p;2p'
	@echo "$< (and .hex, .bin)"
else
	@echo "$<"
endif

run: $(B)/app/$(APP_NAME)$(IMAGE)
	@$(RUN)$<

flash: firmware
	@$(if $(BOARD_FLASH_COMMAND),,echo "flash: $(BOARD) is only emulated; boards with a real part: $(FLASHABLE)"; exit 1)
	@command -v openocd >/dev/null || { echo "flash: openocd is missing: run 'make setup GROUPS=flash'"; exit 1; }
	@$(subst {image},$(B)/app/$(APP_NAME)$(IMAGE),$(BOARD_FLASH_COMMAND)) > $(B)/flash.log 2>&1 \
	  && echo "flash: $(APP_NAME) written to $(BOARD) and verified" \
	  || { if grep -Eq '$(BOARD_NO_PROBE)' $(B)/flash.log; then \
	         echo "flash: no debug probe found (BOARD_PROBE=$(BOARD_PROBE)); is it plugged in, and may you use it?"; \
	       else tail -n 5 $(B)/flash.log; fi; exit 1; }
FLASHABLE = $(patsubst boards/%/board.mk,%,$(shell grep -l '^BOARD_FLASH :=' boards/*/board.mk))

# ---- Hardware in the loop ---------------------------------------------------------------------

PLANT ?= hopper#            hopper, leg, robot or bounce
SEED  ?= 1
HIL_SECONDS = $(if $(filter command environment,$(firstword $(origin SECONDS))),$(SECONDS),10)
HIL.bounce := impact hil
HIL.robot = leg hil run-robot --seconds $(HIL_SECONDS)
.PHONY: hil
hil:
	@$(PYTHON) tools/setup --group demo sim
	@PYTHONPATH=tools $(VENV_PYTHON) -m tinycontact $(or $(HIL.$(PLANT)),leg hil run --plant $(PLANT) --seconds $(HIL_SECONDS)) \
	  --board $(if $(filter file,$(origin BOARD)),$(DEMO_BOARD),$(BOARD)) --seed $(SEED) -o build/hil/$(PLANT)
	@PYTHONPATH=tools $(VENV_PYTHON) -m tinycontact leg hil replay build/hil/$(PLANT)/log.bin

# ---- The demo ---------------------------------------------------------------------------------

DEMO_BOARD := mps2-an386
.PHONY: demo
demo:
	@$(PYTHON) tools/setup --group demo sim
	@mkdir -p build
	@$(VENV_PYTHON) tools/demo.py --hil build/hil/demo --leg-picture build/demo.png \
	  --robot build/hil/robot --robot-picture build/demo_robot.png --floor build/hil/floor --floor-picture build/demo_impact.png --touch build/hil/touch --touch-picture build/demo_touch.png \
	  --push-board '$(AGAIN) -s run BOARD=$(DEMO_BOARD) APP=push' --push-host '$(AGAIN) -s run BOARD=host APP=push' --push-picture build/demo_push.png \
	  --unit '$(AGAIN) -s run-unit BOARD=$(DEMO_BOARD)' \
	  --throws '$(AGAIN) -s run BOARD=$(DEMO_BOARD) APP=throw' --shape tests/models/shapes/rectangle.json --picture build/demo_throw.png \
	  --systems tests/models/systems.json --models tests/models --system-picture build/demo_cdl.png --measured $(MEASURED) --board $(DEMO_BOARD)
