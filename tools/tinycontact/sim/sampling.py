# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""In-contact states to learn from and to be judged by, drawn by a stated law and seed, and their labels.

Velocities are those before gravity of the step is integrated.
    broad    speed in the disc |v| < 5 m/s, |omega| < 30 rad/s, uniform
    slow     |v| < 1, |omega| < 4
    throws   contact steps of throws drawn as `throws.random_rows`, from the law's own closed loop (scheme
"dart") Positions of broad and slow states: a point patch has any angle and its lowest vertex on or in the
floor; an edge patch has any face down, both ends on or in the floor. Depths are 0.01 u^4 m with u uniform: as
in DART's throws mostly small, since only the height of the centre of mass feels them.
"""
import numpy as np

from . import coulomb, dart, shapes, throws

BROAD, SLOW = (5.0, 30.0), (1.0, 4.0)
KINDS = ("broad", "slow", "throws")
DEEPEST = 0.01   # [m]
REPEATED = 5     # contact steps of one throw that are at rest and still taken


def _velocities(rng, count, limits):
    speed, spin = limits
    radius, angle = speed * np.sqrt(rng.random(count)), rng.uniform(-np.pi, np.pi, count)
    return np.column_stack([radius * np.cos(angle), radius * np.sin(angle), rng.uniform(-spin, spin, count)])


def _depth(rng, *size):
    return DEEPEST * rng.random(size) ** 4


def _point(body, rng, count):
    theta = rng.uniform(-np.pi, np.pi, count)
    low = shapes.turned(body, theta)[..., 1].min(axis=1) - body.radius
    return np.column_stack([np.zeros(count), -low - _depth(rng, count), theta])


def _edge(body, rng, count):
    """Both ends of a face in the floor, each by a depth of its own: the face is tilted accordingly."""
    n = len(body.vertices)
    first = rng.integers(0, n, count)
    a, b = body.vertices[first], body.vertices[(first + 1) % n]
    along = b - a
    depth = _depth(rng, count, 2)
    tilt = np.arcsin(np.clip((depth[:, 0] - depth[:, 1]) / np.hypot(*along.T), -1, 1))
    theta = tilt - np.arctan2(along[:, 1], along[:, 0])
    below = np.sin(theta) * a[:, 0] + np.cos(theta) * a[:, 1]
    theta = (theta + np.pi) % (2 * np.pi) - np.pi
    return np.column_stack([np.zeros(count), body.radius - below - depth[:, 0], theta])


def states(body, contacts, kind, count, rng):
    """(position, velocity) [count, 3] of broad or slow states whose patch has `contacts` (1 or 2)."""
    limits = {"broad": BROAD, "slow": SLOW}[kind]
    position = np.empty((0, 3))
    while len(position) < count:
        drawn = (_point if contacts == 1 else _edge)(body, rng, 2 * (count - len(position)) + 16)
        touching = np.sum(shapes.gaps(body, drawn[:, 1], drawn[:, 2]) <= 0, axis=1)
        position = np.concatenate([position, drawn[touching == contacts]])[:count]
    return position, _velocities(rng, count, limits)


def throw_states(body, law, number, seed):
    """(position, velocity) of contact steps of `number` throws: a dictionary by number of contacts.

    Of the steps in which a throw lies still only the first few are taken.
    """
    found, still = {1: [], 2: []}, np.zeros(number, int)

    def watch(rows, before, step):
        q, v = before
        slow = (np.hypot(v[:, 0], v[:, 1]) < throws.REST_SPEED) & (np.abs(v[:, 2]) < throws.REST_SPIN)
        still[rows] += slow
        for contacts, chosen in found.items():
            take = (step.contacts == contacts) & (still[rows] <= REPEATED)
            chosen.append(np.hstack([q[take], v[take]]))

    throws.run(body, "dart", law, *throws.starts(throws.random_rows(number, seed)), watch)
    joined = {contacts: np.concatenate(chosen) for contacts, chosen in found.items()}
    return {contacts: (rows[:, :3], rows[:, 3:]) for contacts, rows in joined.items()}


def from_throws(body, law, contacts, count, seed):
    """`count` states of one patch from as many throws as it takes, drawn without repetition."""
    rng, parts, have = np.random.default_rng(seed), [], 0
    batch = int(np.clip(count // 10, 50, 1000))
    while have < 2 * count:
        position, velocity = throw_states(body, law, batch, int(rng.integers(2**31)))[contacts]
        if len(position) == 0:
            return np.empty((0, 3)), np.empty((0, 3))   # a body that never lands that way
        parts.append(np.hstack([position, velocity]))
        have += len(position)
    rows = rng.permutation(np.concatenate(parts))[:count]
    return rows[:, :3], rows[:, 3:]


def draw(body, contacts, count, seed, kinds=("broad", "slow"), law=None):
    """(position, velocity) [count, 3]: equal shares of the named kinds, shuffled. `law` moves the throws;
    exact Coulomb friction with the body's mu if None."""
    rng = np.random.default_rng([seed, contacts])
    law = law or coulomb.law(coulomb.constant(body.mu))
    parts, left = [], count
    for k, kind in enumerate(kinds):
        share = left // (len(kinds) - k)
        left -= share
        parts.append(from_throws(body, law, contacts, share, int(rng.integers(2**31))) if kind == "throws"
                     else states(body, contacts, kind, share, rng))
    order = rng.permutation(sum(len(q) for q, _ in parts))
    return tuple(np.concatenate(rows)[order] for rows in zip(*parts))


def labelled(body, contacts, count, seed, kinds=("broad", "slow"), truth="dart", friction=None):
    """dart.Labels of drawn states. truth: "dart" (NSGS), "default" (DART as it comes) or "exact": Coulomb by
    enumeration with `friction` (see coulomb), by default the body's mu. Exact labels whose problem has
    several answers have keep False."""
    friction = friction or coulomb.constant(body.mu)
    position, velocity = draw(body, contacts, count, seed, kinds, coulomb.law(friction))
    if truth != "exact":
        return dart.label_states(body, position, velocity, "nsgs" if truth == "dart" else "default")
    query = dart.in_contact(body, position, velocity)
    said = coulomb.solve(query, friction)
    return dart.Labels(query, said.label, said.friction, said.normal.sum(axis=1), ~said.note)
