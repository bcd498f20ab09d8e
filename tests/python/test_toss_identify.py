# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""A body identified from tosses: forty real ones, exact ones of a brick, whole ones of a hexagonal prism by MuJoCo."""
import importlib.util
import json
import unittest
from pathlib import Path

import numpy as np

from toss_case import BRICK, CENTRE, CUBE, E, GRAVITY, LOG, MASS, MOMENTS, MU, Tosses, brick_tosses

from tinycontact.toss import bodyfile, events, identify, poses, solid


class Real(Tosses):
    def test_forty_tosses_tell_the_cube(self):
        """Within what two independent ways found from 342 tosses."""
        shape, mass, name = solid.read(CUBE)
        body, found = identify.identify(poses.read(LOG), shape, mass, name)
        self.assertAlmostEqual(body.centre[2], 5.7e-3, delta=1.1e-3)
        self.assertLess(np.abs(body.centre[:2]).max(), 1e-3)
        self.assertAlmostEqual(body.inertia_ratio, 1.15, delta=0.15)
        self.assertAlmostEqual(body.friction["point"], 0.164, delta=0.01)
        self.assertAlmostEqual(body.friction["face"], 0.224, delta=0.01)
        self.assertAlmostEqual(body.scale, 0.978, delta=0.003)
        self.assertAlmostEqual(body.gravity, 9.6, delta=0.03)
        self.assertAlmostEqual(body.restitution, 0.27, delta=0.03)
        self.assertTrue(2e4 < body.stiffness < 3e5 and 30 < body.damping < 400)
        self.assertIn("floor.height", [one["name"] for one in body.undetermined])

    def test_intervals_hold_on_halves(self):
        """What two halves tell differs by less than three of their deviations."""
        log, (shape, mass, _) = poses.read(LOG), solid.read(CUBE)
        order = np.random.default_rng(3).permutation(len(log))
        a, b = (identify.identify(log.some(part), shape, mass)[0] for part in (order[:20], order[20:]))
        for name, get in (("gravity", lambda x: x.gravity), ("scale", lambda x: x.scale),
                          ("friction.face", lambda x: x.friction["face"]), ("inertia_ratio", lambda x: x.inertia_ratio),
                          ("centre_of_mass", lambda x: x.centre), ("restitution", lambda x: x.restitution)):
            spread = np.hypot(a.deviation[name], b.deviation[name])
            self.assertLess(np.max(np.abs(get(a) - get(b)) / spread), 3.0, name)

    def test_command(self):
        out, _ = self.command("body identify", "--log", LOG, "--shape", CUBE, "-o", "body.json", "--quick",
                              "--plot", "p.png")
        self.assertRegex(out, r"centre of mass z +\d\.\d+ ± 0\.\d+ +mm +\d+ flights, \d+ impacts of a corner")
        self.assertIn("not determined: mass:", out)
        self.assertEqual(Path("p.png").read_bytes()[:4], b"\x89PNG")
        body = bodyfile.read("body.json")
        self.assertEqual((body.tosses, body.name), (40, "cube"))
        self.assertEqual(json.loads(Path("body.json").read_text())["format"], "tinycontact body")


class Exact(Tosses):
    """Impacts of no duration: closed form against what the fit finds."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.text = "\n".join(brick_tosses(130, 1)) + "\n"

    def found(self):
        Path("log.csv").write_text(self.text)
        log, shape = poses.read("log.csv"), solid.solid(BRICK)
        return identify.identify(log, shape, MASS)

    def test_all_is_met(self):
        body, found = self.found()
        self.assertGreater(len(found.points()), 12)
        self.assertAlmostEqual(body.gravity, GRAVITY, delta=0.01)
        np.testing.assert_allclose(body.centre, CENTRE, atol=2e-4)
        np.testing.assert_allclose(body.inertia, MOMENTS, rtol=0.03)
        self.assertAlmostEqual(body.friction["point"], MU, delta=0.005)
        self.assertAlmostEqual(body.restitution, E, delta=0.02)

    def test_what_is_open_is_named(self):
        """No brick comes to rest, and none lies on a face."""
        body, _ = self.found()
        names = [one["name"] for one in body.undetermined]
        for name in ("mass", "scale", "floor.height", "friction.face"):
            self.assertIn(name, names)
        self.assertTrue(any("until the body lies still" in words for words in body.advice))
        self.assertNotIn("friction.face", body.deviation)

    def test_the_lever_is_taken_at_the_centroid(self):
        """The centroid of an impulse of no duration is when the corner touches."""
        _, found = self.found()
        late = np.array([one.hit_time - one.touch_time for one in found.points()])
        self.assertLess(np.median(np.abs(late)), 1.5e-3)


class Soft(Tosses):
    def test_an_impulse_turns_its_own_lever(self):
        """Impacts that last 8 ms tell the same moments: a corner moves under the impulse by a millimetre."""
        Path("log.csv").write_text("\n".join(brick_tosses(130, 2, duration=0.008)) + "\n")
        body, found = identify.identify(poses.read("log.csv"), solid.solid(BRICK), MASS)
        late = np.median([one.hit_time - one.touch_time for one in found.points()])
        self.assertAlmostEqual(late, 0.004, delta=6e-4)
        np.testing.assert_allclose(body.centre, CENTRE, atol=4e-4)
        np.testing.assert_allclose(body.inertia, MOMENTS, rtol=0.04)

    def test_a_flight_with_an_impact_between_two_rows(self):
        lines = brick_tosses(8, 3, rows=12)
        for k in range(8, 13):   # throw 0: 0.2 m/s more from its eighth row on
            cells = lines[k].split(",")
            cells[4] = f"{float(cells[4]) + 0.2 * (k - 7.5) / 148:.9f}"
            lines[k] = ",".join(cells)
        Path("log.csv").write_text("\n".join(lines) + "\n")
        log = poses.read("log.csv")
        self.assertEqual(events.kinked(events.arcs(log, [11] * len(log))), {0})


PRISM = np.array([[0.06 * np.cos(k * np.pi / 3), 0.06 * np.sin(k * np.pi / 3), z] for k in range(6) for z in (-.04, .04)])
XML = """<mujoco><option timestep="0.0004" cone="elliptic" impratio="20" integrator="implicitfast"/>
<asset><mesh name="m" vertex="{vertices}"/></asset><worldbody>
<geom type="plane" size="5 5 .1" friction=".25 0 0" condim="3" solref="-150000 -300" priority="2"/>
<body><freejoint/><inertial pos=".004 -.003 .002" mass=".5" diaginertia="6e-4 5e-4 7e-4"/>
<geom type="mesh" mesh="m" mass="0" condim="3"/></body></worldbody></mujoco>"""


@unittest.skipUnless(importlib.util.find_spec("mujoco"), "needs mujoco")
class Simulated(Tosses):
    """Whole tosses of another body from a simulator that is not the library's, with noise of a tracker."""

    def log(self, count, seed):
        import mujoco
        rng = np.random.default_rng(seed)
        model = mujoco.MjModel.from_xml_string(XML.format(vertices=" ".join(f"{x:.6f}" for x in PRISM.ravel())))
        data, lines = mujoco.MjData(model), ["throw,t,x,y,z,qw,qx,qy,qz"]
        for label in range(count):
            mujoco.mj_resetData(model, data)
            data.qpos[:3], data.qpos[3:7] = [0, 0, 0.22 + 0.08 * rng.random()], rng.normal(size=4)
            data.qpos[3:7] /= np.linalg.norm(data.qpos[3:7])
            data.qvel[:3], data.qvel[3:] = [*rng.normal(size=2) * 0.9, -0.2], rng.normal(size=3) * 4
            for row in range(240):
                q = np.zeros(4)
                mujoco.mju_mulQuat(q, data.qpos[3:7], np.array([1.0, *rng.normal(size=3) * 3e-4]))
                x = data.qpos[:3] + rng.normal(size=3) * 1e-4
                lines.append(",".join(f"{cell:.6f}" for cell in (label, row * 0.0052, *x, *(q / np.linalg.norm(q)))))
                mujoco.mj_step(model, data, 13)
        Path("log.csv").write_text("\n".join(lines) + "\n")
        return poses.read("log.csv")

    def test_a_hexagonal_prism(self):
        body, found = identify.identify(self.log(40, 5), solid.solid(PRISM), 0.5)
        self.assertGreater(len(found.points()), 4)
        np.testing.assert_allclose(body.centre, [0.004, -0.003, 0.002], atol=7e-4)
        np.testing.assert_allclose(body.inertia, [6e-4, 5e-4, 7e-4], rtol=0.15)
        self.assertAlmostEqual(body.scale, 1.0, delta=0.003)
        self.assertAlmostEqual(body.gravity, 9.81, delta=0.05)
        self.assertAlmostEqual(body.friction["face"], 0.25, delta=0.03)


class Solids(unittest.TestCase):
    def test_moments_by_samples(self):
        """Volume's and surface's moments against a million points of a turned brick in a frame of its own."""
        rng = np.random.default_rng(4)
        turn = np.linalg.qr(rng.normal(size=(3, 3)))[0]
        shape = solid.solid(BRICK @ turn + [0.1, 0.2, 0.3])
        points = (rng.uniform(-1, 1, (1000000, 3)) * BRICK.max(axis=0)) @ turn
        second = points.T @ points / len(points)
        np.testing.assert_allclose(shape.gyration, np.trace(second) * np.eye(3) - second, atol=1e-5)
        np.testing.assert_allclose(shape.centroid, [0.1, 0.2, 0.3], atol=1e-12)
        self.assertEqual(sorted(map(len, shape.faces)), [4] * 6)

    def test_hulls_close(self):
        """Euler's formula, and no corner above a face, for random bodies."""
        rng = np.random.default_rng(6)
        for count in (4, 5, 8, 30, 80):
            points = rng.normal(size=(count, 3))
            shape = solid.solid(points)
            self.assertLess((points @ shape.normals.T - shape.offsets).max(), 1e-9)
            corners = len(set(np.concatenate(shape.faces).tolist()))
            self.assertEqual(corners - len(events.edges_of(shape)) + len(shape.faces), 2)

    def test_a_thin_shell(self):
        cube = solid.solid(np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1.0, 1)]))
        np.testing.assert_allclose(cube.shell, np.eye(3) * 10 / 9, atol=1e-12)
        np.testing.assert_allclose(cube.gyration, np.eye(3) * 2 / 3, atol=1e-12)


if __name__ == "__main__":
    unittest.main()
