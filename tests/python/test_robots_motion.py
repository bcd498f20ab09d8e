# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Robots of several limbs: their file, and their equations of motion beside MuJoCo's of a base that moves and turns."""
import copy
import json
import unittest

import numpy as np

from tinycontact_case import Temporary

from tinycontact.errors import TinycontactError
from tinycontact.robots import fleet
from tinycontact.robots.description import load_robot, parse_robot
from tinycontact.robots.motion import move, specific_force
from tinycontact.robots.posture import home_of


def random_link(rng, last):
    points, masses = rng.normal(size=(8, 3)) * rng.uniform(0.02, 0.1, 3), rng.uniform(0.05, 0.2, 8)
    points -= masses @ points / masses.sum()
    I = sum(m * (x @ x * np.eye(3) - np.outer(x, x)) for m, x in zip(masses, points))
    axis = rng.normal(size=3)
    empty = not last and rng.random() < 0.2
    return {
        "joint": str(rng.choice(["revolute", "revolute", "prismatic"])), "axis": list(axis / np.linalg.norm(axis)),
        "origin": list(rng.uniform(-0.2, 0.2, 3)), "mass": 0.0 if empty else float(masses.sum()),
        "com": list(rng.uniform(-0.1, 0.1, 3)),
        "inertia": [0.0] * 3 if empty else [I[0, 0], I[1, 1], I[2, 2], I[0, 1], I[0, 2], I[1, 2]],
        "rotor_inertia": float(rng.uniform(1e-3, 0.02)), "damping": float(rng.uniform(0, 0.1))
    }


def random_robot(rng, joints):
    """A robot with limbs of these many joints."""
    limbs = [{
        "name": f"limb{k}", "links": [random_link(rng, j + 1 == n) for j in range(n)],
        "foot": {"shape": "sphere", "radius": 0.02, "center": list(rng.uniform(-0.2, 0.2, 3))}
    } for k, n in enumerate(joints)]
    return {
        "root": "floating", "base": {
            "mass": 3.0, "com": [0.01, 0.02, 0.0], "inertia": [0.03, 0.05, 0.06, 0.001, 0.002, 0.003],
            "imu": {"position": [0.1, -0.05, 0.03], "rpy": [0.3, -0.7, 2.0]}
        }, "limbs": limbs
    }


class Equations(unittest.TestCase):
    def setUp(self):
        try:
            import mujoco   # noqa: F401
        except ImportError:
            self.skipTest("mujoco is not installed: make setup GROUPS=sim")

    def check(self, robot, rng):
        from tinycontact.robots.world import World
        world = World(robot, up=rng.normal(size=3) / 2)
        model, data, mujoco = world.model, world.data, world.mujoco
        data.qpos[:3], data.qpos[3:7] = [0, 0, 5.0], rng.normal(size=4)
        data.qpos[3:7] /= np.linalg.norm(data.qpos[3:7])
        data.qpos[7:], data.qvel[:] = rng.uniform(-1, 1, robot.joints), rng.normal(size=model.nv) * 2
        torque = rng.normal(size=robot.joints)
        data.qfrc_applied[6:] = torque
        mujoco.mj_forward(model, data)
        gyro_rate = robot.imu_axes.T @ data.qacc[3:6]
        force, omega, alpha = specific_force(robot, data.sensordata[:3].copy(), data.sensordata[3:6].copy(), gyro_rate)
        torque = torque + data.qfrc_constraint[6:]   # dry friction
        axes = data.xmat[world.base].reshape(3, 3)
        for k, (limb, part) in enumerate(zip(robot.limbs, robot.columns())):
            q, w, acceleration = data.qpos[7:][part], data.qvel[6:][part], data.qacc[6:][part]
            normal = rng.normal(size=3)
            normal /= np.linalg.norm(normal)
            m = move(limb, q, w, omega, force, normal, alpha)
            np.testing.assert_allclose(m.M @ acceleration + m.bias,
                                       torque[part],
                                       atol=2e-5 * np.abs(torque).max() + 1e-6)
            np.testing.assert_allclose(axes @ m.centre + data.xpos[world.base],
                                       data.site_xpos[world.sites[k]],
                                       atol=1e-9)
            np.testing.assert_allclose(m.place, m.centre - limb.foot.radius * normal, atol=1e-12)
            J = np.zeros((3, model.nv))
            mujoco.mj_jac(model, data, J, None, axes @ m.place + data.xpos[world.base],
                          model.site_bodyid[world.sites[k]])
            np.testing.assert_allclose(axes @ m.J, J[:, 6:][:, part], atol=1e-9)

    def test_random_robots_beside_mujoco(self):
        """Any axes, sliding joints, links without mass, an IMU anywhere: M, bias and J where the base moves as MuJoCo
        says."""
        for seed in range(40):
            rng = np.random.default_rng(seed)
            self.check(parse_robot(random_robot(rng, rng.integers(1, 8, rng.integers(1, 5))), "x"), rng)

    def test_fleet_beside_mujoco(self):
        for seed, name in enumerate(fleet.NAMES):
            if fleet.robot(name).root == "floating":
                self.check(fleet.robot(name), np.random.default_rng(seed))

    def test_leading_axes_are_the_callers(self):
        rng, limb = np.random.default_rng(0), fleet.robot("go1").limbs[1]
        q, w, omega, force = (rng.normal(size=(2, 5, 3)) for _ in range(4))
        many = move(limb, q, w, omega, force)
        one = move(limb, q[1, 3], w[1, 3], omega[1, 3], force[1, 3])
        for name in ("M", "bias", "J", "place"):
            np.testing.assert_allclose(getattr(many, name)[1, 3], getattr(one, name), atol=1e-12)


class Files(Temporary):
    def test_fleet(self):
        masses = {name: fleet.robot(name).mass for name in fleet.NAMES}
        self.assertAlmostEqual(masses["go1"], 12.04)
        self.assertLess(masses["solo"], 3.0)
        self.assertGreater(masses["anymal"], 50.0)
        oblique = [name for name in fleet.UNSEEN if abs(fleet.robot(name).limbs[0].links[0].axis[1]) > 0.1]
        self.assertEqual(oblique, ["solo", "hound"])
        self.assertEqual([fleet.robot(name).limbs[0].joints for name in ("humanoid-leg", "finger", "seven")], [6, 4, 7])

    def test_a_file_has_the_robot(self):
        for name in fleet.NAMES:
            robot = fleet.robot(name)
            (self.folder / "r.json").write_text(json.dumps(fleet.to_json(robot)))
            read = load_robot(self.folder / "r.json")
            for limb, other in zip(robot.limbs, read.limbs):
                for link, another in zip(limb.links, other.links):
                    np.testing.assert_array_equal(link.inertia, another.inertia)
                    self.assertEqual((link.mass, link.name, link.range), (another.mass, another.name, another.range))
                np.testing.assert_array_equal(limb.home, other.home)

    def test_what_is_refused_is_named(self):
        good = fleet.description("go1")
        cases = ((("limbs", 1, "links", 2, "mass"), 0.0, "limb 1 (FR), link 2, field mass"),
                 (("limbs", 0, "links", 1, "axis"), [0, 1, 1], "limb 0 (FL), link 1, field axis: has length 1.41"),
                 (("limbs", 0, "links", 1, "inertia"), [1, 1], "is no list of 3 or 6 numbers"),
                 (("limbs", 0, "links", 1, "inertia"), [1.0, 1.0, 3.0],
                  "the largest is at most the sum"), (("limbs", 2, "name"), "FL", "two are named 'FL'"),
                 (("limbs", 0, "home"), [0.0, 5.0, -1.0], "joint 1 is at 5, out of"), (("limbs", 0, "links"), [],
                                                                                       "is no list of 1 to 7 links"),
                 (("limbs", ), [], "is no list of 1 to 4 limbs"), (("base", "imu"), {}, "base, imu"),
                 (("root", ), "rail", "field root"), (("base", "mass"), "x", "base, field mass"), (("limbs", 0, "foot",
                                                                                                    "shape"), "box",
                                                                                                   "feet are spheres"))
        for at, value, words in cases:
            made = copy.deepcopy(good)
            holder = made
            for key in at[:-1]:
                holder = holder[key]
            holder[at[-1]] = value
            with self.assertRaises(TinycontactError) as told:
                parse_robot(made, "r.json")
            self.assertIn(words, str(told.exception), at)

    def test_a_robot_that_says_no_home_gets_one(self):
        for name in ("go1", "hound", "humanoid-leg"):
            value = fleet.description(name)
            for limb in value["limbs"]:
                del limb["home"]
            for limb in home_of(parse_robot(value, name)).limbs:
                at = move(limb, limb.home, np.zeros(limb.joints)).centre - limb.links[0].origin
                self.assertLess(np.hypot(at[0], at[1]), 0.25 * limb.reach, name)
                self.assertLess(at[2], -0.4 * limb.reach, name)
                for link, q in zip(limb.links, limb.home):
                    self.assertTrue(link.range[0] <= q <= link.range[1], (name, link.name))


if __name__ == "__main__":
    unittest.main()
