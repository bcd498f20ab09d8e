# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""tinycontact demo: a leg's contact from a log in the package, or from the user's own."""
import os
import shutil
import subprocess
import sys

from .build import checkout
from .errors import TinycontactError
from .options import written_as

PICTURE = "tinycontact-demo.png"
BOARD = "mps2-an386"
DEMO = """Without options the log is one of this package: a simulated leg of 1.1 kg walks for six
seconds, its encoders, torques and IMU are read 500 times a second, with noise. The
estimator is the one that firmware runs, with the same bits.

examples:
  a picture of the leg that comes with the package:
  tinycontact demo
  the same of your own log; `tinycontact leg estimate --help` describes LOG.csv and has more
  options, `tinycontact leg import --help` makes LEG.json from a URDF:
  tinycontact demo --csv log.csv --chain leg.json
  and as C for your board:
  tinycontact demo --csv log.csv --chain leg.json --c firmware/leg

PICTURE.png  from above: contact estimated, the joints, force, slip and probabilities. Where the
             log has a column contact, it is drawn beside the estimate and scores are printed
DIR          leg.h, leg.c: the leg, its estimator's configuration and buffers, for the log's tick
             and sensors; main.c: a main loop, which plays sample.c, until your drivers take its
             place. docs/guides/my-leg.md goes on from there"""


def add(p):
    p.description = "Estimate the contact of a leg that comes with the package, or of your own, and draw it."
    p.epilog = DEMO
    p.add_argument("--csv", metavar="LOG.csv", help="your own log; it wants --chain")
    p.add_argument("--chain", metavar="LEG.json", help="the leg of your log: a chain file")
    p.add_argument("--columns", default="", metavar="ROLE=COLUMN,...",
                   help="which column of your log is which, as `tinycontact leg estimate` takes it")
    p.add_argument("-o", "--output", default=PICTURE, metavar="PICTURE.png", type=written_as(".png"),
                   help=f"the picture (default {PICTURE})")
    p.add_argument("--c", metavar="DIR", help="write the leg and its estimator as C into this folder, too")
    p.add_argument("--no-show", action="store_true", help="do not open the picture in a window")
    p.set_defaults(run=run)


def run(options):
    from .hil.chain_file import load_chain
    from .leglog import demo, estimate, plot, told
    from .leglog.read import read
    if options.csv and not options.chain:
        raise TinycontactError(f"--csv {options.csv}: of which leg? Add --chain LEG.json; `tinycontact leg import`"
                               " makes it from a URDF")
    if not options.csv and (options.chain or options.columns):
        raise TinycontactError("--chain and --columns describe a log of yours: add --csv LOG.csv")
    chain = load_chain(options.chain or demo.LEG)
    log = read(options.csv or str(demo.LOG), options.columns)
    if not options.csv:
        log.path = demo.LOG.name   # without its folder, for titles
    result = estimate.run(chain, log)
    told.tell(result)
    plot.draw(result, options.output)
    print(f"\n{options.output}: the picture")
    if options.c:
        write_c(options, chain, result)
    print("\n".join(("", *following(options))))
    if not options.no_show:
        show(options.output)


def write_c(options, chain, result):
    """The leg as C, for the log's tick and what the log shows of its sensors."""
    from .robot import export
    sensing = export.Sensing(encoder_bits=result.encoder_bits)
    words = f"tinycontact demo --csv {options.csv} --chain {options.chain}" if options.csv else "tinycontact demo"
    written = export.write(chain, options.c, result.tick, sensing, command=f"{words} --c {options.c}")
    print(f"{options.c}: {', '.join(path.name for path in written.paths)}")
    for line in sensing.assumed(chain):
        print(f"  {line}")


def following(options):
    """What to do next, line by line."""
    lines = []
    if not options.csv:
        lines.append("your own leg and log:  tinycontact demo --csv LOG.csv --chain LEG.json")
    if not options.c:
        lines.append("the leg as C:          add --c DIR")
    elif folder := checkout():
        lines.append(f"run it on a board:     make -C {folder} run BOARD={BOARD} APP={os.path.abspath(options.c)}")
    else:
        lines.append(f"run it:                in a checkout, make run BOARD={BOARD} APP={os.path.abspath(options.c)}")
    lines.append("all options:           tinycontact demo --help, tinycontact leg --help")
    return lines


def show(path):
    """Opens the picture where somebody sees it: with a display and a terminal."""
    display = os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY") or sys.platform == "darwin"
    opener = shutil.which("open" if sys.platform == "darwin" else "xdg-open")
    if display and opener and sys.stdout.isatty():
        subprocess.Popen([opener, path], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                         start_new_session=True)
