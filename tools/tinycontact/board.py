# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""A board as a backend: the firmware boards/apps/remote, under QEMU or, on the board "host", as a process.

boards/apps/remote/frame.h and remote.c describe the bytes. Everything the board sends is bounded, checked and
waited for with a timeout; when it ends or falls silent, the error carries what it last said in words.
"""
import contextlib
import shlex
import shutil
import struct
import time
import zlib
from pathlib import Path

import numpy as np

from .build import checkout, make, repository
from .errors import TinycontactError, expect_model
from .functions import ALL_FINITE_NUMBER, ATAN2_NUMBER, STATUS, UNARY_NUMBER, Calls
from .stream import BoardError, ProcessStream, words

MAGIC = b"TCR1"
HEADER = struct.Struct("<4s3I")
PAYLOAD_MAX = 8448
SLOTS, SLOT = 4, 1024
HELLO, WRITE, OPEN, EVAL, GRAD, RANGE, SELFTEST, CALL, EXIT, SYSTEM, LEARNED, ROLL, BODY, START, MOVE = range(15)
BAD_FRAME, BAD_REQUEST = -100, -101
CHUNK = 8192   # bytes of a model per frame
STEP = 512     # elements of an element-wise call per frame


def app_folder(app, what="this"):
    """`make APP=`: a name in boards/apps, or a folder, which is looked for in the working folder first."""
    root, here = repository(what), Path(app)
    known = (root / "boards" / "apps" / app).is_dir() or not here.is_dir()
    return app if known or here.resolve() == (root / app).resolve() else str(here.resolve())


def command_of(board, profile, app="remote"):
    """Builds the firmware; the words that start it, as `make run` would."""
    app = app_folder(app, f"the firmware for {board}")
    choices = [f"BOARD={board}", f"APP={app}", f"PROFILE={profile}"]
    make(f"the firmware for {board}", "firmware", *choices)
    lines = make(f"the firmware for {board}", "-n", "run", "RUNNER=", *choices)
    command = shlex.split(lines[-1]) if lines else []
    if not command:
        raise BoardError(f"board {board}: `make -n run` does not say how to run an image")
    if "/" not in command[0] and shutil.which(command[0]) is None:
        raise BoardError(f"{command[0]} is missing, which emulates {board}: run `make setup`"
                         " (Debian: apt install qemu-system-arm)")
    return command


class Board(Calls):
    """`with Board("mps2-an386") as board:` the functions and nets of the library on that board, in float32.

    profile "exact" or "fast"; timeout: how long one answer may take [s]. `command` starts something else that
    speaks the same frames. Model files may have up to `model_bytes` bytes (48 KB).
    """

    real = np.float32

    def __init__(self, name="mps2-an386", profile="exact", timeout=10.0, command=None):
        self.name, self.timeout = name, timeout
        self._stream, self._id, self._buffer, self._words = None, 0, b"", b""
        self._current = None   # the blob that lies in the board's buffer
        command = command or command_of(name, profile)
        self._stream = ProcessStream(command, checkout())
        try:
            payload = self._receive(0, "the greeting", time.monotonic() + timeout)
            self.tick_hz, self.model_bytes = self._unpack("<iII", payload)[1:]
            self.text = payload[12:].split(b"\0")[0].decode("ascii", "replace")
        except BaseException:
            self.close()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        """Ends the board's process."""
        if self._stream is not None:
            if self._stream.process.poll() is None:
                with contextlib.suppress(TinycontactError):
                    self._ask("exit", struct.pack("<I", EXIT), timeout=min(1.0, self.timeout))
            if self._stream is not None:
                self._stream.close()
            self._stream = None

    def build_text(self):
        """tc_version_text() of the board's library, and the board's name."""
        return self.text

    # ---- Frames

    def _fail(self, text):
        """An error with what the board said in words; the board is given up."""
        # A fault handler's text may still be on its way.
        with contextlib.suppress(TimeoutError, EOFError):
            while len(self._buffer) + len(self._words) < 65536:
                self._buffer += self._stream.read(time.monotonic() + 0.3)
        said = words(self._words + self._buffer)
        stream, self._stream = self._stream, None
        stream.close()
        raise BoardError(f"board {self.name}: {text}" + (f"; it said:\n{said}" if said else "")) from None

    def _ask(self, what, payload, timeout=None):
        """The reply to a request."""
        if self._stream is None:
            raise BoardError(f"board {self.name}: is closed")
        self._id = self._id % 0xFFFFFFFF + 1
        payload = bytes(payload) + bytes(-len(payload) % 4)
        body = struct.pack("<II", len(payload), self._id) + payload
        deadline = time.monotonic() + (timeout or self.timeout)
        frame = MAGIC + body[:8] + struct.pack("<I", zlib.crc32(body)) + payload
        try:
            self._stream.write(frame, deadline)
        except TimeoutError:
            self._fail(f"does not take {what} within {timeout or self.timeout:g} s")
        except EOFError:
            self._fail(f"{self._stream.ended()} before {what}")
        return self._receive(self._id, what, deadline)

    def _receive(self, wanted, what, deadline):
        try:
            while True:
                start = self._buffer.find(MAGIC)
                if start < 0:
                    keep = len(MAGIC) - 1
                    self._words = (self._words + self._buffer[:-keep])[-4096:]
                    self._buffer = self._buffer[-keep:]
                elif len(self._buffer) >= start + HEADER.size:
                    _, length, ident, crc = HEADER.unpack_from(self._buffer, start)
                    if not 4 <= length <= PAYLOAD_MAX:
                        self._fail(f"sent a frame of {length} bytes in answer to {what}")
                    end = start + HEADER.size + length
                    if len(self._buffer) >= end:
                        frame = self._buffer[start:end]
                        self._words, self._buffer = self._words + self._buffer[:start], self._buffer[end:]
                        return self._checked(frame, ident, crc, wanted, what)
                self._buffer += self._stream.read(deadline)
        except TimeoutError:
            self._fail(f"does not answer {what} in time (timeout {self.timeout:g} s)")
        except EOFError:
            self._fail(f"{self._stream.ended()} before it answered {what}")

    def _checked(self, frame, ident, crc, wanted, what):
        payload = frame[HEADER.size:]
        if zlib.crc32(frame[4:12] + payload) != crc:
            self._fail(f"sent a damaged frame in answer to {what}")
        status = struct.unpack_from("<i", payload)[0]
        if status == BAD_FRAME:
            self._fail(f"received a damaged frame in place of {what}")
        if ident != wanted:
            self._fail(f"answered request {ident} in place of {wanted}, {what}")
        if status == BAD_REQUEST:
            self._fail(f"refused {what} as malformed: firmware and package do not fit each other")
        return payload

    def _unpack(self, kind, payload, offset=0):
        if len(payload) < offset + struct.calcsize(kind):
            self._fail(f"sent {len(payload)} bytes where more were due")
        return struct.unpack_from(kind, payload, offset)

    def _floats(self, payload, offset, n):
        if len(payload) != offset + 4 * n:
            self._fail(f"sent {len(payload)} bytes where {offset + 4 * n} were due")
        return np.frombuffer(payload, "<f4", n, offset).astype(np.float32)

    # ---- What Calls asks for

    def _call(self, what, number, dims, given, wanted):
        """(status, rank, residual, arrays): given and wanted are arrays and element counts per slot."""
        counts = [len(a) for a in given]
        head = struct.pack("<5I", CALL, number, *dims, *[0] * (3 - len(dims)))
        head += struct.pack(f"<{SLOTS}I", *counts, *[0] * (SLOTS - len(counts)))
        head += struct.pack(f"<{SLOTS}I", *wanted, *[0] * (SLOTS - len(wanted)))
        payload = self._ask(what, head + b"".join(a.astype("<f4").tobytes() for a in given))
        status, rank, residual = self._unpack("<iIf", payload)
        flat = self._floats(payload, 12, sum(wanted))
        return status, rank, residual, np.split(flat, np.cumsum(wanted)[:-1])

    def _matrix(self, function, dims, arrays):
        if max(a.size for a in arrays) > SLOT or max(dims) > 512:   # beyond every limit
            return STATUS["TC_ERR_SIZE"][0], 0, 0.0
        given = [a.reshape(-1) if p.given else a.reshape(-1)[:0] for a, p in zip(arrays, function.parameters)]
        wanted = [a.size if p.returned else 0 for a, p in zip(arrays, function.parameters)]
        status, rank, residual, results = self._call(function.name, function.number, dims, given, wanted)
        for array, result, parameter in zip(arrays, results, function.parameters):
            if parameter.returned:
                array[...] = result.reshape(array.shape)
        return status, rank, residual

    def _elementwise(self, name, x, y):
        number = ATAN2_NUMBER if name == "atan2" else UNARY_NUMBER[name]
        result = np.zeros(len(x), np.float32)
        for at in range(0, len(x), STEP):
            part = [x[at:at + STEP]] + ([] if y is None else [y[at:at + STEP]])
            result[at:at + STEP] = self._call(name, number, [], part, [len(part[0])])[3][0]
        return result

    def _all_finite(self, x):
        return all(self._call("all_finite", ALL_FINITE_NUMBER, [], [x[at:at + STEP]], [0])[1]
                   for at in range(0, len(x), STEP))

    def _load(self, blob):
        """The blob into the board's buffer and opened; the table of nets."""
        if len(blob) > self.model_bytes:
            raise BoardError(f"board {self.name}: the model has {len(blob)} bytes, the board takes"
                             f" {self.model_bytes}")
        self._current = None
        for at in range(0, len(blob), CHUNK):
            part = blob[at:at + CHUNK]
            self._ask("a model's bytes", struct.pack("<3I", WRITE, at, len(part)) + part)
        payload = self._ask("open", struct.pack("<2I", OPEN, len(blob)))
        status, fault, n_nets = self._unpack("<iII", payload)
        expect_model(f"open on board {self.name}", status, fault)
        self._current = blob
        rows = [self._unpack("<24sII", payload, 12 + 32 * k) for k in range(n_nets)]
        return [(name.split(b"\0")[0].decode("ascii", "replace"), n_in, n_out) for name, n_in, n_out in rows]

    def _open(self, blob):
        nets = self._load(blob)
        return (blob, nets), nets

    def _need(self, handle):
        """One model lies on the board at a time: the one that is asked for."""
        if self._current is not handle[0]:
            self._load(handle[0])

    def _eval(self, handle, index, x):
        self._need(handle)
        payload = self._ask("eval", struct.pack("<2I", EVAL, index) + x.astype("<f4").tobytes())
        return self._unpack("<i", payload)[0], self._floats(payload, 4, handle[1][index][2])

    def _grad(self, handle, index, x, cotangent):
        self._need(handle)
        _, n_in, n_out = handle[1][index]
        numbers = cotangent.astype("<f4").tobytes() + x.astype("<f4").tobytes()
        payload = self._ask("grad", struct.pack("<2I", GRAD, index) + numbers)
        both = self._floats(payload, 4, n_out + n_in)
        return self._unpack("<i", payload)[0], both[:n_out], both[n_out:]

    def _in_range(self, handle, index, x):
        self._need(handle)
        payload = self._ask("range", struct.pack("<2I", RANGE, index) + x.astype("<f4").tobytes())
        return self._unpack("<iI", payload)[1]

    def _selftest(self, handle):
        self._need(handle)
        return self._unpack("<iIIf", self._ask("selftest", struct.pack("<I", SELFTEST)))

    # ---- CD-Lagrange systems, for tinycontact.cdl

    def take_system(self, numbers):
        """Takes a system on a line, packed as remote.c says: (status, body or contact at fault). It lasts until
        something else than `roll` is asked."""
        return self._unpack("<iI", self._ask("a system", struct.pack("<I", SYSTEM) + numbers))

    def take_learned(self, blob, step):
        """Takes the system of a model file: (status, number of coordinates)."""
        self._load(blob)
        return self._unpack("<iI", self._ask("a learned system", struct.pack("<If", LEARNED, step)))

    def roll(self, Q, V, steps):
        """Rolls the system on, as many of the steps as an answer holds: (status, body at fault, energy of the start,
        rows with the fields Q, V, energy, acting, status)."""
        n = len(Q)
        kind = np.dtype([("Q", "<f4", (n,)), ("V", "<f4", (n,)), ("energy", "<f4"), ("acting", "<u4"),
                         ("status", "<i4")])
        steps = min(steps, (PAYLOAD_MAX - 16) // kind.itemsize)
        start = np.concatenate([Q, V]).astype("<f4").tobytes()
        payload = self._ask("a roll-out", struct.pack("<2I", ROLL, steps) + start)
        status, done, body, energy = self._unpack("<iIIf", payload)
        if done > steps or len(payload) != 16 + done * kind.itemsize:
            self._fail(f"sent {len(payload)} bytes for {done} of {steps} steps")
        return status, body, energy, np.frombuffer(payload, kind, done, 16)

    # ---- A body in space, for tinycontact.spatial.toss_board

    def take_body(self, numbers):
        """Takes a convex body in space, packed as remote.c says: its status. It lasts until something else than
        `start_body` and `move_body` is asked."""
        return self._unpack("<i", self._ask("a body", struct.pack("<I", BODY) + numbers))[0]

    def start_body(self, state):
        """Puts the body at a state [13], without the impulses of a step before."""
        self._ask("a start", struct.pack("<I", START) + np.asarray(state, "<f4").tobytes())

    def move_body(self, rows):
        """Moves the body: rows with the fields steps, step [s], weight; as many rows with the fields state [13],
        status, or fewer if a step failed."""
        kind = np.dtype([("state", "<f4", (13,)), ("status", "<i4")])
        payload = self._ask("a toss", struct.pack("<I", MOVE) + rows.tobytes())
        done = self._unpack("<iI", payload)[1]
        if done > len(rows) or len(payload) != 8 + done * kind.itemsize:
            self._fail(f"sent {len(payload)} bytes for {done} of {len(rows)} rows")
        return np.frombuffer(payload, kind, done, 8)
