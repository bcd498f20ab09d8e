# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""`make sweep-speed`: 1,000 throws in DART by one process and by one per core, in one run: time, and whether they agree."""
import os
import sys
import time

import numpy as np

from tinycontact.report import truth
from tinycontact.sim import shapes, throws
from tinycontact.sweep import Sweep

COUNT, SEED = 1000, 7


def timed(jobs, rows):
    begun = time.monotonic()
    results = truth.Dart(shapes.builtin("rectangle"), "dart", Sweep(jobs)).results(rows)
    return time.monotonic() - begun, results


def main():
    rows, cores = throws.random_rows(int(sys.argv[1]) if len(sys.argv) > 1 else COUNT, SEED), os.cpu_count()
    (alone, one), (together, all_) = timed(1, rows), timed(cores, rows)
    same = all(np.array_equal(getattr(one, name), getattr(all_, name)) for name in ("distance", "angle", "steps", "bounces"))
    print(f"{len(rows)} throws in DART: {alone:.1f} s by one process, {together:.1f} s by {cores}: {alone / together:.2f} x;"
          f" the results are {'the same' if same else 'NOT the same'}")
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
