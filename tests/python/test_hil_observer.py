# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The momentum observer in float64: its decisions as the library's, its forces on a leg that is pushed."""
import contextlib
import io
import re
import unittest
from types import SimpleNamespace
from unittest import mock

import numpy as np

from tinycontact_case import Temporary
from tinycontact.errors import TinycontactError
from tinycontact.hil import cli_observer, observer
from tinycontact.hil.episodes import episode
from tinycontact.hil.metrics import table
from tinycontact.hil.plant import plant_chain

G = 9.81


class Decision(unittest.TestCase):
    def test_hysteresis_and_debounce(self):
        """The table of tests/unit/estimator/test_momentum.c."""
        push = np.array([30, 10, 30, 30, 10, 6, 4, 4, 10, 4, 4, 4, 10, 30, 10, 30.0])
        touches = [0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0]
        settings = observer.Settings(on=20.0, off=5.0, debounce_on=2, debounce_off=3)
        self.assertEqual(observer.decide(push, settings).astype(int).tolist(), touches)


class Forces(unittest.TestCase):
    def test_a_push_comes_up_as_the_filter_says(self):
        """A sliding leg of 2 kg at rest on a fixed base; its motor holds it and 10 N more, which the floor takes. A
        frame is lost on the way."""
        leg = SimpleNamespace(joints=1, mass=np.array([2.0]), inertia=np.array([0.01]), slides=np.array([True]),
                              anchor=np.zeros((1, 2)), arm=np.zeros((1, 2)), axis=np.array([[0.0, -1.0]]),
                              rotor=np.zeros(1), damping=np.zeros(1), rest=np.zeros(1), foot=np.zeros(2), radius=0.0)
        ticks, zero = 30, np.zeros(30)
        lost = (np.arange(ticks) == 10).astype(float)
        pressed = SimpleNamespace(encoder=np.zeros((ticks, 1)), torque=np.full((ticks, 1), 10.0 - 2 * G), gyro=zero,
                                  accel=np.stack([zero, zero + G], 1), pitch=zero, lost=lost, tick=1e-3)
        here, (force,) = observer.forces(leg, pressed, 500.0, [100.0])
        self.assertEqual(len(here), ticks - 1)
        risen = 10 * (1 - np.exp(-0.1 * (here - 1.0)))   # from the third sample on
        np.testing.assert_allclose(force[2:, 1], risen[2:], atol=1e-9)
        np.testing.assert_allclose(force[:, 0], 0, atol=1e-12)


class Whole(Temporary):
    def test_both_plants(self):
        for plant in ("hopper", "leg"):
            recorded = episode(plant, 0, 4.0, cached=False)
            numbers = table([(recorded, observer.Observer(plant_chain(plant)).run(recorded))])
            self.assertGreater(numbers["contact_right"], 0.97, plant)
            self.assertEqual(numbers["missed"], 0, plant)

    def test_unknown_setting(self):
        with self.assertRaisesRegex(TinycontactError, "'threshold' is no setting"):
            observer.Observer(plant_chain("leg"), threshold=3.0)

    def test_tuning_explains_its_columns(self):
        scores = {"contact_right": 0.9, "delay_above": 0.001, "delay_p95": 0.002, "missed": 0, "false": 3}
        told = io.StringIO()
        with mock.patch.object(cli_observer, "episode"), contextlib.redirect_stdout(told), \
                mock.patch.object(observer, "tune", return_value=[(observer.Settings(), scores)]):
            cli_observer.run(SimpleNamespace(episodes=1, seconds=1))
        for column in cli_observer.COLUMNS:
            self.assertRegex(told.getvalue(), rf"(?m)^  {re.escape(column)}: .{{10,}}$")


if __name__ == "__main__":
    unittest.main()
