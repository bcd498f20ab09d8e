# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The firmware in the loop with a simulated leg, on the host and on an emulated Cortex-M4F: same seed, same log, and the
host's replay has the board's bits; what goes wrong half-way leaves what there was."""
import contextlib
import io
import json
import os
import pty
import signal
import struct
import subprocess
import sys
import time
import tty
import unittest
import zlib
from pathlib import Path
from unittest import mock

import numpy as np

from hil_case import dying_at
from tinycontact_case import ROOT, Temporary
from tinycontact.csvfile import read_columns
from tinycontact.hil import link, run, wire
from tinycontact.hil.log import HEAD, read_log
from tinycontact.hil.parameters import parameters
from tinycontact.jsonfile import read_json

SECONDS = 0.5   # the hopper comes down after 0.15 s


def changed(data, tick):
    """A log with one bit wrong in the estimate of a tick, every checksum right."""
    at = 12 + struct.unpack_from("<I", data, 4)[0]
    while True:
        when, length, direction, _ = HEAD.unpack_from(data, at)
        frame = data[at + HEAD.size:at + HEAD.size + length]
        if (when, direction) == (tick, link.TO_HOST):
            break
        at += HEAD.size + length + 4
    (received,) = wire.Codec().decode(frame)
    message = received.message()
    message.p[1] = np.nextafter(np.float32(message.p[1]), np.float32(2))
    codec = wire.Codec()
    codec._encoder.sequence = received.sequence
    frame = codec.encode(message)
    body = HEAD.pack(tick, len(frame), direction, 0) + frame
    return data[:at] + body + struct.pack("<I", zlib.crc32(body)) + data[at + HEAD.size + length + 4:]


def not_deaf():
    """A shell without job control starts what it puts in the background deaf to Ctrl-C, and so would be its children."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


class Runs(Temporary):
    def hil(self, folder, *words, seconds=SECONDS, board="host", status=0):
        """`tinycontact leg hil run`: (folder, what it said)."""
        words = ("--board", board, "--plant", "hopper", "--seed", 3, "--seconds", seconds, *words)
        return Path(folder), self.command("leg hil run", *words, "-o", folder, status=status)[1]

    def test_files(self):
        folder, said = self.hil("out")
        self.assertIn("report.png", said)
        self.assertEqual({path.name for path in folder.iterdir()}, {"log.bin", "ticks.csv", "summary.json", "report.png"})
        ticks = read_columns(folder / "ticks.csv", run.COLUMNS)
        self.assertEqual(len(ticks), 1000 * SECONDS)
        np.testing.assert_allclose(ticks["t"], np.arange(1, 1000 * SECONDS + 1) / 1000)
        np.testing.assert_allclose(ticks["p_air"] + ticks["p_static"] + ticks["p_dynamic"], 1, atol=1e-5)
        self.assertEqual(set(ticks["true_mode"]) - {0, 1, 2}, set())
        self.assertEqual(ticks["stale"].sum(), 0)
        summary = read_json(folder / "summary.json")
        self.assertTrue(summary["complete"])
        self.assertGreater(summary["touch_downs"], 0)
        self.assertEqual((summary["missed"], summary["ticks"], summary["overruns"] >= 0), (0, 1000 * SECONDS, True))
        self.assertEqual((folder / "report.png").read_bytes()[:4], b"\x89PNG")
        header = read_log(folder / "log.bin").header
        self.assertEqual((header["board"], header["plant"], header["profile"], header["seed"]), ("host", "hopper", "exact", 3))
        self.assertIn("alike", self.command("leg hil replay", folder / "log.bin")[0])

    def test_a_run_without_a_touch_down_judges_nothing(self):
        """All air is right in 100 % of ticks, and says nothing: the run fails, and its files are there."""
        folder = Path("short")
        out, said = self.command("leg hil run", "--board", "host", "--plant", "hopper", "--seed", 3, "--seconds", 0.1, "-o", folder,
                                 status=1)
        self.assertIn("the foot never touched down in 0.1 s: nothing was judged", said)
        self.assertNotIn("100.00 %", out)
        self.assertEqual({path.name for path in folder.iterdir()}, {"log.bin", "ticks.csv", "summary.json", "report.png"})

    def test_ticks_are_the_logs(self):
        """ticks.csv has the numbers that the board sent, to the last bit."""
        folder, _ = self.hil("out", seconds=0.2)
        codec, sent = wire.Codec(), []
        for record in read_log(folder / "log.bin").records:
            if record.direction == link.TO_HOST:
                sent += [f.message() for f in codec.decode(record.data) if f.type == wire.Estimate.TYPE]
        ticks = read_columns(folder / "ticks.csv", run.COLUMNS)
        for column, of in (("p_static", lambda e: e.p[1]), ("impulse_n", lambda e: e.impulse[1]),
                           ("impulse_t_variance", lambda e: e.impulse_variance[0]), ("v_slip", lambda e: e.slip)):
            np.testing.assert_array_equal(ticks[column].astype(np.float32), np.float32([of(e) for e in sent]))

    def test_same_seed_same_log(self):
        first, second = (self.hil(folder)[0] / "log.bin" for folder in ("one", "two"))
        self.assertEqual(first.read_bytes(), second.read_bytes())
        self.command("leg hil run", "--board", "host", "--plant", "hopper", "--seed", 4, "--seconds", SECONDS, "-o", "other")
        self.assertNotEqual(Path("other/log.bin").read_bytes()[-500:], first.read_bytes()[-500:])

    def test_emulated_board_has_the_hosts_bits(self):
        """The same run on both: every frame to the board is the same, and each answer but BOOT."""
        logs = [read_log(self.hil(board, board=board, seconds=0.25)[0] / "log.bin") for board in ("host", "mps2-an386")]
        host, board = ([r for r in log.records if r.tick > 0] for log in logs)
        self.assertEqual(host, board)
        replayed = self.command("leg hil replay", "mps2-an386/log.bin")[0]
        self.assertIn("250 ticks, profile exact: alike, bit for bit", replayed)

    def test_an_emulators_threads_stay_together(self):
        """On one processor, on which they wait less for each other; a process of the host goes where it likes."""
        with link.open_board("mps2-an386") as board, link.open_board("host") as host:
            threads = [int(name) for name in os.listdir(f"/proc/{board.process.pid}/task")]
            emulated = [os.sched_getaffinity(thread) for thread in threads if thread != board.process.pid]
            self.assertEqual(len(os.sched_getaffinity(board.process.pid)), 1)
            self.assertIn(os.sched_getaffinity(board.process.pid), emulated)
            self.assertEqual(os.sched_getaffinity(host.process.pid), os.sched_getaffinity(0))

    def test_one_bit(self):
        folder, _ = self.hil("out", seconds=0.2)
        Path("bad.bin").write_bytes(changed((folder / "log.bin").read_bytes(), 77))
        self.assertIn("tick 77, Estimate.p[1]: the board", self.command("leg hil replay", "bad.bin", status=1)[1])

    def test_board_ends_half_way(self):
        """Files of what there was, an exit status other than 0, and a log that replays as far as it goes."""
        with dying_at(120):
            folder, said = self.hil("out", status=2)
        self.assertRegex(said, "board host: ended by signal 9")
        self.assertEqual(len(read_columns(folder / "ticks.csv", run.COLUMNS)), 119)
        self.assertFalse(json.loads((folder / "summary.json").read_text())["complete"])
        self.refused("leg hil replay", folder / "log.bin", told=["without its end record", "--cut"])
        replayed = self.command("leg hil replay", folder / "log.bin", "--cut")[0]
        self.assertIn("119 ticks, profile exact: alike, bit for bit", replayed)

    def at_terminal(self):
        """Firmware on an emulated board at one end of a pseudo-terminal: (its process, our end, the name of the other)."""
        board, port = pty.openpty()
        tty.setraw(board)
        firmware = subprocess.Popen(link.command_of("mps2-an386", "exact", link.APP), cwd=ROOT, stdin=board, stdout=board)
        self.addCleanup(firmware.wait)
        self.addCleanup(firmware.kill)
        name = os.ttyname(port)
        self.addCleanup(os.close, port)
        return firmware, board, name

    def test_port_is_lost(self):
        """The cable is pulled: told at once, with the files of what there was. A board that hangs: told each time it is asked
        again, and at last an error."""
        firmware, board, port = self.at_terminal()
        ticks = iter(range(1000))
        opened = run.open_link

        def spoilt(action):
            def open_and_spoil(options):
                made = opened(options)
                made.line = lambda frame: [action(next(ticks)) or frame]
                return made
            return mock.patch.object(run, "open_link", open_and_spoil)
        hang = spoilt(lambda count: firmware.send_signal(signal.SIGSTOP) if count == 60 else None)
        with hang, contextlib.redirect_stderr(io.StringIO()) as said:
            options = run.Options("hopper", None, port=port, seconds=1, timeout=1.0)
            with self.assertRaisesRegex(link.Silent, rf"board {port}: does not answer tick \d+ within 1 s"):
                run.run(options, "hangs", parameters)
        self.assertEqual(said.getvalue().count("within 1 s: asked again"), 4)
        firmware.send_signal(signal.SIGCONT)
        ticks = iter(range(1000))

        def pull(count):
            if count == 60:
                firmware.kill()   # it holds an end of the terminal, too
                firmware.wait()
                os.close(board)
        with spoilt(pull):
            said = self.hil("out", "--port", port, status=2)[1]
        self.assertRegex(said, rf"board {port}: is gone: the port was closed or pulled out")
        for folder in ("hangs", "out"):
            self.assertFalse(read_json(f"{folder}/summary.json")["complete"])
            self.assertIn("alike", self.command("leg hil replay", "--cut", f"{folder}/log.bin")[0])

    def test_killed_and_started_again(self):
        """The desktop's program is killed in the middle; the board goes on. The log of the first run has all that was
        said, and the second run is as if nothing had been."""
        _, board, port = self.at_terminal()
        words = [sys.executable, "-m", "tinycontact", "leg", "hil", "run", "--plant", "hopper", "--seed", "3", "--port", port]
        environment = {**os.environ, "PYTHONPATH": str(ROOT / "tools")}
        first = subprocess.Popen([*words, "--seconds", "1000", "-o", "first"], env=environment, stderr=subprocess.DEVNULL)
        self.addCleanup(first.kill)
        until = time.monotonic() + 600
        while not (Path("first/log.bin").is_file() and Path("first/log.bin").stat().st_size > 20000):
            self.assertLess(time.monotonic(), until)
            time.sleep(0.02)
        first.kill()
        first.wait()
        again = subprocess.run([*words, "--seconds", "0.2", "-o", "again"], env=environment, capture_output=True, text=True)
        self.assertEqual(again.returncode, 0, again.stderr)
        os.close(board)
        whole, _ = self.hil("whole", seconds=0.2)
        said = [[r for r in read_log(f"{folder}/log.bin", cut=True).records if 0 < r.tick <= 100] for folder in
                ("first", "again", "whole")]
        self.assertEqual(said[1], said[2])
        self.assertEqual(said[0], said[2])
        self.assertIn("alike", self.command("leg hil replay", "--cut", "first/log.bin")[0])
        self.assertIn("alike", self.command("leg hil replay", "again/log.bin")[0])   # whatever the board did before

    def stopped(self, number):
        """A run on an emulated board that gets a signal half-way: (its exit status, what it said)."""
        environment = {**os.environ, "PYTHONPATH": str(ROOT / "tools")}
        words = ("--plant", "hopper", "--seconds", "1000", "-o", "out")
        running = subprocess.Popen([sys.executable, "-m", "tinycontact", "leg", "hil", "run", *words], env=environment, text=True,
                                   start_new_session=True, stderr=subprocess.PIPE, preexec_fn=not_deaf)
        self.addCleanup(running.kill)
        until = time.monotonic() + 600
        while not (Path("out/log.bin").is_file() and Path("out/log.bin").stat().st_size > 20000):
            self.assertLess(time.monotonic(), until)
            time.sleep(0.02)
        children = Path(f"/proc/{running.pid}/task/{running.pid}/children").read_text().split()
        os.killpg(running.pid, number) if number == signal.SIGINT else running.send_signal(number)
        said = running.communicate(timeout=600)[1]
        while any(Path(f"/proc/{child}").exists() for child in children):   # the emulator does not outlive it
            self.assertLess(time.monotonic(), until)
            time.sleep(0.02)
        self.assertIn("alike", self.command("leg hil replay", "--cut", "out/log.bin")[0])
        return running.returncode, said

    def test_interrupted(self):
        """Ctrl-C half-way: told, the files of what there was, a log that replays, no emulator left."""
        status, said = self.stopped(signal.SIGINT)
        self.assertEqual(status, 130)
        self.assertRegex(said, r"interrupted in tick \d+: out gets the files of what there was")
        self.assertFalse(read_json("out/summary.json")["complete"])
        rows, seconds = read_columns("out/ticks.csv", run.COLUMNS), read_json("out/summary.json")["seconds"]
        self.assertEqual(len(rows), round(1000 * seconds))

    def test_killed(self):
        self.assertEqual(self.stopped(signal.SIGKILL)[0], -signal.SIGKILL)

    def test_refused(self):
        Path("empty.tcm").write_bytes(b"")
        Path("noise.tcm").write_bytes(bytes(range(256)))
        Path("file").write_text("")
        Path("bad.json").write_text("{}")
        for words, told in ((("--board", "nucleo"), "no board 'nucleo'"), (("--chain", "bad.json"), "bad.json"),
                            (("--chain", "none.json"), "none.json"), (("--port", "nowhere"), "nowhere: cannot be opened"),
                            (("--model", "none.tcm"), "none.tcm"), (("--model", "empty.tcm"), "empty.tcm: "),
                            (("--model", "noise.tcm"), "noise.tcm: "), (("--seconds", "0"), "0 is not between"),
                            (("--seconds", "nan"), "nan is not between"), (("--seconds", "1e9"), "1e9 is not between")):
            self.refused("leg hil run", "--plant", "hopper", "-o", "out", *words, told=[told])
        self.refused("leg hil run", "--plant", "hopper", "-o", "file/out", told=["file/out: cannot be made"])

    def test_lost_frames(self):
        """A tick whose frame never arrived repeats the estimate before, marked; the board counts what it missed."""
        with mock.patch.object(run, "Plant", lambda *a, **k: LossyPlant(*a, **k)):
            folder, _ = self.hil("out", seconds=0.2)
        ticks = read_columns(folder / "ticks.csv", run.COLUMNS)
        np.testing.assert_array_equal(np.flatnonzero(ticks["stale"]), [20, 21, 60])
        for column in ("p_air", "impulse_n", "v_slip"):
            np.testing.assert_array_equal(ticks[column][[20, 21, 60]], ticks[column][[19, 19, 59]])
        self.assertEqual(read_json(folder / "summary.json")["missed_ticks"], 3)
        self.assertIn("alike", self.command("leg hil replay", folder / "log.bin")[0])


class LossyPlant(run.Plant):
    """The frames of ticks 21, 22 and 61 do not arrive."""

    def step(self):
        sample, fact = super().step()
        return {**sample, "lost": np.float32(self.ticks in (21, 22, 61))}, fact


if __name__ == "__main__":
    unittest.main()
