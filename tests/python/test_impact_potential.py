# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Potentials that are learned: the net's forces in the library, their derivatives, what is fitted, files."""
import dataclasses
import json
import unittest

from tinycontact_case import Temporary

import numpy as np

from tinycontact.impact import evaluate, potential, systems, tasks
from tinycontact.impact.learn import windows_of
from tinycontact.impact.learn_native import double
from tinycontact.impact.native import NativeScene
from tinycontact.impact.scene import Potential
from tinycontact.library import Library

FLOOR = 1e-3   # the issue's, of the relative error over 5 steps with a net from 25 chunks


def weights_of(shape, seed=0, activation="softplus"):
    rng = np.random.default_rng(seed)
    found = potential.weights_at_random(shape, potential.Settings(8, activation), rng.normal(size=(20, shape.inputs)), rng)
    return dataclasses.replace(found, b=rng.normal(size=len(found.b)), out=rng.normal(size=len(found.out)))


def value(weights, z):
    """V of inputs [inputs], written from its formula."""
    a = weights.W @ ((z - weights.mean) * weights.scale) + weights.b
    return weights.out @ (np.tanh(a) if weights.activation == "tanh" else np.log1p(np.exp(a)))


class Field(unittest.TestCase):
    def scene(self, name, seed=1, activation="softplus", points=False):
        """(scene without springs and gravity, in a random potential; its Weights and Shape)."""
        scene = tasks.scene_of(name)
        shape = potential.shape_of(scene, not points)
        weights = weights_of(shape, seed, activation)
        forces = np.zeros((len(shape.links), 3))
        forces[:, :scene.dimension] = np.random.default_rng(seed).normal(size=(len(shape.links), scene.dimension))
        given = Potential(forces, shape.distances, weights.net())
        return dataclasses.replace(scene, springs=[], gravity=np.zeros(3), potential=given), weights, shape

    def test_forces_are_the_slopes_of_the_formula(self):
        """Particles: the first step's change of the rates over h is force over mass."""
        for points in (False, True):
            scene, weights, shape = self.scene("BP5-spring", points=points)
            scene.h = 1e-6

            def energy(q):
                x = q.reshape(-1, 2)
                z = q if not shape.distances else np.array([np.linalg.norm(x[b] - x[a]) for a, b, _ in shape.distances])
                return value(weights, z) - np.sum(scene.potential.forces[:, :2] * x)
            with NativeScene(scene, double()) as native:
                _, _, V, _, _ = native.roll(scene.q, scene.v, 1, contacts=False)
            masses = np.repeat([body.links[0].mass for body in scene.bodies], 2)
            step = 1e-5 * np.eye(len(scene.q))
            slope = np.array([(energy(scene.q + s) - energy(scene.q - s)) / 2e-5 for s in step])
            np.testing.assert_allclose((V[1] - V[0]) / scene.h * masses, -slope, atol=2e-4)   # weights are float32

    def test_energy_stays(self):
        for name, activation, points in (("CP3-spring", "tanh", False), ("CP3-spring", "softplus", True), ("Gyro", "tanh", True)):
            scene, _, _ = self.scene(name, activation=activation, points=points)
            scene = dataclasses.replace(scene, pairs=[], h=0.002)
            with NativeScene(scene, double()) as native:
                roll, _, _, energy, _ = native.roll(scene.q, scene.v, 400)
            self.assertGreaterEqual(roll.status, 0)
            total = energy.sum(axis=1)
            self.assertGreater(np.ptp(energy[:, 0]), 1e-2, name)
            self.assertLess(np.ptp(total), 1e-4 * max(1.0, np.abs(energy).max()), name)

    def test_float_and_double_agree(self):
        scene, _, _ = self.scene("CP3-spring")
        paths = []
        for library in (double(), Library()):
            with NativeScene(scene, library) as native:
                paths.append(native.roll(scene.q, scene.v, 20)[1])
        np.testing.assert_allclose(paths[0], paths[1], atol=1e-4)

    def test_weights_have_the_slopes_of_the_step(self):
        """A pair of one step: the derivative by weights is right to the step's square."""
        scene = tasks.scene_of("CP3-spring")
        truth, made = tasks.Truth(scene), potential.Made(scene)
        pairs = windows_of(tasks.chunks(truth, 6, np.random.default_rng(3)), 1)
        pairs = pairs[potential.without_contact(made, pairs)]
        for activation in ("softplus", "tanh"):
            weights = weights_of(made.shape, 2, activation)
            problem = potential.NetPairs(made, pairs, weights, 1.0, 1e-3, False)
            theta = np.concatenate([made.model.start, weights.theta])
            linear = problem.linear(theta)
            for k in (problem.n, problem.n + 5, problem.n + len(weights.W[weights.mask]) + 1, len(theta) - 1):
                moved = [theta.copy(), theta.copy()]
                moved[0][k] += 1e-2
                moved[1][k] -= 1e-2
                slope = (problem.residuals(moved[0]) - problem.residuals(moved[1])) / 2e-2
                size = np.abs(slope).max()
                self.assertGreater(size, 1e-6)
                self.assertLess(np.abs(slope - linear.A[:, :, k]).max(), 0.06 * size, (activation, k))


class Learning(unittest.TestCase):
    def test_where_forces_explain_all_there_is_no_net(self):
        found = evaluate.train_net(tasks.scene_of("CP3"), 25, 0)
        self.assertIsNone(found.learned.weights)
        forces = found.learned.potential().forces
        np.testing.assert_allclose(forces[:, 1], -9.81 * np.array([1.0, 2.0, 1.5]), atol=1e-6)
        self.assertLess(evaluate.judge_net(found, 0)[0][0], 1e-5)

    def test_a_net_from_25_chunks(self):
        alone = potential.Settings(seed=0, alone=True)
        for name, settings, points in (("CP3-spring", None, False), ("BP5-spring", None, False), ("CP3", alone, True)):
            with self.subTest(name):
                found = evaluate.train_net(tasks.scene_of(name), 25, 0, settings, points)
                self.assertLess(evaluate.judge_net(found, 0)[0][0], FLOOR)
                self.assertLess(found.learned.left[1], 0.02 * found.learned.left[0])
                model = found.learned.made.model
                for u, x in zip(model.unknowns, found.learned.theta):
                    if u.kind == "mass" or u.kind == "mu":
                        self.assertLess(abs(u.natural(x) / u.truth - 1.0), 0.01, u.name)

    def test_steps_without_contact_are_seen_from_where_they_end(self):
        scene = tasks.scene_of("CP3-spring")
        truth, made = tasks.Truth(scene), potential.Made(scene)
        states, hits = tasks.paths(truth, 10, np.random.default_rng(1))
        pairs, touched = windows_of(states, 1), hits[:, 1:].T.reshape(-1)
        free = potential.without_contact(made, pairs)
        self.assertGreater(touched.sum(), 10)
        self.assertFalse((free & touched).any())
        self.assertGreater((free & ~touched).sum(), 0.9 * (~touched).sum())


class Files(Temporary):
    def train(self, *more):
        return self.command("impact train", "CP3-spring", "--potential", "net", "--chunks", 25, "-o", "m.json", *more)

    def test_saved_simulated_again_and_opened(self):
        out, _ = self.train("--save-system", "learned.json")
        self.assertIn("a net of 16 units", out)
        told = json.loads((self.folder / "m.json").read_text())
        self.assertLess(told["errors"]["steps 5"]["mean"], FLOOR)
        self.assertEqual(["learned.json", "learned.tcm"], [name.split("/")[-1] for name in told["files"]])
        self.command("model check", "learned.tcm")
        self.command("impact simulate", "learned.json", "-o", "again.json", "--double", "--steps", 20)
        again = np.array(json.loads((self.folder / "again.json").read_text())["bodies"]["chain"]["coordinates"])
        scene = tasks.scene_of("CP3-spring")
        with NativeScene(scene, double()) as native:
            _, Q, _, _, _ = native.roll(scene.q, scene.v, 20)
        self.assertLess(np.abs(again - Q).max(), 1e-2)
        self.assertGreater(np.abs(Q - scene.q).max(), 0.1)

    def test_faults(self):
        self.refused("impact train", "CP3", "--save-system", "x.json", "-o", "m.json", told=["--potential net"])
        self.refused("impact train", "throw", "--potential", "net", "-o", "m.json", told=["random"])
        value = systems.as_dict("CP3")
        for wrong, told in (({"forces": {"chain.7": [0, 0]}}, "chain.7"), ({"distances": [{"a": "chain.0"}]}, "world"),
                            ({"net": "none.tcm"}, "none.tcm"), ({"stiffness": 1}, "stiffness")):
            (self.folder / "s.json").write_text(json.dumps({**value, "potential": wrong}))
            self.refused("impact simulate", "s.json", "-o", "o.json", told=[told])

    def test_a_net_of_other_inputs_is_refused(self):
        from tinycontact.model import Model
        shape = potential.shape_of(tasks.scene_of("BP5-spring"))
        Model([weights_of(shape).net()]).save(self.folder / "four.tcm")
        value = {**systems.as_dict("CP3"), "potential": {"net": "four.tcm"}}
        (self.folder / "s.json").write_text(json.dumps(value))
        self.refused("impact simulate", "s.json", "-o", "o.json", told=["4 inputs", "6"])


if __name__ == "__main__":
    unittest.main()
