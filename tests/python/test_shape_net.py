# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Learned shapes: the training's slopes by differences, a net of one and of two shapes, the command."""
import json
import unittest
from pathlib import Path

import numpy as np

from shape_case import obj_text, sphere
from tinycontact_case import Temporary

from tinycontact.shape import netmake, nettrain, shapefile
from tinycontact.shape.distance import Meet
from tinycontact.shape.sdf import Sdf

BALL = {"kind": "sphere", "r": 0.2}
BOX = {"kind": "box", "h": [0.15, 0.2, 0.1], "r": 0.05}


class Training(unittest.TestCase):
    def test_slopes_are_those_of_the_loss(self):
        rng = np.random.default_rng(1)
        layers = nettrain._begin(rng, (3, 5, 4, 1))
        x, target = rng.normal(size=(20, 3)), rng.normal(size=20)

        def loss():
            y = x
            for W, b in layers[:-1]:
                y = nettrain.softplus(nettrain.SHARP * (y @ W.T + b)) / nettrain.SHARP
            y = (y @ layers[-1][0].T + layers[-1][1])[:, 0]
            return np.mean(np.abs(y - target) / (nettrain.NEAR + np.abs(target)))
        for layer, slope in zip(layers, nettrain._slopes(layers, x, target)):
            for values, found in zip(layer, slope):
                at = tuple(rng.integers(n) for n in values.shape)
                kept = values[at]
                values[at] = kept + 1e-6
                ahead = loss()
                values[at] = kept - 1e-6
                wanted = (ahead - loss()) / 2e-6
                values[at] = kept
                self.assertAlmostEqual(found[at], wanted, delta=1e-5 + 1e-4 * abs(wanted))

    def test_the_same_seed_the_same_net(self):
        rng = np.random.default_rng(2)
        points, distances = rng.normal(size=(50, 3)), rng.normal(size=(50, 1))
        one, two = (nettrain.train(points, distances, (4,), 5, seed=3) for _ in range(2))
        np.testing.assert_array_equal(one[0][0], two[0][0])


class Nets(Temporary):
    def test_command(self):
        Path("ball.json").write_text(json.dumps(BALL))
        out, _ = self.command("shape make", "ball.json", "-o", "net.json", "--net", "16,16", "--steps", 800)
        self.assertIn("net of 353 weights", out)
        self.assertEqual(json.loads(Path("net.json").read_text()), {"kind": "net", "file": "net.tcm"})
        shape = shapefile.load("net.json")
        self.assertLess(shape.error, 0.02)
        directions = np.random.default_rng(1).normal(size=(200, 3))
        directions /= np.linalg.norm(directions, axis=1)[:, None]
        found = Sdf(shape).evaluate(np.concatenate([0.2 * directions, 0.22 * directions]))
        self.assertLess(np.abs(found.distance - np.repeat([0, 0.02], 200)).max(), 0.02)
        np.testing.assert_allclose(np.linalg.norm(shape.points, axis=1), 0.2, atol=0.02)
        (volume, _, _), _ = Sdf(shape).mass()
        self.assertAlmostEqual(volume, 4 / 3 * np.pi * 0.2**3, delta=3e-4)
        floor = Meet(shape, {"kind": "halfspace"}).distance(np.eye(3), [0, 0, 0.25], np.eye(3), [0, 0, 0])
        self.assertAlmostEqual(floor.distance[0], 0.05, delta=0.015)
        self.assertIn("with 0 numbers of a latent code", self.command("shape inspect", "net.json")[0])
        self.assertIn("surface rms", self.command("shape check", "net.json", "ball.json", "--tolerance", 10)[0])

    def test_two_shapes_with_a_code(self):
        Path("ball.json").write_text(json.dumps(BALL))
        Path("box.json").write_text(json.dumps(BOX))
        self.command("shape make", "ball.json", "--with", "box.json", "-o", "two.tcm", "--net", "16,16", "--steps", 1200)
        for code, value, along in ((0.0, 0.2, 0), (0.0, 0.2, 2), (1.0, 0.15, 0), (1.0, 0.1, 2)):
            shape = shapefile.from_dict({"kind": "net", "file": "two.tcm", "code": [code]})
            found = Sdf(shape).evaluate(value * np.eye(3)[along])
            self.assertLess(abs(found.distance[0]), 0.02)
            self.assertEqual(found.derivative.shape, (1, 1))
        middle = shapefile.from_dict({"kind": "net", "file": "two.tcm", "code": [0.5]})
        self.assertLess(np.abs(middle.made.at(middle.code)(middle.points)[0]).max(), 1e-3)

    def test_refused(self):
        Path("ball.obj").write_text(obj_text(*sphere(levels=2)))
        for words, told in ((["--with", "ball.obj"], "--with and --steps are for nets"),
                            (["--net", "16,0"], "'16,0' is not N,N"), (["--net", "200"], "1 to 7 widths"),
                            (["--net", "8", "--c", "b"], "tinycontact model strip --c")):
            with self.subTest(told):
                self.refused("shape make", "ball.obj", "-o", "b.json", *words, told=(told,))
        self.refused("shape make", "ball.obj", "-o", "b.tcs", "--net", "8", told=("ends in .tcm or .json",))


if __name__ == "__main__":
    unittest.main()
