# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Scores, pictures and pages of reports, on results made up so that the right score is known."""
import base64
import re
import unittest
from unittest import mock

import numpy as np

from tinycontact_case import Temporary
from tinycontact.errors import TinycontactError
from tinycontact.report import evaluation, measure, page, plots

PNG = b"\x89PNG\r\n\x1a\n"


class Scores(unittest.TestCase):
    def test_confusion_and_recall(self):
        truth = np.repeat([0, 1, 2], [50, 30, 20])
        said = truth.copy()
        said[:5], said[50:53] = 1, 2
        scores = measure.step_scores(truth, said, np.eye(3)[said], np.zeros(100), np.zeros(100), 1.0)
        self.assertEqual(scores["confusion"], [[45, 5, 0], [0, 27, 3], [0, 0, 20]])
        self.assertAlmostEqual(scores["accuracy"], 0.92)
        self.assertEqual(scores["recall"], {"static": 0.9, "dynamic": 0.9, "detach": 1.0})
        self.assertEqual((scores["friction_rms"], scores["friction_small"]), (None, None))
        self.assertAlmostEqual(scores["ece"], 0.08)   # certain of everything, wrong in 8 of 100

    def test_missing_class(self):
        scores = measure.step_scores(np.zeros(4, int), np.zeros(4, int), np.eye(3)[np.zeros(4, int)], np.zeros(4),
                                     np.zeros(4), 1.0)
        self.assertEqual(scores["recall"], {"static": 1.0, "dynamic": None, "detach": None})

    def test_calibration(self):
        """A classifier that is right as often as it says has an expected error that falls with the sample."""
        rng = np.random.default_rng(2)
        p = rng.dirichlet([0.5, 0.5, 0.5], 200000)
        truth = (p.cumsum(axis=1) < rng.random((len(p), 1))).sum(axis=1)
        self.assertLess(measure.calibration_error(truth, p), 0.005)
        sharp = p**3 / (p**3).sum(axis=1, keepdims=True)
        self.assertGreater(measure.calibration_error(truth, sharp), 0.05)
        count, said, right = measure.calibration(truth, p)
        self.assertEqual(count.sum(), len(p))
        self.assertTrue((np.abs(said - right)[count > 500] < 0.05).all())

    def test_friction(self):
        """Relative to the truth's RMS; the median looks at small impulses only, by mass."""
        truth = np.array([3.0, -4.0, 0.01, 0.02, 0.04])
        rms, small = measure.friction_errors(truth, truth * [1.1, 1.1, 1.02, 1.03, 0.9], 1.0)
        self.assertAlmostEqual(rms, 0.1, places=5)
        self.assertAlmostEqual(small, 0.03)
        self.assertAlmostEqual(measure.friction_errors(truth, truth * [1, 1, 1.02, 1.03, 0.9], 0.5)[1], 0.025)
        unanswered = np.where(np.arange(5) == 1, np.nan, truth * [1.1, 1, 1, 1, 1])
        self.assertAlmostEqual(measure.friction_errors(truth, unanswered, 1.0)[0], 0.1, places=4)


class Pictures(Temporary):
    def test_page(self):
        """All pictures are inside the page and beside it, words are escaped, and the page needs no other file."""
        report = page.Page("Model <m.tcm>")
        report.heading("Per step")
        report.table(("law", "a < b"), [("exact & true", 1)])
        report.picture("confusion", plots.confusions({"point": np.eye(3, dtype=int)}), 'said "yes"')
        where = report.save(self.folder / "deep" / "report")
        text = where.read_text("utf-8")
        for part in ("Model &lt;m.tcm&gt;", "<td>exact &amp; true</td>", "a &lt; b", "said &quot;yes&quot;"):
            self.assertIn(part, text)
        inside = base64.b64decode(re.search(r"base64,([^\"]*)", text).group(1))
        self.assertEqual(inside, (where.parent / "confusion.png").read_bytes())
        self.assertTrue(inside.startswith(PNG))
        self.assertNotIn("src=\"http", text)
        (self.folder / "file").write_text("")
        with self.assertRaisesRegex(TinycontactError, "file: cannot be made"):
            report.save(self.folder / "file")

    def test_plots(self):
        """Each draws what it is given, a single panel or several, and its picture is the same twice."""
        rng = np.random.default_rng(1)
        truth, probability = rng.integers(0, 3, 50), rng.dirichlet([1, 1, 1], 50)
        box = np.array([[-.1, -.05], [.1, -.05], [.1, .05], [-.1, .05]])
        poses = rng.normal(size=(40, 3))
        for make in (lambda: plots.reliability({"point": (truth, probability)}),
                     lambda: plots.distance_errors({"model": np.zeros(5), "exact Coulomb": np.ones(3)}),
                     lambda: plots.throws([("one", {"truth": poses, "model": poses[:1]})], box),
                     lambda: plots.throws([(str(k), {"truth": poses}) for k in range(3)], box)):
            data = page.png_bytes(make())
            self.assertTrue(data.startswith(PNG) and len(data) > 5000)
            self.assertEqual(data, page.png_bytes(make()))

    def test_outlines_of_one_time(self):
        """Two laws that do the same are drawn alike, though one lies still for longer."""
        way = np.linspace(0, 1, 40)
        poses = np.column_stack([way, 1 - way**2, 20 * way])
        longer = np.vstack([poses, np.repeat(poses[-1:], 25, axis=0)])
        figure = plots.throws([("one", {"truth": poses, "model": longer})], np.array([[-.1, 0], [.1, 0], [0, .1]]))
        lines = [line for line in figure.axes[0].lines[:-1] if len(line.get_xdata()) == 4]   # without the floor
        truth, model = lines[:len(lines) // 2], lines[len(lines) // 2:]
        self.assertEqual(len(truth), plots.OUTLINES)
        for one, other in zip(truth, model):
            np.testing.assert_array_equal(one.get_xydata(), other.get_xydata())

    def test_axes_and_lengths(self):
        """Panels of throws say what their axes are; a length is said in a unit of its size."""
        poses = np.random.default_rng(2).normal(size=(20, 3))
        figure = plots.throws([("one", {"truth": poses})], np.array([[-.1, 0], [.1, 0], [0, .1]]))
        self.assertEqual((figure.axes[0].get_xlabel(), figure.axes[0].get_ylabel()), ("x [m]", "height y [m]"))
        self.assertEqual([page.length(metres) for metres in (45.6951, 1.0, 0.0123456, 3.2e-5, 0.0)],
                         ["45.7 m", "1 m", "12.3 mm", "0.032 mm", "0 mm"])

    def test_columns_are_explained(self):
        """Every column of both tables that is no plain word has a line; so has the page."""
        header = evaluation.step_rows({})[0] + evaluation.loop_rows({})[0]
        told = measure.legend(header)
        for name in set(header) - {"patch", "states", "law"}:
            self.assertTrue(any(line.strip().startswith(f"{name}: ") for line in told), name)
        report = page.Page("title")
        report.lines(told)
        self.assertIn("ECE %: expected calibration error", report.html())
        self.assertEqual(measure.legend(("patch", "states")), [])

    def test_outline(self):
        """The drawn body turns counter-clockwise about its centre of mass."""
        line = plots._outline(np.array([[1.0, 0.0], [0.0, 2.0]]), np.array([10, 20, np.pi / 2]))
        np.testing.assert_allclose(line, [[10, 21], [8, 20], [10, 21]], atol=1e-12)

    def test_without_matplotlib(self):
        with mock.patch.dict("sys.modules", {"matplotlib.figure": None}):
            with self.assertRaisesRegex(TinycontactError, "make setup GROUPS=sim"):
                plots.confusions({"point": np.eye(3)})

    def test_text_table(self):
        self.assertEqual(page.text_table(("law", "n"), [("model", 10), ("exact", 7)]),
                         "law     n\nmodel  10\nexact   7")


if __name__ == "__main__":
    unittest.main()
