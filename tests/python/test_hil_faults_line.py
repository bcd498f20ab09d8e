# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""What a line can do to an emulated board: random bytes, damaged, lost, repeated, reordered and late frames. No hang, no
estimate of what was never sent, a counter for each, and recovery within two frames.

HIL_RANDOM_BYTES: how many random bytes the emulated board gets. `make hil-faults` sends all 10,000,000, on each board, in
minutes; here are some, and a process gets a million."""
import os
import unittest

import numpy as np

from hil_case import EMULATED, ROOT, OnBoard
from tinycontact.hil import faults, wire

RANDOM_BYTES = int(os.environ.get("HIL_RANDOM_BYTES", 100_000))
SENTINEL = 0x40000000   # a tick that only damaged frames name


class RandomBytes(OnBoard):
    bytes = RANDOM_BYTES

    def throw(self, count, block=2048):
        rng = np.random.default_rng(count)
        for _ in range(count // block):
            self.bench.send(rng.bytes(block))
            self.no_estimate([] if not (got := self.bench.link.drain(0)) else [f.message() for f in got])
        self.no_estimate(self.bench.answers(quiet=1.0))

    def test_random_bytes(self):
        self.throw(self.bytes)
        self.recovers("random bytes", frames=2, count=self.bytes)
        self.assertGreater(self.counted("wire.form") + self.counted("wire.crc"), self.bytes // 600)
        self.assertEqual((self.counted("refused"), self.counted("missed")), (0, 0))


class RandomBytesHost(RandomBytes):
    """The same application as a process."""
    board, bytes = "host", 1_000_000


def on(name):
    """Some of them on another board: its UART's driver is its own."""
    return type(f"RandomBytes {name}", (RandomBytes,), {"board": name, "bytes": 20_000, "__module__": __name__})


for other in sorted(path.parent.name for path in ROOT.glob("boards/*/board.mk")
                    if "\nBOARD_EXACT_PORTS :=\n" not in path.read_text(encoding="utf-8")):   # too small for the firmware
    if other not in ("host", EMULATED):
        globals()[f"RandomBytes {other}"] = on(other)


class Damage(OnBoard):
    def after(self, fault):
        """A frame is spoilt, two follow: the second is answered, the spoilt one is not. Whether the first was."""
        message = self.bench.sensors(self.plant.step())
        message.tick = SENTINEL
        self.bench.line.next(fault)
        self.bench.send(message)
        ticks = [self.bench.sensors(self.plant.step()) for _ in range(2)]
        for sensors in ticks:
            self.bench.send(sensors)
        answered = []
        while not answered or answered[-1] != ticks[1].tick:
            message = self.bench.link.receive("the second frame after", 2.0).message()
            if isinstance(message, wire.Estimate):
                self.assert_sound(message)
                answered.append(message.tick)
        self.assertEqual(answered, [t.tick for t in ticks][-len(answered):])
        return len(answered) == 2

    def told(self, what, count, through):
        bad = self.counted("wire.form") + self.counted("wire.crc") + self.counted("wire.version")
        self.assertGreaterEqual(bad, count - 2)
        self.assertEqual((self.counted("refused"), self.counted("naks")), (0, bad))
        print(f"{count} {what}: {bad} bad frames counted, {count - through} took the next frame with them")
        self.kept(what, count, 2, 0)

    def frame_length(self):
        return len(wire.Codec().encode(self.bench.sensors(self.plant.step())))

    def test_every_bit(self):
        """A wrong bit that unmakes the final zero takes the next frame with it, others nothing."""
        bits = 8 * self.frame_length()
        through = sum(self.after(faults.flip(bit)) for bit in range(bits))
        self.assertEqual(bits - through, 8)
        self.told("single-bit errors", bits, through)

    def test_every_truncation(self):
        """Without its final zero a frame takes the next one with it; cut to nothing it has not been."""
        length = self.frame_length()
        through = sum(self.after(faults.cut(end)) for end in range(length))
        self.assertEqual(through, 1)
        self.told("truncations", length, through)


class Order(OnBoard):
    def test_lost(self):
        """A frame that never comes is said again; a tick that never comes is counted, and told in the next estimate."""
        self.bench.line.next(faults.drop)
        self.recovers("lost frame", frames=2)
        self.assertEqual(self.counted("wire.lost"), 1)
        self.bench.line.next(faults.drop, faults.drop)
        for _ in range(2):
            self.bench.send(self.bench.sensors(self.plant.step()))
        self.assertTrue(self.recovers("two lost ticks").flags & wire.LOST)
        self.assertEqual((self.counted("missed"), self.counted("wire.lost")), (2, 3))
        self.assertFalse(self.tick().flags & wire.LOST)

    def test_repeated(self):
        """The second one is refused: a tick is processed once."""
        self.bench.line.next(faults.repeat)
        first = self.tick()
        self.assert_sound(first)
        naks = [m for m in self.bench.answers() if isinstance(m, wire.Nak)]
        self.assertEqual([nak.reason for nak in naks], [2])
        self.assertEqual((self.counted("wire.repeated"), self.counted("ticks")), (1, 1))
        self.recovers("repeated frame")

    def test_answer_lost(self):
        """The answer did not arrive: asked again, the board says the same and computes nothing anew."""
        sample = self.bench.sensors(self.plant.step())
        first = self.bench.session.tick(sample)
        again = self.bench.session.tick(sample)
        self.assertEqual(first.values(), again.values())
        self.assertEqual((self.counted("ticks"), self.counted("old")), (1, 1))

    def test_reordered(self):
        """The frame that was overtaken is refused, as its tick is over; the one that overtook it tells of a loss."""
        self.bench.line.next(faults.reorder)
        for _ in range(2):
            self.bench.send(self.bench.sensors(self.plant.step()))
        came = self.bench.answers(0.3)
        self.assertEqual([type(m) for m in came], [wire.Estimate, wire.Nak])
        self.assertTrue(came[0].flags & wire.LOST)
        self.assertEqual((self.counted("wire.late"), self.counted("missed")), (1, 1))
        self.recovers("reordered frames")

    def test_late(self):
        self.bench.line.next(faults.delay(4))
        for _ in range(5):
            self.bench.send(self.bench.sensors(self.plant.step()))
        came = self.bench.answers(0.3)
        self.assertEqual([type(m) for m in came], [wire.Estimate] * 4 + [wire.Nak])
        self.assertEqual((self.counted("wire.late"), self.counted("missed")), (1, 1))
        self.recovers("late frame")


if __name__ == "__main__":
    unittest.main()
