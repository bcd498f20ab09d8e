# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""tinycontact body replay and throw: what they compute against a second writing of it in float64, and each mistake a user
can make, which ends with status 2, one line that names file and field, and no output file.

The nets hold random numbers: what they say is nonsense, but each step of it is defined, and legal.
"""
import json
import struct
import unittest
import zlib
from pathlib import Path

import numpy as np

from contact_case import BOX, HEADER, MASK, STATES, THROW, Contact, random_model
from tinycontact_case import random_net, tc
from tinycontact.contact import CLASSES, ContactModel
from tinycontact.learn.law import NetLaw
from tinycontact.sim import schemes, shapes, throws


class Replay(Contact):
    def test_against_float64(self):
        """Class, probabilities, impulse and velocity of each row are those of Algorithm 1 in float64; the impulse
        explains the change of velocity by this body's mass and inertia, gravity included."""
        for weights in ("f32", "i8", "i8-act"):
            random_model(self.body, 5, weights).save("w.tcm")
            law, states = NetLaw(tc.load("w.tcm")), self.states(3, 300)
            said, numbers = self.replayed(states, model="w.tcm")
            position = np.column_stack([np.zeros(300), states[:, :2]])
            free = states[:, 2:] - [0, BOX["h"] * BOX["g"], 0]
            mask = shapes.gaps(self.body, states[:, 0], states[:, 1]) < 1e-6
            rows, query, _ = schemes.patch_query(self.body, position, free, mask)
            self.assertEqual(len(rows), 300)
            wanted, (probability, _, _) = law(query), law.answer(query)
            close = np.sort(probability, axis=1)[:, 2] - np.sort(probability, axis=1)[:, 1] > 1e-3
            same = np.array([CLASSES[k] for k in wanted.label]) == said
            self.assertGreaterEqual(same[close].mean(), 0.99)   # a normal of 0 may pull by rounding
            np.testing.assert_allclose(numbers[:, :3], probability, atol=2e-4)
            after = query.after(wanted.friction, wanted.normal)
            scale = np.abs(query.velocity).max(axis=1)
            off = np.abs(numbers[:, 6:] - after).max(axis=1) / (1 + scale)
            self.assertLess(np.quantile(off[same], 0.98), 2e-3)
            impulse, mass, inertia = numbers[:, 3:6], BOX["mass"], BOX["inertia"]
            np.testing.assert_allclose(free + impulse / [mass, mass, inertia], numbers[:, 6:], atol=2e-4)
            self.assertTrue((numbers[:, 4] >= 0).all())

    def test_patches(self):
        """By number, by word, or from the vertices, which count up to a micrometre above the floor."""
        flat, tilted, high = [0.06, 0, 1, -1, 2], [0.09, 0.5, 1, -1, 2], [0.2, 0.5, 1, -1, 2]
        said, free = self.replayed([flat, tilted, high])
        self.assertEqual([name == "none" for name in said], [False, False, True])
        np.testing.assert_allclose(free[2], [0, 0, 0, 0, 0, 0, 1, -1 - 0.01962, 2], atol=1e-6)
        stated = self.replayed([f"{','.join(map(str, s))},{p},x" for s, p in (
            (flat, ""), (flat, "1"), (flat, "edge"), (flat, "0"), (flat, "point"), (tilted, "point"), (high, "edge"))],
            STATES + ",patch,note")
        self.assertEqual(stated[1][0].tolist(), free[0].tolist())
        for a, b in ((0, 1), (1, 2), (3, 4)):
            self.assertEqual(stated[1][a].tolist(), stated[1][b].tolist())
        self.assertNotEqual(stated[1][1].tolist(), stated[1][3].tolist())
        self.assertEqual(stated[1][5].tolist(), free[1].tolist())
        self.assertNotEqual(stated[0][6], "none")
        near = self.replayed([[0.06 + gap, 0, 1, -1, 2] for gap in (-1e-3, -1e-9, 9e-7, 2e-6)])[0]
        self.assertEqual([name == "none" for name in near], [False, False, False, True])

    def test_notes(self):
        """How many states lay outside the range of training or were overruled, of how many; of a throw, how many
        steps, and in how many throws. Nothing is said of a law that was asked nothing odd."""
        states = self.states(3, 300)
        model = random_model(self.body)
        for net in model.nets:
            net.input_low, net.input_high = (np.full(net.n_in, bound, np.float32) for bound in (-1e9, 1e9))
        model.nets[0].input_high[1] = 1.2   # y / k of a point
        model.save("w.tcm")
        say = ["--model", "w.tcm", "--body", "box.json", self.csv(states), "-o", "o.csv"]
        outside = ((ContactModel("w.tcm", self.body).replay(states)["flags"] & 8) > 0).sum()
        self.assertGreater(outside, 3)
        self.assertIn(f"{outside} of 300 states: outside the range the model was trained on",
                      self.command("body replay", *say)[1])
        low = states[states[:, 0] < 1.2 * self.body.gyration][:5]
        self.assertNotIn("outside", self.command("body replay", *say[:4], self.csv(low), "-o", "o.csv")[1])
        throw = ["--model", "w.tcm", "--shape", "box.json", self.json("t.json", [THROW, {**THROW, "y0": 50000}])]
        self.assertRegex(self.command("body throw", *throw, "-o", "o.json")[1],
                         r"\d+ of 20000 steps, in 1 of 2 throws: with a class that could not be")

    def test_rows_stay(self):
        """One row each in the order given, also across blocks; columns in any order."""
        states = self.states(8, 12000)
        states[:, 0] += np.where(np.arange(12000) % 3 == 0, 0.5, 0)
        shuffled = np.column_stack([states[:, [4, 1]], np.arange(12000), states[:, [0, 3, 2]]])
        said, numbers = self.replayed(shuffled, "omega,theta,id,y,vy,vx")
        np.testing.assert_array_equal([name == "none" for name in said], np.arange(12000) % 3 == 0)
        np.testing.assert_allclose(numbers[::3, 6], states[::3, 2], rtol=1e-6)
        self.assertEqual(self.replayed([])[0], [])


class Throws(Contact):
    ROWS = throws.random_rows(12, 4)

    def records(self, rows=ROWS):
        return [dict(zip(THROW, map(float, row))) for row in rows]

    def test_each_step_against_float64(self):
        """Every step of whole throws, in each position scheme, from where the library was a step before."""
        law, model = NetLaw(tc.load("m.tcm")), ContactModel("m.tcm", self.body)
        for scheme in schemes.SCHEMES:
            off = []
            for row in self.ROWS[:4]:
                path = model.player(scheme).path(row)
                step = schemes.step(self.body, scheme, law, path["position"][:-1], path["velocity"][:-1])
                off.append(np.abs(np.hstack([step.position - path["position"][1:],
                                             step.velocity - path["velocity"][1:]])).max(axis=1))
            off = np.concatenate(off)
            self.assertGreater(len(off), 500)
            self.assertLess(np.median(off), 3e-5 if scheme == "gap" else 2e-6, scheme)   # a gap's rounding over h
            self.assertGreater(np.mean(off < 1e-3), 0.98, scheme)   # where two classes are as likely, either may win

    def test_what_a_throw_comes_to(self):
        """Bounces, rest, steps, distance and angle, counted again from the path."""
        model = ContactModel("m.tcm", self.body)
        for scheme in schemes.SCHEMES:
            got = self.thrown(self.records(self.ROWS[:5]), "--positions", scheme)
            self.assertEqual(list(got[0]), ["bounces", "distance", "final_theta_deg", "at_rest", "steps"])
            for row, said in zip(self.ROWS[:5], got):
                path, judge = model.player(scheme).path(row), throws.Judge(1, BOX["h"])
                for step in path[1:]:
                    judge.see(np.array([0]), np.array([step["normal"] > 0]), step["velocity"][None])
                self.assertEqual((said["bounces"], said["steps"], said["at_rest"]),
                                 (judge.bounces[0], judge.steps[0], judge.still[0] >= throws.REST_STEPS))
                self.assertAlmostEqual(said["distance"], path["position"][-1, 0], places=6)
                self.assertAlmostEqual(said["final_theta_deg"], np.degrees(path["position"][-1, 2]), places=3)

    def test_default_scheme_and_start(self):
        """--positions is dart unless said; a throw starts at x0 = 0 with vy0 = 0; its turns are counted."""
        rows = [{**THROW, "omega0": 45, "y0": 1.0, "note": "extra fields do no harm"}]
        got = self.thrown(rows)
        self.assertEqual(got, self.thrown(rows, "--positions", "dart"))
        self.assertGreater(got[0]["final_theta_deg"], 500)
        start = ContactModel("m.tcm", self.body).player().path(list(THROW.values()))[0]
        np.testing.assert_allclose(start["position"], [0, 0.3, np.radians(40)], atol=1e-6)
        np.testing.assert_allclose(start["velocity"], [1.5, 0, -3])
        self.assertEqual(self.thrown([]), [])

    def test_int8(self):
        random_model(self.body, 3, "i8-act").save("q.tcm")
        got = self.thrown(self.records(), model="q.tcm")
        self.assertTrue(all(g["steps"] > 100 for g in got))

    def test_rounded_body(self):
        """A capsule: two vertices and a radius; it comes to lie on its side, centre of mass one radius high."""
        body = shapes.builtin("capsule")
        random_model(body).save("c.tcm")
        path = ContactModel("c.tcm", body).player("toc").path((0.2, 30, 0, 0))
        self.assertGreaterEqual(path["position"][:, 1].min(), 0.04 - 1e-4)


class Refused(Contact):
    def setUp(self):
        super().setUp()
        self.csv([[0.06, 0, 1, -1, 2]])
        self.json("t.json", [THROW])
        for name in ("o.csv", "o.json"):
            (self.folder / name).write_text("old")
        self.before = sorted(p.name for p in self.folder.iterdir())

    def both(self, model, body, *told):
        self.refused("body replay", "--model", model, "--body", body, "s.csv", "-o", "o.csv", told=told)
        self.refused("body throw", "--model", model, "--shape", body, "t.json", "-o", "o.json", told=told)

    def tearDown(self):
        """Whatever was refused, what had been there is there still, and nothing else."""
        for name in ("o.csv", "o.json"):
            self.assertEqual((self.folder / name).read_text(), "old")
        super().tearDown()

    def test_other_bodies(self):
        for field, value, told in (("mass", 2.6, ("mass", "2.6", "2.5")), ("inertia", 0.0103, ("inertia", "0.0103")),
                                   ("h", 0.001, ("step size h", "0.001", "0.002"))):
            self.both("m.tcm", self.json("other.json", {**BOX, field: value}), "other.json", *told)
        self.json("near.json", {**BOX, "mass": 2.52, "inertia": 0.0101, "mu": 0.1, "g": 3.7})
        self.command("body throw", "--model", "m.tcm", "--shape", "near.json", "t.json", "-o", "fine.json")

    def test_bad_bodies(self):
        box = BOX["vertices"]
        for change, told in (({"mass": 0}, "mass"), ({"mass": -1}, "mass"), ({"inertia": -0.01}, "inertia"),
                             ({"h": 0}, "h"), ({"mass": "heavy"}, "mass"),
                             ({"vertices": [*box[:3], box[2]]}, "vertices"),
                             ({"vertices": box[::-1]}, "vertices"), ({"vertices": box[:1]}, "vertices")):
            self.both("m.tcm", self.json("bad.json", {**BOX, **change}), "bad.json", told)
        self.both("m.tcm", self.json("bad.json", json.dumps(BOX).replace("2.5", "NaN")), "bad.json", "mass")
        self.both("m.tcm", self.json("bad.json", "{"), "bad.json")
        self.both("m.tcm", "nowhere.json", "nowhere.json")

    def test_other_models(self):
        """No contact model, one for spatial bodies, one of another feature version, and a damaged file."""
        tc.Model([random_net(1, [3, 4, 2], ["tanh", "identity"])]).save("plain.tcm")
        self.both("plain.tcm", "box.json", "plain.tcm", "no contact model", "tinycontact body train")
        spatial = tc.ContactRecord("spatial", 2.5, (0.01, 0.01, 0.01), MASK)
        random_model(self.body, record=spatial).save("spatial.tcm")
        self.both("spatial.tcm", "box.json", "spatial.tcm", "kind is spatial")
        data = bytearray(Path("m.tcm").read_bytes())
        data[struct.unpack_from("<I", data, 52)[0] + 2] = 9
        struct.pack_into("<I", data, 12, zlib.crc32(bytes(data[16:struct.unpack_from("<I", data, 8)[0]])))
        Path("later.tcm").write_bytes(data)
        self.both("later.tcm", "box.json", "later.tcm", "features")
        Path("cut.tcm").write_bytes(data[:200])
        self.both("cut.tcm", "box.json", "cut.tcm")
        self.both("nowhere.tcm", "box.json", "nowhere.tcm")

    def test_nets_that_do_not_fit(self):
        """A record whose features the nets do not take, and a record without a net of its patch."""
        fewer = tc.ContactRecord("planar", 2.5, 0.01, (1 | 4, MASK[1]))
        random_model(self.body, record=fewer).save("fewer.tcm")
        self.both("fewer.tcm", "box.json", "fewer.tcm", "TC_ERR_MODEL_MISMATCH")
        point = tc.ContactRecord("planar", 2.5, 0.01, (MASK[0], 0))
        tc.Model(random_model(self.body).nets[:2], 0.002, contact=point).save("point.tcm")
        self.refused("body replay", "--model", "point.tcm", "--body", "box.json", "s.csv", "-o", "o.csv",
                     told=("s.csv, line 2", "TC_ERR_UNSUPPORTED"))

    def test_bad_states(self):
        good = "0.06,0,1,-1,2"
        for header, rows, told in (
                ("y,theta,vx,vy", ["0.06,0,1,-1"], ("s.csv, line 1", "no column omega")),
                (STATES, [good, "0.06,0,nan,-1,2"], ("s.csv, line 3, column vx", "nan")),
                (STATES, [good, "0.06,0,,-1,2"], ("line 3, column vx", "empty")),
                (STATES, [good, "0.06,0,1,-1"], ("line 3", "4 fields")),
                (STATES, [good, "-0.06,0,1,-1,2"], ("line 3, column y", "not above the floor")),
                (STATES, [good, "0.06,0,1e30,-1,2"], ("line 3", "TC_ERR_RANGE")),
                (STATES, [good, "0.06,0,1,-1,1e39"], ("line 3, column omega", "too large")),
                (STATES + ",patch", [good + ",point", good + ",face"], ("line 3, column patch", "'face'"))):
            self.csv(rows, header)
            self.refused("body replay", "--model", "m.tcm", "--body", "box.json", "s.csv", "-o", "o.csv", told=told)
        self.csv(11000 * [good] + ["0.06,0,1e30,-1,2"])
        self.refused("body replay", "--model", "m.tcm", "--body", "box.json", "s.csv", "-o", "o.csv", told=("line 11002",))
        self.csv([good])
        self.refused("body replay", "--model", "m.tcm", "--body", "box.json", "s.csv", "-o", "none/o.csv",
                     told=("none/o.csv", "cannot be written"))
        self.refused("body replay", "--model", "m.tcm", "--body", "box.json", "gone.csv", "-o", "o.csv", told=("gone.csv",))

    def test_bad_throws(self):
        for text, told in ((json.dumps([THROW, {**THROW, "y0": None}]), ("t.json, entry 1, field y0",)),
                           (json.dumps([{"y0": 1}]), ("entry 0", "theta0_deg, vx0, omega0")),
                           (json.dumps(THROW), ("t.json", "list of throws")), ("[", ("t.json, line 1",)),
                           (json.dumps([{**THROW, "vx0": 1e30}]), ("t.json, entry 0", "TC_ERR_RANGE")),
                           (json.dumps([THROW, {**THROW, "omega0": -1e39}]), ("entry 1, field omega0", "too large")),
                           (json.dumps([{**THROW, "y0": -1}]), ("entry 0, field y0", "not above")),
                           ('[{"y0": NaN, "theta0_deg": 0, "vx0": 0, "omega0": 0}]', ("t.json", "NaN"))):
            self.json("t.json", text)
            self.refused("body throw", "--model", "m.tcm", "--shape", "box.json", "t.json", "-o", "o.json", told=told)
        self.assertIn("usage", self.command("body throw", "--model", "m.tcm", "--shape", "box.json", "t.json", "-o",
                                            "o.json", "--positions", "euler", status=2)[1])


class Help(Contact):
    def test_help_names_what_files_hold(self):
        for command, words in (("body replay", HEADER + STATES.split(",")), ("body throw", [*THROW, "final_theta_deg", "dart"])):
            text = self.command(command, "--help")[0]
            for word in words:
                self.assertIn(word, text)


if __name__ == "__main__":
    unittest.main()
