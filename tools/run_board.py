#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Runs a board's emulator until it ends, or until nobody reads its output any more (`make run | head`).

    tools/run_board.py qemu-system-arm ... -kernel image

QEMU does not end when its output closes: it goes round for ever trying to write. Standard input and output are the
emulator's own, nothing is copied; this process looks at the output's other end alone. The exit status is the
emulator's, 128 and the signal where one ended it, as in a shell.
"""
import os
import select
import shutil
import signal
import subprocess
import sys


def tied(command):
    """An emulator does not outlive this process, not even if that is killed. Linux only."""
    return ["setpriv", "--pdeathsig", "KILL", "--", *command] if shutil.which("setpriv") else command


def wait(child):
    """Until the child ends or the reader of standard output is gone; then the child is ended."""
    ended = os.pidfd_open(child.pid)
    poll = select.poll()
    poll.register(ended, select.POLLIN)
    poll.register(sys.stdout.fileno(), 0)   # POLLERR, POLLHUP are told unasked
    while child.poll() is None:
        for descriptor, event in poll.poll():
            if descriptor != ended and event & (select.POLLERR | select.POLLHUP):
                child.kill()
                child.wait()
            elif descriptor != ended:
                poll.unregister(descriptor)   # no output at all


def main():
    if len(sys.argv) < 2:
        sys.exit("run_board.py: what is to be run?")
    try:
        child = subprocess.Popen(tied(sys.argv[1:]))
    except OSError as error:
        sys.exit(f"{sys.argv[1]}: {error.strerror}")
    signal.signal(signal.SIGINT, signal.SIG_IGN)   # a terminal sends it to both
    signal.signal(signal.SIGTERM, lambda number, frame: child.kill())
    wait(child)
    status = child.returncode
    sys.exit(status if status >= 0 else 128 - status)


if __name__ == "__main__":
    main()
