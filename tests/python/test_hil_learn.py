# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""A foot's model from episodes: what is learned from, the weights taken out again, and the committed one on ticks that it
never saw."""
import unittest
from unittest import mock

import numpy as np

from tinycontact_case import ROOT, Temporary
from tinycontact import load
from tinycontact.errors import TinycontactError
from tinycontact.hil import episodes, learn, truth
from tinycontact.hil.estimate import Estimator
from tinycontact.hil.plant import plant_chain
from tinycontact.learn import fit

MADE = episodes.episode


def short(plant, seed, seconds=3.0, **options):
    return MADE(plant, seed, 3.0, **{**options, "cached": False})


class Learning(Temporary):
    @classmethod
    def setUpClass(cls):
        with mock.patch.object(episodes, "episode", short):
            cls.states = learn.gathered([("hopper", 90, "stiff"), ("leg", 90, "spring500")])

    def test_labels_are_of_the_tick_that_the_sample_ends(self):
        """Of one that sticks nothing has a ratio, of one that slides it is friction's coefficient."""
        episode = short("leg", 93)
        asked = learn.asked(episode, Estimator(plant_chain("leg")))
        rows = np.flatnonzero(np.isfinite(Estimator(plant_chain("leg")).asked(episode)[:, 0]))
        rows = rows[rows > 0]
        np.testing.assert_array_equal(asked.label == 2, episode.truth.mode[rows - 1] == truth.AIR)
        slid = np.isfinite(asked.ratio)
        np.testing.assert_array_equal(slid, (asked.label == 1) & (episode.truth.impulse[rows - 1, 1] > learn.LEAST_IMPULSE))
        self.assertGreater(slid.sum(), 50)
        self.assertLess(np.median(np.abs(np.abs(asked.ratio[slid]) / episode.mu[rows - 1][slid] - 1)), 0.01)

    def test_weights_of_classes_are_taken_out(self):
        """Of inputs that say nothing the logits must give the classes' shares."""
        label = np.repeat([0, 1, 2], [1700, 250, 50])
        weight = fit.class_weights(label)
        biased = np.log([weight[label == k].sum() for k in range(3)])   # where the weighted likelihood is greatest
        (_, logits), = learn.unweighted([(np.zeros((1, 3)), biased)], label)
        share = np.exp(logits) / np.exp(logits).sum()
        np.testing.assert_allclose(share, [0.85, 0.125, 0.025], rtol=1e-6)

    def test_learns(self):
        """A few updates are enough to tell most ticks; the file is one for the last link of both plants."""
        model = learn.foot_model(plant_chain("leg"), self.states, fit.Recipe((16, 16), 500))
        scores = learn.scores(model, self.states)
        self.assertGreater(scores["accuracy"], 0.9)
        model.save("foot.tcm")
        for plant in ("hopper", "leg"):
            Estimator(plant_chain(plant), model="foot.tcm").run(short(plant, 92))

    def test_too_little(self):
        few = learn.Asked(self.states.features[:30], np.zeros(30, int), np.full(30, np.nan))
        with self.assertRaisesRegex(TinycontactError, "30 ticks, 0 of which slide: not enough to learn from"):
            learn.foot_model(plant_chain("leg"), few, fit.Recipe())
        self.refused("leg hil train", "--chain", "x.json", "--out", "m.tcm", told=["--chain: name the one --plant"])

    def test_command(self):
        with mock.patch.object(episodes, "episode", short):
            out, _ = self.command("leg hil train", "--plant", "leg", "--law", "stiff", "--episodes", 1, "--seed", 93,
                                  "--updates", 200, "--out", "m.tcm")
        self.assertRegex(out, r"on \d+ other ticks: 9\d\.\d+ % of classes right")
        self.assertIn("--plant leg --law stiff --episodes 1 --seed 93", load("m.tcm").metadata["command"])

    def test_committed_model(self):
        """tests/models/foot.tcm on ticks that it was not learned from, about as good as it says of itself."""
        model = load(ROOT / "tests" / "models" / "foot.tcm")
        scores, said = learn.scores(model, self.states), model.metadata["numbers"]
        self.assertGreater(scores["accuracy"], said["accuracy"] - 0.03)
        self.assertLess(scores["ece"], said["ece"] + 0.03)


if __name__ == "__main__":
    unittest.main()
