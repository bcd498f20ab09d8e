# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The chain's pictures: violations of the last joint as Fig. 9 has them, and the link angles of one run."""
import numpy as np

from ..report.plots import LAWS, TRUTH, new_figure
from ..sim import chain_truth as truth

LEAST = 1e-9   # [m/s]; smaller violations are drawn there
BINS = 60


def chain(violations, angles, right, title):
    """violations: {name: [m/s]}; angles, right [ticks + 1, links] of one run, the latter DART's or None."""
    figure = new_figure(10, 4)
    left, other = figure.subplots(1, 2)
    _histogram(left, violations)
    _angles(other, angles, right, title)
    return figure


def _histogram(axes, violations):
    bins = np.logspace(np.log10(LEAST), 0, BINS)
    for colour, (name, values) in zip((*LAWS, TRUTH), violations.items()):
        weights = np.full(len(values), 100 / len(values))
        axes.hist(np.clip(values, LEAST, 1), bins=bins, weights=weights, histtype="stepfilled", alpha=0.55, color=colour,
                  label=name)
    axes.set(xscale="log", xlabel="velocity violation at the last joint [m/s]", ylabel="share of ticks [%]",
             title="joint violation (Fig. 9)")
    axes.legend(frameon=False, fontsize=8)


def _angles(axes, angles, right, title):
    time = truth.H * np.arange(len(angles))
    for k in range(truth.LINKS):
        if right is not None:
            axes.plot(time, np.degrees(np.cumsum(right, axis=1)[:, k]), color=TRUTH, linewidth=2.2,
                      label="DART" if k == 0 else None)
        axes.plot(time, np.degrees(np.cumsum(angles, axis=1)[:, k]), color=LAWS[k % len(LAWS)], linewidth=1.2,
                  linestyle="--", label=f"link {k + 1}")
    axes.set(xlabel="time [s]", ylabel="angle to the horizontal [deg]", title=title)
    axes.legend(frameon=False, fontsize=8)
