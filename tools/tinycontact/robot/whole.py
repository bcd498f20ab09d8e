# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Limbs in space on one base as a robot file (robots/description.py), with notes of what was assumed and what no file has
said. Axes are the base's, turned so that z is up; at coordinates 0 all frames of a robot file are parallel, so each vector
is turned once. Coordinates keep the file's signs."""
import numpy as np

from ..errors import TinycontactError
from ..robots.description import MOST_LIMBS, MOST_LINKS, parse_robot, six
from . import lump
from .planar import _foot, _motor, _Notes, _rounded, _shown, UPS


def cut(robot, base, feet, held=None, imu="", keep_inertias=False):
    """[Limb] of a Robot, one per foot; their base_body is all of the robot but all of them."""
    if len(feet) > MOST_LIMBS:
        raise TinycontactError(f"{robot.path}: {len(feet)} feet; a robot file has {MOST_LIMBS} at most")
    limbs = [lump.cut(robot, base, foot, held, imu, keep_inertias) for foot in feet]
    owner = {}
    for foot, limb in zip(feet, limbs):
        for segment in limb.segments:
            other = owner.setdefault(segment.joint.name, foot)
            if other != foot:
                raise TinycontactError(f"{robot.path}, joint {segment.joint.name}: moves both {other!r} and {foot!r}; limbs"
                                       f" share no joint: begin behind it (--base {segment.joint.child}), or hold it"
                                       f" (--hold {segment.joint.name}=0)")
    links = {name for limb in limbs for segment in limb.segments for name in segment.links}
    rest = lump.rest_of(robot, base, feet, held or {}, links)
    for limb in limbs:
        limb.base_body = rest
    return limbs


def _upright(up):
    """[3, 3] rows x, y, z of the robot file in the base's axes; x is the base's first axis that is level."""
    z = np.array(UPS[up], float)
    x = next(axis for axis in np.eye(3) if abs(axis @ z) < 0.5)
    return np.array([x, np.cross(z, x), z])


def _link(robot, segment, axes, before, R, names, said, notes):
    joint, body, turned = segment.joint, segment.body, axes @ R
    axis = turned @ joint.axis
    rotor, damping, friction = _motor(joint, said, names, notes)
    if body.mass == 0.0:
        notes.assumed(f"joint {joint.name} moves the next joint and no mass between them")
    inertia = turned @ body.inertia @ turned.T if body.mass > 0.0 else np.zeros((3, 3))
    link = {"name": joint.name, "joint": joint.kind, "axis": [float(x) for x in axis / np.linalg.norm(axis)],
            "origin": _rounded(axes @ before @ segment.frame.p), "mass": _rounded(body.mass),
            "com": _rounded(turned @ body.com if body.mass > 0.0 else np.zeros(3)),
            "inertia": _rounded(np.array(six(inertia))), "rotor_inertia": _rounded(rotor), "damping": _rounded(damping),
            "friction": _rounded(friction)}
    if joint.range:
        link["range"] = _rounded(np.array(joint.range))
    notes.lines += [f"assumed: joint {joint.name} {note}" for note in joint.notes]
    if len(segment.links) > 1:
        notes.lines.append(f"one body moves with {joint.name}: {', '.join(segment.links)}")
    bare = [name for name in segment.links if robot.links[name].body is None and not robot.links[name].marks]
    if bare:
        notes.lines.append(f"no file has said: mass of {', '.join(bare)} (taken as 0)")
    return link


def _limb(robot, limb, foot, axes, names, said, notes):
    if len(limb.segments) > MOST_LINKS:
        raise TinycontactError(f"{robot.path}: {len(limb.segments)} joints move between {limb.base} and {foot}; a limb"
                               f" has {MOST_LINKS} at most")
    R, links = np.eye(3), []
    for segment in limb.segments:
        before, R = R, R @ segment.frame.R
        links.append(_link(robot, segment, axes, before, R, names, said, notes))
    radius, center = _foot(robot, limb, foot, said, axes, R, notes)
    return {"name": foot, "links": links, "foot": {"shape": "sphere", "radius": _rounded(radius), "center": _rounded(center)}}


def _angles(R):
    """[3] rpy of a rotation."""
    pitch = np.arcsin(np.clip(-R[2, 0], -1, 1))
    if abs(R[2, 0]) > 1 - 1e-9:
        return np.array([0.0, pitch, np.arctan2(-R[0, 1], R[1, 1])])
    return np.array([np.arctan2(R[2, 1], R[2, 2]), pitch, np.arctan2(R[1, 0], R[0, 0])])


def _imu(limb, axes, notes):
    if limb.imu is None:
        several = f"; links that may be one: {', '.join(limb.imus)}" if limb.imus else ""
        notes.assumed(f"the IMU is at the origin of {limb.base}, in its axes (--imu LINK){several}")
        return {"position": [0.0] * 3, "rpy": _rounded(_angles(axes))}
    notes.lines.append(f"IMU: at {limb.imu_link}, in its axes")
    return {"position": _rounded(axes @ limb.imu.p), "rpy": _rounded(_angles(axes @ limb.imu.R))}


def to_json(robot, limbs, feet, said, held=None):
    """The value of a robot file."""
    if said.belts:
        raise TinycontactError("--belt: a robot file has no belts; one leg in a plane has (one --foot)")
    if said.root not in ("floating", "fixed"):
        raise TinycontactError(f"--root {said.root}: a robot's base is floating or fixed")
    notes, axes, base = _Notes(), _upright(said.up), limbs[0].base_body
    if base.mass <= 0.0:
        raise TinycontactError(f"{robot.path}: the base {limbs[0].base} and all that is fixed to it have no mass; an"
                               " <inertial> is missing")
    names = [segment.joint.name for limb in limbs for segment in limb.segments]
    made = [_limb(robot, limb, foot, axes, names, said, notes) for limb, foot in zip(limbs, feet)]
    notes.lines.append(f"base: {base.mass:.4g} kg, all of the robot but its limbs; only simulated plants use it")
    notes.lines.append("axes: x, y, z are {}, {}, {} in the frame of {}".format(*map(_shown, axes), limbs[0].base))
    for name, value in (held or {}).items():
        notes.assumed(f"joint {name} stays at {value:g} (--hold)")
    if any(segment.joint.range for limb in limbs for segment in limb.segments):
        notes.lines.append("ranges: the force of a joint's stop is not modelled, and looks like contact")
    imu = _imu(limbs[0], axes, notes)
    notes.missing("where the limb stands (field home: simulated plants find a posture)", ", ".join(feet))
    value = {"name": said.name or robot.name or limbs[0].base, "root": said.root, "g": said.g,
             "base": {"mass": _rounded(base.mass), "com": _rounded(axes @ base.com),
                      "inertia": _rounded(np.array(six(axes @ base.inertia @ axes.T))), "imu": imu},
             "limbs": made, "notes": notes.all()}
    parse_robot(value, robot.path)
    return value
