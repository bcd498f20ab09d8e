# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""What can happen at both ends, on an emulated board: the plant dies and comes back, the board's power fails, sensors
break, a tick takes too long. Nothing is estimated of what was not sensed, and each is counted or told."""
import unittest

import numpy as np

from hil_case import OnBoard
from tinycontact.hil import faults, wire


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

    def test_killed_half_way(self):
        """In the middle of a frame. The one that comes after it has the estimates of a board that was never used."""
        frame = wire.Codec().encode(self.bench.sensors(self.plant.step()))
        self.bench.send(frame[:30])
        again = self.begun_anew()
        self.assertEqual([e.values() for e in again], [e.values() for e in self.estimates])
        self.assertEqual(self.counted("wire.form") + self.counted("wire.crc"), 1)

    def begun_anew(self):
        self.plant.restart()
        self.assertEqual(self.bench.begin(self.plant.chain, number=9).session, 9)
        return [self.tick() for _ in range(self.WARM)]

    def test_reset_in_flight(self):
        """Power fails in the middle of a frame; the session begins again by itself, its estimator with this tick."""
        frame = wire.Codec().encode(self.bench.sensors(self.plant.step()))
        self.bench.send(frame[:30])
        self.bench.reset()
        estimate = self.recovers("reset", ticks=2, seconds=10)
        self.assertEqual((self.bench.session.resets, estimate.tick), (1, self.bench.ticks))
        self.before = wire.Stats()
        self.assertEqual((self.counted("ticks"), self.counted("missed")), (1, 0))


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

    def test_frozen(self):
        """An accelerometer that says the same for long is told, and no more once it lives again."""
        self.plant.faults.append(faults.frozen("accel"))
        flags = [self.tick().flags for _ in range(300)]
        self.assertTrue(flags[-1] & wire.SATURATED)
        first = next(k for k, value in enumerate(flags) if value & wire.SATURATED)
        self.plant.faults.clear()
        print(f"frozen accelerometer: told after {first} ticks")
        self.assertFalse([self.tick().flags for _ in range(5)][-1] & wire.SATURATED)


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


if __name__ == "__main__":
    unittest.main()
