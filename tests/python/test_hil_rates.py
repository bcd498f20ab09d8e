# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The estimator at other rates: tests/hil/rates.csv, which `make hil-rates` writes, and a sample of it."""
import csv
import unittest

import numpy as np

from tinycontact_case import ROOT, Temporary
from tinycontact.hil import rates

SETTLED = {5e-4: 0.995, 1e-3: 0.995, 2e-3: 0.994, 4e-3: 0.99}   # floors
STRICT = {tick: SETTLED[tick] for tick in (5e-4, 1e-3, 2e-3)}    # which transport leaves within reach
FALSE_IN_10_MINUTES = 2


def recorded():
    """{(tick, leg, plant): {metric: number}}"""
    with open(ROOT / "tests" / "hil" / "rates.csv", newline="", encoding="ascii") as file:
        return {(float(row["tick"]), row["leg"], row["plant"]): {name: float(row[name]) for name in rates.COLUMNS}
                for row in csv.DictReader(file)}


class Recorded(unittest.TestCase):
    def test_floors(self):
        rows = recorded()
        self.assertEqual({(tick, leg) for tick, leg, _ in rows},
                         {(tick, leg) for tick in rates.TICKS for leg in rates.LEGS})
        for (tick, leg, plant), row in rows.items():
            self.assertGreaterEqual(row["contact_settled"], SETTLED.get(tick, 0.995), (tick, leg, plant))
            self.assertGreaterEqual(row["contact_sampled"], SETTLED.get(tick, 0.988), (tick, leg, plant))
            self.assertGreaterEqual(row["contact_right"], STRICT.get(tick, 0.0), (tick, leg, plant))
            self.assertEqual(row["missed"], 0, (tick, leg, plant))

    def test_few_false_touch_downs(self):
        rows = recorded()
        for tick in SETTLED:
            these = [row for key, row in rows.items() if key[0] == tick]
            air = sum(row["air"] for row in these)
            self.assertGreater(air, 590)
            self.assertLessEqual(sum(row["false"] for row in these) * 600 / air, FALSE_IN_10_MINUTES, tick)

    def test_the_rest_of_a_long_tick_is_transport(self):
        """Within a percent of what the truth itself would have, a tick late."""
        for key, row in recorded().items():
            self.assertGreater(row["contact_right"], row["reachable"] - 0.01, key)


class Numbers(unittest.TestCase):
    def test_what_is_excused(self):
        """2 ms, and two ticks at least, on both sides of a change, by counting."""
        state = np.zeros(200, np.int8)
        state[100:] = 1
        for tick, ticks in ((0.25e-3, 8), (0.5e-3, 4), (1e-3, 2), (2e-3, 2), (4e-3, 2), (5e-3, 2)):
            near = np.flatnonzero(rates.around(state, tick))
            self.assertEqual((near[0], near[-1]), (100 - ticks, 99 + ticks), tick)


class Sample(Temporary):
    def test_4_ms(self):
        """Where lift-offs of a hopper were 25 to 200 ms late before normal_speed stopped to grow with the tick."""
        found = rates.evaluate([(4e-3, "20 kg", "hopper", 3), (4e-3, "0.5 kg", "leg", 3)], 6.0, kept=False)
        for key, judged in found.items():
            got = rates.numbers(judged)
            self.assertGreater(got["contact_settled"], 0.99, key)
            self.assertLess(got["lift_off"], 0.05, key)
            self.assertEqual((got["missed"], got["false"]), (0, 0), key)

    def test_the_truth_a_tick_late_is_what_can_be_reached(self):
        (judged,) = rates.evaluate([(5e-3, "20 kg", "hopper", 4)], 3.0, kept=False).values()
        self.assertLess(judged.late.mean(), 1.0)
        self.assertGreaterEqual(judged.late.mean() + 0.005, judged.usual.right.mean())

    def test_the_command(self):
        self.refused("leg hil evaluate-rates", "--tick", 3, told=["'3'", "0.25, 0.5, 1, 2, 4, 5"])


if __name__ == "__main__":
    unittest.main()
