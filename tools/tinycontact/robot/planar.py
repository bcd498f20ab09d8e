# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""A limb whose joints' axes are parallel as a chain file, with notes of what was assumed and what no file has said.

The leg's axes: y is the joints' axis, z is up, x forward: the direction nearest to the base's x. Coordinates keep the
file's signs. At coordinates 0 all frames of a chain file are parallel, so each vector is turned once.

Motors of belts and coaxial drives turn with several joints: motor i's coordinate is row i of `drives` times the joints'
coordinates, and the rotors' inertia is R = drives' diag(rotor) drives. A chain has inertia of links, which turn with
all joints before them, and of rotors on single joints. R is such a sum if R_ij, i < j, is the same for all i, and what
remains for single joints is not negative. The links' part also turns with the base, the motors' does not; that
difference is left out.
"""
from dataclasses import dataclass, field

import numpy as np

from ..errors import TinycontactError
from ..hil.chain_file import LEAST, MOST_LINKS, parse_chain
from .space import Body, nearest

PARALLEL = 2e-3   # [rad] two axes are the same up to this: files round angles to three digits
TILT = 0.02       # [rad] of the leg's plane from upright
UPS = {"x": (1, 0, 0), "y": (0, 1, 0), "z": (0, 0, 1), "-x": (-1, 0, 0), "-y": (0, -1, 0), "-z": (0, 0, -1)}
STANDS = 9.81
DIGITS = 10


@dataclass
class Said:
    """What a person says beside the file; fields by joint are {joint name: number}, "" for all."""
    root: str = "floating"
    g: float = STANDS
    up: str = "z"
    radius: float = None
    center: tuple = None                           # in the foot's link
    rotor: dict = field(default_factory=dict)      # of the motor itself
    gear: dict = field(default_factory=dict)
    damping: dict = field(default_factory=dict)
    friction: dict = field(default_factory=dict)
    belts: dict = field(default_factory=dict)      # {(joint, joint before): ratio}
    name: str = ""


def _axes(robot, limb, said):
    """(the [3, 3] rows x, y, z of the leg in the base's frame, [n] unit axes of the joints there)."""
    R, axes = np.eye(3), []
    for segment in limb.segments:
        R = R @ segment.frame.R
        axes.append(R @ segment.joint.axis)
    up, turning = np.array(UPS[said.up], float), [k for k, s in enumerate(limb.segments) if s.joint.kind == "revolute"]
    if turning:
        normal = axes[turning[0]]
        _check_parallel(robot, limb, axes, turning)
    else:
        normal = _beside(up, axes)
    tilt = abs(np.arcsin(np.clip(normal @ up, -1, 1)))
    if tilt > TILT:
        first = limb.segments[turning[0]].joint.name if turning else limb.segments[0].joint.name
        raise TinycontactError(f"{robot.path}, joint {first}: turns about {_shown(normal)} of the base, which is"
                               f" {np.degrees(tilt):.3g} degrees from level; legs move in an upright plane. If"
                               f" {said.up} is not up in the base's frame, say --up; there are {', '.join(UPS)}")
    normal = normal - (normal @ up) * up
    normal /= np.linalg.norm(normal)
    forward = np.cross(normal, up)
    ahead = np.eye(3)[np.argmax(np.abs(np.eye(3) @ forward) > 0.7)]   # the base's first axis that is nearly along it
    if forward @ ahead < 0:
        normal, forward = -normal, -forward
    return np.array([forward, normal, up]), axes


def _shown(axis):
    return "(" + ", ".join(f"{x:.3g}" for x in np.round(axis, 6) + 0.0) + ")"


def _beside(up, axes):
    """The normal of a plane with `up` and joints that slide."""
    for axis in axes:
        cross = np.cross(up, axis)
        if np.linalg.norm(cross) > 0.1:
            return cross / np.linalg.norm(cross)
    return np.array([0.0, 1, 0]) if abs(up[1]) < 0.5 else np.array([1.0, 0, 0])


def _check_parallel(robot, limb, axes, turning):
    """Names the joints whose axis is another than that of most."""
    axis = max((axes[k] for k in turning), key=lambda a: sum(abs(a @ axes[j]) > 1 - PARALLEL**2 / 2 for j in turning))
    odd = [k for k in turning if np.linalg.norm(np.cross(axis, axes[k])) > PARALLEL]
    if not odd:
        return
    joint = limb.segments[odd[0]].joint
    if odd[0] == 0 and len(odd) == 1:
        hint = f"; begin behind it (--base {joint.child}), or hold it (--hold {joint.name}=0)"
    else:
        hint = f"; hold it with --hold {joint.name}=0 if it does not move while you estimate"
    hint += ", or write a robot file, whose joints turn about any axis (--space)"
    named = ", ".join(f"{limb.segments[k].joint.name} {_shown(axes[k])}" for k in turning)
    raise TinycontactError(f"{robot.path}, joint {joint.name}: its axis is not parallel to the others'; the estimator"
                           f" has legs in a plane only so far{hint}. Axes in the base's frame: {named}")


def _by_joint(said, joint, names, option):
    """A person's number for a joint, or None."""
    for name in said:
        if name and name not in names:
            raise TinycontactError(f"{option}: no joint {name!r} of the leg moves" + nearest(name, names))
    return said.get(joint, said.get(""))


class _Notes:
    def __init__(self):
        self.lines, self.unsaid = [], {}

    def assumed(self, text):
        self.lines.append(f"assumed: {text}")

    def missing(self, what, joint):
        self.unsaid.setdefault(what, []).append(joint)

    def all(self):
        return self.lines + [f"no file has said: {what} of {', '.join(names)}" for what, names in self.unsaid.items()]


def _motor(joint, said, names, notes):
    """(reflected rotor inertia, damping, friction) of a joint."""
    rotor, gear = _by_joint(said.rotor, joint.name, names, "--rotor"), _by_joint(said.gear, joint.name, names, "--gear")
    if rotor is not None:
        ratio = gear if gear is not None else joint.gear
        if ratio is None:
            notes.assumed(f"joint {joint.name}: no gear, so its rotor's inertia is as given (--gear)")
        elif gear is None:
            notes.assumed(f"joint {joint.name}: gear {ratio:g}, the file's transmission")
        rotor = rotor * (1.0 if ratio is None else ratio)**2
    elif joint.rotor is not None:
        rotor = joint.rotor
    else:
        notes.missing("rotor inertia (taken as 0; --rotor, --gear)", joint.name)
    values = [rotor or 0.0]
    for field_name in ("damping", "friction"):
        value = _by_joint(getattr(said, field_name), joint.name, names, f"--{field_name}")
        value = getattr(joint, field_name) if value is None else value
        if value is None:
            notes.missing(f"{field_name} (taken as 0; --{field_name})", joint.name)
        values.append(value or 0.0)
    return values


def drives_of(belts, names):
    """[n, n] motor coordinates of joint coordinates, or None without belts."""
    if not belts:
        return None
    drives = np.eye(len(names))
    for (joint, before), ratio in belts.items():
        for name in (joint, before):
            _by_joint({name: 0}, name, names, "--belt")
        if joint == before:
            raise TinycontactError(f"--belt {joint}:{before}: names one joint twice; JOINT:BEFORE=RATIO are two")
        drives[names.index(joint), names.index(before)] = ratio
    return drives


def spread_rotors(drives, rotor, sign, slides):
    """([n] inertia that links get, [n] rotors) of coupled motors; None if a chain has no place for them. sign: of the
    joints' axes in the plane."""
    turned = drives * sign
    R = turned.T @ np.diag(rotor) @ turned
    small = 1e-9 * max(np.abs(R).max(), 1e-30)
    n, sums = len(rotor), np.zeros(len(rotor) + 1)
    for j in range(1, n):
        column = R[:j, j]
        if np.ptp(column) > small or (np.abs(column).max() > small and (slides[j] or any(slides[:j]))):
            return None
        sums[j] = column[0]
    sums[0] = sums[1] if n > 1 else 0.0
    links, rotors = sums[:-1] - sums[1:], np.diag(R) - sums[:-1]
    if rotors[0] < 0.0:
        links[0], rotors[0] = rotors[0], 0.0
    return None if (rotors < -small).any() else (links, np.maximum(rotors, 0.0))


def _foot(robot, limb, foot, said, axes, R, notes):
    """{radius, center} of the foot, in the last link's leg axes."""
    link, radius, center = robot.links[foot], said.radius, said.center
    if center is None and len(link.spheres) == 1:
        center = link.spheres[0][0]
    if radius is None:
        if len(link.spheres) != 1:
            what = (f"has {len(link.spheres)} spheres" if link.spheres else "has no collision shape" if not link.shapes
                    else f"is a {' and a '.join(sorted(set(link.shapes)))}")
            raise TinycontactError(f"{robot.path}, link {foot}: the foot {what}; the estimator's foot is one sphere:"
                                   " say its radius"
                                   " (--radius 0.02) and, in the link's frame, its centre (--center 0,0,-0.2)")
        radius = link.spheres[0][1]
    if center is None:
        notes.assumed(f"the foot's centre is the origin of link {foot} (--center)")
        center = np.zeros(3)
    return float(radius), axes @ R @ limb.foot.point(np.asarray(center, float))


def _rounded(values):
    """Numbers for a file."""
    if np.ndim(values) == 0:
        return float(f"{float(values):.{DIGITS}g}") + 0.0
    return [float(f"{value:.{DIGITS}g}") + 0.0 for value in np.where(np.abs(values) < 1e-12, 0.0, values)]


def _possible(moments):
    """[3] moments that a body can have, with the same one about y: in a plane the others do not matter."""
    moments = np.maximum(moments, LEAST)
    return moments if 2 * moments.max() <= moments.sum() else np.full(3, moments[1])


def _axis_of(kind, axis):
    """The axis in the leg's axes, exactly in its plane."""
    if kind == "revolute":
        return [0.0, float(np.sign(axis[1])), 0.0]
    flat = np.array([axis[0], 0.0, axis[2]])
    return [float(x) for x in flat / np.linalg.norm(flat)]


def _links(robot, limb, said, axes, notes):
    """([link of the file], [3, 3] of the last link's frame in the base's)."""
    names = [segment.joint.name for segment in limb.segments]
    R, links = np.eye(3), []
    for k, segment in enumerate(limb.segments):
        joint, before = segment.joint, R
        R = R @ segment.frame.R
        axis = axes @ R @ joint.axis
        if joint.kind == "prismatic" and abs(axis[1]) > PARALLEL:
            raise TinycontactError(f"{robot.path}, joint {joint.name}: slides along {_shown(axes.T @ axis)} of the"
                                   " base, out of the leg's plane")
        shift = segment.frame.p if k else segment.frame.p - (limb.imu.p if limb.imu else 0.0)
        body, turned = segment.body, axes @ R
        if body.mass == 0.0:
            notes.assumed(f"joint {joint.name} moves the next joint and no mass between them")
            body = Body(LEAST, np.zeros(3), LEAST * np.eye(3))
        inertia = np.diag(turned @ body.inertia @ turned.T)
        if inertia[1] <= 0.0 and joint.kind == "revolute":
            raise TinycontactError(f"{robot.path}, joint {joint.name}: what it moves has inertia {inertia[1]:.3g} kg"
                                   " m^2 about its axis; an <inertia> is missing or wrong")
        rotor, damping, friction = _motor(joint, said, names, notes)
        link = {"name": joint.name, "joint": joint.kind, "axis": _axis_of(joint.kind, axis),
                "origin": _rounded(axes @ before @ shift), "mass": _rounded(body.mass),
                "com": _rounded(turned @ body.com),
                "inertia": _rounded(_possible(inertia)), "rotor_inertia": _rounded(rotor), "damping": _rounded(damping),
                "friction": _rounded(friction)}
        if joint.range:
            link["range"] = _rounded(np.array(joint.range))
        notes.lines += [f"assumed: joint {joint.name} {note}" for note in joint.notes]
        links.append(link)
    return links, R


def _couple(robot, links, said, notes):
    """Adds rotors of belts to links; the drives, or None."""
    drives = drives_of(said.belts, [link["name"] for link in links])
    if drives is None:
        return None
    slides = [link["joint"] == "prismatic" for link in links]
    sign = np.array([1.0 if slide else -link["axis"][1] for link, slide in zip(links, slides)])
    spread = spread_rotors(drives, np.array([link["rotor_inertia"] for link in links]), sign, slides)
    wrong = spread is None or any(link["inertia"][1] + extra <= 0 for link, extra in zip(links, spread[0]))
    if wrong:
        raise TinycontactError(f"{robot.path}: a chain has no place for the rotors of these belts (--belt): their"
                               " inertia couples"
                               " joints in another way than a link's does. Without --rotor the belts' coordinates are"
                               " held all"
                               " the same")
    for link, extra, rotor in zip(links, *spread):
        if extra:
            notes.lines.append(f"{link['name']}: {extra:.3g} kg m^2 of its inertia are those of motors behind belts")
            link["belt_inertia"] = _rounded(extra)
        link["inertia"] = _rounded(_possible(np.array(link["inertia"]) + [0.0, extra, 0.0]))
        link["rotor_inertia"] = _rounded(rotor)
    return drives


def _tell_frames(robot, limb, held, axes, notes):
    for name, value in held.items():
        notes.assumed(f"joint {name} stays at {value:g} (--hold)")
    x, y, z = (_shown(axis) for axis in axes)
    notes.lines.append(f"axes: x forward is {x}, y the joints' axis {y}, z up {z}, in the frame of {limb.base}")
    if limb.imu is None:
        several = f"; links that may be one: {', '.join(limb.imus)}" if limb.imus else ""
        notes.assumed(f"the accelerometer is at the origin of {limb.base} (--imu LINK){several}")
    else:
        notes.lines.append(f"origin: that of {limb.imu_link}, where the accelerometer is")
        if np.abs(limb.imu.R - np.eye(3)).max() > 1e-3:
            notes.lines.append(f"{limb.imu_link} is turned in {limb.base}: turn its readings into the axes above")
    if any(segment.joint.range for segment in limb.segments):
        notes.lines.append("ranges: the force of a joint's stop is not modelled, and looks like contact")
    for segment in limb.segments:
        bare = [name for name in segment.links if robot.links[name].body is None and not robot.links[name].marks]
        if bare:
            notes.lines.append(f"no file has said: mass of {', '.join(bare)} (taken as 0)")
        points = [name for name in segment.links if (body := robot.links[name].body) and body.mass and not body.inertia.any()]
        if points:
            notes.lines.append(f"no file has said: inertia of {', '.join(points)} (taken as 0)")
        if len(segment.links) > 1:
            notes.lines.append(f"one body moves with {segment.joint.name}: {', '.join(segment.links)}")


def to_json(robot, limb, foot, said, held=None):
    """The value of a chain file; `held`: {joint: coordinate} of the limb."""
    if len(limb.segments) > MOST_LINKS:
        raise TinycontactError(f"{robot.path}: {len(limb.segments)} joints move between {limb.base} and {foot}; a leg"
                               f" has {MOST_LINKS} at most")
    notes = _Notes()
    axes, _ = _axes(robot, limb, said)
    links, R = _links(robot, limb, said, axes, notes)
    radius, center = _foot(robot, limb, foot, said, axes, R, notes)
    drives = _couple(robot, links, said, notes)
    base = limb.base_body
    value = {"name": said.name or robot.name or limb.base, "root": said.root, "g": said.g}
    if base.mass > 0:
        about_y = (axes @ base.inertia @ axes.T)[1, 1]
        value["base"] = {"mass": _rounded(base.mass), "inertia": _rounded(max(about_y, 1e-6))}
        notes.lines.append(f"base: {base.mass:.4g} kg, all of the robot but this leg; only simulated plants use it")
    else:
        notes.lines.append("no file has said: mass of the base; only simulated plants use it")
    value |= {"links": links, "foot": {"shape": "sphere", "radius": _rounded(radius), "center": _rounded(center)}}
    if drives is not None:
        value["drives"] = [_rounded(row) for row in drives]
        notes.lines.append(
            "drives: encoders and torques are the motors'; their coordinates are drives times the joints'")
    _tell_frames(robot, limb, held or {}, axes, notes)
    notes.missing("encoder resolution, noise of torques, gyro and accelerometer (leg export)", "the sensors")
    value["notes"] = notes.all()
    parse_chain(value, robot.path)
    return value
