# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""tinycontact impact aim: directions of whole roll-outs against differences, in float and double; billiards from several
starts; the throws against their formulas; each mistake on the command line, which ends with status 2 and one line."""
import json
import unittest
from pathlib import Path

import numpy as np

from tinycontact_case import Temporary, tc
from tinycontact.impact import systems
from tinycontact.impact.billiards import Billiards
from tinycontact.impact.downstream import PARAMETERS, Carrier
from tinycontact.impact.downstream_solve import descend, gradient_error, newton
from tinycontact.impact.simulate import simulate
from tinycontact.impact.throw import Throw


def unit(n, k):
    return np.eye(n)[k]


class Directions(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.float, cls.double = tc.Library(), tc.Library(real="double")

    def carry(self, name, steps, library, along):
        given = systems.named(name)
        with Carrier(given, library) as carrier:
            return carrier.carry(given.q, given.v, steps, along)

    def test_end_is_simulates(self):
        """Without leaps the bits of `tinycontact impact simulate`; with them equal to rounding."""
        given = systems.named("billiards")
        run = simulate(given, self.double)
        with Carrier(given, self.double) as carrier:
            plain = carrier.carry(given.q, given.v, given.steps, leap=False)
            path = carrier.carry(given.q, given.v, given.steps, path=True)
            leapt = carrier.carry(given.q, given.v, given.steps)
        np.testing.assert_array_equal(plain.q, run.q[-1])
        np.testing.assert_array_equal(path.path, run.q)
        np.testing.assert_allclose(leapt.q, run.q[-1], rtol=0, atol=1e-10)
        self.assertLess(leapt.taken, given.steps // 2)

    def test_parameters(self):
        """Of each kind of parameter one direction, against central differences of scenes that were changed so."""
        changes = {"gravity": (1, lambda s, h: s.gravity.__setitem__(1, s.gravity[1] + h)),
                   "mass": (0, lambda s, h: setattr(s.bodies[0].links[0], "mass", s.bodies[0].links[0].mass + h)),
                   "inertia": (0, lambda s, h: s.bodies[0].links[0].inertia.__setitem__(0, s.bodies[0].links[0].inertia[0] + h)),
                   "surface": (0, lambda s, h: setattr(s.bodies[0].links[0].shape, "radius", s.bodies[0].links[0].shape.radius + h)),
                   "mu": (0, lambda s, h: s.materials.__setitem__(0, (s.materials[0][0], s.materials[0][1] + h, s.materials[0][2]))),
                   "e": (0, lambda s, h: s.materials.__setitem__(0, (s.materials[0][0], s.materials[0][1], s.materials[0][2] + h)))}
        self.assertEqual(set(changes), set(PARAMETERS))
        for fast in (0.6, 6.0):   # sticks, slips
            for name, (k, change) in changes.items():
                with self.subTest(parameter=name, fast=fast):
                    ends = []
                    for h in (0.0, 1e-6, -1e-6):
                        given = systems.named("throw")
                        given.v[0] = fast
                        change(given, h)
                        with Carrier(given, self.double) as carrier:
                            along = [{name: unit(carrier.lengths()[name], k)}]
                            ends.append(carrier.carry(given.q, given.v, 100, along))
                    middle, more, less = ends
                    np.testing.assert_allclose(middle.dq[0], (more.q - less.q) / 2e-6, rtol=1e-6, atol=1e-6)
                    np.testing.assert_allclose(middle.dv[0], (more.v - less.v) / 2e-6, rtol=1e-6, atol=1e-6)

    def test_float_is_double(self):
        """A bounce, and a roll-out with impacts of several balls, before collisions amplify the rounding."""
        for name, steps in (("throw", 100), ("billiards", 500)):
            n = len(systems.named(name).v)
            along = [{"v": unit(n, 0)}, {"q": unit(n, 1)}, {"e": np.ones(len(systems.named(name).materials))}]
            fine, coarse = (self.carry(name, steps, library, along) for library in (self.double, self.float))
            for a, b in ((fine.dq, coarse.dq), (fine.dv, coarse.dv)):
                self.assertLess(np.abs(a - b).max(), 2e-3 * max(1.0, np.abs(a).max()), name)

    def test_what_is_not_differentiated(self):
        for name in ("CP3", "Gyro", "Rope-10"):
            with self.assertRaisesRegex(tc.TinycontactError, "TC_ERR_UNSUPPORTED"):
                n = len(systems.named(name).v)
                self.carry(name, 1, self.double, [{"v": unit(n, 0)}])


class Tasks(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.double = tc.Library(real="double")

    def test_gradient_of_billiards(self):
        """The study's numbers; and differences, from other starts, too."""
        task = Billiards(self.double)
        g, _, error = task.check(task.start)
        np.testing.assert_allclose(g, (-0.0447, 0.939, -0.137, 1.064), atol=2e-3)
        self.assertLess(error, 1e-4)   # differences of 1e-6 err by the solver's certificate, 1e-11
        for x in task.other_starts(4, 3):
            self.assertLess(task.check(x)[2], 1e-4)

    def test_without_time_of_impact(self):
        """Contacts at the end of a step: where the ball starts does not matter, to first order."""
        task = Billiards(self.double)
        task.scene.impacts = 0
        np.testing.assert_allclose(task.value(task.start)[1], (0, 0.7014, -0.0710, 0.7954), atol=1e-3)

    def test_billiards(self):
        """Below 1e-4 within 40 iterations: from the start of the paper, and from 7 of 8 at random; 147 of 150 were."""
        task = Billiards(self.double)
        run = task.solve(task.start, 40)
        self.assertLess(run.losses[-1], 1e-4)
        self.assertLessEqual(len(run.losses) - 1, 12)
        self.assertGreaterEqual(sum(task.solve(x, 40).below(1e-4) is not None for x in task.other_starts(8, 11)), 7)

    def test_vertical(self):
        """Sticking, the disk leaves with (2 vx - r omega) / 3: one step, 2 vx / r = 12 rad/s."""
        task = Throw(self.double, "vertical")
        for x in [task.start, *task.other_starts(3, 0)]:
            run = task.solve(x, 20)
            self.assertEqual(len(run.losses), 2)
            self.assertAlmostEqual(run.points[-1][0], 12.0, delta=1e-9)
        r, J = task.residual(task.start)
        self.assertAlmostEqual(J[0, 0], -0.1 / 3, delta=1e-9)

    def test_hit(self):
        for target in ((1.2, 0.6), (-0.5, 0.7), (2.0, 0.4)):
            task = Throw(self.double, "hit", target)
            run = task.solve(task.start, 20)
            self.assertLess(run.losses[-1], 1e-24)
            self.assertEqual(task.bounces(run.points[-1]), 1)
            np.testing.assert_allclose(task.paths(run.points[-1])[-1, 0], target, atol=1e-11)


class Solvers(unittest.TestCase):
    def test_valley(self):
        """Rosenbrock's, from where plain descent takes thousands of steps; and a start without slope."""
        def value(x, gradient):
            a, b = 1 - x[0], x[1] - x[0] ** 2
            return a * a + 100 * b * b, np.array([-2 * a - 400 * x[0] * b, 200 * b])
        run = descend(value, [-1.2, 1.0], 0.1, np.ones(2), 1e-10, 60)
        self.assertLess(run.losses[-1], 1e-10)
        def step(x, gradient):
            return (1.0, np.zeros(2)) if x[0] < 0.5 else (float((x - 1) @ (x - 1)), 2 * (x - 1))
        run = descend(step, [0.0, 0.0], 0.1, 2 * np.ones(2), 1e-10, 20)
        self.assertGreaterEqual(run.restarts, 1)
        self.assertLess(run.losses[-1], 1e-10)

    def test_newton_halves(self):
        run = newton(lambda x: (np.arctan(x), np.array([[1 / (1 + x[0] ** 2)]])), [3.0])
        self.assertLess(run.losses[-1], 1e-24)

    def test_gradient_error(self):
        wrong = lambda x, gradient: (float(x @ x), 2.2 * x)   # noqa: E731
        self.assertAlmostEqual(gradient_error(wrong, [1.0, 0.0])[2], 0.2 / 2.2, delta=1e-6)


MISTAKES = ((("billiard",), "billiard"), (("hit", "--target", "1"), "--target"), (("hit", "--target", "1,x"), "1,x"),
            (("hit", "--target", "1,inf"), "finite"), (("vertical", "--target", "1,1"), "--target"),
            (("hit", "--start", "1"), "--start"), (("billiards", "--start", "0.5,0.5,0,0"), "overlaps"),
            (("hit", "--ball", "ball1"), "--ball"), (("billiards", "--ball", "ball11"), "ball11"),
            (("billiards", "--iterations", "0"), "iterations"), (("billiards", "--starts", "-1"), "starts"))


class Command(Temporary):
    def test_output(self):
        self.command("impact", "aim", "billiards", "-o", "o.json", "--starts", "1", "--iterations", "3")
        out = json.loads(Path("o.json").read_text())
        self.assertEqual(out["unknowns"], ["x", "y", "vx", "vy"])
        self.assertEqual(len(out["loss"]), out["iterations"] + 1)
        self.assertEqual((out["reached"], out["paper"]), (False, {"iterations": 200, "loss": 0.001}))
        self.assertEqual(len(out["starts"]), 1)

    def test_other_balls(self):
        self.command("impact", "aim", "billiards", "-o", "o.json", "--ball", "ball7", "--target", "0.8,0.4")
        out = json.loads(Path("o.json").read_text())
        self.assertLess(min(out["loss"]), out["loss"][0])

    def test_a_throw_without_a_bounce_has_not_reached(self):
        _, err = self.command("impact", "aim", "hit", "-o", "o.json", "--target", "3,9")
        out = json.loads(Path("o.json").read_text())
        self.assertEqual((out["reached"], out["bounces"]), (False, 0))
        self.assertIn("0 times", err)

    def test_mistakes(self):
        for words, part in MISTAKES:
            with self.subTest(words=words):
                self.refused("impact", "aim", *words, "-o", "never.json", told=(part,))
                self.assertFalse(Path("never.json").exists())


if __name__ == "__main__":
    unittest.main()
