# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""What happened in a logged throw: states and contact impulses from noisy poses.

Between contacts a body flies on a known path; in a contact Algorithm 1 leaves little open. So a throw is
followed by a beam of hypotheses, each a Kalman filter over (pose, velocity) with the steps of the model:

    free    no impulse: no contact, or every contact leaves
    stick   the impulse that ends sliding, with unilateral normals (arrest; `static` if all corners push)
    slide   friction s N with a wide prior on s and the normals that go with it: all that is estimated

Where a vertex may touch or not, within the uncertainty of its gap, both are tried. All hypotheses see the
same poses; the likely ones are kept (Bayes' rule: a step that has an unknown friction pays for it by its
wider prediction). At the end the best one is smoothed backwards (Rauch, Tung & Striebel). No law of friction
takes part in the first pass; a later pass may take its priors from the law learned so far.

Masses are divided out. State (x, y, theta, vx, vy, omega); A.. as in sim.query.
"""
from dataclasses import dataclass

import numpy as np

from ..sim import impulse, query, shapes

FREE, STICK, SLIDE = range(3)
BEAM = 6               # hypotheses kept of a throw
SWITCH = 3.0           # log odds against a change between stick and slide from one step to the next
SURE = 3.0             # deviations of a gap within which a vertex may touch or not
PRIOR = (0.5, 0.35)    # mean and deviation of |s| before anything is known
WIDE = (10.0, 10.0, 100.0)         # of the first velocity [m/s, m/s, rad/s]
NEAR, MIXED = 0.04, 30.0   # of the reach: lowest point of a row beside a contact; its velocities' deviation grows
DRIFT = (1e-6, 1e-5)   # of positions in free and contact steps [m]: rounding, push-out
JOLT = (1e-4, 2e-3)    # of velocities in contact steps: [m/s], and of the impulse


@dataclass
class Guess:
    """What a law expects of contacts, as priors of a pass."""

    stick: np.ndarray      # [n] probability that sliding ends
    ratio: np.ndarray      # [n] |s|
    deviation: np.ndarray  # [n] of |s|


def no_guess(asked):
    """Either is as likely; s wide open."""
    ones = np.ones(len(asked))
    return Guess(0.5 * ones, PRIOR[0] * ones, PRIOR[1] * ones)


@dataclass
class Rows:
    """Hypotheses of one step: n of them."""

    throw: np.ndarray      # [n]
    mean: np.ndarray       # [n, 6]
    cov: np.ndarray        # [n, 6, 6]
    score: np.ndarray      # [n] log probability
    mode: np.ndarray       # [n] of the step before
    closed: np.ndarray     # [n, vertices] pushed in the step before

    def __getitem__(self, rows):
        names = ("throw", "mean", "cov", "score", "mode", "closed")
        return Rows(*(getattr(self, name)[rows] for name in names))


@dataclass
class Moves:
    """Ways for rows to go on: m of them."""

    parent: np.ndarray     # [m]
    mode: np.ndarray       # [m]
    vertex: np.ndarray     # [m, 2] of the patch, left first; -1: none
    after: np.ndarray      # [m, 3] velocities
    pushed: np.ndarray     # [m, 2] which corners carry an impulse
    gain: np.ndarray       # [m, 3, 3] d after / d velocity
    spread: np.ndarray     # [m, 3, 3] what is not known about `after`
    score: np.ndarray      # [m]


def _patches(body, rows, velocity):
    """(parent, mask [m, vertices]): the patches each row may have. Sure are vertices that pushed or are below
    the floor; those within SURE deviations of it may count: all, none, or one of them."""
    gap = shapes.gaps(body, rows.mean[:, 1], rows.mean[:, 2])
    arm = shapes.turned(body, rows.mean[:, 2])[..., 0]
    of_y, of_both, of_turn = (rows.cov[:, i, j, None] for i, j in ((1, 1), (1, 2), (2, 2)))
    variance = of_y + 2 * arm * of_both + arm**2 * of_turn
    margin = SURE * np.sqrt(np.maximum(variance, 0)) + 1e-5
    closing = velocity[:, 1:2] + velocity[:, 2:] * arm < 0
    inside = (gap < -margin) | (rows.closed & closing)
    near = ~inside & (np.abs(gap) <= margin)
    options = [inside, inside | near]
    for v in range(gap.shape[1]):
        alone = inside.copy()
        alone[:, v] |= near[:, v]
        options.append(alone)
    parent = np.tile(np.arange(len(gap)), len(options))
    both = np.column_stack([parent, np.concatenate(options)])
    unique = np.unique(both, axis=0)
    return unique[:, 0], unique[:, 1:].astype(bool)


def _outermost(mask, along):
    """[m, 2] outermost vertices, left first, twice the same if there is one; -1 without any."""
    left = np.where(mask, along, np.inf).argmin(axis=1)
    right = np.where(mask, along, -np.inf).argmax(axis=1)
    return np.where(mask.any(axis=1)[:, None], np.stack([left, right], axis=1), -1)


def ask(body, pose, velocity, vertex):
    """The Query of rows that all have a patch; `velocity` with the applied force integrated."""
    x = np.take_along_axis(shapes.turned(body, pose[:, 2])[..., 0], vertex, 1)
    parts = []
    for count in (1, 2):
        of = np.flatnonzero((vertex[:, 0] != vertex[:, 1]) == (count == 2))
        if len(of):
            parts.append((of, query.make(body.gyration, x[of, :count], pose[of, 1], velocity[of],
                                         restitution=body.restitution)))
    return query.merge(len(pose), parts)


def _projection(asked, active):
    """(G [n, 3, 3], W [n, 3, 3]): G takes out the velocities of the active rows (t, 1, 2), W = M^-1 J^T."""
    n = len(asked)
    jacobian = np.zeros((n, 3, 3))
    jacobian[:, 0, 0] = jacobian[:, 1, 1] = jacobian[:, 2, 1] = 1
    jacobian[:, 0, 2], jacobian[:, 1:, 2] = asked.height, asked.lever
    weighted = jacobian.transpose(0, 2, 1).copy()
    weighted[:, 2] /= asked.gyration[:, None]**2
    jacobian = jacobian * active[:, :, None]
    both = active[:, :, None] & active[:, None, :]
    inverse = np.linalg.inv(np.where(both, asked.delassus(), np.eye(3)))
    return np.eye(3) - weighted @ (inverse * both) @ jacobian, weighted


def _contact_moves(asked, guess):
    """(mode, after, pushed, gain, spread, score) for stick and for slide, of queries with an approaching
    corner."""
    n, held = len(asked), impulse.arrest(asked)
    limit = np.abs(held[:, 0])
    pushed = held[:, 1:] > 0
    gain, _ = _projection(asked, np.column_stack([np.ones(n, bool), pushed]))
    after = asked.after(held[:, 0], held[:, 1:])
    yield STICK, after, pushed, gain, np.zeros((n, 3, 3)), np.log(guess.stick)
    friction, normal = impulse.slide(asked, guess.ratio * np.sign(held[:, 0]), held)
    deviation = guess.deviation * normal.sum(axis=1)
    ends = np.abs(friction) >= 0.999 * limit   # sliding goes on: less than f*, anywhere below
    friction = np.where(ends, 0.6 * held[:, 0], friction)
    A = asked.delassus()
    unilateral = impulse.lcp(A[:, 1:, 1:], asked.approach + A[:, 1:, 0] * friction[:, None], asked.count)
    normal = np.where(ends[:, None], unilateral, normal)
    deviation = np.where(ends, 0.3 * limit, np.minimum(deviation, 0.5 * limit))
    pushed = normal > 0
    gain, weighted = _projection(asked, np.column_stack([np.zeros(n, bool), pushed]))
    way = np.einsum("nij,nj->ni", gain, weighted[:, :, 0]) * deviation[:, None]
    spread = way[:, :, None] * way[:, None, :]
    yield SLIDE, asked.after(friction, normal), pushed, gain, spread, np.log1p(-guess.stick)


def _moves(body, rows, guess):
    """All Moves of a step."""
    velocity = rows.mean[:, 3:] - body.pull
    parent, mask = _patches(body, rows, velocity)
    arm = shapes.turned(body, rows.mean[parent, 2])[..., 0]
    vertex = _outermost(mask, arm)
    rate = velocity[parent, 1:2] + velocity[parent, 2:] * arm
    touching = np.any(mask & (rate < 0), axis=1)
    free = np.flatnonzero(~touching)
    found = [(parent[free], np.full(len(free), FREE), vertex[free], velocity[parent[free]],
              np.zeros((len(free), 2), bool), np.broadcast_to(np.eye(3), (len(free), 3, 3)),
              np.zeros((len(free), 3, 3)), np.zeros(len(free)))]
    on = np.flatnonzero(touching)
    if len(on):
        asked = ask(body, rows.mean[parent[on], :3], velocity[parent[on]], vertex[on])
        k2 = np.array([1.0, 1.0, 1 / body.gyration**2])
        for mode, after, pushed, gain, spread, score in _contact_moves(asked, guess(asked)):
            jolt = JOLT[0]**2 + JOLT[1]**2 * ((after - velocity[parent[on]])**2 / k2).sum(axis=1)
            spread = spread + jolt[:, None, None] * np.diag(k2)
            found.append((parent[on], np.full(len(on), mode), vertex[on], after, pushed, gain, spread, score))
    moves = Moves(*(np.concatenate(column) for column in zip(*found)))
    before = rows.mode[moves.parent]
    moves.score = moves.score - np.log(np.bincount(parent, minlength=len(rows.throw))[moves.parent])
    moves.score = moves.score - SWITCH * ((before != moves.mode) & (before != FREE) & (moves.mode != FREE))
    return moves


def _predict(body, rows, moves):
    """(mean [m, 6], cov, F): where the moves lead."""
    h, m = body.h, len(moves.parent)
    before = rows.mean[moves.parent]
    mean = np.hstack([before[:, :3] + h * moves.after, moves.after])
    F = np.zeros((m, 6, 6))
    F[:, :3, :3] = np.eye(3)
    F[:, 3:, 3:], F[:, :3, 3:] = moves.gain, h * moves.gain
    drift = np.where(moves.mode == FREE, *DRIFT)[:, None] * [1.0, 1.0, 1 / body.gyration]
    into = np.zeros((m, 6, 3))
    into[:, :3], into[:, 3:] = h * np.eye(3), np.eye(3)
    cov = F @ rows.cov[moves.parent] @ F.transpose(0, 2, 1) + into @ moves.spread @ into.transpose(0, 2, 1)
    cov[:, range(3), range(3)] += drift**2
    return mean, cov, F


def _update(mean, cov, seen, noise):
    """(mean, cov, log likelihood) after an observation [m, d] of the first d components; noise [m, d]."""
    d = seen.shape[1]
    miss = seen - mean[:, :d]
    total = cov[:, :d, :d] + noise[:, :, None]**2 * np.eye(d)
    gain = np.linalg.solve(total, cov[:, :d]).transpose(0, 2, 1)
    mean = mean + np.einsum("nij,nj->ni", gain, miss)
    cov = cov - gain @ cov[:, :d]
    fit = np.einsum("ni,ni->n", miss, np.linalg.solve(total, miss[:, :, None])[:, :, 0])
    return mean, 0.5 * (cov + cov.transpose(0, 2, 1)), -0.5 * (fit + np.linalg.slogdet(total)[1])


def _best(throw, score, most):
    """Rows of the `most` highest scores of each throw."""
    order = np.lexsort((-score, throw))
    first = np.searchsorted(throw[order], throw[order])
    return order[np.arange(len(order)) - first < most]


@dataclass
class Path:
    """A smoothed throw of T + 1 samples and T steps."""

    state: np.ndarray    # [T + 1, 6]
    mode: np.ndarray     # [T]
    vertex: np.ndarray   # [T, 2] of the patch, left first, the same twice for a point; -1: none
    pushed: np.ndarray   # [T, 2]
    score: float         # log likelihood


@dataclass
class _Record:
    """A step of the filter: what it started from and what was kept of where it went."""

    mean: np.ndarray     # [rows, 6] before
    cov: np.ndarray
    parent: np.ndarray   # [kept] row of the above
    moves: tuple         # (mode, vertex, pushed) of the kept
    ahead: np.ndarray    # [kept, 6] predicted
    cov_ahead: np.ndarray
    F: np.ndarray
    going: np.ndarray    # the kept ones whose throw goes on: the rows of the next step


def _step(body, rows, observed, noise, guess):
    """(kept Rows, _Record without `going`) of one step; observed, noise [throws, d]."""
    moves = _moves(body, rows, guess)
    ahead, cov_ahead, F = _predict(body, rows, moves)
    throw = rows.throw[moves.parent]
    mean, cov, fit = _update(ahead, cov_ahead, observed[throw], noise[throw])
    score = rows.score[moves.parent] + moves.score + fit
    keep = _best(throw, score, BEAM)
    closed = np.zeros((len(keep), len(body.vertices)), bool)
    vertex, pushed = moves.vertex[keep], moves.pushed[keep]
    for side in (0, 1):
        on = np.flatnonzero(pushed[:, side])
        closed[on, vertex[on, side]] = True
    record = _Record(rows.mean, rows.cov, moves.parent[keep], (moves.mode[keep], vertex, pushed), ahead[keep],
                     cov_ahead[keep], F[keep], None)
    return Rows(throw[keep], mean[keep], cov[keep], score[keep], moves.mode[keep], closed), record


def _smoothed(records, best, rows):
    """The Path that ends in row `best` of `rows`: backwards, each state takes its share of what was learned
    later."""
    state, states, steps = rows.mean[best], [rows.mean[best]], []
    index = best
    for record in reversed(records):
        parent = record.parent[index]
        steps.append(tuple(part[index] for part in record.moves))
        back = np.linalg.solve(record.cov_ahead[index], record.F[index] @ record.cov[parent]).T
        state = record.mean[parent] + back @ (state - record.ahead[index])
        states.append(state)
        if record is not records[0]:
            index = records[len(records) - len(steps) - 1].going[parent]
    mode, vertex, pushed = (np.array(part[::-1]) for part in zip(*steps))
    return Path(np.array(states[::-1]), mode, vertex, pushed, float(rows.score[best]))


def _believed(body, seen, noise):
    """[[T + 1, 3 or 6], ...] deviations of the rows: velocities logged near the floor are hardly believed, since rows
    beside an impact mix what was before and after it."""
    found = []
    for rows in seen:
        near = shapes.gaps(body, rows[:, 1], rows[:, 2]).min(axis=1) < NEAR * body.reach
        near = np.convolve(near, np.ones(3), "same") > 0
        factor = np.ones((len(rows), rows.shape[1]))
        factor[np.ix_(near, np.arange(3, rows.shape[1]))] = MIXED
        found.append(noise[:rows.shape[1]] * factor)
    return found


def follow(body, seen, noise, guess=no_guess):
    """[Path] of logged throws: seen [[T + 1, 3 or 6], ...] poses (and velocities) every h, noise [3 or 6]
    their deviations."""
    noise, n, d = np.asarray(noise, float), len(seen), seen[0].shape[1]
    start, length = np.zeros((n, 6)), np.array([len(s) for s in seen])
    start[:, :d] = [s[0] for s in seen]
    deviation = np.concatenate([noise, WIDE])[:6]
    rows = Rows(np.arange(n), start, np.broadcast_to(np.diag(deviation**2), (n, 6, 6)).copy(), np.zeros(n),
                np.full(n, FREE), np.zeros((n, len(body.vertices)), bool))
    records, paths, believed = [], [None] * n, _believed(body, seen, noise)
    for k in range(1, length.max()):
        observed = np.array([s[min(k, len(s) - 1)] for s in seen])
        doubt = np.array([b[min(k, len(b) - 1)] for b in believed])
        rows, record = _step(body, rows, observed, doubt, guess)
        records.append(record)
        for t in np.unique(rows.throw[length[rows.throw] == k + 1]):
            at = np.flatnonzero(rows.throw == t)
            paths[t] = _smoothed(records, at[np.argmax(rows.score[at])], rows)
        record.going = np.flatnonzero(length[rows.throw] > k + 1)
        rows = rows[record.going]
    return paths
