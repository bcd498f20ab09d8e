# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""A run in one picture: contact as it was and as it was estimated, over all of the run; the leg, contact, impulse and
slip in its liveliest second; how long after the truth each event was known. banner() is a smaller one, of what needs no
explanation."""
import numpy as np

from ..model import write_whole
from ..report.page import png_bytes
from ..report.plots import LAWS, TRUTH, new_figure
from . import metrics, told, truth
from .world import TICK

MODES = {truth.STATIC: "sticks", truth.DYNAMIC: "slips"}
COLOURS = {truth.AIR: "#9aa5b8", truth.STATIC: "#0072b2", truth.DYNAMIC: "#e07b00"}
ESTIMATE = LAWS[3]   # a colour that is no mode's
WINDOW = 1.0         # [s] that is drawn large
APART = 0.03         # [s] between two legs


def write(path, options, outcome):
    write_whole(path, png_bytes(picture(options, outcome)))


def write_banner(path, options, outcome):
    write_whole(path, png_bytes(banner(options, outcome), dpi=110))


def liveliest(mode, ticks):
    """First tick of the window of `ticks` in which the mode changes most between static and dynamic, then at all; of
    several, that in their middle, which leaves room on both sides."""
    edges = np.diff(mode, prepend=mode[:1]) != 0
    slides = edges & (np.minimum(mode, np.roll(mode, 1)) > truth.AIR)
    total = np.concatenate([[0], np.cumsum(edges + 3 * slides)])
    last = max(len(mode) - ticks, 0)
    if not last:
        return 0
    changes = total[ticks:ticks + last + 1] - total[:last + 1]
    best = np.flatnonzero(changes == changes.max())
    return int(best[len(best) // 2])


def window(outcome):
    """The slice of ticks that is drawn large."""
    ticks = truth.ticks_in(WINDOW, outcome.episode.tick)
    first = liveliest(outcome.episode.truth.mode, ticks)
    return slice(first, min(first + ticks, len(outcome.episode)))


def title(options):
    return f"{options.plant} on {options.port or options.board}, seed {options.seed}"


def picture(options, outcome):
    """report.png."""
    episode, estimates, part = outcome.episode, outcome.estimates, window(outcome)
    said, judged = metrics.classes(estimates), metrics.judge(episode, estimates)
    figure = new_figure(11, 10.5)
    grid = figure.add_gridspec(6, 3, height_ratios=(0.8, 1.5, 0.8, 1.3, 1.3, 1.3))
    figure.suptitle(f"{title(options)}: contact, true and estimated", fontsize=11)
    whole = figure.add_subplot(grid[0, :])
    bars(whole, episode.truth.mode, said, slice(0, len(episode)), tick=episode.tick)
    whole.set_xlabel(f"time [s]; shaded: the {WINDOW:g} s below")
    whole.axvspan(part.start * episode.tick, part.stop * episode.tick, color="#e4e8ef", zorder=0)
    first = figure.add_subplot(grid[1, :2])
    legs(first, outcome, part)
    panels = [figure.add_subplot(grid[k, :2], sharex=first) for k in range(2, 6)]
    bars(panels[0], episode.truth.mode, said, part, tick=episode.tick)
    impulse(panels[1], outcome, part, 1, "normal impulse\nper tick [N s]")
    impulse(panels[2], outcome, part, 0, "impulse along floor\nper tick [N s]")
    slip(panels[3], outcome, said, part)
    panels[3].set_xlabel("time [s]")
    _inner(first, *panels[:3])
    _words(figure.add_subplot(grid[1, 2]), outcome)
    _delays(figure.add_subplot(grid[2:4, 2]), judged.delay, "touch-down")
    _delays(figure.add_subplot(grid[4:, 2]), judged.onset[0], "slip onset")
    return figure


def banner(options, outcome):
    """The leg, contact and normal impulse in the liveliest second, and contact over all of the run."""
    episode, part = outcome.episode, window(outcome)
    said = metrics.classes(outcome.estimates)
    figure = new_figure(8.2, 5.8)
    grid = figure.add_gridspec(4, 1, height_ratios=(2.0, 0.8, 1.4, 0.8))
    figure.suptitle(f"{title(options)}: what the microcontroller knows of its foot, beside the truth", fontsize=11)
    first = figure.add_subplot(grid[0])
    legs(first, outcome, part)
    panels = [figure.add_subplot(grid[k], sharex=first) for k in (1, 2)]
    bars(panels[0], episode.truth.mode, said, part, tick=episode.tick)
    impulse(panels[1], outcome, part, 1, "normal impulse\nper tick [N s]")
    _inner(first, panels[0])
    whole = figure.add_subplot(grid[3])
    bars(whole, episode.truth.mode, said, slice(0, len(episode)), legend=False, tick=episode.tick)
    whole.axvspan(part.start * episode.tick, part.stop * episode.tick, color="#e4e8ef", zorder=0)
    whole.set_xlabel(f"time [s]; shaded: the {WINDOW:g} s above")
    return figure


# ---- Panels: each draws the ticks of a slice

def _open(axes, part, tick):
    axes.set_xlim(part.start * tick, part.stop * tick)
    axes.spines[["top", "right"]].set_visible(False)


def _inner(*several):
    """Panels over another one with the same time."""
    for axes in several:
        axes.tick_params(labelbottom=False)


def joints(leg, q, pitch):
    """[n + 2, 2] of a PlanarLeg: the base's origin, each joint, the foot's centre, from the base; see leg.move."""
    def turned(v):
        return np.array([np.cos(angle) * v[0] - np.sin(angle) * v[1], np.sin(angle) * v[0] + np.cos(angle) * v[1]])

    angle, centre, points = pitch, np.zeros(2), [np.zeros(2)]
    for i in range(leg.joints):
        joint = centre + turned(leg.anchor[i])
        if leg.slides[i]:
            joint = joint + q[i] * turned(leg.axis[i])
        angle = angle + leg.rest[i] + (0.0 if leg.slides[i] else q[i])
        points.append(joint)
        centre = joint + turned(leg.arm[i])
    return np.array([*points, centre + turned(leg.foot)])


def legs(axes, outcome, part):
    """The leg every APART seconds, in the colour of its true mode, its foot at its height; the floor. Metres along x
    are nearly as long as those along z, so that a leg looks like one."""
    episode, leg, tick = outcome.episode, outcome.chain.planar(), outcome.episode.tick
    _open(axes, part, tick)
    chosen = range(part.start, part.stop, max(1, truth.ticks_in(APART, tick)))
    shapes = []
    for k in chosen:
        points = joints(leg, episode.encoder[k].astype(float), float(episode.pitch[k]))
        points[:, 1] += episode.floor[k] + outcome.height[k] + leg.radius - points[-1, 1]
        shapes.append(points)
    top = max(points[:, 1].max() for points in shapes)
    low = float(episode.floor[part].min()) - 0.05
    axes.set_ylim(low, top + 0.03)
    box = axes.get_position()
    width, height = axes.figure.get_size_inches() * (box.width, box.height)
    per_metre = (part.stop - part.start) * tick / width * height / (top + 0.03 - low)   # [s / m]
    for k, points in zip(chosen, shapes):
        colour, x = COLOURS[episode.truth.mode[k]], k * tick + per_metre * points[:, 0]
        axes.plot(x, points[:, 1], color=colour, linewidth=1.5, solid_joinstyle="round")
        axes.plot(x[0], points[0, 1], "s", color=TRUTH, markersize=3.5)
        axes.plot(x[-1], points[-1, 1], "o", color=colour, markersize=4)
    time = np.arange(part.start, part.stop) * tick
    axes.fill_between(time, low, episode.floor[part], color="#c3cbd8", linewidth=0)
    axes.set(ylabel="height [m]")


def bars(axes, true, said, part, legend=True, tick=TICK):
    """Two rows of bars; what is not drawn is air."""
    for row, modes in enumerate((said, true)):
        for mode, word in MODES.items():
            spans = [((part.start + begin) * tick, (end - begin) * tick)
                     for begin, end in truth.runs(modes[part] == mode)]
            axes.broken_barh(spans, (row + 0.1, 0.8), color=COLOURS[mode], linewidth=0, label=word if row else None)
    axes.set(yticks=(0.5, 1.5), yticklabels=("estimated", "true"), ylim=(0, 2))
    _open(axes, part, tick)
    if legend:
        axes.legend(frameon=False, fontsize=8, loc="lower right", bbox_to_anchor=(1.0, 0.95), ncols=2)


def impulse(axes, outcome, part, axis, label):
    """The estimate of tick k is published in k + 1: drawn where it belongs."""
    episode, estimates, tick = outcome.episode, outcome.estimates, outcome.episode.tick
    time = np.arange(part.start, part.stop) * tick
    mean, spread = estimates["impulse"][part, axis], np.sqrt(estimates["impulse_variance"][part, axis])
    true = episode.truth.impulse[part, axis]
    axes.fill_between(time - tick, mean - 2 * spread, mean + 2 * spread, color=ESTIMATE, alpha=0.25, linewidth=0)
    axes.plot(time - tick, mean, color=ESTIMATE, linewidth=1.6, label="estimated, 2 sigma")
    axes.plot(time, true, color=TRUTH, linewidth=0.7, label="true")
    low, high = min(true.min(), mean.min()), max(true.max(), mean.max())
    margin = 0.1 * (high - low) + 1e-6   # the variance has no bound: near a stretched leg torques say little of forces
    axes.set(ylabel=label, ylim=(low - margin, high + margin))
    axes.legend(frameon=False, fontsize=8, loc="upper right", ncols=2)
    _open(axes, part, tick)


def slip(axes, outcome, said, part):
    """The foot's speed along the floor, while it touches."""
    facts, tick = outcome.episode.truth, outcome.episode.tick
    time = np.arange(part.start, part.stop) * tick
    for speed, mode, colour, width, shift in ((outcome.estimates["slip"], said, ESTIMATE, 1.6, tick),
                                              (facts.slip, facts.mode, TRUTH, 0.7, 0.0)):
        touching = np.where(mode[part] != truth.AIR, speed[part], np.nan)
        axes.plot(time - shift, touching, color=colour, linewidth=width)
    axes.set(ylabel="slip [m/s]")
    _open(axes, part, tick)


def _delays(axes, delay, what):
    """How many events were known how late; later than the axis is drawn at its end."""
    seen = 1e3 * delay[np.isfinite(delay)]
    if not len(seen):
        axes.axis("off")
        none = f"none of {len(delay)} was known in time" if len(delay) else "none in this run"
        axes.text(0.5, 0.5, f"{what}: {none}", ha="center", va="center", fontsize=9, transform=axes.transAxes)
        return
    axes.hist(np.clip(seen, 0, 9.99), np.arange(0, 10.5, 0.5), color=ESTIMATE)
    axes.set(xlabel=f"{what} known after [ms]", ylabel=f"how many, {len(seen)} of {len(delay)}", xlim=(0, 10))
    axes.yaxis.get_major_locator().set_params(integer=True)
    axes.spines[["top", "right"]].set_visible(False)


def _words(axes, outcome):
    """What the terminal tells."""
    axes.axis("off")
    for right, column in ((False, 0), (True, 1)):
        text = "\n".join(row[column] for row in told.rows(outcome.summary))
        axes.text(float(right), 1.05, text, va="top", ha="right" if right else "left", fontsize=8, linespacing=1.35,
                  transform=axes.transAxes)
