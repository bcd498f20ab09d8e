# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Bytes to and from a board, with deadlines: the pipes of a process, which is an emulator with the board's UART on them
or the board "host" itself, or a serial port. A deadline is a time of time.monotonic().
"""
import contextlib
import os
import select
import shutil
import subprocess
import termios
import time
import tty
import weakref

from .errors import TinycontactError


class BoardError(TinycontactError):
    """The board did not start, did not answer, or answered nonsense."""


class Stream:
    """Two file descriptors, the one to write to not blocking."""

    def __init__(self, source, sink):
        self._source, self._sink = source, sink
        os.set_blocking(sink, False)

    def write(self, data, deadline):
        view = memoryview(data)
        while view:
            if not select.select([], [self._sink], [], max(0.0, deadline - time.monotonic()))[1]:
                raise TimeoutError
            try:
                view = view[os.write(self._sink, view):]
            except BlockingIOError:   # less room than select thought
                continue
            except OSError:   # its reader is gone, or the port was pulled out
                raise EOFError from None

    def read(self, deadline):
        """At least one byte."""
        if not select.select([self._source], [], [], max(0.0, deadline - time.monotonic()))[0]:
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


class ProcessStream(Stream):
    """A process's pipes; it ends with this object."""

    def __init__(self, command, folder):
        if "/" not in command[0] and shutil.which(command[0]) is None:
            raise BoardError(f"{command[0]}: cannot be started (there is no such program)")
        try:
            self.process = subprocess.Popen(_tied(command), cwd=folder, stdin=subprocess.PIPE,
                                            stdout=subprocess.PIPE,
                                            stderr=subprocess.STDOUT, bufsize=0)
        except OSError as error:
            raise BoardError(f"{command[0]}: cannot be started ({error.strerror or error})") from None
        super().__init__(self.process.stdout.fileno(), self.process.stdin.fileno())
        self._last_words = weakref.finalize(self, _end, self.process)

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
        speed = getattr(termios, f"B{baud}", None)
        if speed is None:
            raise BoardError(f"{path}: {baud} is no speed of a serial port; for example 115200, 921600")
        try:
            port = os.open(path, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
        except OSError as error:
            raise BoardError(f"{path}: cannot be opened ({error.strerror or error})") from None
        self._last_words = weakref.finalize(self, os.close, port)
        try:
            tty.setraw(port)
            settings = termios.tcgetattr(port)
            settings[2] = settings[2] & ~(termios.CSTOPB | termios.CRTSCTS) | termios.CLOCAL | termios.CREAD
            settings[4] = settings[5] = speed
            termios.tcsetattr(port, termios.TCSANOW, settings)
            termios.tcflush(port, termios.TCIOFLUSH)
        except termios.error as error:
            self.close()
            raise BoardError(f"{path}: is no serial port ({error.args[-1]})") from None
        super().__init__(port, port)

    def ended(self):
        return "is gone: the port was closed or pulled out"

    def close(self):
        self._last_words()


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
