# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Roll-outs of scenes of shapes by the library, in double or float32: tools/native/bodies.h, struct by struct.

    run = Rollout(scene)                    # a scenefile.Scene
    poses, velocities = run.run(times)      # [n, bodies, 7] position, quat_wxyz; [n, bodies, 6] linear, angular
    run.set("ball.shape.r", 0.4)            # and again, with another number
    by = run.derivative(times, ["ball.shape.r", "friction"])   # by.poses [2, n, bodies, 6], by.velocities
"""
import ctypes
import functools
from ctypes import POINTER, c_double, c_int32, c_uint32, c_void_p
from dataclasses import dataclass
from itertools import permutations

import numpy as np

from ..errors import BY_VALUE, STATUS, StatusError, TinycontactError
from ..library import Library
from ..shape.sdf import Sdf
from .parameters import parameters
from .scenefile import RESTITUTIONS
from .ties import JOINTS, LIMITS

CONFIG = "tools/native/scene_config.h"
CELLS = 64         # along the longest axis of a union whose mass properties are wanted
STEP = 1e-3        # [s] while something touches
TOUCH = {"double": 1e-7, "float": 1e-5}    # [m] gaps below it are closed
BEGIN = 1e-4       # [m] overlap that a scene may begin with
NEARBY = {"double": 1e-5, "float": 1e-2}   # of an unknown's size: how far apart scenes are for derivatives
DIRECTIONS = 8     # tools/native/bodies.h
STRAIGHT = np.eye(3)
TURN = 0.01        # [rad] by which principal axes may turn within that
NO_DERIVATIVE = ("TC_ERR_NOT_CERTIFIED", "TC_ERR_UNSUPPORTED", "TC_ERR_RANGE")   # the last: it grows beyond numbers
ROUGH = ("grid", "net")   # kinds of shapes whose contacts jump
NOTES = {"TC_NOTE_LIMIT": "more contacts than a step takes, or a solver at its bound",
         "TC_NOTE_FALLBACK": "contacts without a certified answer were stopped",
         "TC_NOTE_PRECISION": "contacts solved to less than full precision"}


TELL = ctypes.CFUNCTYPE(None, c_double)


class _Body(ctypes.Structure):
    _fields_ = [("shape", c_void_p), ("moving", c_int32), ("mass", c_double), ("inertia", c_double * 3),
                ("axes", c_double * 9), ("turn", c_double * 4), ("centre", c_double * 3), ("position", c_double * 3),
                ("quat_wxyz", c_double * 4), ("velocity", c_double * 6), ("force", c_double * 3),
                ("torque", c_double * 3), ("until", c_double)]


class _Point(ctypes.Structure):
    _fields_ = [("body", c_int32), ("at", c_double * 3)]


class _Joint(ctypes.Structure):
    _fields_ = [("kind", c_int32), ("a", _Point), ("b", _Point), ("length", c_double)]


class _Limit(ctypes.Structure):
    _fields_ = [("kind", c_int32), ("point", _Point * 3), ("low", c_double), ("high", c_double)]


class _Spring(ctypes.Structure):
    _fields_ = [("a", _Point), ("b", _Point), ("stiffness", c_double), ("length", c_double)]


class _Bodies(ctypes.Structure):
    _fields_ = [("gravity", c_double * 3), ("count", c_uint32), ("body", POINTER(_Body)), ("material", c_void_p),
                ("step", c_double), ("touch", c_double), ("bounce", c_int32), ("joints", c_uint32), ("limits", c_uint32),
                ("springs", c_uint32), ("joint", POINTER(_Joint)), ("limit", POINTER(_Limit)), ("spring", POINTER(_Spring))]


class Roll(ctypes.Structure):
    """What a roll-out came to: native_bodies_roll."""
    _fields_ = ([(name, c_void_p) for name in ("poses", "velocities", "impulses")]
                + [("tell", TELL), ("status", c_int32), ("note", c_int32)]
                + [(name, c_uint32) for name in ("notes", "steps", "impacts", "dropped", "stopped")]
                + [("noted", c_double), ("deepest", c_double), ("pair", c_uint32 * 2), ("begin", c_double),
                   ("started", c_uint32 * 2)])


class _Direction(ctypes.Structure):
    _fields_ = [("more", POINTER(_Bodies)), ("less", POINTER(_Bodies)), ("step", c_double), ("poses", c_void_p),
                ("velocities", c_void_p)]


class Unsmooth(TinycontactError):
    """A roll-out has no derivative that the library finds."""


@dataclass
class Nearby:
    """A parameter: {path: value} with it larger and smaller. step: half of what it differs by."""
    name: str
    more: dict
    less: dict
    step: float


@dataclass
class Derivative:
    """A roll-out, and its derivatives by the numbers `names`."""
    names: list
    motion: tuple            # (poses [n, bodies, 7], velocities [n, bodies, 6])
    poses: np.ndarray        # [names, n, bodies, 6] of position, and of orientation the small turn, world axes
    velocities: np.ndarray   # [names, n, bodies, 6]
    note: str


@functools.lru_cache(maxsize=None)
def library(real="double"):
    """The library built for scenes of 8 bodies."""
    return Library(real=real, config=CONFIG)


def _point(point):
    return _Point(point.body, (c_double * 3)(*point.at))


def _entries(kind, found):
    """A C array of structs."""
    return (kind * max(len(found), 1))(*found)


def turn_of(axes):
    """The quaternion (w, x, y, z) of a rotation matrix."""
    R = np.asarray(axes, float)
    squares = np.array([1 + np.trace(R), *(1 - np.trace(R) + 2 * np.diag(R))])   # 4 q_i^2
    k = int(np.argmax(squares))
    products = np.array([[squares[0], R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]],
                         [R[2, 1] - R[1, 2], squares[1], R[0, 1] + R[1, 0], R[0, 2] + R[2, 0]],
                         [R[0, 2] - R[2, 0], R[0, 1] + R[1, 0], squares[2], R[1, 2] + R[2, 1]],
                         [R[1, 0] - R[0, 1], R[0, 2] + R[2, 0], R[1, 2] + R[2, 1], squares[3]]])
    q = products[k] / (2 * np.sqrt(squares[k]))
    return q / np.linalg.norm(q)


def principal(tensor, near=None):
    """(moments [3], axes [3, 3] in columns), a rotation; a diagonal tensor keeps its axes. near: axes whose order and
    signs are taken."""
    moments, axes = _principal(np.asarray(tensor, float))
    if near is None or axes is near:
        return moments, axes
    along = near.T @ axes
    order = list(max(permutations(range(3)), key=lambda p: sum(abs(along[k, p[k]]) for k in range(3))))
    signs = np.where(along[range(3), order] < 0, -1.0, 1.0)
    return moments[order], axes[:, order] * signs


def _principal(tensor):
    if np.abs(tensor - np.diag(np.diag(tensor))).max() <= 1e-14 * np.abs(tensor).max():
        return np.diag(tensor).copy(), STRAIGHT
    moments, axes = np.linalg.eigh(tensor)
    if np.linalg.det(axes) < 0:
        axes[:, 2] = -axes[:, 2]
    return moments, axes


def _half(shape):
    """Half edges of a box about a part of a union, its origin in the middle; None: not known."""
    if shape.kind == "sphere":
        return np.full(3, shape.size[0])
    if shape.kind == "box":
        return np.array(shape.size[:3])
    if shape.kind == "cylinder":
        return np.array([shape.size[0], shape.size[0], shape.size[1]])
    return np.array([shape.size[0]] * 2 + [sum(shape.size[:2])]) if shape.kind == "capsule" else None


def union_mass(shape, sdf):
    """What Sdf.mass tells of other kinds, of a union by quadrature: cells cut by the surface count by their share. None
    if a part has no known size."""
    halves = [_half(part) for part in shape.parts]
    if any(half is None for half in halves):
        return None
    low = np.min([at - half for at, half in zip(shape.offsets, halves)], axis=0)
    high = np.max([at + half for at, half in zip(shape.offsets, halves)], axis=0)
    edge = (high - low).max() / CELLS
    axes = [np.arange(a - edge, b + edge, edge) + 0.5 * edge for a, b in zip(low, high)]
    points = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 3)
    found = sdf.evaluate(points)
    spread = np.maximum(np.abs(found.gradient).sum(axis=1), 1e-9) * edge   # of the distance within a cell
    share = np.clip(0.5 - found.distance / spread, 0, 1) * edge**3
    volume = share.sum()
    centre = share @ points / volume
    arms = points - centre
    second = (share[:, None] * arms).T @ arms
    tensor = np.trace(second) * np.eye(3) - second
    return (volume, volume * centre,
            np.array([tensor[0, 0], tensor[1, 1], tensor[2, 2], tensor[0, 1], tensor[0, 2], tensor[1, 2]]))


class Rollout:
    """Roll-outs of one scene, whose numbers may change between them. `last` tells of the last one; `impulses` [n, bodies,
    bodies, 3] are what contacts did since the time before, on the first body from the second, which comes later."""

    def __init__(self, scene, real="double", step=STEP, touch=None, impulses=False):
        self.scene, self.real, self.step = scene.copy(), real, step
        self.touch = TOUCH[real] if touch is None else touch
        self.library = library(real)
        self._run = self.library.function("native_bodies_run", c_int32,
                                          [POINTER(_Bodies), c_void_p, c_uint32, POINTER(Roll)])
        self._derive = self.library.function("native_bodies_derive", c_int32,
                                             [POINTER(_Bodies), POINTER(_Direction), c_uint32, c_void_p, c_uint32,
                                              POINTER(Roll)])
        self._shapes, self._taken, self._wanted = {}, {}, impulses
        self._axes, self._near = {}, {}   # of bodies: principal axes; those that scenes nearby follow
        self.last = self.impulses = None

    def get(self, path):
        return self.scene.get(path)

    def set(self, path, value):
        self.scene.set(path, value)

    # ---- Bodies as C takes them

    def _sdf(self, k, body):
        """(Sdf, its mass properties or None), kept until the body's shape is another."""
        kept = self._shapes.get(k)
        if kept is None or kept[0] is not body.shape:
            sdf = Sdf(body.shape, self.library)
            try:
                properties = sdf.mass()[0]
            except StatusError:
                wanted = body.moving and body.inertia is None and body.shape.kind == "union"
                properties = union_mass(body.shape, sdf) if wanted else None
            kept = self._shapes[k] = (body.shape, sdf, properties)
        return kept[1:]

    def _inertia(self, body, properties):
        if body.inertia is not None or not body.moving:
            return body.inertia if body.inertia is not None else np.eye(3)
        if properties is None:
            raise TinycontactError(f"{body.where}, field inertia: missing; that of a {body.shape.kind} is not known")
        xx, yy, zz, xy, xz, yz = properties[2]
        return body.mass / properties[0] * np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])

    def _body(self, k, body):
        """The struct of a body, kept until the body is another."""
        kept = self._taken.get(k)
        if kept is None or kept[0] is not body:
            kept = self._taken[k] = (body, self._take(k, body))
        return kept[1]

    def _take(self, k, body):
        given = _Body(moving=int(body.moving), mass=body.mass, until=-1.0 if np.isinf(body.until) else body.until)
        sdf, properties = (None, None) if body.shape is None else self._sdf(k, body)
        given.shape = None if sdf is None else sdf.handle
        if properties is not None:
            given.centre[:] = properties[1] / properties[0]
        near = self._near.get(k)
        moments, axes = principal(self._inertia(body, properties), near)
        if near is None:
            self._axes[k] = axes
        elif np.abs(axes - near).max() > TURN:
            raise Unsmooth(f"{body.where}: no derivative where its principal axes turn at once")
        given.inertia[:], given.axes[:] = moments, axes.ravel()
        given.turn[:] = (1.0, 0.0, 0.0, 0.0) if axes is STRAIGHT else turn_of(axes)
        given.position[:], given.quat_wxyz[:] = body.position, body.quat_wxyz
        given.velocity[:] = np.concatenate([body.velocity, body.angular_velocity])
        given.force[:], given.torque[:] = body.force, body.torque
        return given

    def _bodies(self):
        """(the scene as C takes it, what has to live as long)."""
        scene = self.scene
        bodies = (_Body * len(scene.bodies))(*[self._body(k, body) for k, body in enumerate(scene.bodies)])
        material = np.array(scene.material, np.float64)
        for i, j in scene.ties.apart:
            material[i, j] = material[j, i] = -1, 0   # they never touch
        tables = self._ties()
        step = scene.ties.step(self.step, [min(body.inertia) for body in bodies])
        return (_Bodies((c_double * 3)(*scene.gravity), len(bodies), bodies, material.ctypes.data, step, self.touch,
                        RESTITUTIONS.index(scene.restitution_kind), len(scene.ties.joints), len(scene.ties.limits),
                        len(scene.ties.springs), *tables),
                (bodies, material, tables, list(self._shapes.values())))

    def _ties(self):
        """Joints, limits and springs as C takes them."""
        ties, nowhere = self.scene.ties, _Point(-1)
        joints = [_Joint(JOINTS.index(j.kind), _point(j.a), _point(j.b), j.length) for j in ties.joints]
        limits = [_Limit(LIMITS.index(k.kind), (_Point * 3)(*[*map(_point, k.points), nowhere][:3]), k.low, k.high)
                  for k in ties.limits]
        springs = [_Spring(_point(s.a), _point(s.b), s.stiffness, s.length) for s in ties.springs]
        return _entries(_Joint, joints), _entries(_Limit, limits), _entries(_Spring, springs)

    # ---- Running

    def _times(self, times):
        times = np.ascontiguousarray(times, np.float64)
        if len(times) and (times[0] < 0 or (np.diff(times) < 0).any() or not np.isfinite(times).all()):
            raise TinycontactError(f"{self.scene.where}: times are not ascending from 0")
        return times

    def run(self, times, tell=None):
        """(poses [n, bodies, 7], velocities [n, bodies, 6]) at times [n], ascending from 0. tell(share) is called at
        each time."""
        times = self._times(times)
        n, count = len(times), len(self.scene.bodies)
        self.scene.ties.check()
        given, _kept = self._bodies()
        poses, velocities = np.zeros((n, count, 7)), np.zeros((n, count, 6))
        self.impulses = np.zeros((n, count, count, 3)) if self._wanted else None
        roll = Roll(poses.ctypes.data, velocities.ctypes.data, self.impulses.ctypes.data if self._wanted else None,
                    TELL(tell) if tell else TELL())
        status = self._run(given, times.ctypes.data, n, roll)
        self.last = roll
        self._judge(status, roll)
        return poses, velocities

    # ---- Derivatives

    def derivative(self, times, paths):
        """A Derivative by the numbers that paths lead to, at most 8, as `scene identify` names them. Unsmooth where there
        is none."""
        nearby = []
        for parameter in parameters(self.scene, paths):
            base = np.zeros(3) if parameter.is_turn else parameter.start.reshape(-1)
            for j, unknown in enumerate(parameter.unknowns):
                nearby.append(self.nearby(parameter, base, j, unknown))
        return self.along(times, nearby)

    def nearby(self, parameter, numbers, j, unknown):
        """The Nearby of unknown j of a parameters.Parameter whose unknowns are `numbers`."""
        least = unknown.size if self.real == "float" else 0.1 * unknown.size
        step = NEARBY[self.real] * max(abs(numbers[j]), least)
        ends = np.clip(numbers[j] + np.array([step, -step]), unknown.low, unknown.high)
        values = []
        for end in ends:
            moved = np.array(numbers, float)
            moved[j] = end
            values.append({parameter.path: parameter.value(moved).tolist()})
        return Nearby(unknown.name, *values, 0.5 * (ends[0] - ends[1]))

    def _take_nearby(self, values):
        """The scene with other values, as C takes it."""
        kept = dict(self._shapes), dict(self._taken)
        with self.scene.other(values):
            found = self._bodies()
        self._shapes, self._taken = kept
        return found

    def along(self, times, nearby):
        """A Derivative by each Nearby."""
        times, scene = self._times(times), self.scene
        n, count, p = len(times), len(scene.bodies), len(nearby)
        if not 1 <= p <= DIRECTIONS:
            raise TinycontactError(f"{scene.where}: derivatives by {p} numbers at once; 1 to {DIRECTIONS} can be")
        self._expect_smooth(nearby)
        poses, velocities = np.zeros((n, count, 7)), np.zeros((n, count, 6))
        found = Derivative([one.name for one in nearby], (poses, velocities), np.zeros((p, n, count, 6)),
                           np.zeros((p, n, count, 6)), "")
        given, _kept = self._bodies()
        ends = self._ends(nearby)
        directions = (_Direction * p)(*[
            _Direction(ctypes.pointer(more[0]), ctypes.pointer(less[0]), one.step, by_pose.ctypes.data, by_rate.ctypes.data)
            for one, (more, less), by_pose, by_rate in zip(nearby, ends, found.poses, found.velocities)])
        roll = Roll(poses.ctypes.data, velocities.ctypes.data, None, TELL())
        status = self._derive(given, directions, p, times.ctypes.data, n, roll)
        self.last = roll
        if status in [STATUS[name][0] for name in NO_DERIVATIVE]:
            raise Unsmooth(f"{scene.where}: {StatusError('native_bodies_derive', status)}")
        self._judge(status, roll)
        found.note = self.note
        return found

    def unsmooth(self, one):
        """Why there is no derivative by a Nearby, or None."""
        fields = {path.split(".")[-1] for path in one.more}
        if "until" in fields:
            return "the time at which a force ends"
        if "restitution" in fields and min(one.less.values()) <= 0:
            return "a body that does not bounce is not asked how it would"
        return None if one.step > 0 else "its bounds leave it one value"

    def _expect_smooth(self, nearby):
        if self.scene.restitution_kind != RESTITUTIONS[0]:
            raise Unsmooth(f"{self.scene.where}: no derivatives with restitution_kind {self.scene.restitution_kind}")
        if self.scene.ties:
            raise Unsmooth(f"{self.scene.where}: no derivatives with joints, limits or springs")
        for one in nearby:
            if self.unsmooth(one):
                raise Unsmooth(f"{self.scene.where}: no derivative by {one.name}: {self.unsmooth(one)}")
        for body in self.scene.bodies:
            kinds = [] if body.shape is None else [body.shape.kind, *(part.kind for part in body.shape.parts)]
            if any(kind in ROUGH for kind in kinds):
                raise Unsmooth(f"{body.where}: no derivatives where a shape is one of {', '.join(ROUGH)}")

    def _ends(self, nearby):
        """The two scenes of each Nearby, as C takes them."""
        self._near = dict(self._axes)
        try:
            return [[self._take_nearby(values) for values in (one.more, one.less)] for one in nearby]
        finally:
            self._near = {}

    def _judge(self, status, roll):
        scene, names = self.scene, self.scene.names
        if status == STATUS["TC_ERR_BODY"][0]:
            raise TinycontactError(f"{scene.bodies[roll.pair[0]].where}: mass or inertia is not positive in the"
                                   f" library's numbers")
        if roll.begin < -BEGIN:
            a, b = (names[k] for k in roll.started)
            raise TinycontactError(f"{scene.where}: {a} and {b} begin inside each other, {-roll.begin:.3g} m deep")
        if status < 0:
            raise TinycontactError(f"{scene.where}: {StatusError('native_bodies_run', status)}")

    @property
    def note(self):
        """What the library said of the last run, in words."""
        roll = self.last
        if roll is None or not roll.notes:
            return ""
        status = BY_VALUE[roll.note][0]
        text = f"more contacts than fit: {roll.dropped} were left out" if roll.dropped else NOTES.get(status, status)
        more = f" and in {roll.notes - 1} more steps" if roll.notes > 1 else ""
        return f"{text} at t = {roll.noted:.6g} s{more} ({status})"
