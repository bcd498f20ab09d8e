# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The purely data-driven baseline of `tinycontact body evaluate --pdd`, trained small."""
import unittest
from unittest import mock

import numpy as np

import tinycontact_case   # noqa: F401  the package's path
from tinycontact.report import evaluation, pdd, truth
from tinycontact.sim import shapes, throws


class Baseline(unittest.TestCase):
    def test_purely_data_driven(self):
        """The baseline learns the impulse: of few states it explains most of what varies; in a loop it comes out
        beside the others."""
        box = shapes.builtin("rectangle")
        player = pdd.train(box, "dart", states=1500, updates=600)
        fresh = truth.Coulomb(box, "dart").fresh(0, 300, 3)
        said = player.law(fresh.query)
        self.assertLess(np.mean((said.normal[:, 0] - fresh.normal)**2), 0.2 * np.var(fresh.normal))
        done = evaluation.Evaluation({})
        with mock.patch.object(throws, "MAX_STEPS", 300):
            evaluation.judge_throws({player.name: player}, truth.Coulomb(box, "dart"), throws.random_rows(3, 1), done)
        self.assertIn("purely data-driven", done.numbers["loop"])


if __name__ == "__main__":
    unittest.main()
