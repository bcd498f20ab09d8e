# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Derivatives of roll-outs of shapes: against differences of whole roll-outs on random scenes, and closed forms."""
import unittest

import numpy as np

from tinycontact.errors import TinycontactError
from tinycontact.scene import fit as fits
from tinycontact.scene import native, observations, parameters, scenefile
from tinycontact.scene.identify import Model, identify
from tinycontact.scene.paper import ball, common

SECONDS = 0.5
TOUCH = 1e-9       # [m] events of differences move by as much
WITHIN = 1e-4      # of the largest derivative: most are
SHARE = 0.85       # of the numbers that have to be: not where friction stops a body whose loads shift among corners
LEAST = 1e-2       # derivatives below it are compared in absolute terms
PATHS = ("mass", "shape.r", "shape.h", "shape.half", "shape.parts[0].r", "force", "torque[1]", "position", "quat_wxyz",
         "velocity", "angular_velocity")


def unit(values):
    return (np.asarray(values, float) / np.linalg.norm(values)).tolist()


NODES = np.linspace(-3, 3, 24)
GROUNDS = {
    "slope": {"shape": {"kind": "halfspace"}, "quat_wxyz": unit([1, 0.05, 0.02, 0])},
    "box": {"shape": {"kind": "box", "h": [2, 2, 0.5], "r": 0.05}, "position": [0, 0, -0.5]},
    "terrain": {"shape": {"kind": "terrain", "heights": (0.05 * np.outer(np.sin(2 * NODES), np.cos(NODES))).tolist(),
                          "spacing": float(NODES[1] - NODES[0]), "origin": [-3, -3]}},
    "none": None}
KINDS = {
    "sphere": lambda u: {"kind": "sphere", "r": u(0.1, 0.3)},
    "box": lambda u: {"kind": "box", "h": [u(0.1, 0.3) for _ in range(3)], "r": u(0.01, 0.05)},
    "cylinder": lambda u: {"kind": "cylinder", "r": u(0.1, 0.3), "half": u(0.1, 0.3), "rounding": u(0.01, 0.05)},
    "capsule": lambda u: {"kind": "capsule", "r": u(0.1, 0.2), "half": u(0.1, 0.3)},
    "union": lambda u: {"kind": "union", "parts": [{"kind": "sphere", "r": u(0.1, 0.2)},
                                                   {"kind": "capsule", "r": u(0.08, 0.15), "half": u(0.1, 0.2)}],
                        "offsets": [[u(0.1, 0.2), 0, 0], [-u(0.1, 0.2), 0.05, 0]]}}


def thrown(rng, kind, name, x, towards):
    u = lambda a, b: float(rng.uniform(a, b))   # noqa: E731
    return {"name": name, "shape": KINDS[kind](u), "mass": u(0.5, 2), "position": [x, 0, 0.6],
            "quat_wxyz": unit(rng.normal(size=4)), "velocity": (rng.uniform(-1, 1, 3) + towards).tolist(),
            "angular_velocity": rng.uniform(-2, 2, 3).tolist(), "force": rng.uniform(-1, 1, 3).tolist(),
            "torque": (0.05 * rng.uniform(-1, 1, 3)).tolist()}


def random_scene(rng, kind, ground):
    """A body that is thrown at the ground, or at another one."""
    bodies = [thrown(rng, kind, "a", 0.0, [0, 0, -1])]
    if GROUNDS[ground] is None:
        bodies.append(thrown(rng, "box", "b", 0.8, [-1.5, 0, -1]))
    else:
        bodies.append({"name": "ground", "moving": False} | GROUNDS[ground])
    return {"gravity": [0, 0, 0] if GROUNDS[ground] is None else [0, 0, -9.81], "bodies": bodies,
            "friction": float(rng.uniform(0.1, 0.6)), "restitution": float(rng.uniform(0.1, 0.8))}


def differences(scene, path, times, step=1e-6):
    """[numbers, n, bodies, 12] of position, turn and velocities, by central differences."""
    rollout = native.Rollout(scenefile.Scene(scene), touch=TOUCH)
    of = parameters.parameters(rollout.scene, [path])[0]
    base = np.zeros(3) if of.is_turn else of.start.reshape(-1)
    found = []
    for j in range(len(base)):
        ends = []
        for sign in (1, -1):
            moved = base.copy()
            moved[j] += sign * step
            rollout.set(path, of.value(moved).tolist())
            ends.append(rollout.run(times))
        (more, v_more), (less, v_less) = ends
        turn = observations.rotation_between(more[..., 3:], less[..., 3:])
        found.append(np.concatenate([more[..., :3] - less[..., :3], turn, v_more - v_less], axis=2) / (2 * step))
    return np.array(found)


def derivatives(scene, paths, times):
    by = native.Rollout(scenefile.Scene(scene), touch=TOUCH).derivative(times, paths)
    return np.concatenate([by.poses, by.velocities], axis=3), by.note


class Random(unittest.TestCase):
    def compare(self, ground, seed):
        """(errors of derivatives by each path, numbers whose roll-out has a note) of a scene of each kind."""
        times, off, noted = np.linspace(0, SECONDS, 4), [], 0
        rng = np.random.default_rng(seed)
        for kind in KINDS:
            scene = random_scene(rng, kind, ground)
            of = scenefile.Scene(scene)
            for path in [f"a.{path}" for path in PATHS] + ["friction", "restitution", "gravity[2]"]:
                try:
                    of.get(path)
                except TinycontactError:
                    continue
                found, note = derivatives(scene, [path], times)
                noted += len(found) if note else 0
                if note:
                    continue
                wanted = differences(scene, path, times)
                off.append(np.abs(found - wanted).max() / max(np.abs(wanted).max(), LEAST))
        return np.array(off), noted

    def test_by_all_numbers(self):
        for seed, ground in enumerate(GROUNDS):
            off, noted = self.compare(ground, seed)
            self.assertLess(noted, len(off), ground)
            self.assertGreater(np.mean(off < WITHIN), SHARE, (ground, np.sort(off)[-5:]))
            self.assertLess(np.median(off), 1e-6, ground)


class Closed(unittest.TestCase):
    def bounce(self, z):
        r, e, t = 0.2, 0.6, 0.7
        scene = {"gravity": [0, 0, -10.0], "restitution": e, "bodies": [
            {"name": "ball", "shape": {"kind": "sphere", "r": r}, "mass": 2.0, "position": [0, 0, z]},
            {"name": "floor", "shape": {"kind": "halfspace"}, "moving": False}]}
        by, note = derivatives(scene, ["ball.shape.r", "restitution", "ball.position[2]", "ball.mass"], [0.0, t])
        self.assertEqual("", note)
        fall = np.sqrt(2 * (z - r) / 10)
        after, sooner = t - fall, -1 / (10 * fall)   # sooner: the fall's time by r
        by_r = 1 + sooner * 10 * (e * after - e * fall + after)
        np.testing.assert_allclose(by[:, 1, 0, 2], [by_r, 10 * fall * after, 1 - by_r, 0.0], atol=1e-7)

    def test_a_ball_that_bounces_by_all_at_once(self):
        self.bounce(1.05)

    def test_a_ball_that_touches_exactly_at_a_steps_end(self):
        self.bounce(1.0)

    def test_a_sliding_body_stops(self):
        mu, speed = 0.4, 1.7
        scene = {"gravity": [0, 0, -10.0], "friction": mu, "bodies": [
            {"name": "box", "shape": {"kind": "box", "h": [0.2, 0.1, 0.05], "r": 0.01}, "mass": 1.5,
             "position": [0, 0, 0.05], "velocity": [speed, 0, 0]},
            {"name": "floor", "shape": {"kind": "halfspace"}, "moving": False}]}
        by, _ = derivatives(scene, ["friction", "box.velocity[0]"], [0.0, 0.6])
        way = [-speed**2 / (2 * mu**2 * 10), speed / (mu * 10)]
        np.testing.assert_allclose(by[:, 1, 0, 0], way, rtol=1e-5)


class Refused(unittest.TestCase):
    SCENE = {"bodies": [{"name": "box", "shape": {"kind": "box", "h": [0.1, 0.1, 0.1]}, "mass": 1.0, "until": 0.5,
                         "inertia": [[1, 0, 0], [0, 1, 0], [0, 0, 1]]}]}

    def rollout(self):
        return native.Rollout(scenefile.Scene(self.SCENE, "s.json"))

    def test_what_has_no_derivative(self):
        rollout = self.rollout()
        with self.assertRaisesRegex(native.Unsmooth, "no derivative by box.until"):
            rollout.derivative([0, 1], ["box.until"])
        with self.assertRaisesRegex(native.Unsmooth, "no derivative by restitution: a body that does not bounce"):
            rollout.derivative([0, 1], ["restitution"])
        symmetric = [[[1, s, 0], [s, 1, 0], [0, 0, 1]] for s in (1e-5, -1e-5)]
        with self.assertRaisesRegex(native.Unsmooth, "body box: no derivative where its principal axes turn at once"):
            rollout.along([0, 1], [native.Nearby("Ixy", *({"box.inertia": one} for one in symmetric), 1e-5)])

    def test_more_than_fit(self):
        with self.assertRaisesRegex(TinycontactError, "by 9 numbers at once; 1 to 8 can be"):
            self.rollout().derivative([0, 1], ["box.force", "box.torque", "box.velocity"])

    def test_the_scene_is_as_it_was(self):
        rollout = self.rollout()
        before = rollout.run([0.0, 0.3])
        rollout.derivative([0.0, 0.3], ["box.shape.h", "box.quat_wxyz", "gravity[2]"])
        after = rollout.run([0.0, 0.3])
        self.assertEqual(self.SCENE["bodies"][0]["shape"], rollout.scene.value["bodies"][0]["shape"])
        for a, b in zip(before, after):
            np.testing.assert_array_equal(a, b)


class Residuals(unittest.TestCase):
    def test_a_vector_between_orientations_turns_with_the_first(self):
        rng = np.random.default_rng(3)
        for angle in (0.0, 1e-4, 0.1, 2.0, 3.0):
            vector = angle * np.array(unit(rng.normal(size=3)))
            b = np.array(unit(rng.normal(size=4)))
            a = parameters.turned(b, vector)
            small = rng.normal(size=3)
            ends = [observations.rotation_between(parameters.turned(a, s * small), b) for s in (1e-6, -1e-6)]
            found = observations.turned_vector(vector[None], small[None, None])[0, 0]
            np.testing.assert_allclose(found, (ends[0] - ends[1]) / 2e-6, atol=1e-7)

    def test_a_fits_jacobian_is_that_of_differences(self):
        rng = np.random.default_rng(8)
        scene = random_scene(rng, "box", "slope")
        times = np.linspace(0.05, SECONDS, 9)
        rollout = native.Rollout(scenefile.Scene(scene), touch=TOUCH)
        poses, velocities = rollout.run(times)
        q = poses[:, 0, 3:] * np.where(np.arange(9) % 2, 1, -1)[:, None]
        seen = common.seen(times, position=poses[:, 0, :3] + 0.1, orientation=q, velocity=velocities[:, 0, :3],
                           rate=velocities[:, 0, 3:])
        chosen = parameters.parameters(rollout.scene, ["a.shape.h", "a.quat_wxyz", "friction", "a.force", "a.mass"])
        model, weights = Model(rollout, chosen, times), seen.weights()
        unknowns = [u for p in chosen for u in p.unknowns]
        theta = np.array([u.start for u in unknowns])
        r, A = model.linear(theta, seen, weights)
        problem = fits._Differences(lambda x: weights * seen.residuals(*model.run(x)), unknowns)
        linear = problem.linear(theta)
        np.testing.assert_allclose(r, linear.r[0], atol=1e-12)
        np.testing.assert_allclose(A, linear.A[0], atol=1e-4 * np.abs(A).max())

    def test_a_fit_takes_what_the_library_gives(self):
        times = common.instants(1.5)
        seen = common.seen(times, position=ball.motion(1.2, 10.0, times)[0])
        rollout, calls = common.rolled(ball.scene(0.7, 10.0)), []
        run = rollout.run
        rollout.run = lambda *given: calls.append(1) or run(*given)
        answer = identify(rollout, seen, ["ball.shape.r", "restitution"])
        self.assertAlmostEqual(answer.parameters["ball.shape.r"].value, 1.2, delta=1e-8)
        self.assertLess(len(calls), 2 * answer.iterations + 5)   # with differences: five in each iteration


if __name__ == "__main__":
    unittest.main()
