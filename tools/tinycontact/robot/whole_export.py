# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""A robot file as C for firmware: the robot's tables, the configuration of the estimator of all feet, and a main loop.

    write(load_robot("robot.json"), "firmware/robot", tick=0.001)

robot_tables.h and robot_tables.c are all that firmware needs. main.c runs the estimator on sample.c, a simulated log of
the same robot, until drivers take its place; it is an application of this repository's boards, and a program for a
desktop.
"""
import platform
import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ..cexport import c_name
from ..errors import StatusError, TinycontactError
from ..model import write_whole
from ..robots.description import load_robot, six
from . import whole_ctext as ctext
from . import whole_sample
from .ctext import comment
from .export import LEAST_TICK, MOST_TICK, TAKEN, TICK
from .space import nearest

SENSING = {"encoder_counts": 65536.0, "torque_noise": 0.0, "accel_noise": 0.06, "torque_limit": 1e3, "gyro_limit": 35.0,
           "accel_limit": 160.0}   # fields of tc_feet_sensing that are written
LIBRARY_TORQUE = 0.07              # [N m] of a limb like the Go1's, where nothing is said: what the sampled log has


@dataclass(frozen=True)
class Sensing:
    """What is known of the sensors; a field that is None is assumed."""
    encoder_bits: float = 16.0    # steps per turn of the encoder, or per metre: 2^bits
    encoder_gear: float = 1.0     # turns of the encoder per turn of the joint
    torque_noise: float = None    # [N m] or [N] of each torque, dry friction left out
    accel_noise: float = None     # [m/s^2]
    torque_limit: float = None    # [N m]
    gyro_limit: float = None      # [rad/s]
    accel_limit: float = None     # [m/s^2]

    def fields(self):
        """{field of tc_feet_sensing: number}"""
        told = {name: getattr(self, name) for name in SENSING if getattr(self, name, None) is not None}
        return {**SENSING, **told, "encoder_counts": 2.0**self.encoder_bits * self.encoder_gear}

    def assumed(self):
        torque = "as tuned, in proportion to the limb" if self.torque_noise is None else f"{self.torque_noise:g}"
        return [f"encoders: {self.encoder_bits:g} bits per turn, {self.encoder_gear:g} turns per turn of the joint",
                f"torque noise: {torque}; of joints with dry friction, that too",
                f"accelerometer noise: {self.fields()['accel_noise']:g} m/s^2"]


@dataclass(frozen=True)
class Written:
    """What write() made: the files, and the log that main.c plays; None without main.c."""
    paths: tuple
    sample: whole_sample.Sample


def _stamp(robot, tick, command):
    from .. import __version__
    name = comment(robot.name or Path(robot.path).stem or "a robot")
    made = f"tinycontact {__version__}, numpy {np.__version__}, Python {platform.python_version()}"
    told = f" * {comment(command)}\n" if command else ""
    limbs = f"{len(robot.limbs)} limb{'s' * (len(robot.limbs) > 1)}"
    return f"""/*
 * The robot {name}: {limbs}, {robot.joints} joints, estimated every {tick:g} s.
 *
 * Made by {made}: do not edit.
{told} */
"""


def check_settings(settings, robot):
    """Refuses names that tc_feet_config does not have; a name may have the indices of a limb and a joint of the Robot."""
    from ..robots.firmware import fields
    known = {**fields(), "frozen": 1, "torqueless": 1}
    for name in settings:
        word = name.split("[")[0]
        if word not in known:
            raise TinycontactError(f"{name!r} is no name of a field of tc_feet_config" + nearest(word, known))
        depth = {1: 0, 4: 1}.get(known[word], 2)
        if name != word and not ctext.is_indexed(name, depth):
            places = {0: "it is one number", 1: "say [LIMB]", 2: "say [LIMB][JOINT], or none for all"}[depth]
            raise TinycontactError(f"{name!r}: {places}")
        _check_place(name, robot)
        if word in ctext.COUNTS and not (settings[name] >= 0 and settings[name] == int(settings[name])):
            raise TinycontactError(f"--set {name}={settings[name]:g}: is a count, a whole number from 0 on")


def _check_place(name, robot):
    """Refuses the index of a limb or joint that the Robot does not have."""
    limb, joint, *_ = *(int(index) for index in re.findall(r"\[(\d)\]", name)), 0, 0
    if limb >= len(robot.limbs):
        raise TinycontactError(f"{name!r}: the robot has the limbs 0 to {len(robot.limbs) - 1}")
    if joint >= robot.limbs[limb].joints:
        raise TinycontactError(f"{name!r}: limb {limb} has the joints 0 to {robot.limbs[limb].joints - 1}")


def check(robot, tick, settings, base):
    if not base[:1].isalpha():
        raise TinycontactError(f"a name of C files and functions begins with a letter, not with {base[:1]!r}")
    if base in TAKEN:
        raise TinycontactError(f"{base!r} is the name of another file that is written: choose another")
    if not LEAST_TICK <= tick <= MOST_TICK:
        raise TinycontactError(f"a tick of {tick:g} s is not between {LEAST_TICK:g} and {MOST_TICK:g} s")
    check_settings(settings, robot)


class _Tick:
    """An Episode of one tick, all sensors 0 but gravity's."""

    def __init__(self, robot, tick):
        still = {"encoder": robot.joints, "torque": robot.joints, "gyro": 3, "lost": 1}
        self.robot, self.tick = robot, tick
        self.sensors = {name: np.zeros((1, count), np.float32) for name, count in still.items()}
        self.sensors["accel"] = np.float32([[0.0, 0.0, robot.g]])

    def __len__(self):
        return 1


def _accepts(robot, tick, sensing, settings):
    """Refuses what the library does not take, while a person is there to read it."""
    from ..robots.firmware import Firmware
    from ..robots.tables import Tables
    Tables(robot)

    def start(**told):
        Firmware(sensing=sensing, given=(), **told).rows(_Tick(robot, tick))
    try:
        start()
    except StatusError as error:
        raise TinycontactError("no estimator has such sensors and tick, whose ranges lib/estimator/tc_feet.h has"
                               f" ({error})") from None
    if not _starts(start, settings):
        raise TinycontactError(f"--set {_culprit(start, settings)}: out of its range, which lib/estimator/tc_feet.h has")


def _starts(start, settings):
    try:
        start(**{name.split("[")[0]: value for name, value in settings.items()})
        return True
    except StatusError:
        return False


def _culprit(start, settings):
    """NAME=VALUE of the setting without which all others are taken, or the first that is not taken alone."""
    rest = [name for name in settings if _starts(start, {other: settings[other] for other in settings if other != name})]
    alone = [name for name in settings if not _starts(start, {name: settings[name]})]
    name = next(iter([*rest, *alone, *settings]))
    return f"{name}={settings[name]:g}"


def write(robot, folder, tick=TICK, sensing=Sensing(), settings=None, name="robot", command="", tables_only=False):
    """Writes <name>_tables.h, <name>_tables.c, main.c, sample.h and sample.c into a folder, which is made; Written.

    `robot`: a Robot or the path of its file. `settings`: {field of tc_feet_config: number}, beside what
    tc_feet_default_for computes on the target; `torque_noise[1][2]` is one joint's. `tables_only`: the first two files.
    """
    robot = robot if hasattr(robot, "limbs") else load_robot(robot)
    settings, base, folder = dict(settings or {}), c_name(name), Path(folder)
    check(robot, tick, settings, base)
    if folder.exists() and not folder.is_dir():
        raise TinycontactError(f"{folder}: is a file, no folder for C files")
    fields = sensing.fields()
    _accepts(robot, tick, fields, settings)
    stamp, log = _stamp(robot, tick, command), None
    texts = {f"{base}_tables.h": ctext.header(base, robot, tick, stamp),
             f"{base}_tables.c": ctext.source(base, robot, six, fields, settings, stamp)}
    if not tables_only:
        log = whole_sample.record(robot, tick, {**fields, "torque_noise": fields["torque_noise"] or _noise_of(robot)})
        texts |= {"sample.h": ctext.sample_header(base, robot, log, stamp),
                  "sample.c": ctext.sample_source(robot, log, stamp), "main.c": ctext.main(base, stamp)}
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise TinycontactError(f"{folder}: cannot be made ({error.strerror})") from None
    for file, text in texts.items():
        write_whole(folder / file, text.encode("ascii"))
    return Written(tuple(folder / file for file in texts), log)


def _noise_of(robot):
    from ..robots.world import torque_size
    return LIBRARY_TORQUE * min(torque_size(limb) for limb in robot.limbs)
