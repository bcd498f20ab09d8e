# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""tinycontact leg hil evaluate-robots: estimators of all feet on fresh episodes of simulated robots."""
from .. import sweep
from ..csvfile import write_columns
from ..options import count, factor
from ..progress import say
from . import evaluate, estimators

TEXT = """conditions (--condition; default all):
  trot springs gaits steps slopes flat soft-pace stand
                   a quadruped of 12 kg; springs: softer floors; gaits: walk, pace and bound; steps
                   of 50 mm; slopes of 10 to 20 degrees; flat: the trot and walk without steps
  bits14 bits12 noise3 mass-20 mass+20 gain15 tilt3 torque6 lost5
                   its trot with one fault each, unknown to the estimators
  unseen-trot unseen-walk unseen-walk-noise3 unseen-slope unseen-soft-pace unseen-springs-bits14
                   five other quadrupeds of 2.5 to 53 kg
  leg6 leg7 finger one limb of 6, 7 or 4 joints, its base led or fixed

estimators (--estimator; default all):
  oracle           the truth a tick late: nothing is better but by guessing
  momentum static  the momentum observer, and the static force, with a threshold
  fused            the gait's clock, height and force; it is told the gait
  net              a small net, trained on the tuning episodes at its first use
  bank             hypotheses in the contact's space with one base, in float64
  c                the same in the library, as firmware runs it

Seeds from 1000 on serve this table only; to tune, use --seed 0. Episodes are kept in
build/robots/episodes: the first run makes them, about a second for a second of each.
tools/tinycontact/robots/judge.py defines every number.

examples:
  tinycontact leg hil evaluate-robots --condition trot slopes --scale 0.2
  tinycontact leg hil evaluate-robots --estimator bank momentum --condition bits14 --seed 0"""


def add_evaluate(p):
    p.description = "Judge estimators of all feet on fresh episodes of simulated robots."
    p.epilog = TEXT
    p.add_argument("--condition", nargs="+", metavar="NAME", help="conditions to judge (default all)")
    p.add_argument("--estimator", nargs="+", choices=estimators.NAMES, default=list(estimators.NAMES), metavar="NAME",
                   help="estimators to judge (default all)")
    p.add_argument("--scale", type=factor, default=1.0,
                   help="factor on the number of episodes (default 1: an hour of one core)")
    p.add_argument("--seed", type=count, default=evaluate.FIRST_SEED, help="first seed (default 1000)")
    p.add_argument("-o", "--output", metavar="OUT.csv", help="write a row per estimator and condition")
    p.add_argument("--plot",
                   metavar="OUT.png",
                   help="draw the contacts of the first episode's feet: true, then estimated")
    sweep.add_options(p)
    p.set_defaults(run=run_evaluate)


def run_evaluate(options):
    from ..report.measure import legend
    from ..report.page import text_table
    from ..report.plots import ready
    if options.plot:
        ready()
    items = evaluate.work(evaluate.chosen(options.condition), options.scale, options.seed)
    found = evaluate.evaluate(items, options.estimator, sweep.of(options))
    for name in options.estimator:
        print(f"\n{name}: {estimators.TOLD[name]}")
        print(text_table(["condition", *evaluate.COLUMNS], evaluate.rows(found, name)))
    print("\n" + "\n".join(legend(evaluate.COLUMNS, evaluate.EXPLAINED)))
    if options.output:
        columns = evaluate.csv_columns(found)
        write_columns(options.output, list(columns), list(columns.values()))
        say(f"{options.output}: {len(found)} rows")
    if options.plot:
        _draw(options.plot, items[0], [name for name in options.estimator if name != "oracle"])


def _draw(path, item, names):
    from . import strips
    episode = evaluate.episode_of(item)
    told = {name: estimators.estimates(name, [episode])[0] for name in names}
    strips.save(path, episode, told, " ".join(map(str, item[1:3])) + f", condition {item[0]}, seed {item[-1]}")
    say(f"{path}: the first episode")
