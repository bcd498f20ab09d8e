# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""A picture of an aim: the paths before and after on the left, the loss per iteration on the right."""
import numpy as np

from ..report.plots import LAWS, TRUTH, new_figure, plain

LEAST = 1e-26   # smaller losses are drawn there
GREY = "#9aa5b8"


def _balls(axes, task, x, colour, label):
    """Paths from the start x; circles where the bodies begin and end."""
    from matplotlib.patches import Circle
    paths = task.paths(x)
    for k in range(paths.shape[1]):
        if np.abs(np.diff(paths[:, k], axis=0)).max() == 0 and colour == GREY:
            continue
        axes.plot(*paths[:, k].T, color=colour, linewidth=1.0, label=label if k == 0 else None)
        radius = task.scene.bodies[k].links[0].shape.radius
        axes.add_patch(Circle(paths[0, k], radius, fill=False, color=colour, linewidth=0.7, linestyle=":"))
        axes.add_patch(Circle(paths[-1, k], radius, fill=False, color=colour, linewidth=0.9))


def aimed(task, run, others):
    figure = new_figure(10, 4.4)
    left, right = figure.subplots(1, 2)
    _balls(left, task, run.points[0], GREY, "before")
    _balls(left, task, run.points[run.best], LAWS[1], "after")
    if task.name == "vertical":
        left.axvline(task.paths(run.points[run.best])[-1, 0, 0], color=TRUTH, linestyle="--", linewidth=0.8)
    else:
        left.plot(*task.target, "x", color=TRUTH, markersize=9, markeredgewidth=2, label="mark")
    if task.name != "billiards":
        left.axhline(0, color=TRUTH, linewidth=1.2)
    left.set(title=task.name, xlabel="x [m]", ylabel="y [m]", aspect="equal", adjustable="datalim")
    left.legend(frameon=False, fontsize=8)
    for k, other in enumerate(others):
        right.semilogy(np.maximum(other.losses, LEAST), color=GREY, linewidth=0.7,
                       label="other starts" if k == 0 else None)
    right.semilogy(np.maximum(run.losses, LEAST), "o-", color=LAWS[1], markersize=3, linewidth=1.2, label="from the start")
    if task.paper:
        right.plot(*task.paper, "s", color=LAWS[0], label="the paper")
        right.axhline(task.goal, color=TRUTH, linewidth=0.8, linestyle="--", label=f"goal {task.goal:g}")
    plain(right, "loss", "iteration", task.loss_name)
    right.xaxis.get_major_locator().set_params(integer=True)
    right.legend(frameon=False, fontsize=8)
    return figure
