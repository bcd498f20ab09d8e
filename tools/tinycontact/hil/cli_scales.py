# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""tinycontact leg hil evaluate-scales: contact estimators on other legs, ticks and sensors."""
from .. import sweep
from ..csvfile import write_columns
from ..options import count, factor
from ..progress import say
from . import scales
from .evaluate import EXPLAINED

TEXT = """Legs weigh 0.3 to 30 kg; they are scaled from those of tests/hil or drawn at random.
Encoders have 12 to 20 bits, noise is up to ten times the nominal, ticks last 0.5 to 2 ms. The
estimators' configurations come from tc_estimator_default_for and tc_momentum_default_for alone.
Seeds from 5000 on serve this table only; to tune, use --seed 0.

example:
  tinycontact leg hil evaluate-scales --name "30 kg" "12 bits" --seed 0"""


def add(p):
    p.description = "Judge contact estimators on legs, ticks and sensors of other sizes."
    p.epilog = TEXT
    p.add_argument("--name", nargs="+", metavar="NAME", help="scales to judge (default all)")
    p.add_argument("--scale", type=factor, default=1.0,
                   help="factor on the number of episodes (default 1: one of each, minutes)")
    p.add_argument("--seed", type=count, default=scales.FIRST_SEED, help="first seed (default 5000)")
    p.add_argument("-o", "--output", metavar="OUT.csv",
                   help="write a row per estimator, scale and plant")
    sweep.add_options(p)
    p.set_defaults(run=run)


def run(options):
    from ..report.measure import legend
    from ..report.page import text_table
    items = scales.work(scales.chosen(options.name), options.scale, options.seed)
    found = scales.judged(items, sweep=sweep.of(options))
    for name in scales.ESTIMATORS:
        print(f"\n{name}")
        print(text_table(["scale", "plant", *scales.COLUMNS], scales.rows(found, name)))
        print("\n".join(legend(scales.COLUMNS, EXPLAINED)))
    if options.output:
        columns = scales.csv_columns(found)
        write_columns(options.output, list(columns), list(columns.values()))
        say(f"{options.output}: {len(found)} rows")
