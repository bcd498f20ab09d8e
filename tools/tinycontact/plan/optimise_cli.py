# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""tinycontact plan optimise: controls that bring bodies to their goals, found by gradients through contact."""
from .. import sweep
from ..errors import TinycontactError
from ..jsonfile import read_json, write_json
from ..model import write_whole
from ..options import above_zero, count, written_as
from ..progress import Teller, announced, say
from .simulate_cli import drawable, named_or_file

OPTIMISE = """TASK is a file, in the form of docs/reference/plan-files.md, or the name of a task:
  push        a rod in front of a box; the box is to come to a mark beyond the rod
  gather      ten cubes on a table are to be pushed together by a rod
  gather-animals   the same with outlines of cows and fishes
  sort        ten cubes, odd and even ones apart
  ant-push    a walker of nine links is to push a box

A task is a scene with driven bodies, goals, and how to plan: knots (each knot moves along its
gradient), adam (the paper's) or newton (Gauss-Newton with feedback). With frames, a plan of
`horizon` knots is made in each, one knot is executed, and the next plan begins from there; the
task may be executed in another model than it is planned in. Without, one plan of all knots is made.

OUT.json has name, reached, first, distance, steps, h, t, bodies, controls, control, cost,
milliseconds, detours, note, starts and warnings. first is the step at which all goals were reached,
distance how far each body is from its target at the end [m]. cost has a number per iteration, of
frames per frame. milliseconds is the processor's time of planning: of all, of frames the median per
frame. The exit status is 0 also where a goal is not reached: "reached" says so. A scene whose
bodies touch at its start is refused, and nothing is written. Warnings name goals at whose target
the body would touch something fixed, and driven bodies that begin outside their controls' range.

--starts N begins N more plans from controls that swing at random, and keeps the best.

examples:
  tinycontact plan optimise push -o push.json --plot push.png --animate push.gif
  tinycontact plan optimise push --seed 3 -o push.json --save-task mine.json
  tinycontact plan optimise mine.json -o out.json --starts 4"""


def add_optimise(p):
    p.description = "Plan controls through contact by gradients, on the library's own planner."
    p.epilog = OPTIMISE
    p.add_argument("task", metavar="TASK", help="a file, or the name of a task")
    p.add_argument("-o", "--output", metavar="OUT.json", required=True)
    p.add_argument("--plot", metavar="P.png", type=written_as(".png"), help="draw the motion and how the cost went down")
    p.add_argument("--animate", metavar="A.gif", type=written_as(".gif"), help="write the motion as an animation")
    p.add_argument("--starts", metavar="N", type=count, default=0, help="N more starts, at random; default 0")
    p.add_argument("--spread", metavar="X", type=above_zero(1e3), default=0.3,
                   help="how far controls of more starts swing, in the controls' scale; default 0.3")
    p.add_argument("--seed", metavar="S", type=count, default=0, help="of a task by name, and of more starts; default 0")
    p.add_argument("--double", action="store_true", help="compute in float64 instead of float32")
    p.add_argument("--save-task", metavar="FILE.json", help="write a task by name as a file, to change it")
    sweep.add_options(p)
    p.set_defaults(run=run_optimise)


def _load(options):
    from pathlib import Path

    from . import scenes, taskfile
    if named_or_file(options.task, scenes.HOW, "task"):
        value = scenes.task(options.task, options.seed)
        return value, taskfile.from_dict(value, options.task)
    if options.save_task:
        raise TinycontactError(f"--save-task: {options.task} is a file already")
    value = read_json(options.task)
    return value, taskfile.from_dict(value, options.task, Path(options.task).parent)


def run_optimise(options):
    from ..library import Library
    from . import optimise, simulate
    value, task = _load(options)
    if options.plot or options.animate:
        drawable(options)
    library = Library(real="double" if options.double else "float")
    simulate.expect_apart(task.scene, library, options.task)
    warnings = [*task.warnings, *optimise.blocked(task, library)]
    for warning in warnings:
        say(f"{options.task}: {warning}")
    teller = Teller("planning")
    found = optimise.optimise(task, library, teller)
    if options.starts:
        found = _best(options, task, found)
    pictures = {}
    if options.plot or options.animate:
        with announced("drawing"):
            pictures = _pictures(options, task, found)
    write_json(options.output, {**found.as_json(), "warnings": warnings})
    for path, data in pictures.items():
        write_whole(path, data)
    if options.save_task:
        write_json(options.save_task, value)
    _tell(options, task, found)


def _best(options, task, found):
    """The best of the start that was tried and of more."""
    from . import optimise
    jobs = [(task, options.double, 1000 * options.seed + k, options.spread) for k in range(options.starts)]
    others = sweep.of(options).run(optimise.one_start, jobs, "starts", lambda job: f"start {job[2]}")
    tried = [found, *others]
    rows = [{"reached": bool(each.reached), "distance": max(each.distance.values()), "steps": len(each.t) - 1,
             "cost": float(each.cost[-1]) if each.cost else None} for each in tried]
    best = found
    for each in others:
        if optimise.better(each, best):
            best = each
    best.starts = rows
    return best


def _pictures(options, task, found):
    from ..report.page import png_bytes
    from ..report.plots import new_figure
    from . import picture
    made = {}
    if options.plot:
        figure = new_figure(11, 4.8)
        left, right = figure.subplots(1, 2)
        picture.motion(left, found.scene, found.q, picture.view_of(task))
        what = "cost of each frame's plan" if task.frames else "cost"
        picture.convergence(right, {what: found.cost}, what, "cost [m^2]")
        if task.frames:
            right.set_xlabel("frame")
        made[options.plot] = png_bytes(figure)
    if options.animate:
        made[options.animate] = picture.animated(found.scene, found.q, picture.view_of(task))
    return made


def _tell(options, task, found):
    if found.note:
        say(f"{options.task}: {found.note}")
    far = max(found.distance.values())
    end = f"reached after {found.first} steps" if found.reached else "NOT reached"
    per = "per frame" if task.frames else "in all"
    more = f", best of {len(found.starts)} starts" if found.starts else ""
    unit = "m and rad" if any(goal.turns for goal in task.goals) else "m"
    say(f"{options.output}: {end}, {far:.3g} {unit} from the farthest target; planning took {found.milliseconds:.3g} ms {per}{more}")
