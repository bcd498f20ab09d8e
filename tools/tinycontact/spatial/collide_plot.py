# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The picture of `tinycontact body collide`: one throw, seen from the side, and the errors of all solves."""
import numpy as np

from ..report.plots import LAWS, new_figure, plain
from ..sim.query import DETACH
from ..sim.spatial_truth import rotation
from .collide_judge import KINDS

INSTANTS = 5
CORNERS = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
EDGES = [(i, j) for i in range(8) for j in range(i + 1, 8) if np.abs(CORNERS[i] - CORNERS[j]).sum() == 2]


def _longest(run):
    """The throw with the most pressing solves."""
    press = run.solves.rows["normal"].max(axis=1) > 0
    return int(np.argmax(np.bincount(run.solves.throw[press], minlength=len(run.touched))))


def _plane(centres):
    """[2, 3] the two directions along which the centres [T, 2, 3] spread most."""
    flat = centres.reshape(-1, 3)
    return np.linalg.svd(flat - flat.mean(axis=0), full_matrices=False)[2][:2]


def _throw(axes, run, boxes):
    which = _longest(run)
    poses = run.poses[:, which]
    plane, half = _plane(poses[:, :, :3]), boxes.half()
    for at in np.linspace(0, len(poses) - 1, INSTANTS).astype(int):
        for body, colour in enumerate(LAWS[:2]):
            corner = poses[at, body, :3] + (CORNERS * half[body]) @ rotation(poses[at, body, 3:]).T
            x, y = plane @ corner.T
            for i, j in EDGES:
                axes.plot(x[[i, j]], y[[i, j]], color=colour, linewidth=0.8, alpha=0.25 + 0.75 * at / len(poses))
    for body, colour in enumerate(LAWS[:2]):
        axes.plot(*(plane @ poses[:, body, :3].T), color=colour, linewidth=1, linestyle=":")
    axes.set_aspect("equal", adjustable="datalim")
    plain(axes, f"throw {which}: later is darker", "[m]", "[m]")


def _errors(axes, verdict):
    for k, (kind, colour) in enumerate(zip(KINDS, LAWS)):
        error = np.sort(verdict.error[(verdict.kind == k) & (verdict.label != DETACH)])
        if len(error):
            axes.plot(np.maximum(error, 1e-8), np.arange(1, len(error) + 1) / len(error), color=colour,
                      drawstyle="steps-post", label=f"{kind}s ({len(error)})")
    axes.set_xscale("log")
    axes.legend(frameon=False, fontsize=8)
    plain(axes, "against exact Coulomb friction", "error of the impulse", "share of solves")


def picture(run, boxes, verdict):
    figure = new_figure(10, 4)
    left, right = figure.subplots(1, 2)
    _throw(left, run, boxes)
    _errors(right, verdict)
    return figure
