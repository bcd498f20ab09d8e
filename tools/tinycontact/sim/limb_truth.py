# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""A limb in three dimensions in DART: the truth for the articulated solver in space.

Two rods of 0.25 m and 1 kg and the box of spatial_truth at their end, behind three revolute joints: the first hangs
from a pin at height `pin` above the floor z = 0 and turns about y, so that the limb, which at q = 0 lies along x, swings
down; the second turns about z, sideways; the box about its own direction turned by TILT from x to y, so that it comes
down on corners and edges. Only its corners touch the floor; mu 0.6, h 2 ms, e 0.

Three joints, because a limb of n joints whose contacts have more than n freedoms between them (an edge 5, a side 6) may
stick or slide with the same right under Coulomb's law, wedged between floor and pin: a fourth joint, an ankle of 0.06
m and 0.3 kg about y, parts DART and an exact solver at such a state in one run of ten. With three it is one of thirty:
in tick 188 of the 27th the one corner that touches has three ways to slide, all Coulomb's.

DART's NsgsFrictionSolver, in joint coordinates; positions as in spatial_truth.
"""
from dataclasses import dataclass

import numpy as np

from . import dart, peers
from . import spatial_truth as box

RODS = ((0.25, 1.0, (0.0008, 0.0056, 0.0056)), (0.25, 1.0, (0.0008, 0.0056, 0.0056)))
TILT = 0.6   # [rad]
AXES = np.array([[0, 1, 0], [0, 0, 1], [np.cos(TILT), np.sin(TILT), 0]])
JOINTS = len(AXES)
TICKS, SEED = 500, 7
TOLERANCE, SWEEPS = 1e-10, 3000


def starts(count, seed=SEED):
    """[(pin, q [3])]: pin at 0.3 to 0.55 m, angles within 0.4 rad of the horizontal, the box turned by any."""
    rng = np.random.default_rng(seed)
    return [(rng.uniform(0.3, 0.55), np.append(rng.uniform(-0.4, 0.4, 2), rng.uniform(-np.pi, np.pi)))
            for _ in range(count)]


def links(pin):
    """[(mass, inertia [3], anchor [3], axis [3], arm [3])] from the pin on; no link is turned at rest."""
    found, anchor = [], np.array([0, 0, pin])
    for (length, mass, inertia), axis in zip((*RODS, (box.SIDES[0], box.MASS, box.inertia())), AXES):
        half = np.array([length / 2, 0, 0])
        found.append((mass, inertia, anchor, axis, half))
        anchor = half
    return found


@dataclass
class Run:
    """A run; at the start of each tick and at the end."""
    angles: np.ndarray    # [T + 1, 3]
    rates: np.ndarray     # [T + 1, 3]
    touched: np.ndarray   # [T] contacts of each tick


def _place(module, offset):
    place = module.math.Isometry3()
    place.set_translation(offset)
    return place


class World:
    """The limb above the floor."""

    def __init__(self, pin):
        module = peers.dart("the limb's truth")
        self.world = dart.make_world(module, box.H, [0, 0, -box.G], "nsgs", TOLERANCE, SWEEPS)
        self.limb, node = module.dynamics.Skeleton("limb"), None
        for mass, inertia, anchor, axis, arm in links(pin):
            joint, node = (self.limb if node is None else node).createRevoluteJointAndBodyNodePair()
            joint.setAxis(axis)
            joint.setTransformFromParentBodyNode(_place(module, anchor))
            joint.setTransformFromChildBodyNode(_place(module, -arm))
            node.setInertia(module.dynamics.Inertia(mass, np.zeros(3), np.diag(inertia)))
        for vertex in box.vertices():
            dart.add_shape(module, node, module.dynamics.SphereShape(dart.POINT), box.MU, 0.0, vertex)
        self.world.addSkeleton(self.limb)
        dart.add_floor(module, self.world, [0, 0, 1], box.MU)

    def set(self, q, qd):
        self.limb.setPositions(q)
        self.limb.setVelocities(qd)

    def advance(self):
        """Contacts of the tick."""
        self.world.step()
        return self.world.getLastCollisionResult().getNumContacts()


def run(pin, q, ticks=TICKS):
    """The Run from angles q at rest."""
    world = World(pin)
    world.set(np.asarray(q, float), np.zeros(JOINTS))
    angles, rates, touched = [world.limb.getPositions()], [world.limb.getVelocities()], []
    for _ in range(ticks):
        touched.append(world.advance())
        angles.append(world.limb.getPositions())
        rates.append(world.limb.getVelocities())
    return Run(np.array(angles), np.array(rates), np.array(touched))
