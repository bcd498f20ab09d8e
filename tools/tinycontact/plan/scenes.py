# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The paper's scenes and tasks by name, as values of the files' form: to write out, change and use.

    scene("push"), task("push", seed=3)
"""
import numpy as np

from ..errors import TinycontactError

BOX = 0.1                          # [m] half edge of a box
AHEAD = 0.3                        # [m] the rod from the box that it is to push
FAR = {"A": 12, "kappa": 1000, "length": 0.1}    # a strong far part, bounded: it guides, and does not push
THIN = {"mu": 1e-6, "barrier": {"A": 12, "kappa": 1, "length": 0}}   # what plans are executed in
BALL = 0.1                         # [m] radius of a billiard ball
PLANK = (1.0, 0.2, 0.1)            # [m] half edges: 2.0 x 0.4 x 0.2
PLANKS = 20
WORKSPACE = 1.2                    # [m]


def push(seed=0):
    """A rod in front of a box that is to be pushed to a mark beyond the rod: it has to go round. Seen from above; the
    sizes are those of tests/unit/barrier/push_scene.h."""
    about = float(np.random.default_rng(seed).uniform(-0.5, 0.5))
    rod = [AHEAD * np.cos(about), AHEAD * np.sin(about)]
    return {"name": "push", "dimension": 2, "gravity": [0, 0], "h": 0.04, "steps": 48, "mu": 1e-6,
            "barrier": dict(FAR), "bodies": [_box("box", [0, 0]), _rod(rod)]}, [("box", [0.8, 0.0], 0.05)]


def _box(name, at, angle=0.0):
    return {"name": name, "pieces": [{"kind": "box", "h": [BOX, BOX]}], "mass": 0.5, "drag": 1.5, "drag_radius": 0.08,
            "position": [float(x) for x in at], "angle": float(angle)}


def _rod(at, angle=0.0):
    return {"name": "rod", "pieces": [{"kind": "points", "points": [[0, -0.05], [0, 0.05]], "r": 0.01}], "mass": 0.2,
            "inertia": 0.0005, "drive": "servo", "stiffness": [200.0, 1.0], "damping": [10.0, 0.05],
            "position": [float(x) for x in at], "angle": float(angle)}


def billiards(seed=0):
    """Fifteen balls in a rack and a red one at rest, far away. Seen from above; nothing slows the balls."""
    pitch = 2 * BALL + 0.001
    bodies = [_ball("red", [0.0, -1.5])]
    for row in range(5):
        for k in range(row + 1):
            bodies.append(_ball(f"ball{len(bodies)}", [(k - row / 2) * pitch, row * pitch * np.sqrt(0.75)]))
    return {"name": "billiards", "dimension": 2, "gravity": [0, 0], "h": 0.04, "steps": 100, "mu": 1e-7, "bodies": bodies}, []


def _ball(name, at):
    return {"name": name, "pieces": [{"kind": "sphere", "r": BALL}], "mass": 1.0, "position": [float(x) for x in at]}


def _cubes(seed, count=10):
    """Places [count, 2] of boxes on a table, apart from each other."""
    rng = np.random.default_rng(seed)
    places = []
    while len(places) < count:
        at = rng.uniform(-0.9, 0.9, 2)
        if all(np.linalg.norm(at - other) > 0.36 for other in places) and np.linalg.norm(at - [0, -1.15]) > 0.4:
            places.append(at)
    return rng, places


def _table(name, seed, goals_of):
    rng, places = _cubes(seed)
    bodies = [_box(f"cube{k + 1}", at, rng.uniform(-0.4, 0.4)) for k, at in enumerate(places)]
    bodies.append(_rod([0, -1.15], 0.0))
    scene = {"name": name, "dimension": 2, "gravity": [0, 0], "h": 0.04, "steps": 300, "mu": 1e-6, "barrier": dict(FAR),
             "bodies": bodies}
    return scene, [(body["name"], *goals_of(k)) for k, body in enumerate(bodies[:-1])]


def gather(seed=0):
    """Ten cubes on a table and a rod that is to push them together."""
    return _table("gather", seed, lambda k: ([0.0, 0.0], 0.45))


def gather_animals(seed=0):
    """The same with cows and fishes of four convex pieces each (outlines.json) for cubes: bodies with hollows."""
    from . import outlines
    shapes = list(outlines.read().values())
    scene, goals = gather(seed)
    for k, body in enumerate(scene["bodies"][:-1]):
        shape = shapes[k % len(shapes)]
        body["pieces"] = [{"kind": "points", "points": piece} for piece in shape["pieces"]]
        body["inertia"] = body["mass"] * shape["inertia_per_mass"]
    return {**scene, "name": "gather-animals"}, goals


def sort(seed=0):
    """Ten cubes with two labels: odd ones go to the left, even ones to the right."""
    return _table("sort", seed, lambda k: ([-0.6 if k % 2 == 0 else 0.6, 0.0], 0.4))


def book_stack(seed=0, planks=PLANKS, inward=0.001, gap=1e-4):
    """Planks that overhang as far as they can, less `inward` of their length; the lowest is fixed."""
    bodies, x = [], 0.0
    for k in range(planks):
        fixed = {"joint": "weld", "anchor_at": [0.0, 0.0, 0.0]} if k == 0 else {}
        # plank k from below carries planks - 1 - k others: the overhang beyond it is half / (planks - k)
        at = [x, 0.0, k * (2 * PLANK[2] + gap)]
        place = {"anchor_at": at, "joint": "weld"} if fixed else {"position": at}
        bodies.append({"name": f"plank{k + 1}", "pieces": [{"kind": "box", "h": list(PLANK)}], "mass": 0.16, **place})
        if k + 1 < planks:
            x += PLANK[0] / (planks - 1 - k) - 2 * PLANK[0] * inward
    return {"name": "book-stack", "dimension": 3, "gravity": [0, 0, -9.81], "h": 0.04, "steps": 100, "mu": 1e-8,
            "friction": 0.5, "bodies": bodies}, []


def ant_push(seed=0):
    """A torso on four legs, each with a hip that turns in all directions and a knee: 9 links, 16 driven joints."""
    rng = np.random.default_rng(seed)
    bodies = [{"name": "torso", "pieces": [{"kind": "sphere", "r": 0.12}], "mass": 1.0,
               "position": [float(-0.8 - rng.uniform(0, 0.2)), float(rng.uniform(-0.1, 0.1)), 0.25]}]
    c = np.cos(np.pi / 4)
    for k, (x, y) in enumerate(((1, 1), (-1, 1), (-1, -1), (1, -1))):
        out = np.array([x * c, y * c, 0.0])
        half = [float(np.cos(np.pi / 4)), *(float(v) for v in np.sin(np.pi / 4) * np.array([-out[1], out[0], 0]))]
        bodies.append({"name": f"hip{k + 1}", "pieces": [{"kind": "capsule", "half": 0.08, "r": 0.03}], "mass": 0.15,
                       "joint": "ball", "parent": "torso", "anchor_at": [float(v) for v in 0.16 * out],
                       "anchor": [0, 0, -0.1], "quat_wxyz": half, "drive": "servo", "stiffness": [0, 20.0], "damping": [0, 0.05]})
        knee = [float(np.cos(np.pi / 4)), *(float(v) for v in np.sin(np.pi / 4) * np.array([-out[1], out[0], 0]))]
        bodies.append({"name": f"shin{k + 1}", "pieces": [{"kind": "capsule", "half": 0.08, "r": 0.03}], "mass": 0.1,
                       "joint": "hinge", "parent": f"hip{k + 1}", "anchor_at": [0, 0, 0.1], "anchor": [0, 0, -0.1],
                       "axis": [float(-out[1]), float(out[0]), 0.0], "rest": knee, "drive": "servo",
                       "stiffness": [0, 20.0], "damping": [0, 0.05]})
    bodies.append({"name": "box", "pieces": [{"kind": "box", "h": [0.15, 0.15, 0.15]}], "mass": 0.5,
                   "position": [0, 0, 0.151]})
    return {"name": "ant-push", "dimension": 3, "gravity": [0, 0, -9.81], "h": 0.02, "steps": 240, "mu": 1e-6,
            "barrier": dict(FAR), "friction": 0.5, "bodies": bodies, "floors": [{"name": "floor", "normal": [0, 0, 1]}]}, [
                ("box", [0.8, 0.0, 0.15], 0.1)]


HOW = {   # how each task is planned: docs/reference/plan-files.md
    "push": {"controls": {"rod": {"low": [-WORKSPACE, -WORKSPACE, -6.3], "high": [WORKSPACE, WORKSPACE, 6.3],
                                  "scale": [1, 1, 3]}},
             "method": "knots", "horizon": 30, "iterations": 10, "step": 0.01, "frames": 400, "execute": THIN},
    "gather": {"controls": {"rod": {"low": [-1.6, -1.6, -6.3], "high": [1.6, 1.6, 6.3], "scale": [1, 1, 3]}}, "at_once": 1,
               "detours": 1, "method": "knots", "horizon": 20, "iterations": 5, "step": 0.008, "frames": 1500, "execute": THIN},
    "ant-push": {"method": "knots", "horizon": 40, "iterations": 10, "step": 0.03, "frames": 240, "execute": {
        "mu": 1e-6, "barrier": THIN["barrier"]}}}
ROUND = ("gather", "gather-animals", "sort")
HOW["gather-animals"] = HOW["sort"] = HOW["gather"]


NAMED = {"push": push, "billiards": billiards, "gather": gather, "gather-animals": gather_animals, "sort": sort,
         "ant-push": ant_push, "book-stack": book_stack}


def _kept(scene):
    """Bounds that keep all but the rod where the rod can get behind them."""
    return [{"body": body["name"], "coordinate": axis, "low": -WORKSPACE, "high": WORKSPACE, "weight": 10.0}
            for body in scene["bodies"][:-1] for axis in "xy"]


def scene(name, seed=0):
    """The scene of that name, as a value of its file's form."""
    if name not in NAMED:
        raise TinycontactError(f"{name!r} is no scene; there are {', '.join(NAMED)}")
    return NAMED[name](seed)[0]


def task(name, seed=0):
    """The task of that name, as a value of its file's form."""
    if name not in HOW:
        raise TinycontactError(f"{name!r} is no task; there are {', '.join(HOW)}")
    scene_, goals = NAMED[name](seed)
    return {"name": name, "scene": scene_, "goals": [{"body": body, "target": target, "tolerance": tolerance, "end": 1.0,
                                                      "knot": 0.1} for body, target, tolerance in goals],
            "bounds": _kept(scene_) if name in ROUND else [], **HOW[name]}
