# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""How good an estimator is on episodes of robots, foot by foot.

An estimator is any object with

    reset(robot)                 before each episode
    update(sample) -> Estimate   each tick; sample: {name: array} of sensors.NAMES
    or run(episode) -> arrays    all at once, in place of update(): {field of Estimate: [T, ...]}

Tick k spans (k, k + 1] ticks; its estimate, of a sample taken a tick before, is published at its end and judged by what
is true then: transport counts as delay. The first 0.3 s are not judged. Nothing is excused near edges; beside each
share of ticks stands that of the truth a tick late (`oracle`), which no estimator can beat but by guessing.

    right, kinds    share of ticks whose contact is right; whose air/stick/slip is
    delay           of a touch-down: to the first publication with contact; `floor` is the least that can be: the wait
                    for the next sample and a tick of transport
    missed, false   touch-downs with no contact within 30 ms; rises of contact with no true one in that tick or the 5 ms
                    before
    lift_off        mean delay from a lift-off to the first publication without contact
    stick_as_slip   share of truly sticking ticks that are published as slip
    onset_found, onset_prompt     of slip onsets that last 20 ms and more: slip published before it ends; within 5 ms
    onset10_found, onset10_prompt the same of all onsets, 10 ms and more
    impulse         of a touch-down's whole contact: root of sum |J_est - J|^2 over sum |J|^2, vectors in space
    ahead, ahead_p90    error of the time of a touch-down as foreseen 20 ms before it, its magnitude's median and 90th
                    percentile; of touch-downs after 25 ms and more of air
    ahead_told      share of these that are foreseen
    base            of the base's velocity along x and y when the sample was taken: root mean square, and median [m/s]
"""
from dataclasses import dataclass

import numpy as np

from ..hil import truth
from ..hil.metrics import MISSED, PROMPT, TAIL, classes, false_rises, first_after, poisson_bound
from .world import TICK

BEGIN = 0.3           # [s] not judged
LONG = 20e-3          # [s] of a slip
ROUNDING = 1e-9       # [s]
SPARSE = 10           # the base's velocity is judged at each tenth tick
AHEAD, ALOFT = 20e-3, 25e-3   # [s] before a touch-down, of air before it


@dataclass
class Estimate:
    """Of one tick; [L, ...] per foot, vectors in the world's axes as the attitude has them."""
    contact: np.ndarray            # [L] bool
    p: np.ndarray                  # [L, 3] of air, stick, slip
    impulse: np.ndarray            # [L, 3] of the tick, of the floor on the foot [N s]
    velocity: np.ndarray = None    # [3] of the IMU [m/s]; None: not estimated
    slip: np.ndarray = None        # [L, 3] velocity of the contact point along the floor [m/s]
    next: np.ndarray = None        # [L] from now to the next touch-down; NaN: not foreseen [s]


@dataclass
class Judged:
    """What episodes add up to."""
    ticks: int
    right: np.ndarray      # [4] ticks right: contact, kinds; the oracle's
    delay: np.ndarray      # [touch-downs, 2] delay (NaN: missed), floor [s]
    false: int
    air: float             # [s]
    lift_off: np.ndarray   # [lift-offs] [s]
    stick: np.ndarray      # [2] ticks published as slip, ticks truly stick
    onset: np.ndarray      # [onsets, 2] delay (NaN: not before its end), how long it lasts [s]
    impulse: np.ndarray    # [2] sums of |error|^2, |true|^2
    base: np.ndarray       # [ticks / SPARSE] error of velocity [m/s]
    ahead: np.ndarray      # [touch-downs] error of the time foreseen (NaN: none) [s]

    def __add__(self, other):
        summed = ("ticks", "right", "false", "air", "stick", "impulse")
        return Judged(**{name: getattr(self, name) + getattr(other, name) if name in summed
                         else np.concatenate([getattr(self, name), getattr(other, name)]) for name in vars(self)})


def estimates_of(estimator, episode):
    """{field of Estimate: [T, ...]} of an estimator on an Episode."""
    estimator.reset(episode.robot)
    if hasattr(estimator, "run"):
        return estimator.run(episode)
    told = [estimator.update(sample) for sample in episode.samples()]
    names = [name for name in Estimate.__dataclass_fields__ if getattr(told[0], name) is not None]
    return {name: np.stack([getattr(one, name) for one in told]) for name in names}


def _late(values):
    return np.concatenate([values[:1], values[:-1]])


def _onsets(mode, facts, published, tick):
    """[onsets, 2] (delay or NaN, duration)."""
    rows = []
    for moment in facts.slip_onset[facts.slip_onset > BEGIN]:
        begin = end = int(moment / tick + 1e-9)
        while end < len(mode) and mode[end] == truth.DYNAMIC:
            end += 1
        delay = first_after(published == truth.DYNAMIC, np.array([moment]), tick)[0]
        lasts = end * tick - moment
        rows.append([delay if delay <= lasts + 2 * tick else np.nan, (end - begin) * tick])
    return np.array(rows, float).reshape(-1, 2)


def _impulses(facts, impulse, tick):
    """[2] sums over whole contacts that begin as touch-downs; estimates come a tick later, and are summed for 5 ms
    more."""
    contact, sums = facts.mode != truth.AIR, np.zeros(2)
    guessed = np.concatenate([np.asarray(impulse, float)[1:], np.zeros((1, 3))])
    following = np.append([begin for begin, _ in truth.runs(contact)], len(contact))
    for begin, end in truth.events(contact, tick):
        tail = min(end + truth.ticks_in(TAIL, tick), following[np.searchsorted(following, end)])
        if tail < len(contact) and begin * tick > BEGIN:
            true = facts.impulse[begin:end].sum(0)
            sums += np.sum((guessed[begin:tail].sum(0) - true)**2), np.sum(true**2)
    return sums


def _foreseen(facts, following, tick):
    """[touch-downs] error of the time that was foreseen AHEAD of each, of `following` [T]; NaN: none was."""
    contact, errors = facts.mode != truth.AIR, []
    for moment in facts.touch_down[facts.touch_down > BEGIN + AHEAD]:
        k, ends = int(np.floor((moment - AHEAD) / tick + 1e-9)) - 1, int(moment / tick + 1e-9)
        if not contact[int((moment - ALOFT) / tick):ends].any():
            errors.append((k + 1) * tick + following[k] - moment)
    return np.array(errors, float)


def judge_foot(facts, estimates, k, tick):
    """The Judged of foot k, without the base."""
    first = truth.ticks_in(BEGIN, tick)
    believed, mode = np.asarray(estimates["contact"])[:, k].astype(bool), facts.mode
    published = classes({"contact": believed, "p": np.asarray(estimates["p"])[:, k]})
    contact, late = mode != truth.AIR, _late(mode)
    hits = [believed == contact, published == mode, (late != truth.AIR) == contact, late == mode]
    down = facts.touch_down[facts.touch_down > BEGIN]
    up = facts.lift_off[np.isfinite(facts.lift_off)]
    up = up[up > BEGIN]
    delay, stick = first_after(believed, down, tick), mode[first:] == truth.STATIC
    floor = np.floor(down / tick + 1e-9) * tick + 2 * tick - down
    return Judged(
        len(mode) - first, np.array([hit[first:].sum() for hit in hits], float),
        np.stack([np.where(delay <= MISSED, delay, np.nan), floor], -1),
        false_rises(believed[first:], contact[first:], tick), float(np.sum(~contact[first:]) * tick),
        first_after(~believed, up, tick),
        np.array([np.sum(stick & (published[first:] == truth.DYNAMIC)), stick.sum()], float),
        _onsets(mode, facts, published, tick), _impulses(facts, np.asarray(estimates["impulse"])[:, k], tick),
        np.zeros(0), _foreseen(facts, np.asarray(estimates["next"], float)[:, k], tick)
        if estimates.get("next") is not None else np.zeros(0))


def judge(episode, estimates):
    """The Judged of an Episode and {field of Estimate: [T, ...]}."""
    total = None
    for k, facts in enumerate(episode.feet):
        one = judge_foot(facts, estimates, k, episode.tick)
        total = one if total is None else total + one
    if estimates.get("velocity") is not None:
        first = truth.ticks_in(BEGIN, episode.tick)
        error = np.asarray(estimates["velocity"], float)[first::SPARSE] - episode.velocity[first::SPARSE]
        total.base = np.linalg.norm(error[:, :2], axis=1)
    return total


def _mean(values):
    values = values[np.isfinite(values)]
    return float(values.mean()) if len(values) else np.nan


def _share(flags):
    return float(np.mean(flags)) if len(flags) else np.nan


def summary(j):
    """{metric: number} of a Judged. Times in s, shares of 1."""
    seen = np.isfinite(j.delay[:, 0])
    delay, floor = j.delay[seen].T
    right, kinds, right_oracle, kinds_oracle = j.right / j.ticks
    foreseen = np.abs(j.ahead[np.isfinite(j.ahead)])
    long = j.onset[j.onset[:, 1] >= LONG - ROUNDING]
    with np.errstate(invalid="ignore", divide="ignore"):
        impulse = float(np.sqrt(j.impulse[0] / j.impulse[1]))
    return {
        "right": right, "right_oracle": right_oracle, "below": 100 * (right_oracle - right), "kinds": kinds,
        "kinds_oracle": kinds_oracle, "feet_seconds": j.ticks * TICK, "touch_downs": len(j.delay),
        "delay": _mean(delay), "delay_floor": _mean(floor), "delay_above": _mean(delay - floor),
        "delay_p95": float(np.percentile(delay, 95)) if len(delay) else np.nan, "missed": int(np.sum(~seen)),
        "false": j.false, "air": j.air, "false_bound": 600 * poisson_bound(j.false) / max(j.air, 1e-3),
        "lift_off": _mean(j.lift_off), "stick_as_slip": float(j.stick[0] / max(j.stick[1], 1)), "impulse": impulse,
        "onsets": len(long), "onset_found": _share(np.isfinite(long[:, 0])),
        "onset_prompt": _share(long[:, 0] <= PROMPT + ROUNDING), "onsets10": len(j.onset),
        "onset10_found": _share(np.isfinite(j.onset[:, 0])),
        "onset10_prompt": _share(j.onset[:, 0] <= PROMPT + ROUNDING),
        "base": float(np.sqrt(np.mean(j.base**2))) if len(j.base) else np.nan,
        "base_median": float(np.median(j.base)) if len(j.base) else np.nan,
        "ahead": float(np.median(foreseen)) if len(foreseen) else np.nan,
        "ahead_p90": float(np.percentile(foreseen, 90)) if len(foreseen) else np.nan,
        "ahead_told": len(foreseen) / len(j.ahead) if len(j.ahead) else np.nan
    }


def table(pairs):
    """{metric: number} over a list of (Episode, estimates)."""
    judged = [judge(episode, estimates) for episode, estimates in pairs]
    total = judged[0]
    for one in judged[1:]:
        total = total + one
    return summary(total)


def truth_late(episode):
    """Estimates that are the truth a tick late: the oracle as an estimator."""
    modes = np.stack([_late(foot.mode) for foot in episode.feet], 1)
    impulse = np.stack([_late(foot.impulse) for foot in episode.feet], 1)
    return {"contact": modes != truth.AIR, "p": np.eye(3)[modes], "impulse": impulse, "velocity": episode.velocity}
