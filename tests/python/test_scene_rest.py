# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""What makes scenes at rest cheap, and restitution: contacts that persist, entries that are 0, gaps that jump."""
import unittest

import numpy as np

import shape_case
from tinycontact_case import Temporary

from tinycontact.errors import TinycontactError
from tinycontact.impact import cone
from tinycontact.library import Library
from tinycontact.scene import native
from tinycontact.scene.scenefile import Scene

G = 9.81
FLOOR = {"name": "floor", "shape": {"kind": "halfspace"}, "moving": False}
TABLE = {"name": "table", "shape": {"kind": "box", "h": [2.0, 2.0, 0.5]}, "moving": False, "position": [0, 0, -0.5]}
BOX = {"name": "box", "shape": {"kind": "box", "h": [0.1, 0.15, 0.2]}, "mass": 1.0, "position": [0, 0, 0.2]}


def roll(value, seconds=1.0, every=0.05, **options):
    return native.Rollout(Scene(value), **options).run(np.arange(0, seconds + 1e-9, every))


def pile_problem(rng, bodies, contacts):
    """A cone problem of bodies in space: each contact has entries at one body or at two."""
    G, d = np.zeros((3 * contacts, 6 * bodies)), 6 * bodies
    for i in range(contacts):
        pair = rng.choice(bodies, min(bodies, rng.integers(1, 3)), replace=False)
        for body in pair:
            G[3 * i:3 * i + 3, 6 * body:6 * body + 6] = rng.normal(size=(3, 6))
    return {"dim": 3, "n": contacts, "G": G, "w0": rng.normal(size=d), "mu": rng.uniform(0, 1, contacts), "floor": None,
            "e": rng.uniform(0, 1, contacts)}


class Scenes(Library):
    """The library of scenes, whose functions have other symbols."""

    def __init__(self):
        super().__init__(config=native.CONFIG)

    def function(self, name, result, arguments):
        end = "" if name.startswith("native") else "_TC_CONE_FREEDOM_MAX_64u_TC_CONE3_MAX_32u"
        return super().function(name + end, result, arguments)


class TestZeros(unittest.TestCase):
    def test_bits_are_those_of_all_columns(self):
        rng = np.random.default_rng(1)
        plain, sparse = cone.Solver(), cone.Solver(Scenes())
        for bodies in (1, 2, 4, 5):
            for k in range(30):
                problem = pile_problem(rng, bodies, 1 + k % 8)
                for restitution in (False, True):
                    one, other = (solver.solve(problem, restitution) for solver in (plain, sparse))
                    self.assertEqual((one.status, one.kinds), (other.status, other.kinds))
                    for name in ("f", "u", "w"):
                        np.testing.assert_array_equal(one[name], other[name], name)


class TestKept(unittest.TestCase):
    def test_slow_slide(self):
        """Its way is less than a millimetre, and each step of it counts."""
        v, mu, t = 1e-3, 5e-5, np.arange(41) * 0.1
        box = {**BOX, "shape": {"kind": "box", "h": [0.2, 0.2, 0.05]}, "position": [0, 0, 0.05], "velocity": [v, 0, 0]}
        poses, _ = roll({"friction": mu, "bodies": [box, TABLE]}, 4.0, 0.1)
        s = np.minimum(t, v / (mu * G))
        np.testing.assert_allclose(poses[:, 0, 0], v * s - mu * G * s**2 / 2, atol=1e-9)
        np.testing.assert_allclose(poses[:, 0, 2], 0.05, atol=1e-9)

    def test_table_is_a_floor(self):
        """Boxes have kept contacts with a table, and others with a half-space; one tips over, one rests, one spins."""
        starts = ({"angular_velocity": [0, 1.9, 0]}, {}, {"angular_velocity": [0, 0, 3.0]},
                  {"force": [4.0, 0, 0], "until": 0.3})
        for start in starts:
            found = [roll({"friction": 0.6, "bodies": [{**BOX, **start}, ground]})[0][:, 0] for ground in (FLOOR, TABLE)]
            np.testing.assert_allclose(found[0], found[1], atol=2e-5, err_msg=str(start))

    def test_pushed_after_a_rest(self):
        """Another box hits one that has rested for long."""
        ball = {"name": "ball", "shape": {"kind": "sphere", "r": 0.05}, "mass": 1.0, "position": [-1.9, 0, 0.05],
                "velocity": [5.0, 0, 0]}
        low = {**BOX, "shape": {"kind": "box", "h": [0.1, 0.1, 0.05]}, "position": [0, 0, 0.05]}
        rollout = native.Rollout(Scene({"gravity": [0, 0, -G], "friction": 0.0, "restitution": 1.0,
                                        "bodies": [low, ball, TABLE],
                                        "materials": [{"between": ["box", "table"], "friction": 0.0, "restitution": 0},
                                                      {"between": ["ball", "table"], "restitution": 0}]}))
        _, velocities = rollout.run([0, 0.3, 0.4])
        np.testing.assert_allclose(velocities[1, 0], 0, atol=1e-9)
        self.assertAlmostEqual(velocities[2, 0, 0], 5.0, delta=1e-6)


class TestJumps(Temporary):
    def test_tumbling_grid(self):
        """The deepest place of a sampled surface jumps: a step ends behind the jump, not before it again and again."""
        vertices, triangles = shape_case.torus(n=24, m=12)
        with open("ring.obj", "w", encoding="utf-8") as file:
            file.writelines(f"v {x} {y} {z}\n" for x, y, z in vertices)
            file.writelines(f"f {a + 1} {b + 1} {c + 1}\n" for a, b, c in triangles)
        self.command("shape", "make", "ring.obj", "-o", "ring.json", "--grid", "10,10,5")
        ring = {"name": "ring", "shape": {"kind": "grid", "file": "ring.tcs"}, "mass": 1.0, "position": [0, 0, 0.62],
                "quat_wxyz": [0.8, 0.6, 0, 0], "angular_velocity": [1.0, 2.0, 0.5]}
        rollout = native.Rollout(Scene({"friction": 0.4, "bodies": [ring, FLOOR]}, folder="."))
        rollout.run(np.arange(0, 0.81, 0.1))
        self.assertNotIn("TC_NOTE_LIMIT", rollout.note)
        self.assertGreater(rollout.last.deepest, -2e-3)


class TestRestitution(unittest.TestCase):
    def test_kinds(self):
        """A ball bounces as it should by either; sticks that stop to slide while they bounce do not."""
        def ends(body, after):
            return [roll({"friction": 0.5, "restitution": 0.6, "restitution_kind": kind, "bodies": [body, FLOOR]},
                         after, after)[1][-1, 0] for kind in ("poisson", "newton")]
        fall = np.sqrt(2 * 1.0 / G)
        ball = {"name": "b", "shape": {"kind": "sphere", "r": 0.1}, "mass": 1.0, "position": [0, 0, 1.1]}
        one, other = ends(ball, fall + 0.1)
        np.testing.assert_allclose(one, other, atol=1e-9)
        self.assertAlmostEqual(one[2], 0.6 * G * fall - 0.1 * G, delta=1e-6)
        most = 0.0
        for speed in np.linspace(-2, 2, 9):
            stick = {"name": "b", "shape": {"kind": "capsule", "r": 0.02, "half": 0.3}, "mass": 1.0,
                     "position": [0, 0, 0.5], "quat_wxyz": [np.cos(0.35), 0, np.sin(0.35), 0],
                     "velocity": [float(speed), 0, 0]}
            one, other = ends(stick, 0.3)
            most = max(most, np.abs(one - other).max())
        self.assertGreater(most, 1e-3)

    def test_end_of_a_stick(self):
        """Newton's: the end leaves with 0.6 of its speed."""
        angle, reach = 0.7, 0.3
        low = reach * np.cos(angle) + 0.02
        stick = {"name": "b", "shape": {"kind": "capsule", "r": 0.02, "half": reach}, "mass": 1.0,
                 "position": [0, 0, low + 1e-9], "quat_wxyz": [np.cos(angle / 2), 0, np.sin(angle / 2), 0],
                 "velocity": [1.0, 0, -2.0]}
        _, v = roll({"gravity": [0, 0, 0], "friction": 0.5, "restitution": 0.6, "restitution_kind": "newton",
                     "bodies": [stick, FLOOR]}, 1e-6, 1e-6)
        arm = -reach * np.sin(angle)   # from the centre to the end that touches, along x
        self.assertAlmostEqual(v[-1, 0, 2] - v[-1, 0, 4] * arm, 0.6 * 2.0, delta=1e-5)

    def test_refused(self):
        with self.assertRaises(TinycontactError) as caught:
            Scene({"restitution_kind": "newtons", "bodies": [BOX, FLOOR]}, "s.json")
        for word in ("s.json", "restitution_kind", "newton"):
            self.assertIn(word, str(caught.exception))
        rollout = native.Rollout(Scene({"restitution_kind": "newton", "bodies": [BOX, FLOOR]}))
        with self.assertRaises(native.Unsmooth):
            rollout.derivative([0.0, 0.1], ["box.mass"])


if __name__ == "__main__":
    unittest.main()
