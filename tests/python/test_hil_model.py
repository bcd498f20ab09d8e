# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""A learned contact model as the estimator's law, from the command to the board: used, said, replayed, and refused where it
is another leg's."""
import unittest
from pathlib import Path

import numpy as np

from hil_case import foot_model
from tinycontact_case import Temporary, random_net, tc
from tinycontact.errors import TinycontactError
from tinycontact.hil import episodes, evaluate, link, wire
from tinycontact.hil.estimate import Estimator
from tinycontact.hil.log import read_log
from tinycontact.hil.plant import plant_chain
from tinycontact.learn.features import width


class Models(Temporary):
    def setUp(self):
        super().setUp()
        self.chain = plant_chain("hopper")
        foot_model(self.chain, 1).save("m.tcm")


class Host(Models):
    @classmethod
    def setUpClass(cls):
        cls.episode = episodes.episode("hopper", 3, 0.5, cached=False)

    def test_is_asked_in_contact(self):
        """And only there, once a touch-down is over; what it says is heard."""
        asked = np.isfinite(Estimator(self.chain).asked(self.episode)).all(1)
        self.assertEqual(Estimator(self.chain).asked(self.episode).shape, (500, width(1)))
        without, with_it = (Estimator(self.chain, model=model).run(self.episode) for model in (None, "m.tcm"))
        since = without["since"][:-1] * without["contact"][:-1]
        np.testing.assert_array_equal(asked[1:], since >= 0.005 - 1e-6)
        self.assertGreater(asked.sum(), 50)
        self.assertGreater(np.abs(without["p"] - with_it["p"])[asked].max(), 1e-3)
        self.assertTrue((with_it["status"] == 0).all())

    def test_refusals(self):
        foot_model(self.chain, 1, mass=1.03).save("mass.tcm")
        foot_model(self.chain, 1, inertia=0.95).save("inertia.tcm")
        tc.Model([random_net(1, [2, 2], ["tanh"])]).save("none.tcm")
        for name, told in (("mass", "hopper.json, last link: mass is 0.25 kg, but the model was trained for 0.2575 kg"),
                           ("inertia", "inertia is 0.00083 kg m"), ("none", "none.tcm: is no contact model")):
            with self.assertRaisesRegex(TinycontactError, told):
                Estimator(self.chain, model=f"{name}.tcm")
        with self.assertRaisesRegex(TinycontactError, "step size h is 0.002 s, but the model was trained for 0.001 s"):
            Estimator(self.chain, model="m.tcm", step=0.002)
        self.refused("leg hil run", "--board", "host", "--plant", "hopper", "--model", "mass.tcm", "-o", "out",
                     told=["mass is 0.25"])

    def test_within_the_tolerance(self):
        foot_model(self.chain, 1, mass=1.015).save("near.tcm")
        Estimator(self.chain, model="near.tcm").run(self.episode)

    def test_evaluated_beside_the_estimator_without(self):
        self.assertEqual(list(evaluate.makers(["imm"], ["a/foot.tcm", "b.tcm"])), ["imm", "imm+foot", "imm+b"])


class Board(Models):
    def run_on(self, board, *words):
        """The estimates of a run, and its log's header."""
        self.command("leg hil run", "--board", board, "--plant", "hopper", "--seed", 3, "--seconds", 0.25, *words, "-o", board)
        log, codec, sent = read_log(Path(board) / "log.bin"), wire.Codec(), []
        for record in log.records:
            if record.direction == link.TO_HOST:
                sent += [frame.message() for frame in codec.decode(record.data) if frame.type == wire.Estimate.TYPE]
        self.assertIn("250 ticks, profile exact: alike", self.command("leg hil replay", Path(board) / "log.bin")[0])
        return np.array([one.p for one in sent]), log.header

    def test_used_and_replayed(self):
        """An emulated Cortex-M4F has the host's bits, which are not those without the model."""
        without, header = self.run_on("host")
        self.assertEqual(header["model"], "")
        with_it, header = self.run_on("host", "--model", "m.tcm")
        self.assertEqual(len(header["model"]), 64)
        self.assertFalse(np.array_equal(without, with_it))
        np.testing.assert_array_equal(self.run_on("mps2-an386", "--model", "m.tcm")[0], with_it)


if __name__ == "__main__":
    unittest.main()
