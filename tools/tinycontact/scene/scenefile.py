# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Scenes of shapes from JSON (docs/reference/scene-file.md, "Scenes of shapes").

    scene = load("push.json")             # or Scene(value, "where")
    scene.get("box.shape.h[0]")           # a number of the file, or the list that the path names
    scene.set("box.mass", 0.4)            # what follows from it, such as the inertia, follows
    scene.bodies                          # as they are now

Lengths in metres, SI, world axes. Errors name the file, the body and the field.
"""
import copy
import re
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from ..errors import TinycontactError
from ..impact.fields import Fields, vector
from ..jsonfile import number, read_json
from ..shape import shapefile
from .ties import Ties

TOP = ("name", "gravity", "bodies", "restitution", "restitution_kind", "friction", "materials", "joints", "limits",
       "springs")
RESTITUTIONS = ("poisson", "newton")
BODY = ("name", "shape", "mass", "inertia", "position", "quat_wxyz", "velocity", "angular_velocity", "moving", "force",
        "torque", "until")
MATERIAL = ("between", "friction", "restitution")
MOST_BODIES, MOST_MOVING = 32, 8   # tools/native/bodies.h; tc_scene.h: 8 bodies have 48 rates
MOST_MASS = 1e6         # [kg]
MOST_LENGTH = 1e5       # [m] and m/s, N, ...
GRAVITY = [0.0, 0.0, -9.81]
DEFAULTS = {"position": [0.0] * 3, "quat_wxyz": [1.0, 0.0, 0.0, 0.0], "velocity": [0.0] * 3,
            "angular_velocity": [0.0] * 3, "force": [0.0] * 3, "torque": [0.0] * 3}


@dataclass
class Body:
    """Vectors are of the world, but the inertia: about the centre of mass, in the shape's axes."""
    name: str
    where: str
    moving: bool
    shape: shapefile.Shape = None
    mass: float = 0.0
    inertia: np.ndarray = None                # [3, 3]; None: that of the homogeneous shape
    position: np.ndarray = field(default_factory=lambda: np.zeros(3))
    quat_wxyz: np.ndarray = None
    velocity: np.ndarray = field(default_factory=lambda: np.zeros(3))
    angular_velocity: np.ndarray = field(default_factory=lambda: np.zeros(3))
    force: np.ndarray = field(default_factory=lambda: np.zeros(3))
    torque: np.ndarray = field(default_factory=lambda: np.zeros(3))
    until: float = np.inf                     # [s] end of force and torque


class Scene:
    """The values of a file, and the bodies that they mean. Files of shapes are looked for in `folder`."""

    def __init__(self, value, where="scene", folder="."):
        self.value, self.where, self.folder = copy.deepcopy(value), str(where), folder
        self._shapes = {}   # by the body's index: (its value in the file, the Shape)
        given = Fields(self.value, self.where, TOP)
        self.name = given.text("name", Path(self.where).stem)
        self._read_world(given)
        entries = given.items("bodies")
        if not 1 <= len(entries) <= MOST_BODIES:
            given.refuse("bodies", f"has {len(entries)} entries, must be 1 to {MOST_BODIES}")
        self.bodies = []
        for k in range(len(entries)):
            self.bodies.append(self._read_body(k))
        moving = [body.name for body in self.bodies if body.moving]
        if len(moving) > MOST_MOVING:
            given.refuse("bodies", f"{len(moving)} of them move, at most {MOST_MOVING} may")
        self._read_materials(given)
        self.ties = Ties(self)
        self.ties.check()

    @property
    def names(self):
        return [body.name for body in self.bodies]

    def copy(self):
        return Scene(self.value, self.where, self.folder)

    # ---- Reading

    def _read_world(self, given):
        self.gravity = given.vector("gravity", 3, GRAVITY)
        self.friction = given.number("friction", 0.0, least=0, most=1e4)
        self.restitution = given.number("restitution", 0.0, least=0, most=1)
        self.restitution_kind = given.text("restitution_kind", RESTITUTIONS[0])
        if self.restitution_kind not in RESTITUTIONS:
            given.refuse("restitution_kind", f"{self.restitution_kind!r} is none of {', '.join(RESTITUTIONS)}")

    def _read_body(self, k):
        entry = self.value["bodies"][k]
        where = f"{self.where}, bodies[{k}]"
        if isinstance(entry, dict) and isinstance(entry.get("name"), str):
            where = f"{self.where}, body {entry['name']}"
        fields = Fields(entry, where, BODY)
        name = fields.text("name", f"body{k + 1}")
        if name in [body.name for i, body in enumerate(self.bodies) if i != k]:
            fields.refuse("name", f"{name!r} is taken")
        if name in TOP or not re.fullmatch(r"[^.\[\]]+", name):
            fields.refuse("name", f"{name!r} would be mistaken in a path; choose one without dots and brackets that is"
                                  f" none of {', '.join(TOP)}")
        moving = fields.get("moving", True)
        if not isinstance(moving, bool):
            fields.refuse("moving", "is neither true nor false")
        body = Body(name, where, moving, self._shape(k, fields))
        self._read_mass(fields, body)
        self._read_start(fields, body)
        return body

    def _shape(self, k, fields):
        """The Shape, the same one as long as its value is."""
        if not fields.has("shape"):
            return None
        value, kept = fields.get("shape"), self._shapes.get(k)
        if kept is None or kept[0] != value:
            shape = shapefile.from_dict(value, f"{fields.where}, field shape", self.folder)
            kept = self._shapes[k] = (copy.deepcopy(value), shape)
        return kept[1]

    def _read_mass(self, fields, body):
        if body.moving and body.shape is not None and body.shape.kind in ("halfspace", "terrain"):
            fields.refuse("shape", f"a {body.shape.kind} cannot move; set moving to false")
        if body.moving or fields.has("mass"):
            body.mass = fields.number("mass", above=0, most=MOST_MASS)
        if fields.has("inertia"):
            body.inertia = _inertia(fields)
        elif body.moving and body.shape is None:
            fields.refuse("inertia", "missing, and a body without a shape has none of its own")
        if body.shape is None and not body.moving:
            fields.refuse("shape", "missing; what does not move is there to be touched")

    def _read_start(self, fields, body):
        for name, value in DEFAULTS.items():
            found = fields.vector(name, len(value), value)
            if np.abs(found).max() > MOST_LENGTH:
                fields.refuse(name, f"has a number beyond {MOST_LENGTH:g}")
            setattr(body, name, found)
        length = np.linalg.norm(body.quat_wxyz)
        if not 0.99 < length < 1.01:
            fields.refuse("quat_wxyz", f"has length {length:.4g}, must be of unit length")
        body.quat_wxyz = body.quat_wxyz / length
        body.until = fields.number("until", np.inf, least=0)
        if not body.moving:
            for name in ("velocity", "angular_velocity", "force", "torque"):
                if getattr(body, name).any():
                    fields.refuse(name, "is not 0, but the body does not move")

    def _read_materials(self, given):
        """self.material: (friction, restitution) of each pair [bodies, bodies, 2]."""
        n = len(self.bodies)
        self.material = np.empty((n, n, 2))
        self.material[:] = self.friction, self.restitution
        for k, entry in enumerate(given.items("materials")):
            fields = Fields(entry, f"{self.where}, materials[{k}]", MATERIAL)
            pair = fields.items("between")
            if len(pair) != 2 or any(name not in self.names for name in pair):
                fields.refuse("between", f"wanted two names of {', '.join(self.names)}")
            i, j = (self.names.index(name) for name in pair)
            self.material[i, j] = self.material[j, i] = (
                fields.number("friction", self.friction, least=0, most=1e4),
                fields.number("restitution", self.restitution, least=0, most=1))

    # ---- Paths

    def _place(self, path):
        """(the list or object that holds the path's number, its key, the body's index or None)."""
        words = re.findall(r"[^.\[\]]+", path)
        if not words or not re.fullmatch(r"[^.\[\]]+(\.[^.\[\]]+|\[\d+\])*", path):
            raise TinycontactError(f"{self.where}: {path!r} is no path; wanted such as ball.shape.r, box.force[1]"
                                   f" or friction")
        if words[0] in self.names:
            index = self.names.index(words[0])
            holder, words, where = self.value["bodies"][index], words[1:], f"{self.where}, body {words[0]}"
        else:
            index, holder, where = None, self.value, self.where
        if not words:
            raise TinycontactError(f"{where}: {path!r} names a body and none of its numbers")
        for word in words[:-1]:
            holder = _entry(holder, word, where, path)
        key = _key(holder, words[-1], where, path)
        return holder, key, index

    def get(self, path):
        holder, key, _ = self._place(path)
        return holder[key]

    def expand(self, path):
        """The paths of all numbers of a path: that of a list has its entries."""
        value = self.get(path)
        if isinstance(value, list):
            return [one for k in range(len(value)) for one in self.expand(f"{path}[{k}]")]
        number(value, f"{self.where}: {path}")
        return [path]

    def set(self, path, value):
        holder, key, index = self._place(path)
        value = value.tolist() if isinstance(value, (np.ndarray, np.generic)) else value
        before = holder[key]
        holder[key] = value
        try:
            if index is not None:
                self.bodies[index] = self._read_body(index)
            else:
                given = Fields(self.value, self.where, TOP)
                self._read_world(given)
                self._read_materials(given)
            self.ties = Ties(self)
        except TinycontactError:
            holder[key] = before
            raise


    @contextmanager
    def other(self, values):
        """The scene with other {path: value}, and as it was after."""
        before = [(*self._place(path)[:2], self.get(path)) for path in values]
        bodies, ties = list(self.bodies), self.ties
        world = self.gravity, self.friction, self.restitution, self.material
        try:
            for path, value in values.items():
                self.set(path, value)
            yield
        finally:
            for holder, key, value in before:
                holder[key] = value
            self.bodies, self.ties = bodies, ties
            self.gravity, self.friction, self.restitution, self.material = world


def load(path):
    return Scene(read_json(path), str(path), Path(path).parent)


def _entry(holder, word, where, path):
    return holder[_key(holder, word, where, path)]


def _key(holder, word, where, path):
    """The key of holder that a word of a path means; a vector that the file leaves out is put there."""
    if isinstance(holder, list):
        if word.isdigit() and int(word) < len(holder):
            return int(word)
        raise TinycontactError(f"{where}: {path}: {word} is none of 0 to {len(holder) - 1}")
    if isinstance(holder, dict) and word in holder:
        return word
    if isinstance(holder, dict) and word in DEFAULTS and "name" in holder:
        holder[word] = list(DEFAULTS[word])
        return word
    if isinstance(holder, dict) and "bodies" in holder and word in ("friction", "restitution", "gravity"):
        holder[word] = list(GRAVITY) if word == "gravity" else 0.0
        return word
    if isinstance(holder, dict) and holder.get("kind") in ("box", "cylinder") and word in ("r", "rounding"):
        holder[word] = 0.0
        return word
    known = f"it has {', '.join(map(str, holder))}" if isinstance(holder, dict) else "it is a number"
    raise TinycontactError(f"{where}: {path}: there is no {word}; {known}")


def _inertia(fields):
    value = fields.get("inertia")
    if isinstance(value, list) and len(value) == 3 and all(isinstance(row, list) for row in value):
        tensor = np.array([vector(row, f"{fields.at('inertia')}[{k}]", 3) for k, row in enumerate(value)])
        if np.abs(tensor - tensor.T).max() > 1e-6 * np.abs(tensor).max():
            fields.refuse("inertia", "is not symmetric")
        tensor = 0.5 * (tensor + tensor.T)
    else:
        tensor = np.diag(fields.vector("inertia", 3))
    moments = np.linalg.eigvalsh(tensor)
    if not moments[0] > 0:
        fields.refuse("inertia", f"has the principal moment {moments[0]:g}, must be above 0")
    if moments[2] > (1 + 1e-6) * (moments[0] + moments[1]):
        fields.refuse("inertia", f"has the principal moments {moments[0]:g}, {moments[1]:g} and {moments[2]:g}, of which"
                                 f" one is above the sum of the others: no body has such")
    return tensor
