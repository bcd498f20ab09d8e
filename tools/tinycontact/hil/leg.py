# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""A planar serial leg in float64: kinematics, mass matrix and bias as its own accelerating base sees them.

Axes: x along the floor, y up, angles counter-clockwise; the origin is the base's, the axes do not turn with it. In this
frame, which accelerates with the base, every mass feels -f, f the base's specific force (what an accelerometer there
measures), so neither the base's mass nor what drives it is needed:

    M(q) w' + bias(q, w, f, p') = tau + J^T F

J belongs to the contact point, the lowest of the foot's circle, as a point of the last link: a foot that rolls without
slip has velocity 0 there. The base's angular acceleration is left out.

Leading axes of all arrays are the caller's (episodes); `xp` is numpy or jax.numpy, the text is the same for both.
"""
from dataclasses import dataclass

import numpy as np


@dataclass
class Motion:
    """A leg at one instant, world axes, from the base's origin; one array per coordinate and joint."""
    foot: list      # [2] the contact point
    J: list         # [2][n]
    carried: list   # [2] velocity of the contact point from the turning of the base alone
    M: list         # [n][n]
    bias: list      # [n]
    turning: list   # [n] joint torque per unit of the base's angular acceleration, with w' = 0


def _turned(cosine, sine, v):
    return [cosine * v[0] - sine * v[1], sine * v[0] + cosine * v[1]]


def _columns(leg, at, x, count):
    """[n][2] how each joint moves the point x, which hangs on the first `count` of them: a turning joint with
    z x (x - at), a sliding one with `at`."""
    zero = 0.0 * x[0]
    moved = [at[j] if leg.slides[j] else [at[j][1] - x[1], x[0] - at[j][0]] for j in range(count)]
    return moved + [[zero, zero]] * (leg.joints - count)


def move(xp, leg, q, w, pitch, rate, force):
    """Motion of a chain_file.PlanarLeg at joints q, w (lists of n) while its base has this pitch and rate and feels
    `force` [2], the specific force in world axes."""
    n = leg.joints
    first_rate = rate
    cosine, sine, angle = xp.cos(pitch), xp.sin(pitch), pitch
    zero = 0.0 * pitch
    x, pulled = [zero, zero], [zero, zero]      # centre of mass; its acceleration with w' = 0
    M, bias = [[zero] * n for _ in range(n)], [leg.damping[i] * w[i] for i in range(n)]
    at, turning = [], [zero] * n
    for i in range(n):
        r = _turned(cosine, sine, leg.anchor[i])
        joint, pulled = [x[k] + r[k] for k in (0, 1)], [pulled[k] - rate * rate * r[k] for k in (0, 1)]
        if leg.slides[i]:
            along = _turned(cosine, sine, leg.axis[i])
            across = [-along[1], along[0]]
            pulled = [pulled[k] + 2 * rate * w[i] * across[k] - rate * rate * q[i] * along[k] for k in (0, 1)]
            joint = [joint[k] + q[i] * along[k] for k in (0, 1)]
            at.append(along)
        else:
            angle, rate = angle + q[i], rate + w[i]
            at.append(joint)
        angle = angle + leg.rest[i]
        cosine, sine = xp.cos(angle), xp.sin(angle)
        r = _turned(cosine, sine, leg.arm[i])
        x, pulled = [joint[k] + r[k] for k in (0, 1)], [pulled[k] - rate * rate * r[k] for k in (0, 1)]
        c = _columns(leg, at, x, i + 1)
        for a in range(i + 1):
            bias[a] = bias[a] + leg.mass[i] * (c[a][0] * (pulled[0] + force[0]) + c[a][1] * (pulled[1] + force[1]))
            turning[a] = turning[a] + leg.mass[i] * (c[a][1] * x[0] - c[a][0] * x[1])
            turning[a] = turning[a] + leg.inertia[i] * (not leg.slides[a])
            for b in range(i + 1):
                turn = leg.inertia[i] * (not leg.slides[a]) * (not leg.slides[b]) + leg.rotor[a] * (a == b == i)
                M[a][b] = M[a][b] + leg.mass[i] * (c[a][0] * c[b][0] + c[a][1] * c[b][1]) + turn
    r = _turned(cosine, sine, leg.foot)
    centre = [x[k] + r[k] for k in (0, 1)]
    c = _columns(leg, at, centre, n)
    rolls = leg.radius * ~np.asarray(leg.slides)
    J = [[c[j][0] + rolls[j] for j in range(n)], [c[j][1] for j in range(n)]]
    carried = [leg.radius - centre[1], centre[0]]
    return Motion([centre[0], centre[1] - leg.radius], J, [first_rate * v for v in carried], M, bias, turning)
