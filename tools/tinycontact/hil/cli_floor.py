# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""tinycontact impact hil."""
import sys

from ..errors import TinycontactError
from ..options import between, count, positive
from .board_options import add_board

HIL = """The firmware boards/apps/foot runs on the board. A box is thrown onto a floor again and
again, in float64 and by Coulomb's friction; each impact goes to the board's UART as a robot
would have measured it: arm, normal, velocities before and after, with noise. The board answers
with what it has identified: friction, restitution and inertia, each with a 90 % interval. The
same seed makes the same log, byte for byte.

examples:
  an emulated Cortex-M4F:
  tinycontact impact hil -o out
  a floor that becomes slippery half-way, and a few wrong measurements:
  tinycontact impact hil --mu 0.6 --change 0.2 --outliers 0.05 --impacts 100 -o out
  the board's power is cut after impact 20; it goes on with what it had saved:
  tinycontact impact hil --reboot 20 -o out
  a real board:
  tinycontact impact hil --port /dev/ttyACM0 --baud 921600 -o out
  the log once more, on this machine:
  tinycontact leg hil replay out/log.bin

DIR/log.bin       all bytes of the wire (format: tools/tinycontact/hil/log.py); written as the
                  run goes on
DIR/impacts.csv   per impact: number, throw, sticks, wrong (measured wrong on purpose), outcome
                  (0 none, 1 accepted, 2 outlier, 3 re-opened), status, and of mu, e and ratio
                  (moments of inertia to those that the board gets): true, value, sd, low,
                  high
DIR/summary.json  the last values; mu_close_after: from this impact on within 1 % of the truth;
                  mu_held: share of the intervals after impact 10 that hold the truth; counters
                  of line and board
DIR/report.png    true and identified values with their intervals over the impacts

exit status:
  0  the run was complete
  1  the board refused every impact: nothing was identified
  2  a file or an option is wrong, or the board failed; the files hold the part before a failure"""


def add_hil(p):
    p.description = "Identify a floor on a board from the impacts of a simulated box."
    p.epilog = HIL
    add_board(p)
    p.add_argument("--mu", type=between(0, 10), default=0.45, metavar="X",
                   help="true friction (default 0.45)")
    p.add_argument("--e", type=between(0, 1), default=0.6, metavar="X",
                   help="true restitution (default 0.6)")
    p.add_argument("--ratio", type=between(0.1, 10), default=1.3, metavar="X",
                   help="true moments of inertia to those that the board gets (default 1.3)")
    p.add_argument("--change", type=between(0, 10), default=None, metavar="X",
                   help="friction of the second half of the impacts")
    p.add_argument("--noise", type=between(1e-5, 1), default=0.01, metavar="V",
                   help="noise of the velocities [m/s]; of the spin five times that [rad/s]"
                   " (default 0.01)")
    p.add_argument("--outliers", type=between(0, 1), default=0.0, metavar="X",
                   help="share of impacts that are measured wrong (default 0)")
    p.add_argument("--law", choices=("coulomb", "convex"), default="coulomb",
                   help="friction of the floor, and of the board's model (default coulomb)")
    p.add_argument("--drift", type=between(0, 1), default=0.0, metavar="X",
                   help="change of mu and e per impact that the board expects (default 0)")
    p.add_argument("--impacts", type=positive, default=60, metavar="N",
                   help="number of impacts (default 60)")
    p.add_argument("--reboot", type=count, default=0, metavar="N",
                   help="cut the board's power after impact N")
    p.add_argument("--seed", type=count, default=0, metavar="N",
                   help="seed of throws and noise (default 0)")
    p.add_argument("-o", "--out", dest="folder", metavar="DIR", required=True,
                   help="folder for the files below")
    p.set_defaults(run=run_hil)


def run_hil(options):
    from . import floor_report, floor_run
    from .bounce import Truth
    truth = Truth(options.mu, options.e, options.ratio, options.change, options.noise, options.outliers, options.law)
    chosen = floor_run.Options(truth, options.impacts, options.seed, options.drift, options.reboot, options.board,
                               options.port, options.baud, options.profile)
    teller = floor_report.Teller(sys.stdout)
    outcome = floor_run.run(chosen, options.folder, teller, teller.note)
    print(f"\n{floor_report.told(outcome.summary)}\n\n{options.folder}: log.bin, impacts.csv, summary.json and the"
          " picture report.png")
    if outcome.summary["refused"] == outcome.summary["impacts"]:
        raise NothingIdentified("the board refused every impact: nothing was identified")


class NothingIdentified(TinycontactError):
    """A run whose numbers say nothing."""
    exit_status = 1
