# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Two moving boxes that touch: exact Coulomb friction in float64, and DART.

Coulomb. Contacts of a pair in one frame, impulses on body a and the opposite on body b. Contact i moves with u_i; an
impulse p_j changes that by W_ij p_j, W_ij = (1/m_a + 1/m_b) 1 - [r_ai] I_a^-1 [r_aj] - [r_bi] I_b^-1 [r_bj]. Wanted are
p_i with p_n >= 0, u_n+ >= 0, p_n u_n+ = 0, and friction of mu p_n against the slip, or less without slip. Gauss-Seidel,
each contact exactly: it leaves, or it stops, or it slides with friction -c^-1 u_t+ for the one c > 0 at which
|p_t| = mu p_n; c by bisection in its logarithm. Sweeps end when no contact's velocity changes by more than SETTLED of
the fastest.

DART. NsgsFrictionSolver, no gravity, one step of INSTANT. The contacts are given to it: a sphere of POINT at each of
them on body a, a plane on body b. Its own detector for two boxes serves vertices on faces only: where two edges meet,
DART 6.20 puts the contact up to 0.1 m beside both boxes.
"""
from dataclasses import dataclass

import numpy as np

from . import dart, peers
from .query import DETACH, DYNAMIC, STATIC
from .spatial_truth import FINE, rotation, skew

SETTLED, SWEEPS = 1e-12, 4000
BISECTIONS = 90
INSTANT, POINT = 1e-7, 1e-8   # [s], [m]
STILL = 1e-7   # of the fastest contact before: slower is rounding of a contact that sticks


@dataclass
class Pairs:
    """N pairs that touch with up to `most` contacts each; contact k of pair n is there if k < count[n]."""
    mass: np.ndarray      # [N, 2]
    inertia: np.ndarray   # [N, 2, 3, 3] world axes
    arm: np.ndarray       # [N, 2, most, 3] from the centres of mass, world axes
    frame: np.ndarray     # [N, 3, 3] rows: tangents, normal out of b into a
    rates: np.ndarray     # [N, 12] v and omega of a, then b
    count: np.ndarray     # [N]

    def rows(self):
        """[N, most, 3, 12]: rates to the velocity of each contact in the frame; 0 of contacts that are not there."""
        parts = [np.concatenate([np.broadcast_to(s * np.eye(3), (*self.arm.shape[:1], self.arm.shape[2], 3, 3)),
                                 -s * skew(self.arm[:, k])], axis=3) for k, s in enumerate((1.0, -1.0))]
        J = np.einsum("nij,nkjl->nkil", self.frame, np.concatenate(parts, axis=3))
        there = np.arange(self.arm.shape[2]) < self.count[:, None]
        return np.where(there[:, :, None, None], J, 0.0)

    def response(self, J):
        """[N, most, 3, 12] M^-1 J^T, transposed."""
        out = J.copy()
        for k in range(2):
            out[..., 6 * k:6 * k + 3] /= self.mass[:, k, None, None, None]
            out[..., 6 * k + 3:6 * k + 6] = np.einsum("nkil,nlj->nkij", J[..., 6 * k + 3:6 * k + 6],
                                                      np.linalg.inv(self.inertia[:, k]))
        return out

    def energy(self, rates):
        """[N] kinetic energy [J]."""
        total = 0.0
        for k in range(2):
            v, w = rates[:, 6 * k:6 * k + 3], rates[:, 6 * k + 3:6 * k + 6]
            turning = np.einsum("ni,nij,nj->n", w, self.inertia[:, k], w)
            total = total + 0.5 * (self.mass[:, k] * (v**2).sum(axis=1) + turning)
        return total


@dataclass
class Answer:
    rates: np.ndarray     # [N, 12] afterwards
    impulse: np.ndarray   # [N, most, 3] in the frame
    label: np.ndarray     # [N] static, dynamic, detach
    settled: np.ndarray   # [N] whether the sweeps ended


def _excess(S, s, normal, g, mu, c):
    """(|p_t| - mu p_n, p_t, p_n) of friction p_t = -(S + c)^-1 s."""
    a, b, d = S[:, 0, 0] + c, S[:, 0, 1], S[:, 1, 1] + c
    det = a * d - b * b
    p = np.stack([b * s[:, 1] - d * s[:, 0], b * s[:, 0] - a * s[:, 1]], axis=1) / det[:, None]
    n = normal - (g * p).sum(axis=1)
    return np.hypot(p[:, 0], p[:, 1]) - mu * n, p, n


def point(W, u, mu):
    """[N, 3] exact impulses of single contacts with W [N, 3, 3] and velocities u [N, 3] without them."""
    out = np.zeros_like(u)
    rows = np.flatnonzero(u[:, 2] < 0)
    if not len(rows):
        return out
    W, u = W[rows], u[rows]
    g = W[:, :2, 2] / W[:, 2, 2, None]
    S = W[:, :2, :2] - W[:, :2, 2, None] * g[:, None]
    s, normal = u[:, :2] - g * u[:, 2, None], -u[:, 2] / W[:, 2, 2]
    over, p, n = _excess(S, s, normal, g, mu, np.zeros(len(rows)))
    sticks = (over <= 0) & (n >= 0)
    scale = np.trace(S, axis1=1, axis2=2)
    low, high = scale * 1e-18, scale * 1e18
    for _ in range(BISECTIONS):
        middle = np.sqrt(low * high)
        big = _excess(S, s, normal, g, mu, middle)[0] > 0
        low, high = np.where(big, middle, low), np.where(big, high, middle)
    _, slide, along = _excess(S, s, normal, g, mu, high)
    p, n = np.where(sticks[:, None], p, slide), np.where(sticks, n, along)
    out[rows] = np.column_stack([p, n])
    return out


def coulomb(pairs, mu):
    """The Answer under exact Coulomb friction."""
    J = pairs.rows()
    B = pairs.response(J)
    most = J.shape[1]
    absent = np.where(np.arange(most) < pairs.count[:, None], 0, 1)
    W = np.einsum("nkil,nkjl->nkij", J, B) + absent[:, :, None, None] * np.eye(3)
    rates, impulse = pairs.rates.copy(), np.zeros((*J.shape[:2], 3))
    fastest = np.linalg.norm(np.einsum("nkil,nl->nki", J, rates), axis=2).max(axis=1)
    live = np.ones(len(rates), bool)
    for _ in range(SWEEPS):
        n, change = np.flatnonzero(live), np.zeros(len(rates))
        if not len(n):
            break
        for k in range(most):
            rows = n[pairs.count[n] > k]
            u = np.einsum("nil,nl->ni", J[rows, k], rates[rows]) - np.einsum("nij,nj->ni", W[rows, k], impulse[rows, k])
            d = point(W[rows, k], u, mu) - impulse[rows, k]
            impulse[rows, k] += d
            rates[rows] += np.einsum("nil,ni->nl", B[rows, k], d)
            change[rows] = np.maximum(change[rows], np.abs(np.einsum("nij,nj->ni", W[rows, k], d)).max(axis=1))
        live &= (change > SETTLED * fastest) & (pairs.count > 1)
    return Answer(rates, impulse, patch_class(pairs, J, rates, impulse[:, :, 2]), ~live)


def motion(pairs, J, rates, still):
    """[N, most] the class of each contact by how it moves: detach if it opens, static if it rests, else dynamic."""
    before = np.linalg.norm(np.einsum("nkil,nl->nki", J, pairs.rates), axis=2).max(axis=1)
    after, least = np.einsum("nkil,nl->nki", J, rates), (still * before)[:, None]
    slips = np.linalg.norm(after[:, :, :2], axis=2) > least
    return np.where(after[:, :, 2] > least, DETACH, np.where(slips, DYNAMIC, STATIC))


def patch_class(pairs, J, rates, normal):
    """[N] the class of patches: detach if no contact presses, static if all rest, else dynamic."""
    here = np.arange(J.shape[1]) < pairs.count[:, None]
    rest = ((motion(pairs, J, rates, STILL) == STATIC) | ~here).all(axis=1)
    return np.where(~(normal > 0).any(axis=1), DETACH, np.where(rest, STATIC, DYNAMIC))


def _skeleton(module, name, mass, inertia):
    skeleton = module.dynamics.Skeleton(name)
    _, node = skeleton.createFreeJointAndBodyNodePair()
    node.setInertia(module.dynamics.Inertia(mass, np.zeros(3), np.diag(inertia)))
    return skeleton, node


def _put(module, skeleton, state):
    """state [13]: position, quaternion, v, omega."""
    place = module.math.Isometry3()
    place.set_rotation(rotation(state[3:7]))
    place.set_translation(state[:3])
    skeleton.setPositions(module.dynamics.FreeJoint.convertToPositions(place))
    skeleton.setVelocities(np.concatenate([state[10:], state[7:10]]))


def dart_rates(mass, inertia, state, frame, points, mu):
    """[12] rates in DART after a step with these contacts: points [n, 3] on the plane, world axes; inertia [2, 3]
    principal moments; state [2, 13]."""
    module = peers.dart("two boxes")
    world = dart.make_world(module, INSTANT, [0, 0, 0], "nsgs", *FINE)
    bodies = [_skeleton(module, f"box {k}", mass[k], inertia[k]) for k in range(2)]
    Ra, Rb = rotation(state[:, 3:7])
    for point in points:
        dart.add_shape(module, bodies[0][1], module.dynamics.SphereShape(POINT), mu, 0.0, Ra.T @ (point - state[0, :3]))
    normal = Rb.T @ frame[2]
    offset = np.mean((points - state[1, :3]) @ frame[2])
    dart.add_shape(module, bodies[1][1], module.dynamics.PlaneShape(normal, offset), mu)
    for (skeleton, _), at in zip(bodies, state):
        world.addSkeleton(skeleton)
        _put(module, skeleton, at)
    world.step()
    found = [skeleton.getVelocities() for skeleton, _ in bodies]
    return np.concatenate([np.concatenate([v[3:], v[:3]]) for v in found])
