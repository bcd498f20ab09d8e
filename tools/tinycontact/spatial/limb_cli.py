# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""tinycontact leg swing, in space: the box as the last link of a swinging limb, and DART's."""
from pathlib import Path

import numpy as np

from ..jsonfile import write_json
from ..model import load, write_whole
from ..options import positive
from ..progress import announced

TEXT = """The limb has two rods of 0.25 m and 1 kg and the box behind three revolute joints. It
swings down from a pin 0.3 to 0.55 m above the floor. A run is one second in steps of 2 ms. Only
the corners of the box touch the floor. The model is that of the box alone, as
`tinycontact body train --shape box` makes it.

Exact Coulomb friction always runs too; without --model, give --dimension 3 and it runs alone.

numbers per model:
  contacts         ticks with one, two and four contacts
  asked_*          evaluations of the nets per tick with contact
  consistent       share of point contacts whose class and ratio repeat at the solution
  energy_gain_max  largest gain of energy in a tick with contact [J]
  penetration_max  deepest penetration [m]
  angle_*_deg      root mean square error of joint angles per run, against DART: median, 90 %
                   and worst [deg]; also for DART itself, started 1e-4 rad off

example:
  tinycontact leg swing --model box.tcm --plot limb.png"""
MOVED = 1e-4   # [rad]


def add(p):
    p.description = "Swing a limb in space onto the floor: two rods and the box."
    p.epilog = TEXT
    p.add_argument("--model", "-m", metavar="M.tcm", nargs="*", default=[], help="trained models of the box")
    p.add_argument("--runs", type=positive, default=30, metavar="N",
                   help="number of starts (default 30)")
    p.add_argument("--truth", choices=("dart", "none"), default="dart",
                   help="none: no comparison (default dart)")
    p.add_argument("--plot", metavar="P.png",
                   help="draw joint angles of the first run, and the errors of all")
    p.add_argument("--out", "-o", metavar="O.json", help="write the numbers")
    p.set_defaults(run=run_limb)


def run_limb(options):
    from ..report.plots import ready
    from ..sim import limb_truth as truth
    from ..sim import peers
    from . import limb
    starts = truth.starts(options.runs)
    for path in options.model:
        load(path)   # names the file in what is wrong with it
    feet = {Path(path).stem: limb.Foot.of_model(path) for path in options.model}
    feet["exact Coulomb"] = limb.Foot.of_coulomb()
    if options.truth == "dart":
        peers.dart()
    if options.plot:
        ready()
    runs = {name: [limb.roll(foot, *start) for start in starts] for name, foot in feet.items()}
    right = limb.dart_runs(starts) if options.truth == "dart" else None
    numbers = [{"law": name, **limb.summary(found, right)} for name, found in runs.items()]
    if right is not None:
        off = limb.errors(limb.dart_runs(starts, moved=MOVED), right)
        numbers.append({"law": "DART, start moved by 1e-4 rad", "runs": len(starts), **limb.spread(off)})
    for row in numbers:
        print("\n  ".join([row["law"], *(f"{key:18} {value:.4g}" if isinstance(value, float) else f"{key:18} {value}"
                                         for key, value in row.items() if key != "law")]))
    if options.out:
        write_json(options.out, numbers)
    if options.plot:
        with announced("drawing"):
            write_whole(options.plot, _picture(runs, right))


def _picture(runs, right):
    from ..report.page import png_bytes
    from ..report.plots import LAWS, TRUTH, new_figure
    from ..sim import limb_truth as truth
    from ..sim.spatial_truth import H
    from . import limb
    figure = new_figure(10, 4)
    left, other = figure.subplots(1, 2)
    for colour, (name, found) in zip(LAWS, runs.items()):
        angles = np.array([run["q"][:, :truth.JOINTS] for run in found])
        left.plot(H * np.arange(angles.shape[1]), np.degrees(angles[0]), color=colour, linewidth=1)
        if right is not None:
            error = np.sort(limb.errors(angles, right))
            other.plot(error, np.arange(1, len(error) + 1) / len(error), color=colour, drawstyle="steps-post", label=name)
    if right is not None:
        left.plot(H * np.arange(right.shape[1]), np.degrees(right[0]), color=TRUTH, linewidth=1, linestyle=":")
        other.set(xscale="log", xlabel="RMS of a run's joint angles against DART [deg]", ylabel="share of runs")
        other.legend(frameon=False, fontsize=8)
    left.set(xlabel="time [s]", ylabel="joint angles [deg]", title="first run; dotted: DART")
    return png_bytes(figure)
