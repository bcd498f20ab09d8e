# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""What ties the bodies of a scene of shapes together: joints, limits and springs (docs/reference/scene-file.md).

    ties = Ties(scene)              # of a scenefile.Scene whose bodies are read
    ties.joints, ties.limits, ties.springs
    ties.check()                    # refuses a scene that begins with a joint apart or a limit passed
    ties.error(poses)               # how far the worst joint is apart [m]

A point is from its body's centre of mass in the shape's axes, or in the world.
"""
from dataclasses import dataclass

import numpy as np

from ..errors import TinycontactError
from ..impact.fields import Fields

JOINTS = ("ball", "rod")                 # tc_scene.h
LIMITS = ("coordinate", "distance", "bend")
KINDS = (*JOINTS, "hinge")               # of the file
ROWS = {"ball": 3, "rod": 1, "hinge": 5}
MOST_ROWS, MOST = 64, 255                # tools/native/scene_config.h, tc_scene.h
JOINT = ("kind", "a", "b", "length", "axis", "touch")
LIMIT = ("kind", "a", "b", "c", "low", "high")
SPRING = ("a", "b", "stiffness", "length")
ARM = 0.1      # [m] of the rods that keep the axes of a hinge parallel
APART = 1e-3   # [m] or [rad] by which a joint or a limit may be wrong where a scene begins
FAR = 1e3      # [m] tc_chain.h
STIFF = 1e12   # [N/m]
FINE = 0.25    # largest step times the frequency of a spring [rad]
LEAST_STEP = 1e-6   # [s]


@dataclass
class Point:
    body: int          # index; -1: of the world
    at: np.ndarray     # [3]


@dataclass
class Joint:
    where: str
    kind: str
    a: Point
    b: Point
    length: float
    helps: bool = False   # one of the rods of a hinge


@dataclass
class Limit:
    where: str
    kind: str
    points: list
    low: float
    high: float


@dataclass
class Spring:
    where: str
    a: Point
    b: Point
    stiffness: float
    length: float


def rotation(quaternion):
    w, x, y, z = quaternion
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                     [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                     [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])


class Ties:
    def __init__(self, scene):
        self.scene = scene
        self.joints, self.limits, self.springs = [], [], []
        self._starts = []    # (function, its arguments) that look at the start
        self.apart = set()   # pairs of bodies that joints keep from touching, (i, j) with i < j
        rows = 0
        for fields in self._entries("joints", JOINT):
            rows += ROWS[self._read_joint(fields)]
        if rows > MOST_ROWS:
            raise TinycontactError(f"{scene.where}, field joints: they have {rows} rows, at most {MOST_ROWS} can be; a ball"
                                   f" has 3, a hinge 5, a rod 1")
        for fields in self._entries("limits", LIMIT):
            self._read_limit(fields)
        for fields in self._entries("springs", SPRING):
            self.springs.append(Spring(fields.where, self._point(fields, "a"), self._point(fields, "b"),
                                       fields.number("stiffness", least=0, most=STIFF),
                                       fields.number("length", 0.0, least=0, most=FAR)))
            self._refuse_fixed(fields, self.springs[-1].a, self.springs[-1].b)

    def __bool__(self):
        return bool(self.joints or self.limits or self.springs)

    def check(self):
        for look, *given in self._starts:
            look(*given)

    # ---- Reading

    def _entries(self, name, known):
        entries = Fields(self.scene.value, self.scene.where, self.scene.value).items(name)
        if len(entries) > MOST:
            raise TinycontactError(f"{self.scene.where}, field {name}: has {len(entries)} entries, at most {MOST} can be")
        return [Fields(entry, f"{self.scene.where}, {name}[{k}]", known) for k, entry in enumerate(entries)]

    def _point(self, fields, name):
        point = Fields(fields.get(name), fields.at(name), ("body", "at", "world"))
        if point.has("world"):
            if point.has("body") or point.has("at"):
                point.refuse("world", "excludes body and at")
            return Point(-1, _near(point, "world"))
        body = point.text("body", words=self.scene.names)
        return Point(self.scene.names.index(body), _near(point, "at", np.zeros(3)))

    def _moves(self, point):
        return point.body >= 0 and self.scene.bodies[point.body].moving

    def _refuse_fixed(self, fields, *points):
        if not any(self._moves(point) for point in points):
            fields.refuse("b", "neither this body nor that of a moves")

    def _read_joint(self, fields):
        kind = fields.text("kind", words=KINDS)
        a, b = self._point(fields, "a"), self._point(fields, "b")
        self._refuse_fixed(fields, a, b)
        if a.body == b.body:
            fields.refuse("b", "is the body of a")
        for name, owner in (("length", "rod"), ("axis", "hinge")):
            if fields.has(name) and kind != owner:
                fields.refuse(name, f"a {kind} has none; a {owner} has")
        touch = fields.get("touch", kind == "rod")
        if not isinstance(touch, bool):
            fields.refuse("touch", "is neither true nor false")
        if not touch and min(a.body, b.body) >= 0:
            self.apart.add((min(a.body, b.body), max(a.body, b.body)))
        length = fields.number("length", above=0, most=FAR) if kind == "rod" else 0.0
        self.joints.append(Joint(fields.where, "rod" if kind == "rod" else "ball", a, b, length))
        if kind == "hinge":
            self._read_axis(fields, a, b)
        self._starts.append((self._expect_joined, fields, kind, a, b, length))
        return kind

    def _read_axis(self, fields, a, b):
        """Two rods from a point of the axis in a to points beside it in b."""
        axis = fields.vector("axis", 3)
        if not np.linalg.norm(axis) > 0:
            fields.refuse("axis", "is 0; it is the hinge's direction in a's axes")
        axis = axis / np.linalg.norm(axis)
        own = self._axes(b).T @ self._axes(a) @ axis
        beside = np.linalg.svd(own[None])[2][1:]
        for arm in beside:
            self.joints.append(Joint(fields.where, "rod", Point(a.body, a.at + ARM * axis), Point(b.body, b.at + ARM * arm),
                                     2**0.5 * ARM, True))

    def _read_limit(self, fields):
        kind = fields.text("kind", words=LIMITS[1:])
        if kind == "bend" and fields.has("low"):
            fields.refuse("low", "a bend has none: its angle is from 0 on")
        if kind == "distance" and fields.has("c"):
            fields.refuse("c", "a distance has none; a bend has")
        low = fields.number("low", 0.0, least=0, most=FAR) if kind == "distance" else 0.0
        high = fields.number("high", FAR, above=0, most=FAR if kind == "distance" else np.pi)
        if not (fields.has("high") or fields.has("low")):
            fields.refuse("high", "missing, and low, too; one of them is wanted")
        if not low < high:
            fields.refuse("high", f"is {high:g}, must be above low, {low:g}")
        points = [self._point(fields, name) for name in ("abc" if kind == "bend" else "ab")]
        self._refuse_fixed(fields, *points)
        self.limits.append(Limit(fields.where, kind, points, low, high))
        self._starts.append((self._expect_within, fields, self.limits[-1]))

    # ---- Where points are

    def _axes(self, point):
        return np.eye(3) if point.body < 0 else rotation(self.scene.bodies[point.body].quat_wxyz)

    def place(self, point, pose=None):
        """In the world, of a body's pose [7] or of its start."""
        if point.body < 0:
            return point.at
        body = self.scene.bodies[point.body]
        position, turn = (body.position, body.quat_wxyz) if pose is None else (pose[:3], pose[3:])
        return position + rotation(turn) @ point.at

    def _measure(self, limit):
        x = [self.place(point) for point in limit.points]
        if limit.kind == "distance":
            return float(np.linalg.norm(x[1] - x[0]))
        d, e = x[1] - x[0], x[2] - x[1]
        return float(np.arctan2(np.linalg.norm(np.cross(d, e)), d @ e))

    def _expect_joined(self, fields, kind, a, b, length):
        distance = float(np.linalg.norm(self.place(a) - self.place(b)))
        if abs(distance - length) > APART:
            wanted = f", and length is {length:g}" if kind == "rod" else ""
            fields.refuse("b", f"is {round(distance, 6):.4g} m from a where the scene begins{wanted}")

    def _expect_within(self, fields, limit):
        value = self._measure(limit)
        beyond = max(limit.low - value, value - limit.high)
        if beyond > APART:
            unit = "rad" if limit.kind == "bend" else "m"
            fields.refuse("high" if value > limit.high else "low",
                          f"the scene begins {beyond:.3g} {unit} beyond, at {value:.4g}")

    def error(self, poses):
        """How far the worst joint is from what it ties, at poses [bodies, 7] [m]."""
        worst = 0.0
        for joint in self.joints:
            a, b = (self.place(p, None if p.body < 0 else poses[p.body]) for p in (joint.a, joint.b))
            worst = max(worst, abs(float(np.linalg.norm(a - b)) - joint.length))
        return worst

    # ---- How fast springs are

    def _softness(self, point, inertias):
        """Of a point along a line, at most: 1 / kg."""
        if not self._moves(point):
            return 0.0
        body = self.scene.bodies[point.body]
        return 1 / body.mass + float(point.at @ point.at) / inertias[point.body]

    def step(self, wanted, inertias):
        """The largest step that follows the springs, at most `wanted`. inertias: the least moment of each body."""
        square = 0.0
        for spring in self.springs:
            own = spring.stiffness * (self._softness(spring.a, inertias) + self._softness(spring.b, inertias))
            if FINE / max(own, 1e-30)**0.5 < LEAST_STEP:
                raise TinycontactError(f"{spring.where}, field stiffness: {spring.stiffness:g} swings its bodies at"
                                       f" {own**0.5:.3g} rad/s, faster than steps of {LEAST_STEP:g} s can follow; a joint"
                                       f" of kind rod is stiff")
            square += own
        return min(wanted, FINE / square**0.5) if square > 0 else wanted


def _near(fields, name, default=None):
    found = fields.vector(name, 3) if default is None else fields.vector(name, 3, default)
    if np.abs(found).max() > FAR:
        fields.refuse(name, f"has a number beyond {FAR:g}")
    return found
