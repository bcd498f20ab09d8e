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
import difflib
from ctypes import POINTER, c_char_p, c_double, c_int32, c_uint32, c_void_p
from dataclasses import dataclass

import numpy as np

from ..contact import check_body
from ..errors import StatusError, TinycontactError
from ..learn.features import width
from ..library import Library, aligned
from ..model import load_with_info, read_bytes
from .chain_file import MOST_LINKS, planar_leg
from .sensors import SensorOptions
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


EACH_JOINT = ("encoder_counts", "encoder_noise", "torque_noise")   # of tc_leg_sensing
OF_ALL = ("gyro_noise", "accel_noise", "base_velocity_noise", "torque_limit", "gyro_limit", "accel_limit")


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
    _fields_ = [("tick", c_double), *((name, c_double * MOST_LINKS) for name in EACH_JOINT),
                *((name, c_double) for name in OF_ALL)]


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
    """A _Sensing: what a configuration for a Chain is told of its tick [s] and of its sensors: anything with
    sensing(chain, tick), which gives {field of tc_leg_sensing: number, or one per joint}."""
    told = _Sensing(tick)
    for name, value in sensors.sensing(chain, tick).items():
        if name in EACH_JOINT:
            value = (c_double * MOST_LINKS)(*np.resize(np.asarray(value, float), MOST_LINKS))
        setattr(told, name, value)
    return told


def _settings(given):
    """An array of _Setting, of {name: number, or one per joint}; and the names in it, one by one."""
    single = []
    for name, value in given.items():
        values = list(enumerate(value)) if isinstance(value, (list, tuple, np.ndarray)) else [(None, value)]
        single += [(name if k is None else f"{name}[{k}]", float(number)) for k, number in values]
    array = (_Setting * max(1, len(single)))(*[_Setting(name.encode(), value) for name, value in single])
    return array, [name for name, _ in single]


def refuse(status, call, wrong, names):
    """Raises what a call with settings of these names found, if it is bad; `wrong`: the setting that names no field."""
    if status < 0 and wrong < len(names):
        near = difflib.get_close_matches(names[wrong].split("[")[0], list(fields()), 1)
        raise TinycontactError(f"{names[wrong]!r} is no field of the estimator's configuration"
                               + (f"; the nearest is {near[0]}" if near else ""))
    if status < 0:
        raise StatusError(call, status)


def fields():
    """{field of tc_estimator_config: how many numbers it has}, but for `frozen`, which is a count of ticks."""
    call = Library().function("native_estimate_field", c_char_p, [c_uint32, POINTER(c_uint32)])
    found, count = {}, c_uint32()
    while (name := call(len(found), count)) is not None:
        found[name.decode()] = count.value
    return found


def configuration(chain, tick=TICK, sensors=SensorOptions(), **settings):
    """{field: number, or one per joint} of tc_estimator_default_for a Chain, with `settings` in their places."""
    known, joints = fields(), len(chain.links)
    call = Library().function("native_estimate_config", c_int32, [
        POINTER(_Leg), POINTER(_Sensing), POINTER(_Setting), c_uint32, POINTER(c_double), c_uint32, POINTER(c_uint32)])
    leg, _links = _leg(chain)
    given, names = _settings(settings)
    total, wrong = sum(known.values()), c_uint32(0)
    numbers = (c_double * total)()
    refuse(call(leg, sensing(chain, tick, sensors), given, len(names), numbers, total, wrong),
           "native_estimate_config", wrong.value, names)
    found, at = {}, 0
    for name, count in known.items():
        found[name] = numbers[at] if count == 1 else list(numbers[at:at + joints])
        at += count
    return found


def accepts(chain, tick=TICK, sensors=SensorOptions(), **settings):
    """Raises StatusError if no estimator starts with this configuration."""
    rest = np.zeros((1, len(chain.links)), np.float32)
    level = np.array([[0.0, chain.g]], np.float32)
    one = np.zeros(1, np.float32)
    Estimator(chain, tick=tick, sensors=sensors, **settings).run(_Rest(rest, rest, one, level, one, one))


@dataclass(frozen=True)
class _Rest:
    """A tick of a leg at rest, as an Episode."""
    encoder: np.ndarray
    torque: np.ndarray
    gyro: np.ndarray
    accel: np.ndarray
    pitch: np.ndarray
    lost: np.ndarray


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
        given_settings, set_names = _settings(self.settings)
        law = _Law(self._model.ctypes.data if len(self._model) else None, len(self._model), 0,
                   None if features is None else features.ctypes.data)
        rows, wrong = np.zeros(ticks, ROW), c_uint32(0)
        status = self._call(self._leg, self._sensing, given_settings, len(set_names), law, self._ground, sensors,
                            ticks, rows.ctypes.data, wrong)
        refuse(status, "native_estimate_run", wrong.value, set_names)
        return {name: rows[name] for name in ROW.names if name != "unused"}
