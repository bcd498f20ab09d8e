# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Tasks of test_sweep.py, in a module of their own: processes find them by name."""
import os
import signal
import time
from pathlib import Path

import numpy as np

from tinycontact.sweep import blas


def drawn(seed):
    """Numbers that need every operation's bits: an orbit of a chaotic map, and a reduction."""
    rng = np.random.default_rng(seed)
    x = rng.random(64)
    for _ in range(200):
        x = 3.99 * x * (1.0 - x)
    return float(x.sum()), x.tobytes()


def slow(task):
    """(seed, seconds): the same, after a while."""
    time.sleep(task[1])
    return drawn(task[0])


def once_deadly(task):
    """(seed, folder): the first time, this process dies."""
    seed, folder = task
    mark = Path(folder) / f"died{seed}"
    if seed % 7 == 3 and not mark.exists():
        mark.write_text("")
        os.kill(os.getpid(), signal.SIGKILL)
    time.sleep(0.02)
    return drawn(seed)


def deadly(seed):
    if seed == 5:
        os.kill(os.getpid(), signal.SIGKILL)
    time.sleep(0.05)
    return drawn(seed)


def failing(seed):
    if seed in (2, 4):
        raise ValueError(f"seed {seed} is even")
    return drawn(seed)


def counted(task):
    """(seed, folder): leaves a mark for each time that it is computed."""
    seed, folder = task
    with open(Path(folder) / f"ran{seed}", "a", encoding="utf-8") as file:
        file.write("x")
    return drawn(seed)


def products(seed):
    """(threads of each BLAS, bits of products that more threads would add up in another order)"""
    rng = np.random.default_rng(seed)
    A, x = rng.normal(size=(400, 4001)), rng.normal(size=4001)
    return [get() for get, _ in blas()], (A @ A.T).tobytes(), (A @ x).tobytes(), (A.T @ (A @ x)).tobytes()
