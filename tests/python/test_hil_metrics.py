# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Truth and metrics on sequences made by hand, whose right answers are counted by hand."""
import unittest
from types import SimpleNamespace

import numpy as np

import tinycontact_case   # noqa: F401  the package's path
from tinycontact.hil import metrics, truth
from tinycontact.hil.truth import AIR, DYNAMIC, STATIC

TICKS = 200


def modes(*spans, ticks=TICKS):
    """[ticks] air but for (begin, end, mode)"""
    mode = np.full(ticks, AIR, np.int8)
    for begin, end, value in spans:
        mode[begin:end] = value
    return mode


def facts(mode, down=(), onset=(), speed=1.0):
    contact = mode != AIR
    down = np.array(down, float)
    up = [1e-3 * end for begin, end in truth.runs(contact)][:len(down)]
    return truth.Truth(mode, np.outer(contact, [0.0, 0.02]), np.zeros(len(mode)), down, np.array(up, float),
                       np.array(onset, float), np.full(len(down), speed))


def estimates(mode, **more):
    """Those of an estimator that is sure of `mode`."""
    p = np.eye(3)[mode]
    return {"p": p, "contact": (mode != AIR).astype(np.uint32), "impulse": np.outer(mode != AIR, [0.0, 0.02]), **more}


def later(mode, ticks):
    return np.concatenate([np.full(ticks, mode[0]), mode[:-ticks]])


def judged(true, said):
    return metrics.table([(SimpleNamespace(truth=true, tick=1e-3), said)])


class Truth(unittest.TestCase):
    def substeps(self, ticks=60):
        return [np.zeros((ticks, 8)) for _ in range(4)]

    def test_gaps_of_five_ticks_close_and_of_six_do_not(self):
        for gap, whole in ((5, True), (6, False)):
            touching = modes((20, 40, 1), (40 + gap, 60, 1)) > 0
            self.assertEqual(truth.close_gaps(touching)[20:60].all(), whole, gap)

    def test_event_needs_air_before_and_contact_after(self):
        for before, after, count in ((15, 10, 1), (14, 10, 0), (15, 9, 0)):
            contact = modes((before, before + after, 1)) > 0
            self.assertEqual(len(truth.events(contact)), count, (before, after))

    def test_edges_stand_at_the_begin_and_the_end_of_substeps(self):
        normal, tangent, slip, rise = self.substeps()
        normal[20, 3:], normal[21:40], normal[40, :2], rise[20, 3] = 5.0, 5.0, 5.0, -0.7
        got = truth.judge(normal, tangent, slip, rise, 1e-3)
        np.testing.assert_allclose(got.touch_down, [0.020375])
        np.testing.assert_allclose(got.lift_off, [0.04025])
        np.testing.assert_allclose(got.touch_speed, [0.7])
        np.testing.assert_allclose(got.impulse[20], [0, 5 * 5 * 0.000125], rtol=1e-6)
        self.assertEqual(got.mode.tolist(), modes((20, 41, STATIC), ticks=60).tolist())

    def test_slip_onset_needs_ten_ticks_of_stick_before_and_of_slip_after(self):
        for stick, slipped, count in ((10, 10, 1), (9, 10, 0), (10, 9, 0)):
            normal, tangent, slip, rise = self.substeps()
            normal[20:20 + stick + slipped] = 5.0
            slip[20 + stick:] = -0.06
            slip[20 + stick, :2] = -0.04
            got = truth.judge(normal, tangent, slip, rise, 1e-3)
            np.testing.assert_allclose(got.slip_onset, [1e-3 * (20 + stick) + 0.00025][:count])

    def test_contact_that_the_episode_ends_in_has_no_lift_off(self):
        normal, tangent, slip, rise = self.substeps()
        normal[30:] = 1.0
        got = truth.judge(normal, tangent, slip, rise, 1e-3)
        self.assertEqual(len(got.touch_down), 1)
        self.assertTrue(np.isnan(got.lift_off[0]))


class Ticks(unittest.TestCase):
    def test_perfect_and_two_ticks_late_are_right_three_are_not(self):
        mode = modes((50, 120, STATIC))
        for ticks, wrong in ((0, 0), (2, 0), (3, 2), (5, 6)):
            said = estimates(later(mode, ticks) if ticks else mode)
            got = judged(facts(mode, [0.05]), said)
            self.assertAlmostEqual(got["contact_right"], 1 - wrong / (TICKS - 8), msg=str(ticks))

    def test_three_classes_excuse_edges_between_stick_and_slip(self):
        mode = modes((50, 80, STATIC), (80, 120, DYNAMIC))
        said = modes((50, 77, STATIC), (77, 120, DYNAMIC))
        got = judged(facts(mode, [0.05]), estimates(said))
        self.assertEqual(got["contact_right"], 1)
        self.assertAlmostEqual(got["mode_right"], 1 - 1 / (TICKS - 12))

    def test_class_needs_the_contact_flag(self):
        said = estimates(modes((50, 120, STATIC)))
        said["contact"][:] = 0
        self.assertTrue((metrics.classes(said) == AIR).all())


class TouchDowns(unittest.TestCase):
    def test_delay_and_what_cannot_be_beaten(self):
        """Touched at 50.375 ms: the sample of 51 ms shows it, arrives at 52; the tick that ends then is number 51."""
        mode = modes((50, 120, STATIC))
        got = judged(facts(mode, [0.050375]), estimates(modes((51, 120, STATIC))))
        self.assertAlmostEqual(got["delay_mean"], 1.625e-3)
        self.assertAlmostEqual(got["delay_above"], 0.0)
        got = judged(facts(mode, [0.050375]), estimates(modes((53, 120, STATIC))))
        self.assertAlmostEqual(got["delay_above"], 2e-3)
        self.assertEqual((got["missed"], got["false"], got["early"]), (0, 0, 0))

    def test_touch_at_a_sample_waits_for_the_next(self):
        got = judged(facts(modes((50, 120, STATIC)), [0.05]), estimates(modes((51, 120, STATIC))))
        self.assertAlmostEqual(got["delay_above"], 0.0)

    def test_publication_at_the_moment_itself_comes_before_it(self):
        flags = np.array([True, False, False, True])
        waits = metrics.first_after(flags, np.array([0.0005, 0.001, 0.004]))
        np.testing.assert_allclose(waits, [0.0005, 0.003, np.nan])

    def test_missed_after_thirty_milliseconds(self):
        mode = modes((50, 120, STATIC))
        for begin, missed in ((79, 0), (80, 1)):
            got = judged(facts(mode, [0.05]), estimates(modes((begin, 120, STATIC))))
            self.assertEqual(got["missed"], missed, begin)

    def test_false_rises_are_those_out_of_reach_of_contact(self):
        mode = modes((50, 120, STATIC))
        for rise, false in ((30, 1), (49, 1), (50, 0), (124, 0), (125, 1)):
            said = modes((rise, rise + 1, STATIC))
            self.assertEqual(judged(facts(mode, [0.05]), estimates(said))["false"], false, rise)

    def test_rate_of_false_ones(self):
        got = judged(facts(modes()), estimates(modes((30, 40, STATIC), (60, 65, STATIC))))
        self.assertAlmostEqual(got["false_rate"], 2 * 1800 / 0.2)
        self.assertAlmostEqual(got["false_bound"], 6.2958 * 1800 / 0.2, delta=1)   # Garwood
        self.assertAlmostEqual(metrics.poisson_bound(0), -np.log(0.05), places=6)

    def test_early_is_what_was_published_at_the_moment_or_before(self):
        """A foot that touches in tick k, or as it begins: what tick k - 1 published at its end came before, what tick k
        does comes after. At all k, for k ms over 1 ms is not always k in floating point."""
        for k in range(20, 120):
            for moment in (1e-3 * k, 1e-3 * k + 4e-4):
                true = facts(modes((k, 150, STATIC)), [moment])
                for begin, early in ((k - 1, 1), (k, 0)):
                    self.assertEqual(judged(true, estimates(modes((begin, 150, STATIC))))["early"], early, (moment, begin))

    def test_ticks_of_another_length(self):
        """Excused are 2 ms, tolerated 5 ms, whatever a tick is: here 0.5 ms."""
        mode = modes((100, 160, STATIC))
        for rise, false in ((99, 1), (100, 0), (169, 0), (170, 1)):
            said = estimates(modes((rise, rise + 1, STATIC)))
            episode = SimpleNamespace(truth=facts(mode, [0.05]), tick=0.5e-3)
            self.assertEqual(metrics.table([(episode, said)])["false"], false, rise)
        late = estimates(later(mode, 4))
        got = metrics.table([(SimpleNamespace(truth=facts(mode, [0.0501]), tick=0.5e-3), late)])
        self.assertEqual(got["contact_right"], 1)
        self.assertAlmostEqual(got["delay_mean"], 0.5e-3 * 105 - 0.0501)
        self.assertAlmostEqual(got["air"], 0.5e-3 * (TICKS - 60))
        gap = modes((20, 40, 1), (50, 70, 1)) > 0
        self.assertTrue(truth.close_gaps(gap, 0.5e-3)[20:70].all())
        self.assertFalse(truth.close_gaps(gap, 1e-3)[20:70].all())

    def test_believed_before_is_early_and_false(self):
        got = judged(facts(modes((50, 120, STATIC)), [0.0505]), estimates(modes((40, 120, STATIC))))
        self.assertEqual((got["early"], got["false"]), (1, 1))


class Slip(unittest.TestCase):
    mode = modes((50, 80, STATIC), (80, 120, DYNAMIC))

    def test_recall_within_five_milliseconds_of_the_true_onset(self):
        for begin, prompt in ((84, 1.0), (85, 0.0)):   # published at 85 and 86 ms
            said = modes((51, begin, STATIC), (begin, 120, DYNAMIC))
            got = judged(facts(self.mode, [0.05], [0.0802]), estimates(said))
            self.assertEqual((got["onset_prompt"], got["onset_recall"]), (prompt, 1.0))

    def test_share_of_stick_called_slip(self):
        said = modes((50, 60, DYNAMIC), (60, 120, STATIC))
        got = judged(facts(self.mode, [0.05], [0.08]), estimates(said))
        self.assertAlmostEqual(got["stick_as_slip"], 8 / 26)   # without two at each edge
        self.assertEqual(got["onset_recall"], 0.0)

    def test_curve_trades_recall_for_false_slip(self):
        """p_dynamic is 0.12 in the first ten stick ticks, 0.3 after the onset: between them lie thresholds that err on
        neither side."""
        said = estimates(modes((50, 120, STATIC)))
        said["p"][50:60] = [0, 0.88, 0.12]
        said["p"][81:120] = [0, 0.7, 0.3]
        curve = metrics.onset_curve(metrics.judge(SimpleNamespace(truth=facts(self.mode, [0.05], [0.08]), tick=1e-3), said))
        at = {round(threshold, 3): row for threshold, row in zip(metrics.THRESHOLDS, curve)}
        np.testing.assert_allclose(at[0.1], [8 / 26, 1, 1])
        np.testing.assert_allclose(at[0.2], [0, 1, 1])
        np.testing.assert_allclose(at[0.5], [0, 0, 0])
        self.assertEqual(metrics.recall_at(curve, 0.01), 1.0)


class Rest(unittest.TestCase):
    def test_impulse_of_whole_contacts_one_tick_later(self):
        mode = modes((50, 120, STATIC))
        exact = estimates(later(mode, 1))
        self.assertAlmostEqual(judged(facts(mode, [0.05]), exact)["impulse"], 0.0)
        exact["impulse"][50] = 1.0   # tells of the tick before the contact
        self.assertAlmostEqual(judged(facts(mode, [0.05]), exact)["impulse"], 0.0)
        exact["impulse"][50] = 0.0
        exact["impulse"] = 1.1 * exact["impulse"]
        self.assertAlmostEqual(judged(facts(mode, [0.05]), exact)["impulse"], 0.1)

    def test_prediction_published_before_twenty_milliseconds_ahead(self):
        """Touched at 50.4 ms: the last publication before 30.4 is that of tick 29, at 30 ms, 20.4 ms before."""
        ahead = np.full(TICKS, np.nan)
        ahead[29], early, late = 0.0224, np.full(TICKS, 0.019), np.full(TICKS, 0.021)
        true = facts(modes((50, 120, STATIC)), [0.0504])
        got = judged(true, estimates(true.mode, ahead=ahead, early=early, late=late))
        self.assertAlmostEqual(got["ahead_fast"], 2e-3)
        self.assertEqual((got["ahead_covered"], got["unpredicted"]), (1.0, 0))
        self.assertEqual(judged(true, estimates(true.mode))["unpredicted"], 1)

    def test_calibration_error_of_a_constant_opinion(self):
        said = estimates(modes((50, 120, STATIC)))
        said["p"] = np.tile([0.75, 0.25, 0.0], (TICKS, 1))
        mode = modes((50, 120, STATIC))
        true_share = (70 - 4) / (TICKS - 8)
        self.assertAlmostEqual(judged(facts(mode, [0.05]), said)["calibration"], abs(0.25 - true_share))

    def test_pooling_two_episodes_adds_counts(self):
        mode = modes((50, 120, STATIC))
        pair = (SimpleNamespace(truth=facts(mode, [0.0503], [0.1]), tick=1e-3), estimates(later(mode, 2)))
        once, twice = metrics.table([pair]), metrics.table([pair, pair])
        self.assertEqual(twice["touch_downs"], 2)
        for name in ("contact_right", "delay_mean", "impulse", "calibration", "false"):
            self.assertAlmostEqual(once[name], twice[name], msg=name)


if __name__ == "__main__":
    unittest.main()
