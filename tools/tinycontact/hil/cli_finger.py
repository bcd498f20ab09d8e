# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""tinycontact shape touch."""
import sys

from ..errors import TinycontactError
from ..options import between, count, positive

TOUCH = """The firmware boards/apps/finger runs on the board. A simulated finger taps and strokes a ball;
each touch goes to the board's UART with noise. The board answers with the ball that it has felt:
centre and radius, each with a standard deviation, and a 95 % interval of the radius. The same seed
makes the same log, byte for byte.

examples:
  an emulated Cortex-M4F:
  tinycontact shape touch -o out
  a small part of the ball only, once without and once with normals:
  tinycontact shape touch --cap 29 -o out
  tinycontact shape touch --cap 29 --tilt 3 -o out
  your own touches, on a real board:
  tinycontact shape touch --csv touches.csv --port /dev/ttyACM0 --baud 921600 -o out
  the log once more, on this machine:
  tinycontact leg hil replay out/log.bin

DIR/log.bin       all bytes of the wire (format: tools/tinycontact/hil/log.py); written as the
                  run goes on
DIR/touches.csv   per touch: number, stroke (0: a tap), x, y, z [m], nx, ny, nz (empty: no normal),
                  outcome (0 refused, 1 accepted, 2 a repetition), status, found (negative: no
                  ball yet), and of the board: cx, cy, cz, radius, their standard deviations _sd,
                  radius_low, radius_high, noise [m]
DIR/summary.json  the last values, their errors and what the board counted
DIR/report.png    the touches with the ball; the radius with its interval over the touches

exit status:
  0  the run was complete
  1  the touches do not determine a ball
  2  a file or an option is wrong, or the board failed; the files hold the part before a failure"""


def add_touch(p):
    p.description = "Let a board feel a ball with a finger: its centre and radius from touches."
    p.epilog = TOUCH
    p.add_argument("--board", default="mps2-an386", metavar="B",
                   help="the board, as in `tinycontact board list` (default mps2-an386)")
    p.add_argument("--port", default="", metavar="DEVICE", help="serial port of a real board")
    p.add_argument("--baud", type=positive, default=115200, metavar="N",
                   help="baud rate of the port (default 115200)")
    p.add_argument("--profile", choices=("exact", "fast"), default="exact",
                   help="profile of the firmware (default exact)")
    p.add_argument("--csv", default="", metavar="FILE",
                   help="your own touches: columns x, y, z [m] and, if felt, nx, ny, nz")
    p.add_argument("--radius", type=between(1e-4, 1e3), default=0.03, metavar="R",
                   help="true radius of the ball [m] (default 0.03)")
    p.add_argument("--touches", type=positive, default=100, metavar="N",
                   help="number of touches (default 100)")
    p.add_argument("--cap", type=between(1, 180), default=90.0, metavar="DEG",
                   help="the part of the ball that is touched, from its top to its edge [degrees]"
                   " (default 90)")
    p.add_argument("--noise", type=between(0, 1e2), default=0.0003, metavar="S",
                   help="true noise of a touch in each direction [m] (default 0.0003)")
    p.add_argument("--known-noise", type=between(0, 1e2), default=0.0, metavar="S",
                   help="noise of a touch that the board gets [m] (default 0: it estimates it)")
    p.add_argument("--tilt", type=between(0, 28), default=0.0, metavar="DEG",
                   help="give normals with this noise [degrees]; with --csv: noise of the"
                   " file's (default 0: no normals; of a file's 2.9)")
    p.add_argument("--tip", type=between(0, 1e2), default=0.0, metavar="R",
                   help="radius of the fingertip, whose centre the touches are [m] (default 0)")
    p.add_argument("--seed", type=count, default=0, metavar="N",
                   help="seed of places and noise (default 0)")
    p.add_argument("-o", "--out", dest="folder", metavar="DIR", required=True,
                   help="folder for the files below")
    p.set_defaults(run=run_touch)


def run_touch(options):
    import numpy as np
    from . import finger_report, finger_run
    from .finger import TILT, Object
    tilt = float(np.radians(options.tilt))
    thing = Object(options.radius, noise=options.noise, cap=options.cap, tilt=tilt, tip=options.tip)
    chosen = finger_run.Options(thing, options.touches, options.csv, options.known_noise, tilt or TILT, options.seed,
                                options.board, options.port, options.baud, options.profile)
    teller = finger_report.Teller(sys.stdout, None if options.csv else thing, options.touches)
    outcome = finger_run.run(chosen, options.folder, teller)
    print(f"\n{finger_report.told(outcome.summary)}\n\n{options.folder}: log.bin, touches.csv, summary.json and the"
          " picture report.png")
    if not outcome.summary["found"]:
        raise NothingFelt("the touches do not determine a ball")


class NothingFelt(TinycontactError):
    """A run without a ball."""
    exit_status = 1
