# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""What really happened at a foot, from the forces and velocities of each substep of the physics.

    contact     a tick with normal impulse; gaps of up to 5 ms between two such ticks are closed
    dynamic     contact whose slip, the mean of |v_t| over the tick's substeps, is above 0.05 m/s; else static
    touch-down  the begin of the first substep with a normal force, after at least 15 ms of air and before at least
                10 ms of contact; with the wait for a sample and 1 ms of transport nobody can know of it earlier than
                1.56 ms after, on average: `floor`
    lift-off    the end of the last substep with a normal force of such a contact
    slip onset  the first substep with |v_t| > 0.05 m/s of dynamic ticks, at least 10 ms, after at least 10 ms static

Raw flags of contact are no truth: in slip the contact flickers within a tick, over gaps of 1 um.
"""
from dataclasses import dataclass

import numpy as np

from .world import TICK

AIR, STATIC, DYNAMIC = 0, 1, 2
CLOSED, AIR_BEFORE, CONTACT_AFTER, ONSET = 5e-3, 15e-3, 10e-3, 10e-3   # [s]
SLIP = 0.05                                                # [m/s]


@dataclass
class Truth:
    mode: np.ndarray         # int8 [T] air, static, dynamic
    impulse: np.ndarray      # float32 [T, 2] of the floor on the foot, along x and up [N s]
    slip: np.ndarray         # float32 [T] mean velocity of the foot's lowest point along x [m/s]
    touch_down: np.ndarray   # [s] events only
    lift_off: np.ndarray     # [s] of the same contacts; NaN if the episode ends first
    slip_onset: np.ndarray   # [s]
    touch_speed: np.ndarray  # [m/s] downwards, at touch_down


def runs(flags):
    """[(first, after last)] of the true runs in a bool array."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], np.asarray(flags, np.int8), [0]])))
    return edges.reshape(-1, 2)


def ticks_in(time, tick):
    """A time in whole ticks."""
    return int(round(time / tick))


def close_gaps(touching, tick=TICK):
    """`touching` [T] with gaps of at most CLOSED between two of its runs filled."""
    closed, spans = touching.copy(), runs(touching)
    for (_, end), (begin, _) in zip(spans, spans[1:]):
        if begin - end <= ticks_in(CLOSED, tick):
            closed[end:begin] = True
    return closed


def events(contact, tick=TICK):
    """[(first tick, after last)] of the contacts that count as touch-downs."""
    spans, before = [], 0
    for begin, end in runs(contact):
        lasts = end - begin >= ticks_in(CONTACT_AFTER, tick)
        if begin - before >= ticks_in(AIR_BEFORE, tick) and lasts:
            spans.append((begin, end))
        before = end
    return spans


def onsets(mode, tick=TICK):
    """Ticks at which slip sets in."""
    slipping, sticking = runs(mode == DYNAMIC), runs(mode == STATIC)
    least, ends = ticks_in(ONSET, tick), {end: end - begin for begin, end in sticking}
    return [begin for begin, end in slipping if end - begin >= least and ends.get(begin, 0) >= least]


def judge(normal, tangent, slip, speed, tick):
    """The Truth of substeps [T, S]: forces [N], velocities [m/s] along the floor and upwards; `tick` [s]."""
    ticks, substeps = normal.shape
    step = tick / substeps
    impulse = np.stack([tangent.sum(1), normal.sum(1)], axis=1) * step
    contact = close_gaps(impulse[:, 1] > 0, tick)
    moving = np.abs(slip).mean(1) > SLIP
    mode = np.where(contact, np.where(moving, DYNAMIC, STATIC), AIR).astype(np.int8)
    pressed, flat_speed = normal > 0, speed.reshape(-1)
    spans = events(contact, tick)
    down = [begin * substeps + int(np.argmax(pressed[begin])) for begin, _ in spans]
    up = [np.nan if end == ticks else end * substeps - int(np.argmax(pressed[end - 1, ::-1])) for _, end in spans]
    fast = np.abs(slip) > SLIP
    slid = [begin * substeps + int(np.argmax(fast[begin])) for begin in onsets(mode, tick)]
    return Truth(mode, impulse.astype(np.float32), slip.mean(1).astype(np.float32), np.array(down, float) * step,
                 np.array(up, float) * step, np.array(slid, float) * step, -flat_speed[np.array(down, int)])
