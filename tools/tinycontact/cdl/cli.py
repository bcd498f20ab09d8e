# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""tinycontact cdl simulate: CD-Lagrange systems, by the library."""
import contextlib

from ..jsonfile import write_json
from ..model import write_whole
from ..progress import announced, progress, say
from ..report.plots import ready
from . import systems
from .simulate import simulate, simulate_model, system_model

SIMULATE = """SYSTEM.json is a system or a list of systems. The fields of a system:
  potential   gravity | pendulum | none
  contact     none | floor (the gap is Q of body 1) | pair (the gap is Q1 - Q2) | row (each two
              neighbours are a pair). Body 1 must have the greatest Q: in another order bodies
              pass through each other
  m           masses [kg], one per body
  e           restitution, 0 to 1; needed with a contact
  h           time step [s]
  g           gravity [m/s^2]; needed with potential gravity or pendulum
  l           length [m]; needed with pendulum: Q in rad, mass m l^2,
              potential m g l (1 - cos Q)
  C           damping [N s/m], a number or one per body; default 0
  proj        none | mean: both bodies of a pair that strikes move to their weighted mean;
              default none
  Q0, V0      start, one number per body; V0 is the velocity at h/2
  steps       number of steps
  name        default "system 0", ...
  rest_speed  a closed contact slower than this is at rest; default 0
  order       sequence | simultaneous: how several contacts are resolved; default sequence
Another field is an error.

With --model the file's nets are the system. SYSTEM.json then gives the start only: Q0, V0,
steps and name, one number per coordinate. Other fields of a system are allowed there and
ignored. The energy's zero is then arbitrary.

OUT.json has {name, Q, V, contact, energy} for each system; it is a list if SYSTEM.json is one.
All have steps + 1 rows. Q and V have a column per body; row 0 is Q0, V0, 0. V[n] is the
velocity at n + 1/2. contact[n] is 1 if an impulse acted at Q[n]. energy[n] is
1/2 V[n]^T M V[n] + U(Q[n]).

examples:
  echo '{"name": "ball", "potential": "gravity", "contact": "floor", "m": [1], "e": 0.7,
         "h": 0.02, "g": 9.81, "Q0": [10], "V0": [0], "steps": 500}' > ball.json
  tinycontact cdl simulate ball.json -o out.json --plot ball.png
  tinycontact cdl train --protocol ball -o ball.tcm
  tinycontact cdl simulate ball.json --model ball.tcm -o learned.json --board mps2-an386"""


def add_simulate(p):
    p.description = "Simulate systems with the library, whose bits are those of the boards."
    p.epilog = SIMULATE
    p.add_argument("systems", metavar="SYSTEM.json")
    p.add_argument("-o", "--output", metavar="OUT.json", required=True)
    p.add_argument("--model", metavar="M.tcm",
                   help="a trained system, from `tinycontact cdl train`")
    where = p.add_mutually_exclusive_group()
    where.add_argument("--double", action="store_true",
                       help="use the library's reference build in double precision")
    where.add_argument("--board", metavar="B",
                       help="an emulated board, as in `tinycontact board list`")
    p.add_argument("--plot", metavar="P.png", help="draw phase and energy of each system")
    p.set_defaults(run=run_simulate)


def run_simulate(options):
    if options.model:
        model, coordinates = system_model(options.model)
        given, is_list = systems.load_starts(options.systems, options.model, coordinates, float(model.step_size))
    else:
        given, is_list = systems.load(options.systems)
    if options.plot:
        ready()
    with _computer(options) as computer:
        runs = [_roll_out(system, options, computer) for _, system in progress(given, "simulating")]
    if options.plot:
        _plot(options.plot, given, runs)
    entries = [run.as_json() for run in runs]
    write_json(options.output, entries if is_list else entries[0])
    say(f"{options.output}: {len(runs)} systems")


def _computer(options):
    """The Library or the Board that rolls out, as a context."""
    from ..board import Board
    from ..library import Library
    if options.board:
        return Board(options.board)
    return contextlib.nullcontext(Library(real="double" if options.double else "float"))


def _roll_out(system, options, computer):
    where = f"{options.systems}, {system.name}"
    if options.model:
        run = simulate_model(options.model, system.Q0, system.V0, system.steps, computer, system.name, where)
    else:
        run = simulate(system, computer, where)
    if run.note:
        say(f"{where}: {run.note}")
    return run


def _plot(path, given, runs):
    from ..report.page import png_bytes
    from . import plot
    with announced("drawing"):
        write_whole(path, png_bytes(plot.phases(given, runs)))
    if len(runs) > plot.MOST:
        say(f"{path}: the first {plot.MOST} systems of {len(runs)}")
