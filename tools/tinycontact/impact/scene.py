# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Scenes: bodies, what they may touch, and how they are tied together, from JSON (docs/reference/scene-file.md).

    scene = load("box.json")          # or from_dict(value, "where") of the same form
    scene.q, scene.v                  # the start as the library takes it

Lengths in metres, angles in radians, SI. Points of a plane have two numbers in the file and three here.
"""
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from ..errors import TinycontactError
from ..jsonfile import read_json
from .fields import Fields, vector

WORLD = 0xFFFF
KINDS = ("particle", "body", "chain")
JOINTS = ("revolute", "prismatic", "free")
TIES = ("ball", "rod")
LIMITS = ("coordinate", "distance", "bend")
LAWS = ("convex", "coulomb")
TOP = ("name", "dimension", "gravity", "bodies", "planes", "materials", "contacts", "joints", "limits", "springs",
       "potential", "law", "h", "steps", "compensation", "impacts", "touch", "start", "random")
BODY = ("name", "kind", "mass", "inertia", "shape", "links")
LINK = ("joint", "mass", "inertia", "anchor", "arm", "axis", "rest", "shape")
SHAPE = ("vertices", "radius", "centred")
STATE = ("position", "angle", "quaternion", "velocity", "omega", "coordinates", "rates")
MOST_BODIES, MOST_LINKS, MOST_VERTICES, MOST_ENTRIES = 16, 8, 64, 255   # tc_scene.h, tc_chain.h, tc_shape.h


@dataclass
class Shape:
    vertices: np.ndarray   # [count, dimension]
    radius: float
    centred: bool = False


@dataclass
class Link:
    mass: float
    inertia: np.ndarray    # [1] in the plane, [3] in space; 0 of a particle
    joint: str = "revolute"
    anchor: np.ndarray = field(default_factory=lambda: np.zeros(3))
    arm: np.ndarray = field(default_factory=lambda: np.zeros(3))
    axis: np.ndarray = field(default_factory=lambda: np.zeros(3))
    rest: np.ndarray = field(default_factory=lambda: np.array([1.0, 0, 0, 0]))
    shape: Shape = None


@dataclass
class Body:
    name: str
    kind: str
    links: list

    def sizes(self, dimension):
        """(numbers in q, numbers in v)."""
        if self.kind == "particle":
            return dimension, dimension
        if self.kind == "body":
            return (3, 3) if dimension == 2 else (7, 6)
        free = self.links[0].joint == "free"
        more = (2, 2) if dimension == 2 else (6, 5)
        return tuple(len(self.links) + (extra if free else 0) for extra in more)


@dataclass
class Potential:
    """Constant forces on links' centres of mass [links, 3], and a net (net.Net, or None) of the distances
    [(link, link or None, point of the world [3])], without distances of all links' places."""
    forces: np.ndarray
    distances: list
    net: object = None


@dataclass
class Scene:
    name: str
    dimension: int
    gravity: np.ndarray            # [3]
    bodies: list
    planes: dict                   # name -> (normal [3], offset)
    materials: list                # (name, mu, e)
    pairs: list                    # (surface a, surface b, material): (body, link), or a plane's name
    joints: list                   # (kind, point a, point b, length); a point is (body or WORLD, link, at [3])
    limits: list                   # (kind, body, coordinate, points, low, high)
    springs: list                  # (point a, point b, stiffness, length)
    law: str = "convex"
    h: float = 0.01
    steps: int = 100
    compensation: float = 0.125
    impacts: int = 20
    touch: float = 1e-5
    q: np.ndarray = None
    v: np.ndarray = None
    ranges: list = None            # of random starts: (q low, q high, v low, v high), None without
    sources: list = field(default_factory=list)   # names of pairs and limits, as contacts give them
    potential: Potential = None

    @property
    def spans(self):
        """Of each body its slices of q and v."""
        found, at, rate = [], 0, 0
        for body in self.bodies:
            n, d = body.sizes(self.dimension)
            found.append((slice(at, at + n), slice(rate, rate + d)))
            at, rate = at + n, rate + d
        return found


def load(path):
    """The Scene of a file."""
    return from_dict(read_json(path), str(path))


def from_dict(value, where):
    """The Scene of a value of the file's form; errors begin with `where`."""
    given = Fields(value, where, TOP)
    dimension = given.whole("dimension", least=2, most=3)
    gravity = given.vector("gravity", dimension, [0, -9.81] if dimension == 2 else [0, 0, -9.81])
    scene = Scene(given.text("name", "scene"), dimension, _three(gravity), [], {}, [], [], [], [], [])
    _bodies(given, scene)
    _planes(given, scene)
    _contacts(given, scene)
    _ties(given, scene)
    _tuning(given, scene)
    if given.has("potential"):
        scene.potential = _potential(given, scene)
    scene.q, scene.v = state(scene, given.items("start", dict), given.at("start"))
    if given.has("random"):
        scene.ranges = _ranges(scene, given)
    return scene


def _three(x):
    return np.concatenate([x, np.zeros(3 - len(x))])


def _list(given, name):
    entries = given.items(name)
    if len(entries) > MOST_ENTRIES:
        given.refuse(name, f"has {len(entries)} entries, at most {MOST_ENTRIES} are allowed")
    return [(entry, f"{given.where}, {name}[{k}]") for k, entry in enumerate(entries)]


# ---- Bodies

def _bodies(given, scene):
    entries = _list(given, "bodies")
    if not 1 <= len(entries) <= MOST_BODIES:
        given.refuse("bodies", f"has {len(entries)} entries, must be 1 to {MOST_BODIES}")
    for k, (entry, where) in enumerate(entries):
        fields = Fields(entry, where, BODY)
        name = fields.text("name", f"body{k + 1}")
        if name in [body.name for body in scene.bodies] or name == "world":
            fields.refuse("name", f"{name!r} is taken")
        kind = fields.text("kind", "body", KINDS)
        scene.bodies.append(Body(name, kind, _links(fields, kind, scene.dimension)))


def _links(fields, kind, dimension):
    if kind != "chain":
        return [_link(fields, kind, dimension)]
    for name in ("mass", "inertia", "shape"):
        if fields.has(name):
            fields.refuse(name, "a chain has it at each of its links")
    entries = fields.items("links")
    if not 1 <= len(entries) <= MOST_LINKS:
        fields.refuse("links", f"has {len(entries)} entries, must be 1 to {MOST_LINKS}")
    return [_chain_link(Fields(entry, f"{fields.where}, links[{k}]", LINK), k, dimension)
            for k, entry in enumerate(entries)]


def _link(fields, kind, dimension):
    for name in ("links",):
        if fields.has(name):
            fields.refuse(name, f"a {kind} has none")
    mass = fields.number("mass", above=0)
    if kind == "particle":
        if fields.has("inertia"):
            fields.refuse("inertia", "a particle has none")
        return Link(mass, np.zeros(3), shape=_shape(fields, dimension))
    return Link(mass, _inertia(fields, dimension), shape=_shape(fields, dimension))


def _inertia(fields, dimension):
    if dimension == 2:
        return np.array([fields.number("inertia", above=0), 0, 0])
    inertia = fields.vector("inertia", 3)
    if not (inertia > 0).all():
        fields.refuse("inertia", "a moment is not above 0")
    return inertia


def _chain_link(fields, k, dimension):
    joint = fields.text("joint", "revolute", JOINTS)
    if joint == "free" and k > 0:
        fields.refuse("joint", "only the first link may be free")
    zero = np.zeros(dimension)
    axis = fields.vector("axis", dimension, [0.0, 0.0, 1.0] if dimension == 3 else [1.0, 0.0])
    length = np.linalg.norm(axis)
    if not length > 0:
        fields.refuse("axis", "has no length")
    rest = fields.vector("rest", 4, [1.0, 0, 0, 0]) if dimension == 3 else np.array([1.0, 0, 0, 0])
    return Link(fields.number("mass", above=0), _inertia(fields, dimension), joint,
                _three(fields.vector("anchor", dimension, zero)), _three(fields.vector("arm", dimension, zero)),
                _three(axis / length), _unit(fields, "rest", rest), _shape(fields, dimension))


def _unit(fields, name, q):
    length = np.linalg.norm(q)
    if not 0.999 < length < 1.001:
        fields.refuse(name, f"has length {length:.4g}, must be of unit length")
    return q / length


def _shape(fields, dimension):
    if not fields.has("shape"):
        return None
    shape = Fields(fields.get("shape"), fields.at("shape"), SHAPE)
    rows = shape.items("vertices") if shape.has("vertices") else [[0.0] * dimension]
    if not 1 <= len(rows) <= MOST_VERTICES:
        shape.refuse("vertices", f"has {len(rows)} entries, must be 1 to {MOST_VERTICES}")
    vertices = np.array([vector(row, f"{shape.at('vertices')}[{k}]", dimension) for k, row in enumerate(rows)])
    centred = shape.get("centred", False)
    if not isinstance(centred, bool):
        shape.refuse("centred", "is neither true nor false")
    return Shape(vertices, shape.number("radius", 0.0, least=0), centred)


# ---- What touches

def _planes(given, scene):
    for k, (entry, where) in enumerate(_list(given, "planes")):
        fields = Fields(entry, where, ("name", "normal", "offset"))
        name = fields.text("name", f"plane{k + 1}")
        if name in scene.planes or name in [body.name for body in scene.bodies]:
            fields.refuse("name", f"{name!r} is taken")
        normal = fields.vector("normal", scene.dimension)
        if not np.linalg.norm(normal) > 0:
            fields.refuse("normal", "has no length")
        scene.planes[name] = (_three(normal / np.linalg.norm(normal)), fields.number("offset", 0.0))


def _material(fields):
    return fields.number("mu", 0.0, least=0, most=1e4), fields.number("e", 0.0, least=0, most=1)


def _contacts(given, scene):
    for name, entry in given.items("materials", dict).items():
        fields = Fields(entry, f"{given.where}, materials {name}", ("mu", "e"))
        scene.materials.append((name, *_material(fields)))
    names = [name for name, _, _ in scene.materials]
    for entry, where in _list(given, "contacts"):
        fields = Fields(entry, where, ("a", "b", "material", "mu", "e"))
        pair = [_surface(fields, side, scene) for side in "ab"]
        if isinstance(pair[0], str):
            fields.refuse("a", "is a plane; name the body first")
        if fields.has("material"):
            if fields.has("mu") or fields.has("e"):
                fields.refuse("material", "excludes mu and e")
            index = names.index(fields.text("material", words=names))
        else:
            index = len(scene.materials)
            scene.materials.append((f"{fields.get('a')}-{fields.get('b')}", *_material(fields)))
        scene.pairs.append((*pair, index))
        scene.sources.append((fields.get("a"), fields.get("b")))


def _surface(fields, side, scene):
    name = fields.text(side)
    if name in scene.planes:
        return name
    body, link = _body_link(fields, side, name, scene)
    if scene.bodies[body].links[link].shape is None:
        fields.refuse(side, f"{name!r} has no shape")
    return body, link


def _body_link(fields, side, name, scene):
    """(index, link) of "body" or "body.link"."""
    names = [body.name for body in scene.bodies]
    stem, _, number = name.rpartition(".")
    if name not in names and stem in names and number.isdigit():
        body = names.index(stem)
        if int(number) < len(scene.bodies[body].links):
            return body, int(number)
        fields.refuse(side, f"{stem!r} has links 0 to {len(scene.bodies[body].links) - 1}")
    if name not in names:
        fields.refuse(side, f"{name!r} is neither a body nor a plane; there are {', '.join([*names, *scene.planes])}")
    return names.index(name), 0


# ---- What ties

def _point(fields, name, scene):
    point = Fields(fields.get(name), fields.at(name), ("body", "at", "world"))
    if point.has("world"):
        if point.has("body") or point.has("at"):
            point.refuse("world", "excludes body and at")
        return WORLD, 0, _three(point.vector("world", scene.dimension))
    body, link = _body_link(point, "body", point.text("body"), scene)
    return body, link, _three(point.vector("at", scene.dimension, np.zeros(scene.dimension)))


def _ties(given, scene):
    for entry, where in _list(given, "joints"):
        fields = Fields(entry, where, ("kind", "a", "b", "length"))
        kind = fields.text("kind", words=TIES)
        if kind == "ball" and fields.has("length"):
            fields.refuse("length", "a ball joint has none")
        length = fields.number("length", above=0) if kind == "rod" else 0.0
        scene.joints.append((kind, _point(fields, "a", scene), _point(fields, "b", scene), length))
    for k, (entry, where) in enumerate(_list(given, "limits")):
        scene.limits.append(_limit(Fields(entry, where, ("kind", "body", "coordinate", "a", "b", "c", "low", "high")),
                                   scene))
        scene.sources.append((f"limit{k + 1}", scene.limits[-1][0]))
    for entry, where in _list(given, "springs"):
        fields = Fields(entry, where, ("a", "b", "stiffness", "length"))
        scene.springs.append((_point(fields, "a", scene), _point(fields, "b", scene),
                              fields.number("stiffness", least=0), fields.number("length", 0.0, least=0)))


def _limit(fields, scene):
    kind = fields.text("kind", words=LIMITS)
    nowhere, body, coordinate = (WORLD, 0, np.zeros(3)), 0, 0
    low = 0.0 if kind == "bend" else fields.number("low")
    high = fields.number("high")
    if not low < high:
        fields.refuse("high", f"is {high:g}, must be above {low:g}")
    if kind == "coordinate":
        body, _ = _body_link(fields, "body", fields.text("body"), scene)
        if scene.bodies[body].kind != "chain":
            fields.refuse("body", "is no chain")
        coordinate = fields.whole("coordinate", most=scene.bodies[body].sizes(scene.dimension)[1] - 1)
        return kind, body, coordinate, [nowhere] * 3, low, high
    points = [_point(fields, name, scene) for name in ("abc" if kind == "bend" else "ab")]
    return kind, body, coordinate, points + [nowhere] * (3 - len(points)), low, high


def _tuning(given, scene):
    scene.law = given.text("law", "convex", LAWS)
    scene.h = given.number("h", 0.01, above=0, most=1)
    scene.steps = given.whole("steps", 100)
    scene.compensation = given.number("compensation", 0.125, least=0, most=1)
    scene.impacts = given.whole("impacts", 20, most=100)
    scene.touch = given.number("touch", 1e-5, above=0, most=1)


# ---- A learned potential

def numbered(scene):
    """[name] of all links, "body" or "body.link" of a chain."""
    return [f"{body.name}.{k}" if body.kind == "chain" else body.name for body in scene.bodies
            for k in range(len(body.links))]


def _potential(given, scene):
    fields = Fields(given.get("potential"), given.at("potential"), ("forces", "distances", "net"))
    names = numbered(scene)
    forces = np.zeros((len(names), 3))
    entries = Fields(fields.items("forces", dict), fields.at("forces"), names)
    for name in entries.value:
        forces[names.index(name)] = _three(entries.vector(name, scene.dimension))
    distances = []
    for entry, where in _list(fields, "distances"):
        pair = Fields(entry, where, ("a", "b", "world"))
        if pair.has("b") == pair.has("world"):
            pair.refuse("b", "one of b and world is wanted")
        a = names.index(pair.text("a", words=names))
        if pair.has("b"):
            distances.append((a, names.index(pair.text("b", words=names)), (0.0, 0.0, 0.0)))
        else:
            distances.append((a, None, tuple(_three(pair.vector("world", scene.dimension)))))
    net = _net_of(fields, given.where) if fields.has("net") else None
    wanted = len(distances) or scene.dimension * len(names)
    if net is not None and (net.n_in, net.n_out) != (wanted, 1):
        fields.refuse("net", f"has {net.n_in} inputs and {net.n_out} outputs, must have {wanted} and 1")
    return Potential(forces, distances, net)


def _net_of(fields, where):
    """The one net of a model file, whose name counts from the scene's own folder."""
    from ..model import load as load_model
    path = Path(where).parent / fields.text("net")
    nets = load_model(path).nets
    if len(nets) != 1:
        fields.refuse("net", f"{path} has {len(nets)} nets, must have one")
    return nets[0]


# ---- Starts

def state(scene, start, where):
    """(q, v) of an object with a state per body; what is not given is 0."""
    q, v = (np.zeros(max([0] + [span[k].stop for span in scene.spans])) for k in range(2))
    names = [body.name for body in scene.bodies]
    for name in start:
        if name not in names:
            raise TinycontactError(f"{where}: there is no body {name!r}; there are {', '.join(names)}")
    for body, (at, rate) in zip(scene.bodies, scene.spans):
        fields = Fields(start.get(body.name, {}), f"{where}.{body.name}", STATE)
        q[at], v[rate] = _body_state(fields, body, scene.dimension)
    return q, v


def _allow(fields, body, names):
    for name in fields.value:
        if name not in names:
            fields.refuse(name, f"a {body.kind} of this scene has {', '.join(names)}")


def _body_state(fields, body, dimension):
    zero, n = np.zeros(dimension), body.sizes(dimension)
    if body.kind == "chain":
        _allow(fields, body, ("coordinates", "rates"))
        rest = np.zeros(n[0])
        if n[0] != n[1]:
            rest[3] = 1
        q = fields.vector("coordinates", n[0], rest)
        if n[0] != n[1]:
            q[3:7] = _unit(fields, "coordinates", q[3:7])
        return q, fields.vector("rates", n[1], np.zeros(n[1]))
    position, velocity = fields.vector("position", dimension, zero), fields.vector("velocity", dimension, zero)
    if body.kind == "particle":
        _allow(fields, body, ("position", "velocity"))
        return position, velocity
    if dimension == 2:
        _allow(fields, body, ("position", "angle", "velocity", "omega"))
        return (np.append(position, fields.number("angle", 0.0)), np.append(velocity, fields.number("omega", 0.0)))
    _allow(fields, body, ("position", "quaternion", "velocity", "omega"))
    turn = _unit(fields, "quaternion", fields.vector("quaternion", 4, [1.0, 0, 0, 0]))
    return np.append(position, turn), np.append(velocity, fields.vector("omega", 3, np.zeros(3)))


def _ranges(scene, given):
    """(q low, q high, v low, v high) of "random": {"low": {states}, "high": {states}}."""
    fields = Fields(given.get("random"), given.at("random"), ("low", "high"))
    low = state(scene, fields.items("low", dict), fields.at("low"))
    high = state(scene, fields.items("high", dict), fields.at("high"))
    for a, b in zip(low, high):
        if (a > b).any():
            fields.refuse("low", "a number is above that of field high")
    return low[0], high[0], low[1], high[1]
