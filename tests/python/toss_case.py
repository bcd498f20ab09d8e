# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""What the tests of tosses share: the committed real tosses, and tosses of a brick by an exact simulator of its own."""
import json
from pathlib import Path

import numpy as np

from tinycontact_case import ROOT, Temporary

TOSSES = ROOT / "tests" / "tosses"
LOG, CUBE = str(TOSSES / "cube40.csv"), str(TOSSES / "cube.json")
HEADER = "throw,t,x,y,z,qw,qx,qy,qz"
BRICK = np.array([[x, y, z] for x in (-0.06, 0.06) for y in (-0.045, 0.045) for z in (-0.03, 0.03)])
MASS, CENTRE, MOMENTS = 0.4, np.array([0.004, -0.003, 0.005]), np.array([3.2e-4, 4.4e-4, 5.6e-4])
MU, E, GRAVITY, STEP = 0.2, 0.3, 9.81, 1 / 148
FINE = 4e-4   # [s]


def skew(v):
    return np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0.0]])


def turn_by(vector):
    """The rotation matrix of a rotation vector, by Rodrigues' formula."""
    angle = np.linalg.norm(vector)
    if angle < 1e-12:
        return np.eye(3) + skew(vector)
    k = skew(vector / angle)
    return np.eye(3) + np.sin(angle) * k + (1 - np.cos(angle)) * k @ k


def quaternion(turn):
    """w, x, y, z of a rotation matrix: the eigenvector of Davenport's matrix."""
    k = np.zeros((4, 4))
    k[0, 0] = np.trace(turn)
    k[0, 1:] = k[1:, 0] = [turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1]]
    k[1:, 1:] = turn + turn.T - np.trace(turn) * np.eye(3)
    return np.linalg.eigh(k)[1][:, -1]


class Brick:
    """Momentum and angular momentum about the centre of mass, kept exactly between impacts of one sliding corner. An
    impact lasts `duration` [s]: its force is a half sine of a fixed direction at the corner, wherever that moves."""

    def __init__(self, rng, duration=0.0):
        self.duration, self.pushed = duration, None
        self.turn = turn_by(rng.normal(size=3) * 2)
        self.place, self.speed = np.array([0.0, 0.0, 0.2]), np.array([*rng.normal(size=2) * 2.5, -0.3])
        self.spin = self.turn @ (np.diag(MOMENTS) @ (rng.normal(size=3) * 2.5))   # angular momentum, log's axes

    def omega(self):
        return self.turn @ ((self.turn.T @ self.spin) / MOMENTS)

    def corners(self):
        return (BRICK - CENTRE) @ self.turn.T

    def move(self, h):
        half = turn_by(0.5 * h * self.omega()) @ self.turn
        rate = half @ ((half.T @ self.spin) / MOMENTS)
        self.turn = turn_by(h * rate) @ self.turn
        self.place = self.place + h * self.speed - [0, 0, 0.5 * GRAVITY * h * h]
        self.speed = self.speed - [0, 0, GRAVITY * h]
        if self.pushed:
            self.push(h)
        else:
            self.strike()

    def push(self, h):
        corner, p, since = self.pushed
        share = 0.5 * (np.cos(np.pi * since / self.duration) - np.cos(np.pi * min(since + h, self.duration) / self.duration))
        self.gain(self.turn @ (BRICK[corner] - CENTRE), share * p)
        self.pushed = (corner, p, since + h) if since + h < self.duration else None

    def gain(self, arm, p):
        self.speed = self.speed + p / MASS
        self.spin = self.spin + np.cross(arm, p)

    def strike(self):
        """Coulomb's impulse of a corner that slides on and leaves with E: closed form."""
        arms = self.corners()
        corner = int(np.argmin(arms[:, 2]))
        arm = arms[corner]
        u = self.speed + np.cross(self.omega(), arm)
        if self.place[2] + arm[2] > 0 or u[2] >= 0:
            return
        way = np.array([*(-MU * u[:2] / np.linalg.norm(u[:2])), 1.0])
        inverse = self.turn @ np.diag(1 / MOMENTS) @ self.turn.T
        effect = way / MASS + np.cross(inverse @ np.cross(arm, way), arm)
        p = -(1 + E) * u[2] / effect[2] * way
        if self.duration:
            self.pushed = (corner, p, 0.0)
        else:
            self.gain(arm, p)


def brick_tosses(count, seed, rows=30, duration=0.0):
    """Lines of a log of bricks that hop on corners."""
    rng, lines = np.random.default_rng(seed), [HEADER]
    for label in range(count):
        body = Brick(rng, duration)
        per_row = int(round(STEP / FINE))
        for row in range(rows):
            tag = body.place - body.turn @ CENTRE
            q = quaternion(body.turn)
            lines.append(",".join(f"{cell:.9f}" for cell in (label, row * STEP, *tag, *q)))
            for _ in range(per_row):
                body.move(STEP / per_row)
    return lines


class Tosses(Temporary):
    def rows(self, count=40):
        """[header, cells] of the first real tosses, as lists."""
        text = Path(LOG).read_text().splitlines()
        cells = [line.split(",") for line in text]
        labels = list(dict.fromkeys(one[0] for one in cells[1:]))[:count]
        return [cells[0], *(one for one in cells[1:] if one[0] in labels)]

    def write(self, rows, name="log.csv"):
        Path(name).write_text("\n".join(",".join(row) for row in rows) + "\n")
        return name

    def shape(self, vertices, mass, name="shape.json"):
        Path(name).write_text(json.dumps({"vertices": np.asarray(vertices).tolist(), "mass": mass}))
        return name
