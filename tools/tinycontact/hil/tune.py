# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Tunes the few numbers of an estimator's configuration that matter, on logs whose contact is known.

    found = tune(chain, Configuration(), parts)     # parts: leglog.segments.Segment, or episodes with contact

What is tuned and what judges it are different parts of the logs: of three logs or more every third one is held back,
else the last third of each part. A change is kept if it pays in the part that is tuned on by more than chance would: by
its own standard error over blocks of BLOCK seconds. The held-back part is looked at once, at the end.

cost    share of ticks whose contact is wrong, 2 ms and two ticks at least around its changes excused, with EVENT
        seconds more for each touch-down that is missed and each that is false
"""
from dataclasses import dataclass, field, replace

import numpy as np

from ..errors import TinycontactError
from . import metrics, truth
from .rates import around

NUMBERS = {   # what is tried, the factor of the first steps
    "force": 2.0, "normal_speed": 1.6, "torque_noise": 1.6, "bias_part": 1.6, "torque_part": 1.6, "accel_noise": 1.6,
    "floor_spread": 1.6, "lift_off": 3.0, "light": 2.0, "rise": 1.6, "friction_width": 1.6, "settle": 2.0}
MOST_FACTOR = 10.0        # of a number over where it began
ROUNDS = 3                # over all numbers, the factor's root taken after each
BLOCK, EVENT = 1.0, 0.02  # [s]
BEGIN = 0.2               # [s] of a part that are not judged: the filter has just begun
HELD, EVERY = 1 / 3, 3    # share of a part, or every such log, that is held back
MEDIAN_OF_THIRD = 3.02    # over the deviation of white noise
LEAST = {"tuned on": 5, "held back": 3}   # touch-downs
TABLE = ("contact_right", "missed", "false", "delay_mean", "lift_off")


@dataclass
class Part:
    """Of a log: what Estimator.run takes, and the true contact."""
    encoder: np.ndarray
    torque: np.ndarray
    gyro: np.ndarray
    accel: np.ndarray
    pitch: np.ndarray
    lost: np.ndarray
    contact: np.ndarray   # [T] bool
    tick: float
    given: tuple = ("pitch",)
    base_velocity: np.ndarray = None
    touch: np.ndarray = None

    def __len__(self):
        return len(self.gyro)

    @property
    def judged(self):
        """[T] bool"""
        near = around(truth.close_gaps(self.contact, self.tick).astype(np.int8), self.tick)
        near[:truth.ticks_in(BEGIN, self.tick)] = True
        return ~near

    def touch_downs(self):
        return truth.events(truth.close_gaps(self.contact, self.tick), self.tick)


ARRAYS = ("encoder", "torque", "gyro", "accel", "pitch", "lost", "contact", "base_velocity", "touch")


def part_of(source, first=0, last=None):
    """The Part of ticks [first, last) of whatever has its fields."""
    cut = {name: getattr(source, name, None) for name in ARRAYS}
    cut = {name: None if values is None else np.asarray(values)[first:last] for name, values in cut.items()}
    return Part(**cut, tick=source.tick, given=getattr(source, "given", ("pitch",)))


def part_of_episode(episode, first=0, last=None):
    """The same of an episodes.Episode, whose samples come a tick late."""
    known = episode.truth.mode != truth.AIR
    late = np.concatenate([known[:1], known[:-1]])
    return part_of(_With(episode, late), first, last)


class _With:
    """An episode with a column `contact`."""

    def __init__(self, episode, contact):
        self._episode, self.contact = episode, contact

    def __getattr__(self, name):
        return getattr(self._episode, name)


def split(logs):
    """(tuned on, held back), lists of Part, of a list of logs, lists of Part."""
    if len(logs) >= EVERY:
        groups = [[part for k, log in enumerate(logs) if (k % EVERY == EVERY - 1) == held for part in log]
                  for held in (False, True)]
    else:
        cuts = [(part, int(len(part) * (1 - HELD))) for log in logs for part in log]
        groups = [[part_of(part, 0, cut) for part, cut in cuts], [part_of(part, cut) for part, cut in cuts]]
    for what, group in zip(LEAST, groups):
        count = sum(len(part.touch_downs()) for part in group)
        if count < LEAST[what]:
            raise TinycontactError(f"the part of the logs that is {what} has {count} touch-downs, of {LEAST[what]} at"
                                   " least: log longer, or more often")
    return groups


def wrong(part, contact):
    """[blocks] seconds that are wrong in a Part, if this is believed."""
    blocks = np.arange(len(part)) // max(1, truth.ticks_in(BLOCK, part.tick))
    true = truth.close_gaps(part.contact, part.tick)
    cost = np.where(part.judged & (contact != true), part.tick, 0.0)
    rises = np.flatnonzero(np.diff(contact.astype(np.int8), prepend=np.int8(contact[0])) > 0)
    reach = truth.ticks_in(metrics.TOLERATED, part.tick) + 1
    for k in rises:
        cost[k] += EVENT * (not true[max(0, k - reach):k + 1].any())
    for begin, end in part.touch_downs():
        cost[begin] += EVENT * (not contact[begin:min(end, begin + truth.ticks_in(metrics.MISSED, part.tick))].any())
    return np.bincount(blocks, cost)


class Judge:
    """Costs of settings on Parts."""

    def __init__(self, chain, config, parts):
        self.usual, self.estimator, self.parts = config.all_settings(), config.estimator(chain), parts
        self.seconds = sum(len(part) * part.tick for part in parts)

    def _estimates(self, settings):
        """Of each part."""
        self.estimator.settings = {**self.usual, **settings}   # one estimator: a library is loaded once
        return [self.estimator.run(part, part.given) for part in self.parts]

    def costs(self, settings):
        """[blocks] of all parts [s]"""
        found = self._estimates(settings)
        return np.concatenate([wrong(part, said["contact"].astype(bool)) for part, said in zip(self.parts, found)])

    def table(self, settings):
        """{name of TABLE: number}"""
        judged = [metrics.judge(_judgeable(part), said) for part, said in zip(self.parts, self._estimates(settings))]
        with np.errstate(divide="ignore", invalid="ignore"):   # no impulse is known to be true
            found = metrics.summary(metrics.pool(judged))
        return {name: float(found[name]) for name in TABLE}


def _judgeable(part):
    """As metrics.judge takes it: a row's truth is of the tick that ends there; no impulse is known."""
    closed, ticks = truth.close_gaps(part.contact, part.tick), len(part)
    spans = truth.events(closed, part.tick)
    facts = truth.Truth(closed.astype(np.int8), np.zeros((ticks, 2), np.float32), np.zeros(ticks, np.float32),
                        np.array([(begin + 0.5) * part.tick for begin, _ in spans]),
                        np.array([np.nan if end == ticks else (end + 0.5) * part.tick for _, end in spans]),
                        np.zeros(0), np.zeros(len(spans)))
    return _Judged(part.gyro, facts, part.tick)


@dataclass
class _Judged:
    gyro: np.ndarray
    truth: truth.Truth
    tick: float


@dataclass
class Tuned:
    config: object        # Configuration, tuned
    before: dict          # of the held-back part: cost [share], and TABLE
    after: dict
    changed: dict = field(default_factory=dict)   # {field: (before, after)}
    trials: int = 0
    held: float = 0.0     # [s] held back
    touch_downs: int = 0  # in it

    @property
    def better(self):
        return self.after["cost"] < self.before["cost"]


def _pays(before, after):
    """Whether costs of blocks fell by more than chance."""
    gain = before - after
    return gain.sum() > max(np.sqrt(np.sum((gain - gain.mean())**2)), 1e-9)


def _times(value, factor):
    return [one * factor for one in value] if isinstance(value, list) else value * factor


def _tried(judge, settings):
    """Costs, or None of settings that no estimator takes."""
    from ..errors import StatusError
    try:
        return judge.costs(settings)
    except StatusError:
        return None


def search(judge, start, tell=iter):
    """({field: factor}, trials) of NUMBERS that pay on a Judge's parts, from the numbers `start`. `tell` shows
    progress over the rounds' numbers."""
    factors, best, trials = {}, judge.costs({}), 1
    steps = dict(NUMBERS)
    for name in tell([name for _ in range(ROUNDS) for name in NUMBERS]):
        for by in (steps[name], 1 / steps[name]):
            now = factors.get(name, 1.0) * by
            if not 1 / MOST_FACTOR <= now <= MOST_FACTOR:
                continue
            trial = {**factors, name: now}
            found = _tried(judge, {key: _times(start[key], factor) for key, factor in trial.items()})
            trials += 1
            if found is not None and _pays(best, found):
                factors, best = trial, found
                break
        else:
            steps[name] = np.sqrt(steps[name])
    return factors, trials


def torque_noise(parts):
    """[n] standard deviation of white noise on the torques of parts, by the median of their third differences, as
    tc_estimator_sensors.c follows it."""
    thirds = [np.diff(part.torque[np.asarray(part.lost) < 0.5].astype(float), 3, axis=0) for part in parts]
    return np.median(np.abs(np.concatenate(thirds)), axis=0) / MEDIAN_OF_THIRD


def rounded(value):
    """Three digits: more was not found."""
    return [float(f"{one:.3g}") for one in value] if isinstance(value, list) else float(f"{value:.3g}")


def tune(chain, config, logs, tell=iter):
    """The Tuned of a Chain, a Configuration and logs, lists of Part."""
    learn, held = split(logs)
    start = config.numbers(chain)
    factors, trials = search(Judge(chain, config, learn), start, tell)
    settings = {name: rounded(_times(start[name], factor)) for name, factor in factors.items()}
    judge = Judge(chain, config, held)
    before, after = ({"cost": float(judge.costs(given).sum() / judge.seconds), **judge.table(given)}
                     for given in ({}, settings))
    return Tuned(replace(config, settings={**config.settings, **settings}), before, after,
                 {name: (start[name], value) for name, value in settings.items()}, trials, judge.seconds,
                 sum(len(part.touch_downs()) for part in held))
