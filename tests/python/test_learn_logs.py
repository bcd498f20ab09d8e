# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Learning from logged throws: files are checked row by row; the smoother finds states and impulses under
noise; a law learned from a few throws throws like the truth."""
import unittest
from unittest import mock

import numpy as np

from tinycontact_case import Temporary
from tinycontact import load
from tinycontact.contact import ContactModel
from tinycontact.errors import TinycontactError
from tinycontact.learn import logs, sample, smooth, train
from tinycontact.sim import coulomb, impulse, schemes, shapes, throws
from tinycontact.sim import logs as sim_logs

BODY = shapes.builtin("rectangle")
TRUTH = sample.Coulomb(coulomb.constant(0.75))
NOISE = np.array([5e-4, 5e-4, 2e-3])


def logged(count, seed, noise=NOISE, law_of=TRUTH.law):
    """(true states, noisy poses) of thrown rectangles."""
    paths = sim_logs.paths(BODY, count, seed, sim_logs.exact_player(law_of))
    rng = np.random.default_rng(seed)
    return paths, [path[:, :3] + noise * rng.standard_normal((len(path), 3)) for path in paths]


class Reading(Temporary):
    def log(self, change=lambda rows: None, header="throw,t,x,y,theta"):
        rows = [[str(throw), f"{0.002 * k:.3f}", "0", "0.5", "0.1"] for throw in (1, 2) for k in range(30)]
        change(rows)
        text = "\n".join([header, *(",".join(row) for row in rows)]) + "\n"
        (self.folder / "log.csv").write_text(text)

    def told(self, *words, change=lambda rows: None, header="throw,t,x,y,theta"):
        self.log(change, header)
        with self.assertRaises(TinycontactError) as caught:
            logs.read("log.csv", BODY)
        for word in words:
            self.assertIn(word, str(caught.exception))

    def test_what_is_wrong_is_told(self):
        def put(row, column, text):
            return lambda rows: rows[row].__setitem__(column, text)
        self.told("theta", header="throw,t,x,y,angle")
        self.told("line 12", "t", change=put(10, 1, "0.001"))
        self.told("line 12", "theta", "nan", change=put(10, 4, "nan"))
        self.told("line 12", "column x", change=put(10, 2, "left"))
        self.told("line 12", "y", "not above the floor", change=put(10, 3, "-0.1"))
        self.told("line 12", "gap", change=lambda rows: rows.__delitem__(slice(10, 13)))
        self.told("line 32", "throw", change=lambda rows: rows.__delitem__(slice(35, 60)))
        self.told("step is 0.004", change=lambda rows: (
            put(40, 3, "0.1")(rows), [row.__setitem__(1, str(2 * float(row[1]))) for row in rows]))
        self.told("log.csv", "never touches", "stays above 500 m", "metres",
                  change=lambda rows: [row.__setitem__(3, "500") for row in rows])

    def test_nothing_is_written(self):
        self.log(lambda rows: rows[10].__setitem__(4, "nan"))
        self.refused("body train", "--shape", "rectangle", "--log", "log.csv", "--out", "m.tcm",
                     told=["log.csv", "line 12"])
        self.assertFalse((self.folder / "m.tcm").exists())

    def test_a_log_in_the_air(self):
        """Nothing to learn from is told, not trained on."""
        self.log()
        self.refused("body train", "--shape", "rectangle", "--log", "log.csv", "--out", "m.tcm",
                     told=["never touches"])

    def test_a_log_of_another_body(self):
        """A log that touches too seldom says which file, and what may be wrong with it."""
        self.log(lambda rows: [row.__setitem__(3, "0.1") for row in rows[10:20]])
        self.refused("body train", "--shape", "rectangle", "--log", "log.csv", "--out", "m.tcm", "--updates", "20",
                     told=["log.csv", "not enough to learn from", "height of the floor", "radians"])

    def test_angles_may_be_wrapped(self):
        """A log whose angle jumps by a turn is the log whose angle does not."""
        turning = np.linspace(0, 9, 30)
        seen = []
        for angle in (turning, (turning + np.pi) % (2 * np.pi) - np.pi):
            self.log(lambda rows: [row.__setitem__(slice(3, 5), ["0.1", repr(float(a))])
                                   for row, a in zip(rows, [*angle, *angle])])
            seen.append(logs.read("log.csv", BODY).seen)
        np.testing.assert_allclose(seen[1], seen[0], atol=1e-12)

    def test_noise_is_found(self):
        _, seen = logged(5, 1)
        np.testing.assert_allclose(logs.noise_of(seen), NOISE, rtol=0.1)


class Smoothing(unittest.TestCase):
    def test_states(self):
        """Velocities to a millimetre per second from poses whose differences are 400 times as uncertain."""
        paths, seen = logged(3, 2)
        found = smooth.follow(BODY, seen, NOISE)
        error = np.concatenate([one.state - path for one, path in zip(found, paths)])
        median = np.median(np.abs(error), axis=0)
        self.assertLess(median[:2].max(), 1e-4)
        self.assertLess(median[3:5].max(), 1e-3)
        self.assertLess(median[5], 5e-3)
        self.assertLess(np.quantile(np.abs(error[:, 3:5]), 0.9), 0.02)

    def test_modes(self):
        """Steps with and without impulse are told apart: 19 of 20 of either."""
        paths, seen = logged(3, 3)
        right = np.zeros((2, 2))
        for one, path in zip(smooth.follow(BODY, seen, NOISE), paths):
            truth = schemes.step(BODY, "dart", TRUTH.law, path[:-1, :3], path[:-1, 3:])
            touched = truth.touched
            right += [[np.sum((one.mode == smooth.FREE) & ~touched), np.sum(~touched)],
                      [np.sum((one.mode != smooth.FREE) & touched), np.sum(touched)]]
        self.assertGreater(right[0, 0] / right[0, 1], 0.95)
        self.assertGreater(right[1, 0] / right[1, 1], 0.95)

    def test_velocities_help(self):
        """A log with measured velocities is followed too, and not worse."""
        paths, _ = logged(2, 4)
        rng, noise = np.random.default_rng(4), np.array([5e-4, 5e-4, 2e-3, 0.02, 0.02, 0.1])
        found = smooth.follow(BODY, [path + noise * rng.standard_normal(path.shape) for path in paths], noise)
        error = np.concatenate([one.state - path for one, path in zip(found, paths)])
        self.assertLess(np.median(np.abs(error[:, 3:5])), 1e-3)


    def test_labels(self):
        """What a law learns from: no friction that drives a slide, and of long slides the true ratio, as near
        as a first pass comes that knows no friction."""
        _, seen = logged(8, 5)
        sets = logs.labels(BODY, smooth.follow(BODY, seen, NOISE), 1)
        for states in sets.values():
            limit = impulse.arrest(states.query)[:, 0]
            sliding = (states.label == 1) & (states.friction != 0)
            self.assertGreater(sliding.sum(), 20)
            self.assertTrue((states.friction * limit)[sliding].min() > 0)
            fast = sliding & (np.abs(states.query.slip) > 0.2)
            going_on = fast & (np.abs(states.friction) < 0.9 * np.abs(limit))
            ratio = np.abs(states.friction[going_on]) / states.normal[going_on]
            self.assertAlmostEqual(float(np.median(ratio)), 0.75, delta=0.15)


class HeldBack(unittest.TestCase):
    def test_split(self):
        """A fifth, at least one of two throws, by the seed; together they are all."""
        for count in range(1, 40):
            kept, held = logs.split(count, 3)
            self.assertEqual(sorted([*kept, *held]), list(range(count)))
            self.assertEqual(len(held), 0 if count == 1 else max(1, count // 5))
        self.assertNotEqual(logs.split(30, 3)[1].tolist(), logs.split(30, 4)[1].tolist())

    def test_beside(self):
        """States of fitted friction stand beside a log's own, at least as many; what they teach is that friction."""
        truth = sample.Coulomb(coulomb.constant(0.4))
        sets = {d: truth.label(BODY, *sample.fresh(BODY, d, 300, 7)) for d in (0, 1)}
        beside = logs.prior(BODY, sets, 0.4, 1)
        for d, states in beside.items():
            self.assertGreater(len(states), 0.9 * logs.PRIOR_LEAST)
            _, ratio, bound = train.ratio_targets(states)
            self.assertAlmostEqual(float(np.median(np.abs(ratio[bound == 0]))), 0.4, places=6)
        self.assertEqual(set(logs.prior(BODY, {1: sets[1]}, 0.4, 1)), {1})
        held = impulse.arrest(sets[1].query)
        guess = logs.coulomb_guess(0.4)(sets[1].query)
        sticks = np.abs(held[:, 0]) <= 0.4 * held[:, 1:].sum(axis=1)
        self.assertTrue((guess.stick[sticks] > 0.8).all() and (guess.stick[~sticks] < 0.2).all())

    def test_range_is_the_logs(self):
        """The training range is that of the log's states, whatever stands beside them."""
        truth = sample.Coulomb(coulomb.constant(0.4))
        states = truth.label(BODY, *sample.fresh(BODY, 0, 400, 7))
        beside = truth.label(BODY, *sample.training(BODY, 0, 3000, 2, truth.law))
        recipe = logs.recipe((16, 16), 20, 1)
        alone, both = (train.fit_dimension(states, recipe, beside=other) for other in (None, beside))
        np.testing.assert_array_equal(alone.features, both.features)
        self.assertFalse(np.array_equal(alone.mean, both.mean))

    def test_held_back_throws_are_not_seen(self):
        """What is learned from before judging is the same whatever the throws held back hold."""
        _, seen = logged(4, 6)
        kept, held = logs.split(4, 1)
        learned = []
        for change in (0.0, 0.4):
            mine = [pose + [0, change, 0] * np.isin(k, held) for k, pose in enumerate(seen)]
            log = logs.Log(mine, NOISE, BODY.h)
            with mock.patch.object(logs, "PASSES", 1):
                sets = logs.labelled("log.csv", BODY, log, logs.recipe((16, 16), 20, 1))
            self.assertEqual(list(sets.held), list(held))
            learned.append(sets.learned[0].velocity)
        np.testing.assert_array_equal(*learned)


class Learning(Temporary):
    def test_from_a_log(self):
        """Eight throws, poses only, one pass with a prior: a law whose throws mostly end as the truth's."""
        written = sim_logs.paths(BODY, 8, 5, sim_logs.exact_player(TRUTH.law))
        sim_logs.write("log.csv", BODY, written, 500, seed=5)
        with mock.patch.object(logs, "PASSES", 2):
            out, _ = self.command("body train", "--shape", "rectangle", "--log", "log.csv", "--out", "m.tcm",
                                  "--updates", "1000")
        for words in ("on 1 of 8 throws, which neither", "Coulomb mu 0.", "final [mm]", "verdict: "):
            self.assertIn(words, out)
        self.assertIn("--log log.csv", load("m.tcm").metadata["command"])
        rows = throws.random_rows(30, 6)
        right = throws.run(BODY, "dart", TRUTH.law, *throws.starts(rows))
        found = throws.compare(ContactModel("m.tcm", BODY).player().results(rows), right)
        self.assertGreater(found["angle"], 75)
        self.assertGreater(found["rest"], 75)


if __name__ == "__main__":
    unittest.main()
