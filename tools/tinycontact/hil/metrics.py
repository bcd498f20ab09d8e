# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""How good estimates are, from episodes and what was estimated of them.

Tick k spans (k, k + 1] ticks; its estimate, of a sample taken a tick before, is published at its end and judged by what
is true then: transport counts as delay. Where that is said, 2 ms before and 2 ms after each change of the true mode are
excused.

    contact_right   share of ticks, 2 ms at contact's edges excused, at which `contact` is what is true
    mode_right      share of ticks, 2 ms at the mode's edges excused, at which the class is: air without `contact`; with
                    it slip if p_dynamic > p_static, else stick
    delay_*         of a touch-down: from its true moment to the first publication with `contact`, both in continuous
                    time; `above` subtracts, one by one, the wait for the next sample and a tick of transport. A contact
                    that was believed before is known from the first publication on (`early` counts them)
    missed          touch-downs with no `contact` within 30 ms
    false           rises of `contact` with no true contact in that tick or the 5 ms before; `false_rate` per 30 min of
                    true air, `false_bound` the 95 % upper bound of a Poisson rate
    onset_*         of slip onsets: the first publication of the class slip after the true moment; recall within 30 and
                    within 5 ms; `stick_as_slip`: the share of ticks truly stick, 2 ms at edges excused, that are
                    published as slip
    onset_curve     the same for thresholds on p_dynamic / (p_static + p_dynamic) in place of 0.5; `onset_at_x` is the
                    best recall within 5 ms with at most x % of stick called slip
    impulse         of a touch-down's whole contact: root of the sum over contacts of |J_est - J|^2 over that of |J|^2;
                    J the true impulse [N s], J_est the sum of estimates over the contact's ticks and 5 ms more, one
                    tick later for transport
    ahead_*         next touch-down: median and 90 % of |error| of the prediction published last before 20 ms ahead of
                    it, of touch-downs of 0.5 m/s and more (`fast`) and of all; `covered`: the share in [early, late]
    calibration     expected calibration error of p_static + p_dynamic against true contact in ten bins of equal width,
                    2 ms at edges excused
    lift_off        mean delay from the true lift-off to the first publication without `contact` [s]
"""
from dataclasses import dataclass

import numpy as np

from . import truth
from .world import TICK

EXCUSED, TOLERATED, TAIL = 2e-3, 5e-3, 5e-3   # [s]
MISSED, PROMPT = 30e-3, 5e-3                # [s]
AHEAD, FAST = 20e-3, 0.5                    # [s], [m/s]
BINS = 10
THRESHOLDS = np.concatenate([[0.005, 0.01, 0.02, 0.03], np.arange(0.05, 1.0, 0.05), [0.97, 0.98, 0.99, 0.995]])
HALF_HOUR = 1800.0                          # [s]


@dataclass
class Judged:
    """One episode's numbers, as `pool` adds them up."""
    right: np.ndarray        # [ticks judged] bool: contact
    right_mode: np.ndarray   # [ticks judged] bool: class
    delay: np.ndarray        # [touch-downs] [s]; NaN: missed
    floor: np.ndarray        # [touch-downs] [s] the least that can be
    early: int
    air: float               # [s]
    false: int
    lift_off: np.ndarray     # [s]
    onset: np.ndarray        # [thresholds + 1, onsets] delay [s], the first row the published class; NaN: never
    stick: np.ndarray        # [thresholds + 1, 2] ticks published as slip, ticks truly stick
    impulse: np.ndarray      # [touch-downs, 2] |error|^2, |true|^2
    ahead: np.ndarray        # [touch-downs predicted, 3] error [s], speed [m/s], 1 if covered
    unpredicted: int
    bins: np.ndarray         # [BINS, 3] sum of probability, sum of truth, count


def excused(state, tick=TICK):
    """[T] bool: within EXCUSED of a change of `state`."""
    near, reach = np.zeros(len(state), bool), truth.ticks_in(EXCUSED, tick)
    for edge in np.flatnonzero(np.diff(state)) + 1:
        near[max(edge - reach, 0):edge + reach] = True
    return near


def classes(estimates, threshold=0.5):
    """[T] the class that is published."""
    p = np.asarray(estimates["p"], float)
    slips = p[:, 2] > threshold * (p[:, 1] + p[:, 2])
    return np.where(estimates["contact"].astype(bool), np.where(slips, truth.DYNAMIC, truth.STATIC), truth.AIR)


def first_after(flags, moments, tick=TICK):
    """[s] for each moment: until the first publication, after it, at which `flags` [T] is true; NaN if none follows."""
    published = (np.flatnonzero(flags) + 1) * tick
    padded = np.append(published, np.nan)
    return padded[np.searchsorted(published, moments, side="right")] - moments


def false_rises(contact, true_contact, tick=TICK):
    """How many rises of `contact` [T] have no true contact in their tick or TOLERATED before."""
    window = np.convolve(true_contact, np.ones(truth.ticks_in(TOLERATED, tick) + 1), "full")[:len(contact)] > 0
    rises = np.flatnonzero(np.diff(contact.astype(np.int8), prepend=np.int8(contact[0])) > 0)
    return int(np.sum(~window[rises]))


def contact_impulses(facts, estimates, tick=TICK):
    """[touch-downs, 2]: |J_est - J|^2 and |J|^2 of each whole contact that ends before the episode does."""
    contact, rows = facts.mode != truth.AIR, []
    guessed = np.concatenate([np.asarray(estimates["impulse"], float)[1:], np.zeros((1, 2))])
    following = np.append([begin for begin, _ in truth.runs(contact)], len(contact))
    for begin, end in truth.events(contact, tick):
        tail = min(end + truth.ticks_in(TAIL, tick), following[np.searchsorted(following, end)])
        if tail < len(contact):
            true = facts.impulse[begin:end].sum(0)
            rows.append([np.sum((guessed[begin:tail].sum(0) - true)**2), np.sum(true**2)])
    return np.array(rows).reshape(-1, 2)


def predictions(facts, estimates, tick=TICK):
    """(rows of Judged.ahead, how many touch-downs had none), of estimates with `ahead`, `early` and `late` [s]: the
    time until the next touch-down, NaN without one."""
    rows = []
    if "ahead" not in estimates:
        return np.zeros((0, 3)), len(facts.touch_down)
    for moment, speed in zip(facts.touch_down, facts.touch_speed):
        k = int(np.floor((moment - AHEAD) / tick + 1e-9)) - 1
        if k >= 0 and np.isfinite(estimates["ahead"][k]):
            left = moment - (k + 1) * tick
            covered = estimates["early"][k] <= left <= estimates["late"][k]
            rows.append([estimates["ahead"][k] - left, speed, covered])
    return np.array(rows, float).reshape(-1, 3), len(facts.touch_down) - len(rows)


def calibration_bins(p, true, judged):
    """[BINS, 3] of the judged ticks: sums of probability and of truth, count."""
    index = np.minimum((p * BINS).astype(int), BINS - 1)[judged]
    return np.stack([np.bincount(index, weights, BINS) for weights in
                     (p[judged], true[judged].astype(float), np.ones(judged.sum()))], axis=1)


def judge(episode, estimates):
    """The Judged of one episode and the arrays estimated of it."""
    facts, tick, believed = episode.truth, episode.tick, estimates["contact"].astype(bool)
    contact, free = facts.mode != truth.AIR, ~excused(facts.mode, tick)
    clear = ~excused((facts.mode != truth.AIR).astype(np.int8), tick)
    published = [classes(estimates)] + [classes(estimates, threshold) for threshold in THRESHOLDS]
    down = facts.touch_down
    delay = first_after(believed, down, tick)
    sampled = np.floor(down / tick + 1e-9) * tick + tick   # a sample at the moment itself does not show it
    before = np.floor(down / tick + 1e-9).astype(int) - 1
    stick = (facts.mode == truth.STATIC) & free
    ahead, unpredicted = predictions(facts, estimates, tick)
    up = facts.lift_off[np.isfinite(facts.lift_off)]
    return Judged(
        right=(believed == contact)[clear], right_mode=(published[0] == facts.mode)[free],
        delay=np.where(delay <= MISSED, delay, np.nan), floor=sampled + tick - down,
        early=int(np.sum(believed[np.maximum(before, 0)])), air=float(np.sum(~contact) * tick),
        false=false_rises(believed, contact, tick), lift_off=first_after(~believed, up, tick),
        onset=np.array([first_after(k == truth.DYNAMIC, facts.slip_onset, tick) for k in published]),
        stick=np.array([[np.sum(stick & (k == truth.DYNAMIC)), stick.sum()] for k in published]),
        impulse=contact_impulses(facts, estimates, tick), ahead=ahead, unpredicted=unpredicted,
        bins=calibration_bins(1 - np.asarray(estimates["p"], float)[:, 0], contact, clear))


def pool(judged):
    """One Judged of a list of them."""
    joined = {}
    for name in Judged.__dataclass_fields__:
        values = [getattr(one, name) for one in judged]
        if name in ("early", "air", "false", "unpredicted", "stick", "bins"):
            joined[name] = sum(values[1:], start=values[0])
        else:
            joined[name] = np.concatenate(values, axis=1 if name == "onset" else 0)
    return Judged(**joined)


def poisson_bound(count):
    """The 95 % upper bound of a Poisson mean of which `count` events were seen: sum_k<=count e^-m m^k / k! = 0.05."""
    low, high = 0.0, 10.0 + 3 * count
    for _ in range(60):
        middle = (low + high) / 2
        terms = np.cumsum(np.concatenate([[0.0], np.log(middle / np.arange(1, count + 1))]))
        low, high = (middle, high) if np.sum(np.exp(terms - middle)) > 0.05 else (low, middle)
    return high


def _percentile(values, share):
    return float(np.percentile(values, share)) if len(values) else np.nan


def _mean(values):
    return float(np.mean(values)) if len(values) else np.nan


def onset_curve(all_of):
    """[thresholds, 3]: share of stick called slip, recall within 5 ms, within 30 ms."""
    share = all_of.stick[1:, 0] / np.maximum(all_of.stick[1:, 1], 1)
    if all_of.onset.shape[1] == 0:
        return np.column_stack([share, np.full((len(share), 2), np.nan)])
    return np.column_stack([share, (all_of.onset[1:] <= PROMPT).mean(1), (all_of.onset[1:] <= MISSED).mean(1)])


def recall_at(curve, most):
    """The best recall within 5 ms of thresholds with at most this share of stick called slip."""
    allowed = curve[curve[:, 0] <= most, 1]
    return float(allowed.max()) if len(allowed) else np.nan


def expected_calibration_error(bins):
    held = bins[:, 2] > 0
    return float(np.sum(np.abs(bins[held, 0] - bins[held, 1])) / np.sum(bins[:, 2]))


def table(pairs):
    """{metric: number} over a list of (Episode, estimates); see above for what each means. Times in s, shares of 1."""
    return summary(pool([judge(episode, estimates) for episode, estimates in pairs]))


def summary(j):
    """{metric: number} of a Judged."""
    seen, curve = j.delay[np.isfinite(j.delay)], onset_curve(j)
    fast, bound = j.ahead[j.ahead[:, 1] >= FAST], poisson_bound(j.false)
    half_hours = max(j.air, TICK) / HALF_HOUR
    energy = j.impulse.sum(0)
    return {
        "contact_right": _mean(j.right), "mode_right": _mean(j.right_mode), "touch_downs": len(j.delay),
        "delay_mean": _mean(seen), "delay_above": _mean((j.delay - j.floor)[np.isfinite(j.delay)]),
        "delay_p95": _percentile(seen, 95), "delay_max": _percentile(seen, 100), "early": j.early,
        "missed": int(np.sum(np.isnan(j.delay))), "false": j.false, "air": j.air, "false_rate": j.false / half_hours,
        "false_bound": bound / half_hours, "lift_off": _mean(j.lift_off[np.isfinite(j.lift_off)]),
        "onsets": j.onset.shape[1], "onset_recall": _mean(j.onset[0] <= MISSED),
        "onset_prompt": _mean(j.onset[0] <= PROMPT), "stick_as_slip": float(j.stick[0, 0] / max(j.stick[0, 1], 1)),
        "onset_at_1": recall_at(curve, 0.01), "onset_at_2": recall_at(curve, 0.02),
        "onset_at_3.6": recall_at(curve, 0.036),
        "impulse": float(np.sqrt(energy[0] / energy[1])) if len(j.impulse) else np.nan,
        "ahead_fast": _percentile(np.abs(fast[:, 0]), 50), "ahead_fast_p90": _percentile(np.abs(fast[:, 0]), 90),
        "ahead_all": _percentile(np.abs(j.ahead[:, 0]), 50), "ahead_all_p90": _percentile(np.abs(j.ahead[:, 0]), 90),
        "ahead_covered": _mean(j.ahead[:, 2]), "unpredicted": j.unpredicted,
        "calibration": expected_calibration_error(j.bins)}
