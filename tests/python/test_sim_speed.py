# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The comparison of speed: all peers move the same body the same way; the library is ahead by the floors."""
import io
import json
import os
import unittest
from contextlib import redirect_stdout
from pathlib import Path

import numpy as np

from tinycontact_case import ROOT, Temporary
from tinycontact.peers import speed
from tinycontact.sim import coulomb, schemes, shapes


CHECKOUT = next((folder.resolve() for folder in (Path(os.environ.get("BOX2D") or "nowhere"), ROOT / "build/third_party/box2d")
                 if (folder / "include/box2d/box2d.h").is_file()), None)


class Speed(Temporary):
    def test_all_peers(self):
        shape = ROOT / "tests/models/shapes/rectangle.json"
        printed = io.StringIO()
        with redirect_stdout(printed):
            speed.main(["--shape", str(shape), "--rounds", "3", "--json", "speed.json"])
        self.assertEqual(len(printed.getvalue().splitlines()), 7)
        self.assertRegex(printed.getvalue().splitlines()[-1], "^Box2D v3, the closest peer, is left out: git clone .*BOX2D=")
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

    @unittest.skipUnless(CHECKOUT, "no checkout of Box2D v3: BOX2D=, or build/third_party/box2d")
    def test_box2d(self):
        printed = io.StringIO()
        with redirect_stdout(printed):
            speed.main(["--rounds", "3", "--box2d", str(CHECKOUT), "--json", "speed.json"])
        self.assertNotIn("left out", printed.getvalue())
        found = {one["name"].split()[0]: one for one in json.loads((self.folder / "speed.json").read_text())}
        ours, peer = found["tinycontact"], found["box2d"]
        np.testing.assert_allclose(peer["throw_end"][:2], ours["throw_end"][:2], atol=0.05)
        for stretch in ("throw", "contact"):
            self.assertGreater(peer[stretch], ours[stretch])

    def test_box2d_that_is_none_is_told(self):
        with self.assertRaisesRegex(SystemExit, "nowhere: is no checkout of Box2D v3"):
            speed.main(["--rounds", "1", "--box2d", "nowhere"])
        (self.folder / "include/box2d").mkdir(parents=True)
        (self.folder / "src").mkdir()
        (self.folder / "include/box2d/box2d.h").write_text("#error nothing in here\n")
        (self.folder / "src/world.c").write_text("\n")
        with self.assertRaisesRegex(SystemExit, "(?s)cannot be built .*nothing in here"):
            speed.main(["--rounds", "1", "--box2d", str(self.folder)])

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
