# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""tinycontact impact aim: find a start by exact gradients through collisions (the paper's section 5)."""
import argparse

import numpy as np

from ..errors import TinycontactError
from ..jsonfile import write_json
from ..model import write_whole
from ..options import count, positive
from ..progress import announced, progress, say
from ..report.plots import ready
from .billiards import FLOOR, Billiards
from .throw import Throw

AIM = """TASK is one of the paper's three:
  billiards  where to put the cue ball, and how fast, so that a ball of the rack ends at a mark
             after 1024 steps; 4 numbers: x, y, vx, vy
  hit        which velocity brings a disk to a mark 1 s later, after one bounce; vx, vy
  vertical   which spin makes the disk bounce vertically upward; omega

Gradients are those of the library's step, times of impact included; the command prints them
beside central differences. Billiards goes down by BFGS, at most --iterations; where that stops it
looks around the start. The throws take Gauss-Newton steps. --starts N tries N more starts.

OUT.json has task, unknowns, target, start, found, loss (one number per iteration), iterations,
evaluations (roll-outs with gradient), probes (without), restarts, reached, gradient (analytic,
difference, error), paper (iterations, loss; billiards only) and starts: a list of start, found,
loss, iterations, evaluations, probes, restarts, reached of each further start.
Exit status 0 also where a start does not reach its mark: "reached" says so.

examples:
  tinycontact impact aim billiards -o billiards.json --plot billiards.png --starts 12
  tinycontact impact aim hit -o hit.json --target 1.0,0.7 --plot hit.png
  tinycontact impact aim vertical -o vertical.json --plot vertical.png"""
TASKS = ("billiards", "hit", "vertical")
CHECK = 1e-4   # of a gradient, relative


def _numbers(word):
    try:
        found = [float(part) for part in word.split(",")]
    except ValueError:
        raise argparse.ArgumentTypeError(f"{word!r} is no list of numbers, such as 0.9,0.75") from None
    if not np.isfinite(found).all():
        raise argparse.ArgumentTypeError(f"{word!r} has a number that is not finite")
    return found


def add_aim(p):
    p.description = "Find a start by exact gradients through collisions: billiards and throwing."
    p.epilog = AIM
    p.add_argument("task", metavar="TASK", choices=TASKS, help="billiards, hit or vertical")
    p.add_argument("-o", "--output", metavar="OUT.json", required=True)
    p.add_argument("--plot", metavar="P.png", help="draw the paths before and after, and the loss")
    p.add_argument("--start", metavar="NUMBERS", type=_numbers, help="the first try, such as 0.1,0.5,0.3,0")
    p.add_argument("--target", metavar="X,Y", type=_numbers, help="the mark [m]; billiards and hit")
    p.add_argument("--ball", metavar="NAME", help="billiards: ball1 to ball10; default: ball10, the last")
    p.add_argument("--iterations", metavar="N", type=positive, default=FLOOR, help=f"at most; default {FLOOR}")
    p.add_argument("--starts", metavar="N", type=count, default=0, help="N more starts, at random; default 0")
    p.add_argument("--seed", metavar="S", type=count, default=0, help="of these and of looks around; default 0")
    p.set_defaults(run=run_aim)


def _task(options, library):
    if options.task != "billiards" and options.ball:
        raise TinycontactError(f"--ball: {options.task} has one body")
    if options.task == "vertical" and options.target:
        raise TinycontactError("--target: vertical has no mark")
    if options.target and len(options.target) != 2:
        raise TinycontactError(f"--target: has {len(options.target)} numbers, must have 2")
    target = {"target": options.target} if options.target else {}
    if options.task != "billiards":
        return Throw(library, options.task, **target)
    balls = [f"ball{k}" for k in range(1, 11)]
    if options.ball and options.ball not in balls:
        raise TinycontactError(f"--ball: {options.ball!r} is none of {', '.join(balls)}")
    return Billiards(library, ball=options.ball, **target)


def _start(options, task):
    if options.start is None:
        return task.start
    if len(options.start) != len(task.unknowns):
        raise TinycontactError(f"--start: has {len(options.start)} numbers, must have {len(task.unknowns)}:"
                               f" {', '.join(task.unknowns)}")
    start = np.array(options.start)
    if options.task == "billiards" and task.overlaps(start):
        raise TinycontactError("--start: the cue ball overlaps another ball")
    return start


def run_aim(options):
    from ..library import Library
    if options.plot:
        ready()
    task = _task(options, Library(real="double"))
    start = _start(options, task)
    with announced("aiming"):
        run = task.solve(start, options.iterations, options.seed)
        checked = task.check(start)
    others = [task.solve(x, options.iterations, options.seed)
              for _, x in progress(task.other_starts(options.starts, options.seed), "aiming")]
    found = _as_json(task, run, checked) | {"starts": [_run_json(task, other) for other in others]}
    _write(options, task, found, run, others)
    _tell(task, found, options.output)


def _run_json(task, run):
    best = run.best
    return {"start": run.points[0].tolist(), "found": run.points[best].tolist(), "loss": list(map(float, run.losses)),
            "iterations": len(run.losses) - 1, "evaluations": run.evaluations, "probes": run.probes,
            "restarts": run.restarts, "reached": bool(run.losses[best] < task.goal and task.accepts(run.points[best]))}


def _as_json(task, run, checked):
    g, slope, error = checked
    found = {"task": task.name, "unknowns": list(task.unknowns),
             "target": task.target.tolist() if task.name != "vertical" else None, **_run_json(task, run),
             "gradient": {"analytic": g.tolist(), "difference": slope.tolist(), "error": error}}
    if task.paper:
        found["paper"] = {"iterations": task.paper[0], "loss": task.paper[1]}
    if task.name != "billiards":
        found["bounces"] = task.bounces(run.points[run.best])
    return found


def _write(options, task, found, run, others):
    picture = None
    if options.plot:
        from . import downstream_plot
        from ..report.page import png_bytes
        with announced("drawing"):
            picture = png_bytes(downstream_plot.aimed(task, run, others))
    write_json(options.output, found)
    if picture:
        write_whole(options.plot, picture)


def _words(values):
    return ", ".join(f"{value:.4g}" for value in values)


def _tell(task, found, output):
    gradient = found["gradient"]
    say(f"gradient at the start: ({_words(gradient['analytic'])}); by differences ({_words(gradient['difference'])});"
        f" relative error {gradient['error']:.1e}" + ("" if gradient["error"] <= CHECK else f", above {CHECK:g}"))
    at = ", ".join(f"{name} = {value:.6g}" for name, value in zip(task.unknowns, found["found"]))
    loss = min(found["loss"])
    say(f"{output}: {task.loss_name} {found['loss'][0]:.3g} -> {loss:.3g} in {found['iterations']} iterations,"
        f" {found['evaluations']} roll-outs with gradient and {found['probes']} without; {at}"
        + ("" if found["reached"] else "; NOT reached"))
    if task.paper:
        say(f"the paper: {task.paper[1]:g} after {task.paper[0]} iterations")
    elif found["bounces"] != 1:
        say(f"the disk bounces {found['bounces']} times, not once")
    if found["starts"]:
        reached = [other for other in found["starts"] if other["reached"]]
        counts = [other["iterations"] for other in reached]
        middle = f", {int(np.median(counts))} iterations in the median" if counts else ""
        say(f"from {len(found['starts'])} more starts: {len(reached)} reached{middle}")
