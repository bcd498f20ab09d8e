# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The systems of the paper (Zhong, Dey, Chakraborty 2021, appendix H and section 5) as scenes, in the form of a file.

The paper prints mass ratios, mu and e of most tasks; what it leaves open is chosen here, and said so at each system.
"""
import numpy as np

from ..errors import TinycontactError
from . import scene as scenes

GRAVITY = 9.81
BALLS = 5
BOX = 1.0                                  # side of the box of BP5 and BD5 [m]; chosen
RADII = (0.06, 0.07, 0.08, 0.09, 0.10)     # of BP5 and BD5 [m]; chosen, the paper says they differ
RATIOS = (1.0, 2.0, 6.0, 8.0, 10.0)        # masses of BP5 over the first (table S.2); BD5 takes the same
SPEED = 1.5                                # of random starts of BP5 and BD5, per axis [m/s]; chosen
ROPE_POINTS, ROPE_SEGMENT, ROPE_MASS, ROPE_STIFFNESS = 10, 0.1, 0.1, 100.0   # chosen
CONE_RADIUS, CONE_HEIGHT, CONE_RIM = 0.3, 0.4, 32   # of the gyroscope, a solid cone of 1 kg on its tip; chosen


def _walls():
    return [{"name": "floor", "normal": [0, 1], "offset": 0}, {"name": "left", "normal": [1, 0], "offset": 0},
            {"name": "right", "normal": [-1, 0], "offset": -BOX}, {"name": "top", "normal": [0, -1], "offset": -BOX}]


def _balls(kind, masses, radii):
    return [{"name": f"ball{k + 1}", "kind": kind, "mass": m, "shape": {"radius": r},
             **({"inertia": m * r * r / 2} if kind == "body" else {})}
            for k, (m, r) in enumerate(zip(masses, radii))]


def _all_pairs(bodies, planes, material):
    """Each body with each plane and each later body; `material(k)` of the k-th pair."""
    names = [body["name"] for body in bodies]
    pairs = [(a, plane["name"]) for a in names for plane in planes]
    pairs += [(a, b) for i, a in enumerate(names) for b in names[i + 1:]]
    return [{"a": a, "b": b, **material(k)} for k, (a, b) in enumerate(pairs)]


def _several(k):
    """30 pairs, each its own mu in 0 to 0.58 and e in 0.3 to 0.88, in an order without a pattern; chosen."""
    return {"mu": 0.02 * (7 * k % 30), "e": 0.3 + 0.02 * (11 * k % 30)}


def _in_a_box(name, kind, masses, radii, material):
    """No gravity, as in the parameters that were published with the paper; its text does not say."""
    bodies, planes = _balls(kind, masses, radii), _walls()
    at = [[0.2, 0.2], [0.5, 0.25], [0.8, 0.2], [0.3, 0.65], [0.7, 0.7]]
    moving = [[1.0, -0.5], [-0.7, 1.0], [0.3, 0.4], [-1.0, 0.6], [0.8, -0.2]]
    low, high = {}, {}
    for body, r in zip(bodies, radii):
        spin = {"angle": -3.0, "omega": -5.0} if kind == "body" else {}
        low[body["name"]] = {"position": [r, r], "velocity": [-SPEED] * 2, **spin}
        high[body["name"]] = {"position": [BOX - r] * 2, "velocity": [SPEED] * 2, **{k: -x for k, x in spin.items()}}
    return {"name": name, "dimension": 2, "gravity": [0, 0], "bodies": bodies, "planes": planes,
            "contacts": _all_pairs(bodies, planes, material), "h": 0.01, "steps": 100,
            "start": {body["name"]: {"position": x, "velocity": v} for body, x, v in zip(bodies, at, moving)},
            "random": {"low": low, "high": high}}


def _bp5_e():
    """Masses and radii alike, mu 0, e 1 (appendix H)."""
    return _in_a_box("BP5-e", "particle", [1.0] * BALLS, [0.08] * BALLS, lambda k: {"mu": 0.0, "e": 1.0})


def _bp5():
    return _in_a_box("BP5", "particle", RATIOS, RADII, _several)


def _bd5():
    return _in_a_box("BD5", "body", RATIOS, RADII, _several)


def _pendulum(name, ratios, mu, e):
    """Three point masses on rods of 1 m, from the ceiling at the origin; the lowest, a ball of 0.2 m, reaches a floor
    2.5 m below. Lengths, sizes and floor are chosen. Impulses act at the mass: it does not turn."""
    links = [{"joint": "revolute", "mass": m, "inertia": 1e-9, "arm": [0, -1]} for m in ratios]
    links[2]["shape"] = {"radius": 0.2, "centred": True}
    return {"name": name, "dimension": 2, "gravity": [0, -GRAVITY],
            "bodies": [{"name": "chain", "kind": "chain", "links": links}],
            "planes": [{"name": "floor", "normal": [0, 1], "offset": -2.5}],
            "contacts": [{"a": "chain.2", "b": "floor", "mu": mu, "e": e}], "h": 0.01, "steps": 100,
            "start": {"chain": {"coordinates": [1.2, 0.3, -0.2], "rates": [0, 0, 0]}},
            "random": {"low": {"chain": {"coordinates": [-1.4, -1.0, -1.0], "rates": [-0.5] * 3}},
                       "high": {"chain": {"coordinates": [1.4, 1.0, 1.0], "rates": [0.5] * 3}}}}


def _cp3_e():
    """Table S.3's columns are swapped against the published parameters, which are taken here."""
    return _pendulum("CP3-e", (1.0, 0.65, 0.75), 0.0, 1.0)


def _cp3():
    return _pendulum("CP3", (1.0, 2.0, 1.5), 0.5, 0.0)


def _cp3_spring():
    """CP3 with a spring from its lowest mass to a point beyond its reach, and one from its first mass to the lowest. Chosen: the potential of
    the paper's pendulums is linear in their places, so that a net has nothing to learn there."""
    scene = _pendulum("CP3-spring", (1.0, 2.0, 1.5), 0.5, 0.0)
    scene["springs"] = [{"a": {"body": "chain.2"}, "b": {"world": [3.5, 0.0]}, "stiffness": 10.0, "length": 3.0},
                        {"a": {"body": "chain.0"}, "b": {"body": "chain.2"}, "stiffness": 20.0, "length": 1.5}]
    return scene


def _bp5_spring():
    """BP5-e's balls of the masses of BP5, each tied to the next by a spring; mu and e chosen."""
    scene = _in_a_box("BP5-spring", "particle", RATIOS, [0.08] * BALLS, lambda k: {"mu": 0.2, "e": 0.8})
    names = [body["name"] for body in scene["bodies"]]
    scene["springs"] = [{"a": {"body": a}, "b": {"body": b}, "stiffness": 20.0, "length": 0.3}
                        for a, b in zip(names, names[1:])]
    return scene


def _gyro(name, mu, e):
    """A cone whose tip is held at the origin, and whose rim strikes the wall x = 0.42. Shape, mass and wall are
    chosen."""
    r, height = CONE_RADIUS, CONE_HEIGHT
    across = 3 / 80 * (4 * r * r + height * height)
    angles = 2 * np.pi * np.arange(CONE_RIM) / CONE_RIM
    rim = [[float(r * np.cos(a)), float(r * np.sin(a)), height / 4] for a in angles]
    q, v = gyro_state(0.2, 0.0, 0.0, np.array([0.5, 0.5, 15.0]))
    return {"name": name, "dimension": 3, "gravity": [0, 0, -GRAVITY],
            "bodies": [{"name": "gyro", "mass": 1.0, "inertia": [across, across, 0.3 * r * r],
                        "shape": {"vertices": rim}}],
            "planes": [{"name": "wall", "normal": [-1, 0, 0], "offset": -0.42}],
            "joints": [{"kind": "ball", "a": {"body": "gyro", "at": [0, 0, -0.75 * height]}, "b": {"world": [0, 0, 0]}}],
            "contacts": [{"a": "gyro", "b": "wall", "mu": mu, "e": e}], "h": 0.005, "steps": 100,
            "start": {"gyro": {"position": q[:3].tolist(), "quaternion": q[3:].tolist(), "velocity": v[:3].tolist(),
                               "omega": v[3:].tolist()}}}


def gyro_state(tilt, heading, spin_angle, omega_body):
    """(q, v) of the cone on its tip, its axis tilted from the vertical towards `heading`."""
    half = [np.array([np.cos(a / 2), *(np.sin(a / 2) * np.array(axis))])
            for a, axis in ((heading, (0, 0, 1)), (tilt, (0, 1, 0)), (spin_angle, (0, 0, 1)))]
    p = _times(_times(half[0], half[1]), half[2])
    R = rotation(p)
    arm, omega = R @ [0, 0, 0.75 * CONE_HEIGHT], R @ omega_body
    return np.concatenate([arm, p]), np.concatenate([np.cross(omega, arm), omega])


def _times(a, b):
    return np.array([a[0] * b[0] - a[1:] @ b[1:], *(a[0] * b[1:] + b[0] * a[1:] + np.cross(a[1:], b[1:]))])


def rotation(p):
    w, x, y, z = p
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                     [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                     [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])


def _rope():
    """Ten points below a fixed end, springs between neighbours, stretch 0.8 to 1.2 of the length at rest, bends up to
    0.2 rad (appendix H): with the fixed end 10 distances and 9 bends, its 19 contacts. Mass, length and stiffness are
    chosen."""
    names = [f"point{k + 1}" for k in range(ROPE_POINTS)]
    points = [{"world": [0, 0]}] + [{"body": name} for name in names]
    near = list(zip(points, points[1:]))
    limits = [{"kind": "distance", "a": a, "b": b, "low": 0.8 * ROPE_SEGMENT, "high": 1.2 * ROPE_SEGMENT} for a, b in near]
    limits += [{"kind": "bend", "a": a, "b": b, "c": c, "high": 0.2}
               for (a, b), (_, c) in zip(near, near[1:])]
    return {"name": "Rope-10", "dimension": 2, "gravity": [0, -GRAVITY],
            "bodies": [{"name": name, "kind": "particle", "mass": ROPE_MASS} for name in names],
            "limits": limits,
            "springs": [{"a": a, "b": b, "stiffness": ROPE_STIFFNESS, "length": ROPE_SEGMENT} for a, b in near],
            "h": 0.01, "steps": 100,
            "start": {name: {"position": [ROPE_SEGMENT * (k + 1), 0.0]} for k, name in enumerate(names)},
            "random": {"low": {name: {"position": [ROPE_SEGMENT * (k + 1), 0.0], "velocity": [-0.3] * 2}
                               for k, name in enumerate(names)},
                       "high": {name: {"position": [ROPE_SEGMENT * (k + 1), 0.0], "velocity": [0.3] * 2}
                                for k, name in enumerate(names)}}}


def _billiards():
    """The task that section 5 takes over: a cue ball and a rack of ten, seen from above, e 0.8, 1024 steps of 3 ms.
    `touch` is small because this task is for gradients, which jump where a gap passes it."""
    r = 0.03
    rack = [[0.5 + 2 * r * i, 0.5 + 2 * r * j - 0.7 * r * i] for i in range(4) for j in range(i + 1)]
    bodies = [{"name": name, "kind": "particle", "mass": 1.0, "shape": {"radius": r}}
              for name in ["cue"] + [f"ball{k + 1}" for k in range(len(rack))]]
    start = {body["name"]: {"position": x} for body, x in zip(bodies, [[0.1, 0.5]] + rack)}
    start["cue"]["velocity"] = [0.3, 0.0]
    return {"name": "billiards", "dimension": 2, "gravity": [0, 0], "bodies": bodies,
            "contacts": _all_pairs(bodies, [], lambda k: {"mu": 0.0, "e": 0.8}), "h": 0.003, "steps": 1024,
            "touch": 1e-7, "start": start}


def _throw():
    """A disk of 0.1 m that bounces once; 12 rad/s at 0.6 m/s make the bounce vertical. Sizes are chosen."""
    return {"name": "throw", "dimension": 2, "gravity": [0, -GRAVITY],
            "bodies": [{"name": "disk", "mass": 1.0, "inertia": 0.005, "shape": {"radius": 0.1}}],
            "planes": [{"name": "floor", "normal": [0, 1], "offset": 0}],
            "contacts": [{"a": "disk", "b": "floor", "mu": 0.5, "e": 0.8}], "h": 0.01, "steps": 100,
            "start": {"disk": {"position": [0, 1.0], "velocity": [0.6, 1.0], "omega": 12.0}}}


NAMED = {"BP5-e": _bp5_e, "BP5": _bp5, "CP3-e": _cp3_e, "CP3": _cp3, "BD5": _bd5,
         "Gyro-e": lambda: _gyro("Gyro-e", 0.0, 1.0), "Gyro": lambda: _gyro("Gyro", 0.1, 0.8), "Rope-10": _rope,
         "CP3-spring": _cp3_spring, "BP5-spring": _bp5_spring,
         "billiards": _billiards, "throw": _throw}


def as_dict(name):
    """A named system in the form of a file."""
    return NAMED[name]()


def named(name):
    """A named system as a scene.Scene."""
    return scenes.from_dict(as_dict(name), name)


def load(word):
    """(Scene, the words that errors begin with) of a named system or of a file."""
    if word in NAMED:
        return named(word), word
    return scenes.load(word), str(word)


# ---- Random starts

TRIES = 10_000   # for one start without overlap


def draw(scene, rng):
    """(q, v) at random, whether its bodies overlap or not."""
    if scene.name in ("Gyro", "Gyro-e") and scene.ranges is None:
        turn = rng.uniform([0.0, -np.pi, -np.pi], [0.3, np.pi, np.pi])
        return gyro_state(*turn, rng.uniform([-2, -2, 10], [2, 2, 20]))
    if scene.ranges is None:
        raise TinycontactError(f"{scene.name}: has no field random, which random starts are drawn from")
    q_low, q_high, v_low, v_high = scene.ranges
    q = rng.uniform(q_low, q_high)
    for body, (at, _) in zip(scene.bodies, scene.spans):
        n, d = body.sizes(scene.dimension)
        if n != d:
            q[at][3:7] /= np.linalg.norm(q[at][3:7])
    return q, rng.uniform(v_low, v_high)


def draw_free(scene, native, rng):
    """(q, v) at random where nothing overlaps."""
    for _ in range(TRIES):
        q, v = draw(scene, rng)
        status, _, gaps, _ = native.look(q, v)
        if status >= 0 and (gaps >= 0).all():
            return q, v
    raise TinycontactError(f"{scene.name}, field random: {TRIES} draws all overlap")
