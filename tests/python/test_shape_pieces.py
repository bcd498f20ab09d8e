#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""A mesh as a union of convex pieces: shapes that are such unions come back, others get a report that is true."""
import json
import unittest
from pathlib import Path

import numpy as np

from shape_case import box, obj_text, torus
from tinycontact_case import Temporary

from tinycontact.shape import make, pieces, shapefile
from tinycontact.shape.primitives import distance_of

CORNER = {"kind": "union", "parts": [{"kind": "box", "h": [0.3, 0.1, 0.05]}, {"kind": "box", "h": [0.05, 0.1, 0.3]}],
          "offsets": [[0.3, 0, 0.05], [0.05, 0, 0.3]]}
BALLS = {"kind": "union", "parts": [{"kind": "sphere", "r": 0.2}, {"kind": "capsule", "r": 0.1, "half": 0.2},
                                    {"kind": "cylinder", "r": 0.2, "half": 0.05, "rounding": 0.02}],
         "offsets": [[0, 0, 0], [0.5, 0, 0], [1, 0.1, 0]]}


class Pieces(Temporary):
    def union(self, shape, count):
        truth = make.truth_of_shape("shape.json", shapefile.from_dict(shape))
        return shapefile.from_dict(pieces.union_of(truth, count)), truth

    def agree(self, shape, count, most):
        """The largest difference of the two distances at points around."""
        found, _ = self.union(shape, count)
        wanted, low, high = distance_of(shapefile.from_dict(shape))
        points = np.random.default_rng(3).uniform(low - 0.2, high + 0.2, (4000, 3))
        points = points[wanted(points) > 0]
        size = (high - low).max()
        self.assertLess(np.abs(distance_of(found)[0](points) - wanted(points)).max() / size, most)
        return found

    def test_single_primitives_come_back(self):
        for shape in ({"kind": "box", "h": [0.3, 0.2, 0.1]}, {"kind": "box", "h": [0.03, 0.02, 0.01], "r": 0.005},
                      {"kind": "sphere", "r": 2.0}, {"kind": "capsule", "r": 0.1, "half": 0.2},
                      {"kind": "cylinder", "r": 0.1, "half": 0.2, "rounding": 0.03}):
            found = self.agree(shape, 1, 0.01)
            self.assertEqual(len(found.parts), 1)

    def test_unions_come_back(self):
        self.agree(CORNER, 2, 0.01)
        self.agree(BALLS, 3, 0.02)

    def test_more_pieces_err_less(self):
        error = []
        for count in (1, 3):
            found, truth = self.union(BALLS, count)
            self.assertEqual(len(found.parts), count)
            error.append(pieces.judged(found, truth)[0]["surface_rms"])
        self.assertLess(error[1], 0.3 * error[0])

    def test_same_seed_same_union(self):
        truth = make.truth_of_shape("shape.json", shapefile.from_dict(CORNER))
        self.assertEqual(pieces.union_of(truth, 3, 5), pieces.union_of(truth, 3, 5))

    def test_slopes_are_derivatives(self):
        rng = np.random.default_rng(1)
        for name, kind in pieces.KINDS.items():
            sizes = kind.start(np.array([0.2, 0.15, 0.3]))
            piece = pieces.Piece(name, np.concatenate([rng.normal(size=3) * 0.1, sizes]))
            points = rng.uniform(-0.6, 0.6, (50, 3))
            central = [(pieces.Piece(name, piece.x + d)(points) - pieces.Piece(name, piece.x - d)(points)) / 2e-4
                       for d in 1e-4 * np.eye(len(piece.x))]
            np.testing.assert_allclose(piece.slopes(points), np.stack(central, axis=1), atol=2e-4)

    def test_command(self):
        vertices, triangles = box((0.05, 0.03, 0.02), 3, (0.2, 0, 0))
        Path("block.obj").write_text(obj_text(vertices, triangles))
        out, _ = self.command("shape make", "block.obj", "-o", "block.json", "--pieces", 1, "--c", "block",
                              "--plot", "p.png")
        self.assertIn("union of 1 box", out)
        self.assertIn("surface rms", out)
        self.assertIn("wrote block.json, block.c, block.h, p.png", out)
        union = json.loads(Path("block.json").read_text())
        np.testing.assert_allclose(union["parts"][0]["h"], [0.05, 0.03, 0.02], rtol=0.01)
        np.testing.assert_allclose(union["offsets"], [[0.2, 0, 0]], atol=2e-4)
        self.command("shape check", "block.json", "block.obj", "--tolerance", 2)

    def test_a_hole_is_told(self):
        """One box for a ring: the report names the topology."""
        Path("ring.obj").write_text(obj_text(*torus()))
        out, _ = self.command("shape make", "ring.obj", "-o", "ring.json", "--pieces", 1)
        self.assertIn("1 piece(s) with 0 hole(s) through them; the mesh: 1 with 1   <- differs", out)

    def test_refused(self):
        Path("ring.obj").write_text(obj_text(*torus()))
        for words, told in ((["--pieces", 9, "-o", "r.json"], "9 is more than 8"),
                            (["--pieces", 0, "-o", "r.json"], "0 is less than 1"),
                            (["--pieces", 2, "-o", "r.tcs"], "wanted a name that ends in .json"),
                            (["--pieces", 2, "--cells", 9, "-o", "r.json"], "not allowed with")):
            self.refused("shape make", "ring.obj", *words, told=[told])


if __name__ == "__main__":
    unittest.main()
