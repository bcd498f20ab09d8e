# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""What nets are trained on is what the board computes: features and impulses of lib/ (float32) against those
of tinycontact.learn and tinycontact.sim (float64), which are written apart."""
import ctypes
import unittest

import numpy as np

from tinycontact_case import tc
from tinycontact.learn import features as fmap
from tinycontact.learn import sample
from tinycontact.sim import coulomb, impulse, shapes

F = ctypes.c_float


class Patch(ctypes.Structure):
    _fields_ = [("count", ctypes.c_uint32), ("vertex", ctypes.c_uint32 * 2), ("normal", F * 2),
                ("lever", F * 2), ("height", F), ("gap", F * 2)]


class Space(ctypes.Structure):
    _fields_ = [("count", ctypes.c_uint32), ("W_tt", F), ("W_tn", F * 2), ("W_nn", F * 3), ("slip", F),
                ("approach", F * 2)]


class Stops(ctypes.Structure):
    _fields_ = [("stop", F * 3), ("corner", F * 2 * 2), ("arrest", F * 3)]


class Query(ctypes.Structure):
    _fields_ = [("space", Space), ("stops", Stops), ("frictionless", F * 2), ("gyration", F),
                ("lever", F * 2), ("height", F), ("velocity", F * 3)]


class Board(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.c = tc.Library()._c
        cls.c.tc_learned2_query_init.argtypes = [ctypes.c_void_p] * 3 + [F, ctypes.c_void_p]
        cls.c.tc_learned2_features.argtypes = [ctypes.c_void_p, ctypes.c_uint32, ctypes.c_void_p]
        cls.c.tc_learned2_space_slide.argtypes = [ctypes.c_void_p, ctypes.c_void_p, F, ctypes.c_void_p]

    def asked(self, query, row):
        """The library's query of a row."""
        n = int(query.count[row])
        patch = Patch(n, (0, 1), (0, 1), tuple(query.lever[row]), query.height[row], (0, 0))
        made = Query()
        status = self.c.tc_learned2_query_init(ctypes.byref(made), ctypes.byref(patch),
                                           (F * 3)(*query.velocity[row]), query.gyration[row], None)
        self.assertEqual(status, 0)
        return made

    def test_features(self):
        for name in ("rectangle", "pentagon"):
            body = shapes.builtin(name)
            for dimension in (0, 1):
                truth = sample.Coulomb(coulomb.constant(0.75))
                states = truth.label(body, *sample.fresh(body, dimension, 400, 3))
                wanted = fmap.features(states.query)
                got = np.zeros_like(wanted)
                for row in range(len(states)):
                    made, out = self.asked(states.query, row), (F * 20)()
                    count = self.c.tc_learned2_features(ctypes.byref(made), fmap.MASK[dimension + 1], out)
                    self.assertEqual(count, wanted.shape[1])
                    got[row] = out[:count]
                off = np.abs(got - wanted).max(axis=1)
                self.assertLess(np.quantile(off, 0.99), 2e-5, (name, dimension))
                self.assertLess(np.median(off), 1e-6, (name, dimension))

    def test_slide(self):
        """The friction of a ratio, where a tall body wedges too (1.5 to one side)."""
        body = shapes.builtin("rectangle")
        for dimension in (0, 1):
            states = sample.Coulomb(coulomb.anisotropic()).label(body, *sample.fresh(body, dimension, 400, 4))
            ratio = np.random.default_rng(5).uniform(-1.6, 1.6, len(states))
            wanted = impulse.slide(states.query, ratio, impulse.arrest(states.query))[0]
            got = np.zeros(len(states))
            for row in range(len(states)):
                made, out = self.asked(states.query, row), (F * 3)()
                self.c.tc_learned2_space_slide(ctypes.byref(made.space), ctypes.byref(made.stops), ratio[row],
                                           out)
                got[row] = out[0]
            off = np.abs(got - wanted) / (np.abs(wanted) + 1e-2)
            self.assertLess(np.quantile(off, 0.98), 1e-3, dimension)   # near a pivot of 0 float32 sees less
            self.assertLess(np.median(off), 1e-5, dimension)


if __name__ == "__main__":
    unittest.main()
