# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Sums over trees of convex pieces: the paper's four properties on random meshes that are not convex, closed forms, the
plain sum as an upper bound, the same bits on any number of threads, frames against differences, and the kept table."""
import csv
import re
import unittest
from pathlib import Path

import numpy as np

from tinycontact.errors import StatusError
from tinycontact.hierarchy import Hierarchy, Touching, triangles
from tinycontact.library import Library
from tinycontact.peers import frames
from tinycontact.peers.hierarchy import ball, forces, page, rack

KEPT = Path(__file__).resolve().parents[1] / "barrier" / "hierarchy.csv"
PAGE = KEPT.parents[2] / "docs" / "explanation" / "barrier-trees.md"
DOUBLE = Library(real="double")


def lump(rng, n=3):
    """The pieces of a mesh whose radius is 0.05 to 0.1 m from vertex to vertex: not convex."""
    vertices, faces = ball(n)
    return triangles(vertices * rng.uniform(0.5, 1.0, (len(vertices), 1)), faces)


def turn(rng):
    q, _ = np.linalg.qr(rng.normal(size=(3, 3)))
    return q * np.sign(np.linalg.det(q))


def shot(n, balls):
    scene = Hierarchy([triangles(*ball(n))], [0] * len(balls), library=DOUBLE)
    return frames.Break(ball(n)[0], rack()[balls], frames.Trees(scene))


class Properties(unittest.TestCase):
    def setUp(self):
        self.rng = np.random.default_rng(5)

    def draw(self, **options):
        """Two lumps with turns and a direction from B to A."""
        pair = Hierarchy([lump(self.rng), lump(self.rng)], [0, 1], library=DOUBLE, **options)
        away = self.rng.normal(size=3)
        return pair, [turn(self.rng), turn(self.rng)], away / np.linalg.norm(away)

    def test_barrier(self):
        """On the way to touch the value rises without bound, and beyond it is an error that names the bodies."""
        for _ in range(4):
            pair, turns, away = self.draw()
            low, high = 0.0, 0.25
            for _ in range(44):   # the last distance at which they are apart
                middle = 0.5 * (low + high)
                try:
                    pair.potential(turns, [middle * away, np.zeros(3)], derive=False)
                    high = middle
                except Touching as error:
                    self.assertEqual(error.bodies, (0, 1))
                    low = middle
            values = [pair.potential(turns, [(high + gap) * away, np.zeros(3)]).value for gap in (1e-3, 1e-5, 1e-7, 1e-9)]
            self.assertTrue(all(b > 2 * a for a, b in zip(values, values[1:])), values)
            self.assertGreater(values[-1], 1e6)

    def test_smooth(self):
        """Gradient and Hessian are those of differences, near and where trees blend."""
        for distance in (0.17, 0.2, 0.24, 0.28, 0.31):
            pair, turns, away = self.draw()
            start = np.array([distance * away, np.zeros(3)])

            def at(q):
                q = q.reshape(2, 6)
                return pair.potential(frames.turned(q[:, 3:]) @ turns, start + q[:, :3])

            found, v, h = at(np.zeros(12)), self.rng.normal(size=12), 1e-6
            high, low = at(h * v), at(-h * v)
            size = np.abs(found.gradient) @ np.abs(v)
            self.assertLess(abs((high.value - low.value) / (2 * h) - found.gradient @ v), 1e-6 * size)
            bend = (high.gradient - low.gradient) @ v / (2 * h)
            self.assertLess(abs(bend - v @ found.hessian @ v), 1e-5 * np.abs(v) @ np.abs(found.hessian) @ np.abs(v))

    def test_pushes_and_never_vanishes(self):
        """Along every direction that separates the hulls the bodies push each other apart, at any distance."""
        for distance in (0.21, 0.25, 0.3, 0.5, 3.0, 1e3, 1e5):
            pair, turns, away = self.draw()
            gradient = pair.potential(turns, [distance * away, np.zeros(3)]).gradient
            for _ in range(20):
                n = away + self.rng.normal(size=3) * max(0.0, distance - 0.2) / distance
                n /= np.linalg.norm(n)
                if distance * n @ away > 0.2:
                    self.assertLess(gradient[:3] @ n, 0.0)
                    self.assertGreater(gradient[6:9] @ n, 0.0)

    def test_the_plain_sum_is_an_upper_bound(self):
        for distance in (0.2, 0.23, 0.3, 0.6):
            pair, turns, away = self.draw()
            plain = Hierarchy([[p for p in lump(np.random.default_rng(1))]] * 2, [0, 1], epsilon=1e6, library=DOUBLE)
            tree = Hierarchy([[p for p in lump(np.random.default_rng(1))]] * 2, [0, 1], library=DOUBLE)
            place = [distance * away, np.zeros(3)]
            self.assertLessEqual(tree.potential(turns, place).value, plain.potential(turns, place).value * (1 + 1e-9))


class Sums(unittest.TestCase):
    def test_points_are_the_closed_form(self):
        """Pieces of one vertex each: (sqrt(12) + 2 / sqrt(gap))^2 without 12."""
        pair = Hierarchy([[np.zeros((1, 3))]], [0, 0], radii=[0.1], epsilon=1e6, library=DOUBLE)
        for gap in (1e-3, 0.1, 10.0):
            value = pair.potential([np.eye(3)] * 2, [[0.2 + gap, 0, 0], [0, 0, 0]]).value
            self.assertAlmostEqual(value / ((12 ** 0.5 + 2 / gap ** 0.5) ** 2 - 12), 1.0, delta=1e-9)

    def test_threads_give_the_same_bits(self):
        """Of many bodies, and of two that threads share in parts."""
        for count in (16, 2):
            scenes = [Hierarchy([triangles(*ball(3))], [0] * count, threads=threads, library=DOUBLE) for threads in (1, 2, 5)]
            for move in (0.0, 1e-4):
                found = [scene.potential([np.eye(3)] * count, rack()[:count] + [[move * k, 0, 0] for k in range(count)])
                         for scene in scenes]
                for other in found[1:]:
                    self.assertEqual(found[0].value, other.value)
                    self.assertTrue(np.array_equal(found[0].hessian, other.hessian))
                    self.assertEqual((found[0].exact, found[0].newton), (other.exact, other.newton))

    def test_parts_are_the_whole(self):
        """Two bodies are shared in parts, eight are not: the same pair of them."""
        place = rack()[:8]
        two = Hierarchy([triangles(*ball(3))], [0] * 2, library=DOUBLE).potential([np.eye(3)] * 2, place[:2])
        far = np.concatenate([place[:2], place[2:] + 1e6 * np.arange(1, 7)[:, None] * [[1, 0, 0]]])
        far[2:] = far[2:] * 0 + np.array([[(k + 1) * 1e5, 0, 0] for k in range(6)])
        many = Hierarchy([triangles(*ball(3))], [0] * 8, library=DOUBLE).potential([np.eye(3)] * 8, far)
        near = Hierarchy([triangles(*ball(3))], [0] * 2, library=DOUBLE).potential([np.eye(3)] * 2, place[:2], derive=False)
        self.assertEqual(two.value, near.value)
        self.assertLess(np.abs(many.hessian[:12, :12] - two.hessian).max(), 1e-6 * np.abs(two.hessian).max())

    def test_single_precision(self):
        single, double = (Hierarchy([triangles(*ball(3))], [0, 0], library=Library(real=real)) for real in ("float", "double"))
        place = [[0.23, 0.01, 0], [0, 0, 0]]
        a, b = (scene.potential([np.eye(3)] * 2, place) for scene in (single, double))
        self.assertLess(abs(a.value / b.value - 1), 1e-4)
        self.assertLess(np.abs(a.hessian - b.hessian).max(), 2e-3 * np.abs(b.hessian).max())

    def test_faults_name_what_is_wrong(self):
        with self.assertRaisesRegex(StatusError, "mesh 1: .*TC_ERR_SIZE"):
            Hierarchy([triangles(*ball(1)), []], [0, 1], library=DOUBLE)
        with self.assertRaisesRegex(StatusError, "mesh 0: .*TC_ERR_NOT_FINITE"):
            Hierarchy([[np.full((3, 3), np.nan)]], [0, 0], library=DOUBLE)
        pair = Hierarchy([triangles(*ball(1))], [0, 0, 0], library=DOUBLE)
        with self.assertRaisesRegex(Touching, "bodies 0 and 2: .*TC_ERR_TOUCHING"):
            pair.potential([np.eye(3)] * 3, [[0, 0, 0], [1, 0, 0], [0.01, 0, 0]])
        with self.assertRaisesRegex(StatusError, "bodies 0 and 1: .*TC_ERR_NOT_FINITE"):
            pair.potential([np.eye(3)] * 3, [[np.nan, 0, 0], [1, 0, 0], [2, 0, 0]])


class Frames(unittest.TestCase):
    def test_energy_has_its_derivatives(self):
        rng = np.random.default_rng(2)
        scene = shot(2, [0, 1, 15])
        x, R = scene.moved(scene.x, scene.R, rng.normal(size=18) * 1e-4)
        scene.before = scene.before[0], scene.moved(scene.x, scene.R, rng.normal(size=18) * 0.1)[1]
        for part in (scene.inertia, scene.floor):
            found, v, h = part(x, R, True), rng.normal(size=18), 1e-6
            high, low = (part(*scene.moved(x, R, s * h * v), True) for s in (1, -1))
            self.assertAlmostEqual((high[0] - low[0]) / (2 * h) / (found[1].ravel() @ v), 1.0, delta=1e-4)
            blocks = sum(w @ H @ w for w, H in zip(v.reshape(3, 6), found[2]))
            bend = (part(*scene.moved(x, R, 1e-4 * v), False)[0] + part(*scene.moved(x, R, -1e-4 * v), False)[0]
                    - 2 * found[0]) / 1e-8
            self.assertAlmostEqual(bend / blocks, 1.0, delta=1e-1)

    def test_a_break_shot_stays_apart(self):
        scene = shot(1, [0, 1, 2, 15])
        start = scene.x.copy()
        scene.run(8)
        self.assertGreater(scene.x[3, 0] - start[3, 0], 0.3)      # the shot ball comes near
        self.assertTrue(np.isfinite(scene.energy(scene.x, scene.R)[0]))
        self.assertGreater(np.abs(scene.x[:3] - start[:3]).max(), 0.01)   # and pushes others from afar


class Kept(unittest.TestCase):
    """tests/barrier/hierarchy.csv, as `make hierarchy-speed` wrote it."""

    def setUp(self):
        with open(KEPT, encoding="utf-8") as file:
            self.rows = {int(row["triangles"]): {name: float(value or "nan") for name, value in row.items()}
                         for row in csv.DictReader(file)}

    def test_floors(self):
        largest, smallest = self.rows[6272], self.rows[512]
        self.assertLessEqual(largest["derivatives_ms"], 100)
        self.assertLessEqual(largest["frame_ms"], 120)
        self.assertLessEqual(largest["derivatives_ms"], 8 * smallest["derivatives_ms"])
        self.assertGreater(largest["brute_ms"], 100 * largest["derivatives_ms"])
        self.assertGreater(largest["ipc_1cm_collisions"], 0)
        self.assertGreaterEqual(largest["two_threads"], 1.7)

    def test_counts_are_todays(self):
        row = self.rows[512]
        found = Hierarchy([triangles(*ball(2))], [0] * 16, library=DOUBLE).potential([np.eye(3)] * 16, rack())
        self.assertEqual((found.exact, found.centred), (row["exact"], row["centred"]))

    def test_weakness(self):
        """Where the roots blend, forces fall by hundreds: as the page says, and as kept."""
        with open(KEPT.with_name("hierarchy_forces.csv"), encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        for row in rows[1::3]:
            for name, force in forces([float(row["gap"])], DOUBLE, sizes=(2,)).items():
                self.assertAlmostEqual(force[0] / float(row[name]), 1.0, delta=1e-3)
        fall = {name: float(rows[5][name]) / float(rows[8][name]) for name in rows[0]}
        self.assertGreater(fall["392 triangles"], 400)
        self.assertLess(fall["spheres"], 4)

    def test_the_pages_example(self):
        code, = re.findall(r"^```python\n(.*?)^```", PAGE.read_text(encoding="utf-8"), flags=re.M | re.S)
        names = {}
        exec(code, names)
        self.assertLess(np.abs(names["force"].sum(axis=0)).max(), 1e-9 * np.abs(names["force"]).max())
        self.assertLess(names["force"][0, 0], 0.0)
        self.assertGreater(names["force"][2, 1], 0.0)

    def test_the_page_has_the_kept_tables(self):
        text = PAGE.read_text(encoding="utf-8")
        self.assertEqual(text, page(text, KEPT.parent), "run make hierarchy-speed, or --page alone")


if __name__ == "__main__":
    unittest.main()
