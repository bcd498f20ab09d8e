# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""What tinycontact leg estimate and leg hil log do for robots of several limbs."""
import csv
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ..csvfile import write_columns
from ..errors import TinycontactError
from ..hil import wire
from ..hil.link import TO_BOARD
from ..hil.log import read_log
from .description import load_robot, parse_robot
from .firmware import FLAGS
from .log import AXES, QUATERNION, estimate, joint_names, read
from .world import TICK

NOT_OF_ROBOTS = {"html": "--html", "mcap": "--mcap", "rerun": "--rerun", "config": "--config", "rate": "--rate",
                 "torque_constant": "--torque-constant", "gear": "--gear"}


def run(options):
    """`tinycontact leg estimate` with a robot file."""
    for name, option in NOT_OF_ROBOTS.items():
        if getattr(options, name) is not None:
            raise TinycontactError(f"{option}: is for one leg; {options.chain} is a robot of several limbs")
    if options.plot:
        from ..report.plots import ready
        ready()
    robot = load_robot(options.chain)
    log = read(options.log, robot, ",".join(options.columns or ()))
    sensing = {"torque_noise": options.torque_noise} if options.torque_noise else {}
    if options.encoder_bits:
        sensing["encoder_counts"] = 2.0**options.encoder_bits
    result = estimate(robot, log, sensing)
    print("\n".join(words(result)))
    if options.output:
        write(options.output, result)
        print(f"{options.output}: {len(result)} ticks of {len(robot.limbs)} feet")
    if options.plot:
        shown = _draw(options.plot, result)
        print(f"{options.plot}: a picture of {shown}")
    if not options.no_check:
        for k, finding in enumerate(log.findings, 1):
            print(f"likely mistake {k}: {finding}")
    return log.findings


def words(result):
    """Lines for a person."""
    told, log = result.told, result.log
    lost = log.sensors["lost"].mean(0)
    yield f"{log.path}: {len(result)} ticks of {1e3 * log.tick:.4g} ms, {100 * lost.mean():.2f} % lost"
    for k, limb in enumerate(result.robot.limbs):
        contact = told["contact"][:, k]
        slips = contact & (told["p"][:, k, 2] > told["p"][:, k, 1])
        line = (f"{limb.name}: {np.sum(np.diff(contact.astype(int)) > 0)} touch-downs, in contact {100 * contact.mean():.0f} %"
                f" of the time, slips {100 * slips.mean():.1f} %")
        score = result.scores.get(limb.name)
        if score:
            line += (f"; right in {100 * score['right']:.2f} % of ticks (the truth a tick late {100 * score['right_oracle']:.2f}),"
                     f" {score['missed']:.0f} of {score['touch_downs']:.0f} missed, {score['false']:.0f} false")
        yield line


def write(path, result):
    """A row per tick and limb."""
    told, limbs = result.told, result.robot.limbs
    T, L = told["contact"].shape
    columns = {"t": np.repeat(result.time, L), "limb": [limb.name for limb in limbs] * T,
               "contact": told["contact"].astype(int).ravel()}
    for name, part in zip(("p_air", "p_sticks", "p_slips"), range(3)):
        columns[name] = told["p"][..., part].ravel()
    for name, part in zip(("impulse_x", "impulse_y", "impulse_z"), range(3)):
        columns[name] = told["impulse"][..., part].ravel()
    for name, part in zip(("slip_x", "slip_y"), range(2)):
        columns[name] = told["slip"][..., part].ravel()
    columns |= {name: told[name].ravel() for name in ("friction", "since", "flags")}
    write_columns(path, list(columns), list(columns.values()))


@dataclass
class _Mode:
    mode: np.ndarray


@dataclass
class _Shown:
    """What strips.draw takes of an Episode."""
    robot: object
    feet: list
    tick: float

    def __len__(self):
        return len(self.feet[0].mode)


def _draw(path, result):
    """What it shows, in words."""
    from . import strips
    limbs, truth = len(result.robot.limbs), result.log.contact
    told = {**result.told, "stale": (result.told["flags"] & FLAGS["stale"]) != 0}
    feet = [_Mode(np.zeros(len(result), int) if truth is None else truth[:, k].astype(int)) for k in range(limbs)]
    strips.save(path, _Shown(result.robot, feet, result.log.tick), {"estimated": told}, Path(result.log.path).name)
    whole = len(result) * result.log.tick
    return "it" if whole <= strips.SECONDS else f"the first {strips.SECONDS:g} of its {whole:.4g} s"


def columns_of_hil_log(path, cut=False):
    """(Robot, {column: [T]}) of a log.bin of boards/apps/robot; with contacts if ticks.csv of the same run is beside it."""
    log = read_log(path, cut)
    robot = parse_robot(log.header["robot"], f"{path}, header")
    codec, rows = wire.Codec(), {}
    for record in log.records:
        for frame in codec.decode(record.data) if record.direction == TO_BOARD else ():
            if frame.result == wire.FRAME and frame.type == wire.Robot.TYPE:
                rows[frame.message().tick] = frame.message()
    if not rows:
        raise TinycontactError(f"{path}: holds no samples")
    ticks = np.array(sorted(rows))
    messages = [rows[tick] for tick in ticks.tolist()]
    found = {"t": (ticks - 1) * TICK}
    for kind, field in (("q", "encoder"), ("tau", "torque")):
        values = np.array([[np.nan if message.silent >> k & 1 else getattr(message, field)[k][j]
                            for k, limb in enumerate(robot.limbs) for j in range(limb.joints)] for message in messages])
        found |= {f"{kind}_{name}": column for name, column in zip(joint_names(robot), values.T)}
    imu = np.array([[*message.gyro, *message.accel] for message in messages])
    found |= dict(zip(AXES, imu.T))
    if all(message.given & wire.ROBOT_ATTITUDE for message in messages):
        found |= dict(zip(QUATERNION, np.array([tuple(message.attitude) for message in messages]).T))
    return robot, {**found, **_truth_beside(path, robot, ticks)}


def _truth_beside(path, robot, ticks):
    """{contact_LIMB: [T]} of ticks.csv in the same folder: a sample is of the tick before."""
    beside = Path(path).parent / "ticks.csv"
    if not beside.is_file():
        return {}
    modes = {}
    with open(beside, newline="", encoding="ascii") as file:
        for row in csv.DictReader(file):
            modes[round(float(row["t"]) / TICK), row["limb"]] = int(row["true_mode"])
    return {f"contact_{limb.name}": np.array([int(modes.get((tick - 1, limb.name), 0) != 0) for tick in ticks.tolist()])
            for limb in robot.limbs}
