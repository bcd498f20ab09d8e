# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Logs of throws of random bodies, friction, rates and noise: correct ones are taken, and each common mistake is
refused with its name. Nothing here is picked by hand: a seed draws body, throws and noise. `python
test_learn_plausible.py FIRST LAST` counts false alarms and mistakes found over these seeds, without a bound."""
import contextlib
import io
import sys
import unittest
from collections import Counter
from pathlib import Path
from unittest import mock

import numpy as np

from tinycontact_case import Temporary
from tinycontact.csvfile import write_columns
from tinycontact.errors import TinycontactError
from tinycontact.learn import logs, plausible
from tinycontact.sim import coulomb, shapes, throws
from tinycontact.sim import logs as sim_logs

STEPS = (0.0005, 0.001, 0.002, 0.004, 0.005)
NOISE = np.array([5e-4, 5e-4, 2e-3, 0.02, 0.02, 0.1])
LONGEST = 4.0   # [s] of a throw

# name: what it does to the poses, a word of what is said
MISTAKES = {
    "degrees": (lambda pose: pose * [1, 1, 180 / np.pi], "degrees"),
    "wrapped degrees": (lambda pose: np.column_stack([pose[:, :2], wrapped(np.degrees(pose[:, 2]))]), "degrees"),
    "millimetres": (lambda pose: pose * [1e3, 1e3, 1], "millimetres"),
    "centimetres": (lambda pose: pose * [1e2, 1e2, 1], "centimetres"),
    "low floor": (lambda pose: pose - [0, 0.02, 0], "the floor is probably at y = -0.0"),
    "high floor": (lambda pose: pose + [0, 0.5, 0], "probably at y = 0.4|probably at y = 0.5"),
    "y down": (lambda pose: [0, 1.2, 0] + pose * [1, -1, 1], "points down"),
    "x mirrored": (lambda pose: pose * [-1, 1, 1], "the wrong way"),
    "theta mirrored": (lambda pose: pose * [1, 1, -1], "the wrong way|clockwise"),
}


def wrapped(degrees):
    return (degrees + 180) % 360 - 180


def polygon(rng, size):
    """A random convex body about its centroid."""
    while True:
        angle = np.sort(rng.uniform(0, 2 * np.pi, int(rng.integers(3, 9))))
        corners = size * np.stack([np.cos(angle) * rng.uniform(0.5, 1), np.sin(angle)], axis=1)
        with contextlib.suppress(TinycontactError):
            centre = shapes._uniform(corners, 0.0)[0]
            return corners - centre, shapes.body({"vertices": (corners - centre).tolist()})


def random_body(rng):
    size, kind = float(np.exp(rng.uniform(np.log(0.04), np.log(0.5)))), int(rng.integers(5))
    fields = {"h": float(rng.choice(STEPS)), "mass": float(np.exp(rng.uniform(-2, 2))),
              "restitution": float(rng.choice([0, 0, 0.3, 0.6]))}
    if kind < 3:
        known = shapes.builtin(("rectangle", "pentagon", "capsule")[kind])
        corners, radius = known.vertices * size / known.reach, known.radius * size / known.reach
    elif kind == 3:
        corners, radius = size * np.array([[-1, -0.06], [1, -0.06], [1, 0.06], [-1, 0.06]]), 0.0
    else:
        corners, radius = polygon(rng, size)[0], 0.0
    return shapes.body({"vertices": corners.tolist(), "radius": radius, **fields})


def random_log(seed):
    """(Body, [[T, 6], ...]): noisy poses and velocities of 6 to 14 throws."""
    rng = np.random.default_rng([12, seed])
    body, count = random_body(rng), int(rng.integers(6, 15))
    friction = (coulomb.constant(rng.uniform(0.1, 1.2)), coulomb.falling(), coulomb.anisotropic())[int(rng.integers(3))]
    pace = float(rng.choice([0.3, 1, 1, 2]))
    rows = np.column_stack([1.05 * body.reach + rng.uniform(0, 0.8, count), rng.uniform(-180, 180, count),
                            4.5 * pace * rng.uniform(-1, 1, count), 30 * pace * rng.uniform(-1, 1, count)])
    paths = {}
    with mock.patch.object(throws, "MAX_STEPS", int(LONGEST / body.h)):
        player = sim_logs.exact_player(coulomb.law(friction), str(rng.choice(["dart", "toc", "gap"])))
        player(body, *throws.starts(rows), paths.__setitem__)
    noise = float(rng.choice([0, 0.2, 1, 4])) * NOISE
    seen = [path + noise * rng.standard_normal(path.shape) for _, path in sorted(paths.items())]
    if rng.random() < 0.3:   # cut before the rest
        seen = [one[:max(30, int(len(one) * rng.uniform(0.3, 1)))] for one in seen]
    return body, [one for one in seen if len(one) >= logs.LEAST_ROWS]


def said(body, poses, rates=()):
    """What is said of such a log."""
    with contextlib.redirect_stderr(io.StringIO()):
        try:
            plausible.check("L.csv", body, poses, list(rates), logs.noise_of(poses)[:3])
        except TinycontactError as error:
            return str(error)
    return ""


def counted(seeds, mistakes):
    """({name: how often it was named}, {name: seeds that failed}) over seeds; "correct": not refused."""
    found, failed = Counter(), {}
    for seed in seeds:
        body, seen = random_log(seed)
        poses = [one[:, :3] for one in seen]
        wrong = said(body, poses, [one[:, 3:] for one in seen] if seed % 2 else ())
        cases = {"correct": not wrong}
        for name in mistakes:
            change, words = MISTAKES[name]
            told = said(body, [change(pose) for pose in poses])
            cases[name] = any(word in told for word in words.split("|"))
        for name, right in cases.items():
            found[name] += right
            if not right:
                failed.setdefault(name, []).append((seed, wrong))
    return found, failed


class Plausible(Temporary):
    def test_random_logs(self):
        """No false alarm; each mistake is found in nearly all logs."""
        seeds = range(1000, 1010)
        found, failed = counted(seeds, MISTAKES)
        self.assertEqual(found["correct"], len(seeds), failed.get("correct"))
        for name in MISTAKES:
            least = 0.5 if "mirrored" in name else 0.9   # a mirrored log of a few soft throws may not show it
            self.assertGreaterEqual(found[name] / len(seeds), least, (name, failed.get(name)))

    def log(self, change, seed=3, name="log.csv", rates=None):
        """A log of ten throws of the package's own rectangle, changed."""
        body = shapes.builtin("rectangle")
        paths = sim_logs.paths(body, 10, seed, sim_logs.exact_player(coulomb.law(coulomb.constant(0.6))))
        rng = np.random.default_rng(seed)
        rows = []
        for k, path in enumerate(paths):
            pose = change(path[:, :3] + NOISE[:3] * rng.standard_normal((len(path), 3)))
            velocity = [path[:, 3:] * rates] if rates is not None else []
            rows.append(np.column_stack([np.full(len(path), k), body.h * np.arange(len(path)), pose, *velocity]))
        names = ["throw", "t", "x", "y", "theta"] + (["vx", "vy", "omega"] if rates is not None else [])
        write_columns(name, names, np.concatenate(rows).T)

    def test_the_command_names_the_mistake(self):
        """File, column, numbers, the likely reason and the cure, before JAX is asked for; nothing is written."""
        cures = {"degrees": "Multiply theta by 0.0174533", "millimetres": "Multiply x and y by 0.001",
                 "centimetres": "Multiply x and y by 0.01", "low floor": "Subtract -0.0", "high floor": "Subtract 0.",
                 "y down": "Replace y", "x mirrored": "Change the sign", "theta mirrored": "Change the sign",
                 "wrapped degrees": "Multiply theta by 0.0174533"}
        for name, (change, words) in MISTAKES.items():
            self.log(change)
            with mock.patch.dict("sys.modules", {"jax": None, "optax": None}):
                err = self.refused("body train", "--shape", "rectangle", "--log", "log.csv", "--out", "m.tcm",
                                   told=["log.csv, column", cures[name]])
            self.assertTrue(any(word in err for word in words.split("|")), err)
            self.assertFalse(Path("m.tcm").exists())

    def test_velocities(self):
        """Velocity columns of another unit or sign are refused; right ones are taken."""
        self.log(lambda pose: pose, rates=np.ones(3))
        logs.read("log.csv", shapes.builtin("rectangle"))
        for rates, words in (([1, 1, 180 / np.pi], ("column omega", "degrees per second")),
                             ([1e3, 1e3, 1], ("column vx", "Multiply vx by 0.001")), ([1, -1, 1], ("column vy",))):
            self.log(lambda pose: pose, rates=np.array(rates))
            with self.assertRaises(TinycontactError) as caught:
                logs.read("log.csv", shapes.builtin("rectangle"))
            for word in words:
                self.assertIn(word, str(caught.exception))

    def test_times(self):
        """Times in milliseconds, or counted, are named."""
        self.log(lambda pose: pose)
        for factor, words in ((1000, "milliseconds"), (500, "samples")):
            lines = [line.split(",") for line in Path("log.csv").read_text().splitlines()]
            rows = [",".join([one[0], repr(factor * float(one[1])), *one[2:]]) for one in lines[1:]]
            Path("t.csv").write_text("\n".join([",".join(lines[0]), *rows]) + "\n")
            self.refused("body train", "--shape", "rectangle", "--log", "t.csv", "--out", "m.tcm",
                         told=("t.csv, column t", words, "Multiply t by 0.00"))

    def test_what_shows_nothing_is_not_refused(self):
        """A body at rest, without gravity, or under noise that hides all."""
        body, rng = shapes.builtin("rectangle"), np.random.default_rng(1)
        still = [np.tile([0.0, 0.06, 0.0], (200, 1)) + 1e-4 * rng.standard_normal((200, 3))]
        self.assertEqual(said(body, still), "")
        self.assertEqual(said(shapes.builtin("rectangle", g=0.0), [10 * pose for pose in still]), "")
        self.assertEqual(said(body, [pose + rng.normal(size=pose.shape) for pose in still]), "")

    def test_noise_that_would_show_gravity_in_shorter_units(self):
        """A rough camera: at 100 Hz and 2 to 6 cm of noise the log's own metres show nothing, so that shorter ones do."""
        body, rng = shapes.builtin("rectangle", h=0.01), np.random.default_rng(1)
        t = np.arange(120) * body.h
        for noise in (0.0225, 0.03, 0.04, 0.06):
            poses = []
            for vx, vy, omega in rng.normal(size=(40, 3)):
                y = np.maximum(6 + 0.5 * vy * t - 0.5 * body.g * t**2, 0.06)
                poses.append(np.column_stack([vx * t, y, omega * t]) + noise * rng.normal(size=(len(t), 3)))
            self.assertEqual(said(body, poses), "", noise)


if __name__ == "__main__":
    if len(sys.argv) == 3 and sys.argv[1].isdigit():
        every = range(int(sys.argv[1]), int(sys.argv[2]))
        total, misses = counted(every, MISTAKES)
        for case, right in total.items():
            print(f"{case}: {right} of {len(every)}; not: {misses.get(case, [])}")
    else:
        unittest.main()
