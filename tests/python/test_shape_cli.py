# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""tinycontact shape make, inspect, check, convert, as typed."""
import json
import unittest
from pathlib import Path

import numpy as np

from shape_case import box, obj_text, round_grid, sphere, torus
from tinycontact_case import Temporary

from tinycontact.shape import gridfile, mesh


class Shapes(Temporary):
    def setUp(self):
        super().setUp()
        Path("ball.obj").write_text(obj_text(*sphere(levels=3)))

    def test_make_inspect_check(self):
        out, _ = self.command("shape make", "ball.obj", "-o", "ball.json", "--grid", "9,9,10",
                              "--plot", "ball.png", "--c", "flash_ball")
        self.assertIn("grid of 9 x 9 x 10 nodes, 810 bytes", out)
        self.assertIn("surface rms", out)
        self.assertIn("1 piece(s) with 0 hole(s) through them; the mesh: 1 with 0\n", out)
        self.assertIn("wrote ball.json, ball.tcs, flash_ball.c, flash_ball.h, ball.png", out)
        self.assertEqual(Path("ball.png").read_bytes()[:4], b"\x89PNG")
        self.assertIn("const tc_sdf flash_ball = TC_SDF_DATA", Path("flash_ball.c").read_text())
        for file in ("ball.json", "ball.tcs"):
            out = self.command("shape inspect", file, "--density", 1000)[0]
            self.assertIn("810 bytes of flash", out)
            self.assertRegex(out, r"mass +51\d\.\d+ kg at 1000 kg/m3")
            out = self.command("shape check", file, "ball.obj", "-o", "error.json")[0]
            self.assertIn("right within", out)
        error = json.loads(Path("error.json").read_text())
        self.assertEqual(error["surface_rms"], gridfile.read("ball.tcs").error["surface_rms"])
        err = self.command("shape check", "ball.tcs", "ball.obj", "--tolerance", "0.01",
                           status=1)[1]
        self.assertIn("--tolerance is 0.01 %", err)

    def test_another_mesh_is_noticed(self):
        """Exit status 1, whichever of the two has more."""
        vertices, triangles = sphere(levels=3)
        Path("long.obj").write_text(obj_text(vertices * [1, 1, 1.3], triangles))
        for name in ("ball", "long"):
            self.command("shape make", f"{name}.obj", "-o", f"{name}.tcs", "--cells", 9)
        self.command("shape check", "ball.tcs", "long.obj", status=1)
        self.command("shape check", "long.tcs", "ball.obj", status=1)

    def test_convert(self):
        self.command("shape make", "ball.obj", "-o", "ball.tcs", "--cells", 9)
        self.command("shape convert", "ball.tcs", "-o", "copy.json", "--c", "copy")
        self.assertEqual(Path("copy.tcs").read_bytes(), Path("ball.tcs").read_bytes())
        for name in ("seen.obj", "seen.stl"):
            self.command("shape convert", "copy.json", "-o", name)
            self.assertIn("a closed surface", self.command("shape check", name)[0])
            points = mesh.read(name).vertices
            np.testing.assert_allclose(np.linalg.norm(points, axis=1), 0.5, atol=0.01)
        self.command("shape convert", "ball.obj", "--units", "cm", "-o", "small.stl")
        self.assertAlmostEqual(mesh.read("small.stl").extent, 0.01, 6)

    def test_primitives(self):
        Path("s.json").write_text('{"kind": "capsule", "r": 0.02, "half": 0.05}')
        self.assertIn("a capsule: r = 0.02, half = 0.05", self.command("shape inspect", "s.json")[0])
        self.command("shape make", "s.json", "-o", "s.tcs", "--cells", 20)
        self.assertLess(gridfile.read("s.tcs").error["surface_rms"], 0.002)
        self.command("shape convert", "s.json", "--c", "s")
        self.assertIn("const tc_sdf s = TC_SDF_CAPSULE(0x1.47ae14p-6f, 0x1.99999ap-5f);",
                      Path("s.c").read_text())
        self.assertIn("right within", self.command("shape check", "s.tcs", "s.json")[0])

    def test_terrain(self):
        Path("yard.csv").write_text("0,1,2\n1,2,3\n2,3,9\n")
        out = self.command("shape make", "yard.csv", "--spacing", "0.5", "--units", "cm", "-o",
                           "yard.json", "--c", "yard", "--plot", "yard.png")[0]
        self.assertIn("a terrain of 3 x 3 int16 heights, 18 bytes", out)
        self.assertIn("heights         0 to 0.09 m", out)
        self.assertIn("const tc_sdf yard = TC_SDF_DATA(tc_sdf_terrain", Path("yard.c").read_text())
        self.assertIn("heights         0 to 0.09 m",
                      self.command("shape inspect", "yard.json", "--plot", "again.png")[0])

    def test_a_mesh_of_a_hundred_metres(self):
        Path("foot.obj").write_text(obj_text(*box(half=(100, 40, 20))))
        self.refused("shape make", "foot.obj", "-o", "f.tcs", told=("is 200 m long", "--units"))
        self.command("shape make", "foot.obj", "--units", "mm", "-o", "f.tcs", "--cells", 8)
        self.assertAlmostEqual(gridfile.read("f.tcs").mass["volume"], 8 * 0.1 * 0.04 * 0.02)

    def test_inverted(self):
        vertices, triangles = torus()
        Path("t.obj").write_text(obj_text(vertices, triangles[:, ::-1]))
        self.refused("shape make", "t.obj", "-o", "t.tcs", told=("t.obj: the volume is -", "--flip"))
        self.command("shape make", "t.obj", "--flip", "-o", "t.tcs")
        out, err = self.command("shape check", "t.obj", status=1)
        self.assertIn("fault: t.obj: the volume", out)
        self.assertIn("1 fault; no shape can be made", err)
        self.command("shape check", "t.obj", "--flip")

    def test_faults_are_listed(self):
        vertices, triangles = torus()
        Path("t.obj").write_text(obj_text(vertices, triangles[5:]))
        self.assertIn("1 hole with", self.command("shape check", "t.obj", status=1)[0])
        self.assertIn("fault: t.obj, face", self.command("shape inspect", "t.obj")[0])
        self.refused("shape make", "t.obj", "-o", "t.tcs", told=("t.obj, face", "open edge"))

    def test_cutting_bodies(self):
        """One surface that passes through itself: a tube along a figure of eight."""
        def tube(u, v):
            along = np.stack([np.cos(u), np.cos(2 * u)]) / np.hypot(np.cos(u), np.cos(2 * u))
            return (np.sin(u) - 0.1 * np.cos(v) * along[1],
                    np.sin(2 * u) / 2 + 0.1 * np.cos(v) * along[0], 0.1 * np.sin(v))
        vertices, triangles = round_grid(tube, 60, 12)
        Path("t.obj").write_text(obj_text(vertices, triangles[:, ::-1]))
        self.refused("shape make", "t.obj", "-o", "t.tcs", "--cells", 40,
                     told=("t.obj: its faces cut each other",))

    def test_refused(self):
        Path("s.json").write_text('{"kind": "halfspace"}')
        Path("m.csv").write_text("1,2\n")
        for words, told in (
                (["make", "ball.obj", "-o", "b.bin"], "wanted a name that ends in .tcs or .json"),
                (["make", "gone.obj", "-o", "b.tcs"], "gone.obj: No such file"),
                (["make", "ball.obj", "-o", "b.tcs", "--grid", "9,9"], "'9,9' is not NX,NY,NZ"),
                (["make", "ball.obj", "-o", "b.tcs", "--grid", "9,9,2"], "2 nodes; at least 3"),
                (["make", "ball.obj", "-o", "none/b.tcs"], "there is no folder none"),
                (["make", "m.csv", "-o", "m.json"], "add --spacing"),
                (["make", "m.csv", "-o", "m.json", "--spacing", "1"], "2 x 1 heights, wanted 3"),
                (["make", "m.csv", "-o", "m.tcs", "--spacing", "1"], "ends in .json"),
                (["make", "s.json", "-o", "s.tcs"], "field kind: is 'halfspace'"),
                (["inspect", "ball.txt"], "wanted .tcs or .json"),
                (["check", "s.json", "ball.obj"], "field kind: is 'halfspace'"),
                (["check", "ball.obj", "--tolerance", "-1"], "'-1' is no number above 0"),
                (["convert", "ball.obj", "--c", "b"], "is a mesh; `tinycontact shape make --c`"),
                (["convert", "ball.obj", "-o", "b.tcs"], "is no grid"),
                (["convert", "s.json"], "nothing to write")):
            with self.subTest(told):
                self.refused(f"shape {words[0]}", *words[1:], told=(told,))


if __name__ == "__main__":
    unittest.main()
