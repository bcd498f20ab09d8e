# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
#
# Evidence: instructions, stack, flash and symbols, measured and held to a budget.

EVIDENCE := tools/evidence

PLUGIN := build/qemu_count.so
$(PLUGIN): tools/qemu_count.c
	@mkdir -p $(@D)
	$(Q)gcc -O2 -Wall -Wextra -shared -fPIC $< -o $@.$$$$ && mv $@.$$$$ $@ # whole or not there: jobs run side by side

# The peers get what serves them best, by measurement: fused multiply-adds, and each its own -O.
PEER_FLAGS := -std=gnu11 -ffp-contract=fast
PEER_SOURCES := $(foreach f,arm_mat_mult_f32 arm_mat_vec_mult_f32 arm_mat_cholesky_f32 arm_mat_inverse_f32 \
  arm_mat_solve_lower_triangular_f32 arm_mat_init_f32 arm_add_f32 arm_dot_prod_f32 arm_mat_trans_f32,$(wildcard $(THIRD)/CMSIS-DSP/Source/*/$f.c))
BENCH_OBJECTS := $(patsubst %.c,$(B)/obj/%.o,$(wildcard tests/bench/bench*.c) tests/unit/leg_case.c tests/unit/feet_case.c tests/unit/cone_families.c tests/unit/identify_case.c) $(patsubst %.c,$(B)/peer/%.o,$(PEER_SOURCES))
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
# Bytes of stack that any public function may take, and what the larger modules may.
STACK_LIMITS := 400 \
  tc_selfcheck=640 tc_estimator=1600 tc_momentum=768 tc_leg=512 tc_robot=1024 tc_wire_put_robot=512 tc_wire_put_feet=512 tc_feet=1536 tc_cdl=2048 tc_lcp=1024 tc_cone_grad=768 \
  tc_impact=1408 tc_twophase=1856 tc_cone=1152 tc_learned2=1536 tc_learned3=2048 tc_foot2=1536 tc_foot3=2048 \
  tc_limb2=2048 tc_limb3=2048 tc_root=1536 tc_body3=640 tc_detect3=768 tc_detect3_list=1024 \
  tc_patch3_reduce=768 tc_scene=1152 tc_scene_step=1728 tc_scene_grad=1856 tc_band=512 tc_identify=2048 \
  tc_sdf=768 tc_sdf_mass=1152 tc_convex=1024 tc_meet=1728 tc_ground=1088 tc_ground_step=2560 tc_fit=1280 \
  tc_bounce=1408 tc_touch=512 tc_touch_shape=1536 tc_meet_contact=2560 tc_meet_contact_list=3776 tc_toc=640 \
  tc_hierarchy=2240 tc_toc_find=2304 tc_toc_shape_grad=1600 tc_scene_grad_sustained=2304 tc_barrier=1024 tc_barrier3=1856 tc_implicit=2048 tc_plan=2176

.PHONY: bench-one stack-one size-one symbols-one
bench-one: $(B)/bench$(IMAGE) $(PLUGIN)
	@$(PYTHON) $(EVIDENCE)/bench.py --elf $< --qemu '$(BOARD_QEMU)' --plugin $(PLUGIN) --board $(BOARD) \
	  --profile $(VARIANT) --timing $(EVIDENCE)/$(TIMING.$(BOARD_CPU)) --objdump $(OBJDUMP) $(OBJDUMP_FLAGS) $(TO_CSV) $(BENCH_OPTIONS)
stack-one: $(LIBRARY) $(UNIT)
	@$(PYTHON) $(EVIDENCE)/stack.py --ci $(wildcard $(LIB_CI)) --header $(PUBLIC_HEADERS) --source $(LIB_SOURCES) --archive $(LIBRARY) \
	  --elf $(UNIT) $(shell $(CC) $(ABI_FLAGS) -print-file-name=libc.a) $(shell $(CC) $(ABI_FLAGS) -print-libgcc-file-name) --board $(BOARD) --profile $(VARIANT) --limit $(STACK_LIMITS) --objdump $(OBJDUMP) $(OBJDUMP_FLAGS) $(TO_CSV)
# Each footprint is linked from a library of its own: with and without the table, with all kinds of nets and with float only.
# Of these only the members are compiled that the footprint takes from the whole library; a missing one fails the link.
MEMBERS_OPTIONS.footprint_contact := -DFOOTPRINT_MODEL=file -DFOOTPRINT_SIZE=file_size -Wl,-u,tc_foot2_open_const
.PRECIOUS: $(B)/%.members
$(B)/%.members: tests/bench/%.c $(LIBRARY)
	$(Q)$(CC) $(ABI_FLAGS) $(INCLUDES) -nostartfiles $(MEMBERS_OPTIONS.$*) -Wl,-e,footprint,-M,--unresolved-symbols=ignore-all $^ -o $@.elf \
	  | grep -o 'libtinycontact[.]a([a-z0-9_]*[.]o)' | sort -u | sed 's/.*(\(.*\))/\1/' > $@.tmp && test -s $@.tmp && mv $@.tmp $@
MAKE_PART = $(MAKE) -s library BOARD=$(BOARD) PART=$(1) MEMBERS=$(B)/$(1).members
FLOAT_ONLY := TC_CONFIG=tests/bench/float_only.h
float_net_row = float_net_$(1)=build/$(CONFIG)$(if $(filter small,$(1)),-small)-float_only/libfootprint.a,tests/bench/footprint.c,-DTC_CONFIG=\"float_only.h\",-Itests/bench
# A foot with its model: what a configuration leaves out, optimised for speed and (Os) for size, without and with
# the table for tanh, its model a file or (const) compiled in: $(call feet,KIND,MODEL,small or empty,-Os or empty).
foot_built = build/$(TARGET)-$(PROFILE)$(if $(2),-small)$(3)-contact_$(1)
foot_row = contact_$(1)$(5)$(if $(3),,_table)$(subst -,_,$(4))=$(call foot_built,$(1),$(3),$(4))/libfootprint_contact.a,tests/bench/footprint_contact.c,-DTC_TANH_TABLE=$(if $(3),0,1),-DTC_CONFIG=\"contact_$(1).h\",-Itests/bench
feet = $(call foot_row,$(1),$(2),$(3),$(4)),$(B)/obj/$(B)/flash/$(2).tcm.o,-DFOOTPRINT_MODEL=$(2)_tcm,-DFOOTPRINT_SIZE=$(2)_tcm_size \
  $(call foot_row,$(1),$(2),$(3),$(4),_const),$(B)/flash/$(2).c,-DFOOTPRINT_CONST=$(2)_model
FEET := $(foreach m,float:rectangle int8:rectangle_i8,$(foreach o,small: small:-Os :,$(call feet,$(firstword $(subst :, ,$m)),$(lastword $(subst :, ,$m)),$(filter small,$(subst :, ,$o)),$(filter -O%,$(subst :, ,$o)))))
# A leg's estimator: with and without the bank of hypotheses for any number of joints, for speed and for size.
TWO_JOINTS := TC_CONFIG=tests/bench/two_joints.h
leg_row = estimator_$(1)=build/$(CONFIG)$(2)/lib$(if $(2),footprint_estimator,tinycontact).a,tests/bench/footprint_estimator.c$(if $(2),$(comma)-DTC_CONFIG=\"two_joints.h\"$(comma)-Itests/bench)
LEGS := $(call leg_row,many) $(call leg_row,two,-two_joints) $(call leg_row,two_Os,-Os-two_joints)
size-one: $(LIBRARY) $(B)/footprint.members $(B)/footprint_contact.members $(B)/footprint_estimator.members \
  $(B)/obj/$(B)/flash/rectangle.tcm.o $(B)/obj/$(B)/flash/rectangle_i8.tcm.o
	@set -e; for c in float int8; do for o in small:-O2 small:-Os table:-O2; do \
	  $(call MAKE_PART,footprint_contact) TANH=$${o%:*} OPT=$${o#*:} TC_CONFIG=tests/bench/contact_$$c.h; done; done
	@set -e; for o in -O2 -Os; do $(call MAKE_PART,footprint_estimator) OPT=$$o $(TWO_JOINTS); done
	@set -e; for t in table small; do $(call MAKE_PART,footprint) TANH=$$t $(FLOAT_ONLY); done
	@$(call MAKE_PART,footprint) TANH=small
	@$(PYTHON) $(EVIDENCE)/size.py --archive $(LIBRARY) --board $(BOARD) --profile $(VARIANT) \
	  --footprint net_eval_table=$(LIBRARY) net_eval_small=build/$(CONFIG)-small/libfootprint.a \
	  $(call float_net_row,table) $(call float_net_row,small) $(FEET) $(LEGS) \
	  --footprint-source tests/bench/footprint.c --cc $(CC) --cflags='$(ABI_FLAGS) $(INCLUDES)' \
	  --objdump $(OBJDUMP) --nm $(NM) $(TO_CSV)
symbols-one: $(LIBRARY)
	@$(PYTHON) $(EVIDENCE)/symbols.py --archive $(LIBRARY) --nm $(NM) --objdump $(OBJDUMP) $(OBJDUMP_FLAGS) \
	  $(if $(filter soft,$(BOARD_FLOAT)),--soft-float)
.PHONY: library
library: $(LIBRARY)

# Boards whose instructions are counted; the others run the same code as one of these.
COUNTED := mps2-an386 mps2-an500 mps3-an547
PORTABLE_COUNTED := mps2-an386 mps3-an547# where unit tests have the portable kernels compiled
each_counted = for b in $(COUNTED); do $(MAKE) -s $(1) BOARD=$$b OUT='$(OUT)' || exit 1; done

.PHONY: bench stack size symbols measure budget
bench:
	@$(PYTHON) tools/setup --group demo python
	@$(call each_counted,bench-one)
	@$(MAKE) -s bench-one BOARD=mps3-an547 PROFILE=fast OUT='$(OUT)'
	@for b in $(PORTABLE_COUNTED); do $(MAKE) -s bench-one BOARD=$$b PORT=portable OUT='$(OUT)' || exit 1; done
	@$(PYTHON) $(EVIDENCE)/budget.py --measured $(or $(OUT),$(MEASURED)) --targets tests/targets.csv

stack:
	@$(PYTHON) tools/setup --group demo
	@$(call each_counted,stack-one)
	@$(MAKE) -s stack-one BOARD=mps2-an385 OUT='$(OUT)'

size:
	@$(PYTHON) tools/setup --group demo python
	@$(call each_counted,size-one)

symbols:
	@$(PYTHON) tools/setup --group demo
	@$(call each_counted,symbols-one)
	@$(MAKE) -s symbols-one BOARD=mps2-an385

# The worst inputs that the hunt has found so far are counted again; the hunt itself runs for minutes.
.PHONY: hunt hunt-record
hunt:
	@$(PYTHON) tools/setup --group demo python
	@$(VENV_PYTHON) tests/hunt/hunt.py
hunt-record:
	@$(PYTHON) tools/setup --group demo
	@$(PYTHON) tests/hunt/record.py $(TO_CSV)

measure:
	@rm -f $(MEASURED)
	@for t in bench stack size hunt-record; do $(MAKE) -s $$t OUT=$(MEASURED) > build/$$t.log || { tail -n 20 build/$$t.log; exit 1; }; done
	@$(PYTHON) $(EVIDENCE)/budget.py --measured $(MEASURED) --budget tests/budget.csv --targets tests/targets.csv --update
	@$(PYTHON) $(EVIDENCE)/table.py --measured $(MEASURED) --page docs/reference/costs.md --write
	@$(PYTHON) $(EVIDENCE)/uses.py --measured $(MEASURED) --write

# A job per board, so that two cores share the work. The board without an FPU has only a stack to budget.
BUDGET_CSV = build/measured-$(BOARD).csv
BUDGET_PARTS.mps2-an386 := stack-one~BOARD=mps2-an385 symbols-one~BOARD=mps2-an385 hunt-record
BUDGET_PARTS.mps3-an547 := bench-one~BOARD=mps3-an547~PROFILE=fast
.PHONY: reference words docs format format-check
format:
	@$(PYTHON) tools/setup --group format
	@$(PYTHON) $(EVIDENCE)/layout.py --write
format-check:
	@$(PYTHON) tools/setup --group format
	@$(PYTHON) $(EVIDENCE)/layout.py
docs:
	@$(PYTHON) $(EVIDENCE)/api.py build/api
words:
	@$(PYTHON) $(EVIDENCE)/words.py
reference:
	@$(PYTHON) $(EVIDENCE)/table.py --measured $(MEASURED) --page docs/reference/costs.md --write
	@$(PYTHON) $(EVIDENCE)/uses.py --measured $(MEASURED) --write
	@$(PYTHON) $(EVIDENCE)/reference.py --write

.PHONY: budget-one table-check
budget-one:
	@$(PYTHON) tools/setup --group demo python
	@rm -f $(BUDGET_CSV)
	@for t in bench-one $(if $(filter $(BOARD),$(PORTABLE_COUNTED)),bench-one~PORT=portable) stack-one size-one symbols-one $(BUDGET_PARTS.$(BOARD)); do \
	  $(MAKE) -s BOARD=$(BOARD) $$(echo $$t | tr '~' ' ') OUT=$(BUDGET_CSV) > $(BUDGET_CSV).log 2>&1 || { tail -n 20 $(BUDGET_CSV).log; exit 1; }; done
	@$(PYTHON) $(EVIDENCE)/budget.py --measured $(BUDGET_CSV) --budget tests/budget.csv
	@echo '1 passed, 0 failed'

budget:
	@for b in $(COUNTED); do $(MAKE) -s budget-one BOARD=$$b || exit 1; done
	@$(MAKE) -s table-check

table-check:
	@$(PYTHON) $(EVIDENCE)/budget.py --measured $(MEASURED) --targets tests/targets.csv
	@$(PYTHON) $(EVIDENCE)/table.py --measured $(MEASURED) --page docs/reference/costs.md --check
	@$(PYTHON) $(EVIDENCE)/uses.py --measured $(MEASURED) --check
	@echo '1 passed, 0 failed'
