# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Scenes of shapes simulated: the states at equal intervals, what touched between them, and their log.

    found = simulate(load("push.json"), seconds=2, every=0.1)
    found.t, found.poses, found.velocities, found.contacts, found.note
"""
from dataclasses import dataclass

import numpy as np

from ..csvfile import write_columns
from ..errors import TinycontactError
from .native import STEP, Rollout

MOST_TIMES = 1_000_000
STATE = {"position": ("poses", slice(0, 3)), "quat_wxyz": ("poses", slice(3, 7)),
         "velocity": ("velocities", slice(0, 3)), "angular_velocity": ("velocities", slice(3, 6))}
COLUMNS = ("x", "y", "z", "qw", "qx", "qy", "qz", "vx", "vy", "vz", "wx", "wy", "wz")


@dataclass
class Found:
    scene: object
    t: np.ndarray             # [n]
    poses: np.ndarray         # [n, bodies, 7]
    velocities: np.ndarray    # [n, bodies, 6]
    impulses: np.ndarray      # [n, bodies, bodies, 3]
    steps: int
    deepest: float            # smallest gap of a pair at the times [m]
    between: tuple            # its bodies
    joint_error: float        # largest distance of what a joint ties, at the times after the first [m]; None without
    note: str

    @property
    def contacts(self):
        """[{t, a, b, impulse}]: what b did to a since the time before."""
        names = self.scene.names
        touched = np.argwhere(np.abs(self.impulses).max(axis=3) > 0)
        return [{"t": float(self.t[i]), "a": names[a], "b": names[b], "impulse": self.impulses[i, a, b].tolist()}
                for i, a, b in touched]

    def as_json(self):
        bodies = {body.name: {field: getattr(self, array)[:, k, part].tolist() for field, (array, part) in STATE.items()}
                  for k, body in enumerate(self.scene.bodies)}
        return {"name": self.scene.name, "t": self.t.tolist(), "bodies": bodies, "contacts": self.contacts,
                "steps": self.steps, "deepest": self.deepest, "between": list(self.between),
                "joint_error": self.joint_error, "note": self.note}


def instants(seconds, every):
    """0, every, 2 every, ... up to seconds."""
    n = int(np.floor(seconds / every * (1 + 1e-12))) + 1
    if n > MOST_TIMES:
        raise TinycontactError(f"--every {every:g}: {n} instants, at most {MOST_TIMES} can be")
    return every * np.arange(n)


def simulate(scene, seconds, every, step=STEP, real="double", tell=None):
    rollout = Rollout(scene, real, step, impulses=True)
    t = instants(seconds, every)
    poses, velocities = rollout.run(t, tell)
    last, names = rollout.last, scene.names
    paired = np.isfinite(last.deepest)
    apart = max(map(scene.ties.error, poses[1:]), default=0.0) if scene.ties.joints else None
    return Found(scene, t, poses, velocities, rollout.impulses, last.steps, last.deepest if paired else None,
                 tuple(names[k] for k in last.pair) if paired else (), apart, rollout.note)


def write_log(path, found):
    """A CSV of columns t, body, x, ..., wz, a row per instant and moving body: as `scene identify` reads observations."""
    moving = [k for k, body in enumerate(found.scene.bodies) if body.moving]
    rows = np.concatenate([found.poses[:, moving], found.velocities[:, moving]], axis=2).reshape(-1, 13)
    t, names = np.repeat(found.t, len(moving)), [found.scene.names[k] for k in moving] * len(found.t)
    write_columns(path, ["t", "body", *COLUMNS], [t, names, *rows.T])
