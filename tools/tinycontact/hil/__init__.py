# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Contact estimation with hardware in the loop: chain files, plants, episodes and what judges them."""
