# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""tinycontact plan evaluate: the paper's tables of contact with long-range influence, beside the paper's numbers."""
import csv
import io
from pathlib import Path

from .. import sweep
from ..errors import TinycontactError
from ..model import write_whole
from ..options import count, positive, written_as
from ..progress import announced, say
from ..report.page import text_table

EVALUATE = """NAME is one of
  properties  four properties of contact models on random pairs of sets (the paper's Table 1):
              the library's barrier, the same cut off near contact, a logarithm of the distance
              and two penalties
  book-stack  twenty planks that overhang as far as they can, less 0.1 % of their length, held by
              springs in the horizontal plane until they rest, then by friction alone (Table 2)
  billiards   fifteen balls and a red one whose start is sought: two green balls are to reach
              their marks (Figure 5); from a start at rest far away, beside a local barrier
  push, gather, gather-animals, sort, ant-push   how many draws of the task are solved (Figures
              7 to 9 and 14): push by several searches, the others by the tool's settings
  time-step, stiffness   how long a push takes by the time step, and by mu (Tables 4 and 5)
  derivatives  sizes of the push's derivatives at its start: the library's, MuJoCo's by finite
              differences, and means of these over disturbed controls (gradient bundles)

OUT.csv has a row per model, weight mu or run; --plot draws the figure that goes with it.

examples:
  tinycontact plan evaluate properties -o properties.csv --plot potentials.png
  tinycontact plan evaluate book-stack -o stack.csv
  tinycontact plan evaluate billiards -o billiards.csv --count 4 --plot billiards.png"""
TASKS = ("push", "gather", "gather-animals", "sort", "ant-push")
TABLES = ("time-step", "stiffness")
NAMES = ("properties", "book-stack", "billiards", *TASKS, *TABLES, "derivatives")
COUNT = {"properties": 50, "push": 20}
DRAWS = 10


def add_evaluate(p):
    p.description = "Measure contact models and plans on the paper's experiments."
    p.epilog = EVALUATE
    p.add_argument("name", metavar="NAME", choices=NAMES, help=", ".join(NAMES))
    p.add_argument("-o", "--output", metavar="OUT.csv", required=True)
    p.add_argument("--plot", metavar="P.png", type=written_as(".png"), help="draw the figure")
    p.add_argument("--count", metavar="N", type=positive, help="random pairs, or draws; default 50, 10, of push 20")
    p.add_argument("--seed", metavar="S", type=count, default=1, help="of what is random; default 1")
    sweep.add_options(p)
    p.set_defaults(run=run_evaluate)


def run_evaluate(options):
    if options.plot:
        from ..report.plots import ready
        ready()
    if options.name == "derivatives" and options.plot:
        raise TinycontactError("--plot: derivatives has no figure")
    if options.name == "book-stack" and options.count:
        raise TinycontactError("--count: book-stack has one stack per mu")
    number = options.count or COUNT.get(options.name, DRAWS)
    rows, shown, draw = {"properties": _properties, "book-stack": _stack, "billiards": _billiards,
                         "derivatives": _derivatives, "time-step": _timings, "stiffness": _timings}.get(options.name, _task)(
        options, number)
    picture = None
    if options.plot:
        from ..report.page import png_bytes
        with announced("drawing"):
            picture = png_bytes(draw())
    write_rows(options.output, rows)
    if picture:
        write_whole(options.plot, picture)
    print(text_table(*shown))
    say(f"{options.output}: {len(rows)} rows")


def write_rows(path, rows):
    """A CSV of dicts that have the same fields."""
    held = io.StringIO()
    writer = csv.DictWriter(held, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    for row in rows:
        writer.writerow({key: short(value) for key, value in row.items()})
    write_whole(Path(path), held.getvalue().encode())


def short(value):
    if value is None:
        return ""
    return f"{value:.6g}" if isinstance(value, float) else value


def _yes(share):
    return {1.0: "yes", 0.0: "no"}.get(share, f"{100 * share:.0f} %")


def _properties(options, number):
    from . import properties
    jobs = [(name, options.seed, number) for name in properties.MODELS]
    rows = sweep.of(options).run(properties.judged_one, jobs, "models")
    header = ["model", *properties.PROPERTIES, "the paper", "jump of P''", "force 100 m away"]
    table = [[row["model"], *(_yes(row[key]) for key in properties.PROPERTIES), properties.PAPER[row["model"]],
              f"{row['jump']:.1e}", f"{row['force_far']:.1e}"] for row in rows]
    return rows, (header, table), properties.drawn_potentials


def _stack(options, _):
    from . import stack
    rows = stack.table(sweep.of(options))
    header = ["mu", "margin", "largest", "paper", "force error [N]", "paper", "released", "paper", "stands from"]
    table = [[f"{row['mu']:.0e}", *(_number(row[key]) for key in ("margin_mean", "margin_max", "paper_margin", "force_error",
                                                                  "paper_force_error")), stack.standing(row),
              {True: "stands", False: "falls", None: "-"}[row["paper_stands"]],
              "-" if row["stands_from"] is None else f"{100 * row['stands_from']:g} %"] for row in rows]
    return rows, (header, table), lambda: stack.drawn(rows)


def _number(value):
    return "-" if value is None else f"{value:.2e}"


def _billiards(options, number):
    from . import billiards
    rows = billiards.table(sweep.of(options), options.seed, number)
    header = ["search", "solved", "loss, median", "roll-outs, median", "time, median"]
    return rows, (header, billiards.summary(rows)), lambda: billiards.drawn(rows, options.seed)


def _task(options, number):
    from . import solved
    rows = solved.table(sweep.of(options), options.name, options.seed, number)
    header = ["search", "solved", "frames, median", "planning per frame", "farthest, median"]
    return rows, (header, solved.summary(rows)), lambda: solved.drawn(rows, options.name)


def _timings(options, number):
    from . import solved
    rows = solved.timings(sweep.of(options), options.name, options.seed, number)
    what = "time step [s]" if options.name == "time-step" else "mu"
    header = [what, "solved", "simulated time, median", "the paper", "planning per frame"]
    return rows, (header, solved.timed_summary(rows, options.name)), lambda: solved.timed_drawn(rows, options.name)


def _derivatives(options, number):
    from . import mujoco_push
    rows = mujoco_push.table(sweep.of(options), options.seed, number)
    return rows, (["derivatives at the start", "not 0", "largest, median"], mujoco_push.summary(rows)), None
