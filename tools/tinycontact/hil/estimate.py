# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The library's contact estimator over whole episodes, in one call each.

    estimator = Estimator(load_chain("leg.json"), keep=0.99)   # else tc_estimator_default_for the leg and its sensors
    estimates = estimator.run(episode)     # {"p": [T, 3], "impulse": [T, 2], ...}
    Estimator(load_chain("leg.json"), model="foot.tcm")   # which says who sticks, and with what friction others slide

Every number comes from the library built for this machine, whose bits are those of the boards. The structs are those of
tools/native/estimator.h.
"""
import ctypes
from ctypes import POINTER, c_char_p, c_double, c_int32, c_uint32, c_void_p
from dataclasses import dataclass

import numpy as np

from ..contact import check_body
from ..errors import StatusError, TinycontactError
from ..learn.features import width
from ..library import Library, aligned
from ..model import load_with_info, read_bytes
from .chain_file import planar_leg
from .sensors import ACCEL_SIGMA, GYRO_SIGMA, JITTER, TORQUE_SIGMA, SensorOptions
from .size import size_of
from .terrain import KINDS
from .world import TICK

ROOTS = {"fixed": 0, "rail": 1, "floating": 2}
MODES = ("air", "stick", "right", "left", "free")
FLAGS = {"stale": 1, "lost": 2, "saturated": 4, "degraded": 8}
OPTIONAL = ("pitch", "base_velocity", "touch", "place")   # sensors

ROW = np.dtype([("p", np.float64, 3), ("impulse", np.float64, 2), ("impulse_variance", np.float64, 2),
                ("slip", np.float64), ("slip_variance", np.float64), ("since", np.float64),
                ("modes", np.float64, len(MODES)), ("friction", np.float64), ("friction_variance", np.float64),
                ("scale", np.float64, 6),
                ("vertical", np.float64, 3), ("horizontal", np.float64, 2), ("ahead", np.float64),
                ("early", np.float64), ("late", np.float64), ("contact", np.uint32),
                ("flags", np.uint32), ("status", np.int32), ("unused", np.uint32)], align=True)


class _Link(ctypes.Structure):
    _fields_ = [("mass", c_double), ("inertia", c_double), ("anchor", c_double * 2), ("arm", c_double * 2),
                ("axis", c_double * 2), ("rest", c_double), ("rotor", c_double), ("damping", c_double),
                ("joint", c_int32), ("unused", c_int32)]


class _Leg(ctypes.Structure):
    _fields_ = [("links", POINTER(_Link)), ("joints", c_uint32), ("root", c_uint32), ("g", c_double),
                ("radius", c_double), ("foot", c_double * 2)]


class _Setting(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("value", c_double)]


class _Sensing(ctypes.Structure):
    _fields_ = [(name, c_double) for name in ("tick", "encoder_counts", "encoder_noise", "torque_noise", "gyro_noise",
                                              "accel_noise", "base_velocity_noise")]


class _Sensors(ctypes.Structure):
    _fields_ = [(name, c_void_p) for name in ("encoder", "torque", "gyro", "accel", *OPTIONAL, "lost")]


class _Part(ctypes.Structure):
    _fields_ = [("kind", c_int32), ("unused", c_int32), ("size", c_double * 4), ("position", c_double * 3)]


class _Ground(ctypes.Structure):
    _fields_ = [("parts", POINTER(_Part)), ("count", c_uint32), ("unused", c_uint32), ("origin", c_double * 3),
                ("along", c_double * 3), ("up", c_double * 3)]


def _ground(terrain):
    """A _Ground of a terrain.Terrain, or of None; and the parts it points to."""
    if terrain is None:
        return _Ground(), None
    parts = (_Part * len(terrain.parts))()
    for given, part in zip(parts, terrain.parts):
        given.kind = KINDS.index(part.kind)
        given.size[:len(part.size)] = part.size
        given.position[:] = part.position
    return _Ground(parts, len(parts), 0, *[(c_double * 3)(*axis) for axis in terrain.section()]), parts


class _Law(ctypes.Structure):
    _fields_ = [("model", c_void_p), ("size", c_uint32), ("unused", c_uint32), ("features", c_void_p)]


FEATURES = 20   # TC_LEARNED2_FEATURES_MAX
BASE_VELOCITY_NOISE = 0.02   # of tc_leg_sensing_default [m/s]


@dataclass(frozen=True)
class LastLink:
    """What a contact model must have been trained for."""
    name: str
    mass: float      # [kg]
    inertia: float   # [kg m^2]
    h: float         # [s]


def last_link(chain, step=TICK):
    """The LastLink of a Chain."""
    planar = planar_leg(chain)
    return LastLink(f"{chain.path}, last link", float(planar.mass[-1]), float(planar.inertia[-1]), step)


def model_bytes(path, chain, step=TICK):
    """The bytes of a model file; refused where it was not trained for a point of this leg's last link."""
    model, _ = load_with_info(path)
    check_body(path, model, last_link(chain, step))
    if not model.contact.mask[0]:
        raise TinycontactError(f"{path}: has no nets for a point, which a foot is")
    return read_bytes(path)


def _leg(chain):
    """A _Leg, and the links it points to."""
    planar = planar_leg(chain)
    links = (_Link * len(planar.mass))()
    for k, link in enumerate(links):
        for name in ("mass", "inertia", "rest", "rotor", "damping"):
            setattr(link, name, getattr(planar, name)[k])
        for name in ("anchor", "arm", "axis"):
            setattr(link, name, (c_double * 2)(*getattr(planar, name)[k]))
        link.joint = int(planar.slides[k])
    return _Leg(links, len(links), ROOTS[planar.root], planar.g, planar.radius, (c_double * 2)(*planar.foot)), links


def sensing(chain, tick=TICK, sensors=SensorOptions()):
    """A _Sensing: what a configuration for a Chain is told of its tick [s] and of SensorOptions. Jitter of encoders that is
    the nominal one needs no telling (lib/mechanics/tc_leg.h)."""
    lsb = 2 * np.pi / 2.0**sensors.encoder_bits
    return _Sensing(tick, 2.0**sensors.encoder_bits, JITTER * lsb * np.sqrt(max(sensors.noise**2 - 1, 0.0)),
                    sensors.noise * TORQUE_SIGMA * size_of(chain).torque, sensors.noise * GYRO_SIGMA,
                    sensors.noise * ACCEL_SIGMA, BASE_VELOCITY_NOISE)


class Estimator:
    """The estimator for a Chain; `real` "float" (the boards' bits) or "double". Its configuration is that of
    tc_estimator_default_for the leg, the tick [s] and the sensors that it is told of, but for `settings`: fields of
    tc_estimator_config, a number each (per joint: name[index]). `model`: a file, the estimator's friction model.
    `ground`: a terrain.Terrain that the leg is known to stand on."""

    def __init__(self, chain, real="float", model=None, tick=TICK, sensors=SensorOptions(), ground=None,
                 **settings):
        self._leg, self._links = _leg(chain)
        self._sensing = sensing(chain, tick, sensors)
        self._ground, self._parts = _ground(ground)
        self._call = Library(real=real)._c.native_estimate_run
        self._call.argtypes = [POINTER(_Leg), POINTER(_Sensing), POINTER(_Setting), c_uint32, POINTER(_Law),
                               POINTER(_Ground), POINTER(_Sensors), c_uint32, c_void_p, POINTER(c_uint32)]
        self._call.restype = c_int32
        self.settings = settings
        data = b"" if model is None else model_bytes(model, chain, settings.get("step", tick))
        self._model = aligned(len(data), np.uint8)
        self._model[:] = np.frombuffer(data, np.uint8)

    def asked(self, episode, given=("pitch",)):
        """[T, n] what a law is asked about: all features of a point (lib/learned/tc_learned2_features.h); NaN where it is not."""
        features = np.full((len(episode.gyro), FEATURES), np.nan, np.float32)
        self.run(episode, given, features)
        return features[:, :width(1)]

    def run(self, episode, given=("pitch",), features=None):
        """{name: array of T rows} of the fields of native_estimate; `given`: which of OPTIONAL the estimator gets."""
        joints, ticks = self._leg.joints, len(episode.gyro)
        if episode.encoder.shape != (ticks, joints):
            raise TinycontactError(f"the episode has {episode.encoder.shape[1]} joints, the chain {joints}")
        names = ("encoder", "torque", "gyro", "accel", "lost", *given)
        arrays = {name: np.ascontiguousarray(getattr(episode, name), np.float32) for name in names}
        sensors = _Sensors(**{name: array.ctypes.data for name, array in arrays.items()})
        settings = (_Setting * max(1, len(self.settings)))(
            *[_Setting(name.encode(), value) for name, value in self.settings.items()])
        law = _Law(self._model.ctypes.data if len(self._model) else None, len(self._model), 0,
                   None if features is None else features.ctypes.data)
        rows, wrong = np.zeros(ticks, ROW), c_uint32(0)
        status = self._call(self._leg, self._sensing, settings, len(self.settings), law, self._ground, sensors,
                            ticks, rows.ctypes.data, wrong)
        if status < 0 and wrong.value < len(self.settings):
            raise TinycontactError(f"{list(self.settings)[wrong.value]!r} is no field of the estimator's configuration")
        if status < 0:
            raise StatusError("native_estimate_run", status)
        return {name: rows[name] for name in ROW.names if name != "unused"}
