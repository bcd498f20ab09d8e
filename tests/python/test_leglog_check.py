# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Mistakes in logs of three legs, one of which this project's plants did not make: each is named, with an option that
mends it, and a log that is right is left in peace."""
import unittest
from dataclasses import replace
from unittest import mock

import numpy as np

import leglog_case as case
from tinycontact_case import Temporary
from tinycontact.hil.chain_file import load_chain, parse_chain
from tinycontact.leglog import check, mistakes, physics, timing
from tinycontact.leglog.read import read
from tinycontact.leglog.segments import segments

G = 9.81


def times(factor, *names):
    return lambda d: {**d, **{name: factor * d[name] for name in names}}


def swapped(*pairs):
    return lambda d: {**d, **{a: d[b] for a, b in pairs}, **{b: d[a] for a, b in pairs}}


def shifted(name, by):
    return lambda d: {**d, name: d[name] + by}


def without_gravity(d):
    return {**d, "accel_x": d["accel_x"] + G * np.sin(-d["pitch"]), "accel_z": d["accel_z"] - G * np.cos(d["pitch"])}


def both(first, second):
    return lambda d: second(first(d))


# name: (what is done to the log, words of the finding, the option that mends it)
OF_HOPPER = {
    "torque": (times(-1, "tau2"), "tau2 has the wrong sign", "--columns tau2=-tau2"),
    "all torques": (times(-1, "tau1", "tau2"), "all torques have the wrong sign", "tau1=-tau1,tau2=-tau2"),
    "swapped": (swapped(("q1", "q2"), ("tau1", "tau2")), "joints 1 and 2 are swapped",
                "q1=q2,q2=q1,tau1=tau2,tau2=tau1"),
    "in g": (times(1 / 9.80665, "accel_x", "accel_z"), "is in g", "accel_x=accel_x*9.80665"),
}
OF_LEG = {
    "degrees": (times(180 / np.pi, "q1", "q2"), "q1, q2 are in degrees", "q1=q1*0.0174533"),
    "angle": (times(-1, "q1"), "q1 has the wrong sign", "--columns q1=-q1"),
    "axis": (times(-1, "q2", "tau2"), "joint 2's axis points the other way", "q2=-q2,tau2=-tau2"),
    "motor side": (times(1 / 9.05, "tau1", "tau2"), "too small by a factor of 9", "tau1=tau1*9"),
    "weak": (times(0.7, "tau1", "tau2"), "too small by a factor of 1.4", "the chain's masses are wrong"),
    "no gravity": (without_gravity, "gravity is missing", "do not subtract gravity"),
    "upside down": (times(-1, "accel_x", "accel_z"), "the accelerometer has the wrong sign", "accel_z=-accel_z"),
    "gyro": (times(-1, "gyro_y"), "gyro_y has the wrong sign", "gyro_y=-gyro_y"),
    "gyro degrees": (times(180 / np.pi, "gyro_y"), "gyro_y is in degrees", "gyro_y=gyro_y*0.0174533"),
}
OF_FOREIGN = {
    "milli": (times(1e3, "tau1", "tau2", "tau3"), "in mN m", "tau1=tau1*0.001"),
    "knee's zero": (shifted("q2", 0.4), "the encoder of q2 has its zero elsewhere: +0.4", "--columns q2=q2-0.4"),
    "torques swapped": (swapped(("tau2", "tau3")), "tau2 and tau3 are swapped", "tau2=tau3,tau3=tau2"),
    "forward": (times(-1, "accel_x"), "accel_x has the wrong sign", "accel_x=-accel_x"),
    "axis": (times(-1, "q3", "tau3"), "joint 3's axis", "q3=-q3,tau3=-tau3"),
    "all angles": (times(-1, "q1", "q2", "q3"), "all joint angles have the wrong sign", "q1=-q1,q2=-q2,q3=-q3"),
    "gyro": (times(-1, "gyro_y"), "gyro_y has the wrong sign", "gyro_y=-gyro_y"),
}


class Found(Temporary):
    def found(self, leg, columns, options=None):
        case.write("log.csv", columns)
        log, chain = read("log.csv", options), load_chain(case.chain_file(leg))
        return check.check(chain, log, segments(chain, log)[0])

    def named(self, leg, mistakes, pitch=True):
        for name, (spoil, words, fix) in mistakes.items():
            columns = spoil(case.columns_of(leg))
            if not pitch:
                columns.pop("pitch", None)
            with self.subTest(leg=leg, mistake=name):
                found = self.found(leg, columns)
                told = "\n".join(finding.words() for finding in found)
                self.assertIn(words, told)
                self.assertIn(fix, told)
                self.assertLessEqual(len(found), 2, told)   # pitch and gyro are compared, too
                self.assertLess(found[0].after, 0.2, told)


class Clean(Found):
    def test_a_log_that_is_right(self):
        for leg in ("hopper", "leg", "foreign"):
            for pitch in (True, False):
                columns = case.columns_of(leg)
                if not pitch:
                    columns.pop("pitch", None)
                self.assertEqual([finding.words() for finding in self.found(leg, columns)], [], (leg, pitch))

    def test_bad_sensors_are_no_mistake(self):
        """Noise, coarse encoders, lost rows, other ticks, soft floors, a leg a fifth heavier."""
        for options in ({"noise": 3.0, "encoder_bits": 12}, {"lost": 0.05, "law": "spring250"}, {"tick": 4e-3},
                        {"mass": 1.2}):
            columns = case.plant("leg", 7, 6.0, **options)
            self.assertEqual([finding.words() for finding in self.found("leg", columns)], [], options)


class Attitude(Found):
    """Logs without pitch that begin in flight, or go on there: an accelerometer near 0 g shows no attitude."""

    def examined(self, columns):
        columns.pop("pitch", None)
        case.write("log.csv", columns)
        chain, log = load_chain(case.chain_file("foreign")), read("log.csv")
        parts, notes = segments(chain, log)
        return check.examine(chain, log, parts), "\n".join(notes)

    def test_cuts(self):
        columns = dict(case.foreign(thrown=True))
        flights = np.flatnonzero(np.abs(columns["accel_z"]) < 0.5)
        for first in np.random.default_rng(5).choice(flights[flights < 2500], 8, replace=False):
            examined, notes = self.examined({name: values[first:first + 1500] for name, values in columns.items()})
            self.assertEqual([finding.words() for finding in examined.findings], [], first)
            self.assertIn("No mistake found", examined.words())
            self.assertIn("begins in flight", notes)
            self.assertIn("the column pitch", notes)

    def test_gaps(self):
        columns = dict(case.foreign(thrown=True))
        flights = np.flatnonzero(np.abs(columns["accel_z"]) < 0.5)
        for last in np.random.default_rng(6).choice(flights[(flights > 1000) & (flights < 3000)], 4, replace=False):
            here = (np.arange(4000) < last - 400) | (np.arange(4000) >= last)
            examined, notes = self.examined({name: values[here] for name, values in columns.items()})
            self.assertEqual([finding.words() for finding in examined.findings], [], last)
            self.assertIn("in flight", notes)

    def test_too_short_to_know(self):
        columns = dict(case.foreign(thrown=True))
        first = np.flatnonzero(np.abs(columns["accel_z"]) < 0.5)[100]
        examined, _ = self.examined({name: values[first:first + 500] for name, values in columns.items()})
        self.assertEqual(examined.findings, [])
        self.assertIn("could not be checked", examined.words())
        self.assertIn("the column pitch", examined.words())

    def test_attitude_of_a_cut(self):
        """Within 0.1 rad of the true pitch, wherever the log begins."""
        columns = dict(case.foreign(thrown=True))
        for first in range(50, 2300, 200):
            part = {name: values[first:first + 1500] for name, values in columns.items()}
            true = part.pop("pitch")
            case.write("log.csv", part)
            (found,), _ = segments(load_chain(case.chain_file("foreign")), read("log.csv"))
            self.assertLess(np.max(np.abs(found.pitch + true)), 0.15, first)

    def test_at_rest_nothing_is_noted(self):
        columns = dict(case.foreign(thrown=True))
        still = {name: np.concatenate([np.repeat(values[:1], 250), values]) for name, values in columns.items()}
        still |= {"t": np.arange(4250) * 2e-3, "gyro_y": still["gyro_y"] * (np.arange(4250) >= 250)}
        for name, value in (("accel_x", 0.0), ("accel_z", G)):
            still[name][:250] = value
        self.assertNotIn("in flight", self.examined(still)[1])


class Rotors(Found):
    def test_a_rotor_that_the_chain_lacks(self):
        """URDF has none: the value that MuJoCo's leg has is found, within a tenth."""
        case.write("log.csv", case.columns_of("foreign"))
        log, chain = read("log.csv"), load_chain(case.chain_file("foreign"))
        parts, _ = segments(chain, log)
        for k, inertia in ((1, 0.0), (0, 0.1), (1, 0.09)):
            links = list(chain.links)
            links[k] = replace(links[k], rotor_inertia=inertia)
            found = check.check(replace(chain, links=links), log, parts)
            told = "\n".join(finding.words() for finding in found)
            self.assertIn(f"rotor_inertia of joint {k + 1} is {inertia:.3g} kg m^2", told)
            self.assertIn("square of the gear ratio", told)
            value = float(found[0].text.split("; ")[1].split()[0])
            self.assertAlmostEqual(value, 0.01, delta=0.0015)
            self.assertEqual(len(found), 1, told)


class Gains(Found):
    def test_small_gains_are_not_argued(self):
        """Of the changes that a search proposes the last must take a tenth of the misfit."""
        leg = load_chain(case.chain_file("leg")).planar()
        x = physics.Smooth(*[np.zeros((40, 2))] * 4, np.zeros(40), np.zeros(40), np.zeros((40, 2)), np.zeros(40))
        shares = iter((0.95, 0.80, 0.75))

        def node(changes, x, leg, noise):
            return check.Node(changes, x, leg, np.full(40, next(shares)))

        change = check_change()
        begin = check.Node((), x, leg, np.ones(40))
        with mock.patch.object(check, "_node", node):
            kept = check._worth([begin], (change, change, change), None)
        self.assertEqual([one.share for one in kept], [1.0, 0.95, 0.80])


def check_change():
    return mistakes.Change("nothing", lambda x, leg: (x, leg))


class Belts(Found):
    """A knee that its motor at the hip drives by a belt: encoders and torques are the motors'."""
    DRIVES = np.array([[1.0, 0.0], [1.0, -2.0]])

    def belted(self, spoil=dict, motors=True):
        columns = dict(case.columns_of("leg"))
        if motors:
            q, tau = (np.column_stack([columns[f"{kind}{k}"] for k in (1, 2)]) for kind in ("q", "tau"))
            q, tau = q @ self.DRIVES.T, tau @ np.linalg.inv(self.DRIVES)
            columns |= {f"q{k + 1}": q[:, k] for k in (0, 1)} | {f"tau{k + 1}": tau[:, k] for k in (0, 1)}
        case.write("log.csv", spoil(columns))
        chain = replace(load_chain(case.chain_file("leg")), drives=self.DRIVES)
        log = read("log.csv")
        parts, notes = segments(chain, log)
        self.assertIn("taken as the motors'", notes[-1])
        return parts[0], check.check(chain, log, parts)

    def test_motors_become_joints(self):
        part, found = self.belted()
        columns = case.columns_of("leg")
        self.assertEqual(found, [])
        for k in (0, 1):
            np.testing.assert_allclose(part.encoder[:, k], columns[f"q{k + 1}"], atol=1e-6)
            np.testing.assert_allclose(part.torque[:, k], columns[f"tau{k + 1}"], atol=1e-4)

    def test_mistakes_are_of_motors(self):
        for spoil, words in ((times(-1, "tau2"), "tau2 has the wrong sign"), (times(-1, "q2"), "q2 has the wrong sign"),
                             (swapped(("tau1", "tau2")), "tau1 and tau2 are swapped"),
                             (shifted("q2", -1.0), "q2 has its zero")):
            (only,) = self.belted(spoil)[1]
            self.assertIn(words, only.text)
        (only,) = self.belted(motors=False)[1]
        self.assertIn("q and tau are the joints', not those of the motors", only.text)


class Mistakes(Found):
    def test_of_the_hopper(self):
        """On a rail two mistakes may be the same log, seen in a mirror: then both are named."""
        self.named("hopper", OF_HOPPER)

    def test_of_the_leg(self):
        self.named("leg", OF_LEG, pitch=False)

    def test_of_a_leg_that_is_not_ours(self):
        self.named("foreign", OF_FOREIGN)

    def test_two_at_once(self):
        spoil = both(times(180 / np.pi, "q1", "q2"), times(-1, "tau2"))
        found = self.found("leg", spoil(case.columns_of("leg")))
        self.assertEqual({finding.text for finding in found},
                         {"q1, q2 are in degrees, not radians", "tau2 has the wrong sign"})
        self.assertLess(found[-1].after, 0.2)

    def test_the_option_mends_it(self):
        """The log with its mistake, and the option of the finding: nothing is found any more."""
        for spoil in (both(times(-1, "q1"), times(180 / np.pi, "q2")), shifted("q2", 0.5), swapped(("tau1", "tau3"))):
            columns = spoil(case.columns_of("foreign"))
            found = self.found("foreign", columns)
            options = (check.together(found) or found[0].fix).removeprefix("--columns ")
            self.assertEqual([finding.words() for finding in self.found("foreign", columns, options)], [], options)

    def test_four_at_once(self):
        """A log in other units throughout, and a knee that counts the other way: one option mends all."""
        columns = times(180 / np.pi, "q1", "q2", "q3", "gyro_y", "pitch")(case.columns_of("foreign"))
        columns = times(-1, "q2")(times(1 / 9.80665, "accel_x", "accel_z")(columns))
        columns.pop("pitch")
        found = self.found("foreign", columns)
        self.assertEqual([finding.text for finding in found],
                         ["the accelerometer is in g, not m/s^2", "q1, q2, q3 are in degrees, not radians",
                          "gyro_y is in degrees per second, not radians", "q2 has the wrong sign"])
        option = check.together(found)
        self.assertEqual(self.found("foreign", columns, option.removeprefix("--columns ")), [], option)

    def test_another_leg(self):
        """A chain that is not this log's: no sign helps, and that is said."""
        columns = case.columns_of("leg")
        random = np.random.default_rng(0)
        for name in ("tau1", "tau2"):
            columns[name] = 5 * np.convolve(random.standard_normal(len(columns["t"])), np.ones(80) / 9, "same")
        told = [finding.words() for finding in self.found("leg", columns)]
        self.assertIn("the chain does not explain the log", told[-1])


class Rates(Found):
    def test_rates_beside_angles(self):
        columns = case.columns_of("foreign")
        rate = {f"dq{k}": np.gradient(columns[f"q{k}"], columns["t"]) for k in (1, 2, 3)}
        self.assertEqual(self.found("foreign", columns | rate), [])
        for spoiled, words in ((rate | {"dq2": -rate["dq2"]}, "dq2 has the wrong sign"),
                               (rate | {"dq1": np.degrees(rate["dq1"])}, "dq1 is in degrees per second"),
                               (rate | {"dq1": 0 * rate["dq1"]}, "dq1 is 0 throughout"),
                               (rate | {"dq3": rate["dq3"] * 30 / np.pi}, "dq3 is in turns per minute")):
            (only,) = self.found("foreign", columns | spoiled)
            self.assertIn(words, only.words())

    def test_torques_of_another_time(self):
        """Filtered or queued: 20 ms late, and 12 ms early."""
        columns = case.columns_of("leg")
        for ticks, words in ((20, "20 ms late"), (-12, "12 ms early")):
            (only,) = self.found("leg", columns | {name: np.roll(columns[name], ticks) for name in ("tau1", "tau2")})
            self.assertIn(f"the torques are about {words}", only.text)

    def test_torques_of_another_row(self):
        """A row early, as a command that is logged when it is given: named, and mended by the option."""
        for leg, rows in (("leg", 1), ("foreign", 1), ("foreign", 2)):
            columns = case.columns_of(leg)
            names = [name for name in columns if name.startswith("tau")]
            spoiled = columns | {name: np.roll(columns[name], -rows) for name in names}
            with self.subTest(leg=leg, rows=rows):
                (only,) = self.found(leg, spoiled)
                self.assertIn(f"the torques come {rows} row{'s' * (rows > 1)} early, as commands do", only.text)
                self.assertIn(f"{names[0]}={names[0]}@{rows}", only.fix)
                self.assertEqual(self.found(leg, spoiled, only.fix.removeprefix("--columns ")), [])

    def test_small_errors_of_the_chain_are_not_times(self):
        """Links a seventh heavier, rotors a third off, no damping."""
        for leg in ("hopper", "leg", "foreign"):
            text = load_chain(case.chain_file(leg)).text
            case.write("log.csv", case.columns_of(leg))
            log = read("log.csv")
            for name, factor in (("mass", 1.15), ("mass", 0.87), ("rotor_inertia", 0.7), ("rotor_inertia", 1.4),
                                 ("damping", 0.0)):
                other = {**text, "links": [{**link, name: link.get(name, 0.0) * factor} for link in text["links"]]}
                chain = parse_chain(other, "other.json")
                (part,) = segments(chain, log)[0]
                x = timing.every_row(part, chain)
                self.assertEqual(timing.rows_early(chain.planar(), x, physics.noise_of(chain)), 0, (leg, name, factor))

    def test_rows_of_another_clock_are_not_counted(self):
        """Rows that come unevenly become ticks by interpolation; which torque is of which is not known then."""
        columns = case.columns_of("foreign")
        t = columns["t"] + 0.35 * 2e-3 * np.sin(1.7 * np.arange(len(columns["t"])))
        self.assertEqual(self.found("foreign", columns | {"t": t} | {
            name: np.roll(columns[name], -1) for name in ("tau1", "tau2", "tau3")}), [])

    def test_columns_that_stand_still(self):
        columns = case.columns_of("leg")
        told = [finding.words() for finding in self.found("leg", columns | {"tau1": 0 * columns["tau1"],
                                                                            "contact": 0 * columns["contact"]})]
        self.assertIn("tau1 is 0 throughout", told[0])
        self.assertIn("contact is 0 throughout: there is nothing to score", told[1])
        still = {name: values if name in ("t", "contact") else 0 * values + 0.1 for name, values in columns.items()}
        told = self.found("leg", still)
        self.assertIn("no joint moves", told[-1].text)

    def test_other_axes_and_units(self):
        """Gravity along y; joints in counts: no option can be proposed, but what it is can be said."""
        columns = case.columns_of("leg")
        (only,) = self.found("leg", columns | {"accel_y": columns["accel_z"], "accel_z": 0 * columns["accel_z"]})
        self.assertRegex(only.text, r"accel_y has 9\.[678]\d?: the vertical axis is z")
        counts = times(2**16 / (2 * np.pi), "q1", "q2")(columns)
        self.assertIn("rad: is it in encoder counts", self.found("leg", counts)[0].text)


class Physics(unittest.TestCase):
    def test_forces_of_the_floor(self):
        """What a force within the cone leaves, against a search over forces."""
        random = np.random.default_rng(1)
        for n in (1, 2, 3):
            J, r, s = random.normal(size=(30, 2, n)), random.normal(size=(30, n)), random.uniform(0.5, 2, (30, n))
            least = physics._by_force(J, r, s)
            angles = np.linspace(np.pi / 4, 3 * np.pi / 4, 4001)
            for k in range(30):
                columns = J[k].T @ np.stack([np.cos(angles), np.sin(angles)]) / s[k][:, None]
                force = np.maximum(columns.T @ (r[k] / s[k]) / np.sum(columns**2, axis=0), 0)
                left = np.mean(((r[k] / s[k])[:, None] - columns * force)**2, axis=0).min()
                self.assertLess(least[k], left + 1e-9)
                self.assertGreater(least[k], left - 1e-3 - 0.01 * left)

    def test_derivatives(self):
        tick = 1e-3
        t = np.arange(400) * tick
        for kernel, of in zip(physics.kernels_of(tick), (t**2, 2 * t, 2 + 0 * t)):
            out = physics.filtered((t**2)[:, None], kernel)[:, 0]
            margin = len(kernel) // 2
            np.testing.assert_allclose(out, of[margin:-margin], atol=2e-4 * max(1, of.max()))


if __name__ == "__main__":
    unittest.main()
