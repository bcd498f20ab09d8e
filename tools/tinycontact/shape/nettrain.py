# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""A small net for the signed distance of one shape, or of two with a code between them, trained with NumPy.

Points are near either surface or anywhere in the box. Lengths are in halves of the extent, so that the loss
|error| / (NEAR + |distance|) has one scale. Hidden layers are softplus(SHARP x) / SHARP, and the layers that `train`
returns have SHARP folded into their weights. Adam, with a rate that falls by half a cosine.
"""
import numpy as np

from ..progress import progress

SHARP = 8.0
NEAR = 0.05             # halves of the extent
BATCH, RATE = 2048, 4e-3


def softplus(x):
    return np.maximum(x, 0) + np.log1p(np.exp(-np.abs(x)))


def _begin(rng, sizes):
    return [[rng.normal(size=(b, a)) * np.sqrt(2 / a), 0.1 * rng.normal(size=b)] for a, b in zip(sizes, sizes[1:])]


def _slopes(layers, x, target):
    """Of the loss by each layer's weights and bias."""
    states, slopes, y = [x], [], x
    for W, b in layers[:-1]:
        z = SHARP * (y @ W.T + b)
        y = softplus(z) / SHARP
        states.append(y)
        slopes.append(0.5 * (1 + np.tanh(0.5 * z)))
    W, b = layers[-1]
    error = (y @ W.T + b)[:, 0] - target
    back = (np.sign(error) / (NEAR + np.abs(target)) / len(x))[:, None]
    found = []
    for k in range(len(layers) - 1, -1, -1):
        found.append((back.T @ states[k], back.sum(axis=0)))
        if k:
            back = (back @ layers[k][0]) * slopes[k - 1]
    return found[::-1]


def _batch(points, distances, rng):
    """(inputs, targets): of two shapes the blend of both distances by a random code, often an end."""
    chosen = rng.integers(len(points), size=BATCH)
    if distances.shape[1] == 1:
        return points[chosen], distances[chosen, 0]
    code = np.clip(rng.uniform(-0.5, 1.5, BATCH), 0, 1)
    target = (1 - code) * distances[chosen, 0] + code * distances[chosen, 1]
    return np.concatenate([points[chosen], code[:, None]], axis=1), target


def train(points, distances, widths, steps, seed=0):
    """[(weights, bias)] of points [n, 3] and their distances [n, 1 or 2 shapes]."""
    rng = np.random.default_rng(seed)
    layers = _begin(rng, (2 + distances.shape[1], *widths, 1))
    means = [[np.zeros_like(w) for w in layer] for layer in layers]
    squares = [[np.zeros_like(w) for w in layer] for layer in layers]
    for k, _ in progress(range(steps), "training"):
        found = _slopes(layers, *_batch(points, distances, rng))
        rate = RATE * 0.5 * (1 + np.cos(np.pi * k / steps))
        for layer, mean, square, slope in zip(layers, means, squares, found):
            for i in (0, 1):
                mean[i] += 0.1 * (slope[i] - mean[i])
                square[i] += 0.001 * (slope[i] ** 2 - square[i])
                step = mean[i] / (1 - 0.9 ** (k + 1)) / (np.sqrt(square[i] / (1 - 0.999 ** (k + 1))) + 1e-10)
                layer[i] -= rate * step
    last = len(layers) - 1
    return [(W * (SHARP if k == 0 else 1 / SHARP if k == last else 1.0), b * (1.0 if k == last else SHARP))
            for k, (W, b) in enumerate(layers)]
