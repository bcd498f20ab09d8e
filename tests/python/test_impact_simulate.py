# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""tinycontact impact simulate: the library against the float64 reference, the energy floors of the paper's systems, what
the columns mean, and each mistake in a file, which ends with status 2 and one line that names file and field."""
import copy
import csv
import itertools
import json
import unittest
from pathlib import Path

import numpy as np

from tinycontact_case import ROOT, Temporary, tc
from tinycontact.errors import TinycontactError
from tinycontact.impact import reference, scene, systems
from tinycontact.impact.native import NativeScene
from tinycontact.impact.simulate import columns, simulate, simulate_random

BALL = {"name": "ball", "dimension": 2, "bodies": [{"name": "ball", "mass": 2.0, "inertia": 0.01, "shape": {"radius": 0.1}}],
        "planes": [{"name": "floor", "normal": [0, 2], "offset": 0}],
        "contacts": [{"a": "ball", "b": "floor", "mu": 0.3, "e": 0.5}], "h": 0.01, "steps": 80,
        "start": {"ball": {"position": [0, 0.6], "velocity": [1, 0], "omega": 3}}}


def box(dimension, **changes):
    """A cube that tumbles onto the floor; e = 0, where the impulses of least norm do not matter."""
    corners = itertools.product([-0.1, 0.1], repeat=3)
    square = [[-0.1, -0.1], [0.1, -0.1], [0.1, 0.1], [-0.1, 0.1]]
    flat = dimension == 2
    body = {"name": "box", "mass": 1.0, "inertia": 0.00667 if flat else [0.00667] * 3,
            "shape": {"vertices": square if flat else [list(p) for p in corners]}}
    start = ({"position": [0, 0.16], "velocity": [0.8, -1], "omega": 2.0} if flat else
             {"position": [0, 0, 0.2], "velocity": [0.8, 0.3, -1], "omega": [1, 2, 0.5]})
    return {"dimension": dimension, "bodies": [body], "planes": [{"name": "floor", "normal": [0, 1] if flat else [0, 0, 1]}],
            "contacts": [{"a": "box", "b": "floor", "mu": 0.4, "e": 0.0}], "h": 0.005, "impacts": 0,
            "start": {"box": start}, **changes}


class Physics(Temporary):
    def setUp(self):
        super().setUp()
        self.float, self.double = tc.Library(), tc.Library(real="double")

    def compare(self, given, steps, limit):
        run = simulate(given, self.double, steps)
        Q, V = reference.Reference(given).roll(given.q, given.v, steps)
        np.testing.assert_allclose(run.q[:len(Q)], Q, rtol=0, atol=limit)
        np.testing.assert_allclose(run.v[:len(V)], V, rtol=0, atol=10 * limit)
        return int((run.contacts[:, 0] < len(Q)).sum())

    def test_library_is_the_reference(self):
        """Paths agree to the rounding that collisions amplify: 1e-8 in 100 steps with time of impact, 1e-10 without."""
        for name, steps in (("BP5-e", 100), ("BP5", 50), ("BD5", 50), ("throw", 80), ("billiards", 400)):
            for impacts in (0, 20):
                with self.subTest(name=name, impacts=impacts):
                    given = systems.named(name)
                    given.impacts = impacts
                    self.assertGreater(self.compare(given, steps, 1e-6), 0)
        for dimension in (2, 3):
            with self.subTest(box=dimension):
                self.assertGreater(self.compare(scene.from_dict(box(dimension), "box"), 60, 1e-8), 50)

    def test_reference_from_random_starts(self):
        contacts = 0
        for name, seed in itertools.product(("BP5-e", "BP5", "BD5"), range(3)):
            with self.subTest(name=name, seed=seed):
                given = systems.named(name)
                with NativeScene(given, self.double) as native:
                    given.q, given.v = systems.draw_free(given, native, np.random.default_rng(seed))
                contacts += self.compare(given, 80, 1e-6)   # balls meet seldom without gravity
        self.assertGreater(contacts, 100)

    def test_energy(self):
        """e = 1, mu = 0, 1000 steps, float32: the floors are 1e-5 (BP5-e) and 1e-4 (CP3-e, joint coordinates) of the
        larger of the energy at the start and the largest kinetic one; 20 random starts reached 1.4e-6 and 6.8e-5."""
        for name, floor in (("BP5-e", 1e-5), ("CP3-e", 1e-4), ("Gyro-e", 1e-4)):
            for library in (self.float, self.double):
                for run in simulate_random(systems.named(name), 4, 5, library, 1000):
                    E = run.energy.sum(axis=1)
                    self.assertGreater(run.impacts, 0)
                    self.assertLess(np.abs(E - E[0]).max(), floor * max(abs(E[0]), run.energy[:, 0].max()))

    def test_float_is_double(self):
        """Rounding alone, before collisions amplify it."""
        for name in systems.NAMED:
            with self.subTest(name=name):
                fine, coarse = (simulate(systems.named(name), library, 20) for library in (self.double, self.float))
                np.testing.assert_allclose(coarse.q, fine.q, rtol=0, atol=2e-3 if name == "Rope-10" else 1e-4)

    def test_vertical_throw(self):
        """12 rad/s at 0.6 m/s, mu 0.5, e 0.8: the disk leaves without horizontal speed and turns on."""
        run = simulate(systems.named("throw"), self.double, 80)
        after = run.v[int(run.contacts[0, 0])]
        self.assertAlmostEqual(after[0], 0.0, delta=1e-9)
        self.assertAlmostEqual(after[2], 0.0, delta=1e-7)   # rolling without way: it does not turn either

    def test_a_ball_bounces_at_its_time(self):
        """e times the speed at the floor, whatever the step is."""
        fall = np.sqrt(2 * 0.5 / 9.81)
        for h in (0.001, 0.01, 0.05):
            given = scene.from_dict({**BALL, "h": h, "contacts": [{"a": "ball", "b": "floor", "e": 0.5}]}, "ball")
            run = simulate(given, self.double, int(round(0.4 / h)))
            after = run.t[-1] - fall
            self.assertAlmostEqual(run.q[-1, 1], 0.1 + 0.5 * 9.81 * fall * after - 9.81 / 2 * after**2, delta=1e-9)

    def test_gyroscope_stays_on_its_tip(self):
        run = simulate(systems.named("Gyro"), self.float, 600)
        with NativeScene(run.scene, self.double) as native:
            errors = [native.look(q, v)[3] for q, v in zip(run.q, run.v)]
        self.assertLess(np.abs(errors).max(), 2e-6)
        self.assertGreater(run.impacts, 2)

    def test_rope_keeps_its_limits(self):
        """Stretch 0.8 to 1.2 of 0.1 m, to the depth that a step leaves and its compensation has not taken out yet."""
        run = simulate(systems.named("Rope-10"), self.double, 150)
        points = np.concatenate([np.zeros((len(run.q), 1, 2)), run.q.reshape(len(run.q), 10, 2)], axis=1)
        length = np.linalg.norm(np.diff(points, axis=1), axis=2)
        self.assertLess(length.max(), 0.126)
        self.assertGreater(length.min(), 0.074)

    def test_momentum(self):
        """Billiards: no outer force."""
        run = simulate(systems.named("billiards"), self.double)
        p = run.v.reshape(len(run.v), -1, 2).sum(axis=1)
        np.testing.assert_allclose(p, [[0.3, 0.0]] * len(p), atol=1e-12)

    def test_slope_of_billiards(self):
        """With the time of impact the way of ball 7 has the slope that its differences have over 1e-3 to 1e-6. Without it
        the slope by the cue ball's x is 0 between jumps, which is why the step has it."""
        given = systems.named("billiards")
        for impacts, limit in ((20, 1e-3), (0, None)):
            given.impacts = impacts
            with NativeScene(given, self.double) as native:
                slopes = [self._slope(native, k, eps) for k in range(4) for eps in (1e-3, 1e-5, 1e-6)]
            slopes = np.array(slopes).reshape(4, 3)
            if limit:
                np.testing.assert_allclose(slopes[:, 1], slopes[:, 2], rtol=0, atol=1e-4)
                np.testing.assert_allclose(slopes[:, 0], slopes[:, 2], rtol=0, atol=2e-3)
                self.assertGreater(abs(slopes[0, 2]), 0.1)
            else:
                self.assertLess(abs(slopes[0, 2]), 1e-6)

    @staticmethod
    def _slope(native, k, eps):
        ends = []
        for sign in (1, -1):
            q, v = native.scene.q.copy(), native.scene.v.copy()
            (q if k < 2 else v)[k % 2] += sign * eps
            ends.append(np.linalg.norm(native.roll(q, v, 1024, contacts=False)[1][-1, 14:16] - [0.9, 0.75]))
        return (ends[0] - ends[1]) / (2 * eps)

    def test_impulses_are_what_changes_momentum(self):
        run = simulate(scene.from_dict(BALL, "ball"), self.double)
        impulse = np.zeros((len(run.q), 2))
        for row in run.contacts:
            impulse[int(row[0])] += row[3:5]
        gain = 2.0 * (np.diff(run.v[:, :2], axis=0) - [0, -9.81 * 0.01])
        np.testing.assert_allclose(impulse[1:], gain, atol=1e-9)


class Command(Temporary):
    def simulate(self, value, *words):
        Path("s.json").write_text(json.dumps(value))
        self.command("impact", "simulate", "s.json", "-o", "o.json", *words)
        return json.loads(Path("o.json").read_text())

    def test_rows(self):
        out = self.simulate(BALL, "--csv", "log.csv")
        self.assertEqual(np.shape(out["bodies"]["ball"]["position"]), (81, 2))
        self.assertEqual(out["bodies"]["ball"]["position"][0], [0, 0.6])
        self.assertEqual([len(out[name]) for name in ("t", "energy", "kinetic", "potential")], [81] * 4)
        self.assertEqual({(c["a"], c["b"]) for c in out["contacts"]}, {("ball", "floor")})
        with open("log.csv", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(list(rows[0]), ["run", "t", "ball.x", "ball.y", "ball.theta", "ball.vx", "ball.vy", "ball.omega"])
        self.assertEqual(len(rows), 81)
        self.assertAlmostEqual(float(rows[40]["ball.y"]), out["bodies"]["ball"]["position"][40][1], places=7)

    def test_page(self):
        """The example of docs/reference/scene-file.md runs; each field of the form is on the page."""
        page = (ROOT / "docs/reference/scene-file.md").read_text()
        out = self.simulate(json.loads(page.split("```json")[1].split("```")[0]))
        self.assertEqual(sorted(out["bodies"]), ["ball", "box"])
        for name in (*scene.TOP, *scene.BODY, *scene.LINK, *scene.SHAPE, *scene.STATE, *scene.TIES, *scene.LIMITS):
            self.assertIn(f"`{name}`", page)
        for name in out:
            self.assertIn(f"`{name}`", page)

    def test_names(self):
        """Each system of the paper by name, and the same from the file that it saves."""
        for name in systems.NAMED:
            with self.subTest(name=name):
                self.command("impact", "simulate", name, "-o", "a.json", "--steps", "12", "--save-system", "f.json")
                self.command("impact", "simulate", "f.json", "-o", "b.json", "--steps", "12")
                a, b = (json.loads(Path(p).read_text()) for p in ("a.json", "b.json"))
                self.assertEqual(a, b)

    def test_random_runs(self):
        self.command("impact", "simulate", "CP3", "-o", "a.json", "--runs", "3", "--seed", "4", "--steps", "5", "--csv", "l.csv")
        self.command("impact", "simulate", "CP3", "-o", "b.json", "--runs", "2", "--seed", "4", "--steps", "5")
        self.command("impact", "simulate", "CP3", "-o", "c.json", "--runs", "2", "--seed", "5", "--steps", "5")
        a, b, c = (json.loads(Path(p).read_text())["runs"] for p in ("a.json", "b.json", "c.json"))
        self.assertEqual(a[:2], b)
        self.assertNotEqual(b, c)
        with open("l.csv", encoding="utf-8") as file:
            self.assertEqual([row["run"] for row in csv.DictReader(file)], ["0"] * 6 + ["1"] * 6 + ["2"] * 6)

    def test_random_starts_do_not_overlap(self):
        for name in ("BP5", "BD5", "CP3", "Gyro", "Rope-10"):
            given = systems.named(name)
            with NativeScene(given) as native:
                for seed in range(5):
                    q, v = systems.draw_free(given, native, np.random.default_rng(seed))
                    _, _, gaps, errors = native.look(q, v)
                    self.assertGreaterEqual(gaps.min(), 0)
                    self.assertLess(np.abs(errors).max() if len(errors) else 0, 1e-6)

    def test_law_and_double(self):
        """A sliding disk lifts off with mu |u_t| under the convex law only; --double has more digits than float."""
        slide = changed(BALL, ("start", "ball"), {"position": [0, 0.15], "velocity": [3, -1]})
        convex, coulomb, double = (self.simulate(slide, *words)["bodies"]["ball"]["velocity"]
                                   for words in ((), ("--law", "coulomb"), ("--double",)))
        self.assertFalse(np.allclose(convex, coulomb, atol=1e-3))
        self.assertTrue(np.allclose(convex[:30], double[:30], atol=1e-4))
        self.assertNotEqual(convex, double)

    def test_plot(self):
        try:
            import matplotlib   # noqa: F401
        except ImportError:
            self.skipTest("matplotlib is missing")
        for name in ("BD5", "CP3", "Gyro"):
            self.command("impact", "simulate", name, "-o", "o.json", "--steps", "20", "--plot", "p.png")
            self.assertEqual(Path("p.png").read_bytes()[:4], b"\x89PNG")

    def test_columns(self):
        self.assertEqual(columns(systems.named("Gyro")),
                         ([f"gyro.{k}" for k in ("x", "y", "z", "qw", "qx", "qy", "qz")],
                          [f"gyro.{k}" for k in ("vx", "vy", "vz", "wx", "wy", "wz")]))
        self.assertEqual(columns(systems.named("CP3")), ([f"chain.q{k}" for k in (1, 2, 3)], [f"chain.qd{k}" for k in (1, 2, 3)]))


def changed(value, path, new):
    """A copy with the field at path set to new, or without it."""
    value = copy.deepcopy(value)
    *front, last = path
    at = value
    for key in front:
        at = at[key]
    if new is None:
        del at[last]
    else:
        at[last] = new
    return value


MISTAKES = (
    (("dimension",), 4, "dimension"), (("dimension",), None, "no field dimension"), (("h",), 0, "h"),
    (("h",), "soon", "h"), (("h",), 2.0, "h"), (("steps",), 1.5, "steps"), (("steps",), -1, "steps"),
    (("law",), "Coulomb", "law"), (("gravity",), [0], "gravity"), (("friction",), 1, "friction"),
    (("compensation",), 1.5, "compensation"), (("impacts",), 101, "impacts"), (("touch",), 0, "touch"),
    (("bodies",), [], "bodies"), (("bodies", 0, "mass"), 0, "bodies[0], field mass"),
    (("bodies", 0, "mass"), None, "no field mass"), (("bodies", 0, "inertia"), -1, "inertia"),
    (("bodies", 0, "kind"), "plank", "kind"), (("bodies", 0, "name"), "floor", "planes[0], field name"),
    (("bodies", 0, "shape"), {"vertices": []}, "vertices"), (("bodies", 0, "shape"), {"radius": -1}, "radius"),
    (("bodies", 0, "shape"), {"vertices": [[0, 0], [0, 1], [1, 0]]}, "shapes and planes, entry 0"),
    (("bodies", 0, "shape"), None, "has no shape"), (("planes", 0, "normal"), [0, 0], "normal"),
    (("contacts", 0, "a"), "bal", "contacts[0], field a"), (("contacts", 0, "a"), "floor", "plane"),
    (("contacts", 0, "mu"), -0.1, "mu"), (("contacts", 0, "e"), 1.1, "e"), (("contacts", 0, "material"), "ice", "material"),
    (("start", "cube"), {}, "cube"), (("start", "ball", "position"), [0, 1, 2], "position"),
    (("start", "ball", "quaternion"), [1, 0, 0, 0], "quaternion"), (("start", "ball", "omega"), "fast", "omega"),
    (("joints",), [{"kind": "ball", "a": {"body": "ball"}, "b": {"world": [0, 0]}}], "apart"),
    (("joints",), [{"kind": "glue"}], "kind"), (("joints",), [{"kind": "rod", "a": {"body": "ball"}}], "length"),
    (("limits",), [{"kind": "coordinate", "body": "ball", "coordinate": 0, "low": 0, "high": 1}], "chain"),
    (("limits",), [{"kind": "distance", "a": {"world": [0, 0]}, "b": {"body": "ball"}, "low": 2, "high": 1}], "high"),
    (("springs",), [{"a": {"world": [0, 0]}, "b": {"body": "ball"}, "stiffness": -1}], "stiffness"),
)


class Mistakes(Temporary):
    def test_each_names_the_field(self):
        for path, new, told in MISTAKES:
            with self.subTest(path=path, new=new):
                Path("s.json").write_text(json.dumps(changed(BALL, path, new)))
                self.refused("impact", "simulate", "s.json", "-o", "o.json", told=("s.json", told))
                self.assertFalse(Path("o.json").exists())

    def test_files(self):
        run = ("impact", "simulate")
        self.refused(*run, "BP6", "-o", "o.json", told=("BP6", "BP5-e"))
        self.refused(*run, "none.json", "-o", "o.json", told=("none.json",))
        Path("s.json").write_text('{"h": NaN}')
        self.refused(*run, "s.json", "-o", "o.json", told=("s.json",))
        Path("s.json").write_text(json.dumps(BALL))
        self.refused(*run, "s.json", "-o", "o.json", "--runs", "2", told=("random",))
        self.refused(*run, "BP5", "-o", "o.json", "--runs", "100000", "--steps", "1000", told=("steps",))
        self.refused(*run, "s.json", "-o", "o.json", "--save-system", "t.json", told=("save-system",))

    def test_python(self):
        with self.assertRaisesRegex(TinycontactError, "chains"):
            reference.Reference(systems.named("CP3"))


if __name__ == "__main__":
    unittest.main()
