# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Whole robots of URDF and MJCF: each limb of the robot file moves as Newton and Euler have it of the URDF's; masses
add up; what limbs cannot be is refused by name."""
import csv
import json
import re
import unittest
from pathlib import Path

import numpy as np

import robot_case
from tinycontact_case import ROOT, Temporary

from tinycontact.errors import TinycontactError
from tinycontact.robot import lump, mjcf, planar, urdf, whole
from tinycontact.robots import fleet, motion
from tinycontact.robots.description import load_robot, moment_floor, parse_robot
from tinycontact.robots.world import LEAST_MASS, model_xml

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
    parts.append('<link name="imu_link"/><joint name="imu_joint" type="fixed"><origin xyz="0.1 0.2 0.3"'
                 ' rpy="0.3 -0.4 2.5"/><parent link="base"/><child link="imu_link"/></joint>')
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


class Refused(unittest.TestCase):
    """What no limb of a robot file can be, by the name of the link or joint."""

    def setUp(self):
        self.text = several(np.random.default_rng(7), KINDS)

    def refused(self, words, text, **options):
        with self.assertRaises(TinycontactError) as told:
            imported(text, **options)
        self.assertIn(words, str(told.exception))

    def changed(self, pattern, text):
        found, count = re.subn(pattern, text, self.text, count=1, flags=re.S)
        self.assertEqual(count, 1, pattern)
        return found

    def test_feet(self):
        self.refused("there is no link 'd_foot'; did you mean", self.text, feet=("a_foot", "d_foot"))
        self.refused("'b_foot' does not hang on the base 'a_link0'", self.text, feet=("a_foot", "b_foot"),
                     base="a_link0")
        self.refused("'a_joint1' is a joint; its link is 'a_link1'", self.text, feet=("a_joint1",))
        self.refused("no joint between 'base' and 'imu_link' moves", self.text, feet=("a_foot", "imu_link"))

    def test_followers(self):
        self.refused("joint b_joint1: follows joint a_joint0 (<mimic>)",
                     self.changed('(<joint name="b_joint1".*?)</joint>', r'\1<mimic joint="a_joint0"/></joint>'))

    def test_closed_loops(self):
        """The joints of the loop, and no others, are named: those above both ends are none of it."""
        gazebo = '<gazebo><joint name="tie" type="revolute"><parent>{}</parent><child>{}</child></joint></gazebo>'
        for tie, how in (('<loop_joint name="tie"><link1 link="{}"/><link2 link="{}"/></loop_joint>', "<loop_joint>"),
                         (gazebo, "<gazebo>")):
            closed = self.text.replace("</robot>", tie.format("c_link1", "c_link3") + "</robot>")
            self.refused(f"joint c_joint2: is part of a closed loop ({how})", closed)
            self.assertEqual(len(imported(closed, feet=("a_foot", "b_foot")).limbs), 2)
            self.assertEqual(imported(closed, held={"c_joint2": 0.0, "c_joint3": 0.0}).limbs[2].joints, 3)
            lost = self.text.replace("</robot>", tie.format("c_link1", "c_link9") + "</robot>")
            self.refused(f"{how}: there is no link 'c_link9'", lost)

    def test_bodies(self):
        wrong = self.changed('(<link name="c_link2">.*?)ixx="[^"]*"', r'\1ixx="9.0"')
        self.refused("link c_link2: its principal moments of inertia are", wrong)
        self.assertIn("--keep-inertias", self.told(wrong))
        negative = self.changed('(<link name="b_link1">.*?<mass value=)"[^"]*"', r'\1"-0.5"')
        self.refused("link b_link1: its mass is -0.5 kg", negative)
        source = urdf.parse(self.text, "x")
        limbs = whole.cut(source, "base", FEET)
        moved = {name for limb in limbs for segment in limb.segments for name in segment.links}
        self.refused("the base base and all that is fixed to it have no mass", self.bodiless(set(source.links) - moved))
        self.refused("joint b_joint1: what it moves has no mass", self.bodiless(limbs[1].segments[1].links))

    def bodiless(self, names):
        """Links without <inertial>"""
        text = self.text
        for name in names:
            text = re.sub(f'(<link name="{name}">)<inertial>.*?</inertial>', r"\1", text, flags=re.S)
        return text

    def told(self, text):
        with self.assertRaises(TinycontactError) as error:
            imported(text)
        return str(error.exception)

    def test_what_arithmetic_left_of_no_inertia(self):
        """Moments of 1e-20 with a product beside them are those of a point, not an impossible body's."""
        left = self.changed('(<link name="a_link0">.*?)<inertia [^/]*/>',
                            r'\1<inertia ixx="0" iyy="0" izz="0" ixy="1.4e-20" ixz="0" iyz="0"/>')
        self.assertEqual(imported(left).limbs[0].joints, 3)

    def test_more_joints_than_a_limb_has(self):
        text = several(np.random.default_rng(8), (["revolute"] * 8, ["revolute"]))
        self.refused("8 joints move between base and a_foot; a limb has 7 at most", text, feet=("a_foot", "b_foot"))


class Mjcf(Temporary):
    """Robots made by hand, written as MuJoCo's plant, and read again."""

    def setUp(self):
        super().setUp()
        try:
            import mujoco   # noqa: F401
        except ImportError:
            self.skipTest("mujoco is not installed: make setup GROUPS=sim")

    def read(self, name):
        robot = fleet.robot(name)
        (self.folder / "robot.xml").write_text(model_xml(robot, "stiff"))
        source, feet = mjcf.load("robot.xml"), [f"foot{k}" for k in range(len(robot.limbs))]
        said = planar.Said(radius=robot.limbs[0].foot.radius, root=robot.root)
        return robot, parse_robot(whole.to_json(source, whole.cut(source, "base", feet), feet, said), name)

    def test_robots_made_by_hand(self):
        rng = np.random.default_rng(9)
        for name in fleet.NAMES:
            robot, read = self.read(name)
            for link in (link for limb in robot.limbs for link in limb.links):   # as the plant adds
                link.inertia = link.inertia + np.eye(3) * moment_floor(LEAST_MASS, 0.1)
            self.assertAlmostEqual(read.mass / robot.mass, 1.0, places=7)
            np.testing.assert_allclose(read.imu, robot.imu, atol=1e-9)
            np.testing.assert_allclose(read.imu_axes, robot.imu_axes, atol=1e-9)
            for own, limb in zip(read.limbs, robot.limbs):
                self.assertEqual([link.range for link in own.links], [link.range for link in limb.links])
                q, w, (omega, force, alpha) = *rng.normal(size=(2, limb.joints)), rng.normal(size=(3, 3)) * 5
                a, b = (motion.move(each, q, w, omega, force, alpha=alpha) for each in (own, limb))
                for part in ("M", "bias", "J", "place"):
                    truth = getattr(b, part)
                    np.testing.assert_allclose(getattr(a, part), truth, atol=1e-6 * np.abs(truth).max(), err_msg=name)

    LOOP = """<mujoco><worldbody><body name="trunk"><freejoint/><geom size="0.1"/>
     <body name="thigh"><joint name="hip" axis="0 1 0"/><geom size="0.05" pos="0 0 -0.1"/>
      <body name="shank" pos="0 0 -0.2"><joint name="knee" axis="0 1 0"/><geom size="0.05" pos="0 0 -0.1"/>
       <site name="foot" pos="0 0 -0.2"/><site name="heel" pos="0 0 0.05"/></body></body>
     <body name="rod" pos="0.05 0 0"><joint name="crank" axis="0 1 0"/><geom size="0.02"/>
      <site name="pin" pos="0 0 -0.15"/></body>
     <body name="arm" pos="0.2 0 0"><joint name="shoulder" axis="0 1 0"/><geom size="0.05"/><site name="hand"/></body>
    </body></worldbody><equality>{}</equality></mujoco>"""

    def test_a_knee_that_a_rod_moves(self):
        """The tie is at the shank: hip and knee are of the loop, too; a limb beside it is not."""
        for tie in ('<connect body1="rod" body2="shank" anchor="0 0 -0.15"/>', '<connect site1="pin" site2="heel"/>',
                    '<weld body1="rod" body2="shank"/>'):
            (self.folder / "loop.xml").write_text(self.LOOP.format(tie))
            robot = mjcf.load("loop.xml")
            with self.assertRaises(TinycontactError) as told:
                whole.cut(robot, "trunk", ["foot"])
            self.assertIn("joint hip: is part of a closed loop (<equality>)", str(told.exception))
            with self.assertRaises(TinycontactError) as told:
                whole.cut(robot, "trunk", ["foot"], {"hip": 0.0})
            self.assertIn("joint knee: is part of a closed loop", str(told.exception))
            self.assertEqual(len(whole.cut(robot, "trunk", ["hand"])[0].segments), 1)


class Evidence(unittest.TestCase):
    """tests/robot/whole.csv, which `make robot-compare` writes, and the numbers of its page."""

    def test_other_peoples_robots(self):
        folder = ROOT / "tests" / "robot"
        with open(folder / "whole.csv", newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        compared = [row for row in rows if row["joints"]]
        self.assertGreaterEqual(len(compared), 10)
        self.assertGreaterEqual(sum(int(row["feet"]) > 1 for row in compared), 10)
        names = ("mass_error", "M", "bias", "J", "C_M", "C_bias")
        worst = {name: max(float(row[name]) for row in compared if row[name]) for name in names}
        for name, error in worst.items():
            self.assertLess(error, 1e-6 if not name.startswith("C_") else 2e-6, name)
        page = Path(folder / "README.md").read_text(encoding="utf-8")
        limbs = sum(int(row["feet"]) for row in compared)
        for names in (("M", "bias", "J"), ("C_M", "C_bias")):
            error = f"{max(worst[name] for name in names):.1e}".replace("e-0", "e-")
            self.assertIn(f"| {len(compared)} | {limbs} | {error} |", page)
        refused = [row for row in rows if not row["joints"]]
        self.assertTrue(all(row["why"] for row in refused))
        self.assertIn(f"{len(refused)} are refused", page)
        for words in ("<mimic>", "principal moments", "there is no link", "does not hang on the base",
                      "share no joint"):
            self.assertTrue(any(words in row["why"] for row in refused), words)


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
