# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
#
# The library: its objects and archive, what a firmware engineer takes away, the shared object for Python.

# The floors of lib/, and those that each may see: a file is compiled with -I of these and no other, so that an include
# that goes up or across does not compile.
SEES.base := base
SEES.math := $(SEES.base) math
SEES.net := $(SEES.math) net
SEES.model := $(SEES.net) model
SEES.solve := $(SEES.math) solve
SEES.mechanics := $(SEES.math) mechanics
SEES.shape := $(SEES.mechanics) shape
SEES.barrier := $(SEES.shape) solve barrier
SEES.learned := $(SEES.shape) net model solve learned
SEES.step := $(SEES.learned) step
SEES.cdl := $(SEES.model) solve mechanics shape cdl
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
# WHOLE=1: the library as one translation unit; assembly stays beside it.
# What neither the profile nor the backend changes lies in a folder by its flags, which all configurations with these share.
LIB_FOLDER := build/lib-$(shell printf '%s' '$(subst ',,$(CC) $(CFLAGS))' | cksum | tr ' ' '-')
OF_BUILD := lib/base/tc_version.c lib/math/tc_selfcheck.c
OF_FLAGS := $(filter-out $(OF_BUILD),$(filter lib/% port/portable/%,$(LIB_SOURCES)))
LIB_OBJECTS := $(if $(WHOLE),$(B)/obj/whole.o) $(addprefix $(B)/obj/,$(addsuffix .o,$(basename $(filter-out $(OF_FLAGS),$(if $(WHOLE),$(filter %.S,$(LIB_SOURCES)),$(LIB_SOURCES)))))) \
  $(if $(WHOLE),,$(OF_FLAGS:%.c=$(LIB_FOLDER)/%.o))
# PART=footprint_contact: only the members that this footprint links (see size-one).
PART ?=
ifneq ($(PART),)
  LIB_OBJECTS := $(foreach m,$(shell cat $(MEMBERS)),$(filter %/$m,$(LIB_OBJECTS)))
endif
LIBRARY := $(B)/lib$(or $(PART),tinycontact).a
PUBLIC_HEADERS := lib/tinycontact.h lib/tinycontact_old_names.h $(foreach h,$(shell sed -n 's,^.include "\(tc_.*\)",\1,p' lib/tinycontact.h),$(wildcard lib/*/$h))
USES_CMSIS := $(filter port/cmsis-dsp/%,$(KERNEL_SOURCES))

# An object that another configuration made of the same text with the same flags is copied. $(COMPILE) OBJECT COMMAND
COMPILE := sh tools/make/compile.sh '$(shell $(CC) --version 2>&1 | head -n 1)'

# Objects depend on the flags they were made with.
FLAG_TEXT = $(subst ",,$(subst ',,$(CC) $(CFLAGS) $(PORT_DEFINES.$(PROFILE)) $(if $(WHOLE),$(LIB_SOURCES))))
$(B)/flags: FORCE
	@mkdir -p $(@D)
	@printf '%s\n' '$(FLAG_TEXT)' | cmp -s - $@ || printf '%s\n' '$(FLAG_TEXT)' > $@
.PHONY: FORCE
FORCE:

$(LIB_FOLDER)/%.o: %.c
	$(SAY) CC $<
	$(Q)$(COMPILE) $@ $(CC) $(call flags_of,$<) -c $<
$(B)/obj/%.o: %.c $(B)/flags
	$(SAY) CC $<
	$(Q)$(COMPILE) $@ $(CC) $(call flags_of,$<) $(EXTRA_FLAGS) -c $<
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
$(OF_BUILD:%.c=$(B)/obj/%.o): EXTRA_FLAGS = $(BUILD_DEFINES)

$(B)/whole.c: $(B)/flags
	@printf '#include "%s"\n' $(filter %.c,$(LIB_SOURCES)) > $@
$(B)/obj/whole.o: $(B)/whole.c
	$(SAY) CC $<
	$(Q)$(COMPILE) $@ $(CC) $(filter-out -Wshadow,$(CFLAGS)) -Wconversion -I. $(addprefix -I,$(sort $(dir $(KERNEL_SOURCES)))) $(PORT_DEFINES.$(PROFILE)) \
	  $(BUILD_DEFINES) $(if $(USES_CMSIS),$(CMSIS_INCLUDES) $(CMSIS_DEFINES)) -c $<

# Where the configuration is not the default, symbols end in what differs (lib/base/tc_config_names.h). Their plain names,
# which an application with the defaults wants, then refer to a symbol that nobody has and that names the difference.
OTHER_NAMES := $(if $(TC_CONFIG)$(filter double,$(REAL)),$(B)/obj/other_names.o)
$(B)/other_names.S: $(LIB_OBJECTS)
	@mkdir -p $(@D)
	$(Q)$(NM) -g --defined-only $^ | sed -n 's/.* [A-Z] \(tc_[a-z0-9_]*\)_\(TC_[A-Za-z0-9_]*\)$$/.globl \1\n\1: .dc.a tc_library_built_with_\2/p' > $@
	@echo '.section .note.GNU-stack,"",%progbits' >> $@
$(B)/obj/other_names.o: $(B)/other_names.S
	@mkdir -p $(@D)
	$(Q)$(CC) $(ABI_FLAGS) -c $< -o $@

# Whole or not there: jobs of a test run make the same archive side by side. With other flags its objects lie elsewhere.
$(LIBRARY): $(LIB_OBJECTS) $(OTHER_NAMES) $(B)/flags
	$(Q)rm -f $@.$$$$ && $(AR) rcs $@.$$$$ $(filter %.o,$^) && mv $@.$$$$ $@

# CMSIS-DSP's files as an archive of their own, for the backend that calls it and for the peers in
# the bench.
CMSIS_SOURCES := $(wildcard $(THIRD)/CMSIS-DSP/Source/MatrixFunctions/*_f32.c $(THIRD)/CMSIS-DSP/Source/BasicMathFunctions/*_f32.c)
CMSIS_LIBRARY := $(B)/libcmsisdsp.a
$(CMSIS_LIBRARY): $(addprefix $(B)/obj/,$(CMSIS_SOURCES:.c=.o))
	@rm -f $@
	$(Q)$(AR) rcs $@ $^
$(B)/obj/$(THIRD)/%.o: $(THIRD)/%.c
	$(Q)$(COMPILE) $@ $(CC) $(filter-out $(WARN) -fcallgraph-info=su,$(CFLAGS)) -w $(CMSIS_INCLUDES) $(CMSIS_DEFINES) \
	  -I$(THIRD)/Unity -Itests/unit -DUNITY_INCLUDE_CONFIG_H -c $<

# ---- What a firmware engineer takes away ------------------------------------------------------

TAKE_AWAY := build/take/$(TARGET)-$(VARIANT)
# The headers carry the configuration they were built with, so that no -D has to be repeated.

.PHONY: lib
lib: $(LIBRARY)
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
SHARED_SOURCES := $(LIB_SOURCES) $(wildcard tools/native/*.c) $(if $(USES_CMSIS),$(CMSIS_SOURCES))
# Scenes of many bodies take the time of their users: a tenth less with -O3, with the same bits.
SHARED_OPT = $(if $(filter lib/solve/% lib/shape/% lib/step/%,$1),$(if $(filter %scene_config.h,$(TC_CONFIG)),-O3 -Wno-maybe-uninitialized))
SHARED_OBJECTS := $(SHARED_SOURCES:%.c=build/shared-$(VARIANT)/obj/%.o)
$(dir $(SHARED))obj/%.o: %.c $(B)/flags
	$(Q)$(COMPILE) $@ $(CC) $(filter-out -g -fcallgraph-info=su,$(CFLAGS)) $(BUILD_DEFINES) -fPIC $(call SHARED_OPT,$<) \
	  $(if $(USES_CMSIS),-w $(CMSIS_INCLUDES) $(CMSIS_DEFINES)) -c $<
$(SHARED): $(SHARED_OBJECTS)
	$(Q)$(CC) $(if $(SANITIZE),-fsanitize=$(SANITIZE)) -shared $^ -lm -o $@.$$$$ && mv $@.$$$$ $@
.PHONY: shared
ifeq ($(BOARD)$(CPU),host)
shared: $(SHARED)
	@echo $(SHARED)
else
# A board that was chosen for firmware is none for the package.
shared:
	@$(MAKE) -s --no-print-directory shared BOARD=host CPU=
endif
