# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Motors behind belts: a run's log has the motors' columns, as a log of the robot would, and `leg check` asks for rotors."""
import unittest
from dataclasses import replace

import numpy as np
from tinycontact_case import ROOT

from tinycontact.hil.chain_file import load_chain
from tinycontact.leglog import convert
from tinycontact.robot.check import look

LEG = ROOT / "tests" / "hil" / "chains" / "leg.json"
DRIVES = np.array([[1.0, 0.0], [1.0, -2.0]])


class Belts(unittest.TestCase):
    """Catches: a log whose own tool calls its columns wrong, an inertia that counts twice without a word."""

    def test_columns_are_the_motors(self):
        rng = np.random.default_rng(3)
        plain = load_chain(LEG)
        samples = {"encoder": rng.normal(size=(5, 2)), "torque": rng.normal(size=(5, 2)), "gyro": np.zeros(5), "accel": np.zeros((5, 2))}
        joints, motors = (convert.columns(chain, np.arange(5.0), samples) for chain in (plain, replace(plain, drives=DRIVES)))
        for k in range(5):
            q, tau = (np.array([joints[f"{kind}{j}"][k] for j in (1, 2)]) for kind in ("q", "tau"))
            np.testing.assert_allclose([motors[f"q{j}"][k] for j in (1, 2)], DRIVES @ q)
            told = np.array([motors[f"tau{j}"][k] for j in (1, 2)])
            np.testing.assert_allclose(DRIVES.T @ told, tau)   # the same power

    def test_rotor_behind_a_belt(self):
        plain = load_chain(LEG)
        self.assertTrue(all(link.rotor_inertia > 0 for link in plain.links))
        self.assertFalse([text for text in look(plain).suspicious if "`drives`" in text])
        self.assertTrue([text for text in look(replace(plain, drives=DRIVES)).suspicious if "leg import --belt" in text])
        clean = replace(plain, drives=DRIVES, links=[replace(link, rotor_inertia=0.0) for link in plain.links])
        self.assertFalse([text for text in look(clean).suspicious if "`drives`" in text])


if __name__ == "__main__":
    unittest.main()
