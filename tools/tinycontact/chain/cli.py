# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""tinycontact leg swing, in the plane: a contact model as the last link of a swinging chain."""
from pathlib import Path

from ..jsonfile import write_json
from ..model import write_whole
from ..options import positive
from ..progress import announced
from ..report.plots import ready
from ..sim import chain_truth as truth
from ..sim import peers

TEXT = """The chain has three links of 0.3 m x 0.06 m and 1 kg. It swings down from a pin 0.45
to 0.8 m above the floor and starts near the horizontal. A run is one second in steps of 2 ms.
Only the corners of the last link touch the floor. Train the model on that link alone:

  tinycontact leg swing --link link.json                    writes the link's shape
  tinycontact body train --shape link.json --out link.tcm
  tinycontact leg swing --model link.tcm --plot chain.png

Exact Coulomb friction always runs too; without --model, give --dimension 2 and it runs alone.

--solver  branch  branch iteration, the library's default
          powell  the paper's: Powell's hybrid method on Eq. 7, to 0.5 % of the joint's speed
--truth   dart    compare link angles with DART's, and joint violations with those of DART with
                  that joint as a constraint (two to four minutes for 40 runs)
          none    compare with nothing

numbers per model:
  evaluations_*        evaluations of the contact model per tick with contact
  consistent           share of these ticks whose solution repeats its own branch
  joint_violation_max  largest joint violation [m/s]
  energy_gain_max      largest gain of energy in a tick with contact [J]
  penetration_max      deepest penetration [m]
  angle_*_deg          root mean square error of link angles per run: median, 90 % and worst
                       [deg]"""


def add(p):
    p.description = "Swing a chain in the plane onto the floor (Algorithm 2; Fig. 8 and 9)."
    p.epilog = TEXT
    p.add_argument("--model", metavar="M.tcm", nargs="+", default=[], help="trained models of the last link")
    p.add_argument("--link", metavar="S.json", help="only write the last link's shape")
    p.add_argument("--runs", type=positive, default=40, metavar="N",
                   help="number of starts (default 40)")
    p.add_argument("--solver", choices=("branch", "powell"), default="branch",
                   help="solver of a tick, see below (default branch)")
    p.add_argument("--positions", choices=("dart", "toc", "gap"), default="dart", help="position scheme (default dart)")
    p.add_argument("--cold", action="store_true",
                   help="start each tick without the previous tick's branch")
    p.add_argument("--truth", choices=("dart", "none"), default="dart",
                   help="none: no comparison (default dart)")
    p.add_argument("--plot", metavar="P.png",
                   help="draw joint violations (Fig. 9) and the first run's angles")
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
    if options.truth == "dart":
        peers.dart()
    if options.plot:
        ready()
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
