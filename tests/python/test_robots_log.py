# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""A robot's own log (tinycontact/robots/log.py): the library reads in it what it would read on the board, whatever names,
units and gaps it has; what is likely wrong is named."""
import contextlib
import dataclasses
import io
import tempfile
import unittest
from pathlib import Path

import numpy as np

from tinycontact import cli
from tinycontact.errors import TinycontactError
from tinycontact.jsonfile import write_json
from tinycontact.robots import fleet
from tinycontact.robots.episodes import episode
from tinycontact.robots.firmware import Firmware
from tinycontact.robots.log import AXES, QUATERNION, estimate, joint_names, read, roles
from tinycontact.robots.plant import robot_of

SECONDS = 1.2
CASE = {}


def setUpModule():
    """One recorded trot, its columns and the file of its robot."""
    with contextlib.redirect_stderr(io.StringIO()):
        CASE["episode"] = made = episode("go1", "trot", 4, SECONDS)
    names, sensors = joint_names(made.robot), made.sensors
    columns = {"t": np.arange(len(made)) * 1e-3}
    for kind, field in (("q", "encoder"), ("tau", "torque")):
        columns |= {f"{kind}_{name}": values for name, values in zip(names, sensors[field].T)}
    columns |= dict(zip(AXES, np.column_stack([sensors["gyro"], sensors["accel"]]).T))
    columns |= dict(zip(QUATERNION, sensors["attitude"].T))
    columns |= {f"contact_{limb.name}": foot.mode != 0 for limb, foot in zip(made.robot.limbs, made.feet)}
    CASE["columns"] = columns


def text(columns, keep=slice(None)):
    rows = [",".join(columns)]
    values = [np.asarray(column) for column in columns.values()]
    shown = [[f"{x:.6f}" if name == "t" else "" if x != x else str(np.float32(x)) for x in column]
             for name, column in zip(columns, values)]
    return "\n".join(rows + [",".join(row) for row in list(zip(*shown))[keep]]) + "\n"


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder, self.robot = Path(folder.name), CASE["episode"].robot
        write_json(self.folder / "robot.json", self.robot.text)

    def log(self, change=None, keep=slice(None), columns=None, body=None):
        """The Log of the columns, changed: {name: values}."""
        path = self.folder / "log.csv"
        path.write_text(body or text({**CASE["columns"], **(change or {})}, keep))
        return read(path, self.robot, columns)

    def refused(self, *words, **options):
        with self.assertRaises(TinycontactError) as caught:
            self.log(**options)
        for word in words:
            self.assertIn(word, str(caught.exception))


class Reading(Case):
    def test_as_the_board_reads_it(self):
        """The same bits as from the recorded sensors."""
        log = self.log()
        self.assertAlmostEqual(log.tick, 1e-3, delta=1e-9)
        found = estimate(self.robot, log)
        whole = Firmware().run(CASE["episode"])
        for name in ("p", "impulse", "contact", "slip", "since"):
            np.testing.assert_array_equal(found.told[name], whole[name], name)
        self.assertEqual(log.findings, [])
        self.assertEqual(list(found.scores), ["FL", "FR", "RL", "RR"])
        for score in found.scores.values():
            self.assertGreater(score["right"], 0.95)
            self.assertEqual(score["missed"], 0)

    def test_names_and_units(self):
        """Other names, degrees, milliseconds, g: the same log."""
        columns = dict(CASE["columns"])
        plain = self.log()
        columns = {"stamp": 1e3 * columns.pop("t"), "knee": -np.rad2deg(columns.pop("q_FL_calf").astype(float)),
                   "gyro_x_deg": np.rad2deg(columns.pop("gyro_x").astype(float)), **columns}
        other = self.log(columns="t_ms=stamp,q_FL_calf_deg=-knee", body=text(columns))
        self.assertAlmostEqual(other.tick, plain.tick, delta=1e-8)
        for name in ("encoder", "gyro", "accel", "torque"):
            np.testing.assert_allclose(other.sensors[name], plain.sensors[name], rtol=0, atol=2e-6)

    def test_gaps(self):
        """A limb without a number is lost alone; rows that are missing are lost for all, at their place in time."""
        q = CASE["columns"]["q_RL_hip"].astype(float).copy()
        q[300:305] = np.nan
        keep = [k for k in range(len(q)) if not 500 <= k < 503]
        rows = text({**CASE["columns"], "q_RL_hip": q}).splitlines()
        body = "\n".join([rows[0], *(rows[1 + k] for k in keep)]) + "\n"
        log = self.log(body=body)
        self.assertEqual(len(log.sensors["lost"]), len(q))
        self.assertEqual(np.flatnonzero(log.sensors["lost"].all(1)).tolist(), [500, 501, 502])
        self.assertEqual(log.sensors["lost"].sum(0).tolist(), [3, 3, 8, 3])
        self.assertGreater(estimate(self.robot, log).scores["RL"]["right"], 0.9)

    def test_rows_without_an_attitude(self):
        """A row whose attitude lacks a number is lost for all limbs; a file without any is refused."""
        quat = CASE["columns"]["quat_y"].astype(float).copy()
        quat[[0, 1, 400, 401]] = np.nan
        log = self.log({"quat_y": quat})
        self.assertEqual(np.flatnonzero(log.sensors["lost"].all(1)).tolist(), [398, 399])   # 0 and 1 are left out
        whole = self.log().sensors["attitude"]
        for row, source in ((0, 2), (398, 399), (399, 399), (400, 402)):
            np.testing.assert_array_equal(log.sensors["attitude"][row], whole[source])
        self.assertGreater(np.mean([score["right"] for score in estimate(self.robot, log).scores.values()]), 0.95)
        self.refused("quat_w has no number in any row", change={"quat_w": np.full(len(quat), np.nan)})

    def test_begins_where_nothing_is_lost(self):
        """Rows before the first whole one are left out, and times stay those of the log."""
        columns = {**CASE["columns"], "t": CASE["columns"]["t"] + 20.0}
        for name, rows in (("accel_z", 5), ("q_RL_hip", 3)):
            columns[name] = np.where(np.arange(len(columns["t"])) < rows, np.nan, columns[name])
        log = self.log(body=text(columns))
        self.assertEqual(len(log.sensors["lost"]), len(columns["t"]) - 5)
        self.assertEqual(log.sensors["lost"].sum(), 0)
        found = estimate(self.robot, log)
        self.assertAlmostEqual(found.time[0], 20.005, delta=1e-9)
        self.assertLess(np.abs(found.told["velocity"][:50, 2]).max(), 0.3)
        self.refused("q_FL_hip has no number in any row", change={"q_FL_hip": np.full(len(columns["t"]), np.nan)})
        self.refused("no 10 rows", change={"q_FL_hip": np.where(np.arange(len(columns["t"])) % 2, np.nan, columns["q_FL_hip"]),
                                           "gyro_x": np.where(np.arange(len(columns["t"])) % 2, 0.0, np.nan)})

    def test_refused_ticks_are_flagged(self):
        q = CASE["columns"]["q_RL_hip"].astype(float).copy()
        q[200:203] = 2e4
        told = estimate(self.robot, self.log({"q_RL_hip": q})).told
        stale = (told["flags"] & 1) != 0
        self.assertEqual(np.flatnonzero(stale.all(1)).tolist(), [200, 201, 202])
        self.assertEqual(stale.sum(), 12)

    def test_touch(self):
        """A touch sensor without a number says nothing; one in other units is refused, and a threshold makes it right."""
        ticks = np.arange(len(CASE["columns"]["t"]))
        force = np.where(CASE["columns"]["contact_FR"], 300.0, 2.0)
        log = self.log({"touch_FR": np.where(ticks < 100, np.nan, force > 10)})
        self.assertEqual(set(log.sensors["touch"][:100].ravel()), {0.5})
        self.assertEqual((estimate(self.robot, log).told["status"] < 0).sum(), 0)
        self.refused("touch_FR is", "wanted 0 to 1", "touch_FR=COLUMN>NUMBER", change={"touch_FR": force})
        log = self.log({"force": force}, columns="touch_FR=force>10")
        np.testing.assert_array_equal(log.sensors["touch"][:, 1], force > 10)

    def test_without_attitude(self):
        columns = {name: values for name, values in CASE["columns"].items() if not name.startswith("quat")}
        found = estimate(self.robot, self.log(body=text(columns)))
        self.assertGreater(np.mean([score["right"] for score in found.scores.values()]), 0.9)


class Mistakes(Case):
    def findings(self, **change):
        log = self.log({name: CASE["columns"][name] * factor + offset for name, (factor, offset) in change.items()})
        estimate(self.robot, log)
        return " ".join(log.findings)

    def test_named(self):
        torques = {name: (-1.0, 0.0) for name in CASE["columns"] if name.startswith("tau_")}
        self.assertIn("of the robot's weight", self.findings(**torques))
        self.assertIn("q_FR_calf goes to", self.findings(q_FR_calf=(57.3, 0.0)))
        self.assertIn("1100 of 1200 ticks were refused, the first at 0.1 s",
                      self.findings(gyro_y=(1.0, np.where(np.arange(1200) < 100, 0.0, 1e5))))
        self.assertIn("in units of g?", self.findings(**{f"accel_{x}": (1 / 9.81, 0.0) for x in "xyz"}))
        self.assertIn("is gravity taken out?", self.findings(accel_z=(1.0, -9.81)))
        self.assertIn("gyro shows more than 20", self.findings(gyro_y=(1e3, 0.0)))

    def test_a_log_that_begins_in_flight(self):
        """Without an attitude the first rows show where up is, and in flight they do not."""
        columns = {name: values for name, values in CASE["columns"].items() if not name.startswith("quat")}
        self.assertEqual(self.log(body=text(columns)).findings, [])
        falls = np.where(np.arange(len(columns["t"])) < 30, 0.01, 1.0)
        falling = {**columns, **{f"accel_{x}": columns[f"accel_{x}"] * falls for x in "xyz"}}
        self.assertIn("the log begins with 0.01 g", " ".join(self.log(body=text(falling)).findings))
        turned = {**columns, "accel_z": -columns["accel_z"]}
        self.assertIn("from the base's z", " ".join(self.log(body=text(turned)).findings))
        self.assertIn("accel_z=-COLUMN", " ".join(self.log(body=text(turned)).findings))

    def test_a_robot_that_jumps(self):
        """In flight for more than half of the time, its accelerometer's median is no gravity taken out."""
        share = np.where(np.arange(len(CASE["columns"]["t"])) % 500 < 300, 0.2, 2.2)
        change = {f"accel_{x}": CASE["columns"][f"accel_{x}"] * share for x in "xyz"}
        self.assertFalse([words for words in self.log(change).findings if "accelerometer shows 0." in words])

    def test_attitudes_that_are_turned(self):
        """On a base that leans, an inverse and a scalar at the end are told apart."""
        columns, lean = CASE["columns"], np.float64([np.cos(0.2), 0.0, np.sin(0.2), 0.0])
        old = np.column_stack([columns[name] for name in QUATERNION])
        # the IMU leans by 0.4 rad about its y: what it shows is turned back
        back = {"accel_x": np.cos(0.4) * columns["accel_x"] - np.sin(0.4) * columns["accel_z"],
                "accel_z": np.sin(0.4) * columns["accel_x"] + np.cos(0.4) * columns["accel_z"]}
        w, v, c, s = old[:, 0], old[:, 1:], lean[0], lean[1:]
        new = np.column_stack([w * c - v @ s, np.outer(w, s) + c * v + np.cross(v, s)])
        named = lambda values: dict(zip(QUATERNION, values.T))   # noqa: E731
        self.assertEqual(self.log({**back, **named(new)}).findings, [])
        self.assertIn("quat_x=-COLUMN", " ".join(self.log({**back, **named(new * [1, -1, -1, -1])}).findings))
        self.assertIn("its scalar is the last", " ".join(self.log({**back, **named(new[:, [1, 2, 3, 0]])}).findings))
        self.assertIn("axes or signs", " ".join(self.log({"accel_z": -columns["accel_z"]}).findings))

    def test_degrees_name_the_largest_of_their_joint(self):
        change = {"q_FL_calf": CASE["columns"]["q_FL_calf"] * 20, "q_FR_calf": CASE["columns"]["q_FR_calf"] * 57.3}
        words = " ".join(self.log(change).findings)
        self.assertIn(f"q_FL_calf goes to {np.abs(change['q_FL_calf']).max():.0f}: degrees?", words)

    def test_a_limb_without_torques(self):
        """Its bit is set and it is named; the other limbs are estimated as well as before."""
        columns = {name: values for name, values in CASE["columns"].items() if not name.startswith("tau_RL")}
        log = self.log(body=text(columns))
        self.assertEqual(log.torqueless, 4)
        self.assertIn("limb RL has no torques (tau_RL_hip, ...)", log.findings[0])
        found = estimate(self.robot, log)
        for name in ("FL", "FR", "RR"):
            self.assertGreater(found.scores[name]["right"], 0.95, name)
        self.assertGreater(found.scores["RL"]["right"], 0.7)
        none = {name: values for name, values in columns.items() if not name.startswith("tau_")}
        self.refused("no column tau_FL_hip", body=text(none))
        part = {name: values for name, values in CASE["columns"].items() if name != "tau_RL_hip"}
        self.refused("no column tau_RL_hip", body=text(part))

    def test_a_fixed_base_needs_no_imu(self):
        robot = dataclasses.replace(self.robot, root="fixed")
        columns = {name: values for name, values in CASE["columns"].items() if name not in (*AXES, *QUATERNION)}
        (self.folder / "log.csv").write_text(text(columns))
        log = read(self.folder / "log.csv", robot)
        np.testing.assert_allclose(log.sensors["accel"] @ robot.imu_axes.T, np.tile([0, 0, robot.g], (len(columns["t"]), 1)),
                                   rtol=0, atol=1e-5)
        self.assertEqual(log.findings, [])
        self.refused("no column gyro_x", body=text(columns))

    def test_refused(self):
        columns = CASE["columns"]
        self.refused("no column tau_RR_calf", "--columns", body=text({k: v for k, v in columns.items() if k != "tau_RR_calf"}))
        self.refused("line 5", "not after", change={"t": np.where(np.arange(len(columns["t"])) == 3, 0.0, columns["t"])})
        self.refused("t_ms, t_us", change={"t": columns["t"] * 1e3})
        self.refused("evenly", change={"t": np.cumsum(np.random.default_rng(1).uniform(1e-4, 1.9e-3, len(columns["t"])))})
        self.refused("did you mean q_FL_calf", columns="q_FL_cal=q_FL_calf")
        self.refused("did you mean gyro_x", columns="gyro_y=gyrox")
        self.refused("unit quaternion", "line 2", change={"quat_w": columns["quat_w"] * 2})
        self.refused("has 4 rows", body="\n".join(text(columns).splitlines()[:5]))
        self.refused("cut the log there", change={"t": columns["t"] + 9.0 * (np.arange(len(columns["t"])) > 600)})

    def test_roles_of_joints_without_names(self):
        robot = robot_of("go1")
        for link in robot.limbs[2].links:
            link.name = ""
        self.assertIn("q_RL_2", roles(robot))
        self.assertEqual(len(set(joint_names(robot))), 12)


class Command(Case):
    def tinycontact(self, *words):
        out = io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
            try:
                status = cli.main(["leg", "estimate", "--chain", str(self.folder / "robot.json"), *map(str, words)])
            except TinycontactError as error:
                print(error)
                status = getattr(error, "exit_status", 2)
        return status or 0, out.getvalue()

    def test_files(self):
        self.log()
        status, out = self.tinycontact(self.folder / "log.csv", "-o", self.folder / "c.csv", "--plot", self.folder / "c.png")
        self.assertEqual(status, 0, out)
        self.assertIn("FL: ", out)
        self.assertIn(" missed, ", out)
        self.assertEqual(len((self.folder / "c.csv").read_text().splitlines()), 1 + 4 * len(CASE["episode"]))
        self.assertEqual((self.folder / "c.png").read_bytes()[:4], b"\x89PNG")
        self.assertIn("c.png: a picture of it\n", out)

    def test_a_picture_of_a_part_says_so(self):
        columns = CASE["columns"]
        rows = len(columns["t"])
        long = {name: np.concatenate([values, values, values]) for name, values in columns.items()}
        self.log(body=text({**long, "t": np.arange(3 * rows) * 1e-3}))
        _, out = self.tinycontact(self.folder / "log.csv", "--plot", self.folder / "c.png")
        self.assertIn("c.png: a picture of the first 2.5 of its 3.6 s", out)

    def test_options_for_one_leg_are_named(self):
        self.log()
        status, out = self.tinycontact(self.folder / "log.csv", "--html", self.folder / "page.html")
        self.assertEqual(status, 2)
        self.assertIn("--html: is for one leg", out)

    def test_strict(self):
        self.log({name: -values for name, values in CASE["columns"].items() if name.startswith("tau_")})
        status, out = self.tinycontact(self.folder / "log.csv", "--strict")
        self.assertEqual(status, 1, out)
        self.assertIn("likely mistake 1", out)


class Fleet(unittest.TestCase):
    def test_each_robot_has_roles(self):
        for name in fleet.NAMES:
            robot = fleet.robot(name)
            self.assertEqual(len(roles(robot)), 1 + 2 * robot.joints + 10 + 2 * len(robot.limbs))


if __name__ == "__main__":
    unittest.main()
