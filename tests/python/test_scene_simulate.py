# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""`tinycontact scene simulate`: the file and what it refuses, roll-outs against closed forms, and a pile."""
import copy
import json
import unittest

import numpy as np

from tinycontact_case import Temporary

from tinycontact.errors import TinycontactError
from tinycontact.scene import native, simulate
from tinycontact.scene.scenefile import Scene, load

FLOOR = {"name": "floor", "shape": {"kind": "halfspace"}, "moving": False}
BOX = {"name": "box", "shape": {"kind": "box", "h": [0.2, 0.1, 0.05], "r": 0.01}, "mass": 1.0,
       "position": [0, 0, 0.05]}
PUSH = {"friction": 0.2, "restitution": 0.3, "bodies": [{**BOX, "force": [3, 1, 0], "until": 0.777}, FLOOR]}


def changed(value, **fields):
    """A copy of a scene whose first body has other fields; None takes one away."""
    value = copy.deepcopy(value)
    for name, given in fields.items():
        value["bodies"][0][name] = given
        if given is None:
            del value["bodies"][0][name]
    return value


class TestFile(unittest.TestCase):
    def refused(self, value, *words):
        with self.assertRaises(TinycontactError) as caught:
            native.Rollout(Scene(value, "s.json")).run([0.0, 0.01])
        for word in ("s.json", *words):
            self.assertIn(word, str(caught.exception))

    def test_defaults(self):
        scene = Scene({"bodies": [{"shape": {"kind": "sphere", "r": 0.1}, "mass": 2}]})
        self.assertEqual(scene.names, ["body1"])
        np.testing.assert_array_equal(scene.gravity, [0, 0, -9.81])
        poses, velocities = native.Rollout(scene).run([0, 1.0])
        np.testing.assert_allclose(poses[1, 0], [0, 0, -4.905, 1, 0, 0, 0], atol=1e-12)
        np.testing.assert_allclose(velocities[1, 0], [0, 0, -9.81, 0, 0, 0], atol=1e-12)

    def test_refused(self):
        self.refused({"bodies": [], "boddies": 1}, "boddies", "did you mean bodies")
        self.refused({"bodies": []}, "bodies", "1 to 32")
        self.refused(changed(PUSH, mass=None), "body box", "mass")
        self.refused(changed(PUSH, mass=-1), "body box", "mass", "above 0")
        self.refused(changed(PUSH, quat_wxyz=[1, 1, 0, 0]), "quat_wxyz", "unit length")
        self.refused(changed(PUSH, inertia=[1, 1, 3]), "inertia", "no body has such")
        self.refused(changed(PUSH, inertia=[[1, 0.5, 0], [0, 1, 0], [0, 0, 1]]), "inertia", "not symmetric")
        self.refused(changed(PUSH, shape={"kind": "halfspace"}), "shape", "cannot move")
        self.refused(changed(PUSH, shape={"kind": "box", "h": [0.1, 0.1]}), "field shape", "field h")
        self.refused(changed(PUSH, name="a.b"), "name", "path")
        self.refused(changed(PUSH, name="floor"), "floor", "taken")
        self.refused(changed(PUSH, moving="yes"), "moving", "neither true nor false")
        self.refused(changed(PUSH, moving=False), "force", "does not move")
        self.refused(changed(PUSH, position=[0, 0, float("inf")]), "position")
        self.refused({**PUSH, "friction": -0.1}, "friction")
        self.refused({**PUSH, "materials": [{"between": ["box", "flor"]}]}, "materials[0]", "between", "floor")
        many = [{"name": f"b{k}", "shape": {"kind": "sphere", "r": 0.1}, "mass": 1, "position": [k, 0, 1]}
                for k in range(9)]
        self.refused({"bodies": many}, "9 of them move", "at most 8")

    def test_overlap_at_the_beginning(self):
        self.refused(changed(PUSH, position=[0, 0, 0.03]), "box and floor", "inside each other", "0.02 m deep")

    def test_paths(self):
        scene = Scene(PUSH)
        self.assertEqual(scene.get("box.shape.h[1]"), 0.1)
        self.assertEqual(scene.get("box.shape.h.1"), 0.1)
        self.assertEqual(scene.expand("box.force"), ["box.force[0]", "box.force[1]", "box.force[2]"])
        scene.set("box.velocity[1]", 2.0)
        np.testing.assert_array_equal(scene.bodies[0].velocity, [0, 2, 0])
        scene.set("friction", 0.7)
        np.testing.assert_array_equal(scene.material[0, 1], [0.7, 0.3])
        for path in ("ball.mass", "box.colour", "box", "box.shape.h[7]", "box..mass"):
            with self.assertRaises(TinycontactError, msg=path):
                scene.set(path, 1.0)
        with self.assertRaises(TinycontactError):
            scene.set("box.mass", -1.0)
        self.assertEqual(scene.get("box.mass"), 1.0)

    def test_materials_of_pairs(self):
        scene = Scene({**PUSH, "materials": [{"between": ["floor", "box"], "friction": 0.9}]})
        np.testing.assert_array_equal(scene.material[0, 1], [0.9, 0.3])
        np.testing.assert_array_equal(scene.material[1, 0], [0.9, 0.3])


class TestMotion(unittest.TestCase):
    def test_pushed_box(self):
        """Closed form: pushed, then braked by friction, then at rest; in double and in float32."""
        t, size = np.arange(21) * 0.1, np.sqrt(10.0)
        a, brake, until = size - 0.2 * 9.81, 0.2 * 9.81, 0.777
        after = np.clip(t - until, 0, a * until / brake)
        way = np.where(t < until, a * t**2 / 2, a * until**2 / 2 + a * until * after - brake * after**2 / 2)
        for real, error in (("double", 1e-9), ("float", 3e-5)):
            found = simulate.simulate(Scene(PUSH), 2.0, 0.1, real=real)
            np.testing.assert_allclose(found.poses[:, 0, :2], way[:, None] * [3 / size, 1 / size], atol=error)
            np.testing.assert_allclose(found.poses[:, 0, 2], 0.05, atol=error)
            self.assertEqual(found.note, "")
        weight = sum(contact["impulse"][2] for contact in found.contacts)
        self.assertAlmostEqual(weight, 9.81 * 2.0, delta=1e-3)

    def test_inertia_follows_shape_and_turned_axes(self):
        """A full tensor in turned axes is the same body as its moments in the principal ones."""
        angle = 0.4
        R = np.array([[np.cos(angle), -np.sin(angle), 0], [np.sin(angle), np.cos(angle), 0], [0, 0, 1]])
        turn = [np.cos(angle / 2), 0, 0, np.sin(angle / 2)]
        body = {"name": "b", "mass": 1.0, "angular_velocity": [1.0, 4.0, -2.0]}
        plain = native.Rollout(Scene({"bodies": [{**body, "inertia": [0.3, 0.5, 0.7], "quat_wxyz": turn}]}))
        turned = native.Rollout(Scene({"bodies": [{**body, "inertia": (R @ np.diag([0.3, 0.5, 0.7]) @ R.T).tolist()}]}))
        times = np.linspace(0, 2, 9)
        np.testing.assert_allclose(plain.run(times)[1], turned.run(times)[1], atol=1e-8)
        box = native.Rollout(Scene({"bodies": [{**body, "shape": {"kind": "box", "h": [0.1, 0.2, 0.3]}}]}))
        box.set("b.shape.h[0]", 0.25)
        given = native.Rollout(Scene({"bodies": [{**body, "inertia": [(0.04 + 0.09) / 3, (0.0625 + 0.09) / 3,
                                                                      (0.0625 + 0.04) / 3]}]}))
        np.testing.assert_allclose(box.run(times)[1], given.run(times)[1], atol=1e-9)

    def test_union_has_mass_properties(self):
        """Two boxes side by side are one box, off the union's origin."""
        parts = {"kind": "union", "parts": [{"kind": "box", "h": [0.1, 0.15, 0.2]}] * 2,
                 "offsets": [[0, 0, 0.1], [0.2, 0, 0.1]]}
        body = {"name": "b", "mass": 2.0, "shape": parts, "angular_velocity": [1.0, 4.0, -2.0]}
        rollout = native.Rollout(Scene({"bodies": [body]}))
        rollout.run([0, 1.0])
        volume, first, second = native.union_mass(rollout.scene.bodies[0].shape, rollout._sdf(0, rollout.scene.bodies[0])[0])
        self.assertAlmostEqual(volume / 0.048, 1, delta=0.01)
        np.testing.assert_allclose(first / volume, [0.1, 0, 0.1], atol=1e-6)
        box = 0.048 / 3 * np.array([0.15**2 + 0.2**2, 0.2**2 + 0.2**2, 0.2**2 + 0.15**2])
        np.testing.assert_allclose(second, [*box, 0, 0, 0], rtol=0.015, atol=1e-8)

    def test_pile_stands(self):
        boxes = [{"name": f"b{k}", "shape": {"kind": "box", "h": [0.1] * 3}, "mass": 1.0,
                  "position": [0.02 * k, 0, 0.1 + 0.2 * k]} for k in range(4)]
        found = simulate.simulate(Scene({"friction": 0.5, "bodies": [*boxes, FLOOR]}), 2.0, 0.5, step=0.004)
        self.assertGreater(found.deepest, -1e-9)
        np.testing.assert_allclose(found.poses[-1, :4, :3], found.poses[0, :4, :3], atol=1e-9)
        self.assertEqual(found.note, "")

    def test_more_contacts_than_fit(self):
        boxes = [{"name": f"b{k}", "shape": {"kind": "box", "h": [0.4, 0.04, 0.04]}, "mass": 1.0,
                  "position": [0, 0.1 * (k % 4), 0.04] if k < 4 else [0.1 * (k % 4), 0, 0.12],
                  "quat_wxyz": [1, 0, 0, 0] if k < 4 else [0.5**0.5, 0, 0, 0.5**0.5]} for k in range(8)]
        found = simulate.simulate(Scene({"friction": 0.5, "bodies": [*boxes, FLOOR]}), 0.01, 0.01)
        self.assertIn("more contacts than fit", found.note)


class TestCommand(Temporary):
    def test_command(self):
        scene, out, log = ("push.json", "out.json", "log.csv")
        with open(scene, "w", encoding="utf-8") as file:
            json.dump(PUSH, file)
        self.assertEqual(load(scene).name, "push")
        self.command("scene", "simulate", scene, "--seconds", "0.3", "--every", "0.1", "-o", out, "--csv", log)
        with open(out, encoding="utf-8") as file:
            found = json.load(file)
        self.assertEqual(len(found["t"]), 4)
        self.assertEqual(np.shape(found["bodies"]["box"]["quat_wxyz"]), (4, 4))
        self.assertEqual({contact["a"] for contact in found["contacts"]}, {"box"})
        with open(log, encoding="utf-8") as file:
            lines = file.read().splitlines()
        self.assertEqual(lines[0], "t,body,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz")
        self.assertEqual(len(lines), 5)


if __name__ == "__main__":
    unittest.main()
