# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The 8-sided friction of the paper as a reference: what it cannot see, and the library's round cone can."""
import unittest

import numpy as np

from tinycontact.scene.native import Rollout
from tinycontact.scene.paper import push, pyramid, truth
from tinycontact.scene.scenefile import Scene

TIMES = np.linspace(0, 0.5, 6)


def by_pyramid(true, force):
    return pyramid.push(force, true["mass"], true["friction"], push.PULL, push.HALF, TIMES)


def by_library(true, force):
    scene = Scene(push.scene(true["mass"], force, true["friction"]))
    return Rollout(scene, step=1 / 30).run(TIMES)[0][:, 0, :3] - [0, 0, push.HALF[2]]


class TestPyramid(unittest.TestCase):
    def test_directions(self):
        for normal in (np.eye(3)[2], np.array([0.6, 0.0, 0.8]), np.array([2.0, 3.0, 6.0]) / 7):
            d = pyramid.directions(normal)
            np.testing.assert_allclose(np.linalg.norm(d, axis=1), 1, atol=1e-14)
            np.testing.assert_allclose(d @ normal, 0, atol=1e-14)
            np.testing.assert_allclose(np.sort(d @ d[0]), np.sort(np.cos(np.pi / 4 * np.arange(8))), atol=1e-14)

    def test_complementarity(self):
        rng = np.random.default_rng(1)
        for n in (1, 3, 8, 15):
            for _ in range(20):
                B = rng.normal(size=(n, n))
                A, q = B @ B.T + 0.1 * np.eye(n), rng.normal(size=n)
                z = pyramid.lemke(A, q)
                w = A @ z + q
                self.assertGreater(min(z.min(), w.min()), -1e-9)
                self.assertLess(abs(z * w).max(), 1e-9)
        self.assertIsNone(pyramid.lemke([[-1.0]], [-1.0]))

    def test_along_a_direction_it_is_the_round_cone(self):
        for k in range(8):
            force = 4 * np.array([np.cos(np.pi / 4 * k), np.sin(np.pi / 4 * k)])
            way = pyramid.push(force, 1.0, 0.25, push.PULL, push.HALF, TIMES)
            np.testing.assert_allclose(way, truth.push(force, 1.0, 0.25, push.PULL, TIMES), atol=1e-12)

    def test_too_small_a_force_moves_nothing(self):
        way = pyramid.push([1.5, 1.0], 1.0, 0.25, push.PULL, push.HALF, TIMES)
        np.testing.assert_allclose(way, 0, atol=1e-12)

    def test_hides_forces_from_identification(self):
        forces = [true for unknown, _, true, _ in push.draws(50, 1) if unknown == "force"]
        lost = [(true, along) for true in forces
                if (along := pyramid.hidden(true["force"], true["mass"], true["friction"], push.PULL)) is not None]
        self.assertIn(len(lost), range(2, 15))   # of 50; 6 in the study's
        for true, along in lost[:3]:
            room = true["friction"] * true["mass"] * push.PULL * np.sin(np.pi / 8)
            beside = true["force"] @ along
            other = true["force"] + (-0.9 * np.sign(beside) * room - beside) * along
            self.assertGreater(np.linalg.norm(other - true["force"]), 0.02)
            first, second = by_pyramid(true, true["force"]), by_pyramid(true, other)
            self.assertGreater(np.linalg.norm(first[-1]), 0.05)
            np.testing.assert_allclose(first, second, atol=1e-12)            # the same motion
            first, second = by_library(true, true["force"]), by_library(true, other)
            self.assertGreater(np.linalg.norm(first[-1] - second[-1]), 1e-3)   # another one
            np.testing.assert_allclose(first, truth.push(true["force"], true["mass"], true["friction"], push.PULL,
                                                         TIMES), atol=1e-8)

    def test_shows_the_others(self):
        rng = np.random.default_rng(2)
        seen = 0
        for unknown, _, true, _ in push.draws(12, 3):
            if unknown != "force" or pyramid.hidden(true["force"], true["mass"], true["friction"],
                                                    push.PULL) is not None:
                continue
            change = 1e-3 * rng.normal(size=2)
            first, second = by_pyramid(true, true["force"]), by_pyramid(true, true["force"] + change)
            seen += 1
            self.assertGreater(np.linalg.norm(first[-1] - second[-1]), 0.02 * np.linalg.norm(change))
        self.assertGreater(seen, 3)


if __name__ == "__main__":
    unittest.main()
