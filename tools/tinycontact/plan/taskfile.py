# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Tasks of `tinycontact plan optimise` from JSON (docs/reference/plan-files.md): a scene, goals, and how to plan.

    task = load("reach.json")         # or from_dict(value, "where", folder)
    task.scene, task.goals            # scenefile.Scene, [Goal]
"""
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from ..impact.fields import Fields
from ..jsonfile import read_json
from . import scenefile

METHODS = ("knots", "adam", "newton")       # tc_plan_method
TOP = ("name", "scene", "goals", "bounds", "controls", "effort", "method", "horizon", "iterations", "step", "beta1", "beta2",
       "damping", "frames", "at_once", "detours", "execute")
GOAL = ("body", "target", "coordinates", "tolerance", "end", "knot")
HORIZON_MAX, TERMS_MAX, CONTROL_MAX, STATE_MAX = 4096, 64, 16, 512    # tc_plan.h


@dataclass
class Goal:
    body: str
    at: int                 # first coordinate in the state
    tangent: int            # its increment
    target: np.ndarray      # [1 to 3]
    tolerance: float
    end: float
    knot: float
    turns: bool = False     # whether an angle is among its coordinates


@dataclass
class Bound:
    at: int
    tangent: int
    low: float
    high: float
    weight: float


@dataclass
class Task:
    """frames: 0 for one plan of `horizon` knots, else how many frames are planned and executed, one knot each."""
    name: str
    scene: scenefile.Scene
    goals: list
    bounds: list
    low: np.ndarray
    high: np.ndarray
    scale: np.ndarray
    rest: np.ndarray
    effort: float
    method: str
    horizon: int
    iterations: int
    step: float
    beta1: float
    beta2: float
    damping: float
    frames: int
    at_once: int = 0        # goals that count in a frame, 0: all
    detours: bool = False   # whether a driven body may go to another place first (detours.py)
    execute: dict = field(default_factory=dict)     # mu, barrier of the model that frames are executed in
    value: dict = None

    @property
    def warnings(self):
        """What of the task cannot be meant, in words."""
        servos = {body.name for body in self.scene.bodies if body.drive == "servo"}
        return [f"{body} begins at {name} = {start:g}, outside its controls' range {low:g} to {high:g}, and is pulled"
                " there"
                for (body, name), start, low, high in zip(self.scene.control, self.scene.hold, self.low, self.high)
                if body in servos and not low <= start <= high]


def load(path):
    """The Task of a file."""
    return from_dict(read_json(path), str(path), Path(path).parent)


def from_dict(value, where, folder="."):
    """The Task of a value of the file's form; a scene's file is looked for in `folder`."""
    given = Fields(value, where, TOP)
    scene = _scene(given, where, folder)
    if not scene.control:
        given.refuse("scene", "no body has a drive, so that there is nothing to plan")
    for count, most, what in ((len(scene.control), CONTROL_MAX, "controls"),
                              (2 * len(scene.coordinates), STATE_MAX, "numbers of a state")):
        if count > most:
            given.refuse("scene", f"has {count} {what}, at most {most} are allowed")
    low, high, scale, rest = _controls(given, scene)
    task = Task(given.text("name", scene.name), scene, _goals(given, scene), _bounds(given, scene), low, high, scale, rest,
                given.number("effort", 0.0, least=0), given.text("method", METHODS[0], METHODS),
                given.whole("horizon", 30, least=1, most=HORIZON_MAX), given.whole("iterations", 10, least=1, most=65535),
                given.number("step", 0.01, above=0), given.number("beta1", 0.3, least=0, most=0.999999),
                given.number("beta2", 0.5, least=0, most=0.999999), given.number("damping", 1.0, least=0),
                given.whole("frames", 0, most=100_000), given.whole("at_once", 0, most=TERMS_MAX),
                bool(given.whole("detours", 0, most=1)), value=value)
    _expect_detours(given, task)
    fields = Fields(given.items("execute", dict), given.at("execute"), ("mu", "barrier"))
    if fields.has("mu"):
        task.execute["mu"] = fields.number("mu", least=0, most=1e3)
    if fields.has("barrier"):
        task.execute["barrier"] = scenefile.barrier_of(fields)
    return task


def led(scene):
    """The coordinates of the one driven body, or None where that is not free in the plane and led by a servo."""
    driven = [k for k, body in enumerate(scene.bodies) if body.driven]
    if len(driven) != 1 or scene.dimension != 2:
        return None
    body = scene.bodies[driven[0]]
    fits = body.joint == "free" and body.drive == "servo" and len(body.driven) == 3
    return scene.spans[driven[0]][0] if fits else None


def _expect_detours(given, task):
    if not task.detours:
        return
    if led(task.scene) is None:
        given.refuse("detours", "wants one driven body, free in the plane and led by a servo in x, y and angle")
    if not (task.at_once and task.frames):
        given.refuse("detours", "wants at_once and frames: a detour is for a goal that comes no nearer")
    for k, goal in enumerate(task.goals):
        if len(goal.target) != 2 or goal.turns:
            given.refuse("detours", f"goals[{k}] is not about x and y")


def _scene(given, where, folder):
    value = given.get("scene")
    if isinstance(value, str):
        return scenefile.load(Path(folder) / value)
    return scenefile.from_dict(value, f"{where}, scene")


def _place(fields, scene, name="body"):
    """(index of the body, its slices of coordinates and freedoms)"""
    body = scene.names.index(fields.text(name, words=scene.names))
    return (body, *scene.spans[body])


def _goals(given, scene):
    given.get("goals")      # must be there
    entries, found = given.items("goals"), []
    if not 1 <= len(entries) <= TERMS_MAX:
        given.refuse("goals", f"has {len(entries)} entries, must be 1 to {TERMS_MAX}")
    for k, entry in enumerate(entries):
        fields = Fields(entry, f"{given.where}, goals[{k}]", GOAL)
        body, at, free = _place(fields, scene)
        joint = scene.bodies[body].joint
        first, count = _coordinates(fields, scene, joint)
        target = fields.vector("target", count)
        found.append(Goal(scene.names[body], at.start + first, free.start + first, target,
                          fields.number("tolerance", 0.02, least=0, most=1e3), fields.number("end", 1.0, least=0),
                          fields.number("knot", 0.0, least=0),
                          "angle" in scenefile.freedoms_of(joint, scene.dimension)[first:first + count]))
        if not found[-1].end + found[-1].knot > 0:
            fields.refuse("end", "end and knot are both 0: the goal would not count")
    return found


def _coordinates(fields, scene, joint):
    """(first, count) of the coordinates that a goal is about: a place, or a joint's number."""
    if joint in ("ball", "weld"):
        fields.refuse("body", f"is held by a {joint}, which has no coordinates that a goal may name")
    names = scenefile.freedoms_of(joint, scene.dimension)
    most = scene.dimension if joint == "free" else 1
    if not fields.has("coordinates"):
        return 0, most
    words = fields.items("coordinates")
    allowed = names[:3 if joint == "free" else 1]
    if not words or any(word not in allowed for word in words):
        fields.refuse("coordinates", f"wanted some of {', '.join(allowed)}")
    first = allowed.index(words[0])
    if list(allowed[first:first + len(words)]) != words:
        fields.refuse("coordinates", f"must follow each other in {', '.join(allowed)}")
    return first, len(words)


def _bounds(given, scene):
    found = []
    for k, entry in enumerate(given.items("bounds")):
        fields = Fields(entry, f"{given.where}, bounds[{k}]", ("body", "coordinate", "low", "high", "weight"))
        body, at, free = _place(fields, scene)
        joint = scene.bodies[body].joint
        names = scenefile.freedoms_of(joint, scene.dimension)[:3 if joint == "free" else 1]
        index = names.index(fields.text("coordinate", words=names)) if names and joint not in ("ball", "weld") else None
        if index is None:
            fields.refuse("body", f"is held by a {joint}, which has no coordinates that a bound may name")
        low, high = fields.number("low", -1e6), fields.number("high", 1e6)
        if low > high:
            fields.refuse("low", f"is {low:g}, above high, {high:g}")
        found.append(Bound(at.start + index, free.start + index, low, high, fields.number("weight", 1.0, least=0)))
    if len(found) > TERMS_MAX:
        given.refuse("bounds", f"has {len(found)} entries, at most {TERMS_MAX} are allowed")
    return found


def _controls(given, scene):
    """low, high, scale, rest [controls]"""
    names = [name for name, _ in scene.control]
    entries = Fields(given.items("controls", dict), given.at("controls"), sorted(set(names)))
    low, high = np.full(len(names), -1e6), np.full(len(names), 1e6)
    scale, rest = np.ones(len(names)), np.array(scene.controls[0], float)
    for body in entries.value:
        own = [k for k, name in enumerate(names) if name == body]
        fields = Fields(entries.get(body), entries.at(body), ("low", "high", "scale", "rest"))
        for array, name in ((low, "low"), (high, "high"), (scale, "scale"), (rest, "rest")):
            if fields.has(name):
                array[own] = fields.vector(name, len(own))
        if (low[own] > high[own]).any():
            fields.refuse("low", "a number is above that of field high")
        if not (scale[own] > 0).all():
            fields.refuse("scale", "a number is not above 0")
    return low, high, scale, rest
