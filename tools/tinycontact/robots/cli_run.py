# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""tinycontact leg hil run-robot: the firmware of all feet of a robot against a simulated robot."""
import argparse
import sys

from ..errors import TinycontactError
from ..hil.board_options import add_board
from ..options import between, count
from .fleet import NAMES
from .gait import GAITS

TEXT = """The firmware boards/apps/robot runs on the board with the robot's tables in it. A simulated robot
with noisy, late sensors is at the other end of its UART, 1,000 ticks per simulated second. The same
seed makes the same log, byte for byte. Four limbs carry their base, and a harness keeps it upright.
Fewer limbs tap and push a floor while the harness leads their base: a biped does not walk here.

examples:
  a quadruped of 12 kg on an emulated Cortex-M4F:
  tinycontact leg hil run-robot --seconds 3 -o out
  your own robot, which `tinycontact leg import` with several --foot makes:
  tinycontact leg hil run-robot robot.json --gait walk -o out
  one board per leg, which share the base's velocity a tick late, and the same without sharing:
  tinycontact leg hil run-robot --boards each -o out
  tinycontact leg hil run-robot --boards each --alone -o alone
  the motor drivers of a leg are silent for 0.1 s; a board loses power:
  tinycontact leg hil run-robot --silent FR@1.0-1.1 -o out
  tinycontact leg hil run-robot --boards each --dead RL@1.5 -o out
  the log once more, on this machine:
  tinycontact leg hil replay out/log.bin

DIR/log.bin       all bytes of the wire (format: tools/tinycontact/hil/log.py); with --boards each
                  one per limb: log-LIMB.bin
DIR/ticks.csv     a row per tick and limb: t [s], limb, true_mode (0 air, 1 sticks, 2 slips),
                  contact, probabilities, impulse [N s], slip [m/s], friction, since [s], flags
                  (tc_feet.h)
DIR/summary.json  scores (tools/tinycontact/robots/judge.py defines each number) and the board's
                  counters
DIR/report.png    contacts of all feet over time, true over estimated

exit status:
  0  the run was complete
  2  a file or an option is wrong, or a board failed; the files hold the part before a failure"""


def add_run(p):
    p.description = "Run the firmware of all feet on a board against a simulated robot."
    p.epilog = TEXT
    p.add_argument("robot", nargs="?", default="go1", metavar="ROBOT",
                   help=f"a robot file, or one of {', '.join(NAMES)} (default go1)")
    add_board(p)
    p.add_argument("--boards", choices=("one", "each"), default="one",
                   help="one board for all limbs, or one per limb (default one)")
    p.add_argument("--alone", action="store_true", help="with --boards each: the boards share nothing")
    p.add_argument("--gait", choices=tuple(GAITS), default="trot", help="gait (default trot)")
    p.add_argument("--law", choices=("stiff", "spring500", "spring250"), default="stiff",
                   help="stiffness of the floor (default stiff)")
    p.add_argument("--slope", type=between(0, 30), default=0.0, metavar="DEG",
                   help="slope of the floor [degrees] (default 0)")
    p.add_argument("--silent", action="append", default=[], type=window, metavar="LIMB@T1-T2",
                   help="sensors of a limb do not arrive from T1 to T2 [s]; repeatable")
    p.add_argument("--dead", action="append", default=[], type=instant, metavar="LIMB@T",
                   help="with --boards each: a limb's board loses power at T [s]; repeatable")
    p.add_argument("--lost", type=between(0, 0.9), default=0.0, metavar="P",
                   help="share of frames that never arrive (default 0)")
    p.add_argument("--seed", type=count, default=0, metavar="N", help="seed of gait and sensors (default 0)")
    p.add_argument("--seconds", type=between(0.4, 1e4), default=10.0, metavar="T", help="simulated time (default 10)")
    p.add_argument("-o", "--out", dest="folder", metavar="DIR", required=True, help="folder for the files below")
    p.set_defaults(run=run_robot)


def _split(word, form):
    limb, at, rest = word.rpartition("@")
    if not (limb and at and rest):
        raise argparse.ArgumentTypeError(f"{word!r} is not of the form {form}")
    return limb, rest


def _time(word, text):
    try:
        time = float(text)
    except ValueError:
        time = -1.0
    if not 0.0 <= time < 1e6:
        raise argparse.ArgumentTypeError(f"{word!r}: {text!r} is no time in seconds")
    return time


def window(word):
    """(limb, from, to) of LIMB@T1-T2."""
    limb, rest = _split(word, "LIMB@T1-T2")
    begin, minus, end = rest.partition("-")
    if not minus or _time(word, begin) >= _time(word, end):
        raise argparse.ArgumentTypeError(f"{word!r} is not of the form LIMB@T1-T2 with T1 before T2")
    return limb, _time(word, begin), _time(word, end)


def instant(word):
    """(limb, at) of LIMB@T."""
    limb, rest = _split(word, "LIMB@T")
    return limb, _time(word, rest)


def run_robot(options):
    import numpy as np
    from . import run
    each = options.boards == "each"
    if options.dead and not each:
        raise TinycontactError("--dead: a board of one limb alone loses power with --boards each only")
    if options.alone and not each:
        raise TinycontactError("--alone: there is nothing to share without --boards each")
    if options.port and each:
        raise TinycontactError("--port: one real board has all limbs; leave out --boards each")
    chosen = run.Options(options.robot, options.gait, options.law, float(np.radians(options.slope)), options.seed,
                         options.seconds, options.board, options.port, options.baud, options.profile, each=each,
                         share=not options.alone, silent=tuple(options.silent), dead=tuple(options.dead), lost=options.lost)
    outcome = run.run(chosen, options.folder, sys.stdout)
    print(f"\n{run.told(outcome.summary)}\n\n{options.folder}: ticks.csv, summary.json, the picture report.png and"
          f" {'a log per limb' if each else 'log.bin'}")
