# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Whole robots of URDF and MJCF: each limb of the robot file moves as Newton and Euler have it of the URDF's; masses
add up; what limbs cannot be is refused by name."""
import json
import re
import unittest

import numpy as np

import robot_case
from tinycontact_case import Temporary

from tinycontact.errors import TinycontactError
from tinycontact.robot import lump, planar, urdf, whole
from tinycontact.robots import motion
from tinycontact.robots.description import load_robot, parse_robot

FEET = ("a_foot", "b_foot", "c_foot")


def several(rng, kinds):
    """A URDF with limbs a, b, c, ... whose joints are of these kinds; each is robot_case's, on one base."""
    parts = []
    for letter, each in zip("abcd", kinds):
        text = robot_case.random_urdf(rng, each)
        inside = re.search(r'<robot name="random">(.*)</robot>', text, re.S)[1]
        inside = re.sub(r'(name|link)="(?!base")([^"]*)"', rf'\1="{letter}_\2"', inside)
        base = re.match(r'<link name="base">.*?</link>', inside, re.S)[0]
        parts.append(inside if not parts else inside.replace(base, "", 1))
    parts.append('<link name="imu_link"/><joint name="imu_joint" type="fixed"><origin xyz="0.1 0.2 0.3" rpy="0.3 -0.4 2.5"/>'
                 '<parent link="base"/><child link="imu_link"/></joint>')
    return f'<robot name="many">{"".join(parts)}</robot>'


KINDS = (["revolute"] * 3, ["revolute", "prismatic"], ["revolute", "revolute", "continuous", "revolute", "revolute"])


def imported(text, feet=FEET, base="base", held=None, **said):
    robot = urdf.parse(text, "robot.urdf")
    limbs = whole.cut(robot, base, feet, held, said.pop("imu", ""))
    return parse_robot(whole.to_json(robot, limbs, feet, planar.Said(**said), held), "robot.json")


class Robots(unittest.TestCase):
    def test_equations(self):
        for seed in range(6):
            rng = np.random.default_rng(seed)
            text = several(rng, KINDS)
            read, source = imported(text), urdf.parse(text, "x")
            for limb, foot in zip(read.limbs, FEET):
                cut = lump.cut(source, "base", foot)
                q, qd = rng.uniform(-2, 2, (2, limb.joints))
                M, bias = robot_case.equation(cut, q, qd)
                m = motion.move(limb, q, qd, force=np.array([0, 0, 9.81]))
                damping = [link.damping for link in limb.links] * qd
                np.testing.assert_allclose(m.M, M, atol=1e-8 * np.abs(M).max())
                np.testing.assert_allclose(m.bias - damping, bias, atol=1e-7 * np.abs(bias).max())
            total = sum(link.body.mass for link in source.links.values() if link.body is not None)
            self.assertAlmostEqual(read.mass, total, places=6)

    def test_the_imu_is_where_the_file_has_it(self):
        text = several(np.random.default_rng(1), KINDS)
        read = imported(text)
        np.testing.assert_allclose(read.imu, [0.1, 0.2, 0.3], atol=1e-9)
        np.testing.assert_allclose(read.imu_axes, urdf.roll_pitch_yaw([0.3, -0.4, 2.5]), atol=1e-9)
        none = imported(text.replace("imu_link", "link_x").replace("imu_joint", "joint_x"))
        np.testing.assert_array_equal(none.imu_axes, np.eye(3))
        self.assertTrue(any("--imu" in note for note in none.notes))

    def test_another_axis_may_be_up(self):
        """The robot is the same seen from other axes: M is, and gravity's bias with the force along z."""
        rng = np.random.default_rng(2)
        text = several(rng, KINDS)
        before, q = imported(text), rng.uniform(-1, 1, 3)
        for up in planar.UPS:
            read = imported(text, up=up)
            a, b = (motion.move(robot.limbs[0], q, 0 * q, force=force) for robot, force in
                    ((before, 9.81 * np.array(planar.UPS[up], float)), (read, np.array([0, 0, 9.81]))))
            np.testing.assert_allclose(a.M, b.M, atol=1e-7)
            np.testing.assert_allclose(a.bias, b.bias, atol=1e-6)
            gyro = np.array([0.1, 0.2, 0.3])
            turned = np.array([whole._upright(up) @ (before.imu_axes @ gyro)])
            np.testing.assert_allclose(turned[0], read.imu_axes @ gyro, atol=1e-8)

    def test_what_is_said_of_motors(self):
        read = imported(several(np.random.default_rng(3), KINDS), rotor={"": 1e-5, "b_joint0": 2e-5}, gear={"": 9.0})
        self.assertAlmostEqual(read.limbs[0].links[2].rotor_inertia, 81e-5)
        self.assertAlmostEqual(read.limbs[1].links[0].rotor_inertia, 162e-5)

    def test_joints_that_are_held(self):
        text = several(np.random.default_rng(4), KINDS)
        read = imported(text, held={"c_joint1": 0.4})
        self.assertEqual([limb.joints for limb in read.limbs], [3, 2, 4])
        self.assertAlmostEqual(read.mass, imported(text).mass, places=6)

    def test_refused(self):
        text = several(np.random.default_rng(5), KINDS)
        for options, words in (({"feet": ("a_foot", "a_link2")}, "moves both 'a_foot' and 'a_link2'"),
                               ({"root": "rail"}, "floating or fixed"), ({"belts": {
                                   ("a_joint1", "a_joint0"): 1.0
                               }}, "--belt"), ({"rotor": {"a_joint9": 1.0}}, "a_joint9"),
                               ({"feet": ("a_foot", "d_foot")}, "d_foot"), ({"feet": FEET + ("a_link0", "b_link0")},
                                                                            "5 feet")):
            with self.assertRaises(TinycontactError) as told:
                imported(text, **options)
            self.assertIn(words, str(told.exception))
        bad = re.sub(r'ixx="[^"]*"', 'ixx="9.0"', text, count=1)
        with self.assertRaises(TinycontactError):
            imported(bad)


class Command(Temporary):
    def test_import(self):
        (self.folder / "r.urdf").write_text(several(np.random.default_rng(6), KINDS))
        feet = [word for foot in FEET for word in ("--foot", foot)]
        out, _ = self.command("leg import", "r.urdf", *feet, "--rotor", "1e-5", "--gear", "9", "-o", "r.json", "--plot",
                              "r.png")
        for words in ("3 limbs on base", "a_foot: 3 joints", "c_foot: 5 joints", "IMU: at imu_link", "home"):
            self.assertIn(words, out)
        self.assertGreater((self.folder / "r.png").stat().st_size, 20000)
        self.assertEqual(len(load_robot(self.folder / "r.json").limbs), 3)
        out, _ = self.command("file check", "r.json")
        self.assertIn("is a robot", out)
        self.command("leg import", "r.urdf", "--foot", "c_foot", "--space", "-o", "one.json")
        self.assertEqual(list(json.loads((self.folder / "one.json").read_text()))[3:5], ["base", "limbs"])
        _, told = self.command("leg import", "r.urdf", "--foot", "a_foot", "-o", "leg.json", status=2)
        self.assertIn("--space", told)
        _, told = self.command("leg import", "r.urdf", "--foot", "a_foot", "--foot", "a_foot", "-o", "x.json", status=2)
        self.assertIn("given twice", told)


if __name__ == "__main__":
    unittest.main()
