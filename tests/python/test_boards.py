# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The boards' own promises: bytes in and out, the exit status, and faults told in words.

Each run waits for the board's first line before it sends anything: bytes that arrive before a UART
is enabled are lost, on the part as under QEMU.
"""
import re
import subprocess
import sys
import time
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BOARDS = sorted(path.parent.name for path in (ROOT / "boards").glob("*/board.mk") if path.parent.name != "host")
FAULTS = {  # byte sent: (text expected, exit status)
    b"u": ("undefined instruction", 99),
    b"z": ("division by zero", 99),
    b"a": ("unaligned access", 99),
    b"b": ("bus fault: data access", 99),
    b"n": ("not Thumb code", 99),
    b"s": ("stack overflow", 99),
    b"c": ("stack overflow: all", 98),
    b"e": ("exception or interrupt without a handler", 99),
    b"x": ("still here", 0),
}

# Armv6-M has one fault, without a cause; and the emulated part answers reads from everywhere, and cannot divide.
OF_V6 = {**{byte: ("hard fault (Armv6-M does not tell the cause)", 99) for byte in (b"u", b"a", b"n")},
         **{byte: FAULTS[byte] for byte in (b"s", b"c", b"e", b"x")}}


def faults_of(board):
    return OF_V6 if "cortex-m0plus" in (ROOT / "boards" / board / "board.mk").read_text(encoding="utf-8") else FAULTS


def built(board, app):
    """Builds an application for a board; (the command that runs it)."""
    done = subprocess.run(["make", "-s", "firmware", f"BOARD={board}", f"APP={app}"], cwd=ROOT, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode:
        raise AssertionError(done.stdout[-2000:])
    plan = subprocess.run(["make", "-n", "run", "RUNNER=", f"BOARD={board}", f"APP={app}"], cwd=ROOT, text=True, stdout=subprocess.PIPE)
    return re.search(r"^qemu-system-arm .*$", plan.stdout, re.M).group(0).split()


def talk(command, sent):
    """Starts a board, waits for its first line, sends bytes; (all it said, exit status)."""
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          bufsize=0) as board:
        try:
            first = board.stdout.readline()
            while first and b"warning" in first:
                first = board.stdout.readline()
            rest, _ = board.communicate(sent, timeout=600)
        except subprocess.TimeoutExpired:
            board.kill()
            raise AssertionError(f"no end within 600 s after {sent!r}") from None
        return (first + rest).decode(errors="replace"), board.returncode


class Faults(unittest.TestCase):
    def test_every_board_tells_what_happened(self):
        """Without a handler a fault is a silent hang: CI would only see a time-out."""
        for board in BOARDS:
            command = built(board, "fault")
            for byte, (text, status) in faults_of(board).items():
                with self.subTest(board=board, byte=byte):
                    said, returned = talk(command, byte)
                    self.assertIn(text, said)
                    self.assertEqual(status, returned, said)


class Stream(unittest.TestCase):
    def test_hello_echoes_and_exits(self):
        for board in BOARDS:
            with self.subTest(board=board):
                said, status = talk(built(board, "hello"), b"knock\n")
                self.assertIn(f"hello from {board}", said)
                self.assertIn("knock", said)
                self.assertEqual(0, status)


class Runner(unittest.TestCase):
    """tools/run_board.py, which `make run` runs the emulator with."""

    WORDS = [sys.executable, "tools/run_board.py"]

    def test_ends_the_emulator_when_its_reader_is_gone(self):
        """`make run | head`: QEMU went on for ever, at full speed."""
        for board in BOARDS[:1]:
            command = [*self.WORDS, *built(board, "hello")]
            with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                  bufsize=0) as runner:
                self.assertIn(b"tinycontact", runner.stdout.readline())
                children = Path(f"/proc/{runner.pid}/task/{runner.pid}/children").read_text().split()
                self.assertEqual(1, len(children))
                runner.stdout.close()
                self.assertEqual(128 + 9, runner.wait(600))
                self.assertFalse(Path("/proc", children[0]).exists())

    def test_keeps_input_output_and_status(self):
        script = "import sys; sys.stdout.write(sys.stdin.read().upper()); sys.exit(int(sys.argv[1]))"
        for status in (0, 1, 99):
            done = subprocess.run([*self.WORDS, sys.executable, "-c", script, str(status)], cwd=ROOT, input="knock\n", text=True,
                                  stdout=subprocess.PIPE)
            self.assertEqual((status, "KNOCK\n"), (done.returncode, done.stdout))
        killed = subprocess.run([*self.WORDS, "sh", "-c", "kill -KILL $$"], cwd=ROOT)
        self.assertEqual(128 + 9, killed.returncode)

    def test_does_not_leave_the_emulator_behind(self):
        with subprocess.Popen([*self.WORDS, "sleep", "1000"], cwd=ROOT) as runner:
            children = ""
            until = time.monotonic() + 600
            while not children:
                children = Path(f"/proc/{runner.pid}/task/{runner.pid}/children").read_text().strip()
                self.assertLess(time.monotonic(), until)
            time.sleep(0.3)   # it has to see the signal as its own
            runner.terminate()
            runner.wait(600)
        self.assertFalse(Path("/proc", children).exists())


if __name__ == "__main__":
    sys.exit(unittest.main())
