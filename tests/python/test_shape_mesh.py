# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Meshes: files, faults, distances and masses, against closed forms and another algorithm."""
import unittest
from pathlib import Path

import numpy as np

from shape_case import box, box_distance, distance_to, obj_text, sphere, torus
from tinycontact_case import Temporary

from tinycontact.errors import TinycontactError
from tinycontact.shape import make, mass, mesh, meshcheck
from tinycontact.shape.meshdistance import Distance, winding


class Files(Temporary):
    def read(self, text, name="m.obj", **options):
        Path(name).write_text(text)
        return mesh.read(name, **options)

    def test_obj(self):
        """Polygons, corners as 1/2/3, negative numbers, comments, joined lines."""
        text = ("# a square, twice\nv 0 0 0\nv 1 0 0 # here\nv 1 1 0\nv 0 1 \\\n 0\nvt 0 0\n"
                "f 1/1 2/1 3//1 4\nf -4 -3 -1\n")
        found = self.read(text)
        self.assertEqual(found.triangles.tolist(), [[0, 1, 2], [0, 2, 3], [0, 1, 3]])
        self.assertEqual((found.element.tolist(), found.line.tolist()), ([1, 1, 2], [8, 8, 9]))
        self.assertEqual(self.read(text, units="mm").extent, 1e-3)

    def test_stl(self):
        """ASCII and binary are one mesh; copies of vertices become one."""
        corners = mesh.from_arrays(*torus(n=9, m=6)).corners
        make.write_mesh("b.stl", corners)
        lines = ["solid t"]
        for triangle in np.float32(corners):
            lines += ["facet normal 0 0 0", "outer loop"]
            lines += ["vertex " + " ".join(map(str, point)) for point in triangle.tolist()]
            lines += ["endloop", "endfacet"]
        Path("a.stl").write_text("\n".join([*lines, "endsolid t"]))
        a, b = mesh.read("a.stl"), mesh.read("b.stl")
        np.testing.assert_array_equal(a.vertices, b.vertices)
        np.testing.assert_array_equal(a.triangles, b.triangles)
        self.assertEqual((len(a.vertices), a.merged), (54, 6 * 54 - 54))
        make.write_mesh("c.obj", corners)
        self.assertEqual(len(mesh.read("c.obj").vertices), 54)

    def test_copies_nearly_alike_become_one(self):
        vertices, triangles = box(n=3)
        vertices = vertices + np.random.default_rng(1).uniform(-3e-9, 3e-9, vertices.shape)
        self.assertEqual(len(mesh.from_arrays(vertices, triangles).vertices), 56)

    def test_bad_files(self):
        v = "v 0 0 0\nv 1 0 0\nv 0 1 0\n"
        for text, name, told in (
                (v + "f 1 2 x", "m.obj", "m.obj, line 4, face 1: 'x' is no vertex's number"),
                (v + "f 1 2 4", "m.obj", "m.obj, line 4, face 1: vertex 4, there are 3 so far"),
                (v + "f 1 2 0", "m.obj", "vertex 0"), (v + "f 1 2", "m.obj", "2 corners, wanted 3"),
                ("v 0 0 nan\n", "m.obj", "m.obj, line 1, vertex 1: is (0, 0, nan)"),
                ("v 0 0\n", "m.obj", "line 1, vertex 1: 2 coordinates"),
                ("v 0 0 a\n", "m.obj", "'0 0 a' are no three numbers"),
                ("hello\n", "m.obj", "line 1: 'hello' begins no line"), (v, "m.obj", "no triangle"),
                (v, "m.ply", "m.ply: is no mesh by its name"), ("x", "m.stl", "m.stl: 1 bytes"),
                ("solid\nfacet\nvertex 0 0 0\nendfacet\n", "m.stl", "line 2, face 1: 1 corners"),
                ("solid\nfacet\nvertex 0 0 0\n", "m.stl", "face 1: has no `endfacet`"),
                ("solid\nfacet\nvertex 0 inf 0\n", "m.stl", "line 3, face 1: is (0, inf, 0)"),
                ("v 1 1 1\nv 1 1 1\nv 1 1 1\nf 1 2 3", "m.obj", "all vertices are one point")):
            with self.subTest(told), self.assertRaises(TinycontactError) as caught:
                self.read(text, name)
            self.assertIn(told, str(caught.exception))
        make.write_mesh("n.stl", np.full((2, 3, 3), np.nan))
        with self.assertRaisesRegex(TinycontactError, "n.stl, face 1: has a coordinate that is NaN"):
            mesh.read("n.stl")


class Faults(unittest.TestCase):
    def told(self, vertices, triangles, *words, fatal=True):
        found = [fault for fault in meshcheck.check(mesh.from_arrays(vertices, triangles, "m.obj"))
                 if fault.fatal == fatal]
        self.assertEqual(len(found), 1, [fault.text for fault in found])
        for word in words:
            self.assertIn(word, found[0].text)

    def test_none(self):
        for vertices, triangles in (sphere(), torus()):
            self.assertEqual(meshcheck.check(mesh.from_arrays(vertices, triangles)), [])

    def test_holes(self):
        vertices, triangles = torus()
        self.told(vertices, triangles[1:], "m.obj, face ", "1 hole with 3 open edges", "m;")
        keep = np.setdiff1d(np.arange(len(triangles)), [10, 500])
        self.told(vertices, triangles[keep], "2 holes with 6 open edges, the first of 3")

    def test_where(self):
        """The open edge that is named is the hole's."""
        vertices, triangles = box(n=1)
        self.told(vertices, triangles[:-2], "1 hole with 4 open edges", "0.5")

    def test_inverted(self):
        vertices, triangles = sphere()
        self.told(vertices, triangles[:, ::-1], "m.obj: the volume is -0.5", "--flip")
        triangles[7] = triangles[7, ::-1]
        self.told(vertices, triangles, "face 8: it and face", "3 edges have an inverted face")

    def test_not_manifold(self):
        """Two boxes that share an edge."""
        a, b = box(), box(centre=(1, 1, 0))
        self.told(np.concatenate([a[0], b[0]]), np.concatenate([a[1], b[1] + len(a[0])]),
                  "4 triangles (faces", "share the edge at (0.5, 0.5, 0) m", "1 edges")

    def test_components(self):
        a, b = sphere(levels=2), box(half=(0.1, 0.1, 0.1))
        for centre, turned, words in (((2, 0, 0), False, None), ((0, 0, 0), True, None),
                                      ((0, 0, 0), False, "lies in or cuts another"),
                                      ((0.5, 0, 0), False, "lies in or cuts another"),
                                      ((2, 0, 0), True, "inverted, or a cavity in nothing")):
            triangles = b[1][:, ::-1] if turned else b[1]
            both = mesh.from_arrays(np.concatenate([a[0], b[0] + centre]),
                                    np.concatenate([a[1], triangles + len(a[0])]), "m.obj")
            fatal = [fault.text for fault in meshcheck.check(both) if fault.fatal]
            self.assertEqual(len(fatal) > 0, words is not None, fatal)
            self.assertIn(words or "", "".join(fatal))

    def test_units(self):
        vertices, triangles = box()
        self.told(250 * vertices, triangles, "is 250 m long", "cm or mm", "--units cm")
        self.told(1e-4 * vertices, triangles, "is 0.0001 m long, wanted 0.002")

    def test_slivers_and_notes(self):
        vertices, triangles = sphere(levels=1)
        triangles = np.concatenate([triangles, [[0, 0, 1]]])
        self.told(vertices, triangles, "face 33: two of its corners are one", fatal=False)

    def test_cuts(self):
        """A box through another, joined at one corner so that it is one component's surface."""
        a, b = sphere(levels=2), sphere(levels=2)
        both = mesh.from_arrays(np.concatenate([a[0], b[0] + [0.4, 0.05, 0.02]]),
                                np.concatenate([a[1], b[1] + len(a[0])]))
        points = np.random.default_rng(3).uniform(-0.5, 0.9, (1000, 3))
        self.assertGreater(meshcheck.cuts(both, Distance(both), points)[0], 0)
        one = mesh.from_arrays(*a)
        self.assertEqual(meshcheck.cuts(one, Distance(one), points)[0], 0)


class Distances(unittest.TestCase):
    POINTS = np.random.default_rng(5).uniform(-1.2, 1.2, (3000, 3))

    def test_box(self):
        """Closed form, whatever the triangles; and on planes, edges and corners."""
        half = np.array([0.5, 0.3, 0.2])
        lattice = np.stack(np.meshgrid(*[[-0.5, -0.3, -0.2, 0, 0.2, 0.3, 0.5, 0.8]] * 3), -1)
        points = np.concatenate([self.POINTS, lattice.reshape(-1, 3)])
        for n in (1, 2, 7):
            found = Distance(mesh.from_arrays(*box(half, n)))(points)
            np.testing.assert_allclose(found, box_distance(points, half), atol=1e-14)

    def test_torus_by_another_algorithm(self):
        made = mesh.from_arrays(*torus(n=12, m=8))
        points = self.POINTS[:60]
        near, d, triangle = Distance(made).closest(points)
        wanted = [min(distance_to(corners, p) for corners in made.corners) for p in points]
        np.testing.assert_allclose(np.abs(d), wanted, atol=1e-14)
        np.testing.assert_allclose(np.linalg.norm(points - near, axis=1), np.abs(d), atol=1e-14)
        at = [distance_to(made.corners[t], p) for t, p in zip(triangle, near)]
        np.testing.assert_allclose(at, 0, atol=1e-14)

    def test_sign_is_the_winding_number(self):
        for shape in (torus(), sphere(), box(n=3)):
            made = mesh.from_arrays(*shape)
            d, turns = Distance(made)(self.POINTS), winding(made.corners, self.POINTS)
            np.testing.assert_allclose(turns, np.round(turns), atol=1e-12)
            np.testing.assert_array_equal(d < 0, turns > 0.5)

    def test_sign_beyond_sharp_corners(self):
        """A spike, whose corner is nearest to points on the wrong side of some of its faces."""
        vertices = np.array([[0, 0, 1.0], [0.1, 0, 0], [-0.05, 0.08, 0], [-0.05, -0.08, 0]])
        made = mesh.from_arrays(vertices, [[0, 1, 2], [0, 2, 3], [0, 3, 1], [1, 3, 2]])
        points = np.concatenate([self.POINTS, [0, 0, 1.0] + 0.02 * self.POINTS])
        np.testing.assert_array_equal(Distance(made)(points) < 0,
                                      winding(made.corners, points) > 0.5)

    def test_moves_with_the_mesh(self):
        vertices, triangles = torus(n=20, m=10)
        turn = np.linalg.qr(np.random.default_rng(1).normal(size=(3, 3)))[0]
        turn *= np.sign(np.linalg.det(turn))
        moved = Distance(mesh.from_arrays(vertices @ turn.T + 3.0, triangles))
        first = Distance(mesh.from_arrays(vertices, triangles))
        np.testing.assert_allclose(moved(self.POINTS @ turn.T + 3.0), first(self.POINTS),
                                   atol=1e-13)


class Masses(unittest.TestCase):
    def test_box(self):
        half, centre = np.array([0.5, 0.3, 0.2]), np.array([3.0, -2.0, 1.0])
        found = mass.of_mesh(mesh.from_arrays(*box(half, 3, centre)))
        a, b, c = 4 * half**2 / 12
        self.assertAlmostEqual(found.volume, 8 * half.prod(), 13)
        self.assertAlmostEqual(found.area, 8 * (0.15 + 0.06 + 0.1), 13)
        np.testing.assert_allclose(found.centre, centre, atol=1e-13)
        np.testing.assert_allclose(found.gyration, np.diag([b + c, a + c, a + b]), atol=1e-12)
        per = found.per_density()
        np.testing.assert_allclose(per[1:4], found.volume * centre, atol=1e-12)
        self.assertAlmostEqual(per[4], found.volume * (b + c), 13)

    def test_sphere_and_torus_in_the_limit(self):
        """Errors fall with the square of the triangles' size."""
        R, r = 0.4, 0.15
        ball = (4 / 3 * np.pi * 0.125, np.full(3, 0.1))
        flat = (5 / 8 * r * r + R * R / 2)
        ring = (2 * np.pi**2 * R * r * r, np.array([flat, flat, R * R + 0.75 * r * r]))
        for coarse, fine, (volume, moments) in (
                (sphere(levels=3), sphere(levels=4), ball),
                (torus(n=48, m=24), torus(n=96, m=48), ring)):
            a, b = (mass.of_mesh(mesh.from_arrays(*one)) for one in (coarse, fine))
            self.assertLess(abs(b.volume / volume - 1), 0.01)
            self.assertAlmostEqual((a.volume - volume) / (b.volume - volume), 4, 1)
            np.testing.assert_allclose(np.diag(b.gyration), moments, rtol=0.01)

    def test_cavity(self):
        """A box with a box cut out of it, off its middle."""
        a, b = box(), box(half=(0.2, 0.1, 0.1), centre=(0.2, 0, 0.1))
        both = mesh.from_arrays(np.concatenate([a[0], b[0]]),
                                np.concatenate([a[1], b[1][:, ::-1] + len(a[0])]))
        found, v = mass.of_mesh(both), 8 * 0.002
        self.assertAlmostEqual(found.volume, 1 - v, 13)
        np.testing.assert_allclose(found.centre, -v / (1 - v) * np.array([0.2, 0, 0.1]), atol=1e-13)
        about_origin = found.gyration[1, 1] + found.centre[0]**2 + found.centre[2]**2
        hole = (0.16 + 0.04) / 12 + 0.05
        self.assertAlmostEqual(about_origin, (1 / 6 - v * hole) / (1 - v), 12)


if __name__ == "__main__":
    unittest.main()
