# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""What a person is told of a run: bars of known modes, the table of known numbers, the live view, the pictures."""
import dataclasses
import io
import os
import unittest
from unittest import mock

import numpy as np

from tinycontact_case import Temporary
from tinycontact.hil import bars, leg, report, run, told, truth, view
from tinycontact.hil.chain_file import load_chain
from tinycontact.hil.parameters import parameters
from tinycontact.hil.plant import default_chain
from tinycontact.report.plots import new_figure

AIR, STICK, SLIP = truth.AIR, truth.STATIC, truth.DYNAMIC
SUMMARY = {"plant": "hopper", "board": "abacus", "seed": 3, "seconds": 10.0, "touch_downs": 27.0, "missed": 2.0,
           "delay_mean": 0.00175, "delay_above": 0.00007, "false": 1.0, "air": 7.522, "contact_right": 0.99406,
           "mode_right": 0.99368, "onsets": 13.0, "onset_recall": 12 / 13, "onset_prompt": 11 / 13, "impulse": 0.0351,
           "speed": 1.314}


class Terminal(io.StringIO):
    """Text that says it is one, in an encoding."""

    def __init__(self, terminal=True, encoding="utf-8"):
        super().__init__()
        self.terminal, self.coding = terminal, encoding

    encoding = property(lambda self: self.coding)

    def isatty(self):
        return self.terminal


def runs_of(*pairs):
    """Modes over ticks: (mode, how many) one after the other."""
    return np.concatenate([np.full(count, mode, np.int8) for mode, count in pairs])


class Bars(unittest.TestCase):
    def test_known_modes(self):
        cells = np.array([AIR, AIR, STICK, SLIP, SLIP, AIR], np.int8)
        self.assertEqual(bars.Pen(Terminal(False)).modes(cells), "··█▒▒·")
        self.assertEqual(bars.Pen(Terminal(False, None)).modes(cells), "..#~~.")
        self.assertEqual(bars.Pen(Terminal()).modes(cells),
                         "\x1b[2m··\x1b[0m\x1b[34m█\x1b[0m\x1b[33m▒▒\x1b[0m\x1b[2m·\x1b[0m")

    def test_no_colour_where_none_is_wanted(self):
        with mock.patch.dict(os.environ, NO_COLOR="1"):
            self.assertEqual(bars.Pen(Terminal()).modes(np.array([STICK], np.int8)), "█")

    def test_a_touch_of_one_tick_is_seen(self):
        modes = runs_of((AIR, 30), (STICK, 1), (AIR, 30), (SLIP, 1), (STICK, 7))
        np.testing.assert_array_equal(bars.folded(modes, 25), [AIR, STICK, SLIP])

    def test_whole_run(self):
        """0.8 s: two rows of 400 ms, true over estimated; the estimate is 25 ms late."""
        true = runs_of((AIR, 100), (STICK, 50), (SLIP, 50), (AIR, 600))
        said = np.roll(true, 25)
        lines = bars.whole(true, said, bars.Pen(Terminal(False, "ascii")))
        self.assertEqual(lines[0].strip(), ". air   # sticks   ~ slips   (5 ms per character)")
        self.assertEqual(lines[1], "    0 s  true  " + "." * 20 + "#" * 10 + "~" * 10 + "." * 40)
        self.assertEqual(lines[2], "         board " + "." * 25 + "#" * 10 + "~" * 10 + "." * 35)
        self.assertEqual([line[:15] for line in lines[3:]], ["  0.4 s  true  ", "         board "])
        self.assertEqual(len({len(line) for line in lines[1:]}), 1)

    def test_long_runs_have_few_rows(self):
        for ticks in (1, 400, 401, 2000, 2001, 10000, 60000, 10**6 + 1):
            span = bars.span_of(ticks)
            self.assertLessEqual(-(-ticks // (span * bars.COLUMNS)), bars.ROWS, ticks)
        self.assertEqual([bars.span_of(ticks) for ticks in (2000, 2001, 10000)], [5, 10, 25])

    def test_heights(self):
        self.assertEqual(bars.Pen(Terminal(False)).curve([0.0, 0.01, 0.05, 0.1, 0.2, -1.0], 0.1), " ▁▄██ ")


class Rows(unittest.TestCase):
    def test_known_numbers(self):
        self.assertEqual(dict(told.rows(SUMMARY)), {
            "true touch-downs": "27", "  known within 30 ms": "25", "  known after, mean": "1.75 ms",
            "  of that, above sampling and transport": "0.07 ms", "false touch-downs in 7.5 s of air": "1",
            "ticks right: contact": "99.41 %", "ticks right: air, stick or slip": "99.37 %", "true slip onsets": "13",
            "  found within 30 ms": "12", "  found within 5 ms": "11", "impulse of whole contacts, off by": "3.51 %",
            "speed": "1.31 x real time"})

    def test_nothing_happened(self):
        """A run without a contact: summary.json then lacks what has no value."""
        kept = {key: SUMMARY[key] for key in ("contact_right", "mode_right", "air", "speed")}
        rows = dict(told.rows({**kept, "touch_downs": 0.0, "missed": 0.0, "false": 0.0, "onsets": 0.0}))
        self.assertEqual([what for what, much in rows.items() if much == told.UNKNOWN],
                         ["  known after, mean", "  of that, above sampling and transport", "ticks right: contact",
                          "ticks right: air, stick or slip", "  found within 30 ms", "  found within 5 ms",
                          "impulse of whole contacts, off by"])


class Live(unittest.TestCase):
    def shown(self, out, ticks=100, columns=80, of=100):
        """What a View of a hop writes, which looks at each tick as if it were time to draw."""
        with mock.patch.object(view, "REFRESH", -1.0), mock.patch.object(view, "LINES", -1.0), \
                mock.patch("shutil.get_terminal_size", lambda: os.terminal_size((columns, 24))), \
                mock.patch.object(view, "say", lambda text: out.write(text + "\n")):
            shown = view.View(of, 1e-3, out)
            shown.begin()
            for k in range(ticks):
                touches = STICK if k >= 64 else AIR
                shown.add(touches, touches if k >= 72 else AIR, max(0.0, 0.064 - 0.001 * k))
            shown.close()
        return out.getvalue()

    def test_terminal(self):
        """Each picture begins where the one before did; the last is the line of a run that is whole."""
        pictures = self.shown(Terminal()).split("\r\x1b[J")
        self.assertEqual(len(pictures), 101)
        for picture in pictures[:98]:
            self.assertEqual(picture.count("\n"), 5)
            self.assertTrue(picture.endswith("\x1b[5A"))
        self.assertIn("80/100", pictures[79])
        rows = [bare(line) for line in pictures[79].splitlines()]
        self.assertEqual(rows[1:4], ["foot       █▇▆▅▄▃▂▁  ", "true       ········██", "estimated  ·········█"])
        self.assertRegex(rows[4], r"· air   █ sticks   ▒ slips   \(the last 0.08 s; foot up to 0.06 m\)")
        self.assertRegex(pictures[-1], r"^\[#{30}\] 100/100, 0 s left, [\d.]+ x real time\n$")
        self.assertLess(max(len(bare(line)) for picture in pictures for line in picture.splitlines()), 80)

    def test_run_that_ends_half_way_leaves_its_bars(self):
        self.assertEqual(self.shown(Terminal(), ticks=80).split("\r\x1b[J")[-1].count("\n"), 5)

    def test_elsewhere_lines(self):
        for out, columns in ((Terminal(False), 80), (Terminal(), 40)):   # a pipe; a terminal without the room
            lines = self.shown(out, columns=columns).splitlines()
            self.assertEqual(len(lines), 100)
            self.assertRegex(lines[-1], r"^  0.10/0.1 s, [\d.]+ x real time$")

    def test_clock_starts_with_the_run(self):
        with mock.patch("time.monotonic", lambda: self.now):
            self.now = 100.0
            shown = view.View(10, 1e-3, Terminal(False))
            self.assertEqual(shown.speed(), 0.0)
            self.now = 160.0   # a minute of building
            shown.begin()
            for _ in range(10):
                self.now += 2e-3
                shown.add(AIR, AIR, 0.1)
        with mock.patch("time.monotonic", lambda: self.now):
            self.assertAlmostEqual(shown.speed(), 0.5)


def bare(text):
    """Without colours."""
    for code in ("\x1b[0m", "\x1b[36m", *(f"\x1b[{code}m" for code in bars.COLOURS)):
        text = text.replace(code, "")
    return text


class Pictures(Temporary):
    def test_a_leg_stands_on_its_foot(self):
        """joints() ends where the leg's own kinematics has the foot's lowest point, a radius higher."""
        random = np.random.default_rng(4)
        for plant in ("hopper", "leg"):
            planar = load_chain(default_chain(plant)).planar()
            axis = np.array([[0.0, 0.0], [0.6, -0.8]])
            sliding = dataclasses.replace(planar, slides=np.array([False, True]), axis=axis)
            for shape in (planar, sliding):
                q, pitch = random.uniform(-1, 1, 2), random.uniform(-0.3, 0.3)
                foot = leg.move(np, shape, q, np.zeros(2), pitch, 0.0, np.zeros(2)).foot
                end = report.joints(shape, q, pitch)[-1]
                np.testing.assert_allclose(end, [foot[0], foot[1] + shape.radius], atol=1e-12)

    def test_the_liveliest_second(self):
        """Around the one slip; in the middle of all windows that have it."""
        mode = runs_of((AIR, 3000), (STICK, 100), (SLIP, 100), (AIR, 3000))
        first = report.liveliest(mode, 1000)
        self.assertAlmostEqual(first + 500, 3100, delta=2)
        self.assertEqual(report.liveliest(mode[:800], 1000), 0)

    def test_no_empty_histograms(self):
        """A panel of delays without any says so; one with some draws them all, the latest at its end."""
        for delay, words, bars_drawn in ((np.zeros(0), "none in this run", 0),
                                         (np.full(3, np.nan), "none of 3 was known in time", 0),
                                         (np.array([0.002, 0.5, np.nan]), "how many, 2 of 3", 2)):
            axes = new_figure(3, 2).subplots()
            report._delays(axes, delay, "slip onset")
            said = [text.get_text() for text in axes.texts] + [axes.get_ylabel()]
            self.assertTrue(any(words in one for one in said), said)
            self.assertEqual(sum(patch.get_height() for patch in axes.patches), bars_drawn)

    def test_runs_of_all_lengths_are_drawn(self):
        """One tick, less than the window, and more; both pictures."""
        for plant, seconds in (("hopper", 0.001), ("leg", 0.4), ("hopper", 1.2)):
            options = run.Options(plant, str(default_chain(plant)), "host", seed=2, seconds=seconds)
            outcome = run.run(options, f"{plant}{seconds}", parameters)
            self.assertEqual(len(outcome.height), round(seconds * 1000))
            report.write_banner("banner.png", options, outcome)
            for name in ("banner.png", f"{plant}{seconds}/report.png"):
                with open(name, "rb") as file:
                    self.assertEqual(file.read(4), b"\x89PNG")


if __name__ == "__main__":
    unittest.main()
