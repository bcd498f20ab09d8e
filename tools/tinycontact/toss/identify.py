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
"""
from dataclasses import dataclass, field, replace

import numpy as np

from ..errors import TinycontactError
from . import bodyfile, events, flight, rotation

EARTH = 9.80665           # [m/s^2]: gravity as seen over this is the tracker's unit of length
SHAPE_DOUBT = 0.005       # relative: how well a shape's file knows the size
FLOOR_DOUBT = 0.5e-3      # [m]: how well the log's z = 0 is the floor
MOMENT_DOUBT = 0.10       # relative, of each moment about the shape's, before impacts are seen
PLACE_DOUBT = 0.15        # of the half width: where the centre of mass may be, before anything is seen
SLIDES_ON = 0.3           # [m/s] slip behind an impact from which friction has not ended it
OPPOSED = 0.95            # cosine between friction and slip
ROUNDS, LEAST = 25, 5     # of Gauss-Newton; events that a value is told from
SLIDES = 3                # the same, of a friction
BOOTSTRAP, SEED = 40, 14
SPRING_TIME = 0.012       # [s] since touch over which depths tell the spring
SUNK = 2e-4               # [m]: a corner so deep is pushed
TARGET = {"centre_of_mass": 0.01, "inertia": 0.05, "friction": 0.01}   # of the width, relative, absolute


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


def soft(rest, scale):
    """Weights of soft-L1."""
    return 1 / np.sqrt(1 + (rest / max(scale, 1e-300)) ** 2)


def spread_of(values):
    """Standard deviation by the median, of what may have outliers."""
    return float(1.4826 * np.median(np.abs(values - np.median(values)))) if len(values) else np.nan


def middle_of(values, rng):
    """(soft-L1 mean, its deviation by bootstrap)."""
    values = np.asarray(values, dtype=float)
    if len(values) == 1:
        return float(values[0]), np.nan

    def mean(sample):
        scale, found = max(spread_of(sample), 1e-12), float(np.median(sample))
        for _ in range(10):
            weight = soft(sample - found, 1.5 * scale)
            found = float(weight @ sample / weight.sum())
        return found
    draws = [mean(values[rng.integers(len(values), size=len(values))]) for _ in range(BOOTSTRAP)]
    return mean(values), float(np.std(draws))


# ---- Flight: gravity and one way to the centre of mass

def from_arcs(arcs, rng):
    """((g [3], o [3]), deviations [6], noise [m]): least squares, and arcs that fit badly count less."""
    matrix, right = np.array([one.matrix for one in arcs]), np.array([one.right for one in arcs])
    square, count = np.array([one.square for one in arcs]), np.array([one.count for one in arcs])

    def fit(pick):
        weight = np.ones(len(pick))
        for _ in range(5):
            found = np.linalg.lstsq(np.einsum("a,aij->ij", weight, matrix[pick]), weight @ right[pick], rcond=1e-12)[0]
            rest = np.maximum(square[pick] - 2 * right[pick] @ found
                              + np.einsum("i,aij,j->a", found, matrix[pick], found), 0) / count[pick]
            weight = 1 / (1 + rest / max(np.median(rest), 1e-18) / 4)
        return found, float(np.sqrt(np.median(rest)))
    found, noise = fit(np.arange(len(arcs)))
    draws = [fit(rng.integers(len(arcs), size=len(arcs)))[0] for _ in range(BOOTSTRAP)]
    return found, np.std(draws, axis=0), noise


# ---- Impacts: another way to it, and the moments

def _equations(impacts, vertices):
    """The impacts as arrays: what the residual d(R I R' w) - r x p needs."""
    stack = {name: np.array([getattr(one, name) for one in impacts])
             for name in ("velocity", "omega", "turn", "arm_rate", "hit_turn")}
    stack["corner"] = np.array([vertices[one.patch[0]] for one in impacts])
    return stack


def _residual(parts, centre, moments, axes):
    """[impacts, 3] per unit mass [m^2/s], and its derivatives [impacts, 3, 6] by centre and moments."""
    jump = parts["arm_rate"][:, 1] - parts["arm_rate"][:, 0]
    impulse = parts["velocity"][:, 1] - parts["velocity"][:, 0] + jump @ centre
    lever = np.einsum("nij,nj->ni", parts["hit_turn"], parts["corner"] - centre)
    own = np.einsum("ji,naj->nai", axes, parts["omega"])   # along principal axes
    by_moment = np.einsum("naij,jk,nak->naik", parts["turn"], axes, own)
    by_moment = by_moment[:, 1] - by_moment[:, 0]
    rest = by_moment @ moments - rotation.cross(lever, impulse)
    columns = np.swapaxes(parts["hit_turn"], 1, 2), np.swapaxes(jump, 1, 2)
    by_centre = np.swapaxes(rotation.cross(columns[0], impulse[:, None])
                            - rotation.cross(lever[:, None], columns[1]), 1, 2)
    return rest, np.concatenate([by_centre, by_moment], axis=2)


def from_impacts(parts, prior, free=True):
    """(centre [3], moments over mass [3]) by soft-L1 Gauss-Newton. `prior` is (centre, its deviation
    [3], moments, their relative doubt, axes, scale of the rest); it holds what few impacts leave open."""
    centre, doubt, moments, share, axes, least = prior
    state, start = np.concatenate([centre, moments]), np.concatenate([centre, moments])
    common = moments / np.linalg.norm(moments)
    # moments: the common factor is free, what is across it is held to the shape
    across = (np.eye(3) - np.outer(common, common)) / (share * np.mean(moments))
    for _ in range(ROUNDS):
        rest, slope = _residual(parts, state[:3], state[3:], axes)
        rest, slope = rest.ravel(), slope.reshape(-1, 6)
        scale = max(spread_of(rest), least)
        weight = np.sqrt(soft(rest, scale)) / scale
        held = np.zeros((6, 6))
        held[:3, :3], held[3:, 3:] = np.diag(1 / doubt), across
        design = np.concatenate([slope * weight[:, None], held])
        right = np.concatenate([-rest * weight, -held @ (state - start)])
        if not free:
            design[:, :3] = 0
        change = np.linalg.lstsq(design, right, rcond=1e-12)[0]
        state = state + change
        if np.abs(change).max() < 1e-9:
            break
    return state


def _pooled(values, deviations):
    """The mean of two ways to a value, weighed by their deviations and what they disagree by, and its deviation."""
    values, variance = np.array(values), np.maximum(np.array(deviations), 1e-9) ** 2
    weight = 1 / variance
    mean = (weight * values).sum(axis=0) / weight.sum(axis=0)
    excess = (weight * (values - mean) ** 2).sum(axis=0) - (len(values) - 1)
    between = np.maximum(excess, 0) / (weight.sum(axis=0) - (weight ** 2).sum(axis=0) / weight.sum(axis=0))
    weight = 1 / (variance + between)
    return (weight * values).sum(axis=0) / weight.sum(axis=0), np.sqrt(1 / weight.sum(axis=0))


# ---- Rests: size and floor

def from_rests(rests, solid, gravity, rng):
    """(scale, height, tilt [2]) and their deviations: heights of faces, the shape's file, and gravity as seen."""
    unit = gravity / EARTH
    offset = np.array([solid.offsets[one.face] for one in rests])
    height = np.array([one.height for one in rests])
    up = np.array([one.up for one in rests]).reshape(-1, 3)

    def fit(pick):
        tilt = -np.median(up[pick], axis=0)[:2] if len(pick) >= 4 * LEAST else np.zeros(2)
        place = np.array([rests[k].place for k in pick])
        level = height[pick] - place @ tilt
        scale, floor = unit, 0.0
        for _ in range(10):
            rest = level - floor - scale * offset[pick]
            noise = max(spread_of(rest), 1e-4)
            weight = np.sqrt(soft(rest, noise)) / noise
            design = np.concatenate([np.stack([offset[pick], np.ones(len(pick))], axis=1) * weight[:, None],
                                     [[1 / SHAPE_DOUBT, 0.0], [0.0, 1 / FLOOR_DOUBT]]])
            right = np.concatenate([level * weight, [unit / SHAPE_DOUBT, 0.0]])
            scale, floor = np.linalg.lstsq(design, right, rcond=None)[0]
        covariance = np.linalg.inv(design.T @ design)
        return np.array([scale, floor, *tilt]), np.sqrt(np.diag(covariance))
    found, formal = fit(np.arange(len(rests)))
    draws = np.array([fit(rng.integers(len(rests), size=len(rests)))[0] for _ in range(BOOTSTRAP)])
    spread = np.std(draws, axis=0)
    return found, np.concatenate([np.hypot(spread[:2], formal), spread[2:]])


# ---- Friction, restitution, spring

def _struck(body, impacts):
    """Per impact: (friction over normal impulse, slip behind, cosine of friction against it, rebound,
    closing speed). The patch's velocities before and behind are brought to the impulse's centroid."""
    rows = []
    for one in impacts:
        v = one.velocity + one.arm_rate @ body.centre
        lever = one.hit_turn @ (body.vertices[list(one.patch)].mean(axis=0) - body.centre)
        spin = np.einsum("aij,aj->ai", one.turn, one.omega)
        point = v + rotation.cross(spin, lever) - np.array([0.0, 0.0, body.gravity * one.hit_time])
        p = v[1] - v[0]
        slip, across = np.linalg.norm(point[1, :2]), np.linalg.norm(p[:2])
        against = -(p[:2] @ point[1, :2]) / max(slip * across, 1e-12)
        rows.append((across / max(p[2], 1e-9), slip, against, point[1, 2], -point[0, 2]))
    return np.array(rows).reshape(-1, 5)


def ratios_of(struck):
    """Friction over normal impulse where the patch slides on."""
    keep = (struck[:, 1] > SLIDES_ON) & (struck[:, 2] > OPPOSED) if len(struck) else []
    return struck[keep, 0] if len(struck) else np.zeros(0)


def rebounds_of(struck):
    """-u+/u- of the normal speed where it was fast."""
    keep = struck[:, 4] > SLIDES_ON if len(struck) else []
    return np.clip(struck[keep, 3] / struck[keep, 4], 0, 1) if len(struck) else np.zeros(0)


def _depths(body, impacts, mu):
    """(time since touch, depth, closing speed, mass at the corner over the body's) of the rows in which
    corners sink."""
    inverse, rows = np.linalg.inv(body.inertia_matrix / body.mass), []
    for one in impacts:
        corner = body.vertices[one.patch[0]]
        lever = one.hit_turn @ (corner - body.centre)
        slip = one.velocity[0] + one.turn[0] @ rotation.cross(one.omega[0], corner)
        way = np.array([0.0, 0.0, 1.0])
        way[:2] = -mu * slip[:2] / max(np.linalg.norm(slip[:2]), 1e-6)
        spun = one.hit_turn @ inverse @ one.hit_turn.T @ rotation.cross(lever, way)
        mass = 1 / max((way + rotation.cross(spun, lever))[2], 1e-3)
        closing = -slip[2] + body.gravity * max(one.touch_time, 0.0)
        time, depth = one.depth
        keep = (time > 0) & (time < SPRING_TIME)
        rows += [(t, d, closing, mass) for t, d in zip(time[keep], depth[keep])]
    return np.array(rows).reshape(-1, 4)


def spring_of(body, impacts, mu):
    """(stiffness, damping, root mean square of the rest [m]): u/w exp(-z t) sin(w t) met by the depths, then free."""
    rows = _depths(body, impacts, mu)
    if np.sum(rows[:, 1] > SUNK) < 2 * LEAST:
        return None
    t, depth, closing, mass = rows.T
    mass = mass * body.mass

    def miss(logs):
        k, c = np.exp(logs)
        own, damp = np.sqrt(k / mass), c / (2 * mass)
        damp = np.minimum(damp, 0.95 * own)
        w = np.sqrt(own ** 2 - damp ** 2)
        sunk = closing / w * np.exp(-damp * t) * np.sin(np.minimum(w * t, np.pi))
        speed = closing * np.exp(-damp * np.pi / w)
        return sunk - np.maximum(w * t - np.pi, 0) / w * speed - depth
    best, state = np.inf, None
    for k in np.exp(np.linspace(np.log(3e3), np.log(1e6), 25)) * body.mass:
        for c in np.exp(np.linspace(np.log(5), np.log(1e3), 12)) * body.mass:
            loss = np.sum(np.sqrt(1 + (miss(np.log([k, c])) / 5e-4) ** 2))
            if loss < best:
                best, state = loss, np.log([k, c])
    for _ in range(20):
        rest = miss(state)
        slope = np.stack([(miss(state + step) - rest) / 1e-4 for step in 1e-4 * np.eye(2)], axis=1)
        weight = np.sqrt(soft(rest, 5e-4))
        change = np.linalg.lstsq(slope * weight[:, None], -rest * weight, rcond=None)[0]
        state = state + np.clip(change, -0.3, 0.3)
    return (*np.exp(state), float(np.sqrt(np.mean(np.minimum(np.abs(miss(state)), 5e-3) ** 2))))


# ---- Rounded corners: how much lower than its sharp shape a body lies on edges and corners

def lowering_of(log, body, ends):
    """(times the rounding [rows], lowering [m] [rows]) while the body rocks on an edge or a corner and
    weighs about what it does at rest: between right angles an edge lies lower by .41 of the rounding, a
    corner by .73."""
    share, low = [], []
    half = body.half_width
    for toss, end in zip(log.tosses, ends):
        turn = rotation.matrix(toss.orientation)
        height = flight.heights(toss.position, toss.orientation, body.vertices, body.floor)
        h = float(np.median(np.diff(toss.t)))
        centre = toss.position[:, 2] + turn[:, 2] @ body.centre
        rise = np.full(len(toss), np.inf)
        rise[2:-2] = (centre[4:] - 2 * centre[2:-2] + centre[:-4]) / (4 * h * h)
        order = np.sort(height, axis=1)
        count = (order < order[:, :1] + 0.06 * half).sum(axis=1)
        alone = order[np.arange(len(toss)), np.minimum(count, order.shape[1] - 1)] > order[:, 0] + 0.2 * half
        rows = (np.abs(rise) < 0.4 * body.gravity) & alone & (count <= 2) & (np.arange(len(toss)) > end + 3)
        rows &= np.abs(order[:, 0]) < 0.06 * half
        share += np.where(count[rows] == 1, np.sqrt(3) - 1, np.sqrt(2) - 1).tolist()
        low += (-order[rows, 0]).tolist()
    return np.array(share), np.array(low)


def rounding_of(log, body, ends):
    """Radius [m] of edges and corners, or None: too few rows, or none to be seen."""
    share, low = lowering_of(log, body, ends)
    if len(low) < 10 * LEAST:
        return None
    found = float(np.median(low / share))
    return found if found > 3 * FLOOR_DOUBT / np.sqrt(2) / 2 else None


def inward(solid, vertices, radius):
    """[n, 3]: centres of the spheres that round the corners."""
    found = vertices.copy()
    for k in range(len(vertices)):
        normals = np.array([n for n, loop in zip(solid.normals, solid.faces) if k in loop])
        if len(normals) > 2:
            found[k] -= np.linalg.lstsq(normals, np.full(len(normals), radius), rcond=None)[0]
    return found


# ---- All together

def _start(solid, mass, name):
    """The body of the shape's file alone."""
    body = bodyfile.Body(solid.vertices, mass, name)
    moments, axes = _principal(0.5 * (solid.gyration + solid.shell))
    return replace(body, inertia=mass * moments, axes=axes, centre=0.5 * (solid.centroid + solid.hollow),
                   gravity=EARTH)


def _principal(matrix):
    """(moments [3], quaternion of their axes): tag axes where they are principal, or as good."""
    off = matrix - np.diag(np.diag(matrix))
    if np.abs(off).max() < 1e-6 * np.trace(matrix):
        return np.diag(matrix).copy(), np.array([1.0, 0, 0, 0])
    moments, axes = np.linalg.eigh(matrix)
    axes = axes * np.sign(np.linalg.det(axes))
    w = np.sqrt(max(1 + np.trace(axes), 0)) / 2
    if w < 1e-3:   # half a turn: other signs of two axes are as good
        axes = axes[:, [1, 2, 0]]
        moments = moments[[1, 2, 0]]
        w = np.sqrt(max(1 + np.trace(axes), 1e-12)) / 2
    vector = np.array([axes[2, 1] - axes[1, 2], axes[0, 2] - axes[2, 0], axes[1, 0] - axes[0, 1]]) / (4 * w)
    q = np.concatenate([[w], vector])
    return moments, q / np.linalg.norm(q)


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
    parts = _equations(points, body.vertices)
    least = 1e-3 * body.half_width ** 2

    def fit(some, centre, doubt):
        return from_impacts(some, (centre, doubt, moments, MOMENT_DOUBT, axes, least))

    def pick():
        some = rng.integers(len(points), size=len(points))
        return {key: value[some] for key, value in parts.items()}
    by_hit = fit(parts, body.centre, wide)[:3]
    spread = np.std([fit(pick(), body.centre, wide)[:3] for _ in range(BOOTSTRAP)], axis=0)
    centre, doubt = _pooled([body.centre, by_hit], [body.deviation["centre_of_mass"], spread])
    held = np.full(3, 1e-6)
    moments_found = fit(parts, centre, held)[3:]
    draws = np.array([fit(pick(), centre, held)[3:] for _ in range(BOOTSTRAP)])
    # what a centre of mass that is off, and corners that are rounded, do to the moments
    other = [fit(parts, by_hit, held)[3:] - moments_found]
    if found.rounding:
        low = parts | {"corner": _equations(points, inward(found.solid, body.vertices, found.rounding))["corner"]}
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
    found.body = replace(body, centre=centre, inertia=body.mass * _lawful(moments_found), deviation=deviation,
                         noise=noise)


def _lawful(moments):
    """Moments of a rigid body nearest below: none above the sum of the other two."""
    moments = np.maximum(moments, 1e-3 * moments.max())
    largest = int(np.argmax(moments))
    moments[largest] = min(moments[largest], moments.sum() - moments[largest])
    return moments


def _touched(found, rng):
    """Frictions, restitution, spring."""
    body = found.body
    found.slides = events.slides(found.log, body, found.solid, found.ends)
    points, edges = _struck(body, found.points()), _struck(body, found.edges())
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


# ---- What the log leaves open

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
