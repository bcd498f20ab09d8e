# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Words on standard error about whatever takes longer than a second; silence about the rest."""
import contextlib
import sys
import threading
import time


def say(text):
    print(f"tinycontact: {text}", file=sys.stderr, flush=True)


def progress(items, what):
    """(index, item) for each; says every second how far it is."""
    last = time.monotonic()
    for k, item in enumerate(items):
        now = time.monotonic()
        if now - last > 1.0:
            last = now
            say(f"{what} {k}/{len(items)}")
        yield k, item


@contextlib.contextmanager
def announced(text):
    """Says `text` if the block takes longer than a second."""
    timer = threading.Timer(1.0, say, [f"{text} ..."])
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
