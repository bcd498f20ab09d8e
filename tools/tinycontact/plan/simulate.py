# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Roll-outs of a scene, and where its bodies are."""
from dataclasses import dataclass

import numpy as np

from ..errors import TinycontactError
from .native import NativeScene, Report
from .reference import turn
from .scenefile import WORLD, Scene


@dataclass
class Found:
    """A roll-out. q, v [steps + 1, coordinates and freedoms], control [steps, controls]."""
    scene: Scene
    t: np.ndarray
    q: np.ndarray
    v: np.ndarray
    control: np.ndarray
    report: Report
    note: str = ""

    def as_json(self):
        scene, bodies = self.scene, {}
        for body, (at, free) in zip(scene.bodies, scene.spans):
            bodies[body.name] = {name: values.tolist()
                                 for name, values in named(body, scene.dimension, self.q[:, at], self.v[:, free]).items()}
        gap = float(self.report.gap)
        touches = bool(scene.pairs or scene.floors)
        return {"name": scene.name, "h": scene.h, "mu": scene.mu, "t": self.t.tolist(), "bodies": bodies,
                "controls": [list(name) for name in scene.control], "control": self.control.tolist(),
                "newton": int(self.report.newton), "gap": gap if touches and np.isfinite(gap) else None, "note": self.note}


def named(body, dimension, q, v):
    """{name of a part of the state: rows}"""
    if body.joint == "free" and dimension == 2:
        return {"position": q[:, :2], "angle": q[:, 2], "velocity": v[:, :2], "angular_velocity": v[:, 2]}
    if body.joint == "free":
        return {"position": q[:, :3], "quat_wxyz": q[:, 3:], "velocity": v[:, :3], "angular_velocity": v[:, 3:]}
    if body.joint == "ball":
        return {"quat_wxyz": q, "angular_velocity": v}
    if body.joint == "weld":
        return {}
    return {"angle" if body.joint == "hinge" else "distance": q[:, 0], "rate": v[:, 0]}


def split(native, states):
    """(q, v) of states [rows, state]: v by the increments of each step."""
    s, h = native.sizes, native.scene.h
    q = np.asarray(states[:, :s.coordinates], float)
    v = np.zeros((len(states), s.freedoms))
    for k, state in enumerate(states):
        past = np.concatenate([state[s.coordinates:], state[s.coordinates:]])
        v[k] = native.difference(state, past)[:s.freedoms] / h
    return q, v


def simulate(scene, library=None, steps=None, where=None):
    """The Found of a scene and its controls."""
    with NativeScene(scene, library, where) as native:
        run = native.roll(native.start(), scene.controls, steps or scene.steps, keep=False)
        return found_of(native, run)


def expect_apart(scene, library, where):
    """Refuses a scene whose bodies touch at its start, by their names."""
    with NativeScene(scene, library, where) as native:
        report = native.roll(native.start(), scene.controls, 1, keep=False).report
        between = native.between(report)
        if report.done == 0 and between:
            raise TinycontactError(f"{where}: {between} touch or overlap at the start")


def found_of(native, run):
    done = len(run.states) - 1
    rows = np.minimum(np.arange(done), len(run.controls) - 1)
    q, v = split(native, run.states)
    return Found(native.scene, native.scene.h * np.arange(done + 1), q, v, np.asarray(run.controls[rows], float), run.report,
                 native.told(run.report))


# ---- Where bodies are

def rotation(q):
    """[3, 3] of a quaternion w, x, y, z."""
    w, x, y, z = q
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                     [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                     [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])


def poses(scene, q):
    """[(rotation [D, D], place of the centre of mass [D])] of all bodies at coordinates q."""
    found = []
    for body, (at, _) in zip(scene.bodies, scene.spans):
        found.append(_pose(scene, body, q[at], found))
    return found


def _pose(scene, body, q, before):
    D = scene.dimension
    if body.joint == "free":
        return (turn(q[2:]) if D == 2 else rotation(q[3:])), q[:D]
    R, x = (np.eye(D), np.zeros(D)) if body.parent == WORLD else before[body.parent]
    rest = turn(body.rest[:1]) if D == 2 else rotation(body.rest)
    own, slid = np.eye(D), np.zeros(D)
    if body.joint == "hinge":
        own = turn(q) if D == 2 else turn(body.axis * q[0])
    elif body.joint == "ball":
        own = rotation(q)
    elif body.joint == "slide":
        slid = body.axis[:D] * q[0]
    turned = R @ own @ rest
    return turned, x + R @ (body.anchor_at[:D] + slid) - turned @ body.anchor[:D]
