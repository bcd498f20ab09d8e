# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Each way to log tosses wrongly is refused by `body identify` with its likely cause and the row; nothing is written."""
import unittest
from pathlib import Path

import numpy as np

from toss_case import CUBE, LOG, Tosses

from tinycontact.toss import plausible, poses

COLUMN = {name: k for k, name in enumerate("throw t x y z qw qx qy qz vx vy vz wx wy wz".split())}


class Wrong(Tosses):
    def changed(self, change, count=12, rates=True):
        """A log whose cells went through `change`, a function of a float array [rows, 15]."""
        head, *cells = self.rows(count)
        values = change(np.array(cells, dtype=float))
        width = 15 if rates else 9
        return self.write([head[:width], *([f"{x:.9g}" for x in row[:width]] for row in values)])

    def wrong(self, log, *told, shape=CUBE, options=()):
        before = sorted(Path().iterdir())
        self.refused("body identify", "--log", log, "--shape", shape, "-o", "body.json", "--quick", *options,
                     told=(log, *told))
        self.assertEqual(sorted(Path().iterdir()), before)

    def test_as_it_is(self):
        self.command("body identify", "--log", self.changed(lambda v: v), "--shape", CUBE, "-o", "b.json", "--quick")

    def test_noise_of_a_tracker_is_no_push(self):
        """0.3 mm at 240 Hz shakes a row's acceleration by 11 m/s^2: in free fall nothing pushes, then a floor does."""
        rng, t, rows = np.random.default_rng(2), np.arange(100) / 240, []
        height = np.maximum(0.3 - 0.5 * 9.81 * t * t, 0.0)
        for label in range(20):
            x = np.stack([0 * t, 0 * t, height], axis=1) + 3e-4 * rng.standard_normal((100, 3))
            rows += [[f"{cell:.9f}" for cell in (label, t[k], *x[k], 1, 0, 0, 0)] for k in range(100)]
        log = poses.read(self.write(["throw t x y z qw qx qy qz".split(), *rows]))
        down = int(np.sqrt(2 * 0.3 / 9.81) * 240)
        for pushed in plausible._pushed(log, 9.81):
            self.assertFalse(np.any(pushed < down - 8), pushed)
            self.assertGreater(np.mean(np.isin(np.arange(down + 8, 90), pushed)), 0.95)

    def scaled(self, names, factor):
        def change(values):
            values[:, [COLUMN[name] for name in names]] *= factor
            return values
        return change

    def test_millimetres(self):
        log = self.changed(self.scaled(("x", "y", "z", "vx", "vy", "vz"), 1e3))
        self.wrong(log, "line ", "column z", "millimetres", "--length mm")
        self.command("body identify", "--log", log, "--shape", CUBE, "-o", "b.json", "--quick", "--length", "mm")

    def test_inches(self):
        self.wrong(self.changed(self.scaled("xyz", 1 / 0.0254), rates=False), "line ", "inches")

    def test_milliseconds(self):
        self.wrong(self.changed(self.scaled("t", 1e3)), "column t", "--time ms")

    def test_a_wrong_frame_rate(self):
        self.wrong(self.changed(self.scaled("t", 1.3)), "line ", "times by 1.3")

    def test_z_down(self):
        def down(values):
            values[:, [COLUMN[name] for name in ("y", "z", "vy", "vz")]] *= -1
            w, x, y, z = values[:, 5:9].T.copy()
            values[:, 5:9] = np.stack([-x, w, -z, y], axis=1)   # a half turn about x
            return values
        log = self.changed(down)
        self.wrong(log, "line ", "z points down", "--up minus-z")
        self.command("body identify", "--log", log, "--shape", CUBE, "-o", "b.json", "--quick", "--up", "minus-z")

    def test_y_up(self):
        def turned(values):
            values[:, 2:5] = values[:, [2, 4, 3]] * [1, 1, -1]
            return values
        self.wrong(self.changed(turned, rates=False), "line ", "--up y")

    def test_scalar_last(self):
        def last(values):
            values[:, 5:9] = values[:, [6, 7, 8, 5]]
            return values
        log = self.changed(last)
        self.wrong(log, "line ", "column qw", "in the order xyzw", "--quaternion xyzw")
        self.command("body identify", "--log", log, "--shape", CUBE, "-o", "b.json", "--quick", "--quaternion", "xyzw")

    def test_conjugated(self):
        def conjugated(values):
            values[:, 6:9] *= -1
            return values
        log = self.changed(conjugated)
        self.wrong(log, "line ", "conjugated", "--conjugate")
        self.command("body identify", "--log", log, "--shape", CUBE, "-o", "b.json", "--quick", "--conjugate")

    def test_not_normalised(self):
        self.wrong(self.changed(self.scaled(("qw", "qx", "qy", "qz"), 2.0)), "line 2", "not normalised", "by 2")

    def test_degrees(self):
        log = self.changed(self.scaled(("wx", "wy", "wz"), 180 / np.pi))
        self.wrong(log, "column wx", "line ", "--angle deg")
        self.command("body identify", "--log", log, "--shape", CUBE, "-o", "b.json", "--quick", "--angle", "deg")

    def test_velocities_of_another_sign(self):
        self.wrong(self.changed(self.scaled(("vx", "vy", "vz"), -1)), "column vx", "signs")

    def test_another_body(self):
        brick = self.shape(np.array([[x, y, z] for x in (-.08, .08) for y in (-.05, .05) for z in (-.02, .02)]), 0.4)
        self.wrong(self.changed(lambda v: v), "line ", "another than that of shape.json", shape=brick)
        cube = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
        self.wrong(self.changed(lambda v: v), "line ", "same body", shape=self.shape(0.07 * cube, 0.4))

    def test_a_floor_that_is_elsewhere(self):
        def lifted(values):
            values[:, 4] -= 0.25
            return values
        log = self.changed(lifted)
        self.wrong(log, "line ", "mm below z = 0", "--floor -0.25")
        self.command("body identify", "--log", log, "--shape", CUBE, "-o", "b.json", "--quick", "--floor", "-0.25")

    def test_a_floor_that_moves(self):
        def moved(values):
            labels = np.unique(values[:, 0])
            values[values[:, 0] == labels[7], 4] += 0.012
            return values
        head, *cells = self.rows(12)
        label = list(dict.fromkeys(row[0] for row in cells))[7]
        self.wrong(self.changed(moved), "line ", f"(throw {label})", "the floor moves")

    def test_a_floor_that_was_lifted_half_way(self):
        def lifted(values):
            labels = np.unique(values[:, 0])
            values[np.isin(values[:, 0], labels[len(labels) // 2:]), 4] += 0.02
            return values
        self.wrong(self.changed(lifted, count=40), "line ", "the floor moves")

    def test_a_floor_that_sinks(self):
        def sinking(values):
            values[:, 4] -= 0.05 * values[:, 1]
            return values
        self.wrong(self.changed(sinking, rates=False), "line ", "the floor moves", "sinks at 5")

    def test_no_contact(self):
        rows = self.rows(30)
        kept, count, last = [rows[0]], 0, None
        for row in rows[1:]:
            count, last = (count + 1 if row[0] == last else 0), row[0]
            kept += [row] if count < 9 else []
        self.wrong(self.write(kept), "line ", "ends without contact")

    def test_in_the_hand(self):
        def held(values):
            for label in np.unique(values[:, 0]):
                rows = np.flatnonzero(values[:, 0] == label)
                values[rows[:10], 2:5] = values[rows[10], 2:5]
                values[rows[:10], 5:9] = values[rows[10], 5:9]
            return values
        self.wrong(self.changed(held, rates=False), "line ", "no free flight")

    def test_one_toss(self):
        self.wrong(self.changed(lambda v: v, 1), "line ", "1 throw;")

    def test_gaps_and_jumps_may_be_skipped(self):
        def gap(values):
            rows = np.flatnonzero(values[:, 0] == values[300, 0])
            return np.delete(values, rows[20:23], axis=0)
        log = self.changed(gap)
        self.wrong(log, "column t", "3 rows are missing")
        _, err = self.command("body identify", "--log", log, "--shape", CUBE, "-o", "b.json", "--quick", "--skip")
        self.assertIn("left out: log.csv, line ", err)

        def jump(values):
            values[30, 3] += 0.03
            return values
        self.wrong(self.changed(jump), "line 32", "column x", "30 mm off", "jump")

    def test_shapes(self):
        log = self.changed(lambda v: v)
        square = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]]
        for text, told in (('{"vertices": %s, "mass": 1}' % square, "in a plane"), ("[]", "wanted an object"),
                           ('{"vertices": [[0, 0, 0], [50, 0, 0], [0, 50, 0], [0, 0, 50]], "mass": 1}', "millimetres"),
                           ('{"vertices": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]}', "mass"),
                           ('{"vertices": [[0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], "mass": 1}', "vertices[0]"),
                           ('{"vertices": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], "mass": -1}', "mass")):
            Path("shape.json").write_text(text)
            self.refused("body identify", "--log", log, "--shape", "shape.json", "-o", "b.json", told=("shape.json", told))

    def test_columns(self):
        self.refused("body identify", "--log", LOG, "--shape", CUBE, "-o", "b.json", "--columns", "x", told=("NAME=COLUMN",))
        self.refused("body identify", "--log", LOG, "--shape", CUBE, "-o", "b.json", "--columns", "x=px",
                     told=(LOG, "no column px"))


if __name__ == "__main__":
    unittest.main()
