# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""A Result as a picture: contact over all of the log; the leg, contact, force, slip and probabilities in its liveliest
seconds.

    draw(result, "log.png")
"""
import numpy as np

from ..hil import truth
from ..hil.report import COLOURS, ESTIMATE, MODES, joints, liveliest
from ..model import write_whole
from ..report.page import png_bytes
from ..report.plots import TRUTH, new_figure

SHOWN = 2.0     # [s] that are drawn large
LEGS = 34       # drawn over that time
ALONG = "#7a4fa3"   # the force along the floor


def draw(result, path):
    """Writes the picture as PNG."""
    write_whole(path, png_bytes(picture(result)))


def window(result):
    """The slice of ticks that is drawn large: where contact changes most."""
    ticks = min(len(result.time), int(SHOWN / result.tick))
    first = liveliest(result.modes(), ticks)
    return slice(first, first + ticks)


def picture(result):
    """A matplotlib Figure."""
    part, whole = window(result), slice(0, len(result.time))
    figure = new_figure(11, 9.5)
    grid = figure.add_gridspec(6, 1, height_ratios=(0.7, 1.6, 0.7, 1.3, 1.0, 1.0))
    figure.suptitle(_title(result), fontsize=11)
    top = figure.add_subplot(grid[0])
    _bars(top, result, whole, legend=True)
    top.axvspan(result.time[part.start], result.time[part.stop - 1], color="#e4e8ef", zorder=0)
    top.set_xlabel("time [s]; shaded: the part below")
    first = figure.add_subplot(grid[1])
    _legs(first, result, part)
    panels = [figure.add_subplot(grid[k], sharex=first) for k in range(2, 6)]
    _bars(panels[0], result, part)
    _force(panels[1], result, part)
    _slip(panels[2], result, part)
    _probabilities(panels[3], result, part)
    panels[3].set_xlabel("time [s]")
    for axes in (first, *panels[:3]):
        axes.tick_params(labelbottom=False)
    return figure


def _title(result):
    words = (f"{result.log.path}: contact of the foot, {len(result.contacts())} contacts in"
             f" {len(result.time) * result.tick:.1f} s")
    if result.scores:
        said = result.scores["estimator"]
        words += f"; right in {100 * said['contact_right']:.2f} % of ticks"
    likely = len(result.findings)
    return words + (f"\n{likely} likely mistake{'s' * (likely > 1)} in the log: see the terminal" if likely else "")


def _open(axes, result, part):
    axes.set_xlim(result.time[part.start], result.time[part.stop - 1] + result.tick)
    axes.spines[["top", "right"]].set_visible(False)


def _rows(result):
    """[(name, modes [T])] of the bars, from below."""
    rows = [("observer", result.observer.astype(int)), ("estimated", result.modes())]
    return [*rows, ("logged", result.truth.astype(int))] if result.truth is not None else rows


def _bars(axes, result, part, legend=False):
    rows = _rows(result)
    for row, (name, modes) in enumerate(rows):
        for mode, word in MODES.items():
            spans = [(result.time[part.start + begin], result.time[part.start + end - 1] + result.tick
                      - result.time[part.start + begin]) for begin, end in truth.runs(modes[part] == mode)]
            colour = COLOURS[mode] if name == "estimated" else TRUTH if name == "logged" else "#9aa5b8"
            axes.broken_barh(spans, (row + 0.12, 0.76), color=colour, linewidth=0,
                             label=f"estimated: {word}" if name == "estimated" else None)
    axes.set(yticks=np.arange(len(rows)) + 0.5, yticklabels=[name for name, _ in rows], ylim=(0, len(rows)))
    _open(axes, result, part)
    if legend:
        axes.legend(frameon=False, fontsize=8, loc="lower right", bbox_to_anchor=(1.0, 0.95), ncols=2)


def _legs(axes, result, part):
    """The leg from its hip, every so often, in the colour of its mode; metres along time and height alike."""
    leg, modes = result.chain.planar(), result.modes()
    chosen = np.unique(np.linspace(part.start, part.stop - 1, LEGS).astype(int))
    encoder, pitch = (np.concatenate([getattr(one, name) for one in result.segments]) for name in ("encoder", "pitch"))
    shapes = [joints(leg, encoder[k].astype(float), float(pitch[k])) for k in chosen]
    reach = max(np.abs(points).max() for points in shapes)
    low, high = min(points[:, 1].min() for points in shapes) - leg.radius, max(0.05 * reach, max(points[:, 1].max()
                                                                                                for points in shapes))
    axes.set_ylim(low - 0.05 * reach, high + 0.05 * reach)
    span = result.time[part.stop - 1] - result.time[part.start]
    box = axes.get_position()
    width, height = axes.figure.get_size_inches() * (box.width, box.height)
    per_metre = span / width * height / (high - low + 0.1 * reach)
    for k, points in zip(chosen, shapes):
        x, colour = result.time[k] + per_metre * points[:, 0], COLOURS[modes[k]]
        axes.plot(x, points[:, 1], color=colour, linewidth=1.4, solid_joinstyle="round")
        axes.plot(x[0], points[0, 1], "s", color=TRUTH, markersize=3)
        axes.plot(x[-1], points[-1, 1], "o", color=colour, markersize=4)
    axes.set(ylabel="leg from\nits base [m]")
    _open(axes, result, part)


def _force(axes, result, part):
    """Normal and tangential force of the floor, means over 5 ms."""
    time, force = result.time[part], result.force()[part]
    axes.axhline(0, color="#c3cbd8", linewidth=0.7)
    axes.plot(time, force[:, 1], color=ESTIMATE, linewidth=1.4, label="normal")
    axes.plot(time, force[:, 0], color=ALONG, linewidth=1.0, label="along the floor")
    low, high = min(0.0, force.min()), max(force.max(), 1e-3)
    axes.set(ylabel="force of the floor,\n5 ms mean [N]", ylim=(low - 0.1 * (high - low), high + 0.15 * (high - low)))
    axes.legend(frameon=False, fontsize=8, loc="upper right", ncols=2)
    _open(axes, result, part)


def _slip(axes, result, part):
    drawn = result.contact[part].copy()
    for begin, end in truth.runs(drawn):
        drawn[begin:end] = end - begin > 1   # a single tick is no line, but would scale the axis
    touching = np.where(drawn, result.slip[part], np.nan)
    axes.axhline(0, color="#c3cbd8", linewidth=0.7)
    axes.plot(result.time[part], touching, color=ESTIMATE, linewidth=1.3)
    axes.set(ylabel="slip [m/s]")
    _open(axes, result, part)


def _probabilities(axes, result, part):
    edges = np.cumsum(result.p[part][:, ::-1], axis=1)
    bottom = np.zeros(len(edges))
    for column, mode in enumerate((truth.DYNAMIC, truth.STATIC)):
        axes.fill_between(result.time[part], bottom, edges[:, column], color=COLOURS[mode], linewidth=0,
                          label=MODES[mode])
        bottom = edges[:, column]
    axes.set(ylabel="probability", ylim=(0, 1))
    _open(axes, result, part)
