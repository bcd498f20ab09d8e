# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Worlds of one planar body in DART 6.20 (dartpy): single steps, labels, throws.

The body is a PlanarJoint with a sphere at each vertex (radius 1 nm, or the body's own); the floor is a plane
shape. With DART's own collision detector a contact lies on the floor below the vertex, so all contacts have
one height, as in Algorithm 1; split position correction is on, so that it moves positions only; automatic
sleeping is off. With these settings a step is `schemes`' scheme "dart" with exact Coulomb friction, to 4e-5
of the velocity: DART adds 1e-5 of its diagonal to the contact matrix.

Two solvers:
    nsgs     NsgsFrictionSolver (Gauss-Seidel with Coulomb's law), tolerance 1e-9. The choice for labels.
    default  what a world comes with. In a PlanarJoint the rows of friction out of the plane are zero, so the
             Dantzig solver fails (infinities, silently) and what is seen is its secondary, PGS with 30
             sweeps: 4e-5 off in the median, more than 1e-3 in 0.3 to 0.5 % of edges, and, since it starts
             from the impulses of the call before, sometimes no impulse at all for an approaching edge when
             states are set at random (9 of 4,000). A contact-free step in between cures the latter. Where
             Dantzig itself runs (bodies with freedom out of the plane), it bounds friction by the
             frictionless normals and is no Coulomb law: a fifth of random states differ by more than 1 %.

Before each single step the body spends one high above the floor, so that no solver carries anything over.
"""
from dataclasses import dataclass

import numpy as np

from ..progress import progress
from . import peers, shapes, throws
from . import query as queries
from .query import DETACH, DYNAMIC, STATIC
from .schemes import patch_query

POINT = 1e-9        # [m] radius of a vertex that has none
HIGH = 5.0          # [m]
TOLERANCE, SWEEPS = 1e-9, 300
# what the solver leaves of a static patch, of the largest contact velocity before, but for STILL_LEAST [m/s]
STILL = {"nsgs": 1e-4, "default": 3e-3}
STILL_LEAST = 1e-8
NOTHING = 1e-9      # an impulse below this share of the velocities, or [m/s], is none


def friction_solver(dart, tolerance=TOLERANCE, sweeps=SWEEPS):
    options = dart.constraint.NsgsFrictionSolver.Options()
    options.tolerance, options.maxSweeps = tolerance, sweeps
    return dart.constraint.NsgsFrictionSolver(options)


def make_world(dart, h, gravity, solver, tolerance=TOLERANCE, sweeps=SWEEPS):
    """A world with DART's own collision detector, split position correction, no sleeping."""
    world = dart.simulation.World()
    world.setTimeStep(h)
    world.setGravity(gravity)
    constraints = world.getConstraintSolver()
    constraints.setCollisionDetector(dart.collision.DARTCollisionDetector())
    constraints.setSplitImpulseEnabled(True)
    if solver == "nsgs":
        constraints.setBoxedLcpSolver(friction_solver(dart, tolerance, sweeps))
    sleeping = world.getDeactivationOptions()
    sleeping.mEnabled = False
    world.setDeactivationOptions(sleeping)
    return world


def add_shape(dart, node, shape, mu, restitution=0.0, offset=None):
    part = node.createShapeNode(shape)
    part.createCollisionAspect()
    surface = part.createDynamicsAspect()
    surface.setFrictionCoeff(mu)
    surface.setRestitutionCoeff(restitution)
    if offset is not None:
        place = dart.math.Isometry3()
        place.set_translation(offset)
        part.setRelativeTransform(place)


def add_floor(dart, world, normal, mu, restitution=0.0):
    floor = dart.dynamics.Skeleton("floor")
    _, node = floor.createWeldJointAndBodyNodePair()
    add_shape(dart, node, dart.dynamics.PlaneShape(normal, 0.0), mu, restitution)
    world.addSkeleton(floor)


class World:
    """One body above the floor."""

    def __init__(self, body, solver="nsgs"):
        dart = peers.dart("a world of DART")
        self.body = body
        self.world = make_world(dart, body.h, [0, -body.g, 0], solver)
        self.skeleton = dart.dynamics.Skeleton("body")
        _, node = self.skeleton.createPlanarJointAndBodyNodePair()
        node.setInertia(dart.dynamics.Inertia(body.mass, np.zeros(3), np.eye(3) * body.inertia))
        for x, y in body.vertices:
            add_shape(dart, node, dart.dynamics.SphereShape(body.radius or POINT), body.mu,
                      np.sqrt(body.restitution), [x, y, 0])
        self.world.addSkeleton(self.skeleton)
        # DART multiplies the two restitutions and takes the lesser friction
        add_floor(dart, self.world, [0, 1, 0], body.mu, np.sqrt(body.restitution))

    def set(self, position, velocity):
        self.skeleton.setPositions(position)
        self.skeleton.setVelocities(velocity)

    def advance(self):
        """(position, velocity) one step later."""
        self.world.step()
        return self.skeleton.getPositions(), self.skeleton.getVelocities()

    def step(self, position, velocity):
        """(position, velocity) [N, 3] each, one step after the given states, which know nothing of each
        other."""
        after = np.empty((2, len(position), 3))
        for k, (q, v) in progress(list(zip(position, velocity)), "state in DART"):
            self.set([0.0, HIGH, 0.0], np.zeros(3))
            self.world.step()
            self.set(q, v)
            after[:, k] = self.advance()
        return after[0], after[1]


@dataclass
class Labels:
    """In-contact states and what the truth did with them, one row each; impulses per unit mass [m/s]."""
    query: queries.Query
    label: np.ndarray      # [N] static, dynamic, detach
    friction: np.ndarray   # [N]
    normal: np.ndarray     # [N] the sum over contacts
    keep: np.ndarray       # [N] False where the truth gives no unique label

    def __getitem__(self, rows):
        return Labels(self.query[rows], self.label[rows], self.friction[rows], self.normal[rows],
                      self.keep[rows])

    def ratio(self):
        """p_f / p_n, 0 without normal impulse."""
        return np.where(self.normal > 0, self.friction / np.where(self.normal > 0, self.normal, 1.0), 0.0)


def in_contact(body, position, velocity):
    """The Query of states [N, 3] that all touch the floor (vertices at or below it), gravity integrated."""
    gap = shapes.gaps(body, position[:, 1], position[:, 2])
    rows, query, _ = patch_query(body, position, velocity - [0.0, body.h * body.g, 0.0], gap <= 0)
    assert len(rows) == len(position), "a state does not touch the floor"
    return query


def labels(body, position, velocity, after, still=STILL["nsgs"]):
    """Labels of states [N, 3] whose velocities a step later are `after` [N, 3].

    The impulse is M (dq' - h tau); detach: none; static: the patch's velocity after it is zero but for what
    the solver leaves; dynamic: the rest.
    """
    query = in_contact(body, position, velocity)
    impulse = after - query.velocity
    slip, approach = after[:, 0] + after[:, 2] * query.height, after[:, 1:2] + after[:, 2:] * query.lever
    speed = np.maximum(np.abs(query.slip), np.abs(query.approach).max(axis=1))
    moving = np.maximum(np.abs(slip), np.where(query.present(), np.abs(approach), 0).max(axis=1))
    label = np.where(moving <= still * speed + STILL_LEAST, STATIC, DYNAMIC)
    label[np.hypot(impulse[:, 0], impulse[:, 1]) <= NOTHING * (speed + 1)] = DETACH
    touching = label != DETACH
    return Labels(query, label, impulse[:, 0] * touching, np.maximum(impulse[:, 1] * touching, 0),
                  np.ones(len(label), bool))


def label_states(body, position, velocity, solver="nsgs"):
    """Labels of states by one step of DART each."""
    after = World(body, solver).step(position, velocity)[1]
    return labels(body, position, velocity, after, STILL[solver])


def throw(body, position, velocity, solver="nsgs", record=None):
    """throws.Results of throws from states [N, 3], [N, 3]. `record(k, path)` gets each throw's path [T + 1,
    6]: position and velocity at the start of each step and at the end."""
    world, judge = World(body, solver), throws.Judge(len(position), body.h)
    final, fall = np.empty((len(position), 3)), np.array([0.0, body.h * body.g, 0.0])
    for k, (q, v) in enumerate(zip(position, velocity)):
        world.set([0.0, HIGH, 0.0], np.zeros(3))
        world.world.step()
        world.set(q, v)
        row, path, goes_on = np.array([k]), [np.concatenate([q, v])], True
        while goes_on:
            before = v
            q, v = world.advance()
            touched = np.array([np.abs(v - before + fall).max() > NOTHING])
            goes_on = judge.see(row, touched, v[None])[0]
            if record is not None:
                path.append(np.concatenate([q, v]))
        final[k] = q
        if record is not None:
            record(k, np.array(path))
    return judge.results(final)
