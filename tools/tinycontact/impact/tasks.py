# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The paper's learning tasks (section 4): their systems, data and what is learned, and unknowns of any scene.

    model = tasks.model(systems.named("CP3"))          # mu, e, mass ratios and gravity unknown
    chunks = tasks.chunks(model, 100, rng)             # of the true system

Contacts act at the end of a step, as in the paper's Algorithm 1 (field impacts: 0).
"""
import dataclasses

import numpy as np

from ..errors import TinycontactError
from . import learn, learn_data, systems
from .learn_native import Roller

NAMES = ("BP5-e", "BP5", "CP3-e", "CP3", "BD5", "Gyro-e", "Gyro")
SPRUNG = ("CP3-spring", "BP5-spring", "Rope-10")   # of a potential that is not linear
UNKNOWN = ("mu", "e", "mass", "inertia", "gravity")   # what may be unknown
DEFAULT = ("mu", "e", "mass")
TIED = 1e-6     # a moment of inertia below this share of m (1 m)^2 stands for a point: it stays


def scene_of(name):
    """The system of a task as the paper steps it. Where all pairs are alike, they are one material."""
    scene = dataclasses.replace(systems.named(name), impacts=0)
    if len({material[1:] for material in scene.materials}) == 1:
        scene.materials = [("all", *scene.materials[0][1:])]
        scene.pairs = [(a, b, 0) for a, b, _ in scene.pairs]
    return scene


def unknowns_of(name):
    """What is learned in a task."""
    return unknowns_in(scene_of(name))


def unknowns_in(scene):
    """mu and e; masses where there are several, else the moment about the axis of a body in space; gravity if any."""
    several = sum(len(body.links) for body in scene.bodies) > 1
    alone = () if scene.dimension == 2 else ("inertia",)
    return ("mu", "e", *(("mass",) if several else alone), *(("gravity",) if np.any(scene.gravity) else ()))


def _links(scene):
    """(body, link, Link, name) of all links."""
    for b, body in enumerate(scene.bodies):
        for k, link in enumerate(body.links):
            yield b, k, link, f"{body.name}.{k}" if body.kind == "chain" else body.name


class _Table:
    """Entries as unknowns come to name them."""

    def __init__(self, roller):
        self.roller, self.entries, self.base = roller, [], []

    def add(self, value, what, index=0, link=0, component=0):
        self.entries.append(self.roller.entry(what, index, link, component))
        self.base.append(value)
        return len(self.entries) - 1


def _coefficients(table, scene, wanted):
    found = []
    for k, (name, mu, e) in enumerate(scene.materials):
        label = "" if len(scene.materials) == 1 else f" {name}"
        if "mu" in wanted:
            found.append(learn.mu(f"mu{label}", table.add(mu, "mu", k), mu))
        if "e" in wanted:
            found.append(learn.restitution(f"e{label}", table.add(e, "e", k), e))
    return found


def _inertias(link, dimension):
    """Components of the moment of inertia that a link has."""
    if not link.inertia.any():
        return []
    return range(1 if dimension == 2 else 3)


def _masses(table, scene, blank):
    """Masses relative to the first, and with each the moments of its body: the shape is known, the weight is not."""
    (_, _, first, reference), *others = _links(scene)
    found = []
    for b, k, link, name in others:
        base = first.mass if blank else link.mass
        entries = [table.add(base, "mass", b, k)]
        for axis in _inertias(link, scene.dimension):
            entries.append(table.add(link.inertia[axis] / link.mass * base, "inertia", b, k, axis))
        found.append(learn.ratio(f"mass {name} / {reference}", "mass", entries, link.mass / first.mass,
                                 base / first.mass))
    return found


def _moments(table, scene, blank):
    """Moments of inertia: in the plane each body's over its mass, in space each about its third axis over the first."""
    found = []
    for b, k, link, name in _links(scene):
        if not link.inertia.any() or link.inertia[0] <= TIED * link.mass:
            continue
        if scene.dimension == 2:
            base = link.inertia[0]
            found.append(learn.ratio(f"inertia {name}", "inertia", [table.add(base, "inertia", b, k)], base, base))
            continue
        base = link.inertia[0] if blank else link.inertia[2]
        found.append(learn.ratio(f"inertia {name} z / x", "inertia", [table.add(base, "inertia", b, k, 2)],
                                 link.inertia[2] / link.inertia[0], base / link.inertia[0]))
    return found


def _gravity(table, scene):
    size = np.linalg.norm(scene.gravity)
    if not size > 0:
        raise TinycontactError(f"{scene.name}, field gravity: is 0, so its direction is unknown; give a direction")
    entries = [table.add(g, "gravity", component=k) for k, g in enumerate(scene.gravity)]
    return [learn.gravity("gravity", entries, list(scene.gravity / size), size)]


def model(scene, wanted=DEFAULT, blank=False, where=None, field=False):
    """A learn.Model. `blank`: masses start alike and moments as a ball's, instead of at what the scene says. `field`: the
    scene moves in a potential (potential.py)."""
    table = _Table(Roller(scene, where, field))
    found = _coefficients(table, scene, wanted)
    if "mass" in wanted:
        found += _masses(table, scene, blank)
    if "inertia" in wanted:
        found += _moments(table, scene, blank)
    if "gravity" in wanted:
        found += _gravity(table, scene)
    if not found and not field:
        raise TinycontactError(f"{where or scene.name}: nothing is unknown: the scene has no contact, and one body")
    return learn.Model(table.roller, table.entries, table.base, found)


def task(name, law="convex"):
    """The learn.Model of a task of the paper, whose unknowns know the truth."""
    return model(dataclasses.replace(scene_of(name), law=law), unknowns_of(name), blank=True)


# ---- Data

def starts(model, n, rng):
    """[n, state] at random, where nothing overlaps."""
    scene, native = model.roller.scene, model.roller.native
    return np.array([np.concatenate(systems.draw_free(scene, native, rng)) for _ in range(n)])


def paths(model, n, rng, steps=learn_data.STEPS - 1):
    """(states [n, steps + 1, state], hits [n, steps + 1]) of the true system."""
    theta = model.truth()
    return learn_data.trajectories(lambda begun, k: model.roll(theta, begun, k), starts(model, n, rng), steps)


class Truth:
    """The true system of a scene, whatever its potential, in the place of a model whose unknowns know the truth."""

    def __init__(self, scene):
        self.roller = Roller(dataclasses.replace(scene))

    def truth(self):
        return np.zeros(0)

    def roll(self, theta, begun, steps):
        return self.roller.roll(begun, steps, [], theta)


def chunks(model, n, rng):
    """n chunks of the true system: [n, 5, state]."""
    found = np.zeros((0, learn_data.LENGTH, model.roller.coordinates + model.roller.rates))
    for _ in range(20):
        if len(found) >= n:
            break
        more, _ = learn_data.chunks_of(*paths(model, n - len(found), rng), rng)
        found = np.concatenate([found, more]) if len(more) else found
    return found
