# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""A pile of four boxes for ten seconds, 16 contacts: the library's scenes beside MuJoCo, in one process.

    python -m tinycontact.peers.pile [--json out.json]

Each advances by its own call for many steps. Times are processor time, the best of some rounds, taken in turn. The
overlap is the deepest after half a second, the drift how far a box moves sideways or down from its place in the pile.
"""
import argparse
import json
import sys
import time

import numpy as np

from ..model import write_whole
from ..scene.native import Rollout
from ..scene.scenefile import Scene
from ..sim import peers as simulators

HALF, SHIFT, COUNT, FRICTION = 0.1, 0.02, 4, 0.5
SECONDS, ROUNDS = 10.0, 3
STEPS = (0.001, 0.002, 0.004, 0.01)   # [s]


def start():
    """Where the centres of the boxes are, [4, 3]."""
    k = np.arange(COUNT)
    return np.stack([SHIFT * k, 0 * k, HALF * (2 * k + 1)], axis=1)


def _timed(work):
    begun = time.process_time()
    found = work()
    return time.process_time() - begun, found


class Ours:
    def __init__(self, real):
        self.name = f"tinycontact {real}"
        boxes = [{"name": f"b{k}", "shape": {"kind": "box", "h": [HALF] * 3}, "mass": 1.0, "position": at.tolist()}
                 for k, at in enumerate(start())]
        floor = {"name": "floor", "shape": {"kind": "halfspace"}, "moving": False}
        self.rollout = Rollout(Scene({"friction": FRICTION, "bodies": [*boxes, floor]}), real)

    def run(self, step):
        self.rollout.step = step
        poses, _ = self.rollout.run(np.arange(0, SECONDS + 1e-9, 0.5))
        return poses[:, :COUNT, :3], -self.rollout.last.deepest


class MuJoCo:
    def __init__(self, engine, cone):
        self.engine, self.cone, self.name = engine, cone, f"mujoco {cone}"

    def run(self, step):
        bodies = "".join(f'<body pos="{x} {y} {z}"><freejoint/><geom type="box" size="{HALF} {HALF} {HALF}" mass="1"'
                         f' friction="{FRICTION}"/></body>' for x, y, z in start())
        model = self.engine.MjModel.from_xml_string(
            f'<mujoco><option timestep="{step}" cone="{self.cone}"/><worldbody><geom type="plane" size="9 9 1"'
            f' friction="{FRICTION}"/>{bodies}</worldbody></mujoco>')
        data = self.engine.MjData(model)
        seen, deepest = [data.qpos.reshape(-1, 7)[:, :3].copy()], 0.0
        for _ in range(round(SECONDS / 0.5)):
            self.engine.mj_step(model, data, round(0.5 / step))
            seen.append(data.qpos.reshape(-1, 7)[:, :3].copy())
            deepest = max(deepest, -min((contact.dist for contact in data.contact), default=0.0))
        return np.array(seen), deepest


def compare(engines, steps=STEPS, rounds=ROUNDS):
    """[{name, step, us_per_step, us_per_second, overlap, drift}]"""
    found = []
    for step in steps:
        best = {engine.name: np.inf for engine in engines}
        told = {}
        for _ in range(rounds):
            for engine in engines:
                seconds, told[engine.name] = _timed(lambda: engine.run(step))
                best[engine.name] = min(best[engine.name], seconds)
        for engine in engines:
            places, overlap = told[engine.name]
            found.append({"name": engine.name, "step": step, "us_per_step": 1e6 * best[engine.name] * step / SECONDS,
                          "us_per_second": 1e6 * best[engine.name] / SECONDS, "overlap": float(overlap),
                          "drift": float(np.abs(places[-1] - places[0]).max())})
    return found


def main(words=None):
    p = argparse.ArgumentParser(prog="python -m tinycontact.peers.pile", description=__doc__.splitlines()[0])
    p.add_argument("--json", metavar="OUT.json")
    options = p.parse_args(words)
    engine = simulators.mujoco("a pile in another simulator")
    found = compare([Ours("double"), Ours("float"), MuJoCo(engine, "pyramidal"), MuJoCo(engine, "elliptic")])
    print(f"{'':20s} step [ms]  us per step  us per simulated s  overlap [m]  drift [m]")
    for row in found:
        print(f"{row['name']:20s} {1e3 * row['step']:9g} {row['us_per_step']:12.1f} {row['us_per_second']:19.0f}"
              f" {row['overlap']:12.2g} {row['drift']:10.2g}")
    if options.json:
        write_whole(options.json, (json.dumps(found, indent=1) + "\n").encode("utf-8"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
