# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""`tinycontact impact identify`: logs of a box and of a gyroscope, and logs with faults."""
import csv
import json
import random
import unittest

from tinycontact_case import Temporary

from tinycontact.impact.identify_cli import IDENTIFY

BOX = {"name": "box", "dimension": 2, "gravity": [0, -9.81],
       "bodies": [{"name": "box", "mass": 1.0, "inertia": 0.0045,
                   "shape": {"vertices": [[-0.1, -0.06], [0.1, -0.06], [0.1, 0.06], [-0.1, 0.06]]}}],
       "planes": [{"name": "floor", "normal": [0, 1], "offset": 0}],
       "contacts": [{"a": "box", "b": "floor", "mu": 0.35, "e": 0.6}], "h": 0.004, "steps": 120,
       "random": {"low": {"box": {"position": [0, 0.25], "angle": -3, "velocity": [-2, -1], "omega": -5}},
                  "high": {"box": {"position": [1, 0.5], "angle": 3, "velocity": [2, 0], "omega": 5}}}}


class WithLog(Temporary):
    SYSTEM, RUNS = BOX, 6

    def setUp(self):
        super().setUp()
        name = self.SYSTEM
        if not isinstance(name, str):
            name = "system.json"
            (self.folder / name).write_text(json.dumps(self.SYSTEM))
        self.system = name
        self.command("impact simulate", name, "-o", "out.json", "--csv", "log.csv", "--double", "--seed", 3,
                     *(("--runs", self.RUNS) if self.RUNS else ()))

    def rows(self):
        with open("log.csv", newline="") as file:
            return list(csv.reader(file))

    def write(self, rows):
        with open("bad.csv", "w", newline="") as file:
            csv.writer(file).writerows(rows)

    def identify(self, *more, log="log.csv", system=None):
        out, _ = self.command("impact identify", system or self.system, "--log", log, "-o", "floor.json", *more)
        return json.loads((self.folder / "floor.json").read_text()), out


class Example(Temporary):
    def test_the_commands_that_the_help_shows(self):
        lines = [line.split()[1:] for line in IDENTIFY.splitlines() if line.startswith("  tinycontact ")]
        self.assertEqual([line[1] for line in lines], ["simulate", "identify"])
        for noun, verb, *words in lines:
            self.command(f"{noun} {verb}", *words)
        self.assertTrue((self.folder / "floor.png").exists())


class Values(WithLog):
    def test_friction_and_restitution_of_a_box_are_exact_and_inside_their_intervals(self):
        told, out = self.identify("--plot", "floor.png")
        for u, truth in zip(told["unknown"], (0.35, 0.6)):
            self.assertAlmostEqual(u["value"], truth, delta=1e-6)
            self.assertLessEqual(u["interval"][0], u["value"])
            self.assertLessEqual(u["value"], u["interval"][1])
        self.assertEqual([], told["not_determined"])
        self.assertIn("mu: 0.35", out)
        self.assertEqual(b"\x89PNG", (self.folder / "floor.png").read_bytes()[:4])

    def test_gravity_may_be_unknown_too(self):
        told, _ = self.identify("--unknown", "mu,e,gravity")
        self.assertAlmostEqual(told["unknown"][2]["value"], 9.81, delta=1e-6)

    def test_noise_is_estimated_and_the_interval_is_honest(self):
        random.seed(5)
        rows = self.rows()
        self.write([rows[0], *([*r[:2], *(float(x) + random.gauss(0, 0.002) for x in r[2:])] for r in rows[1:])])
        told, _ = self.identify(log="bad.csv")
        for column in told["noise"].values():
            self.assertAlmostEqual(column, 0.002, delta=0.0006)
        for u, truth, near in zip(told["unknown"], (0.35, 0.6), (0.02, 0.02)):
            self.assertAlmostEqual(u["value"], truth, delta=near)
            self.assertLess(u["interval"][1] - u["interval"][0], 0.1)

    def test_a_log_without_the_column_run_is_one_run(self):
        rows = [row[1:] for row in self.rows() if row[0] in ("run", "2")]
        self.write(rows)
        told, _ = self.identify(log="bad.csv")
        self.assertEqual(1, told["runs"])
        self.assertEqual(121, told["rows"])


class Space(WithLog):
    SYSTEM, RUNS = "Gyro", 12

    def test_a_gyroscope_beside_a_wall(self):
        told, _ = self.identify("--unknown", "mu,e,inertia")
        if "mu" in told["not_determined"]:
            self.skipTest("no run of this seed strikes the wall")
        self.assertAlmostEqual(told["unknown"][1]["value"], 0.8, delta=1e-5)
        self.assertAlmostEqual(told["unknown"][2]["value"], 0.3 * 0.09 / (3 / 80 * (4 * 0.09 + 0.16)), delta=1e-5)

    def test_a_quaternion_that_is_none_is_named(self):
        rows = self.rows()
        rows[4][5] = "0.0"
        rows[4][6] = rows[4][7] = rows[4][8] = "0.1"
        self.write(rows)
        self.refused("impact identify", "Gyro", "--log", "bad.csv", "-o", "floor.json", told=["bad.csv, line 5", "gyro.qw",
                                                                                              "length"])


class Faults(WithLog):
    def changed(self, change):
        rows = self.rows()
        self.write(change(rows) or rows)

    def refuses(self, *told):
        self.refused("impact identify", self.system, "--log", "bad.csv", "-o", "floor.json", told=["bad.csv", *told])
        self.assertFalse((self.folder / "floor.json").exists())

    def test_a_missing_column(self):
        self.changed(lambda rows: [row[:-1] for row in rows])
        self.refuses("no column box.omega")

    def test_time_that_goes_back(self):
        def swap(rows):
            rows[5][1], rows[6][1] = rows[6][1], rows[5][1]
        self.changed(swap)
        self.refuses("line 7, column t")

    def test_a_gap(self):
        self.changed(lambda rows: rows[:20] + rows[30:])
        self.refuses("line 21", "gap")

    def test_degrees(self):
        def turn(rows):
            for row in rows[1:]:
                row[7] = str(57.29578 * float(row[7]))
        self.changed(turn)
        self.refuses("box.omega", "57.3")

    def test_millimetres_inside_the_floor(self):
        def sink(rows):
            for row in rows[1:]:
                row[3] = str(float(row[3]) - 0.5)
        self.changed(sink)
        self.refuses("line 2", "overlap")

    def test_a_word_in_a_cell(self):
        def spoil(rows):
            rows[3][4] = "fast"
        self.changed(spoil)
        self.refuses("line 4", "box.theta")

    def test_an_empty_log_and_one_row(self):
        self.changed(lambda rows: rows[:1])
        self.refuses("no rows")
        self.changed(lambda rows: rows[:2])
        self.refuses("no run has two rows")

    def test_nothing_touches(self):
        def lift(rows):
            for row in rows[1:]:
                row[3] = str(float(row[3]) + 100.0)
        self.changed(lift)
        self.refused("impact identify", self.system, "--log", "bad.csv", "-o", "floor.json", "--unknown", "mu,e",
                     told=["bad.csv", "nothing touches"])

    def test_options(self):
        self.refused("impact identify", self.system, "--log", "log.csv", "-o", "f.json", "--unknown", "mu,colour",
                     told=["colour"])
        self.refused("impact identify", "nowhere", "--log", "log.csv", "-o", "f.json", told=["nowhere"])


if __name__ == "__main__":
    unittest.main()
