# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""tinycontact body replay, throw, evaluate, figure: using and judging a model in the plane."""
from . import sweep
from .errors import TinycontactError
from .format import CORE_TILES
from .options import count
from .predict import load_shape, replay_file, throw_file
from .progress import say
from .record import POSITIONS

REPLAY = """STATES.csv has a header and these columns, in any order; other columns are ignored:
  y, theta             height of the centre of mass above the floor [m], angle [rad],
                       counter-clockwise
  vx, vy, omega        velocity before the step adds gravity's h g [m/s, m/s, rad/s]
  patch                0 or point: the lowest vertex touches; 1 or edge: the lowest side
                       touches. Missing or empty: the vertices at or below the floor touch (up
                       to 1 micrometre above it)

OUT.csv has one row per input row:
  class                none (no contact), static (the contact sticks), dynamic (it slips) or
                       detach (it opens)
  prob_static, prob_dynamic, prob_detach
                       the classifier's probabilities; 0, 0, 0 for class none
  p_friction, p_normal, p_torque
                       impulse along +x and +y [N s], about the centre of mass [N m s]
  vx2, vy2, omega2     velocity after the step [m/s, m/s, rad/s]

example:
  tinycontact body replay --model foot.tcm --shape foot.json states.csv -o impulses.csv"""

THROW = """THROWS.json is a list of {"y0": m, "theta0_deg": deg, "vx0": m/s, "omega0": rad/s}.
Every throw starts at x = 0 with vy = 0. OUT.json has one object per throw:
  bounces          intervals of at least 10 ms without contact impulse, between two contacts
  distance         x at the end [m]
  final_theta_deg  angle at the end [deg], not wrapped
  at_rest          true if the body rested at the end
  steps            number of steps

A throw ends after 50 steps at rest (speed below 1e-3 m/s, spin below 1e-2 rad/s), or after
10,000 steps.

With --board the throws run on the board as well, by the firmware that `tinycontact body export`
writes, and every state on the way is compared with this machine's. Exit status 0: alike, bit for
bit; 1: a number differs, the first is named.

examples:
  echo '[{"y0": 0.4, "theta0_deg": 28.6, "vx0": 3, "omega0": 20}]' > throws.json
  tinycontact body throw --model foot.tcm --shape foot.json throws.json -o out.json
  tinycontact body throw --model foot.tcm --shape foot.json throws.json --board mps2-an386"""

EXPORT = """FOLDER gets, named by its last word (here foot):
  foot.h, foot.c             mass, inertia, vertices, weight, and foot_init, which makes a tc_foot2
  foot_nets.h, foot_nets.c   the contact model's nets, every number exact
  main.c                     an application: it throws the body as THROWS.json says (without
                             --throws: once from 0.4 m), and prints where each throw ends
A folder of the repository builds and runs with `make run BOARD=mps2-an386 APP=FOLDER`. In a
project of your own leave out main.c.

example:
  tinycontact body export --model foot.tcm --shape foot.json --c my_foot/foot"""
ONE_THROW = ((0.4, 28.6, 3.0, 20.0),)   # y0 [m], theta0 [deg], vx0 [m/s], omega0 [rad/s]

EVALUATE = """The command draws fresh states and throws with seeds that no training uses. It
compares the model with a truth. Exact Coulomb friction, in the same position scheme, is judged
too: its scores are the ceiling.

--truth   dart     DART at the body's step (with --positions dart); the README's numbers use it
          coulomb  exact Coulomb friction at the body's step, in the same position scheme
          fine     exact Coulomb friction at an eighth of the step, with time of contact (for
                   --positions toc or gap)
          falling, anisotropic
                   the floors of `tinycontact body train --truth`, at the body's step and in the
                   same position scheme; their exact solution is then the ceiling

With --log the command plays logged throws instead, from their flight to their last row, beside the
Coulomb friction that was fitted to the log of the training. S.json is the body that was given to
`tinycontact body train --log`, the model holds what was identified. It needs throws that the model
was not learned from.

Below each table the command explains its columns.

examples:
  tinycontact body evaluate --model foot.tcm --shape foot.json --throws 100 --truth coulomb
  tinycontact body evaluate --model foot.tcm --shape foot.json --report report -o numbers.json
  tinycontact body evaluate --model foot.tcm --shape foot.json --log fresh.csv"""

FIGURE = """fig5, fig6    the ten throws of the paper's Fig. 5 (rectangle) or Fig. 6 (pentagon):
              a table with the paper's numbers, and the paths
capsule       a dropped capsule (Fig. 7)
anisotropic   throws to either side on a floor with coefficients 1.5 and 0.75 (Fig. 10); the
              truth is exact Coulomb friction with these coefficients, whatever --truth

Without --shape the figure's own shape is used: the built-in rectangle, pentagon or capsule.

example:
  tinycontact body figure fig5 --model rectangle.tcm -o fig5.png"""

TRUTHS = ("dart", "coulomb", "fine", "falling", "anisotropic")


def _model(p):
    p.add_argument("--model", metavar="M.tcm", required=True, help="a trained contact model")


def _shape(p, required=True):
    p.add_argument("--shape", "--body", metavar="S.json", required=required, dest="shape",
                   help="the body, as in `tinycontact body train`: a file or a built-in name")


def _positions(p):
    p.add_argument("--positions", choices=POSITIONS, default="dart",
                   help="position scheme. dart: push bodies out slowly, as DART does; toc: time of"
                   " contact;"
                        " gap: gap in the right-hand side (default dart)")


def _truth(p):
    p.add_argument("--truth", choices=TRUTHS, default="dart",
                   help="the truth to compare with (default dart)")


def add_replay(p):
    p.description = "Predict contact class and impulse for each state of a CSV file."
    p.epilog = REPLAY
    _model(p)
    _shape(p)
    p.add_argument("states", metavar="STATES.csv")
    p.add_argument("-o", "--output", metavar="OUT.csv", required=True)
    p.set_defaults(run=run_replay)


def add_throw(p):
    p.description = "Throw a body and follow it until it rests."
    p.epilog = THROW
    _model(p)
    _shape(p)
    _positions(p)
    p.add_argument("throws", metavar="THROWS.json")
    p.add_argument("-o", "--output", metavar="OUT.json", help="write the results there; without --board it is required")
    p.add_argument("--board", metavar="NAME", help="throw on this board, too, as in `tinycontact board list`")
    p.set_defaults(run=run_throw)


def add_export(p):
    p.description = "Write a planar body and its contact model as C, with an application that throws it."
    p.epilog = EXPORT
    _model(p)
    _shape(p)
    _positions(p)
    p.add_argument("--throws", metavar="THROWS.json", help="as for `tinycontact body throw`")
    p.add_argument("--c", metavar="FOLDER", required=True, help="the folder to write")
    p.add_argument("--core", choices=tuple(CORE_TILES), default="cortex-m4",
                   help="core whose kernels the weights are arranged for (default cortex-m4, which serves M7 and M33, too)")
    p.set_defaults(run=run_export)


def add_evaluate(p):
    p.description = "Judge a contact model step by step on fresh states, and on whole throws."
    p.epilog = EVALUATE
    _model(p)
    _shape(p)
    _positions(p)
    p.add_argument("--log", metavar="L.csv",
                   help="logged throws to judge by, with the columns of `tinycontact body train`")
    p.add_argument("--throws", type=count, default=1000, metavar="N",
                   help="number of random throws (default 1000)")
    p.add_argument("--states", type=count, default=20000, metavar="N",
                   help="fresh states per patch dimension (default 20000)")
    _truth(p)
    p.add_argument("--seed", type=count, default=7, metavar="N",
                   help="seed of throws and states (default 7)")
    p.add_argument("--pdd", action="store_true",
                   help="also train the paper's purely data-driven baseline and compare with it"
                   " (minutes)")
    p.add_argument("--report", metavar="DIR", help="write index.html and its pictures there")
    p.add_argument("--animate", metavar="OUT.gif", help="write the worst throws and some from the middle as a GIF that moves")
    p.add_argument("-o", "--output", metavar="OUT.json", help="write the numbers there")
    sweep.add_options(p)
    p.set_defaults(run=run_evaluate)


def add_figure(p):
    p.description = "Draw a figure of the paper with your contact model."
    p.epilog = FIGURE
    p.add_argument("figure", choices=("fig5", "fig6", "capsule", "anisotropic"))
    _model(p)
    _shape(p, required=False)
    _positions(p)
    _truth(p)
    p.add_argument("-o", "--output", metavar="OUT.png", required=True)
    p.add_argument("--json", metavar="OUT.json", help="write the numbers there")
    p.set_defaults(run=run_figure)


def run_replay(options):
    rows, notes = replay_file(options.model, options.shape, options.states, options.output)
    say(f"{options.output}: {rows} rows")
    for note in notes:
        say(note)


def run_throw(options):
    if options.output is None and options.board is None:
        raise TinycontactError("-o: give a file for the results, or --board to compare with one")
    if options.output is not None:
        throws, notes = throw_file(options.model, options.shape, options.throws, options.output, options.positions)
        say(f"{options.output}: {throws} throws")
        for note in notes:
            say(note)
    if options.board is not None:
        _compare(options)


class Differs(TinycontactError):
    """A board's throws are not this machine's."""
    exit_status = 1


def _plan(options):
    """(the model, the plan of its throws)."""
    from .contact import ContactModel
    from .planar_c import Plan
    from .predict import read_throws
    model = ContactModel(options.model, load_shape(options.shape))
    return model, Plan.of(model, options.positions, ONE_THROW if options.throws is None else read_throws(options.throws))


def _compare(options):
    from . import planar_c
    model, plan = _plan(options)
    told = planar_c.differences(plan, planar_c.on_board(options.board, model, plan))
    if told:
        raise Differs("\n".join(told))
    print(f"{options.board}: {len(plan.throws)} throws, {sum(throw.steps for throw in plan.throws)} steps, alike bit for bit")


def run_export(options):
    from pathlib import Path
    from . import planar_c
    model, plan = _plan(options)
    written = planar_c.write(options.c, Path(options.c).name, model, plan, options.core)
    say(f"{options.c}: {', '.join(path.name for path in written)}")


def _evaluate_log(options):
    """Scores of a model on logged throws, printed and written."""
    from .jsonfile import write_json
    from .learn import fromlog, logs
    from .model import load_with_info
    given = load_shape(options.shape)
    model, _ = load_with_info(options.model)
    report, verdict, _ = fromlog.evaluated(options.model, model, given, logs.read(options.log, given))
    print("\n".join(fromlog.lines(report, verdict)))
    if options.output:
        write_json(options.output, {"model": str(options.model), "log": str(options.log), "scores": report,
                                    "verdict": verdict})


def run_evaluate(options):
    from .report.evaluation import evaluate_command
    if options.log:
        _evaluate_log(options)
        return
    if options.throws == 0 and options.states == 0:
        raise TinycontactError("--throws 0 --states 0: nothing to evaluate")
    evaluate_command(options)


def run_figure(options):
    from .report.figures import figure_command
    figure_command(options)
