# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""What is unknown of a scene, and the residuals of a log under it.

    model = Model(roller, entries, unknowns)
    windows = Windows(model, states)            # states [windows, steps + 1, q and v], each from its first state
    lm.fit(windows, model.start)

An unknown moves entries of the scene's tables. A "plain" one is the entries' value: mu, e, gravity. A "log"
one multiplies them by its exponential: a mass relative to what the scene says. Only ratios of masses can be
seen in motion, so one mass is kept.
"""
from dataclasses import dataclass, field

import numpy as np

from . import lm

NUDGE = 1e-6     # step of differences
LOST = 1e3       # residual of a roll-out that failed


@dataclass
class Unknown:
    """name: as reports show it. kind: "mu", "e", "mass", "inertia" or "gravity". entries: their numbers.
    Bounds, the start and the longest step are in the number that is fitted: for a log one, the logarithm."""
    name: str
    kind: str
    entries: list
    start: float
    low: float
    high: float
    most: float
    log: bool = False
    scale: list = field(default_factory=list)   # plain: entry = scale value; [] is 1
    truth: float = None                         # in natural numbers, where a task knows it
    unit: float = 1.0                           # log: the natural number at 0

    def natural(self, theta):
        """The number a person reads: a coefficient, a ratio."""
        return self.unit * np.exp(theta) if self.log else theta

    def theta(self, natural):
        return np.log(natural / self.unit) if self.log else natural


def mu(name, entry, truth=None, start=0.3):
    return Unknown(name, "mu", [entry], start, 0.0, 100.0, 0.5, truth=truth)


def restitution(name, entry, truth=None, start=0.5):
    return Unknown(name, "e", [entry], start, 0.0, 1.0, 0.5, truth=truth)


def ratio(name, kind, entries, truth=None, unit=1.0):
    """A factor on entries, as a logarithm; `unit` is what people call it at the factor 1."""
    return Unknown(name, kind, list(entries), 0.0, np.log(1e-4), np.log(1e4), 1.5, log=True, truth=truth, unit=unit)


def gravity(name, entries, scale, truth=None, start=5.0):
    return Unknown(name, "gravity", list(entries), start, 0.0, 1e3, 5.0, scale=list(scale), truth=truth)


class Model:
    """A roller, the entries that unknowns move with their values in the scene, and the unknowns."""

    def __init__(self, roller, entries, base, unknowns):
        self.roller, self.entries, self.unknowns = roller, entries, unknowns
        self.base = np.asarray(base, float)
        for key in ("low", "high", "most", "start"):
            setattr(self, key, np.array([getattr(u, key) for u in unknowns], float))

    @property
    def names(self):
        return [u.name for u in self.unknowns]

    def natural(self, theta):
        return np.array([u.natural(x) for u, x in zip(self.unknowns, theta)])

    def truth(self):
        """theta of the true numbers, or None."""
        if any(u.truth is None for u in self.unknowns):
            return None
        return np.array([u.theta(u.truth) for u in self.unknowns])

    def values(self, theta):
        """The entries at theta."""
        found = self.base.copy()
        for u, x in zip(self.unknowns, theta):
            if u.log:
                found[u.entries] *= np.exp(x)
            else:
                found[u.entries] = x * np.array(u.scale or [1.0] * len(u.entries))
        return found

    def beside(self, theta, which=None):
        """(high, low, span) of all unknowns, or of those whose numbers are in `which`, a difference inside the bounds."""
        which = range(len(theta)) if which is None else which
        high, low, span = [], [], []
        for k in which:
            above, below = np.array(theta, float), np.array(theta, float)
            above[k] = min(theta[k] + NUDGE, self.high[k])
            below[k] = max(theta[k] - NUDGE, self.low[k])
            high.append(self.values(above))
            low.append(self.values(below))
            span.append(above[k] - below[k])
        return np.array(high).reshape(len(span), -1), np.array(low).reshape(len(span), -1), np.array(span)

    def roll(self, theta, starts, steps, derivatives=False, starts_too=False, which=None):
        """A Rolled; see learn_native.py."""
        beside = self.beside(theta, which) if derivatives else None
        return self.roller.roll(starts, steps, self.entries, self.values(theta), beside, starts_too)


class Windows(lm.Problem):
    """Residuals of windows of a log, each rolled out from its first state.

    states  [windows, steps + 1, q and v] as measured
    scale   [q and v] what counts as one: a noise, or ones
    fitted  whether the first states are fitted too, to what was measured of them
    """

    def __init__(self, model, states, scale=None, fitted=False):
        self.model, self.states, self.fitted = model, np.asarray(states, float), fitted
        self.steps, self.width = self.states.shape[1] - 1, self.states.shape[2]
        self.scale = np.ones(self.width) if scale is None else np.asarray(scale, float)
        self.low, self.high, self.most = model.low, model.high, model.most
        self.n_start = 2 * model.roller.rates if fitted else 0
        self.turned = model.roller.quaternions

    def begin(self, starts):
        """The first states, moved by increments [windows, 2 rates]."""
        first = self.states[:, 0]
        if not self.fitted or starts is None:
            return first
        return self.model.roller.move(first, starts)

    def _compare(self, rolled, first):
        lost = rolled.status < 0
        r = (rolled.states - self._signed(rolled.states)) / self.scale
        if self.fitted:
            r = np.concatenate([((first - self.states[:, 0]) / self.scale)[:, None], r], axis=1)
        r[lost] = LOST
        return r.reshape(len(r), -1)

    def _signed(self, states):
        """What was measured after each step; a quaternion with the sign that is nearer."""
        measured = self.states[:, 1:]
        if not self.turned:
            return measured
        measured = measured.copy()
        for at in self.turned:
            part = slice(at, at + 4)
            away = np.sum(measured[..., part] * states[..., part], axis=-1) < 0
            measured[..., part][away] *= -1.0
        return measured

    def residuals(self, theta, starts=None):
        first = self.begin(starts)
        return self._compare(self.model.roll(theta, first, self.steps), first)

    def linear(self, theta, starts=None):
        first = self.begin(starts)
        rolled = self.model.roll(theta, first, self.steps, True, self.fitted)
        self.hits, self.materials = rolled.hits, rolled.materials
        A = rolled.by_unknown
        if (self.scale != 1.0).any():
            A /= self.scale[:, None]
        B = None
        if self.fitted:
            A = np.concatenate([np.zeros_like(A[:, :1]), A], axis=1)
            B = np.concatenate([self.model.roller.move_derivative(first)[:, None], rolled.by_start], axis=1)
            B = (B / self.scale[:, None]).reshape(len(first), -1, self.n_start)
        A = A.reshape(len(first), -1, A.shape[-1])
        A[rolled.status < 0] = 0.0
        return lm.Linear(self._compare(rolled, first), A, B)

    def select(self, rows):
        """The same of some windows."""
        return Windows(self.model, self.states[rows], self.scale, self.fitted)

    def touch(self, theta):
        """[windows] whether a contact comes in one, and [windows, materials] of which."""
        rolled = self.model.roll(theta, self.states[:, 0], self.steps)
        return rolled.hits.any(axis=1), rolled.materials.astype(bool)


def windows_of(chunks, length):
    """[windows, length + 1, ...] of chunks [chunks, steps + 1, ...], side by side without overlap; a rest is left out."""
    chunks = np.asarray(chunks)
    count = (chunks.shape[1] - 1) // length
    cut = [chunks[:, k * length:(k + 1) * length + 1] for k in range(count)]
    return np.concatenate(cut) if cut else chunks[:0, :length + 1]
