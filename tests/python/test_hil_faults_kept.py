# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""tests/hil/faults.csv, which `make hil-faults` writes: every fault was tried on every board, with all ten million random
bytes, and each board recovered alike."""
import csv
import re
import unittest

from tinycontact_case import ROOT

TESTS = [ROOT / "tests" / "python" / f"test_hil_faults_{name}.py" for name in ("line", "board", "upload")]
EMULATED = sorted(path.parent.name for path in ROOT.glob("boards/*/board.mk") if path.parent.name != "host")
# Frames until an answer, ticks until the estimates are those of a run without the fault (frozen: until it is told).
LIMITS = {"frozen": (1, 150), "reset in flight": (2, 20), "lost frame": (2, 0), "random bytes": (2, 0),
          "single-bit errors": (2, 0), "truncations": (2, 0)}

# microbit is too small for the firmware; the two with an M33 came after `make hil-faults` was last run whole.
NOT_TRIED = {"microbit", "mps2-an505", "mps2-an521"}


class Faults(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with open(ROOT / "tests" / "hil" / "faults.csv", newline="", encoding="ascii") as file:
            cls.rows = list(csv.DictReader(file))

    def of(self, board):
        return {row["fault"]: (int(row["count"]), int(row["frames"]), int(row["ticks"])) for row in self.rows
                if row["board"] == board}

    def test_boards(self):
        """All that are emulated, and the same on all: the bits are."""
        boards = sorted({row["board"] for row in self.rows})
        self.assertLessEqual(set(boards), set(EMULATED))
        self.assertEqual(NOT_TRIED, set(EMULATED) - set(boards))
        for board in boards:
            self.assertEqual(self.of(board), self.of(boards[0]), board)

    def test_every_fault(self):
        """As many rows as the tests keep; none took longer than it may."""
        kept = sum(len(re.findall(r"self\.(?:recovers|kept)\(", path.read_text(encoding="utf-8"))) for path in TESTS)
        faults = self.of(self.rows[0]["board"])
        self.assertGreaterEqual(len(faults), kept)
        for fault, (_, frames, ticks) in faults.items():
            most = next((limit for name, limit in LIMITS.items() if fault.startswith(name)), (1, 20))
            self.assertTrue(frames <= most[0] and ticks <= most[1], fault)
        self.assertGreaterEqual(faults["random bytes"][0], 10_000_000)


if __name__ == "__main__":
    unittest.main()
