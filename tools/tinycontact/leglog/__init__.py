# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""A leg's own log: read, checked against the leg's physics, estimated, drawn."""
