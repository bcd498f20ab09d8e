# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""tinycontact scene simulate: bodies with shapes, by the library."""
import argparse
import math

from ..jsonfile import write_json
from ..model import write_whole
from ..progress import Teller, announced, say
from .native import STEP, library

SIMULATE = """SCENE.json has bodies with shapes, their start, forces, friction and restitution; see "Scenes of
shapes" in docs/reference/scene-file.md.

joints (ball, hinge, rod), limits (distance, bend) and springs tie bodies to each other or to the
world, at points of their axes. Bodies that a ball or a hinge joins do not touch each other.

OUT.json has name, t, bodies, contacts, steps, deepest, between, joint_error and note. bodies.NAME
has a row per instant of t: position, quat_wxyz, velocity and angular_velocity. contacts lists what
touched since the instant before: t, a, b and the impulse on a [N s]. deepest is the smallest gap of
two bodies at the instants [m], between names them; below 0 it is an overlap. joint_error is the
largest distance that a joint is open [m].

LOG.csv has the columns t, body, x, y, z, qw, qx, qy, qz, vx, vy, vz, wx, wy, wz.

examples:
  tinycontact scene simulate push.json --seconds 2 --every 0.05 -o out.json --plot out.png
  tinycontact scene simulate door.json --seconds 3 --every 0.02 -o out.json --plot out.png
  tinycontact scene simulate pile.json --seconds 10 --every 0.1 -o out.json --step 0.004"""


def above_zero(most, what):
    def parse(word):
        try:
            value = float(word)
        except ValueError:
            value = 0.0
        if not (0 < value <= most and math.isfinite(value)):
            raise argparse.ArgumentTypeError(f"{word!r} is no {what} above 0, up to {most:g}")
        return value
    return parse


def add_simulate(p):
    p.description = "Simulate bodies with shapes, friction and restitution by the library."
    p.epilog = SIMULATE
    p.add_argument("scene", metavar="SCENE.json")
    p.add_argument("--seconds", metavar="T", type=above_zero(1e5, "time"), required=True, help="simulated time [s]")
    p.add_argument("--every", metavar="DT", type=above_zero(1e5, "time"), required=True,
                   help="time between two instants of the answer [s]")
    p.add_argument("-o", "--output", metavar="OUT.json", required=True)
    p.add_argument("--csv", metavar="LOG.csv", help="write the states as observations, too")
    p.add_argument("--plot", metavar="P.png", help="draw the paths and speeds")
    p.add_argument("--step", metavar="H", type=above_zero(0.1, "time"), default=STEP,
                   help=f"largest inner step [s]; default {STEP:g}")
    p.add_argument("--float", action="store_true", help="compute in float32, as on a board; default: double")
    p.set_defaults(run=run_simulate)


def run_simulate(options):
    from . import simulate
    from .scenefile import load
    scene = load(options.scene)
    if options.plot:
        from ..report.plots import ready
        ready()
    real = "float" if options.float else "double"
    library(real)   # built before the clock of the bar starts
    found = simulate.simulate(scene, options.seconds, options.every, options.step, real, Teller("simulating"))
    picture = None
    if options.plot:
        from ..report.page import png_bytes
        from .simulate_plot import paths
        with announced("drawing"):
            picture = png_bytes(paths(found))
    write_json(options.output, found.as_json())
    if options.csv:
        simulate.write_log(options.csv, found)
    if picture:
        write_whole(options.plot, picture)
    if found.note:
        say(f"{options.scene}: {found.note}")
    deepest = "" if found.deepest is None else f", smallest gap {found.deepest:.3g} m"
    say(f"{options.output}: {len(found.t)} instants, {found.steps} steps{deepest}")
