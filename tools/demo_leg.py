# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The leg of `make demo`: the firmware boards/apps/foot on the emulated board, a hopper in MuJoCo at the other end of
its UART, which hops and slips for ten seconds."""
PLANT, SEED, SECONDS = "hopper", 1, 10.0


def run(board, folder, picture):
    """The run.Outcome; files as `tinycontact leg hil run` leaves them in a folder, and the picture."""
    from tinycontact.hil import report, run as loop
    from tinycontact.hil.parameters import parameters
    from tinycontact.hil.plant import default_chain

    options = loop.Options(PLANT, str(default_chain(PLANT)), board, seed=SEED, seconds=SECONDS)
    outcome = loop.run(options, folder, parameters)
    report.write_banner(picture, options, outcome)
    return outcome
