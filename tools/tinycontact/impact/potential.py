# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""A potential of unknown form: constant forces first, a small net of the library for what they leave.

    V = - sum force_i . x_i + net(z),    z = distances of what is known to be tied, else places of all links

Forces by least squares on the pairs without contact. If they explain all, there is no net. Else a net of one hidden
layer takes the rest, by Levenberg and Marquardt on the same pairs, together with forces and masses; the library rolls
out (tc_net_grad gives the forces within the Runge-Kutta stages), in double, with weights in float32: what is fitted is
what is saved. The derivative by the weights is that of the net's forces halfway, times the derivative of the step by
constant forces: right to the square of the step, which is enough to converge. A ridge keeps weights small; its size is
the one that is best on a fifth of the chunks, after which all are used.
"""
from dataclasses import dataclass, field, replace

import numpy as np

from ..errors import TinycontactError
from ..learn.export import reach
from ..model import Model as File
from ..net import Net
from . import learn, learn_fit, lm, tasks
from .scene import Potential, numbered

HIDDEN, ACTIVATION = 16, "softplus"
UNITS = 4          # of one distance, at least
RIDGES = (1e-3, 1e-5, 1e-6, 1e-7, 1e-8)   # over the residual's mean square that forces leave
SHARE = 5          # one of so many chunks chooses the ridge
EXACT = 1e-9       # residual [SI] of what forces alone explain
ITERATIONS, LAST = 40, 60   # to choose, and with all chunks
MASS_RIDGE = 1e-3  # of a ratio's logarithm, which the smooth motion may not tell


@dataclass
class Shape:
    """Of a potential: its links, and distances [(link, link or None, point of the world)]."""
    dimension: int
    links: list                                # names
    distances: list = field(default_factory=list)

    @property
    def inputs(self):
        return len(self.distances) or self.places

    @property
    def places(self):
        return self.dimension * len(self.links)


def shape_of(scene, with_distances=True):
    """The Shape of a scene. Distances are those of what springs or limits of distance tie: that they are tied is known."""
    links = [(b, k) for b, body in enumerate(scene.bodies) for k in range(len(body.links))]
    index = {link: i for i, link in enumerate(links)}
    tied = [(a, b) for a, b, _, _ in scene.springs]
    tied += [(points[0], points[1]) for kind, _, _, points, _, _ in scene.limits if kind == "distance"]
    found = []
    for a, b in tied if with_distances else []:
        a, b = (b, a) if (a[0], a[1]) not in index else (a, b)
        if np.any(a[2]) or (a[0], a[1]) not in index or (b[0], b[1]) in index and np.any(b[2]):
            continue   # not at a centre of mass
        there = index.get((b[0], b[1]))
        entry = (index[a[0], a[1]], there, tuple(np.zeros(3) if there is not None else b[2]))
        if entry not in found:
            found.append(entry)
    return Shape(scene.dimension, numbered(scene), found)


@dataclass
class Weights:
    """One hidden layer on normalised inputs: V = out . act(W (z - mean) scale + b). Weights outside the mask are 0."""
    W: np.ndarray
    b: np.ndarray
    out: np.ndarray
    mean: np.ndarray
    scale: np.ndarray
    mask: np.ndarray
    activation: str = ACTIVATION

    @property
    def theta(self):
        return np.concatenate([self.W[self.mask], self.b, self.out])

    def at(self, theta):
        W, n = np.zeros(self.W.shape), int(self.mask.sum())
        W[self.mask] = theta[:n]
        return replace(self, W=W, b=theta[n:n + len(self.b)], out=theta[n + len(self.b):])

    def net(self, samples=0, low=None, high=None):
        layers = [(self.W, self.b, self.activation), (self.out[None], np.zeros(1), "identity")]
        return Net("potential", layers, input_mean=self.mean, input_scale=self.scale, input_low=low, input_high=high,
                   samples=samples)

    def slopes(self, z):
        """(normalised z, act', act'') at inputs [pairs, inputs]."""
        z = (z - self.mean) * self.scale
        a = z @ self.W.T + self.b
        if self.activation == "tanh":
            t = np.tanh(a)
            return z, 1 - t * t, -2 * t * (1 - t * t)
        s = 0.5 * (1 + np.tanh(0.5 * a))
        return z, s, s * (1 - s)

    def derivative(self, z, by_input):
        """[pairs, m, weights] of what has derivative by_input [pairs, m, inputs] by -dV/dz."""
        z, first, second = self.slopes(z)
        G = by_input * self.scale
        along = G @ self.W.T
        bent = along * (self.out * second)[:, None]
        by_W = bent[..., None] * z[:, None, None, :] + (self.out * first)[:, None, :, None] * G[:, :, None, :]
        return -np.concatenate([by_W[:, :, self.mask], bent, along * first[:, None]], axis=2)


def weights_at_random(shape, settings, z, rng):
    """Every distance has units of its own: what ties one pair does not feel another's distance."""
    hidden = settings.hidden
    mask = np.ones((hidden, shape.inputs), bool)
    if shape.distances:
        hidden = shape.inputs * max(-(-hidden // shape.inputs), UNITS)
        mask = np.arange(hidden)[:, None] % shape.inputs == np.arange(shape.inputs)
    W = mask * rng.normal(size=mask.shape) / np.sqrt(mask.sum(axis=1, keepdims=True))
    return Weights(W, rng.normal(size=hidden), 1e-2 * rng.normal(size=hidden), z.mean(axis=0),
                   1 / np.maximum(z.std(axis=0), 1e-3), mask, settings.activation)


class Places:
    """Inputs of a net, and what their forces do, at states."""

    def __init__(self, model, shape):
        self.model, self.shape = model, shape

    def of(self, states):
        """(z [states, inputs], dz/dx [states, inputs, numbers of places])."""
        native, n, d = self.model.roller.native, self.model.roller.coordinates, self.shape.dimension
        x = np.array([native.look(s[:n], s[n:])[1][:, :3] for s in states])
        places = x[:, :, :d].reshape(len(states), -1)
        by = np.zeros((len(states), self.shape.inputs, self.shape.places))
        if not self.shape.distances:
            by[:] = np.eye(self.shape.places)
            return places, by
        z = []
        for k, (a, b, point) in enumerate(self.shape.distances):
            away = (np.array(point)[:d] if b is None else x[:, b, :d]) - x[:, a, :d]
            length = np.linalg.norm(away, axis=1)
            unit = away / np.maximum(length, 1e-12)[:, None]
            by[:, k, a * d:(a + 1) * d] = -unit
            if b is not None:
                by[:, k, b * d:(b + 1) * d] = unit
            z.append(length[:, None])
        return np.concatenate(z, axis=1), by


class NetPairs(lm.Problem):
    """Pairs of neighbouring states; theta is the scene's unknowns, then the net's weights."""

    def __init__(self, made, pairs, weights, scale, ridge, alone):
        model, shape = made.model, made.shape
        self.made, self.weights, self.scale, self.ridge, self.alone = made, weights, scale, ridge, alone
        self.windows, self.pairs = learn.Windows(model, pairs), pairs
        self.n, count = len(model.unknowns), len(weights.theta)
        self.forces = [k for k, u in enumerate(model.unknowns) if u.kind == "force"]
        self.ratios = [k for k, u in enumerate(model.unknowns) if u.kind in ("mass", "inertia")]
        self.low = np.concatenate([model.low, np.full(count, -1e3)])
        self.high = np.concatenate([model.high, np.full(count, 1e3)])
        self.most = np.concatenate([model.most, np.full(count, 2.0)])
        self.z, by = Places(model, shape).of(0.5 * (pairs[:, 0] + pairs[:, 1]))
        self.by_places = by

    def _set(self, theta):
        self.made.hold(self.weights.at(theta[self.n:]))
        return theta[:self.n]

    def _held_back(self, theta):
        """Residuals of the ridge, as one more row of windows."""
        rows, m = len(self.pairs), self.windows.width
        of = np.concatenate([np.sqrt(self.ridge) * theta[self.n:], np.sqrt(MASS_RIDGE) * theta[self.ratios]])
        found = np.zeros((-(-len(of) // m), m))
        found.reshape(-1)[:len(of)] = of
        return found * np.sqrt(rows)

    def residuals(self, theta, starts=None):
        r = self.windows.residuals(self._set(theta)) / self.scale
        return np.concatenate([np.clip(r, -1e4, 1e4), self._held_back(theta)])

    def linear(self, theta, starts=None):
        scene = self.windows.linear(self._set(theta))
        by_force = scene.A[:, :, self.forces]
        by_net = self.weights.at(theta[self.n:]).derivative(self.z, by_force @ self.by_places.transpose(0, 2, 1))
        if self.alone:
            scene.A[:, :, self.forces] = 0.0
        A = np.concatenate([scene.A, by_net], axis=2) / self.scale
        back = self._held_back(theta)
        more = np.zeros((back.size, len(theta)))
        rows = np.sqrt(len(self.pairs))
        count = len(theta) - self.n
        more[np.arange(count), self.n + np.arange(count)] = np.sqrt(self.ridge) * rows
        more[count + np.arange(len(self.ratios)), self.ratios] = np.sqrt(MASS_RIDGE) * rows
        r = np.concatenate([np.clip(scene.r / self.scale, -1e4, 1e4), back])
        return lm.Linear(r, np.concatenate([A, more.reshape(*back.shape, -1)]))


# ---- What is learned

class Made:
    """A scene without its springs and gravity, in a potential: its learn.Model, whose unknowns end with a constant force
    per link and axis, and the Shape."""

    def __init__(self, scene, with_distances=True, where=None):
        self.shape = shape_of(scene, with_distances)
        bare = replace(scene, springs=[], gravity=np.zeros(3), potential=None)
        wanted = [kind for kind in tasks.unknowns_in(scene) if kind != "gravity"]
        base = tasks.model(bare, wanted, blank=True, where=where, field=True)
        entries, values, unknowns = list(base.entries), list(base.base), list(base.unknowns)
        for i, name in enumerate(self.shape.links):
            for k, axis in enumerate("xyz"[:scene.dimension]):
                unknowns.append(learn.Unknown(f"force {name} {axis}", "force", [len(entries)], 0.0, -1e4, 1e4, 100.0))
                entries.append(base.roller.entry("force", i, component=k))
                values.append(0.0)
        self.model = learn.Model(base.roller, entries, values, unknowns)
        self._opened = None

    def hold(self, weights):
        """Puts a net into the scene, or None."""
        native = self.model.roller.native
        if weights is None:
            native.set_field()
            self._opened = None
            return
        opened = native.library.nets_of(File([weights.net()]).to_bytes())
        native.set_field(opened.nets[0], self.shape.distances)
        self._opened = opened


@dataclass
class Learned:
    """theta of the model's unknowns; Weights, None where forces explain all; what chose the ridge."""
    made: Made
    theta: np.ndarray
    weights: Weights
    ridge: float
    left: tuple             # greatest residual without contact: after forces alone, after all [SI]
    reach: tuple = (None, None)   # range of the net's inputs

    def net(self, samples=4):
        return None if self.weights is None else self.weights.net(samples, *self.reach)

    def potential(self):
        """The scene.Potential."""
        shape, values = self.made.shape, self.made.model.values(self.theta)
        forces = np.zeros((len(shape.links), 3))
        forces[:, :shape.dimension] = values[-shape.places:].reshape(-1, shape.dimension)
        return Potential(forces, shape.distances if self.weights else [], self.net())


@dataclass
class Settings:
    """hidden: units of the layer; alone: no constant forces, all is the net's."""
    hidden: int = HIDDEN
    activation: str = ACTIVATION
    seed: int = 0
    alone: bool = False


def without_contact(made, pairs):
    """[pairs] whether a pair's motion had no contact: contacts act where a step ends, so its end shows them."""
    native, n = made.model.roller.native, made.model.roller.coordinates
    gaps = np.array([native.look(after[:n], after[n:])[2] for after in pairs[:, 1]])
    return (gaps >= 0).all(axis=1)


def _chosen(made, pairs, groups, problem_of, start, tell):
    """(ridge, theta) that explain best the pairs of every SHARE-th chunk, which do not fit them."""
    judged, best = groups % SHARE == 0, None
    if judged.all() or not judged.any():
        judged = np.arange(len(pairs)) % SHARE == 0
    for ridge in RIDGES:   # each from the same start: a large one ends where all weights are 0
        problem = problem_of(pairs[~judged], ridge)
        theta = lm.fit(problem, start, iterations=ITERATIONS, enough=1e-3, tell=_ends(tell, f"ridge {ridge:g}")).theta
        made.hold(problem.weights.at(theta[problem.n:]))
        error = np.abs(learn.Windows(made.model, pairs[judged]).residuals(theta[:problem.n])).mean()
        if best is None or error < best[0]:
            best = error, ridge, theta
    return best[1:]


def _ends(tell, part):
    return (lambda k, loss: tell(part, k, loss)) if tell else None


def fit_smooth(made, pairs, groups, settings=Settings(), tell=None):
    """A Learned of pairs [pairs, 2, state] without contact; `groups` [pairs]: the chunk of each."""
    if len(pairs) < SHARE:
        raise TinycontactError(f"{len(pairs)} steps without contact are too few for a potential; give more chunks")
    model = made.model
    made.hold(None)
    first = lm.fit(learn.Windows(model, pairs), model.start, iterations=0 if settings.alone else 30,
                   tell=_ends(tell, "forces"))
    left = np.abs(first.linear.r)
    if left.max() <= EXACT:
        return Learned(made, first.theta, None, 0.0, (float(left.max()),) * 2)
    z, _ = Places(model, made.shape).of(pairs[:, 0])
    begin = weights_at_random(made.shape, settings, z, np.random.default_rng([settings.seed, 16]))
    scale = np.sqrt(np.mean(left ** 2))

    def problem_of(rows, ridge):
        return NetPairs(made, rows, begin, scale, ridge, settings.alone)
    ridge, theta = _chosen(made, pairs, groups, problem_of, np.concatenate([first.theta, begin.theta]), tell)
    problem = problem_of(pairs, ridge)
    found = lm.fit(problem, theta, iterations=LAST, enough=1e-4, tell=_ends(tell, "net"))
    weights = begin.at(found.theta[problem.n:])
    made.hold(weights)
    after = np.abs(found.linear.r[:len(pairs)]).max() * scale
    return Learned(made, found.theta[:problem.n], weights, ridge, (float(left.max()), float(after)), reach(z))


def fit(made, chunks, settings=Settings(), tell=None):
    """A Learned of chunks [chunks, steps + 1, state]: the potential from steps without contact, then mu, e and ratios from
    all, and with a net all together."""
    pairs = learn.windows_of(chunks, 1)
    groups = np.arange(len(pairs)) % len(chunks)
    free = without_contact(made, pairs)
    found = fit_smooth(made, pairs[free], groups[free], settings, tell)
    if free.all():
        return found
    if found.weights is None:
        return _exact(made, pairs, found, tell)
    return _together(made, pairs, found, settings, tell)


def _exact(made, pairs, found, tell):
    """Forces explain all, so the contacts are fitted as without a net."""
    learned = learn_fit.fit_exact(made.model, pairs, tell)
    return replace(found, theta=learned.theta)


def _coefficients(made, pairs, theta, tell):
    """theta with mu and e fitted, all else fixed."""
    model = made.model
    which = [k for k, u in enumerate(model.unknowns) if u.kind in ("mu", "e")]
    if not which:
        return theta
    alone = learn.Model(model.roller, model.entries, model.values(theta), [model.unknowns[k] for k in which])
    theta = theta.copy()
    theta[which] = learn_fit.fit_exact(alone, pairs, tell, tries=2).theta
    return theta


def _together(made, pairs, found, settings, tell):
    """mu and e first, then all by magnitudes: impacts tell masses that springs tell little of."""
    theta = np.concatenate([_coefficients(made, pairs, found.theta, tell), found.weights.theta])
    share = found.left[1] / found.left[0]
    problem = NetPairs(made, pairs, found.weights, found.left[0], found.ridge * share ** 2, settings.alone)
    fitted = lm.fit(problem, theta, loss=lm.l1(max(2.0 * share, 1e-9)), iterations=LAST, enough=1e-4,
                    tell=_ends(tell, "contacts"))
    weights = found.weights.at(fitted.theta[problem.n:])
    made.hold(weights)
    again = replace(found, theta=fitted.theta[:problem.n], weights=weights)
    return replace(again, theta=_coefficients(made, pairs, again.theta, tell))
