# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""python -m tinycontact."""
from .cli import run

run()
