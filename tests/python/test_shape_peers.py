# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The comparison of distances: its truth by closed forms, ours against it, and peers where they are installed."""
import unittest

import numpy as np

from tinycontact.peers import shapes


class Truth(unittest.TestCase):
    def test_spheres_and_boxes_by_hand(self):
        rng = np.random.default_rng(1)
        pair = shapes.Pair(rng, ("sphere", "sphere"), 0)
        pair.a, pair.b, pair.xa = {"kind": "sphere", "r": 0.1}, {"kind": "sphere", "r": 0.2}, np.array([0.0, 0.25, 0.0])
        self.assertAlmostEqual(pair.truth(rng, np.zeros((0, 3))), -0.05, places=9)
        pair.a, pair.b = ({"kind": "box", "h": [0.1, 0.1, 0.1]} for _ in range(2))
        pair.Ra = pair.Rb = np.eye(3)
        pair.xa = np.array([0.3, 0.3, 0.0])
        self.assertAlmostEqual(pair.truth(rng, np.zeros((0, 3))), 0.1 * np.sqrt(2), places=7)
        pair.xa = np.array([0.19, 0.15, 0.0])
        self.assertAlmostEqual(pair.truth(rng, np.zeros((0, 3))), -0.01, places=9)

    def test_a_quaternion_is_its_rotation(self):
        rng = np.random.default_rng(2)
        for _ in range(20):
            v = rng.normal(size=3)
            x, y, z, w = shapes.quaternion(shapes.rotation(v))
            axis = np.array([x, y, z]) * np.sign(w)
            self.assertTrue(np.allclose(axis, np.sin(np.linalg.norm(v) / 2) * v / np.linalg.norm(v)
                                        * np.sign(np.cos(np.linalg.norm(v) / 2)), atol=1e-9))

    def test_ours_on_a_few_pairs(self):
        told = shapes.compare(50, 3)
        errors = np.array(told["ours"])[:, 0]
        self.assertEqual(len(errors), 50)
        self.assertLess(errors.max(), 2e-6)
        for name, entries in told.items():
            self.assertLess(np.median(np.array(entries)[:, 0]), 5e-3, name)
        for row in shapes.rows(told):
            self.assertEqual(tuple(row), shapes.COLUMNS)


if __name__ == "__main__":
    unittest.main()
