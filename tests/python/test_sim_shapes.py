# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Bodies from JSON: what is accepted, what is refused and with which words, and the built-in shapes."""
import contextlib
import io
import json
import unittest

import numpy as np

from tinycontact_case import ROOT, Temporary
from tinycontact.errors import TinycontactError
from tinycontact.sim import shapes, throws

SQUARE = [[-1, -1], [1, -1], [1, 1], [-1, 1]]


class Refused(Temporary):
    def turned_down(self, words, **fields):
        """The file with these fields is refused with a message that names it and says `words`."""
        with open("bad.json", "w", encoding="utf-8") as file:
            json.dump({"vertices": SQUARE, **fields}, file)
        with self.assertRaises(TinycontactError) as caught:
            shapes.load("bad.json")
        self.assertIn("bad.json, " + words, str(caught.exception))
        self.assertNotIn("\n", str(caught.exception))

    def test_numbers(self):
        for field in ("mass", "inertia", "h"):
            self.turned_down(f"{field}: is 0, wanted more than 0", **{field: 0})
            self.turned_down(f"{field}: is -1, wanted more than 0", **{field: -1.0})
        for field in ("mu", "g", "restitution", "radius"):
            self.turned_down(f"{field}: is -0.5, wanted 0 or more", **{field: -0.5})
        self.turned_down("restitution: is 1.5, wanted at most 1", restitution=1.5)
        self.turned_down("mass: is 'heavy', wanted a number", mass="heavy")
        self.turned_down("mu: is True, wanted a number", mu=True)
        self.turned_down("inertia: is None, wanted a number", inertia=None)
        self.turned_down("mass: is nan, wanted a finite number", mass=float("nan"))

    def test_unknown_fields_are_told(self):
        """A file may say more than is read, and a mistyped field is not passed over in silence."""
        with open("named.json", "w") as file:
            json.dump({"name": "foot", "vertices": SQUARE, "restituton": 0.5}, file)
        said = io.StringIO()
        with contextlib.redirect_stderr(said):
            body = shapes.load("named.json")
        self.assertEqual((body.restitution, body.mass), (0.0, 1.0))
        for field in ("name", "restituton"):
            self.assertIn(f"named.json, {field}: unknown field, not looked at", said.getvalue())
        with self.assertRaises(TinycontactError):
            shapes.body({"vertices": SQUARE, "colour": "red"})

    def test_vertices(self):
        for words, vertices in (
                ("vertices: 2 of them, wanted at least 3", SQUARE[:2]),
                ("vertices: wanted a list", []),
                ("vertices: wanted a list", 7),
                ("vertices[1]: is [1], wanted [x, y]", [[0, 0], [1], [1, 1]]),
                ("vertices[2], x: is 'a', wanted a number", [[-1, -1], [1, -1], ["a", 1]]),
                ("vertices[0], y: is inf, wanted a finite number", [[0, float("inf")], [1, -1], [1, 1]]),
                ("vertices: are clockwise", SQUARE[::-1]),
                ("vertices[3]: coincides with vertices[1]", [[-1, -1], [1, -1], [1, 1], [1, -1]]),
                ("vertices[1]: the polygon is not strictly convex", [[-1, -1], [0, -1], [1, -1], [0, 2]]),
                ("vertices[3]: the polygon is not strictly convex there", SQUARE[:3] + [[0.5, 0.4]]),
                ("vertices: the polygon crosses itself",
                 [[np.cos(a), np.sin(a)] for a in np.arange(5) * 4 * np.pi / 5]),
                ("vertices: the centre of mass (the origin) is not inside", [[1, 1], [2, 1], [2, 2]]),
                ("vertices: 65 of them", [[np.cos(a), np.sin(a)] for a in np.arange(65) * 2 * np.pi / 65])):
            with self.subTest(words):
                self.turned_down(words, vertices=vertices, inertia=1)

    def test_default_inertia_needs_the_centroid(self):
        moved = (np.array(SQUARE) + [0.3, 0.1]).tolist()
        self.turned_down("inertia: missing, and the default (uniform density) does not hold: the centroid is"
                         " at (0.3, 0.1)", vertices=moved)
        self.assertEqual(shapes.body({"vertices": moved, "inertia": 2}).inertia, 2)

    def test_files(self):
        for text, words in (("{", "line 1, column 2"), ("[]", "wanted one JSON object"),
                            ("{}", "vertices: missing"), ('{"vertices": [], "mass": NaN}', "mass: is nan")):
            with open("bad.json", "w", encoding="utf-8") as file:
                file.write(text)
            with self.assertRaisesRegex(TinycontactError, "bad.json.*" + words.replace("[", r"\[")):
                shapes.load("bad.json")
        with self.assertRaisesRegex(TinycontactError, "absent.json"):
            shapes.load("absent.json")


class Accepted(unittest.TestCase):
    def test_defaults_and_uniform_inertia(self):
        body = shapes.body({"vertices": SQUARE, "mass": 3})
        self.assertEqual((body.mu, body.h, body.g, body.restitution, body.radius), (0.75, 0.002, 9.81, 0, 0))
        self.assertAlmostEqual(body.inertia, 3 * (4 + 4) / 12)
        self.assertAlmostEqual(body.gyration, np.sqrt(8 / 12))

    def test_inertia_of_rounded_bodies(self):
        disc = shapes.body({"vertices": [[0, 0]], "radius": 2})
        self.assertAlmostEqual(disc.inertia / 2, 1, places=4)      # m r^2 / 2
        # capsule: rectangle 2 a x 2 r and two half discs whose centroids lie 4 r / (3 pi) beyond its ends
        a, r = 0.08, 0.04
        areas = np.array([4 * a * r, np.pi * r * r])
        half = r * r / 2 - (4 * r / (3 * np.pi))**2 + (a + 4 * r / (3 * np.pi))**2
        wanted = (areas[0] * (4 * a * a + 4 * r * r) / 12 + areas[1] * half) / areas.sum()
        self.assertAlmostEqual(shapes.builtin("capsule").inertia / wanted, 1, places=4)

    def test_regular_polygons_approach_the_disc(self):
        ring = [[np.cos(a), np.sin(a)] for a in np.arange(64) * 2 * np.pi / 64]
        self.assertAlmostEqual(shapes.body({"vertices": ring}).inertia, 0.5, delta=0.002)

    def test_committed_files_are_the_builtin_shapes(self):
        for name in ("rectangle", "pentagon"):
            file, own = shapes.load(ROOT / "tests/models/shapes" / f"{name}.json"), shapes.builtin(name)
            np.testing.assert_array_equal(file.vertices, own.vertices)
            self.assertAlmostEqual(file.inertia, own.inertia, places=10)
            again = shapes.body(json.loads(own.to_json()))
            self.assertEqual(again.to_json(), own.to_json())

    def test_rectangle_and_pentagon_suit_the_paper(self):
        for name, rows in (("rectangle", throws.FIG5), ("pentagon", throws.FIG6)):
            body = shapes.builtin(name)
            position, _ = throws.starts(rows)
            self.assertGreater(shapes.gaps(body, position[:, 1], position[:, 2]).min(), 0.13)
            self.assertLess(body.reach, 0.22)   # the lowest start of a random throw

    def test_pentagon_rests_where_the_paper_rests(self):
        body = shapes.builtin("pentagon")
        for degrees in (0, 75, 135, 202, 315):
            y = np.sort(shapes.turned(body, np.array(np.deg2rad(degrees)))[:, 1])
            self.assertLess(y[1] - y[0], 1e-5)
        for row in throws.FIG6:
            self.assertIn(round(row[6] % 360), (0, 135, 201, 202, 315))

    def test_gaps_turn_counter_clockwise(self):
        body = shapes.body({"vertices": [[-1, 0], [2, -1], [2, 1]], "inertia": 1})
        np.testing.assert_allclose(shapes.gaps(body, 5.0, np.pi / 2), [4, 7, 7], atol=1e-12)


if __name__ == "__main__":
    unittest.main()
