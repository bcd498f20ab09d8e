# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""tinycontact body identify: a body's constants from tosses of it."""
import argparse
import shlex
import sys
import time

IDENTIFY = """LOG.csv has the columns
  throw, t                       number of the throw, time [s]
  x, y, z                        the tag's origin [m], z up, the floor near z = 0
  qw, qx, qy, qz                 quaternion that turns tag axes into the log's
  vx, vy, vz, wx, wy, wz         optional: velocity [m/s], angular velocity [rad/s] in tag axes
A throw begins in free flight and is logged until the body lies still. Other columns are not read.
The options say how a file differs; --columns x=pos_x,qw=q0 names other columns.

SHAPE.json is {"vertices": [[x, y, z], ...], "mass": kg}: corners of a convex body [m], in the axes
of the tag.

BODY.json has mass, scale, centre of mass, inertia, floor, gravity, friction of points, edges and
faces, restitution, stiffness and damping, each with deviation and unit, and what the log does not
determine. docs/reference/body-file.md has the format.

Without --quick, a refinement in closed loop follows the least squares; it takes minutes.

examples:
  tinycontact body identify --log tosses.csv --shape cube.json -o body.json --quick
  tinycontact body identify --log take.csv --shape cube.json -o body.json --length mm \\
      --quaternion xyzw --columns throw=take,t=time"""


def _columns(word):
    pairs = {}
    for part in filter(None, (one.strip() for one in word.split(","))):
        name, mark, other = part.partition("=")
        if not mark or not name.strip() or not other.strip():
            raise argparse.ArgumentTypeError(f"{part!r} is not NAME=COLUMN, as in x=pos_x")
        if name.strip() in pairs:
            raise argparse.ArgumentTypeError(f"{name.strip()} is named twice")
        pairs[name.strip()] = other.strip()
    return pairs


def add_convention(p):
    """Options that say how a log of poses differs from the package's convention."""
    p.add_argument("--columns", metavar="LIST", type=_columns, default={},
                   help="other names of columns: x=pos_x,qw=q0,...")
    p.add_argument("--length", choices=("m", "cm", "mm"), default="m", help="unit; default m")
    p.add_argument("--time", choices=("s", "ms", "us"), default="s", help="unit; default s")
    p.add_argument("--angle", choices=("rad", "deg"), default="rad",
                   help="unit of angular velocities; default rad")
    p.add_argument("--quaternion", choices=("wxyz", "xyzw"), default="wxyz",
                   help="order of the four columns' values; xyzw: the scalar is last")
    p.add_argument("--conjugate", action="store_true",
                   help="quaternions turn the log's axes into the tag's")
    p.add_argument("--up", choices=("z", "minus-z", "y"), default="z", help="axis that points up")
    p.add_argument("--frame", choices=("tag", "world"), default="tag",
                   help="axes of angular velocities; default tag")
    p.add_argument("--floor", metavar="Z", type=float, default=0.0,
                   help="height of the floor along the axis that points up, in the log's unit")
    p.add_argument("--skip", action="store_true",
                   help="leave out throws with gaps, jumps of the tracker or too few rows")


def convention_of(options):
    from .poses import Convention
    return Convention(options.columns, options.time, options.length, options.angle, options.quaternion,
                      options.conjugate, options.up, options.frame, options.floor)


def read_log(options):
    """The Log of --log; throws that --skip leaves out are named."""
    from ..progress import say
    from . import poses
    skipped = [] if options.skip else None
    log = poses.read(options.log, convention_of(options), skipped)
    for message in (skipped or [])[:5]:
        say(f"left out: {message}")
    if len(skipped or []) > 5:
        say(f"left out: {len(skipped) - 5} throws more")
    return log


def add_identify(p):
    p.description = ("Identify a body from logged tosses: centre of mass, inertia, size,"
                     " floor,\ngravity, friction,"
                     " restitution, stiffness.")
    p.epilog = IDENTIFY
    p.add_argument("--log", metavar="LOG.csv", required=True, help="poses of the tosses")
    p.add_argument("--shape", metavar="SHAPE.json", required=True, help="corners and mass")
    p.add_argument("-o", "--output", metavar="BODY.json", required=True,
                   help="the body file to write")
    p.add_argument("--quick", action="store_true", help="stop at least squares (seconds)")
    p.add_argument("--plot", metavar="P.png", help="draw the events behind the values")
    p.add_argument("--seed", type=int, default=14, help="of the bootstrap; default 14")
    add_convention(p)
    p.set_defaults(run=run_identify)


def _refined(log, body, found, options):
    """The body after the refinement in closed loop; what it was told from goes to found.judged."""
    if options.quick:
        return body
    from ..progress import Teller
    from .refine import SEARCHED, refine
    refined = refine(log, body, Teller("refining"))
    searched = (*SEARCHED, "restitution") if refined.stiffness is None else SEARCHED
    found.judged |= dict.fromkeys(searched, f"roll-outs of {len(log)} tosses")
    return refined


def run_identify(options):
    begun = time.monotonic()
    from ..jsonfile import write_json
    from ..model import write_whole
    from ..progress import announced
    from ..report.plots import ready
    from . import bodyfile, identify, plausible, solid
    shape, mass, name = solid.read(options.shape)
    log = read_log(options)
    plausible.check(log, shape, options.shape)
    if options.plot:
        ready()
    with announced("identifying"):
        body, found = identify.identify(log, shape, mass, name, options.seed)
    plausible.check_found(log, found, options.shape)
    body = _refined(log, body, found, options)
    body.command = shlex.join(["tinycontact", *sys.argv[1:]]) if sys.argv else ""
    picture = None
    if options.plot:
        from ..report.page import png_bytes
        from .plot import draw
        picture = png_bytes(draw(body, found))
    write_json(options.output, bodyfile.as_json(body))
    if picture:
        write_whole(options.plot, picture)
    for line in table(body, found.judged):
        print(line)
    print(f"{options.output}: {body.tosses} tosses, {time.monotonic() - begun:.1f} s")


ROWS = (   # words, attribute or (attribute, index), name of the deviation, factor, unit
    ("scale", "scale", "scale", 1, ""),
    ("centre of mass x", ("centre", 0), "centre_of_mass", 1e3, "mm"),
    ("centre of mass y", ("centre", 1), "centre_of_mass", 1e3, "mm"),
    ("centre of mass z", ("centre", 2), "centre_of_mass", 1e3, "mm"),
    ("inertia x", ("inertia", 0), "inertia", 1e6, "kg mm^2"),
    ("inertia y", ("inertia", 1), "inertia", 1e6, "kg mm^2"),
    ("inertia z", ("inertia", 2), "inertia", 1e6, "kg mm^2"),
    ("inertia ratio", "inertia_ratio", "inertia_ratio", 1, ""),
    ("floor height", ("floor", 0), "floor.height", 1e3, "mm"),
    ("floor tilt x", ("floor", 1), "floor.tilt", 1e3, "mrad"),
    ("floor tilt y", ("floor", 2), "floor.tilt", 1e3, "mrad"),
    ("gravity", "gravity", "gravity", 1, "m/s^2"),
    ("friction, point", ("friction", "point"), "friction.point", 1, ""),
    ("friction, edge", ("friction", "edge"), "friction.edge", 1, ""),
    ("friction, face", ("friction", "face"), "friction.face", 1, ""),
    ("restitution", "restitution", "restitution", 1, ""),
    ("stiffness", "stiffness", "stiffness", 1e-3, "kN/m"),
    ("damping", "damping", "damping", 1, "N s/m"),
    ("damping slope", "damping_slope", "damping_slope", 1, "s/m"),
    ("rounding", "rounding", "rounding", 1e3, "mm"))


def _spread_of(body, place, name):
    spread = body.deviation.get(name)
    if not isinstance(spread, list):
        return spread
    index = place[1] - (1 if name == "floor.tilt" else 0)
    return spread[index]


def _value_of(body, place):
    if isinstance(place, str):
        return getattr(body, place)
    part = getattr(body, place[0])
    if isinstance(part, dict):
        return part.get(place[1])
    return None if part is None else part[place[1]]


def table(body, judged):
    """Lines: value, deviation, unit, what it was judged from; then what is not determined, and advice."""
    lines = [f"{'':18}{'value':>10}   {'deviation':<10}{'unit':<9}judged from"]
    for words, place, name, factor, unit in ROWS:
        value = _value_of(body, place)
        if value is None:
            continue
        spread = _spread_of(body, place, name)
        told = "given" if spread is None else f"{factor * spread:.2g}"
        lines.append(f"{words:18}{factor * value:10.4g} ±"
                     f" {told:<10}{unit:<9}{judged.get(name, '')}".rstrip())
    lines += [f"not determined: {one['name']}: {one['reason']}" for one in body.undetermined]
    lines += [f"advice: {one}" for one in body.advice]
    return lines
