#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Ropes: the library beside a dense reference in NumPy, what limits and energy must do, the adjoint beside differences,
time that grows with the rope's length."""
import contextlib
import csv
import io
import time
import unittest
from dataclasses import replace
from pathlib import Path

import numpy as np
from tinycontact_case import ROOT, Temporary

from tinycontact.errors import TinycontactError
from tinycontact.impact import rope as ropes
from tinycontact.impact import rope_learn, rope_speed


def uneven(points, restitution=0.0, seed=1, **more):
    """A rope of unequal masses and springs."""
    rng = np.random.default_rng(seed)
    return ropes.Rope(points=points, mass=rng.uniform(0.5, 1.5, points) / points,
                      stiffness=rng.uniform(30, 50, points) * points, restitution=restitution, **more)


class Reference:
    """One rope's step, dense and slow: forces and rows are differences of energies and gaps, impulses come from sweeps."""

    def __init__(self, rope):
        self.rope, self.n = rope, rope.points
        self.inverse = np.repeat(1 / rope.mass, 2)

    def acceleration(self, x):
        d = np.diff(np.vstack([[0, 0], x.reshape(-1, 2)]), axis=0)
        r = np.hypot(*d.T)
        pull = (self.rope.stiffness * (r - self.rope.rest) / r)[:, None] * d
        force = np.vstack([pull[1:], [0, 0]]) - pull
        return (force / self.rope.mass[:, None] - [0, self.rope.gravity]).ravel()

    def moved(self, state):
        def rate(y):
            return np.concatenate([y[2 * self.n:], self.acceleration(y[:2 * self.n])])
        h = self.rope.step
        k1 = rate(state)
        k2 = rate(state + h / 2 * k1)
        k3 = rate(state + h / 2 * k2)
        k4 = rate(state + h * k3)
        return state + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)

    def gaps(self, x):
        return ropes.gaps(self.rope, np.concatenate([x, 0 * x]))

    def rows(self, x):
        eye, h = np.eye(len(x)), 1e-6
        return np.array([(self.gaps(x + h * e) - self.gaps(x - h * e)) / (2 * h) for e in eye]).T

    @staticmethod
    def relaxed(A, q, floor):
        f = floor.copy()
        for _ in range(200000):
            before = f.copy()
            for i in range(len(q)):
                f[i] = max(floor[i], f[i] - (A[i] @ f + q[i]) / A[i, i])
            if np.abs(f - before).max() <= 1e-15 * (1 + np.abs(f).max()):
                break
        return f

    def step(self, state):
        state = self.moved(state)
        x, v = state[:2 * self.n], state[2 * self.n:]
        gap = self.gaps(x)
        hit = gap < 0
        if hit.any():
            J = self.rows(x)[hit]
            A = J * self.inverse @ J.T
            f_c = self.relaxed(A, J @ v, np.zeros(hit.sum()))
            target = -gap[hit] / (8 * self.rope.step)
            f = self.relaxed(A, J @ v + A @ f_c - target, self.rope.restitution * f_c)
            v = v + self.inverse * (J.T @ (f_c + f))
        return np.concatenate([x, v])


class Motion(unittest.TestCase):
    def test_reference(self):
        """Both phases, e = 0 and e > 0, against another algorithm: 5e-7 is what its differences leave."""
        for restitution in (0.0, 0.6):
            rope = uneven(6, restitution)
            start = ropes.starts(rope, 2, seed=4)
            batch = ropes.Batch(rope, 2, 6, "double", keep=False)
            path = batch.simulate(start)
            self.assertGreater(batch.counts.active, 1)
            for states, right in zip(path, start):
                for state in states:
                    right = Reference(rope).step(right)
                    np.testing.assert_allclose(state, right, atol=5e-7)

    def test_limits_hold(self):
        rope = ropes.Rope(points=10)
        batch = ropes.Batch(rope, 50, 100, keep=False)
        gaps = ropes.gaps(rope, batch.simulate(ropes.starts(rope, 50)))
        self.assertGreater(batch.counts.active, 2)
        self.assertGreater(batch.counts.active_most, 10)
        self.assertEqual(0, batch.counts.limited)
        self.assertGreater(gaps.min(), -0.3 * rope.rest, "for one step, at most")
        self.assertGreater(np.quantile(gaps, 0.01), -0.05 * rope.rest)

    def test_limits_of_long_ropes(self):
        rope = ropes.Rope(points=200)
        batch = ropes.Batch(rope, 10, 200, keep=False)
        gaps = ropes.gaps(rope, batch.simulate(ropes.starts(rope, 10)))
        self.assertGreater(batch.counts.active_most, 100)
        self.assertLess(batch.counts.iterations, 10)
        self.assertEqual(0, batch.counts.limited)
        self.assertGreater(np.quantile(gaps, 0.01), -0.05 * rope.rest)

    def test_energy_falls(self):
        """Inelastic limits take energy. What compensation of an excess gives back vanishes with the step."""
        gains = []
        for step in (2e-3, 5e-4):
            rope = ropes.Rope(points=10, step=step)
            start = ropes.starts(rope, 20)
            energy = ropes.energy(rope, np.concatenate([start[:, None], ropes.simulate(rope, start, 500, "double")], axis=1))
            self.assertTrue(np.all(energy[:, -1] < energy[:, 0] + 1e-3))
            gains.append(np.maximum(np.diff(energy, axis=1), 0).sum(axis=1).mean())
        self.assertLess(gains[0], 0.05)
        self.assertLess(gains[1], 0.5 * gains[0])

    def test_energy_stays_where_no_limit_is_met(self):
        rope = ropes.Rope(points=10, shortest=0.01, longest=100, bend=1.56, step=1e-3)
        start = ropes.laid(ropes.Rope(points=10), 10)
        energy = ropes.energy(rope, ropes.simulate(rope, start, 50, "double"))
        self.assertLess(np.abs(energy - ropes.energy(rope, start)[:, None]).max(), 1e-6)

    def test_float_follows_double(self):
        rope = ropes.Rope(points=50)
        start = ropes.starts(rope, 20)
        path, right = (ropes.simulate(rope, start, 5, real) for real in ("float", "double"))
        self.assertLess(np.quantile(np.abs(path - right)[..., :100], 0.99), 1e-5)

    def test_same_bits_alone_and_again(self):
        rope = ropes.Rope(points=30)
        start = ropes.starts(rope, 5)
        path = ropes.simulate(rope, start, 20)
        self.assertTrue(np.array_equal(path, ropes.simulate(rope, start, 20)))
        self.assertTrue(np.array_equal(path[3:4], ropes.simulate(rope, start[3:4], 20)))


class Adjoint(unittest.TestCase):
    def differences(self, rope, start, weights, inputs, direction):
        """(slope by differences of 1e-6, whether differences of 2e-6 agree): no limit is met or left in between"""
        def loss(t):
            start_t, rope_t = inputs(t * direction)
            return (ropes.simulate(rope_t, start_t, weights.shape[1], "double") * weights).sum()
        near, far = ((loss(h) - loss(-h)) / (2 * h) for h in (1e-6, 2e-6))
        return near, abs(near - far) <= 1e-4 * abs(far) + 1e-6

    def test_differences(self):
        """Each input by itself, to 1e-6 of the slopes' size, over 5 steps with active limits."""
        counted = dict.fromkeys(("start", "mass", "stiffness", "gravity", "restitution"), 0)
        for seed in range(8):
            rope = uneven(10, restitution=0.4 * (seed % 2), seed=seed)
            rng = np.random.default_rng(seed)
            start = ropes.starts(rope, 4, seed)
            weights = rng.normal(size=(4, 5, 40))
            by = ropes.gradient(rope, start, weights, "double")[1]
            inputs = {"start": (lambda d: (start + d, rope), rng.normal(size=start.shape)),
                      "mass": (lambda d: (start, replace(rope, mass=rope.mass + d)), 0.1 * rng.normal(size=10)),
                      "stiffness": (lambda d: (start, replace(rope, stiffness=rope.stiffness + d)), 100 * rng.normal(size=10)),
                      "gravity": (lambda d: (start, replace(rope, gravity=rope.gravity + d)), 1.0)}
            if seed % 2:
                inputs["restitution"] = (lambda d: (start, replace(rope, restitution=rope.restitution + d)), 1.0)
            for name, (change, direction) in inputs.items():
                slope, smooth = self.differences(rope, start, weights, change, direction)
                if smooth:
                    terms = np.abs(np.asarray(getattr(by, name)) * direction).sum()
                    self.assertAlmostEqual(slope, np.sum(getattr(by, name) * direction), delta=1e-6 * terms + 1e-6, msg=name)
                    counted[name] += 1
        self.assertTrue(all(n >= (3 if name == "restitution" else 5) for name, n in counted.items()), counted)

    def test_float_beside_double(self):
        rope = ropes.Rope(points=50)
        start = ropes.starts(rope, 20)
        weights = np.random.default_rng(2).normal(size=(20, 5, 200))
        by, right = (ropes.gradient(rope, start, weights, real)[1].start for real in ("float", "double"))
        errors = np.abs(by - right).max(axis=1) / np.abs(right).max(axis=1)
        self.assertLess(np.median(errors), 1e-3)

    def test_parts_of_a_batch_add_up(self):
        rope = ropes.Rope(points=10)
        start = ropes.starts(rope, 3)
        weights = np.random.default_rng(3).normal(size=(3, 5, 40))
        whole = ropes.gradient(rope, start, weights, "double")[1]
        parts = [ropes.gradient(rope, start[k:k + 1], weights[k:k + 1], "double")[1] for k in range(3)]
        np.testing.assert_allclose(whole.mass, sum(p.mass for p in parts), rtol=1e-12)
        np.testing.assert_array_equal(whole.start, np.concatenate([p.start for p in parts]))


class Learning(unittest.TestCase):
    def test_parameters(self):
        """25 chunks of 5 steps, without noise: masses, stiffnesses and gravity from a guess 50 % off."""
        rng = np.random.default_rng(5)
        rope = ropes.Rope(points=10, mass=np.concatenate([[0.1], rng.uniform(0.05, 0.15, 9)]),
                          stiffness=rng.uniform(300, 500, 10))
        start = ropes.starts(rope, 25, seed=5)
        states = np.concatenate([start[:, None], ropes.simulate(rope, start, 5, "double")], axis=1)
        before, after = (part.reshape(-1, 40) for part in (states[:, :-1], states[:, 1:]))
        found = rope_learn.learn(ropes.Rope(points=10, mass=0.1, stiffness=400.0, gravity=5.0), before, after)
        self.assertLess(found.free, found.pairs)
        np.testing.assert_allclose(found.rope.mass, rope.mass, rtol=1e-6)
        np.testing.assert_allclose(found.rope.stiffness, rope.stiffness, rtol=1e-6)
        self.assertAlmostEqual(found.rope.gravity, rope.gravity, delta=1e-6)
        self.assertLess(found.error, 1e-9)
        with self.assertRaisesRegex(TinycontactError, "shape"):
            rope_learn.learn(rope, before, after[1:])


class Refused(unittest.TestCase):
    def test_ropes(self):
        for wrong, told in (({"points": 1}, "points"), ({"mass": 0.0}, "mass"), ({"mass": [1.0, 2.0]}, "mass"),
                            ({"stiffness": np.nan}, "stiffness"), ({"step": 0.0}, "step"), ({"bend": 2.0}, "bend"),
                            ({"longest": 0.9}, "longest"), ({"restitution": 1.5}, "restitution"), ({"gravity": np.nan}, "gravity")):
            with self.assertRaisesRegex(TinycontactError, told):
                ropes.Rope(**wrong)

    def test_calls(self):
        rope = ropes.Rope()
        start = ropes.laid(rope, 2)
        batch = ropes.Batch(rope, 2, 3)
        with self.assertRaisesRegex(TinycontactError, "TC_ERR_UNSUPPORTED|native_rope_backward"):
            batch.gradient(np.zeros((2, 3, 40)))
        for wrong, told in ((start[:1], "shape"), (start * np.nan, "NaN")):
            with self.assertRaisesRegex(TinycontactError, told):
                batch.simulate(wrong)
        batch.simulate(start)
        with self.assertRaisesRegex(TinycontactError, "shape"):
            batch.gradient(np.zeros((2, 3, 39)))
        with self.assertRaisesRegex(TinycontactError, "batch"):
            ropes.Batch(rope, 0, 1)
        start[1] = 0
        with self.assertRaisesRegex(TinycontactError, "rope 1"):
            batch.simulate(start)   # all points at the anchor: springs without direction


class Time(Temporary):
    def test_linear(self):
        """Four times the points take four times as long, not sixteen: best of several rounds, taken in turn."""
        short, long = (ropes.Rope(points=n) for n in (100, 400))
        rooms = [(ropes.Batch(rope, 20, 5), ropes.starts(rope, 20, settle=0.1)) for rope in (short, long)]
        best = [np.inf, np.inf]
        for _ in range(15):
            for k, (room, start) in enumerate(rooms):
                began = time.process_time()
                room.gradient(room.simulate(start))
                best[k] = min(best[k], time.process_time() - began)
        self.assertLess(best[1], 9 * best[0])

    def test_command(self):
        with contextlib.redirect_stdout(io.StringIO()) as out:
            self.assertEqual(0, rope_speed.main(["-o", "speed.csv", "--batch", "2", "--steps", "2", "--rounds", "1"]))
        with Path("speed.csv").open(encoding="utf-8") as table:
            rows = list(csv.DictReader(table))
        self.assertEqual([str(d) for d in rope_speed.COORDINATES], [row["coordinates"] for row in rows])
        self.assertIn("3225", out.getvalue())
        with contextlib.redirect_stderr(io.StringIO()) as err:
            self.assertEqual(2, rope_speed.main(["-o", "no/such/folder.csv", "--batch", "1", "--steps", "1", "--rounds", "1"]))
        self.assertIn("no/such/folder.csv", err.getvalue())

    def test_kept_table(self):
        """tests/rope/speed.csv, what `make rope-speed` measured last, keeps what was promised."""
        with (ROOT / "tests/rope/speed.csv").open(encoding="utf-8") as table:
            rows = {int(row["coordinates"]): row for row in csv.DictReader(table)}
        longest = rows[400]
        self.assertEqual(("200", "5", "399"), (longest["batch"], longest["steps"], longest["limits"]))
        self.assertLess(float(longest["total_ms"]), 60)
        self.assertGreater(float(longest["times"]), 50)
        self.assertGreater(float(longest["active_mean"]), 40)
        self.assertLess(float(longest["total_ms"]), 6 * float(rows[100]["total_ms"]))


if __name__ == "__main__":
    unittest.main()
