# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Legs of your own: from a robot's file to a chain file, its check, and C for firmware."""
