# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Learning from a log of throws: CSV in, labelled contact states out.

`read` checks the file, `smooth.follow` finds states and impulses, `labels` turns them into what a law learns
from. The first pass expects Coulomb friction with the coefficient that fits the log (identify.py), loosely. A law
learned from its labels then serves as the prior of the next pass, and so on: what stays is what the log itself keeps
confirming.
"""
from dataclasses import dataclass

import numpy as np

from ..csvfile import groups_in_time, read_columns
from ..errors import TinycontactError
from ..progress import announced, progress
from ..sim import coulomb, impulse, query
from . import plausible, smooth, train
from .fit import Recipe
from .law import NetLaw
from .sample import Coulomb, Labelled, dimensions, joined, training

POSE, RATES = ("x", "y", "theta"), ("vx", "vy", "omega")
LEAST_ROWS = 20            # of a throw: less tells nothing
NOISE_LEAST = np.array([1e-5, 1e-5, 1e-4, 1e-3, 1e-3, 1e-2])   # m, rad, m/s, rad/s: also of a perfect log
STEP_OFF = 0.02            # relative difference of the log's step from the body's that is taken for rounding
AT_ONCE = 25               # throws followed together
PASSES = 3
ALIKE = 8                  # steps on either side over which the ratio of a sliding patch is averaged
CREEP = 0.01               # [m/s]: a slip that is taken for none once it stays below
BASIS = 0.05               # [m/s] least normal impulse per mass that the ratio of a slide is estimated from
LEAVING = 4                # one state in so many is also shown reversed, as a patch that leaves
UPDATES, DECAY = 3000, 0.1
HELD_BACK = 5              # one throw in so many is judged by
PRIOR_DEVIATION = 0.25     # of the fitted coefficient, as the first pass believes it
PRIOR_LEAST = 2000         # states of fitted Coulomb friction beside those of the log, per patch dimension
DOUBT, DEVIATION = 0.2, 0.1   # how far a learned law is mistrusted as a prior: of its classes, of its ratio


@dataclass
class Log:
    """Throws of a file."""

    seen: list           # [[T + 1, 3 or 6], ...] poses, velocities
    noise: np.ndarray    # [3 or 6] deviations, found in the data
    step: float          # [s]

    def __getitem__(self, throws):
        return Log([self.seen[k] for k in throws], self.noise, self.step)


def noise_of(seen):
    """Deviation of the noise in each column: of fourth differences, which smooth motion has none of, the
    median (impacts are few). White noise of variance v has fourth differences of variance 70 v."""
    fourth = np.concatenate([np.diff(s, 4, axis=0) for s in seen])
    return np.maximum(np.median(np.abs(fourth), axis=0) / 0.6745 / np.sqrt(70), NOISE_LEAST[:fourth.shape[1]])


def _refuse_step(path, step, wanted):
    """Says why the times of a log do not fit the body's step."""
    for unit, factor in (("milliseconds", 1e-3), ("microseconds", 1e-6), ("samples", wanted)):
        if abs(step * factor / wanted - 1) <= STEP_OFF:
            raise TinycontactError(f"{path}, column t: is probably in {unit}; seconds are wanted: it grows by"
                                   f" {step:g} per row, the body's h is {wanted:g} s. Multiply t by {factor:g}")
    raise TinycontactError(f"{path}: its step is {step:g} s, but the body's h is {wanted:g} s; they have"
                           f" to agree, so log at {1 / wanted:g} Hz or set h to {step:g}")


def read(path, body):
    """The Log of a file; whatever is wrong with it is told by line and column."""
    table = read_columns(path, ("throw", "t", *POSE), RATES)
    given = [name for name in RATES if name in table]
    if given and len(given) < len(RATES):
        missing = ", ".join(name for name in RATES if name not in given)
        raise TinycontactError(f"{path}: has column {given[0]} but not {missing}; give all three velocities"
                               " or none")
    throws = groups_in_time(table, "throw", "t")
    short = [rows for rows in throws if len(rows) < LEAST_ROWS]
    if short or not throws:
        where = table.where(short[0][0], "throw") if short else path
        raise TinycontactError(f"{where}: a throw of {len(short[0]) if short else 0} rows; at least"
                               f" {LEAST_ROWS} are needed")
    step = float(np.median(np.concatenate([np.diff(table["t"][rows]) for rows in throws])))
    if abs(step / body.h - 1) > STEP_OFF:
        _refuse_step(path, step, body.h)
    raw = [table.stacked((*POSE, *given))[rows] for rows in throws]
    plausible.check(path, body, [one[:, :3] for one in raw], [one[:, 3:] for one in raw if given],
                    noise_of(raw)[:3])
    below = np.flatnonzero(table["y"] <= 0)
    if len(below):
        raise TinycontactError(f"{table.where(below[0], 'y')}: the centre of mass is at"
                               f" {table['y'][below[0]]:g} m, not above the floor")
    lowest = table["y"].min()
    if lowest > body.reach:
        raise TinycontactError(f"{path}: the body never touches the floor y = 0: its centre of mass stays above"
                               f" {lowest:g} m, its farthest corner is {body.reach:g} m from it; are lengths in"
                               " metres?")
    seen = [one.copy() for one in raw]
    for one in seen:   # an angle between -pi and pi is as good as one that counts the turns
        one[:, 2] = np.unwrap(one[:, 2])
    return Log(seen, noise_of(seen), step)


def _runs(on, mode, vertex):
    """[steps] number of the run a contact step belongs to: successive steps of one patch and mode."""
    facts = np.column_stack([on - np.arange(len(on)), mode, vertex])
    return np.cumsum(np.concatenate([[0], np.any(np.diff(facts, axis=0) != 0, axis=1)]))


def _sliding(run, mode, speed):
    """[steps] which steps slide: those of a run of sliding after which, in the run, the slip still exceeds
    CREEP. What creeps at the end of a slide has come to rest; what creeps at the start has begun to slip."""
    later = speed.copy()
    for k in range(len(run) - 2, -1, -1):
        if run[k] == run[k + 1]:
            later[k] = max(later[k], later[k + 1])
    return (mode == smooth.SLIDE) & (later > CREEP)


def _averaged(run, friction, normal):
    """(p_f, sum of p_n it rests on) with the ratio to p_n averaged over up to ALIKE steps on either side in
    the same run: what one step did of a long slide drowns in noise, what many did together does not."""
    at = np.arange(len(run))
    total = np.zeros((2, len(run)))
    for offset in range(-ALIKE, ALIKE + 1):
        there = np.clip(at + offset, 0, len(run) - 1)
        same = (run[there] == run) & (there == at + offset)
        total += np.where(same, [friction[there], normal[there]], 0)
    return np.where(total[1] > 0, normal * total[0] / np.where(total[1] > 0, total[1], 1), 0.0), total[1]


def _labels_of(body, path):
    """Labelled contact states, patches of both dimensions, of a smoothed throw. A slide too short to say with
    what friction has none, and so has one whose friction would drive it, which can only be noise: they teach
    the class alone. A law that learned such a sign would be clamped to no friction, and slide for ever."""
    on = np.flatnonzero(path.vertex[:, 0] >= 0)
    pose, before = path.state[on, :3], path.state[on, 3:]
    free = before - body.pull
    after = path.state[on + 1, 3:]
    asked = smooth.ask(body, pose, free, path.vertex[on])
    held, mode = impulse.arrest(asked), path.mode[on]
    speed = np.abs(after[:, 0] + after[:, 2] * asked.height)
    slide = _sliding(_runs(on, mode, path.vertex[on]), mode, speed)
    stick = (mode != smooth.FREE) & ~slide
    run = _runs(on, slide, path.vertex[on])
    normal = np.maximum(after[:, 1] - free[:, 1], 0)
    friction, basis = _averaged(run, after[:, 0] - free[:, 0], normal)
    way, most = np.sign(held[:, 0]), (1 - 2 * train.HELD) * np.abs(held[:, 0])   # sliding went on
    braked = way * np.clip(way * friction, 0, most)
    friction = np.select([stick, slide & (basis > BASIS)], [held[:, 0], braked], 0.0)
    normal = np.select([stick, slide], [held[:, 1:].sum(axis=1), normal], 0.0)
    stands = stick & ((held[:, 1:] > 0) | ~asked.present()).all(axis=1)
    return Labelled(pose, before, asked, np.select([stands, stick | slide], [0, 1], 2), friction, normal)


def _leaving(body, states, rng):
    """Some of the states with all corners closing in, time reversed: corners that all leave take no impulse,
    by Properties (2) and (3), and a log of few throws has few of them."""
    closing = np.flatnonzero(((states.query.approach < 0) | ~states.query.present()).all(axis=1))
    some = rng.choice(closing, len(closing) // LEAVING, replace=False)
    part = states[some]
    velocity = -part.query.velocity
    count = int(part.query.count[0]) if len(part) else 1
    asked = query.make(body.gyration, part.query.lever[:, :count], part.query.height, velocity)
    none = np.zeros(len(part))
    before = velocity + body.pull
    return Labelled(part.position, before, asked, np.full(len(part), 2), none, none)


def labels(body, paths, seed):
    """{dimension: Labelled} of smoothed throws."""
    parts = [_labels_of(body, path) for path in paths if (path.vertex[:, 0] >= 0).any()]
    sets = {}
    for dimension in (0, 1):
        some = [part[np.flatnonzero(part.query.count == dimension + 1)] for part in parts]
        some = [part for part in some if len(part)]
        if some:
            states = joined(some)
            rng = np.random.default_rng([seed, dimension])
            sets[dimension] = joined([states, _leaving(body, states, rng)])
    return sets


def guess_of(model):
    """A law as the prior of a pass of smooth.follow, mistrusted a little."""
    law = NetLaw(model)

    def guess(asked):
        found = smooth.no_guess(asked)
        rows = np.flatnonzero(np.isin(asked.count - 1, list(law.nets)))
        some = asked[rows]
        probability, ratio, _ = law.answer(some)
        held = impulse.arrest(some)
        ends = np.abs(ratio) * held[:, 1:].sum(axis=1) >= np.abs(held[:, 0])
        touching = np.maximum(probability[:, 0] + probability[:, 1], 1e-6)
        stick = np.clip((probability[:, 0] + probability[:, 1] * ends) / touching, 0, 1)
        found.stick[rows] = 0.5 * DOUBT + (1 - DOUBT) * stick
        found.ratio[rows], found.deviation[rows] = np.abs(ratio), DEVIATION
        return found
    return guess


def coulomb_guess(mu):
    """Coulomb friction as the prior of a first pass of smooth.follow, mistrusted like a learned law."""
    def guess(asked):
        held = impulse.arrest(asked)
        ends = mu * held[:, 1:].sum(axis=1) >= np.abs(held[:, 0])
        ones = np.ones(len(asked))
        return smooth.Guess(0.5 * DOUBT + (1 - DOUBT) * ends, mu * ones, PRIOR_DEVIATION * ones)
    return guess


def prior(body, sets, mu, seed):
    """{dimension: Labelled} of simulated contacts with the fitted coefficient, as many as the log has: beside its own
    states they keep a law near Coulomb's where the log is silent or noisy."""
    truth = Coulomb(coulomb.constant(mu))
    return {d: truth.label(body, *training(body, d, max(len(sets[d]), PRIOR_LEAST), seed, truth.law))
            for d in dimensions(body) if d in sets}


def recipe(hidden, updates, seed):
    """The Recipe for labels that have noise."""
    return Recipe(hidden, updates or UPDATES, decay=DECAY, seed=seed)


def _taught(path, body, sets, recipe, mu):
    """The model of a pass, or what may be wrong with the log that has so little to say."""
    try:
        with announced("fitting the law that the next pass expects"):
            return train.train(body, sets, recipe, beside=prior(body, sets, mu, recipe.seed))
    except TinycontactError as error:
        raise TinycontactError(f"{path}: {error}; log more throws, or is it the shape, the height of the floor, or"
                               " an angle that is not in radians?") from None


def _followed(body, log, guess, told):
    """[Path] of all throws of a log."""
    starts = range(0, len(log.seen), AT_ONCE)
    with announced(told):   # a short log is one piece
        parts = [smooth.follow(body, log.seen[start:start + AT_ONCE], log.noise, guess)
                 for _, start in progress(starts, f"{told}, {AT_ONCE} throws each")]
    return [one for part in parts for one in part]


def _touching(path, sets):
    if 0 not in sets:
        raise TinycontactError(f"{path}: the body never touches the floor y = 0 with a vertex; are the"
                               " shape, the units and the height of the floor those of the log?")
    return sets


def split(count, seed):
    """(throws to learn from, throws to judge by) of `count`: a random fifth, at least one of two, is held back."""
    order = np.random.default_rng([int(seed), 11]).permutation(count)
    cut = max(count // HELD_BACK, int(count > 1))
    return np.sort(order[cut:]), np.sort(order[:cut])


@dataclass
class Sets:
    """Labelled states of a log, {dimension: Labelled} each."""

    everything: dict     # what the model of the file learns from
    learned: dict        # without the throws held back
    held: np.ndarray     # the throws held back; none: too few, then both are the same


def labelled(path, body, log, recipe):
    """The Sets of a Log of the file `path`; body.mu is the coefficient that fits it."""
    first = _followed(body, log, coulomb_guess(body.mu), f"pass 1 of {PASSES} over the log")
    kept, held = split(len(log.seen), recipe.seed)
    try:
        return _labelled(path, body, log, recipe, (first, kept, held))
    except TinycontactError:
        everyone = np.arange(len(log.seen))
        return _labelled(path, body, log, recipe, (first, everyone, everyone[:0]))


def _labelled(path, body, log, recipe, parts):
    """The Sets of a log whose first pass gave `first`: the laws of later passes have seen the throws `kept` alone."""
    first, kept, held = parts
    paths, last = [first[k] for k in kept], [first[k] for k in held]
    for number in range(1, PASSES):
        sets = _touching(path, labels(body, paths, recipe.seed))
        guess = guess_of(_taught(path, body, sets, recipe, body.mu))
        paths = _followed(body, log[kept], guess, f"pass {number + 1} of {PASSES} over the log")
        last = _followed(body, log[held], guess, "the throws held back") if len(held) else []
    learned = _touching(path, labels(body, paths, recipe.seed))
    if not len(held):
        return Sets(learned, learned, held)
    return Sets(labels(body, paths + last, recipe.seed), learned, held)
