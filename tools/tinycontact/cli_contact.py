# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""tinycontact replay, throw, evaluate and figure: using a contact model and judging it."""
import argparse

from .errors import TinycontactError
from .options import count
from .predict import replay_file, throw_file
from .progress import say
from .record import POSITIONS

REPLAY = """columns of STATES.csv, in any order; others are not looked at:
  y, theta             centre of mass above the floor [m], angle [rad, counter-clockwise]
  vx, vy, omega        velocity before gravity's h g is integrated [m/s, rad/s]
  patch                may be missing: 0 or point, 1 or edge; the lowest vertex or side touches then. Missing or
                       empty: the vertices at or below the floor touch (up to 1 micrometre above it)

columns of the output, one row per input row:
  class                none, static, dynamic, detach: what the step did
  prob_static, prob_dynamic, prob_detach    what the classifier said (0, 0, 0 if none)
  p_friction, p_normal, p_torque            impulse along +x and +y [N s], about the centre of mass [N m s]
  vx2, vy2, omega2                          velocity after the step [m/s, rad/s]

example:
  tinycontact replay --model foot.tcm --body foot.json states.csv -o impulses.csv"""

THROW = """THROWS.json: a list of {"y0": m, "theta0_deg": deg, "vx0": m/s, "omega0": rad/s}; x0 = 0, vy0 = 0.
OUT.json: a list of {"bounces", "distance": x at the end [m], "final_theta_deg": not wrapped, "at_rest", "steps"}.

A bounce is at least 10 ms without contact impulse between two with one. A throw ends after 50 steps at rest (speed
below 1e-3 m/s, spin below 1e-2 rad/s), or after 10,000.

example:
  echo '[{"y0": 0.4, "theta0_deg": 28.6, "vx0": 3, "omega0": 20}]' > throws.json
  tinycontact throw --model foot.tcm --shape foot.json throws.json -o out.json"""

EVALUATE = """Fresh states are drawn by a stated law and a seed of their own, which no training uses; throws likewise.
Beside the model stands exact Coulomb in its place: in the same position scheme, this is the ceiling.

--truth   dart     DART at the body's step (with --positions dart; what the numbers of the README are)
          coulomb  exact Coulomb at the body's step and in the same position scheme
          fine     exact Coulomb at an eighth of the step, time of contact (for --positions toc or gap)
          falling, anisotropic   the floors of `tinycontact train --truth`, at the body's step and in the same
                   position scheme; their exact solution is then the ceiling

Shares are of the true class. friction RMS: relative, where both say dynamic; small %: median relative error below
0.05 N s for a body of 1 kg; ECE: expected calibration error; then how many states had a class that could not be,
a friction cut where it ends the sliding, and inputs outside the range of training.

examples:
  tinycontact evaluate --model foot.tcm --shape foot.json --throws 100 --truth coulomb
  tinycontact evaluate --model foot.tcm --shape foot.json --report report -o numbers.json"""

FIGURE = """fig5, fig6    the ten throws of the paper's Fig. 5 (rectangle) and Fig. 6 (pentagon): a table beside the
              paper's numbers, and the paths
capsule       a capsule dropped (Fig. 7)
anisotropic   thrown to either side on a floor with 1.5 one way and 0.75 the other (Fig. 10); the truth is exact
              Coulomb with these coefficients, whatever --truth

Without --shape: the rectangle, pentagon or capsule of tinycontact.sim.shapes.

example:
  tinycontact figure fig5 --model rectangle.tcm -o fig5.png"""

TRUTHS = ("dart", "coulomb", "fine", "falling", "anisotropic")


def _command(commands, name, text, epilog, run):
    p = commands.add_parser(name, help=text, description=text[0].upper() + text[1:] + ".", epilog=epilog,
                            formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--model", metavar="M.tcm", required=True, help="a trained contact model")
    p.set_defaults(run=run)
    return p


def _shape(p, required=True):
    p.add_argument("--shape", "--body", metavar="S.json", required=required, dest="shape",
                   help="the body: {vertices, mass, inertia, mu, h, g, restitution}")


def _positions(p):
    p.add_argument("--positions", choices=POSITIONS, default="dart",
                   help="how positions follow velocities: dart (pushed out slowly, as DART does), toc (time of"
                        " contact) or gap (gap in the right-hand side); default dart")


def _truth(p):
    p.add_argument("--truth", choices=TRUTHS, default="dart", help="what is right (default dart)")


def add(commands):
    p = _command(commands, "replay", "predict class and impulse for each state of a CSV", REPLAY, run_replay)
    _shape(p)
    p.add_argument("states", metavar="STATES.csv")
    p.add_argument("-o", "--output", metavar="OUT.csv", required=True)

    p = _command(commands, "throw", "throw a body and follow it until it rests", THROW, run_throw)
    _shape(p)
    _positions(p)
    p.add_argument("throws", metavar="THROWS.json")
    p.add_argument("-o", "--output", metavar="OUT.json", required=True)

    p = _command(commands, "evaluate", "judge a model: per step on fresh states, and by closed loop", EVALUATE,
                 run_evaluate)
    _shape(p)
    _positions(p)
    p.add_argument("--throws", type=count, default=1000, metavar="N", help="random throws (default 1000)")
    p.add_argument("--states", type=count, default=20000, metavar="N",
                   help="fresh states per patch dimension (default 20000)")
    _truth(p)
    p.add_argument("--seed", type=count, default=7, metavar="N", help="of throws and states (default 7)")
    p.add_argument("--pdd", action="store_true",
                   help="train the paper's purely data-driven baseline and put it beside (minutes)")
    p.add_argument("--report", metavar="DIR", help="write index.html and its pictures there")
    p.add_argument("-o", "--output", metavar="OUT.json", help="write the numbers there")

    p = _command(commands, "figure", "draw a figure of the paper with a model", FIGURE, run_figure)
    p.add_argument("figure", choices=("fig5", "fig6", "capsule", "anisotropic"))
    _shape(p, required=False)
    _positions(p)
    _truth(p)
    p.add_argument("-o", "--output", metavar="OUT.png", required=True)
    p.add_argument("--json", metavar="OUT.json", help="write the numbers there")


def run_replay(options):
    rows, notes = replay_file(options.model, options.shape, options.states, options.output)
    say(f"{options.output}: {rows} rows")
    for note in notes:
        say(note)


def run_throw(options):
    throws, notes = throw_file(options.model, options.shape, options.throws, options.output, options.positions)
    say(f"{options.output}: {throws} throws")
    for note in notes:
        say(note)


def run_evaluate(options):
    from .report.evaluation import evaluate_command
    if options.throws == 0 and options.states == 0:
        raise TinycontactError("--throws 0 --states 0: nothing to evaluate")
    evaluate_command(options)


def run_figure(options):
    from .report.figures import figure_command
    figure_command(options)
