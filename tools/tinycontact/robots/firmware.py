# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The library's estimator of all feet (lib/estimator/tc_feet.h) over whole episodes: estimator `c`.

    told = Firmware().run(episode)                  # tc_feet_default_for the robot; the boards' bits
    told = Firmware(real="double", lift_off=0.01).run(episode)

Fields of tc_feet_config are settings; one number for all elements of those that have many. What the data sheets say
are fields of tc_feet_sensing: Firmware(sensing={"torque_gain": 0.15}). The structs are those of tools/native/feet.h.
"""
import ctypes
import difflib
from ctypes import POINTER, c_char_p, c_double, c_int32, c_uint32, c_void_p

import numpy as np

from ..errors import StatusError, TinycontactError
from ..library import Library
from .description import MOST_LIMBS, MOST_LINKS

ROOTS = {"fixed": 0, "floating": 1}
FLAGS = {
    "stale": 1, "lost": 2, "saturated": 4, "degraded": 8, "restarted": 16, "doubted": 32, "stop": 64, "singular": 128
}
SENSING = {
    "tick": 1e-3, "encoder_counts": 65536.0, "encoder_noise": 0.0, "torque_noise": 0.0, "torque_gain": 0.05,
    "accel_noise": 0.06, "torque_limit": 1e3, "gyro_limit": 35.0, "accel_limit": 160.0
}
OPTIONAL = ("attitude", "base_velocity", "touch")
FOOT = np.dtype([("p", float, 3), ("impulse", float, 3), ("impulse_variance", float, 3), ("slip", float, 2),
                 ("slip_variance", float), ("friction", float), ("since", float), ("modes", float, 4),
                 ("load", float, 3), ("scale", float, MOST_LINKS), ("ahead", float),
                 ("early", float), ("late", float), ("contact", np.uint32), ("flags", np.uint32)])
ROW = np.dtype([("foot", FOOT, MOST_LIMBS), ("velocity", float, 3), ("velocity_variance", float, 2), ("height", float),
                ("slope", float, 2), ("attitude", float, 4), ("noise", float), ("flags", np.uint32),
                ("status", np.int32)])


class _Link(ctypes.Structure):
    _fields_ = [("axis", c_double * 3), ("origin", c_double * 3), ("mass", c_double), ("com", c_double * 3),
                ("inertia", c_double * 6), ("rotor", c_double), ("damping", c_double), ("friction", c_double), ("range", c_double * 2),
                ("joint", c_int32), ("unused", c_int32)]


class _Limb(ctypes.Structure):
    _fields_ = [("joints", c_uint32), ("unused", c_uint32), ("foot", c_double * 3), ("radius", c_double),
                ("links", _Link * MOST_LINKS)]


class _Robot(ctypes.Structure):
    _fields_ = [("root", c_uint32), ("limbs", c_uint32), ("g", c_double), ("mass", c_double), ("imu", c_double * 3),
                ("imu_axes", c_double * 9), ("limb", _Limb * MOST_LIMBS)]


class _Sensing(ctypes.Structure):
    _fields_ = [(name, c_double) for name in SENSING]


class _Setting(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("value", c_double)]


class _Sensors(ctypes.Structure):
    _fields_ = [(name, c_void_p) for name in ("encoder", "torque", "gyro", "accel", *OPTIONAL, "lost")]


def _link(link, to):
    I = link.inertia
    to.axis[:], to.origin[:], to.com[:] = link.axis, link.origin, link.com
    to.inertia[:] = [I[0, 0], I[1, 1], I[2, 2], I[0, 1], I[0, 2], I[1, 2]]
    to.mass, to.rotor, to.damping, to.friction = link.mass, link.rotor_inertia, link.damping, link.friction
    to.range[:] = link.range or (0.0, 0.0)
    to.joint = int(link.joint == "prismatic")


def _robot(robot):
    """The _Robot of a description.Robot."""
    to = _Robot(ROOTS[robot.root], len(robot.limbs), robot.g, robot.mass)
    to.imu[:], to.imu_axes[:] = robot.imu, np.asarray(robot.imu_axes).ravel()
    for limb, into in zip(robot.limbs, to.limb):
        into.joints, into.radius = limb.joints, limb.foot.radius
        into.foot[:] = limb.foot.center
        for link, place in zip(limb.links, into.links):
            _link(link, place)
    return to


def _loaded(real):
    library = Library(real=real)
    sizes = (c_uint32 * 6)()
    library.function("native_feet_sizes", None, [c_void_p])(sizes)
    ours = [ctypes.sizeof(kind) for kind in (_Robot, _Sensing, _Sensors)] + [ROW.itemsize]
    if list(sizes)[:4] != ours:
        raise TinycontactError(f"{library.path}: was built from another version")
    return library


def fields():
    """{field of tc_feet_config: how many numbers it has}."""
    call = _loaded("float").function("native_feet_field", c_char_p, [c_uint32, POINTER(c_uint32)])
    found, count = {}, c_uint32()
    while (name := call(len(found), count)) is not None:
        found[name.decode()] = count.value
    return found


class Firmware:
    """settings: fields of tc_feet_config."""

    def __init__(self, real="float", sensing=None, given=("attitude", ), **settings):
        unknown = set(sensing or ()) - set(SENSING)
        if unknown:
            raise TinycontactError(f"{sorted(unknown)[0]!r} is no field of tc_feet_sensing: {', '.join(SENSING)}")
        self.real, self.given, self.settings, self.robot = real, given, settings, None
        self.sensing = {**SENSING, **(sensing or {})}

    def reset(self, robot):
        self.robot = robot

    def rows(self, episode):
        """[T] of ROW. Sensors: those of an Episode, optionally base_velocity [T, 6] (with variances) and touch [T, L];
        lost [T], or [T, L] for limbs alone."""
        T, L = len(episode), len(episode.robot.limbs)
        names = ("encoder", "torque", "gyro", "accel", *self.given)
        arrays = {name: np.ascontiguousarray(episode.sensors[name], np.float32).reshape(T, -1) for name in names}
        lost = np.asarray(episode.sensors["lost"], np.float32).reshape(T, -1)
        arrays["lost"] = np.ascontiguousarray(np.broadcast_to(lost, (T, L)))
        sensors = _Sensors(**{name: array.ctypes.data for name, array in arrays.items()})
        settings = (_Setting * max(1, len(self.settings)))(*[
            _Setting(name.encode(), float(value)) for name, value in self.settings.items()])
        call = _loaded(self.real).function("native_feet_run", c_int32, [
            POINTER(_Robot), POINTER(_Sensing), POINTER(_Setting), c_uint32, POINTER(_Sensors), c_uint32, c_void_p,
            POINTER(c_uint32)])
        rows, wrong = np.zeros(T, ROW), c_uint32()
        sensing = _Sensing(**{**self.sensing, "tick": episode.tick})
        status = call(_robot(episode.robot), sensing, settings, len(self.settings), sensors, T, rows.ctypes.data, wrong)
        if status < 0 and wrong.value < len(self.settings):
            name = list(self.settings)[wrong.value]
            near = difflib.get_close_matches(name, fields(), 1)
            raise TinycontactError(f"{name!r} is no field of the estimator's configuration"
                                   + (f"; the nearest is {near[0]}" if near else ""))
        if status < 0:
            raise StatusError("tc_feet_init", status)
        return rows

    def run(self, episode):
        """{field of judge.Estimate: [T, ...]}, and what else the library says of each foot."""
        rows, L = self.rows(episode), len(episode.robot.limbs)
        told = {name: rows["foot"][name][:, :L] for name in FOOT.names if name not in ("contact", "slip")}
        told["contact"] = rows["foot"]["contact"][:, :L] != 0
        told["slip"] = np.concatenate([rows["foot"]["slip"][:, :L], np.zeros((len(rows), L, 1))], -1)
        told["next"] = np.maximum(told["ahead"] - episode.tick, 0.0)   # a sample is a tick old when it is published
        told.update({name: rows[name] for name in ROW.names if name not in ("foot", "flags")})
        return told
