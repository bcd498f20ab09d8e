# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
#
# Tests: the unit tests of one configuration, and every test there is.

UNIT_OBJECTS := $(patsubst %.c,$(B)/obj/%.o,$(filter-out %/main.c,$(wildcard tests/unit/*.c))) $(B)/obj/$(THIRD)/Unity/unity.o \
  $(B)/obj/tests/models/ball.tcm.o $(B)/obj/tests/models/cradle.tcm.o
# One image with all suites, or one per group where RAM is short. TEST= is compiled into images of their own.
TEST ?=#                    one unit test, by (a part of) its name
UNITS := $(patsubst %,$(B)/unit-$(if $(TEST),only-)%$(IMAGE),$(or $(BOARD_TEST_GROUPS),0))
UNIT := $(firstword $(UNITS))
$(B)/obj/tests/unit/main-%.o: tests/unit/main.c $(B)/flags $(if $(TEST),FORCE)
	@mkdir -p $(@D)
	$(Q)$(COMPILE) $@ $(CC) $(CFLAGS) $(EXTRA_FLAGS) -DTEST_GROUP=$(subst only-,,$*) $(if $(TEST),-DTEST_NAMED='"$(TEST)"') -c $<

# The reference kernels, plain C without the port's TC_MLA, stand beside the linked ones under the prefix ref_.
REFERENCE_OBJECTS := $(KERNELS:%=$(B)/reference/%.o)
$(B)/reference/%.o: port/portable/%.c $(B)/flags
	@mkdir -p $(@D)
	$(Q)$(COMPILE) $@ $(CC) $(filter-out -DTC_PORT_INLINE%,$(CFLAGS)) -c $<
$(B)/reference.o: $(REFERENCE_OBJECTS)
	$(Q)$(NM) -g --defined-only $^ | awk '$$3 ~ /^tc_kernel_/ {n=$$3; sub(/^tc_/,"ref_",n); print $$3, n}' > $(B)/reference.syms
	$(Q)$(CC) $(ABI_FLAGS) -r -nostdlib -o $@.tmp $^
	$(Q)$(OBJCOPY) --redefine-syms=$(B)/reference.syms $@.tmp $@

$(B)/unit-%$(IMAGE): $(B)/obj/tests/unit/main-%.o $(UNIT_OBJECTS) $(B)/reference.o $(BOARD_OBJECTS) $(LIBRARY) $(if $(USES_CMSIS),$(CMSIS_LIBRARY)) $(BOARD_LINK_FILES)
	$(Q)$(LINK) $(filter %.o %.a,$^) -lm -o $@

.PHONY: golden
golden:
	@for t in table small; do $(MAKE) -s run-unit BOARD=host TANH=$$t GATHER=1 | grep '^golden ' > build/golden.$$t; done
	@paste -d' ' build/golden.table build/golden.small \
	  | awk '!seen[$$2]++ {printf "    {\"%s\", %s, %s},\n", $$2, $$3, $$6}' > build/golden.rows
	@sed -i -e '/^    {"/d' -e '/golden_hashes\[\] = {/r build/golden.rows' tests/vectors/golden.h
	@git diff --stat -- tests/vectors/golden.h

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

# One job per configuration: each board with each profile and each backend it can run, and on the
# host both compilers, no optimisation, double precision, sanitizers, the small-flash choices and the library as one translation unit. `fast`
# runs where it links other code than `exact` (M55), and once where it does not.
ports_of = $(shell sed -n 's/^BOARD_EXACT_PORTS := //p' boards/$(1)/board.mk)
BOARDS := $(filter-out host,$(notdir $(patsubst %/board.mk,%,$(wildcard boards/*/board.mk))))
UNIT_JOBS := BOARD=host BOARD=host,HOSTCC=clang BOARD=host,OPT=-O0 BOARD=host,HOSTCC=clang,OPT=-O0 \
  BOARD=host,OPT=-O3 BOARD=host,PROFILE=fast BOARD=host,PORT=cmsis-dsp BOARD=host,TANH=small BOARD=host,UNROLL=0 \
  BOARD=host,REAL=double BOARD=host,HOSTCC=clang$(comma)SANITIZE=address+undefined \
  BOARD=mps3-an547,PROFILE=fast BOARD=mps2-an386,PROFILE=fast \
  $(foreach b,$(BOARDS),BOARD=$b $(foreach p,$(call ports_of,$b),BOARD=$b,PORT=$p)) \
  BOARD=mps2-an386,TANH=small BOARD=mps2-an386,UNROLL=0 BOARD=mps2-an385,UNROLL=1 BOARD=mps2-an386,OPT=-O0 \
  BOARD=mps3-an547,TANH=small BOARD=mps3-an547,OPT=-O3 BOARD=mps3-an547,PORT=helium,PROFILE=fast \
  BOARD=host,WHOLE=1 BOARD=mps2-an386,WHOLE=1 BOARD=mps3-an547,WHOLE=1
PYTHON_JOBS := $(patsubst tests/python/%.py,%,$(wildcard tests/python/test_*.py)) \
  $(patsubst tests/evidence/%.py,%,$(wildcard tests/evidence/test_*.py))
VENV_PYTHON := build/venv/bin/python
ONLY ?=

# Under another name: a line that holds $(MAKE) itself is run by `make -n`, too.
AGAIN = $(MAKE)
.PHONY: test
test:
	@$(PYTHON) tools/setup --group test train
	@$(PYTHON) tools/run_tests.py --only '$(ONLY)' \
	  $(foreach j,$(UNIT_JOBS),'unit $(subst $(comma), ,$j) :: $(AGAIN) -s run-unit WERROR=1 $(subst +,$(comma),$(subst $(comma), ,$j))') \
	  $(foreach j,$(PYTHON_JOBS),'python $j :: $(VENV_PYTHON) $(wildcard tests/*/$j.py)') \
	  $(foreach b,$(COUNTED),'budget $b :: $(AGAIN) -s budget-one BOARD=$b') 'table :: $(AGAIN) -s table-check' 'fuzz :: $(AGAIN) -s fuzz SECONDS=20' 'lcp campaign :: $(AGAIN) -s lcp-campaign COUNT=1000' \
	  'trajectories :: $(AGAIN) -s fuzz-trajectories COUNT=8000' 'vectors :: $(AGAIN) -s vectors-check'
