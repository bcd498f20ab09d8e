# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""tinycontact leg hil run and replay."""
from pathlib import Path

from ..errors import TinycontactError
from ..options import between, count
from .board_options import add_board
from .config_options import add_config

RUN = """The firmware boards/apps/foot runs on the board. A simulated leg with noisy, late
sensors is at the other end of its UART, 1,000 ticks per simulated second or --rate. Board and
leg wait for each other: the same seed makes the same log, byte for byte.

examples:
  an emulated Cortex-M4F:
  tinycontact leg hil run --plant hopper --seed 1 --seconds 10 -o out
  your own leg, on an emulated Cortex-M55:
  tinycontact leg hil run --plant leg --chain mine.json --board mps3-an547 -o out
  500 ticks per second:
  tinycontact leg hil run --plant leg --rate 500 -o out
  rate, sensors and tuned numbers of a file, which `tinycontact leg configure` and `leg tune` write:
  tinycontact leg hil run --plant leg --chain mine.json --config mine_config.json -o out
  a real board:
  tinycontact leg hil run --plant leg --port /dev/ttyACM0 --baud 921600 -o out
  with a learned contact model, which `tinycontact leg hil train` makes:
  tinycontact leg hil run --plant leg --model tests/models/foot.tcm -o out
  with predictions of the next touch-down:
  tinycontact leg hil run --plant hopper --predict -o out
  on stairs that the board knows, and on the same stairs that it does not know:
  tinycontact leg hil run --plant leg --terrain stairs --predict -o out
  tinycontact leg hil run --plant leg --terrain stairs --blind -o blind
  to look at in a browser, and in Foxglove or PlotJuggler:
  tinycontact leg hil run --plant leg --html --mcap -o out
  the log once more, on this machine:
  tinycontact leg hil replay out/log.bin

DIR/log.bin       all bytes of the wire (format: tools/tinycontact/hil/log.py); written as the
                  run goes on
DIR/ticks.csv     t [s], true_mode (0 air, 1 static, 2 dynamic), p_air, p_static, p_dynamic,
                  impulse_t, impulse_n [N s], their variances, v_slip [m/s], stale (1: the
                  previous estimate, repeated)
DIR/summary.json  scores of the estimates (tools/tinycontact/hil/metrics.py defines each
                  number), simulated seconds per second, and the counters of line and board
                    overruns               ticks that took longer than their time
                    worst_tick, last_tick  in counts of the board's clock
                  An emulated board's clock is this machine's: one or two overruns are usual and
                  mean nothing
DIR/report.png    the run as a picture
DIR/report.html   with --html: the leg, moving over contact, force and slip, in any browser
DIR/log.mcap      with --mcap: topics /leg/sensors, /leg/estimate, /leg/truth to plot, /leg/scene
                  for Foxglove's 3D panel
DIR/log.rrd       with --rerun: the same curves and the leg, for Rerun

exit status:
  0  the run was complete
  1  the foot never touched down: nothing was judged
  2  a file or an option is wrong, or the board failed; the files hold the part before a failure"""

REPLAY = """The logged bytes go into this machine's build of the same firmware, whose frames
must equal the board's.

exit status:
  0  the frames are equal: bit for bit in profile exact, within 1e-3 in profile fast
  1  they differ; the message names the first tick, the field and both values
  2  the log cannot be read"""


def add_run(p):
    p.description = "Run the contact estimator's firmware on a board against a simulated leg."
    p.epilog = RUN
    add_board(p)
    p.add_argument("--plant", choices=("hopper", "leg"), required=True,
                   help="the simulated machine")
    p.add_argument("--simulator", choices=("mujoco", "dart"), default="mujoco",
                   help="simulator of the leg (default mujoco)")
    p.add_argument("--law", choices=("stiff", "spring500", "spring250"), default="stiff",
                   help="stiffness of the floor (default stiff)")
    p.add_argument("--chain", metavar="C.json",
                   help="the leg (default: the plant's, in tests/hil/chains)")
    add_config(p)
    p.add_argument("--model", default="", metavar="M.tcm",
                   help="a learned contact model of the last link, for the estimator's friction")
    p.add_argument("--give", action="append", default=["pitch"], choices=("base_velocity",),
                   help="one sensor more than encoders, torques and IMU")
    p.add_argument("--predict", action="store_true",
                   help="predict, in each tick, a touch-down within 50 ms (ahead_fast, ahead_all,"
                   " ... in summary.json)")
    p.add_argument("--terrain", default="", metavar="FILE|stairs|slope|ball",
                   help="ground under the leg, which is uploaded to the board: a shape file of"
                   " half-spaces, boxes and spheres, or one of these (default flat)")
    p.add_argument("--blind", action="store_true",
                   help="give the board neither the terrain nor the place of the leg on it")
    p.add_argument("--seed", type=count, default=0, metavar="N",
                   help="seed of gait and sensors (default 0)")
    p.add_argument("--seconds", type=between(0.001, 1e5), default=10.0, metavar="T",
                   help="simulated time (default 10)")
    p.add_argument("-o", "--out", dest="folder", metavar="DIR", required=True,
                   help="folder for the files below")
    p.add_argument("--html", action="store_true",
                   help="write DIR/report.html, on which the leg moves over its contacts")
    p.add_argument("--mcap", action="store_true",
                   help="write DIR/log.mcap, for Foxglove or PlotJuggler")
    p.add_argument("--rerun", dest="rrd", action="store_true",
                   help="write DIR/log.rrd, for the viewer Rerun; wants its package, rerun-sdk")
    p.set_defaults(run=run_hil)


def add_replay(p):
    p.description = "Replay the log of `tinycontact leg hil run` on this machine."
    p.epilog = REPLAY
    p.add_argument("log", metavar="LOG.bin")
    p.add_argument("--cut", action="store_true",
                   help="accept a log without its end: replay the part that is there")
    p.set_defaults(run=run_replay)


def run_hil(options):
    from . import report, run, told
    from .config_options import chosen_config, simulated
    from .parameters import parameters
    from .plant import default_chain
    if options.rrd:
        from ..leglog.rrd import sdk
        sdk()   # before anything takes time
    given = tuple(options.give) + (("place",) if options.terrain and not options.blind else ())
    chosen = run.Options(
        options.plant, options.chain or str(default_chain(options.plant)), options.board, options.port, options.baud,
        options.profile, options.model, options.seed, options.seconds, options.law, options.simulator,
        given, options.predict, terrain=options.terrain, blind=options.blind,
        config=simulated(chosen_config(options)))
    outcome = run.run(chosen, options.folder, parameters)
    told.tell(outcome, options.folder)
    if options.html or options.mcap or options.rrd:
        from ..leglog.recording import of_outcome, write
        recorded = of_outcome(report.title(chosen), outcome, told.rows(outcome.summary))
        folder = Path(options.folder)
        write(recorded, folder / "report.html" if options.html else None, folder / "log.mcap" if options.mcap else None,
              folder / "log.rrd" if options.rrd else None)
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
