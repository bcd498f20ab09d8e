# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""`make sweep-speed`: 1,000 throws in DART by one process and by one per core, in one run: time, and whether they agree.

Two figures. By the clock: what a person waits, on a machine that does nothing else. By computing: what one process computes,
over what the busiest of the processes does, or the cores' mean where that is more. The second holds on a busy machine, too.
"""
import os
import sys
import threading
import time

import numpy as np

from tinycontact.report import truth
from tinycontact.sim import shapes, throws
from tinycontact.sweep import Sweep

COUNT, SEED = 1000, 7
OFTEN = 0.05   # [s] between two looks at the processes
TICK = os.sysconf("SC_CLK_TCK")


def computed():
    """{process: seconds that it has computed} of this process and its children, on Linux."""
    here, found = os.getpid(), {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/stat", encoding="utf-8") as file:
                fields = file.read().rpartition(") ")[2].split()
        except OSError:   # it has ended since
            continue
        if here in (int(name), int(fields[1])):
            found[int(name)] = (int(fields[11]) + int(fields[12])) / TICK
    return found


def watched(work):
    """(result of work(), {process: seconds that it computed meanwhile})"""
    before, latest, ended = computed(), {}, threading.Event()

    def watch():
        while not ended.wait(OFTEN):
            latest.update(computed())
    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        result = work()
    finally:
        ended.set()
        watcher.join()
    latest.update(computed())
    return result, {process: seconds - before.get(process, 0.0) for process, seconds in latest.items()}


def timed(jobs, rows):
    """(seconds by the clock, {process: seconds of computing}, results)"""
    begun = time.monotonic()
    results, computing = watched(lambda: truth.Dart(shapes.builtin("rectangle"), "dart", Sweep(jobs)).results(rows))
    return time.monotonic() - begun, computing, results


def main():
    rows, cores = throws.random_rows(int(sys.argv[1]) if len(sys.argv) > 1 else COUNT, SEED), os.cpu_count()
    truth.Dart(shapes.builtin("rectangle"), "dart", Sweep(1)).results(rows[:1])   # imports are not the throws'
    (alone, once, one), (together, several, all_) = timed(1, rows), timed(cores, rows)
    same = all(np.array_equal(getattr(one, name), getattr(all_, name)) for name in ("distance", "angle", "steps", "bounces"))
    wanted, busiest = sum(once.values()), max(max(several.values()), sum(several.values()) / cores)
    print(f"{len(rows)} throws in DART: {alone:.1f} s by one process, {together:.1f} s by {cores}: {alone / together:.2f} x;"
          f" the results are {'the same' if same else 'NOT the same'}")
    print(f"by computing: {wanted:.1f} s, {busiest:.1f} s in the busiest of {len(several)} or per core:"
          f" {wanted / busiest:.2f} x")
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
