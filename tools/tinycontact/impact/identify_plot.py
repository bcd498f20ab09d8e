# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""A picture of what was identified: intervals on the left, rates after impacts beside those of the fit on the right."""
import numpy as np

from ..report.plots import LAWS, TRUTH, new_figure, plain

MOST = 24   # unknowns that are drawn


def draw(found, scene):
    figure = new_figure(10, 4.2)
    left, right = figure.subplots(1, 2)
    _intervals(left, [u for u in found.unknowns if u.determined][:MOST])
    _impacts(right, found, scene)
    return figure


def _intervals(axes, unknowns):
    for k, u in enumerate(unknowns):
        high = u.high if np.isfinite(u.high) else max(2.0 * u.low, u.value)
        axes.plot([u.low, high], [k, k], color=LAWS[1], linewidth=4, alpha=0.5, solid_capstyle="round")
        axes.plot(u.value, k, "o", color=TRUTH, markersize=4)
    plain(axes, "identified, with intervals", "value")
    axes.set_yticks(range(len(unknowns)), [u.name for u in unknowns], fontsize=8)
    axes.invert_yaxis()


def _impacts(axes, found, scene):
    """Rates at the end of the windows that touch, of the log and of the fit."""
    problem, n = found.learned.problem, scene.spans[-1][0].stop
    rows = problem.hits.any(axis=1)
    fitted = problem.model.roll(found.learned.theta, problem.begin(found.learned.fit.starts), problem.steps).states
    log, fit = problem.states[rows, -1, n:], fitted[rows, -1, n:]
    axes.plot(log.ravel(), fit.ravel(), ".", color=LAWS[0], markersize=4)
    if log.size:
        ends = [min(log.min(), fit.min()), max(log.max(), fit.max())]
        axes.plot(ends, ends, color=TRUTH, linewidth=0.8)
    plain(axes, f"rates after {int(rows.sum())} impacts", "logged [m/s, rad/s]", "by the fit")
