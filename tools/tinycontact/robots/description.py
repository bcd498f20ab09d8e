# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""robot.json: one base with an IMU and 1 to 4 serial limbs of 1 to 7 joints in space, each with a foot. m, kg, rad,
N m.

    root    floating | fixed (the base never moves)
    g       [m/s^2]; default 9.81
    base    what simulated plants move, and where the IMU is
        mass, com, inertia   of all but the limbs, from the base's origin
        imu                  {position [3], rpy [3], optional: the IMU's axes in the base's, turned about x, y, then z}
    limbs   1 to 4 of
        name    of the limb
        links   1 to 7 of
            joint          revolute | prismatic
            axis           of turning, by the right hand, or of travel [3]; unit length, any direction
            origin         the joint, in the frame of the link before (for the first: of the base) [3]
            mass, com      centre of mass from the joint, in the link's frame [3]; a mass may be 0 before the last link
            inertia        about the centre of mass: 3 numbers (xx, yy, zz) or 6 (then xy, xz, yz)
            rotor_inertia  of the motor, seen at the joint (default 0)
            damping        [N m s] or [N s/m] (default 0)
            friction       dry friction of the joint [N m] or [N] (default 0)
            range          [least, most] of the coordinate, optional
            name           of the joint, optional
        foot    {shape: sphere, radius, center (in the frame of the last link) [3]}
        home    [n] coordinates at which the limb stands, optional: simulated plants begin there
    name    of the robot, optional
    notes   list of texts, optional

At joint coordinates zero all frames are parallel to the base's: x forward, y to the left, z up. Torque is motor on
link, positive with the joint.
"""
from dataclasses import dataclass, field

import numpy as np

from ..errors import TinycontactError
from ..hil.chain_file import JOINTS, LEAST, LINK_FIELDS, LINK_OPTIONS, STRAIGHT, _foot, _range, _Reader
from ..jsonfile import number, read_json
from ..robot.space import Body
from ..robot.urdf import roll_pitch_yaw

ROOTS = ("floating", "fixed")
MOST_LIMBS, MOST_LINKS = 4, 7
G = 9.81


@dataclass
class Link:
    """One link, in the file's axes and units."""
    joint: str
    axis: np.ndarray
    origin: np.ndarray
    mass: float
    com: np.ndarray
    inertia: np.ndarray   # [3, 3]
    rotor_inertia: float = 0.0
    damping: float = 0.0
    friction: float = 0.0
    range: tuple = None
    name: str = ""


@dataclass
class Limb:
    name: str
    links: list
    foot: object          # hil.chain_file.Foot
    home: np.ndarray = None

    @property
    def joints(self):
        return len(self.links)

    @property
    def mass(self):
        return sum(link.mass for link in self.links)

    @property
    def reach(self):
        """How far the foot gets from the first joint, joints that slide at 0 [m]."""
        parts = [link.origin for link in self.links[1:]] + [self.foot.center]
        return float(sum(np.linalg.norm(part) for part in parts))


@dataclass
class Robot:
    root: str
    g: float
    base: Body
    imu: np.ndarray        # [3] place on the base
    imu_axes: np.ndarray   # [3, 3] its columns are the IMU's axes in the base's
    limbs: list
    name: str = ""
    notes: tuple = ()
    path: str = ""
    text: dict = field(default_factory=dict)   # as it was read

    @property
    def mass(self):
        return self.base.mass + sum(limb.mass for limb in self.limbs)

    @property
    def joints(self):
        return sum(limb.joints for limb in self.limbs)

    def columns(self):
        """[limb] slices of a vector of all joints."""
        ends = np.cumsum([0] + [limb.joints for limb in self.limbs])
        return [slice(int(a), int(b)) for a, b in zip(ends, ends[1:])]


def tensor(values):
    """[3, 3] of xx, yy, zz and, if there are six, xy, xz, yz."""
    xx, yy, zz, xy, xz, yz = [*values, 0.0, 0.0, 0.0][:6]
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def six(inertia):
    """[6] numbers of a tensor, [3] if it is diagonal."""
    I = np.asarray(inertia, float)
    values = [I[0, 0], I[1, 1], I[2, 2], I[0, 1], I[0, 2], I[1, 2]]
    return values[:3] if np.abs(values[3:]).max() == 0.0 else values


def _numbers(reader, name, counts):
    value, where = reader.value[name], reader.place(name)
    if not isinstance(value, list) or len(value) not in counts:
        raise TinycontactError(f"{where}: is no list of {' or '.join(str(count) for count in counts)} numbers")
    return [number(entry, where) for entry in value]


def _body(reader, massless=False):
    """The Body of mass, com and inertia; one that no body can have is refused."""
    mass = reader.number("mass", open_end=not massless)
    body = Body(mass, reader.vector("com"), tensor(_numbers(reader, "inertia", (3, 6))))
    if mass == 0.0 and np.abs(body.inertia).max() > 0.0:
        raise TinycontactError(f"{reader.place('inertia')}: is not 0 where the mass is")
    fault = body.fault()
    if fault:
        raise TinycontactError(f"{reader.place('inertia')}: {fault}")
    return body


def _link(value, where, last):
    reader = _Reader(value, where, LINK_FIELDS, LINK_OPTIONS)
    joint, axis = reader.choice("joint", JOINTS), reader.vector("axis")
    if abs(np.linalg.norm(axis) - 1) > STRAIGHT:
        raise TinycontactError(f"{reader.place('axis')}: has length {np.linalg.norm(axis):.6g}, not 1")
    body = _body(reader, massless=not last)
    return Link(joint, axis / np.linalg.norm(axis), reader.vector("origin"), body.mass, body.com, body.inertia,
                reader.number("rotor_inertia", 0.0), reader.number("damping", 0.0), reader.number("friction", 0.0),
                _range(reader), reader.text("name"))


def _limb(value, where):
    reader = _Reader(value, where, ("name", "links", "foot"), ("home",))
    name, links = reader.text("name"), value["links"]
    where = f"{where} ({name})"
    if not isinstance(links, list) or not 1 <= len(links) <= MOST_LINKS:
        raise TinycontactError(f"{where}, field links: is no list of 1 to {MOST_LINKS} links")
    links = [_link(link, f"{where}, link {k}", k + 1 == len(links)) for k, link in enumerate(links)]
    home = None
    if value.get("home") is not None:
        home = np.array(_numbers(reader, "home", (len(links),)))
        for k, (link, q) in enumerate(zip(links, home)):
            if link.range and not link.range[0] <= q <= link.range[1]:
                raise TinycontactError(f"{where}, field home: joint {k} is at {q:g}, out of its range"
                                       f" {link.range[0]:g} to {link.range[1]:g}")
    return Limb(name, links, _foot(value["foot"], f"{where}, foot"), home)


def _imu(value, where):
    reader = _Reader(value, where, ("position",), ("rpy",))
    angles = reader.vector("rpy") if "rpy" in value else np.zeros(3)
    return reader.vector("position"), roll_pitch_yaw(angles)


def parse_robot(value, path):
    """The Robot in a JSON value that was read from `path`."""
    reader = _Reader(value, f"{path}", ("root", "base", "limbs"), ("g", "name", "notes"))
    root, g = reader.choice("root", ROOTS), reader.number("g", G, open_end=True)
    base = _Reader(value["base"], f"{path}, base", ("mass", "com", "inertia", "imu"))
    limbs = value["limbs"]
    if not isinstance(limbs, list) or not 1 <= len(limbs) <= MOST_LIMBS:
        raise TinycontactError(f"{path}, field limbs: is no list of 1 to {MOST_LIMBS} limbs")
    limbs = [_limb(limb, f"{path}, limb {k}") for k, limb in enumerate(limbs)]
    names = [limb.name for limb in limbs]
    for name in names:
        if names.count(name) > 1:
            raise TinycontactError(f"{path}, field limbs: two are named {name!r}")
    return Robot(root, g, _body(base), *_imu(base.value["imu"], f"{path}, base, imu"), limbs, reader.text("name"),
                 reader.texts("notes"), str(path), value)


def load_robot(path):
    return parse_robot(read_json(path), path)


def moment_floor(mass, extent):
    """The least moment that a link of such a size has: that of a rod a hundredth as thick."""
    return max(LEAST, mass * (0.01 * extent)**2)
