# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""`leg check` of a robot file: its numbers against rods by hand, each likely mistake named, and robots that are right left
in peace."""
import copy
import json
import math
import re
import unittest
import warnings
from pathlib import Path

import numpy as np

from test_robots_import import KINDS, several
from tinycontact_case import Temporary

from tinycontact.robot import whole_check
from tinycontact.robots import fleet, motion
from tinycontact.robots.description import parse_robot

ROD = 0.6 * 0.3**2 / 12
HIP = {"joint": "revolute", "axis": [0, 1, 0], "origin": [0, 0, 0], "mass": 0.6, "com": [0, 0, -0.15],
       "inertia": [ROD, ROD, 1e-4], "rotor_inertia": 0.01, "name": "hip", "range": [-1.0, 1.0]}
ROLL = {**HIP, "axis": [1, 0, 0], "name": "roll", "mass": 0.0, "com": [0, 0, 0], "inertia": [0, 0, 0]}
KNEE = {**HIP, "origin": [0, 0, -0.3], "name": "knee", "range": [0.5, 2.5]}


def limb(name, left):
    links = [{**ROLL, "origin": [0.1, left, 0]}, HIP, KNEE]
    return {"name": name, "links": copy.deepcopy(links), "home": [0.0, -0.6, 1.2],
            "foot": {"shape": "sphere", "radius": 0.02, "center": [0, 0, -0.3]}}


TWO = {"root": "floating", "g": 9.81, "name": "rods", "limbs": [limb("left", 0.1), limb("right", -0.1)],
       "base": {"mass": 4.0, "com": [0.02, 0, 0], "inertia": [0.02, 0.03, 0.03],
                "imu": {"position": [0.05, 0, 0.01], "rpy": [math.pi, 0, 0]}}}


def changed(*path, value):
    """TWO with a value changed."""
    text = copy.deepcopy(TWO)
    part = text
    for step in path[:-1]:
        part = part[step]
    part[path[-1]] = value
    return parse_robot(text, "robot.json")


class Facts(unittest.TestCase):
    def fact(self, what):
        return [text for name, text in whole_check.look(parse_robot(TWO, "robot.json")).facts if name == what]

    def test_rods(self):
        self.assertEqual(whole_check.look(parse_robot(TWO, "robot.json")).suspicious, [])
        self.assertEqual(self.fact("mass"), ["6.4 kg in all: base 4, left 1.2, right 1.2"])
        along, down = 0.3 * math.sin(0.6), 0.3 * math.cos(0.6)   # of a thigh that is turned by -0.6, and of its shank
        x = (4.0 * 0.02 + 2.4 * 0.1 + 1.2 * (along / 2 + along / 2)) / 6.4
        z = -1.2 * (down / 2 + 1.5 * down) / 6.4
        self.assertIn(f"({x:.3g}, 0, {z:.3g}) m", self.fact("centre")[0])
        self.assertIn("at (0.05, 0, 0.01) m; its accelerometer reads (0, 0, -9.81) m/s^2", self.fact("imu")[0])
        self.assertIn(f"left: at (0.1, 0.1, {-2 * down:.3g}) m at home, joints at 0, -0.6, 1.2", self.fact("foot")[0])
        self.assertIn("left hip 300 mm, left knee 300 mm; foot's radius 20 mm", self.fact("length")[0])
        self.assertIn("left knee: 28.65 to 143.2 degrees", self.fact("range"))

    def test_signs(self):
        """By hand; and of the fleet's limbs beside the Jacobian of the contact."""
        roll, hip, knee = self.fact("sign")[:3]
        down = 0.6 * math.cos(0.6)
        self.assertIn(f"left roll: +0.1 rad moves the foot {1e3 * down * math.sin(0.1):.3g} mm left and"
                      f" {1e3 * down * (1 - math.cos(0.1)):.3g} mm up", roll)
        self.assertIn(f"left hip: +0.1 rad moves the foot {1e3 * down * math.sin(0.1):.3g} mm back", hip)
        self.assertIn("mm back and", knee)
        for name in fleet.NAMES:
            robot, _ = whole_check.standing(fleet.robot(name))
            for one in robot.limbs:
                for k in range(one.joints):
                    step = whole_check.TURN * (0.1 if one.links[k].joint == "prismatic" else 1.0)
                    J = whole_check._still(one, one.home).J[:, k]
                    np.testing.assert_allclose(whole_check.moved(one, k), step * J, atol=0.1 * step * one.reach + step * one.foot.radius)

    def test_torques(self):
        """`held` by differences of the height of all masses; `stand` by the foot's height besides."""
        for name in ("go1", "seven", "finger"):
            robot, e = fleet.robot(name), 1e-5
            found = dict(whole_check.look(robot).facts[::-1])   # the first of each
            limb = robot.limbs[0]

            def heights(q):
                height, R, place = 0.0, np.eye(3), np.zeros(3)
                for link, x in zip(limb.links, q):
                    place = place + R @ link.origin
                    R = R @ motion.turn(link.axis, x)
                    height += link.mass * robot.g * (place + R @ link.com)[2]
                return np.array([height, (place + R @ limb.foot.center)[2]])
            slopes = np.array([(heights(limb.home + e * unit) - heights(limb.home - e * unit)) / (2 * e)
                               for unit in np.eye(limb.joints)])
            share = robot.mass * robot.g / len(robot.limbs)
            for what, truth in (("held", slopes[:, 0]), ("stand", slopes[:, 0] - share * slopes[:, 1])):
                if what in found:
                    told = [float(x) for x in re.findall(r"(-?[\d.e-]+) N m", found[what])]
                    np.testing.assert_allclose(told, truth, rtol=6e-3, atol=2e-5 + 1e-3 * np.abs(truth).max())
            self.assertEqual("stand" in found, robot.root == "floating")

    def test_the_fleet_is_left_in_peace(self):
        for name in fleet.NAMES:
            self.assertEqual(whole_check.look(fleet.robot(name)).suspicious, [], name)


class Suspicious(unittest.TestCase):
    def test_each_mistake(self):
        first = ("limbs", 0, "links")
        for path, value, words in (
                ((*first, 1, "inertia"), [0.6, 0.6, 0.01], "left hip, inertia: a radius of gyration of 1,000 mm"),
                ((*first, 1, "inertia"), [1e-7, 1e-7, 1e-8], "nearly a point"),
                ((*first, 2, "com"), [0, 0, -0.8], "Is it from the joint?"),
                ((*first, 2, "range"), [-28.0, 143.0], "left knee, range: -28 to 143 rad is more than a turn. Is it in degrees?"),
                ((*first, 2, "rotor_inertia"), 8.0, "Was the gear counted twice?"),
                ((*first, 2, "rotor_inertia"), 1e-5, "multiplied by the gear's square?"),
                ((*first, 1, "damping"), 9.0, "stops the joint in"),
                ((*first, 2, "mass"), 0.9, "left weighs 1.5 kg and right 1.2. Are they alike?"),
                (("limbs", 0, "foot", "radius"), 0.2, "left, foot, radius: 200 mm"),
                (("base", "imu", "position"), [50, 0, 10], "imu, position: 51,000 mm"),
                (("g",), 1.62, "is not the Earth's"), (("base", "mass"), 900.0, "Are the masses in grams?"),
                ((*first, 2, "origin"), [0, 0, -300.0], "Are the lengths in millimetres?")):
            with self.subTest(words):
                told = "\n".join(whole_check.look(changed(*path, value=value)).suspicious)
                self.assertIn(words, told)

    def test_homes_not_to_be_believed(self):
        for home, words in (([0.0, -0.6, 0.52], "within 0.05 of a stop"), ([0.0, 0.0, 0.02], "Is it straight?")):
            text = copy.deepcopy(TWO)
            text["limbs"][1]["home"] = home
            if "straight" in words:
                del text["limbs"][1]["links"][2]["range"]
            told = whole_check.look(parse_robot(text, "robot.json")).suspicious
            self.assertEqual([words in line and line.startswith("right, home") for line in told], [True])

    def test_an_axis_through_the_foot(self):
        text = copy.deepcopy(TWO)
        text["limbs"][1]["links"][0]["axis"] = [0, 0, 1]
        told = whole_check.look(parse_robot(text, "robot.json")).suspicious
        self.assertIn("right roll: moves the foot by nothing at home; its axis passes through the foot", told)
        self.assertIn("Is it straight?", " ".join(told))
        for one in text["limbs"]:
            for link in one["links"]:
                link["rotor_inertia"] = 0.0
        self.assertIn("rotor_inertia: 0 for all", whole_check.look(parse_robot(text, "robot.json")).suspicious[0])


class Command(Temporary):
    def test_a_foot_at_its_only_joint(self):
        """A slider's foot has no reach: a file of its own kind, without a warning of NumPy's."""
        text = copy.deepcopy(TWO)
        text["limbs"] = [{**limb("slider", 0.0), "links": [{**HIP, "joint": "prismatic", "axis": [0, 0, 1]}]}]
        text["limbs"][0]["foot"]["center"] = [0, 0, 0]
        del text["limbs"][0]["home"]
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            found = whole_check.look(parse_robot(text, "robot.json"))
        self.assertIn("the limb reaches 0 m", " ".join(found.suspicious))

    def test_statuses(self):
        Path("robot.json").write_text(json.dumps(TWO))
        told = self.command("leg check robot.json --plot robot.png")[0]
        self.assertIn("sign    left roll: +0.1 rad", told)
        self.assertGreater(Path("robot.png").stat().st_size, 10_000)
        Path("odd.json").write_text(json.dumps({**TWO, "g": 1.0}))
        self.assertIn("1 suspicious number", self.command("leg check odd.json", status=1)[1])

    def test_feet_with_commas(self):
        """One --foot with commas is several; a link whose name has a comma is itself."""
        text = several(np.random.default_rng(6), KINDS).replace('"c_foot"', '"c,foot"')
        Path("r.urdf").write_text(text)
        self.command("leg import r.urdf --foot a_foot,b_foot -o commas.json")
        told = self.command("leg import r.urdf --foot a_foot --foot b_foot -o each.json")[0]
        self.assertEqual(Path("commas.json").read_bytes(), Path("each.json").read_bytes())
        self.assertIn("tinycontact leg check each.json", told)
        self.assertIn("one.json: ", self.command("leg import r.urdf --space --foot c,foot -o one.json")[0])
        self.refused("leg import r.urdf --foot a_foot,b_fot -o x.json", told=["no link 'b_fot'; did you mean 'b_foot'?"])

    def test_a_typo_is_named_beside_the_field(self):
        text = json.loads(json.dumps(TWO))
        text["base"]["mas"] = text["base"].pop("mass")
        Path("robot.json").write_text(json.dumps(text))
        self.refused("leg check robot.json", told=["robot.json, base: no field mass; it has mas"])

    def test_chain_files_are_wanted(self):
        """What takes one leg in a plane names the robot file that it got."""
        Path("robot.json").write_text(json.dumps(TWO))
        Path("log.csv").write_text("t,q1,tau1\n" + "".join(f"{k / 500},{k},0\n" for k in range(40)))
        for words in ("leg configure --chain robot.json", "leg tune --chain robot.json --log log.csv"):
            self.refused(words, told=["robot.json: is a robot file; wanted a chain file", "--hold"])


if __name__ == "__main__":
    unittest.main()
