# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""CD-Lagrange systems: bodies that move in a potential and strike walls and each other.

systems.py reads their files, reference.py is the scheme in float64 written from the paper, simulate.py runs the library
itself, plot.py draws what came out.
"""
