# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""`tinycontact body export --c` and `body throw --board` for a body in the plane: a model's firmware without writing C."""
import contextlib
import io
import subprocess
import unittest
from pathlib import Path

import numpy as np

from tinycontact_case import ROOT, Temporary

from tinycontact import cli, planar_c
from tinycontact.contact import ContactModel
from tinycontact.predict import load_shape

MODELS = ROOT / "tests" / "models"
THROWS = [(0.4, 28.6, 3.0, 20.0), (0.3, -60.0, 1.0, -5.0)]


def planned(name, shape, positions="dart", throws=THROWS):
    model = ContactModel(str(MODELS / f"{name}.tcm"), load_shape(shape))
    return model, planar_c.Plan.of(model, positions, throws)


class OnBoard(unittest.TestCase):
    """Catches: a constant that is rounded on its way into C, a scheme or a restitution that the application forgets."""

    def test_same_bits(self):
        for board, name, shape, positions in (("mps2-an386", "rectangle", "rectangle", "dart"),
                                              ("mps3-an547", "pentagon_i8", "pentagon", "dart"),
                                              ("host", "rectangle_i8", "rectangle", "toc")):
            with self.subTest(board=board, model=name, positions=positions):
                model, plan = planned(name, shape, positions, THROWS[:1])
                self.assertGreater(plan.throws[0].steps, 100)
                self.assertEqual([], planar_c.differences(plan, planar_c.on_board(board, model, plan)))

    def test_a_difference_is_told(self):
        model, plan = planned("rectangle", "rectangle")
        ends = [(throw.steps, throw.end.copy(), throw.hash) for throw in plan.throws]
        self.assertEqual([], planar_c.differences(plan, ends))
        ends[1][1][2] = np.nextafter(ends[1][1][2], np.float32(9))
        ends[0] = (*ends[0][:2], ends[0][2] ^ 1)
        told = planar_c.differences(plan, ends)
        self.assertEqual(2, len(told))
        self.assertIn("throw 0: ends alike, but a state on the way differs", told[0])
        self.assertIn("throw 1, theta after", told[1])

    def test_hash_sees_every_state(self):
        _, plan = planned("rectangle", "rectangle")
        _, other = planned("rectangle", "rectangle", throws=[(0.4, 28.6, 3.0, 20.00001), THROWS[1]])
        self.assertNotEqual(plan.throws[0].hash, other.throws[0].hash)
        self.assertEqual(plan.throws[1].hash, other.throws[1].hash)


class Export(Temporary):
    def said(self, *words):
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            status = cli.main(list(words))
        return status, out.getvalue() + err.getvalue()

    def test_compiles_strictly(self):
        folder = "my-foot"
        status, told = self.said("body", "export", "--model", str(MODELS / "rectangle.tcm"), "--shape", "rectangle", "--c", folder)
        self.assertEqual(0, status, told)
        includes = [f"-I{path}" for path in (ROOT / "lib", *(p for p in (ROOT / "lib").iterdir() if p.is_dir()), ROOT / "boards")]
        for file in ("my_foot.c", "my_foot_nets.c", "main.c"):
            done = subprocess.run(["gcc", "-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-ffp-contract=off", *includes, "-c",
                                   str(Path(folder) / file), "-o", "o"], text=True, capture_output=True)
            self.assertEqual(0, done.returncode, done.stderr)

    def test_refused(self):
        model = ["--model", str(MODELS / "rectangle.tcm"), "--shape", "rectangle"]
        throws = "throws.json"
        Path(throws).write_text('[{"y0": 0.4, "theta0_deg": 0, "vx0": 1, "omega0": 0}]')
        for words, told in ((["body", "throw", *model, throws], "--board"),
                            (["body", "throw", *model, throws, "--board", "abacus"], "mps2-an386"),
                            (["body", "export", *model, "--c", "f", "--throws", "gone"], "gone")):
            with self.subTest(words):
                status, said = self.said(*words)
                self.assertEqual(2, status)
                self.assertIn(told, said)
        self.assertFalse(Path("f").exists())


if __name__ == "__main__":
    unittest.main()
