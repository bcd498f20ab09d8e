# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""A plant: a simulated robot of several limbs with a gait and sensors, tick by tick (of 1 ms). Same seed, same numbers.

Tick k spans (k, k + 1] ticks. step() runs it and hands out what perfect sensors would hand a microcontroller at its
end: the reading of a tick before, of its begin; and, as truth, what each foot did in it.

    world axes   z up against gravity; at level ground those of the plant
    contact laws hil.mujoco_plant.LAWS
"""
from dataclasses import dataclass

import numpy as np

from ..errors import TinycontactError
from ..hil.mujoco_plant import LAWS
from ..robot.space import nearest
from . import fleet
from .description import Robot, load_robot
from .gait import Ground, Walker, gait_of
from .posture import home_of
from .sensors import Reading
from .world import TICK, World


def robot_of(robot):
    """The Robot of a Robot, a name of fleet.NAMES, or a path; its homes filled in."""
    if not isinstance(robot, Robot):
        robot = fleet.robot(str(robot)) if str(robot) in fleet.NAMES else load_robot(robot)
    return home_of(robot)


def leaning(slope, azimuth):
    """(up [3] in the plant's axes, [3, 3] that turns these into the world's) of a floor that falls by `slope` [rad]
    towards `azimuth`."""
    axis = np.array([-np.sin(azimuth), np.cos(azimuth), 0.0])
    K = np.array([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
    R = np.eye(3) + np.sin(slope) * K + (1 - np.cos(slope)) * K @ K
    return R.T[:, 2], R


@dataclass
class Tick:
    """The truth of one tick, in the world's axes. Without knowledge of what follows: gaps are not closed."""
    substeps: object          # world.Substeps, in the plant's axes
    floor: np.ndarray         # [L] height along the normal [m]
    mu: np.ndarray            # [L]
    velocity: np.ndarray      # [3] of the IMU, when the sample was taken that this tick ends with
    height: float             # of the base's origin over the mean floor along the normal [m]
    clock: np.ndarray         # [L] the gait's, 0 to 1: a foot is to lift off at 0 and to land at 1 - duty


class Plant:
    """`robot`: see robot_of; `gait` of gait.GAITS, or tap; `slope`: (least, most) [rad], drawn per episode; `mass`:
    times the masses of the links, which no estimator is told."""

    def __init__(self, robot="go1", gait="trot", law="stiff", ground=Ground(), slope=(0.0, 0.0), mass=1.0):
        if law not in LAWS:
            raise TinycontactError(f"contact law {law!r}" + nearest(law, LAWS))
        self.robot, self.gait, self.law, self.ground = robot_of(robot), gait_of(gait), law, ground
        self.slope, self.mass = slope, mass

    def reset(self, seed):
        random, robot = np.random.default_rng([seed, 10]), self.robot
        slope = random.uniform(*self.slope)
        self.up, self.to_world = leaning(slope, random.uniform(0, 2 * np.pi))
        self.world = World(robot, self.law, self.up, self.mass)
        home = np.concatenate([limb.home for limb in robot.limbs])
        self.world.place(home, np.zeros(3))
        state = self.world.look()
        inertia = np.diag(self.world.full)[3:6].copy() if self.world.free else np.ones(3)
        self.walker = Walker(robot, self.gait, random, state.foot, inertia, self.up, self.ground, TICK)
        place, floors, mu = self.walker.start()
        self.world.place(home, place)
        for k in range(len(robot.limbs)):
            self.world.set_floor(k, floors[k], mu[k])
        self.ticks, self.touched, self.state = 0, np.zeros(len(robot.limbs), bool), self.world.look()
        self.reading = self._read(np.zeros(robot.joints), self.state.imu_axes.T @ (robot.g * self.up))

    def _read(self, torque, accel):
        state = self.state
        self.next_velocity = self.to_world @ state.imu_velocity
        return Reading(state.q, torque, state.gyro, accel, self.to_world @ state.imu_axes)

    def step(self):
        """(sensors.Reading, Tick)"""
        time = self.ticks * TICK
        command, changed = self.walker.command(time, self.state, self.touched)
        for k in changed:
            self.world.set_floor(k, self.walker.floor[k], self.walker.mu[k])
        reading, velocity = self.reading, self.next_velocity
        substeps = self.world.advance(command.torque, command.force, command.moment)
        self.state = self.world.look()
        self.touched = substeps.force[..., 2].sum(0) > 0
        self.ticks += 1
        self.reading = self._read(command.torque, substeps.accel.mean(0))
        height = self.state.place[2] - float(np.mean(self.world.floor))
        return reading, Tick(substeps, self.world.floor.copy(), self.walker.mu.copy(), velocity, height,
                             self.walker.phase_of(time) % 1.0)
