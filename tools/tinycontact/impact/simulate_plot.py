# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""A picture of a roll-out: the paths of all bodies with where they touched, and the energy over time."""
import numpy as np

from ..report.plots import LAWS, TRUTH, new_figure
from .native import NativeScene

MOST_LABELS = 6


def _centres(run):
    """{label: positions [rows, 3]} of each link."""
    scene, found = run.scene, {}
    labels = [f"{body.name}.{k}" if body.kind == "chain" else body.name
              for body in scene.bodies for k in range(len(body.links))]
    with NativeScene(scene) as native:
        rows = np.array([native.look(q, v)[1][:, :3] for q, v in zip(run.q, run.v)])
    for k, label in enumerate(labels):
        found[label] = rows[:, k]
    return found


def paths(run):
    """Paths on the left (x and the axis of height), energy on the right."""
    scene = run.scene
    height = 1 if scene.dimension == 2 else 2
    figure = new_figure(10, 4.2)
    left, right = figure.subplots(1, 2)
    centres = _centres(run)
    for k, (label, x) in enumerate(centres.items()):
        colour = LAWS[k % len(LAWS)]
        left.plot(x[:, 0], x[:, height], color=colour, linewidth=0.9, label=label)
        left.plot(x[0, 0], x[0, height], "o", color=colour, markersize=4)
    if len(run.contacts):
        point = run.contacts[:, 6:9]
        left.plot(point[:, 0], point[:, height], "x", color=TRUTH, markersize=4, label="contact")
    left.set(title=scene.name, xlabel="x [m]", ylabel=f"{'xyz'[height]} [m]", aspect="equal", adjustable="datalim")
    if len(centres) <= MOST_LABELS:
        left.legend(frameon=False, fontsize=8)
    for name, values, colour in (("total", run.energy.sum(axis=1), TRUTH), ("kinetic", run.energy[:, 0], LAWS[0]),
                                 ("potential", run.energy[:, 1], LAWS[1 % len(LAWS)])):
        right.plot(run.t, values, color=colour, linewidth=0.9, label=name)
    right.set(title="energy", xlabel="time [s]", ylabel="energy [J]")
    right.legend(frameon=False, fontsize=8)
    return figure
