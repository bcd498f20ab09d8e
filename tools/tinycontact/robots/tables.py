# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""A robot as the library's tables (lib/mechanics/tc_robot.h), by ctypes, and its functions on NumPy arrays.

    tables = Tables(fleet.robot("go1"))          # checked by tc_robot_check
    m = tables.move(0, q, w, omega, force)       # a Motion of the first limb, as motion.move has it
"""
import ctypes
from dataclasses import dataclass

import numpy as np

from ..errors import StatusError
from ..library import Library
from .description import six

LIMBS, JOINTS = 4, 7
JOINT_KINDS = {"revolute": 0, "prismatic": 1}
ROOT_KINDS = {"fixed": 0, "floating": 1}
NEAR_STOP, NEAR_SINGULAR = 1, 2


def _structs(real):
    """(link, limb, robot, base, motion) structs of numbers of a type."""
    three, nine = real * 3, real * 9

    class Link(ctypes.Structure):
        _fields_ = [("joint", ctypes.c_uint32), ("axis", three), ("origin", three), ("mass", real), ("com", three),
                    ("inertia", real * 6), ("rotor", real), ("damping", real), ("range", real * 2)]

    class Limb(ctypes.Structure):
        _fields_ = [("joints", ctypes.c_uint32), ("links", ctypes.POINTER(Link)), ("foot", three), ("radius", real)]

    class Robot(ctypes.Structure):
        _fields_ = [("root", ctypes.c_uint32), ("limbs", ctypes.c_uint32), ("limb", ctypes.POINTER(Limb)), ("g", real),
                    ("mass", real), ("imu", three), ("imu_axes", nine)]

    class Base(ctypes.Structure):
        _fields_ = [("omega", three), ("alpha", three), ("force", three), ("normal", three)]

    class Motion(ctypes.Structure):
        _fields_ = [("M", real * 28), ("bias", real * JOINTS), ("J", real * 21), ("place", three)]

    return Link, Limb, Robot, Base, Motion


STRUCTS = {np.float32: _structs(ctypes.c_float), np.float64: _structs(ctypes.c_double)}


@dataclass
class Motion:
    """One limb at one instant: [n, n], [n], [3, n], [3]."""
    M: np.ndarray
    bias: np.ndarray
    J: np.ndarray
    place: np.ndarray


class Tables:
    """A Robot's tables, kept as long as this lives; `robot` is the struct tc_robot."""

    def __init__(self, robot, library=None, check=True):
        library = library or Library()
        self.real, self._c = library.real, library._c
        Link, Limb, Robot, self._Base, self._Motion = STRUCTS[self.real]
        self._links = [(Link * limb.joints)(*[self._link(Link, link) for link in limb.links]) for limb in robot.limbs]
        self.limbs = (Limb * len(robot.limbs))(*[
            Limb(limb.joints, links, tuple(limb.foot.center), limb.foot.radius)
            for limb, links in zip(robot.limbs, self._links)])
        self.robot = Robot(ROOT_KINDS[robot.root], len(robot.limbs), self.limbs, robot.g, robot.mass, tuple(robot.imu),
                           tuple(np.ravel(robot.imu_axes)))
        self._number = STRUCTS[self.real][0]._fields_[3][1]
        status = self.status()
        if check and status < 0:
            raise StatusError("tc_robot_check", status, robot.name or robot.path)

    @staticmethod
    def _link(Link, link):
        moments = [*six(link.inertia), 0.0, 0.0, 0.0][:6]
        return Link(JOINT_KINDS[link.joint], tuple(link.axis), tuple(link.origin), link.mass, tuple(link.com),
                    tuple(moments), link.rotor_inertia, link.damping, tuple(link.range or (0.0, 0.0)))

    def status(self):
        """What tc_robot_check returns."""
        return int(self._c.tc_robot_check(ctypes.byref(self.robot)))

    def _array(self, values):
        values = np.asarray(values, self.real).ravel()
        return (self._number * len(values))(*values.tolist())

    def _call(self, limb, q, w, omega, force, normal, alpha):
        motion = self._Motion()
        base = self._Base(*(tuple(np.asarray(x, float)) for x in (omega, alpha, force, normal)))
        self._c.tc_robot_move.restype = None
        self._c.tc_robot_move(ctypes.byref(self.limbs[limb]), ctypes.byref(base), self._array(q), self._array(w),
                              ctypes.byref(motion))
        return motion

    def move(self, limb, q, w, omega=(0, 0, 0), force=(0, 0, 0), normal=(0, 0, 1), alpha=(0, 0, 0)):
        """The Motion of limb number `limb`."""
        n, motion = self.limbs[limb].joints, self._call(limb, q, w, omega, force, normal, alpha)
        M = np.zeros((n, n))
        M[np.tril_indices(n)] = motion.M[:n * (n + 1) // 2]
        M = M + np.tril(M, -1).T
        return Motion(M, np.array(motion.bias[:n]), np.array(motion.J[:3 * n]).reshape(3, n), np.array(motion.place))

    def near(self, limb, q, margin, ratio):
        """Bits NEAR_STOP and NEAR_SINGULAR of tc_robot_near at a posture."""
        motion = self._call(limb, q, np.zeros(self.limbs[limb].joints), *np.zeros((2, 3)), (0, 0, 1), np.zeros(3))
        return int(self._c.tc_robot_near(ctypes.byref(self.limbs[limb]), ctypes.byref(motion), self._array(q),
                                         self._number(margin), self._number(ratio)))

    def feel(self, accel, gyro, gyro_rate=(0, 0, 0)):
        """(specific force, omega, alpha) of the base from the IMU's readings, as motion.specific_force has them."""
        base = self._Base()
        self._c.tc_robot_feel.restype = None
        self._c.tc_robot_feel(ctypes.byref(self.robot), *(self._array(x) for x in (accel, gyro, gyro_rate)),
                              ctypes.byref(base))
        return tuple(np.array(getattr(base, name)) for name in ("force", "omega", "alpha"))
