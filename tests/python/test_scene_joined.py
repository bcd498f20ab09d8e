# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Joints, limits and springs of `tinycontact scene simulate`: against pendulums, springs and ropes, and what is refused."""
import copy
import json
import unittest

import numpy as np

from tinycontact_case import Temporary

from tinycontact.errors import TinycontactError
from tinycontact.scene import identify, native, observations, parameters, simulate
from tinycontact.scene.scenefile import Scene

G = 9.81
FLOOR = {"name": "floor", "shape": {"kind": "halfspace"}, "moving": False}
HALF = [0.2, 0.15, 0.02]
ARM = 0.25   # of the flap's hinge, from its centre
FLAP = {"name": "flap", "shape": {"kind": "box", "h": HALF}, "mass": 0.8}
HINGE = {"kind": "hinge", "a": {"world": [0, 0, HALF[2]]}, "b": {"body": "flap", "at": [-ARM, 0, 0]}, "axis": [0, 1, 0]}


def turned(angle):
    """Upward about y, so that the far end rises."""
    return [float(np.cos(angle / 2)), 0.0, float(-np.sin(angle / 2)), 0.0]


def flap(angle, **more):
    body = {**FLAP, "position": [ARM * np.cos(angle), 0, HALF[2] + ARM * np.sin(angle)], "quat_wxyz": turned(angle)}
    return {"bodies": [body, FLOOR], "joints": [HINGE], **more}


def fall(angle, times, inertia, weight, steps=200):
    """angle'' = -weight cos(angle) / inertia by Runge-Kutta; it stops at 0."""
    found, state, now = [], np.array([angle, 0.0]), 0.0

    def rate(y):
        return np.array([y[1], -weight * np.cos(y[0]) / inertia])

    for t in times:
        h = (t - now) / steps
        for _ in range(steps if h > 0 else 0):
            a = rate(state)
            b = rate(state + h / 2 * a)
            c = rate(state + h / 2 * b)
            state = state + h / 6 * (a + 2 * b + 2 * c + rate(state + h * c))
            if state[0] < 0:
                state = np.zeros(2)
        now = t
        found.append(state[0])
    return np.array(found)


def changed(value, table, **fields):
    value = copy.deepcopy(value)
    value[table][0].update(fields)
    return {**value, table: [{name: field for name, field in value[table][0].items() if field is not None}]}


class TestMotion(unittest.TestCase):
    def test_flap_falls_and_lies(self):
        inertia = 0.8 * ((HALF[0]**2 + HALF[2]**2) / 3 + ARM**2)
        for real, error, apart in (("double", 1e-6, 1e-9), ("float", 1e-4, 3e-6)):
            found = simulate.simulate(Scene(flap(0.9)), 0.8, 0.05, real=real)
            wanted = fall(0.9, found.t, inertia, 0.8 * G * ARM)
            np.testing.assert_allclose(found.poses[:, 0, 2], HALF[2] + ARM * np.sin(wanted), atol=error)
            self.assertLess(found.joint_error, apart)
            self.assertEqual(wanted[-1], 0)

    def test_hinge_keeps_its_axis(self):
        """A torque across the axis turns nothing, one along it does."""
        body = {**FLAP, "position": [ARM, 0, HALF[2]], "torque": [2.0, -1.5, 3.0]}
        found = simulate.simulate(Scene({"gravity": [0, 0, 0], "bodies": [body], "joints": [HINGE]}), 1.0, 0.1)
        np.testing.assert_allclose(found.velocities[:, 0, [3, 5]], 0, atol=1e-9)
        np.testing.assert_allclose(found.velocities[-1, 0, 4], -1.5 / (0.8 * ((HALF[0]**2 + HALF[2]**2) / 3 + ARM**2)), rtol=1e-6)

    def test_spring_swings(self):
        k, mass, rest = 20.0, 0.5, 0.3
        ball = {"name": "ball", "shape": {"kind": "sphere", "r": 0.05}, "mass": mass, "position": [0, 0, -0.4]}
        spring = {"a": {"body": "ball"}, "b": {"world": [0, 0, 0]}, "stiffness": k, "length": rest}
        found = simulate.simulate(Scene({"bodies": [ball], "springs": [spring]}), 2.0, 0.1)
        hang, omega = rest + mass * G / k, np.sqrt(k / mass)
        np.testing.assert_allclose(found.poses[:, 0, 2], -hang + (hang - 0.4) * np.cos(omega * found.t), atol=1e-9)

    def test_stiff_spring_takes_smaller_steps(self):
        ball = {"name": "ball", "shape": {"kind": "sphere", "r": 0.05}, "mass": 0.5, "position": [0, 0, -0.3]}
        spring = {"a": {"body": "ball"}, "b": {"world": [0, 0, 0]}, "stiffness": 1e6, "length": 0.3}
        scene = Scene({"bodies": [ball], "springs": [spring]})
        found = simulate.simulate(scene, 0.1, 0.01)
        self.assertEqual(found.steps, int(np.ceil(0.01 / (0.25 / np.sqrt(1e6 / 0.5)))) * 10)
        self.assertLess(np.abs(found.poses[:, 0, 2] + 0.3).max(), 2.2 * 0.5 * G / 1e6)
        scene.set("springs[0].stiffness", 1e12)
        with self.assertRaisesRegex(TinycontactError, r"springs\[0\], field stiffness.*faster than steps.*rod is stiff"):
            simulate.simulate(scene, 0.1, 0.01)

    def test_rope_stops_a_fall(self):
        """A limit without restitution; what it does not stop swings."""
        ball = {"name": "ball", "shape": {"kind": "sphere", "r": 0.05}, "mass": 0.5, "position": [0, 0, 0]}
        rope = {"kind": "distance", "a": {"body": "ball"}, "b": {"world": [0, 0, 0]}, "high": 0.5}
        found = simulate.simulate(Scene({"bodies": [ball], "limits": [rope]}), 1.0, 0.05)
        np.testing.assert_allclose(found.poses[:, 0, 2], np.maximum(-G * found.t**2 / 2, -0.5), atol=1e-6)
        self.assertEqual(found.contacts, [])

    def test_bend_stops_a_fall(self):
        """A flap whose hinge opens by 1 rad from upright at most."""
        bend = {"kind": "bend", "a": {"world": [0, 0, -1]}, "b": {"world": [0, 0, HALF[2]]}, "c": {"body": "flap"}, "high": 1.0}
        found = simulate.simulate(Scene(flap(1.4, limits=[bend])), 1.0, 0.1)
        np.testing.assert_allclose(found.poses[-1, 0, 2], HALF[2] + ARM * np.sin(np.pi / 2 - 1), atol=1e-6)

    def test_joined_bodies_do_not_touch(self):
        """Two boxes whose hinge is inside both; with touch they begin inside each other."""
        boxes = [{"name": name, "shape": {"kind": "box", "h": [0.1, 0.05, 0.05]}, "mass": 1.0, "position": [x, 0, 1.0]}
                 for name, x in (("a", -0.08), ("b", 0.08))]
        joint = {"kind": "ball", "a": {"body": "a", "at": [0.08, 0, 0]}, "b": {"body": "b", "at": [-0.08, 0, 0]}}
        scene = {"bodies": [*boxes, FLOOR], "joints": [joint]}
        found = simulate.simulate(Scene(scene), 0.3, 0.1)
        np.testing.assert_allclose(found.poses[:, :2, 2], (1.0 - G * found.t**2 / 2)[:, None] * [1, 1], atol=1e-9)
        with self.assertRaisesRegex(TinycontactError, "a and b begin inside each other"):
            simulate.simulate(Scene(changed(scene, "joints", touch=True)), 0.3, 0.1)

    def test_points_of_what_does_not_move(self):
        """The same motion, hung from the world and from a body that is turned and stands still."""
        post = {"name": "post", "moving": False, "shape": {"kind": "box", "h": [0.1, 0.1, 0.1]}, "position": [0, 0, 2.0],
                "quat_wxyz": [np.sqrt(0.5), 0, 0, np.sqrt(0.5)]}
        ball = {"name": "ball", "shape": {"kind": "sphere", "r": 0.05}, "mass": 0.5, "position": [0.6, 0.3, 1.0]}
        motions = []
        for point in ({"world": [0.3, 0.3, 1.4]}, {"body": "post", "at": [0.3, -0.3, -0.6]}):
            joint = {"kind": "rod", "a": {"body": "ball"}, "b": point, "length": 0.5}
            motions.append(simulate.simulate(Scene({"bodies": [ball, post], "joints": [joint]}), 0.5, 0.1).poses[:, 0])
        np.testing.assert_allclose(motions[0], motions[1], atol=1e-9)
        self.assertGreater(np.ptp(motions[0][:, 0]), 0.1)

    def test_turned_principal_axes(self):
        """A hinge at a point of a union, whose centre of mass and principal axes are not its own."""
        parts = {"kind": "union", "parts": [{"kind": "box", "h": [0.1, 0.15, 0.2]}] * 2,
                 "offsets": [[0, 0, 0.1], [0.2, 0, 0.1]]}
        body = {"name": "b", "mass": 2.0, "shape": parts, "inertia": [[0.1, 0.03, 0], [0.03, 0.12, 0], [0, 0, 0.14]]}
        joint = {"kind": "ball", "a": {"body": "b", "at": [0.1, 0.2, 0.3]}, "b": {"world": [0.1, 0.2, 0.3]}}
        found = simulate.simulate(Scene({"bodies": [body], "joints": [joint]}), 0.5, 0.1)
        self.assertLess(found.joint_error, 1e-9)
        self.assertGreater(np.abs(found.poses[-1, 0, :3]).max(), 0.1)


class TestIdentify(unittest.TestCase):
    def test_stiffness_from_motion(self):
        ball = {"name": "ball", "shape": {"kind": "sphere", "r": 0.05}, "mass": 0.5, "position": [0, 0, -0.4]}
        spring = {"a": {"body": "ball"}, "b": {"world": [0, 0, 0]}, "stiffness": 20.0, "length": 0.3}
        value = {"bodies": [ball], "springs": [spring]}
        rollout = native.Rollout(Scene(value))
        poses = rollout.run(np.arange(1, 11) * 0.1)[0]
        rows = [{"t": 0.1 * (k + 1), "body": "ball", "z": float(pose[0, 2])} for k, pose in enumerate(poses)]
        start = Scene(changed(changed(value, "springs", stiffness=15.0), "springs", length=0.35))
        seen = observations.from_rows(rows, ["ball"], "rows")
        found = identify.identify(native.Rollout(start), seen, ["springs[0].stiffness", "springs[0].length"])
        self.assertAlmostEqual(found.parameters["springs[0].stiffness"].value, 20.0, delta=1e-4)
        self.assertAlmostEqual(found.parameters["springs[0].length"].value, 0.3, delta=1e-6)

    def test_no_derivatives(self):
        with self.assertRaisesRegex(native.Unsmooth, "no derivatives with joints, limits or springs"):
            native.Rollout(Scene(flap(0.9))).derivative([0.1], ["flap.mass"])

    def test_set(self):
        scene = Scene(flap(0.9))
        with self.assertRaisesRegex(TinycontactError, "0.1 m from a where the scene begins"):
            scene.set("flap.position[1]", 0.1)
            native.Rollout(scene).run([0.0])
        self.assertEqual([p.field for p in parameters.parameters(Scene(flap(0.9)), ["flap.mass"])], ["mass"])


class TestRefused(unittest.TestCase):
    def refused(self, value, *words):
        with self.assertRaises(TinycontactError) as caught:
            Scene(value, "s.json")
        for word in ("s.json", *words):
            self.assertIn(word, str(caught.exception))

    def test_joints(self):
        scene = flap(0.9)
        self.refused({**scene, "joint": []}, "joint", "did you mean joints")
        self.refused({**scene, "joints": {}}, "joints", "no list")
        self.refused(changed(scene, "joints", kind="weld"), "joints[0]", "kind", "ball, rod, hinge")
        self.refused(changed(scene, "joints", axis=None), "joints[0]", "axis")
        self.refused(changed(scene, "joints", axis=[0, 0, 0]), "joints[0]", "axis", "direction in a's axes")
        self.refused(changed(scene, "joints", kind="ball"), "joints[0]", "axis", "a ball has none; a hinge has")
        self.refused(changed(scene, "joints", length=0.1), "joints[0]", "length", "a rod has")
        self.refused(changed(scene, "joints", kind="rod", axis=None), "joints[0]", "length")
        self.refused(changed(scene, "joints", kind="rod", axis=None, length=0.3), "joints[0], field b", "is 0 m from a", "length is 0.3")
        self.refused(changed(scene, "joints", a={"world": [0, 0, 0.5]}), "joints[0], field b", "0.48 m from a")
        self.refused(changed(scene, "joints", a={"body": "flop"}), "joints[0], field a, field body", "flap, floor")
        self.refused(changed(scene, "joints", a={"body": "floor", "world": [0, 0, 0]}), "world", "excludes")
        self.refused(changed(scene, "joints", b={"body": "floor"}), "joints[0], field b", "neither")
        self.refused(changed(scene, "joints", a={"body": "flap"}), "joints[0], field b", "is the body of a")
        self.refused(changed(scene, "joints", touch=1), "joints[0]", "touch", "neither true nor false")
        self.refused({**scene, "joints": [HINGE] * 13}, "joints", "65 rows", "at most 64")

    def test_limits_and_springs(self):
        distance = {"kind": "distance", "a": {"body": "flap"}, "b": {"world": [0, 0, 0.02]}, "high": 1.0}
        scene = flap(0.9, limits=[distance], springs=[{"a": {"body": "flap"}, "b": {"world": [0, 0, 1]}, "stiffness": 1.0}])
        Scene(scene)
        self.refused(changed(scene, "limits", high=None), "limits[0]", "high", "one of them")
        self.refused(changed(scene, "limits", low=1.5), "limits[0]", "high", "above low")
        self.refused(changed(scene, "limits", high=0.2), "limits[0]", "high", "begins 0.05 m beyond")
        self.refused(changed(scene, "limits", kind="coordinate"), "limits[0]", "kind", "distance, bend")
        self.refused(changed(scene, "limits", c={"world": [0, 0, 0]}), "limits[0]", "c", "a bend has")
        self.refused(changed(scene, "limits", kind="bend"), "limits[0]", "field c")
        self.refused(changed(scene, "limits", kind="bend", low=0.1), "limits[0]", "low", "a bend has none")
        self.refused(changed(scene, "springs", stiffness=-1), "springs[0]", "stiffness")
        self.refused(changed(scene, "springs", stifness=1), "springs[0]", "did you mean stiffness")
        self.refused(changed(scene, "springs", a={"world": [0, 0, 0]}), "springs[0], field b", "neither")


class TestCommand(Temporary):
    def test_command(self):
        with open("flap.json", "w", encoding="utf-8") as file:
            json.dump(flap(0.9, springs=[{"a": {"body": "flap"}, "b": {"world": [0, 0, 1]}, "stiffness": 1.0}]), file)
        self.command("scene", "simulate", "flap.json", "--seconds", "0.1", "--every", "0.05", "-o", "out.json")
        with open("out.json", encoding="utf-8") as file:
            found = json.load(file)
        self.assertLess(found["joint_error"], 1e-9)
        with open("flap.json", "w", encoding="utf-8") as file:
            json.dump(changed(flap(0.9), "joints", a={"world": [0, 0, 0.5]}), file)
        self.refused("scene", "simulate", "flap.json", "--seconds", "0.1", "--every", "0.05", "-o", "no.json",
                     told=["flap.json, joints[0], field b"])


if __name__ == "__main__":
    unittest.main()
