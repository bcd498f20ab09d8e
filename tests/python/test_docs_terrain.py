# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""docs/guides/my-foot-on-my-terrain.md, done as a reader would."""
import unittest

import docs_case
from tinycontact_case import tc   # noqa: F401  finds the package
from tinycontact import jsonfile
from tinycontact.hil import episodes


class MyFootOnMyTerrain(docs_case.Reader):
    PAGE = "docs/guides/my-foot-on-my-terrain.md"

    def test_the_board_has_the_hosts_bits(self):
        self.assertIn("3000 ticks, profile exact: alike, bit for bit", self.printed_by("leg hil replay"))
        self.assert_files("known/ticks.csv", "known/report.png", "kerb.json", "yard.h", "yard.c")

    def test_the_leg_comes_onto_the_kerb(self):
        """Its base walks half a foothold beyond the edge at 0.2 m, at least."""
        episode = episodes.episode("leg", 4, 3.0, ground=str(self.path("kerb.json")))
        self.assertGreater(episode.place.max(), 0.3)
        self.assertIn("--seed 4", next(command for command in self.output if "kerb.json" in command))

    def test_the_unknown_slope_costs_the_direction_of_the_impulse(self):
        known = jsonfile.read_json(self.path("slope/summary.json"))
        blind = jsonfile.read_json(self.path("blind/summary.json"))
        self.assertLess(known["impulse"], 0.05)
        self.assertGreater(blind["impulse"], 0.1)
        for summary in (known, blind):
            self.assertGreater(summary["contact_right"], 0.99)


if __name__ == "__main__":
    unittest.main()
