# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""No long silence: work that takes longer than a second gets a line, and more lines while it lasts."""
import contextlib
import io
import threading
import time
import unittest
from unittest import mock

from tinycontact_case import Temporary
from tinycontact import build, progress


class Announced(Temporary):
    def lines(self, seconds, again=0.5):
        err = io.StringIO()
        with contextlib.redirect_stderr(err), mock.patch.object(progress, "AGAIN", again):
            with progress.announced("building the firmware"):
                time.sleep(seconds)
        return err.getvalue().splitlines()

    def test_lines(self):
        self.assertEqual(self.lines(0.05), [])
        told = self.lines(3.0)
        self.assertEqual(told[0], "tinycontact: building the firmware ...")
        self.assertGreaterEqual(len(told), 2)
        for line in told[1:]:
            self.assertRegex(line, r"^tinycontact: building the firmware: \d+ s so far$")

    def test_it_ends_with_the_work(self):
        before = threading.active_count()
        with contextlib.suppress(ZeroDivisionError), progress.announced("dividing"):
            _ = 1 / 0
        self.assertEqual(threading.active_count(), before)

    def test_shares(self):
        """A line a second, not one per share."""
        err, now = io.StringIO(), iter([0.0, 0.5, 1.2, 1.9, 2.5])
        with contextlib.redirect_stderr(err), mock.patch.object(progress.time, "monotonic", lambda: next(now)):
            tell = progress.Teller()
            for share, part in ((0.1, ""), (0.2, "points"), (0.3, ""), (0.5, "")):
                tell(share, part)
        self.assertEqual(err.getvalue(), "tinycontact: fitting, points:  20 %\ntinycontact: fitting:  50 %\n")

    def test_building(self):
        """make is announced, whatever it makes."""
        def slow(*_, **__):
            time.sleep(1.6)
            return mock.Mock(returncode=0, stdout="done\n", stderr="")
        err = io.StringIO()
        with mock.patch.object(build.subprocess, "run", slow), contextlib.redirect_stderr(err), \
                mock.patch.object(progress, "AGAIN", 0.2):
            self.assertEqual(build.make("the firmware for mps2-an386", "firmware"), ["done"])
        self.assertIn("building the firmware for mps2-an386 ...", err.getvalue())
        self.assertIn("s so far", err.getvalue())


if __name__ == "__main__":
    unittest.main()
