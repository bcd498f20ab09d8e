# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The residual of friction learned from tosses: found where there is one, refused where there is none, kept in a file."""
import unittest
from dataclasses import replace

import numpy as np

from tinycontact_case import tc
from tinycontact.errors import TinycontactError
from tinycontact.model import load
from tinycontact.toss import bodyfile, residual, roll, train
from test_toss_board import RESIDUAL, Case
from test_toss_roll import body, tossed

STRONG = (0.09, 1.5, 0.0, 1.0, 0.0, 0.5, -0.5, 0.0)   # friction that rises with slip from .08 to .26


def rows(position, rotation):
    return {"mean": {"position_percent": np.mean(position), "rotation_deg": np.mean(rotation)},
            "throws": [{"position_percent": p, "rotation_deg": r} for p, r in zip(position, rotation)]}


class Learns(unittest.TestCase):
    def test_finds_a_residual(self):
        """Tosses by a friction that rises with slip: better than constants on what was held back."""
        of = body()
        log = tossed(replace(of, residual=STRONG), 20, rows=50, noise=2e-5)
        shares = []
        learned = train.learn(log, of, seed=2, rounds=12, progress=lambda share, words: shares.append(share), compare=False)
        self.assertTrue(learned.better, learned.verdict)
        self.assertIn("use the model", learned.verdict)
        before, after = (learned.scores[key]["mean"]["position_percent"] for key in ("constants", "residual"))
        self.assertLess(after, 0.7 * before)
        self.assertEqual((len(learned.held_back), learned.learned, shares[-1]), (4, 16, 1.0))
        self.assertEqual(learned.numbers, learned.found)

    def test_nothing_to_learn(self):
        """Tosses by the constants themselves: they are kept, and the model of the file says nothing."""
        of = body()
        learned = train.learn(tossed(of, 20, rows=50, noise=5e-5), of, seed=1, rounds=6, compare=False)
        self.assertFalse(learned.better, learned.verdict)
        self.assertIn("the constants are kept", learned.verdict)
        self.assertEqual(learned.numbers, train.KEPT)

    def test_who_is_held_back(self):
        """Whole tosses, a fifth, each in one part, whatever the seed; another seed holds others back."""
        log = tossed(body(), 25, rows=8)
        found = []
        for seed in (1, 2):
            taught, held = train.split(log, seed)
            labels = [[toss.label for toss in part.tosses] for part in (taught, held)]
            self.assertEqual((len(labels[1]), sorted(sum(labels, []))), (5, list(range(25))))
            found.append(labels[1])
        self.assertNotEqual(*found)
        with self.assertRaisesRegex(TinycontactError, "9 tosses; training wants 10"):
            train.split(tossed(body(), 9, rows=8), 1)


class Verdicts(unittest.TestCase):
    def test_words(self):
        base = rows([10, 11, 12, 13], [10, 11, 12, 13])
        for position, rotation, better, words in (
                ([9, 10, 11, 12], [9, 10, 11, 12], True, "better than fitted Coulomb in both position and rotation: use the model"),
                ([9, 10, 11, 12], [11, 12, 13, 14], False, "better than fitted Coulomb in position only: log more throws"),
                ([11, 12, 13, 14], [9, 10, 11, 12], False, "better than fitted Coulomb in rotation only: log more throws"),
                ([11, 12, 13, 14], [11, 12, 13, 14], False, "worse than fitted Coulomb: log more throws"),
                ([1, 13, 13, 18.5], [1, 13, 13, 18.5], False, "no better than fitted Coulomb beyond chance: log more throws")):
            found = train.verdict(base, rows(position, rotation))
            self.assertEqual(found[0], better)
            self.assertTrue(found[1].startswith(words), found[1])
            self.assertEqual("the constants are kept" in found[1], not better)


class Files(Case):
    def test_numbers_survive(self):
        """The eight numbers, and the net's value is tc_friction3's formula."""
        residual.write("m.tcm", body(), RESIDUAL, {"verdict": "use"})
        learned = residual.with_model(body(), "body.json", "m.tcm")
        np.testing.assert_array_equal(learned.residual, np.float32(RESIDUAL).astype(float))
        units = np.reshape(RESIDUAL, (2, 4))
        for s, l in ((-1.0, -2.0), (0.7, 0.3)):
            right = sum(gain * np.tanh(slip * s + load_weight * l + bias) for gain, slip, load_weight, bias in units)
            self.assertAlmostEqual(float(tc.Library().eval(load("m.tcm")["friction"], [s, l])[0]), right, places=6)
        self.assertEqual(load("m.tcm").metadata["verdict"], "use")

    def test_kept_constants_change_no_bit(self):
        residual.write("m.tcm", body(), train.KEPT, {})
        kept, state = residual.with_model(body(), "b", "m.tcm"), np.array([0, 0, 0.15, 1, 0, 0, 0, 1, 1, 0, 4, 3, 2.0])
        from tinycontact.spatial import toss as native
        (one,), (other,) = native.roll([roll.settings(of) for of in (body(), kept)], [state], [np.arange(60) * 0.00675])[0]
        np.testing.assert_array_equal(one, other)

    def test_another_body_is_refused(self):
        residual.write("m.tcm", body(), RESIDUAL, {})
        name = self.save(replace(body(), friction={"point": 0.18, "edge": 0.16, "face": 0.22}))
        log = self.log()
        for words in (("predict", "--log", log, "--from", "first", "-o", "o.csv"), ("throw", "--log", log),
                      ("evaluate", "--log", log, "--from", "first"), ("export", "--c", "cube")):
            self.refused("body", *words, "--body", name, "--model", "m.tcm", told=("m.tcm", "another body", "body.json, field friction.point"))
        residual.write("m.tcm", replace(body(), mass=0.5), RESIDUAL, {})
        self.refused("body", "export", "--c", "cube", "--body", self.save(body()), "--model", "m.tcm", told=("field mass",))
        tc.Model([tc.Net("friction", [(np.ones((1, 2)), np.zeros(1))])]).save("m.tcm")
        self.refused("body", "export", "--c", "cube", "--body", self.save(body()), "--model", "m.tcm", told=("m.tcm", "no residual of friction"))


class Command(Case):
    def test_train_then_use(self):
        """From a log to a file that all commands take, with scores and verdict in it."""
        name, log = self.save(body()), self.log(12, 45)
        out, err = self.command("body train", "--body", name, "--log", log, "-o", "m.tcm", "--rounds", "2")
        lines = out.splitlines()
        self.assertIn("10 tosses learned from, 2 held back", lines[0])
        self.assertRegex(lines[2], r"fitted Coulomb +\d+\.\d\d +\d+\.\d\d")
        self.assertRegex(lines[4], r"MuJoCo")
        metadata = load("m.tcm").metadata
        self.assertEqual((metadata["verdict"], metadata["kind"]), (lines[-1], "friction residual"))
        self.assertEqual(len(metadata["held_back"]), 2)
        self.assertNotIn("identified from", err)
        self.command("body evaluate", "--body", name, "--model", "m.tcm", "--log", log, "--from", "flight")
        bodyfile.write("own.json", replace(body(), command=f"tinycontact body identify --log {log} -o own.json"))
        self.assertIn("own.json was identified from log.csv", self.command(
            "body train", "--body", "own.json", "--log", log, "-o", "n.tcm", "--rounds", "1")[1])


if __name__ == "__main__":
    unittest.main()
