# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""tinycontact body train, throw, replay, export for an identified body in space."""
import argparse
import shlex
import sys
import time

import numpy as np

from ..errors import TinycontactError
from ..options import above_zero, count, positive
from ..progress import Teller, announced, say
from .roll import STARTS, STEP

SECONDS = above_zero(100, "time")   # [s]

TRAIN = """BODY.json is what `tinycontact body identify` wrote. Its constants stay. The command learns
what they leave: how the coefficient of friction changes with slip and load, as eight numbers, in
closed loop on whole tosses. It takes a minute for 40 tosses.

A fifth of the tosses is held back. On these the residual is judged, each toss predicted from its
flight, beside
  constants   Coulomb friction with the fitted constants of BODY.json
  MuJoCo      the same body there, if the package mujoco is installed
The verdict is one line:
  better than fitted Coulomb in both position and rotation: use the model
  worse than fitted Coulomb: log more throws; the constants are kept
  better than fitted Coulomb in position only: log more throws; the constants are kept
  no better than fitted Coulomb beyond chance: log more throws; the constants are kept
If the constants are kept, the residual in M.tcm is zero. M.tcm holds verdict and scores
(`tinycontact model inspect M.tcm`), and serves BODY.json alone. The judged model is the one in the
file. For an honest verdict the constants are identified from other throws.

example:
  tinycontact body train --log tosses.csv --body body.json -o cube.tcm
  tinycontact body evaluate --body body.json --model cube.tcm --log fresh.csv --from flight"""
THROW = """With --log each toss is rolled out from its flight, or from its first row, to its last row.
With --position one throw is rolled out from a start in the terms of a log: pose of the tag,
velocity of its origin [m/s], angular velocity in tag axes [rad/s].

With --board the throws run on the board as well, and every number of every row is compared with
this machine's. OUT.csv has throw, t, x, y, z, qw, qx, qy, qz of the tag.

exit status with --board:
  0  the rows are equal: alike, bit for bit
  1  a number differs; the first is named

examples:
  tinycontact body throw --board mps2-an386 --body body.json --log tosses.csv --throw 3
  tinycontact body throw --body body.json --position 0,0,0.2 --velocity 1,0,0 --omega 0,3,0 \\
      --span 1.5 -o out.csv"""
REPLAY = """STATES.csv has a header and the columns x, y, z [m], qw, qx, qy, qz, vx, vy, vz [m/s],
wx, wy, wz [rad/s] of the tag, as logs of tosses have them. OUT.csv has one row per input row:
  class          none (no contact), static (all contacts stick), dynamic (one slips) or detach
                 (they open)
  contacts       number of vertices that touch
  px, py, pz     impulse of the floor, the log's axes [N s]
  lx, ly, lz     the same about the centre of mass [N m s]
  vx2 .. wz2     velocity after the step: the tag's origin [m/s], tag axes [rad/s]

example:
  tinycontact body replay --body body.json states.csv -o impulses.csv"""
EXPORT = """PREFIX.h declares, and PREFIX.c defines: the body's mass and moments, its vertices about
the centre of mass in principal axes, the floor, compliance, friction (with --model the learned
residual as well), weight, and PREFIX_init, which fills a tc_foot3. Numbers are hexadecimal floats:
firmware that steps by --step computes this machine's bits.

example:
  tinycontact body export --body body.json --c firmware/cube"""


class Differs(TinycontactError):
    """A board's roll-out is not this machine's."""
    exit_status = 1


def numbers(many, what):
    """A type: as many numbers between commas."""
    def parse(word):
        try:
            values = [float(part) for part in word.split(",")]
        except ValueError:
            values = []
        if len(values) != many or not np.all(np.isfinite(values)):
            raise argparse.ArgumentTypeError(f"{word!r} is not {many} numbers {what}")
        return values
    return parse


def _body(p):
    p.add_argument("--body", metavar="B.json", required=True, help="the body, as `tinycontact body identify` wrote it")


def _model(p):
    p.add_argument("--model", metavar="M.tcm", help="the residual that `tinycontact body train` learned for this body")


def _step(p):
    p.add_argument("--step", type=SECONDS, default=STEP, metavar="S", help="longest time step [s]; default 0.001")


def _command():
    return shlex.join(["tinycontact", *sys.argv[1:]])


def _read(options, *wanted):
    from .residual import complete, read
    return complete(read(options.body, getattr(options, "model", None)), options.body, *wanted)


# ---- train

def add_train(p):
    p.description = "Learn from tosses what an identified body's constants leave."
    p.epilog = TRAIN
    _body(p)
    p.add_argument("--log", metavar="L.csv", required=True, help="tosses to learn from")
    p.add_argument("--out", "-o", metavar="M.tcm", required=True, help="the model file to write")
    p.add_argument("--rounds", type=positive, default=30, metavar="N", help="of 14 candidates each; default 30")
    p.add_argument("--seed", type=count, default=1, metavar="N", help="of the split and the search; default 1")
    from .cli import add_convention
    add_convention(p)
    p.set_defaults(run=run_train)


ROWS = (("constants", "fitted Coulomb"), ("residual", "with the residual"), ("mujoco", "MuJoCo, same body"))


def train_lines(learned):
    """What `body train` prints."""
    out = [f"{learned.learned} tosses learned from, {len(learned.held_back)} held back, predicted from their flight;"
           " mean +- standard error:", f"{'':19}{'position, % of width':>22}{'rotation, deg':>16}"]
    for key, title in ROWS:
        found = learned.scores.get(key)
        if isinstance(found, str):
            out.append(f"  {title:17} not judged: {found}")
        elif found:
            cells = [f"{found['mean'][name]:.2f}" + (f" +- {error:.2f}" if (error := found["standard_error"][name]) is not None
                                                     else "") for name in ("position_percent", "rotation_deg")]
            out.append(f"  {title:17}{cells[0]:>22}{cells[1]:>16}")
    return [*out, learned.verdict]


def _remembered(learned, options):
    """The metadata of the model file."""
    scores = {key: {name: found["mean"][name] for name in ("position_percent", "rotation_deg")}
              for key, found in learned.scores.items() if isinstance(found, dict)}
    return {"verdict": learned.verdict, "better": learned.better, "scores": scores, "learned_from": learned.learned,
            "held_back": learned.held_back, "found": list(learned.found), "seed": options.seed, "command": _command()}


def run_train(options):
    begun = time.monotonic()
    from . import residual, train
    from .cli import read_log
    body = _read(options, "stiffness", "damping")
    log = read_log(options)
    if options.log in body.command.split():
        say(f"{options.body} was identified from {options.log}: the constants have seen the throws held back")
    learned = train.learn(log, body, options.seed, Teller("learning"), options.rounds)
    residual.write(options.out, body, learned.numbers, _remembered(learned, options))
    print("\n".join(train_lines(learned)))
    say(f"{options.out}: {len(log)} tosses, {time.monotonic() - begun:.0f} s")


# ---- throw

def add_throw(p):
    p.description = "Throw an identified body, here and on a board, and compare every bit."
    p.epilog = THROW
    _body(p)
    _model(p)
    p.add_argument("--board", metavar="NAME", help="a board, as in `tinycontact board list`")
    p.add_argument("--log", metavar="L.csv", help="tosses whose starts are taken")
    p.add_argument("--throw", type=float, metavar="N", help="one of its throws; default all")
    p.add_argument("--from", dest="start", choices=STARTS, default="flight",
                   help="first: from the first row; flight: from the filter over the flight (default flight)")
    p.add_argument("--position", type=numbers(3, "x,y,z"), metavar="X,Y,Z", help="start without a log [m]")
    p.add_argument("--orientation", type=numbers(4, "w,x,y,z"), metavar="W,X,Y,Z", default=[1.0, 0.0, 0.0, 0.0],
                   help="quaternion, tag axes to the log's; default 1,0,0,0")
    p.add_argument("--velocity", type=numbers(3, "x,y,z"), metavar="X,Y,Z", default=[0.0, 0.0, 0.0],
                   help="of the tag's origin [m/s]; default 0,0,0")
    p.add_argument("--omega", type=numbers(3, "x,y,z"), metavar="X,Y,Z", default=[0.0, 0.0, 0.0],
                   help="in tag axes [rad/s]; default 0,0,0")
    p.add_argument("--span", type=SECONDS, default=1.0, metavar="S", help="without a log: duration [s]; default 1")
    p.add_argument("--interval", type=SECONDS, default=0.01, metavar="S",
                   help="without a log: time between rows [s]; default 0.01")
    _step(p)
    p.add_argument("--output", "-o", metavar="OUT.csv", help="write the poses there")
    from .cli import add_convention
    add_convention(p)
    p.set_defaults(run=run_throw)


def _check_throw(options):
    from ..cli_board import boards
    if (options.log is None) == (options.position is None):
        raise TinycontactError("give either --log, or --position as the start of one throw")
    if options.throw is not None and options.log is None:
        raise TinycontactError("--throw: names a throw of --log, which is missing")
    if np.linalg.norm(options.orientation) < 1e-3:
        raise TinycontactError("--orientation: is no quaternion, its length is 0")
    if options.board is not None and options.board not in (known := boards()):
        raise TinycontactError(f"--board: {options.board!r} is none of {', '.join(known)}")


def _plan(options, body):
    from . import throw
    from .cli import read_log
    if options.log is not None:
        return throw.of_log(read_log(options), body, options.start, options.throw, options.step)
    return throw.of_start(options.position, options.orientation, options.velocity, options.omega, options.span,
                          options.interval, options.step)


def _compared(options, plan, body, here):
    """Runs the plan on the board; its words, or an error that names the first difference."""
    from . import throw
    tell = Teller(f"on {options.board}")
    there = throw.on_board(options.board, plan, body, lambda k: tell(k / len(plan.labels), f"throw {plan.labels[k]:g}"))
    found = throw.difference(plan, here, there)
    if found:
        raise Differs(str(found))
    return (f"{options.board}: {len(plan.labels)} throw{'s' * (len(plan.labels) > 1)}, {sum(map(len, plan.times))} rows,"
            " profile exact: alike, bit for bit")


def run_throw(options):
    from . import roll, throw
    _check_throw(options)
    body = _read(options, "stiffness")
    plan = _plan(options, body)
    with announced(f"throwing {len(plan.labels)} times"):
        here = throw.rolled(plan, body)
    if options.output:
        throw.write(options.output, plan, body, here)
    if len(plan.labels) == 1:
        x, q = roll.to_log(body, here[0][-1:])
        print(f"throw {plan.labels[0]:g} after {plan.times[0][-1]:.3f} s: x, y, z {', '.join(f'{v:.4f}' for v in x[0])} m;"
              f" w, x, y, z {', '.join(f'{v:.4f}' for v in q[0])}")
    if options.board:
        print(_compared(options, plan, body, here))


# ---- replay

def add_replay(p):
    p.description = "The contact of an identified body in one step from each state of a CSV file."
    p.epilog = REPLAY
    _body(p)
    _model(p)
    p.add_argument("states", metavar="STATES.csv")
    _step(p)
    p.add_argument("-o", "--output", metavar="OUT.csv", required=True)
    p.set_defaults(run=run_replay)


def run_replay(options):
    from . import states
    rows = states.replay(_read(options, "stiffness"), options.states, options.output, options.step)
    say(f"{options.output}: {rows} rows")


# ---- export

def add_export(p):
    p.description = "Write an identified body as C constants for firmware."
    p.epilog = EXPORT
    _body(p)
    _model(p)
    p.add_argument("--c", metavar="PREFIX", required=True, help="writes PREFIX.c and PREFIX.h")
    _step(p)
    p.set_defaults(run=run_export)


def run_export(options):
    from . import csource
    source, header = csource.export(options.c, _read(options, "stiffness"), options.step, _command())
    say(f"wrote {source} and {header}")
