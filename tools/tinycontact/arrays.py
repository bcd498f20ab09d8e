# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Lists of numbers that users hand in, flat or as rows, checked with words that name the field."""
import itertools

import numpy as np


class BadInput(Exception):
    """A field at fault and why."""


def flat(values, field):
    """(numbers in row-major order, length of each row or None for a bare number) of a list of either."""
    values = values.tolist() if isinstance(values, np.ndarray) else values
    if not isinstance(values, (list, tuple)):
        raise BadInput(f"{field}: is not a list of numbers")
    rows = [row if isinstance(row, (list, tuple)) else [row] for row in values]
    numbers = list(itertools.chain.from_iterable(rows))
    for k, value in enumerate(numbers):
        if type(value) not in (int, float) and not isinstance(value, (np.floating, np.integer)):
            plain = value is None or isinstance(value, (str, bool))
            shown = repr(value)[:30] if plain else f"a {type(value).__name__}"
            raise BadInput(f"{field}: number {k} in row-major order is {shown}, not a number")
    return numbers, [len(row) if isinstance(row, (list, tuple)) else None for row in values]


def floats(numbers, field, real=np.float32):
    """As float64, once it is seen that `real` can hold them."""
    try:
        wide = np.array(numbers, dtype=np.float64)
    except OverflowError:
        raise BadInput(f"{field}: a number is too large") from None
    with np.errstate(over="ignore"):
        bad = np.flatnonzero(~np.isfinite(wide.astype(real)))
    if len(bad):
        value = wide[bad[0]]
        why = f", too large for {np.dtype(real).name}" if np.isfinite(value) else ""
        raise BadInput(f"{field}: number {bad[0]} in row-major order is {value:g}{why}")
    return wide
