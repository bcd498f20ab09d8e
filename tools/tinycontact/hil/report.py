# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""report.png: a run in one picture. Contact as it was and as it was estimated, over all of the run; impulse and slip in
its liveliest second; how long after the truth each event was known."""
import numpy as np

from ..model import write_whole
from ..report.page import png_bytes
from ..report.plots import LAWS, TRUTH, new_figure
from . import metrics, truth
from .world import TICK

MODES = {truth.AIR: "air", truth.STATIC: "static", truth.DYNAMIC: "dynamic"}
COLOURS = {truth.STATIC: "#0072b2", truth.DYNAMIC: "#e07b00"}
WINDOW = 1.0   # [s] that is drawn large


def write(path, options, outcome):
    write_whole(path, png_bytes(picture(options, outcome)))


def liveliest(mode, ticks):
    """First tick of the window of `ticks` in which the mode changes most between static and dynamic, then at all."""
    changes = np.diff(mode, prepend=mode[:1]) != 0
    slides = changes & (np.minimum(mode, np.roll(mode, 1)) > truth.AIR)
    total = np.concatenate([[0], np.cumsum(changes + 3 * slides)])
    last = max(len(mode) - ticks, 0)
    return int(np.argmax(total[ticks:ticks + last + 1] - total[:last + 1])) if last else 0


def picture(options, outcome):
    episode, estimates = outcome.episode, outcome.estimates
    said = metrics.classes(estimates)
    figure = new_figure(11, 8.2)
    grid = figure.add_gridspec(4, 3, height_ratios=(1.0, 1.3, 1.3, 1.3))
    figure.suptitle(f"{options.plant} on {options.port or options.board}, seed {options.seed}: contact, true and"
                    " estimated", fontsize=11)
    _bars(figure.add_subplot(grid[0, :]), episode.truth.mode, said, 0)
    ticks = int(WINDOW / TICK)
    first = liveliest(episode.truth.mode, ticks)
    part = slice(first, first + ticks)
    axes = figure.add_subplot(grid[1, :2])
    _impulse(axes, episode, estimates, part, 1, "normal [N s]")
    axes.legend(frameon=False, fontsize=8, loc="upper right")
    _impulse(figure.add_subplot(grid[2, :2], sharex=axes), episode, estimates, part, 0, "along floor [N s]")
    _slip(figure.add_subplot(grid[3, :2], sharex=axes), episode, estimates, said, part)
    judged = metrics.judge(episode, estimates)
    _delays(figure.add_subplot(grid[1, 2]), judged.delay, "touch-down known after [ms]", COLOURS[truth.STATIC])
    _delays(figure.add_subplot(grid[2, 2]), judged.onset[0], "slip known after [ms]", COLOURS[truth.DYNAMIC])
    _words(figure.add_subplot(grid[3, 2]), outcome)
    return figure


def _bars(axes, true, said, first):
    """Two rows of bars; what is not drawn is air."""
    for row, modes in enumerate((said, true)):
        for mode, colour in COLOURS.items():
            spans = [((begin + first) * TICK, (end - begin) * TICK) for begin, end in truth.runs(modes == mode)]
            axes.broken_barh(spans, (row + 0.1, 0.8), color=colour, linewidth=0, label=MODES[mode] if row else None)
    axes.set(yticks=(0.5, 1.5), yticklabels=("estimated", "true"), ylim=(0, 2),
             xlim=(first * TICK, (first + len(true)) * TICK), xlabel="time [s]")
    axes.legend(frameon=False, fontsize=8, loc="lower right", bbox_to_anchor=(1.0, 1.0), ncols=2)
    axes.spines[["top", "right"]].set_visible(False)


def _impulse(axes, episode, estimates, part, axis, label):
    """The estimate of tick k is published in k + 1: drawn where it belongs."""
    time = np.arange(part.start, part.start + len(episode.truth.mode[part])) * TICK
    mean, spread = estimates["impulse"][part, axis], np.sqrt(estimates["impulse_variance"][part, axis])
    axes.fill_between(time - TICK, mean - 2 * spread, mean + 2 * spread, color=LAWS[0], alpha=0.25, linewidth=0)
    axes.plot(time - TICK, mean, color=LAWS[0], linewidth=0.9, label="estimated, 2 sigma")
    true = episode.truth.impulse[part, axis]
    axes.plot(time, true, color=TRUTH, linewidth=0.9, label="true")
    low, high = min(true.min(), mean.min()), max(true.max(), mean.max())
    margin = 0.1 * (high - low) + 1e-6   # the variance has no bound: near a stretched leg torques say little of forces
    axes.set(ylabel=label, ylim=(low - margin, high + margin))
    axes.spines[["top", "right"]].set_visible(False)


def _slip(axes, episode, estimates, said, part):
    """The foot's speed along the floor, while it touches."""
    time = np.arange(part.start, part.start + len(said[part])) * TICK
    for name, slip, mode, colour, shift in (("estimated", estimates["slip"], said, LAWS[0], TICK),
                                            ("true", episode.truth.slip, episode.truth.mode, TRUTH, 0.0)):
        touching = np.where(mode[part] != truth.AIR, slip[part], np.nan)
        axes.plot(time - shift, touching, color=colour, linewidth=0.9, label=name)
    axes.set(ylabel="slip [m/s]", xlabel="time [s]")
    axes.spines[["top", "right"]].set_visible(False)


def _delays(axes, delay, label, colour):
    seen = 1e3 * delay[np.isfinite(delay)]
    axes.hist(np.clip(seen, 0, 10), np.arange(0, 10.5, 0.5), color=colour)
    axes.set(xlabel=f"{label}, {len(seen)} of {len(delay)}", xlim=(0, 10))
    axes.spines[["top", "right"]].set_visible(False)


def _words(axes, outcome):
    """The few numbers that a reader asks for first."""
    s = outcome.summary
    rows = [(name, s[key] * scale, unit) for name, key, scale, unit in (
        ("contact right", "contact_right", 100, " %"), ("class right", "mode_right", 100, " %"),
        ("touch-down delay, mean", "delay_mean", 1e3, " ms"), ("missed", "missed", 1, ""), ("false", "false", 1, ""),
        ("impulse off by", "impulse", 100, " %")) if key in s]
    axes.axis("off")
    axes.text(0, 1, "\n".join(f"{name}: {value:.4g}{unit}" for name, value, unit in rows), va="top", fontsize=9,
              transform=axes.transAxes)
