# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The push in MuJoCo, whose contacts act on touch: derivatives of a plan by finite differences, and their mean over
disturbed controls (gradient bundles), at the start of a search. Beside them the library's derivative of the same plan."""
import numpy as np

from ..build import missing
from ..errors import TinycontactError
from ..library import Library
from . import optimise, scenes, taskfile
from .native import NativeScene

KNOTS, INNER = 20, 10          # knots of 0.04 s, of 10 steps each
STEP = 1e-4                    # [m] of the differences
SPREAD, BUNDLE = 0.05, 8       # [m] of disturbed controls, and how many
XML = """<mujoco><option timestep="0.004" gravity="0 0 0"/><worldbody>
<body name="box"><joint type="slide" axis="1 0 0" frictionloss="1.5"/><joint type="slide" axis="0 1 0" frictionloss="1.5"/>
<joint type="hinge" axis="0 0 1" frictionloss="0.12"/><geom type="box" size="0.1 0.1 0.05" mass="0.5"/></body>
<body name="rod"><joint name="x" type="slide" axis="1 0 0" damping="10"/><joint name="y" type="slide" axis="0 1 0" damping="10"/>
<joint name="turn" type="hinge" axis="0 0 1" damping="0.05"/>
<geom type="capsule" fromto="0 -0.05 0 0 0.05 0" size="0.01" mass="0.2"/></body></worldbody>
<actuator><position joint="x" kp="200"/><position joint="y" kp="200"/><position joint="turn" kp="1"/></actuator></mujoco>"""


class Push:
    def __init__(self, seed):
        try:
            import mujoco
        except ImportError:
            raise TinycontactError(f"the baseline needs mujoco: {missing('mujoco', 'hil', 'sim')}") from None
        self.mujoco, self.model = mujoco, mujoco.MjModel.from_xml_string(XML)
        self.data = mujoco.MjData(self.model)
        value = scenes.task("push", seed)
        self.rod = np.array([*value["scene"]["bodies"][1]["position"], 0.0])
        self.target = np.array(value["goals"][0]["target"])

    def cost(self, controls):
        self.mujoco.mj_resetData(self.model, self.data)
        self.data.qpos[3:] = self.rod
        for control in controls:
            self.data.ctrl[:] = control
            for _ in range(INNER):
                self.mujoco.mj_step(self.model, self.data)
        return float(((self.data.qpos[:2] - self.target) ** 2).sum())

    def gradient(self, controls):
        """By the rod's place at each knot [KNOTS, 2], by central differences."""
        found = np.zeros((KNOTS, 2))
        for k in range(KNOTS):
            for i in range(2):
                pair = []
                for sign in (1, -1):
                    moved = controls.copy()
                    moved[k, i] += sign * STEP
                    pair.append(self.cost(moved))
                found[k, i] = (pair[0] - pair[1]) / (2 * STEP)
        return found


def judged(job):
    """A row of (seed,): sizes of the derivatives at the start."""
    seed, = job
    push, rng = Push(seed), np.random.default_rng(seed)
    rest = np.tile(push.rod, (KNOTS, 1))
    plain = push.gradient(rest)
    bundle = [push.gradient(rest + np.pad(rng.normal(0, SPREAD, (KNOTS, 2)), ((0, 0), (0, 1)))) for _ in range(BUNDLE)]
    task = taskfile.from_dict({**scenes.task("push", seed), "horizon": KNOTS, "frames": 0}, "push")
    with NativeScene(task.scene, Library(real="double")) as native:
        own = optimise.Plan(task, native).gradient(native.start(), rest)[1][:, :2]
    return {"seed": seed, "library": float(np.abs(own).max()), "differences": float(np.abs(plain).max()),
            "bundle": float(np.abs(np.mean(bundle, axis=0)).max()), "samples": BUNDLE,
            "samples_that_touch": int(sum(bool(np.abs(g).max() > 0) for g in bundle))}


def table(sweep, seed=1, number=10):
    return sweep.run(judged, [(seed + k,) for k in range(number)], "draws")


def summary(rows):
    """Cells per method: how many derivatives are not 0, and their median."""
    return [[label, f"{sum(row[key] > 0 for row in rows)} of {len(rows)}", f"{np.median([row[key] for row in rows]):.1e}"]
            for label, key in (("the library's barrier, bounded far part", "library"), ("MuJoCo, finite differences", "differences"),
                               (f"MuJoCo, bundles of {BUNDLE}", "bundle"))]
