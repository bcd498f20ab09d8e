# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The quadruped of `make demo`: the firmware boards/apps/robot on the emulated board, a simulated robot of 12 kg in MuJoCo at
the other end of its UART, which trots for three seconds; some steps are slippery."""
import shutil
from pathlib import Path

ROBOT, GAIT, SEED, SECONDS = "go1", "trot", 3, 3.0


def run(board, folder, picture):
    """The run.Outcome; files as `tinycontact leg hil run-robot` leaves them in a folder, and the picture."""
    from tinycontact.robots import run as loop
    outcome = loop.run(loop.Options(ROBOT, GAIT, board=board, seed=SEED, seconds=SECONDS), folder)
    shutil.copyfile(Path(folder, "report.png"), picture)
    return outcome
