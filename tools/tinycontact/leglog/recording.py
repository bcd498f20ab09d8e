# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""What viewers are given of a log or of a run: one row per tick, in the chain file's axes."""
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from ..hil import metrics, truth
from ..hil.report import joints
from ..progress import announced, say

SETTLED = 0.01   # [s] after a touch-down the height is that over the floor


@dataclass
class Recording:
    title: str
    chain: object
    tick: float               # [s]
    time: np.ndarray          # [T] [s]
    encoder: np.ndarray       # [T, n] the library's signs
    torque: np.ndarray        # [T, n] the library's signs
    gyro: np.ndarray          # [T] about y
    accel: np.ndarray         # [T, 2] along x, z
    pitch: np.ndarray         # [T] about y
    p: np.ndarray             # [T, 3] air, sticks, slips
    modes: np.ndarray         # [T] estimated: 0 air, 1 sticks, 2 slips
    force: np.ndarray         # [T, 2] along x, z, mean over 5 ms [N]
    slip: np.ndarray          # [T] [m/s]
    height: np.ndarray        # [T] of the base over the floor [m]
    true: np.ndarray = None   # [T] true modes, or 0 and 1 where no more is known
    true_force: np.ndarray = None   # [T, 2] mean over the tick [N]
    observer: np.ndarray = None     # [T] bool
    lost: np.ndarray = None         # [T] bool
    words: list = field(default_factory=list)      # [(what, how much)]
    findings: list = field(default_factory=list)   # lines
    first: str = "estimated"        # whose estimate it is

    def __len__(self):
        return len(self.time)

    def file_signs(self):
        """(q [T, n], tau [T, n]) in the chain file's signs."""
        sign = self.chain.planar().sign
        return sign * self.encoder, sign * self.torque

    def poses(self, rows):
        """[rows, n + 2, 2] m: base, joints, foot's centre over the floor; x from the base."""
        leg = self.chain.planar()
        shapes = np.array([joints(leg, self.encoder[k].astype(float), float(-self.pitch[k])) for k in rows])
        shapes[:, :, 1] += self.height[rows][:, None]
        return shapes


def _stacked(result, name):
    return np.concatenate([getattr(part, name) for part in result.segments])


def heights(result):
    """[T] of the base over the floor [m]: before a part's first contact what it shows then, moved back in time."""
    height, contact = result.height.copy(), result.contact
    for part in range(int(result.part[-1]) + 1):
        rows = np.flatnonzero(result.part == part)
        first = int(np.argmax(contact[rows]))
        known = min(first + max(2, truth.ticks_in(SETTLED, result.tick)), len(rows) - 1)
        if first:
            jumps = np.diff(result.height[rows[first - 1:known + 1]])
            at = int(np.argmax(np.abs(jumps)))
            height[rows[:first + at]] += jumps[at]
    return height


def of_result(result):
    """The Recording of an estimate.Result."""
    from . import told
    words = told.summary(result)
    if result.scores:
        words += [(what.strip(), shown(result.scores["estimator"][name])) for what, name, shown in told.SCORES]
    return Recording(
        Path(result.log.path).name, result.chain, result.tick, result.time, _stacked(result, "encoder"),
        _stacked(result, "torque"), -_stacked(result, "gyro"), _stacked(result, "accel"), -_stacked(result, "pitch"),
        result.p, result.modes(), result.force(), result.slip, heights(result),
        None if result.truth is None else result.truth.astype(int), None, result.observer, result.lost,
        words, told.findings(result))


def mean_force(impulse, tick, over=5e-3):
    """[T, 2] N of impulses in ticks [N s]."""
    count = max(1, truth.ticks_in(over, tick))
    return np.column_stack([np.convolve(column, np.full(count, 1 / (count * tick)), "same") for column in impulse.T])


def of_outcome(title, outcome, words):
    """The Recording of a run of `leg hil run`: its Outcome, and what a person is told of it."""
    episode, said, leg = outcome.episode, outcome.estimates, outcome.chain.planar()
    tick = episode.tick
    foot = np.array([joints(leg, q.astype(float), float(pitch))[-1, 1]
                     for q, pitch in zip(episode.encoder, episode.pitch)])
    return Recording(
        title, outcome.chain, tick, episode.time(), episode.encoder, episode.torque, -episode.gyro, episode.accel,
        -episode.pitch, np.asarray(said["p"]), metrics.classes(said), mean_force(np.asarray(said["impulse"]), tick),
        said["slip"], outcome.height + leg.radius - foot, np.asarray(episode.truth.mode).astype(int),
        mean_force(episode.truth.impulse, tick),
        None, np.asarray(episode.lost) > 0.5, words, [], "board")


def write(recording, page=None, log=None, rerun=None):
    """Writes a page for a browser and logs for other viewers, where a path is given, and says so."""
    from . import html, mcap, rrd
    for path, module, what in ((page, html, "a page for a browser"), (log, mcap, "a log for Foxglove or PlotJuggler"),
                               (rerun, rrd, "a recording for Rerun")):
        if path:
            with announced(f"writing {path}"):
                module.write(path, recording)
            say(f"{path}: {what}")
