# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
#
# Which backend's file is linked for which kernel: TAKE.<profile>.<core> lists kernel:backend.
# A kernel that is not listed comes from port/portable. In `exact` only files whose results equal
# portable's to the bit may be listed; why each was taken is measured in tests/measured.csv.

TAKE.exact.portable :=
TAKE.fast.portable :=
