# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Sizes, masses, forces, materials and starts of a scene from what was seen of its motion.

    rollout = native.Rollout(scenefile.load("ball.json"))
    found = identify(rollout, observations.read("obs.csv", ["ball"]), ["ball.shape.r", "friction"])
    found.parameters["ball.shape.r"].value, .deviation, .interval

Differences are divided by a scale of their quantity: positions by how far the bodies go, rates and velocities by
their root mean square, orientations by 1 rad. Where several quantities are seen and leave something unexplained,
the fit is repeated with each quantity divided by what the first fit left of it.
"""
from dataclasses import dataclass

import numpy as np

from ..errors import TinycontactError
from . import fit as fits
from .native import DIRECTIONS, Unsmooth
from .parameters import parameters

STARTS = 8
AGAIN = 2          # fits with the scales of what was left
UNEVEN = 1e-3      # least share of the largest relative rest that a quantity's rest counts as


@dataclass
class Identified:
    """One parameter. Lists have a list each; an orientation's deviation is that of its rotation vector [rad]."""
    value: object
    deviation: object
    interval: object     # [low, high], 95 %; None where not told
    at_bound: bool


@dataclass
class Answer:
    parameters: dict     # {path: Identified}
    loss: float          # half the mean square of the scaled differences
    iterations: int
    starts: int
    impossible: int      # starts that could not be simulated
    minima: list         # [({path: value}, loss)] where other starts ended
    residual: dict       # {quantity: root mean square of its differences, SI}
    scene: dict          # with the values found
    found: fits.Found
    poses: np.ndarray    # [n, bodies, 7] of the answer at the observations' times
    velocities: np.ndarray   # [n, bodies, 6]

    def as_json(self):
        return {"parameters": {path: {"value": one.value, "deviation": one.deviation, "interval": one.interval}
                               for path, one in self.parameters.items()},
                "loss": self.loss, "iterations": self.iterations, "starts": self.starts,
                "impossible_starts": self.impossible, "residual": self.residual,
                "other_minima": [{"parameters": values, "loss": loss} for values, loss in self.minima]}


def _plain(values):
    """A number or nested lists; None for what is not finite."""
    if isinstance(values, list):
        return [_plain(v) for v in values]
    return float(values) if np.isfinite(values) else None


class Model:
    """A scene's motion as a function of its parameters' numbers."""

    def __init__(self, rollout, chosen, times):
        self.rollout, self.chosen, self.times = rollout, chosen, times
        ends = np.cumsum([0, *(len(p.unknowns) for p in chosen)])
        self.spans = [slice(a, b) for a, b in zip(ends, ends[1:])]

    def values(self, theta):
        return {p.path: _plain(p.value(theta[span]).tolist()) for p, span in zip(self.chosen, self.spans)}

    def run(self, theta):
        """(poses [n, bodies, 7], velocities [n, bodies, 6]), or fits.Impossible."""
        try:
            self._set(theta)
            return self.rollout.run(self.times)
        except TinycontactError as error:
            raise fits.Impossible(str(error)) from None


    def _set(self, theta):
        for path, value in self.values(theta).items():
            self.rollout.set(path, value)

    def linear(self, theta, seen, weights):
        """(weighted residuals [m], their derivatives [m, p], NaN by what has none), or None where there are none."""
        try:
            self._set(theta)
            nearby = [self.rollout.nearby(p, theta[span], j, u)
                      for p, span in zip(self.chosen, self.spans) for j, u in enumerate(p.unknowns)]
            smooth = [k for k, one in enumerate(nearby) if not self.rollout.unsmooth(one)]
            parts = [self.rollout.along(self.times, [nearby[k] for k in smooth[i:i + DIRECTIONS]])
                     for i in range(0, len(smooth), DIRECTIONS)]
        except Unsmooth:
            return None
        except TinycontactError as error:
            raise fits.Impossible(str(error)) from None
        if not parts or any(part.note for part in parts):
            return None
        motion = parts[0].motion
        r = weights * seen.residuals(*motion)
        A = np.full((len(r), len(nearby)), np.nan)
        A[:, smooth] = np.concatenate([seen.derivative(motion[0], part.poses, part.velocities) for part in parts], axis=1)
        return r, weights[:, None] * A


def _share(spread, scale):
    """The scales that another fit uses, or None if the first ones will do."""
    rest = {name: spread[name] / scale[name] for name in scale}
    worst = max(rest.values())
    if len(rest) < 2 or worst <= fits.EXACT:
        return None
    return {name: scale[name] * max(rest[name], UNEVEN * worst) for name in scale}


def _fitted(model, seen, unknowns, weights, starts, tell, when=None):
    return fits.fit(lambda theta: weights * seen.residuals(*model.run(theta)), unknowns, starts, tell, when,
                    lambda theta: model.linear(theta, seen, weights))


def _refined(model, seen, found, unknowns, tell):
    """The fit once more with each quantity's rest as its scale."""
    for _ in range(AGAIN):
        scale = _share(seen.spread(seen.residuals(*model.run(found.theta))), seen.scale)
        if scale is None:
            break
        weights = seen.weights(scale)
        near = [fits.Unknown(u.name, float(x), u.low, u.high, u.reach, u.logarithmic)
                for u, x in zip(unknowns, found.theta)]
        again = _fitted(model, seen, near, weights, 1, tell)
        again.starts, again.impossible, again.others = found.starts, found.impossible, found.others
        again.best.iterations += found.best.iterations
        found = again
    return found


def _judged(model, found):
    """{path: Identified} of a fit."""
    deviation, t = found.deviation, fits.student(found.freedom)
    told = {}
    for p, span in zip(model.chosen, model.spans):
        value, off = p.value(found.theta[span]), deviation[span]
        if p.is_turn:
            low_high = None
        else:
            off = off.reshape(p.start.shape)
            low_high = _plain([(value - t * off).tolist(), (value + t * off).tolist()])
        bound = any(x <= u.low or x >= u.high for u, x in zip(p.unknowns, found.theta[span]))
        told[p.path] = Identified(_plain(value.tolist()), _plain(off.tolist()), low_high, bound)
    return told


def identify(rollout, seen, paths, *, starts=STARTS, bounds=None, tell=None):
    """An Answer. rollout: native.Rollout of the scene whose values are the start; it has the answer's values after.
    seen: Observations; bounds: {path: (low, high)}. fits.Impossible if no start can be simulated."""
    chosen = parameters(rollout.scene, paths, bounds)
    model = Model(rollout, chosen, seen.times)
    unknowns = [u for p in chosen for u in p.unknowns]
    weights = seen.weights()
    found = _fitted(model, seen, unknowns, weights, starts, tell, seen.when)
    others = [(model.values(minimum.theta), minimum.loss) for minimum in found.others]
    found = _refined(model, seen, found, unknowns, tell)
    poses, velocities = model.run(found.theta)
    r = seen.residuals(poses, velocities)
    loss = 0.5 * float(np.mean((weights * r) ** 2))
    return Answer(_judged(model, found), loss, found.best.iterations, found.starts, found.impossible, others,
                  seen.spread(r), rollout.scene.value, found, poses, velocities)
