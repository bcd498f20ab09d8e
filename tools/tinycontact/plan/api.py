# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The barrier of a pair as a differentiable function of NumPy arrays, and roll-outs of scenes, by the library itself.

    value, by = barrier(a, b, radius_a, radius_b)     # by["a"] [count, D]: derivative by each vertex of a
    roll = Rollout(scenefile.load("push.json"))
    q = roll(controls)                                 # coordinates [steps + 1, n]
    by = roll.vjp(by_q)                                # by["controls"] = by_q . dq/dcontrols

float32 arrays are computed by the library's float32 build, all others in float64. jax_api.py and torch_api.py wrap the
same functions.
"""
import numpy as np

from ..errors import TinycontactError
from ..library import Library
from .native import NativeScene
from .pair import Model, solver
from .reference import shaped


def barrier(a, b, radius_a=0.0, radius_b=0.0, A=12.0, kappa=1.0, length=0.0):
    """(value, {"a", "b", "radius_a", "radius_b": derivative}) of vertices a, b [count, 2 or 3] in the world."""
    a, b = np.asarray(a), np.asarray(b)
    double = not (a.dtype == np.float32 and b.dtype == np.float32)
    found = solver(double).solve({"A": a.tolist(), "B": b.tolist(), "radius_A": float(radius_a), "radius_B": float(radius_b)},
                                 Model(float(A), float(kappa), float(length)))
    if found.status == "bad_input":
        raise TinycontactError(f"barrier: {found.message}")
    real = np.float64 if double else np.float32
    if found.status == "touching":
        zero = {"a": np.zeros_like(a, real), "b": np.zeros_like(b, real)}
        return real(np.inf), {**zero, "radius_a": real(0), "radius_b": real(0)}
    n, size = found.plane[:-1], np.linalg.norm(found.plane[:-1])
    u = a.astype(float) @ n + found.plane[-1] - radius_a * size
    v = -(b.astype(float) @ n) - found.plane[-1] - radius_b * size
    # at the best plane the plane's own derivative does not count
    _, slope, _ = shaped(np.sqrt(size * ((1 / u).sum() + (1 / v).sum())), A, kappa, length)
    by = {"a": -slope * n / u[:, None] ** 2, "b": slope * n / v[:, None] ** 2,
          "radius_a": slope * size * (1 / u**2).sum(), "radius_b": slope * size * (1 / v**2).sum()}
    return real(found.value), {name: np.asarray(x, real) for name, x in by.items()}


class Rollout:
    """Roll-outs of a scenefile.Scene and their derivatives by the controls of each step, and by the start's increments."""

    def __init__(self, scene, steps=None, double=True):
        self.native = NativeScene(scene, Library(real="double" if double else "float"))
        self.steps, self._run = steps or scene.steps, None

    def __call__(self, controls=None, coordinates=None, velocity=None):
        """q [steps + 1, coordinates] from the scene's start or another, under controls [rows, controls]: the last row
        holds on."""
        scene = self.native.scene
        controls = scene.controls if controls is None else controls
        self._run = self.native.roll(self.native.start(coordinates, velocity), controls, self.steps)
        if self._run.report.done < self.steps:
            raise TinycontactError(f"{scene.name}: {self.native.told(self._run.report)}")
        return self._run.states[:, :self.native.sizes.coordinates].copy()

    def vjp(self, by_q):
        """{"controls": [steps, controls], "start": [freedoms], "velocity": [freedoms]} of a cotangent by_q of q of the
        last call; of scenes whose coordinates are their freedoms, such as in the plane."""
        sizes = self.native.sizes
        if sizes.coordinates != sizes.freedoms:
            raise TinycontactError("vjp: the scene has quaternions; NativeScene.pull takes increments instead")
        gradients = np.zeros((self.steps + 1, sizes.tangent))
        gradients[:, :sizes.freedoms] = np.asarray(by_q, float).reshape(self.steps + 1, sizes.freedoms)
        by_state, by_control = self.native.pull(self._run, gradients)
        now, before = by_state[:sizes.freedoms], by_state[sizes.freedoms:]
        return {"controls": by_control, "start": now + before, "velocity": -self.native.scene.h * before}
