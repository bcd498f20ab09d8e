# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""A body from its tosses, by robust least squares over the events of a log; no simulation.

    body = identify(log, solid, mass)            # bodyfile.Body with deviations

rests      height of the tag's origin on each face: scale and floor height; normals of the faces: the floor's tilt
flights    x(t) = x0 + v0 t + g t^2/2 + R(t) o: gravity, and the centre of mass at -o
impacts    d(R I R' w) = r x p at one corner: centre of mass and moments; p_t/p_n where the corner slides on: friction;
           rebound: restitution; how deep the corner sinks: stiffness and damping
slides     slope of the speed on a face: friction

Two ways tell the centre of mass, and they share no error but the tag's. Where they differ by more than their intervals,
both are doubted alike and the interval covers both. Deviations are by bootstrap over tosses.
centre.py and touch.py fit, advice.py says what is left open.
"""
from dataclasses import dataclass, field, replace

import numpy as np

from ..errors import TinycontactError
from . import bodyfile, events, flight, rotation
from .advice import SLIDES, advise
from .centre import EARTH, LEAST, SHAPE_DOUBT, equations, from_arcs, from_impacts, from_rests, lawful, principal
from .robust import BOOTSTRAP, middle_of, pooled
from .touch import SPRING_TIME, inward, ratios_of, rebounds_of, rounding_of, spring_of, struck_by

MOMENT_DOUBT = 0.10       # relative, of each moment about the shape's, before impacts are seen
PLACE_DOUBT = 0.15        # of the half width: where the centre of mass may be, before anything is seen
SEED = 14


@dataclass
class Found:
    """Events of a log, and the body they were found with."""

    log: object
    solid: object
    body: bodyfile.Body
    rests: list
    arcs: list
    impacts: list
    slides: list
    ends: list
    judged: dict = field(default_factory=dict)   # name -> words: what a value was told from
    rounding: float = None
    shape_centre: np.ndarray = None

    def points(self):
        return [one for one in self.impacts if len(one.patch) == 1]

    def edges(self):
        return [one for one in self.impacts if len(one.patch) == 2]


def _start(solid, mass, name):
    """The body of the shape's file alone."""
    body = bodyfile.Body(solid.vertices, mass, name)
    moments, axes = principal(0.5 * (solid.gyration + solid.shell))
    return replace(body, inertia=mass * moments, axes=axes, centre=0.5 * (solid.centroid + solid.hollow),
                   gravity=EARTH)


def find(log, solid, mass, name="", seed=SEED):
    """Found: size, floor, gravity and centre of mass by rests and flights, then impacts and slides."""
    body, rng = _start(solid, mass, name), np.random.default_rng(seed)
    found = Found(log, solid, body, [], [], [], [], [], shape_centre=body.centre)
    found.rests = events.rests(log, solid, body.half_width)
    for _ in range(2):
        found.ends = [flight.end_of_flight(toss, found.body.vertices, found.body.floor) for toss in log.tosses]
        arcs = events.arcs(log, found.ends)
        kinked = events.kinked(arcs)
        found.arcs = [one for one in arcs if one.toss not in kinked]
        _sized(found, rng)
    found.rounding = rounding_of(log, found.body, found.ends)
    found.impacts = [one for one in events.impacts(log, found.body, solid, found.ends) if one.toss not in kinked]
    return found


def _sized(found, rng):
    """Gravity, centre of mass, scale and floor, with deviations."""
    body, deviation = found.body, {}
    centre_doubt = np.full(3, PLACE_DOUBT * body.half_width)
    gravity, centre = EARTH, body.centre
    noise = dict(body.noise)
    if len(found.arcs) >= LEAST:
        fit, spread, left = from_arcs(found.arcs, rng)
        gravity, deviation["gravity"] = -float(fit[2]), float(spread[2])
        # few flights leave the centre open: it is held to the shape's as far as anything is known of it
        held = 1 / (1 + (spread[3:] / centre_doubt) ** 2)
        centre, centre_doubt = -held * fit[3:] + (1 - held) * found.shape_centre, spread[3:] * np.sqrt(held)
        noise["position"] = left
        noise["gravity_direction"] = [float(fit[0] / gravity), float(fit[1] / gravity)]
    scale, floor = gravity / EARTH if len(found.arcs) >= LEAST else 1.0, (0.0, 0.0, 0.0)
    deviation["scale"] = SHAPE_DOUBT
    if len(found.rests) >= 2:
        fit, spread = from_rests(found.rests, found.solid, gravity, rng)
        scale, floor = float(fit[0]), tuple(fit[1:].tolist())
        deviation |= {"scale": float(spread[0]), "floor.height": float(spread[1]), "floor.tilt": spread[2:].tolist()}
    deviation["centre_of_mass"] = centre_doubt.tolist()
    size = (scale / body.scale) ** 2
    found.body = replace(body, gravity=gravity, centre=centre, scale=scale, floor=floor, deviation=deviation,
                         noise=noise, inertia=body.inertia * size)


def _struck_body(found, rng):
    """Centre of mass and moments from clean corners, pooled with the flights'."""
    body, points = found.body, found.points()
    if len(points) < LEAST:
        return
    axes, moments = rotation.matrix(body.axes), body.inertia / body.mass
    wide = np.full(3, PLACE_DOUBT * body.half_width)
    parts = equations(points, body.vertices)
    least = 1e-3 * body.half_width ** 2

    def fit(some, centre, doubt):
        return from_impacts(some, (centre, doubt, moments, MOMENT_DOUBT, axes, least))

    def pick():
        some = rng.integers(len(points), size=len(points))
        return {key: value[some] for key, value in parts.items()}
    by_hit = fit(parts, body.centre, wide)[:3]
    spread = np.std([fit(pick(), body.centre, wide)[:3] for _ in range(BOOTSTRAP)], axis=0)
    centre, doubt = pooled([body.centre, by_hit], [body.deviation["centre_of_mass"], spread])
    held = np.full(3, 1e-6)
    moments_found = fit(parts, centre, held)[3:]
    draws = np.array([fit(pick(), centre, held)[3:] for _ in range(BOOTSTRAP)])
    # what a centre of mass that is off, and corners that are rounded, do to the moments
    other = [fit(parts, by_hit, held)[3:] - moments_found]
    if found.rounding:
        low = parts | {"corner": equations(points, inward(found.solid, body.vertices, found.rounding))["corner"]}
        low["velocity"] = parts["velocity"]
        other.append((fit(low, centre, held)[3:] - moments_found) / 2)
    spread_moments = np.sqrt(np.std(draws, axis=0) ** 2 + np.sum(np.square(other), axis=0))
    found.judged["centre_of_mass"] = f"{len(found.arcs)} flights, {len(points)} impacts of a corner"
    found.judged["inertia"] = found.judged["inertia_ratio"] = f"{len(points)} impacts of a corner"
    deviation = body.deviation | {"centre_of_mass": doubt.tolist(),
                                  "inertia": (body.mass * spread_moments).tolist()}
    half = body.half_width ** 2
    ratio_draws = np.std(draws.mean(axis=1)) / half
    systematic = np.linalg.norm([one.mean() for one in other]) / half
    deviation["inertia_ratio"] = float(np.hypot(ratio_draws, systematic))
    noise = body.noise | {"centre_of_mass_by_flight": np.asarray(body.centre).tolist(),
                          "centre_of_mass_by_impact": by_hit.tolist()}
    found.body = replace(body, centre=centre, inertia=body.mass * lawful(moments_found), deviation=deviation,
                         noise=noise)


def _touched(found, rng):
    """Frictions, restitution, spring."""
    body = found.body
    found.slides = events.slides(found.log, body, found.solid, found.ends)
    points, edges = struck_by(body, found.points()), struck_by(body, found.edges())
    told = {"point": (ratios_of(points), "corners that slide on"), "edge": (ratios_of(edges), "edges that slide on"),
            "face": (np.array([one.ratio for one in found.slides]), "slides on a face")}
    friction, deviation = {}, dict(body.deviation)
    for patch, (values, words) in told.items():
        if len(values) >= SLIDES:
            friction[patch], deviation[f"friction.{patch}"] = middle_of(values, rng)
            found.judged[f"friction.{patch}"] = f"{len(values)} {words}"
    rebound, restitution = rebounds_of(points), None
    if len(rebound) >= LEAST:
        restitution, deviation["restitution"] = middle_of(rebound, rng)
        found.judged["restitution"] = f"{len(rebound)} impacts of a corner"
    found.body = replace(body, friction=friction, restitution=restitution, deviation=deviation)
    _sprung(found, rng)


def _sprung(found, rng):
    """Stiffness and damping, roughly."""
    body, points = found.body, found.points()
    mu, low = body.friction.get("point", 0.0), (found.rounding or 0.0) * (np.sqrt(3) - 1)
    points = [replace(one, depth=(one.depth[0] - low, one.depth[1] - low)) for one in points]
    step = found.log.step
    if len(points) < 2 * LEAST or step > SPRING_TIME:
        return
    fit = spring_of(body, points, mu)
    if fit is None:
        return
    draws = []
    for _ in range(8):
        some = rng.integers(len(points), size=len(points))
        one = spring_of(body, [points[k] for k in some], mu)
        draws += [np.log(one[:2])] if one else []
    spread = np.exp(np.std(draws, axis=0)) - 1 if draws else np.ones(2)
    # a rounding that is off by half a millimetre moves the spring by about as much as the corner sinks
    doubt = np.hypot(spread, 0.3)
    found.judged["stiffness"] = found.judged["damping"] = f"depths of {len(points)} corners"
    found.body = replace(body, stiffness=float(fit[0]), damping=float(fit[1]),
                         deviation=body.deviation | {"stiffness": float(doubt[0] * fit[0]),
                                                     "damping": float(doubt[1] * fit[1])})


def identify(log, solid, mass, name="", seed=SEED):
    """(Body, Found) of a log: least squares alone."""
    found = find(log, solid, mass, name, seed)
    rng = np.random.default_rng(seed + 1)
    if len(found.arcs) + len(found.points()) < 2:
        raise TinycontactError(f"{log.path}: no throw has a flight of {events.LEAST_FLIGHT} rows"
                               " before it touches; the"
                               " first row has to be in free flight")
    _struck_body(found, rng)
    _touched(found, rng)
    body = found.body
    ratio = float(np.mean(body.inertia) / body.mass / body.half_width ** 2)
    noise = body.noise
    if found.rounding:
        noise = noise | {"rounding": found.rounding}
    found.judged |= {"scale": f"{len(found.rests)} rests, the shape's file, gravity",
                     "floor.height": f"{len(found.rests)} rests", "floor.tilt": f"{len(found.rests)} rests",
                     "gravity": f"{len(found.arcs)} flights"}
    found.judged.setdefault("centre_of_mass", f"{len(found.arcs)} flights")
    found.body = replace(body, inertia_ratio=ratio, noise=noise, tosses=len(log.tosses))
    advise(found)
    return found.body, found
