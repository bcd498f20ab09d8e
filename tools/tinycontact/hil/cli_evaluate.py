# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""tinycontact leg hil evaluate: contact estimators on fresh episodes, and the numbers to beat."""
import argparse
import os

from .. import sweep
from ..csvfile import write_columns
from ..errors import TinycontactError
from ..model import load, write_whole
from ..options import count, factor
from ..progress import announced, say
from . import evaluate as judging

TEXT = """conditions (--condition; default all):
  stiff                nominal sensors, MuJoCo's stiff contact; the headline numbers use it
  velocity             the same leg; the base's velocity along the floor is measured
  spring500 spring250 creep500 creep250
                       softer floors (tools/tinycontact/hil/mujoco_plant.py)
  flat                 a floor without steps, for predictions
  bits14 mass-20 mass+20 noise3 lost5
                       one fault each, unknown to the estimator
  all-20 all+20        errors of mass, noise and loss together
  dart                 the same gaits in DART

An episode is 20 s long. Seeds start at 1000. Episodes are stored in build/hil/episodes. A first
impression takes minutes: --scale 0.05. To tune, use --seed 0 and at most 100 episodes of a kind.
tools/tinycontact/hil/metrics.py defines every number.

examples:
  tinycontact leg hil evaluate --scale 0.05 --condition stiff velocity
  tinycontact leg hil evaluate --seed 0 --condition stiff --estimator imm --set keep=0.95
  tinycontact leg hil evaluate --seed 0 --scale 0.2 --estimator imm --model tests/models/foot.tcm"""


def _setting(word):
    name, _, value = word.partition("=")
    try:
        return name, float(value)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{word!r} is not NAME=NUMBER") from None


def add(p):
    p.description = "Judge contact estimators on fresh episodes of simulated legs."
    p.epilog = TEXT
    p.add_argument("--condition", nargs="+", metavar="NAME",
                   help="conditions to judge (default all)")
    p.add_argument("--estimator", nargs="+", choices=judging.ESTIMATORS,
                   default=list(judging.ESTIMATORS),
                   help="estimators to judge (default all)")
    p.add_argument("--model", nargs="+", metavar="M.tcm", default=[],
                   help="judge imm once more, as imm+M, with this learned contact model for"
                   " friction")
    p.add_argument("--scale", type=factor, default=1.0,
                   help="factor on the number of episodes (default 1: hours of one core)")
    p.add_argument("--seed", type=count, default=judging.FIRST_SEED, help="first seed (default 1000)")
    p.add_argument("--set", type=_setting, action="append", default=[], metavar="NAME=NUMBER", dest="settings",
                   help="set a field of the estimator's configuration; needs exactly one"
                   " --estimator")
    p.add_argument("-o", "--output", metavar="OUT.csv",
                   help="write every metric: a row per estimator, condition, plant")
    p.add_argument("--report", metavar="DIR",
                   help="draw reliability_E.png and slip_E.png there, of each estimator E")
    sweep.add_options(p)
    p.set_defaults(run=run)


def run(options):
    from ..report.measure import legend
    from ..report.page import text_table
    from ..report.plots import ready
    if options.settings and len(options.estimator) != 1:
        raise TinycontactError("--set: name the one --estimator whose configuration it is")
    items = judging.work(judging.chosen(options.condition), options.scale, options.seed)
    results = {}
    for path in options.model:
        load(path)   # a file that is refused is refused now
    makers = judging.makers(options.estimator, options.model, options.settings)
    if options.report:
        ready()
    for name, asked in makers.items():
        results[name] = judging.evaluate(judging.judged_by(name, items), asked, sweep.of(options), f"episodes, {name}")
        numbers = {key: judging.summary(judged) for key, judged in results[name].items()}
        print(f"\n{name}: numbers to beat")
        print(text_table(["", "plant", "measured", "floor", "met"], judging.floor_rows(numbers)))
        print(f"\n{name}: all conditions")
        print(text_table(["condition", "plant", *judging.CONDITION_COLUMNS], judging.condition_rows(numbers)))
        print("\n".join(legend(judging.CONDITION_COLUMNS, judging.EXPLAINED)))
        _print_curves(name, results[name])
    if options.output:
        columns = judging.csv_columns(results)
        write_columns(options.output, list(columns), list(columns.values()))
        say(f"{options.output}: {sum(len(pooled) for pooled in results.values())} rows")
    if options.report:
        _draw(options.report, results)


def _print_curves(name, pooled):
    from ..report.measure import legend
    from ..report.page import text_table
    shown = [condition for condition in ("stiff", "velocity", "spring500")
             if any((condition, plant) in pooled for plant in judging.PLANTS)]
    for condition in shown:
        plants = [plant for plant in judging.PLANTS if (condition, plant) in pooled]
        print(f"\n{name}, {condition}: slip, by the threshold on p_dynamic / (p_static + p_dynamic)")
        header = [f"{plant}: {what}" for plant in plants for what in judging.CURVE_COLUMNS]
        print(text_table(["threshold", *header], judging.curve_rows(pooled, condition)))
    if shown:
        print("\n".join(legend(judging.CURVE_COLUMNS, judging.EXPLAINED)))


def _draw(folder, results):
    from ..report.page import png_bytes
    from . import evaluate_plots as plots
    os.makedirs(folder, exist_ok=True)
    with announced("drawing"):
        for name, pooled in results.items():
            shown = {f"{plant}, {condition}": pooled[condition, plant] for condition in ("stiff", "all+20")
                     for plant in judging.PLANTS if (condition, plant) in pooled}
            write_whole(os.path.join(folder, f"reliability_{name}.png"), png_bytes(plots.reliability(shown)))
            write_whole(os.path.join(folder, f"slip_{name}.png"), png_bytes(plots.slip_trade(shown)))
    say(f"{folder}: reliability and slip, a picture of each per estimator")
