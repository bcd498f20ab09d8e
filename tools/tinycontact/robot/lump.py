# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""One limb of a Robot: the joints from base to foot, and one body for all that moves with each of them.

    limb = cut(robot, "trunk", "foot_link", held={"hip_roll": 0.0})

Links of fixed joints, and of joints that are held at a coordinate, become part of what they hang on: masses, centres
and tensors of inertia are turned, shifted and added.
"""
import re
from dataclasses import dataclass

from ..errors import TinycontactError
from .space import MOVING, Body, Frame


IMU = re.compile(r"(?:^|[^a-z])imu(?:link|sensor|[^a-z]|$)", re.I)   # in a link's name, as a word


@dataclass
class Segment:
    """A joint that moves, and the body that moves with it."""
    joint: object
    frame: Frame    # of the joint at coordinate 0, in the segment before (the first: in the base)
    body: Body
    links: list     # names of those that the body is made of


@dataclass
class Limb:
    """A chain in space."""
    base: str
    segments: list
    foot: Frame          # of the foot's link, in the last segment
    base_body: Body      # all of the robot but the segments, joints at 0
    imu: Frame = None    # in the base's frame
    imu_link: str = ""
    imus: list = None    # names of links fixed to the base that may be one


class _Cutter:
    def __init__(self, robot, base, foot, held):
        self.robot, self.held = robot, held
        self.path = robot.between(base, foot)
        for joint in self.path:
            self._movable(joint)
        self.below = {}
        for joint in robot.joints:
            self.below.setdefault(joint.parent, []).append(joint)

    def _rigid(self, joint):
        return joint.kind == "fixed" or joint.name in self.held

    def _movable(self, joint):
        """Refuses joints of the leg that no chain has."""
        where = f"{self.robot.path}, joint {joint.name}"
        if self._rigid(joint):
            return
        if joint.mimic:
            raise TinycontactError(f"{where}: follows joint {joint.mimic} (<mimic>), so it has no motor of its own;"
                                   f" hold it (--hold {joint.name}=0), or give a file with one joint for both")
        if joint.kind not in MOVING:
            world = joint is next(other for other in self.path if not self._rigid(other))
            hint = (f"begin behind it (--base {joint.child})" if world else f"hold it with --hold {joint.name}=0")
            raise TinycontactError(f"{where}: is {joint.kind}; joints of a leg are revolute, continuous or prismatic;"
                                   f" {hint}")

    def coordinate(self, joint):
        return self.held.get(joint.name, 0.0)

    def grow(self, link, frame, parts, loose):
        """Adds (name, frame in the segment's) of a link and all that is fixed to it. loose(joint): whether one that
        moves is walked as if held at 0."""
        parts.append((link, frame))
        for joint in self.below.get(link, []):
            if joint in self.path and not self._rigid(joint):
                continue
            if self._rigid(joint) or loose(joint):
                self.grow(joint.child, frame @ joint.at(self.coordinate(joint)), parts, loose)

    def refuse(self, joint):
        raise TinycontactError(f"{self.robot.path}, joint {joint.name}: moves link {joint.child}, which hangs on the"
                               f" leg but not between base and foot; hold it with --hold {joint.name}=0")

    def body(self, parts):
        """The Body of all parts."""
        total = Body()
        for name, frame in parts:
            if self.robot.links[name].body is not None:
                total = total + self.robot.links[name].body.seen_in(frame)
        return total

    def rest(self, base, leg):
        """The Body of all links but those of the leg, in the base's frame."""
        parts, frame, name = [], Frame(), base
        self.grow(base, frame, parts, bool)   # a joint that moves is walked, too
        for joint in self.robot.above(base)[::-1]:
            frame, last, name = frame @ joint.at(self.coordinate(joint)).inverse(), name, joint.parent
            parts.append((name, frame))
            for beside in self.below[name]:
                if beside.child != last:
                    self.grow(beside.child, frame @ beside.at(self.coordinate(beside)), parts, bool)
        return self.body([part for part in parts if part[0] not in leg])


def _check_bodies(robot, segments, keep):
    """Refuses bodies that cannot be, of links of the leg; tells which links have none."""
    for segment in segments:
        for name in segment.links:
            body = robot.links[name].body
            if body is None:
                continue
            fault = body.fault()
            if fault and (body.mass < 0 or not keep):
                more = "" if body.mass < 0 else "; --keep-inertias takes them as they are"
                raise TinycontactError(f"{robot.path}, link {name}: {fault}{more}")
        if segment.body.mass <= 0.0 and (segment is segments[-1] or robot.links[segment.joint.child].body is not None):
            raise TinycontactError(f"{robot.path}, joint {segment.joint.name}: what it moves has no mass (links"
                                   f" {', '.join(segment.links)}); an <inertial> is missing")


def _check_held(robot, held):
    for name in held:
        joint = robot.joint(name, "--hold")
        if joint.kind == "fixed":
            raise TinycontactError(f"{robot.path}, joint {name}: is fixed already; --hold is for joints that move")


def _find_imu(robot, cutter, base, wanted, limb):
    """Sets the IMU's frame: that of the wanted link, or of the only one fixed to the base whose name has the word
    imu."""
    parts = []
    cutter.grow(base, Frame(), parts, lambda joint: False)
    fixed = dict(parts)
    if wanted:
        robot.link(wanted, "--imu")
        if wanted not in fixed:
            raise TinycontactError(
                f"{robot.path}: --imu {wanted!r} is not fixed to the base {base!r}; the IMU measures the base")
    limb.imus = [name for name in fixed if IMU.search(name)]
    named = [wanted] if wanted else limb.imus
    if len(named) == 1:
        limb.imu, limb.imu_link = fixed[named[0]], named[0]


def cut(robot, base, foot, held=None, imu="", keep_inertias=False):
    """The Limb of a Robot from one link to another. `held`: {joint: coordinate}."""
    held = held or {}
    robot.link(base, "--base"), robot.link(foot, "--foot")
    _check_held(robot, held)
    cutter = _Cutter(robot, base, foot, held)
    segments, frame = [], Frame()
    for joint in cutter.path:
        if cutter._rigid(joint):
            frame = frame @ joint.at(cutter.coordinate(joint))
            continue
        parts = []
        cutter.grow(joint.child, Frame(), parts, cutter.refuse)
        segments.append(Segment(joint, frame @ joint.frame, cutter.body(parts), [name for name, _ in parts]))
        frame = Frame()
    if not segments:
        raise TinycontactError(f"{robot.path}: no joint between {base!r} and {foot!r} moves")
    _check_bodies(robot, segments, keep_inertias)
    leg = {name for segment in segments for name in segment.links}
    limb = Limb(base, segments, frame, cutter.rest(base, leg))
    _find_imu(robot, cutter, base, imu, limb)
    return limb


def rest_of(robot, base, feet, held, links):
    """The Body of all links but these, in the base's frame; `feet`: those of the limbs that they belong to."""
    cutter = _Cutter(robot, base, feet[0], held)
    cutter.path = [joint for foot in feet for joint in robot.between(base, foot)]
    return cutter.rest(base, links)
