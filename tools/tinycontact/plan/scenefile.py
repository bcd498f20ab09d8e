# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Scenes of `tinycontact plan` from JSON (docs/reference/plan-files.md).

    scene = load("push.json")          # or from_dict(value, "where") of the same form
    scene.bodies[0].pieces             # convex pieces about the body's centre of mass
    scene.coordinates, scene.velocity  # the start as tc_implicit_start takes it
    scene.control                      # [(body, coordinate)] of each number of a control

Lengths in metres, angles in radians, SI, world axes.
"""
import itertools
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from ..errors import TinycontactError
from ..impact.fields import Fields, vector
from ..jsonfile import read_json

WORLD = 0xFFFFFFFF
JOINTS = ("free", "hinge", "slide", "ball", "weld")
DRIVES = ("none", "force", "servo")
TOP = ("name", "dimension", "gravity", "h", "steps", "mu", "barrier", "friction", "slow", "tolerance", "iterations",
       "trials", "bodies", "floors", "pairs", "control")
BODY = ("name", "pieces", "mass", "inertia", "joint", "parent", "anchor_at", "anchor", "rest", "axis", "locked", "drive",
        "driven", "stiffness", "damping", "drag", "drag_radius", "position", "angle", "quat_wxyz", "distance", "velocity",
        "angular_velocity", "rate")
PIECES = {"box": ("h", "r"), "sphere": ("r",), "capsule": ("half", "r"), "points": ("points", "r")}
MOST_BODIES, MOST_POINTS, MOST_ENTRIES = 256, 64, 100_000   # tc_implicit.h, tc_barrier.h
MOST_LENGTH = 1e5    # [m]
TUNING = {"slow": 0.001, "iterations": 60, "trials": 40}   # tc_implicit_default


@dataclass
class Piece:
    vertices: np.ndarray    # [count, dimension], body's axes about its centre of mass
    radius: float


@dataclass
class Body:
    name: str
    mass: float
    inertia: np.ndarray                 # [3]; plane: the first
    pieces: list = field(default_factory=list)
    joint: str = "free"
    parent: int = WORLD
    anchor_at: np.ndarray = None
    anchor: np.ndarray = None
    rest: np.ndarray = None             # [4]
    axis: np.ndarray = None             # [3]
    locked: tuple = ()                  # freedoms
    drive: str = "none"
    driven: tuple = ()                  # freedoms
    stiffness: np.ndarray = None        # [2]
    damping: np.ndarray = None          # [2]
    drag: float = 0.0
    drag_radius: float = 0.0


@dataclass
class Floor:
    name: str
    normal: np.ndarray                  # [3]
    offset: float
    friction: float


@dataclass
class Scene:
    name: str
    dimension: int
    gravity: np.ndarray                 # [3]
    bodies: list
    floors: list
    pairs: list                         # (piece a, piece b, friction), pieces numbered over all bodies
    h: float
    steps: int
    mu: float
    barrier: tuple                      # A, kappa, length
    slow: float
    tolerance: float                    # None: the library's
    iterations: int
    trials: int
    coordinates: np.ndarray = None
    velocity: np.ndarray = None
    controls: np.ndarray = None         # [steps or 1, controls]
    hold: np.ndarray = None             # [controls] that hold the start; of forces 0

    @property
    def names(self):
        return [body.name for body in self.bodies]

    @property
    def spans(self):
        """Of each body its slices of coordinates and of freedoms."""
        found, at, free = [], 0, 0
        for body in self.bodies:
            n, m = coordinates_of(body.joint, self.dimension), len(freedoms_of(body.joint, self.dimension))
            found.append((slice(at, at + n), slice(free, free + m)))
            at, free = at + n, free + m
        return found

    @property
    def control(self):
        """[(name of the body, name of the freedom)] of each number of a control."""
        return [(body.name, freedoms_of(body.joint, self.dimension)[k]) for body in self.bodies for k in body.driven]

    @property
    def pieces(self):
        """[(body's index, Piece)]"""
        return [(k, piece) for k, body in enumerate(self.bodies) for piece in body.pieces]


def freedoms_of(joint, dimension):
    turns = ("rx", "ry", "rz")
    if joint == "free":
        return ("x", "y", "angle") if dimension == 2 else ("x", "y", "z", *turns)
    return {"hinge": ("angle",), "slide": ("distance",), "ball": turns, "weld": ()}[joint]


def coordinates_of(joint, dimension):
    if joint == "free":
        return 3 if dimension == 2 else 7
    return {"hinge": 1, "slide": 1, "ball": 4, "weld": 0}[joint]


def load(path):
    """The Scene of a file."""
    return from_dict(read_json(path), str(path))


def from_dict(value, where):
    """The Scene of a value of the file's form; errors begin with `where`."""
    given = Fields(value, where, TOP)
    dimension = given.whole("dimension", least=2, most=3)
    scene = Scene(given.text("name", Path(where).stem), dimension, _gravity(given, dimension), [], [], [],
                  given.number("h", 0.04, above=0, most=1), given.whole("steps", 100, least=1, most=1_000_000),
                  given.number("mu", 1e-6, least=0, most=1e3), barrier_of(given),
                  given.number("slow", TUNING["slow"], above=0, most=10),
                  given.number("tolerance", None, above=0, most=1),
                  given.whole("iterations", TUNING["iterations"], least=1, most=1000),
                  given.whole("trials", TUNING["trials"], least=1, most=100))
    friction = given.number("friction", 0.0, least=0, most=100)
    starts = _bodies(given, scene)
    _floors(given, scene, friction)
    _pairs(given, scene, friction)
    scene.coordinates = np.concatenate([np.zeros(0), *(start[0] for start in starts)])
    scene.velocity = np.concatenate([np.zeros(0), *(start[1] for start in starts)])
    scene.hold = np.concatenate([np.zeros(0), *(start[2] for start in starts)])
    scene.controls = _controls(given, scene, [start[2] for start in starts])
    return scene


def three(x):
    return np.concatenate([x, np.zeros(3 - len(x))])


def _gravity(given, dimension):
    return three(given.vector("gravity", dimension, [0.0] * (dimension - 1) + [-9.81]))


def barrier_of(given):
    fields = Fields(given.items("barrier", dict), given.at("barrier"), ("A", "kappa", "length"))
    return (fields.number("A", 12.0, above=0, most=1e6), fields.number("kappa", 1.0, least=0, most=1e6),
            fields.number("length", 0.0, least=0, most=1e6))


# ---- Bodies

def _bodies(given, scene):
    """Fills scene.bodies; the start (coordinates, velocity, control) of each."""
    entries = given.items("bodies")
    if not 1 <= len(entries) <= MOST_BODIES:
        given.refuse("bodies", f"has {len(entries)} entries, must be 1 to {MOST_BODIES}")
    starts = []
    for k, entry in enumerate(entries):
        where = f"{given.where}, bodies[{k}]"
        if isinstance(entry, dict) and isinstance(entry.get("name"), str):
            where = f"{given.where}, body {entry['name']}"
        fields = Fields(entry, where, BODY)
        name = fields.text("name", f"body{k + 1}")
        if name in scene.names:
            fields.refuse("name", f"{name!r} is taken")
        starts.append(_body(fields, name, scene))
    return starts


def _body(fields, name, scene):
    D = scene.dimension
    pieces = [_piece(Fields(entry, f"{fields.where}, pieces[{k}]", ("kind", "at", "h", "r", "half", "points")), D)
              for k, entry in enumerate(fields.items("pieces"))]
    joint = fields.text("joint", "free", JOINTS)
    if joint == "ball" and D == 2:
        fields.refuse("joint", "is ball; in the plane a hinge is one")
    mass = fields.number("mass", *([0.0] if joint == "weld" else []), above=None if joint == "weld" else 0, least=0, most=1e6)
    body = Body(name, mass, _inertia(fields, pieces, mass, joint, D), [piece for piece, _ in pieces], joint)
    _held(fields, body, scene)
    names = freedoms_of(joint, D)
    body.locked = _freedoms(fields, "locked", names, ())
    body.drive = fields.text("drive", "none", DRIVES)
    free = tuple(k for k in range(len(names)) if k not in body.locked)
    body.driven = _freedoms(fields, "driven", names, free if body.drive != "none" else ())
    if body.drive == "none" and body.driven:
        fields.refuse("driven", "is given, but drive is none")
    for k in body.driven:
        if k in body.locked:
            fields.refuse("driven", f"{names[k]} is locked")
    body.stiffness = fields.vector("stiffness", 2, [1e3, 1e2] if body.drive == "servo" else [0.0, 0.0])
    body.damping = fields.vector("damping", 2, [0.0, 0.0])
    for of in ("stiffness", "damping"):
        if (getattr(body, of) < 0).any():
            fields.refuse(of, "has a number below 0")
    body.drag = fields.number("drag", 0.0, least=0, most=1e6)
    body.drag_radius = fields.number("drag_radius", 0.0, least=0, most=1e3)
    if D == 3 and (body.drag or body.drag_radius):
        fields.refuse("drag", "is for scenes of the plane")
    scene.bodies.append(body)
    return _start(fields, body, scene)


def _piece(fields, D):
    """(Piece, moments of inertia per mass about its own centre or None if it has no such)."""
    kind = fields.text("kind", words=PIECES)
    for name in fields.value:
        if name not in ("kind", "at", *PIECES[kind]):
            fields.refuse(name, f"a {kind} has none; it has {', '.join(PIECES[kind])}")
    at = fields.vector("at", D, np.zeros(D))
    if np.abs(at).max() > MOST_LENGTH:
        fields.refuse("at", f"has a number beyond {MOST_LENGTH:g}")
    r = fields.number("r", *([] if kind in ("sphere", "capsule") else [0.0]), least=0, most=MOST_LENGTH)
    if kind == "sphere":
        return Piece(at[None], r), np.full(3, 0.4 * r * r) if D == 3 else np.array([0.5 * r * r])
    if kind == "capsule":
        half = fields.number("half", above=0, most=MOST_LENGTH)
        tip = np.zeros(D)
        tip[-1 if D == 3 else 0] = half
        return Piece(np.array([at - tip, at + tip]), r), _capsule(half, r, D)
    if kind == "box":
        h = fields.vector("h", D)
        if (h <= r).any() or (h > MOST_LENGTH).any():
            fields.refuse("h", f"a half edge is not above the rounding r = {r:g}, or beyond {MOST_LENGTH:g}")
        corners = np.array(list(itertools.product((-1, 1), repeat=D)), float) * (h - r)
        return Piece(at + corners, r), np.array([h @ h - (x * x if D == 3 else 0) for x in (h if D == 3 else h[:1])]) / 3
    rows = fields.items("points")
    if not 1 <= len(rows) <= MOST_POINTS:
        fields.refuse("points", f"has {len(rows)} entries, must be 1 to {MOST_POINTS}")
    points = np.array([vector(row, f"{fields.at('points')}[{k}]", D) for k, row in enumerate(rows)])
    if np.abs(points).max() > MOST_LENGTH:
        fields.refuse("points", f"has a number beyond {MOST_LENGTH:g}")
    return Piece(at + points, r), None


def _capsule(half, r, D):
    """Moments per mass of a stadium or a capsule along z."""
    if D == 2:
        bar, cap = 4 * half * r, np.pi * r * r
        middle = 4 * r / (3 * np.pi)
        # each half disc: about its own centre of mass, then moved out
        turned = bar * (half**2 + r**2) / 3 + cap * (r * r / 2 - middle**2 + (half + middle) ** 2)
        return np.array([turned / (bar + cap)])
    bar, ball = 2 * half * r**2, 4 / 3 * r**3
    along = bar * r * r / 2 + ball * 0.4 * r * r
    across = bar * (r * r / 4 + half * half / 3) + ball * (0.4 * r * r + half * half + 0.75 * half * r)
    return np.array([across, across, along]) / (bar + ball)


def _inertia(fields, pieces, mass, joint, D):
    if not fields.has("inertia"):
        if joint == "weld" or mass == 0:
            return np.zeros(3)
        centred = len(pieces) == 1 and not fields.value["pieces"][0].get("at")
        if not centred or pieces[0][1] is None:
            fields.refuse("inertia", "is missing; only a body of one box, sphere or capsule at its centre has a default")
        return three(mass * pieces[0][1])
    moments = np.array([fields.number("inertia", above=0)]) if D == 2 else fields.vector("inertia", 3)
    if not (moments > 0).all() and joint != "weld":
        fields.refuse("inertia", "has a moment that is not above 0")
    if D == 3 and moments.max() > (1 + 1e-6) * (moments.sum() - moments.max()):
        fields.refuse("inertia", "has a moment above the sum of the others: no body has such")
    return three(moments)


def _held(fields, body, scene):
    D, zero = scene.dimension, np.zeros(scene.dimension)
    if body.joint == "free":
        for name in ("parent", "anchor_at", "anchor", "rest", "axis"):
            if fields.has(name):
                fields.refuse(name, "a free body has none; choose a joint")
    parent = fields.text("parent", "world")
    if parent != "world" and parent not in scene.names:
        fields.refuse("parent", f"{parent!r} is no earlier body; there are {', '.join(['world', *scene.names])}")
    body.parent = WORLD if parent == "world" else scene.names.index(parent)
    body.anchor_at, body.anchor = (three(fields.vector(name, D, zero)) for name in ("anchor_at", "anchor"))
    if D == 2:
        body.rest = np.array([fields.number("rest", 0.0), 0, 0, 0])
    else:
        body.rest = _unit(fields, "rest", fields.vector("rest", 4, [1.0, 0, 0, 0]))
    default = [1.0, 0.0] if D == 2 else [0.0, 0.0, 1.0]
    body.axis = three(_unit(fields, "axis", fields.vector("axis", D, default)))


def _unit(fields, name, x):
    length = np.linalg.norm(x)
    if not 0.99 < length < 1.01:
        fields.refuse(name, f"has length {length:.4g}, must be of unit length")
    return x / length


def _freedoms(fields, name, names, default):
    if not fields.has(name):
        return default
    found = fields.items(name)
    for word in found:
        if word not in names:
            fields.refuse(name, f"{word!r} is none of {', '.join(names)}")
    return tuple(sorted({names.index(word) for word in found}))


STARTS = {"free": {2: ("position", "angle", "velocity", "angular_velocity"),
                   3: ("position", "quat_wxyz", "velocity", "angular_velocity")},
          "hinge": ("angle", "rate"), "slide": ("distance", "rate"), "ball": ("quat_wxyz", "angular_velocity"), "weld": ()}


def _start(fields, body, scene):
    """(coordinates, velocity, the control that holds the body there)"""
    D = scene.dimension
    known = STARTS["free"][D] if body.joint == "free" else STARTS[body.joint]
    for name in ("position", "angle", "quat_wxyz", "distance", "velocity", "angular_velocity", "rate"):
        if fields.has(name) and name not in known:
            held = "anchor_at, anchor and rest, which place it"
            fields.refuse(name, f"a {body.joint} body of this scene has {', '.join(known) or held}")
    zero = np.zeros(D)
    turn = np.zeros(0)
    if "quat_wxyz" in known:
        turn = _unit(fields, "quat_wxyz", fields.vector("quat_wxyz", 4, [1.0, 0, 0, 0]))
    q, v, hold = {
        "free": lambda: _free(fields, D, zero, turn),
        "hinge": lambda: _one(fields, "angle"), "slide": lambda: _one(fields, "distance"),
        "ball": lambda: (turn, fields.vector("angular_velocity", 3, np.zeros(3)), rotation_vector(turn)),
        "weld": lambda: (np.zeros(0),) * 3}[body.joint]()
    if len(q) and np.abs(q).max() > MOST_LENGTH:
        fields.refuse(known[0], f"has a number beyond {MOST_LENGTH:g}")
    return q, v, (hold if body.drive == "servo" else np.zeros(len(hold)))[list(body.driven)]


def _one(fields, name):
    q = np.array([fields.number(name, 0.0)])
    return q, np.array([fields.number("rate", 0.0)]), q


def _free(fields, D, zero, turn):
    position, velocity = fields.vector("position", D, zero), fields.vector("velocity", D, zero)
    if D == 2:
        q = np.append(position, fields.number("angle", 0.0))
        return q, np.append(velocity, fields.number("angular_velocity", 0.0)), q
    spin = fields.vector("angular_velocity", 3, np.zeros(3))
    return np.append(position, turn), np.append(velocity, spin), np.append(position, rotation_vector(turn))


def rotation_vector(q):
    """Of a unit quaternion w, x, y, z."""
    q = q if q[0] >= 0 else -q
    size = np.linalg.norm(q[1:])
    return q[1:] * (2 * np.arctan2(size, q[0]) / size if size > 1e-12 else 2.0)


# ---- What touches, and controls

def _floors(given, scene, friction):
    for k, entry in enumerate(given.items("floors")):
        fields = Fields(entry, f"{given.where}, floors[{k}]", ("name", "normal", "offset", "friction"))
        normal = fields.vector("normal", scene.dimension, [0.0] * (scene.dimension - 1) + [1.0])
        if not np.linalg.norm(normal) > 0:
            fields.refuse("normal", "has no length")
        scene.floors.append(Floor(fields.text("name", f"floor{k + 1}"), three(normal / np.linalg.norm(normal)),
                                  fields.number("offset", 0.0), fields.number("friction", friction, least=0, most=100)))


def _pairs(given, scene, friction):
    """All pieces of different bodies but those that a joint ties; or those of the bodies that the file names."""
    owners = [k for k, _ in scene.pieces]
    tied = {frozenset((k, body.parent)) for k, body in enumerate(scene.bodies) if body.joint != "free"}
    wanted = None
    if given.has("pairs") and given.get("pairs") != "all":
        wanted = {}
        for k, entry in enumerate(given.items("pairs")):
            fields = Fields(entry, f"{given.where}, pairs[{k}]", ("between", "friction"))
            names = fields.items("between")
            if len(names) != 2 or names[0] == names[1] or any(name not in scene.names for name in names):
                fields.refuse("between", f"wanted two names of {', '.join(scene.names)}")
            wanted[frozenset(map(scene.names.index, names))] = fields.number("friction", friction, least=0, most=100)
    for a, b in itertools.combinations(range(len(owners)), 2):
        both = frozenset((owners[a], owners[b]))
        if len(both) == 2 and (both in wanted if wanted is not None else both not in tied):
            scene.pairs.append((a, b, wanted[both] if wanted is not None else friction))
    if len(scene.pairs) > MOST_ENTRIES:
        given.refuse("pairs", f"are {len(scene.pairs)} pieces, at most {MOST_ENTRIES}; name the bodies that may touch")


def _controls(given, scene, holds):
    """[rows, controls]: by body one row, or a row per step; what is not given holds the start, or has no force."""
    entries = given.items("control", dict)
    driven = [body for body in scene.bodies if body.driven]
    fields = Fields(entries, given.at("control"), [body.name for body in driven])
    rows = {}
    for body in driven:
        if not fields.has(body.name):
            continue
        value, where = fields.get(body.name), fields.at(body.name)
        if not isinstance(value, list) or not value:
            raise TinycontactError(f"{where}: is no list of {len(body.driven)} numbers, nor of such lists")
        lists = value if isinstance(value[0], list) else [value]
        rows[body.name] = np.array([vector(row, f"{where}[{k}]", len(body.driven)) for k, row in enumerate(lists)])
    most = max([1, *map(len, rows.values())])
    parts = []
    for body, hold in zip(scene.bodies, holds):
        if not body.driven:
            continue
        own = rows.get(body.name, hold[None])
        parts.append(np.concatenate([own, np.repeat(own[-1:], most - len(own), 0)]))
    return np.concatenate([np.zeros((most, 0)), *parts], axis=1)
