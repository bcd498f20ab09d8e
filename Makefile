# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
#
# tinycontact: the one entrance. `make help` lists the targets and the choices.
#
# One run of make builds ONE configuration, named by the variables below; everything of it lies in
# build/$(CONFIG)/. Targets that need several configurations (test, bench, size) call make again.
# This file has the choices and the list of targets; the recipes are in tools/make/, by what they build.

# No built-in rules: they would try to make the .d files out of objects.
MAKEFLAGS += --no-builtin-rules

## Choices, each as VARIABLE=value on the command line:
BOARD   ?= host#            a folder in boards/
CPU     ?=#                 for `make lib` without a board: a core of port/cpus.mk, or a part: stm32f405, rp2040, ...
FLOAT   ?= hard#            hard or soft: of a core; without a unit: soft
CPU_FLAGS ?=#               for CPU=generic: the compiler's flags for your core
PROFILE ?= exact#           exact (the reference's bits) or fast
PORT    ?=#                 take ALL kernels of one backend in port/ (tests); empty: as the profile says
TANH    ?= table#           table (4 KB, quicker) or small
UNROLL  ?=#                 1: unrolled kernels for sizes 2, 3, 4, 6, 12; 0: loops only, smaller; empty: 1 with an FPU
OPT     ?= -O2#             the compiler's optimisation: -O2, -Os, -O3, -O0
APP     ?= hello#           firmware application, a folder in boards/apps/
FOR     ?=#                 for `make flat`: the folder of a program, whose part of the library is taken; empty: all
TC_CONFIG ?=#               a header of yours that replaces defaults of lib/base/tc_config.h
WHOLE   ?=#                 1: the library compiled as one translation unit (tests)
REAL    ?= float#           double: the host's reference build
SANITIZE ?=#                address,undefined (host)
HOSTCC  ?= gcc#             the compiler of BOARD=host: gcc or clang
PYTHON  ?= python3#         what runs the tools and makes build/venv
CROSS   ?= arm-none-eabi-#  what the names of the Arm compiler's commands begin with
WERROR  ?=#                 1: warnings are errors
DEBUG_INFO ?= -g#           empty: none, as in `make test`, which is a tenth quicker and finds more objects made before
GATHER  ?=#                 set by `make golden`: print the hashes instead of comparing them

V       ?=#                 1: show the commands
Q := $(if $(V),,@)
# A short line per file, unless make -s asked for silence.
SAY = @$(if $(findstring s,$(firstword -$(MAKEFLAGS))),:,echo ' ')

strip_all = $(eval $(1) := $(strip $($(1))))
$(foreach v,BOARD CPU FLOAT PROFILE PORT TANH UNROLL OPT APP FOR TC_CONFIG REAL SANITIZE DEBUG_INFO,$(call strip_all,$v))

THIRD := build/third_party

include tools/make/configuration.mk
include tools/make/library.mk
include tools/make/packages.mk
include tools/make/firmware.mk
include tools/make/tests.mk
include tools/make/evidence.mk
include tools/make/campaigns.mk
include tools/make/research.mk
include tools/make/wheel.mk

## For users:
demo: ## on an emulated Cortex-M4F: a leg hops and slips, contact true beside estimated (build/demo.png); a quadruped's four feet; throws, systems that strike, costs
check: ## after each change: host, sanitizers, double, one Cortex-M4F, one M55, the fast Python tests (ONLY=text; ALL=1: the unchanged, too)
test: ## every test there is, on host and boards, with one total (ONLY=text: the jobs whose label has it)
lib: ## libtinycontact.a, headers, pkg-config file and flags, by BOARD= or by CPU= FLOAT=, PROFILE=
flat: ## sources and headers in one folder for an IDE that adds files: build/flat/tinycontact; CPU= FLOAT=, PORT=cmsis-dsp, TC_CONFIG=, FOR=
packages: ## build/packages: for Arduino, PlatformIO, ESP-IDF, CMSIS-Pack and Rust, each made of the flat folder
firmware: ## APP= (a folder in boards/apps/, or any folder of yours) as an image for BOARD=
run: ## build APP= and run it on BOARD= (emulated; host: at once)
flash: ## write APP= to a real part with OpenOCD (BOARD_PROBE=stlink, cmsis-dap or jlink)
hil: ## firmware on an emulated board, a simulated leg (PLANT=robot: a quadruped, PLANT=bounce: a box) at its UART: BOARD=, PLANT=, SEED=, SECONDS= (build/hil)
docs: ## the API reference with search, from the headers: build/api/index.html, which opens from a file
python: ## build/venv/bin/tinycontact: bodies, legs, CD-Lagrange systems, LCPs, model files and boards from Python
wheel: ## the Python package with the compiled library inside, for pip install on any Linux: build/dist/tinycontact-*.whl
setup: ## install and fetch what is needed (GROUPS=demo, test, prove, python, wheel, sim, train, peers, format, flash; default demo); quiet if all is there
help: ## this list
clean: ## remove what was built; keeps the fetched sources and the Python environment

## For maintainers, tests:
run-unit: ## the unit tests of one configuration (BOARD=, PROFILE=, PORT=, ...); TEST=test_bounces_end: that one, on the host or a board
golden: ## rewrite tests/vectors/golden.h from the host build, after a deliberate change of the bits
vectors: ## make tests/vectors again from tools/ref, which never loads the library
vectors-check: ## whether the committed vectors are what tools/ref makes

## For maintainers, evidence:
bench: ## instructions and estimated cycles of every function and size, ours beside the peers, against the floors
stack: ## worst-case stack of every public function, from the call graph
size: ## flash and RAM per object, and of what a small application links
symbols: ## proof from the symbols: no heap, no stdio, no libm but sqrtf, no double, no writable static data
measure: ## bench, stack and size into tests/measured.csv, the budget and docs/reference/costs.md (after an improvement)
budget: ## measure again and compare with tests/budget.csv: a regression fails; docs/reference/costs.md must show the numbers
format: ## C files as .clang-format says; `make format-check` only compares, as `make test` does
words: ## sentence length, banned words, `Returns:` and width of headers and pages; tests/words.csv has what they may have
reference: ## docs/reference again: costs from tests/measured.csv, status codes and configuration from the headers
hunt: ## search for inputs that cost most instructions (random, then hill-climbing): tests/hunt/worst.csv
hunt-record: ## count the worst inputs found again

## For maintainers, campaigns:
fuzz: ## libFuzzer on the model reader and the nets it opens, and on the wire (FUZZ=model or wire), for SECONDS= each
fuzz-trajectories: ## COUNT= random trajectories of bodies, limbs and systems, every step judged (100000: a minute or two); SEED=, OUT=; ONE=seed:index replays one
lcp-campaign: ## COUNT= complementarity problems per family and size, judged in double (100000: two minutes)
cone-campaign: ## COUNT= frictional contact problems per family, dimension and phase, judged in double (10000: ten seconds); OUT=
barrier-campaign: ## COUNT= separated pairs per dimension and precision (1000000: minutes): refusals and Newton steps of barriers; OUT=
implicit-campaign: ## COUNT= wild steps of bodies in each precision (1000000: half an hour): whether anything passed through; OUT=
identify-campaign: ## COUNT= runs per family (1000: half a minute) of impacts that identify a floor, against a truth of its own; OUT=
mutate: ## COUNT= random changes of lib/ (200), each tried on the tests: who survives, and the rate (a quarter of an hour; goes on where it was); SEED=, OUT=
prove: ## abstract interpretation of the readers of model files and of the wire on arbitrary bytes (Frama-C): no alarm, or explained
math-exhaustive: ## every elementary function over all 2^32 floats into tests/math_errors.csv (about an hour)

# `make help` goes on with the list in tools/make/research.mk.

GROUPS ?= demo
.PHONY: setup python help clean
setup:
	@$(PYTHON) tools/setup --group $(GROUPS)

python:
	@$(PYTHON) tools/setup --group demo python
	@echo "build/venv/bin/tinycontact --help"

# A heading, or a target and its text; what a choice is called, its default and its text.
HEADING_OR_TARGET := -e 's/^\#\# \(For .*\)/\1/p' -e 's/^\([a-z][a-z-]*\): \#\# \(.*\)/\1|\2/p'
CHOICE := 's/^\([A-Z_]*\) *?= *\([^\#]*\)\#* *\(.*\)/\1=\2|\3/p'
help:
	@sed -n $(HEADING_OR_TARGET) Makefile tools/make/research.mk | awk -F'|' 'NF == 1 {print (NR > 1 ? "\n" : "") $$0; next} {printf "  make %-18s %s\n", $$1, $$2}'
	@printf '\nChoices, each as VARIABLE=value on the command line:\n'
	@sed -n '/^## Choices/,/^$$/p' Makefile | sed -n $(CHOICE) | awk -F'|' '{printf "  %-20s %s\n", $$1, $$2}'

clean:
	@find build -mindepth 1 -maxdepth 1 ! -name third_party ! -name venv ! -name setup.stamp -exec rm -rf {} + 2>/dev/null || true

.DEFAULT_GOAL := help

-include $(shell find $(B)/obj $(LIB_FOLDER) $(B)/reference $(dir $(SHARED))obj $(SHARED_TESTS) -name '*.d' 2>/dev/null)
