# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Logs as people have them: other names, units and separators, gaps, clocks that jump; and what is refused, in which
words."""
import gzip
import unittest

import numpy as np

import leglog_case as case
from tinycontact_case import Temporary, tc
from tinycontact.digits import plain
from tinycontact.hil.chain_file import load_chain
from tinycontact.leglog import clock
from tinycontact.leglog.read import read, role_of
from tinycontact.leglog.segments import segments


def made(rows=400, tick=1e-3, joints=2):
    """{column: [rows]} of a smooth motion."""
    t = np.arange(rows) * tick
    columns = {"t": t}
    for k in range(joints):
        columns |= {f"q{k + 1}": np.sin(9 * t + k), f"tau{k + 1}": np.cos(7 * t + k)}
    return columns | {"gyro_y": 0.3 * np.cos(5 * t), "accel_x": 0.2 * t, "accel_z": 9.81 + 0.1 * np.sin(30 * t),
                      "contact": (np.sin(20 * t) > 0).astype(int)}


class Files(Temporary):
    def written(self, columns, name="log.csv"):
        case.write(name, columns)
        return name

    def text(self, text, name="log.csv"):
        with open(name, "w", encoding="utf-8") as file:
            file.write(text)
        return name

    def refused_file(self, path, *words, columns=None):
        with self.assertRaises(tc.TinycontactError) as caught:
            read(path, columns)
        for word in (str(path), *words):
            self.assertIn(word, str(caught.exception))


class Names(Files):
    def test_roles(self):
        for name, role in {"t": ("t", 1), "t_ns": ("t", 1e-9), "time": ("t", 1), "timestamp_us": ("t", 1e-6),
                           "q1": ("q1", 1),
                           "q_2": ("q2", 1), "q[3]": ("q3", 1), "q2_deg": ("q2", np.pi / 180), "torque1": ("tau1", 1),
                           "tau2_mNm": ("tau2", 1e-3), "current1_mA": ("current1", 1e-3), "gyro": ("gyro_y", 1),
                           "gyro_y_deg": ("gyro_y", np.pi / 180), "accel_z_g": ("accel_z", 9.80665),
                           "contact": ("contact", 1),
                           "dq1_rpm": ("dq1", np.pi / 30)}.items():
            found = role_of(name)
            self.assertEqual(found[0], role[0], name)
            self.assertAlmostEqual(found[1], role[1], msg=name)
        for name in ("q", "q12", "speed", "q1_parsec", "tau", "", "accel", "t_h", "qd1", "quality1"):
            self.assertIsNone(role_of(name), name)

    def test_mapped(self):
        columns = made()
        mine = {"stamp": columns["t"] * 1e9 + 1.7e18, "hip": np.degrees(columns["q1"]),
                "knee pos": -columns["q2"] + 0.5,
                "i1": columns["tau1"] / 0.5, "i2": columns["tau2"] / 0.5, "wy": columns["gyro_y"],
                "ax": columns["accel_x"],
                "az": columns["accel_z"] / 9.80665, "note": columns["t"]}
        log = read(self.written(mine), "t_ns=stamp, q1_deg=hip, q2=-knee pos+0.5, current1=i1, current2=i2, gyro_y=wy,"
                   "accel_x=ax, accel_z_g=az")
        for name, wanted in (("q", np.column_stack([columns["q1"], columns["q2"]])), ("gyro", columns["gyro_y"]),
                             ("accel", np.column_stack([columns["accel_x"], columns["accel_z"]]))):
            np.testing.assert_allclose(getattr(log, name), wanted, atol=1e-6)
        np.testing.assert_allclose(log.time, columns["t"], atol=1e-6)
        self.assertIsNone(log.tau)
        parts, _ = segments(load_chain(case.chain_file("leg")), log, constant=[0.05], gear=[10])
        np.testing.assert_allclose(parts[0].torque[:, 0], columns["tau1"], atol=1e-5)

    def test_columns_of_another_row(self):
        """By hand: whole rows, half ones, the ends, beside a unit, a sign and a zero."""
        columns = made(40)
        tau, deg = columns["tau1"], np.degrees(columns["q1"])
        mine = columns | {"command@1": tau, "hip_deg": deg}
        mine.pop("q1")
        for word, wanted in (("tau1=tau1@1", np.r_[tau[0], tau[:-1]]), ("tau1=tau1@-2", np.r_[tau[2:], tau[-1], tau[-1]]),
                             ("tau1=tau1@0.5", np.r_[tau[0], (tau[1:] + tau[:-1]) / 2]),
                             ("tau1=-tau1@1*2+0.5", 0.5 - 2 * np.r_[tau[0], tau[:-1]]), ("tau1=command@1", tau),
                             ("tau1=-command@1@1", -np.r_[tau[0], tau[:-1]])):
            np.testing.assert_allclose(read(self.written(mine), f"q1_deg=hip_deg,{word}").tau[:, 0], wanted, err_msg=word)
        got = read(self.written(mine), "q1_deg=hip_deg@1")
        self.assertEqual(got.columns["q1"][0], "hip_deg@1")
        np.testing.assert_allclose(got.q[1:, 0], np.radians(deg[:-1]))

    def test_a_lost_cell_stays_lost(self):
        columns = made(40)
        columns["tau1"] = columns["tau1"].astype(float)
        columns["tau1"][7] = np.nan
        np.testing.assert_array_equal(np.flatnonzero(np.isnan(read(self.written(columns), "tau1=tau1@1").tau[:, 0])), [8])
        np.testing.assert_array_equal(np.flatnonzero(np.isnan(read(self.written(columns), "tau1=tau1@0.5").tau[:, 0])),
                                      [7, 8])

    def test_contact_of_a_force(self):
        columns = made(40)
        force = np.random.default_rng(3).uniform(-5, 60, 40)
        force[9] = np.nan
        for word, wanted in (("contact=fz>20", force > 20), ("contact=fz>-1.5", force > -1.5), ("contact=-fz>-20", force < 20), ("contact=fz<-1e0", force < -1),
                             ("touch=fz>2e1", force > 20)):
            log = read(self.written(columns | {"fz": force}), word)
            got = getattr(log, word.split("=")[0])
            np.testing.assert_array_equal(got[np.isfinite(force)], wanted[np.isfinite(force)], word)
            self.assertTrue(np.isnan(got[9]))

    def test_the_last_word_counts(self):
        columns = made(40)
        path = self.written(columns)
        for words in ("q1=q2,q1=-q1,tau2=-tau2", ["q1=q2", "q1_rad=-q1,tau2=-tau2"]):
            log = read(path, words)
            np.testing.assert_allclose(log.q[:, 0], -columns["q1"])
            self.assertEqual(log.words["tau2"], "tau2=-tau2")
            self.assertEqual(len(log.words), 2)

    def test_the_files_signs_become_the_librarys(self):
        columns = made(joints=3)
        (part,), _ = segments(load_chain(case.chain_file("foreign")), read(self.written(columns)))
        for k, sign in enumerate((-1, 1, -1)):   # joints about +y turn clockwise, seen with x to the right and z up
            np.testing.assert_allclose(part.encoder[:, k], sign * columns[f"q{k + 1}"], atol=1e-6)
            np.testing.assert_allclose(part.torque[:, k], sign * columns[f"tau{k + 1}"], atol=1e-6)
        np.testing.assert_allclose(part.gyro, -columns["gyro_y"], atol=1e-6)
        np.testing.assert_allclose(part.accel[:, 1], columns["accel_z"], atol=1e-5)

    def test_ways_to_write(self):
        """Semicolons, tabs, comments, empty lines, quotes, a byte order mark, joints from 0, gzip: the same numbers."""
        columns = made(40)
        wanted = read(self.written(columns))
        rows = list(zip(*columns.values()))
        for mark in ",;\t":
            for head in ("", "# a comment\n\n", "\ufeff"):
                lines = [mark.join(map(repr, map(float, row))) for row in rows]
                body = "\n".join([mark.join(columns), *lines[:20], "", *lines[20:]])
                got = read(self.text(head + body))
                np.testing.assert_array_equal(got.q, wanted.q)
                self.assertEqual(got.lines[0], 2 + head.count("\n"))
        counted = {name.replace("1", "0").replace("2", "1"): values for name, values in columns.items()}
        np.testing.assert_array_equal(read(self.written(counted)).tau, wanted.tau)
        with open("log.csv", "rb") as file, gzip.open("log.csv.gz", "wb") as packed:
            packed.write(file.read())
        np.testing.assert_array_equal(read("log.csv.gz").tau, wanted.tau)

    def test_gaps(self):
        """Cells without a number are lost rows; of the truth they are what was before."""
        columns = {name: [repr(float(value)) for value in values] for name, values in made(60).items()}
        columns["q2"][7] = columns["tau1"][8] = "nan"
        columns["accel_x"][30] = ""
        for k in range(60):
            columns["contact"][k] = ("", "True", "false")[0 if k % 5 else 1 + k // 5 % 2]
        path = self.text("\n".join([",".join(columns), *map(",".join, zip(*columns.values()))]))
        (part,), notes = segments(load_chain(case.chain_file("leg")), read(path))
        np.testing.assert_array_equal(np.flatnonzero(part.lost), [7, 8, 30])
        np.testing.assert_array_equal(part.encoder[8], part.encoder[6])
        np.testing.assert_array_equal(part.contact, [k // 5 % 2 == 0 for k in range(60)])
        self.assertIn("3 rows lack numbers of sensors (first: line 9)", notes[0])


class Refused(Files):
    def test_headers(self):
        columns = made(30)
        self.refused_file("absent.csv")
        self.refused_file(self.text(""), "is empty")
        self.refused_file(self.text("1,2,3\n4,5,6\n"), "line 1", "wanted names")
        self.refused_file(self.text("t,q1,q1\n0,1,2\n"), "two columns are named 'q1'")
        self.refused_file(self.text("t,q1,tau1\n"), "0 rows")
        for lack, words in (("t", "no column t;"), ("tau2", "no column tau2"), ("q1", "no column q1")):
            self.refused_file(self.written({name: values for name, values in columns.items() if name != lack}), words)
        bare = {name: values for name, values in columns.items() if not name.startswith("tau")}
        self.refused_file(self.written(bare), "no columns tau1 ... tau2, nor current1", "--columns tau1=NAME")
        self.refused_file(self.written(columns | {"tau3": columns["t"]}), "tau3 is of a joint more than q1 ... q2")

    def test_mappings(self):
        path = self.written(made(30))
        for columns, words in (("q1", "is no ROLE=COLUMN"), ("knee=q1", "is no ROLE=COLUMN"),
                               ("q1=hipp", "no column 'hipp'"), ("q1=qq1", "did you mean q1?"),
                               ("q1=q1*x", "no column"), ("tau1=tau1@999", "by more than 200 rows"), ("contact=tau1>1e99", "the threshold is beyond"),
                               ("tau1=tau1@1.2.3", "no number where one is wanted"), ("tau1=tua1@1", "did you mean tau1?"),
                               ("tau1=tau1>3", "a threshold makes contact or touch of a column, not tau1")):
            with self.assertRaises(tc.TinycontactError) as caught:
                read(path, columns)
            self.assertIn(words, str(caught.exception))

    def test_cells(self):
        self.refused_file(self.text("t,q1,tau1\n0,1,2\n1,1,x\n"), "line 3, column tau1: is 'x', not a number")
        self.refused_file(self.text("t,q1,tau1\n0,1,2\n1,1\n"), "line 3", "2 fields, the header has 3")
        self.refused_file(self.text("t;q1;tau1\n0;1,5;2\n1;1;2\n"), "column q1", "decimals have points")
        self.refused_file(self.text("t,q1,tau1\n0,1,2\n,1,2\n"), "line 3", "a row without a time")
        with open("log.csv", "wb") as file:
            file.write(b"t,q1,tau1\n\xff\xfe")
        self.refused_file("log.csv", "is no text")

    def test_columns_without_numbers(self):
        columns = made(40)
        for name, role in (("tau2", "tau2"), ("q1", "q1"), ("accel_x", "accel_x")):
            self.refused_file(self.written(columns | {name: np.full(40, np.nan)}), f"column {name}: has no number",
                              f"another column for {role}")

    def test_a_truth_that_is_none(self):
        force = made(40)["contact"].astype(float)
        for value in (0.4, 2.0, -1.0, 250.0):
            force[7] = value
            self.refused_file(self.written(made(40) | {"contact": force}), "line 9, column contact",
                              f"contact is {value:.4g}", "wanted 0 or 1", "--columns 'contact=contact>")
        force[7] = np.nan
        read(self.written(made(40) | {"contact": force}))

    def test_units_of_time(self):
        """Rows that seem seconds apart, or a microsecond: the unit that makes a usual rate is named."""
        columns = made(400, 2e-3)
        for factor, name, mapping, words in (
                (1e3, "t", None, ("2,000 ms", "--columns t_ms=t ", "each 2 ms")),
                (1e6, "stamp", "t=stamp", ("--columns t_us=stamp",)), (1e9, "t", None, ("--columns t_ns=t ",)),
                (1.0, "stamp", "t_ms=stamp", ("500,000 rows per second", "--columns t=stamp ")),
                (1.0, "t_ms", None, ("500,000 rows", "--columns t=t_ms*1000 "))):
            rest = {key: values for key, values in columns.items() if key != "t"}
            path = self.written({name: columns["t"] * factor} | rest)
            with self.assertRaises(tc.TinycontactError) as caught:
                clock.even(read(path, mapping))
            for word in words:
                self.assertIn(word, str(caught.exception))
            fix = str(caught.exception).split("--columns ")[1].split()[0]
            self.assertAlmostEqual(clock.even(read(path, fix)).tick, 2e-3)
        slow = self.written(made(400, 0.05))
        with self.assertRaises(tc.TinycontactError) as caught:
            clock.even(read(slow))
        self.assertNotIn("Is t in", str(caught.exception))

    def test_numbers_are_plain(self):
        for value, text in ((0.0, "0"), (1823.4, "1,820"), (2e5, "200,000"), (12.345, "12.3"), (-0.00042, "-0.00042"),
                            (3e-6, "0.000003"), (950.0, "950")):
            self.assertEqual(plain(value), text)

    def test_against_the_chain(self):
        chain, columns = load_chain(case.chain_file("leg")), made(30)
        for columns, words in ((made(30, joints=3), "has q1 ... q3, the chain 2 joints"),
                               ({k: v for k, v in columns.items() if k != "gyro_y"}, "no column gyro_y"),
                               ({k: v for k, v in columns.items() if k != "accel_z"}, "no column accel_x and accel_z")):
            with self.assertRaises(tc.TinycontactError) as caught:
                segments(chain, read(self.written(columns)))
            self.assertIn(words, str(caught.exception))
        currents = {name.replace("tau", "current"): values for name, values in made(30).items()}
        for options, words in (({}, "--torque-constant"), ({"constant": [1, 2, 3]}, "has 3 numbers")):
            with self.assertRaises(tc.TinycontactError) as caught:
                segments(chain, read(self.written(currents)), **options)
            self.assertIn(words, str(caught.exception))


class Clocks(Files):
    def clocked(self, columns):
        return clock.even(read(self.written(columns)))

    def test_random_clocks(self):
        """Any tick, jitter and lost rows: the tick and each row's place are those that made them."""
        random = np.random.default_rng(4)
        for _ in range(12):
            rows, tick = int(random.integers(200, 3000)), 10.0**random.uniform(-3.6, -2.1)
            kept = np.sort(random.choice(rows, int(rows * random.uniform(0.8, 1)), replace=False))
            kept[0], kept[1] = 0, 1
            kept = np.unique(kept)
            columns = made(rows, tick)
            columns["t"] = columns["t"] + random.uniform(-0.1, 0.1, rows) * tick
            got = self.clocked({name: values[kept] for name, values in columns.items()})
            self.assertAlmostEqual(got.tick / tick, 1, delta=2.0 / rows)
            self.assertTrue(got.even)
            np.testing.assert_array_equal(got.index, kept)
            self.assertEqual(got.lost, kept[-1] + 1 - len(kept))

    def test_rows_that_come_late(self):
        """Now and then two rows are later and later: what rounding each step forgets is not added up."""
        columns, late = made(2000), np.zeros(2000)
        for k in range(100, 1900, 200):
            late[k:k + 2] = 0.45, 0.9
        got = self.clocked(columns | {"t": columns["t"] + late * 1e-3})
        here = late == 0
        here[np.flatnonzero(late > 0.5) + 1] = False   # their tick may be taken
        np.testing.assert_array_equal(got.index[here], np.flatnonzero(here))

    def test_a_clock_that_is_set(self):
        """The joints go on: the jump is taken out, forwards and backwards."""
        columns = made(2000)
        for jump in (3.0, -7.5, 0.9):
            spoiled = columns | {"t": columns["t"] + jump * (np.arange(2000) >= 900)}
            got = self.clocked(spoiled)
            np.testing.assert_array_equal(got.index, np.arange(2000))
            (note,) = got.notes
            self.assertIn(f"line 902: the clock jumps by {jump:+.3f} s", note)

    def test_sensors_that_are_away(self):
        """For half a second, while the rows go on: the estimator starts anew behind it."""
        columns = made(2000)
        columns["tau1"][700:1200] = np.nan
        parts, notes = segments(load_chain(case.chain_file("leg")), read(self.written(columns)))
        self.assertEqual([len(part) for part in parts], [700, 800])
        self.assertAlmostEqual(parts[1].start, 1.2)
        self.assertIn("line 1202: sensors are missing for 0.501 s", notes[-1])
        np.testing.assert_allclose(parts[1].encoder[:, 0], columns["q1"][1200:], atol=1e-6)

    def test_encoders_that_wrap(self):
        """Within a turn, either way round."""
        columns = made(2000)
        turned = 3.0 + np.sin(9 * columns["t"])
        columns["q1"] = (turned + np.pi) % (2 * np.pi) - np.pi
        (part,), notes = segments(load_chain(case.chain_file("leg")), read(self.written(columns)))
        self.assertIn("q1 jumps by a turn", notes[0])
        np.testing.assert_allclose(part.encoder[:, 0], turned, atol=1e-5)

    def test_gaps_begin_anew(self):
        columns = made(3000)
        here = (np.arange(3000) < 1000) | (np.arange(3000) > 1900)
        spoiled = {name: values[here] for name, values in columns.items()}
        spoiled["q1"] = spoiled["q1"] + 0.4 * (np.arange(here.sum()) >= 1000)   # it is elsewhere after the gap
        parts, notes = segments(load_chain(case.chain_file("leg")), read(self.written(spoiled)))
        self.assertEqual([len(part) for part in parts], [1000, 1099])
        self.assertAlmostEqual(parts[1].start, 1.901, places=6)
        self.assertIn("a gap of 0.902 s", notes[0])
        two = {name: np.concatenate([values, values]) for name, values in made(500).items()}
        two["q2"][500:] += 1.0
        parts, notes = segments(load_chain(case.chain_file("leg")), read(self.written(two)))
        self.assertEqual([len(part) for part in parts], [500, 500])
        self.assertIn("another log begins", notes[0])

    def test_rows_that_come_unevenly(self):
        random = np.random.default_rng(2)
        t = np.cumsum(random.uniform(0.2e-3, 1.8e-3, 3000))
        columns = {"t": t} | {name: np.interp(t, made(4000)["t"], values) for name,
                              values in made(4000).items() if name not in ("t", "contact")}
        (part,), notes = segments(load_chain(case.chain_file("leg")), read(self.written(columns)))
        self.assertIn("rows come unevenly", notes[0])
        np.testing.assert_allclose(part.encoder[5:-5, 0], np.sin(9 * (part.time()[5:-5] + t[0])), atol=2e-4)

    def test_other_rates(self):
        """Half the rate: torques are means over the tick, joints are samples."""
        columns = made(2000, 5e-4)
        (part,), notes = segments(load_chain(case.chain_file("leg")), read(self.written(columns)), rate=500.0)
        self.assertEqual((part.tick, len(part)), (2e-3, 500))
        self.assertIn("logged at 2000 Hz, resampled to 500 Hz", notes[0])
        at = np.arange(1, 500) * 2e-3
        np.testing.assert_allclose(part.encoder[1:, 0], np.sin(9 * at), atol=1e-6)
        np.testing.assert_allclose(part.torque[1:, 0], (np.sin(7 * at) - np.sin(7 * (at - 2e-3))) / (7 * 2e-3),
                                   atol=1e-5)
        fast = made(4000, 1e-4)
        (part,), notes = segments(load_chain(case.chain_file("leg")), read(self.written(fast)))
        self.assertEqual(part.tick, 1e-3)
        self.assertIn("averaged to 1,000 Hz", notes[0])
        with self.assertRaises(tc.TinycontactError) as caught:
            segments(load_chain(case.chain_file("leg")), read(self.written(made(100, 0.05))))
        self.assertIn("a row each 50 ms", str(caught.exception))

    def test_rows_twice(self):
        columns = made(500)
        columns["t"][100:] -= 1e-3
        (part,), notes = segments(load_chain(case.chain_file("leg")), read(self.written(columns)))
        self.assertEqual(len(part), 499)
        self.assertIn("1 rows share a tick", notes[0])



if __name__ == "__main__":
    unittest.main()
