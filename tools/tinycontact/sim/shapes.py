# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Planar bodies: read from JSON and checked, or built in.

A file is one object {vertices, mass, inertia, mu, h, g, restitution [, radius]}:
  vertices     [[x, y], ...] [m], counter-clockwise, convex, about the centre of mass, in the body's frame;
               the only field without a default
  mass         [kg] > 0, default 1
  inertia      about the centre of mass [kg m^2] > 0, default that of uniform density
  mu           Coulomb's coefficient, used to simulate only, default 0.75
  h            step [s] > 0, default 0.002
  g            gravity [m/s^2] >= 0, default 9.81
  restitution  0..1, default 0
  radius       [m], default 0: the body is all that lies within `radius` of the convex hull of its vertices.
               With it one vertex is a disc and two are a capsule.

Other fields of a file are told and not looked at.

The centre of mass is the origin of the frame. It need not be the centroid of the area, since density may
vary, but the default inertia is that of uniform density, and is refused where the centroid is elsewhere.

The paper publishes no sizes. Ours: the rectangle is 0.20 m x 0.12 m; the pentagon has faces that rest at 0,
75, 135, 202 and 315 degrees (all but 75 are final orientations of Fig. 6) and reaches 0.165 m. Each throw of
Fig. 5 and 6 starts at least 0.13 m above the floor with them.
"""
import json
from dataclasses import dataclass, replace

import numpy as np

from ..errors import TinycontactError
from ..jsonfile import read_json
from ..progress import say

FIELDS = ("vertices", "mass", "inertia", "mu", "h", "g", "restitution", "radius")
DEFAULTS = {"mass": 1.0, "mu": 0.75, "h": 0.002, "g": 9.81, "restitution": 0.0, "radius": 0.0}
MAX_VERTICES = 64
RELATIVE = 1e-6   # of the body's size: nearer vertices coincide, smaller offsets of the centroid are none


@dataclass(frozen=True)
class Body:
    """A planar body and the world it is thrown in, checked by `body`, `load` or `builtin`, which make one."""
    name: str
    vertices: np.ndarray   # [n, 2], read-only
    mass: float
    inertia: float
    mu: float
    h: float
    g: float
    restitution: float
    radius: float
    lean: float = 0.0   # gravity's share along +x [m/s^2], of a floor that is not level

    @property
    def pull(self):
        """What a step takes from a velocity (vx, vy, omega) before contacts."""
        return self.h * np.array([-self.lean, self.g, 0.0])

    @property
    def gyration(self):
        """k = sqrt(inertia / mass) [m]"""
        return float(np.sqrt(self.inertia / self.mass))

    @property
    def reach(self):
        """The farthest point from the centre of mass [m]."""
        return float(np.hypot(*self.vertices.T).max() + self.radius)

    def with_step(self, h):
        return replace(self, h=float(h))

    def to_json(self):
        return json.dumps({"vertices": self.vertices.tolist(), "mass": self.mass, "inertia": self.inertia,
                           "mu": self.mu, "h": self.h, "g": self.g, "restitution": self.restitution,
                           "radius": self.radius}, indent=1) + "\n"


def turned(body, theta):
    """Vertices from the centre of mass in world axes: [..., n, 2] for theta [...]."""
    c, s = np.cos(theta)[..., None], np.sin(theta)[..., None]
    x, y = body.vertices.T
    return np.stack([c * x - s * y, s * x + c * y], axis=-1)


def gaps(body, y, theta):
    """Height of each vertex' lowest point above the floor [..., n]."""
    return np.asarray(y)[..., None] + turned(body, np.asarray(theta, float))[..., 1] - body.radius


def _number(data, field, where):
    value = data[field]
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise TinycontactError(f"{where}, {field}: is {value!r}, wanted a number")
    try:
        number = float(value)
    except OverflowError:   # a whole number beyond every float
        number = np.inf
    if not np.isfinite(number):
        raise TinycontactError(f"{where}, {field}: is {number}, wanted a finite number")
    return number


def _vertices(data, where):
    raw = data["vertices"]
    if not isinstance(raw, (list, tuple, np.ndarray)) or len(raw) == 0:
        raise TinycontactError(f"{where}, vertices: wanted a list of [x, y]")
    if len(raw) > MAX_VERTICES:
        raise TinycontactError(f"{where}, vertices: {len(raw)} of them, at most {MAX_VERTICES} are allowed")
    for k, vertex in enumerate(raw):
        if not isinstance(vertex, (list, tuple, np.ndarray)) or len(vertex) != 2:
            raise TinycontactError(f"{where}, vertices[{k}]: is {vertex!r}, wanted [x, y] (a body"
                                   " in the plane)")
        for axis, value in zip("xy", vertex):
            _number({axis: float(value) if isinstance(value, np.floating) else value}, axis,
                    f"{where}, vertices[{k}]")
    return np.array(raw, dtype=np.float64)


def _check_polygon(points, radius, where):
    """Convex, counter-clockwise, no coincident vertices, the centre of mass (the origin) inside."""
    n = len(points)
    if n < 3 and radius == 0:
        raise TinycontactError(f"{where}, vertices: {n} of them, wanted at least 3 (or a radius > 0)")
    scale = np.ptp(points, axis=0).max() if n > 1 else radius
    for k in range(n):
        for j in range(k):
            if np.hypot(*(points[k] - points[j])) <= RELATIVE * scale:
                raise TinycontactError(f"{where}, vertices[{k}]: coincides with vertices[{j}]")
    if n < 3:
        _check_inside_capsule(points, radius, where)
        return
    edge = np.roll(points, -1, axis=0) - points
    following = np.roll(edge, -1, axis=0)
    turn = edge[:, 0] * following[:, 1] - edge[:, 1] * following[:, 0]
    if np.sum(np.arctan2(turn, np.sum(edge * following, axis=1))) < 0:
        raise TinycontactError(f"{where}, vertices: are clockwise, wanted counter-clockwise")
    flat = turn <= RELATIVE * np.hypot(*edge.T) * np.hypot(*following.T)
    if np.any(flat):
        k = int(np.argmax(flat) + 1) % n
        raise TinycontactError(f"{where}, vertices[{k}]: the polygon is not strictly convex there; give the corners"
                               " of its convex hull, no others touch a floor")
    if abs(np.sum(np.arctan2(turn, np.sum(edge * following, axis=1))) - 2 * np.pi) > 1e-6:
        raise TinycontactError(f"{where}, vertices: the polygon crosses itself")
    distance = edge[:, 1] * points[:, 0] - edge[:, 0] * points[:, 1]   # of the edge's line, times its length
    outside = distance <= -radius * np.hypot(*edge.T)
    if np.any(outside):
        raise TinycontactError(f"{where}, vertices: the centre of mass (the origin) is not inside the body:"
                               f" the edge from vertices[{int(np.argmax(outside))}] leaves it outside")


def _check_inside_capsule(points, radius, where):
    a, b = points[0], points[-1]
    along = b - a
    length = along @ along
    nearest = a if length == 0 else a + np.clip(-(a @ along) / length, 0, 1) * along
    if np.hypot(*nearest) >= radius:
        raise TinycontactError(f"{where}, vertices: the centre of mass (the origin) is not inside the body")


def _uniform(points, radius):
    """(centroid, inertia / mass about it) of uniform density.

    Polygons by the sums over triangles from the origin, a polygon with rounded corners by its outline with
    720 points a corner (relative error of the inertia below 1e-5).
    """
    if radius > 0:
        angle = np.arange(720) * (2 * np.pi / 720)
        circle = radius * np.stack([np.cos(angle), np.sin(angle)], axis=1)
        support = np.argmax(points @ circle.T, axis=0)
        points = _arcs(points, support, circle)
    x, y = points.T
    u, v = np.roll(points, -1, axis=0).T
    cross = x * v - u * y
    area = cross.sum() / 2
    centre = np.array([((x + u) * cross).sum(), ((y + v) * cross).sum()]) / (6 * area)
    second = ((x * x + x * u + u * u + y * y + y * v + v * v) * cross).sum() / 12 / area
    return centre, second - centre @ centre


def _arcs(points, support, circle):
    """The outline of the rounded body: each direction's supporting vertex, moved out; both where it
    changes."""
    outline = []
    for k, vertex in enumerate(support):
        if vertex != support[k - 1]:
            outline.append(points[support[k - 1]] + circle[k])
        outline.append(points[vertex] + circle[k])
    return np.array(outline)


def body(data, where="shape", name=None):
    """A checked Body of a dictionary; `where` is what errors call it (a file's name)."""
    if not isinstance(data, dict):
        raise TinycontactError(f"{where}: wanted one JSON object with the fields {', '.join(FIELDS)}")
    for field in data:
        if field not in FIELDS:
            raise TinycontactError(f"{where}, {field}: unknown field; known are {', '.join(FIELDS)}")
    if "vertices" not in data:
        raise TinycontactError(f"{where}, vertices: missing")
    value = {field: _number({**DEFAULTS, **data}, field, where) for field in DEFAULTS}
    for field in ("mass", "h"):
        if value[field] <= 0:
            raise TinycontactError(f"{where}, {field}: is {value[field]:g}, wanted more than 0")
    for field in ("mu", "g", "restitution", "radius"):
        if value[field] < 0:
            raise TinycontactError(f"{where}, {field}: is {value[field]:g}, wanted 0 or more")
    if value["restitution"] > 1:
        raise TinycontactError(f"{where}, restitution: is {value['restitution']:g}, wanted at most 1")
    points = _vertices(data, where)
    _check_polygon(points, value["radius"], where)
    if "inertia" in data:
        inertia = _number(data, "inertia", where)
        if inertia <= 0:
            raise TinycontactError(f"{where}, inertia: is {inertia:g}, wanted more than 0")
    else:
        centre, square = _uniform(points, value["radius"])
        if np.hypot(*centre) > 1e-4 * np.sqrt(square):
            raise TinycontactError(f"{where}, inertia: missing, and the default (uniform density) does not"
                                   f" hold: the centroid is at ({centre[0]:.6g}, {centre[1]:.6g}), not at the"
                                   " origin")
        inertia = value["mass"] * square
    points.setflags(write=False)
    return Body(name or where, points, inertia=float(inertia), **value)


def load(path):
    """The Body of a JSON file."""
    data = read_json(path, constants=True)   # NaN is told with its field
    for field in sorted(set(data) - set(FIELDS)) if isinstance(data, dict) else ():
        say(f"{path}, {field}: unknown field, not looked at; known are {', '.join(FIELDS)}")
        del data[field]
    return body(data, str(path))


def _pentagon():
    """Five half planes n . x <= d, moved so that the centroid is the origin.

    A face with outward normal at angle phi lies on the floor at theta = -90 degrees - phi; the angles give
    the resting orientations named above.
    """
    phi = np.deg2rad([-90.0, -45.0, 68.0, 135.0, 195.0])
    distance = np.array([0.085, 0.105, 0.090, 0.095, 0.105])
    normal = np.stack([np.cos(phi), np.sin(phi)], axis=1)
    corner = np.array([np.linalg.solve(normal[[k - 1, k]], distance[[k - 1, k]]) for k in range(5)])
    return np.round(corner - _uniform(corner, 0.0)[0], 6)


def builtin(name, **fields):
    """The Body "rectangle", "pentagon" or "capsule"; `fields` replace mass, mu, h, g, restitution."""
    shapes = {"rectangle": lambda: {"vertices": [[-0.1, -0.06], [0.1, -0.06], [0.1, 0.06], [-0.1, 0.06]]},
              "pentagon": lambda: {"vertices": _pentagon().tolist()},
              "capsule": lambda: {"vertices": [[-0.08, 0.0], [0.08, 0.0]], "radius": 0.04}}
    if name not in shapes:
        raise TinycontactError(f"shape {name!r}: unknown; known are {', '.join(shapes)}")
    return body({**shapes[name](), **fields}, name, name)
