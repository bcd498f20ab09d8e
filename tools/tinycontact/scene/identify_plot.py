# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""A picture of what was identified: what was seen beside the answer's motion, and the differences that are left."""
import numpy as np

from ..report.plots import LAWS, TRUTH, new_figure, plain
from .observations import UNITS

LABELS = {"position": "xyz", "orientation": ("qw", "qx", "qy", "qz"), "rate": ("wx", "wy", "wz"),
          "velocity": ("vx", "vy", "vz")}
TITLES = {"position": "position [m]", "orientation": "orientation (quaternion)", "rate": "rate [rad/s]",
          "velocity": "velocity [m/s]"}
MOST = 3   # bodies that are drawn


def _simulated(answer, name):
    """[n, bodies, 3 or 4] of the answer."""
    return {"position": answer.poses[..., :3], "orientation": answer.poses[..., 3:],
            "velocity": answer.velocities[..., :3], "rate": answer.velocities[..., 3:]}[name]


def draw(answer, seen, names):
    """A Figure with a row per quantity that was seen."""
    figure = new_figure(10, 2.9 * len(seen.scale) + 0.6)
    rows = np.atleast_2d(figure.subplots(len(seen.scale), 2))
    r = seen.residuals(answer.poses, answer.velocities)
    for (left, right), name in zip(rows, seen.scale):
        _paths(left, answer, seen, names, name)
        right.plot(r[seen.group == name], ".", color=LAWS[1], markersize=3)
        plain(right, "what is left", "observation", UNITS[name])
    parts = [f"{path} = {one.value:.6g}" for path, one in answer.parameters.items() if isinstance(one.value, float)]
    figure.suptitle(", ".join(parts[:4]) or ", ".join(answer.parameters), fontsize=10)
    return figure


def _paths(axes, answer, seen, names, name):
    simulated = _simulated(answer, name)
    for body in np.unique(seen.body)[:MOST]:
        mine = seen.body == body
        for k, label in enumerate(LABELS[name]):
            colour = LAWS[k % len(LAWS)]
            path = simulated[:, body, k]
            cells = seen.values[name][mine, k]
            if name == "orientation":
                along = (simulated[seen.at[mine], body] * seen.values[name][mine]).sum(axis=1)
                cells = cells * np.sign(along)
            axes.plot(seen.times, path, color=colour, linewidth=1, label=f"{names[body]} {label}")
            axes.plot(seen.times[seen.at[mine]], cells, ".", color=TRUTH, markersize=3)
    plain(axes, f"{TITLES[name]}: seen (dots), answer (lines)", "t [s]")
    axes.legend(frameon=False, fontsize=7, ncols=2)
