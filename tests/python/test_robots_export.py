# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""A whole robot as C: the tables are the robot file's numbers, the program's estimates are the library's, and what
cannot be is refused."""
import json
import re
import subprocess
import unittest
from pathlib import Path
from types import SimpleNamespace

import numpy as np

from test_robot_export import INCLUDES, STRICT
from test_robots_motion import random_robot
from tinycontact_case import Temporary, tc
from tinycontact.errors import TinycontactError
from tinycontact.robot import whole_ctext, whole_export, whole_sample
from tinycontact.robots import fleet, motion
from tinycontact.robots.description import parse_robot
from tinycontact.robots.firmware import Firmware

PRINT = """#include "NAME_tables.h"
#include <stdio.h>
static void numbers(const char *what, const tc_real *x, int n)
{
    printf("%s", what);
    for (int i = 0; i < n; i++) {
        printf(" %.9g", (double)x[i]);
    }
    printf("\\n");
}
int main(void)
{
    static tc_feet_config config;
    const tc_robot *const r = &NAME_tables;
    printf("check %d configure %d\\n", (int)tc_robot_check(r), (int)NAME_configure(&config));
    numbers("config", &config.torque_noise[0][0], 28);
    numbers("step", &config.step, 1);
    numbers("lift_off", &config.lift_off, 1);
    printf("frozen %u root %d\\n", (unsigned)config.frozen, (int)r->root);
    for (uint32_t k = 0; k < r->limbs; k++) {
        const tc_robot_limb *const limb = &r->limb[k];
        const tc_robot_base base = {.omega = {1.0f, -2.0f, 0.5f}, .alpha = {3.0f, 4.0f, -5.0f},
                                    .force = {1.0f, 2.0f, 9.0f}, .normal = {0.0f, 0.0f, 1.0f}};
        const tc_real q[7] = {0.3f, -0.2f, 0.5f, 0.1f, -0.4f, 0.2f, 0.6f};
        const tc_real w[7] = {1.0f, -2.0f, 3.0f, 0.5f, -1.0f, 2.0f, 1.0f};
        static tc_robot_motion m;
        tc_robot_move(limb, &base, q, w, &m);
        numbers("M", m.M, (int)(limb->joints * (limb->joints + 1u) / 2u));
        numbers("bias", m.bias, (int)limb->joints);
        numbers("place", m.place, 3);
        for (uint32_t i = 0; i < limb->joints; i++) {
            numbers("range", limb->links[i].range, 2);
        }
    }
    numbers("imu", r->imu, 3);
    numbers("axes", r->imu_axes, 9);
    return 0;
}
"""
Q, W = [0.3, -0.2, 0.5, 0.1, -0.4, 0.2, 0.6], [1.0, -2.0, 3.0, 0.5, -1.0, 2.0, 1.0]


class Case(Temporary):
    def compiled(self, *sources):
        library = tc.Library().path
        subprocess.run(["gcc", *STRICT, *INCLUDES, *map(str, sources), str(library),
                        f"-Wl,-rpath,{Path(library).parent}", "-lm", "-o", "p"], check=True)
        return subprocess.run(["./p"], check=True, text=True, stdout=subprocess.PIPE).stdout


class Tables(Case):
    def printed(self, robot, name="robot", **options):
        """[(what, numbers)] that a program prints of the exported tables."""
        whole_export.write(robot, ".", name=name, tables_only=True, **options)
        Path("print.c").write_text(PRINT.replace("NAME", name))
        lines = [line.split() for line in self.compiled("print.c", f"{name}_tables.c").splitlines()]
        return [(line[0], line[1:]) for line in lines]

    def check(self, robot, **options):
        lines = self.printed(robot, **options)
        self.assertEqual(lines[0], ("check", ["0", "configure", "0"]))
        found = {}
        for what, words in lines[4:]:
            if what != "frozen":
                found.setdefault(what, []).append([float(word) for word in words])
        ranges = iter(found["range"])
        for k, limb in enumerate(robot.limbs):
            n = limb.joints
            m = motion.move(limb, Q[:n], W[:n], np.array([1.0, -2, 0.5]), np.array([1.0, 2, 9]),
                            alpha=np.array([3.0, 4, -5]))
            for what, truth in (("M", m.M[np.tril_indices(n)]), ("bias", m.bias), ("place", m.place)):
                np.testing.assert_allclose(found[what][k], truth, atol=1e-5 * np.abs(truth).max())
            for link in limb.links:
                np.testing.assert_allclose(next(ranges), link.range or (0, 0), rtol=1e-6)
        np.testing.assert_allclose(found["imu"][0], robot.imu, rtol=1e-6)
        np.testing.assert_allclose(found["axes"][0], robot.imu_axes.ravel(), atol=1e-7)
        return dict(lines[:5])

    def test_robots_made_by_hand(self):
        for name in ("anymal", "humanoid-leg", "finger", "seven"):
            self.check(fleet.robot(name), name=f"my {name}".replace(" ", "_").replace("-", "_"))

    def test_random_robots(self):
        for seed in range(2):
            text = random_robot(np.random.default_rng(seed), [[1, 7, 4, 2], [3, 5]][seed])
            text |= {"name": "x */ y", "notes": ["a note /* of many words " * 9]}
            text["limbs"][0]["name"] = "FL foot (left)"
            text["limbs"][1]["name"] = "FL foot (left"
            self.check(parse_robot(text, "random.json"))
            header = Path("robot_tables.h").read_text()
            indices = re.findall(r"#define (\w+) (\d)u /\*", header)
            self.assertEqual(len({name for name, _ in indices}), len(text["limbs"]))

    def test_settings_and_friction(self):
        robot = fleet.robot("go1")
        robot.limbs[1].links[2].friction = 0.3
        plain = self.check(fleet.robot("go1"))
        lines = self.check(robot, settings={"lift_off": 0.01, "frozen": 12}, tick=0.002)
        noise, before = (np.array([float(x) for x in told["config"]]).reshape(4, 7) for told in (lines, plain))
        self.assertAlmostEqual(noise[1, 2], np.hypot(before[1, 2], 0.3), places=6)
        self.assertEqual(noise[0, 2], before[0, 2])
        self.assertEqual((lines["frozen"][0], lines["frozen"][2]), ("12", "1"))
        np.testing.assert_allclose([float(lines["step"][0]), float(lines["lift_off"][0])], [0.002, 0.01], rtol=1e-6)
        told = dict(self.printed(robot, settings={"torque_noise": 0.5, "torque_noise[1][2]": 0.7}))
        noise = np.array([float(x) for x in told["config"]]).reshape(4, 7)[:, :3]
        self.assertEqual(np.float32(noise[1, 2]), np.float32(0.7))
        self.assertEqual(np.count_nonzero(noise == 0.5), 11)

    def test_settings_whose_ranges_depend_on_each_other(self):
        for on, off in ((0.2, 0.1), (0.95, 0.9)):
            whole_export.write(fleet.robot("go1"), ".", settings={"on": on, "off": off}, tables_only=True)
            self.assertIn("config->on", Path("robot_tables.c").read_text())

    def test_names_that_the_files_use_themselves(self):
        """A limb may be called what a macro of the header is called, and the robot what the program's text has."""
        robot = fleet.robot("go1")
        for limb, name in zip(robot.limbs, ("tick", "limbs", "limb0", "tables_h")):
            limb.name = name
        self.check(robot)
        defined = re.findall(r"#define (\w+)", Path("robot_tables.h").read_text())
        self.assertEqual(len(set(defined)), len(defined))
        self.assertIn("UPPERMOST_tables", whole_ctext.main("UPPERMOST", ""))
        self.assertIn("state[TC_FEET_STATE(MY_ROBOT_X_LIMBS)]", whole_ctext.main("my_robot_x", ""))

    def test_refused(self):
        robot = fleet.robot("go1")
        for options, words in (({"name": "main"}, "'main' is the name"), ({"name": "7"}, "begins with a letter"),
                               ({"settings": {"lift_of": 1.0}}, "did you mean 'lift_off'"),
                               ({"settings": {"lift_off[1]": 0.1}}, "it is one number"),
                               ({"tick": 1.0}, "a tick of 1 s"),
                               ({"settings": {"torque_noise[1]": 0.1}}, "[LIMB][JOINT]"),
                               ({"settings": {"lift_off": 7.0}}, "lift_off=7: out of its range"),
                               ({"settings": {"on": 0.2, "off": 0.1, "rest": 7.0}}, "rest=7: out of its range"),
                               ({"settings": {"torque_noise[4][0]": 0.1}}, "the limbs 0 to 3"),
                               ({"settings": {"torque_noise[3][3]": 0.1}}, "limb 3 has the joints 0 to 2"),
                               ({"settings": {"torque_unknown[5]": 0.1}}, "the limbs 0 to 3"),
                               ({"settings": {"frozen": -1.0}}, "frozen=-1: is a count"),
                               ({"settings": {"frozen": 2.5}}, "frozen=2.5: is a count"),
                               ({"sensing": whole_export.Sensing(encoder_bits=40.0)}, "such sensors")):
            with self.assertRaises(TinycontactError) as told:
                whole_export.write(robot, "out", **options)
            self.assertIn(words, str(told.exception))
            self.assertFalse(Path("out").exists())
        Path("file").write_text("")
        with self.assertRaisesRegex(TinycontactError, "is a file, no folder"):
            whole_export.write(robot, "file")
        robot.limbs[2].links[1].mass = -1.0
        with self.assertRaisesRegex(TinycontactError, "tc_robot_check"):
            whole_export.write(robot, "out")


class _Log(SimpleNamespace):
    def __len__(self):
        return len(self.sensors["gyro"])


class Programs(Case):
    """The exported program estimates as the library, and is right."""

    def check(self, robot, least, **options):
        written = whole_export.write(robot, "out", **options)
        said = self.compiled(*[path for path in written.paths if path.suffix == ".c"])
        sensing = options.get("sensing", whole_export.Sensing()).fields()
        log = _Log(robot=robot, sensors=written.sample.sensors(), tick=options.get("tick", 1e-3))
        told = Firmware(given=(), sensing=sensing, **options.get("settings", {})).run(log)
        right, count = map(int, re.search(r"right in (\d+) of (\d+)", said).groups())
        self.assertEqual(count, written.sample.contact.size)
        self.assertEqual(right, int((told["contact"] == written.sample.contact).sum()))
        self.assertGreater(right / count, least)
        changes = np.diff(np.concatenate([np.zeros((1, len(robot.limbs))), told["contact"]]), axis=0)
        at = {(int(foot), int(time)) for foot, time in re.findall(r"foot (\d).* at (\d+) us", said)}
        expected = {(foot, round(tick * log.tick * 1e6)) for tick, foot in zip(*np.nonzero(changes))}
        self.assertEqual(at, expected)
        self.assertTrue(0.2 < written.sample.contact.mean() < 0.8)

    def test_a_quadruped(self):
        self.check(fleet.robot("solo"), 0.97, settings={"lift_off": 0.006})

    def test_dry_friction(self):
        """It counts as noise of a torque, on the board and on the desktop."""
        robot = fleet.robot("solo")
        for limb in robot.limbs:
            for link in limb.links:
                link.friction = 0.4
        self.check(robot, 0.9)

    def test_a_finger_and_a_leg_of_six_joints(self):
        self.check(fleet.robot("finger"), 0.95)
        self.check(fleet.robot("humanoid-leg"), 0.95, tick=0.002, sensing=whole_export.Sensing(encoder_bits=18.0))


class Impulses(unittest.TestCase):
    def test_contact_is_coulomb_s(self):
        """No approach, no pull, no more than friction; a contact that holds stands still."""
        rng, held = np.random.default_rng(5), 0
        for _ in range(400):
            A = rng.normal(size=(3, 5))
            W, velocity, room = A @ A.T + 0.1 * np.eye(3), rng.normal(size=3) * [0.3, 0.3, 1.0], rng.uniform(-0.1, 0.3)
            p = whole_sample._impulse(W, velocity, room)
            after = velocity + W @ p
            self.assertTrue(p[2] >= 0 and np.linalg.norm(p[:2]) <= (1 + 1e-9) * whole_sample.FRICTION * p[2] + 1e-12)
            if velocity[2] + room >= 0:
                self.assertEqual(p.tolist(), [0, 0, 0])
            elif np.linalg.norm(p[:2]) < 0.5 * whole_sample.FRICTION * p[2]:
                held += 1
                self.assertLess(abs(after[2] + room), 0.2 * abs(velocity[2] + room))
        self.assertGreater(held, 5)


class Commands(Temporary):
    def test_export(self):
        Path("robot.json").write_text(json.dumps(fleet.description("go1")))
        out, _ = self.command("leg export", "robot.json", "--c", "fw", "--tables", "--encoder-bits", "14", "--set",
                              "torque_noise[0][2]=0.3")
        self.assertEqual(out.splitlines()[:2], ["fw/robot_tables.h", "fw/robot_tables.c"])
        self.assertIn("encoders: 14 bits", out)
        self.assertIn("config->torque_noise[0][2] = 0x1.333334p-2f", Path("fw/robot_tables.c").read_text())
        self.assertIn("tinycontact leg export robot.json --tick 0.001 --encoder-bits 14 --set torque_noise[0][2]=0.3\n",
                      Path("fw/robot_tables.c").read_text())
        for words, told in ((["--config", "c.json"], "--config: is for chain files"),
                            (["--gyro-noise", "0.1"], "--gyro-noise: is for"),
                            (["--set", "stik_speed=1"], "stick_speed")):
            _, err = self.command("leg export", "robot.json", "--c", "fw", *words, status=2)
            self.assertIn(told, err)


if __name__ == "__main__":
    unittest.main()
