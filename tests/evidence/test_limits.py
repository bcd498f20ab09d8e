# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Limits that a busy machine does not reach: of processor time, and on standing still."""
import os
import re
import subprocess
import sys
import time
import unittest

from support import ROOT, Folder

import limits

PYTHON = sys.executable
SPIN = [PYTHON, "-c", "while True: pass"]
WAIT = [PYTHON, "-c", "import time; print('so far', flush=True); time.sleep(1000)"]


def alive(text):
    """Whether a process is left whose command line holds this."""
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/cmdline", "rb") as file:
                words = file.read().replace(b"\0", b" ").decode(errors="replace")
            with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as file:
                state = file.read().rpartition(")")[2].split()[0]
        except OSError:
            continue
        if text in words and state != "Z" and int(pid) != os.getpid():
            return True
    return False


class Clock:
    """Time and computing that pass as told."""

    def __init__(self):
        self.now, self.spent = 1000.0, {7: 0.0}

    def watch(self, cpu=100.0, still=60.0):
        return limits.Watch(7, cpu, still, lambda: self.now, lambda pid: dict(self.spent))


class Watching(unittest.TestCase):
    def test_a_day_on_a_busy_machine_is_no_reason(self):
        """A hundredth of a processor: 86,400 s of the clock, 864 s of computing."""
        clock = Clock()
        watch = clock.watch(cpu=900.0)
        for _ in range(8640):
            clock.now += 10.0
            clock.spent[7] += 0.1
            self.assertEqual("", watch.reason())

    def test_computing_without_end(self):
        clock = Clock()
        watch = clock.watch()
        clock.spent = {7: 60.0, 8: 39.0}
        self.assertEqual("", watch.reason())
        clock.spent[8] = 41.0
        self.assertEqual("no end after 100 s of processor time", watch.reason())

    def test_standing_still(self):
        """What a process takes to look round is no progress."""
        clock = Clock()
        watch = clock.watch()
        for _ in range(60):
            clock.now += 1.0
            clock.spent[7] += 0.0005
            self.assertEqual("", watch.reason())
        clock.now += 1.0
        self.assertIn("stands still, 60 s", watch.reason())

    def test_children_that_ended_still_count(self):
        clock = Clock()
        watch = clock.watch()
        clock.spent = {7: 1.0, 8: 98.0}
        watch.reason()
        clock.spent = {7: 1.0}
        watch.reason()
        self.assertEqual(99.0, watch.spent)

    def test_where_the_system_tells_nothing_nothing_is_limited(self):
        clock = Clock()
        clock.spent = {}
        watch = clock.watch()
        clock.now += 1e6
        self.assertEqual("", watch.reason())


class Running(Folder):
    def test_ends_by_itself(self):
        done = limits.run(["sh", "-c", "echo out; echo err >&2; exit 3"])
        self.assertEqual((3, "out\nerr\n", ""), tuple(done))

    def test_a_spinning_grandchild_is_stopped_with_all(self):
        mark = self.write("spin.py", "while True: pass\n")
        done = limits.run(["sh", "-c", f"{PYTHON} {mark} & wait"], cpu=0.5)
        self.assertEqual((None, "no end after 0.5 s of processor time"), (done.status, done.reason))
        self.assertFalse(alive(mark))

    def test_a_process_that_waits_is_stopped_with_what_it_said(self):
        done = limits.run(WAIT, still=1.5)
        self.assertEqual((None, "so far\n"), (done.status, done.output))
        self.assertIn("stands still", done.reason)

    def test_a_process_that_was_stopped_stands_still(self):
        done = limits.run(["sh", "-c", "kill -STOP $$"], still=1.0)
        self.assertIn("stands still", done.reason)

    def test_a_session_of_its_own_does_not_escape(self):
        mark = self.write("escape.py", "while True: pass\n")
        done = limits.run(["sh", "-c", f"setsid {PYTHON} {mark} & wait"], cpu=0.5)
        self.assertIn("processor time", done.reason)
        self.assertFalse(alive(mark))


class TestRunner(Folder):
    """tools/run_tests.py: the limit of 600 s by the clock failed a sound job on a busy machine."""

    def run_tests(self, job, *options):
        return subprocess.run([PYTHON, os.path.join(ROOT, "tools/run_tests.py"), *options, f"job :: {job}"], text=True,
                              capture_output=True, stdin=subprocess.DEVNULL, check=False)

    def test_setup_brings_what_the_chosen_jobs_need(self):
        """`make test ONLY=unit` installed JAX."""
        jobs = [f"{name} :: {needs} :: echo '1 passed, 0 failed'"
                for name, needs in (("unit a", "demo"), ("unit b", "test demo"), ("python c", "train"), ("table", ""))]
        for only, said in (("unit", "--group demo test\n"), ("python", "--group train\n"), ("table", "")):
            done = subprocess.run([PYTHON, os.path.join(ROOT, "tools/run_tests.py"), "--setup", "echo", "--only", only, *jobs],
                                  text=True, capture_output=True, stdin=subprocess.DEVNULL, check=False)
            self.assertEqual(0, done.returncode, done.stdout + done.stderr)
            self.assertTrue(done.stdout.startswith(said or "["), done.stdout)

    def test_what_is_skipped_is_named(self):
        """A count alone does not show that a new test is skipped."""
        job = self.write("skips.py", "import unittest\nclass Some(unittest.TestCase):\n    @unittest.skip('no board')\n"
                                     "    def test_it(self):\n        pass\nunittest.main()\n")
        done = self.run_tests(f"{PYTHON} {job} -v")
        self.assertRegex(done.stdout, r"\njob: test_it \(.*: skipped 'no board'\n1 skipped\n0 passed, 0 failed\n")

    def test_the_dearest_are_named(self):
        """By what they computed: CI's time is short, and a log of 150 lines does not show who takes it."""
        count = f"{PYTHON} -c 'sum(range(20000000))'; echo '1 passed, 0 failed'"
        jobs = [f"cheap :: {PYTHON} -c ''; echo '1 passed, 0 failed'", f"dear :: {count}", "none :: echo '1 passed, 0 failed'"]
        for wanted, named in (([], []), (["--dearest", "2"], ["dear", "cheap"])):
            done = subprocess.run([PYTHON, os.path.join(ROOT, "tools/run_tests.py"), *wanted, *jobs], text=True,
                                  capture_output=True, stdin=subprocess.DEVNULL, check=True)
            self.assertEqual(named, re.findall(r"^ +[0-9.]+ s (\w+)$", done.stdout, re.M))

    def test_only_what_is_unchanged_since_it_passed_is_left_out(self):
        """`make check` after one edit; whatever cannot be told, or did not pass with these very files, runs."""
        image, passed, first = self.write("image", "1"), self.path("passed"), "echo '1 passed, 0 failed'"
        failing = "echo '0 passed, 1 failed'; exit 1"

        def ran(command=first, files=f"echo {image}", options=("--passed", passed)):
            done = self.run_tests(f"demo :: {command} :: {files}", *options)
            self.assertEqual(command == failing, done.returncode != 0, done.stdout + done.stderr)
            self.assertNotEqual("1 unchanged since it passed: job\n" in done.stdout, "[ 1/1] job     " in done.stdout)
            return "unchanged" not in done.stdout

        self.assertTrue(ran())
        self.assertFalse(ran())
        self.assertTrue(ran(options=()), "make test")
        self.assertTrue(ran("echo '2 passed, 0 failed'"), "another command")
        self.assertTrue(ran())
        self.write("image", "2")
        self.assertTrue(ran(), "another image")
        self.assertFalse(ran())
        for files in ("true", f"echo {image}; exit 1", f"echo {image}.gone"):
            self.assertTrue(ran(files=files), files)
            self.assertTrue(ran(files=files), files)
        self.assertTrue(ran(failing))
        self.assertTrue(ran(failing), "it failed")
        changing = f"echo >> {image}; {first}"
        self.assertTrue(ran(changing))
        self.write("image", "2")
        self.assertTrue(ran(changing), "the files changed while it ran: which passed?")

    def test_waiting_for_others_is_allowed(self):
        done = self.run_tests("sleep 2; echo '1 passed, 0 failed'", "--cpu", "1", "--still", "60")
        self.assertEqual(0, done.returncode, done.stdout + done.stderr)

    def test_computing_or_standing_still_for_too_long_is_a_failure(self):
        for job, options, reason in ((f"{PYTHON} -c 'while True: pass'", ["--cpu", "0.5"], "0.5 s of processor time"),
                                     ("sleep 1000", ["--still", "1"], "stands still")):
            start = time.monotonic()
            done = self.run_tests(job, *options)
            self.assertEqual(1, done.returncode)
            self.assertIn(reason, done.stdout)
            self.assertIn("0 passed, 1 failed", done.stdout)
            self.assertLess(time.monotonic() - start, 500)


if __name__ == "__main__":
    unittest.main()
