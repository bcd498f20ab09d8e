# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Shapes from JSON: their distances through the library, and errors that name file and field."""
import json
import tempfile
import unittest
from pathlib import Path

import numpy as np

from tinycontact.errors import TinycontactError
from tinycontact.shape import shapefile
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
                for word in (str(path), *words):
                    self.assertIn(word, str(found.exception))


if __name__ == "__main__":
    unittest.main()
