# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Pictures of roll-outs: the path in phase space of each body, and the energy over time."""
import numpy as np

from ..report.plots import LAWS, TRUTH, new_figure

MOST = 12   # systems in one picture


def phases(systems, runs):
    """A row for each system: phase plot, energy."""
    runs = runs[:MOST]
    figure = new_figure(9, 3.2 * len(runs))
    for (left, right), system, run in zip(figure.subplots(len(runs), 2, squeeze=False), systems, runs):
        length = {"pendulum": "rad", "learned": "as logged"}.get(system.potential, "m")
        speed = length if system.potential == "learned" else f"{length}/s"
        for k in range(run.Q.shape[1]):
            colour = LAWS[k % len(LAWS)]
            left.plot(run.Q[:, k], run.V[:, k], color=colour, linewidth=0.9, label=f"body {k + 1}")
            left.plot(run.Q[0, k], run.V[0, k], "o", color=colour, markersize=4)
        left.set(title=system.name, xlabel=f"position [{length}]", ylabel=f"velocity [{speed}]")
        if 1 < run.Q.shape[1] <= len(LAWS):
            left.legend(frameon=False, fontsize=8)
        _energy(right, system, run)
    return figure


def _energy(axes, system, run):
    time = system.h * np.arange(len(run.energy))
    hits = run.contact > 0
    axes.plot(time, run.energy, color=TRUTH, linewidth=0.9)
    axes.plot(time[hits], run.energy[hits], "|", color=LAWS[0], markersize=7,
              label=f"{int(hits.sum())} steps with contact")
    axes.set(title="energy", xlabel="time [s]", ylabel="energy [J]", ylim=(min(0, run.energy.min()), None))
    if hits.any():
        axes.legend(frameon=False, fontsize=8, loc="lower left")
