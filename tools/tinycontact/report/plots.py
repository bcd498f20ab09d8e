# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Pictures of how well a contact model does. Each function makes one matplotlib Figure, without pyplot: nothing
is shown, no display is needed, no state is kept.

Colours keep apart for eyes that see red and green alike, and the truth is always the dark line.
"""
import numpy as np

from ..build import missing
from ..errors import TinycontactError
from .measure import CLASSES, calibration

TRUTH, LAWS = "#1c2330", ("#e07b00", "#0072b2", "#7a4fa3", "#009e73")
OUTLINES = 14   # of the body along a path, at most
LEAST = 1e-5    # [m] smaller errors of a distance are drawn there


def ready():
    """matplotlib's Figure, or the error that says how to get matplotlib. Commands call this after they have read their
    files and before they compute."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise TinycontactError(f"plots need matplotlib: {missing('matplotlib', 'view', 'sim')}") from None
    return Figure


def new_figure(width, height):
    """A Figure of this size [inches]."""
    return ready()(figsize=(width, height), layout="constrained")


def plain(axes, title="", x="", y=""):
    """Axes with a light grid and no box."""
    axes.set(title=title, xlabel=x, ylabel=y)
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(True, color="#e4e8ef", linewidth=0.6)
    axes.set_axisbelow(True)


def confusions(tables):
    """{patch: counts [true, said]}: shares of the true class, with the counts."""
    figure = new_figure(3.9 * len(tables), 3.5)
    for axes, (patch, counts) in zip(np.atleast_1d(figure.subplots(1, len(tables))), tables.items()):
        counts = np.asarray(counts)
        share = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
        axes.imshow(share, cmap="Blues", vmin=0, vmax=1)
        for (i, j), value in np.ndenumerate(share):
            axes.text(j, i, f"{100 * value:.2f} %\n{counts[i, j]}", ha="center", va="center", fontsize=8,
                      color="white" if value > 0.5 else TRUTH)
        axes.set(title=patch, xlabel="said", ylabel="true", xticks=range(3), yticks=range(3),
                 xticklabels=CLASSES, yticklabels=CLASSES)
    return figure


def reliability(patches):
    """{patch: (true classes, probabilities)}: how often the likeliest class is right, against its probability."""
    figure = new_figure(5, 4)
    axes = figure.subplots()
    axes.plot([1 / 3, 1], [1 / 3, 1], color=TRUTH, linewidth=1, linestyle=":", label="calibrated")
    for colour, (patch, (truth, probability)) in zip(LAWS, patches.items()):
        count, said, right = calibration(truth, probability)
        kept = count > 0
        count, said, right = count[kept], said[kept], right[kept]
        spread = np.sqrt(said * (1 - said) / count)   # of the share right, were the probability true
        axes.errorbar(said, right, 2 * spread, fmt="none", color=colour, linewidth=1, alpha=0.7)
        axes.scatter(said, right, s=10 + 90 * np.sqrt(count / count.max()), color=colour, alpha=0.6, linewidths=0,
                     label=f"{patch}, {len(truth)} states")
    plain(axes, "calibration (bars: two standard deviations)", "probability of the likeliest class", "share right")
    axes.set_ylim(-0.05, 1.05)
    axes.legend(frameon=False)
    return figure


def distance_errors(laws):
    """{law: |distance - truth| [m]}: the share of throws below an error."""
    figure = new_figure(6.5, 3.8)
    axes = figure.subplots()
    for colour, (law, off) in zip(LAWS, laws.items()):
        axes.step(np.sort(np.maximum(off, LEAST)), np.arange(1, len(off) + 1) / len(off), where="post",
                  color=colour, label=law)
    axes.set_xscale("log")
    axes.axvline(0.1, color=TRUTH, linewidth=0.8, linestyle=":")
    plain(axes, "how far off throws end", "error of the distance [m]", "share of throws")
    axes.legend(frameon=False, loc="lower right")
    return figure


def _outline(outline, pose):
    """The body's closed outline [n, 2] at a pose (x, y, theta), world."""
    c, s = np.cos(pose[2]), np.sin(pose[2])
    closed = np.vstack([outline, outline[:1]])
    return closed @ np.array([[c, s], [-s, c]]) + pose[:2]


def moments(poses):
    """Steps at which an outline is drawn: evenly along the way of the centre of mass."""
    way = np.concatenate([[0], np.cumsum(np.hypot(*np.diff(np.asarray(poses)[:, :2], axis=0).T))])
    return np.unique(np.searchsorted(way, np.linspace(0, way[-1], OUTLINES)))


def path(axes, outline, poses, steps, colour, label, dashed=False):
    """A body's path: the line of its centre of mass, its outline at these steps, and the last one strong."""
    poses = np.asarray(poses)
    axes.plot(poses[:, 0], poses[:, 1], color=colour, linewidth=1.1, linestyle="--" if dashed else "-",
              label=label)
    for index in [*steps[steps < len(poses) - 1], len(poses) - 1]:
        line = _outline(outline, poses[index])
        last = index == len(poses) - 1
        axes.plot(line[:, 0], line[:, 1], color=colour, linewidth=1.2 if last else 0.5,
                  alpha=1 if last else 0.45, linestyle="--" if dashed else "-")


def throws(panels, outline, columns=2):
    """Panels (title, {law: poses [n, 3]}), the first law of each being the truth: paths one over another."""
    rows = -(-len(panels) // columns)
    figure = new_figure(5.5 * min(columns, len(panels)), 2.4 * rows + 0.4)
    grid = np.atleast_1d(figure.subplots(rows, min(columns, len(panels)), squeeze=False)).ravel()
    for axes, (title, laws) in zip(grid, panels):
        steps = moments(next(iter(laws.values())))   # the same for all: a body turns while it flies
        for index, (law, poses) in enumerate(laws.items()):
            path(axes, outline, poses, steps, TRUTH if index == 0 else LAWS[(index - 1) % len(LAWS)], law, index > 0)
        axes.axhline(0, color=TRUTH, linewidth=1.5)
        plain(axes, title, "x [m]", "height y [m]")
        axes.set_aspect("equal", adjustable="datalim")
        axes.title.set_fontsize(9)
    for axes in grid[len(panels):]:
        axes.set_visible(False)
    handles, labels = grid[0].get_legend_handles_labels()
    figure.legend(handles, labels, frameon=False, loc="outside lower center", ncols=len(labels))
    return figure


FRAMES, PER_SECOND, DOTS = 40, 15, 50   # of an animation; dots per inch


def animate(panels, outline, path, columns=2):
    """Writes a GIF of the panels of throws(): every law's body on its way, all at the same pace."""
    from matplotlib.animation import FuncAnimation, PillowWriter
    figure = throws(panels, outline, columns)
    figure.draw_without_rendering()   # which sets the limits
    steps = max(len(poses) for _, laws in panels for poses in laws.values())
    moving = []
    for axes, (_, laws) in zip(figure.axes, panels):
        for line in axes.get_lines():
            line.set_alpha(0.15)
        axes.set(xlim=axes.get_xlim(), ylim=axes.get_ylim(), aspect="auto")
        for index, poses in enumerate(laws.values()):
            colour = TRUTH if index == 0 else LAWS[(index - 1) % len(LAWS)]
            line, = axes.plot([], [], color=colour, linewidth=1.6, linestyle="--" if index else "-")
            moving.append((line, np.asarray(poses)))

    def draw(frame):
        for line, poses in moving:
            at = _outline(outline, poses[min(len(poses) - 1, frame * (steps - 1) // (FRAMES - 1))])
            line.set_data(at[:, 0], at[:, 1])
        return [line for line, _ in moving]
    FuncAnimation(figure, draw, FRAMES, blit=True).save(path, PillowWriter(PER_SECOND), dpi=DOTS)
