# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""How long the rope of paper 000 takes: a batch forward and backward, as one iteration of its training does.

    python -m tinycontact.impact.rope_speed [-o speed.csv] [--batch 200] [--steps 5] [--rounds 25]

The paper's Table 3 has seconds per iteration by D, the number of coordinates. Ropes are in the midst of a fall, many of
their limits active. Float, one core; the best and the median of the rounds, through the Python interface.
"""
import argparse
import csv
import statistics
import sys
import time
from pathlib import Path

import numpy as np

from ..errors import TinycontactError
from . import rope as ropes

COORDINATES = (20, 100, 200, 400)
PAPER = {100: 0.869, 200: 1.563, 400: 3.225}   # seconds per iteration, Table 3
COLUMNS = ("coordinates", "limits", "batch", "steps", "forward_ms", "backward_ms", "total_ms", "median_ms", "listed_mean",
           "listed_max", "active_mean", "active_max", "iterations_mean", "iterations_max", "paper_ms", "times")


def timed(batch, start, rounds):
    """Seconds of each round: [(forward, backward)]."""
    rows, by_path = [], np.ones((batch.batch, batch.steps, start.shape[1]))
    for _ in range(rounds + 1):   # the first touches the memory
        began = time.perf_counter()
        batch.simulate(start)
        middle = time.perf_counter()
        batch.gradient(by_path)
        rows.append((middle - began, time.perf_counter() - middle))
    return rows[1:]


def measure(coordinates, batch, steps, rounds):
    """One row of the table."""
    rope = ropes.Rope(points=coordinates // 2)
    start = ropes.starts(rope, batch)
    room = ropes.Batch(rope, batch, steps)
    rows = timed(room, start, rounds)
    forward, backward = (1e3 * min(row[k] for row in rows) for k in (0, 1))
    total, paper, c = 1e3 * min(map(sum, rows)), 1e3 * PAPER.get(coordinates, 0), room.counts
    return {"coordinates": coordinates, "limits": 2 * rope.points - 1, "batch": batch, "steps": steps,
            "forward_ms": round(forward, 2), "backward_ms": round(backward, 2), "total_ms": round(total, 2),
            "median_ms": round(1e3 * statistics.median(map(sum, rows)), 2),
            "listed_mean": round(c.listed, 1), "listed_max": c.listed_most, "active_mean": round(c.active, 1),
            "active_max": c.active_most, "iterations_mean": round(c.iterations, 2), "iterations_max": c.iterations_most,
            "paper_ms": round(paper) if paper else "", "times": round(paper / total) if paper else ""}


def text(rows):
    """The table, as printed."""
    lines = ["   D  limits   forward  backward    total   median   listed        active      iterations      paper   times",
             "                  ms        ms       ms       ms   mean   max   mean   max    mean   max         ms"]
    for r in rows:
        lines.append(f"{r['coordinates']:4d} {r['limits']:7d} {r['forward_ms']:9.1f} {r['backward_ms']:9.1f} {r['total_ms']:8.1f}"
                     f" {r['median_ms']:8.1f} {r['listed_mean']:6.1f} {r['listed_max']:5d} {r['active_mean']:6.1f}"
                     f" {r['active_max']:5d} {r['iterations_mean']:7.2f} {r['iterations_max']:5d} {r['paper_ms']!s:>10}"
                     f" {r['times']!s:>7}")
    return "\n".join(lines)


def main(words=None):
    parser = argparse.ArgumentParser(prog="rope_speed", description=__doc__.splitlines()[0])
    parser.add_argument("-o", "--out", type=Path, help="write the table there as CSV")
    parser.add_argument("--batch", type=int, default=200, help="ropes (200)")
    parser.add_argument("--steps", type=int, default=5, help="steps of each (5)")
    parser.add_argument("--rounds", type=int, default=25, help="timed rounds (25)")
    given = parser.parse_args(words)
    if given.rounds < 1:
        parser.error(f"--rounds {given.rounds}: must be at least 1")
    try:
        rows = [measure(d, given.batch, given.steps, given.rounds) for d in COORDINATES]
        if given.out:
            with given.out.open("w", newline="", encoding="utf-8") as out:
                writer = csv.DictWriter(out, COLUMNS, lineterminator="\n")
                writer.writeheader()
                writer.writerows(rows)
    except (TinycontactError, OSError) as error:
        print(f"rope_speed: {error}", file=sys.stderr)
        return 2
    print(text(rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
