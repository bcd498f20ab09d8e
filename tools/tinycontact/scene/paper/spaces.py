# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Learned shape spaces: a net from a point and one code to the signed distance. Code 0 is one shape, 1 the other.

    python -m tinycontact.scene.paper.spaces tests/scene --meshes ../shared/data/meshes

writes cow-fish.tcm, of two meshes in the public domain, and can-mug.tcm, of two shapes from primitives; the mug has a
handle, so the genus changes along the code. Distances at codes between are blends of the two. Points are near either
surface or anywhere in the box; shape/nettrain.py has the training.
"""
import argparse
from pathlib import Path

import numpy as np

from ... import model as models
from ...net import Net
from ...shape import mesh as meshes
from ...shape import nettrain
from ...shape.meshdistance import Distance
from ...shape.nettrain import softplus

REACH = 1.35          # [m] the box is -REACH..REACH along each axis; shapes are 2 m long
WIDTHS = (32, 32, 32)
AROUND = (0.02, 0.08)   # [m] how far points are from a surface
COUNT = 60_000        # points near each surface, and anywhere
STEPS = 16_000
NAMES = ("cow-fish", "can-mug")


# ---- Shapes

def of_mesh(path):
    """(distance, surface points) of a mesh, centred and 2 m long."""
    mesh = meshes.read(str(path))
    low, high = mesh.vertices.min(axis=0), mesh.vertices.max(axis=0)
    mesh = meshes.from_arrays((mesh.vertices - 0.5 * (low + high)) * (2.0 / (high - low).max()), mesh.triangles)
    distance = Distance(mesh)

    def surface(n, rng):
        areas = distance.areas / distance.areas.sum()
        corners = mesh.corners[rng.choice(len(areas), n, p=areas)]
        a, b = rng.uniform(size=(2, n, 1))
        a, b = np.where(a + b > 1, 1 - a, a), np.where(a + b > 1, 1 - b, b)
        return corners[:, 0] + a * (corners[:, 1] - corners[:, 0]) + b * (corners[:, 2] - corners[:, 0])
    return distance, surface


def _cylinder(p, r, half, at=0.0):
    q = np.stack([np.hypot(p[:, 0], p[:, 1]) - r, np.abs(p[:, 2] - at) - half], axis=1)
    return np.linalg.norm(np.maximum(q, 0), axis=1) + np.minimum(q.max(axis=1), 0)


def can(p):
    return _cylinder(p, 0.6, 0.9)


def mug(p):
    """A cup, open at the top, with a handle."""
    p = p + [0.3, 0, 0]
    cup = np.maximum(_cylinder(p, 0.55, 0.75), -_cylinder(p, 0.38, 0.75, 0.2))
    ring = np.hypot(p[:, 0] - 0.55, p[:, 2])
    handle = np.hypot(ring - 0.5, p[:, 1]) - 0.15
    outside = _cylinder(p, 0.47, 0.75)     # the handle ends within the wall
    return np.minimum(cup, np.maximum(handle, -outside))


HANDLE = ((0.1, -0.3, -0.8), (1.1, 0.3, 0.8))   # a box around the handle, which has half of the points


def _settled(distance, box):
    """Points of a surface by a distance's slope, from random ones of which half begin in the box."""
    def surface(n, rng):
        half = n // 2
        p = np.concatenate([rng.uniform(-REACH, REACH, (n - half, 3)), rng.uniform(*box, (half, 3))])
        for _ in range(6):
            slope = np.stack([distance(p + e) - distance(p - e) for e in 1e-5 * np.eye(3)], axis=1) / 2e-5
            size = np.maximum((slope ** 2).sum(axis=1), 0.1)
            p = p - (distance(p) / size)[:, None] * slope
        return p
    return surface


def pair(name, folder):
    """Two (distance, surface)."""
    if name == "can-mug":
        return [(distance, _settled(distance, HANDLE)) for distance in (can, mug)]
    return [of_mesh(Path(folder) / f"{which}.obj") for which in ("spot", "blub")]


# ---- The net, in float64 from its .tcm

def layers_of(net):
    return [(layer.weights.astype(float), layer.bias.astype(float)) for layer in net.layers]


def values(layers, x):
    """[n] outputs at x [n, inputs]."""
    for W, b in layers[:-1]:
        x = softplus(x @ W.T + b)
    return (x @ layers[-1][0].T + layers[-1][1])[:, 0]


# ---- Training

def samples(shapes, rng):
    """(points [n, 3], distances of both shapes [n, 2])."""
    points = [rng.uniform(-REACH, REACH, (COUNT, 3))]
    for _, surface in shapes:
        for sigma in AROUND:
            points.append(surface(COUNT // 2, rng) + sigma * rng.normal(size=(COUNT // 2, 3)))
    points = np.clip(np.concatenate(points), -REACH, REACH)
    return points, np.stack([distance(points) for distance, _ in shapes], axis=1)


def train(points, distances, seed=0, steps=STEPS):
    """Layers of the net as a .tcm has them."""
    return nettrain.train(points, distances, WIDTHS, steps, seed)


def net_of(name, layers):
    kinds = ["softplus"] * (len(layers) - 1) + ["identity"]
    low, high = [-REACH] * 3 + [0.0], [REACH] * 3 + [1.0]
    return Net(name, [(W, b, kind) for (W, b), kind in zip(layers, kinds)], input_low=low, input_high=high)


def judge(layers, shapes, rng):
    """[(rms, largest) error of the distance at points of each surface]"""
    found = []
    for code, (_, surface) in enumerate(shapes):
        p = surface(20_000, rng)
        d = values(layers, np.concatenate([p, np.full((len(p), 1), float(code))], axis=1))
        found.append((float(np.sqrt(np.mean(d ** 2))), float(np.abs(d).max())))
    return found


def main(words=None):
    parser = argparse.ArgumentParser(description="Train the shape spaces of the experiments.")
    parser.add_argument("folder", help="where the .tcm files go")
    parser.add_argument("--meshes", default="../shared/data/meshes", help="folder with spot.obj and blub.obj")
    parser.add_argument("--only", choices=NAMES)
    options = parser.parse_args(words)
    for name in (options.only,) if options.only else NAMES:
        shapes, rng = pair(name, options.meshes), np.random.default_rng(1)
        net = net_of(name, train(*samples(shapes, rng)))
        told = judge(layers_of(net), shapes, rng)
        models.Model(net, metadata={"errors": [{"rms": rms, "max": most} for rms, most in told]}).save(
            str(Path(options.folder) / f"{name}.tcm"))
        print(f"{name}: error at the surfaces, rms and largest [m]: "
              + "; ".join(f"{rms:.4f}, {most:.3f}" for rms, most in told))


if __name__ == "__main__":
    main()
