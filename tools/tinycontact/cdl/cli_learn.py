# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""tinycontact cdl train and evaluate: networks from logs, and how good they are."""
import argparse
import time
from pathlib import Path

import numpy as np

from ..errors import TinycontactError
from ..progress import Teller, announced, progress, say, say_trained

TRAIN = """SYSTEM.json: {"m": [..], "h": s, "contact": "none" | "floor" | "pair", "e": 1,
"proj": "none" | "mean"}, with the fields of `tinycontact cdl simulate`. The nets learn
potential, g and l; these fields are ignored.

LOG.csv has a header and these columns, in any order:
  run            number of the run that the row belongs to
  t              time [s]
  q1, .., v1, .. position and velocity of each body
  contact        1 if an impulse acted on the way to this row, else 0. Missing: impacts are
                 found from jumps of the velocity

--protocol replaces both files: it trains on the noisy run of one of the paper's systems.

examples:
  tinycontact cdl train --protocol ball --out ball.tcm
  tinycontact cdl train --system foot.json --log drops.csv --out foot.tcm"""
EVALUATE = """E.csv has the columns system, method, data, test, seed, RMSE (the root of the mean
over steps of the sum over columns of the squared error). New rows replace those of the same
system and method; other rows stay. Seeds 0 to 9 are for choosing; seeds 10 to 29 are reported.

example:
  tinycontact cdl evaluate --out tests/cdl/evaluation.csv --report report"""


def add_train(p):
    from .learn.data import PROTOCOLS
    p.description = "Learn a CD-Lagrange network: its potential and its contact signal."
    p.epilog = TRAIN
    p.add_argument("--system", metavar="SYSTEM.json", help="the known part of the system")
    p.add_argument("--log", metavar="LOG.csv", help="the log to learn from")
    p.add_argument("--protocol", choices=tuple(PROTOCOLS), help="a system of the paper, instead of --system and --log")
    p.add_argument("--out", "-o", metavar="M.tcm", required=True, help="the model file to write")
    p.add_argument("--hidden", type=_units, default=32, metavar="N", help="units of each net, 2 to 500 (default 32)")
    p.add_argument("--activation", choices=("softplus", "tanh"), default="softplus",
                   help="activation of each net (default softplus)")
    p.add_argument("--no-touch", action="store_true",
                   help="ignore the column contact: find impacts from velocities")
    p.add_argument("--seed", type=int, default=10, metavar="N",
                   help="seed of initial weights and of a protocol's noise (default 10)")
    p.add_argument("--plot", metavar="P.png", help="draw the fitted trajectory over the log")
    p.set_defaults(run=run_train)


def add_evaluate(p):
    from . import evaluate
    p.description = "Train and simulate every method on the paper's systems, seed by seed."
    p.epilog = EVALUATE
    p.add_argument("--out", "-o", metavar="E.csv", required=True, help="the file of results")
    p.add_argument("--systems", nargs="+", choices=evaluate.SYSTEMS, default=evaluate.SYSTEMS, metavar="NAME",
                   help=", ".join(evaluate.SYSTEMS) + " (default all)")
    p.add_argument("--methods", nargs="+", choices=(*evaluate.METHODS, evaluate.VARIED), default=evaluate.DEFAULT,
                   metavar="NAME",
                   help="; ".join((*evaluate.METHODS, evaluate.VARIED))
                   + " (default: all except the tanh nets)")
    p.add_argument("--seeds", type=_seeds, default=evaluate.REPORTED, metavar="A-B",
                   help="first and last seed (default 10-29)")
    p.add_argument("--report", metavar="FOLDER", help="write a page with tables and plots there")
    p.set_defaults(run=run_evaluate)


def _units(word):
    value = int(word)
    if not 2 <= value <= 500:
        raise argparse.ArgumentTypeError(f"{value} lies outside 2 to 500")
    return value


def _seeds(word):
    first, _, last = word.partition("-")
    seeds = range(int(first), int(last or first) + 1)
    if not seeds:
        raise argparse.ArgumentTypeError(f"{word}: the last seed comes before the first")
    return seeds


def _training_data(options):
    """(Data of one seed, whether its flags are used)."""
    from .learn import data
    if options.protocol:
        if options.system or options.log:
            raise TinycontactError("--protocol brings its own system and log: leave --system and --log out")
        return data.protocol_data(data.PROTOCOLS[options.protocol], [options.seed]), not options.no_touch
    if not options.system or not options.log:
        raise TinycontactError("--system and --log are needed, or --protocol")
    system = data.read_system(options.system, Path(options.system).stem)
    logged, touched = data.read_log(options.log, system)
    if system.touches and not touched:
        say(f"{options.log}: no column contact; impacts are found from velocities")
    return logged, touched and not options.no_touch


def run_train(options):
    from ..learn.fit import frameworks
    from ..report.plots import ready
    from .learn import export, train
    begun = time.monotonic()
    logged, touch = _training_data(options)
    frameworks()   # after the files were read, before anything takes time
    if options.plot:
        ready()
    settings = train.Settings(options.hidden, options.activation, touch)
    trained = train.train(logged, [options.seed], settings, Teller("fitting"))
    words = f"--protocol {options.protocol}" if options.protocol else (f"--system {Path(options.system).name}"
                                                                      f" --log {Path(options.log).name}")
    model = export.model(trained, 0, {"command": f"tinycontact cdl train {words} --seed {options.seed}"})
    model.save(options.out)
    rows = trained.states.shape[1]
    off = (trained.states - logged.states[:, :rows])[0]
    print("misfit per column: " + ", ".join(f"{value:.3g}" for value in np.sqrt((off**2).mean(axis=0))))
    print(f"impacts: {int(trained.flags.sum())}" + ("" if touch or not logged.system.touches else " found") +
          f"; {rows} of {logged.q.shape[1]} rows used")
    if options.plot:
        _plot(options.plot, logged, trained)
    say_trained(options.out, begun)


def _plot(path, logged, trained):
    from ..model import write_whole
    from ..report.page import png_bytes
    from ..report.plots import LAWS, new_figure
    d = logged.system.columns
    figure = new_figure(4.5 * d, 3.5)
    for k, axes in enumerate(np.atleast_1d(figure.subplots(1, d))):
        axes.plot(logged.q[0, :, k], logged.v[0, :, k], ".", color="#b4bccb", markersize=2, label="log")
        axes.plot(trained.states[0, :, k], trained.states[0, :, d + k], color=LAWS[0], linewidth=1, label="fitted")
        axes.set(xlabel=f"q{k + 1}", ylabel=f"v{k + 1}")
        axes.legend(frameon=False)
    write_whole(path, png_bytes(figure))


def run_evaluate(options):
    from ..learn.fit import frameworks
    from ..report.page import text_table
    from ..report.plots import ready
    from . import evaluate
    rows = evaluate.read_rows(options.out)
    frameworks()
    if options.report:
        ready()
    jobs = evaluate.groups(options.systems, options.methods)
    new = []
    for _, (system, name) in progress(jobs, "evaluating"):
        new += evaluate.group_rows(system, name, options.seeds, Teller(f"{system}, {name}"))
        rows = evaluate.replaced(rows, new)
        evaluate.write_rows(options.out, rows)   # after each group: what is interrupted is not lost
    print(text_table(*evaluate.summary([row for row in rows if row[:2] in set(jobs)])))
    if options.report:
        _report(options.report, rows, options.systems, options.seeds[0])


def _report(folder, rows, systems, seed):
    from ..report.page import Page
    from . import evaluate, evaluate_plots
    from .learn import data
    page = Page("CD-Lagrange networks")
    page.text("RMSE of free roll-outs from the exact start: the root of the mean over steps, start included, of the sum"
              " over all columns of position and velocity of the squared error.")
    page.table(*evaluate.summary(rows))
    with announced("drawing"):
        page.picture("scatter", evaluate_plots.scatter(rows), "every seed of every group")
        for system in systems:
            protocol = data.PROTOCOLS[system]
            clean, _ = data.truth(protocol, protocol.steps)
            logged = data.protocol_data(protocol, [seed]).states[0]
            shown = ["CDL"] + (["VIN-VV"] if system == "pendulum" else [])
            shown += sorted(name for (of, _), name in evaluate.best_peers(rows).items() if of == system)
            laws = {name: evaluate.rollout(evaluate.fitted(evaluate.METHODS[name], protocol, [seed]), clean[:1],
                                           protocol.steps)[0, 0] for name in shown}
            page.heading(system)
            page.picture(system, evaluate_plots.rollouts(protocol, logged, clean, laws),
                         f"seed {seed}: the log (dots), the truth (dark), the roll-out (dashed)")
    say(str(page.save(folder)))
