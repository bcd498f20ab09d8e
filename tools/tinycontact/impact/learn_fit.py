# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The recipe: how unknowns of a scene are fitted to chunks of a log.

Without noise, pairs of one step: each tells a velocity before and after. Least squares on the windows without
contact first (gravity, masses of chains), then on all, then sums of magnitudes by reweighting, which a few
windows with a wrong contact pattern cannot pull. Least squares alone ends beside the truth where patterns
differ; magnitudes at once end in a local minimum elsewhere (a gyroscope's inertia). So both are tried, from two
starts, and the better one is kept.

With noise, windows of five steps under Huber's loss in units of the noise, their first states fitted as well.
A pair of one step would take the noise of its first state for an impact.
"""
import itertools
from dataclasses import dataclass

import numpy as np

from . import lm
from .learn import Windows

EXACT = 1e-9      # a fit whose median residual is below this has no noise
HUBER = 1.345     # in standard deviations: 95 % efficient for normal noise
SECOND = {"mu": 0.8, "e": 0.9, "gravity": 9.0}   # the second start of each kind; others keep theirs
CHANGE = 0.05     # of a noise that is worth another fit
ROUNDS, DRAWS, BAD = 2, 60, 4.0   # of drawing starts anew; loss over the median's of a window that needs it
BESIDE = 0.05     # of a bound
SHORT, FULL = 8, 40   # iterations that choose among starts, and after that
GRID = ((0.5, 0.0), (0.5, 0.9), (0.1, 0.1))   # mu and e of further starts with noise: contact patterns make valleys
FEW = 0.02        # of the windows, that a mended fit leaves unexplained
MENDED = {"mu": (0.1, 0.3, 0.6), "e": (0.2, 0.5, 0.8)}   # of a material of theirs
LEAST = 1e-10     # residual below which magnitudes are rounded off at last


@dataclass
class Learned:
    """theta and the problem it was fitted in."""
    theta: np.ndarray
    fit: lm.Fit
    problem: Windows
    noise: np.ndarray     # [state] standard deviation used as scale; None: no noise
    loss: float           # mean magnitude of residuals

    @property
    def exact(self):
        return self.noise is None


def _sum(problem, theta, starts=None):
    """Mean magnitude of the residuals: what starts are compared by."""
    return np.abs(problem.residuals(theta, starts)).mean()


def _ends(tell, part):
    return (lambda k, loss: tell(part, k, loss)) if tell else None


def _smooth(problem, theta, tell):
    """Least squares on the windows without contact; what they do not feel stays."""
    touched, _ = problem.touch(theta)
    if touched.all():
        return theta
    return lm.fit(problem.select(~touched), theta, iterations=30, tell=_ends(tell, "without contact")).theta


def _magnitudes(problem, theta, tell, iterations=40):
    """Sums of magnitudes by reweighting, rounded off below a size that falls to rounding."""
    size = np.abs(problem.residuals(theta))
    delta = max(np.quantile(size[size > 0], 0.9) if (size > 0).any() else 0.0, LEAST)
    while True:
        result = lm.fit(problem, theta, loss=lm.l1(delta), iterations=iterations, tell=_ends(tell, "magnitudes"))
        theta = result.theta
        if delta <= LEAST:
            return result
        delta = max(delta * 1e-3, LEAST)


def _staged(problem, theta, tell):
    theta = _smooth(problem, theta, tell)
    found = lm.fit(problem, theta, iterations=40, tell=_ends(tell, "least squares"))
    if np.abs(found.linear.r).max() <= EXACT:
        return found
    return _magnitudes(problem, found.theta, tell)


def _at_once(problem, theta, tell):
    return _magnitudes(problem, _smooth(problem, theta, tell), tell)


def _bad(problem, theta):
    """Windows that a fit without noise leaves unexplained."""
    return np.flatnonzero(np.abs(problem.residuals(theta)).max(axis=1) > EXACT)


def _mended(problem, found, tell):
    """The fit with coefficients of a few windows begun anew: one that stops where its contacts stick, or beside another
    valley, is all that is wrong with 30 pairs' fit. Each material of those windows is fitted alone from a grid, in the
    windows that touch it; the best goes on with all."""
    bad = _bad(problem, found.theta)
    if len(bad) == 0 or len(bad) > FEW * len(problem.states):
        return found
    problem.linear(found.theta)
    touched = problem.materials.astype(bool)
    theta = found.theta
    for material in np.flatnonzero(touched[bad].any(axis=0)):
        theta = _of_grid(problem, theta, material, np.flatnonzero(touched[:, material]))
    if np.array_equal(theta, found.theta):
        return found
    again = _magnitudes(problem, theta, tell)
    return again if _sum(problem, again.theta) < _sum(problem, found.theta) else found


def _of_grid(problem, theta, material, rows):
    """theta with mu and e of one material where they explain its windows best, all else fixed."""
    part, unknowns = problem.select(rows), problem.model.unknowns
    its = {u.kind: k for k, u in enumerate(unknowns)
           if u.kind in ("mu", "e") and problem.model.entries[u.entries[0]].index == material}
    free = list(its.values())
    part.low, part.high = theta.copy(), theta.copy()
    part.low[free], part.high[free] = problem.low[free], problem.high[free]
    best, least = theta, _sum(part, theta)
    for point in itertools.product(*(MENDED[kind] for kind in its)):
        begin = theta.copy()
        begin[free] = point
        tried = lm.fit(part, begin, iterations=20).theta
        loss = _sum(part, tried)
        if loss < least:
            best, least = tried, loss
        if least <= EXACT:
            break
    return best


def second_start(model):
    return np.array([SECOND.get(u.kind, u.start) for u in model.unknowns])


def fit_exact(model, pairs, tell=None, tries=4):
    """A Learned of pairs [pairs, 2, state] without noise. Stops at the first fit that explains all."""
    problem = Windows(model, pairs)
    best = None
    for recipe, theta in ((_staged, model.start), (_at_once, second_start(model)), (_at_once, model.start),
                          (_staged, second_start(model)))[:tries]:
        found = _mended(problem, recipe(problem, theta, tell), tell)
        loss = _sum(problem, found.theta)
        if best is None or loss < best.loss:
            best = Learned(found.theta, found, problem, None, loss)
        if best.loss <= EXACT:
            break
    return best


def fit_noisy(model, states, noise, tell=None, theta=None):
    """A Learned of windows [windows, steps + 1, state] with noise of standard deviation `noise` [state] or a number.

    First with the windows' starts as measured, which is quick and biased. Then with the starts fitted, from there and
    from the model's start; the better one goes on."""
    noise = np.broadcast_to(np.asarray(noise, float), np.shape(states)[2:])
    problem = Windows(model, states, noise, fitted=True)
    begins = [theta]
    if theta is None:
        measured = _measured(Windows(model, states, noise), model, tell)
        begins = [measured, model.start, *(_replaced(model, measured, mu, e) for mu, e in GRID)]
    fits = [_with_starts(problem, begin, np.zeros((len(states), problem.n_start)), SHORT, tell) for begin in begins]
    best = min(fits, key=lambda found: found.loss)
    best = _rounds(problem, best, tell)
    for k, bound in _near_bounds(problem, best.theta):
        theta = best.theta.copy()
        theta[k] = bound
        tried = _rounds(problem, _with_starts(problem, theta, best.starts, 1, tell), tell, 1)
        best = tried if tried.loss < best.loss else best
    return Learned(best.theta, best, problem, noise, _sum(problem, best.theta, best.starts))


def _rounds(problem, found, tell, rounds=ROUNDS):
    """Fits, with the worst windows' starts drawn anew between them."""
    for _ in range(rounds):
        found = _with_starts(problem, found.theta, found.starts, FULL // ROUNDS, tell)
        found.starts = _drawn(problem, found)
    return _with_starts(problem, found.theta, found.starts, FULL // ROUNDS, tell)


def _near_bounds(problem, theta):
    """(index, bound) of coefficients near 0 or, of e, near 1: a fit may stop beside a bound that explains more."""
    for k, u in enumerate(problem.model.unknowns):
        if u.kind in ("mu", "e") and 0.0 < theta[k] < BESIDE:
            yield k, 0.0
        if u.kind == "e" and 1.0 - BESIDE < theta[k] < 1.0:
            yield k, 1.0


def _drawn(problem, found):
    """Starts of the windows that are explained worst, drawn anew within the noise where that explains them better: an
    impact that comes a step late in a window cannot be mended by a slope."""
    rng = np.random.default_rng(0)
    loss, starts = lm.huber(HUBER), found.starts.copy()
    value = loss(found.linear.r)[0].sum(axis=1)
    rows = np.flatnonzero(value > BAD * np.median(value))
    if len(rows) == 0:
        return starts
    part, kept = problem.select(rows), value[rows]
    for k in range(DRAWS):
        around = starts[rows] if k % 2 else 0.0
        tried = around + rng.normal(size=(len(rows), problem.n_start)) * _start_noise(problem) / (1 + k % 3)
        new = loss(part.residuals(found.theta, tried))[0].sum(axis=1)
        better = new < kept
        starts[rows[better]], kept[better] = tried[better], new[better]
    return starts


def _start_noise(problem):
    """[2 rates] the noise of a start's increments; that of a turn is a quaternion's twice."""
    roller = problem.model.roller
    by = roller.move_derivative(np.array(problem.states[0, 0]))
    return 1.0 / np.sqrt(np.sum((by / problem.scale[:, None]) ** 2, axis=0))


def _replaced(model, theta, mu, e):
    """theta with all mu and all e at these."""
    return np.array([{"mu": mu, "e": e}.get(u.kind, x) for u, x in zip(model.unknowns, theta)])


def _with_starts(problem, theta, starts, iterations, tell):
    return lm.fit(problem, theta, loss=lm.huber(HUBER), starts=starts, iterations=iterations, enough=1e-5,
                  tell=_ends(tell, "starts fitted"))


def _measured(plain, model, tell):
    loss = lm.huber(HUBER * np.sqrt(plain.steps))
    fits = [lm.fit(plain, _smooth(plain, begin, tell), loss=loss, iterations=SHORT, tell=_ends(tell, "starts as measured"))
            for begin in (model.start, second_start(model))]
    return min(fits, key=lambda found: found.loss).theta


def fit_noise_too(model, states, noise, tell=None, rounds=3):
    """fit_noisy, with the noise of each column told anew by what the fit leaves, until it stays."""
    found = fit_noisy(model, states, noise, tell)
    for _ in range(rounds):
        told = found.noise * _left(found)
        if np.all(np.abs(told / found.noise - 1.0) < CHANGE):
            break
        found = fit_noisy(model, states, told, tell, found.theta)
    return found


def _left(found):
    """[state] standard deviation of the residuals in units of the noise, with the starts' share added."""
    r = found.fit.linear.r.reshape(-1, found.problem.width)
    seen = found.problem.steps + 1
    return 1.4826 * np.median(np.abs(r), axis=0) * np.sqrt(seen / (seen - 1.0))


def noise_of(model, pairs, theta):
    """[state] standard deviation of one state's noise, from pairs without contact at theta: the difference of two
    states has twice its variance. The median withstands patterns that are wrong."""
    problem = Windows(model, pairs)
    touched, _ = problem.touch(theta)
    rest = problem.select(~touched) if not touched.all() else problem
    size = np.abs(rest.residuals(theta).reshape(len(rest.states), -1, problem.width))
    return 1.4826 * np.median(size.reshape(-1, problem.width), axis=0) / np.sqrt(2.0)


def smooth_fit(model, pairs, tell=None):
    """theta after the windows without contact alone."""
    return _smooth(Windows(model, pairs), model.start, tell)
