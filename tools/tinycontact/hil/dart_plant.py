# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""A leg of a chain file in DART: rigid contact with Coulomb friction by its NsgsFrictionSolver, at 8 kHz.

DART knows no rotor inertia, so the chain has none (chain_file.absorb_rotors). Dry friction of the joints is applied as
a force that is smooth around rest, so that the solver sees the foot's contact only.
"""
import numpy as np

from ..errors import TinycontactError
from ..sim import dart as settings
from ..sim import peers
from .size import size_of
from .world import BASE_COORDINATES, COULOMB, PHYSICS, TICK, State, Substeps, substeps_of

SMOOTH = 0.02   # [rad/s] or [m/s] around which dry friction changes its sign
Z = [0.0, 0.0, 1.0]


def _place(dart, offset):
    place = dart.math.Isometry3()
    place.set_translation(offset)
    return place


def _body(dart, node, mass, com, inertia):
    node.setInertia(dart.dynamics.Inertia(mass, com, np.diag(inertia)))


class DartWorld:
    """A world (world.py) of DART."""

    def __init__(self, chain, law="stiff", mass=1.0, tick=TICK):
        if law != "stiff":
            raise TinycontactError(f"contact law {law!r}: DART's contact is stiff")
        if any(link.rotor_inertia for link in chain.links):
            raise TinycontactError(f"{chain.path}, field rotor_inertia: DART knows none; absorb_rotors(chain) moves it"
                                   " into the links")
        self.dart = dart = peers.dart("a plant in DART")
        self.world = settings.make_world(dart, PHYSICS, [0, 0, -chain.g], "nsgs")
        self.joints, self.radius, self.g = len(chain.links), chain.foot.radius, chain.g
        self.rail, self.substeps, self.dry = BASE_COORDINATES[chain.root], substeps_of(tick), size_of(chain).torque
        self.skeleton = dart.dynamics.Skeleton("leg")
        self.end = self._add_links(chain, mass, self._add_base(chain))
        self.at = np.asarray(chain.foot.center)
        settings.add_shape(dart, self.end, dart.dynamics.SphereShape(self.radius), 1.0, 0.0, self.at)
        self.world.addSkeleton(self.skeleton)
        self._add_floor()

    def _add_base(self, chain):
        skeleton = self.skeleton
        if chain.root == "floating":
            joint, node = skeleton.createPlanarJointAndBodyNodePair()
            joint.setArbitraryPlane([1, 0, 0], Z)
        elif chain.root == "rail":
            joint, node = skeleton.createPrismaticJointAndBodyNodePair()
            joint.setAxis(Z)
        else:
            joint, node = skeleton.createWeldJointAndBodyNodePair()
        _body(self.dart, node, chain.base_mass, np.zeros(3), np.full(3, chain.base_inertia))
        return node

    def _add_links(self, chain, mass, node):
        for link in chain.links:
            create = {"revolute": self.skeleton.createRevoluteJointAndBodyNodePair,
                      "prismatic": self.skeleton.createPrismaticJointAndBodyNodePair}[link.joint]
            joint, node = create(node)
            joint.setAxis(link.axis)
            joint.setTransformFromParentBodyNode(_place(self.dart, link.origin))
            joint.setDampingCoefficient(0, link.damping)
            _body(self.dart, node, link.mass * mass, link.com, link.inertia * mass)
        return node

    def _add_floor(self):
        dart, self.floor = self.dart, 0.0
        skeleton = dart.dynamics.Skeleton("floor")
        self.ground, node = skeleton.createWeldJointAndBodyNodePair()
        settings.add_shape(dart, node, dart.dynamics.PlaneShape(Z, 0.0), 1.0)
        self.surface = node.getShapeNode(0).getDynamicsAspect()
        self.world.addSkeleton(skeleton)

    def place(self, q, base):
        self.skeleton.setPositions(np.concatenate([np.asarray(base)[self.rail], q]))
        self.skeleton.setVelocities(np.zeros(len(self.rail) + self.joints))

    def set_floor(self, height, mu):
        self.floor = height
        self.ground.setTransformFromParentBodyNode(_place(self.dart, [0.0, 0.0, height]))
        self.surface.setFrictionCoeff(mu)   # the lesser of this and the foot's 1 acts

    def look(self):
        q, rate, n = self.skeleton.getPositions(), self.skeleton.getVelocities(), self.joints
        base, base_rate = np.zeros(3), np.zeros(3)
        base[self.rail], base_rate[self.rail] = q[:-n], rate[:-n]
        J = self.skeleton.getLinearJacobian(self.end, self.at)[::2]
        foot = (self.end.getWorldTransform().matrix() @ np.append(self.at, 1.0))[:3:2]
        return State(q[-n:], rate[-n:], base, base_rate, foot, J @ rate, J[:, -n:],
                     self.skeleton.getCoriolisAndGravityForces()[-n:])

    def _foot(self):
        """Velocity along x of the foot's lowest point, upwards, and the gap."""
        velocity, turn = self.end.getLinearVelocity(self.at), self.end.getAngularVelocity()
        height = (self.end.getWorldTransform().matrix() @ np.append(self.at, 1.0))[2]
        return velocity[0] - self.radius * turn[1], velocity[2], height - self.radius - self.floor

    def _force(self):
        """(along x, upwards) of the floor on the foot in the last step."""
        contacts = self.world.getLastCollisionResult()
        force = sum((contacts.getContact(k).force for k in range(contacts.getNumContacts())), start=np.zeros(3))
        return (force[0], force[2]) if force[2] >= 0 else (-force[0], -force[2])

    def _base_velocity(self):
        """([x, z] of the base's origin, pitch)"""
        base, rate = np.zeros(3), np.zeros(3)
        base[self.rail] = self.skeleton.getPositions()[:-self.joints]
        rate[self.rail] = self.skeleton.getVelocities()[:-self.joints]
        return rate[:2], base[2]

    def advance(self, torque, base_force):
        rows = np.empty((self.substeps, 7))
        force = np.concatenate([np.asarray(base_force)[self.rail], torque])
        before, _ = self._base_velocity()
        for k in range(self.substeps):
            slip, rise, gap = self._foot()
            dry = self.dry * COULOMB * np.tanh(self.skeleton.getVelocities()[-self.joints:] / SMOOTH)
            self.skeleton.setForces(force - np.append(np.zeros(len(self.rail)), dry))
            self.world.step()
            after, pitch = self._base_velocity()
            felt, before = (after - before) / PHYSICS + [0.0, self.g], after
            c, s = np.cos(pitch), np.sin(pitch)
            rows[k] = [*self._force(), slip, gap, rise, c * felt[0] + s * felt[1], -s * felt[0] + c * felt[1]]
        return Substeps(normal=rows[:, 1], tangent=rows[:, 0], slip=rows[:, 2], gap=rows[:, 3], rise=rows[:, 4],
                        accel=rows[:, 5:])
