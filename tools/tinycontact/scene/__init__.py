# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Scenes of bodies with shapes: the file (scenefile), roll-outs by the library (native), the command (simulate_cli)."""
