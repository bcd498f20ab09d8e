# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""tinycontact impact identify: friction, restitution and mass ratios of a known system from a log."""
import argparse
import time

from ..errors import TinycontactError
from ..jsonfile import write_json
from ..model import write_whole
from ..options import between
from ..progress import announced, say
from ..report.plots import ready

UNKNOWN = ("mu", "e", "mass", "inertia", "gravity")   # tasks.UNKNOWN
IDENTIFY = """SYSTEM.json is the system of known structure, in the form of docs/reference/scene-file.md, or one
of the paper's systems by name. Its mu and e are not read: they are unknown. Masses it gives are a
first guess; only ratios can be told from motion, so the first stays. The step is the log's.

LOG.csv has the columns t [s], and per body its coordinates and rates, as `tinycontact impact
simulate --csv` writes them; run, a number per run, if there are several:
  particle       NAME.x, NAME.y [, NAME.z], NAME.vx, NAME.vy [, NAME.vz]
  body, plane    the same and NAME.theta, NAME.omega
  body, space    the same and NAME.qw, .qx, .qy, .qz, NAME.wx, .wy, .wz (world axes)
  chain          NAME.q1, NAME.q2, ..., NAME.qd1, NAME.qd2, ...
Times of a run increase in even steps. Metres, seconds, radians.

--unknown takes a list of
  mu        friction of each material         e         restitution of each material
  mass      masses over the first body's      inertia   moments: in the plane each, in space
  gravity   its size                                    about the third axis over the first
default: mu,e,mass

OUT.json has system, log, seconds, and
  unknown         per unknown name, value, interval, determined, windows (that touch it), note
  not_determined  names of what the log does not tell
  noise           per column, where there is any
  residual        median of what the fit leaves, in units of the noise, or of the columns
An interval is where 95 % of fits end, joined with all values that explain the log alike. high is
null where nothing bounds it.

example:
  tinycontact impact simulate CP3 -o out.json --runs 5 --csv log.csv --save-system cp3.json
  tinycontact impact identify cp3.json --log log.csv -o floor.json --plot floor.png"""


def _unknown(word):
    wanted = tuple(part.strip() for part in word.split(",") if part.strip())
    for part in wanted:
        if part not in UNKNOWN:
            raise argparse.ArgumentTypeError(f"{part!r} is none of {', '.join(UNKNOWN)}")
    if not wanted:
        raise argparse.ArgumentTypeError("names nothing")
    return wanted


def add_identify(p):
    p.description = "Identify friction, restitution and mass ratios of a known system from a log of its motion."
    p.epilog = IDENTIFY
    p.add_argument("system", metavar="SYSTEM.json", help="a file, or the name of one of the paper's systems")
    p.add_argument("--log", metavar="LOG.csv", required=True)
    p.add_argument("-o", "--output", metavar="OUT.json", required=True)
    p.add_argument("--unknown", metavar="LIST", type=_unknown, default=("mu", "e", "mass"),
                   help="what is unknown; default mu,e,mass")
    p.add_argument("--noise", metavar="SIGMA", type=between(0, 1e3),
                   help="standard deviation of all columns; 0: none; default: estimated")
    p.add_argument("--plot", metavar="P.png", help="draw intervals, and impacts beside their fit")
    p.set_defaults(run=run_identify)


class Teller:
    """A line now and then about a fit on its way."""

    def __init__(self):
        self.last = time.monotonic()

    def __call__(self, part, k, loss):
        if time.monotonic() - self.last > 1.0:
            self.last = time.monotonic()
            say(f"fitting ({part}): iteration {k}, loss {loss:.3g}")


def line_of(u):
    """'mu floor: 0.412 (0.405 .. 0.419)'."""
    high = f"{u.high:.6g}" if u.high != float("inf") else "any"
    interval = f"{u.low:.6g} .. {high}"
    if not u.determined:
        return f"{u.name}: not determined ({u.note})"
    return f"{u.name}: {u.value:.6g} ({interval})" + (f"; {u.note}" if u.note else "")


def run_identify(options):
    begun = time.monotonic()
    from . import identify_log, systems
    from .identify import identify
    from .simulate_cli import known_system
    known_system(options.system)
    scene, where = systems.load(options.system)
    if not scene.pairs and not set(options.unknown) - {"mu", "e"}:
        raise TinycontactError(f"{where}, field contacts: is empty, so there is no mu or e to identify")
    log = identify_log.read(options.log, scene)
    if options.plot:
        ready()
    with announced("identifying"):
        found = identify(scene, log, options.unknown, options.noise, Teller())
    picture = None
    if options.plot:
        from ..report.page import png_bytes
        from .identify_plot import draw
        picture = png_bytes(draw(found, scene))
    write_json(options.output, {"system": where, "log": str(options.log), "runs": len(log.runs),
                                "rows": sum(map(len, log.runs)), "step": log.step,
                                "seconds": round(time.monotonic() - begun, 2), **found.as_json(log.names)})
    if picture:
        write_whole(options.plot, picture)
    for u in found.unknowns:
        print(line_of(u))
    unit = " of the noise" if found.fitted_noise else ""
    print(f"{options.output}: {found.impacts} of {len(found.learned.problem.states)} windows touch, residual"
          f" {found.residual:.2g}{unit}")
