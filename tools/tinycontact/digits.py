# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Numbers as people write them."""
import numpy as np


def plain(value, digits=3):
    """`digits` significant digits, without a power of ten."""
    text = f"{value:.{digits}g}"
    if "e" not in text:
        return text
    return f"{float(text):,.0f}" if "e+" in text else np.format_float_positional(float(text), trim="-")
