# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Boards through the Python package: the emulated board's answers are the host's to the bit, and whatever may
go wrong between the two is told in words within its timeout."""
import os
import struct
import subprocess
import sys
import time
import unittest
import zlib
from unittest import mock

import numpy as np

from tinycontact_case import ROOT, Temporary, all_kinds, random_net, tc
from tinycontact import board as board_module, stream
from tinycontact.functions import FUNCTIONS, NAMES, UNARY

BOARDS = ("mps2-an386", "mps3-an547")


def arguments_of(rng, name, n=5):
    """Arguments that a function accepts; factors are real factors."""
    J = rng.normal(size=(n, n))
    A = J @ J.T + np.eye(n)
    L, d = np.tril(J) + 4 * np.eye(n), rng.uniform(1, 2, n)
    B = rng.normal(size=(n, 3))
    return {"mat_mul": [J, B], "mat_vec": [J, d], "mat_vec_t": [J, d], "mat_vec_add_inplace": [J, d, B[:, 0]],
            "mat_vec_t_add_inplace": [J, d, B[:, 0]], "mat_congruence_diag": [B.T, d],
            "mat_congruence": [B.T, A],
            "mat_cholesky": [A], "mat_cholesky_inplace": [A], "mat_ldlt": [A], "mat_solve_lower": [L, B],
            "mat_solve_lower_t": [L, B], "mat_cholesky_solve": [L, B], "mat_ldlt_solve": [L, d, B],
            "mat_psd_solve": [A, d], "mat_inverse_spd": [A], "softmax_inplace": [d],
            "atan2": [B[:, 0], B[:, 1]],
            "all_finite": [d], "log": [np.abs(J)], "sqrt": [np.abs(J)]}.get(name, [J])


def bits(result):
    parts = result if isinstance(result, tuple) else (result,)
    return [part.tobytes() if hasattr(part, "tobytes") else repr(part) for part in parts]


class SameBits(unittest.TestCase):
    """One emulator per board for all of its tests: starting it is what takes the time."""

    @classmethod
    def setUpClass(cls):
        cls.host = tc.Library()
        cls.boards = [tc.Board(name) for name in BOARDS]
        for board in cls.boards:
            cls.addClassCleanup(board.close)

    def test_greeting(self):
        for board in self.boards:
            self.assertIn(board.name, board.build_text())
            self.assertEqual((board.model_bytes, board.tick_hz > 1000), (49152, True))

    def test_every_function(self):
        """The firmware's numbering or argument order and the package's differ, or a kernel's bits do."""
        rng = np.random.default_rng(1)
        for board in self.boards:
            for name in NAMES:
                for n in (5, 12) if name in FUNCTIONS else (5,):
                    arguments = arguments_of(rng, name, n)
                    self.assertEqual(bits(board.call(name, *arguments)),
                                     bits(self.host.call(name, *arguments)),
                                     f"{name} on {board.name}, n = {n}")

    def test_largest(self):
        """The largest matrices, long vectors in pieces, and one more than the limit."""
        rng = np.random.default_rng(2)
        A, B = rng.normal(size=(32, 32)), rng.normal(size=(32, 32))
        x = rng.normal(size=600)
        board = self.boards[0]
        self.assertEqual(bits(board.mat_mul(A, B)), bits(self.host.mat_mul(A, B)))
        self.assertEqual(bits(board.tanh(x)), bits(self.host.tanh(x)))
        self.assertTrue(board.all_finite(x))
        x[550] = np.inf
        self.assertFalse(board.all_finite(x))
        for size in (0, 33):
            with self.assertRaisesRegex(tc.StatusError, "TC_ERR_SIZE"):
                board.mat_mul(np.eye(size), np.eye(size))
        self.assertEqual(bits(board.softmax_inplace(x[:512])), bits(self.host.softmax_inplace(x[:512])))

    def test_nets(self):
        model = all_kinds()
        rng = np.random.default_rng(3)
        for board in self.boards:
            there, here = board.open(model), self.host.open(model)
            self.assertEqual(there.nets, here.nets)
            self.assertEqual(there.selftest()["samples"], 12)
            self.assertEqual(there.selftest(), here.selftest())
            for net in model.nets:
                one, two = there.net(net.name), here.net(net.name)
                x, c = rng.normal(size=(3, net.n_in)), rng.normal(size=net.n_out)
                self.assertEqual(bits(one.eval(x)), bits(two.eval(x)), f"{net.name} on {board.name}")
                self.assertEqual(one.in_range(x[0] * 3), two.in_range(x[0] * 3))
                if net.weights != "i8-act":
                    self.assertEqual(bits(one.grad(x[0], c)), bits(two.grad(x[0], c)),
                                     f"{net.name} on {board.name}")

    def test_two_models_take_turns(self):
        """Only one lies on the board: a handle must not get the other one's answers."""
        board = self.boards[0]
        a, b = (random_net(seed, [2, 3, 1], ["tanh", "identity"]) for seed in (1, 2))
        one, two = board.open(a).net(), board.open(b).net()
        for _ in range(2):
            self.assertEqual(bits(one.eval([1, 2])), bits(self.host.eval(a, [1, 2])))
            self.assertEqual(bits(two.eval([1, 2])), bits(self.host.eval(b, [1, 2])))

    def test_statuses_come_back(self):
        board = self.boards[0]
        net = board.open(random_net(1, [2, 1], ["tanh"])).net()
        damaged = bytearray(all_kinds().to_bytes())
        damaged[100] ^= 1
        for call, status in ((lambda: net.eval([np.nan, 0]), "TC_ERR_NOT_FINITE"),
                             (lambda: net.grad([0, 1e30], [1]), "TC_ERR_RANGE"),
                             (lambda: board.mat_cholesky(-np.eye(2)), "TC_ERR_INDEFINITE"),
                             (lambda: board.open(bytes(damaged)), "TC_ERR_MODEL_CRC"),
                             (lambda: board.open(bytes(damaged)[:100]), "TC_ERR_MODEL_SHORT")):
            with self.assertRaises(tc.StatusError) as caught:
                call()
            self.assertEqual(caught.exception.status, status)
        self.assertEqual(bits(net.eval([1, 2])),
                         bits(self.host.eval(random_net(1, [2, 1], ["tanh"]), [1, 2])))

    def test_records_are_checked(self):
        """A bad record is refused as on the host, whichever record it is, and nothing is open then."""
        nets = [random_net(seed, [2, 1], ["identity"], normal=True, name=name) for seed, name in ((1, "potential"), (2, "class0"))]
        contact = tc.ContactRecord("planar", 1.5, 0.25, (31, 0))
        system = tc.SystemRecord(("potential",), (1.0, 2.0), ((0, 1),), ((1.0,),))
        for record, field, value in ((contact, 0, 9), (contact, 2, 99), (contact, 8, 0x7FC00000), (system, 0, 9),
                                     (system, 2, 99), (system, 8, 0x7FC00000)):
            data = bytearray(tc.Model(nets, 0.01, contact=record).to_bytes())
            at = struct.unpack_from("<I", data, 52)[0] + field
            data[at:at + (4 if field == 8 else 2)] = value.to_bytes(4 if field == 8 else 2, "little")
            struct.pack_into("<I", data, 12, zlib.crc32(bytes(data[16:])))
            told = []
            for place in (self.host, *self.boards):
                with self.assertRaises(tc.StatusError, msg=f"{record.as_dict()['kind']}, byte {field}") as caught:
                    place.open(bytes(data))
                told.append((caught.exception.status, caught.exception.offset))
            self.assertEqual(told, told[:1] * len(told))
            for board in self.boards:
                self.assertEqual(struct.unpack("<i", board._ask("net", struct.pack("<4I", 3, 0, 0, 0))[:4])[0], -27)

    def test_model_too_large(self):
        large = random_net(1, [200, 200, 1], ["tanh", "identity"], samples=0)
        with self.assertRaisesRegex(tc.TinycontactError, "the board takes 49152"):
            self.boards[0].open(large)


class Frames(unittest.TestCase):
    """The firmware and hostile bytes, on the board that is a process of this machine."""

    def setUp(self):
        self.board = tc.Board("host")
        self.addCleanup(self.board.close)

    def ask(self, payload):
        """Status of a request."""
        deadline = time.monotonic() + 5
        body = struct.pack("<II", len(payload), 7) + payload
        self.board._stream.write(b"TCR1" + body[:8] + struct.pack("<I", zlib.crc32(body)) + payload, deadline)
        return self.answer(deadline)

    def answer(self, deadline):
        data = b""
        while len(data) < 20:
            data += self.board._stream.read(deadline)
        self.assertEqual(data[:4], b"TCR1")
        self.last_id = struct.unpack_from("<I", data, 8)[0]
        return struct.unpack_from("<i", data, 16)[0]

    def test_malformed_requests(self):
        """Every length, count and number that a request can lie about is refused, and the board goes on."""
        word = struct.Struct("<I").pack
        call = struct.Struct("<13I").pack
        bad = [word(99), word(2) + word(49153), word(2), word(1) + word(49152) + word(4) + word(0),
               word(1) + word(0xFFFFFFFF) + word(4) + word(0), word(1) + word(0) + word(8) + word(0), word(1),
               word(3), word(3) + word(0) * 5, word(4) + word(7), word(7),
               call(7, 99, *[0] * 11), call(7, 0, 1, 1, 1, 1025, 0, 0, 0, 0, 0, 0, 0),
               call(7, 0, 1, 1, 1, 0, 0, 0, 0, 1024, 1024, 1024, 0),
               call(7, 0, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0),
               call(7, 0, 1, 1, 1, 0, 0, 0, 0, 0, 1025, 0, 0)]
        for payload in bad:
            self.assertIn(self.ask(payload), (-101, -27), payload.hex())   # -27: no such net, as none is open
        self.assertEqual(self.ask(call(7, 0, 32, 32, 0xFFFFFFFF, *[0] * 8)), -3)   # the library's own answer
        self.assertEqual(self.board.tanh(0.0), 0.0)

    def test_damaged_frames(self):
        """Wrong CRC, impossible lengths and a stall are answered with id 0; noise is skipped."""
        body = struct.pack("<II", 8452, 7) + bytes(8452)   # a good frame but for its length
        long = b"TCR1" + body[:8] + struct.pack("<I", zlib.crc32(body)) + body[8:]
        for frame in (b"TCR1" + struct.pack("<4I", 4, 1, 0, 0), b"TCR1" + struct.pack("<I", 8452), long,
                      b"TCR1" + struct.pack("<I", 3), b"TCR1" + struct.pack("<I", 0), b"TCR1\x04\x00"):
            deadline = time.monotonic() + 5
            self.board._stream.write(b"noise TCR TCTCR" + frame, deadline)
            self.assertEqual((self.answer(deadline), self.last_id), (-100, 0), frame)
        self.assertEqual(self.board.tanh(0.0), 0.0)

    def test_random_bytes(self):
        rng = np.random.default_rng(1)
        for _ in range(100):
            self.board._stream.write(rng.bytes(rng.integers(1, 300)), time.monotonic() + 5)
        self.assertIn(self.ask(struct.pack("<I", 0)), (0,))


STUB = """
import struct, sys, time, zlib
def frame(ident, payload, flip=0):
    body = struct.pack("<II", len(payload), ident) + payload
    sys.stdout.buffer.write(b"TCR1" + body[:8] + struct.pack("<I", zlib.crc32(body) ^ flip) + payload)
    sys.stdout.buffer.flush()
def request():
    head = sys.stdin.buffer.read(16)
    sys.stdin.buffer.read(struct.unpack_from("<I", head, 4)[0])
    return struct.unpack_from("<I", head, 8)[0]
hello = struct.pack("<iII", 0, 1000, 4096) + b"stub; stub\\0\\0"
"""


class Failures(Temporary):
    """A board that misbehaves, stood for by a script."""

    def told(self, script, pattern, timeout=1.0):
        start = time.monotonic()
        with self.assertRaisesRegex(tc.TinycontactError, pattern):
            with tc.Board("stub", timeout=timeout, command=[sys.executable, "-c", STUB + script]) as board:
                board.tanh(1.0)
        self.assertLess(time.monotonic() - start, timeout + 30)

    def test_silent(self):
        self.told("time.sleep(60)", "does not answer the greeting in time", 0.5)
        self.told("frame(0, hello); time.sleep(60)", "does not answer tanh in time", 0.5)

    def test_late_because_others_have_the_processor(self):
        """The deadline is put off while it could compute and may not; not when it waits, and not when it computes."""
        script = STUB + "time.sleep(1.5); frame(0, hello); request(); time.sleep(60)"
        looks = iter([(True, 0.0), (True, 0.01)] * 10 + [(True, 0.0), (True, 0.1)])
        with mock.patch.object(stream, "_threads", lambda pid: next(looks, (False, 0.0))):
            with tc.Board("stub", timeout=0.7, command=[sys.executable, "-c", script]):
                pass
        for seen in ([(False, 0.0)], [(True, 0.0), (True, 0.1)]):
            looks = iter(seen * 20)
            with mock.patch.object(stream, "_threads", lambda pid: next(looks)):
                self.told("time.sleep(60)", "does not answer the greeting in time", 0.3)

    def test_what_the_system_says_of_a_process(self):
        with subprocess.Popen([sys.executable, "-c", "while True: pass"]) as spinning:
            time.sleep(0.5)
            runs, computed = stream._threads(spinning.pid)
            spinning.kill()
        self.assertTrue(runs)
        self.assertGreater(computed, 0.0)
        self.assertEqual((False, 0), stream._threads(2**22 + 1))

    def test_dies(self):
        self.told("print('FAULT: bus error at 0x2000'); sys.exit(99)",
                  "(?s)ended with status 99 before.*FAULT: bus error")
        self.told("frame(0, hello); request(); print('stack overflow'); sys.exit(98)",
                  "(?s)ended with status 98 before it answered tanh.*stack overflow")
        self.told("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", "ended by signal 9")

    def test_talks_nonsense(self):
        self.told("frame(0, hello, flip=1)", "damaged frame")
        self.told("frame(0, hello[:4])", "sent 4 bytes where more")
        self.told("sys.stdout.buffer.write(b'TCR1' + bytes(12)); sys.stdout.flush(); time.sleep(9)",
                  "a frame of 0 bytes")
        self.told("frame(0, hello); request(); frame(77, hello)", "answered request 77 in place of 1")
        self.told("frame(0, hello); frame(request(), struct.pack('<i', -100))", "received a damaged frame")
        self.told("frame(0, hello); frame(request(), struct.pack('<i', -101))", "do not fit each other")
        self.told("frame(0, hello); frame(request(), bytes(20))", "sent 20 bytes where 16 were due")
        self.told("sys.stdout.buffer.write(b'x' * 200000); sys.stdout.flush(); time.sleep(9)", "in time", 0.5)

    def test_closed(self):
        board = tc.Board("stub", command=[sys.executable, "-c", STUB + "frame(0, hello); time.sleep(60)"],
                         timeout=0.5)
        process = board._stream.process
        board.close()
        self.assertIsNotNone(process.poll())
        board.close()
        with self.assertRaisesRegex(tc.TinycontactError, "is closed"):
            board.tanh(1.0)

    def test_missing_programs(self):
        with self.assertRaisesRegex(tc.TinycontactError, "no-such-program: cannot be started"):
            tc.Board("stub", command=["no-such-program"])
        with self.assertRaisesRegex(tc.TinycontactError,
                                    "(?s)cannot be built.*no board 'nucleo'.*mps2-an386"):
            tc.Board("nucleo")
        with mock.patch.object(board_module.shutil, "which", return_value=None), \
                mock.patch.object(board_module, "make", return_value=["qemu-system-arm -M x -kernel y"]):
            with self.assertRaisesRegex(tc.TinycontactError, "qemu-system-arm is missing.*make setup"):
                tc.Board("mps2-an386")


class Numbering(unittest.TestCase):
    def test_firmware_and_package_list_the_same_functions(self):
        """One list in C, one in Python: the C one read from its source."""
        import re
        text = (ROOT / "boards" / "apps" / "remote" / "remote.c").read_text()
        cases = re.findall(r"(?:case \w+|default): return tc_(\w+)\(", text)
        self.assertEqual(cases, list(FUNCTIONS))
        table = re.search(r"unary\[\]\)\(tc_real\) = \{(.*?)\}", text, re.S).group(1)
        names = [name.replace("square_root", "tc_sqrt").removeprefix("tc_")
                 for name in re.findall(r"\w+", table)]
        self.assertEqual(names, list(UNARY))
        text = (ROOT / "boards" / "apps" / "remote" / "frame.h").read_text()
        self.assertEqual(int(re.search(r"FRAME_PAYLOAD_MAX (\d+)u", text).group(1)), board_module.PAYLOAD_MAX)


if __name__ == "__main__":
    os.chdir(ROOT)
    unittest.main()
