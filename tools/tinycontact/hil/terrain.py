# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Terrain under a plant's leg: a section x, z of a handful of primitives, by numpy alone.

    stairs   four steps up and four down, 6 cm each, treads of 30 cm, flat beyond
    slope    10 degrees
    ball     a ball of 0.4 m radius whose top is at the origin

or a shape file (docs/reference/shape-file.md) of half-spaces, spheres and boxes, whose section y = 0 is taken. A plant
stands on it, a simulator has its geometry, the truth its normal, and the estimator is given it or not.
"""
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from ..errors import TinycontactError
from ..shape import shapefile

NAMES = ("stairs", "slope", "ball")
RISE, TREAD, STEPS, DEPTH = 0.06, 0.3, 4, 1.0   # [m]
TILT, BALL = np.deg2rad(10.0), 0.4              # [rad], [m]
KINDS = ("halfspace", "sphere", "capsule", "box", "cylinder")   # tc_estimator_record_part
BELOW = -1e9


@dataclass(frozen=True)
class Part:
    kind: str          # halfspace, sphere or box
    size: tuple        # as in tc_sdf: (), (r,), (hx, hy, hz)
    position: tuple    # [3] in the terrain's axes


@dataclass(frozen=True)
class Terrain:
    """Points are (x, z) of the plant's world; `tilt`: the terrain's axes are turned by it against the world's, x
    upwards."""
    name: str
    parts: tuple
    tilt: float = 0.0
    walks: float = 0.0   # [m] how far from the origin a leg's base walks; 0: it stays

    def section(self):
        """(origin, along, up) of tc_ground2: the world's axes in the terrain's."""
        c, s = np.cos(self.tilt), np.sin(self.tilt)
        return np.zeros(3), np.array([c, 0.0, -s]), np.array([s, 0.0, c])

    def look(self, points):
        """(distance [...], normal [..., 2]) of points [..., 2], out of the nearest surface."""
        points = np.asarray(points, float)
        c, s = np.cos(self.tilt), np.sin(self.tilt)
        own = np.stack([c * points[..., 0] + s * points[..., 1], -s * points[..., 0] + c * points[..., 1]], -1)
        found = [_look(part, own) for part in self.parts]
        distance = np.stack([one[0] for one in found])
        nearest = distance.argmin(0)
        normal = np.take_along_axis(np.stack([one[1] for one in found]), nearest[None, ..., None], 0)[0]
        turned = np.stack([c * normal[..., 0] - s * normal[..., 1], s * normal[..., 0] + c * normal[..., 1]], -1)
        return np.take_along_axis(distance, nearest[None], 0)[0], turned

    def touch(self, x, r):
        """[...] height of the centre of a circle of radius r that touches the terrain from above at x [...]."""
        x = np.asarray(x, float)
        if self.tilt:
            return x * np.tan(self.tilt) + r / np.cos(self.tilt)
        return np.max([_touch(part, x, r) for part in self.parts], axis=0)

    def foothold(self, x, r, margin):
        """The x nearest to this one whose foot has no edge within `margin`."""
        tries = x + np.concatenate([[0.0], *[[k, -k] for k in np.arange(0.005, 0.3, 0.005)]])
        near = tries[:, None] + np.linspace(-margin, margin, 7)
        heights = self.touch(near, r)
        bends = np.abs(heights[:, 2:] - 2 * heights[:, 1:-1] + heights[:, :-2]).max(1)
        smooth = np.flatnonzero(bends < 0.002 + margin**2)
        return float(tries[smooth[0]]) if len(smooth) else float(x)

    def mean_height(self, x, r):
        """Height of the terrain about x, as a walking base follows it [m]."""
        return float(np.mean(self.touch(x + np.linspace(-0.2, 0.2, 9), r)) - r)


def _look(part, points):
    from_part = points - np.array([part.position[0], part.position[2]])
    if part.kind == "halfspace":
        return from_part[..., 1], np.broadcast_to([0.0, 1.0], points.shape)
    if part.kind == "sphere":
        length = np.linalg.norm(from_part, axis=-1)
        return length - part.size[0], from_part / np.maximum(length, 1e-12)[..., None]
    half = np.array([part.size[0], part.size[2]])
    beyond = np.abs(from_part) - half
    out = np.maximum(beyond, 0.0)
    length = np.linalg.norm(out, axis=-1)
    deepest = beyond.argmax(-1)
    inside = np.eye(2)[deepest]
    normal = np.where((length > 0)[..., None], out / np.maximum(length, 1e-12)[..., None], inside)
    return np.where(length > 0, length, beyond.max(-1)), normal * np.where(from_part < 0, -1.0, 1.0)


def _touch(part, x, r):
    from_part = x - part.position[0]
    if part.kind == "halfspace":
        return np.full(x.shape, part.position[2] + r)
    if part.kind == "sphere":
        square = (part.size[0] + r)**2 - from_part**2
        return np.where(square > 0, part.position[2] + np.sqrt(np.maximum(square, 0.0)), BELOW)
    beyond = np.maximum(np.abs(from_part) - part.size[0], 0.0)
    top = part.position[2] + part.size[2] + np.sqrt(np.maximum(r**2 - beyond**2, 0.0))
    return np.where(beyond < r, top, BELOW)


def _stairs():
    boxes = [Part("box", (TREAD * (STEPS - k) - TREAD / 2, DEPTH, DEPTH), (0.0, 0.0, RISE * (k + 1) - DEPTH))
             for k in range(STEPS)]
    return Terrain("stairs", (Part("halfspace", (), (0.0, 0.0, 0.0)), *boxes), walks=1.3)


def _of_file(path):
    shape = shapefile.load(path)
    parts = shape.parts or [shape]
    offsets = shape.offsets if shape.parts else np.zeros((1, 3))
    made = []
    for k, (part, offset) in enumerate(zip(parts, offsets)):
        if part.kind not in ("halfspace", "sphere", "box"):
            raise TinycontactError(f"{part.where}, field kind: is {part.kind}; a plant stands on halfspace, sphere and box")
        if part.kind == "box" and part.size[3] > 0:
            raise TinycontactError(f"{part.where}, field r: a plant's boxes are sharp")
        if part.kind == "sphere" and abs(offset[1]) > 0:
            raise TinycontactError(f"{shape.where}, field offsets[{k}]: y must be 0, where the leg is")
        made.append(Part(part.kind, tuple(part.size[:3]), tuple(float(v) for v in offset)))
    return Terrain(str(path), tuple(made), walks=0.5)


@lru_cache
def terrain(name):
    """The Terrain of NAMES or of a shape file; None of an empty name."""
    if not name:
        return None
    if name == "stairs":
        return _stairs()
    if name == "slope":
        return Terrain("slope", (Part("halfspace", (), (0.0, 0.0, 0.0)),), tilt=TILT, walks=1.0)
    if name == "ball":
        return Terrain("ball", (Part("sphere", (BALL,), (0.0, 0.0, -BALL)),))
    return _of_file(name)
