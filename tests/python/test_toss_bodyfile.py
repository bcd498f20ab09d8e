# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""body.json: written, read, and refused field by field."""
import copy
import json
import unittest
from pathlib import Path

import numpy as np

from toss_case import BRICK, Tosses

from tinycontact.errors import TinycontactError
from tinycontact.toss import bodyfile

BODY = bodyfile.Body(
    BRICK, 0.4, "brick", 0.98, np.array([1e-3, 2e-3, 3e-3]), np.array([3e-4, 4e-4, 5e-4]), 0.5,
    np.array([0.6, 0.8, 0, 0]), (1e-4, 2e-3, -1e-3), 9.7, {"point": 0.2, "face": 0.3}, tuple(np.arange(8.0)), 0.25, 5e4,
    80.0, 1.5, 2e-3, {"scale": 1e-3, "centre_of_mass": [1e-4, 1e-4, 2e-4], "friction.point": 0.01, "floor.tilt": [1e-3, 2e-3]},
    [{"name": "mass", "reason": "given"}], ["weigh it"], 12, {"position": 1e-4}, "tinycontact body identify")


class Files(Tosses):
    def test_what_is_written_is_read(self):
        bodyfile.write("body.json", BODY)
        read = bodyfile.read("body.json")
        for name in vars(BODY):
            np.testing.assert_equal(getattr(read, name), getattr(BODY, name), name)
        np.testing.assert_allclose(read.vertices, 0.98 * BRICK)
        moments = np.sort(np.linalg.eigvalsh(read.inertia_matrix))
        np.testing.assert_allclose(moments, [3e-4, 4e-4, 5e-4])
        self.assertGreater(abs(read.inertia_matrix[1, 2]), 1e-5)

    def test_what_is_not_there_stays_away(self):
        body = bodyfile.Body(BRICK, 0.4, inertia=np.array([3e-4, 4e-4, 5e-4]))
        document = bodyfile.as_json(body)
        for name in ("restitution", "stiffness", "damping", "damping_slope", "inertia_ratio", "principal_axes"):
            self.assertNotIn(name, document)
        self.assertEqual((document["friction"], document["mass"]["deviation"]), ({}, None))
        bodyfile.write("body.json", body)
        self.assertIsNone(bodyfile.read("body.json").restitution)

    def test_refusals(self):
        good = bodyfile.as_json(BODY)
        for path, value, told in (
                ("format", "tinycontact scene", "format"), ("version", 2, "version"), ("mass", 0.4, "mass"),
                ("mass.value", 0, "mass.value"), ("mass", None, "mass: missing"), ("scale.value", "1", "scale.value"),
                ("restitution.value", 1.5, "restitution.value"), ("gravity.deviation", -1, "gravity.deviation"),
                ("centre_of_mass.value", [0, 0], "centre_of_mass.value"), ("inertia", None, "inertia: missing"),
                ("inertia.value", [1e-4, 1e-4, 5e-4], "inertia.value"), ("principal_axes", [1, 1, 0, 0], "principal_axes"),
                ("floor", 0, "floor"), ("floor.tilt.value", [0], "floor.tilt.value"),
                ("friction.point.value", -0.1, "friction.point.value"), ("friction.residual", [0] * 7, "friction.residual"),
                ("shape.vertices", [[0, 0, 0]], "vertices"), ("undetermined", "mass", "undetermined"),
                ("noise", [], "noise"), ("tosses", "many", "tosses")):
            with self.subTest(path=path, value=value):
                document = copy.deepcopy(good)
                *folders, last = path.split(".")
                part = document
                for folder in folders:
                    part = part[folder]
                part[last] = value
                Path("bad.json").write_text(json.dumps(document))
                with self.assertRaisesRegex(TinycontactError, "^bad.json, field ") as caught:
                    bodyfile.read("bad.json")
                self.assertIn(told, str(caught.exception))


if __name__ == "__main__":
    unittest.main()
