# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Distances of convex pairs beside Coal, MuJoCo and Bullet: `make shape-peers`.

    python -m tinycontact.peers.shapes [--count 2000] [--seed 1] [-o tests/shape/peers.csv]

All get the same random pairs of spheres, capsules, boxes, cylinders and rounded boxes, every fourth one nearly
parallel, from sunk by a third of the size to a size apart. What is compared is the signed distance that all of them
define alike: apart the distance, sunk minus the shortest translation (our rule "translation").

Truth, in float64 and of no solver: the signed distance is the largest gap between the pair over all directions n,
n.(xa - xb) - S_a(-n) - S_b(n) with the support functions S in closed form. It is taken over the normals of all
solvers, the axes of both shapes and their products, and refined by a random search. Every direction is a lower bound.

Errors are shares of the smaller shape's largest half extent. Times are per pair, of the call alone: ours is many calls
of one pair from C with its checks, float32; the others are called from Python, and an empty call of the same form is
subtracted where there is one. Peers that are not installed, and shapes that they do not have, are left out.
"""
import argparse
import csv
import itertools
import time

import numpy as np

from ..progress import progress
from ..shape.distance import Meet

COLUMNS = ("solver", "pairs", "error_median", "error_p99", "error_max", "beyond_1e-6", "beyond_1e-2", "median_us",
           "p99_us")
ROUNDS = 60          # calls of one pair, of which the mean time counts
TRIES = 60           # directions of a step of the truth's search


# ---- Pairs -------------------------------------------------------------------------------------------------------------

def draw_shape(rng, kind):
    """{kind, ...} as a shape's file has it."""
    a, b, c = (float(x) for x in rng.uniform(0.03, 0.2, 3))
    return {"sphere": {"kind": "sphere", "r": a}, "capsule": {"kind": "capsule", "r": 0.4 * a, "half": b},
            "box": {"kind": "box", "h": [a, b, c]}, "cylinder": {"kind": "cylinder", "r": a, "half": b},
            "rounded box": {"kind": "box", "h": [a, b, c], "r": 0.3 * min(a, b, c)}}[kind]


KINDS = ("sphere", "capsule", "box", "cylinder", "rounded box")


def rotation(v):
    """exp([v]x)"""
    angle = np.linalg.norm(v)
    if angle == 0:
        return np.eye(3)
    x, y, z = v / angle
    K = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + np.sin(angle) * K + (1 - np.cos(angle)) * K @ K


def quaternion(R):
    """(x, y, z, w), the eigenvector of the largest eigenvalue: no case is special."""
    K = np.array([[R[0, 0] - R[1, 1] - R[2, 2], 0, 0, 0],
                  [R[0, 1] + R[1, 0], R[1, 1] - R[0, 0] - R[2, 2], 0, 0],
                  [R[0, 2] + R[2, 0], R[1, 2] + R[2, 1], R[2, 2] - R[0, 0] - R[1, 1], 0],
                  [R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1], np.trace(R)]])
    return np.linalg.eigh(K)[1][:, -1]


def size_of(shape):
    return {"sphere": lambda: shape["r"], "capsule": lambda: shape["r"] + shape["half"],
            "box": lambda: max(shape["h"]), "cylinder": lambda: max(shape["r"], shape["half"])}[shape["kind"]]()


def reach(shape, n):
    """Support functions S(n) for directions n [k, 3] in the shape's axes."""
    kind, r = shape["kind"], shape.get("r", 0.0)
    if kind == "sphere":
        return np.full(len(n), r)
    if kind == "capsule":
        return r + shape["half"] * np.abs(n[:, 2])
    if kind == "cylinder":
        return r * np.hypot(n[:, 0], n[:, 1]) + shape["half"] * np.abs(n[:, 2])
    return np.abs(n) @ (np.array(shape["h"]) - r) + r


class Pair:
    """Two posed shapes; gaps() along world directions n [k, 3], each a lower bound of the signed distance."""

    def __init__(self, rng, kinds, number):
        self.a, self.b = (draw_shape(rng, kind) for kind in kinds)
        self.size = min(size_of(self.a), size_of(self.b))
        self.Ra = rotation(rng.normal(size=3) * 2)
        self.Rb = rotation(rng.normal(size=3) * 10 ** rng.uniform(-6, -1)) @ self.Ra if number % 4 == 3 \
            else rotation(rng.normal(size=3) * 2)
        self.xb = np.zeros(3)
        way = rng.normal(size=(1, 3))
        way /= np.linalg.norm(way)
        self.xa = np.zeros(3)
        wanted = rng.uniform(-0.3, 1.0) * self.size
        self.xa = way[0] * (wanted - self.gaps(way)[0])

    def gaps(self, n):
        return n @ (self.xa - self.xb) - reach(self.a, -n @ self.Ra) - reach(self.b, n @ self.Rb)

    def truth(self, rng, normals):
        axes = np.concatenate([self.Ra.T, self.Rb.T])
        products = np.array([np.cross(u, v) for u, v in itertools.product(self.Ra.T, self.Rb.T)])
        n = np.concatenate([axes, products, [self.xa - self.xb], *([normals] if len(normals) else [])])
        lengths = np.linalg.norm(n, axis=1)
        n = n[lengths > 1e-9] / lengths[lengths > 1e-9, None]
        n = np.concatenate([n, -n])
        best = n[np.argmax(self.gaps(n))]
        for step in 0.3 * 0.55 ** np.arange(28):
            tried = best + step * rng.normal(size=(TRIES, 3))
            tried = np.concatenate([[best], tried / np.linalg.norm(tried, axis=1)[:, None]])
            best = tried[np.argmax(self.gaps(tried))]
        return self.gaps(best[None])[0]


# ---- Solvers: each is a function pair -> (distance, normal or None, seconds), or None for shapes that it lacks -----------

def timed(call, empty=None):
    """(result, seconds of a call)"""
    result = call()
    start = time.perf_counter()
    for _ in range(ROUNDS):
        call()
    spent = time.perf_counter() - start
    if empty:
        start = time.perf_counter()
        for _ in range(ROUNDS):
            empty()
        spent -= time.perf_counter() - start
    return result, max(spent, 0.0) / ROUNDS


def ours(pair):
    meet = Meet(pair.a, pair.b)
    poses = [(pair.Ra, np.repeat(pair.xa[None], n, axis=0), pair.Rb, pair.xb) for n in (1, 401)]
    found, spent = None, []
    for many in poses:
        start = time.perf_counter()
        found = meet.distance(*many, "translation", derivatives=False)
        spent.append(time.perf_counter() - start)
    return found.distance[0], found.normal[0], max(spent[1] - spent[0], 0.0) / 400


def coal_solver():
    import coal

    def geometry(shape):
        r = shape.get("r", 0.0)
        if shape["kind"] == "sphere":
            return coal.Sphere(r)
        if shape["kind"] == "capsule":
            return coal.Capsule(r, 2 * shape["half"])
        if shape["kind"] == "cylinder":
            return coal.Cylinder(r, 2 * shape["half"])
        box = coal.Box(*(2 * (h - r) for h in shape["h"]))
        if r > 0:
            box.setSweptSphereRadius(r)
        return box

    def solve(pair):
        a, b = geometry(pair.a), geometry(pair.b)
        at_a, at_b = coal.Transform3s(pair.Ra, pair.xa), coal.Transform3s(pair.Rb, pair.xb)
        request, result = coal.DistanceRequest(), coal.DistanceResult()
        distance, spent = timed(lambda: (result.clear(), coal.distance(a, at_a, b, at_b, request, result))[1],
                                lambda: (result.clear(), at_a.getTranslation())[1])
        return distance, -np.array(result.normal), spent
    return solve


def mujoco_solver():
    import mujoco
    kinds = {"sphere": lambda s: [s["r"]], "capsule": lambda s: [s["r"], s["half"]],
             "cylinder": lambda s: [s["r"], s["half"]], "box": lambda s: s["h"]}

    def solve(pair):
        if any(shape["kind"] == "box" and "r" in shape for shape in (pair.a, pair.b)):
            return None
        spec = mujoco.MjSpec()
        for shape, R, x in ((pair.a, pair.Ra, pair.xa), (pair.b, pair.Rb, pair.xb)):
            quat = np.zeros(4)
            mujoco.mju_mat2Quat(quat, R.ravel())
            size = list(kinds[shape["kind"]](shape)) + [0.0, 0.0]
            body = spec.worldbody.add_body(pos=x, quat=quat)
            body.add_freejoint()
            body.add_geom(type=getattr(mujoco.mjtGeom, f"mjGEOM_{shape['kind'].upper()}"), size=size[:3])
        model = spec.compile()
        data = mujoco.MjData(model)
        mujoco.mj_kinematics(model, data)
        ends = np.zeros(6)
        distance, spent = timed(lambda: mujoco.mj_geomDistance(model, data, 0, 1, 10.0, ends),
                                lambda: mujoco.mju_copy(ends, ends))
        normal = ends[:3] - ends[3:]
        return distance, normal * np.sign(distance), spent
    return solve


def bullet_solver():
    import pybullet
    client = pybullet.connect(pybullet.DIRECT)

    def shape_of(shape):
        kind = shape["kind"]
        if kind == "sphere":
            return pybullet.createCollisionShape(pybullet.GEOM_SPHERE, radius=shape["r"], physicsClientId=client)
        if kind == "box":
            return pybullet.createCollisionShape(pybullet.GEOM_BOX, halfExtents=shape["h"], physicsClientId=client)
        form = pybullet.GEOM_CAPSULE if kind == "capsule" else pybullet.GEOM_CYLINDER
        return pybullet.createCollisionShape(form, radius=shape["r"], height=2 * shape["half"], physicsClientId=client)

    def solve(pair):
        if any(shape["kind"] == "box" and "r" in shape for shape in (pair.a, pair.b)):
            return None
        pybullet.resetSimulation(physicsClientId=client)
        bodies = []
        for shape, R, x in ((pair.a, pair.Ra, pair.xa), (pair.b, pair.Rb, pair.xb)):
            bodies.append(pybullet.createMultiBody(1.0, shape_of(shape), -1, x, quaternion(R), physicsClientId=client))
        points, spent = timed(lambda: pybullet.getClosestPoints(*bodies, 10.0, physicsClientId=client),
                              lambda: pybullet.getNumBodies(physicsClientId=client))
        if not points:
            return None
        deepest = min(points, key=lambda point: point[8])
        return deepest[8], np.array(deepest[7]), spent
    return solve


def solvers():
    found = {"ours": ours}
    for name, make in (("Coal", coal_solver), ("MuJoCo", mujoco_solver), ("Bullet", bullet_solver)):
        try:
            found[name] = make()
        except ImportError as error:
            print(f"{name} is left out: {error}")
    return found


# ---- The table ---------------------------------------------------------------------------------------------------------

def compare(count, seed):
    """{solver: [(error, seconds)]}"""
    rng, by = np.random.default_rng(seed), solvers()
    told = {name: [] for name in by}
    combinations = list(itertools.product(KINDS, KINDS))
    for number, _ in progress(list(range(count)), "pair"):
        pair = Pair(rng, combinations[number % len(combinations)], number // len(combinations))
        answers = {name: solve(pair) for name, solve in by.items()}
        normals = np.array([answer[1] for answer in answers.values()
                            if answer and np.all(np.isfinite(answer[1])) and np.linalg.norm(answer[1]) > 1e-6])
        truth = pair.truth(rng, normals.reshape(-1, 3))
        for name, answer in answers.items():
            if answer:
                told[name].append((abs(answer[0] - truth) / pair.size, answer[2]))
    return told


def rows(told):
    for name, entries in told.items():
        errors, times = np.array(entries).T
        yield dict(zip(COLUMNS, (
            name, len(entries), *(f"{x:.2g}" for x in (np.median(errors), np.quantile(errors, 0.99), errors.max())),
            f"{np.mean(errors > 1e-6):.4f}", f"{np.mean(errors > 1e-2):.4f}", f"{1e6 * np.median(times):.2f}",
            f"{1e6 * np.quantile(times, 0.99):.2f}")))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("-o", "--output", metavar="CSV")
    options = parser.parse_args()
    table = list(rows(compare(options.count, options.seed)))
    for row in [dict(zip(COLUMNS, COLUMNS)), *table]:
        print("  ".join(f"{row[column]!s:>12}" for column in COLUMNS))
    if options.output:
        with open(options.output, "w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
            writer.writeheader()
            writer.writerows(table)


if __name__ == "__main__":
    main()
