# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Pictures of learned networks as in the paper's Figs. 3, 5, 7, 9, 10: phase, roll-out and energy beside the truth."""
import numpy as np

from ..report.plots import LAWS, TRUTH, new_figure
from .learn.data import FLOOR, GRAVITY


def energy(protocol, states):
    """[.., steps + 1] of states [.., 2D], by the true potential [J]."""
    d, mass = protocol.system.columns, np.array(protocol.system.mass)
    q, v = states[..., :d], states[..., d:]
    height = q if protocol.system.normal == FLOOR else 1 - np.cos(q)
    return (0.5 * v**2 + GRAVITY * height) @ mass


def rollouts(protocol, logged, clean, laws):
    """A row per method of laws {name: states [steps + 1, 2D]}: phase with the log [N, 2D], position, energy."""
    figure, d, h = new_figure(11, 2.8 * len(laws)), protocol.system.columns, protocol.system.h
    time = h * np.arange(len(clean))
    for (name, states), (phase, path, power) in zip(laws.items(), figure.subplots(len(laws), 3, squeeze=False)):
        for k in range(d):
            colour = LAWS[k % len(LAWS)]
            phase.plot(logged[:, k], logged[:, d + k], ".", color="#b4bccb", markersize=2)
            phase.plot(clean[:, k], clean[:, d + k], color=TRUTH, linewidth=1)
            phase.plot(states[:, k], states[:, d + k], color=colour, linewidth=1, linestyle="--")
            path.plot(time, clean[:, k], color=TRUTH, linewidth=1)
            path.plot(time, states[:, k], color=colour, linewidth=1, linestyle="--")
        power.plot(time, energy(protocol, clean), color=TRUTH, linewidth=1)
        power.plot(time, energy(protocol, states), color=LAWS[0], linewidth=1, linestyle="--")
        phase.set(title=name, xlabel="q", ylabel="velocity")
        path.set(title="roll-out from the exact start", xlabel="time [s]", ylabel="q")
        power.set(title="energy", xlabel="time [s]", ylabel="energy [J]")
        # A residual net may leave all bounds: the frame is the truth's.
        span = np.ptp(clean, axis=0).reshape(2, d).max(axis=1)
        path.set_ylim(clean[:, :d].min() - 0.3 * span[0], clean[:, :d].max() + 0.3 * span[0])
        phase.set_xlim(path.get_ylim())
        phase.set_ylim(clean[:, d:].min() - 0.3 * span[1], clean[:, d:].max() + 0.3 * span[1])
        high = energy(protocol, clean).max()
        power.set_ylim(-0.1 * high, 1.6 * high)
    return figure


def scatter(rows):
    """Every seed of every group of evaluation rows as a dot, a panel per system: what a mean hides."""
    systems = list(dict.fromkeys(row[0] for row in rows))
    figure = new_figure(9, 0.6 + 2.6 * len(systems))
    for axes, system in zip(np.atleast_1d(figure.subplots(len(systems), 1)), systems):
        groups = list(dict.fromkeys(row[1:4] for row in rows if row[0] == system))
        for k, group in enumerate(groups):
            values = np.array([row[5] for row in rows if (row[0], *row[1:4]) == (system, *group)])
            axes.plot(np.maximum(values, 1e-3), np.full(len(values), -k), "o", color=LAWS[k % len(LAWS)], markersize=4,
                      alpha=0.6)
        axes.set(title=system, xscale="log", yticks=-np.arange(len(groups)), xlabel="RMSE",
                 yticklabels=[name if (source, test) == ("protocol", "protocol") else f"{name} / {source} / {test}"
                              for name, source, test in groups])
    return figure
