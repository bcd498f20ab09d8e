#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""What it costs to have a board per limb: the same episodes on one board for all feet, on four boards that share the base's
velocity over the line, a tick late, and on four that share nothing. Writes a row each; `make robots-sharing`."""
import argparse
import tempfile
from pathlib import Path

from tinycontact.csvfile import write_columns
from tinycontact.robots import judge, run

WAYS = {"one board": {}, "four boards, shared": {"each": True}, "four boards, alone": {"each": True, "share": False}}
EPISODES = [("go1", gait, seed) for seed in (1000, 1001, 1002) for gait in ("trot", "walk")]
SECONDS = 4.0
COLUMNS = ("right", "right_oracle", "kinds", "kinds_oracle", "stick_as_slip", "delay", "missed", "false", "air", "base_median",
           "base")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-o", "--out", default=Path(__file__).with_name("sharing.csv"))
    out, rows = parser.parse_args().out, []
    for name, options in WAYS.items():
        total = None
        for robot, gait, seed in EPISODES:
            with tempfile.TemporaryDirectory() as folder:
                chosen = run.Options(robot, gait, board="host", seed=seed, seconds=SECONDS, **options)
                outcome = run.run(chosen, folder)
            judged = judge.judge(outcome.episode, outcome.told)
            total = judged if total is None else total + judged
        found = judge.summary(total)
        rows.append([name, *(f"{found[column]:.6g}" for column in COLUMNS)])
        print(", ".join(rows[-1]), flush=True)
    write_columns(out, ["boards", *COLUMNS], list(zip(*rows)))


if __name__ == "__main__":
    main()
