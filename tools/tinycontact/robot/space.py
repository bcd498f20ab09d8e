# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""A robot in space as its file describes it: links with bodies, joints between them. m, kg, rad.

A link's frame is that of the joint that carries it. Readers (urdf.py, mjcf.py) make a Robot; lump.py cuts limbs out
of it.
"""
import difflib
from dataclasses import dataclass, field

import numpy as np

from ..errors import TinycontactError

MOVING = ("revolute", "prismatic")
NOTHING = 1e-16   # [kg m^2] moments below are what files' arithmetic left
TRIANGLE = 0.01   # part by which a moment may exceed the sum of the other two, which no body's does


def turn(axis, angle):
    """The rotation about a unit axis."""
    x, y, z = axis
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross


@dataclass
class Frame:
    """Where a frame lies in another: x there = R x + p."""
    R: np.ndarray = field(default_factory=lambda: np.eye(3))
    p: np.ndarray = field(default_factory=lambda: np.zeros(3))

    def __matmul__(self, other):
        return Frame(self.R @ other.R, self.R @ other.p + self.p)

    def inverse(self):
        return Frame(self.R.T, -self.R.T @ self.p)

    def point(self, x):
        return self.R @ x + self.p


@dataclass
class Body:
    """Mass, centre of mass and inertia about it, in some frame's axes."""
    mass: float = 0.0
    com: np.ndarray = field(default_factory=lambda: np.zeros(3))
    inertia: np.ndarray = field(default_factory=lambda: np.zeros((3, 3)))

    def seen_in(self, frame):
        """The same body from a frame in which its own is `frame`."""
        return Body(self.mass, frame.point(self.com), frame.R @ self.inertia @ frame.R.T)

    def __add__(self, other):
        mass = self.mass + other.mass
        if mass == 0.0:
            return Body(0.0, self.com, self.inertia + other.inertia)
        com = (self.mass * self.com + other.mass * other.com) / mass
        inertia = np.zeros((3, 3))
        for body in (self, other):
            d = body.com - com
            inertia = inertia + body.inertia + body.mass * (d @ d * np.eye(3) - np.outer(d, d))
        return Body(mass, com, inertia)

    def fault(self):
        """Why no body is so, in words; "" if one can be."""
        if self.mass < 0.0:
            return f"its mass is {self.mass:g} kg"
        moments = np.linalg.eigvalsh(self.inertia)
        shown = ", ".join(f"{m:.4g}" for m in moments)
        if moments[0] < -max(1e-9 * abs(moments[2]), NOTHING):
            return f"its principal moments of inertia are {shown} kg m^2; none is negative"
        if moments[2] > (1 + TRIANGLE) * (moments[0] + moments[1]) + NOTHING:
            return (f"its principal moments of inertia are {shown} kg m^2; the largest is at most the sum of the"
                    " other two")
        return ""


@dataclass
class Link:
    name: str
    body: Body = None                              # None: the file gives none
    spheres: list = field(default_factory=list)    # of its collision shape: (centre [3], radius)
    shapes: list = field(default_factory=list)     # what else its collision shape is made of, in words
    marks: bool = False                            # a place on a body, which has no mass of its own


@dataclass
class Joint:
    name: str
    kind: str                 # of MOVING, "fixed", or another word of the file
    parent: str
    child: str
    frame: Frame              # of the child at coordinate 0, in the parent's
    axis: np.ndarray = None   # unit, in the child's frame; None: fixed
    damping: float = None     # None: the file does not say
    friction: float = None
    rotor: float = None       # reflected to the joint
    gear: float = None        # turns of the motor per turn of the joint
    range: tuple = None
    mimic: str = ""           # the joint that it follows
    notes: list = field(default_factory=list)

    def at(self, q):
        """The child's frame in the parent's at a coordinate."""
        if self.kind == "prismatic":
            return self.frame @ Frame(p=q * self.axis)
        return self.frame @ Frame(turn(self.axis, q)) if self.kind == "revolute" else self.frame


def nearest(word, words):
    """'; did you mean ...?', or the words there are."""
    words = list(words)
    close = difflib.get_close_matches(word, words, 1, 0.5)
    if close:
        return f"; did you mean {close[0]!r}?"
    return f"; there are {', '.join(words[:12])}{', ...' if len(words) > 12 else ''}" if words else ""


class Robot:
    """Links by name and the joints between them: a tree with one root."""

    def __init__(self, name, path, links, joints):
        self.name, self.path, self.links, self.joints = name, str(path), links, joints
        self.carried = {}   # link: the joint that carries it
        for joint in joints:
            for end in (joint.parent, joint.child):
                if end not in links:
                    raise TinycontactError(
                        f"{path}, joint {joint.name}: there is no link {end!r}" + nearest(end, links))
            if joint.child in self.carried:
                raise TinycontactError(f"{path}, joint {joint.name}: link {joint.child!r} hangs on joint"
                                       f" {self.carried[joint.child].name} already; a link has one parent")
            self.carried[joint.child] = joint
        self.root = self._root()

    def _root(self):
        roots = [name for name in self.links if name not in self.carried]
        if not roots:
            raise TinycontactError(f"{self.path}: the joints form a ring; no link is the root")
        if len(roots) > 1:
            raise TinycontactError(f"{self.path}: links {', '.join(roots)} hang on no joint; a robot has one root: a"
                                   " <joint> is missing")
        for name in self.links:
            seen = {name}
            while name in self.carried:
                name = self.carried[name].parent
                if name in seen:
                    raise TinycontactError(f"{self.path}: the joints form a ring through link {name!r}")
                seen.add(name)
        return roots[0]

    def link(self, name, option):
        if name not in self.links:
            joints = [joint for joint in self.joints if joint.name == name]
            if joints:
                raise TinycontactError(f"{self.path}: {option} {name!r} is a joint; its link is {joints[0].child!r}")
            raise TinycontactError(f"{self.path}: {option}: there is no link {name!r}" + nearest(name, self.links))
        return self.links[name]

    def joint(self, name, option):
        for joint in self.joints:
            if joint.name == name:
                return joint
        moving = [joint.name for joint in self.joints if joint.kind != "fixed"]
        raise TinycontactError(f"{self.path}: {option}: there is no joint {name!r}" + nearest(name, moving))

    def above(self, name):
        """The joints from the root to a link."""
        joints = []
        while name in self.carried:
            joints.append(self.carried[name])
            name = joints[-1].parent
        return joints[::-1]

    def between(self, base, foot):
        """The joints from link `base` to link `foot`."""
        joints = self.above(foot)
        names = [self.root, *[joint.child for joint in joints]]
        if base == foot:
            raise TinycontactError(f"{self.path}: --base and --foot are the same link {base!r}")
        if base not in names:
            raise TinycontactError(f"{self.path}: the foot {foot!r} does not hang on the base {base!r}; above the"
                                   f" foot are {', '.join(names[:-1])}")
        return joints[names.index(base):]

    def mark_loop(self, one, other, how):
        """Two links are tied by more than the tree: the joints between them are part of a closed loop."""
        ends = [self.above(name) for name in (one, other)]
        for joint in ends[0] + ends[1]:
            shared = joint in ends[0] and joint in ends[1]
            if not shared and joint.kind != "fixed":
                joint.kind = f"part of a closed loop ({how})"

    def tips(self):
        """Links that carry none."""
        return [name for name in self.links if not any(joint.parent == name for joint in self.joints)]
