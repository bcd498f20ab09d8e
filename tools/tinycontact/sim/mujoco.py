# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""A second opinion on friction: the box of spatial_truth in MuJoCo (elliptic cone) beside DART and Coulomb's
law.

    python -m tinycontact.sim.mujoco

prints, for a box that slides flat over the floor at 2 m/s and 30 degrees from its long side, how far it
slides over v^2 / (2 mu g), how far its direction turns, friction over normal force of its contacts, and how
fast it creeps on a slope of 20 degrees (mu 0.6 holds up to 31). Normal forces of MuJoCo are soft (its own
default, solref 0.02 1, impratio 10), so the box hops while it slides: an opinion on friction, not on impacts.
"""
import sys
from dataclasses import dataclass

import numpy as np

from ..errors import TinycontactError
from . import peers
from . import spatial_truth as truth

SPEED, HEADING, SLOPE = 2.0, np.deg2rad(30.0), np.deg2rad(20.0)
SETTLE, CREEP = 200, 500   # steps: to settle, on the slope
LOADED = 1e-3   # [N]
KINDS = ("mujoco elliptic", "mujoco pyramidal", "dart nsgs", "dart default")


def model_xml(cone, slope):
    """The box as MJCF: spheres at its corners, gravity tilted by `slope`."""
    corners = "".join(f'<geom type="sphere" size="1e-4" pos="{x} {y} {z}"/>' for x, y, z in truth.vertices())
    inertia = " ".join(str(value) for value in truth.inertia())
    return f"""<mujoco>
 <option timestep="{truth.H}" gravity="{truth.G * np.sin(slope)} 0 {-truth.G * np.cos(slope)}" cone="{cone}"
         solver="Newton" iterations="200" tolerance="1e-12" impratio="10"/>
 <default><geom condim="3" friction="{truth.MU} 0 0" solref="0.02 1" mass="0"/></default>
 <worldbody><geom type="plane" size="0 0 1"/>
  <body pos="0 0 {truth.SIDES[2] / 2 + 1e-4}"><freejoint/>
   <inertial pos="0 0 0" mass="{truth.MASS}" diaginertia="{inertia}"/>{corners}</body></worldbody></mujoco>"""


class MujocoBox:
    def __init__(self, cone, slope=0.0):
        self.mujoco = peers.mujoco("the second opinion")
        self.model = self.mujoco.MjModel.from_xml_string(model_xml(cone, slope))
        self.data = self.mujoco.MjData(self.model)

    def advance(self):
        self.mujoco.mj_step(self.model, self.data)

    def push(self, velocity):
        self.data.qvel[:2] += velocity

    def state(self):
        """(position [2], velocity [2])"""
        return self.data.qpos[:2].copy(), self.data.qvel[:2].copy()

    def ratios(self):
        """Friction over normal force of each loaded contact of the last step."""
        found, force = [], np.zeros(6)
        for k in range(self.data.ncon):
            self.mujoco.mj_contactForce(self.model, self.data, k, force)
            found += [np.hypot(force[1], force[2]) / force[0]] if force[0] > LOADED else []
        return found


class DartBox:
    def __init__(self, solver, slope=0.0):
        self.world = truth.World(solver, slope=slope, effort=truth.FAST)
        self.world.set([0, 0, truth.SIDES[2] / 2], [1, 0, 0, 0], np.zeros(6))

    def advance(self):
        self.world.advance()

    def push(self, velocity):
        position, q, v = self.world.state()
        v[:2] += velocity
        self.world.set(position, q, v)

    def state(self):
        position, _, velocity = self.world.state()
        return position[:2], velocity[:2]

    def ratios(self):
        contacts = self.world.world.getLastCollisionResult()
        force = [contacts.getContact(k).force for k in range(contacts.getNumContacts())]
        return [np.hypot(x, y) / abs(z) for x, y, z in force if abs(z) > LOADED]


def make(kind, slope=0.0):
    engine, how = kind.split()
    return MujocoBox(how, slope) if engine == "mujoco" else DartBox(how, slope)


@dataclass
class Opinion:
    kind: str
    distance: float   # slid, over v^2 / (2 mu g)
    turned: float     # [deg] between the push and the line from start to end
    ratio: float      # friction over normal force of a contact, median over the slide
    creep: float      # [m/s] on the slope


def opinion(kind):
    """The Opinion of one of KINDS."""
    heading = np.array([np.cos(HEADING), np.sin(HEADING)])
    box = make(kind)
    for _ in range(SETTLE):
        box.advance()
    start = box.state()[0]
    box.push(SPEED * heading)
    ratios = []
    while np.hypot(*box.state()[1]) > 1e-3:
        box.advance()
        ratios += box.ratios()
    way = box.state()[0] - start
    turned = np.rad2deg(np.arctan2(heading[0] * way[1] - heading[1] * way[0], heading @ way))
    slope = make(kind, SLOPE)
    for _ in range(SETTLE):
        slope.advance()
    at = slope.state()[0]
    for _ in range(CREEP):
        slope.advance()
    creep = np.hypot(*(slope.state()[0] - at)) / (CREEP * truth.H)
    slid = np.hypot(*way) / (SPEED**2 / (2 * truth.MU * truth.G))
    return Opinion(kind, slid, turned, float(np.median(ratios)), creep)


def main():
    head = ("distance / Coulomb", "turned deg", "friction / normal", "creep mm/s")
    print(f"{'box':17}{head[0]:>20}{head[1]:>12}{head[2]:>19}{head[3]:>12}")
    for kind in KINDS:
        o = opinion(kind)
        print(f"{kind:17}{o.distance:20.4f}{o.turned:12.3f}{o.ratio:19.4f}{1e3 * o.creep:12.4f}")
    print(f"{'Coulomb':17}{1:20.4f}{0:12.3f}{truth.MU:19.4f}{0:12.4f}")


if __name__ == "__main__":
    try:
        main()
    except TinycontactError as error:
        sys.exit(f"tinycontact.sim.mujoco: {error}")
