# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""A chain of three links in DART: the truth for the articulated solver (Algorithm 2, Fig. 8 and 9).

Links: 0.3 m long, 1 kg, 0.06 m thick, uniform density (inertia 0.0078 kg m^2 about their middles), joined end
to end by revolute joints; the first hangs from a pin at height `pin` above the floor. Only the four corners
of the last link touch the floor; mu 0.75, h 2 ms, e 0. Angles: q[0] of the first link from +x, q[1] and q[2]
relative to the link before, counter-clockwise; zero is the horizontal chain.

DART's NsgsFrictionSolver; its default (in a plane PGS, see dart.py) is off where the upper links are nearly
straight. "constraint" makes the last joint a BallJointConstraint between two skeletons instead of a
coordinate, solved with the default, which is what a histogram of joint violations (Fig. 9) compares with.
"""
from dataclasses import dataclass

import numpy as np

from . import dart, peers

LINKS, LENGTH, WIDTH, MASS, MU, H, G = 3, 0.3, 0.06, 1.0, 0.75, 0.002, 9.81
INERTIA = MASS * (LENGTH**2 + WIDTH**2) / 12
TICKS = 500
EXACT_PINS = (0.45, 0.6, 0.75)   # of the runs from the exact horizontal
SEED = 4
TOLERANCE, SWEEPS = 1e-10, 3000


def starts(count=40, seed=SEED):
    """[(pin, q [3])]: three from the exact horizontal, the rest with each angle within 0.3 rad of it and the
    pin at 0.45 to 0.8 m."""
    rng = np.random.default_rng(seed)
    rows = [(pin, np.zeros(LINKS)) for pin in EXACT_PINS]
    rows += [(rng.uniform(0.45, 0.8), rng.uniform(-0.3, 0.3, LINKS)) for _ in range(count - len(rows))]
    return rows[:count]


@dataclass
class Run:
    """A run; angles [T + 1, 3] and rates [T + 1, 3] of the joints at the start of each tick and at the
    end."""
    pin: float
    angles: np.ndarray
    rates: np.ndarray
    violation: np.ndarray   # [T + 1, 2] at the last joint: position [m], velocity [m/s]; 0 in coordinates
    touched: np.ndarray     # [T] contacts of each tick


def corners():
    """[4, 2] of the last link, from its middle."""
    x, y = LENGTH / 2, WIDTH / 2
    return np.array([[-x, -y], [x, -y], [x, y], [-x, y]])


def _translation(module, x, y):
    place = module.math.Isometry3()
    place.set_translation([x, y, 0])
    return place


def _link(module, joint, node, from_parent):
    """A link behind a revolute joint about z at its left end; from_parent (x, y) of the joint in the
    parent."""
    joint.setAxis([0, 0, 1])
    joint.setTransformFromParentBodyNode(_translation(module, *from_parent))
    joint.setTransformFromChildBodyNode(_translation(module, -LENGTH / 2, 0))
    node.setInertia(module.dynamics.Inertia(MASS, np.zeros(3), np.eye(3) * INERTIA))


def _feet(module, node):
    for x, y in corners():
        dart.add_shape(module, node, module.dynamics.SphereShape(dart.POINT), MU, 0.0, [x, y, 0])


class World:
    """The chain; `constraint` joins the last link by a constraint instead of a coordinate."""

    def __init__(self, pin, constraint=False, h=H, solver=None):
        module = peers.dart("the chain's truth")
        self.module, self.pin, self.constraint = module, pin, constraint
        solver = solver or ("default" if constraint else "nsgs")
        self.world = dart.make_world(module, h, [0, -G, 0], solver, TOLERANCE, SWEEPS)
        self.chain, node = module.dynamics.Skeleton("chain"), None
        for k in range(LINKS - 1 if constraint else LINKS):
            if node is None:
                joint, node = self.chain.createRevoluteJointAndBodyNodePair()
            else:
                joint, node = node.createRevoluteJointAndBodyNodePair()
            _link(module, joint, node, (0, pin) if k == 0 else (LENGTH / 2, 0))
        self.upper = node
        if constraint:
            self.foot = module.dynamics.Skeleton("foot")
            _, node = self.foot.createPlanarJointAndBodyNodePair()
            node.setInertia(module.dynamics.Inertia(MASS, np.zeros(3), np.eye(3) * INERTIA))
            self.world.addSkeleton(self.foot)
        self.last = node
        _feet(module, node)
        self.world.addSkeleton(self.chain)
        dart.add_floor(module, self.world, [0, 1, 0], MU)

    def set(self, q, qd):
        self.chain.setPositions(q[:self.chain.getNumDofs()])
        self.chain.setVelocities(qd[:self.chain.getNumDofs()])
        if self.constraint:
            end, speed = self._end(self.upper, LENGTH / 2)
            theta, omega = np.sum(q), np.sum(qd)
            arm = LENGTH / 2 * np.array([np.cos(theta), np.sin(theta)])
            place = end + arm
            self.foot.setPositions([*place, theta])
            self.foot.setVelocities([*(speed + omega * np.array([-arm[1], arm[0]])), omega])
            joint = self.module.constraint.BallJointConstraint(self.upper, self.last, [*end, 0])
            self.world.getConstraintSolver().addConstraint(joint)

    def _end(self, node, x):
        """(position, velocity) [2] of the point x along a link from its middle."""
        place = node.getWorldTransform().multiply([x, 0, 0])
        return np.array(place)[:2], np.array(node.getLinearVelocity([x, 0, 0]))[:2]

    def state(self):
        """(angles [3], rates [3], violation [2])"""
        q, qd = self.chain.getPositions(), self.chain.getVelocities()
        if not self.constraint:
            return q, qd, np.zeros(2)
        a, b = self._end(self.upper, LENGTH / 2), self._end(self.last, -LENGTH / 2)
        theta, omega = self.foot.getPositions()[2], self.foot.getVelocities()[2]
        return (np.append(q, theta - q.sum()), np.append(qd, omega - qd.sum()),
                np.array([np.hypot(*(b[0] - a[0])), np.hypot(*(b[1] - a[1]))]))

    def advance(self):
        """Contacts of the tick."""
        self.world.step()
        return self.world.getLastCollisionResult().getNumContacts()


def run(pin, q, ticks=TICKS, constraint=False, h=H, solver=None):
    """The Run from angles q at rest."""
    world = World(pin, constraint, h, solver)
    world.set(np.asarray(q, float), np.zeros(LINKS))
    states, touched = [world.state()], []
    for _ in range(ticks):
        touched.append(world.advance())
        states.append(world.state())
    angles, rates, violation = (np.array(part) for part in zip(*states))
    return Run(pin, angles, rates, violation, np.array(touched))


def runs(count=40, seed=SEED, ticks=TICKS, constraint=False, moved=0.0, solver=None):
    """The Runs of `starts`, each angle `moved` by that much [rad]: how far DART is from itself."""
    return [run(pin, q + moved, ticks, constraint, solver=solver) for pin, q in starts(count, seed)]


def energy(run_):
    """Kinetic and potential energy [T + 1] [J] of a run in coordinates."""
    theta, omega = np.cumsum(run_.angles, axis=1), np.cumsum(run_.rates, axis=1)
    total = 0.0
    end, end_speed = np.stack([0 * theta[:, 0], 0 * theta[:, 0] + run_.pin]), np.zeros((2, len(theta)))
    for k in range(LINKS):
        half = LENGTH / 2 * np.stack([np.cos(theta[:, k]), np.sin(theta[:, k])])
        turn = omega[:, k] * np.stack([-half[1], half[0]])
        middle, speed = end + half, end_speed + turn
        total = total + MASS * (0.5 * np.sum(speed**2, axis=0) + G * middle[1])
        total = total + 0.5 * INERTIA * omega[:, k]**2
        end, end_speed = middle + half, speed + turn
    return total
