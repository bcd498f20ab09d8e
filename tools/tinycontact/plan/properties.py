# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The four properties of a contact model (the paper's Table 1), measured on random pairs of convex sets.

    row = judged("barrier", seed=1, count=100)     # shares of pairs that have each property, and what was measured

Models: the library's barrier; the same cut off at a distance, twice differentiable (as Ye et al. 2025); a logarithmic
barrier of the distance (as Li et al. 2020); a penalty of depth; a penalty that leaks (as Turpin et al. 2022). Each is a
function of two Sets that returns value and force on A.
"""
import numpy as np

from . import pair
from .reference import Set, distance

NEAR = 0.05          # [m] range of the local models; sets are about 1 m large
STIFF, LEAK = 1e3, 1e-3
LOOKS, POINTS = 5, 33
JUMP = 0.05          # change of the second derivative above which it jumps
PAPER = {"barrier": "yes yes yes yes", "cut-off barrier": "yes yes yes no", "log of distance": "yes no yes no",
         "penalty": "no no yes no", "leaking penalty": "no no yes yes"}
PROPERTIES = ("barrier", "smooth", "non-prehensile", "non-vanishing")


def _library(a, b, double=True):
    entry = {"A": a.vertices.tolist(), "B": b.vertices.tolist(), "radius_A": a.radius, "radius_B": b.radius,
             "centre_A": a.centre.tolist(), "centre_B": b.centre.tolist()}
    found = pair.solve(entry, double=double)
    if found.value is None:
        return np.inf, np.zeros(len(a.centre))
    return found.value, -found.gradient[:len(a.centre)]


def _cut_off(a, b):
    """The barrier less its value at NEAR apart, where both are as large as these: cubed at first, so C2."""
    value, force = _library(a, b)
    r, r0 = np.sqrt(value) - np.sqrt(12.0), (np.sqrt(len(a.vertices)) + np.sqrt(len(b.vertices))) / np.sqrt(NEAR)
    x = r * r - r0 * r0
    if x <= 0 or not np.isfinite(value):
        return (0.0, 0 * force) if x <= 0 else (value, force)
    # dQ/dP = r / s
    return x**3 / (x + r0 * r0) ** 2, force * r / np.sqrt(value) * (3 * x**2 * (x + r0 * r0) - 2 * x**3) / (x + r0 * r0) ** 3


def _of_distance(function):
    """A model of the distance alone: function(d) = value, slope."""
    def model(a, b):
        d, n, _, _ = distance(a, b)
        value, slope = function(d)
        return value, -slope * n
    return model


def _log(d):
    if d <= 0:
        return np.inf, 0.0
    if d >= NEAR:
        return 0.0, 0.0
    x, x0 = d * d / NEAR**2, 1.0
    return -((x - x0) ** 2) * np.log(x), (-2 * (x - x0) * np.log(x) - (x - x0) ** 2 / x) * 2 * d / NEAR**2


def _penalty(d):
    return (0.5 * STIFF * d * d, STIFF * d) if d < 0 else (0.0, 0.0)


def _leaking(d):
    value, slope = _penalty(d)
    return value + LEAK / (1 + max(d, 0.0)), slope - LEAK / (1 + max(d, 0.0)) ** 2


MODELS = {"barrier": _library, "cut-off barrier": _cut_off, "log of distance": _of_distance(_log),
          "penalty": _of_distance(_penalty), "leaking penalty": _of_distance(_leaking)}


# ---- Random pairs

def drawn(rng, dimension=3):
    """Two random Sets, apart or not: hulls, segments, points, some rounded."""
    sets = []
    for _ in range(2):
        count = int(rng.choice([1, 2, 3, 4, 8]))
        points = rng.uniform(-0.5, 0.5, (count, dimension))
        sets.append(Set(points - points.mean(0), float(rng.choice([0.0, 0.1])), np.zeros(dimension)))
    return sets


def apart(a, b, direction, gap):
    """b moved along the direction until its distance from a is `gap`."""
    low, high = 0.0, 4.0
    for _ in range(48):
        middle = (low + high) / 2
        far = distance(a, shifted(b, middle * direction))[0]
        low, high = (middle, high) if far < gap else (low, middle)
    return shifted(b, high * direction)


def shifted(s, by):
    return Set(s.vertices + by, s.radius, s.centre + by)


def _direction(rng, dimension=3):
    x = rng.normal(size=dimension)
    return x / np.linalg.norm(x)


# ---- Properties

def grows(model, a, b, along):
    """Whether the value grows at touch at least as a logarithm does: as much per decade near as less near."""
    values = [model(a, apart(a, b, along, gap))[0] for gap in (1e-3, 1e-5, 1e-7)]
    first, second = values[1] - values[0], values[2] - values[1]
    return bool(first > 0 and second >= 0.5 * first), values[-1]


def jump(model, place):
    """The largest change of the second derivative along a path, place(s) = (a, b, rate), relative to those
    nearby, as the path's worst spot is looked at more closely: it goes to 0 where the derivative is continuous."""
    low, high, largest, scale, left = 0.0, 1.0, 0.0, 0.0, 0.0
    for _ in range(LOOKS):
        s = np.linspace(low, high, POINTS)
        forces, sizes = [], []
        for x in s:
            a, b, rate = place(x)
            force = model(a, b)[1]
            forces.append(force @ rate)
            sizes.append(np.linalg.norm(force) * np.linalg.norm(rate))
        bends = np.diff(forces) / (s[1] - s[0])
        if not np.isfinite(bends).all():
            return np.inf
        # a kink is where extrapolation fails, not where the derivative is steep
        about = np.lib.stride_tricks.sliding_window_view(np.pad(np.abs(bends), 4, "edge"), 9).max(1)
        largest = largest or np.abs(bends).max() or 1.0
        near = np.maximum(about, max(1e-3 * largest, 1e-3 * max(sizes), 1e-300))
        worst = int((np.abs(np.diff(bends, 3)) / near[1:-2]).argmax()) + 1
        scale = max(scale, near[worst])
        left = np.abs(np.diff(bends)[worst - 1:worst + 2]).max() / scale
        low, high = s[max(worst - 2, 0)], s[min(worst + 5, POINTS - 1)]
    return float(left)


def slide(a, b, rng):
    """A path along which b passes a, apart from it: b on a circle about a, too far to touch but for a last bit."""
    u = _direction(rng)
    w = np.cross(u, _direction(rng))
    u, w = u, w / np.linalg.norm(w)
    turns = np.linspace(0, 0.6, 16)
    arcs = [np.cos(t) * u + np.sin(t) * w for t in turns]
    reach = max(float(np.linalg.norm(apart(a, b, arc, 0.02).centre)) for arc in arcs)

    def place(s):
        t = 0.6 * s
        return a, shifted(b, reach * (np.cos(t) * u + np.sin(t) * w)), 0.6 * reach * (np.cos(t) * w - np.sin(t) * u)
    return place


def approach(a, b, along, low, high):
    """A path straight at a, from the gap `high` to `low`."""
    start, end = (apart(a, b, along, gap).centre @ along for gap in (high, max(low, 1e-3)))
    end += min(low, 0.0)
    return lambda s: (a, shifted(b, (start + (end - start) * s) * along), (end - start) * along)


def pushes(model, a, b):
    """How far the force on A is from the directions from B to A, relative to the force: 0 if it is one of them."""
    _, force = model(a, b)
    size = np.linalg.norm(force)
    if size == 0:
        return 0.0
    arms = (a.vertices[:, None] - b.vertices[None]).reshape(-1, len(a.centre))
    return miss_of(arms.T / np.linalg.norm(arms, axis=1), force / size)


def miss_of(directions, force):
    """The smallest |directions w - force| over w >= 0, by Lawson and Hanson's active sets."""
    count = directions.shape[1]
    free, w = np.zeros(count, bool), np.zeros(count)
    for _ in range(10 * count):
        pull = directions.T @ (force - directions @ w)
        if free.all() or pull[~free].max() < 1e-13:
            break
        free[np.where(~free, pull, -np.inf).argmax()] = True
        while True:
            trial = np.zeros(count)
            trial[free] = np.linalg.lstsq(directions[:, free], force, rcond=None)[0]
            if trial[free].min() > 0:
                break
            down = free & (trial <= 0)
            w = w + (w[down] / (w[down] - trial[down] + 1e-300)).min() * (trial - w)
            free &= w > 1e-15
            if not free.any():
                break
        w = trial if free.any() else 0 * w
    return float(np.linalg.norm(directions @ w - force))


def judged(name, seed, count):
    """{property: share of pairs that have it} and what was measured, of a model."""
    model, rng = MODELS[name], np.random.default_rng(seed)
    held, measured = {key: [] for key in PROPERTIES}, {key: [] for key in ("jump", "miss", "force_far")}
    for _ in range(count):
        a, b = drawn(rng)
        along = _direction(rng)
        held["barrier"].append(grows(model, a, b, along)[0])
        low = 0.005 if held["barrier"][-1] else -0.02   # what does not keep apart is looked at through touch
        jumps = max(jump(model, slide(a, b, rng)), jump(model, approach(a, b, along, low, 0.1)))
        held["smooth"].append(jumps < JUMP)
        miss = pushes(model, a, apart(a, b, along, 10 ** rng.uniform(-3, -1.5)))
        held["non-prehensile"].append(miss < 1e-6)
        force = np.linalg.norm(model(a, shifted(b, 100 * along))[1])
        held["non-vanishing"].append(force > 0)
        for key, value in zip(measured, (jumps, miss, force)):
            measured[key].append(value)
    return {"model": name, "pairs": count, **{key: float(np.mean(values)) for key, values in held.items()},
            "jump": float(np.max(measured["jump"])), "miss": float(np.max(measured["miss"])),
            "force_far": float(np.min(measured["force_far"]))}


def potentials(gaps):
    """{model: values} of two unit cubes whose faces are `gaps` apart (the paper's Figure 2)."""
    corners = np.array(np.meshgrid(*[[-0.5, 0.5]] * 3)).reshape(3, -1).T
    a = Set(corners, 0.0, np.zeros(3))
    return {name: np.array([model(shifted(a, np.array([1 + gap, 0, 0])), a)[0] for gap in gaps])
            for name, model in MODELS.items()}


def judged_one(job):
    """For sweeps: `judged` of (name, seed, count)."""
    return judged(*job)


def drawn_potentials():
    """The paper's Figure 2 with numbers."""
    from ..report.plots import LAWS, TRUTH, new_figure, plain
    gaps = np.geomspace(1e-4, 10, 120)
    figure = new_figure(7, 4.4)
    axes = figure.subplots()
    for colour, (name, values) in zip((TRUTH, *LAWS), potentials(gaps).items()):
        axes.loglog(gaps, np.maximum(values, 1e-9), color=colour, label=name, linewidth=1.2)
    plain(axes, "two unit cubes, face to face", "gap [m]", "potential, each in its own unit")
    axes.set_ylim(1e-5, 1e7)
    axes.legend(frameon=False, fontsize=8)
    return figure
