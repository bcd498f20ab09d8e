# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Logs of other makers as logs of a leg (read.py): log.bin of `tinycontact leg hil run`, recorded episodes.

A row is a sample at the time it was taken; its column contact says whether the foot touched in the tick that ended
there.
"""
import csv
import gzip
import io
from pathlib import Path

import numpy as np

from ..errors import TinycontactError
from ..hil import truth, wire
from ..hil.chain_file import parse_chain
from ..hil.link import TO_BOARD
from ..hil.log import read_log
from ..hil.world import TICK
from ..model import write_whole

GIVEN = {"pitch": wire.GIVEN_PITCH, "base_velocity": wire.GIVEN_BASE_VELOCITY, "touch": wire.GIVEN_TOUCH}


def columns(chain, time, samples, contact=None, more=None):
    """{column: [T]} in the chain file's signs. `samples`: encoder and torque [T, n], gyro [T], accel [T, 2], and any
    of pitch, base_velocity, touch, in the library's."""
    leg, found = chain.planar(), {"t": time}
    drives = np.eye(leg.joints) if chain.drives is None else chain.drives
    for kind, name, by in (("q", "encoder", drives.T), ("tau", "torque", np.linalg.inv(drives))):
        values = leg.sign * np.asarray(samples[name], float)
        values = values if chain.drives is None else values @ by   # the motors', as `leg estimate` takes them
        found |= {f"{kind}{k + 1}": values[:, k] for k in range(leg.joints)}
    accel = np.asarray(samples["accel"], float)
    if leg.root != "fixed":
        found |= {"gyro_y": -np.asarray(samples["gyro"], float), "accel_x": accel[:, 0], "accel_z": accel[:, 1]}
    if "pitch" in samples and leg.root == "floating":
        found["pitch"] = -np.asarray(samples["pitch"], float)
    found |= {name: np.asarray(samples[name], float) for name in ("base_velocity", "touch") if name in samples}
    found |= more or {}
    return found if contact is None else found | {"contact": np.asarray(contact, int)}


def of_episode(chain, episode, given=("pitch",)):
    """{column: [T]} of a recorded Episode (hil/episodes.py); rows whose frame was lost are left out."""
    names = ("encoder", "torque", "gyro", "accel", *given)
    touching = episode.truth.mode != truth.AIR
    here = np.asarray(episode.lost) == 0
    found = columns(chain, np.arange(len(episode)) * episode.tick, {name: getattr(episode, name) for name in names},
                    np.concatenate([[False], touching[:-1]]))
    return {name: values[here] for name, values in found.items()}


def of_hil_log(path, cut=False):
    """(Chain, {column: [T]}) of a log.bin; with contact if ticks.csv of the same run is beside it."""
    log = read_log(path, cut)
    if log.header.get("app", "foot") != "foot" or not isinstance(log.header.get("chain"), dict):
        raise TinycontactError(f"{path}: is a log of the application {log.header.get('app')}, not of a leg's estimator")
    chain = parse_chain(log.header["chain"], f"{path}, the header's chain")
    tick = float(log.header.get("tick", TICK))
    rows, said = _frames(log)
    if not rows:
        raise TinycontactError(f"{path}: holds no samples")
    numbers, joints = np.array(sorted(rows)), len(chain.links)
    messages = [rows[number] for number in numbers]
    samples = {"encoder": np.array([message.encoder[:joints] for message in messages]),
               "torque": np.array([message.torque[:joints] for message in messages]),
               "gyro": np.array([message.gyro for message in messages]),
               "accel": np.array([message.accel[:] for message in messages])}
    for name, bit in GIVEN.items():
        if all(message.given & bit for message in messages):
            samples[name] = np.array([getattr(message, name) for message in messages])
    board = {"board_contact": [said[number].contact if number in said else 0 for number in numbers],
             "board_p_air": [said[number].p[0] if number in said else np.nan for number in numbers]}
    time = (numbers - 1) * tick
    return chain, columns(chain, time, samples, _truth_beside(path, numbers, tick),
                          {name: np.array(values) for name, values in board.items()})


def _frames(log):
    """({tick: Sensors}, {tick: Estimate}) of a log; of a frame that was sent twice the last."""
    out, back, rows, said = wire.Codec(), wire.Codec(), {}, {}
    for record in log.records:
        for frame in (out if record.direction == TO_BOARD else back).decode(record.data):
            if frame.result == wire.FRAME and frame.type == wire.Sensors.TYPE:
                message = frame.message()
                rows[message.tick] = message
            elif frame.result == wire.FRAME and frame.type == wire.Estimate.TYPE:
                message = frame.message()
                said[message.tick] = message
    return rows, said


def _truth_beside(path, numbers, tick):
    """[T] of ticks.csv in the same folder, or None. Its row at time t has what was true in the tick that ended at t."""
    beside = Path(path).parent / "ticks.csv"
    if not beside.is_file():
        return None
    with open(beside, newline="", encoding="ascii") as file:
        modes = {round(float(row["t"]) / tick): int(row["true_mode"]) for row in csv.DictReader(file)}
    return [modes.get(number - 1, 0) != truth.AIR for number in numbers.tolist()]


# Decimals by the column's beginning: finer than any sensor
DECIMALS = (("t", 6, True), ("q", 6, False), ("dq", 5, False), ("tau", 4, False), ("gyro", 5, False),
            ("accel", 4, False),
            ("pitch", 6, False), ("base_velocity", 5, False), ("touch", 3, False), ("board_p", 4, False))


def text_of(found, short=True):
    """The CSV of {column: [T]}; `short`: sensors' numbers to DECIMALS, else all digits of their floats."""
    def shown(name, values):
        if values.dtype.kind in "biu":
            return [str(int(value)) for value in values]
        if not short and name != "t":
            return [str(value) for value in values.astype(np.float32)]
        places = next((places for begin, places, alone in DECIMALS if name == begin or (not alone
                                                                                        and name.startswith(begin))), 6)
        texts = (f"{value:.{places}f}".rstrip("0").rstrip(".") for value in values)
        return ["0" if text in ("-0", "") else text for text in texts]

    out = io.StringIO()
    out.write(",".join(found) + "\n")
    for row in zip(*(shown(name, np.asarray(values)) for name, values in found.items())):
        out.write(",".join(row) + "\n")
    return out.getvalue()


def write(path, found, short=True):
    """Writes {column: [T]} as CSV; compressed where the name ends in .gz, always to the same bytes."""
    data = text_of(found, short).encode("ascii")
    write_whole(path, gzip.compress(data, 9, mtime=0) if str(path).endswith(".gz") else data)
