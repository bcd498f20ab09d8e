# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""`tinycontact scene identify` and what it is made of: against motions in closed form, Runge-Kutta, and bad input."""
import copy
import csv
import json
import unittest

import numpy as np

from tinycontact_case import ROOT, Temporary

from tinycontact.errors import TinycontactError
from tinycontact.scene import fit as fits
from tinycontact.scene import native, observations, parameters, scenefile
from tinycontact.scene.identify import identify
from tinycontact.scene.paper import MODULES, ball, camera, common, depth, inertia, learned, push, tables, truth
from tinycontact.shape.field import zero_level

TIMES = common.instants(1.5)


def quaternion(vector):
    return parameters.turned(np.array([1.0, 0, 0, 0]), np.asarray(vector, float))


class Bounce:
    """An event-driven ball between the paper's wall and floor, of scalars: nothing is shared with truth.py."""

    def __init__(self, r, gravity, friction=0.25, restitution=0.5):
        self.x, self.y, self.u, self.v, self.spin, self.t = 0.0, 5.0, 5.0, 0.0, 0.0, 0.0
        self.r, self.g, self.mu, self.e = r, gravity, friction, restitution

    def _next(self):
        wall = (4.5 - self.r - self.x) / self.u if self.u > 0 else np.inf
        fall = self.v ** 2 + 2 * self.g * (self.y - self.r)
        floor = (self.v + np.sqrt(fall)) / self.g if self.g else np.inf
        return (wall, "wall") if wall < floor else (floor, "floor")

    def _strike(self, normal, tangential, sense):
        """(normal, tangential speed after, spin): sense is the sign of the spin in the contact's slip."""
        slip = tangential + sense * self.r * self.spin
        change = -np.sign(slip) * min(abs(slip) * 2 / 7, self.mu * (1 + self.e) * abs(normal))
        return -self.e * normal, tangential + change, self.spin + sense * 2.5 * change / self.r

    def at(self, times):
        rows = []
        for t in times:
            while True:
                wait, what = self._next()
                if self.t + wait > t:
                    break
                self._go(wait)
                if what == "wall":   # the contact's slip along y: v + r spin
                    self.u, self.v, self.spin = self._strike(self.u, self.v, 1)
                else:                # along x: u + r spin
                    self.v, self.u, self.spin = self._strike(self.v, self.u, 1)
            self._go(t - self.t)
            rows.append((self.x, self.y, 0.0))
        return np.array(rows)

    def _go(self, s):
        self.x += self.u * s
        self.y += self.v * s - self.g * s * s / 2
        self.v -= self.g * s
        self.t += s


class Truths(unittest.TestCase):
    def test_a_ball_by_scalars_and_by_vectors_is_the_same(self):
        for r, gravity in ((0.4, 10.0), (1.1, 10.0), (2.0, 10.0), (0.9, 0.0)):
            np.testing.assert_allclose(ball.motion(r, gravity, TIMES)[0], Bounce(r, gravity).at(TIMES), atol=1e-12)

    def test_a_free_body_keeps_momentum_and_energy(self):
        moments = [[0.1, 0.23, 0.3]]
        rates, q = truth.tumble(moments, [[0.3, -0.5, 0.81]], 0.3, [0.3, 1.0, 2.0], [1.0, 0, 0, 0])
        back = q * [1, -1, -1, -1]
        own = truth._rotate(back, rates)
        energy = (own ** 2 * moments).sum(axis=-1)
        np.testing.assert_allclose(energy[1:, 0], energy[0, 0], rtol=1e-10)

    def test_a_chamfer_distance_of_two_balls_is_known(self):
        gap = inertia.chamfer({"kind": "sphere", "r": 0.5}, {"kind": "sphere", "r": 0.6})
        self.assertAlmostEqual(gap, 0.02, delta=1e-9)


class Fit(unittest.TestCase):
    def one(self, name="a", start=1.0, low=-10.0, high=10.0, reach=(-5.0, 5.0)):
        return fits.Unknown(name, start, low, high, reach)

    def test_a_line_with_noise_and_its_deviation(self):
        rng = np.random.default_rng(1)
        t = np.linspace(0, 1, 30)
        found = []
        for _ in range(200):
            y = 2 + 3 * t + 0.1 * rng.normal(size=t.size)
            one = fits.fit(lambda p: p[0] + p[1] * t - y, [self.one("a"), self.one("b")], 1)   # noqa: B023
            found.append((*one.theta, *one.deviation, fits.student(one.freedom)))
        found = np.array(found)
        np.testing.assert_allclose(found[:, :2].std(axis=0), found[:, 2:4].mean(axis=0), rtol=0.15)
        inside = np.abs(found[:, 1] - 3) < found[:, 4] * found[:, 3]
        self.assertTrue(0.90 <= inside.mean() <= 0.99, inside.mean())

    def test_another_start_finds_the_least_of_two_minima_and_tells_the_other(self):
        def residuals(p):
            return np.array([p[0] ** 2 - 4.0, 0.2 * (p[0] + 2.0)])
        found = fits.fit(residuals, [self.one(start=1.5)])
        self.assertAlmostEqual(found.theta[0], -2.0, delta=1e-6)
        found = fits.fit(lambda p: residuals(p) + [0.0, 0.05], [self.one(start=1.5)])
        self.assertEqual(1, len(found.others))
        self.assertGreater(found.others[0].theta[0], 1.8)
        self.assertGreater(found.others[0].loss, found.loss)

    def test_bounds_hold_and_what_cannot_be_is_left_alone(self):
        def residuals(p):
            if p[0] > 0.5:
                raise fits.Impossible("too far")
            return np.array([p[0] - 3.0, 0.0])
        found = fits.fit(residuals, [self.one(start=0.0)], 1)
        self.assertLessEqual(found.theta[0], 0.5)
        self.assertGreater(found.theta[0], 0.45)
        found = fits.fit(lambda p: np.array([p[0] - 3.0, 0.0]), [self.one(start=0.0, high=2.0)], 1)
        self.assertEqual(2.0, found.theta[0])
        with self.assertRaisesRegex(fits.Impossible, "too far"):
            fits.fit(residuals, [self.one(start=1.0, reach=(1.0, 2.0))], 3)

    def test_an_unknown_that_nothing_feels_has_no_deviation(self):
        t = np.linspace(0, 1, 9)
        found = fits.fit(lambda p: p[0] + 0 * p[1] - t, [self.one("a"), self.one("b")], 1)
        self.assertTrue(np.isfinite(found.deviation[0]) and np.isinf(found.deviation[1]))
        found = fits.fit(lambda p: p[0] + p[1] - t, [self.one("a"), self.one("b")], 1)
        self.assertTrue(np.isinf(found.deviation).all())

    def test_student(self):
        for freedom, t in ((1, 12.706), (5, 2.5706), (10, 2.2281), (30, 2.0423), (1000, 1.9623)):
            self.assertAlmostEqual(fits.student(freedom), t, delta=4e-3)

    def test_stages_lead_past_minima_that_come_late(self):
        t = np.linspace(0, 20, 200)
        data = np.sin(3.0 * t)
        one = fits.Unknown("rate", 2.3, 0.1, 10.0, (2.2, 2.4))
        whole = fits.fit(lambda p: np.sin(p[0] * t) - data, [one], 2)
        staged = fits.fit(lambda p: np.sin(p[0] * t) - data, [one], 2, when=t)
        self.assertGreater(abs(whole.theta[0] - 3.0), 0.1)
        self.assertAlmostEqual(staged.theta[0], 3.0, delta=1e-9)
        self.assertEqual(2, staged.starts)

    def test_further_starts_fill_their_range_evenly(self):
        points = np.array([fits.shares(k, 2) for k in range(64)])
        counts, _, _ = np.histogram2d(*points.T, bins=4, range=[[0, 1], [0, 1]])
        self.assertGreaterEqual(counts.min(), 2)


class Seen(Temporary):
    def test_a_rotation_vector_is_that_between_orientations_whatever_their_signs(self):
        rng = np.random.default_rng(2)
        for angle in (1e-9, 1e-3, 1.0, 3.1):
            axis = rng.normal(size=3)
            vector = angle * axis / np.linalg.norm(axis)
            base = quaternion(rng.normal(size=3))
            turned = parameters.turned(base, vector)
            for sign in (1, -1):
                np.testing.assert_allclose(observations.rotation_between(sign * turned, base), vector, atol=1e-14,
                                           rtol=1e-9)

    def write(self, text):
        with open("obs.csv", "w") as file:
            file.write(text)

    def refused(self, text, pattern, single=None):
        self.write(text)
        with self.assertRaisesRegex(TinycontactError, pattern):
            observations.read("obs.csv", ["ball", "box"], single)

    def test_cells_may_be_missing(self):
        self.write("t,body,x,z,wy\n0,ball,1,,3\n0.5,box,,2,\n0.5,ball,2,nan,\n")
        seen = observations.read("obs.csv", ["ball", "box"])
        self.assertEqual([0, 0.5], seen.times.tolist())
        self.assertEqual(["position"] * 3 + ["rate"], seen.group.tolist())
        poses, rates = np.zeros((2, 2, 7)), np.zeros((2, 2, 6))
        np.testing.assert_allclose(sorted(seen.residuals(poses, rates)), [-3, -2, -2, -1])

    def test_faults_are_named(self):
        self.refused("t,x\n0,1\n", "no column body")
        self.refused("t,body,x\n0,bull,1\n", "line 2, column body: is 'bull', none of ball, box")
        self.refused("t,body,x\n0,ball,1\n-1,box,2\n", "line 3, column t: is -1 s")
        self.refused("t,body,x\n0,ball,one\n", "line 2, column x")
        self.refused("t,body,qw,qx\n0,ball,1,0\n", "has qw, qx only")
        self.refused("t,body,qw,qx,qy,qz\n0,ball,1,0,0,\n", "line 2: has some of")
        self.refused("t,body,qw,qx,qy,qz\n0,ball,1,0,0,1\n", "line 2: .*length 1.414")
        self.refused("t,body,x\n", "has no row")
        self.refused("t,body,other\n0,ball,1\n", "observes nothing")
        for rows, pattern in (([{"t": 0, "body": "ball", "X": 1}], r"\[0\]: unknown field 'X'"),
                              ([{"t": 0, "body": "ball", "x": "1"}], r"\[0\], field x"),
                              ([{"body": "ball", "x": 1}], r"\[0\]: no field t"),
                              ([{"t": 0, "x": 1}], r"\[0\]: no field body"), ([3], r"\[0\]: is no object"),
                              ("nothing", "wanted a list of rows")):
            with self.assertRaisesRegex(TinycontactError, pattern):
                observations.from_rows(rows, ["ball", "box"], "obs")


class Paths(unittest.TestCase):
    SCENE = {"bodies": [{"name": "box", "shape": {"kind": "box", "h": [0.1, 0.2, 0.3]}, "mass": 2.0,
                         "quat_wxyz": [1, 0, 0, 0]},
                        {"name": "floor", "shape": {"kind": "halfspace"}, "moving": False}],
             "friction": 0.3, "materials": [{"between": ["box", "floor"], "friction": 0.2, "restitution": 0.1}]}

    def of(self, *paths, **bounds):
        return parameters.parameters(scenefile.Scene(self.SCENE, "s.json"), paths, bounds)

    def test_paths_lead_to_numbers_and_lists(self):
        for path, start in (("box.shape.h", [0.1, 0.2, 0.3]), ("box.shape.h[1]", 0.2), ("box.shape.h.1", 0.2),
                            ("box.mass", 2.0), ("box.force[2]", 0.0), ("friction", 0.3),
                            ("materials[0].restitution", 0.1), ("box.quat_wxyz", [1, 0, 0, 0])):
            one = self.of(path)[0]
            self.assertEqual(start, one.start.tolist())
            self.assertEqual(3 if path in ("box.shape.h", "box.quat_wxyz") else 1, len(one.unknowns))
        bounded = parameters.parameters(scenefile.Scene(self.SCENE, "s.json"), ["box.mass"], {"box.mass": (1.5, 2.5)})
        self.assertEqual((1.5, 2.5), (bounded[0].unknowns[0].low, bounded[0].unknowns[0].high))

    def test_an_orientation_is_turned_by_a_rotation_vector(self):
        one = self.of("box.quat_wxyz")[0]
        np.testing.assert_allclose(one.value([0, 0, np.pi / 2]), [np.sqrt(0.5), 0, 0, np.sqrt(0.5)], atol=1e-15)

    def test_faults_are_named(self):
        for paths, pattern in ((["ball.mass"], "ball"), (["box.name"], "no number"), (["box"], "box"),
                               (["box.shape.h[3]"], r"3 is none of 0 to 2"), (["box.shape"], "no number"),
                               (["box.quat_wxyz[0]"], "identified whole"), ([], "names no parameter"),
                               (["box.mass", "box.mass"], "already"), (["box.shape.h", "box.shape.h.0"], "already")):
            with self.assertRaisesRegex(TinycontactError, pattern):
                self.of(*paths)
        with self.assertRaisesRegex(TinycontactError, "outside 3 to 4"):
            parameters.parameters(scenefile.Scene(self.SCENE, "s.json"), ["box.mass"], {"box.mass": (3, 4)})


def errors(module, count, seed=1):
    """{(variant, quantity): errors} of an experiment's scenes."""
    found = {}
    for one in module.run(count, seed, iter):
        found.setdefault((one.variant, one.quantity), []).append(one.error)
    return found


class Experiments(unittest.TestCase):
    """A few scenes of each; `make shape-experiments` runs all."""

    def test_the_radius_of_a_bouncing_ball(self):
        for key, off in errors(ball, 10).items():
            self.assertLessEqual(max(off), 1e-5, key)

    def test_sizes_from_inertia(self):
        for (variant, quantity), off in errors(inertia, 3).items():
            self.assertLessEqual(max(off), 1e-6 if quantity.startswith("chamfer") else 1e-4, (variant, quantity))

    def test_mass_force_and_friction_of_a_pushed_body(self):
        for key, off in errors(push, 5).items():
            self.assertLessEqual(max(off), 1e-6, key)


class Kept(unittest.TestCase):
    """tests/scene/evaluation.csv, which `make shape-experiments` makes."""

    def test_floors_are_met_by_as_many_scenes_as_the_papers_and_the_page_is_of_it(self):
        results = tables.read(ROOT / "tests/scene/evaluation.csv")
        for name in MODULES:
            self.assertEqual([], tables.missed(name, results))
            least = 20 if name in ("learned", "depth") else 50
            for row in tables.rows(name, results):
                self.assertGreaterEqual(int(row[2]), least, row)
        page = (ROOT / "docs/explanation/identify-shapes.md").read_text(encoding="utf-8")
        self.assertEqual(page, tables.render(page, results))
        for name in MODULES:
            self.assertIn(f"<!-- table: {name} -->", page)


class Round:
    """A shape space of balls, whose radius is the code."""
    lattice = learned._lattice(learned.CELLS)

    def distances(self, points, code):
        return np.linalg.norm(points - [0.1, 0, 0], axis=1) - code

    def value(self, points, code):
        away = points - [0.1, 0, 0]
        return self.distances(points, code), away / np.linalg.norm(away, axis=1)[:, None]


class Learned(unittest.TestCase):
    """Nets of tests/scene, which `make shape-spaces` trains."""

    def test_a_lattice_sums_a_balls_volume_centre_and_inertia(self):
        form = learned.Form(Round(), 0.9)
        self.assertAlmostEqual(form.volume, 4 / 3 * np.pi * 0.9 ** 3, delta=0.03)
        np.testing.assert_allclose(form.centre, [0.1, 0, 0], atol=1e-3)
        np.testing.assert_allclose(form.gyration, 0.4 * 0.81 * np.eye(3), atol=4e-3)

    def test_a_bounce_of_a_ball_is_known(self):
        form, times = learned.Form(Round(), 0.8), np.array([0.3, 0.34, 0.5, 1.0])
        form.centre, form.surface = np.array([0.1, 0, 0]), form.surface + form.centre - [0.1, 0, 0]
        x = learned.Bounce(form, quaternion([0.3, 0.4, 0.5])).run(times)[:, 0]
        np.testing.assert_allclose(x, [1.5, 1.7, 1.7 - 2.5 * 0.16, 1.7 - 2.5 * 0.66], atol=1e-6)

    def test_the_handle_is_there_and_the_furthest_point_is_the_furthest(self):
        rng = np.random.default_rng(6)
        for name, holes in (("cow-fish", (0, 0)), ("can-mug", (0, 1))):
            space = learned.Space(name)
            for code, genus in zip((0.0, 1.0), holes):
                level = zero_level(lambda p: space.value(p, code), [-1.35] * 3, [1.35] * 3, 36)   # noqa: B023
                self.assertEqual(genus, level.holes, (name, code))
                form = space.form(code)
                for direction in rng.normal(size=(5, 3)):
                    direction /= np.linalg.norm(direction)
                    point = form.furthest(direction)
                    self.assertLess(abs(space.value((point + form.centre)[None], code)[0][0]), 1e-6)
                    off = point @ direction - ((level.vertices - form.centre) @ direction).max()
                    self.assertTrue(-1e-6 < off < 0.03, off)

    def test_a_code_is_found(self):
        space, times = learned.Space("can-mug"), common.instants(1.0)
        turn = quaternion([0.5, 1.0, -0.3])
        for motion in (lambda f: learned.tumble(f, [0.6, 0, 0.8], times),
                       lambda f: learned.Bounce(f, turn).run(times)[:, :3]):
            ended = learned._fitted(motion, space.form, 0.4, 0.7, times)
            self.assertAlmostEqual(ended.theta[0], 0.4, delta=1e-6)


class Depth(unittest.TestCase):
    def test_points_lie_on_the_body_and_noise_is_along_the_ray(self):
        rng, eye = np.random.default_rng(7), camera.Camera()
        at = np.array([1.0, 4.0, 0.2])
        for shape, reach in (({"kind": "sphere", "r": 0.8}, 0.8), ({"kind": "box", "h": [0.5] * 3, "r": 0.2}, 0.9)):
            distance = common.distance(shape)
            points = eye.see(distance, reach, at, np.eye(3), rng)
            self.assertGreater(len(points), 800)
            off = distance(points - at)
            self.assertTrue(0.01 < off.std() < 0.05, off.std())
            depth = (points - eye.place) @ eye.axes[:, 2]
            self.assertTrue((np.abs(depth - 20) < 3).all())

    def test_a_ball_among_images(self):
        found = {}
        draws = [one for one in depth.draws(1, 3) if one[2].kind == "sphere"]
        times = np.concatenate([[0.0], common.instants(depth.SECONDS)])
        for variant, _, thing, true, start, rng in draws[:1]:
            seen = depth.images(thing, true, thing.run(thing.rollout(), true, times), rng)
            ended = depth.fitted(thing, start, seen, times)
            found[variant] = (np.linalg.norm(ended.theta[:3] - true[0]), abs(ended.theta[3] - true[1]))
        for position, size in found.values():
            self.assertLess(position, 6e-3)
            self.assertLess(size, 4e-3)


class Identify(unittest.TestCase):
    def test_several_unknowns_at_once_from_noisy_poses(self):
        rng = np.random.default_rng(4)
        scene = ball.scene(0.7, 10.0)
        position = ball.motion(0.8, 10.0, TIMES)[0] + 1e-3 * rng.normal(size=(45, 3))
        scene["restitution"] = 0.4
        answer = identify(native.Rollout(scenefile.Scene(scene)), common.seen(TIMES, position=position),
                          ["ball.shape.r", "restitution"])
        for path, true in (("ball.shape.r", 0.8), ("restitution", 0.5)):
            one = answer.parameters[path]
            self.assertLess(abs(one.value - true), 4 * one.deviation)
            self.assertLess(one.deviation, 2e-3)
        self.assertAlmostEqual(answer.residual["position"], 1e-3, delta=2e-4)

    def test_quantities_of_unequal_noise_are_weighed_by_what_is_left_of_them(self):
        rng = np.random.default_rng(5)
        position, velocity, _ = ball.motion(0.8, 10.0, TIMES)
        seen = common.seen(TIMES, position=position + 1e-4 * rng.normal(size=(45, 3)),
                           velocity=velocity + rng.normal(size=(45, 3)))
        answer = identify(native.Rollout(scenefile.Scene(ball.scene(0.7, 10.0))), seen, ["ball.shape.r"])
        self.assertLess(abs(answer.parameters["ball.shape.r"].value - 0.8), 2e-4)
        self.assertAlmostEqual(answer.residual["velocity"], 1.0, delta=0.2)

    def test_an_orientation_and_rates_at_the_start(self):
        box = {"name": "box", "shape": {"kind": "box", "h": [0.1, 0.2, 0.3]}, "mass": 1.0, "position": [0, 0, 0],
               "angular_velocity": [1.0, 2.0, 0.5]}
        scene = {"gravity": [0, 0, 0], "bodies": [box]}
        times = common.instants(1.0)
        true = copy.deepcopy(scene)
        true["bodies"][0] |= {"quat_wxyz": quaternion([0.3, -0.2, 0.4]).tolist(), "angular_velocity": [1.3, 1.8, 0.2]}
        poses, _ = native.Rollout(scenefile.Scene(true)).run(times)
        rollout = native.Rollout(scenefile.Scene(scene))
        answer = identify(rollout, common.seen(times, orientation=-poses[:, 0, 3:]),
                          ["box.quat_wxyz", "box.angular_velocity"])
        np.testing.assert_allclose(answer.parameters["box.angular_velocity"].value, [1.3, 1.8, 0.2], atol=1e-7)
        off = observations.rotation_between(np.array(answer.parameters["box.quat_wxyz"].value),
                                            quaternion([0.3, -0.2, 0.4]))
        self.assertLess(np.abs(off).max(), 1e-7)

    def test_friction_is_found_where_the_first_start_sticks_and_does_not_feel_it(self):
        scene = ball.scene(0.9, 10.0) | {"friction": 0.74, "restitution": 0.58}
        scene["bodies"][0] |= {"position": [0.05, 5.1, -0.05], "velocity": [4.8, 0.2, 0.1]}
        seen = common.seen(TIMES, position=ball.motion(1.13, 10.0, TIMES)[0])
        answer = identify(common.rolled(scene), seen,
                          ["ball.shape.r", "ball.position", "ball.velocity", "friction", "restitution"])
        for path, true in (("ball.shape.r", 1.13), ("friction", 0.25), ("restitution", 0.5)):
            self.assertAlmostEqual(answer.parameters[path].value, true, delta=1e-7)
        self.assertGreater(answer.starts, 1)

    def test_a_start_that_cannot_be_is_replaced(self):
        scene = ball.scene(5.5, 10.0)   # deep in the floor
        seen = common.seen(TIMES, position=ball.motion(1.2, 10.0, TIMES)[0])
        answer = identify(native.Rollout(scenefile.Scene(scene)), seen, ["ball.shape.r"])
        self.assertAlmostEqual(answer.parameters["ball.shape.r"].value, 1.2, delta=1e-5)
        self.assertGreater(answer.impossible, 0)


class Command(Temporary):
    def setUp(self):
        super().setUp()
        self.put("ball.json", ball.scene(0.5, 10.0))
        self.rows = common.rows_of("ball", TIMES, position=ball.motion(1.3, 10.0, TIMES)[0])
        with open("obs.csv", "w", newline="") as file:
            writer = csv.DictWriter(file, ["t", "body", "x", "y", "z"])
            writer.writeheader()
            writer.writerows(self.rows)

    def put(self, name, value):
        with open(name, "w") as file:
            json.dump(value, file)

    def got(self, name="out.json"):
        return json.loads((self.folder / name).read_text())

    def test_one_scene(self):
        out, _ = self.command("scene identify", "ball.json", "--observations", "obs.csv", "--parameters",
                              "ball.shape.r", "-o", "out.json", "--plot", "p.png", "--save-scene", "found.json")
        told = self.got()
        self.assertAlmostEqual(told["parameters"]["ball.shape.r"]["value"], 1.3, delta=1e-5)
        self.assertLess(told["parameters"]["ball.shape.r"]["deviation"], 1e-5)
        self.assertEqual(1, told["starts"])
        self.assertGreater(told["iterations"], 0)
        self.assertLess(told["loss"], 1e-12)
        self.assertIn("ball.shape.r: 1.3", out)
        self.assertEqual(b"\x89PNG", (self.folder / "p.png").read_bytes()[:4])
        self.assertAlmostEqual(self.got("found.json")["bodies"][0]["shape"]["r"], 1.3, delta=1e-5)

    def test_a_list(self):
        problem = {"name": "first", "scene": ball.scene(0.5, 10.0), "observations": self.rows,
                   "parameters": ["ball.shape.r"]}
        entries = [problem, problem | {"name": "files", "scene": "ball.json", "observations": "obs.csv"},
                   problem | {"name": "path", "parameters": ["ball.r"]},
                   problem | {"name": "blind", "parameters": ["ball.position[2]", "ball.mass"]},
                   {"name": "less"}, 7, problem | {"scene": ball.scene(1.0, 10.0) | {"frction": 1}},
                   problem | {"starts": 0}, problem | {"bounds": {"ball.shape.r": [6, 7]}}]
        self.put("many.json", entries)
        out, err = self.command("scene identify", "many.json", "-o", "out.json", "--starts", 2)
        told = self.got()
        self.assertEqual(["ok", "ok", "bad_input", "undetermined", "bad_input", "bad_input", "bad_input", "bad_input",
                          "bad_input"], [one["status"] for one in told])
        for one in told[:2]:
            self.assertAlmostEqual(one["parameters"]["ball.shape.r"]["value"], 1.3, delta=1e-5)
        self.assertIsNone(told[3]["parameters"]["ball.mass"]["deviation"])
        self.assertIn("many.json, entry 2 (path)", err)
        self.assertIn("frction", told[6]["message"])

    def test_many_scenes_take_seconds(self):
        self.put("many.json", ball.problems(50, 7))
        self.command("scene identify", "many.json", "-o", "out.json")
        off = [abs(one["parameters"]["ball.shape.r"]["value"] - r[3])
               for one, r in zip(self.got(), ball.draws(50, 7))]
        self.assertLessEqual(max(off), 1e-5)

    def test_what_is_missing_is_told(self):
        for words, pattern in ((["ball.json"], "--observations: is needed"),
                               (["ball.json", "--observations", "obs.csv"], "--parameters: is needed"),
                               (["nothing.json"], "nothing.json"),
                               (["ball.json", "--observations", "no.csv", "--parameters", "ball.mass"], "no.csv"),
                               (["ball.json", "--observations", "obs.csv", "--parameters", "ball.size"], "ball.size")):
            _, err = self.command("scene identify", *words, "-o", "out.json", status=2)
            self.assertIn(pattern, err)

    def test_an_experiment(self):
        out, _ = self.command("scene evaluate", "ball", "--count", 3, "-o", "r.csv", "--plot", "p.png",
                              "--problems", "many.json")
        self.assertIn("every scene", out)
        self.assertEqual(b"\x89PNG", (self.folder / "p.png").read_bytes()[:4])
        self.assertEqual(6, len(self.got("many.json")))
        with open("r.csv", newline="") as file:
            self.assertEqual(6, len(list(csv.DictReader(file))))


if __name__ == "__main__":
    unittest.main()
