# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Motors behind belts: a run's log has the motors' columns, as a log of the robot would, and `leg check` asks for rotors."""
import unittest
from dataclasses import replace

import numpy as np
from tinycontact_case import ROOT

from tinycontact.errors import TinycontactError
from tinycontact.hil.chain_file import load_chain, parse_chain
from tinycontact.leglog import convert
from tinycontact.robot import lump, planar, urdf
from tinycontact.robot.check import look

LEG = ROOT / "tests" / "hil" / "chains" / "leg.json"
ROBOT = """<robot name="jumper"><link name="base"><inertial><mass value="1.2"/><inertia ixx="0.01" iyy="0.02" izz="0.02"/></inertial>
</link><joint name="hip" type="revolute"><parent link="base"/><child link="upper"/><axis xyz="0 1 0"/></joint>
<link name="upper"><inertial><origin xyz="0 0.02 -0.08"/><mass value="0.15"/><inertia ixx="4e-4" iyy="4e-4" izz="3e-5"/></inertial></link>
<joint name="knee" type="revolute"><origin xyz="0 0.04 -0.16"/><parent link="upper"/><child link="foot"/><axis xyz="0 1 0"/></joint>
<link name="foot"><inertial><origin xyz="0 0 -0.09"/><mass value="0.04"/><inertia ixx="1.2e-4" iyy="1.2e-4" izz="4e-6"/></inertial>
<collision><origin xyz="0 0 -0.16"/><geometry><sphere radius="0.016"/></geometry></collision></link></robot>"""
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

    def test_a_belt_that_was_imported_is_not_suspicious(self):
        """`leg check` speaks of the link that a person can swing: the motor behind the belt slows it, and is named apart."""
        robot = urdf.parse(ROBOT, "robot.urdf")
        limb = lump.cut(robot, "base", "foot")

        def said(rotor):
            value = planar.to_json(robot, limb, "foot", planar.Said(rotor={"": rotor}, gear={"": 9.0}, belts={("knee", "hip"): 1.0}))
            return parse_chain(value, "leg.json")
        chain, reflected = said(1.2e-5), 1.2e-5 * 9.0**2
        self.assertAlmostEqual(chain.links[1].belt_inertia, reflected)
        self.assertAlmostEqual(chain.links[1].own_inertia, 1.2e-4)
        found = look(chain)
        self.assertEqual(found.suspicious, [])
        swing = dict(found.facts)["swing"]
        carried, moment = 1.2e-4 + 0.04 * 0.09**2, 0.04 * 9.81 * 0.09
        for inertia, text in ((carried, "knee {:.3g} s ("), (carried + reflected, "({:.3g} s with its motors)")):
            self.assertIn(text.format(2 * np.pi * np.sqrt(inertia / moment)), swing)
        self.assertTrue([text for text in look(said(1e-3)).suspicious if "gear counted twice" in text])
        text = dict(chain.text, links=[dict(link, belt_inertia=1.0) for link in chain.text["links"]])
        with self.assertRaisesRegex(TinycontactError, "link 0, field belt_inertia: is 1, a part of the link's inertia"):
            parse_chain(text, "leg.json")


if __name__ == "__main__":
    unittest.main()
