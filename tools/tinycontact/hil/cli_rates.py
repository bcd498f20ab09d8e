# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""tinycontact leg hil evaluate-rates: the contact estimator at ticks of 0.25 to 5 ms."""
from .. import sweep
from ..csvfile import write_columns
from ..options import count, factor
from ..progress import say
from . import evaluate, rates

TEXT = """Two legs of 0.5 and 20 kg hop and walk in simulation. Nothing was tuned on them. The estimator's
configuration comes from tc_estimator_default_for: it is told of leg, tick and sensors.
Seeds from 9000 on serve this table only; to tune, use --seed 0.

example:
  tinycontact leg hil evaluate-rates --tick 2 4 --scale 0.1 --seed 0"""


def add(p):
    p.description = "Judge the contact estimator at ticks of 0.25 to 5 ms."
    p.epilog = TEXT
    p.add_argument("--tick", nargs="+", metavar="MS",
                   help=f"ticks to judge [ms] (default all: {', '.join(f'{1e3 * tick:g}' for tick in rates.TICKS)})")
    p.add_argument("--scale", type=factor, default=1.0,
                   help="factor on the number of episodes (default 1: 10 minutes in the air at each of 0.5, 1, 2"
                   " and 4 ms)")
    p.add_argument("--seed", type=count, default=rates.FIRST_SEED, help="first seed (default 9000)")
    p.add_argument("-o", "--output", metavar="OUT.csv", help="write a row per tick, leg and plant")
    sweep.add_options(p)
    p.set_defaults(run=run)


def run(options):
    from ..report.measure import legend
    from ..report.page import text_table
    items = rates.work(rates.chosen(options.tick), options.scale, options.seed)
    found = rates.evaluate(items, sweep=sweep.of(options))
    print(text_table(["tick", "leg", "plant", *rates.COLUMNS], rates.rows(found)))
    print("\n".join(legend(rates.COLUMNS, {**evaluate.EXPLAINED, **rates.EXPLAINED})))
    if options.output:
        columns = rates.csv_columns(found)
        write_columns(options.output, list(columns), list(columns.values()))
        say(f"{options.output}: {len(found)} rows")
