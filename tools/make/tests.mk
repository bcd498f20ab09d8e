# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
#
# Tests: the unit tests of one configuration, and every test there is.

# What has no text of lib/ in it but inline functions is compiled with -Og whatever the library is compiled with (half
# the time of -O2, and the tests run as fast), and lies in a folder by its flags, which all configurations with these
# flags share.
UNIT_SOURCES := $(filter-out %/main.c,$(wildcard tests/unit/*.c tests/unit/*/*.c))
LIBRARY_TEXT := $(filter %/test_mat_fixed.c %/test_selfcheck.c %/test_scheme_text.c %/test_helium_store.c %/test_foot_firmware.c %/test_floor_firmware.c %/test_toss_firmware.c,$(UNIT_SOURCES))
UNIT_FLAGS = $(patsubst $(OPT),-Og,$(CFLAGS)) -Iboards -Itests/unit -I$(THIRD)/Unity -DUNITY_INCLUDE_CONFIG_H -DTEST_EXACT=$(EXACT)
SHARED_TESTS := build/tests-$(shell printf '%s' '$(subst ',,$(CC) $(UNIT_FLAGS))' | cksum | tr ' ' '-')
$(SHARED_TESTS)/%.o: %.c
	$(SAY) CC $<
	$(Q)$(COMPILE) $@ $(CC) $(UNIT_FLAGS) -c $<

UNIT_OBJECTS := $(patsubst %.c,$(SHARED_TESTS)/%.o,$(filter-out $(LIBRARY_TEXT),$(UNIT_SOURCES))) \
  $(patsubst %.c,$(B)/obj/%.o,$(LIBRARY_TEXT)) $(B)/obj/$(THIRD)/Unity/unity.o \
  $(B)/obj/tests/models/ball.tcm.o $(B)/obj/tests/models/cradle.tcm.o
# One image with all suites, or one per group where RAM is short. TEST= is compiled into images of their own.
TEST ?=#                    one unit test, by (a part of) its name
UNIT_GROUPS ?=#             2,3: these groups of suites alone (tests/unit/test.h)
SAMPLE ?=#                  8: an eighth of the rounds of property tests (TEST_ROUNDS)
ARCHIVE ?=#                 another build's libtinycontact.a, tested in place of Make's
UNITS := $(patsubst %,$(B)/unit-$(if $(TEST),only-)$(if $(ARCHIVE),$(subst /,-,$(ARCHIVE))-)$(if $(SAMPLE),sample$(SAMPLE)-)%$(IMAGE),$(or $(subst $(comma), ,$(UNIT_GROUPS)),$(BOARD_TEST_GROUPS),0))
UNIT := $(firstword $(UNITS))
$(B)/obj/tests/unit/main-%.o: tests/unit/main.c $(B)/flags $(if $(TEST),FORCE)
	$(Q)$(COMPILE) $@ $(CC) $(CFLAGS) $(EXTRA_FLAGS) -DTEST_GROUP=$(lastword $(subst -, ,$*)) $(if $(TEST),-DTEST_NAMED='"$(TEST)"') \
	  $(if $(SAMPLE),-DTEST_SAMPLE=$(SAMPLE)) -c $<

# The reference kernels, plain C without the port's TC_MLA, stand beside the linked ones under the prefix ref_.
REFERENCE_OBJECTS := $(KERNELS:%=$(B)/reference/%.o)
$(B)/reference/%.o: port/portable/%.c $(B)/flags
	$(Q)$(COMPILE) $@ $(CC) $(filter-out -DTC_PORT_INLINE%,$(CFLAGS)) -c $<
$(B)/reference.o: $(REFERENCE_OBJECTS)
	$(Q)$(NM) -g --defined-only $^ | awk '$$3 ~ /^tc_kernel_/ {n=$$3; sub(/^tc_/,"ref_",n); print $$3, n}' > $(B)/reference.syms
	$(Q)$(CC) $(ABI_FLAGS) -r -nostdlib -o $@.tmp $^
	$(Q)$(OBJCOPY) --redefine-syms=$(B)/reference.syms $@.tmp $@

$(B)/unit-%$(IMAGE): $(B)/obj/tests/unit/main-%.o $(UNIT_OBJECTS) $(B)/reference.o $(BOARD_OBJECTS) $(or $(ARCHIVE),$(LIBRARY)) $(if $(USES_CMSIS),$(CMSIS_LIBRARY)) $(BOARD_LINK_FILES)
	$(Q)$(LINK) $(filter %.o %.a,$^) -lm -o $@

.PHONY: golden
golden:
	@for t in table small; do $(MAKE) -s run-unit BOARD=host TANH=$$t GATHER=1 | grep '^golden ' > build/golden.$$t; done
	@paste -d' ' build/golden.table build/golden.small \
	  | awk '!seen[$$2]++ {printf "    {\"%s\", %s, %s},\n", $$2, $$3, $$6}' > build/golden.rows
	@sed -i -e '/^    {"/d' -e '/golden_hashes\[\] = {/r build/golden.rows' tests/vectors/golden.h
	@git diff --stat -- tests/vectors/golden.h

# What a run of these tests depends on, for tools/run_tests.py: the emulator beside images and what starts them.
.PHONY: unit-files
unit-files: $(UNITS)
	@printf '%s\n' $(UNITS) tools/run_board.py $(if $(BOARD_QEMU),"$$(command -v $(firstword $(BOARD_QEMU)))")

.PHONY: run-unit
run-unit: $(UNITS)
ifeq ($(TEST),)
	@bad=0; for image in $(UNITS); do $(RUN)$$image || bad=1; done; exit $$bad
else
	@bad=0; rm -f $(B)/only.log; for image in $(UNITS); do $(RUN)$$image >> $(B)/only.log || bad=1; done; \
	  grep -Ev '^(0 Tests|-*$$|OK$$)' $(B)/only.log; \
	  grep -q '^[1-9][0-9]* Tests' $(B)/only.log || { echo "run-unit: no unit test's name has '$(TEST)'"; bad=1; }; exit $$bad
endif

# ---- Every test -------------------------------------------------------------------------------

# One job per configuration: each board, on one without FPU, one M4F and one M55 each backend that it can run, and on the
# host both compilers, no optimisation, double precision, sanitizers, the small-flash choices and the library as one
# translation unit. The groups that are nearest to the kernels run alone where the rest is seen elsewhere: a choice
# without an FPU, where all takes three times as long (the M4F has it whole); portable kernels on the M4F (whole on the
# host and the M55), CMSIS-DSP's on the M55 (whole on the host and the M4F); a second board with a core that has
# its own, whose objects are the same; and the M33 without its FPU (whole with it, as the M3 is without one). Choices that
# have nothing to do with each other share a configuration. `fast` runs where it links other code than `exact`, and once
# where it does not. Not `:=`: only `test` reads the boards' files.
board_says = $(shell sed -n 's/^$2 :=//p' boards/$1/board.mk)
BOARDS = $(foreach b,$(filter-out host,$(notdir $(patsubst %/board.mk,%,$(wildcard boards/*/board.mk)))),$(if $(strip $(call board_says,$b,BOARD_EXACT_PORTS)),$b))
BACKEND_BOARDS := mps2-an385 mps2-an386 mps3-an547
NEAR_KERNELS := $(comma)UNIT_GROUPS=1+2+3
FEW_GROUPS := mps2-an386-portable mps3-an547-cmsis-dsp
NEAR_BOARDS := mps2-an521
again_on = $(filter $1,$(NEAR_BOARDS)) $(filter-out $1,$(foreach b,$(BACKEND_BOARDS),$(if $(filter $(call board_core,$1),$(call board_core,$b)),$b)))
board_core = $(strip $(call board_says,$1,BOARD_CPU))-$(strip $(call board_says,$1,BOARD_FLOAT))
# Kernels by backend, as a core takes them by itself and with PORT=: where the two are one, with TC_MLA, the image is one.
core_of = $(CPU_PORT.$(call board_core,$1))
own_kernels = x $(sort $(TAKE.exact.$(core_of)) $(if $(PORT_INLINE.$(core_of)),inline))
port_kernels = x $(sort $(foreach k,$(if $(filter portable,$2),,$(wildcard port/$2/*.c port/$2/*.S)),$(basename $(notdir $k)):$2) \
  $(if $(filter portable cmsis-dsp,$2),,$(if $(PORT_INLINE.$(core_of)),inline)))
backend_jobs = $(foreach b,$(BACKEND_BOARDS),$(foreach p,$(call board_says,$b,BOARD_EXACT_PORTS), \
  $(if $(subst $(call own_kernels,$b),,$(call port_kernels,$b,$p))$(subst $(call port_kernels,$b,$p),,$(call own_kernels,$b)),BOARD=$b$(comma)PORT=$p$(if $(filter mps2-an385,$b)$(filter $(FEW_GROUPS),$b-$p),$(NEAR_KERNELS)))))
SANITIZED_JOB := BOARD=host,HOSTCC=clang,SANITIZE=address+undefined,OPT=-O1
FIRST_UNIT_JOBS := BOARD=mps2-an385 BOARD=host BOARD=mps3-an547,OPT=-O3,TANH=small BOARD=mps2-an386 BOARD=host,HOSTCC=clang,TC_CONFIG=tests/unit/large_lcp.h BOARD=mps3-an547 \
  BOARD=mps2-an500 BOARD=host,REAL=double BOARD=mps2-an385,UNROLL=1,UNIT_GROUPS=1+2+3 BOARD=mps2-an386,OPT=-O0 \
  BOARD=host,OPT=-O3 BOARD=host,WHOLE=1,TANH=small,UNROLL=0 \
  BOARD=mps2-an386,WHOLE=1,TANH=small,UNROLL=0 BOARD=host,PORT=cmsis-dsp,PROFILE=fast BOARD=mps3-an547,PROFILE=fast BOARD=mps2-an386,PROFILE=fast
UNIT_JOBS = $(FIRST_UNIT_JOBS) $(filter-out $(FIRST_UNIT_JOBS),$(foreach b,$(BOARDS),BOARD=$b$(if $(strip $(call again_on,$b)),$(NEAR_KERNELS)))) $(backend_jobs)

# Property tests run whole in these (TEST_ROUNDS in tests/unit/test.h), and in the others an eighth of their rounds.
WHOLE_JOBS := BOARD=host BOARD=mps2-an386 BOARD=mps3-an547

PYTHON_TESTS := $(wildcard tests/python/test_*.py tests/evidence/test_*.py)
VENV_PYTHON := build/venv/bin/python
ONLY ?=
DEAREST ?= 20#               so many jobs are named in the end, by the time they computed
ALL ?=#                     1: `make check` runs what is unchanged since it passed, too
# Under another name: a line that holds $(MAKE) itself is run by `make -n`, too.
AGAIN = $(MAKE)

# A job of tools/run_tests.py: 'label :: what setup has to bring :: command'.
unit_words = $(subst +,$(comma),$(subst $(comma), ,$1)) $(if $(filter $1,$2),,SAMPLE=8)
unit_needs = 'unit $(subst $(comma), ,$1) :: demo$(if $(findstring clang,$1), test) :: $(AGAIN) -s run-unit $(unit_words)
unit_job = $(unit_needs)'
# The same, always sampled, with the command that tells what it runs (`make check` leaves out what is unchanged).
checked_unit_job = $(unit_needs) :: $(AGAIN) -s unit-files $(unit_words)'
python_job = 'python $(basename $(notdir $1)) :: $2 :: $(VENV_PYTHON) $1 -v'
budget_job = 'budget $1 :: demo python :: $(AGAIN) -s budget-one BOARD=$1'
# Two run at a time, in this order: the longest first, so that no processor idles at the end, and what compiles the
# same text apart, so that the second one finds the objects of the first.
LONG_PYTHON := $(patsubst %,tests/python/test_%.py,boards build wheel docs_cmake docs_packages docs_flat learn_logs learn_identify docs_impacts \
  docs_zephyr scene_derivative scene_identify selfcheck hil_tune cdl_export spatial_learn learn_models cdl_board hil_run learn_plausible \
  robot_export sweep docs_leg tinycontact_library contact_pdd cdl_learn docs_firmware hil_predict hil_faults_line hil_floor hil_learn \
  tinycontact_board docs_body)
# Not `:=`: what other parts of the Makefile name is known once all are read.
LONG_JOBS = $(foreach b,$(COUNTED),$(call budget_job,$b)) \
  $(call unit_job,$(SANITIZED_JOB),$(WHOLE_JOBS)) \
  $(foreach p,$(filter $(PYTHON_TESTS),$(LONG_PYTHON)),$(call python_job,$p,test train)) \
  'fuzz :: test :: $(AGAIN) -s fuzz SECONDS=10'
SHORT_JOBS = 'lcp campaign :: demo :: $(AGAIN) -s lcp-campaign COUNT=1000' \
  'cone campaign :: demo :: $(AGAIN) -s cone-campaign COUNT=1000' \
  'implicit campaign :: demo :: $(AGAIN) -s implicit-campaign COUNT=4000' \
  'impact accuracy :: demo :: $(AGAIN) -s impact-accuracy COUNT=1000' \
  'plan push :: demo :: $(AGAIN) -s plan-push COUNT=2' \
  'identify campaign :: demo :: $(AGAIN) -s identify-campaign COUNT=100' \
  'trajectories :: demo :: $(AGAIN) -s fuzz-trajectories COUNT=8000' \
  $(foreach p,$(filter-out $(LONG_PYTHON),$(PYTHON_TESTS)),$(call python_job,$p,test train)) \
  'format :: format :: $(AGAIN) -s format-check' 'table :: :: $(AGAIN) -s table-check' 'vectors :: :: $(AGAIN) -s vectors-check'

# What a developer runs after each change. These Python tests take a second or two each and want no JAX.
CHECK_UNIT_JOBS := $(SANITIZED_JOB) BOARD=mps3-an547 BOARD=mps2-an386 BOARD=host,REAL=double BOARD=host
CHECK_PYTHON := lcp impact_solve cone_reference tinycontact_format tinycontact_cli hil_wire cdl_model hil_observer sim_speed spatial_contact \
  tinycontact_record chain_swing hil_metrics json_numbers contact_files options tinycontact_fold sim_shapes \
  hil_evaluation_kept hil_faults_kept evidence names complexity static mutate

# Objects that no job has used for days are not kept.
RUN_TESTS = find build/objects -mtime +3 -delete 2>/dev/null; WERROR=1 DEBUG_INFO= $(PYTHON) tools/run_tests.py --setup '$(PYTHON) tools/setup'
.PHONY: test check
test:
	@$(RUN_TESTS) --only '$(ONLY)' --dearest $(DEAREST) \
	  $(LONG_JOBS) \
	  $(foreach j,$(UNIT_JOBS),$(call unit_job,$j,$(WHOLE_JOBS))) \
	  $(SHORT_JOBS)

check:
	@$(RUN_TESTS) --only '$(ONLY)' $(if $(ALL),,--passed build/passed) \
	  $(foreach j,$(CHECK_UNIT_JOBS),$(call checked_unit_job,$j)) \
	  'format :: format :: $(AGAIN) -s format-check' \
	  $(foreach t,$(CHECK_PYTHON),$(call python_job,$(wildcard tests/*/test_$t.py),test sim))
