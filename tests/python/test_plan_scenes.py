# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Scenes of `tinycontact plan`: the library's steps against a twin in NumPy and against physics by hand, derivatives of
roll-outs against differences, and each mistake in a file, named."""
import copy
import json
import unittest
from pathlib import Path

import numpy as np

from tinycontact_case import Temporary

from tinycontact.errors import TinycontactError
from tinycontact.library import Library
from tinycontact.plan import billiards, discs, scenefile, scenes, simulate
from tinycontact.plan.native import NativeScene

BALL = {"name": "drop", "dimension": 3, "h": 0.01, "steps": 150, "mu": 1e-8, "friction": 0.3,
        "bodies": [{"name": "ball", "pieces": [{"kind": "sphere", "r": 0.1}], "mass": 0.5, "position": [0, 0, 0.3],
                    "velocity": [0.5, 0, 0], "angular_velocity": [0, 0, 1]}],
        "floors": [{"name": "floor", "normal": [0, 0, 1]}]}
SPACE = {"dimension": 3, "pairs": "all", "gravity": [0, 0, 0], "bodies": [
    {"name": "ball", "pieces": [{"kind": "sphere", "r": 0.1}], "mass": 1.0, "position": [0, 0, 1], "quat_wxyz": [1, 0, 0, 0],
     "drive": "force", "driven": ["x", "rz"]},
    {"name": "lid", "pieces": [{"kind": "box", "h": [0.1, 0.2, 0.1], "r": 0.02}], "mass": 1.0, "joint": "hinge",
     "parent": "world", "axis": [0, 1, 0], "anchor_at": [1, 0, 1], "anchor": [0.2, 0, 0], "angle": 0.1, "rate": -0.3}],
    "control": {"ball": [[2, 0.1], [1, 0]]}, "h": 0.02, "steps": 20}


def scene(value, **changes):
    return scenefile.from_dict({**copy.deepcopy(value), **changes}, "scene")


class Physics(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        cls.library = Library(real="double")

    def test_a_ball_drops_and_rests_on_the_floor(self):
        found = simulate.simulate(scene(BALL), self.library)
        h, fall = 0.01, found.q[:20, 2]
        np.testing.assert_allclose(fall, 0.3 - 9.81 * h * h * np.arange(20) * np.arange(1, 21) / 2, atol=2e-5)
        self.assertGreater(found.report.gap, 0)
        rest = np.sqrt(1e-8 / (0.5 * 9.81))     # mu / gap^2 carries the weight
        self.assertAlmostEqual(found.q[-1, 2] - 0.1, rest, delta=0.05 * rest)
        self.assertLess(np.linalg.norm(found.v[-1, :2] - [0.1 * found.v[-1, 4], -0.1 * found.v[-1, 3]]), 0.02)   # it rolls

    def test_momentum_stays_where_nothing_holds(self):
        value = scenes.scene("billiards")
        value["bodies"][0]["velocity"] = [0.1, 1.5]
        value["steps"] = 60
        for real, near in (("double", 1e-8), ("float", 2e-4)):
            found = simulate.simulate(scenefile.from_dict(value, "billiards"), Library(real=real))
            momentum = found.v.reshape(len(found.t), -1, 3)[:, :, :2].sum(1)
            np.testing.assert_allclose(momentum[1:], [[0.1, 1.5]] * 60, atol=near)
            self.assertGreater(np.abs(found.v[-1]).reshape(-1, 3)[1:, :2].max(), 0.1)

    def test_discs_step_as_their_twin_in_numpy(self):
        table, twin = billiards.Table(self.library), discs.Discs(scenes.scene("billiards"))
        twin.steps = table.scene.steps = 40
        p = np.array([0.05, -1.0, -0.1, 2.0])
        ends, J = table.pulled(p, lambda _: np.eye(4))
        others, K = twin.pulled(p, 0, billiards.GREEN, lambda _: np.eye(4))
        np.testing.assert_allclose(ends, others, atol=1e-6)
        np.testing.assert_allclose(J, K, atol=1e-5 * np.abs(K).max())

    def test_billiards_are_drawn_with_their_marks(self):
        row = {"search": "paths", "run": 0, "reached": 1, "loss": 1e-4, "p0": 0.05, "p1": -1.0, "p2": -0.1, "p3": 2.0}
        left = billiards.drawn([row], 1).axes[0]
        self.assertEqual(len([line for line in left.lines if line.get_linestyle() == "--"]), len(billiards.GREEN))

    def test_derivatives_of_a_roll_out_are_those_of_differences(self):
        with NativeScene(scene(SPACE), self.library) as native:
            rng = np.random.default_rng(3)
            controls = np.array(native.scene.controls) + rng.normal(0, 0.5, (2, 2))
            weights = rng.normal(size=native.sizes.tangent)
            start = native.start()
            base = native.roll(start, controls, 20)
            gradients = np.zeros((21, native.sizes.tangent))
            gradients[-1] = weights
            by_state, by_control = native.pull(base, gradients)
            step = 1e-5

            def value(state, u):
                return weights @ native.difference(native.roll(state, u, 20).states[-1], base.states[-1])
            for k in range(native.sizes.tangent):
                e = step * np.eye(native.sizes.tangent)[k]
                slope = (value(native.add(start, e), controls) - value(native.add(start, -e), controls)) / (2 * step)
                self.assertAlmostEqual(by_state[k], slope, delta=2e-5 * np.abs(by_state).max(), msg=k)
            for k in range(2):     # of the first row; the second holds for all other steps
                e = np.array([step * np.eye(2)[k], [0, 0]])
                slope = (value(start, controls + e) - value(start, controls - e)) / (2 * step)
                self.assertAlmostEqual(by_control[0, k], slope, delta=2e-5 * np.abs(by_control).max())

    def test_joints_hold_where_the_pictures_draw_them(self):
        """The distance of a joint's two ends is 0 in the poses that pictures and goals use."""
        walker = scenefile.from_dict(scenes.scene("ant-push"), "ant")
        found = simulate.simulate(walker, self.library, 5)
        at = simulate.poses(walker, found.q[-1])
        self.assertGreater(np.abs(found.q[-1] - found.q[0]).max(), 1e-3)
        with NativeScene(walker, self.library) as native:
            again = native.start(found.q[-1], np.zeros(native.sizes.freedoms))
            np.testing.assert_allclose(again[:native.sizes.coordinates], found.q[-1], atol=1e-12)
        for (R, x), body in zip(at, walker.bodies):
            self.assertAlmostEqual(np.linalg.det(R), 1, delta=1e-9)
            if body.joint != "free":
                P, p = at[body.parent]
                np.testing.assert_allclose(x + R @ body.anchor, p + P @ body.anchor_at, atol=1e-9)

    def test_bodies_that_begin_touching_are_named(self):
        value = scenes.scene("push")
        value["bodies"][1]["position"] = [0.1, 0.0]
        found = simulate.simulate(scenefile.from_dict(value, "push"), self.library)
        self.assertEqual(len(found.t), 1)
        self.assertIn("box and rod", found.note)


class Files(Temporary):

    def test_every_named_scene_goes_through_a_file(self):
        for name in scenes.NAMED:
            self.command("plan simulate", name, "-o", "out.json", "--steps", "2", "--save-scene", "scene.json")
            first = json.loads(Path("out.json").read_text())
            self.command("plan simulate", "scene.json", "-o", "again.json", "--steps", "2")
            self.assertEqual(first["bodies"], json.loads(Path("again.json").read_text())["bodies"], name)

    def test_mistakes_are_named(self):
        for change, told in (
                ({"dimension": 4}, "field dimension: is 4"), ({"bodies": []}, "bodies: has 0 entries"),
                ({"mu": -1}, "field mu"), ({"gravety": [0, 0]}, "did you mean gravity"),
                ({"barrier": {"A": 0}}, "barrier, field A"), ({"steps": 1.5}, "not a whole number"),
                ({"pairs": [{"between": ["ball", "bll"]}]}, "wanted two names of ball"),
                ({"control": {"ball": [1]}}, "unknown field 'ball'")):
            Path("bad.json").write_text(json.dumps({**BALL, **change}))
            self.refused("plan simulate", "bad.json", "-o", "out.json", told=("bad.json", told))
            self.assertFalse(Path("out.json").exists())

    def test_mistakes_of_bodies_are_named(self):
        ball = BALL["bodies"][0]
        for change, told in (
                ({"mass": 0}, "body ball, field mass"), ({"pieces": [{"kind": "sphere"}]}, "pieces[0]: no field r"),
                ({"pieces": [{"kind": "ball", "r": 1}]}, "none of box, sphere, capsule, points"),
                ({"pieces": [{"kind": "box", "h": [1, 1, 0.1], "r": 0.2}]}, "not above the rounding"),
                ({"pieces": [{"kind": "points", "points": [[0, 0, 0]]}]}, "field inertia: is missing"),
                ({"parent": "world"}, "a free body has none"), ({"joint": "hinge", "velocity": [0, 0, 0]}, "a hinge body"),
                ({"drive": "servo", "driven": ["angle"]}, "none of x, y, z, rx, ry, rz"),
                ({"locked": ["x"], "drive": "force", "driven": ["x"]}, "x is locked"),
                ({"quat_wxyz": [1, 1, 0, 0]}, "of unit length"), ({"inertia": [1, 1, 9]}, "no body has such"),
                ({"position": [0, 0, float("nan")]}, "NaN")):
            with self.assertRaises(TinycontactError) as caught:
                scenefile.from_dict({**BALL, "bodies": [{**ball, **change}]}, "bad.json")
            self.assertIn(told, str(caught.exception))

    def test_pictures_are_made(self):
        self.command("plan simulate", "push", "-o", "out.json", "--steps", "4", "--plot", "p.png", "--animate", "a.gif")
        self.assertEqual(Path("p.png").read_bytes()[:4], b"\x89PNG")
        self.assertEqual(Path("a.gif").read_bytes()[:3], b"GIF")


if __name__ == "__main__":
    unittest.main()
