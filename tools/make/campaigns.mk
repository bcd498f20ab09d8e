# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
#
# Campaigns: random inputs, changed lines, proofs, and the vectors that the tests compare with.

SECONDS ?= 60
CLANG_FUZZ := clang -g -O1 -std=c11 -ffp-contract=off -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all -Ilib $(patsubst %/,-I%,$(wildcard lib/*/)) -Iport
.PHONY: fuzz prove math-exhaustive vectors vectors-check lcp-campaign cone-campaign impact-accuracy identify-campaign plan-push fuzz-trajectories mutate
# Of the library the floors that a file of this floor sees: with sanitizers the whole takes a minute to compile.
fuzz_sources = $(foreach f,$(SEES.$1),$(wildcard lib/$f/*.c)) $(if $(filter net,$(SEES.$1)),$(wildcard port/portable/*.c))
build/fuzz_model: $(call fuzz_sources,model) lib/learned/tc_learned_record.c lib/cdl/tc_cdl_record.c
build/fuzz_wire: $(call fuzz_sources,wire)
build/fuzz_%: tests/fuzz/fuzz_%.c $(wildcard lib/*.h lib/*/*.h port/portable/*.h)
	@mkdir -p build
	$(Q)$(CLANG_FUZZ) $(filter %.c,$^) -lm -o $@
FUZZ ?= model wire
fuzz: $(FUZZ:%=build/fuzz_%)
	@mkdir -p $(FUZZ:%=build/corpus/%) && $(PYTHON) tools/ref/net_vectors.py --blobs build/corpus/model
	@bad=0; for f in $(FUZZ); do ./build/fuzz_$$f -max_total_time=$(SECONDS) -max_len=4096 -timeout=5 -print_final_stats=1 build/corpus/$$f > build/fuzz_$$f.log 2>&1 \
	  && sed -n "s/^stat::number_of_executed_units: *\(.*\)/fuzz $$f: \1 inputs, none of them did harm/p" build/fuzz_$$f.log \
	  || { tail -n 40 build/fuzz_$$f.log; bad=$$((bad + 1)); }; done; echo "$$(($(words $(FUZZ)) - bad)) passed, $$bad failed"; test $$bad = 0

COUNT ?= 100000
$(B)/lcp_campaign: $(B)/obj/tests/lcp/campaign.o $(B)/obj/tests/unit/lcp_families.o $(LIBRARY)
	$(Q)$(LINK) $^ -lm -o $@
lcp-campaign: $(B)/lcp_campaign
	@$< $(COUNT) > build/lcp_campaign.log && tail -n 3 build/lcp_campaign.log && echo '1 passed, 0 failed' \
	  || { tail -n 20 build/lcp_campaign.log; echo '0 passed, 1 failed'; exit 1; }

# COUNT= problems per family, dimension and phase; 10000 of each make OUT=tests/cone/results.csv.
CONE_CSV = $(or $(OUT),build/cone_campaign.csv)
CONE_COUNT = $(if $(filter file,$(origin COUNT)),10000,$(COUNT))
$(B)/cone_campaign: $(B)/obj/tests/cone/campaign.o $(B)/obj/tests/unit/cone_families.o $(LIBRARY)
	$(Q)$(LINK) $^ -lm -o $@
cone-campaign: $(B)/cone_campaign
	@$< $(CONE_COUNT) > $(CONE_CSV) && tail -n 3 $(CONE_CSV) && echo '1 passed, 0 failed' \
	  || { tail -n 40 $(CONE_CSV); echo '0 passed, 1 failed'; exit 1; }

# COUNT= steps, half of them in the plane; 1000000 of each build make tests/barrier/implicit.csv (OUT=).
IMPLICIT_CSV = $(or $(OUT),build/implicit_campaign.csv)
IMPLICIT_COUNT = $(if $(filter file,$(origin COUNT)),1000000,$(COUNT))
.PHONY: implicit-campaign implicit-campaign-one
$(B)/implicit_campaign: $(B)/obj/tests/barrier/implicit_campaign.o $(LIBRARY)
	$(Q)$(LINK) $^ -lm -o $@
implicit-campaign-one: $(B)/implicit_campaign
	@$< $(IMPLICIT_COUNT)
implicit-campaign:
	@$(MAKE) -s implicit-campaign-one BOARD=host COUNT=$(IMPLICIT_COUNT) > $(IMPLICIT_CSV) \
	  && $(MAKE) -s implicit-campaign-one BOARD=host REAL=double COUNT=$(IMPLICIT_COUNT) | tail -n 2 >> $(IMPLICIT_CSV) \
	  && cat $(IMPLICIT_CSV) && ! grep -vE '^(real|float|double),([^,]*,){3}(through|0),(lost|0),' $(IMPLICIT_CSV) && echo '1 passed, 0 failed' \
	  || { echo '0 passed, 1 failed'; exit 1; }

# COUNT= problems per line; 5000 make OUT=tests/impact/accuracy.csv. The double build writes what float is compared with.
ACCURACY_CSV = $(or $(OUT),build/impact_accuracy.csv)
ACCURACY_COUNT = $(if $(filter file,$(origin COUNT)),5000,$(COUNT))
.PHONY: impact-accuracy-double
$(B)/impact_accuracy: $(B)/obj/tests/impact/accuracy.o $(B)/obj/tests/unit/cone_families.o $(LIBRARY)
	$(Q)$(LINK) $^ -lm -o $@
impact-accuracy-double: $(B)/impact_accuracy
	@$< write $(ACCURACY_COUNT) build/impact_adjoints.txt; $< $(ACCURACY_COUNT) > build/impact_accuracy_double.csv
impact-accuracy: $(B)/impact_accuracy
	@bad=0; $(AGAIN) -s impact-accuracy-double REAL=double || bad=1; $< $(ACCURACY_COUNT) build/impact_adjoints.txt > $(ACCURACY_CSV) || bad=1; \
	  cat build/impact_accuracy_double.csv >> $(ACCURACY_CSV); cat $(ACCURACY_CSV); echo "$$((1 - bad)) passed, $$bad failed"; test $$bad = 0

# COUNT= starts per line, at most 20; 20 make OUT=tests/plan/push.csv. On a board: the line of a board alone.
PUSH_CSV = $(or $(OUT),build/plan_push.csv)
PUSH_COUNT = $(if $(filter file,$(origin COUNT)),20,$(COUNT))
.PHONY: plan-push-double
$(B)/obj/tests/plan/push.o: EXTRA_FLAGS += -Iboards
$(B)/plan_push$(IMAGE): $(B)/obj/tests/plan/push.o $(BOARD_OBJECTS) $(LIBRARY) $(BOARD_LINK_FILES)
	$(Q)$(LINK) $(filter %.o %.a,$^) -lm -o $@
plan-push-double: $(B)/plan_push$(IMAGE)
	@$(RUN)$< $(PUSH_COUNT) > build/plan_push_double.csv
plan-push: $(B)/plan_push$(IMAGE)
ifeq ($(BOARD),host)
	@bad=0; $(AGAIN) -s plan-push-double REAL=double || bad=1; $(RUN)$< $(PUSH_COUNT) > $(PUSH_CSV) || bad=1; \
	  sed 1d build/plan_push_double.csv >> $(PUSH_CSV); cat $(PUSH_CSV); echo "$$((1 - bad)) passed, $$bad failed"; test $$bad = 0
else
	@$(RUN)$<
endif

# COUNT= pairs per dimension and precision; 1000000 make OUT=tests/barrier/results.csv. Single and double go side by side.
BARRIER_PAIRS = $(if $(filter file,$(origin COUNT)),1000000,$(COUNT))
.PHONY: barrier-campaign barrier-campaign-double
$(B)/barrier_campaign: $(B)/obj/tests/barrier/campaign.o $(LIBRARY)
	$(Q)$(LINK) $^ -lm -o $@
barrier-campaign-double: $(B)/barrier_campaign
	@$< $(BARRIER_PAIRS) > build/barrier_campaign_double.csv
barrier-campaign: $(B)/barrier_campaign
	@bad=0; $(AGAIN) -s barrier-campaign-double REAL=double & wait_for=$$!; out=$(or $(OUT),build/barrier_campaign.csv); $< $(BARRIER_PAIRS) header > $$out || bad=1; \
	  wait $$wait_for || bad=1; cat build/barrier_campaign_double.csv >> $$out; cat $$out; echo "$$((1 - bad)) passed, $$bad failed"; test $$bad = 0

# Runs per family; what it prints is tests/identify/results.csv.
IDENTIFY_RUNS = $(if $(filter file,$(origin COUNT)),1000,$(COUNT))
$(B)/identify_campaign: $(B)/obj/tests/identify/campaign.o $(B)/obj/tests/unit/identify_case.o $(LIBRARY)
	$(Q)$(LINK) $^ -lm -o $@
identify-campaign: $(B)/identify_campaign
	@$< $(IDENTIFY_RUNS) > $(or $(OUT),build/identify_campaign.csv) && echo '1 passed, 0 failed' \
	  || { cut -d, -f1-5,12-13 $(or $(OUT),build/identify_campaign.csv); echo '0 passed, 1 failed'; exit 1; }

# Whole trajectories, judged step by step; a failure prints what ONE= replays, with a line per step.
TRAJECTORY_OBJECTS := $(patsubst %.c,$(B)/obj/%.o,$(wildcard tests/trajectories/*.c) boards/common/print.c \
  $(addprefix tests/unit/,test.c coulomb2_case.c learned2_case.c learned3_case.c limb3_case.c)) $(B)/obj/$(THIRD)/Unity/unity.o \
  $(patsubst %,$(B)/obj/tests/models/%.tcm.o,rectangle link box ball cradle)
ONE ?=#                     seed:index
PROCESSES ?= $(shell nproc)
TRAJECTORIES_CSV = $(or $(OUT),build/trajectories.csv)
$(B)/trajectories: $(TRAJECTORY_OBJECTS) $(LIBRARY)
	$(Q)$(LINK) $(filter %.o %.a,$^) -lm -o $@
fuzz-trajectories: $(B)/trajectories
	@$(if $(ONE),$< $(ONE),$< $(COUNT) $(SEED) $(PROCESSES) > $(TRAJECTORIES_CSV))

MUTANTS = $(if $(filter file,$(origin COUNT)),200,$(COUNT))
mutate:
	@$(PYTHON) $(EVIDENCE)/mutate.py --count $(MUTANTS) --seed $(SEED) --out $(or $(OUT),build/mutants.csv)

build/math_exhaustive.%: tests/math_exhaustive.c $(addprefix lib/math/,tc_math.c tc_softplus_table.c tc_tanh_table.c)
	@mkdir -p $(@D)
	$(Q)$(HOSTCC) -O2 -std=c11 -ffp-contract=off -fno-math-errno -DTC_TANH_TABLE=$* $(addprefix -Ilib/,$(SEES.math)) -Iport -Itests $^ -lm -o $@
math-exhaustive: build/math_exhaustive.1 build/math_exhaustive.0
	@build/math_exhaustive.1 > build/math_errors.csv && for f in tanh.small sigmoid.small softplus.small; do build/math_exhaustive.0 $$f; done >> build/math_errors.csv
	@sed -i '2,$${/^function,/d}' build/math_errors.csv && mv build/math_errors.csv tests/math_errors.csv

prove:
	@$(PYTHON) tools/setup --group demo prove
	@$(PYTHON) tests/prove/prove.py

# math.h and the tables come from math_vectors.py, math_table.py and softplus_table.py, which want mpmath; see their heads.
vectors_into = $(PYTHON) tools/ref/mat_vectors.py products > $(1)/mat_products.h && \
  $(PYTHON) tools/ref/mat_vectors.py definite > $(1)/mat_definite.h && $(PYTHON) tools/ref/cone_vectors.py > $(1)/cone.h && \
  $(PYTHON) tools/ref/barrier_vectors.py > $(1)/barrier.h && $(PYTHON) tools/ref/robot_vectors.py > $(1)/robot.h && \
  $(PYTHON) tools/ref/net_vectors.py $(1)
vectors:
	@$(call vectors_into,tests/vectors)
vectors-check:
	@mkdir -p build/vectors && $(call vectors_into,build/vectors)
	@bad=0; for f in build/vectors/*.h; do cmp $$f tests/vectors/$$(basename $$f) || bad=$$((bad + 1)); done; \
	  echo "$$(($$(ls build/vectors/*.h | wc -l) - bad)) passed, $$bad failed"; test $$bad = 0
