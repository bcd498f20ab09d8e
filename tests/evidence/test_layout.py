# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""`make format-check` names a file that is not as .clang-format says, `make format` mends it, both refuse another version."""

import re
import unittest
from pathlib import Path

from support import ROOT, Folder, run

import common
import layout

FORMATTER = Path(ROOT) / "build/venv/bin/clang-format"


class Layout(Folder):
    def test_every_file_is_looked_at(self):
        found = {path.relative_to(ROOT).as_posix() for path in layout.sources(Path(ROOT))}
        for name in ("lib/tinycontact.h", "port/tc_kernel_mat.h", "boards/board.h", "tests/unit/main.c", "tools/native/cdl.c"):
            self.assertIn(name, found)

    def test_version_is_that_of_setup(self):
        text = (Path(ROOT) / "tools/setup/python_env.py").read_text(encoding="utf-8")
        self.assertEqual([layout.VERSION], re.findall(r'"clang-format==([\d.]+)"', text))
        other = self.path("other")
        Path(other).write_text("#!/bin/sh\necho clang-format version 14.0.6\n")
        Path(other).chmod(0o755)
        with self.assertRaisesRegex(common.Fault, "not version 18.1.8, but: clang-format version 14.0.6"):
            layout.check_version(other)

    @unittest.skipUnless(FORMATTER.exists(), "make setup GROUPS=format brings clang-format; the job `format` does")
    def test_a_bad_file_is_named_and_mended(self):
        bad = Path(ROOT) / "build" / "layout_test.h"    # below the root, where the settings are
        bad.write_text("int  go (int a);\n")
        self.addCleanup(bad.unlink)
        done = run("python3", "tools/evidence/layout.py", str(bad))
        self.assertEqual((1, "build/layout_test.h: not as .clang-format says; `make format` mends it\n0 passed, 1 failed\n"),
                         (done.returncode, done.stdout))
        self.assertEqual(0, run("python3", "tools/evidence/layout.py", "--write", str(bad)).returncode)
        self.assertEqual("int go(int a);\n", bad.read_text())


if __name__ == "__main__":
    unittest.main()
