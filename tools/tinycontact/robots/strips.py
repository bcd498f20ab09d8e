# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Contact of all feet over time: what was true over what was estimated, a strip each."""
import numpy as np

from ..hil.metrics import classes
from ..report.plots import LAWS, TRUTH, new_figure

STALE = 3
COLOURS = {1: LAWS[1], 2: LAWS[0], STALE: "#c9cdd4"}   # sticks, slips, an estimate that is repeated
SECONDS = 2.5                        # that are shown


def _runs(modes, kind):
    edges = np.flatnonzero(np.diff(np.concatenate([[0], (modes == kind).astype(int), [0]])))
    return edges.reshape(-1, 2)


def _strip(axes, modes, at, tick, height):
    for kind, colour in COLOURS.items():
        spans = [(begin * tick, (end - begin) * tick) for begin, end in _runs(modes, kind)]
        axes.broken_barh(spans, (at, height), color=colour, linewidth=0)


def _modes(one, k):
    """[T] of foot k as it is published; STALE where it is flagged as such."""
    modes = classes({"contact": np.asarray(one["contact"])[:, k], "p": np.asarray(one["p"])[:, k]})
    return np.where(one["stale"][:, k], STALE, modes) if "stale" in one else modes


def draw(episode, told, title):
    """A Figure of an Episode and {name of an estimator: estimates}."""
    ticks = min(len(episode), int(SECONDS / episode.tick))
    figure = new_figure(13, 1.2 + 0.85 * len(episode.feet))
    axes, marks, labels = figure.subplots(), [], []
    row = 0.0
    for k, (foot, limb) in enumerate(zip(episode.feet, episode.robot.limbs)):
        shown = [("true", foot.mode), *((name, _modes(one, k)) for name, one in told.items())]
        for name, modes in shown:
            _strip(axes, modes[:ticks], row, episode.tick, 0.8)
            marks.append(row + 0.4), labels.append(f"{limb.name}, {name}")
            row += 1.0
        row += 0.6
    axes.set_yticks(marks, labels, fontsize=7)
    axes.invert_yaxis()
    axes.set_xlim(0, ticks * episode.tick)
    axes.set_xlabel("time [s]")
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.tick_params(left=False)
    words = {1: "sticks", 2: "slips"} | ({STALE: "no estimate"} if any("stale" in one and one["stale"].any() for one in told.values()) else {})
    for kind, word in words.items():
        axes.broken_barh([], (0, 0), color=COLOURS[kind], label=word)
    axes.legend(frameon=False, fontsize=8, loc="upper left", bbox_to_anchor=(0, 1.12), ncols=3)
    axes.set_title(title, fontsize=10, color=TRUTH)
    return figure


def save(path, episode, told, title):
    from ..model import check_folder
    check_folder(path)
    draw(episode, told, title).savefig(path, dpi=110, bbox_inches="tight")
