# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Table 2: place and size of a ball or a rounded cube that bounces, from depth images with noise.

A point's residual is its signed distance to the body at its image's time, of all images at once.

Images before the bounce tell place, turn and the sides that are seen, but not the size: a larger body further away
fits, too. So these are fitted first, for each of several sizes. All images then choose among the answers, and are
fitted from the best ones.
"""
import numpy as np

from ...errors import TinycontactError
from .. import fit as fits
from ..parameters import turned
from . import ball
from .camera import Camera
from .common import Result, Row, distance, instants, rolled

SECONDS, SPREAD = 1.5, 0.1     # [s]; standard deviation of places [m] and of a quaternion's entries
SIZES, EDGE = (0.5, 1.5), 0.2  # [m] radii, edges; rounding of the cube
UPRIGHT = np.array([1.0, 0.0, 0.0, 0.0])
EXTRA = 1.0                    # [m] a start's size is at most this larger
VARIANTS = (("sphere no gravity", 0.0), ("sphere gravity", ball.PULL), ("cube no gravity", 0.0))
ROWS = (Row(VARIANTS[0][0], "position [m]", (0.031, None), (0.006, 1.0)),
        Row(VARIANTS[0][0], "size [m]", (0.022, None), (0.004, 1.0)),
        Row(VARIANTS[1][0], "position [m]", (0.044, None), (0.002, 1.0)),
        Row(VARIANTS[1][0], "size [m]", (0.014, None), (0.001, 1.0)),
        Row(VARIANTS[2][0], "position [m]", (0.023, None), (0.008, 1.0)),
        Row(VARIANTS[2][0], "size [m]", (0.029, None), (0.005, 1.0)),
        Row(VARIANTS[2][0], "rotation [rad]", (0.002, None), (None, None)))
TITLE = "Table 2: place and size from depth images (means)"
COUNT = 20
EARLY = 0.4                    # [s] nothing touches before
TRIED, KEPT, THIN = 9, 3, 20   # sizes, fits from the best of them, points per point of these
MEANS = True   # floors are on the mean, as the paper gives means


def matrix(q):
    """[..., 3, 3] of unit quaternions."""
    w, x, y, z = np.moveaxis(np.asarray(q), -1, 0)
    rows = [[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]]
    return np.moveaxis(np.array(rows), (0, 1), (-2, -1))


def _around(name, value):
    """An unknown within 3 [m or rad] of a value."""
    return fits.Unknown(name, float(value), value - 3.0, value + 3.0, (value - 0.3, value + 0.3))


class Thing:
    """A ball, or a cube of which the rounding is known: place, size, and orientation."""

    def __init__(self, kind, gravity):
        self.kind, self.gravity = kind, gravity

    def shape(self, size):
        if self.kind == "sphere":
            return {"kind": "sphere", "r": float(size)}
        return {"kind": "box", "h": [0.5 * float(size)] * 3, "r": EDGE}

    def rollout(self, walls=True):
        scene = ball.scene(1.0, self.gravity)
        return rolled(scene if walls else scene | {"bodies": scene["bodies"][:1]})

    def run(self, rollout, state, times):
        """[m, 7] poses from a state: position, size, quaternion."""
        for path, value in zip(("position", "shape", "quat_wxyz"), (state[0], self.shape(state[1]), state[2])):
            rollout.set(f"ball.{path}", value)
        return rollout.run(times)[0][:, 0]

    def unknowns(self, theta, size=None):
        """Those of position, size and turn; the size is fixed where it is given."""
        least = 1e-3 if self.kind == "sphere" else 2 * EDGE
        found = [_around(f"position[{k}]", x) for k, x in enumerate(theta[:3])]
        low, high = (least, 10.0) if size is None else (size, size + 1e-12)
        found.append(fits.Unknown("size", float(theta[3] if size is None else size), low, high, (least, 3.0)))
        return found + [_around(f"turn[{k}]", x) for k, x in enumerate(theta[4:])]

    def least(self):
        return 0.3 if self.kind == "sphere" else 2.1 * EDGE


def _unit(rng, quaternion):
    q = quaternion + SPREAD * rng.normal(size=4)
    return q / np.linalg.norm(q)


def draws(count, seed):
    """[(variant, scene's number, Thing, truth, start, random numbers)]; truth, start: position, size, quaternion."""
    for j, (variant, gravity) in enumerate(VARIANTS):
        thing = Thing("box" if variant.startswith("cube") else "sphere", gravity)
        for k in range(count):
            rng = np.random.default_rng([seed, 4, j, k])
            place, size = np.array([0, 5.0, 0]) + SPREAD * rng.normal(size=3), rng.uniform(*SIZES)
            size, turn = max(size, 2.5 * EDGE), _unit(rng, UPRIGHT)
            start = (place + SPREAD * rng.normal(size=3), size + rng.uniform(0, EXTRA), _unit(rng, turn))
            yield variant, k, thing, (place, size, turn), start, rng


def images(thing, true, poses, rng):
    """(points [n, 3], image of each) of a body at poses [m, 7]."""
    field = distance(thing.shape(true[1]))
    reach = true[1] if thing.kind == "sphere" else 0.5 * np.sqrt(3) * true[1]
    eye = Camera()
    seen = [eye.see(field, reach, pose[:3], matrix(pose[3:]), rng) for pose in poses]
    return np.concatenate(seen), np.repeat(np.arange(len(seen)), [len(points) for points in seen])


class Misfit:
    """Distances of points to a moving body, as a function of position, size and turn."""

    def __init__(self, thing, start, seen, times, early=False):
        self.thing, self.start, self.times = thing, start, times
        self.points, self.image = seen
        self.rollout = thing.rollout(walls=not early)
        if early:
            self._keep(self.times[self.image] < EARLY)

    def _keep(self, chosen):
        self.points, self.image = self.points[chosen], self.image[chosen]

    def thinned(self):
        """Every THIN-th point."""
        self._keep(slice(None, None, THIN))
        return self

    def state(self, theta):
        """(position, size, quaternion)"""
        return theta[:3], theta[3], turned(self.start[2], theta[4:7]) if self.thing.kind == "box" else UPRIGHT

    def motion(self, theta):
        """[m, 7] poses."""
        try:
            return self.thing.run(self.rollout, self.state(theta), self.times)
        except TinycontactError as error:
            raise fits.Impossible(str(error)) from None

    def __call__(self, theta):
        poses = self.motion(theta)
        away = self.points - poses[self.image, :3]
        if self.thing.kind == "sphere":
            return np.linalg.norm(away, axis=1) - theta[3]
        local = np.einsum("ni,nij->nj", away, matrix(poses[:, 3:])[self.image])
        return distance(self.thing.shape(theta[3]))(local)


def fitted(thing, start, seen, times):
    """fits.Found of position, size and turn from images."""
    begin = np.concatenate([start[0], [start[1]], np.zeros(3 if thing.kind == "box" else 0)])
    early, late = Misfit(thing, start, seen, times, early=True).thinned(), Misfit(thing, start, seen, times).thinned()
    tried = []
    for size in np.linspace(thing.least(), 1.25 * start[1], TRIED):
        theta = fits.fit(early, thing.unknowns(begin, size), 1).theta
        try:
            tried.append((float(np.mean(late(theta) ** 2)), theta))
        except fits.Impossible:
            continue
    tried = [theta for _, theta in sorted(tried, key=lambda one: one[0])[:KEPT]] or [begin]
    best = min((fits.fit(late, thing.unknowns(theta), 1) for theta in tried), key=lambda one: one.loss)
    return fits.fit(Misfit(thing, start, seen, times), thing.unknowns(best.theta), 1)


def run(count, seed, pick):
    times, found = np.concatenate([[0.0], instants(SECONDS)]), []
    for variant, k, thing, true, start, rng in pick(list(draws(count, seed))):
        seen = images(thing, true, thing.run(thing.rollout(), true, times), rng)
        ended = fitted(thing, start, seen, times)
        got = Misfit(thing, start, seen, times).state(ended.theta)
        for quantity, error, begun in zip(("position [m]", "size [m]", "rotation [rad]"), _errors(got, true),
                                          _errors(start, true)):
            if quantity != "rotation [rad]" or thing.kind == "box":
                found.append(Result("depth", variant, k, quantity, begun, error, ended.best.iterations, TRIED))
    return found


def _errors(got, true):
    """Of position, size, rotation."""
    cosine = min(abs(float(np.dot(got[2], true[2]))), 1.0)
    return float(np.linalg.norm(got[0] - true[0])), abs(float(got[1] - true[1])), 2 * float(np.arccos(cosine))
