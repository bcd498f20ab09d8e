# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""A box in DART, thrown in three dimensions: labels and throws from NsgsFrictionSolver.

Box 0.2 x 0.15 x 0.1 m, 1 kg, uniform density, mu 0.6, h 2 ms, floor z = 0. States: position [3] of the centre
of mass, quaternion (w, x, y, z) from body to world axes, velocity [6]: v, then omega, world axes. Contacts
lie on the floor below vertices at or below it. A step of DART: gravity and the gyroscopic term, explicit;
contact; x += h v, R <- exp(h omega) R; plus the slow push-out on positions of scheme "dart".

DART's default is no truth here: Dantzig with friction boxes along fixed axes, whose bounds come from
frictionless normals. Four coplanar corners do not determine the wrench: friction differs by a few percent,
torsion by 5 to 15 %, with the solver's start; the start is zero (a contact-free step before each state), the
order DART's own.
"""
from dataclasses import dataclass

import numpy as np

from . import dart, peers
from .query import DETACH, DYNAMIC, STATIC

SIDES = (0.2, 0.15, 0.1)
MASS, MU, H, G = 1.0, 0.6, 0.002, 9.81
FINE, FAST = (1e-9, 3000), (1e-7, 300)   # tolerance and sweeps of the solver: for labels, for throws
STILL = 3e-4   # of the contact velocities before: what the solver leaves of a static patch
DEEPEST = 0.003   # [m]
REST_SPEED, REST_SPIN, REST_STEPS, MAX_STEPS = 1e-3, 1e-2, 50, 5000


def vertices():
    """[8, 3] of the box."""
    return np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) * np.array(SIDES) / 2


def inertia():
    """[3] principal moments."""
    square = np.square(SIDES)
    return MASS * (square.sum() - square) / 12


def rotation(q):
    """[..., 3, 3] of unit quaternions [..., 4]."""
    w, x, y, z = np.moveaxis(np.asarray(q, float), -1, 0)
    return np.stack([np.stack([1 - 2 * (y*y + z*z), 2 * (x*y - w*z), 2 * (x*z + w*y)], -1),
                     np.stack([2 * (x*y + w*z), 1 - 2 * (x*x + z*z), 2 * (y*z - w*x)], -1),
                     np.stack([2 * (x*z - w*y), 2 * (y*z + w*x), 1 - 2 * (x*x + y*y)], -1)], -2)


def skew(r):
    """[..., 3, 3] of [..., 3]: skew(r) a = r x a."""
    x, y, z = np.moveaxis(r, -1, 0)
    zero = np.zeros_like(x)
    return np.stack([np.stack([zero, -z, y], -1), np.stack([z, zero, -x], -1), np.stack([-y, x, zero], -1)], -2)


def quaternion(R):
    """Of one rotation matrix, by the largest of the four components; w >= 0."""
    four = np.array([1 + np.trace(R), 1 + R[0, 0] - R[1, 1] - R[2, 2], 1 - R[0, 0] + R[1, 1] - R[2, 2],
                     1 - R[0, 0] - R[1, 1] + R[2, 2]])
    k, s = int(np.argmax(four)), np.sqrt(four.max()) / 2
    turn = [R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]]
    plus = [R[1, 0] + R[0, 1], R[0, 2] + R[2, 0], R[2, 1] + R[1, 2]]
    rows = [[4 * s * s, *turn], [turn[0], 4 * s * s, plus[0], plus[1]],
            [turn[1], plus[0], 4 * s * s, plus[2]], [turn[2], plus[1], plus[2], 4 * s * s]]
    q = np.array(rows[k]) / (4 * s)
    return q if q[0] >= 0 else -q


class World:
    """The box above the floor. `slope` [rad] tilts gravity towards +x; `effort`: FINE or FAST."""

    def __init__(self, solver="nsgs", h=H, mu=MU, slope=0.0, effort=FINE):
        module = peers.dart("the box's truth")
        self.module, self.h = module, h
        gravity = [G * np.sin(slope), 0, -G * np.cos(slope)]
        self.world = dart.make_world(module, h, gravity, solver, *effort)
        self.skeleton = module.dynamics.Skeleton("box")
        _, self.node = self.skeleton.createFreeJointAndBodyNodePair()
        self.node.setInertia(module.dynamics.Inertia(MASS, np.zeros(3), np.diag(inertia())))
        for vertex in vertices():
            dart.add_shape(module, self.node, module.dynamics.SphereShape(dart.POINT), mu, 0.0, vertex)
        self.world.addSkeleton(self.skeleton)
        dart.add_floor(module, self.world, [0, 0, 1], mu)

    def set(self, position, q, velocity):
        place = self.module.math.Isometry3()
        place.set_rotation(rotation(q))
        place.set_translation(position)
        self.skeleton.setPositions(self.module.dynamics.FreeJoint.convertToPositions(place))
        self.skeleton.setVelocities(np.concatenate([velocity[3:], velocity[:3]]))

    def state(self):
        """(position [3], quaternion [4], velocity [6])"""
        place, velocity = self.node.getWorldTransform(), self.skeleton.getVelocities()
        return (np.array(place.translation()), quaternion(np.array(place.rotation())),
                np.concatenate([velocity[3:], velocity[:3]]))

    def lift(self):
        self.set([0, 0, dart.HIGH], [1, 0, 0, 0], np.zeros(6))
        self.world.step()

    def advance(self):
        self.world.step()
        return self.state()


def free(q, velocity, h=H):
    """Velocities [N, 6] after gravity and the gyroscopic term of a step."""
    R, moved = rotation(q), np.array(velocity, float)
    spin = np.einsum("nji,nj->ni", R, moved[:, 3:])
    moved[:, 3:] -= h * np.einsum("nij,nj->ni", R, np.cross(spin, spin * inertia()) / inertia())
    moved[:, 2] -= h * G
    return moved


@dataclass
class Labels:
    """In-contact states [N] and what DART did with them, impulses in N s, about the centre of mass."""
    position: np.ndarray   # [N, 3]
    quaternion: np.ndarray
    velocity: np.ndarray   # [N, 6] after gravity and gyroscopic term
    touching: np.ndarray   # [N, 8] vertices of the patch
    label: np.ndarray      # [N] static, dynamic, detach
    force: np.ndarray      # [N, 3] friction x, y and normal z
    torque: np.ndarray     # [N, 3]


def arms(position, q):
    """([N, 8, 3] from the centre of mass to the floor below each vertex, gaps [N, 8])"""
    arm = np.einsum("nij,kj->nki", rotation(q), vertices())
    gap = position[:, None, 2] + arm[:, :, 2]
    arm[:, :, 2] = -position[:, None, 2]
    return arm, gap


def label_states(position, q, velocity, solver="nsgs"):
    """Labels of states by one step of DART each: the class by the motion of the patch."""
    world, before, after = World(solver), free(q, velocity), np.empty((len(position), 6))
    for k, state in enumerate(zip(position, q, velocity)):
        world.lift()
        world.set(*state)
        after[k] = world.advance()[2]
    arm, gap = arms(position, q)
    touching = gap <= 0

    def at(v):
        return np.where(touching[:, :, None], v[:, None, :3] + np.cross(v[:, None, 3:], arm), 0)

    speed = np.linalg.norm(at(before), axis=2).max(axis=1)
    moving = np.linalg.norm(at(after), axis=2).max(axis=1)
    R, change = rotation(q), after - before
    torque = np.einsum("nij,j,nkj,nk->ni", R, inertia(), R, change[:, 3:])
    label = np.where(moving <= STILL * speed + dart.STILL_LEAST, STATIC, DYNAMIC)
    label[np.linalg.norm(change[:, :3], axis=1) <= dart.NOTHING * (speed + 1)] = DETACH
    return Labels(position, q, before, touching, label, MASS * change[:, :3], torque)


def _random_quaternions(rng, count):
    q = rng.standard_normal((count, 4))
    return q / np.linalg.norm(q, axis=1, keepdims=True)


def _downward(directions, rng):
    """Quaternions that turn body directions [N, 3] (unit) to -z, and by a random angle about z."""
    chosen = []
    for d in directions:
        axis, c = np.cross(d, [0, 0, -1.0]), -d[2]
        half = np.array([1 + c, *axis]) if c > -1 + 1e-9 else np.array([0.0, 1, 0, 0])
        half /= np.linalg.norm(half)
        turn = rng.uniform(-np.pi, np.pi) / 2
        w, v = np.cos(turn), np.array([0, 0, np.sin(turn)])
        chosen.append([w * half[0] - v @ half[1:], *(w * half[1:] + half[0] * v + np.cross(v, half[1:]))])
    return np.array(chosen)


def states(dimension, count, seed, kind="broad"):
    """(position, quaternion, velocity before gravity) of states whose patch is a point (0), edge (1) or face
    (2).

    broad: |v| < 5 m/s, |omega| < 30 rad/s; slow: 1 and 4; uniform in the balls. Depth below 3 mm u^4.
    """
    rng = np.random.default_rng([seed, dimension])
    speed, spin = {"broad": (5.0, 30.0), "slow": (1.0, 4.0)}[kind]
    if dimension == 0:
        q = _random_quaternions(rng, count)
    else:
        axis, sign = rng.integers(0, 3, count), rng.choice([-1.0, 1.0], count)
        down = np.zeros((count, 3))
        down[np.arange(count), axis] = sign
        if dimension == 1:   # any direction between two neighbouring faces' normals
            other, angle = (axis + rng.integers(1, 3, count)) % 3, rng.uniform(0.01, np.pi / 2 - 0.01, count)
            down *= np.cos(angle)[:, None]
            down[np.arange(count), other] = rng.choice([-1.0, 1.0], count) * np.sin(angle)
        q = _downward(down, rng)
    low = np.einsum("nj,kj->nk", rotation(q)[:, 2, :], vertices()).min(axis=1)
    position = np.column_stack([np.zeros((count, 2)), -low - 1e-7 - DEEPEST * rng.random(count)**4])
    ball = rng.standard_normal((count, 2, 3))
    ball *= rng.random((count, 2, 1))**(1 / 3) / np.linalg.norm(ball, axis=2, keepdims=True)
    return position, q, np.hstack([speed * ball[:, 0], spin * ball[:, 1]])


def starts(count, seed):
    """(position, quaternion, velocity) of throws: z 0.15 to 0.8 m, any orientation, |v_x|, |v_y|, |v_z| <= 3
    m/s, spin per axis <= 8 rad/s in half of them and <= 30 in the rest."""
    rng = np.random.default_rng(seed)
    spin = np.where(rng.random((count, 1)) < 0.5, 8.0, 30.0)
    return (np.column_stack([np.zeros((count, 2)), rng.uniform(0.15, 0.8, count)]),
            _random_quaternions(rng, count),
            np.hstack([rng.uniform(-3, 3, (count, 3)), spin * rng.uniform(-1, 1, (count, 3))]))


@dataclass
class Throw:
    path: np.ndarray    # [T + 1, 13] position, quaternion, velocity at the start of each step and at the end
    face: int           # which of +x, -x, +y, -y, +z, -z of the body looks up: 0..5
    distance: float     # from the start, along the floor [m]
    at_rest: bool
    rest_time: float    # when the last 50 steps at rest began [s]


def face_up(q):
    up = rotation(q)[2]
    axis = int(np.argmax(np.abs(up)))
    return 2 * axis + int(up[axis] < 0)


def throw(position, q, velocity, solver="nsgs", h=H):
    """The Throw of one start."""
    world, path, still = World(solver, h, effort=FAST), [np.concatenate([position, q, velocity])], 0
    world.set(position, q, velocity)
    while still < REST_STEPS and len(path) <= MAX_STEPS:
        path.append(np.concatenate(world.advance()))
        v = path[-1][7:]
        calm = np.linalg.norm(v[:3]) < REST_SPEED and np.linalg.norm(v[3:]) < REST_SPIN
        still = still + 1 if calm else 0
    path, rest = np.array(path), still >= REST_STEPS
    return Throw(path, face_up(path[-1, 3:7]), float(np.hypot(*(path[-1, :2] - path[0, :2]))), rest,
                 (len(path) - 1 - REST_STEPS) * h if rest else np.inf)
