# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Tuning on logs: what a setting costs, what is held back, that what was spoilt is mended, and that nothing worse is
written."""
import json
import os
import unittest
from pathlib import Path
from unittest import mock

import numpy as np

import leglog_case as cases
from tinycontact_case import Temporary
from tinycontact.errors import TinycontactError
from tinycontact.hil import tune
from tinycontact.hil.chain_file import load_chain
from tinycontact.hil.configuration import Configuration, load, parse
from tinycontact.hil.episodes import episode
from tinycontact.hil.plant import plant_chain

SPOILT = {"rate": 1000, "settings": {"force": 15, "normal_speed": 0.6}}


def part(contact, tick=1e-3):
    """A Part of which only the contact is of interest."""
    rest = np.zeros((len(contact), 2), np.float32)
    return tune.Part(rest, rest, rest[:, 0], rest, rest[:, 0], rest[:, 0], contact, tick)


def hops(random, ticks):
    """[T] bool: contacts of 30 to 90 ticks, flights of 40 to 130."""
    spans = [np.full(random.integers(40, 130) if k % 2 == 0 else random.integers(30, 90), k % 2 == 1)
             for k in range(ticks // 40)]
    return np.concatenate(spans)[:ticks]


class Costs(unittest.TestCase):
    def test_by_counting(self):
        """The cost of random beliefs, tick by tick and event by event."""
        random = np.random.default_rng(8)
        for tick, reach in ((1e-3, 2), (0.5e-3, 4), (4e-3, 2)):
            true = hops(random, 3000)
            believed = np.roll(true, random.integers(0, 12))
            for _ in range(10):
                at, long = random.integers(0, 2900), random.integers(5, 60)
                believed[at:at + long] = random.random() < 0.5
            edges = [k for k in range(1, 3000) if true[k] != true[k - 1]]
            wanted = sum(tick for k in range(round(0.2 / tick), 3000) if believed[k] != true[k]
                         and not any(edge - reach <= k < edge + reach for edge in edges))
            rises = [k for k in range(1, 3000) if believed[k] and not believed[k - 1]]
            back = round(5e-3 / tick)
            wanted += sum(0.02 for k in rises if not true[max(0, k - back - 1):k + 1].any())
            for begin in [edge for edge in edges if true[edge]]:
                end = edges[edges.index(begin) + 1] if begin != edges[-1] else 3000
                air = begin - ([0] + edges)[edges.index(begin)]
                if end - begin >= round(10e-3 / tick) and air >= round(15e-3 / tick):
                    wanted += 0.02 * (not believed[begin:min(end, begin + round(30e-3 / tick))].any())
            self.assertAlmostEqual(tune.wrong(part(true, tick), believed).sum(), wanted, places=9)

    def test_chance_does_not_pay(self):
        random = np.random.default_rng(9)
        before = random.uniform(0, 1e-3, 40)
        self.assertFalse(tune._pays(before, before))
        self.assertTrue(tune._pays(before, 0.8 * before))
        noise = random.standard_normal(40) * 1e-3
        self.assertFalse(tune._pays(before, before - (noise - noise.mean() + 1e-5)))

    def test_torque_noise_is_seen(self):
        random = np.random.default_rng(10)
        smooth = np.sin(np.arange(6000) / 50)[:, None] * [3.0, 1.0]
        seen = part(np.zeros(6000, bool))
        seen.torque = smooth + random.standard_normal((6000, 2)) * [0.05, 0.2]
        np.testing.assert_allclose(tune.torque_noise([seen]), [0.05, 0.2], rtol=0.06)


class Split(unittest.TestCase):
    def test_the_last_third_or_every_third_log(self):
        random = np.random.default_rng(11)
        logs = [[part(hops(random, 3000))] for _ in range(4)]
        learn, held = tune.split(logs[:2])
        self.assertEqual(([len(one) for one in learn], [len(one) for one in held]), ([2000, 2000], [1000, 1000]))
        np.testing.assert_array_equal(held[0].contact, logs[0][0].contact[2000:])
        learn, held = tune.split(logs)
        self.assertEqual([one is logs[2][0] for one in held], [True])
        self.assertEqual(len(learn), 3)

    def test_too_little_is_refused(self):
        contact = np.zeros(3000, bool)
        contact[500:600] = contact[800:900] = True
        with self.assertRaises(TinycontactError) as refused:
            tune.split([[part(contact)]])
        self.assertIn("2 touch-downs, of 5", str(refused.exception))


class Mended(unittest.TestCase):
    def test_numbers_that_were_spoilt(self):
        """From a force and a speed far off, the held-back part becomes nearly as right as with the defaults."""
        chain = plant_chain("leg")
        logs = [[tune.part_of_episode(episode("leg", 7, 12.0))]]
        found = tune.tune(chain, parse(SPOILT, "c.json"), logs)
        usual = tune.Judge(chain, Configuration(), tune.split(logs)[1])
        self.assertTrue(found.better)
        self.assertLess(found.after["cost"], 0.8 * found.before["cost"])
        self.assertLess(found.after["cost"], usual.costs({}).sum() / usual.seconds + 0.003)
        self.assertIn("force", found.changed)
        self.assertGreater(found.config.settings["force"], 15)
        found.config.check(chain)


class Command(Temporary):
    def log(self, seconds=8.0, without=()):
        cases.write("log.csv", {key: values for key, values in cases.foreign(seconds).items() if key not in without})
        return cases.chain_file("foreign")

    def spoilt(self, **more):
        with open("spoilt.json", "w", encoding="ascii") as file:
            json.dump({"rate": 500, "settings": SPOILT["settings"], **more}, file)
        return "spoilt.json"

    def test_a_leg_that_is_not_ours(self):
        """Its log at 500 Hz, from spoilt numbers: the table, the file, and the file once more."""
        chain = self.log(16.0)
        out, err = self.command("leg tune", "--chain", chain, "--log", "log.csv", "--config", self.spoilt(),
                                "-o", "tuned.json")
        self.assertIn("held back", out)
        self.assertIn("contact right", out)
        tuned = load("tuned.json").check(load_chain(chain))
        self.assertEqual(tuned.rate, 500)
        self.assertEqual(tuned.sensors.encoder[0]["bits"], 14)
        self.assertIn("log.csv", tuned.notes[0])
        self.assertIn("tuned.json", err)
        self.command("leg estimate", "log.csv", "--chain", chain, "--config", "tuned.json", "--no-check")
        self.refused("leg estimate", "log.csv", "--chain", chain, "--config", "tuned.json", "--encoder-bits", 12,
                     told=["--encoder-bits", "--config"])
        self.command("leg export", chain, "--config", "tuned.json", "--c", "firmware")
        written = Path("firmware/leg.c").read_text()
        self.assertIn(f"/* {tuned.settings['force']:g} */", written)
        self.assertIn("/* 16384 */", written)

    def test_what_is_not_better_is_not_written(self):
        chain = self.log()
        with mock.patch.object(tune, "search", lambda *_: ({"force": 0.05, "normal_speed": 9.0}, 3)):
            _, err = self.command("leg tune", "--chain", chain, "--log", "log.csv", "-o", "tuned.json", status=1)
        self.assertIn("nothing is written", err)
        self.assertFalse(os.path.exists("tuned.json"))

    def test_mistakes_are_not_learnt(self):
        """A log with a wrong sign is refused with the option that mends it, beside the columns that were given."""
        columns = dict(cases.foreign(8.0))
        columns["knee"] = columns.pop("tau2")
        cases.write("log.csv", columns)
        words = ("leg tune", "--chain", cases.chain_file("foreign"), "--log", "log.csv", "-o", "tuned.json",
                 "--columns", "q1=q1")
        _, err = self.command(*words, "--columns", "tau2=-knee", status=2)
        for word in ("log.csv: nothing is tuned", "tau2 has the wrong sign",
                     "All options together: --columns q1=q1,tau2=knee", "--no-check"):
            self.assertIn(word, err)
        self.assertNotIn("log.csv: log.csv", err)
        self.assertFalse(os.path.exists("tuned.json"))
        with mock.patch.object(tune, "search", lambda *_: ({"force": 0.05, "normal_speed": 9.0}, 3)):
            for more in (("--columns", "tau2=-knee", "--no-check"), ("--columns", "tau2=-knee", "--columns", "tau2=knee")):
                _, err = self.command(*words, *more, status=1)
                self.assertIn("nothing is written", err)
        self.assertIn("No mistake found", err)

    def test_without_truth(self):
        """It says what it cannot, and what the log shows: 500 Hz, 14 bits, 0.05 N m."""
        chain = self.log(without=("contact",))
        _, err = self.command("leg tune", "--chain", chain, "--log", "log.csv", "-o", "tuned.json", status=1)
        for word in ("no column contact", "500 Hz", "14 bits", "leg configure"):
            self.assertIn(word, err)
        self.assertFalse(os.path.exists("tuned.json"))

    def test_files_that_are_not_there(self):
        chain = self.log()
        self.refused("leg tune", "--chain", chain, "--log", "none.csv", told=["none.csv"])
        self.refused("leg tune", "--chain", "none.json", "--log", "log.csv", told=["none.json"])
        self.refused("leg tune", "--chain", chain, "--log", "log.csv", "--gear", "a", told=["'a'"])


if __name__ == "__main__":
    unittest.main()
