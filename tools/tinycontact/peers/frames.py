# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Implicit frames of meshes on a floor, a dense Newton in all freedoms: the scene that times of hierarchy.py are of.

A frame minimises E = sum of bodies' inertia + gravity + mu (potential of all pairs + of the floor). Inertia is exact per
material point: |x - 2 x_0 + x_1|^2 m / (2 h^2) and -tr(R J R_hat') / h^2, R_hat = 2 R_0 - R_1 of the last two poses, J the
second moments. Rotations move as exp([theta]) R about the iterate. The floor is the half-space z <= 0, sum 1/height over
vertices. No friction. A step goes at most half a radius, and back until E falls.

The pairs' part is an object: `energy(x, R, derive)` its (energy, gradient, Hessian), None where bodies touch, and
`share(x, R, to_x, to_R)` how much of a step may be tried.
"""
import time

import numpy as np

from ..errors import TinycontactError
from ..hierarchy import Touching

GRAVITY, MASS, STEP, MU = 9.81, 0.17, 0.04, 1e-7
SPEED, MOST, CLOSE, NEWTON, HALVINGS = 3.0, 0.05, 1e-7, 100, 40


def turned(theta):
    """exp([theta]) for rows of theta: [n, 3, 3]"""
    angle = np.linalg.norm(theta, axis=1)[:, None, None]
    cross = np.zeros((len(theta), 3, 3))
    cross[:, [2, 0, 1], [1, 2, 0]], cross[:, [1, 2, 0], [2, 0, 1]] = theta, -theta
    half = np.sinc(angle / (2 * np.pi))
    return np.eye(3) + np.sinc(angle / np.pi) * cross + 0.5 * half * half * cross @ cross


class Trees:
    """The pairs' part by a Hierarchy, mu times its potential."""

    def __init__(self, scene):
        self.scene = scene

    def energy(self, x, R, derive):
        try:
            found = self.scene.potential(R, x, derive)
        except Touching:
            return None
        return (MU * found.value, MU * found.gradient, MU * found.hessian) if derive else (MU * found.value, None, None)

    @staticmethod
    def share(x, R, to_x, to_R):
        return 1.0


class Break:
    """A ball shot at a rack of balls: `run` counts frames."""

    def __init__(self, vertices, centres, pairs):
        self.vertices, self.pairs, self.bodies = vertices, pairs, len(centres)
        self.x, self.R = np.array(centres), np.tile(np.eye(3), (self.bodies, 1, 1))
        self.J = MASS * np.eye(3) * np.mean(np.sum(self.vertices ** 2, axis=1)) / 5   # a solid ball's m r^2 / 5 per axis
        velocity = np.zeros_like(self.x)
        velocity[-1, 0] = SPEED
        self.before = self.x - STEP * velocity, self.R

    def inertia(self, x, R, derive):
        (x_1, R_1), h2 = self.before, STEP * STEP
        apart, M = x - (2 * self.x - x_1), R @ self.J @ np.transpose(2 * self.R - R_1, (0, 2, 1))
        trace = np.trace(M, axis1=1, axis2=2)
        value = MASS * (0.5 * np.sum(apart * apart) / h2 + GRAVITY * np.sum(x[:, 2])) - trace.sum() / h2
        if not derive:
            return value, None, None
        n = self.bodies
        gradient, hessian = np.zeros((n, 6)), np.zeros((n, 6, 6))
        gradient[:, :3] = MASS * apart / h2 + [0, 0, MASS * GRAVITY]
        gradient[:, 3:] = (M[:, [2, 0, 1], [1, 2, 0]] - M[:, [1, 2, 0], [2, 0, 1]]) / h2
        hessian[:, :3, :3] = MASS / h2 * np.eye(3)
        hessian[:, 3:, 3:] = (trace[:, None, None] * np.eye(3) - 0.5 * (M + np.transpose(M, (0, 2, 1)))) / h2
        return value, gradient, hessian

    def floor(self, x, R, derive):
        arm = self.vertices @ np.transpose(R, (0, 2, 1))
        height = arm[:, :, 2] + x[:, None, 2]
        if height.min() <= 0:
            return np.inf, None, None
        w = 1 / height
        if not derive:
            return w.sum(), None, None
        z = np.zeros((*height.shape, 6))   # a height's gradient: e_z, arm x e_z
        z[:, :, 2], z[:, :, 3], z[:, :, 4] = 1, arm[:, :, 1], -arm[:, :, 0]
        w2 = w * w
        hessian = np.einsum("bv,bvi,bvj->bij", 2 * w2 * w, z, z, optimize=True)
        mean = np.einsum("bv,bvi->bi", w2, arm)
        hessian[:, 3:, 5] -= 0.5 * mean
        hessian[:, 5, 3:] -= 0.5 * mean
        hessian[:, [3, 4, 5], [3, 4, 5]] += mean[:, 2:]
        return w.sum(), -np.einsum("bv,bvi->bi", w2, z), hessian

    def energy(self, x, R, derive=True):
        """(E, gradient, Hessian); infinite where bodies touch."""
        floor = self.floor(x, R, derive)
        if not np.isfinite(floor[0]):
            return np.inf, None, None
        pairs = self.pairs.energy(x, R, derive)
        if pairs is None:
            return np.inf, None, None
        inertia = self.inertia(x, R, derive)
        value = inertia[0] + MU * floor[0] + pairs[0]
        if not derive:
            return value, None, None
        blocks = pairs[2].reshape(self.bodies, 6, self.bodies, 6)
        k = np.arange(self.bodies)
        blocks[k, :, k, :] += inertia[2] + MU * floor[2]
        return value, (inertia[1] + MU * floor[1]).ravel() + pairs[1], pairs[2]

    def newton_step(self, gradient, hessian):
        """In units where masses are 1. Where it is not positive definite, directions of negative curvature get its
        magnitude, and at least that of inertia."""
        unit = np.tile(np.repeat([MASS, 2 * self.J[0, 0]], 3), self.bodies) ** -0.5 * STEP
        scaled = hessian * unit[:, None] * unit
        try:
            factor = np.linalg.cholesky(scaled)
            return -unit * np.linalg.solve(factor.T, np.linalg.solve(factor, unit * gradient))
        except np.linalg.LinAlgError:
            values, vectors = np.linalg.eigh(scaled)
            values = np.where(values < 1e-2, np.maximum(np.abs(values), 1.0), values)
            return -unit * (vectors @ ((vectors.T @ (unit * gradient)) / values))

    def moved(self, x, R, step):
        q = step.reshape(self.bodies, 6)
        return x + q[:, :3], turned(q[:, 3:]) @ R

    def search(self, now, x, R, step):
        """The first of shrinking steps that lowers E: (E with derivatives, x, R)."""
        share = min(1.0, MOST / np.abs(step).max())
        share *= self.pairs.share(x, R, *self.moved(x, R, share * step))
        for trial in range(HALVINGS):
            there = self.moved(x, R, share * step)
            found = self.energy(*there, derive=trial == 0)   # the first is nearly always the last
            if found[0] <= now[0] + 4e-16 * abs(now[0]):
                return (found if trial == 0 else self.energy(*there)), *there
            share *= 0.6
        return None

    def frame(self):
        """One step; returns the Newton steps."""
        x, R = self.x, self.R
        now = self.energy(x, R)
        if not np.isfinite(now[0]):
            raise TinycontactError("bodies touch at the start of a frame")
        for count in range(1, NEWTON + 1):
            step = self.newton_step(now[1], now[2])
            found = self.search(now, x, R, step)
            if found is None:
                break
            now, x, R = found
            if np.abs(step).max() < CLOSE:
                break
        u, _, v = np.linalg.svd(R)   # rounding of products
        self.before, self.x, self.R = (self.x, self.R), x, u @ v
        return count

    def run(self, frames):
        """([processor seconds of a frame], [Newton steps])"""
        took, newton = [], []
        for _ in range(frames):
            begun = time.process_time()
            newton.append(self.frame())
            took.append(time.process_time() - begun)
        return took, newton
