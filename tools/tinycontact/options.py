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


def between_whole(least, most):
    """A type: whole numbers in a range."""
    def parse(word):
        value = whole(least)(word)
        if value > most:
            raise argparse.ArgumentTypeError(f"{value} is more than {most}")
        return value
    return parse


def _number(word, otherwise):
    try:
        return float(word)
    except ValueError:
        if otherwise is None:
            raise argparse.ArgumentTypeError(f"{word!r} is no number") from None
        return otherwise


def between(least, most):
    """A type: numbers in a range."""
    def parse(word):
        value = _number(word, None)
        if not least <= value <= most:
            raise argparse.ArgumentTypeError(f"{word} is not between {least:g} and {most:g}")
        return value
    return parse


def above_zero(most, what="number"):
    """A type: numbers above 0, up to `most`; `what` they are called where one is refused."""
    def parse(word):
        value = _number(word, 0.0)
        if not 0 < value <= most:
            raise argparse.ArgumentTypeError(f"{word!r} is no {what} above 0, up to {most:g}")
        return value
    return parse


def written_as(*endings):
    """A type: names of files that end in one of these, such as ".png", which say what is written."""
    def parse(word):
        if not word.lower().endswith(endings):
            raise argparse.ArgumentTypeError(f"{word}: is written as {' or '.join(endings)}; name it so")
        return word
    return parse


factor = above_zero(100)   # on a number of things
