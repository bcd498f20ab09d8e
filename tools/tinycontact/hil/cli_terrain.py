# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""tinycontact leg hil evaluate-terrain: the contact estimator on stairs, a slope and a ball."""
from .. import sweep
from ..csvfile import write_columns
from ..options import count, factor
from ..progress import say
from . import terrains
from .evaluate import EXPLAINED

TEXT = """The plants of `tinycontact leg hil evaluate` on terrain that the estimator knows, and on
the same terrain that it takes for a flat floor. Stairs have steps of 6 cm, the slope has 10
degrees, and the ball has a radius of 0.4 m. The place of the base on a known terrain is 5 mm off.
Seeds from 7000 on serve this table only; to tune, use --seed 0.

example:
  tinycontact leg hil evaluate-terrain --name slope --scale 0.25 --seed 0"""
MORE = {"ahead_fast": "error of the time of the next touch-down, 20 ms ahead of it, feet of 0.5 m/s and more, median",
        "ahead_all": "the same of all feet"}


def add(p):
    p.description = "Judge the contact estimator on known and unknown terrain."
    p.epilog = TEXT
    p.add_argument("--name", nargs="+", metavar="NAME", help="terrains to judge: stairs, slope, ball (default all)")
    p.add_argument("--scale", type=factor, default=1.0,
                   help="factor on the number of episodes (default 1: four of each, a quarter of an hour)")
    p.add_argument("--seed", type=count, default=terrains.FIRST_SEED, help="first seed (default 7000)")
    p.add_argument("-o", "--output", metavar="OUT.csv", help="write a row per terrain and plant")
    sweep.add_options(p)
    p.set_defaults(run=run)


def run(options):
    from ..report.measure import legend
    from ..report.page import text_table
    items = terrains.work(terrains.chosen(options.name), options.scale, options.seed)
    found = terrains.judged(items, sweep=sweep.of(options))
    print(text_table(["terrain", "plant", *terrains.COLUMNS], terrains.rows(found)))
    print("\n".join(legend(terrains.COLUMNS, {**EXPLAINED, **MORE})))
    print("\ncontact right, lost against the flat floor [points]")
    print(text_table(["terrain", "plant", "lost", "floor", "met"], terrains.verdicts(found)))
    if options.output:
        columns = terrains.csv_columns(found)
        write_columns(options.output, list(columns), list(columns.values()))
        say(f"{options.output}: {len(found)} rows")
