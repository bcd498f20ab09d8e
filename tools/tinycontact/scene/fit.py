# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Unknown numbers of a simulation by bounded Levenberg-Marquardt, from several starts.

    found = fit(residuals, [Unknown("r", 0.5, 1e-6, 10.0, (0.1, 2.0), logarithmic=True)])
    found.theta, found.deviation, found.loss

`residuals(theta)` gives one array of weighted differences, or raises Impossible where a simulation cannot begin.
The Jacobian is the caller's where that has one. Else it is taken by central differences, one-sided next to a bound or
to what is impossible. Steps and damping are those of impact.lm. The first start is the caller's. Further ones follow a fixed sequence that fills the
unknowns' ranges evenly, so that an answer is the same each time. Every second one is near the best minimum so far;
there an unknown that the minimum does not feel, such as friction where contacts stick, is drawn from all of its
range. The others are fitted in stages, to the first part of the time and then to more of it: what happens before an
impact leads to the impact's right side. A start that explains the data to rounding ends the search.
"""
from dataclasses import dataclass, field

import numpy as np

from ..impact import lm

STEP = 1e-5        # of an unknown's size, for differences
NOISE = 1e-8       # of the largest singular value: below it differences are rounding
UNFELT = 1e-8      # change of weighted residuals by an unknown's size, below which a derivative is rounding
EXACT = 1e-6       # root mean square of weighted residuals that counts as explained
ROUNDING = 1e-11   # the same, below which no iteration is tried
DAMPED = 1e5       # largest damping that is tried
ITERATIONS = 60    # of one start
SLOW = 1e-7        # relative fall of the loss that counts as no progress
STAGES = np.linspace(0.1, 0.9, 9)   # of the time
EARLY = 1e-3       # relative fall of the loss that ends a stage, three times
HOP = 0.2          # share of the way to anywhere of a start near a minimum
APART = 1e-3       # share of an unknown's size by which two minima differ
FEW = {1: 12.706, 2: 4.303, 3: 3.182, 4: 2.776}   # Student's t, 97.5 %, where the series below is poor


class Impossible(Exception):
    """A simulation that cannot be: bodies that begin inside each other, sizes that the library refuses."""


@dataclass(frozen=True)
class Unknown:
    """One number: its start, bounds, and the range over which further starts are spread."""
    name: str
    start: float
    low: float
    high: float
    reach: tuple
    logarithmic: bool = False

    @property
    def size(self):
        """What a small change of it is measured by."""
        return max(abs(self.start), 0.1 * (self.reach[1] - self.reach[0]), 1e-12)

    def spread(self, share):
        """The start at `share` (0..1) of the range."""
        low, high = self.reach
        value = low * (high / low) ** share if self.logarithmic else low + share * (high - low)
        return float(np.clip(value, self.low, self.high))


@dataclass
class Minimum:
    """Where one start ended."""
    theta: np.ndarray
    loss: float          # half the mean square of the weighted residuals
    iterations: int
    linear: lm.Linear


@dataclass
class Found:
    unknowns: list
    best: Minimum
    starts: int          # starts that were tried
    impossible: int      # of these, where the simulation could not begin
    others: list = field(default_factory=list)   # minima elsewhere that are worse

    @property
    def theta(self):
        return self.best.theta

    @property
    def loss(self):
        return self.best.loss

    @property
    def freedom(self):
        return max(self.best.linear.r.size - len(self.unknowns), 0)

    @property
    def covariance(self):
        """Of the unknowns, by the Jacobian and the residuals' scale; infinite where the data tell nothing."""
        return covariance(self.best.linear, self.unknowns)

    @property
    def deviation(self):
        return np.sqrt(np.diag(self.covariance))


def covariance(linear, unknowns):
    """[p, p] variance s^2 (J'J)^-1 with s^2 = sum r^2 / (m - p). An unknown that the residuals do not feel, or only
    together with another, has infinite variance."""
    r, J = linear.r.reshape(-1), linear.A.reshape(linear.r.size, -1)
    m, p = J.shape
    size = np.array([u.size for u in unknowns])
    if m <= p:
        return np.full((p, p), np.inf)
    _, s, Vt = np.linalg.svd(J * size, full_matrices=False)
    told = s > NOISE * max(s.max(), 1e-300)
    scaled = (Vt[told].T / s[told] ** 2) @ Vt[told] * (float(r @ r) / (m - p))
    blind = (Vt[~told] ** 2).sum(axis=0) > 1e-6
    found = scaled * np.outer(size, size)
    found[blind, blind] = np.inf
    return found


def student(freedom):
    """The 97.5 % point of Student's t: an interval of value +- student * deviation holds 95 %."""
    if freedom < 1:
        return np.inf
    if freedom in FEW:
        return FEW[freedom]
    z, v = 1.959964, float(freedom)
    return (z + (z**3 + z) / (4 * v) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * v**2)
            + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * v**3))


class _Differences(lm.Problem):
    """A function of unknowns as impact.lm takes it."""

    def __init__(self, function, unknowns, linear=None):
        self._function, self._linear = function, linear
        self.low, self.high = (np.array([getattr(u, name) for u in unknowns]) for name in ("low", "high"))
        self.size = np.array([u.size for u in unknowns])
        reach = np.array([u.reach[1] - u.reach[0] for u in unknowns])
        self.most = np.maximum(0.5 * reach, self.size)
        self.rows, self.kept = 1, slice(None)   # rows of residuals; those that count
        self.reason = "no start can be simulated"

    def _at(self, theta):
        """Residuals [m], or None."""
        try:
            r = np.asarray(self._function(theta), float).reshape(-1)[self.kept]
        except Impossible as error:
            self.reason = str(error)
            return None
        return r if np.isfinite(r).all() else None

    def residuals(self, theta, starts=None):
        r = self._at(theta)
        return np.full((1, self.rows), np.inf) if r is None else r[None]

    def _column(self, theta, j, r):
        step = STEP * max(abs(theta[j]), 0.1 * self.size[j])
        ends = []
        for sign in (1.0, -1.0):
            moved = theta.copy()
            moved[j] = np.clip(theta[j] + sign * step, self.low[j], self.high[j])
            there = self._at(moved) if moved[j] != theta[j] else None
            ends.append((theta[j], r) if there is None else (moved[j], there))
        (high, above), (low, below) = ends
        return (above - below) / (high - low) if high > low else np.zeros_like(r)

    def _given(self, theta):
        """The caller's residuals [m] and their derivatives [m, p], or None."""
        if self._linear is None:
            return None
        try:
            found = self._linear(theta)
        except Impossible as error:
            self.reason = str(error)
            return None
        if found is None or not np.isfinite(found[0]).all():
            return None
        r, A = found[0][self.kept], found[1][self.kept]
        return r, np.where(np.abs(A).max(axis=0) * self.size < UNFELT, 0.0, A)

    def linear(self, theta, starts=None):
        given = self._given(theta)
        r, A = (self.residuals(theta)[0], None) if given is None else given
        self.rows = r.size
        A = np.stack([self._column(theta, j, r) if A is None or not np.isfinite(A[:, j]).all() else A[:, j]
                      for j in range(len(theta))], axis=1)
        return lm.Linear(r[None], A[None])


def _near(best, unknowns, share):
    """A start near a minimum. If it does not feel some unknowns, these are anywhere in their range, the others stay."""
    blind = np.isinf(np.diag(covariance(best.linear, unknowns)))
    hop = 0.0 if blind.any() else HOP
    found = []
    for u, x, part, unfelt in zip(unknowns, best.theta, share, blind):
        anywhere = u.spread(part)
        found.append(anywhere if unfelt else float(np.clip(x + hop * (anywhere - x), u.low, u.high)))
    return np.array(found)


def _start(k, unknowns, minima, staged):
    """The k-th start: the caller's for 0, and for 1 where that has stages."""
    share = shares(k, len(unknowns))
    if k == 0 or k == 1 and staged:
        return np.array([np.clip(u.start, u.low, u.high) for u in unknowns])
    if k % 2 == 0 and minima:
        return _near(min(minima, key=lambda one: one.loss), unknowns, share)
    return np.array([u.spread(x) for u, x in zip(unknowns, share)])


def shares(k, dimension):
    """[dimension] the k-th point of a sequence that fills the unit cube evenly (Roberts' additive one)."""
    root = 2.0
    for _ in range(60):
        root = (1.0 + root) ** (1.0 / (dimension + 1))
    return (0.5 + k * root ** -np.arange(1.0, dimension + 1)) % 1.0


def _descend(problem, theta, tell):
    """The Minimum that a start ends in, or None where the simulation cannot begin."""
    begun = problem.residuals(theta)
    if not np.isfinite(begun).all():
        return None
    rows = begun.size
    ended = lm.fit(problem, theta, iterations=ITERATIONS, tolerance=ROUNDING * np.sqrt(0.5 * rows), enough=SLOW,
                   damped=DAMPED, tell=tell)
    return Minimum(ended.theta, ended.loss / rows, ended.iterations, ended.linear)


def _staged(problem, theta, when):
    """Where the first parts of the time lead."""
    for share in STAGES:
        problem.kept = when <= when.min() + share * (when.max() - when.min())
        if problem.kept.any() and np.isfinite(problem.residuals(theta)).all():
            theta = lm.fit(problem, theta, iterations=ITERATIONS, tolerance=EXACT, enough=EARLY, damped=DAMPED).theta
    problem.kept = slice(None)
    return theta


def _elsewhere(minima, best, unknowns):
    """The other minima, each once, best first."""
    size = np.array([max(u.size, abs(x)) for u, x in zip(unknowns, best.theta)])
    kept = [best]
    for minimum in sorted(minima, key=lambda one: one.loss):
        if all(np.abs((minimum.theta - other.theta) / size).max() > APART for other in kept):
            kept.append(minimum)
    return kept[1:]


def fit(residuals, unknowns, starts=8, tell=None, when=None, linear=None):
    """A Found, or Impossible if no start can be simulated. `tell(start, iteration, loss)` hears of each iteration.
    when: the time of each residual, for stages; without it there are none. linear(theta): the residuals [m] and their
    derivatives [m, p], NaN by what has to be differenced; or None where all has."""
    problem = _Differences(residuals, unknowns, linear)
    minima, tried = [], 0
    for k in range(max(starts, 1)):
        tried += 1
        theta = _start(k, unknowns, minima, when is not None)
        if k % 2 and when is not None:
            theta = _staged(problem, theta, when)
        minimum = _descend(problem, theta, tell and (lambda i, loss: tell(k, i, loss)))
        if minimum is None:
            continue
        minima.append(minimum)
        if minimum.loss <= 0.5 * EXACT ** 2:
            break
    if not minima:
        raise Impossible(problem.reason)
    best = min(minima, key=lambda one: one.loss)
    return Found(list(unknowns), best, tried, tried - len(minima), _elsewhere(minima, best, unknowns))
