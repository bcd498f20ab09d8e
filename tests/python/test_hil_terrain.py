#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Terrain under a plant: its geometry against the library's, forces along its normal, and the estimator on it."""
import csv
import json
import tempfile
import unittest
from pathlib import Path

import numpy as np

from tinycontact.errors import TinycontactError
from tinycontact.hil import episodes, metrics, plant, terrains, truth
from tinycontact.hil.estimate import Estimator
from tinycontact.hil.evaluate import PLANTS
from tinycontact.hil.terrain import NAMES, terrain
from tinycontact.shape import shapefile
from tinycontact.shape.sdf import Sdf

ROOT = Path(__file__).resolve().parents[2]
SECONDS = 4.0
TILTED = 0.17


class Geometry(unittest.TestCase):
    def test_as_the_library_has_it(self):
        """Distance and normal of a section equal the library's of the same union."""
        stairs = terrain("stairs")
        shapes = [{"kind": "halfspace"} if part.kind == "halfspace" else {"kind": "box", "h": list(part.size)}
                  for part in stairs.parts]
        union = {"kind": "union", "parts": shapes, "offsets": [list(part.position) for part in stairs.parts]}
        points = np.random.default_rng(1).uniform([-1.5, 0.0], [1.5, 0.5], (400, 2))
        found = Sdf(shapefile.from_dict(union)).evaluate(np.insert(points, 1, 0.0, axis=1))
        distance, normal = stairs.look(points)
        np.testing.assert_allclose(distance, found.distance, atol=2e-6)
        apart = found.distance > 1e-3
        np.testing.assert_allclose(normal[apart], found.gradient[apart][:, ::2], atol=1e-4)

    def test_circles_touch(self):
        """A circle at touch() has the gap 0 to every terrain, and one that is higher has more."""
        for name in NAMES:
            ground, x = terrain(name), np.linspace(-0.35, 0.35, 141)
            height = ground.touch(x, 0.02)
            distance, _ = ground.look(np.stack([x, height], -1))
            np.testing.assert_allclose(distance, 0.02, atol=1e-9)

    def test_footholds_have_no_edge(self):
        stairs = terrain("stairs")
        for x in np.linspace(-1.2, 1.2, 49):
            at = stairs.foothold(x, 0.02, 0.07)
            self.assertLess(abs(at - x), 0.16)
            self.assertLess(np.ptp(stairs.touch(at + np.linspace(-0.065, 0.065, 40), 0.02)), 5e-3)

    def test_files(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "kerb.json"
            kerb = {"kind": "union", "parts": [{"kind": "halfspace"}, {"kind": "box", "h": [0.5, 1.0, 0.5]}],
                    "offsets": [[0, 0, 0], [0.7, 0, -0.45]]}
            path.write_text(json.dumps(kerb))
            self.assertAlmostEqual(float(terrain(str(path)).touch(0.7, 0.02)), 0.07)
            for part, word in (({"kind": "capsule", "r": 0.1, "half": 0.1}, "capsule"),
                               ({"kind": "box", "h": [1, 1, 1], "r": 0.1}, "sharp")):
                bad = Path(folder) / f"{word}.json"
                bad.write_text(json.dumps(part))
                with self.assertRaisesRegex(TinycontactError, word):
                    terrain(str(bad))
        with self.assertRaisesRegex(TinycontactError, "MuJoCo"):
            plant.Plant("hopper", plant.plant_chain("hopper", simulator="dart"), simulator="dart", ground=terrain("slope"))


class Plants(unittest.TestCase):
    def test_forces_lie_in_the_cone(self):
        """Catches: a force read in world axes, a normal that is turned the wrong way. No terrain pulls, none pushes
        beyond its friction, and the foot does not sink."""
        for name in NAMES:
            leg = plant.Plant("leg", ground=terrain(name))
            leg.reset(3)
            facts = [leg.step()[1] for _ in range(3000)]
            normal = np.stack([fact.substeps.normal for fact in facts])
            tangent = np.stack([fact.substeps.tangent for fact in facts])
            mu = np.array([fact.mu for fact in facts])[:, None]
            self.assertGreater(np.max(normal), 10.0)
            self.assertGreaterEqual(np.min(normal), 0.0)
            self.assertTrue(np.all(np.abs(tangent) <= 1.001 * mu * normal + 1e-9))
            self.assertGreater(min(fact.substeps.gap.min() for fact in facts), -2e-3)

    def test_slope_is_the_normal(self):
        """On a slope of 10 degrees the force of a standing leg leans by less than friction, about the vertical: its
        tangent is sin over cos of the slope."""
        hopper = plant.Plant("hopper", ground=terrain("slope"))
        hopper.reset(1)
        steps = [hopper.step()[1] for _ in range(2000)]
        sticks = [fact.impulse for fact in steps if fact.mode == truth.STATIC]
        ratio = np.sum([i[0] for i in sticks]) / np.sum([i[1] for i in sticks])
        self.assertAlmostEqual(ratio, TILTED, delta=0.12)

    def test_flat_plants_are_what_they_were(self):
        """A terrain changes nothing where there is none."""
        one = episodes.episode("hopper", 2, 1.0, cached=False)
        self.assertIsNone(one.place)
        self.assertEqual(one.meta.get("ground"), None)


class Kept(unittest.TestCase):
    def test_floors(self):
        """tests/hil/terrain.csv, which `make hil-terrain` writes: contact on known terrain is right as often as on a flat
        floor within 0.1 points, nothing is missed, nothing false; and the loss of not knowing is what the page says."""
        with open(ROOT / "tests" / "hil" / "terrain.csv", newline="", encoding="ascii") as file:
            rows = {(row["terrain"], int(row["known"]), row["plant"]): {name: float(row[name]) for name in terrains.COLUMNS}
                    for row in csv.DictReader(file)}
        self.assertEqual(set(rows), {(case.terrain, int(case.known), name) for case in terrains.CASES for name in PLANTS})
        for (name, known, leg), row in rows.items():
            self.assertEqual((row["missed"], row["false"]), (0, 0), (name, leg))
            if known:
                self.assertGreaterEqual(row["contact_right"], rows["flat", 1, leg]["contact_right"] - terrains.FLOOR, name)
                self.assertLess(row["impulse"], 0.015, name)
        for leg in PLANTS:
            self.assertGreater(rows["slope", 0, leg]["impulse"], 0.15)

    def test_a_sample_by_the_command(self):
        found = terrains.judged(terrains.work(terrains.chosen(["slope"]), 0.01, 3), seconds=1.0)
        self.assertEqual(len(found), 6)
        self.assertEqual(len(terrains.rows(found)), 6)
        self.assertEqual([row[:2] for row in terrains.verdicts(found)],
                         [[f"slope, {word}", leg] for word in ("known", "unknown") for leg in PLANTS])
        with self.assertRaisesRegex(TinycontactError, "lava.*stairs"):
            terrains.chosen(["lava"])


class Estimators(unittest.TestCase):
    def test_known_terrain_is_as_good_as_a_floor(self):
        """Contact is right as often as on a flat floor, to half a point over these few seconds; the direction of the
        force is right where the terrain is known only. `make hil-terrain` has the table."""
        for name in ("slope", "stairs"):
            chain, ground = plant.plant_chain("leg"), terrain(name)
            flat = episodes.episode("leg", 4, SECONDS)
            there = episodes.episode("leg", 4, SECONDS, ground=name)
            usual = metrics.table([(flat, Estimator(chain).run(flat))])
            blind = metrics.table([(there, Estimator(chain).run(there))])
            known = metrics.table([(there, Estimator(chain, ground=ground).run(there, ("pitch", "place")))])
            self.assertGreater(known["contact_right"], usual["contact_right"] - 0.005)
            self.assertEqual((known["missed"], known["false"]), (0, 0))
            self.assertLess(known["impulse"], 0.03)
            if name == "slope":
                self.assertGreater(blind["impulse"], 0.1)


if __name__ == "__main__":
    unittest.main()
