# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Types of command-line options, for argparse, with words of their own for what they refuse."""
import argparse


def whole(least):
    """A type: whole numbers from `least` on."""
    def parse(word):
        try:
            value = int(word)
        except ValueError:
            raise argparse.ArgumentTypeError(f"{word!r} is no whole number") from None
        if value < least:
            raise argparse.ArgumentTypeError(f"{value} is less than {least}")
        return value
    return parse


count, positive = whole(0), whole(1)


def factor(word):
    """A type: a factor on a number of things, above 0, up to 100."""
    try:
        value = float(word)
    except ValueError:
        value = 0.0
    if not 0 < value <= 100:
        raise argparse.ArgumentTypeError(f"{word!r} is no number above 0, up to 100")
    return value
