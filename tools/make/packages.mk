# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
#
# What other build systems take: the flat folder and the packages made of it (tools/packages). CMake reads the lists of
# library.mk and port/*.mk itself (tools/cmake/lists.cmake).

# What the library is made of in this configuration, a word and its value per line, for tools/packages and tests.
BUILD_CHOICES = $(patsubst %,'source %',$(LIB_SOURCES)) $(patsubst %,'header %',$(PUBLIC_HEADERS)) \
  $(foreach d,$(DEFINES) $(PORT_DEFINES.$(PROFILE)) $(BUILD_DEFINES),'define '$d) $(patsubst %,'flag %',$(ABI_FLAGS)) \
  $(if $(PORT_INLINE),'inline $(PORT_INLINE)') $(if $(TC_CONFIG),'config $(TC_CONFIG)')
.PHONY: lib-choices
lib-choices:
	@printf '%s\n' $(BUILD_CHOICES)

# A choice other than the default's has a folder of its own name, and so has a part for a program: FOR=its folder.
FLAT := build/flat/$(if $(FOR),for-$(notdir $(FOR:%/=%))/,$(if $(filter-out host-exact,$(CONFIG)),$(CONFIG:host-%=%)/))tinycontact
.PHONY: flat packages
flat:
	@printf '%s\n' $(BUILD_CHOICES) | $(PYTHON) tools/packages/flat.py $(FLAT) $(FOR)
packages:
	@$(PYTHON) tools/packages/packages.py build/packages$(if $(PORT),/$(PORT)) $(PORT)
