# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The line to a board, logs and their replay, with a stand-in for the board: whatever it does ends in an answer or in
words, what was logged is read again or refused where it is damaged, and a replay finds the first bit that differs."""
import ctypes
import os
import pty
import subprocess
import sys
import threading
import time
import tty
import unittest
from pathlib import Path
from unittest import mock

import numpy as np

from tinycontact_case import ROOT, Temporary, tc
from hil_stub import Stub, open_stub
from tinycontact.hil import faults, link, wire
from tinycontact.hil import replay as replays
from tinycontact.hil.log import LogError, LogWriter, Record, read_log
from tinycontact.stream import SerialStream

HEADER = {"board": "stub", "profile": "exact", "seed": 3}


class WithStub(Temporary):
    @classmethod
    def setUpClass(cls):
        path = mock.patch.dict(os.environ, TINYCONTACT_LIBRARY=str(tc.Library().path))   # do not ask make each time
        path.start()
        cls.addClassCleanup(path.stop)

    def session(self, *words, timeout=5.0):
        opened = open_stub(*words, timeout=timeout)
        self.addCleanup(opened.close)
        session = link.Session(opened, b"parameters" * 70)
        session.begin()
        return session

    def recorded(self, *words, ticks=20, path="log.bin", header=HEADER):
        """A log of a session with a stub."""
        session = self.session(*words)
        with LogWriter(path, header) as log:
            session.link.tap = log.add
            session.begin()
            for tick in range(1, ticks + 1):
                log.tick = tick
                session.tick(wire.Sensors(tick=tick, joints=2, gyro=tick / 7), timeout=0.5)
            log.finish()
        session.link.close()
        return Path(path)


class Codec(unittest.TestCase):
    def test_there_and_back(self):
        """A field at another place than in the C struct: every message with numbers of its own comes back the same."""
        out, back = wire.Codec(), wire.Codec()
        for name, kind in wire.MESSAGES.items():
            if name in ("upload_chunk", "restore", "saved"):   # bytes
                continue
            if name in ("robot", "feet"):   # as long as their counts say: test_hil_wire.py has them
                continue
            message = kind()
            for number, (field, type_) in enumerate(kind._fields_, 2):
                value = 1 if field in ("what", "kind", "reason", "contact", "mode", "ratios", "law") else 6 if field == "joints" else number
                value = {"sensors": 64, "touch": 1}.get(name, value) if field == "given" else value   # 64: with place
                if hasattr(type_, "_length_"):
                    text = isinstance(getattr(message, field), bytes)
                    setattr(message, field, b"text" if text else type_(*range(1, type_._length_ + 1)))
                elif not issubclass(type_, wire.Counters):
                    setattr(message, field, value)
            (frame,) = back.decode(out.encode(message))
            self.assertEqual((frame.result, frame.type), (wire.FRAME, kind.TYPE))
            self.assertEqual(frame.message().values(), message.values())

    def test_bytes_there_and_back(self):
        out, back = wire.Codec(), wire.Codec()
        (frame,) = back.decode(out.encode(wire.restore(b"\0state\xff")))
        self.assertEqual((frame.name, wire.bytes_of(frame.message())), ("Restore", b"\0state\xff"))
        self.assertEqual(frame.message().values(), {"n": 7, "bytes": b"\0state\xff"})

    def test_in_pieces_among_noise(self):
        """Frames come byte by byte, after words and zeros; what is no frame is told as such."""
        frame = wire.Codec().encode(wire.Sensors(tick=5, joints=1))
        codec, found = wire.Codec(), []
        for byte in b"hello\n\0\0\0" + frame + b"half a frame" + b"\0":
            found += codec.decode(bytes([byte]))
        self.assertEqual([one.result for one in found], [wire.BAD, wire.FRAME, wire.BAD])
        self.assertEqual((found[1].raw, found[1].message().tick), (frame, 5))

    def test_endless_frame(self):
        """A line that never sends a zero must not fill the memory."""
        codec = wire.Codec()
        for _ in range(100):
            self.assertEqual(list(codec.decode(b"x" * 5000)), [])
        self.assertLessEqual(len(codec._begun), 2 * wire.FRAME_MAX)

    def test_beyond_limits(self):
        self.assertEqual(wire.Codec().encode(wire.Sensors(joints=7)), b"")


class Line(WithStub):
    def test_session(self):
        session = self.session()
        self.assertEqual(session.boot.session, 1)
        self.assertEqual(session.tick(wire.Sensors(tick=1, joints=2, gyro=0.5)).slip, 0.5)
        self.assertEqual(session.stats().ticks, 0)
        with self.assertRaisesRegex(link.Refused, "refused PREDICT: no message for a board"):
            session.predict(0.02, 10)

    def test_dies(self):
        session = self.session("die", 3)
        for tick in (1, 2):
            session.tick(wire.Sensors(tick=tick, joints=2))
        with self.assertRaisesRegex(link.BoardError, "(?s)ended before it answered tick 3.*FAULT: bus error"):
            session.tick(wire.Sensors(tick=3, joints=2))
        with self.assertRaisesRegex(link.BoardError, "is closed"):
            session.tick(wire.Sensors(tick=3, joints=2))

    def test_silent(self):
        """Once: sent again. For good: an error after ATTEMPTS timeouts."""
        session = self.session("silent", 2)
        self.assertEqual(session.tick(wire.Sensors(tick=2, joints=2), timeout=0.2).tick, 2)
        self.assertEqual(session.repeats, 1)
        session, start = self.session("mute", 2), time.monotonic()
        with self.assertRaisesRegex(link.Silent, "does not answer tick 2 within 0.1 s"):
            session.tick(wire.Sensors(tick=2, joints=2), timeout=0.1)
        self.assertLess(time.monotonic() - start, 30)

    def test_reset(self):
        session = self.session("reset", 2)
        self.assertEqual(session.tick(wire.Sensors(tick=2, joints=2)).tick, 2)
        self.assertEqual(session.resets, 1)

    def test_babble_and_events(self):
        """Words and garbage before an answer do not hide it; events are kept apart."""
        session = self.session("babble", 2)
        self.assertEqual(session.tick(wire.Sensors(tick=2, joints=2)).tick, 2)
        self.assertGreaterEqual(session.link.bad, 1)
        session = self.session("event", 2)
        self.assertEqual(session.tick(wire.Sensors(tick=2, joints=2)).tick, 2)
        self.assertEqual([event.value for event in session.link.events], [7])

    def test_never_starts(self):
        with self.assertRaisesRegex(link.Silent, "does not answer power-up within 0.3 s; it said:\nhello"):
            link.open_board("x", timeout=0.3, command=[sys.executable, "-uc", "print('hello'); import time; time.sleep(9)"])

    def test_bad_line(self):
        """Each fault of the line costs a repetition, two where the cut frame takes the next one with it; no more."""
        session = self.session()
        session.link.line = faults.Line()
        noise = bytes(np.random.default_rng(2).integers(0, 256, 300, np.uint8))
        for tick, (fault, repeats) in enumerate(((faults.drop, 1), (faults.flip(30), 1), (faults.cut(9), 2),
                                                (faults.noise(noise), None), (faults.delay(3), 1), (faults.repeat, 0)), 1):
            before = session.repeats
            session.link.line.next(fault)
            self.assertEqual(session.tick(wire.Sensors(tick=tick, joints=2), timeout=0.2).tick, tick)
            if repeats is not None:
                self.assertEqual(session.repeats - before, repeats, fault)
        session.link.drain()
        self.assertEqual(session.tick(wire.Sensors(tick=9, joints=2)).tick, 9)

    def test_serial_port(self):
        """A board that has run for long behind a terminal, with bytes of an earlier session on their way."""
        board, port = pty.openpty()
        tty.setraw(board)
        thread = threading.Thread(target=Stub(board, os.dup(board)).run, daemon=True)
        thread.start()
        with link.open_port(os.ttyname(port), timeout=5.0) as opened:
            session = link.Session(opened, b"parameters", number=9)
            self.assertEqual(session.begin().session, 9)
            for tick in range(1, 50):
                self.assertEqual(session.tick(wire.Sensors(tick=tick, joints=2)).tick, tick)
        os.close(port)
        thread.join(5)

    def test_a_port_is_one_programs(self):
        board, port = pty.openpty()
        first = SerialStream(os.ttyname(port))
        with self.assertRaisesRegex(link.BoardError, "another program has it open"):
            SerialStream(os.ttyname(port))
        first.close()
        SerialStream(os.ttyname(port), 12345).close()   # any speed that the port takes
        os.close(board)
        os.close(port)

    def test_ends_with_a_status(self):
        with self.assertRaisesRegex(link.BoardError, "(?s)ended with status 98 before it answered power-up.*stack overflow"):
            link.open_board("x", command=[sys.executable, "-c", "print('stack overflow'); import sys; sys.exit(98)"])

    def test_no_serial_port(self):
        Path("file").write_text("")
        for path, baud, told in (("nowhere", 115200, "nowhere: cannot be opened"), ("file", 115200, "is no serial port"),
                                 ("file", -5, "-5 is no speed")):
            with self.assertRaisesRegex(tc.TinycontactError, told):
                SerialStream(path, baud)


class Logs(WithStub):
    def test_what_is_in_it(self):
        with LogWriter("log.bin", HEADER) as log:
            log.add(link.TO_BOARD, b"abc")
            log.tick = 7
            log.add(link.TO_HOST, b"x" * 70000)
            log.finish()
        read = read_log("log.bin")
        self.assertEqual(read.header, HEADER)
        self.assertEqual([(r.direction, r.tick, len(r.data)) for r in read.records],
                         [(0, 0, 3), (1, 7, 65535), (1, 7, 4465)])

    def test_every_cut(self):
        """At whatever byte the program that logs ends, all whole records are read again, and the cut is told."""
        with LogWriter("log.bin", HEADER) as log:
            for tick in range(3):
                log.tick = tick
                log.add(link.TO_BOARD, bytes([tick + 1] * (5 + tick)))
            log.finish()
        data = Path("log.bin").read_bytes()
        start = len(data) - 12 - (17 + 18 + 19)
        ends = [start, start + 17, start + 35, start + 54]
        for length in range(len(data)):
            Path("cut.bin").write_bytes(data[:length])
            with self.assertRaisesRegex(LogError, "cut.bin: (is cut off|ends at byte|is no log|the header)"):
                read_log("cut.bin")
            if length >= start:
                self.assertEqual(len(read_log("cut.bin", cut=True).records), sum(end <= length for end in ends[1:]))

    def test_every_damage(self):
        """One bit anywhere is told, or is told as a cut where it makes the last record longer."""
        with LogWriter("log.bin", HEADER) as log:
            log.add(link.TO_BOARD, b"abc")
            log.add(link.TO_HOST, b"defg")
            log.finish()
        data = Path("log.bin").read_bytes()
        for bit in range(8 * len(data)):
            damaged = bytearray(data)
            damaged[bit // 8] ^= 1 << bit % 8
            Path("bad.bin").write_bytes(damaged)
            with self.assertRaises(LogError):
                read_log("bad.bin")
        Path("bad.bin").write_bytes(data + b"more")
        with self.assertRaisesRegex(LogError, "4 bytes follow the end record"):
            read_log("bad.bin")

    def test_random_damage(self):
        """Bytes that are none of its own, anywhere in a log: told with the file's name and a place in it, or harmless."""
        with LogWriter("log.bin", HEADER) as log:
            for tick in range(20):
                log.tick = tick
                log.add(tick % 2, bytes(range(tick, 2 * tick + 1)))
            log.finish()
        data, rng = np.fromfile("log.bin", np.uint8), np.random.default_rng(3)
        for k in range(1500):
            bad = data.copy()
            start, length = int(rng.integers(0, len(data))), int(rng.integers(1, 40))
            bad[start:start + length] = rng.integers(0, 256, len(bad[start:start + length]))
            bad[:rng.integers(0, len(bad) + 1) if k % 3 == 0 else None].tofile("bad.bin")
            try:
                read_log("bad.bin", cut=k % 2 == 1)
            except LogError as error:
                self.assertRegex(str(error), "^bad.bin: .*(byte|header|does not begin)")

    def test_disk_full(self):
        """What was written before stays and is read again; the error names the file."""
        script = (f"import sys; sys.path.insert(0, {str(ROOT / 'tools')!r})\nfrom tinycontact.hil.log import LogWriter\n"
                  "import resource, signal\nsignal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
                  "resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))\nlog = LogWriter('log.bin', {})\n"
                  "for tick in range(100):\n    log.add(0, b'frame')\n")
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
        self.assertRegex(done.stderr, r"TinycontactError: log.bin: cannot be written \(.*\)")
        self.assertEqual(len(read_log("log.bin", cut=True).records), (1000 - 14) // 17)

    def test_killed(self):
        """What was logged is in the file when the process is killed in the middle."""
        script = (f"import sys; sys.path.insert(0, {str(ROOT / 'tools')!r})\nfrom tinycontact.hil.log import LogWriter\n"
                  "import os, signal\nlog = LogWriter('log.bin', {})\nfor tick in range(100):\n    log.tick = tick\n"
                  "    log.add(0, b'frame')\nos.kill(os.getpid(), signal.SIGKILL)")
        subprocess.run([sys.executable, "-c", script])
        self.assertEqual(len(read_log("log.bin", cut=True).records), 100)

    def test_not_writable(self):
        with self.assertRaisesRegex(tc.TinycontactError, "nowhere/log.bin: cannot be written"):
            LogWriter("nowhere/log.bin", HEADER)


class Replays(WithStub):
    def replayed(self, log, *words, **more):
        with mock.patch.object(replays, "open_board", lambda *_, **__: open_stub(*words, timeout=2.0)):
            return replays.replay(log, **more)

    def test_alike(self):
        """Also with what went wrong on the way: a frame of silence, a reset, babble, an event."""
        for words in ((), ("silent", 5), ("babble", 5), ("event", 5)):
            done = self.replayed(self.recorded(*words), *words)
            self.assertIsNone(done.difference, words)
            self.assertEqual(done.ticks, 20)
        done = self.replayed(self.recorded("reset", 5))
        self.assertIsNone(done.difference)

    def test_first_difference(self):
        """One bit of one number in one tick."""
        log = self.recorded("wrong", 7)
        difference = self.replayed(log).difference
        self.assertEqual((difference.tick, difference.field), (7, "Estimate.p[1]"))
        self.assertEqual((difference.logged, difference.here), (np.float32(0.25 + 2**-24), 0.25))
        self.assertIn("0x3e800000", str(difference))

    def test_fast_is_held_to_a_tolerance(self):
        log = self.recorded("wrong", 7, header={**HEADER, "profile": "fast"})
        done = self.replayed(log)
        self.assertIsNone(done.difference)
        self.assertTrue(done.told().endswith("profile fast: alike within 0.001"), done.told())

    def test_any_frames_in_a_good_log(self):
        """Records that are whole and say nonsense: a first difference, or an error that names the file. Never a traceback,
        never a hang."""
        records, rng = read_log(self.recorded()).records, np.random.default_rng(4)
        sender = wire.Codec()
        frames = [rng.bytes(30) + b"\0", sender.encode(wire.Boot(session=0)), sender.encode(wire.Stats()),
                  self.cut_boot(sender), b"", b"\1" * 2000]
        for k in range(24):
            at, direction = int(rng.integers(0, len(records))), k % 2
            with LogWriter("odd.bin", HEADER) as log:
                for record in [*records[:at], Record(direction, 5, frames[k // 2 % len(frames)]), *records[at:]]:
                    log.tick = record.tick
                    log.add(record.direction, record.data)
                log.finish()
            try:
                self.replayed("odd.bin")
            except tc.TinycontactError as error:
                self.assertRegex(str(error), "odd.bin|board stub")

    def cut_boot(self, codec):
        """A frame BOOT that is whole, and too short to be one."""
        length = codec._encode(ctypes.byref(codec._encoder), wire.Boot.TYPE, 8)
        return ctypes.string_at(codec._encoder.frame, length)

    def test_missing_and_surplus_frames(self):
        log = self.recorded()
        self.assertEqual(str(self.replayed(log, "mute", 7).difference), "tick 7, Estimate: the board 'a frame', the host nothing")
        self.assertIn("type: the board 66", str(self.replayed(log, "more", 7).difference))
        more = self.replayed(log, "more", 20).difference
        self.assertEqual((more.tick, more.field), (20, "Estimate, type"))

    def test_dying_host_and_bad_header(self):
        log = self.recorded()
        with self.assertRaisesRegex(link.BoardError, "(?s)ended before it answered Estimate.*FAULT"):
            self.replayed(log, "die", 7)
        bad = self.recorded(path="bad.bin", header={"profile": "odd"})
        with self.assertRaisesRegex(LogError, "profile is 'odd'"):
            self.replayed(bad)

    def test_cut_log(self):
        data = self.recorded().read_bytes()
        Path("cut.bin").write_bytes(data[:-500])
        with self.assertRaisesRegex(LogError, "--cut takes what is there"):
            self.replayed("cut.bin")
        done = self.replayed("cut.bin", cut=True)
        self.assertIsNone(done.difference)
        self.assertIn("cut off in the record", done.cut)

    def test_command(self):
        log = self.recorded("wrong", 7)
        with mock.patch.object(replays, "open_board", lambda *_, **__: open_stub()):
            err = self.command("leg hil replay", log, status=1)[1]
            self.assertIn("tick 7, Estimate.p[1]: the board 0.25000006", err)
            out, _ = self.command("leg hil replay", self.recorded())
            self.assertIn("25 frames of stub, 20 ticks, profile exact: alike, bit for bit", out)
            Path("none.bin").write_bytes(b"nothing of the kind")
            self.refused("leg hil replay", "none.bin", told=["none.bin: is no log"])


if __name__ == "__main__":
    unittest.main()
