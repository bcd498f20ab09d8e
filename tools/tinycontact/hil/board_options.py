# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The options that say which board runs the firmware, for every command that runs one against a simulation."""
from ..options import positive


def add_board(p):
    p.add_argument("--board", default="mps2-an386", metavar="B",
                   help="the board, as in `tinycontact board list` (default mps2-an386)")
    p.add_argument("--port", default="", metavar="DEVICE", help="serial port of a real board")
    p.add_argument("--baud", type=positive, default=115200, metavar="N",
                   help="baud rate of the port (default 115200)")
    p.add_argument("--profile", choices=("exact", "fast"), default="exact",
                   help="profile of the firmware (default exact)")
