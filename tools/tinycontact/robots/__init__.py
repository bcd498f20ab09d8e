# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Robots with several limbs in space: their file, a simulated plant, recorded episodes, and what judges estimators on
them."""
