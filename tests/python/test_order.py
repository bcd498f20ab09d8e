# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Order of checks: files first, then packages that are missing, then work. Whoever has to install a package for a file
that is refused afterwards has waited for nothing; so has who computes for an hour and then lacks matplotlib."""
import json
import unittest
from pathlib import Path
from unittest import mock

from contact_case import Contact

MISSING = dict.fromkeys(("jax", "optax", "dartpy", "mujoco", "matplotlib", "matplotlib.figure"))
CONCAVE = {"vertices": [[-0.1, -0.1], [0.1, -0.1], [0.0, 0.02], [0.1, 0.1], [-0.1, 0.1]], "inertia": 0.01}


class Order(Contact):
    def setUp(self):
        super().setUp()
        patch = mock.patch.dict("sys.modules", MISSING)
        patch.start()
        self.addCleanup(patch.stop)
        self.json("concave.json", CONCAVE)
        self.json("broken.json", "{")
        Path("broken.tcm").write_bytes(b"no model")
        Path("broken.csv").write_text("run,t\n1,2\n")

    def test_files_come_before_packages(self):
        """Each command with a file that is refused names the file, though every optional package is missing."""
        good = ("--model", "m.tcm", "--shape", "box.json")
        for words, told in (
                (("body train", "--shape", "concave.json", "--out", "o.tcm"), ("concave.json", "not strictly convex")),
                (("body train", "--shape", "none.json", "--out", "o.tcm"), ("none.json",)),
                (("body train", "--shape", "box.json", "--log", "broken.csv", "--out", "o.tcm"), ("broken.csv", "column")),
                (("body evaluate", "--model", "broken.tcm", "--shape", "box.json", "--report", "r"), ("broken.tcm",)),
                (("body evaluate", "--model", "m.tcm", "--shape", "concave.json"), ("concave.json", "convex")),
                (("body figure", "fig5", "--model", "broken.tcm", "-o", "f.png"), ("broken.tcm",)),
                (("leg swing", "--model", "broken.tcm", "--plot", "p.png"), ("broken.tcm",)),
                (("body evaluate --dimension 3", "--model", "broken.tcm"), ("broken.tcm",)),
                (("leg swing --dimension 3", "--model", "broken.tcm", "--plot", "p.png"), ("broken.tcm",)),
                (("cdl train", "--system", "broken.json", "--log", "broken.csv", "--out", "o.tcm"), ("broken.json",)),
                (("cdl evaluate", "--out", "broken.csv"), ("broken.csv",)),
                (("cdl simulate", "broken.json", "-o", "o.json", "--plot", "p.png"), ("broken.json",)),
                (("leg hil train", "--plant", "leg", "--chain", "broken.json", "--out", "o.tcm"), ("broken.json",)),
                (("leg hil evaluate", "--model", "broken.tcm", "--report", "r"), ("broken.tcm",)),
                (("leg hil run", "--plant", "leg", "--chain", "broken.json", "-o", "h"), ("broken.json",)),
                (("leg hil run", "--plant", "leg", "--model", "broken.tcm", "-o", "h"), ("broken.tcm",)),
                (("body figure", "fig5", *good, "-o", "f.png"), ("make setup",))):
            with self.subTest(words=words):
                self.refused(*words, told=told)

    def test_packages_come_before_work(self):
        """A package that is missing is named at once, and nothing is written."""
        system = {"potential": "gravity", "contact": "floor", "m": [1], "e": 0.7, "h": 0.02, "g": 9.81, "Q0": [1],
                  "V0": [0], "steps": 5}
        self.json("ball.json", json.dumps(system))
        good, work = ("--model", "m.tcm", "--shape", "box.json"), AssertionError("worked before it asked")
        with mock.patch("tinycontact.sim.throws.run", side_effect=work), \
                mock.patch("tinycontact.cdl.cli.simulate", side_effect=work), \
                mock.patch("tinycontact.chain.evaluate.outcome", side_effect=work), \
                mock.patch("tinycontact.spatial.limb.roll", side_effect=work):
            for words, told in (
                    (("body train", "--shape", "box.json", "--out", "o.tcm"), "GROUPS=train"),
                    (("body train --shape box", "--out", "o.tcm"), "GROUPS=train"),
                    (("body evaluate", *good), "dartpy"),
                    (("body evaluate", *good, "--truth", "coulomb", "--report", "r"), "matplotlib"),
                    (("body evaluate", *good, "--truth", "coulomb", "--pdd"), "GROUPS=train"),
                    (("leg swing --dimension 2", "--plot", "p.png"), "dartpy"),
                    (("leg swing --dimension 2", "--truth", "none", "--plot", "p.png"), "matplotlib"),
                    (("leg swing --dimension 3", "--truth", "none", "--plot", "p.png"), "matplotlib"),
                    (("cdl simulate", "ball.json", "-o", "o.json", "--plot", "p.png"), "matplotlib"),
                    (("cdl train", "--protocol", "ball", "--out", "o.tcm"), "GROUPS=train"),
                    (("leg hil run", "--plant", "leg", "-o", "h"), "matplotlib")):
                with self.subTest(words=words):
                    self.refused(*words, told=(told,))
        self.assertEqual([path for path in ("o.tcm", "o.json", "p.png", "h") if Path(path).exists()], [])


if __name__ == "__main__":
    unittest.main()
