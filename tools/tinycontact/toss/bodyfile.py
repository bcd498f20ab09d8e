# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""body.json: a body as identified from tosses. docs/reference/body-file.md has the format.

    body = read("body.json")
    body.vertices, body.centre, body.inertia_matrix, body.friction["point"]
    write("fitted.json", replace(body, restitution=0.2))
"""
from dataclasses import dataclass, field

import numpy as np

from ..errors import TinycontactError
from ..jsonfile import number, read_json, write_json
from . import rotation

FORMAT, VERSION = "tinycontact body", 1
SCALARS = {   # name -> (unit, least, most); least is excluded where it is 0 and the name is in POSITIVE
    "mass": ("kg", 0.0, 1e6), "scale": ("1", 0.0, 100.0), "inertia_ratio": ("1", 0.0, 100.0),
    "gravity": ("m/s^2", 0.0, 1e3), "restitution": ("1", 0.0, 1.0), "stiffness": ("N/m", 0.0, 1e12),
    "damping": ("N s/m", 0.0, 1e9), "damping_slope": ("s/m", 0.0, 1e6), "rounding": ("m", 0.0, 1.0)}
POSITIVE = ("mass", "scale", "inertia_ratio", "gravity")
WANTED = ("mass", "scale", "gravity")
PATCHES = ("point", "edge", "face")
MOST_MU, MOST_VERTICES, RESIDUALS = 100.0, 4096, 8
LISTS = ("undetermined", "advice")


@dataclass
class Body:
    """A body in SI units. A value that is not determined is None; its deviation is None if it was given.

    nominal        [n, 3] m, corners in tag axes as in the shape's file; times scale they are `vertices`
    centre         [3] m, tag axes: the centre of mass, in true metres (not scaled)
    inertia        [3] kg m^2 about the centre of mass along `axes` (quaternion: principal axes to tag axes)
    inertia_ratio  trace of the inertia / 3 over mass x mean squared half width: 2/3 for a solid cube
    floor          height [m] and two slopes: z = floor[0] + floor[1] x + floor[2] y
    friction       {"point", "edge", "face"}; residual: 8 numbers or None
    rounding       m, radius of edges and corners, within the faces of `vertices`
    deviation      {name: standard deviation}; "friction.point", "floor.height", "floor.tilt"
    """

    nominal: np.ndarray
    mass: float = 1.0
    name: str = ""
    scale: float = 1.0
    centre: np.ndarray = field(default_factory=lambda: np.zeros(3))
    inertia: np.ndarray = None
    inertia_ratio: float = None
    axes: np.ndarray = field(default_factory=lambda: np.array([1.0, 0, 0, 0]))
    floor: tuple = (0.0, 0.0, 0.0)
    gravity: float = 9.81
    friction: dict = field(default_factory=dict)
    residual: tuple = None
    restitution: float = None
    stiffness: float = None
    damping: float = None
    damping_slope: float = None
    rounding: float = None
    deviation: dict = field(default_factory=dict)
    undetermined: list = field(default_factory=list)
    advice: list = field(default_factory=list)
    tosses: int = 0
    noise: dict = field(default_factory=dict)
    command: str = ""

    @property
    def vertices(self):
        """[n, 3] m: the true size's corners in tag axes."""
        return self.scale * np.asarray(self.nominal)

    @property
    def inertia_matrix(self):
        """[3, 3] kg m^2 about the centre of mass, in tag axes."""
        turn = rotation.matrix(np.asarray(self.axes))
        return turn @ np.diag(self.inertia) @ turn.T

    @property
    def half_width(self):
        """[m]: root mean square of the true half widths."""
        return half_width(self.vertices)


def half_width(vertices):
    """Root mean square of a body's half widths along its axes [m]."""
    return float(np.sqrt(np.mean((0.5 * np.ptp(np.asarray(vertices), axis=0)) ** 2)))


# ---- Writing

def _entry(value, deviation, unit):
    """A value of the file, or None where there is none."""
    if value is None:
        return None
    plain = np.asarray(value, dtype=float).tolist()
    spread = None if deviation is None else np.asarray(deviation, dtype=float).tolist()
    return {"value": plain, "deviation": spread, "unit": unit}


def as_json(body):
    """The Body as the file has it."""
    def entry(name, value, unit):
        return _entry(value, body.deviation.get(name), unit)
    parts = {name: entry(name, getattr(body, name), unit) for name, (unit, _, _) in SCALARS.items()}
    parts["centre_of_mass"] = entry("centre_of_mass", body.centre, "m")
    parts["inertia"] = entry("inertia", body.inertia, "kg m^2")
    document = {"format": FORMAT, "version": VERSION, "name": body.name,
                "shape": {"vertices": np.asarray(body.nominal, dtype=float).tolist()}}
    document |= {name: part for name, part in parts.items() if part is not None}
    if not np.array_equal(body.axes, [1.0, 0, 0, 0]):
        document["principal_axes"] = np.asarray(body.axes, dtype=float).tolist()
    document["floor"] = {"height": entry("floor.height", body.floor[0], "m"),
                         "tilt": entry("floor.tilt", body.floor[1:], "rad")}
    friction = {patch: entry(f"friction.{patch}", body.friction.get(patch), "1") for patch in PATCHES}
    document["friction"] = {patch: part for patch, part in friction.items() if part is not None}
    if body.residual is not None:
        document["friction"]["residual"] = [float(value) for value in body.residual]
    document |= {"undetermined": list(body.undetermined), "advice": list(body.advice), "tosses": int(body.tosses),
                 "noise": dict(body.noise), "command": body.command}
    return document


def write(path, body):
    """Writes body.json, whole or not at all."""
    write_json(path, as_json(body))


# ---- Reading

def read(path):
    """The Body of a file, or an error that names file and field."""
    document = read_json(path)
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise TinycontactError(f'{path}, field format: wanted "{FORMAT}"; is this the file that `tinycontact body'
                               " identify` wrote?")
    if document.get("version") != VERSION:
        raise TinycontactError(f"{path}, field version: is {document.get('version')!r}, this"
                               f" program reads {VERSION}")
    values, deviation = {}, {}
    for name, limits in SCALARS.items():
        values[name] = _scalar(path, document, name, limits, deviation)
    for name in WANTED:
        if values[name] is None:
            raise TinycontactError(f"{path}, field {name}: missing")
    centre = _vector(path, document, "centre_of_mass", deviation)
    inertia = _inertia(path, document, deviation)
    body = Body(nominal=vertices_of(path, document), name=str(document.get("name", "")), deviation=deviation,
                centre=centre if centre is not None else np.zeros(3), inertia=inertia, axes=_axes(path, document),
                floor=_floor(path, document, deviation), **values)
    body.friction, body.residual = _friction(path, document, deviation)
    for name in LISTS:
        if not isinstance(document.get(name, []), list):
            raise TinycontactError(f"{path}, field {name}: wanted a list")
        setattr(body, name, list(document.get(name, [])))
    body.tosses, body.command = int(number(document.get("tosses", 0), f"{path}, field tosses")), str(
        document.get("command", ""))
    body.noise = document.get("noise", {})
    if not isinstance(body.noise, dict):
        raise TinycontactError(f"{path}, field noise: wanted an object")
    return body


def _value(path, document, name, key, deviation):
    """What stands under "value", or None; its deviation goes to `deviation`[key]."""
    part = document.get(name)
    if part is None:
        return None
    if not isinstance(part, dict) or "value" not in part:
        raise TinycontactError(f'{path}, field {key}: wanted {{"value": ..., "deviation": ..., "unit": ...}}')
    spread = part.get("deviation")
    if spread is not None:
        many = spread if isinstance(spread, list) else [spread]
        found = [number(one, f"{path}, field {key}.deviation") for one in many]
        if min(found, default=0.0) < 0:
            raise TinycontactError(f"{path}, field {key}.deviation: is negative")
        deviation[key] = found if isinstance(spread, list) else found[0]
    return part["value"]


def _scalar(path, document, name, limits, deviation, key=None):
    key = key or name
    value = _value(path, document, name, key, deviation)
    if value is None:
        return None
    unit, least, most = limits
    value = number(value, f"{path}, field {key}.value")
    if not least <= value <= most or (value == least and name in POSITIVE):
        bound = "above" if name in POSITIVE else "from"
        raise TinycontactError(f"{path}, field {key}.value: is {value:g} {unit}; wanted {bound}"
                               f" {least:g} to {most:g}")
    return value


def _vector(path, document, name, deviation, length=3, key=None):
    key = key or name
    value = _value(path, document, name, key, deviation)
    if value is None:
        return None
    return _numbers(f"{path}, field {key}.value", value, length)


def _numbers(where, value, length):
    if not isinstance(value, list) or len(value) != length:
        raise TinycontactError(f"{where}: wanted {length} numbers")
    return np.array([number(one, where) for one in value])


def _inertia(path, document, deviation):
    inertia = _vector(path, document, "inertia", deviation)
    if inertia is None:
        raise TinycontactError(f"{path}, field inertia: missing")
    if inertia.min() <= 0 or 2 * inertia.max() > inertia.sum() * (1 + 1e-9):
        raise TinycontactError(f"{path}, field inertia.value: {inertia.tolist()} are no moments of"
                               " a rigid body: each is"
                               " above 0 and at most the sum of the other two")
    return inertia


def _axes(path, document):
    given = document.get("principal_axes")
    if given is None:
        return np.array([1.0, 0, 0, 0])
    q = _numbers(f"{path}, field principal_axes", given, 4)
    if abs(np.linalg.norm(q) - 1) > 1e-3:
        raise TinycontactError(f"{path}, field principal_axes: is no quaternion of length 1")
    return rotation.normal(q)


def _object(path, document, name):
    part = document.get(name, {})
    if not isinstance(part, dict):
        raise TinycontactError(f"{path}, field {name}: wanted an object")
    return part


def _floor(path, document, deviation):
    part = _object(path, document, "floor")
    height = _value(path, part, "height", "floor.height", deviation)
    tilt = _vector(path, part, "tilt", deviation, 2, "floor.tilt")
    height = 0.0 if height is None else number(height, f"{path}, field floor.height.value")
    return (height, *(tilt.tolist() if tilt is not None else (0.0, 0.0)))


def _friction(path, document, deviation):
    part = _object(path, document, "friction")
    found = {}
    for patch in PATCHES:
        value = _scalar(path, part, patch, ("", 0.0, MOST_MU), deviation, f"friction.{patch}")
        if value is not None:
            found[patch] = value
    residual = part.get("residual")
    if residual is not None:
        residual = tuple(_numbers(f"{path}, field friction.residual", residual, RESIDUALS).tolist())
    return found, residual


def vertices_of(path, document):
    """[n, 3] of a shape: {"shape": {"vertices": ...}} or {"vertices": ...}."""
    part = document.get("shape", document)
    given = part.get("vertices") if isinstance(part, dict) else None
    if not isinstance(given, list) or not 4 <= len(given) <= MOST_VERTICES:
        raise TinycontactError(f"{path}, field vertices: wanted a list of 4 to {MOST_VERTICES}"
                               " corners [x, y, z]")
    points = np.array([_numbers(f"{path}, field vertices[{k}]", one, 3) for k, one in enumerate(given)])
    spread = np.linalg.svd(points - points.mean(axis=0), compute_uv=False)
    if spread[2] <= 1e-6 * max(spread[0], 1e-12):
        raise TinycontactError(f"{path}, field vertices: all corners lie in a plane; wanted a body"
                               " in space")
    return points
