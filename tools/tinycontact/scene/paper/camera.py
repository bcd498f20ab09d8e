# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Depth images of one body, by rays against its distance in float64.

    eye = Camera()
    points = eye.see(distance, radius, position, rotation, rng)   # world points of the pixels that hit
"""
from dataclasses import dataclass

import numpy as np

NEAR = 1e-9      # [m] distance at which a ray has hit
STEPS = 80       # of a ray, at most
NOISE = 1e-4     # standard deviation of a depth over its square [1/m]


def looking(yaw, pitch):
    """[3, 3] columns: right, down, forward of a camera in a world whose y is up."""
    forward = np.array([np.sin(yaw) * np.cos(pitch), np.sin(pitch), np.cos(yaw) * np.cos(pitch)])
    right = np.cross(forward, [0.0, 1.0, 0.0])
    right /= np.linalg.norm(right)
    return np.stack([right, np.cross(forward, right), forward], axis=1)


@dataclass
class Camera:
    """The paper's: 640 x 480 pixels, focal length 515, 20 m away, yaw 45 and pitch -45 degrees."""
    target: tuple = (2.0, 3.0, 0.0)
    away: float = 20.0
    focal: float = 515.0
    width: int = 640
    height: int = 480

    def __post_init__(self):
        self.axes = looking(np.radians(45.0), np.radians(-45.0))
        self.place = np.asarray(self.target) - self.away * self.axes[:, 2]

    def _pixels(self, centre, radius):
        """[n, 2] whole pixels that a ball covers, and some around."""
        x, y, z = (np.asarray(centre) - self.place) @ self.axes
        reach = 1.3 * self.focal * radius / max(z - radius, 1e-3) + 2
        u, v = self.focal * x / z + 0.5 * self.width, self.focal * y / z + 0.5 * self.height
        columns = np.arange(max(int(u - reach), 0), min(int(u + reach) + 1, self.width))
        rows = np.arange(max(int(v - reach), 0), min(int(v + reach) + 1, self.height))
        return np.stack(np.meshgrid(columns, rows), axis=-1).reshape(-1, 2)

    def see(self, distance, radius, position, rotation, rng):
        """[n, 3] world points of the body's pixels, with noise along the rays. distance: of points in the body's axes;
        radius: of a ball that holds the body; rotation [3, 3]: body to world."""
        pixels = self._pixels(position, radius)
        flat = np.concatenate([(pixels + 0.5 - [0.5 * self.width, 0.5 * self.height]) / self.focal,
                               np.ones((len(pixels), 1))], axis=1)
        along = flat / np.linalg.norm(flat, axis=1, keepdims=True)
        rays = along @ self.axes.T
        far = march(distance, (self.place - position) @ rotation, rays @ rotation, self.away + 4 * radius + 10)
        hit = np.isfinite(far)
        depth = far[hit] * along[hit, 2]
        noisy = depth + NOISE * depth ** 2 * rng.normal(size=depth.size)
        return self.place + rays[hit] * (noisy / along[hit, 2])[:, None]


def march(distance, origin, rays, most):
    """[n] way along each ray to the zero level; infinite where it misses. The distance may be a lower bound."""
    t, open_ = np.zeros(len(rays)), np.arange(len(rays))
    for _ in range(STEPS):
        d = distance(origin + rays[open_] * t[open_, None])
        t[open_] += np.maximum(d, 0.0)
        open_ = open_[(d > NEAR) & (t[open_] < most)]
        if not open_.size:
            break
    t[t >= most] = np.inf
    t[open_] = np.inf   # still on their way after all steps: they graze
    return t
