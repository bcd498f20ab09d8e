# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Comparisons with other simulators on the host."""
