# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""How long a step takes on the host: the library, DART, MuJoCo and Box2D v3, the same body and start, one process.

    python -m tinycontact.peers.speed [--shape S.json] [--model m.tcm] [--library L.so] [--box2d checkout]
                                      [--json out.json]

Box2D, which simulates games in the plane, is the closest of them; it is measured where a checkout of it is given
(box2d.py). Each peer advances through its own stepping call: ours, MuJoCo and Box2D N steps in one call, DART one step per call
from a loop whose cost, measured with a call that does nothing, is subtracted. Two stretches are timed, each
from a start state that is set again before each round: "throw", the first 0.5 s of a throw that hits the
floor, tumbles and slides, and "contact", 0.5 s of which nearly all steps are in contact (the body lies on its
longest face and slides until friction stops it). The stretches are timed in turn, round after round, and the
best round of each counts. Without a model the library runs Coulomb's law in place of the nets.
"""
import argparse
import ctypes
import json
import sys
import time
from ctypes import POINTER, c_double, c_int32, c_uint32, c_void_p

import numpy as np

from .. import contact
from ..errors import TinycontactError
from ..library import Library
from ..model import write_whole
from ..sim import dart, shapes
from ..sim import peers as simulators
from . import box2d

SECONDS, ROUNDS = 0.5, 15
FLOORS = {"dart": 10.0, "mujoco": 3.0}   # times slower than ours that the issue asks of the peers


def stretches(body):
    """{name: (position [3], velocity [3])}"""
    edges = np.roll(body.vertices, -1, axis=0) - body.vertices
    longest = edges[np.argmax(np.hypot(*edges.T))]
    flat = -np.arctan2(longest[1], longest[0])
    low = shapes.turned(body, np.array(flat))[:, 1].min() - body.radius
    return {"throw": (np.array([0, 0.3, 0.3]), np.array([3.0, 0, 4.0])),
            "contact": (np.array([0, -low - 1e-4, flat]), np.array([2.0, 0, 0]))}


def _timed(work):
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


class Ours:
    """The library: `native_steps` of tools/native/native.h."""

    name = "tinycontact"

    def __init__(self, body, model=None, library=None):
        self.c = contact.declared(ctypes.CDLL(library) if library else Library()._c)
        self.c.native_steps.argtypes = [c_void_p, c_void_p, c_uint32]
        self.body = body
        if model:
            self.owner = contact._Handle(self.c, body, "dart", model, open(model, "rb").read())
            self.handle = self.owner._handle
        else:
            self.handle = self._coulomb(body)

    def _coulomb(self, body):
        self.c.native_open_coulomb.argtypes = [POINTER(contact.NativeBody), c_double, c_double, POINTER(c_int32)]
        self.c.native_open_coulomb.restype = c_void_p
        vertices, status = np.ascontiguousarray(body.vertices), c_int32()
        given = contact.NativeBody(body.mass, body.inertia, body.h, body.g, body.restitution, body.radius,
                              vertices.ctypes.data, len(vertices), 0)
        handle = self.c.native_open_coulomb(given, body.mu, body.mu, status)
        if not handle:
            raise contact._failed(body.name, "native_open_coulomb", status.value)
        return handle

    def round(self, position, velocity, steps):
        """(seconds, final position [3])"""
        state = np.concatenate([position, velocity])
        self.c.native_steps(self.handle, state.ctypes.data, 10)
        state[:] = *position, *velocity
        seconds = _timed(lambda: self.c.native_steps(self.handle, state.ctypes.data, steps))
        return seconds, state[:3]


class Dart:
    def __init__(self, body, solver):
        self.name = f"dart {solver}"
        self.one = dart.World(body, solver)

    def round(self, position, velocity, steps):
        self.one.set(position, velocity)
        call, nothing = self.one.world.step, self.one.world.getTimeStep

        def loop(function):
            for _ in range(steps):
                function()

        seconds = _timed(lambda: loop(call))
        return seconds - _timed(lambda: loop(nothing)), self.one.skeleton.getPositions()


def mujoco_xml(body, cone):
    """The body as MJCF: two slides and a hinge, a sphere at each vertex."""
    radius = body.radius or 1e-4
    spheres = "".join(f'<geom type="sphere" size="{radius}" pos="{x} {y} 0"/>' for x, y in body.vertices)
    return f"""<mujoco><option timestep="{body.h}" gravity="0 {-body.g} 0" cone="{cone}"/>
 <default><geom condim="3" friction="{body.mu} 0 0" mass="0"/></default>
 <worldbody><geom type="plane" size="0 0 1" zaxis="0 1 0"/><body>
  <joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 1 0"/><joint type="hinge" axis="0 0 1"/>
  <inertial pos="0 0 0" mass="{body.mass}" diaginertia="{body.inertia} {body.inertia} {body.inertia}"/>
  {spheres}</body></worldbody></mujoco>"""


class Mujoco:
    def __init__(self, body, cone):
        self.name = f"mujoco {cone}"
        self.mujoco = simulators.mujoco("the comparison of speed")
        self.model = self.mujoco.MjModel.from_xml_string(mujoco_xml(body, cone))
        self.data = self.mujoco.MjData(self.model)

    def round(self, position, velocity, steps):
        self.mujoco.mj_resetData(self.model, self.data)
        self.data.qpos[:], self.data.qvel[:] = position, velocity
        seconds = _timed(lambda: self.mujoco.mj_step(self.model, self.data, nstep=steps))
        return seconds, self.data.qpos.copy()


def compare(body, peers, rounds=ROUNDS):
    """[{"name", stretch: seconds per step, stretch + "_end": final position}] of the peers, rounds in
    turn."""
    steps = int(round(SECONDS / body.h))
    best = [{"name": peer.name} for peer in peers]
    for _ in range(rounds):
        for stretch, (position, velocity) in stretches(body).items():
            for peer, found in zip(peers, best):
                seconds, end = peer.round(position, velocity, steps)
                found[stretch] = min(found.get(stretch, np.inf), seconds / steps)
                found[stretch + "_end"] = [float(value) for value in end]
    return best


class Box2d(box2d.Box2d):
    def round(self, position, velocity, steps):
        return super().round(position, velocity, steps, _timed)


def all_peers(body, model=None, library=None, checkout=None):
    return [Ours(body, model, library), Dart(body, "default"), Dart(body, "nsgs"), Mujoco(body, "elliptic"),
            Mujoco(body, "pyramidal"), *([Box2d(body, checkout)] if checkout else [])]


def table(found):
    """Lines: microseconds per step and how many times slower than ours."""
    ours = found[0]
    head = ("throw us", "times", "contact us", "times", "end of throw: x m, deg")
    lines = [" " * 18 + "".join(text.rjust(width) for text, width in zip(head, (10, 8, 12, 8, 26)))]
    for one in found:
        lines.append(f"{one['name']:18}{1e6 * one['throw']:10.3f}{one['throw'] / ours['throw']:8.1f}"
                     f"{1e6 * one['contact']:12.3f}{one['contact'] / ours['contact']:8.1f}"
                     f"{one['throw_end'][0]:16.3f}{np.rad2deg(one['throw_end'][2]):10.1f}")
    return lines


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="python -m tinycontact.peers.speed",
                                     description="Time per step: the library, DART, MuJoCo and Box2D side by side.")
    parser.add_argument("--shape", help="JSON file of the body (default: the built-in rectangle)")
    parser.add_argument("--model", help="model file (default: Coulomb's law in place of the nets)")
    parser.add_argument("--library", help="shared library to load (default: the one that make shared builds)")
    parser.add_argument("--box2d", metavar="FOLDER", help="checkout of Box2D v3 to build and measure (default: none)")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help=f"of each stretch (default {ROUNDS})")
    parser.add_argument("--json", metavar="FILE", help="also write the numbers here")
    options = parser.parse_args(arguments)
    try:
        body = shapes.load(options.shape) if options.shape else shapes.builtin("rectangle")
        found = compare(body, all_peers(body, options.model, options.library, options.box2d), options.rounds)
        print("\n".join(table(found)))
        if not options.box2d:
            print(f"Box2D v3, the closest peer, is left out: {box2d.HOW}")
        if options.json:
            write_whole(options.json, (json.dumps(found, indent=1) + "\n").encode())
    except TinycontactError as error:
        sys.exit(f"tinycontact.peers.speed: {error}")


if __name__ == "__main__":
    main()
