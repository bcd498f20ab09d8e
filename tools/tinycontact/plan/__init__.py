# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Contact at a distance, and plans that discover it: barrier pairs, implicit steps, planning (lib/barrier)."""
