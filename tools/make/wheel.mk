# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
#
# The Python wheel, compiled as pyproject.toml says by the tools in build/venv: what is unchanged is not compiled again.

.PHONY: wheel wheel-alone
# One at a time, and build/dist never without the file: tests ask for it side by side.
wheel:
	@$(PYTHON) tools/setup --group wheel
	@mkdir -p build/wheel build/dist
	@flock build/wheel/lock $(AGAIN) -s --no-print-directory wheel-alone

WHEEL_ENV = env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS PATH="$(CURDIR)/build/venv/bin:$$PATH" \
  SOURCE_DATE_EPOCH=$$(git log -1 --format=%ct 2>/dev/null || date +%s)
# auditwheel names the oldest platform that the shared objects run on.
wheel-alone:
	@rm -rf build/wheel/linux build/wheel/dist
	@$(WHEEL_ENV) $(VENV_PYTHON) -m pip wheel -q --no-deps --no-build-isolation . -w build/wheel/linux
	@$(WHEEL_ENV) $(VENV_PYTHON) -m auditwheel repair --zip-compression-level 9 -w build/wheel/dist build/wheel/linux/*.whl \
	  2> build/wheel/auditwheel.log || { cat build/wheel/auditwheel.log; exit 1; }
	@cd build/dist && find . -name 'tinycontact-*.whl' ! -name "$$(cd ../wheel/dist && ls)" -delete
	@mv build/wheel/dist/*.whl build/dist/
	@ls build/dist/tinycontact-*.whl
