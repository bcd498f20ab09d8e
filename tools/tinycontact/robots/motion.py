# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""A limb in space in float64: mass matrix, bias and contact Jacobian as its own accelerating, turning base sees them.

Axes are the base's; places are from the base's origin. In this frame every mass feels -f, f the specific force at the
base's origin, so neither the base's mass nor what moves it is needed:

    M(q) w' + bias(q, w, f, omega) = tau + J^T F

omega is the base's angular velocity, alpha its derivative. J belongs to the contact point, the foot's point farthest
against the floor's normal, as a point of the last link. Leading axes of q, w, omega, f and normal are the caller's
(ticks, episodes); one limb per call.
"""
from dataclasses import dataclass

import numpy as np

NEXT, LAST = [1, 2, 0], [2, 0, 1]


@dataclass
class Stacked:
    """Limbs with the same joints as one, whose numbers have a first axis: move() takes it, q being [..., L, n]."""
    links: list
    foot: object
    joints: int


@dataclass
class _Part:
    joint: str
    axis: np.ndarray
    origin: np.ndarray
    mass: np.ndarray
    com: np.ndarray
    inertia: np.ndarray
    rotor_inertia: np.ndarray
    damping: np.ndarray


@dataclass
class _Foot:
    radius: np.ndarray
    center: np.ndarray


def stacked(limbs):
    """The Stacked of limbs, or None if their joints differ in number or kind."""
    kinds = [[link.joint for link in limb.links] for limb in limbs]
    if any(kind != kinds[0] for kind in kinds):
        return None
    names = list(_Part.__dataclass_fields__)[1:]
    links = [_Part(parts[0].joint, *(np.array([getattr(part, name) for part in parts]) for name in names))
             for parts in zip(*(limb.links for limb in limbs))]
    foot = _Foot(np.array([limb.foot.radius for limb in limbs]), np.array([limb.foot.center for limb in limbs]))
    return Stacked(links, foot, limbs[0].joints)


@dataclass
class Motion:
    """One limb; arrays [..., n, n], [..., n], [..., 3, n], [..., 3]."""
    M: np.ndarray
    bias: np.ndarray
    J: np.ndarray         # of the contact point
    place: np.ndarray     # the contact point
    centre: np.ndarray    # of the foot
    axes: np.ndarray      # [..., 3, n] of the joints
    R: np.ndarray         # [..., 3, 3] of the last link


def cross(a, b):
    """As np.cross along the last axis, several times as fast for small arrays."""
    return a[..., NEXT] * b[..., LAST] - a[..., LAST] * b[..., NEXT]


def turn(axis, angle):
    """[..., 3, 3] rotations about unit axes [..., 3] by angles [...]."""
    K = cross(np.asarray(axis)[..., None, :], np.eye(3))
    K = np.swapaxes(K, -1, -2)
    s, c = np.sin(angle)[..., None, None], np.cos(angle)[..., None, None]
    return np.eye(3) + s * K + (1 - c) * (K @ K)


def apply(R, v):
    return (R @ v[..., None])[..., 0]


def specific_force(robot, accel, gyro, gyro_rate=np.zeros(3)):
    """(f at the base's origin, omega, alpha) in its axes, from the IMU's readings [..., 3] and the gyro's rate of
    change."""
    force, omega, alpha = (values @ robot.imu_axes.T for values in (accel, gyro, gyro_rate))
    arm = np.broadcast_to(robot.imu, omega.shape)
    return force - cross(omega, cross(omega, arm)) - cross(np.broadcast_to(alpha, omega.shape), arm), omega, alpha


def _outwards(limb, q, w, omega, force, alpha):
    """Per link (R, place, axis, [angular, linear] velocity products)."""
    shape = q.shape[:-1]
    R, place = np.broadcast_to(np.eye(3), (*shape, 3, 3)), np.zeros((*shape, 3))
    spin, spin_rate = np.broadcast_to(omega, (*shape, 3)), np.broadcast_to(alpha, (*shape, 3))
    pull = np.broadcast_to(force, (*shape, 3))
    for k, link in enumerate(limb.links):
        step, axis = apply(R, link.origin), apply(R, link.axis)
        if link.joint == "prismatic":
            step = step + axis * q[..., k, None]
        pull = pull + cross(spin_rate, step) + cross(spin, cross(spin, step))
        place = place + step
        moved = axis * w[..., k, None]
        if link.joint == "prismatic":
            pull = pull + 2 * cross(spin, moved)
        else:
            spin_rate = spin_rate + cross(spin, moved)
            spin = spin + moved
            R = R @ turn(link.axis, q[..., k])
        yield k, link, R, place, axis, spin, spin_rate, pull


def move(limb, q, w, omega=np.zeros(3), force=np.zeros(3), normal=np.array([0.0, 0.0, 1.0]), alpha=np.zeros(3)):
    """The Motion of a description.Limb, or of Stacked ones."""
    q, w = np.asarray(q, float), np.asarray(w, float)
    shape, n = q.shape[:-1], limb.joints
    M, bias = np.zeros((*shape, n, n)), w * np.stack([link.damping for link in limb.links], -1)
    axes, places = np.zeros((*shape, n, 3)), np.zeros((*shape, n, 3))
    for k, link, R, place, axis, spin, spin_rate, pull in _outwards(limb, q, w, omega, force, alpha):
        axes[..., k, :], places[..., k, :] = axis, place
        M[..., k, k] += link.rotor_inertia
        if not np.any(link.mass):
            continue
        arm, inertia = apply(R, link.com), R @ link.inertia @ np.swapaxes(R, -1, -2)
        mass = np.asarray(link.mass)[..., None]
        push = mass * (pull + cross(spin_rate, arm) + cross(spin, cross(spin, arm)))
        moment = apply(inertia, spin_rate) + cross(spin, apply(inertia, spin))
        Jv, Jw = _rows(limb, axes, places, place + arm, k + 1)
        bias[..., :k + 1] += apply(Jv, push) + apply(Jw, moment)
        M[..., :k + 1, :k +
          1] += mass[..., None] * Jv @ np.swapaxes(Jv, -1, -2) + Jw @ inertia @ np.swapaxes(Jw, -1, -2)
    centre = place + apply(R, limb.foot.center)
    contact = centre - np.asarray(limb.foot.radius)[..., None] * np.asarray(normal)
    J = np.swapaxes(_rows(limb, axes, places, contact, n)[0], -1, -2)
    return Motion(M, bias, J, contact, centre, np.swapaxes(axes, -1, -2), R)


def _rows(limb, axes, places, point, count):
    """([..., count, 3] velocity of a point of link count - 1, [..., count, 3] its angular velocity) per joint rate."""
    Jw = axes[..., :count, :]
    Jv = cross(Jw, point[..., None, :] - places[..., :count, :])
    slides = [k for k in range(count) if limb.links[k].joint == "prismatic"]
    if slides:
        Jw = Jw.copy()
        Jv[..., slides, :], Jw[..., slides, :] = axes[..., slides, :], 0.0
    return Jv, Jw
