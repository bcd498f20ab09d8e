# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""What a log leaves open of a body, and which throws would tell it."""
import numpy as np

from . import events
from .centre import LEAST

SLIDES = 3                # impacts or slides that a friction is told from
TARGET = {"centre_of_mass": 0.01, "inertia": 0.05, "friction": 0.01}   # of the width, relative, absolute
THROWS = {"point": "corner first", "edge": "edge first", "face": "flat and fast, so that it slides on a face"}


def advise(found):
    """Fills undetermined and advice."""
    body, lacks, advice = found.body, [], []
    points, slides, edges = len(found.points()), len(found.slides), len(found.edges())

    def lack(names, reason, words):
        lacks.extend({"name": name, "reason": reason} for name in names)
        advice.append(words)
    lack(["mass"], "given by the shape's file: motion has no unit of mass", "weigh the body")
    if len(found.arcs) < LEAST:
        lack(["gravity"], f"{len(found.arcs)} flights of {events.LEAST_FLIGHT} rows or more",
             f"{LEAST - len(found.arcs)} more throws from higher up, spinning")
    if len(found.rests) < 2:
        lack(["scale", "floor.height", "floor.tilt"], f"{len(found.rests)} throws end at rest on a face",
             f"{LEAST} throws logged until the body lies still")
    elif np.ptp(found.solid.offsets[[one.face for one in found.rests]]) < 0.05 * body.half_width:
        lacks.append({"name": "floor.height", "reason": "all rests are equally high: height and scale are told apart by"
                      " the shape's file and gravity alone"})
    if points < LEAST:
        lack(["inertia", "inertia_ratio", "restitution", "stiffness", "damping"], f"{points} clean impacts of a corner",
             f"{2 * LEAST - points} more throws {THROWS['point']}, tilted by more than 15 degrees"
             " from edges and faces")
    for patch, words in THROWS.items():
        if patch not in body.friction:
            lack([f"friction.{patch}"], f"fewer than {SLIDES} impacts or slides that keep sliding",
                 f"10 more throws {words}, with 1 m/s along the"
                 " floor")
    _sharpen(body, (points, edges, slides), advice)
    known = [value for value in body.friction.values()]
    for patch in THROWS:
        if known:
            body.friction.setdefault(patch, float(np.mean(known)))
    body.undetermined, body.advice = lacks, advice


def _sharpen(body, counts, advice):
    """How many throws more would bring a deviation to its target: it falls with the root of their number."""
    width, points = 2 * body.half_width, counts[0]
    worst = float(np.max(body.deviation["centre_of_mass"]))
    wanted = TARGET["centre_of_mass"] * width
    apart = body.noise.get("centre_of_mass_by_impact")
    if worst > wanted and apart is None:
        more = int(np.ceil(max(body.tosses, 1) * ((worst / wanted) ** 2 - 1)))
        advice.append(f"about {min(more, 1000)} more spinning throws for a centre of mass within"
                      f" {1e3 * wanted:.1f} mm")
    share = body.deviation.get("inertia_ratio", 0.0) / max(body.inertia_ratio, 1e-9)
    if share > TARGET["inertia"]:
        more = int(np.ceil(points * ((share / TARGET["inertia"]) ** 2 - 1)))
        advice.append(f"about {min(more, 1000)} more throws corner first for moments of inertia"
                      " within 5 %")
    for patch, count in zip(THROWS, counts):
        spread = body.deviation.get(f"friction.{patch}", 0.0)
        if spread > TARGET["friction"]:
            more = int(np.ceil(count * ((spread / TARGET["friction"]) ** 2 - 1)))
            advice.append(f"about {min(more, 1000)} more throws {THROWS[patch]} for its friction"
                          " within 0.01")
