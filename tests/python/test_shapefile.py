# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Shapes from JSON: their distances through the library, and errors that name file and field."""
import json
import tempfile
import unittest
from pathlib import Path

import numpy as np

from tinycontact.errors import TinycontactError
from tinycontact.model import Model
from tinycontact.net import Net
from tinycontact.shape import grid, gridfile, netshape, points, shapefile
from tinycontact.shape.sdf import Sdf

POINTS = np.array([[0.3, 0.0, 0.0], [0.0, 0.0, 0.5], [0.1, -0.4, 0.2]])


def distances(value):
    return Sdf(shapefile.from_dict(value)).evaluate(POINTS)


FAULTS = [
    ([], ("field kind",)),
    ({"kind": "torus"}, ("field kind", "torus")),
    ({"kind": "sphere"}, ("no field r",)),
    ({"kind": "sphere", "r": -1}, ("field r", "-1")),
    ({"kind": "sphere", "radius": 1}, ("radius",)),
    ({"kind": "box", "h": [1, 2]}, ("field h", "3 numbers")),
    ({"kind": "box", "h": [1, 0, 2]}, ("field h[1]",)),
    ({"kind": "box", "h": [1, 2, 3], "r": 1.5}, ("field r", "1.5")),
    ({"kind": "cylinder", "r": 1, "half": 2e7}, ("field half",)),
    ({"kind": "terrain", "heights": [[0, 0, 0]] * 2, "spacing": 1}, ("field heights", "2 rows")),
    ({"kind": "terrain", "heights": [[0, 0, 0], [0, None, 0], [0, 0, 0]], "spacing": 1},
     ("row 1, column 1", "not a number")),
    ({"kind": "terrain", "heights": [[0, 0, 0]] * 3, "spacing": 0}, ("field spacing",)),
    ({"kind": "terrain", "heights": [[0, 0, 0]] * 3, "spacing": 1, "origin": [0]}, ("field origin",)),
    ({"kind": "terrain", "heights": [[0, 0, 0]] * 3, "spacing": 1, "smooth": 1}, ("field smooth",)),
    ({"kind": "terrain", "heights": [[0, 0, 0], [0, 1e5, 0], [0, 0, 0]], "spacing": 1}, ("too much for a spacing",)),
    ({"kind": "grid"}, ("no field file",)),
    ({"kind": "grid", "file": "none.tcs"}, ("none.tcs", "No such file")),
    ({"kind": "net", "file": "none.tcm"}, ("none.tcm", "No such file")),
    ({"kind": "union", "parts": [{"kind": "union"}], "offsets": [[0, 0, 0]]}, ("parts[0]",)),
    ({"kind": "terrain", "heights": [[0, 0, 0], [0, 0], [0, 0, 0]], "spacing": 1}, ("row 1", "2 heights")),
    ({"kind": "union", "parts": [], "offsets": []}, ("field parts",)),
    ({"kind": "union", "parts": [{"kind": "sphere", "r": 0}], "offsets": [[0, 0, 0]]}, ("parts[0]", "field r")),
    ({"kind": "union", "parts": [{"kind": "halfspace"}], "offsets": [[0, 0]]}, ("offsets[0]",)),
]


class ShapeFile(unittest.TestCase):
    def test_kinds_through_the_library(self):
        sphere = distances({"kind": "sphere", "r": 0.1})
        self.assertTrue(np.allclose(sphere.distance, np.linalg.norm(POINTS, axis=1) - 0.1, atol=1e-6))
        self.assertTrue(np.allclose(sphere.gradient, POINTS / np.linalg.norm(POINTS, axis=1)[:, None], atol=1e-6))
        self.assertTrue(np.allclose(sphere.derivative, -1.0))
        self.assertFalse(sphere.status.any())
        self.assertTrue(np.allclose(distances({"kind": "halfspace"}).distance, POINTS[:, 2]))
        box = distances({"kind": "box", "h": [0.1, 0.2, 0.3]})
        self.assertTrue(np.allclose(box.distance, [0.2, 0.2, 0.2], atol=1e-6))
        self.assertTrue(box.derivative.shape == (3, 4))
        rounded = distances({"kind": "box", "h": [0.1, 0.2, 0.3], "r": 0.1})
        self.assertTrue(np.allclose(rounded.distance[:2], [0.2, 0.2], atol=1e-6))
        self.assertTrue(np.allclose(distances({"kind": "capsule", "r": 0.1, "half": 0.2}).distance[:2], 0.2, atol=1e-6))
        cylinder = distances({"kind": "cylinder", "r": 0.1, "half": 0.2, "rounding": 0.05})
        self.assertTrue(np.allclose(cylinder.distance[:2], [0.2, 0.3], atol=1e-6))

    def test_union_and_terrain(self):
        union = distances({"kind": "union", "parts": [{"kind": "sphere", "r": 0.1}] * 2,
                           "offsets": [[0.3, 0, 0], [0, 0, 0.5]]})
        self.assertTrue(np.allclose(union.distance[:2], -0.1, atol=1e-6))
        self.assertTrue(union.derivative.shape == (3, 2))
        x = np.arange(8) * 0.1
        plane = {"kind": "terrain", "heights": (0.5 * x[None, :] + 0 * x[:, None]).tolist(), "spacing": 0.1,
                 "origin": [-0.3, -0.3]}
        found = Sdf(shapefile.from_dict(plane)).evaluate([[0.0, 0.0, 0.35]])
        self.assertAlmostEqual(found.distance[0], 0.2 / np.hypot(1, 0.5), delta=2e-5)

    def test_terrain_meets_its_heights(self):
        rng = np.random.default_rng(5)
        heights = rng.uniform(-0.05, 0.05, (7, 9))
        x, y = np.meshgrid(0.2 + 0.1 * np.arange(9), -0.1 + 0.1 * np.arange(7))
        points = np.stack([x, y, heights], axis=-1).reshape(-1, 3)
        shape = {"kind": "terrain", "heights": heights.tolist(), "spacing": 0.1, "origin": [0.2, -0.1]}
        meets = Sdf(shapefile.from_dict(shape)).evaluate(points)
        self.assertLess(np.abs(meets.distance).max(), 2e-6)   # half a step: 1.5e-6
        smoothed = Sdf(shapefile.from_dict(shape | {"smooth": True})).evaluate(points)
        self.assertGreater(np.abs(smoothed.distance).max(), 5e-3)
        weights = np.array([1, 6, 1]) / 8
        mean = weights @ heights[2:5, 3:6] @ weights
        on = Sdf(shapefile.from_dict(shape | {"smooth": True})).evaluate([[0.2 + 0.4, -0.1 + 0.3, mean]])
        self.assertLess(abs(on.distance[0]), 1e-6)

    def test_grid_in_a_file(self):
        with tempfile.TemporaryDirectory() as folder:
            n = 9
            axis = (np.arange(n) - 4) * 0.05
            z, y, x = np.meshgrid(axis, axis, axis, indexing="ij")
            values = np.rint(np.clip((np.sqrt(x**2 + y**2 + z**2) - 0.12) / 0.002, -127, 127)).astype(np.int8)
            made = grid.Grid(values, 0.002, 0.05, np.full(3, -0.2), {"bound": 0.01},
                             {"per_density": [1.0, 0, 0, 0, 2, 2, 2, 0, 0, 0]})
            gridfile.write(Path(folder) / "ball.tcs", made)
            (Path(folder) / "ball.json").write_text('{"kind": "grid", "file": "ball.tcs"}')
            for name in ("ball.tcs", "ball.json"):
                shape = shapefile.load(Path(folder) / name)
                found = Sdf(shape).evaluate(POINTS / 4)
                np.testing.assert_allclose(found.distance, made(POINTS / 4)[0], atol=1e-6)
                np.testing.assert_allclose(np.linalg.norm(shape.points, axis=1), 0.12, atol=0.01)
                self.assertEqual(len(shape.points), points.COUNT)
                self.assertEqual(Sdf(shape).mass()[0][0], 1.0)
            (Path(folder) / "two.json").write_text(json.dumps({"kind": "union", "offsets": [[0, 0, 0], [1, 0, 0]], "parts": [
                {"kind": "grid", "file": "ball.tcs"}, {"kind": "sphere", "r": 0.1}]}))
            found = Sdf(shapefile.load(Path(folder) / "two.json")).evaluate([[0, 0, 0], [1, 0, 0]])
            np.testing.assert_allclose(found.distance, [made([[0, 0, 0]])[0][0], -0.1], atol=1e-6)

    def test_net_in_a_file(self):
        """A net with a code: values and gradients of the library are those of numpy, within and beyond the range."""
        rng = np.random.default_rng(3)
        layers = [(rng.normal(size=(12, 4)), rng.normal(size=12), "softplus"),
                  (rng.normal(size=(8, 12)), rng.normal(size=8), "tanh"), (rng.normal(size=(1, 8)), [0.1], "identity")]
        net = Net("shape", layers, input_mean=[0.1, 0, 0, 0], input_scale=[2, 2, 2, 1], output_mean=[0.01],
                  output_scale=[0.05], input_low=[-0.2] * 3 + [-1], input_high=[0.2] * 3 + [1])
        with tempfile.TemporaryDirectory() as folder:
            netshape.write(Path(folder) / "s.tcm", netshape.NetShape(Model([net]), {"bound": 0.002}))
            shape = {"kind": "net", "file": "s.tcm", "code": [0.3]}
            shape = shapefile.from_dict(shape, folder=folder)
            found = Sdf(shape).evaluate(POINTS)
            value, gradient = shape.made.at([0.3])(POINTS)
            np.testing.assert_allclose(found.distance, value, atol=2e-6)
            np.testing.assert_allclose(found.gradient, gradient, atol=1e-5)
            by = (shape.made.at([0.3 + 1e-5])(POINTS)[0] - shape.made.at([0.3 - 1e-5])(POINTS)[0]) / 2e-5
            np.testing.assert_allclose(found.derivative[:, 0], by, atol=1e-5)
            with self.assertRaises(TinycontactError):
                shapefile.from_dict({"kind": "net", "file": "s.tcm", "code": [0, 0]}, folder=folder)

    def test_mass_of_a_box(self):
        (volume, centre, inertia), by = Sdf(shapefile.from_dict({"kind": "box", "h": [0.1, 0.2, 0.3]})).mass()
        self.assertAlmostEqual(volume, 0.048, delta=5e-8)
        self.assertFalse(centre.any())
        self.assertAlmostEqual(inertia[0], 0.048 * (0.04 + 0.09) / 3, delta=2e-9)
        self.assertAlmostEqual(by[0, 0], 0.48, delta=5e-7)

    def test_faults_name_file_and_field(self):
        for value, words in FAULTS:
            with self.subTest(value=value), tempfile.TemporaryDirectory() as folder:
                path = Path(folder) / "shape.json"
                path.write_text(json.dumps(value))
                with self.assertRaises(TinycontactError) as found:
                    shapefile.load(path)
                for word in ("none" not in str(value)) * (str(path),) + words:
                    self.assertIn(word, str(found.exception))


if __name__ == "__main__":
    unittest.main()
