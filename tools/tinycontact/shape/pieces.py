# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""A mesh as a few convex pieces: a union of boxes, cylinders, capsules and spheres, with rounded edges where it helps.

    shape = union_of(truth, 8)   # the JSON of a union

The union's JSON has offsets and no rotations: boxes lie along the mesh's axes, cylinders and capsules along its z.
Volume samples of the mesh are split by planes across the axes, each time where the boxes around the two parts have
least in excess of their samples. Each part begins as a box. Then all sizes and places are fitted together by
Levenberg-Marquardt: the union's distance has to be 0 at points of the surface, the mesh's at points outside, and at
most 0 at points inside. In turn a piece of another kind is tried, or a piece that hardly helps is moved to where the
union misses most. A change that lowers the loss is kept.
"""
from dataclasses import dataclass

import numpy as np

from ..errors import TinycontactError
from ..progress import Teller
from . import judge
from .grid import surface_points
from .primitives import field_of

SURFACE, NEAR, AROUND = 1800, 1200, 1200  # points: on the surface, outside within REACH of it, in the box around it
REACH, ROOM = 0.1, 0.15                   # of the extent
SAMPLES = 20                              # volume samples along the longest side
NEARBY = 0.2                              # of the extent: an outer point counts 1 / (1 + distance / NEARBY)
SMALL, LARGE = np.log(1e-3), np.log(0.6)  # sizes, of the extent
STEP = 1e-6                               # of differences
MOVES = 12                                # tries to move a piece
DIGITS = 6
CELLS = 16                                # of the error report, along the extent
PLURAL = {"box": "boxes"}


def _round_distance(q, rounding):
    return np.linalg.norm(np.maximum(q, 0), axis=1) + np.minimum(q.max(axis=1), 0) - rounding


def _box(s, p):
    h = np.exp(s[:3])
    r = s[3] * h.min()
    return _round_distance(np.abs(p) - (h - r), r)


def _cylinder(s, p):
    r, half = np.exp(s[:2])
    e = s[2] * min(r, half)
    return _round_distance(np.stack([np.hypot(p[:, 0], p[:, 1]) - (r - e), np.abs(p[:, 2]) - (half - e)], axis=1), e)


def _capsule(s, p):
    r, half = np.exp(s)
    return np.sqrt(p[:, 0]**2 + p[:, 1]**2 + (p[:, 2] - np.clip(p[:, 2], -half, half))**2) - r


def _sphere(s, p):
    return np.linalg.norm(p, axis=1) - np.exp(s[0])


def _mean(h):
    """The radius of a cylinder about as wide as a box."""
    return np.sqrt(h[0] * h[1])


@dataclass(frozen=True)
class Kind:
    distance: object   # (sizes, points) -> distances
    start: object      # half edges [3] -> sizes
    shares: int        # how many of the sizes, the last ones, are shares of 0..1; the others are logarithms


KINDS = {
    "box": Kind(_box, lambda h: np.array([*np.log(h), 0.5]), 1),
    "cylinder": Kind(_cylinder, lambda h: np.array([np.log(_mean(h)), np.log(h[2]), 0.2]), 1),
    "capsule": Kind(_capsule, lambda h: np.log([_mean(h), max(h[2] - _mean(h), 0.2 * h[2])]), 0),
    "sphere": Kind(_sphere, lambda h: np.array([np.log(np.cbrt(np.prod(h)))]), 0)}


@dataclass(frozen=True)
class Piece:
    """Lengths relative to the extent, from the middle of the mesh's box."""
    kind: str
    x: np.ndarray   # place [3], sizes

    def __call__(self, points):
        return KINDS[self.kind].distance(self.x[3:], points - self.x[:3])

    def at(self, x):
        """The piece with these numbers, within their limits."""
        x, shares = np.array(x), KINDS[self.kind].shares
        sizes = len(x) - shares
        x[:3] = np.clip(x[:3], -0.5, 0.5)
        x[3:sizes] = np.clip(x[3:sizes], SMALL, LARGE)
        x[sizes:] = np.clip(x[sizes:], 0, 1)
        return Piece(self.kind, x)

    def slopes(self, points):
        """[n, numbers] by differences."""
        base, moved = self(points), [Piece(self.kind, self.x + d) for d in STEP * np.eye(len(self.x))]
        return np.stack([(piece(points) - base) / STEP for piece in moved], axis=1)

    def half(self):
        """[3] half edges of a box about as large."""
        s = self.x[3:]
        sizes = {"box": lambda: np.exp(s[:3]), "cylinder": lambda: np.exp(s[[0, 0, 1]]),
                 "capsule": lambda: np.exp(s[0]) * np.ones(3) + [0, 0, np.exp(s[1])],
                 "sphere": lambda: np.exp(s[0]) * np.ones(3)}
        return sizes[self.kind]()

    def as_json(self, scale):
        """(shape, offset from the middle) in metres."""
        s, place = self.x[3:], [round(float(v), DIGITS) for v in scale * self.x[:3]]

        def metres(*sizes):
            return [round(float(scale * size), DIGITS) for size in sizes]
        if self.kind == "box":
            h = metres(*np.exp(s[:3]))
            return {"kind": "box", "h": h, "r": min(*metres(s[3] * np.exp(s[:3]).min()), *h)}, place
        if self.kind == "sphere":
            return {"kind": "sphere", "r": metres(np.exp(s[0]))[0]}, place
        r, half = metres(*np.exp(s[:2]))
        if self.kind == "capsule":
            return {"kind": "capsule", "r": r, "half": half}, place
        rounding = min(*metres(s[2] * np.exp(s[:2]).min()), r, half)
        return {"kind": "cylinder", "r": r, "half": half, "rounding": rounding}, place


@dataclass
class Wanted:
    """Points, distances there, weights; inside points want 0 or less."""
    points: np.ndarray
    distance: np.ndarray
    weight: np.ndarray
    inside: np.ndarray

    def miss(self, value):
        rest = np.where(self.inside, np.maximum(value, 0), value - self.distance)
        return self.weight * rest


def wanted_of(truth, middle, scale, rng):
    """The Wanted of a mesh, and volume samples [n, 3] with the side of their cells."""
    mesh = truth.mesh
    surface, normal = surface_points(mesh, SURFACE + NEAR, rng)
    near = surface[SURFACE:] + normal[SURFACE:] * rng.uniform(0, REACH, (NEAR, 1)) * scale
    low, high = mesh.low - ROOM * scale, mesh.high + ROOM * scale
    around = rng.uniform(low, high, (AROUND, 3))
    free = np.concatenate([near, around])
    d = truth.distance(free) / scale
    points = np.concatenate([surface[:SURFACE], free])
    distance = np.concatenate([np.zeros(SURFACE), np.maximum(d, 0)])
    weight = 1 / (1 + distance / NEARBY)
    inside = np.concatenate([np.zeros(SURFACE, bool), d < 0])
    counts = np.maximum(np.ceil(SAMPLES * (mesh.high - mesh.low) / scale).astype(int), 2)
    side = (mesh.high - mesh.low) / counts
    axes = [mesh.low[k] + side[k] * (np.arange(counts[k]) + 0.5) for k in range(3)]
    cells = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 3)
    cells = cells[truth.distance(cells) < 0]
    return Wanted((points - middle) / scale, distance, weight, inside), (cells - middle) / scale, side / scale


def _excess(cells, side):
    return np.prod(np.ptp(cells, axis=0) + side) - len(cells) * np.prod(side) if len(cells) else 0.0


def _best_cut(cells, side):
    """(excess that is saved, the two parts)."""
    best, whole = (0.0, None), _excess(cells, side)
    for k in range(3):
        for at in np.unique(cells[:, k])[:-1] + side[k] / 2:
            under = cells[:, k] < at
            saved = whole - _excess(cells[under], side) - _excess(cells[~under], side)
            if saved > best[0]:
                best = saved, (cells[under], cells[~under])
    return best


def split(cells, side, count):
    """At most `count` parts of volume samples; fewer if nothing is saved by more."""
    parts, cuts = [cells], {}
    while len(parts) < count:
        for part in parts:
            if id(part) not in cuts:
                cuts[id(part)] = _best_cut(part, side)
        k = max(range(len(parts)), key=lambda k: cuts[id(parts[k])][0])
        saved, halves = cuts[id(parts[k])]
        if halves is None or saved <= 0:
            break
        parts[k:k + 1] = halves
    return parts


def begin(parts, side):
    """A box for each part."""
    pieces = []
    for cells in parts:
        low, high = cells.min(axis=0) - side / 2, cells.max(axis=0) + side / 2
        pieces.append(Piece("box", np.concatenate([(low + high) / 2, KINDS["box"].start(0.95 * (high - low) / 2)])))
    return pieces


def _values(pieces, wanted, others=None):
    """[n] the union's distances; `others` [n]: those of pieces that are not in the list."""
    values = [piece(wanted.points) for piece in pieces] + ([] if others is None else [others])
    return np.min(values, axis=0)


def loss_of(pieces, wanted, others=None):
    return float(np.mean(wanted.miss(_values(pieces, wanted, others))**2))


def _slopes(pieces, wanted, others):
    """(misses [n], their derivatives [n, all numbers])"""
    values = np.array([piece(wanted.points) for piece in pieces])
    nearest, value = values.argmin(axis=0), values.min(axis=0)
    if others is not None:
        nearest, value = np.where(others < value, -1, nearest), np.minimum(value, others)
    works = wanted.weight * ~(wanted.inside & (value <= 0))
    columns = []
    for k, piece in enumerate(pieces):
        rows = np.flatnonzero((nearest == k) & (works > 0))
        slope = np.zeros((len(value), len(piece.x)))
        slope[rows] = works[rows, None] * piece.slopes(wanted.points[rows])
        columns.append(slope)
    return wanted.miss(value), np.concatenate(columns, axis=1)


def fit(pieces, wanted, steps, others=None):
    """(pieces, loss) after some steps of Levenberg-Marquardt."""
    best, damping = loss_of(pieces, wanted, others), 1e-3
    for _ in range(steps):
        rest, J = _slopes(pieces, wanted, others)
        H, g = J.T @ J, J.T @ rest
        ends = np.cumsum([len(piece.x) for piece in pieces])[:-1]
        for _ in range(6):
            change = np.linalg.solve(H + damping * np.diag(np.diag(H)) + 1e-12 * (1 + np.trace(H)) * np.eye(len(H)), g)
            tried = [piece.at(piece.x - d) for piece, d in zip(pieces, np.split(change, ends))]
            loss = loss_of(tried, wanted, others)
            if loss < best:
                break
            damping *= 10
        else:
            return pieces, best
        gained, pieces, best, damping = best - loss, tried, loss, damping / 10
        if gained < 1e-4 * best:
            break
    return pieces, best


def _without(pieces, wanted, k):
    """[n] distances of the other pieces, or None if there are none."""
    return _values(pieces[:k] + pieces[k + 1:], wanted) if len(pieces) > 1 else None


def _other_kinds(pieces, wanted, loss):
    """Each piece in turn as each other kind."""
    for k, piece in enumerate(pieces):
        others = _without(pieces, wanted, k)
        for kind in KINDS:
            if kind != piece.kind:
                start = Piece(kind, np.concatenate([piece.x[:3], KINDS[kind].start(piece.half())]))
                (tried,), found = fit([start], wanted, 8, others)
                if found < loss:
                    pieces, loss = [*pieces[:k], tried, *pieces[k + 1:]], found
    return pieces, loss


def _missed(pieces, wanted, count):
    """`count` places of the surface, apart, that lie furthest outside of the union."""
    value = np.where(wanted.distance == 0, _values(pieces, wanted), -np.inf)
    value[wanted.inside] = -np.inf
    chosen = []
    for _ in range(count):
        chosen.append(wanted.points[np.argmax(value)])
        value[np.linalg.norm(wanted.points - chosen[-1], axis=1) < 0.1] = -np.inf
    return chosen


def _one_more(pieces, wanted, place):
    """The pieces and another one that begins as a small sphere."""
    others = _values(pieces, wanted)
    (grown,), _ = fit([Piece("sphere", np.array([*place, np.log(0.05)]))], wanted, 8, others)
    return fit([*pieces, grown], wanted, 10)


def _move_one(pieces, wanted, at):
    """Without the piece that helps least, and with one where the union misses most, `at` times less."""
    k = int(np.argmin([loss_of(pieces[:k] + pieces[k + 1:], wanted) for k in range(len(pieces))]))
    rest = pieces[:k] + pieces[k + 1:]
    return _one_more(rest, wanted, _missed(rest, wanted, at + 1)[-1])


def union_of(truth, count, seed=1):
    """The JSON of a union of `count` pieces."""
    mesh, tell = truth.mesh, Teller("fitting pieces")
    middle, scale = (mesh.low + mesh.high) / 2, mesh.extent
    wanted, cells, side = wanted_of(truth, middle, scale, np.random.default_rng(seed))
    if not len(cells):
        raise TinycontactError(f"{mesh.path}: too thin for convex pieces: no sample of its volume lies inside")
    pieces, loss = fit(begin(split(cells, side, count), side), wanted, 20)
    while len(pieces) < count:
        pieces, loss = _one_more(pieces, wanted, _missed(pieces, wanted, 1)[0])
    pieces, loss = fit(_other_kinds(pieces, wanted, loss)[0], wanted, 20)
    for k in range(MOVES if count > 1 else 0):
        tell((k + 1) / (MOVES + 1))
        tried, found = _move_one(pieces, wanted, k % 3)
        if found < 1.3 * loss:
            tried, found = fit(_other_kinds(tried, wanted, found)[0], wanted, 10)
        if found < loss:
            pieces, loss = tried, found
    pieces, loss = fit(pieces, wanted, 60)
    told = [piece.as_json(scale) for piece in pieces]
    offsets = [[round(float(v), DIGITS) for v in np.add(place, middle)] for _, place in told]
    return {"kind": "union", "parts": [shape for shape, _ in told], "offsets": offsets}


def judged(shape, truth):
    """(error report, zero level) of a shapefile.Shape against the mesh."""
    field, low, high = field_of(shape)
    box = np.minimum(low, truth.mesh.low), np.maximum(high, truth.mesh.high)
    return judge.compare(field, truth, box, truth.mesh.extent / CELLS)


def told(union):
    """'3 boxes and 1 cylinder'"""
    kinds = [part["kind"] for part in union["parts"]]
    words = [f"{n} {kind if n == 1 else PLURAL.get(kind, kind + 's')}" for kind in KINDS if (n := kinds.count(kind))]
    return " and ".join([", ".join(words[:-1])] * (len(words) > 1) + words[-1:])

