# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""A session with the firmware boards/apps/robot, and the firmware of a robot file.

    with open_board("mps2-an386", app=app_of(robot)) as link:
        session = RobotSession(link)
        session.begin()
        feet = session.tick(message_of(1, sample, robot))
"""
import hashlib
import json

import numpy as np

from .. import __version__
from ..build import cache, checkout
from ..hil import wire
from ..hil.link import Session
from .world import TICK

GIVEN = {"attitude": wire.ROBOT_ATTITUDE, "base_velocity": wire.ROBOT_VELOCITY}
SOURCE = """/* The firmware of a robot, as `make firmware` builds it: boards/apps/robot with the tables beside this file. */
#include "apps/robot/robot.c"

#include "apps/robot/main.c"
"""


class RobotSession(Session):
    """HELLO, then ticks: nothing is uploaded. After a reset of the board its estimator begins with the next tick."""

    def __init__(self, link, number=1, **limits):
        super().__init__(link, b"", b"", number, **limits)

    def upload_all(self):
        pass

    def tick(self, message, timeout=None, meanwhile=None):
        """The Feet of a Robot message; a frame that was spoilt or lost on either way is sent again."""
        def answers(got):
            return got.type == wire.Feet.TYPE and got.message().tick == message.tick

        return self._insist(message, f"tick {message.tick}", answers, timeout, meanwhile)


def message_of(tick, sample, robot, silent=0):
    """The Robot message of a sample {name: array} of sensors.NAMES, and base_velocity [6] with its variances, if it is
    there; `silent`: bits of limbs that do not report."""
    message = wire.Robot(tick=tick, limbs=len(robot.limbs), silent=silent, gyro=_floats(sample["gyro"]),
                         accel=_floats(sample["accel"]), attitude=_floats(sample["attitude"]), given=wire.ROBOT_ATTITUDE)
    if "base_velocity" in sample:
        message.given |= wire.ROBOT_VELOCITY
        message.base_velocity[:], message.base_velocity_variance[:] = np.split(np.float32(sample["base_velocity"]), 2)
    for k, (limb, part) in enumerate(zip(robot.limbs, robot.columns())):
        message.joints[k] = limb.joints
        message.encoder[k][:limb.joints] = _floats(sample["encoder"][part])
        message.torque[k][:limb.joints] = _floats(sample["torque"][part])
    return message


def _floats(values):
    return tuple(float(value) for value in values)


def app_of(robot, tick=TICK, sensing=None):
    """The folder of an application (APP=) for a Robot, relative to the checkout; made if it is not there."""
    from ..model import write_whole
    from ..robot import whole_export
    sensing = sensing or whole_export.Sensing()
    said = json.dumps([robot.text, tick, sensing.fields(), __version__], sort_keys=True)
    folder = cache() / "robots" / "apps" / hashlib.sha256(said.encode()).hexdigest()[:16]
    if not (folder / "firmware.c").is_file():
        whole_export.write(robot, folder, tick, sensing, tables_only=True)
        write_whole(folder / "firmware.c", SOURCE.encode("ascii"))
    return folder.relative_to(checkout())
