# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""A leg in numbers to measure: those of rods have closed forms, and each likely mistake in a file is named."""
import copy
import json
import math
import unittest
from pathlib import Path

import numpy as np

from tinycontact_case import Temporary

from tinycontact.hil.chain_file import parse_chain
from tinycontact.robot import check, picture

ROD = {"joint": "revolute", "axis": [0, 1, 0], "origin": [0, 0, 0], "mass": 0.6, "com": [0, 0, -0.15],
       "inertia": 0.6 * 0.3**2 / 12, "rotor_inertia": 0.01, "name": "hip", "range": [-1.0, 1.0]}
TWO = {"root": "floating", "g": 9.81, "name": "rods", "links": [
    ROD, {**ROD, "origin": [0, 0, -0.3], "name": "knee", "mass": 0.3, "inertia": 0.3 * 0.3**2 / 12, "range": [0.5, 2.5]}],
    "foot": {"shape": "sphere", "radius": 0.02, "center": [0, 0, -0.3]}}


def changed(*path, value):
    """TWO with a value changed."""
    text = copy.deepcopy(TWO)
    part = text
    for step in path[:-1]:
        part = part[step]
    part[path[-1]] = value
    return parse_chain(text, "leg.json")


class Facts(unittest.TestCase):
    def fact(self, chain, what):
        return [text for name, text in check.look(chain).facts if name == what]

    def test_rods(self):
        chain = parse_chain(TWO, "leg.json")
        self.assertEqual(check.look(chain).suspicious, [])
        swing, = self.fact(chain, "swing")
        inertia = 0.6 * 0.3**2 / 3 + 0.3 * (0.3**2 / 12 + 0.45**2)
        moment = 9.81 * (0.6 * 0.15 + 0.3 * 0.45)
        for word in (f"hip {2 * math.pi * math.sqrt(inertia / moment):.3g} s",
                     f"({2 * math.pi * math.sqrt((inertia + 0.01) / moment):.3g} s with its motor)",
                     f"knee {2 * math.pi * math.sqrt(0.2 / 9.81):.3g} s"):   # a rod's is that of a pendulum of 2/3 of its length
            self.assertIn(word, swing)
        self.assertIn(f"hip {moment:.3g} N m, knee {0.3 * 9.81 * 0.15:.3g} N m", self.fact(chain, "held")[0])
        self.assertIn(f"{(0.6 * 0.15 + 0.3 * 0.45) / 0.6:.4g} kg under the foot", self.fact(chain, "scale")[0])
        self.assertEqual(self.fact(chain, "mass"), ["0.9 kg in all: hip 0.6, knee 0.3"])
        self.assertEqual(self.fact(chain, "range"), ["hip: -57.3 to 57.3 degrees", "knee: 28.65 to 143.2 degrees"])

    def test_signs(self):
        """About y by the right hand: what hangs swings back."""
        hip, knee = self.fact(parse_chain(TWO, "leg.json"), "sign")
        self.assertIn("hip: from 0, 1.5, +0.1 rad moves the foot", hip)
        self.assertIn(f"{1e3 * (0.3 * math.sin(1.6) + 0.3 * math.sin(0.1) - 0.3 * math.sin(1.5)):.3g} mm back", hip)
        self.assertIn(" up", hip)
        self.assertIn("back", knee)
        other = changed("links", 1, "axis", value=[0, -1, 0])
        self.assertIn("forward", self.fact(other, "sign")[1])
        slides = changed("links", 1, value={**TWO["links"][1],
                         "joint": "prismatic", "axis": [0, 0, -1], "range": [0, 0.1]})
        self.assertIn("+10 mm moves the foot 0 mm back and 10 mm down", self.fact(slides, "sign")[1])
        self.assertIn(f"knee {0.3 * 9.81:.3g} N", self.fact(slides, "held")[0])

    def test_the_foots_range(self):
        x, z = check.foot_range(parse_chain(TWO, "leg.json"))
        q = np.random.default_rng(3).uniform([-1, 0.5], [1, 2.5], (400, 2))
        feet = np.array([check.pose(parse_chain(TWO, "x"), row).foot for row in q])
        np.testing.assert_allclose([x.min(), x.max(), z.min(), z.max()],
                                   [feet[:, 0].min(), feet[:, 0].max(), feet[:, 1].min(), feet[:, 1].max()], atol=0.03)


class Suspicious(unittest.TestCase):
    def test_each_mistake(self):
        link = ("links", 1)
        for path, value, told in (
                ((*link, "inertia"), 0.03, "knee, inertia: .*about the centre of mass, in kg m\\^2"),
                ((*link, "inertia"), 1e-7, "knee, inertia: .*nearly a point"),
                ((*link, "inertia"), [1e-4, 2e-3, 1e-4],
                 "knee, inertia: its principal moments .* the sum of the other two"),
                ((*link, "com"), [0, 0, -0.6], "knee, com: 600 mm from the joint"),
                ((*link, "origin"), [0, 0, 0], "hip: the next joint .* is at its own place"),
                ((*link, "range"), [-90.0, 0.0], "knee, range: .* in degrees"),
                ((*link, "rotor_inertia"), 5.0, "knee, rotor_inertia: .*counted twice"),
                ((*link, "rotor_inertia"), 1e-5, "knee, rotor_inertia: .*gear's square"),
                ((*link, "damping"), 2.0, "knee, damping: .* stops the joint in"),
                ((*link, "friction"), 0.9, "knee, friction: 0.9 is more than the 0.441"),
                ((*link, "mass"), 0.002, "masses: knee has 0.002 kg, 300 times less"),
                (("g",), 1.62, "g: 1.62 m/s\\^2 is not the Earth's"),
                (("base",), {"mass": 0.5}, "base: 0.5 kg, less than the leg's 0.9 kg"),
                (("foot", "radius"), 0.2, "foot, radius: 200 mm"),
                ((*link, "origin"), [0, 0, 0.9], "foot: above the first joint")):
            with self.subTest(path=path, value=value):
                found = check.look(changed(*path, value=value)).suspicious
                self.assertRegex("\n".join(found), told)

    def test_units_and_rotors(self):
        small = copy.deepcopy(TWO)
        for part in small["links"]:
            part |= {"origin": [1e3 * x for x in part["origin"]], "com": [1e3 * x for x in part["com"]]}
        small["foot"]["center"] = [0, 0, -300]
        self.assertRegex("\n".join(check.look(parse_chain(small, "x")).suspicious),
                         "lengths: the leg is 600 m long. .* in millimetres")
        heavy = copy.deepcopy(TWO)
        for part in heavy["links"]:
            part["mass"] *= 1e3
            del part["rotor_inertia"]
        found = "\n".join(check.look(parse_chain(heavy, "x")).suspicious)
        self.assertRegex(found, "masses: the leg weighs 900 kg. Are the masses in grams")
        self.assertRegex(found, "rotor_inertia: 0 for all joints")


class Command(Temporary):
    def test_statuses(self):
        Path("good.json").write_text(json.dumps(TWO))
        Path("odd.json").write_text(json.dumps(TWO | {"g": 1.62, "notes": ["a note"]}))
        self.assertIn("mass    0.9 kg in all", self.command("leg check", "good.json")[0])
        out, err = self.command("leg check", "odd.json", "--plot", "odd.png", status=1)
        self.assertIn("note    a note\nsuspicious: g: 1.62", out)
        self.assertIn("odd.json: 1 suspicious number\n", err)
        self.assertGreater(Path("odd.png").stat().st_size, 20000)
        self.refused("leg", "check", "none.json", told=("none.json",))
        self.refused("leg", "check", "good.json", "--plot", "nowhere/x.png", told=("nowhere",))

    def test_picture(self):
        """A marker at the place of each joint, centre and foot, for joints that slide, too."""
        text = copy.deepcopy(TWO)
        text["links"][0] |= {"joint": "prismatic", "axis": [0.6, 0, -0.8], "range": [-0.1, 0.1]}
        chain = parse_chain(text, "x")
        left = picture.draw(chain).axes[0]
        at = check.pose(chain, np.zeros(2))
        seen = np.concatenate([np.asarray(part.get_offsets()) for part in left.collections])
        for place in (*at.joints, *at.coms, (0, 0)):
            self.assertLess(np.abs(seen - place).sum(axis=1).min(), 1e-12)
        self.assertTrue(any(np.allclose(patch.center, at.foot) for patch in left.patches if hasattr(patch, "center")))


if __name__ == "__main__":
    unittest.main()
