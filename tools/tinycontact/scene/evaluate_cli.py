# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""tinycontact scene evaluate: the paper's experiments on identification, beside its tables."""
from .. import sweep
from ..errors import TinycontactError
from ..jsonfile import write_json
from ..model import write_whole
from ..options import count, positive
from ..report.plots import ready
from .paper import MODULES

EVALUATE = """EXPERIMENT is one of
  ball      Table 1: the radius of a ball that bounces from a wall and the floor, from positions
  inertia   Table A.2: sizes of a box, sphere or cylinder from its rates after a torque
  push      Table A.3: mass, force or friction of a body that is pushed along the floor
  learned   Tables A.1, A.2: the code of a learned shape, from a bounce and from inertia
  depth     Table 2: place and size of a ball or rounded cube that bounces, from depth images
or all. Scenes are drawn as the paper draws them. Its own motions come from the simulator that it
fits. Here ball and push have truths in closed form, inertia has both. learned and depth have the
simulator's motion.

A table's columns are the paper's mean and largest error, the mean error at the start, and of the
answers median, mean and largest error, then the floor that is asked for, and whether it is met.
OUT.csv has a row per scene and quantity.

--problems writes the scenes of the ball as a list for `tinycontact scene identify`.

examples:
  tinycontact scene evaluate ball -o ball.csv --plot ball.png
  tinycontact scene evaluate all --count 5"""


def add_evaluate(p):
    p.description = "Run the paper's experiments on identification and print their tables beside its own."
    p.epilog = EVALUATE
    p.add_argument("experiment", metavar="EXPERIMENT", nargs="+", choices=(*MODULES, "all"))
    p.add_argument("--count", metavar="N", type=positive,
                   help="scenes of each kind; default 50, ball 150, learned and depth 20")
    p.add_argument("--seed", metavar="S", type=count, default=0, help="of the scenes; default 0")
    p.add_argument("-o", "--output", metavar="OUT.csv")
    p.add_argument("--plot", metavar="P.png", help="draw the errors of every scene")
    p.add_argument("--problems", metavar="LIST.json", help="write the ball's scenes as a list of problems")
    sweep.add_options(p)
    p.set_defaults(run=run_evaluate)


def run_evaluate(options):
    from ..report.page import text_table
    from .paper import groups, judged, module, tables
    names = list(MODULES) if "all" in options.experiment else list(dict.fromkeys(options.experiment))
    if options.problems and "ball" not in names:
        raise TinycontactError("--problems: writes the scenes of ball, which is not asked for")
    if options.plot:
        ready()
    results = []
    for name in names:
        made = module(name)
        tasks = groups(name, options.count or getattr(made, "COUNT", 50), options.seed)
        parts = sweep.of(options).run(judged, tasks, f"{name}: groups of scenes", lambda task: f"scenes from {task[3]}")
        found = [result for part in parts for result in part]
        results += found
        print(f"{made.TITLE}\n{text_table(tables.HEADER, list(tables.rows(name, found)))}\n")
    if options.output:
        tables.write(options.output, results)
    if options.problems:
        write_json(options.problems, module("ball").problems(options.count or 50, options.seed))
    if options.plot:
        from ..report.page import png_bytes
        write_whole(options.plot, png_bytes(tables.draw(results)))
