# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Pictures of an evaluation: how far probabilities of contact can be believed, and what an early alarm costs."""
from ..report.plots import LAWS, TRUTH, new_figure, plain
from .metrics import onset_curve


def reliability(pooled):
    """{label: Judged}: how often there was contact, against the probability that was given."""
    figure = new_figure(5.5, 4.5)
    axes = figure.subplots()
    axes.plot([0, 1], [0, 1], color=TRUTH, linewidth=1, linestyle=":", label="calibrated")
    for colour, (label, judged) in zip(LAWS, pooled.items()):
        said, true, count = judged.bins[judged.bins[:, 2] > 0].T
        axes.plot(said / count, true / count, color=colour, linewidth=1)
        axes.scatter(said / count, true / count, s=8 + 90 * (count / count.max())**0.25, color=colour, alpha=0.6,
                     linewidths=0, label=label)
    plain(axes, x="probability of contact", y="share with contact")
    axes.legend(frameon=False)
    return figure


def slip_trade(pooled):
    """{label: Judged}: recall of slip onsets within 5 ms against the share of stick called slip, over thresholds."""
    figure = new_figure(5.5, 4.5)
    axes = figure.subplots()
    for colour, (label, judged) in zip(LAWS, pooled.items()):
        share, prompt, found = 100 * onset_curve(judged).T
        axes.plot(share, prompt, color=colour, marker=".", label=f"{label}, within 5 ms")
        axes.plot(share, found, color=colour, linestyle=":", label=f"{label}, within 30 ms")
    axes.set_xscale("symlog", linthresh=0.1)
    plain(axes, x="stick ticks called slip [%]", y="slip onsets found [%]")
    axes.legend(frameon=False)
    return figure
