# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Limits on a command that do not depend on how busy the machine is: processor time, and standing still.

A limit in seconds of the clock fails a sound job when others want the processors. What a job that goes astray does
is either compute without end, which its processor time shows, or wait without end, when it takes none at all.
Linux tells both in /proc; elsewhere nothing is limited.
"""
import os
import signal
import subprocess
import time
from collections import namedtuple
from pathlib import Path

CPU = 1800.0      # [s] that a job's processes may compute together
STILL = 900.0     # [s] that they may go on without computing STEP together
STEP = 0.05       # [s]: what a process that only waits may take to look round
LOOK = 0.5        # [s] between looks

Ended = namedtuple("Ended", "status output reason")   # status None and a reason where it was stopped


def _processes():
    """{pid: (parent, seconds computed with the children that ended)}"""
    tick, found = os.sysconf("SC_CLK_TCK"), {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            cells = (folder / "stat").read_text().rpartition(")")[2].split()
        except OSError:   # ended meanwhile
            continue
        found[int(folder.name)] = int(cells[1]), sum(map(int, cells[11:15])) / tick
    return found


def family(pid):
    """{pid: seconds computed} of a process and all that descend from it."""
    table, members, children = _processes(), {}, {}
    for child, (parent, _) in table.items():
        children.setdefault(parent, []).append(child)
    waiting = [pid] if pid in table else []
    while waiting:
        member = waiting.pop()
        members[member] = table[member][1]
        waiting += children.get(member, [])
    return members


def stop(pid):
    """Ends a process of ours with all that descend from it."""
    for member in family(pid):
        try:
            os.kill(member, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            pass


class Watch:
    """Asked again and again, says why a job is to be stopped, or ''."""

    def __init__(self, pid, cpu=CPU, still=STILL, clock=time.monotonic, computed=family):
        self.pid, self.cpu, self.still, self.clock, self.computed = pid, cpu, still, clock, computed
        self.spent, self.mark, self.since = 0.0, 0.0, clock()

    def reason(self):
        # What a process that ended had computed may be counted nowhere any more: the sum never falls.
        members = self.computed(self.pid)
        self.spent = max(self.spent, sum(members.values()))
        if self.spent >= self.mark + STEP or not members:   # nothing is known of it
            self.mark, self.since = self.spent, self.clock()
        if self.spent > self.cpu:
            return f"no end after {self.cpu:g} s of processor time"
        if self.clock() - self.since > self.still:
            return f"no end: it stands still, {self.still:g} s without computing"
        return ""


def run(command, cpu=CPU, still=STILL, **options):
    """subprocess.run with standard output and error as one text, under the limits; raises OSError if it cannot start."""
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace", **options) as child:
        watch, reason = Watch(child.pid, cpu, still), ""
        try:
            while True:
                try:
                    output, _ = child.communicate(timeout=LOOK)
                    return Ended(None if reason else child.returncode, output, reason)
                except subprocess.TimeoutExpired:
                    reason = reason or watch.reason()
                    if reason:
                        stop(child.pid)
        except BaseException:
            stop(child.pid)
            raise
