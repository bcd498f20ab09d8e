# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""URDF files, read as they are: nothing is invented where an element is missing, and no mesh is opened."""
import re
import xml.etree.ElementTree as xml

import numpy as np

from ..errors import TinycontactError
from ..model import read_text
from .space import Body, Frame, Joint, Link, Robot

KINDS = {"revolute": "revolute", "continuous": "revolute", "prismatic": "prismatic", "fixed": "fixed"}
MOMENTS = ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")


def roll_pitch_yaw(angles):
    """The rotation of URDF's rpy: about the fixed x, then y, then z."""
    (a, b, c), (d, e, f) = np.cos(angles), np.sin(angles)
    return (np.array([[c, -f, 0], [f, c, 0], [0, 0, 1]]) @ np.array([[b, 0, e], [0, 1, 0], [-e, 0, b]])
            @ np.array([[1, 0, 0], [0, a, -d], [0, d, a]]))


class _Element:
    """An XML element whose errors name the file and its link or joint."""

    def __init__(self, element, where):
        self.element, self.where = element, where

    def part(self, name):
        found = self.element.find(name)
        return None if found is None else _Element(found, self.where)

    def text(self, name):
        value = self.element.get(name)
        if not value:
            raise TinycontactError(f"{self.where}: <{self.element.tag}> has no {name}")
        return value

    def numbers(self, name, count, default=None):
        words = self.element.get(name, default)
        if words is None:
            raise TinycontactError(f"{self.where}: <{self.element.tag}> has no {name}")
        try:
            values = np.array([float(word) for word in words.split()])
        except ValueError:
            values = np.zeros(0)
        if len(values) != count or not np.isfinite(values).all():
            raise TinycontactError(f"{self.where}: {name}={words[:40]!r} of <{self.element.tag}> is not"
                                   f" {f'{count} numbers' if count > 1 else 'a number'}")
        return values

    def number(self, name, default=None):
        return float(self.numbers(name, 1, default)[0])

    def frame(self):
        """That of its <origin>."""
        origin = self.part("origin")
        if origin is None:
            return Frame()
        return Frame(roll_pitch_yaw(origin.numbers("rpy", 3, "0 0 0")), origin.numbers("xyz", 3, "0 0 0"))


def _body(element):
    """The Body of a <link>, or None without <inertial>."""
    inertial = element.part("inertial")
    if inertial is None:
        return None
    mass, moments = inertial.part("mass"), inertial.part("inertia")
    if mass is None:
        raise TinycontactError(f"{element.where}: <inertial> has no <mass>")
    xx, yy, zz, xy, xz, yz = (0.0,) * 6 if moments is None else (
        moments.number(name, None if name[1] == name[2] else "0") for name in MOMENTS)
    tensor = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    return Body(mass.number("value"), np.zeros(3), tensor).seen_in(inertial.frame())


def _link(element):
    link = Link(element.element.get("name"), _body(element))
    for found in element.element.findall("collision"):
        collision = _Element(found, element.where)
        for shape in collision.element.findall("geometry/*"):
            if shape.tag == "sphere":
                link.spheres.append((collision.frame().p, _Element(shape, element.where).number("radius")))
            else:
                link.shapes.append(shape.tag)
    return link


def _axis(element):
    """(unit axis, notes)."""
    part = element.part("axis")
    if part is None:
        return np.array([1.0, 0, 0]), ["has no <axis>: URDF's x is taken"]
    axis = part.numbers("xyz", 3)
    length = np.linalg.norm(axis)
    if length < 1e-6:
        raise TinycontactError(f"{element.where}: its axis is zero; an axis such as 0 1 0 is wanted")
    return axis / length, []


def _range(element, kind):
    limit = element.part("limit")
    if limit is None or element.element.get("type") == "continuous":
        return None
    low, high = limit.number("lower", "0"), limit.number("upper", "0")
    if low > high:
        raise TinycontactError(f"{element.where}: its lower limit {low:g} is above the upper one {high:g}")
    return (low, high) if low < high else None


def _joint(element, gears):
    name, kind = element.element.get("name"), element.text("type")
    parent, child = element.part("parent"), element.part("child")
    if parent is None or child is None:
        raise TinycontactError(f"{element.where}: has no <{'parent' if parent is None else 'child'}>")
    joint = Joint(name, KINDS.get(kind, kind), parent.text("link"), child.text("link"), element.frame())
    if joint.kind == "fixed":
        return joint
    joint.axis, joint.notes = _axis(element)
    joint.range = _range(element, kind)
    dynamics, mimic, gear = element.part("dynamics"), element.part("mimic"), gears.get(name)
    if dynamics is not None:
        for field in ("damping", "friction"):
            if dynamics.element.get(field) is not None:
                setattr(joint, field, dynamics.number(field))
    joint.mimic = "" if mimic is None else mimic.element.get("joint", "another joint")
    joint.gear, joint.rotor = gear if gear else (None, None)
    return joint


def _value(parts, tag):
    """The number of the first element of this name, with or without a namespace; None if there is none."""
    for part in parts:
        for found in part.element:
            if found.tag.split("}")[-1] == tag:
                word = found.get("value") or (found.text or "").strip()
                return _Element(xml.Element(tag, {"value": word}), part.where).number("value")
    return None


def _gears(root, path):
    """{joint: (gear or None, reflected rotor inertia or None)} of <transmission>, with Drake's additions."""
    gears = {}
    for found in root.findall("transmission"):
        joint, where = found.find("joint"), f"{path}, transmission {found.get('name', '')}"
        actuator = found.find("actuator")
        if joint is None or not joint.get("name"):
            continue
        parts = [_Element(part, where) for part in (actuator, joint) if part is not None]
        ratio, rotor = _value(parts, "gear_ratio"), _value(parts, "rotor_inertia")
        gear = _value(parts, "mechanicalReduction") if ratio is None else ratio
        gears[joint.get("name")] = (gear, None if rotor is None else rotor * (gear or 1.0)**2)
    return gears


def _ties(root):
    """(link, link, tag) of what URDF's tree leaves out: <loop_joint>, and a <joint> for Gazebo."""
    for found in root.findall("loop_joint"):
        ends = [found.find(name) for name in ("link1", "link2")]
        yield *("" if end is None else end.get("link", "") for end in ends), "<loop_joint>"
    for found in root.findall("gazebo/joint"):
        ends = [(found.findtext(name) or "").strip() for name in ("parent", "child")]
        if all(ends) and "world" not in ends:
            yield *ends, "<gazebo>"


def _named(root, tag, path):
    """Elements with their names, which are unique."""
    seen = set()
    for k, found in enumerate(root.findall(tag)):
        name = found.get("name")
        if not name:
            raise TinycontactError(f"{path}: <{tag}> number {k + 1} has no name")
        if name in seen:
            raise TinycontactError(f"{path}: two {tag}s are named {name!r}")
        seen.add(name)
        yield name, _Element(found, f"{path}, {tag} {name}")


def _declared(text):
    """XML whose prefixes are all declared, which many URDFs' are not."""
    prefixes = set(re.findall(r"<([A-Za-z_][\w.-]*):", text)) - set(re.findall(r"xmlns:([\w.-]+)", text))
    extra = "".join(f' xmlns:{name}="{name}"' for name in sorted(prefixes))
    return re.sub(r"<(robot|mujoco|sdf)\b", rf"<\1{extra}", text, count=1) if extra else text


def parse(text, path):
    """The Robot of a URDF's text."""
    try:
        root = xml.fromstring(_declared(text.lstrip("\ufeff \t\r\n")))
    except xml.ParseError as error:
        raise TinycontactError(f"{path}, line {error.position[0]}, column {error.position[1] + 1}: is no XML"
                               f" ({str(error).split(':')[0]})") from None
    if root.tag == "mujoco":
        raise TinycontactError(f"{path}: is MJCF: read it with --mjcf")
    if root.tag != "robot":
        raise TinycontactError(f"{path}: begins with <{root.tag}>; a URDF begins with <robot>")
    if any("xacro" in element.tag for element in root.iter() if isinstance(element.tag, str)):
        raise TinycontactError(f"{path}: has xacro macros: `xacro {path} > robot.urdf` makes a URDF of them")
    links = {name: _link(element) for name, element in _named(root, "link", path)}
    if not links:
        raise TinycontactError(f"{path}: has no <link>")
    gears = _gears(root, path)
    joints = [_joint(element, gears) for _, element in _named(root, "joint", path)]
    robot = Robot(root.get("name", ""), path, links, joints)
    for one, other, how in _ties(root):
        for name in (one, other):
            robot.link(name, how)
        robot.mark_loop(one, other, how)
    return robot


def load(path):
    return parse(read_text(path), path)
