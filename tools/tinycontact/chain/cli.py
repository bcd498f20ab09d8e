# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""tinycontact chain: a contact model as the last link of a swinging chain, beside DART."""
import argparse
from pathlib import Path

from ..jsonfile import write_json
from ..model import write_whole
from ..options import positive
from ..progress import announced
from ..sim import chain_truth as truth

TEXT = """Three links of 0.3 m x 0.06 m and 1 kg swing down from a pin 0.45 to 0.8 m above the floor, starting near the horizontal,
for one second in steps of 2 ms; only the corners of the last link touch. The model is one of that link alone:

  tinycontact chain --link link.json          writes its shape
  tinycontact train --shape link.json --out link.tcm
  tinycontact chain --model link.tcm --plot chain.png

--solver  branch  branch iteration, the default of the library
          powell  the paper's: Powell's hybrid method from Eq. 7, to 0.5 % of the joint's speed
--truth   dart    angles are compared with DART's, and joint violations with those of DART with that joint as a constraint
                  (two to four minutes for 40 runs)
          none    only what the model and exact Coulomb friction do themselves

Numbers: evaluations of the law per tick with contact, how many of those ticks found their branch again, the largest joint
violation [m/s], gain of energy in a tick with contact [J], penetration [m], and the root mean square of link angles
[deg] per run: median, 90 % and worst."""


def add(commands):
    p = commands.add_parser("chain", help="a contact model as the last link of a swinging chain (Fig. 8 and 9)",
                            description="Algorithm 2 on a swinging chain, beside DART.", epilog=TEXT,
                            formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--model", metavar="M.tcm", nargs="+", default=[], help="trained models of the last link")
    p.add_argument("--link", metavar="S.json", help="write the last link's shape and leave")
    p.add_argument("--runs", type=positive, default=40, metavar="N", help="how many starts (default 40)")
    p.add_argument("--solver", choices=("branch", "powell"), default="branch")
    p.add_argument("--positions", choices=("dart", "gap"), default="dart", help="position scheme (default dart)")
    p.add_argument("--cold", action="store_true", help="begin each tick without the branch of the tick before")
    p.add_argument("--truth", choices=("dart", "none"), default="dart")
    p.add_argument("--plot", metavar="P.png", help="joint violations (Fig. 9) and the angles of the first run")
    p.add_argument("--out", "-o", metavar="O.json", help="write the numbers")
    p.set_defaults(run=run_chain)


def run_chain(options):
    from . import evaluate, roll
    if options.link:
        link = roll.last_link()
        write_json(options.link, {"vertices": link.vertices.tolist(), "mass": link.mass, "inertia": link.inertia,
                                  "mu": link.mu, "h": link.h, "g": link.g, "restitution": link.restitution})
        return
    how = roll.Options(options.solver, "rest", options.positions, warm=not options.cold)
    starts = truth.starts(options.runs)
    feet = [(Path(path).stem, roll.Foot.of_model(path)) for path in options.model]
    feet.append(("exact Coulomb", roll.Foot.of_coulomb()))
    outcomes = [evaluate.outcome(name, foot, starts, how) for name, foot in feet]
    right = evaluate.dart_angles(starts) if options.truth == "dart" else None
    numbers = [evaluate.summary(one, right) for one in outcomes]
    if right is not None:
        moved = evaluate.dart_angles(starts, moved=evaluate.MOVED)
        numbers.append({"law": "DART, start moved by 1e-4 rad", "runs": len(starts),
                        **evaluate.spread(evaluate.angle_errors(moved, right))})
    _print(numbers)
    if options.out:
        write_json(options.out, numbers)
    if options.plot:
        _plot(options, outcomes, starts, right)


def _print(numbers):
    for row in numbers:
        print(row["law"])
        for key, value in row.items():
            if key != "law":
                print(f"  {key:22} {value:.4g}" if isinstance(value, float) else f"  {key:22} {value}")


def _plot(options, outcomes, starts, right):
    from ..report.page import png_bytes
    from . import evaluate, plot
    violations = {f"{one.name}, {options.solver}": one.violation() for one in outcomes}
    if right is not None:
        violations["DART, joint as constraint"] = evaluate.dart_violation(starts)
    with announced("drawing"):
        figure = plot.chain(violations, outcomes[0].angles()[0], None if right is None else right[0],
                            f"pinned at {starts[0][0]:g} m: {outcomes[0].name}")
        write_whole(options.plot, png_bytes(figure))
