# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The comparison of speed: all peers move the same body the same way; the library is ahead by the floors."""
import io
import json
import unittest
from contextlib import redirect_stdout

import numpy as np

from tinycontact_case import ROOT, Temporary
from tinycontact.peers import speed
from tinycontact.sim import coulomb, schemes, shapes


class Speed(Temporary):
    def test_all_peers(self):
        shape = ROOT / "tests/models/shapes/rectangle.json"
        printed = io.StringIO()
        with redirect_stdout(printed):
            speed.main(["--shape", str(shape), "--rounds", "3", "--json", "speed.json"])
        self.assertEqual(len(printed.getvalue().splitlines()), 6)
        found = {one["name"]: one for one in json.loads((self.folder / "speed.json").read_text())}
        ours, body = found["tinycontact"], shapes.load(shape)
        position, velocity = (row[None] for row in speed.stretches(body)["throw"])
        for _ in range(250):
            step = schemes.step(body, "dart", coulomb.law(coulomb.constant(body.mu)), position, velocity)
            position, velocity = step.position, step.velocity
        np.testing.assert_allclose(ours["throw_end"], position[0], atol=1e-3)
        np.testing.assert_allclose(found["dart nsgs"]["throw_end"], position[0], atol=1e-3)
        np.testing.assert_allclose(found["mujoco elliptic"]["throw_end"][:2], position[0, :2], atol=0.05)
        for name, floor in (("dart default", "dart"), ("mujoco elliptic", "mujoco")):
            self.assertGreater(found[name]["throw"] / ours["throw"], speed.FLOORS[floor])

    def test_contact_stretch_is_in_contact(self):
        for name in ("rectangle", "pentagon"):
            body, touched, edges = shapes.builtin(name), 0, 0
            position, velocity = (row[None] for row in speed.stretches(body)["contact"])
            for _ in range(250):
                step = schemes.step(body, "dart", coulomb.law(coulomb.constant(body.mu)), position, velocity)
                touched += step.touched[0]
                edges += step.contacts[0] == 2
                position, velocity = step.position, step.velocity
            self.assertGreater(touched, 225)
            self.assertGreater(edges, 150)

    def test_bad_input_is_told(self):
        with self.assertRaisesRegex(SystemExit, "absent.json"):
            speed.main(["--shape", "absent.json"])


if __name__ == "__main__":
    unittest.main()
