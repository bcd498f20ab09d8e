# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""tinycontact body evaluate and figure on models of random nets: the right numbers are known only of exact Coulomb, but all
parts must come out, and be the same twice."""
import json
import unittest
from pathlib import Path
from unittest import mock

import numpy as np

from contact_case import BOX, Contact, random_model
from tinycontact_case import tc
from tinycontact.contact import ROW, ContactModel
from tinycontact.learn import sample
from tinycontact.report import evaluation, figures, page, truth
from tinycontact.sim import shapes, throws


class Evaluate(Contact):
    def evaluated(self, *words):
        return self.command("body evaluate", "--model", "m.tcm", "--shape", "box.json", "--truth", "coulomb", *words)[0]

    def test_report(self):
        """Tables on the terminal, numbers as JSON, a page with its pictures; exact Coulomb agrees with itself."""
        out = self.evaluated("--throws", "4", "--states", "120", "--report", "r", "-o", "n.json", "--seed", "3")
        numbers = json.loads(Path("n.json").read_text())
        self.assertEqual(numbers["loop"]["exact Coulomb"]["bounces_percent"], 100)
        self.assertEqual(numbers["loop"]["exact Coulomb"]["distance_max_m"], 0)
        self.assertEqual(numbers["steps"]["point"]["states"] + numbers["steps"]["edge"]["states"], 240)
        self.assertEqual(numbers["hash"], tc.load("m.tcm").hash())
        for word in ("point", "edge", "accuracy %", "exact Coulomb", "bounces right %", "r/index.html",
                     "small %: median relative error", "ECE %: expected calibration error"):
            self.assertIn(word, out)
        self.assertEqual(sorted(p.name for p in Path("r").iterdir()),
                         ["calibration.png", "confusion.png", "distance.png", "index.html", "throws.png"])
        text = Path("r/index.html").read_text()
        self.assertEqual(text.count("data:image/png;base64"), 4)
        self.assertIn(numbers["hash"], text)
        self.assertIn("small %: median relative error", text)
        self.evaluated("--throws", "4", "--states", "120", "-o", "again.json", "--seed", "3")
        self.assertEqual(numbers, json.loads(Path("again.json").read_text()))

    def test_animation(self):
        """A picture with as many frames as stated, in which the bodies move."""
        from PIL import Image
        with mock.patch("tinycontact.report.plots.FRAMES", 4):
            self.evaluated("--throws", "2", "--states", "0", "--animate", "t.gif")
        picture = Image.open("t.gif")
        frames = []
        for k in range(picture.n_frames):
            picture.seek(k)
            frames.append(np.asarray(picture.convert("RGB"), int))
        self.assertGreaterEqual(len(frames), 3)
        self.assertGreater(np.abs(frames[-1] - frames[0]).max(), 50)
        self.command("body evaluate", "--model", "m.tcm", "--shape", "box.json", "--truth", "coulomb", "--throws", "0", "--animate",
                     "t.gif", status=2)

    def test_perfect_model(self):
        """A model that answers as the truth does, body mass included, has perfect scores; one of random nets not."""
        right = truth.Coulomb(self.body, "dart")

        class Perfect:
            record = tc.load("m.tcm").contact

            @staticmethod
            def replay(states, dimension):
                position = np.column_stack([0 * states[:, 0], states[:, :2]])
                said = sample.Coulomb(right.friction).label(self.body, position, states[:, 2:])
                self.assertTrue((said.query.count == dimension + 1).all())
                rows = np.zeros(len(said), ROW)
                rows["branch"], rows["friction"] = said.label, BOX["mass"] * said.friction
                rows["probability"] = np.eye(3)[said.label]
                return rows
        for model, perfect in ((Perfect, True), (ContactModel("m.tcm", self.body), False)):
            done = evaluation.Evaluation({})
            evaluation.judge_steps(model, self.body, right, 200, 5, done)
            self.assertEqual(list(done.numbers["steps"]), ["point", "edge"])
            for scores in done.numbers["steps"].values():
                self.assertEqual(scores["accuracy"] == 1 and scores["ece"] == 0, perfect)
                self.assertEqual(scores["friction_rms"] is not None and scores["friction_rms"] < 1e-9, perfect)
                self.assertEqual(np.trace(scores["confusion"]) == 200, perfect)

    def test_players(self):
        """Paths begin at the start and end where results say; a rest begins 50 steps before the end; the fine truth
        takes smaller steps."""
        rows = throws.random_rows(3, 2)
        players = [truth.Coulomb(self.body, "dart"), ContactModel("m.tcm", self.body).player("gap"),
                   truth.Dart(self.body, "dart")]
        for player in players:
            results, paths = player.results(rows), player.paths(rows)
            for k, path in enumerate(paths):
                np.testing.assert_allclose(path[0], [0, rows[k, 0], np.radians(rows[k, 1])], atol=1e-6)
                self.assertEqual(len(path), results.steps[k] + 1)
                np.testing.assert_allclose(path[-1, [0, 2]], [results.distance[k], results.angle[k]], atol=1e-6)
                rest = (results.steps[k] - 50) * BOX["h"] if results.at_rest[k] else np.inf
                self.assertAlmostEqual(results.rest_time[k], rest)
        self.assertEqual(truth.Fine(self.body, "dart").body.h, BOX["h"] / 8)

    def test_parts(self):
        """States alone, throws alone, in another scheme beside a fine step."""
        self.evaluated("--throws", "0", "--states", "30", "-o", "n.json")
        self.assertNotIn("loop", json.loads(Path("n.json").read_text()))
        with mock.patch.object(truth, "FINE", 2):   # 8 takes its time
            self.command("body evaluate", "--model", "m.tcm", "--shape", "box.json", "--truth", "fine", "--positions", "gap",
                         "--throws", "1", "--states", "0", "-o", "n.json")
        numbers = json.loads(Path("n.json").read_text())
        self.assertNotIn("steps", numbers)
        self.assertEqual(numbers["truth"], "exact Coulomb at h/2")

    def test_refused(self):
        self.refused("body evaluate", "--model", "m.tcm", "--shape", self.json("o.json", {**BOX, "mass": 1.0}),
                     told=("o.json", "mass"))
        self.refused("body evaluate", "--model", "m.tcm", "--shape", "box.json", "--throws", "0", "--states", "0",
                     told=("nothing to evaluate",))
        self.assertIn("usage", self.command("body evaluate", "--model", "m.tcm", "--shape", "box.json", "--throws", "-1",
                                            status=2)[1])


class Figures(Contact):
    def test_ten_throws(self):
        out = self.command("body figure", "fig5", "--model", "m.tcm", "--shape", "box.json", "--truth", "coulomb", "-o",
                           "f.png", "--json", "f.json")[0]
        self.assertTrue(Path("f.png").read_bytes().startswith(b"\x89PNG"))
        numbers = json.loads(Path("f.json").read_text())
        self.assertEqual([len(v) for v in numbers["outcomes"].values()], [10] * 4)
        self.assertIn("bounces right", out)

    def test_the_papers_numbers(self):
        """The throws are copied right: the paper's own summary comes out of them (Fig. 5: 8 and 8 of 10, 7 %; Fig. 6:
        9 and 9 of 10, 12 %)."""
        for figure, rows, summary in (("fig5", throws.FIG5, (8, 8, 7)), ("fig6", throws.FIG6, (9, 9, 12))):
            scores = figures.agreement(figures.paper()[figure]["ours"], [row[4:] for row in rows])
            self.assertEqual((scores["bounces"], scores["orientation"], round(scores["distance_percent"])), summary)

    def test_other_figures(self):
        out = self.command("body figure", "anisotropic", "--model", "m.tcm", "--shape", "box.json", "-o", "a.png")[0]
        self.assertIn("friction 1.5 / 0.75", out)
        random_model(shapes.builtin("capsule")).save("c.tcm")
        out = self.command("body figure", "capsule", "--model", "c.tcm", "--truth", "coulomb", "-o", "c.png")[0]
        self.assertIn("contact steps of the model", out)
        for name in ("a.png", "c.png"):
            self.assertTrue(Path(name).read_bytes().startswith(b"\x89PNG"))
        self.refused("body figure", "fig6", "--model", "m.tcm", "-o", "p.png", told=("pentagon", "mass"))
        self.assertFalse(Path("p.png").exists())


class Help(Contact):
    def test_help_names_what_files_hold(self):
        for command, words in (("body evaluate", ["--report", "--truth"]), ("body figure", ["anisotropic", "fig5"])):
            text = self.command(command, "--help")[0]
            for word in words:
                self.assertIn(word, text)

    def test_without_matplotlib_or_dart(self):
        with mock.patch.dict("sys.modules", {"dartpy": None}):
            self.refused("body figure", "fig5", "--model", "m.tcm", "--shape", "box.json", "-o", "f.png",
                         told=("dartpy", "make setup GROUPS=sim"))
        with mock.patch.object(page, "png_bytes", side_effect=AssertionError("drawn without being asked")):
            self.command("body evaluate", "--model", "m.tcm", "--shape", "box.json", "--truth", "coulomb", "--throws", "2",
                         "--states", "10")


if __name__ == "__main__":
    unittest.main()
