# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""A learned shape from one mesh or primitive, or from two with a latent code: 0 is the first, 1 the second."""
from pathlib import Path

import numpy as np

from ..errors import TinycontactError
from ..jsonfile import write_json
from ..model import Model
from ..net import Net
from ..progress import announced
from . import judge, netshape, nettrain, points
from .grid import surface_points

AROUND = (0.02, 0.08)   # extents/2: how far training points are from a surface
COUNT = 20_000          # of them near each surface at each of these distances, and anywhere
MARGIN = 0.2            # of half the extent, between the shapes and the end of the training range
STEPS = 8000
CELLS = 12              # along the longest side: the resolution that errors are judged at


def made(truths, widths, steps=STEPS, seed=1):
    """(NetShape, [(error report, zero level) of each Truth])"""
    low, high = (np.array(reach([getattr(truth.mesh, side) for truth in truths], axis=0), float)
                 for reach, side in ((np.min, "low"), (np.max, "high")))
    half = 0.5 * float((high - low).max())
    low, high = low - MARGIN * half, high + MARGIN * half
    middle, codes = 0.5 * (low + high), len(truths) - 1
    layers = nettrain.train(*_samples(truths, (low, high), middle, half, seed), widths, steps, seed)
    kinds = ["softplus"] * len(widths) + ["identity"]
    net = Net("shape", [(W, b, kind) for (W, b), kind in zip(layers, kinds)], input_mean=[*middle] + [0.0] * codes,
              input_scale=[1 / half] * 3 + [1.0] * codes, output_mean=[0.0], output_scale=[half],
              input_low=[*low] + [0.0] * codes, input_high=[*high] + [1.0] * codes)
    bare = netshape.NetShape(Model([net]))
    return _judged(bare, truths, (low, high), half)


def _samples(truths, box, middle, half, seed):
    """(points [n, 3], distances [n, truths]) in halves of the extent about the middle."""
    rng = np.random.default_rng(seed)
    near = [surface_points(truth.mesh, COUNT, rng)[0] + sigma * half * rng.normal(size=(COUNT, 3))
            for truth in truths for sigma in AROUND]
    p = np.clip(np.concatenate([*near, rng.uniform(*box, (COUNT, 3))]), *box)
    with announced(f"{truths[0].name}: distances of {len(p)} points"):
        return (p - middle) / half, np.stack([truth.distance(p) for truth in truths], axis=1) / half


def _judged(bare, truths, box, half):
    found = [judge.compare(bare.at([code] * bare.codes), truth, box, 2 * half / CELLS)
             for code, truth in enumerate(truths)]
    error = found[0][0] | {"bound": max(report["bound"] for report, _ in found)}
    mass = truths[0].mass
    told = {} if bare.codes else mass.as_json() | {"per_density": [float(x) for x in mass.per_density()]}
    seen = points.of_field(bare.at([0.0] * bare.codes), *box, level=found[0][1])
    if not len(seen):
        raise TinycontactError(f"{truths[0].name}: the net has no zero level; wider layers or more steps are needed")
    return netshape.NetShape(bare.model, error, told, seen), found


def write(path, shape):
    """Writes OUT.tcm alone, or OUT.json that names OUT.tcm beside it; the paths."""
    path = Path(path)
    file = path.with_suffix(".tcm")
    netshape.write(file, shape)
    if path.suffix.lower() != ".json":
        return [file]
    write_json(path, {"kind": "net", "file": file.name})
    return [path, file]
