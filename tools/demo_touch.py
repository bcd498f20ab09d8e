# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The finger of `make demo`: it taps and strokes a ball of 30 mm, and the firmware boards/apps/finger says after each touch
where the ball is and how large."""
import pathlib
import shutil
import sys

TOUCHES, SEED, NOISE = 100, 3, 0.0003   # NOISE: of a touch in each direction [m]; the board is not told


def run(board, folder, picture):
    """The finger_run.Outcome; a line per touch that is told on the way, the files of `tinycontact shape touch` in a folder,
    and the picture."""
    from tinycontact.hil import finger_report, finger_run
    from tinycontact.hil.finger import Object

    ball = Object(noise=NOISE)
    teller = finger_report.Teller(sys.stdout, ball, TOUCHES)
    outcome = finger_run.run(finger_run.Options(ball, TOUCHES, seed=SEED, board=board), folder, teller)
    shutil.copyfile(pathlib.Path(folder, "report.png"), picture)
    return outcome
