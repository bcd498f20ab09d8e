# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The floor of `make demo`: a box bounces at the UART of the firmware boards/apps/foot, which identifies how slippery and
how bouncy its floor is. Half-way the floor becomes another one; later the board's power is cut, and it goes on with what
it had saved."""
import pathlib
import shutil
import sys

IMPACTS, SEED, REBOOT = 80, 3, 60
MU, CHANGE, OUTLIERS = 0.5, 0.2, 0.03


def run(board, folder, picture):
    """The floor_run.Outcome; a line per impact that counts on the way, the files of `tinycontact impact hil` in a folder,
    and the picture."""
    from tinycontact.hil import floor_report, floor_run
    from tinycontact.hil.bounce import Truth

    truth = Truth(mu=MU, change=CHANGE, outliers=OUTLIERS)
    options = floor_run.Options(truth, IMPACTS, SEED, reboot=REBOOT, board=board)
    teller = floor_report.Teller(sys.stdout)
    outcome = floor_run.run(options, folder, teller, teller.note)
    shutil.copyfile(pathlib.Path(folder, "report.png"), picture)
    return outcome
