# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The settings of bank.Bank, and robots that it runs at once."""
from dataclasses import dataclass, replace

import numpy as np

from ..errors import TinycontactError
from .motion import stacked
from .world import torque_size

AIR, STICK, SLIP, FREE = range(4)
MASS, MEDIAN = 12.04, 3.02     # [kg] that forces are given for; third difference of white noise over its deviation
FINE = 4e-5                    # [rad] of encoders
CAP = 14.0                     # of log likelihoods
Z = np.array([0.0, 0.0, 1.0])
REACH = 0.506                  # [m] that heights are given for


@dataclass(frozen=True)
class Settings:
    """Of a robot of the Go1's size, chosen on that robot with seeds below 100. Each may be an array [S, 1] of settings
    that run at once."""
    force: float = 220.0          # [N] of the contact per tick, standard deviation
    free_force: float = 300.0     # [N] of the free impact
    torque: tuple = (0.10, 0.07, 0.70) # [N m], part of the torque, part of the load
    normal: float = 0.15          # [m/s] of a contact's velocity along z
    tangent: float = 0.023        # [m/s] of a sticking one's along x and y
    aslope: float = 0.30          # of the sliding speed, into the velocity along z
    friction: float = 0.6
    encoder: float = 1.6          # times the encoder's variance
    floor: float = 0.008          # [m] of a floor's height from step to step
    surprise: float = 1e-4        # rate from air to contact per tick, whatever the height
    lift: float = 0.002           # rate from contact to air per tick
    light: tuple = (0.03, 12.0)   # the same of a foot with little force, [N] of it
    rise: tuple = (0.2, 0.002)    # the same of a foot that is above its floor and rises, [m]
    keep: float = 0.95            # of a contact's kind per tick
    free: float = 0.3             # share of the free impact of touch-downs
    on: float = 0.8               # probability
    off: float = 0.24
    accel: float = 0.10           # [m/s^2] of the accelerometer, tilt with it
    bias: float = 0.10            # [m/s^2 / sqrt(s)]
    odometry: float = 0.06        # [m/s] of a sticking foot's velocity, per tick
    base_z: float = 0.10          # [m/s]
    height: float = 0.003         # [m]
    rest: float = 0.3             # of what J does not see of z - q
    load: float = 40.0            # [1/s] of the filtered force
    doubt: float = 0.3            # [m/s] standard deviation of the base's velocity where it is doubted
    opposes: float = 0.05         # least friction of a foot that really slides
    # feet that slip because the base's velocity is wrong differ by less than a part of the speed and so much [m/s], for
    # so many ticks, for so many where one foot stands, and are no faster than this [m/s]
    alike: tuple = (0.2, 0.03, 5, 20, 1.5)
    gain: float = 0.05            # of the torques' scale, standard deviation; 0: not identified
    gain_gate: float = 50.0       # of an error's square over its variance
    gain_noise: float = 0.07      # of the torque, besides what is known of its scale
    stop: tuple = (0.03, 150.0)   # [rad] before a joint's stop, times its torque's noise is the torque of a stop
    settle: float = 5.0           # ticks in which a landing foot comes to rest
    begin: int = 100              # ticks in which the base is doubted from the start
    slope: float = 3.0            # [1/s] of the plane's slope


SCALED = ("force", "free_force")    # by mass
SHORT = ("floor", "height")         # by length


class Robots:
    """[E] robots with limbs of the same joints, stacked: numbers [E, L]."""

    def __init__(self, robots):
        count = len(robots[0].limbs)
        every = stacked([limb for robot in robots for limb in robot.limbs])
        if every is None or any(len(robot.limbs) != count for robot in robots):
            raise TinycontactError("robots that run at once have as many limbs, and joints, as each other")
        shape = (len(robots), count)
        self.limb = replace(every,
                            links=[_reshaped(link, shape) for link in every.links],
                            foot=_reshaped(every.foot, shape))
        self.mass = np.array([robot.mass / MASS for robot in robots])[:, None]
        self.reach = np.array([[limb.reach / REACH for limb in robot.limbs] for robot in robots])
        self.length = self.reach.mean(1, keepdims=True)
        self.least, self.most = self._ranges(robots, (*shape, every.joints))
        self.torque = np.array([[torque_size(limb) for limb in robot.limbs] for robot in robots])
        self.imu = np.array([robot.imu for robot in robots])
        self.imu_axes = np.array([robot.imu_axes for robot in robots])
        self.g = np.array([robot.g for robot in robots])
        self.free = np.array([robot.root != "fixed" for robot in robots]).astype(float)
        self.shape = (*shape, every.joints)

    def _ranges(self, robots, shape):
        """[E, L, n] twice; infinite for joints without stops."""
        ranges = [link.range or (-np.inf, np.inf) for robot in robots for limb in robot.limbs for link in limb.links]
        return np.moveaxis(np.array(ranges, float).reshape(*shape, 2), -1, 0)


def _reshaped(part, shape):
    values = {name: np.asarray(value).reshape(*shape, *np.shape(value)[1:]) for name, value in vars(part).items()
              if not isinstance(value, str)}
    return replace(part, **values)
