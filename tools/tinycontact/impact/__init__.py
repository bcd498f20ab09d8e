# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Impacts with friction and restitution.

cone.py solves single problems with the library, cli.py is the command `tinycontact impact`.
"""
