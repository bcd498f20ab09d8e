# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""chain.json: a serial leg, as plants, estimator and firmware take it. m, kg, rad, N m;
numbers up to 1,000, positive ones from 1e-9. Messages count links from 0.

    root    fixed | rail (the base moves along z only, never turns) | floating
    g       [m/s^2], downwards along z
    base    {mass, inertia}, optional: what the plants hang the leg on; no estimator knows it
    links   1 to 6 of
        joint          revolute | prismatic
        axis           of turning, by the right hand, or of travel [3]; unit length
        origin         the joint, in the frame of the link before (for the first: of the base) [3]
        mass, com      centre of mass from the joint, in the link's frame [3]
        inertia        about the centre of mass: a number, about the joint's axis, or three, about x, y and z
        rotor_inertia  of the motor, seen at the joint (default 0)
        belt_inertia   the part of `inertia` about y that is of motors behind belts (default 0): `leg check` leaves it
                       out where it speaks of the link alone; nothing else reads it
        damping        [N m s] or [N s/m] (default 0)
        friction       dry friction of the joint [N m] or [N] (default 0): `leg export` adds it to the torque's noise
        range          [least, most] of the joint's coordinate [rad] or [m], optional
        name           of the joint, optional
    foot    {shape: sphere, radius, center (in the frame of the last link) [3]}
    name    of the leg, optional
    notes   list of texts, optional: what `leg import` assumed, and what no file has said
    drives  n rows of n numbers, optional: motor coordinates = drives times joint coordinates, for belts and coaxial
            drives whose encoders and torques are the motors'. The links hold the motors' inertia already. `leg export`
            and `leg estimate` take the motors' readings then; simulated plants have the joints'.

Axes: x forward, y to the left, z up. At joint coordinates zero all frames are parallel to the base's. Torque is motor
on link, positive with the joint.

The library's leg is planar: its x is the file's x, its y the file's z, and angles are counter-clockwise with x to the
right and y up, which is a turn about (0, -1, 0). Coordinates, rates and torques of joints with the opposite axis are
mirrored between the two: PlanarLeg.sign, library = sign * file.
"""
import difflib
from dataclasses import dataclass, field, replace

import numpy as np

from ..errors import TinycontactError
from ..jsonfile import number, read_json

ROOTS = ("fixed", "rail", "floating")
JOINTS = ("revolute", "prismatic")
MOST_LINKS = 6
STRAIGHT = 1e-6   # how far an axis may be from its plane or from unit length
LEAST, MOST = 1e-9, 1e3   # of masses, inertias, lengths, ... : beyond, no simulator and no float computes a leg
BASE_MASS, BASE_INERTIA = 2.5, 0.05
LINK_FIELDS = ("joint", "axis", "origin", "mass", "com", "inertia")
LINK_OPTIONS = ("rotor_inertia", "belt_inertia", "damping", "friction", "range", "name")
CHAIN_OPTIONS = ("base", "name", "notes", "drives")
WORST_DRIVES = 1e4   # condition number of `drives`: beyond, motors do not say where the joints are


@dataclass
class Link:
    """One link, in the file's axes and units."""
    joint: str
    axis: np.ndarray
    origin: np.ndarray
    mass: float
    com: np.ndarray
    inertia: np.ndarray   # [3] about x, y, z
    rotor_inertia: float = 0.0
    damping: float = 0.0
    friction: float = 0.0
    range: tuple = None   # (least, most) of the coordinate
    name: str = ""
    belt_inertia: float = 0.0   # of inertia[1]

    @property
    def own_inertia(self):
        """About y, without the motors behind belts."""
        return float(self.inertia[1]) - self.belt_inertia


@dataclass
class Foot:
    radius: float
    center: np.ndarray


@dataclass
class Chain:
    root: str
    g: float
    links: list
    foot: Foot
    base_mass: float = BASE_MASS
    base_inertia: float = BASE_INERTIA
    path: str = ""
    text: dict = field(default_factory=dict)   # as it was read
    name: str = ""
    notes: tuple = ()
    drives: np.ndarray = None   # [n, n] motor coordinates of joint coordinates; None: they are the same

    def planar(self):
        """The library's leg."""
        return planar_leg(self)


@dataclass
class PlanarLeg:
    """What lib/mechanics/tc_leg.h wants, in its axes: link i's frame stands at its centre of mass."""
    root: str
    g: float
    mass: np.ndarray      # [n]
    inertia: np.ndarray   # [n] about the centre of mass
    slides: np.ndarray    # [n] bool: prismatic
    anchor: np.ndarray    # [n, 2] joint in the frame of the link before, from its centre of mass; 0: of the base
    arm: np.ndarray       # [n, 2] centre of mass from the joint (prismatic: at q = 0)
    axis: np.ndarray      # [n, 2] prismatic: direction of travel; else 0
    rotor: np.ndarray     # [n]
    damping: np.ndarray   # [n]
    rest: np.ndarray      # [n] angle to the link before at q = 0 [rad]: 0, as frames are parallel then
    foot: np.ndarray      # [2] centre of the foot's circle, from the last centre of mass
    radius: float
    sign: np.ndarray      # [n] +-1: coordinates, rates and torques here are sign times the file's

    @property
    def joints(self):
        return len(self.mass)


class _Reader:
    """Takes fields out of a JSON object; errors begin with the object's place in its file."""

    def __init__(self, value, where, wanted, optional=()):
        if not isinstance(value, dict):
            raise TinycontactError(f"{where}: is no object with {', '.join(wanted)}")
        missing = [name for name in wanted if name not in value]
        unknown = [name for name in value if name not in (*wanted, *optional)]
        if missing:
            near = difflib.get_close_matches(missing[0], unknown, 1)
            raise TinycontactError(f"{where}: no field {missing[0]}" + (f"; it has {near[0]}" if near else ""))
        if unknown:
            raise TinycontactError(f"{where}: unknown field {unknown[0]}; there are {', '.join((*wanted, *optional))}")
        self.value, self.where = value, where

    def place(self, name):
        return f"{self.where}, field {name}"

    def number(self, name, default=None, least=0.0, open_end=False):
        """A number from `least` on to MOST; with an open end greater than it, by LEAST."""
        if default is not None and name not in self.value:
            return default
        value = number(self.value[name], self.place(name))
        if value < least or (open_end and value == least):
            raise TinycontactError(f"{self.place(name)}: is {value:g}, not"
                                   f" {'greater than' if open_end else 'at least'} {least:g}")
        if value > MOST or (open_end and value < least + LEAST):
            raise TinycontactError(f"{self.place(name)}: is {value:g}, not from {least + LEAST * open_end:g} to {MOST:g}")
        return value

    def vector(self, name):
        value = self.value[name]
        if not isinstance(value, list) or len(value) != 3:
            raise TinycontactError(f"{self.place(name)}: is no list of three numbers [x, y, z]")
        vector = np.array([number(entry, self.place(name)) for entry in value])
        if np.abs(vector).max() > MOST:
            raise TinycontactError(f"{self.place(name)}: has a number beyond {MOST:g}")
        return vector

    def text(self, name):
        value = self.value.get(name, "")
        if not isinstance(value, str):
            raise TinycontactError(f"{self.place(name)}: is no text")
        return value

    def texts(self, name):
        value = self.value.get(name, [])
        if not isinstance(value, list) or not all(isinstance(entry, str) for entry in value):
            raise TinycontactError(f"{self.place(name)}: is no list of texts")
        return tuple(value)

    def choice(self, name, choices):
        value = self.value[name]
        if value not in choices:
            raise TinycontactError(f"{self.place(name)}: is {value!r}, not one of {', '.join(choices)}")
        return value


def _inertia(reader):
    if isinstance(reader.value["inertia"], list):
        inertia = reader.vector("inertia")
        if np.any(inertia < LEAST):
            raise TinycontactError(f"{reader.place('inertia')}: each of the three is greater than 0, by {LEAST:g} at least")
        return inertia
    return np.full(3, reader.number("inertia", open_end=True))


def _belt_inertia(reader):
    """That of motors, a part of the link's; negative where a motor turns against the link."""
    value = reader.number("belt_inertia", 0.0, least=-MOST)
    about_y = _inertia(reader)[1]
    if not value < about_y:
        raise TinycontactError(f"{reader.place('belt_inertia')}: is {value:g}, a part of the link's inertia about y,"
                               f" which is {about_y:g}")
    return value


def _axis(reader, joint):
    """A unit vector that keeps the leg in the x-z plane."""
    axis = reader.vector("axis")
    if abs(np.linalg.norm(axis) - 1) > STRAIGHT:
        raise TinycontactError(f"{reader.place('axis')}: has length {np.linalg.norm(axis):.6g}, not 1")
    beside = np.hypot(axis[0], axis[2]) if joint == "revolute" else abs(axis[1])
    if beside > STRAIGHT:
        plane = "is (0, 1, 0) or (0, -1, 0)" if joint == "revolute" else "has no y"
        raise TinycontactError(f"{reader.place('axis')}: leaves the x-z plane that the leg moves in; the axis of a"
                               f" {joint} joint {plane}")
    return axis


def _range(reader):
    """(least, most) of a joint's coordinate, or None."""
    value = reader.value.get("range")
    if value is None:
        return None
    if not isinstance(value, list) or len(value) != 2:
        raise TinycontactError(f"{reader.place('range')}: is no list of two numbers [least, most]")
    low, high = (number(entry, reader.place("range")) for entry in value)
    if not -MOST <= low < high <= MOST:
        raise TinycontactError(f"{reader.place('range')}: is [{low:g}, {high:g}]; the first is less than the second, and"
                               f" both are within {MOST:g}")
    return low, high


def _drives(reader, joints):
    """[n, n] motor coordinates of joint coordinates, or None."""
    rows = reader.value.get("drives")
    if rows is None:
        return None
    where = reader.place("drives")
    if not isinstance(rows, list) or len(rows) != joints or any(
            not isinstance(row, list) or len(row) != joints for row in rows):
        raise TinycontactError(f"{where}: is no list of {joints} rows of {joints} numbers, a row for each motor")
    drives = np.array([[number(entry, where) for entry in row] for row in rows])
    if np.abs(drives).max() > MOST or not np.linalg.cond(drives) < WORST_DRIVES:
        raise TinycontactError(f"{where}: the motors do not determine the joints (the matrix has no inverse)")
    return drives


def _link(value, where):
    reader = _Reader(value, where, LINK_FIELDS, LINK_OPTIONS)
    joint = reader.choice("joint", JOINTS)
    return Link(joint, _axis(reader, joint), reader.vector("origin"), reader.number("mass", open_end=True),
                reader.vector("com"), _inertia(reader), reader.number("rotor_inertia", 0.0),
                reader.number("damping", 0.0), reader.number("friction", 0.0), _range(reader), reader.text("name"),
                _belt_inertia(reader))


def _foot(value, where):
    known = isinstance(value, dict) and value.get("shape") == "sphere"
    if isinstance(value, dict) and "shape" in value and not known:
        raise TinycontactError(f"{where}, field shape: is {value['shape']!r}; feet are spheres")
    reader = _Reader(value, where, ("shape", "radius", "center"))
    return Foot(reader.number("radius", open_end=True), reader.vector("center"))


def parse_chain(value, path):
    """The Chain in a JSON value that was read from `path`."""
    if isinstance(value, dict) and "limbs" in value and "links" not in value:
        raise TinycontactError(f"{path}: is a robot file; wanted a chain file, of one leg in a plane. `tinycontact leg"
                               " import` writes it: one --foot, and --hold for joints about other axes")
    reader = _Reader(value, f"{path}", ("root", "g", "links", "foot"), CHAIN_OPTIONS)
    root, g = reader.choice("root", ROOTS), reader.number("g", open_end=True)
    links = value["links"]
    if not isinstance(links, list) or not 1 <= len(links) <= MOST_LINKS:
        raise TinycontactError(f"{path}, field links: is no list of 1 to {MOST_LINKS} links")
    links = [_link(link, f"{path}, link {k}") for k, link in enumerate(links)]
    base = _Reader(value.get("base", {}), f"{path}, base", (), ("mass", "inertia"))
    return Chain(root, g, links, _foot(value["foot"], f"{path}, foot"), base.number("mass", BASE_MASS, open_end=True),
                 base.number("inertia", BASE_INERTIA, open_end=True), str(path), value, reader.text("name"),
                 reader.texts("notes"), _drives(reader, len(links)))


def load_chain(path):
    return parse_chain(read_json(path), path)


def absorb_rotors(chain):
    """The Chain with each motor's inertia in its link's: another leg, for simulators that know no rotors."""
    links = [replace(link, rotor_inertia=0.0, inertia=link.inertia + link.rotor_inertia) for link in chain.links]
    return replace(chain, links=links)


def planar_leg(chain):
    """The PlanarLeg of a Chain: what lies beside the x-z plane (y of origins and centres) moves nothing in it."""
    flat = [0, 2]
    links, slides = chain.links, np.array([link.joint == "prismatic" for link in chain.links])
    before = [np.zeros(2)] + [link.com[flat] for link in links[:-1]]
    return PlanarLeg(
        chain.root, chain.g,
        mass=np.array([link.mass for link in links]), inertia=np.array([link.inertia[1] for link in links]),
        slides=slides, anchor=np.array([link.origin[flat] - com for link, com in zip(links, before)]),
        arm=np.array([link.com[flat] for link in links]),
        axis=np.array([link.axis[flat] if slide else np.zeros(2) for link, slide in zip(links, slides)]),
        rotor=np.array([link.rotor_inertia for link in links]),
        damping=np.array([link.damping for link in links]), rest=np.zeros(len(links)),
        foot=chain.foot.center[flat] - links[-1].com[flat], radius=chain.foot.radius,
        sign=np.array([1.0 if slide else -link.axis[1] for link, slide in zip(links, slides)]))
