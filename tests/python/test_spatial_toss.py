# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Tosses by the library: rows are ends of steps, sets do not see each other, compliant bodies sink by m g / (n k)."""
import dataclasses
import unittest

import numpy as np

from tinycontact.errors import TinycontactError
from tinycontact.spatial.toss import Toss, roll

HALF, MASS = 0.05, 0.37
CUBE = HALF * np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
SOFT = Toss(CUBE, MASS, (1.1 * MASS * HALF**2,) * 3, stiffness=54500, damping=70, mu=(.17, .165, .216))


def start(z=0.15, q=(1, 0, 0, 0), v=(0, 0, 0), omega=(0, 0, 0)):
    return np.concatenate([[0, 0, z], np.array(q) / np.linalg.norm(q), v, omega])


class Rolls(unittest.TestCase):
    def test_flight_is_exact(self):
        times = np.array([0, 0.00676, 0.01351, 0.0203])
        states, statuses = roll([SOFT], [start(v=(1, 0, 0))], [times])
        self.assertEqual([[0]], statuses.tolist())
        rows = states[0][0]
        np.testing.assert_allclose(rows[:, 0], times, atol=1e-7)
        np.testing.assert_allclose(rows[:, 9], -9.81 * times, atol=1e-6)
        steps = np.ceil(np.diff(times) / 1e-3 - 1e-6)   # explicit in the fall: half a step more of it
        fallen = np.concatenate([[0], np.cumsum(9.81 * (times[:-1] * np.diff(times) + np.diff(times)**2 * (1 + 1 / steps) / 2))])
        np.testing.assert_allclose(rows[:, 2], 0.15 - fallen, atol=1e-6)

    def test_depth_at_rest(self):
        for k in (20000.0, 54500.0, 200000.0):
            states, _ = roll([dataclasses.replace(SOFT, stiffness=k)], [start(0.06)], [[1.5]])
            self.assertAlmostEqual(MASS * 9.81 / (4 * k), HALF - states[0][0][0, 2], delta=2e-8)

    def test_sets_and_starts(self):
        rng = np.random.default_rng(3)
        starts = [start(q=rng.normal(size=4), v=rng.normal(size=3), omega=5 * rng.normal(size=3)) for _ in range(3)]
        times = [np.arange(n) * 0.0068 for n in (40, 1, 25)]
        sets = [SOFT, dataclasses.replace(SOFT, stiffness=0.0, restitution=0.2), dataclasses.replace(SOFT, mu=(.5, .5, .5))]
        together, statuses = roll(sets, starts, times)
        self.assertEqual((3, 3), statuses.shape)
        for s, one in enumerate(sets):
            for i, (at, t) in enumerate(zip(starts, times)):
                alone, _ = roll([one], [at], [t])
                self.assertTrue(np.array_equal(alone[0][0], together[s][i]))
        self.assertFalse(np.array_equal(together[0][0], together[1][0]))
        self.assertFalse(np.array_equal(together[0][0], together[2][0]))

    def test_refused(self):
        sets = [dataclasses.replace(SOFT, mass=-1.0), dataclasses.replace(SOFT, stiffness=1e-3, damping=0.0), SOFT]
        states, statuses = roll(sets, [start()], [[0.0, 0.01]])
        self.assertTrue((statuses[:2] < 0).all() and statuses[2, 0] == 0)
        self.assertTrue(np.isnan(states[0]).all() and np.isnan(states[1]).all() and np.isfinite(states[2]).all())
        with self.assertRaises(TinycontactError):
            roll([dataclasses.replace(SOFT, vertices=CUBE[:, :2])], [start()], [[0.01]])
        with self.assertRaises(TinycontactError):
            roll([SOFT], [start()], [])


if __name__ == "__main__":
    unittest.main()
