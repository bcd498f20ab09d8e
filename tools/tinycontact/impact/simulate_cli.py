# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""tinycontact impact simulate: scenes of bodies with frictional contact and restitution, by the library."""
import os

from ..errors import TinycontactError
from ..jsonfile import write_json
from ..model import write_whole
from ..options import count, positive
from ..progress import announced, progress, say
from ..report.plots import ready
from . import systems
from .simulate import simulate, simulate_random, write_log

SIMULATE = """SYSTEM is a file, in the form of docs/reference/scene-file.md, or one of the paper's systems:
  BP5-e, BP5     five balls that do not turn, in a box without gravity, as in the paper's
                 published parameters; BP5: masses, sizes, friction and restitution differ
  BD5            the same with disks that turn
  CP3-e, CP3     three pendulums in a chain above the floor
  Gyro-e, Gyro   a gyroscope on a ball joint beside a wall
  Rope-10        ten points on springs, with limits of stretch and bend
  CP3-spring, BP5-spring   of ours: pendulums and balls that springs tie
  billiards      eleven balls seen from above
  throw          a disk that bounces
A name that ends in -e has no friction and e = 1.

OUT.json has name, law, h, t, bodies, contacts, energy, kinetic, potential, impacts, dropped,
residual and note. bodies.NAME has a row per time: position, velocity, and angle or quaternion,
and omega; of a chain coordinates and rates. contacts lists what touched: step, t, a, b, feature,
impulse on a [N s] and point [m]. With --runs, OUT.json has name and runs, a list of these.

LOG.csv has the columns run, t, and per body its coordinates and rates: NAME.x, NAME.y, ...

examples:
  tinycontact impact simulate BP5 -o out.json --csv log.csv --plot out.png
  tinycontact impact simulate CP3 -o runs.json --runs 20 --seed 1 --steps 100
  tinycontact impact simulate throw -o out.json --save-system throw.json
  tinycontact impact simulate throw.json -o again.json"""
MOST_STEPS = 10_000_000   # of all runs together


def add_simulate(p):
    p.description = "Simulate a scene of bodies with friction and restitution by the library."
    p.epilog = SIMULATE
    p.add_argument("system", metavar="SYSTEM", help="a file, or the name of one of the paper's systems")
    p.add_argument("-o", "--output", metavar="OUT.json", required=True)
    p.add_argument("--csv", metavar="LOG.csv", help="write the states as a log")
    p.add_argument("--plot", metavar="P.png", help="draw the paths and the energy of the first run")
    p.add_argument("--steps", metavar="N", type=count, help="number of steps; default: the system's")
    p.add_argument("--runs", metavar="N", type=positive, help="N runs from random starts without overlap")
    p.add_argument("--seed", metavar="S", type=count, default=0, help="of the random starts; default 0")
    p.add_argument("--law", choices=("convex", "coulomb"), help="friction of sliding contacts; default: the system's")
    p.add_argument("--double", action="store_true",
                   help="use the library's reference build in double precision")
    p.add_argument("--save-system", metavar="FILE.json", help="write a system of the paper as a file")
    p.set_defaults(run=run_simulate)


def run_simulate(options):
    from ..library import Library
    scene, where = _load(options)
    if options.law:
        scene.law = options.law
    steps = scene.steps if options.steps is None else options.steps
    runs = options.runs or 1
    if steps * runs > MOST_STEPS:
        raise TinycontactError(f"{where}: {runs} runs of {steps} steps are more than {MOST_STEPS} steps")
    if options.plot:
        ready()
    library = Library(real="double" if options.double else "float")
    found = _roll_out(options, scene, library, steps, where)
    _write(options, scene, found, where)


def known_system(word):
    """Refuses what is neither a file nor a name."""
    if word not in systems.NAMED and not os.path.exists(word) and os.sep not in word and "." not in word:
        raise TinycontactError(f"{word}: is neither a file nor one of {', '.join(systems.NAMED)}")


def _load(options):
    known_system(options.system)
    if options.save_system and options.system not in systems.NAMED:
        raise TinycontactError(f"--save-system: {options.system} is a file already")
    return systems.load(options.system)


def _roll_out(options, scene, library, steps, where):
    if not options.runs:
        with announced("simulating"):
            return [simulate(scene, library, steps, where)]
    bar = lambda items: (k for k, _ in progress(items, "simulating"))   # noqa: E731
    return simulate_random(scene, options.runs, options.seed, library, steps, where, bar)


def _write(options, scene, runs, where):
    picture = None
    if options.plot:
        from . import simulate_plot
        from ..report.page import png_bytes
        with announced("drawing"):
            picture = png_bytes(simulate_plot.paths(runs[0]))
    entries = [run.as_json() for run in runs]
    write_json(options.output, {"name": scene.name, "seed": options.seed, "runs": entries} if options.runs else entries[0])
    if options.csv:
        write_log(options.csv, runs)
    if picture:
        write_whole(options.plot, picture)
    if options.save_system:
        write_json(options.save_system, systems.as_dict(options.system))
    for k, run in enumerate(runs):
        if run.note:
            say(f"{where}{f', run {k}' if options.runs else ''}: {run.note}")
    say(f"{options.output}: {len(runs)} run{'s' if len(runs) > 1 else ''} of {len(runs[0].q) - 1} steps,"
        f" {sum(run.impacts for run in runs)} impacts")
