# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Logs of poses in space: conventions, refusals by line and column, the state at touch-down against exact flights."""
import unittest
from dataclasses import replace
from pathlib import Path

import numpy as np

from tinycontact_case import Temporary

from tinycontact.errors import TinycontactError
from tinycontact.toss import bodyfile, flight, poses, rotation

STEP, GRAVITY = 0.01, 9.7
BRICK = np.array([[x, y, z] for x in (-0.04, 0.04) for y in (-0.03, 0.03) for z in (-0.02, 0.02)])
CENTRE = np.array([0.003, -0.002, 0.005])
HEADER = "throw,t,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz"


def body(inertia=(1e-3, 1e-3, 1e-3)):
    return bodyfile.Body(BRICK, 0.5, centre=CENTRE, inertia=np.array(inertia), gravity=GRAVITY)


def spin(q, w, inertia, time):
    """Euler's equations in steps of 0.2 ms, moments of momentum kept in the world: an oracle of its own."""
    inertia = np.array(inertia)
    momentum = rotation.matrix(q) @ (inertia * w)
    for _ in range(int(round(time / 2e-4))):
        middle = rotation.product(q, rotation.exp(0.5 * 2e-4 * (rotation.matrix(q).T @ momentum) / inertia))
        q = rotation.product(q, rotation.exp(2e-4 * (rotation.matrix(middle).T @ momentum) / inertia))
    return q, (rotation.matrix(q).T @ momentum) / inertia


def throw(rng, inertia=(1e-3, 1e-3, 1e-3), rows=18):
    """(t, position, orientation, velocity, omega) of the origin of a free body, exact."""
    q, w = rotation.normal(rng.normal(size=4)), rng.normal(size=3) * 6
    place, speed = np.array([0.1, 0.2, 0.6]), np.array([0.7, -0.4, -0.5])
    out = []
    for k in range(rows):
        t = k * STEP
        turn = rotation.matrix(q)
        velocity = speed - [0, 0, GRAVITY * t] - turn @ np.cross(w, CENTRE)
        out.append((t, place + speed * t - [0, 0, GRAVITY * t * t / 2] - turn @ CENTRE, q, velocity, w))
        q, w = spin(q, w, inertia, STEP)
    return [np.array(column) for column in zip(*out)]


def lines(throws, velocities=True):
    text = [HEADER if velocities else HEADER[:HEADER.index(",vx")]]
    for label, (t, x, q, v, w) in enumerate(throws):
        for row in zip(t, x, q, v, w):
            cells = [label, *(np.concatenate([np.ravel(part) for part in row]))]
            text.append(",".join(f"{cell:.9f}" for cell in (cells if velocities else cells[:9])))
    return text


class Flight(Temporary):
    def log(self, inertia=(1e-3, 1e-3, 1e-3), velocities=True):
        self.throws = [throw(np.random.default_rng(seed), inertia) for seed in range(4)]
        Path("log.csv").write_text("\n".join(lines(self.throws, velocities)) + "\n")
        return poses.read("log.csv")

    def test_exact_flights_are_met(self):
        for inertia in ((1e-3, 1e-3, 1e-3), (1e-3, 1.6e-3, 2.1e-3)):
            log = self.log(inertia)
            for toss, (_, x, _, v, w) in zip(log.tosses, self.throws):
                state = flight.fitted(toss, len(toss) - 1, GRAVITY, CENTRE, np.diag(inertia))
                np.testing.assert_allclose(state.position, x[-1], atol=1e-5)
                np.testing.assert_allclose(state.velocity, v[-1], atol=1e-3)
                np.testing.assert_allclose(state.omega, w[-1], atol=5e-3)
                self.assertLess(max(state.residual), 2e-4)

    def test_first_row(self):
        log = self.log()
        self.assertEqual(log.lag, 0.0)
        state = flight.at_first(log.tosses[1], body(), log)
        np.testing.assert_allclose(state.velocity, self.throws[1][3][0], atol=1e-8)
        log = self.log(velocities=False)
        state = flight.at_first(log.tosses[1], body(), log)
        np.testing.assert_allclose(state.velocity, self.throws[1][3][0], atol=5e-3)
        np.testing.assert_allclose(state.omega, self.throws[1][4][0], atol=1e-2)

    def test_backward_differences_are_brought_to_their_row(self):
        self.log()
        for one in self.throws:
            one[3][1:] = np.diff(one[1], axis=0) / STEP
        Path("log.csv").write_text("\n".join(lines(self.throws)) + "\n")
        log = poses.read("log.csv")
        self.assertAlmostEqual(log.lag, STEP / 2)
        exact = throw(np.random.default_rng(1))[3]
        state = flight.at_first(replace(log.tosses[1], velocity=log.tosses[1].velocity[1:]), body(), log)
        np.testing.assert_allclose(state.velocity[2], exact[1][2], atol=0.01)

    def test_end_of_flight(self):
        log = self.log()
        toss = log.tosses[0]
        low = flight.heights(toss.position, toss.orientation, BRICK).min(axis=1)
        height = low[9] - 1.4e-3
        np.testing.assert_array_less(low[9], low[:9])
        self.assertEqual(flight.end_of_flight(toss, BRICK, (height, 0, 0)), 8)
        self.assertEqual(flight.end_of_flight(toss, BRICK, (-9.0, 0, 0)), len(toss) - 1)


class Conventions(Temporary):
    def test_each_is_undone(self):
        throws = [throw(np.random.default_rng(seed)) for seed in range(3)]
        Path("log.csv").write_text("\n".join(lines(throws)) + "\n")
        wanted = poses.read("log.csv")
        turn = {"z": np.eye(3), "minus-z": np.diag([1, -1, -1]), "y": np.array([[1, 0, 0], [0, 0, 1], [0, -1, 0]])}
        back = {"z": [1, 0, 0, 0], "minus-z": [0, 1, 0, 0], "y": [np.sqrt(.5), -np.sqrt(.5), 0, 0]}
        for up in turn:
            told = []
            for t, x, q, v, w in throws:
                q = rotation.product(np.array(back[up], dtype=float), q)
                world = np.einsum("nij,nj->ni", rotation.matrix(q), w)
                told.append((1e3 * t, 1e3 * x @ turn[up].T, rotation.conjugate(q)[:, [1, 2, 3, 0]],
                             1e3 * v @ turn[up].T, np.degrees(world)))
            Path("other.csv").write_text("\n".join(lines(told)).replace("throw,t", "take,time") + "\n")
            log = poses.read("other.csv", poses.Convention(
                {"throw": "take", "t": "time"}, "ms", "mm", "deg", "xyzw", True, up, "world"))
            for a, b in zip(wanted.tosses, log.tosses):
                for name in ("t", "position", "velocity", "omega"):
                    np.testing.assert_allclose(getattr(a, name), getattr(b, name), atol=1e-5)
                np.testing.assert_allclose(abs(np.sum(a.orientation * b.orientation, axis=1)), 1, atol=1e-8)

    def test_signs_are_free(self):
        t, x, q, v, w = throw(np.random.default_rng(5))
        flipped = q * np.where(np.arange(len(q)) % 3, 1, -1)[:, None]
        Path("log.csv").write_text("\n".join(lines([(t, x, flipped, v, w)] * 2)) + "\n")
        read = poses.read("log.csv").tosses[0].orientation
        self.assertGreater(np.min(np.sum(read[1:] * read[:-1], axis=1)), 0.9)


class Refusals(Temporary):
    def setUp(self):
        super().setUp()
        self.throws = [throw(np.random.default_rng(seed)) for seed in range(3)]
        self.text = lines(self.throws)

    def refused(self, text, *told, convention=None):
        Path("log.csv").write_text("\n".join(text) + "\n")
        with self.assertRaises(TinycontactError) as caught:
            poses.read("log.csv", convention)
        for words in told:
            self.assertIn(words, str(caught.exception))

    def change(self, row, column, value):
        cells = self.text[row].split(",")
        cells[HEADER.split(",").index(column)] = value
        return [*self.text[:row], ",".join(cells), *self.text[row + 1:]]

    def test_rows(self):
        self.refused(self.text[:8] + self.text[9:], "line 9", "column t", "1 row is missing")
        self.refused(self.text[:8] + self.text[7:], "line 9", "column t", "twice")
        self.refused(self.text[:6] + [self.text[7], self.text[6]] + self.text[8:], "line 8", "sort")
        self.refused(self.text + self.text[3:9], "line 56", "goes on here")
        self.refused(self.text[:25], "line 20", "a throw of 6 rows")
        self.refused(self.text[:1], "no rows")

    def test_cells(self):
        self.refused(self.change(4, "y", "nan"), "line 5", "column y", "finite")
        self.refused(self.change(4, "qz", ""), "line 5", "column qz", "empty")
        self.refused(self.change(4, "qz", "7"), "line 5", "not normalised")
        self.refused(self.change(7, "x", "0.3"), "line 8", "column x", "jump")

    def test_turned_jump(self):
        t, x, q, v, w = self.throws[1]
        q = q.copy()
        q[7] = rotation.product(q[7], rotation.exp(np.array([0.0, 0.0, np.pi / 2])))
        self.refused(lines([self.throws[0], (t, x, q, v, w)]), "line 27", "jump")

    def test_columns(self):
        self.refused([line.rsplit(",", 1)[0] for line in self.text], "no column wz")
        self.refused([self.text[0].replace("qw", "q0"), *self.text[1:]], "no column qw")
        self.refused(self.text, "columns: 'q0'", convention=poses.Convention({"q0": "qw"}))

    def test_milliseconds(self):
        self.throws = [(1e3 * t, *rest) for t, *rest in self.throws]
        self.refused(lines(self.throws), "column t", "--time ms")

    def test_angles_instead_of_quaternions(self):
        self.throws = [(t, x, np.degrees(q), v, w) for t, x, q, v, w in self.throws]
        self.refused(lines(self.throws), "line 2", "degrees")


if __name__ == "__main__":
    unittest.main()
