# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Feature map 1 (planar), float64: what a net sees of a query. lib/learned/tc_learned2_features.c is its twin on board.

No input knows the floor's friction, and but for the size of the velocity none has a scale:

    group 1  lever      x_i/k, y/k
    group 2  ratio      A_nt/A_nn, A_nt/A_tt                                  (point only)
    group 4  velocity   direction of (u_t, u_i), ln of its length
    group 8  stop       direction of the impulse that stops the patch; of an edge, behind group 32, also of
                        those that stop either corner alone
    group 32 share      n_1/n0 of the frictionless solution                   (edge only)
    group 16 arrest     direction of (f*, n*), f*/n0 and f*/n* clipped to +-2

n0 is the sum of the frictionless normals, (f*, n*) friction and normal sum of the impulse that ends sliding.
A model's mask says which groups its nets take; the order is always this one.
"""
import numpy as np

from ..record import GROUPS
from ..sim import impulse

LEVER, RATIO, VELOCITY, STOP, ARREST, SHARE = (
    GROUPS[name] for name in ("lever", "ratio", "velocity", "stick", "arrest", "share"))
MASK = {1: LEVER | RATIO | VELOCITY | STOP | ARREST, 2: LEVER | VELOCITY | STOP | ARREST | SHARE}
SMALL = 1e-12      # m/s: what is shorter has no direction, what is smaller divides nothing
SIZE_LEAST = 1e-6  # m/s: least length in the logarithm
CLIP = 2.0
ROWS = 20000       # of a query at a time: bounds the memory of its 3 x 3 systems


def direction(vectors):
    """vectors [n, m] over their length; zero where that is below SMALL."""
    length = np.sqrt((vectors**2).sum(axis=1, keepdims=True))
    return np.where(length < SMALL, 0.0, vectors / np.maximum(length, SMALL))


def log_length(vectors):
    return np.log(np.maximum(np.sqrt((vectors**2).sum(axis=1, keepdims=True)), SIZE_LEAST))


def ratio(numerator, denominator):
    """[n, 1] of [n] and [n]: 0 where |denominator| < SMALL, clipped."""
    tiny = np.abs(denominator) < SMALL
    quotient = np.where(tiny, 0.0, numerator / np.where(tiny, 1.0, denominator))
    return np.clip(quotient, -CLIP, CLIP)[:, None]


def corner_stop(query, A, i):
    """[n, 2] friction and normal that stop contact i alone: -A^-1 (u_t, u_i) of its own 2 x 2 system, whose
    determinant is 1 + (x^2 + y^2)/k^2."""
    att, ait, aii = A[:, 0, 0], A[:, 0, 1 + i], A[:, 1 + i, 1 + i]
    ut, ui = query.slip, query.approach[:, i]
    return np.stack([ait * ui - aii * ut, ait * ut - att * ui], axis=1) / (att * aii - ait * ait)[:, None]


def _groups(query, count):
    """(group, columns [n, m]) in the order of the map."""
    A = query.delassus()
    held = impulse.arrest(query)
    friction, total = held[:, 0], held[:, 1:].sum(axis=1)
    frictionless = impulse.frictionless(query)
    n0 = frictionless.sum(axis=1)
    u = np.column_stack([query.slip, query.approach[:, :count]])
    yield LEVER, np.column_stack([query.lever[:, :count], query.height]) / query.gyration[:, None]
    if count == 1:
        yield RATIO, np.column_stack([A[:, 0, 1] / A[:, 1, 1], A[:, 0, 1] / A[:, 0, 0]])
    yield VELOCITY, np.hstack([direction(u), log_length(u)])
    yield STOP, direction(impulse.stop(query)[:, :1 + count])
    if count == 2:
        yield SHARE, ratio(frictionless[:, 0], n0)
        yield STOP, np.hstack([direction(corner_stop(query, A, i)) for i in (0, 1)])
    yield ARREST, np.hstack([direction(np.column_stack([friction, total])), ratio(friction, n0),
                             ratio(friction, total)])


def features(query, mask=None):
    """[n, inputs] of a query whose rows all have the same number of contacts; mask: groups, None for all."""
    if len(query) > ROWS:
        return np.concatenate([features(query[k:k + ROWS], mask) for k in range(0, len(query), ROWS)])
    count = int(query.count[0]) if len(query) else 1
    mask = MASK[count] if mask is None else mask
    return np.hstack([columns for group, columns in _groups(query, count) if group & mask])


def width(count, mask=None):
    """Number of inputs of nets for patches of `count` contacts."""
    mask = MASK[count] if mask is None else mask
    sizes = {1: ((LEVER, 2), (RATIO, 2), (VELOCITY, 3), (STOP, 2), (ARREST, 4)),
             2: ((LEVER, 3), (VELOCITY, 4), (STOP, 7), (SHARE, 1), (ARREST, 4))}[count]
    return sum(size for group, size in sizes if group & mask)
