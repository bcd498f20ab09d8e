# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Roll-outs of scenes by the library's own step, in float32 or double.

    run = simulate(systems.named("BP5"))
    run.q, run.v, run.energy       # steps + 1 rows
    run.contacts                   # what touched when, with which impulse
"""
from dataclasses import dataclass

import numpy as np

from ..csvfile import write_columns
from ..errors import BY_VALUE, StatusError, TinycontactError
from .native import NativeScene
from .systems import draw_free

JOINT_ERROR = 1e-3   # of a start [m]
NOTES = {"TC_NOTE_LIMIT": "more contacts or impacts than a step takes, or a solver at its bound",
         "TC_NOTE_FALLBACK": "an impact without a certified answer: its contacts were stopped",
         "TC_NOTE_PRECISION": "an impact solved to less than full precision"}


@dataclass
class Run:
    """Row n: q, v and energy (kinetic, potential) at time n h. `contacts` has rows of step, source, feature,
    impulse [3] and point [3]; `note` what the library said of the steps, in words."""
    scene: object
    q: np.ndarray
    v: np.ndarray
    energy: np.ndarray
    contacts: np.ndarray
    note: str = ""
    impacts: int = 0
    dropped: int = 0
    residual: float = 0.0

    @property
    def t(self):
        return self.scene.h * np.arange(len(self.q))

    def as_json(self):
        scene, n = self.scene, self.scene.dimension
        return {"name": scene.name, "law": scene.law, "h": scene.h, "t": self.t.tolist(),
                "bodies": {body.name: _body_json(body, n, self.q[:, at], self.v[:, rate])
                           for body, (at, rate) in zip(scene.bodies, scene.spans)},
                "contacts": [{"step": int(row[0]), "t": scene.h * row[0], "a": scene.sources[int(row[1])][0],
                              "b": scene.sources[int(row[1])][1], "feature": int(row[2]),
                              "impulse": row[3:3 + n].tolist(), "point": row[6:6 + n].tolist()}
                             for row in self.contacts],
                "energy": self.energy.sum(axis=1).tolist(), "kinetic": self.energy[:, 0].tolist(),
                "potential": self.energy[:, 1].tolist(), "impacts": self.impacts, "dropped": self.dropped,
                "residual": self.residual, "note": self.note}


def _body_json(body, dimension, q, v):
    if body.kind == "chain":
        return {"coordinates": q.tolist(), "rates": v.tolist()}
    found = {"position": q[:, :dimension].tolist(), "velocity": v[:, :dimension].tolist()}
    if body.kind == "body" and dimension == 2:
        found |= {"angle": q[:, 2].tolist(), "omega": v[:, 2].tolist()}
    elif body.kind == "body":
        found |= {"quaternion": q[:, 3:].tolist(), "omega": v[:, 3:].tolist()}
    return found


def columns(scene):
    """(columns of q, columns of v) of a log, in the library's order: ball1.x, ball1.vx, ..."""
    q, v = [], []
    axes = "xyz"[:scene.dimension]
    for body in scene.bodies:
        n, d = body.sizes(scene.dimension)
        if body.kind == "chain":
            places, rates = [f"q{k + 1}" for k in range(n)], [f"qd{k + 1}" for k in range(d)]
        else:
            places, rates = list(axes), [f"v{axis}" for axis in axes]
            if body.kind == "body":
                places += ["theta"] if scene.dimension == 2 else ["qw", "qx", "qy", "qz"]
                rates += ["omega"] if scene.dimension == 2 else ["wx", "wy", "wz"]
        q += [f"{body.name}.{name}" for name in places]
        v += [f"{body.name}.{name}" for name in rates]
    return q, v


def write_log(path, runs):
    """A log of runs of one scene: run, t, and per body coordinates and rates."""
    scene = runs[0].scene
    q, v = columns(scene)
    run = np.concatenate([np.full(len(r.q), k) for k, r in enumerate(runs)])
    t = np.concatenate([r.t for r in runs])
    states = [np.concatenate([getattr(r, name) for r in runs]).T for name in "qv"]
    write_columns(path, ["run", "t", *q, *v], [run, t, *states[0], *states[1]])


def _note(roll):
    if not roll.notes:
        return ""
    status = BY_VALUE[roll.note][0]
    more = f" and {roll.notes - 1} more" if roll.notes > 1 else ""
    return f"{NOTES.get(status, BY_VALUE[roll.note][1])} at step {roll.noted}{more} ({status})"


def check_start(scene, native, q, v, where):
    """Refuses a start that the library refuses, or at which joints are apart."""
    status, _, _, errors = native.look(q, v)
    if status < 0:
        raise TinycontactError(f"{where}, field start: {StatusError('tc_scene_place', status)}")
    if len(errors) and not np.abs(errors).max() <= JOINT_ERROR:
        raise TinycontactError(f"{where}, field start: a joint is {np.abs(errors).max():.3g} m apart,"
                               f" at most {JOINT_ERROR:g} is allowed")


def roll_out(native, q, v, steps, where):
    """A Run from q, v."""
    scene = native.scene
    check_start(scene, native, q, v, where)
    roll, Q, V, energy, touches = native.roll(q, v, steps)
    if roll.status < 0:
        raise TinycontactError(f"{where}: {StatusError('tc_scene_step', roll.status, f'step {roll.done + 1}')}")
    return Run(scene, Q, V, energy, touches, _note(roll), roll.impacts, roll.dropped, roll.residual)


def simulate(scene, library=None, steps=None, where=None):
    """A Run of a scene from its own start."""
    where = where or scene.name
    with NativeScene(scene, library, where) as native:
        return roll_out(native, scene.q, scene.v, scene.steps if steps is None else steps, where)


def simulate_random(scene, runs, seed, library=None, steps=None, where=None, each=None):
    """Runs from random starts at which nothing overlaps; run k of a seed is the same whatever `runs` is. `each`
    takes the indices and yields them, for a bar."""
    where = where or scene.name
    found = []
    with NativeScene(scene, library, where) as native:
        for k in (each or iter)(range(runs)):
            rng = np.random.default_rng([seed, k])
            q, v = draw_free(scene, native, rng)
            found.append(roll_out(native, q, v, scene.steps if steps is None else steps, f"{where}, run {k}"))
    return found
