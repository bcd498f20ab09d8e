# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""tinycontact hil, tinycontact replay-log."""
import argparse

from ..errors import TinycontactError
from ..options import count, positive

HIL = """The firmware boards/apps/foot runs on the board; a simulated leg with noisy, late sensors is at the other end of
its UART, 1,000 ticks a simulated second. Both wait for each other: the same seed makes the same log, byte for byte.

  tinycontact hil --plant hopper --seed 1 --seconds 10 -o out          on an emulated Cortex-M4F
  tinycontact hil --plant leg --chain mine.json --board mps3-an547 -o out
  tinycontact hil --plant leg --port /dev/ttyACM0 --baud 921600 -o out on a real board
  tinycontact hil --plant leg --model tests/models/foot.tcm -o out     with a learned contact model (hil-train makes it)
  tinycontact hil --plant hopper --predict -o out                      and how well the next touch-down is foreseen
  tinycontact replay-log out/log.bin

DIR/log.bin       all that went over the wire (tools/tinycontact/hil/log.py); what is in it stays, whatever happens
DIR/ticks.csv     t [s], true_mode (0 air, 1 static, 2 dynamic), p_air, p_static, p_dynamic, impulse_t, impulse_n [N s],
                  their variances, v_slip [m/s], stale (1: the estimate before, repeated)
DIR/summary.json  how good the estimates were (tools/tinycontact/hil/metrics.py says what each number is), simulated
                  seconds per second, and what line and board counted (overruns: ticks longer than 1 ms; worst_tick and
                  last_tick: in counts of the board's clock; emulated, that runs with this machine's, so that one or
                  two overruns are usual and say nothing of the part)
DIR/report.png    all of it in a picture

Exit status 0 only if the run was complete. A board that fails half-way leaves the files of what there was."""

REPLAY = """The logged bytes go into the host build of the same firmware, whose frames must be the board's. Exit status 0
if they are, bit for bit in profile exact (within 1e-3 in profile fast); 1 if not, with the first tick and field that differ
and both values; 2 if the log cannot be read."""


def seconds(word):
    try:
        value = float(word)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{word!r} is no number") from None
    if not 0.001 <= value <= 1e5:
        raise argparse.ArgumentTypeError(f"{word} is not between 0.001 and 100000")
    return value


def add(commands):
    p = commands.add_parser("hil", help="firmware on a board, a simulated leg at its UART",
                            description="Hardware in the loop.", epilog=HIL,
                            formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--board", default="mps2-an386", metavar="B", help="a folder of boards/ (default mps2-an386)")
    p.add_argument("--port", default="", metavar="DEVICE", help="a real board at this serial port")
    p.add_argument("--baud", type=positive, default=115200, metavar="N", help="of the port (default 115200)")
    p.add_argument("--profile", choices=("exact", "fast"), default="exact")
    p.add_argument("--plant", choices=("hopper", "leg"), required=True)
    p.add_argument("--simulator", choices=("mujoco", "dart"), default="mujoco")
    p.add_argument("--law", choices=("stiff", "spring500", "spring250"), default="stiff",
                   help="how the floor gives way (default stiff)")
    p.add_argument("--chain", metavar="C.json", help="the leg (default: the plant's of tests/hil/chains)")
    p.add_argument("--model", default="", metavar="M.tcm",
                   help="a learned contact model of the last link: the estimator's law of friction")
    p.add_argument("--give", action="append", default=["pitch"], choices=("base_velocity",),
                   help="a sensor more than encoders, torques and IMU")
    p.add_argument("--predict", action="store_true",
                   help="ask in each tick for the next touch-down within 50 ms (ahead_fast, ahead_all... in summary.json)")
    p.add_argument("--seed", type=count, default=0, metavar="N")
    p.add_argument("--seconds", type=seconds, default=10.0, metavar="T", help="simulated (default 10)")
    p.add_argument("-o", "--out", dest="folder", metavar="DIR", required=True)
    p.set_defaults(run=run_hil)
    p = commands.add_parser("replay-log", help="play a log of `tinycontact hil` again on this machine",
                            description="A log on the host.", epilog=REPLAY,
                            formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("log", metavar="LOG.bin")
    p.add_argument("--cut", action="store_true", help="take a log that ends early as far as it goes")
    p.set_defaults(run=run_replay)


def run_hil(options):
    from . import run, told
    from .parameters import parameters
    from .plant import default_chain
    chosen = run.Options(
        options.plant, options.chain or str(default_chain(options.plant)), options.board, options.port, options.baud,
        options.profile, options.model, options.seed, options.seconds, options.law, options.simulator,
        tuple(options.give), options.predict)
    outcome = run.run(chosen, options.folder, parameters)
    told.tell(outcome, options.folder)
    if not outcome.summary["touch_downs"]:
        raise NothingJudged(f"the foot never touched down in {outcome.summary['seconds']:g} s: nothing was judged"
                            " (--seconds)")


class NothingJudged(TinycontactError):
    """A run whose numbers say nothing."""
    exit_status = 1


class Differs(TinycontactError):
    """The host computes something else."""
    exit_status = 1


def run_replay(options):
    from .replay import replay
    done = replay(options.log, options.cut)
    if done.difference:
        raise Differs(f"{options.log}: {done.difference}; before it {done.told()}")
    print(done.told() + (f"\n{done.cut}" if done.cut else ""))
