# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Words on standard error about whatever takes longer than a second; silence about the rest."""
import contextlib
import os
import sys
import threading
import time

WIDTH = 30     # of a bar, characters
AGAIN = 10.0   # [s] between two lines about the same work


def say(text):
    print(f"tinycontact: {text}", file=sys.stderr, flush=True)


def bar(done, total, seconds):
    """'[#####.....] 120/1000, 12 s left'."""
    full = WIDTH * done // max(total, 1)
    left = f", {seconds * (total - done) / done:.0f} s left" if done else ""
    return f"[{'#' * full}{'.' * (WIDTH - full)}] {done}/{total}{left}"


def progress(items, what):
    """(index, item) for each, and how far it is: on a terminal a bar every second, which is wiped at the end;
    elsewhere a line every second, then less often."""
    start = last = time.monotonic()
    drawn = False
    try:
        for k, item in enumerate(items):
            now = time.monotonic()
            terminal = sys.stderr.isatty()
            if now - last > (1.0 if terminal else max(1.0, (now - start) / 10)):
                last = now
                if terminal:
                    drawn = True
                    print(f"\r\x1b[K{what} {bar(k, len(items), now - start)}", end="", file=sys.stderr, flush=True)
                else:
                    say(f"{what} {k}/{len(items)}")
            yield k, item
    finally:
        if drawn:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


class Teller:
    """A line a second about work of which only the share that is done is known."""

    def __init__(self, what="fitting"):
        self.what, self.last = what, time.monotonic()

    def __call__(self, share, part=""):
        now = time.monotonic()
        if now - self.last > 1.0:
            self.last = now
            say(f"{self.what}{part and f', {part}'}: {100 * share:3.0f} %")


def say_trained(path, begun):
    """The size of a trained model's file, and how long it took since `begun`, by time.monotonic()."""
    say(f"{path}: {os.path.getsize(path)} bytes, trained in {time.monotonic() - begun:.0f} s")


@contextlib.contextmanager
def announced(text):
    """Says `text` if the block takes longer than a second, and every ten seconds how long it has taken so far."""
    ended, start = threading.Event(), time.monotonic()

    def tell():
        if ended.wait(1.0):
            return
        say(f"{text} ...")
        while not ended.wait(AGAIN):
            say(f"{text}: {time.monotonic() - start:.0f} s so far")

    teller = threading.Thread(target=tell, daemon=True)
    teller.start()
    try:
        yield
    finally:
        ended.set()
        teller.join()
