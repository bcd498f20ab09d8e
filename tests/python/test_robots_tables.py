# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""tc_robot.h by ctypes beside the float64 reference, for all robots made by hand and for random ones."""
import random
import sys
import unittest

import numpy as np

from test_robots_motion import random_robot
from tinycontact_case import ROOT, tc

sys.path.insert(0, str(ROOT / "tools" / "ref"))

import robot_vectors   # noqa: E402

from tinycontact.errors import StatusError
from tinycontact.robots import fleet, motion
from tinycontact.robots.description import parse_robot
from tinycontact.robots.tables import NEAR_SINGULAR, NEAR_STOP, Tables

POSES = 100


class Moves(unittest.TestCase):
    def check(self, robot, poses, real="float", bound=1.0):
        """M and J to 2e-6, bias to 1e-5 of their largest entries in float."""
        tables, rng = Tables(robot, tc.Library(real=real)), np.random.default_rng(7)
        for _ in range(poses):
            for k, limb in enumerate(robot.limbs):
                q, w = rng.uniform(-3, 3, limb.joints), rng.uniform(-10, 10, limb.joints)
                normal = rng.normal(size=3)
                base = {"omega": rng.normal(size=3) * 2, "force": rng.normal(size=3) * 6,
                        "normal": normal / np.linalg.norm(normal), "alpha": rng.normal(size=3) * 20}
                if real == "float":   # as a caller in float gives them
                    q, w = q.astype(np.float32), w.astype(np.float32)
                    base = {name: x.astype(np.float32) for name, x in base.items()}
                own, reference = tables.move(k, q, w, **base), motion.move(limb, q, w, **base)
                for name, part in (("M", 2e-6), ("bias", 1e-5), ("J", 2e-6), ("place", 2e-6)):
                    truth = getattr(reference, name)
                    np.testing.assert_allclose(getattr(own, name), truth, rtol=0,
                                               atol=bound * part * np.abs(truth).max(),
                                               err_msg=f"{robot.name} {limb.name} {name}")

    def test_robots_made_by_hand(self):
        for name in fleet.NAMES:
            robot = fleet.robot(name)
            self.check(robot, max(1, POSES // len(robot.limbs)))

    def test_random_robots(self):
        for seed in range(8):
            rng = np.random.default_rng(seed)
            robot = parse_robot(random_robot(rng, [7, 1, 3, 5] if seed % 2 else [2, 6, 4]), "random")
            self.check(robot, 12, bound=4.0)

    def test_the_double_build_is_the_reference(self):
        for name in ("solo", "humanoid-leg", "finger", "seven"):
            self.check(fleet.robot(name), 5, "double", 1e-8)

    def test_the_vectors(self):
        """Those of tests/vectors/robot.h, by positions as polynomials of time: motion.py has the same numbers."""
        rng = random.Random(18)
        for n in range(1, robot_vectors.MOST + 1):
            for kind in range(robot_vectors.KINDS):
                limb, base, q, w = robot_vectors.case(rng, n, kind)
                M, bias, J, place = robot_vectors.equation(limb, base, q, w)
                links = [{"joint": "prismatic" if link["slides"] else "revolute", "rotor_inertia": link["rotor"],
                          **{name: link[name] for name in ("axis", "origin", "mass", "com", "inertia", "damping")}}
                         for link in limb["links"]]
                text = {"root": "fixed", "base": random_robot(np.random.default_rng(0), [1])["base"], "limbs": [
                    {"name": "limb", "links": links,
                     "foot": {"shape": "sphere", "radius": limb["radius"], "center": limb["foot"]}}]}
                parsed = parse_robot(text, "vectors").limbs[0]
                for link, told in zip(parsed.links, links):
                    link.axis = np.array(told["axis"])   # float32's unit vectors are that to 1e-8 only
                m = motion.move(parsed, q, w, *(np.array(base[name]) for name in ("omega", "force", "normal", "alpha")))
                for own, truth in zip((m.M, m.bias, m.J, m.place), map(np.array, (M, bias, J, place))):
                    np.testing.assert_allclose(own, truth, atol=3e-7 * np.abs(truth).max())

    def test_the_imu(self):
        rng = np.random.default_rng(3)
        robot = parse_robot(random_robot(rng, [2]), "random")
        tables = Tables(robot)
        for _ in range(20):
            accel, gyro, rate = rng.normal(size=(3, 3)) * [[10], [3], [20]]
            for own, truth in zip(tables.feel(accel, gyro, rate), motion.specific_force(robot, accel, gyro, rate)):
                np.testing.assert_allclose(own, truth, atol=2e-5)

    def test_what_is_near(self):
        """A knee between its stops, at one, and straight."""
        robot = fleet.robot("go1")
        tables, home = Tables(robot), robot.limbs[0].home
        self.assertEqual(0, tables.near(0, home, 0.05, 0.05))
        self.assertEqual(NEAR_STOP, tables.near(0, [*home[:2], -0.42], 0.05, 0.05))
        self.assertEqual(NEAR_STOP | NEAR_SINGULAR, tables.near(0, [*home[:2], -0.02], 0.05, 0.05))

    def test_what_the_library_refuses(self):
        robot = fleet.robot("go1")
        robot.limbs[2].links[1].mass = -1.0
        with self.assertRaisesRegex(StatusError, "go1"):
            Tables(robot)
        self.assertLess(Tables(robot, check=False).status(), 0)


if __name__ == "__main__":
    unittest.main()
