# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Quaternions [..., 4] as w, x, y, z and rotation vectors [..., 3], in batches."""
import numpy as np

SMALL = 1e-9


def product(a, b):
    """The quaternion a b."""
    aw, ax, ay, az = (a[..., k] for k in range(4))
    bw, bx, by, bz = (b[..., k] for k in range(4))
    return np.stack([aw * bw - ax * bx - ay * by - az * bz, aw * bx + ax * bw + ay * bz - az * by,
                     aw * by - ax * bz + ay * bw + az * bx, aw * bz + ax * by - ay * bx + az * bw], axis=-1)


def conjugate(q):
    return q * np.array([1.0, -1.0, -1.0, -1.0])


def normal(q):
    return q / np.linalg.norm(q, axis=-1, keepdims=True)


def exp(vector):
    """The quaternion of a rotation vector [rad]."""
    half = 0.5 * np.linalg.norm(vector, axis=-1, keepdims=True)
    factor = 0.5 * np.sinc(half / np.pi)
    return np.concatenate([np.cos(half), factor * vector], axis=-1)


def log(q):
    """The rotation vector [rad] of a quaternion, of length pi at most."""
    q = np.where(q[..., :1] < 0, -q, q)
    sine = np.linalg.norm(q[..., 1:], axis=-1, keepdims=True)
    angle = 2 * np.arctan2(sine, q[..., :1])
    return np.where(sine < SMALL, 2.0, angle / np.maximum(sine, SMALL)) * q[..., 1:]


def matrix(q):
    """[..., 3, 3]: turns body axes into the log's."""
    w, x, y, z = (q[..., k] for k in range(4))
    rows = [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y),
            2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
            2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]
    return np.stack(rows, axis=-1).reshape(*np.shape(w), 3, 3)


def cross(a, b):
    """a x b; NumPy's spends more on the order of axes than on the numbers."""
    return np.stack([a[..., 1] * b[..., 2] - a[..., 2] * b[..., 1], a[..., 2] * b[..., 0] - a[..., 0] * b[..., 2],
                     a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]], axis=-1)


def turned(q, vector):
    """A vector of body axes in the log's axes."""
    return np.einsum("...ij,...j->...i", matrix(q), vector)


def continuous(q):
    """[rows, 4] with the signs that make neighbours alike: q and -q are one orientation."""
    flip = np.sum(q[1:] * q[:-1], axis=1) < 0
    sign = np.concatenate([[1.0], np.cumprod(np.where(flip, -1.0, 1.0))])
    return q * sign[:, None]


def rate(q, step):
    """[rows - 1, 3]: mean angular velocity [rad/s] between neighbouring rows, in body axes."""
    return log(product(conjugate(q[:-1]), q[1:])) / np.reshape(step, (-1, 1))
