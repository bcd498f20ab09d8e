# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Sensors as a data sheet has them, for an estimator's configuration: what `sensors` of a configuration file holds
(configuration.py). Every field may be left out.

    encoder        one object for all joints, or a list with one per joint
        bits, counts     2^bits or counts per turn of the encoder (bits 16); of a joint that slides per metre
        gear             turns of the encoder per turn of the joint (1)
        noise            standard deviation of a reading beside its rounding [steps] (0.3)
    torque         likewise; source says what is measured
        source sensor    noise [N m], range [N m]
        source current   constant [N m/A] and gear of the motor, noise [A], range [A]
        source strain    sensitivity [mV/V per N m], noise [mV/V], range [mV/V]
        friction         dry friction that the sensor does not see [N m] (the chain file's; there 0: a usual one)
        tolerance        how wrong the torque's scale may be [%]
    gyro           density [deg/s per root Hz], range [deg/s]
    accel          density [ug per root Hz], range [g]
    base_velocity  noise [m/s], of a sensor of the base's velocity along the floor

A joint that slides has N in place of N m. A mean over a tick h of white noise of density d has the standard deviation
d / sqrt(2 h). An encoder with the gear r in front of the joint has r times its counts per turn of the joint.
"""
import difflib
from dataclasses import dataclass, field

import numpy as np

from ..errors import TinycontactError
from ..jsonfile import number
from .sensors import ACCEL_SIGMA, BASE_VELOCITY_NOISE, GYRO_SIGMA, JITTER, LIMITS, TORQUE_SIGMA
from .size import size_of

DEGREE, G = np.pi / 180, 9.80665
SOURCES = {"sensor": (), "current": ("constant",), "strain": ("sensitivity",)}   # and what must be said of it
FIELDS = {"encoder": ("bits", "counts", "gear", "noise"),
          "torque": ("source", "constant", "gear", "sensitivity", "noise", "range", "friction", "tolerance"),
          "gyro": ("density", "range"), "accel": ("density", "range"), "base_velocity": ("noise",)}
EACH = ("encoder", "torque")
# What a number may be, and what is likely where it is not: (least, most, what data sheets have)
LIKELY = {("encoder", "bits"): (4, 30, "encoders have 10 to 24 bits"),
          ("encoder", "counts"): (4, 1e9, "encoders have 1e3 to 1e7 counts per turn"),
          ("encoder", "gear"): (1e-3, 1e4, "it is 1 for an encoder on the joint itself"),
          ("encoder", "noise"): (0.0, 1e3, "it counts steps"),
          ("torque", "constant"): (1e-5, 100.0, "motors have 0.01 to 1 N m/A"),
          ("torque", "gear"): (1e-2, 1e4, "legs have 1 to 200"),
          ("torque", "sensitivity"): (1e-9, 1e3, "it is in mV/V per N m"),
          ("torque", "noise"): (0.0, 1e4, "it is a standard deviation"),
          ("torque", "range"): (1e-6, 1e6, "it is the largest reading"),
          ("torque", "friction"): (0.0, 1e3, "it is in N m"),
          ("torque", "tolerance"): (0.0, 100.0, "it is in %"),
          ("gyro", "density"): (1e-6, 1.0, "data sheets have 0.002 to 0.1 deg/s per root Hz; mdps / 1000"),
          ("gyro", "range"): (40.0, 1e5, "data sheets have 125 to 4000 deg/s; 1 rad/s is 57.3 deg/s"),
          ("accel", "density"): (1.0, 1e5, "data sheets have 20 to 500 ug per root Hz; 1 mg is 1000 ug"),
          ("accel", "range"): (1.0, 1e3, "data sheets have 2 to 200 g; 9.81 m/s^2 is 1 g"),
          ("base_velocity", "noise"): (1e-6, 10.0, "it is in m/s")}


def _number(kind, name, value, where):
    least, most, likely = LIKELY[kind, name]
    value = number(value, f"{where}, field {name}")
    if not least <= value <= most:
        raise TinycontactError(f"{where}, field {name}: is {value:g}, not from {least:g} to {most:g}; {likely}")
    return value


def _known(names, choices, where):
    for name in names:
        if name not in choices:
            near = difflib.get_close_matches(str(name), choices, 1)
            raise TinycontactError(f"{where}: unknown field {name}"
                                   + (f"; the nearest is {near[0]}" if near else f"; there are {', '.join(choices)}"))


def _one(kind, value, where):
    """The fields of one object."""
    if not isinstance(value, dict):
        raise TinycontactError(f"{where}: is no object with {', '.join(FIELDS[kind])}")
    _known(value, FIELDS[kind], where)
    read = {name: entry if name == "source" else _number(kind, name, entry, where) for name, entry in value.items()}
    if kind == "encoder" and "bits" in read and "counts" in read:
        raise TinycontactError(f"{where}: has bits and counts; say one of them")
    if kind == "torque":
        _check_torque(read, where)
    return read


def _check_torque(read, where):
    source = read.setdefault("source", "sensor")
    if source not in tuple(SOURCES):
        raise TinycontactError(f"{where}, field source: is {source!r}, not one of {', '.join(SOURCES)}")
    missing = [name for name in SOURCES[source] if name not in read]
    if missing:
        raise TinycontactError(f"{where}: no field {missing[0]}, which a torque from source {source} needs")


def read_sensors(value, where):
    """The DataSheet in a JSON value; errors begin with `where`."""
    if not isinstance(value, dict):
        raise TinycontactError(f"{where}: is no object with {', '.join(FIELDS)}")
    _known(value, tuple(FIELDS), where)
    read = {}
    for kind, entry in value.items():
        place = f"{where}, {kind}"
        if kind in EACH and entry == []:
            raise TinycontactError(f"{place}: is an empty list; wanted an object, or one per joint")
        if kind in EACH and isinstance(entry, list):
            read[kind] = tuple(_one(kind, one, f"{place} {k}") for k, one in enumerate(entry))
        else:
            read[kind] = (_one(kind, entry, place),) if kind in EACH else _one(kind, entry, place)
    return DataSheet(**read)


@dataclass(frozen=True)
class DataSheet:
    """Sensors; what nobody said is that of tests/hil, in proportion to the leg."""
    encoder: tuple = ({},)   # of one for all joints, or of one per joint
    torque: tuple = ({},)
    gyro: dict = field(default_factory=dict)
    accel: dict = field(default_factory=dict)
    base_velocity: dict = field(default_factory=dict)

    def _each(self, kind, joints):
        given = getattr(self, kind)
        if len(given) not in (1, joints):
            raise TinycontactError(f"sensors, {kind}: is a list of {len(given)}; the leg has {joints} joints")
        return [given[k if len(given) > 1 else 0] for k in range(joints)]

    def sensing(self, chain, tick):
        """{field of tc_leg_sensing: number, or one per joint}"""
        encoders = [_encoder(one, link.joint == "prismatic")
                    for one, link in zip(self._each("encoder", len(chain.links)), chain.links)]
        torques = [_torque(one, chain, link) for one, link in zip(self._each("torque", len(chain.links)), chain.links)]
        root = np.sqrt(2 * tick)
        return {"encoder_counts": [counts for counts, _ in encoders], "encoder_noise": [noise for _, noise in encoders],
                "torque_noise": [noise for noise, _ in torques],
                "torque_limit": min(most for _, most in torques),
                "gyro_noise": self.gyro["density"] * DEGREE / root if "density" in self.gyro else GYRO_SIGMA,
                "gyro_limit": self.gyro["range"] * DEGREE if "range" in self.gyro else LIMITS["gyro_limit"],
                "accel_noise": self.accel["density"] * 1e-6 * G / root if "density" in self.accel else ACCEL_SIGMA,
                "accel_limit": self.accel["range"] * G if "range" in self.accel else LIMITS["accel_limit"],
                "base_velocity_noise": self.base_velocity.get("noise", BASE_VELOCITY_NOISE)}

    def bits(self):
        """Of the coarsest encoder, per turn of the joint."""
        return float(min(np.log2(_counts(one)) for one in self.encoder))

    def settings(self):
        """{field of tc_estimator_config: number} that tc_leg_sensing has no place for."""
        wrong = [one["tolerance"] / 100 for one in self.torque if "tolerance" in one]
        return {"torque_gain": max(wrong) / np.sqrt(3)} if wrong else {}   # that of a uniform error

    def assumed(self, chain):
        """Words about what nobody said."""
        said = []
        if not any("bits" in one or "counts" in one for one in self.encoder):
            said.append("encoders of 16 bits per turn of the joint")
        if not any("noise" in one for one in self.torque):
            said.append(f"torques with a standard deviation of {_usual_torque(chain):.3g} N m, which is usual for such"
                        " a leg")
        elif not all("friction" in one for one in self.torque) and not all(link.friction for link in chain.links):
            said.append(f"dry friction of {_usual_torque(chain):.3g} N m in each joint, which is usual for such a leg")
        said += [f"{name} noise and range of a usual MEMS sensor" for name in ("gyro", "accel")
                 if not getattr(self, name)]
        return said


def _usual_torque(chain):
    return TORQUE_SIGMA * size_of(chain).torque


def _counts(one):
    """Per turn of the joint, or per metre."""
    return one.get("counts", 2.0**one.get("bits", 16)) * one.get("gear", 1.0)


def _encoder(one, slides):
    """(counts per turn of the joint or per metre, standard deviation that is to be told [rad] or [m])"""
    counts = _counts(one)
    step = (1.0 if slides else 2 * np.pi) / counts
    beyond = max(one.get("noise", JITTER)**2 - JITTER**2, 0.0)   # noise of a third of a step needs no telling
    return counts, step * np.sqrt(beyond)


def _torque(one, chain, link):
    """(standard deviation, largest reading) at the joint [N m] or [N]"""
    if one.get("source", "sensor") == "current":
        factor = one["constant"] * one.get("gear", 1.0)
    else:
        factor = 1.0 / one["sensitivity"] if one.get("source") == "strain" else 1.0
    most = one["range"] * factor if "range" in one else LIMITS["torque_limit"]
    usual = _usual_torque(chain)
    friction = one.get("friction", link.friction or usual)
    return (np.hypot(one["noise"] * factor, friction) if "noise" in one else max(friction, usual)), most
