# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Grids, zero levels, terrains, primitives: against closed forms; files and what they refuse."""
import json
import struct
import unittest
import zlib
from dataclasses import replace
from pathlib import Path

import numpy as np

from shape_case import box_distance, sphere, torus
from tinycontact_case import Temporary

from tinycontact.errors import TinycontactError
from tinycontact.shape import field, grid, gridfile, heightmap, judge, mass, mesh, meshcheck
from tinycontact.shape import make, points, primitives, shapefile, terrain
from tinycontact.shape.meshdistance import Distance


def truth(vertices, triangles):
    made = mesh.from_arrays(vertices, triangles, "m.obj")
    return judge.Truth(made, Distance(made), mass.of_mesh(made))


BALL = truth(*sphere(levels=4))


def one_cell(grid, p):
    """The value and its gradient at a point inside, from the eight corners one by one."""
    place = (p - grid.origin) / grid.spacing
    i, j, k = cell = np.minimum(place.astype(int), np.array(grid.counts) - 2)
    u, v, w = place - cell
    c = grid.scale * grid.values[k:k + 2, j:j + 2, i:i + 2].astype(float)
    x = c[:, :, 0] + u * (c[:, :, 1] - c[:, :, 0])
    y = x[:, 0] + v * (x[:, 1] - x[:, 0])
    d = y[0] + w * (y[1] - y[0])
    by_y = x[:, 1] - x[:, 0]
    by_x = c[:, :, 1] - c[:, :, 0]
    by_x = by_x[:, 0] + v * (by_x[:, 1] - by_x[:, 0])
    return d, np.array([by_x[0] + w * (by_x[1] - by_x[0]), by_y[0] + w * (by_y[1] - by_y[0]),
                        y[1] - y[0]]) / grid.spacing


class Grids(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.grid, cls.level = make.grid_of(BALL, (9, 10, 11))

    def test_trilinear(self):
        points = np.random.default_rng(1).uniform(self.grid.low, self.grid.high, (200, 3))
        d, gradient = self.grid(points)
        for p, value, slope in zip(points, d, gradient):
            wanted, by = one_cell(self.grid, p)
            self.assertAlmostEqual(value, wanted, 12)
            np.testing.assert_allclose(slope, by, atol=1e-10)

    def test_outside(self):
        """The nearest point's value, plus the distance; the gradient is its derivative."""
        points = np.random.default_rng(2).uniform(-2, 2, (500, 3))
        points = points[np.any((points < self.grid.low) | (points > self.grid.high), axis=1)]
        inside = np.clip(points, self.grid.low, self.grid.high)
        d, gradient = self.grid(points)
        np.testing.assert_allclose(d, self.grid(inside)[0]
                                   + np.linalg.norm(points - inside, axis=1), atol=1e-12)
        step = 1e-6
        slope = [(self.grid(points + step * e)[0] - self.grid(points - step * e)[0]) / (2 * step)
                 for e in np.eye(3)]
        smooth = np.abs(np.stack(slope, 1) - gradient).max(axis=1) < 1e-5
        self.assertGreater(smooth.mean(), 0.99)   # the others lie on a cell's border

    def test_values(self):
        """int8 within +-127, none negative on the border; float32 sizes; clipped at 4 cells."""
        g = self.grid
        self.assertEqual((g.values.dtype, g.counts), (np.int8, (9, 10, 11)))
        self.assertGreaterEqual(g.values.min(), -127)
        border = np.ones(g.values.shape, bool)
        border[1:-1, 1:-1, 1:-1] = False
        self.assertGreaterEqual(g.values[border].min(), 0)
        self.assertAlmostEqual(g.clip, 4 * g.spacing, 6)
        for value in (g.scale, g.spacing, *g.origin):
            self.assertEqual(value, float(np.float32(value)))
        np.testing.assert_allclose(g.low + g.high, 0, atol=1e-6)
        self.assertAlmostEqual(8 * g.spacing, 1 + g.spacing, 5)   # half a cell on each side

    def test_near_the_sphere(self):
        error = self.grid.error
        self.assertLess(error["surface_rms"], 0.002)
        self.assertLess(error["level_max"], 0.01)
        self.assertLess(abs(error["volume_error"]), 0.005)
        self.assertLess(error["normal_p95_deg"], 10)
        self.assertEqual([error[name] for name in ("pieces", "holes", "mesh_pieces", "mesh_holes")],
                         [1, 0, 1, 0])
        points = np.random.default_rng(4).uniform(-0.6, 0.6, (20000, 3))
        points = points[np.abs(BALL.distance(points)) < 0.5 * self.grid.spacing]
        miss = np.abs(self.grid(points)[0] - BALL.distance(points))
        self.assertLess(miss.max(), 1.3 * error["bound"])   # both are maxima over samples

    def test_fit_beats_the_nodes_own_distances(self):
        ring = truth(*torus())
        lattice = grid.layout(ring.mesh.low, ring.mesh.high, cells=12)
        box = lattice[2], lattice[2] + lattice[1] * (lattice[0] - 1)
        rms = [judge.compare(grid.make(ring.mesh, ring.distance, *lattice, fitted=fitted), ring,
                             box, lattice[1])[0]["surface_rms"] for fitted in (False, True)]
        self.assertLess(rms[1], 0.6 * rms[0])

    def test_finer_is_nearer(self):
        ring = truth(*torus())
        rms = [make.grid_of(ring, cells=cells)[0].error["surface_rms"] for cells in (10, 20)]
        self.assertLess(rms[1], 0.4 * rms[0])

    def test_torus_keeps_its_hole(self):
        made, level = make.grid_of(truth(*torus()), cells=16)
        self.assertEqual((level.pieces, level.holes, made.error["mesh_holes"]), (1, 1, 1))

    def test_too_thin(self):
        plate = truth(np.array([1, 1, 0.004]) * sphere(levels=2)[0], sphere(levels=2)[1])
        with self.assertRaisesRegex(TinycontactError, "m.obj: no node of the grid lies inside"):
            make.grid_of(plate, (9, 9, 4))   # no node in its middle
        with self.assertRaisesRegex(TinycontactError, "at most 4096 along an axis"):
            make.grid_of(BALL, cells=5000)

    def test_the_same_seed_the_same_bytes(self):
        again, _ = make.grid_of(BALL, (9, 10, 11))
        self.assertEqual(gridfile.as_json(again), gridfile.as_json(self.grid))


class Files(Temporary):
    @classmethod
    def setUpClass(cls):
        cls.grid, _ = make.grid_of(BALL, cells=8)

    def test_round_trip(self):
        make.write_grid("ball.json", self.grid)
        self.assertEqual(json.loads(Path("ball.json").read_text()),
                         {"kind": "grid", "file": "ball.tcs"})
        again = gridfile.read("ball.tcs")
        np.testing.assert_array_equal(again.values, self.grid.values)
        self.assertEqual(gridfile.as_json(again), gridfile.as_json(self.grid))

    def test_a_file_without_points_gets_some(self):
        old = gridfile.as_json(self.grid)
        del old["points"]
        again = gridfile.read("g.tcs", old)
        self.assertIsNone(again.points)
        found = gridfile.points_of(again)
        self.assertEqual(found.shape, (points.COUNT, 3))
        self.assertLess(np.abs(again(found)[0]).max(), points.OFF)

    def test_refused(self):
        good = gridfile.as_json(self.grid)
        damaged = "B" + good["values"][1:] if good["values"][0] != "B" else "C" + good["values"][1:]
        for change, told in (
                ({"format": "x"}, "field format"), ({"version": 2}, "field version: is 2"),
                ({"kind": "net"}, "field kind: is 'net'"), ({"counts": [9, 9]}, "field counts"),
                ({"counts": [9, 9, 1]}, "counts: 1 nodes along z"),
                ({"counts": [9, 9, True]}, "counts: True nodes along z"),
                ({"counts": [10, 9, 9]}, "field values: 729 bytes, counts want 810"),
                ({"spacing": 0}, "field spacing: is 0 m"), ({"scale": "a"}, "field scale"),
                ({"origin": [0, 0]}, "field origin"), ({"origin": [0, 0, None]}, "field origin"),
                ({"values": 3}, "field values: is no base64"),
                ({"values": damaged}, "field crc32"), ({"error": 3}, "field error"),
                ({"points": [[1, 2]]}, "field points: wanted rows"),
                ({"points": [[0, 0, 0]] * 257}, "field points: 257 points, at most 256"),
                ({"points": [[0, 0, None]]}, "field points, row 0: is null"),
                ({"points": [[0, 2e6, 0]]}, "field points: one is further")):
            with self.subTest(told), self.assertRaises(TinycontactError) as caught:
                gridfile.read("b.tcs", good | change)
            self.assertIn(told, str(caught.exception))
        for name in ("counts", "values", "crc32", "spacing", "origin", "scale"):
            with self.assertRaisesRegex(TinycontactError, f"field {name}: missing"):
                gridfile.read("b.tcs", {key: good[key] for key in good if key != name})

    def test_wrong_sign(self):
        for values, told in ((-self.grid.values, r"node \(0, 0, 0\) on the border is negative"),
                             (np.abs(self.grid.values), "none is negative"),
                             (np.full_like(self.grid.values, -128), "one is -128")):
            document = gridfile.as_json(replace(self.grid, values=values))
            with self.assertRaisesRegex(TinycontactError, told):
                gridfile.read("b.tcs", document)


class Levels(unittest.TestCase):
    def test_sphere(self):
        def ball(p):
            r = np.linalg.norm(p, axis=1)
            return r - 0.5, p / np.maximum(r, 1e-12)[:, None]
        level = field.zero_level(ball, [-0.5] * 3, [0.5] * 3, 20)
        np.testing.assert_allclose(np.linalg.norm(level.vertices, axis=1), 0.5, atol=1e-12)
        self.assertEqual((level.pieces, level.holes), (1, 0))
        self.assertAlmostEqual(mass.signed_volume(level.corners), np.pi / 6, 2)
        closed = mesh.from_arrays(level.vertices, level.triangles)
        self.assertFalse([fault for fault in meshcheck.check(closed) if fault.fatal])

    def test_nothing(self):
        level = field.zero_level(lambda p: (np.ones(len(p)), p), [0] * 3, [1] * 3, 4)
        self.assertEqual((len(level.triangles), level.pieces), (0, 0))


class Points(unittest.TestCase):
    def test_spread_over_the_surface(self):
        made, level = make.grid_of(BALL, (9, 10, 11))
        self.assertEqual(made.points.shape, (points.COUNT, 3))
        self.assertLess(np.abs(made(made.points)[0]).max(), points.OFF)
        near = np.linalg.norm(level.vertices[:, None] - made.points, axis=2).min(axis=1)
        self.assertLess(near.max(), 0.14)    # of a ball of 0.5: 128 points, each of an area of 0.025
        apart = np.linalg.norm(made.points[:, None] - made.points, axis=2) + np.eye(points.COUNT)
        self.assertGreater(apart.min(), 0.07)

    def test_tips_come_first(self):
        cloud = np.concatenate([np.random.default_rng(1).normal(size=(300, 3)) * 0.1, [[1, 0, 0], [0, 2, 0]]])
        first = points.thinned(cloud, 3)[:2].tolist()
        self.assertIn([0, 2, 0], first)
        np.testing.assert_array_equal(points.thinned(cloud[:5], 8), cloud[:5])


class Primitives(unittest.TestCase):
    P = np.random.default_rng(8).uniform(-1, 1, (2000, 3))

    def at(self, shape):
        return primitives.distance_of(shapefile.from_dict(shape, "s.json"))

    def test_box(self):
        distance, low, high = self.at({"kind": "box", "h": [0.5, 0.3, 0.2]})
        np.testing.assert_allclose(distance(self.P), box_distance(self.P, [0.5, 0.3, 0.2]))
        self.assertEqual((low.tolist(), high.tolist()), ([-0.5, -0.3, -0.2], [0.5, 0.3, 0.2]))

    def test_against_sampled_surfaces(self):
        """Each is the distance to the nearest of many points of its own zero level."""
        for shape in ({"kind": "sphere", "r": 0.4}, {"kind": "capsule", "r": 0.2, "half": 0.3},
                      {"kind": "cylinder", "r": 0.3, "half": 0.4, "rounding": 0.1},
                      {"kind": "cylinder", "r": 0.3, "half": 0.4},
                      {"kind": "box", "h": [0.5, 0.3, 0.4], "r": 0.1}):
            distance, low, high = self.at(shape)
            level = field.zero_level(primitives.with_gradient(distance, 1.0), low, high, 40)
            found = Distance(mesh.from_arrays(level.vertices, level.triangles))(self.P)
            sharp = shape["kind"] == "cylinder" and "rounding" not in shape   # tetrahedra cut edges
            np.testing.assert_allclose(distance(self.P), found, atol=0.016 if sharp else 0.008)
            np.testing.assert_allclose(level.vertices.max(axis=0), high, atol=0.008)

    def test_union(self):
        ball = {"kind": "sphere", "r": 0.2}
        distance, low, high = self.at({"kind": "union", "parts": [ball, ball],
                                       "offsets": [[0, 0, 0], [0.5, 0, 0]]})
        np.testing.assert_allclose(distance(np.array([[0, 0, 0], [0.6, 0, 0], [0.25, 0, 0]])),
                                   [-0.2, -0.1, 0.05], atol=1e-15)
        self.assertEqual((low.tolist(), high.tolist()), ([-0.2] * 3, [0.7, 0.2, 0.2]))

    def test_refused(self):
        """Others are refused by shapefile.py."""
        with self.assertRaises(TinycontactError) as caught:
            self.at({"kind": "halfspace"})
        self.assertIn("s.json, field kind: is 'halfspace'", str(caught.exception))


def png(path, pixels, depth=8, colour=0, filters=(0,), cut=0):
    """Writes [rows, columns, channels] as a PNG with a filter per row, by their definitions."""
    kind = np.dtype(np.uint8 if depth == 8 else ">u2")
    rows = np.asarray(pixels).astype(kind)
    lines = [list(row.tobytes()) for row in rows]
    size, packed, above = rows.shape[2] * depth // 8, b"", [0] * len(lines[0])
    for k, line in enumerate(lines):
        f, out = filters[k % len(filters)], []
        for i, value in enumerate(line):
            a = line[i - size] if i >= size else 0
            b, c = above[i], above[i - size] if i >= size else 0
            nearest = min((abs(b - c), 0, a), (abs(a - c), 1, b), (abs(a + b - 2 * c), 2, c))[2]
            out.append((value - (0, a, b, (a + b) // 2, nearest)[f]) % 256)
        packed += bytes([f, *out])
        above = line
    head = struct.pack(">IIBBBBB", rows.shape[1], rows.shape[0], depth, colour, 0, 0, 0)
    data = b"\x89PNG\r\n\x1a\n"
    for name, body in ((b"IHDR", head), (b"IDAT", zlib.compress(packed)), (b"IEND", b"")):
        data += struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))
    Path(path).write_bytes(data[:len(data) - cut])


class HeightMaps(Temporary):
    def test_png(self):
        rng = np.random.default_rng(1)
        for depth, colour, channels in ((8, 0, 1), (16, 0, 1), (8, 2, 3), (16, 6, 4), (8, 4, 2)):
            grey = rng.integers(0, 2**depth, (11, 7, 1))
            pixels = np.repeat(grey, channels, axis=2)
            if colour in (4, 6):
                pixels[:, :, -1] = 2**depth - 1
            png("m.png", pixels, depth, colour, (0, 1, 2, 3, 4))
            np.testing.assert_allclose(heightmap.read("m.png", 0.5),
                                       0.5 * grey[::-1, :, 0] / (2**depth - 1))

    def test_bad_png(self):
        grey = np.zeros((4, 5, 1), int)
        clear, odd = np.full((4, 5, 2), 255), np.zeros((4, 5, 3), int)
        clear[2, 3, 1], odd[1, 4] = 0, (1, 2, 3)
        for pixels, options, told in (
                (grey, {"cut": 20}, "damaged or cut off"), (grey, {"colour": 3}, "grey or RGB"),
                (clear, {"colour": 4}, "row 3 from the top, column 4: is transparent; a height map"
                                       " has no gaps (1 here)"),
                (odd, {"colour": 2}, "row 2 from the top, column 5: is a colour")):
            png("m.png", pixels, **options)
            with self.subTest(told), self.assertRaises(TinycontactError) as caught:
                heightmap.read("m.png", 1.0)
            self.assertIn("m.png", str(caught.exception))
            self.assertIn(told, str(caught.exception))
        with self.assertRaisesRegex(TinycontactError, "add --height"):
            heightmap.read("m.png")

    def test_csv(self):
        Path("m.csv").write_text("0,1,2\n3,4,5\n")
        self.assertEqual(heightmap.read("m.csv").tolist(), [[0, 1, 2], [3, 4, 5]])
        for text, told in (("0,1\n2,\n", "m.csv, line 2, column 2: is empty; a height map has no"),
                           ("0,1\n2,nan\n", "line 2, column 2: is nan, wanted a finite number; a"),
                           ("0,1\n2\n", "line 2: 1 columns, the first line has 2; a height map"),
                           ("a,b\n1,2\n", "line 1: are names of columns")):
            Path("m.csv").write_text(text)
            with self.subTest(told), self.assertRaises(TinycontactError) as caught:
                heightmap.read("m.csv")
            self.assertIn(told, str(caught.exception))


class Terrains(unittest.TestCase):
    MAP = 0.1 * np.random.default_rng(2).normal(size=(12, 9))

    def test_meets_the_heights(self):
        made = terrain.fit("m.csv", self.MAP, 0.05)
        self.assertEqual(made.steps.dtype, np.int16)
        np.testing.assert_allclose(made.at_nodes(), self.MAP, atol=made.scale)
        self.assertLess(made.error["node_max"], made.scale)

    def test_smooth_takes_them_as_they_are(self):
        made = terrain.fit("m.csv", self.MAP, 0.05, smooth=True)
        np.testing.assert_allclose(made.heights, self.MAP, atol=made.scale)
        self.assertGreater(made.error["node_max"], 0.01)

    def test_a_plane_is_a_plane(self):
        """Between the borders, which go on flat."""
        x, y = np.meshgrid(np.arange(40), np.arange(30))
        made = terrain.fit("m.csv", 0.01 * x + 0.02 * y, 1.0, smooth=True)
        np.testing.assert_allclose(made.at_nodes()[1:-1, 1:-1],
                                   (0.01 * x + 0.02 * y)[1:-1, 1:-1], atol=2 * made.scale)
        self.assertAlmostEqual(made.error["slope_max"], 0.02)

    def test_json(self):
        made = terrain.fit("m.csv", self.MAP, 0.05, (1.0, 2.0))
        shape = json.loads(json.dumps(made.as_json()))
        np.testing.assert_allclose(shape["heights"], self.MAP, atol=made.scale)
        again = shapefile.from_dict(shape, "t.json").made
        np.testing.assert_array_equal(again.steps, made.steps)
        self.assertEqual(again.origin[:2].tolist(), [1.0, 2.0])

    def test_json_of_control_values(self):
        made = terrain.fit("m.csv", self.MAP, 0.05, smooth=True)
        shape = json.loads(json.dumps(made.as_json()))
        self.assertIs(shape["smooth"], True)
        np.testing.assert_allclose(shape["heights"], self.MAP, atol=made.scale)
        np.testing.assert_array_equal(shapefile.from_dict(shape, "t.json").made.steps, made.steps)


if __name__ == "__main__":
    unittest.main()
