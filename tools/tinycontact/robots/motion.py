# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""A limb in space in float64: mass matrix, bias and contact Jacobian as its own accelerating, turning base sees them.

Axes are the base's; places are from the base's origin. In this frame every mass feels -f, f the specific force at the
base's origin, so neither the base's mass nor what moves it is needed:

    M(q) w' + bias(q, w, f, omega) = tau + J^T F

omega is the base's angular velocity, alpha its derivative. J belongs to the contact point, the foot's point farthest
against the floor's normal, as a point of the last link. Leading axes of q, w, omega, f and normal are the caller's (ticks,
episodes); one limb per call.
"""
from dataclasses import dataclass

import numpy as np


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
    return np.stack([a[..., 1] * b[..., 2] - a[..., 2] * b[..., 1], a[..., 2] * b[..., 0] - a[..., 0] * b[..., 2],
                     a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]], -1)


def turn(axis, angle):
    """[..., 3, 3] rotations about a fixed unit axis by angles [...]."""
    x, y, z = axis
    K = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    s, c = np.sin(angle)[..., None, None], np.cos(angle)[..., None, None]
    return np.eye(3) + s * K + (1 - c) * (K @ K)


def apply(R, v):
    return np.einsum("...ij,...j->...i", R, v)


def specific_force(robot, accel, gyro, gyro_rate=np.zeros(3)):
    """(f at the base's origin, omega, alpha) in its axes, from the IMU's readings [..., 3] and the gyro's rate of change."""
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
    """The Motion of a description.Limb."""
    q, w = np.asarray(q, float), np.asarray(w, float)
    shape, n = q.shape[:-1], limb.joints
    M, bias = np.zeros((*shape, n, n)), w * np.array([link.damping for link in limb.links])
    axes, places = np.zeros((*shape, 3, n)), np.zeros((*shape, 3, n))
    for k, link, R, place, axis, spin, spin_rate, pull in _outwards(limb, q, w, omega, force, alpha):
        axes[..., k], places[..., k] = axis, place
        M[..., k, k] += link.rotor_inertia
        if link.mass == 0.0:
            continue
        arm, inertia = apply(R, link.com), R @ link.inertia @ np.swapaxes(R, -1, -2)
        push = link.mass * (pull + cross(spin_rate, arm) + cross(spin, cross(spin, arm)))
        moment = apply(inertia, spin_rate) + cross(spin, apply(inertia, spin))
        Jv, Jw = columns(limb, axes, places, place + arm, k + 1)
        bias += np.einsum("...ij,...i->...j", Jv, push) + np.einsum("...ij,...i->...j", Jw, moment)
        M += link.mass * np.swapaxes(Jv, -1, -2) @ Jv + np.swapaxes(Jw, -1, -2) @ inertia @ Jw
    centre = place + apply(R, limb.foot.center)
    contact = centre - limb.foot.radius * np.asarray(normal)
    return Motion(M, bias, columns(limb, axes, places, contact, n)[0], contact, centre, axes, R)


def columns(limb, axes, places, point, count):
    """([..., 3, n] velocity of a point of link count - 1, [..., 3, n] its angular velocity) per joint rate."""
    Jv, Jw = np.zeros(axes.shape), np.zeros(axes.shape)
    for k in range(count):
        axis = axes[..., k]
        if limb.links[k].joint == "prismatic":
            Jv[..., k] = axis
        else:
            Jw[..., k] = axis
            Jv[..., k] = cross(axis, point - places[..., k])
    return Jv, Jw
