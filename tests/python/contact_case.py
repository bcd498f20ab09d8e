# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""What the tests of contact models share: a body, models whose nets hold random numbers, and the commands."""
import json
from pathlib import Path

import numpy as np

from tinycontact_case import Temporary, random_net, tc
from tinycontact.csvfile import read_columns
from tinycontact.learn.features import width
from tinycontact.sim import shapes

MASK = (1 | 2 | 4 | 8 | 16, 1 | 4 | 8 | 16 | 32)
BOX = {"vertices": [[-0.1, -0.06], [0.1, -0.06], [0.1, 0.06], [-0.1, 0.06]], "mass": 2.5, "inertia": 0.01,
       "mu": 0.6, "h": 0.002, "g": 9.81, "restitution": 0.0}
HEADER = ["class", "prob_static", "prob_dynamic", "prob_detach", "p_friction", "p_normal", "p_torque", "vx2", "vy2",
          "omega2"]
STATES = "y,theta,vx,vy,omega"
THROW = {"y0": 0.3, "theta0_deg": 40, "vx0": 1.5, "omega0": -3}


def random_model(body, seed=1, weights="f32", record=None):
    """Four small nets, for a body."""
    nets = []
    for d in (0, 1):
        dims = [width(d + 1, MASK[d]), 16, 16]
        nets.append(random_net(seed + d, [*dims, 3], ["tanh", "tanh", "identity"], "softmax", weights,
                               name=f"class{d}"))
        nets.append(random_net(seed + 2 + d, [*dims, 1], ["tanh", "tanh", "identity"], weights=weights,
                               name=f"ratio{d}"))
    record = record or tc.ContactRecord("planar", body.mass, body.inertia, MASK, gravity=body.g)
    return tc.Model(nets, step_size=body.h, contact=record)


class Contact(Temporary):
    def setUp(self):
        super().setUp()
        self.json("box.json", BOX)
        self.body = shapes.load("box.json")
        random_model(self.body).save("m.tcm")

    def json(self, name, value):
        (self.folder / name).write_text(value if isinstance(value, str) else json.dumps(value))
        return name

    def csv(self, rows, header=STATES, name="s.csv"):
        lines = [header] + [row if isinstance(row, str) else ",".join(repr(float(v)) for v in row) for row in rows]
        (self.folder / name).write_text("\n".join(lines) + "\n")
        return name

    def replayed(self, rows, header=STATES, model="m.tcm", body="box.json"):
        self.command("body replay", "--model", model, "--body", body, self.csv(rows, header), "-o", "o.csv")
        lines = Path("o.csv").read_text().splitlines()
        self.assertEqual(lines[0].split(","), HEADER)
        self.assertEqual(len(lines), len(rows) + 1)
        return [line.split(",")[0] for line in lines[1:]], read_columns("o.csv", HEADER[1:]).stacked(HEADER[1:])

    def thrown(self, rows, *words, model="m.tcm", body="box.json"):
        self.command("body throw", "--model", model, "--shape", body, self.json("t.json", rows), "-o", "o.json", *words)
        return json.loads(Path("o.json").read_text())

    def states(self, seed, n):
        """States that touch with a corner or a side, to a micrometre deep."""
        rng = np.random.default_rng(seed)
        theta = np.where(rng.random(n) < 0.5, rng.integers(-4, 5, n) * np.pi / 2, rng.uniform(-9, 9, n))
        low = shapes.gaps(self.body, 0.0, theta).min(axis=1)
        return np.column_stack([-low - 1e-9, theta, rng.normal(size=(n, 3)) * [2, 2, 8]])
