# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""What can happen at both ends, on an emulated board: the plant dies and comes back, the board's power fails, sensors
break, a tick takes too long. Nothing is estimated of what was not sensed, and each is counted or told."""
import unittest
import zlib

import numpy as np

from hil_case import OnBoard
from tinycontact.hil import faults, wire
from tinycontact.hil.parameters import parameters


class Plants(OnBoard):
    def test_silence_is_told(self):
        """A plant that stops: the board says so once, sends no estimate by itself, and goes on when it comes back."""
        self.bench.begin(self.plant.chain, number=8, silence_ms=300)
        self.plant.restart()
        for _ in range(20):
            self.tick()
        self.before = self.bench.stats()
        self.bench.link.events.clear()
        event = self.bench.event(wire.EVENT_SILENCE, timeout=5.0)
        self.assertEqual(event.tick, 20)
        self.assertGreaterEqual(event.value, 300)
        self.assertEqual(self.bench.answers(0.5), [])
        self.assertEqual(len(self.bench.link.events), 0)
        self.assertEqual(self.counted("silences"), 1)
        self.recovers("silence")

    def test_boot_says_who_speaks(self):
        """Version, profile, core and board in words and numbers; what is loaded by checksum and size."""
        record = parameters(self.plant.chain)
        self.bench.session.upload(wire.PARAMETERS, record)
        self.plant.restart()
        boot = self.bench.begin(self.plant.chain, number=12)
        self.assertRegex(boot.text.decode(), rf"^tinycontact \d+\.\d+\.\d+ exact \S+ tanh=\w+; {self.board}$")
        said = boot.version >> 16, boot.version >> 8 & 255, boot.version & 255
        self.assertIn(f"tinycontact {said[0]}.{said[1]}.{said[2]} ", boot.text.decode())
        self.assertEqual((boot.session, boot.parameter_crc, boot.parameter_size), (12, zlib.crc32(record), len(record)))
        self.assertGreater(boot.tick_hz, 1000)

    def test_killed_half_way(self):
        """In the middle of a frame. The one that comes after it has the estimates of a board that was never used."""
        frame = wire.Codec().encode(self.bench.sensors(self.plant.step()))
        self.bench.send(frame[:30])
        again = self.begun_anew()
        self.assertEqual([e.values() for e in again], [e.values() for e in self.estimates])
        self.assertEqual(self.counted("wire.form") + self.counted("wire.crc"), 1)
        self.kept("plant killed half-way", 1, 1, 0)

    def begun_anew(self):
        self.plant.restart()
        self.assertEqual(self.bench.begin(self.plant.chain, number=9).session, 9)
        return [self.tick() for _ in range(self.WARM)]

    def test_reset_in_flight(self):
        """Power fails in the middle of a frame; the session begins again by itself, its estimator with this tick."""
        frame = wire.Codec().encode(self.bench.sensors(self.plant.step()))
        self.bench.send(frame[:30])
        self.bench.reset()
        estimate = self.recovers("reset in flight", frames=2, seconds=60, ticks=20)
        self.assertEqual((self.bench.session.resets, estimate.tick), (1, self.WARM + 2))
        self.before = wire.Stats()
        self.assertEqual((self.counted("ticks"), self.counted("missed")), (self.bench.ticks - self.WARM - 1, 0))


class Sensors(OnBoard):
    BROKEN = [(name, value, index) for value in (np.nan, np.inf, -np.inf, 1e30)
              for name, index in (("encoder", 0), ("encoder", 1), ("torque", 0), ("torque", 1), ("gyro", ...), ("accel", 0),
                                  ("accel", 1), ("pitch", ...), ("base_velocity", ...))]

    def test_numbers_that_are_none(self):
        """Each sensor NaN, infinite or far out of range: refused, the estimate before repeated and marked stale; the next
        good tick is estimated again."""
        given = ("pitch", "base_velocity")
        last = self.bench.tick(self.plant.step(), given)
        for name, value, index in self.BROKEN:
            with self.subTest(sensor=name, value=value):
                broken = self.bench.tick(faults.set_to(name, value, index)(self.plant.step()), given)
                self.assertLess(broken.status, 0)
                self.assertTrue(broken.flags & wire.STALE)
                same = ("p", "impulse", "impulse_variance", "slip", "slip_variance", "since", "contact")
                self.assertEqual([broken.values()[k] for k in same], [last.values()[k] for k in same])
                last = self.bench.tick(self.plant.step(), given)
                self.assert_sound(last)
        self.assertEqual(self.counted("refused"), len(self.BROKEN))
        self.kept("NaN or infinite or far out of range", len(self.BROKEN), 1, 0)

    def test_the_first_numbers_are_none(self):
        """The estimator begins with the first good tick, and says nothing before."""
        self.plant.restart()
        self.bench.begin(self.plant.chain, number=11)
        broken = self.bench.tick(faults.set_to("gyro", np.nan)(self.plant.step()))
        self.assertLess(broken.status, 0)
        self.assertTrue(broken.flags & wire.STALE)
        self.assertEqual((tuple(broken.p), broken.contact), ((0, 0, 0), 0))
        self.recovers("first sensors NaN", ticks=20)

    def test_recovery_from_none(self):
        """One NaN, and 30 in a row, longer than a filter without measurements may be believed."""
        for count, ticks in ((1, 0), (30, 20)):
            self.plant.faults.append(faults.set_to("encoder", np.nan, 1))
            for _ in range(count):
                self.assertLess(self.tick().status, 0)
            self.plant.faults.clear()
            self.recovers(f"{count} ticks of NaN", ticks=ticks, count=count)
            self.setUp()

    def test_at_the_end_of_the_range(self):
        """Numbers that a sensor at its end, or a bit that tipped, may say are taken and told."""
        for name, value, index in (("encoder", 0.5, 0), ("encoder", 3.0, 1), ("torque", 2e3, 0), ("gyro", 40.0, ...),
                                   ("accel", 200.0, 0), ("accel", -900.0, 1)):
            with self.subTest(sensor=name, value=value):
                told = self.bench.tick(faults.set_to(name, value, index)(self.plant.step()))
                self.assert_sound(told)
                self.assertTrue(told.flags & wire.SATURATED)
                self.assertFalse([self.tick().flags for _ in range(12)][-1] & wire.SATURATED)

    FROZEN = (("encoder", 0), ("encoder", 1), ("torque", ...), ("gyro", ...), ("accel", ...), ("pitch", ...))

    def test_frozen(self):
        """A sensor that says the same for long while the leg moves is told, and no more once it lives again."""
        for name, index in self.FROZEN:
            with self.subTest(sensor=name, index=index):
                self.frozen(name, index)

    def frozen(self, name, index):
        self.setUp()
        self.plant.faults.append(faults.frozen(name, index))
        flags = [self.tick().flags for _ in range(250)]
        self.assertTrue(flags[-1] & wire.SATURATED)
        first = next(k for k, value in enumerate(flags) if value & wire.SATURATED)
        self.plant.faults.clear()
        what = f"frozen {name}" + ("" if index is ... else f" {index}")
        print(f"{what}: told after {first} ticks")
        self.kept(what, 250, 1, first)
        self.assertLess(first, 150)
        self.assertFalse([self.tick().flags for _ in range(12)][-1] & wire.SATURATED)


class Overruns(OnBoard):
    def test_slow_ticks_are_counted(self):
        """Every tick takes longer than a microsecond: counted and told, and estimated all the same."""
        self.plant.restart()
        self.bench.begin(self.plant.chain, number=7, budget_us=1)
        self.bench.link.events.clear()
        slow = [self.tick() for _ in range(self.WARM)]
        self.assertEqual([e.values() for e in slow], [e.values() for e in self.estimates])
        self.assertEqual(self.counted("overruns"), self.WARM)
        self.assertEqual([e.tick for e in self.bench.link.events if e.kind == wire.EVENT_OVERRUN], list(range(1, self.WARM + 1)))
        self.assertGreater(self.bench.stats().worst, 0)

    def test_no_test_on_a_robot(self):
        """The firmware that is shipped knows no faults on purpose."""
        self.bench.send(wire.Test(what=wire.TEST_BURN, value=1))
        self.assertEqual([(m.type, m.reason) for m in self.bench.answers()], [(wire.Test.TYPE, 3)])


class Burning(OnBoard):
    app = "foot_test"
    LOOPS = 3_000_000   # at least three instructions each: more than 40 ms of any of these cores

    def test_one_slow_tick(self):
        """One tick takes far longer than its budget while three more arrive: it is told and counted, the others wait and
        are all answered, and no estimate differs."""
        self.plant.restart()
        self.bench.begin(self.plant.chain, number=7, budget_us=3000)
        self.bench.link.events.clear()
        self.bench.send(wire.Test(what=wire.TEST_BURN, value=self.LOOPS))
        for _ in range(4):
            self.bench.send(self.bench.sensors(self.plant.step()))
        came = self.bench.answers(0.5)
        self.assertEqual([tuple(e.p) for e in came], self.undisturbed()[:4])
        slow = self.bench.event(wire.EVENT_OVERRUN)
        self.assertEqual(slow.tick, 1)
        self.assertGreater(slow.value, 0.003 * self.bench.session.boot.tick_hz)
        self.assertGreaterEqual(self.counted("overruns"), 1)
        self.assertEqual((self.counted("ticks"), self.counted("missed"), self.counted("wire.lost")), (4, 0, 0))
        self.recovers("tick that takes too long")


if __name__ == "__main__":
    unittest.main()
