# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Bytes to and from a board, with deadlines: the pipes of a process, which is an emulator with the board's UART on them
or the board "host" itself, or a serial port. A deadline is a time of time.monotonic(); that of a process is put off for
as long as the process would compute but others have the processors, which is no silence of the board.
"""
import contextlib
import errno
import glob
import os
import select
import shutil
import subprocess
import termios
import time
import weakref

from .build import missing
from .errors import TinycontactError


class BoardError(TinycontactError):
    """The board did not start, did not answer, or answered nonsense."""


class Stream:
    """Two file descriptors, the one to write to not blocking."""

    def __init__(self, source, sink):
        self._source, self._sink = source, sink
        os.set_blocking(sink, False)

    def _ready(self, sources, sinks, deadline):
        """Whether one of them is, before the deadline."""
        return any(select.select(sources, sinks, [], max(0.0, deadline - time.monotonic())))

    def write(self, data, deadline):
        view = memoryview(data)
        while view:
            if not self._ready([], [self._sink], deadline):
                raise TimeoutError
            try:
                view = view[os.write(self._sink, view):]
            except BlockingIOError:   # less room than select thought
                continue
            except OSError:   # its reader is gone, or the port was pulled out
                raise EOFError from None

    def read(self, deadline):
        """At least one byte."""
        if not self._ready([self._source], [], deadline):
            raise TimeoutError
        try:
            data = os.read(self._source, 65536)
        except OSError:
            data = b""
        if not data:
            raise EOFError
        return data


def _tied(command):
    """The words that start a process which does not outlive the thread that started it, not even if that is killed: an
    emulator left alone would run for ever. Linux only."""
    return ["setpriv", "--pdeathsig", "KILL", "--", *command] if shutil.which("setpriv") else command


SLICE = 0.1   # [s] of waiting after which a process is looked at again


def _threads(pid):
    """(whether a thread of it could run, seconds that all have computed); (False, 0.0) where the system does not say."""
    runs, ticks = False, 0
    for path in glob.glob(f"/proc/{pid}/task/*/stat"):
        with contextlib.suppress(OSError):   # a thread that ended meanwhile
            with open(path, encoding="ascii", errors="replace") as file:
                cells = file.read().rpartition(")")[2].split()
            runs, ticks = runs or cells[0] == "R", ticks + int(cells[11]) + int(cells[12])
    return runs, ticks / os.sysconf("SC_CLK_TCK")


class ProcessStream(Stream):
    """A process's pipes; it ends with this object. With `one_cpu` its threads stay together: an emulator's two wait
    for each other at every byte of a UART, which costs half as much on one processor as between two."""

    def __init__(self, command, folder, one_cpu=False):
        if shutil.which(os.path.join(folder or "", command[0]) if "/" in command[0] else command[0]) is None:
            where = f" from {folder or os.getcwd()}" if command[0][0] == "." else ""
            raise BoardError(f"{command[0]}: cannot be started{where} (there is no such program)")
        try:
            self.process = subprocess.Popen(_tied(command), cwd=folder, stdin=subprocess.PIPE,
                                            stdout=subprocess.PIPE,
                                            stderr=subprocess.STDOUT, bufsize=0, start_new_session=True)
        except OSError as error:
            raise BoardError(f"{command[0]}: cannot be started ({error.strerror or error})") from None
        if one_cpu:
            _keep_together(self.process.pid)
        super().__init__(self.process.stdout.fileno(), self.process.stdin.fileno())
        self._last_words = weakref.finalize(self, _end, self.process)

    def _ready(self, sources, sinks, deadline):
        """Put off by every SLICE of which the process, though it could run, got less than half."""
        while not super()._ready(sources, sinks, deadline):
            runs, before = _threads(self.process.pid)
            if not runs:
                return False
            if super()._ready(sources, sinks, time.monotonic() + SLICE):
                return True
            runs, now = _threads(self.process.pid)
            if not runs or now - before > SLICE / 2:
                return False
        return True

    def ended(self):
        """How the process ended, in words."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            status = self.process.wait(2.0)
            return f"ended by signal {-status}" if status < 0 else f"ended with status {status}"
        return "closed its output"

    def close(self):
        self._last_words()


class SerialStream(Stream):
    """A serial port: 8 bits, no parity, one stop bit, no flow control; what came before it was opened is dropped."""

    def __init__(self, path, baud=115200):
        serial = _pyserial()
        try:
            self._port = serial.Serial(path, baud, timeout=0, exclusive=True)
            self._port.reset_input_buffer()
        except ValueError:
            raise BoardError(f"{path}: {baud} is no speed of a serial port; for example 115200, 921600") from None
        except (serial.SerialException, termios.error) as error:
            raise BoardError(f"{path}: {_refused(path, error)}") from None
        self._last_words = weakref.finalize(self, self._port.close)
        super().__init__(self._port.fileno(), self._port.fileno())

    def ended(self):
        return "is gone: the port was closed or pulled out"

    def close(self):
        self._last_words()


def _pyserial():
    try:
        import serial
    except ImportError:
        raise BoardError(f"serial ports need pyserial: {missing('pyserial', 'hil', 'sim')}") from None
    return serial


def _refused(path, error):
    """Why a port did not open, and the nearest thing to do."""
    number = getattr(error, "errno", None) or (error.args[0] if error.args else None)
    if number == errno.ENOENT:
        from serial.tools.list_ports import comports
        there = ", ".join(port.device for port in comports())
        return f"cannot be opened (there is no such port; {f'there are {there}' if there else 'is the board plugged in?'})"
    if number == errno.EACCES:
        return "cannot be opened (you are not in the group that owns it; Debian: adduser $USER dialout, then log in again)"
    if number in (errno.EAGAIN, errno.EBUSY):
        return "cannot be opened (another program has it open)"
    return f"is no serial port ({error})"


def _keep_together(pid):
    """On one of the processors that this process may use, not always the same: several boards share them. Threads that
    begin later inherit it. Where the system knows no affinity, nothing happens."""
    with contextlib.suppress(OSError, AttributeError):
        cpus = sorted(os.sched_getaffinity(0))
        os.sched_setaffinity(pid, {cpus[pid % len(cpus)]})


def _end(process):
    for pipe in (process.stdin, process.stdout):
        with contextlib.suppress(OSError):
            pipe.close()
    if process.poll() is None:
        process.kill()
    process.wait()


def words(data):
    """What a board said in words, out of bytes that may hold anything; the last 800 characters."""
    text = data.decode("ascii", "replace")
    return "".join(c for c in text if c.isprintable() and c != "\ufffd" or c == "\n").strip()[-800:]
