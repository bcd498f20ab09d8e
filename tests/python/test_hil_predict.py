# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Predictions asked of the firmware in the loop: they are what the library says to the whole episode, bounded per tick and
told where they were cut; a log of them replays bit for bit; without --predict nothing is asked."""
import unittest
from pathlib import Path

import numpy as np

from tinycontact_case import Temporary
from hil_case import OnBoard
from tinycontact.hil import faults, link, run, wire
from tinycontact.hil.chain_file import load_chain
from tinycontact.hil.estimate import Estimator
from tinycontact.hil.log import LogWriter, read_log
from tinycontact.hil.parameters import parameters
from tinycontact.hil.plant import default_chain
from tinycontact.jsonfile import read_json

SECONDS = 0.3   # the hopper comes down after 0.15 s
STEPS = 62      # of two joints in one tick: docs/reference/wire.md


class Asked(OnBoard):
    def test_of_a_tick(self):
        """The same question has the same answer; more than the board has steps for is cut, and told; then not now."""
        first = self.bench.predict(0.02)
        self.assertEqual((first.tick, first.status), (self.bench.ticks, 0))
        self.assertAlmostEqual(first.horizon, 0.02, places=6)
        self.assertEqual(self.bench.predict(0.02).values(), first.values())
        rest = self.bench.predict(1.0)
        self.assertEqual(rest.status, wire.SHORTENED)
        self.assertAlmostEqual(rest.horizon, (STEPS - 20) * 1e-3, places=6)
        with self.assertRaisesRegex(link.Refused, "refused PREDICT: not now"):
            self.bench.predict(0.01)
        self.tick()
        self.assertEqual(self.bench.predict(0.05).tick, self.bench.ticks)

    def test_no_horizon(self):
        for horizon in (np.nan, np.inf, -0.01, 0.0, 1.001):
            with self.assertRaisesRegex(link.Refused, "refused PREDICT: its content; .*TC_ERR_RANGE"):
                self.bench.predict(horizon)
        self.bench.begin(self.plant.chain, number=9)
        with self.assertRaisesRegex(link.Refused, "refused PREDICT: not now"):
            self.bench.predict(0.02)

    def test_lost_on_its_way(self):
        """The question is spoilt: told by the board and asked again. The next tick is not disturbed."""
        self.bench.line.next(faults.flip(30))
        self.assertEqual(self.bench.predict(0.02).tick, self.bench.ticks)
        self.assertEqual(self.bench.session.repeats, 1)
        self.assertEqual(self.tick().tick, self.bench.ticks)

    def test_of_refused_sensors(self):
        """A prediction counts from the last tick that the estimator has seen, and says so."""
        self.plant.faults.append(faults.set_to("encoder", np.nan, 0))
        estimate = self.tick()
        self.assertLess(estimate.status, 0)
        self.assertEqual(self.bench.predict(0.02).tick, estimate.tick - 1)


class Runs(Temporary):
    def hil(self, folder, *words, board="host"):
        words = ("--board", board, "--plant", "hopper", "--seed", 3, "--seconds", SECONDS, *words)
        return Path(folder), self.command("leg hil run", *words, "-o", folder)[0]

    def test_on_a_board(self):
        """The summary has the table's rows; the host has the board's frames; the same seed makes the same log."""
        folder, said = self.hil("board", "--predict", board="mps2-an386")
        self.assertIn("next touch-down 20 ms ahead", said)
        summary = read_json(folder / "summary.json")
        self.assertEqual((summary["shortened"], summary["unpredicted"]), (0, 0))
        for name in ("ahead_fast", "ahead_all", "ahead_fast_p90", "ahead_all_p90", "ahead_covered"):
            self.assertGreaterEqual(summary[name], 0)
        self.assertIn("300 ticks, profile exact: alike, bit for bit", self.command("leg hil replay", folder / "log.bin")[0])
        host = self.hil("host", "--predict")[0]
        logs = [[r for r in read_log(f / "log.bin").records if r.tick > 0] for f in (folder, host)]
        self.assertEqual(logs[0], logs[1])
        codec = wire.Codec()
        types = [got.type for r in logs[0] if r.direction == link.TO_HOST for got in codec.decode(r.data)]
        self.assertEqual(types, [wire.Estimate.TYPE, wire.Prediction.TYPE] * 300)

    def test_asks_only_when_told(self):
        """And what is asked changes no estimate."""
        asked, silent = (self.hil(name, *words)[0] for name, words in (("asked", ("--predict",)), ("silent", ())))
        self.assertEqual((asked / "ticks.csv").read_bytes(), (silent / "ticks.csv").read_bytes())
        self.assertEqual(len([r for r in read_log(silent / "log.bin").records if r.tick > 0]), 600)
        summary = read_json(silent / "summary.json")
        self.assertFalse([key for key in summary if key.startswith("ahead") or key == "shortened"])

    def test_a_wrong_bit_in_a_prediction(self):
        """Catches: a replay that passes predictions over."""
        folder, _ = self.hil("out", "--predict")
        whole, codec, tick = read_log(folder / "log.bin"), wire.Codec(), 140
        with LogWriter("bad.bin", whole.header) as log:
            for record in whole.records:
                log.tick, data = record.tick, record.data
                for received in wire.Codec().decode(data) if record.direction == link.TO_HOST else ():
                    if (record.tick, received.type) == (tick, wire.Prediction.TYPE):
                        message = received.message()
                        message.late = np.nextafter(np.float32(message.late), np.float32(2))
                        codec._encoder.sequence = received.sequence
                        data = codec.encode(message)
                log.add(record.direction, data)
            log.finish()
        self.assertIn(f"tick {tick}, Prediction.late: the board", self.command("leg hil replay", "bad.bin", status=1)[1])

    def test_are_the_librarys(self):
        """What is published in each tick is what the library foresees of the same episode in one call. The second flight is
        the one that tells: in the first the floor is not known yet, and the foot may touch it at once."""
        chain = default_chain("hopper")
        options = run.Options("hopper", str(chain), "host", seed=3, seconds=0.8, predict=True)
        outcome = run.run(options, "out", parameters)
        expected = Estimator(load_chain(chain)).run(outcome.episode)
        self.assertGreater(np.sum((expected["ahead"] > expected["early"]) & (expected["early"] > 0)), 10)
        for name in run.AHEAD:
            np.testing.assert_allclose(outcome.estimates[name], expected[name], rtol=0, atol=1e-8, err_msg=name)

    def test_a_lost_frame(self):
        """The prediction before is repeated, and has grown nearer; of a board that cannot say there is none."""
        estimates = run.Estimates()
        said = wire.Prediction(tick=1, kind=wire.TOUCH_DOWN, time=0.012, early=0.01, late=0.02)
        estimates.add(wire.Estimate(tick=1), said)
        estimates.add(None)
        estimates.add(wire.Estimate(tick=3), None)
        estimates.add(wire.Estimate(tick=4), wire.Prediction(tick=4, kind=wire.LIFT_OFF, time=0.012))
        np.testing.assert_allclose(estimates.arrays()["ahead"], [0.011, 0.010, np.nan, np.nan], atol=1e-8)
        np.testing.assert_allclose(estimates.arrays()["late"][:2], [0.019, 0.018], atol=1e-8)


if __name__ == "__main__":
    unittest.main()
