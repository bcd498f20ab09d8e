# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Estimates from a log: those of the board, bit for bit, from a run's own log; those of an episode; the scores;
files."""
import csv
import unittest
from dataclasses import replace
from pathlib import Path

import numpy as np

import leglog_case as case
from tinycontact_case import ROOT, Temporary
from tinycontact.hil import metrics
from tinycontact.hil.chain_file import load_chain
from tinycontact.hil.episodes import episode
from tinycontact.hil.estimate import Estimator
from tinycontact.leglog import convert, demo, estimate, plot, told
from tinycontact.leglog.read import read

PNG = b"\x89PNG"


class Bits(Temporary):
    def test_a_run_on_a_board(self):
        """leg hil run, its log as CSV, leg estimate: what the board said, bit for bit, and what was true."""
        self.command("leg hil run", "--board", "host", "--plant", "leg", "--seed", 5, "--seconds", 1.5, "-o", "out")
        said = self.command("leg hil log", "out/log.bin", "-o", "log.csv", "--chain", "leg.json")[0]
        self.assertIn("log.csv: 1500 samples, t, q1, q2, tau1, tau2, gyro_y, accel_x, accel_z, pitch, board_contact",
                      said)
        result = estimate.run("leg.json", "log.csv")
        self.assertEqual((result.tick, result.findings, result.notes), (1e-3, [], []))
        with open("out/ticks.csv", newline="", encoding="ascii") as file:
            ticks = list(csv.DictReader(file))
        for k, name in enumerate(("p_air", "p_static", "p_dynamic")):
            np.testing.assert_array_equal(result.p[:, k].astype(np.float32),
                                          np.array([row[name] for row in ticks], np.float32))
        np.testing.assert_array_equal(result.truth[1:], [row["true_mode"] != "0" for row in ticks[:-1]])
        with open("log.csv", newline="", encoding="ascii") as file:
            self.assertEqual([int(row["board_contact"]) for row in csv.DictReader(file)],
                             result.contact.astype(int).tolist())

    def test_a_run_at_another_rate(self):
        """The same at 500 Hz with a configuration, which the estimate is given, too."""
        Path("config.json").write_text('{"rate": 500, "sensors": {"encoder": {"bits": 14}}, "settings": {"force": 99}}')
        self.command("leg hil run", "--board", "host", "--plant", "hopper", "--seed", 5, "--seconds", 0.6, "--config",
                     "config.json",
                     "-o", "out")
        self.command("leg hil log", "out/log.bin", "-o", "log.csv")
        result = estimate.run(case.chain_file("hopper"), "log.csv", checked=False, config="config.json")
        self.assertEqual((result.tick, result.encoder_bits, len(result.time)), (2e-3, 14, 300))
        with open("out/ticks.csv", newline="", encoding="ascii") as file:
            said = np.array([row["p_air"] for row in csv.DictReader(file)], np.float32)
        np.testing.assert_array_equal(result.p[:, 0].astype(np.float32), said)

    def test_a_log_without_truth_and_without_its_end(self):
        self.command("leg hil run", "--board", "host", "--plant", "hopper", "--seconds", 0.2, "-o", "out")
        Path("out/ticks.csv").unlink()
        data = Path("out/log.bin").read_bytes()
        Path("cut.bin").write_bytes(data[:len(data) * 2 // 3])
        self.refused("leg hil log", "cut.bin", "-o", "log.csv", told=["cut.bin"])
        self.command("leg hil log", "cut.bin", "-o", "log.csv", "--cut")
        log = read("log.csv")
        self.assertIsNone(log.contact)
        self.assertGreater(len(log), 90)


class Episodes(Temporary):
    def test_the_same_as_of_the_episode(self):
        """5 % of frames lost: the rows that are left are the estimator's, and the scores those of metrics.py, where
        what transport adds is left out."""
        recorded, chain = episode("leg", 8, 6.0, lost=0.05), load_chain(case.chain_file("leg"))
        convert.write("log.csv", convert.of_episode(chain, recorded), short=False)
        result = estimate.run(chain, "log.csv", checked=False)
        expected = Estimator(chain).run(recorded)
        here = recorded.lost[:len(result.time)] == 0
        np.testing.assert_array_equal(result.lost, ~here)
        np.testing.assert_array_equal(result.p[here], expected["p"][:len(here)][here])
        scores = result.scores["estimator"]
        judged = metrics.table([(recorded, expected)])
        self.assertEqual(scores["touch_downs"], judged["touch_downs"])
        self.assertEqual((scores["missed"], scores["false"]), (0, 0))
        self.assertAlmostEqual(scores["delay_mean"], judged["delay_mean"] - 1e-3, delta=6e-4)
        self.assertGreater(scores["contact_right"], 0.99)

    def test_a_leg_that_is_not_ours(self):
        """Three joints, MuJoCo's own sensors, 500 Hz and 250 Hz, with and without pitch: contact is found."""
        columns = case.columns_of("foreign")
        case.write("log.csv", columns)
        columns.pop("pitch")
        case.write("bare.csv", columns)
        for path, rate, least in (("log.csv", None, 0.99), ("bare.csv", None, 0.99), ("log.csv", 250, 0.97)):
            result = estimate.run(case.chain_file("foreign"), path, rate=rate, checked=False)
            scores = result.scores["estimator"]
            self.assertGreater(scores["contact_right"], least, (path, rate))
            self.assertEqual((scores["touch_downs"], scores["missed"], scores["false"]), (12, 0, 0), (path, rate))
            self.assertEqual(result.encoder_bits, 14 if rate is None else result.encoder_bits)
        own = 6 * 9.81   # N of a trunk and a leg, partly carried by the gantry
        for _, _, impulse, force in result.contacts():
            self.assertGreater(impulse[1], 0)
            self.assertLess(force, 20 * own)

    def test_configurations(self):
        """What the file says counts, then what the log shows, then what is usual."""
        columns, chain = case.plant("leg", 8, 2.0), load_chain(case.chain_file("leg"))
        case.write("log.csv", columns)

        def got(text=None, path="log.csv", leg=chain, **options):
            Path("config.json").write_text(text or "{}")
            return estimate.run(leg, path, checked=False, config=None if text is None else "config.json", **options)

        plain = got()
        self.assertEqual((plain.encoder_bits, round(plain.torque_noise, 6)), (16, 0.05))
        slow = got('{"rate": 500, "sensors": {"encoder": {"bits": 12}, "torque": {"noise": 0.3, "friction": 0}}}')
        self.assertEqual((slow.tick, slow.encoder_bits, round(slow.torque_noise, 6)), (2e-3, 12, 0.3))
        self.assertIn("resampled to 500 Hz", slow.notes[0])
        fast = got('{"rate": 2000}')
        said = "the configuration is for 2000 Hz, the log has 1000: estimated at the log's"
        self.assertEqual((fast.tick, fast.notes), (1e-3, [said]))
        np.testing.assert_array_equal(fast.p, plain.p)
        self.assertFalse(np.array_equal(got('{"settings": {"force": 60}}').p, plain.p))
        rubbed = replace(chain, links=[replace(link, friction=friction)
                                       for link, friction in zip(chain.links, (0.0, 0.12))])
        self.assertAlmostEqual(got(leg=rubbed).torque_noise, 0.13)
        self.assertAlmostEqual(got(leg=rubbed, torque_noise=0.4, bits=13).torque_noise, 0.4)
        self.refused("leg estimate", "--chain", case.chain_file("leg"), "log.csv", "--config", "absent.json",
                     told=["absent.json"])

    def test_encoder_bits(self):
        random, t = np.random.default_rng(3), np.arange(3000) * 1e-3
        for bits in (10, 12, 14, 17, 20):
            step = 2 * np.pi / 2**bits
            q = np.round((np.sin(6 * t) + 0.2 * step * random.standard_normal(3000)) / step) * step
            columns = {"t": t, "q1": q, "tau1": 0 * t}
            case.write("log.csv", columns)
            self.assertEqual(estimate.encoder_bits(read("log.csv"), [False]), bits)
        case.write("log.csv", {"t": t, "q1": np.sin(6 * t) + 1e-4 * random.standard_normal(3000), "tau1": 0 * t})
        self.assertEqual(estimate.encoder_bits(read("log.csv"), [False]), 16)

    def test_scores_of_known_estimates(self):
        """A touch-down known 3 ms late, one missed, one false: as counted by hand."""
        ticks, true, said = 1000, np.zeros(1000, bool), np.zeros(1000, bool)
        for begin, end in ((100, 200), (400, 480)):
            true[begin:end] = True
        said[103:200], said[700:705] = True, True
        part = case_segment(true)
        scores = estimate.score([part], [{"contact": said, "p": np.stack([~said, said, 0 * said], 1).astype(float),
                                          "impulse": np.zeros((ticks, 2))}])
        self.assertEqual((scores["touch_downs"], scores["missed"], scores["false"]), (2, 1, 1))
        self.assertAlmostEqual(scores["delay_mean"], 3.5e-3)   # the moment itself lies half a tick before its row
        self.assertAlmostEqual(scores["air"], 0.82)
        # 16 ticks at four edges are excused; wrong are 100 to 102 without the first two, 400 to 479 without four, 700
        # to 704
        self.assertAlmostEqual(1 - scores["contact_right"], (1 + 76 + 5) / (1000 - 16))


def case_segment(contact):
    from tinycontact.leglog.segments import Segment
    ticks = len(contact)
    return Segment(*[np.zeros((ticks, 2))] * 2, np.zeros(ticks), np.zeros((ticks, 2)), np.zeros(ticks), np.zeros(ticks),
                   1e-3, 0.0, (), contact=contact)


class Command(Temporary):
    def test_the_demonstration(self):
        """The log in the package is what its maker makes; command, files, picture, words."""
        demo.make("again.csv.gz")
        again, kept = read("again.csv.gz"), read(demo.LOG)
        self.assertEqual((len(again), again.columns), (len(kept), kept.columns))
        for name in ("q", "tau", "accel"):   # another processor's simulation goes its own way in the end
            np.testing.assert_allclose(getattr(again, name)[:150], getattr(kept, name)[:150], atol=2e-3, rtol=1e-3)
        out, _ = self.command("leg estimate", "--chain", demo.LEG, demo.LOG, "--plot", "log.png", "-o", "contact.csv",
                              "--strict")
        for words in ("against the column contact", "momentum observer", "6.00 s, 500 Hz, 0 ticks lost",
                      "encoders of 14 bits",
                      "log.png: a picture"):
            self.assertIn(words, out)
        self.assertIn("counts with 15 ms of air before it and 10 ms of contact after it", out)
        self.assertNotRegex(out, r"\de[+-]\d")
        self.assertNotIn("likely mistake", out)
        self.assertTrue(Path("log.png").read_bytes().startswith(PNG))
        with open("contact.csv", newline="", encoding="ascii") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual((tuple(rows[0]), len(rows)), (told.HEADER, 3000))
        result = estimate.run(demo.LEG, demo.LOG)
        self.assertGreater(result.scores["estimator"]["contact_right"], 0.995)
        self.assertEqual([int(row["contact"]) for row in rows], result.contact.astype(int).tolist())
        np.testing.assert_allclose([float(row["impulse_z"]) for row in rows], result.impulse[:, 1], rtol=1e-5,
                                   atol=1e-9)

    def test_a_mistake(self):
        columns = case.columns_of("leg")
        columns["tau1"], columns["tau2"] = -columns["tau1"], -columns["tau2"]
        case.write("log.csv", columns)
        words = ("leg estimate", "--chain", case.chain_file("leg"), "log.csv")
        out, err = self.command(*words, "--strict", status=1)
        self.assertIn("likely mistake 1: all torques have the wrong sign (misfit 0.", out)
        self.assertIn("log.csv: 1 likely mistake", err)
        self.assertNotIn("No mistake", out)
        unchecked, _ = self.command(*words, "--no-check")
        self.assertNotIn("likely mistake", unchecked)
        self.assertIn("not looked for (--no-check)", unchecked)
        half, _ = self.command(*words, "--columns", "tau1=-tau1")
        self.assertIn("All options together: --columns tau1=-tau1,tau2=-tau2", half)
        mended, _ = self.command(*words, "--columns", "tau1=-tau1", "--columns", "tau2=-tau2")
        self.assertNotIn("likely mistake", mended)
        self.assertRegex(mended, r"No mistake found: .* explain \d\d % of the log \(misfit 0\.\d\d\)")

    def test_the_picture_s_slip(self):
        """A single tick of contact, which no line shows, does not scale the axis; no colour is of two things."""
        result = estimate.run(demo.LEG, demo.LOG, checked=False)
        part = plot.window(result)
        alone = part.start + int(np.flatnonzero(~np.convolve(result.contact[part], np.ones(3), "same").astype(bool))[5])
        result.contact[alone], result.slip[alone] = True, 1e4
        axes = plot.picture(result).axes
        self.assertLess(axes[4].get_ylim()[1], 1e3)
        modes = set(plot.COLOURS.values())
        self.assertFalse(modes & {line.get_color() for line in axes[3].get_lines()})

    def test_refused(self):
        leg = case.chain_file("leg")
        case.write("log.csv", case.columns_of("leg"))
        self.refused("leg estimate", "--chain", leg, "absent.csv", told=["absent.csv"])
        self.refused("leg estimate", "--chain", "absent.json", "log.csv", told=["absent.json"])
        self.refused("leg estimate", "--chain", leg, "log.csv", "--columns", "q1=hip",
                     told=["no column 'hip'", "it has t, q1"])
        self.refused("leg estimate", "--chain", leg, "log.csv", "--gear", "six", told=["'six' is no number"])
        self.refused("leg estimate", "--chain", leg, "log.csv", "--plot", "absent/log.png", told=["absent"])
        for option, kind in (("--plot", ".png"), ("--html", ".html"), ("--mcap", ".mcap")):
            self.refused("leg estimate", "--chain", leg, "log.csv", option, "a.xyz",
                         told=["a.xyz", f"is written as {kind}"])
        self.refused("demo", "-o", "a.jpg", told=["a.jpg: is written as .png"])
        self.refused("leg check", leg, "--plot", "a.xyz", told=["a.xyz: is written as .png or .pdf or .svg"])
        self.refused("leg hil log", "log.csv", "-o", "out.csv", told=["is no log"])

    def test_what_the_estimator_refuses(self):
        """All of a log: with the likely reason; a tick of it: counted."""
        columns = case.plant("leg", 8, 2.0)
        case.write("log.csv", dict(columns) | {name: columns[name] * 10430 for name in ("q1", "q2")})
        words = ("leg estimate", "--chain", case.chain_file("leg"), "log.csv")
        self.refused(*words, told=["the estimator refuses the log", "is it in encoder counts"])
        torque = columns["tau1"].copy()
        torque[77] = 1e30
        case.write("log.csv", dict(columns) | {"tau1": torque})
        self.assertIn("impossible readings of 1 of 2000 ticks", self.command(*words, "--no-check")[0])

    def test_a_fixed_base_needs_no_imu(self):
        text = (ROOT / "tests" / "hil" / "chains" / "hopper.json").read_text().replace('"rail"', '"fixed"')
        Path("fixed.json").write_text(text)
        columns = case.columns_of("hopper")
        case.write("log.csv", {name: values for name, values in columns.items() if name[:1] in "tq"})
        self.command("leg estimate", "--chain", "fixed.json", "log.csv", "--no-check")


if __name__ == "__main__":
    unittest.main()
