# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The demonstration's leg and log, data/demo_leg.json and data/demo_log.csv.gz, and what made the log:

    python -m tinycontact.leglog.demo      # writes the log again; needs MuJoCo

A leg of 1.1 kg steps under a driven body for six seconds (hil/plant.py), its sensors are read at 500 Hz; `contact` is
true.
"""
from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent / "data"
LEG, LOG = FOLDER / "demo_leg.json", FOLDER / "demo_log.csv.gz"
SEED, SECONDS, TICK = 7, 6.0, 2e-3


def make(path=LOG):
    """Writes the log."""
    from ..hil.chain_file import load_chain
    from ..hil.episodes import episode
    from .convert import of_episode, write
    chain = load_chain(LEG)
    write(path, of_episode(chain, episode("leg", SEED, SECONDS, chain=chain, tick=TICK, cached=False, encoder_bits=14),
                           ()))


if __name__ == "__main__":
    make()
    print(f"{LOG}: {LOG.stat().st_size} bytes")
