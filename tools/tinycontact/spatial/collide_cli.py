# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""tinycontact body collide: two boxes thrown at each other, with a contact model between them."""
import argparse
from pathlib import Path

import numpy as np

from ..errors import TinycontactError
from ..jsonfile import write_json
from ..model import load, write_whole
from ..options import above_zero, count, positive
from ..progress import Teller

TEXT = """Two boxes fly freely, without gravity, and meet. The contact model is that of one box on the
floor, as `tinycontact body train --shape box` makes it. Its inputs are ratios and directions, so
that it serves boxes of other sizes and masses, too, and a partner that moves. It learned the
friction of its floor, 0.6. Half of the throws meet in any orientation, the others flat, or an
edge first.

Each contact solve is judged against exact Coulomb friction at the same contacts, in float64.
Without --model exact Coulomb friction is also what the library solves with.

one line per kind of contact (point, edge, face) and one for all:
  solves      contacts that were solved
  pressing    those in which exact Coulomb friction has an impulse
  same class  share of solves whose class (static, dynamic, detach) is the exact one; in
              brackets that of the pressing ones
  impulse     error of the impulse, relative, in the metric of the pair's kinetic energy: median,
              95 % and worst of the pressing ones
  DART        median of the same errors against DART, which gets the same contacts
  momentum, angular momentum
              largest share that a solve lost
  energy      largest gain of kinetic energy in a solve, relative; negative: none gained

example:
  tinycontact body collide --model box.tcm --mass 1,10 --plot collide.png"""
ALL = "all"
SMALL = ("impulse_median", "impulse_p95", "impulse_most", "dart_median", "momentum", "angular_momentum", "energy_gain")


def _each(many, one):
    """A type: so many numbers with commas between them."""
    def parse(word):
        parts = word.split(",")
        if len(parts) != many:
            raise argparse.ArgumentTypeError(f"{word!r} is not {many} numbers with commas between them")
        return [one(part) for part in parts]
    return parse


def add(p):
    p.description = "Throw two boxes at each other and judge the contact model between them."
    p.epilog = TEXT
    p.add_argument("--model", "-m", metavar="M.tcm", help="a trained model of the box")
    p.add_argument("--sides-a", type=_each(3, above_zero(100, "length")), default=[0.2, 0.15, 0.1], metavar="X,Y,Z",
                   help="sides of the first box [m] (default 0.2,0.15,0.1)")
    p.add_argument("--sides-b", type=_each(3, above_zero(100, "length")), metavar="X,Y,Z",
                   help="sides of the second box [m] (default: those of the first)")
    p.add_argument("--mass", type=_each(2, above_zero(1e6, "mass")), default=[1.0, 1.0], metavar="A,B",
                   help="masses [kg] (default 1,1)")
    p.add_argument("--count", type=positive, default=200, metavar="N", help="number of throws (default 200)")
    p.add_argument("--seconds", type=above_zero(10, "time"), default=0.25, metavar="S",
                   help="longest time of a throw (default 0.25)")
    p.add_argument("--contacts", choices=("float64", "library"), default="float64",
                   help="what finds the contacts: a text of its own in float64, or tc_meet_contacts of the library"
                   " (default float64)")
    p.add_argument("--dart", type=count, default=100, metavar="N",
                   help="solves of each kind that DART solves too (default 100)")
    p.add_argument("--seed", type=count, default=1, metavar="N", help="seed of the throws (default 1)")
    p.add_argument("--out", "-o", metavar="O.json", help="write the numbers")
    p.add_argument("--plot", metavar="P.png", help="draw a throw, and the errors of all")
    p.set_defaults(run=run_collide)


def boxes_of(options):
    from .collide import Boxes
    return Boxes(np.array([options.sides_a, options.sides_b or options.sides_a]), np.array(options.mass))


def _foot(model):
    from .limb import Foot
    if not model:
        return Foot.of_coulomb()
    load(model)   # names the file in what is wrong with it
    return Foot.of_model(model)


def report(run, verdict, dart=0):
    """{"point", "edge", "face", "all": numbers}; `dart`: solves of each kind that DART solves, too."""
    from . import collide_judge as judge
    numbers, errors = {}, []
    for k, kind in enumerate(judge.KINDS):
        some = run.solves[judge.pressing(run.solves, verdict, k, dart)]
        errors.append(judge.dart_errors(some, tell=Teller(f"{kind}s in DART")) if len(some) else np.zeros(0))
        numbers[kind] = judge.summary(verdict[verdict.kind == k])
    numbers[ALL] = judge.summary(verdict)
    for name, found in zip(numbers, [*errors, np.concatenate(errors)]):
        numbers[name] |= {"dart": len(found), "dart_median": float(np.median(found)) if len(found) else None,
                          "dart_p95": float(np.quantile(found, 0.95)) if len(found) else None}
    return numbers


def _percent(value):
    return "-" if value is None else f"{100 * value:.2f} %"


def _small(value):
    return "-" if value is None else f"{value:.1e}"


def table(numbers):
    from ..report.page import text_table
    header = ("", "solves", "pressing", "same class", "impulse: median", "95 %", "worst", "DART", "momentum", "angular",
              "energy")
    return text_table(header, [(name, n["solves"], n["pressing"],
                                f"{_percent(n['same_class'])} ({_percent(n['same_class_pressing'])})",
                                *(_small(n[key]) for key in SMALL))
                               for name, n in numbers.items()])


def run_collide(options):
    from ..report.plots import ready
    from ..sim import peers
    from . import collide
    from . import collide_judge as judge
    foot, boxes = _foot(options.model), boxes_of(options)
    if options.dart:
        peers.dart()
    if options.plot:
        ready()
    start = collide.starts(boxes, options.count, options.seed)
    run = collide.run(foot, boxes, start, options.seconds, Teller(f"{options.count} throws"),
                      options.contacts == "library")
    if not run.touched.any():
        raise TinycontactError("no throw met: --count and --seconds may be larger")
    failed = int((run.solves.rows["status"] < judge.FAILED).sum())
    verdict = judge.judge(run.solves)
    numbers = report(run, verdict, options.dart)
    whole = judge.kept(run, boxes)
    print(f"{options.count} throws, {int(run.touched.sum())} met; {failed} solves failed,"
          f" {numbers[ALL]['outside_range']} outside the model's training range\n{table(numbers)}\n"
          f"whole throws lost at most {whole['momentum']:.1e} of the momentum, {whole['angular_momentum']:.1e} of the"
          f" angular momentum; their kinetic energy changed by {whole['energy_gain']:+.1e} at most")
    if options.out:
        law = Path(options.model).stem if options.model else "exact Coulomb"
        write_json(options.out, {"model": law, "sides": boxes.sides.tolist(), "mass": boxes.mass.tolist(),
                                 "throws": options.count, "met": int(run.touched.sum()), "failed": failed,
                                 "whole_throws": whole, **numbers})
    if options.plot:
        from ..report.page import png_bytes
        from .collide_plot import picture
        write_whole(options.plot, png_bytes(picture(run, boxes, verdict)))
